#include "wire/operations.h"

#include <set>

#include <gtest/gtest.h>

namespace bisect_run::wire {
namespace {

TEST(OperationsTest, TableIsConsistent) {
  const std::set<std::string_view> modes{"process", "fork", "direct"};
  std::set<std::string_view> names;
  for (const OperationSpec& spec : operations()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name << " appears twice";
    EXPECT_FALSE(spec.meaning.empty()) << spec.name;
    EXPECT_FALSE(spec.modes.empty()) << spec.name;
    for (const auto mode : spec.modes) EXPECT_TRUE(modes.contains(mode)) << spec.name;
    std::set<std::string_view> parameters;
    for (const ParameterSpec& parameter : spec.parameters) {
      EXPECT_TRUE(parameters.insert(parameter.name).second) << spec.name << '.' << parameter.name;
      EXPECT_FALSE(parameter.meaning.empty()) << spec.name << '.' << parameter.name;
      EXPECT_EQ(parameter.choices.empty(), parameter.type != ParameterType::choice);
    }
  }
}

// Each default must be a value that the table itself accepts.
TEST(OperationsTest, DefaultsAreValid) {
  for (const OperationSpec& spec : operations()) {
    Step step{std::string(spec.name), {}};
    for (const ParameterSpec& parameter : spec.parameters)
      if (parameter.required && parameter.type == ParameterType::integer)
        step.parameters[std::string(parameter.name)] = parameter.minimum;
      else if (parameter.required && parameter.type == ParameterType::text)
        step.parameters[std::string(parameter.name)] = std::string("x");
    for (int round = 0; round < 2; ++round) {
      const auto fault = complete(step);
      EXPECT_FALSE(fault) << spec.name << ": " << (fault ? fault->message : "");
    }
    EXPECT_EQ(step.parameters.size(), spec.parameters.size()) << spec.name;
  }
}

struct Wrong {
  Step step;
  std::string parameter, says;
};

TEST(OperationsTest, FaultsNameTheParameterAndTheWayOut) {
  const std::vector<Wrong> rows = {
      {{"netns_ad", {}}, "", "did you mean 'netns_add'?"},
      {{"netnsadd", {}}, "", "did you mean 'netns_add'?"},
      {{"zzzzzz", {}}, "", "unknown operation 'zzzzzz'"},
      {{"netns_add", {{"perfix", std::string("ns")}}}, "perfix", "did you mean 'prefix'?"},
      {{"netns_add", {{"colour", std::int64_t{1}}}}, "colour", "it has: prefix, count"},
      {{"netns_add", {{"prefix", std::int64_t{5}}}}, "prefix", "must be a name of 1 to 64"},
      {{"netns_add", {{"prefix", std::string("../x")}}}, "prefix", "letters, digits or"},
      {{"netns_add", {{"prefix", std::string()}}}, "prefix", "must be a name"},
      {{"netns_add", {{"count", std::int64_t{0}}}}, "count", "must be an integer from 1 to"},
      {{"netns_add", {{"count", std::string("3")}}}, "count", "must be an integer"},
      {{"netns_add", {{"count", true}}}, "count", "must be an integer"},
      {{"netns_exec", {{"do", std::string("lo-up")}}}, "do", "did you mean 'lo_up'?"},
      {{"netns_exec", {{"do", true}}}, "do", "must be one of: nothing, lo_up, ip_forward"},
  };
  for (const Wrong& row : rows) {
    Step step = row.step;
    const auto fault = complete(step);
    ASSERT_TRUE(fault) << row.says;
    EXPECT_EQ(fault->parameter, row.parameter);
    EXPECT_NE(fault->message.find(row.says), std::string::npos) << fault->message;
  }
}

TEST(OperationsTest, CompleteFillsInDefaultsAndKeepsWhatIsGiven) {
  Step step{"netns_exec", {{"prefix", std::string("bar")}}};
  ASSERT_FALSE(complete(step));
  EXPECT_EQ(std::get<std::string>(step.parameters.at("prefix")), "bar");
  EXPECT_EQ(std::get<std::string>(step.parameters.at("do")), "nothing");
}

TEST(OperationsTest, Supports) {
  EXPECT_TRUE(find_operation("netns_add")->supports("direct"));
  EXPECT_FALSE(find_operation("netns_exec")->supports("direct"));
  EXPECT_EQ(find_operation("netns"), nullptr);
}

TEST(NearestTest, FindsSlipsAndNothingFarAway) {
  const std::vector<std::string_view> known = {"marks", "chunks", "metric"};
  EXPECT_EQ(nearest("mraks", known), "marks");
  EXPECT_EQ(nearest("chunk", known), "chunks");
  EXPECT_EQ(nearest("metrics", known), "metric");
  EXPECT_EQ(nearest("teardown", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), known), "");
}

}  // namespace
}  // namespace bisect_run::wire
