#include "cli/judge_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace bisect_run::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargest = std::size_t{16} << 20;
constexpr const char* kKind = "bisect-run calibration";

Json end_json(const JudgeFile::End& end) {
  return {{"commit", end.commit.hex},
          {"text", end.text},
          {"kernel", end.identity},
          {"level", end.level},
          {"boots", end.boots}};
}

JudgeFile::End end_of(const Json& json) {
  return {.commit = {json.at("commit").get<std::string>()},
          .text = json.at("text").get<std::string>(),
          .identity = json.at("kernel").get<std::string>(),
          .level = json.at("level").get<double>(),
          .boots = json.at("boots").get<int>()};
}

Json boots_json(const std::vector<bisect::KnownBoot>& boots) {
  Json list = Json::array();
  for (const auto& boot : boots)
    list.push_back({{"end", boot.bad ? "bad" : "good"}, {"y", boot.y}, {"time_s", boot.time_s}});
  return list;
}

JudgeFile judge_of(const Json& json) {
  JudgeFile judge;
  judge.metric = json.at("metric").get<std::string>();
  judge.marks = json.at("marks").get<std::vector<std::int64_t>>();
  judge.find_fix = json.at("find_fix").get<bool>();
  judge.min_effect = json.at("min_effect").get<double>();
  judge.scenario = json.at("scenario").get<std::string>();
  judge.scenario_digest = json.at("scenario_digest").get<std::string>();
  judge.mode = json.at("mode").get<std::string>();
  judge.variant = json.at("variant").get<std::string>();
  const auto& machine = json.at("machine");
  judge.machine = {.cpus = machine.at("cpus").get<int>(),
                   .memory_mib = machine.at("memory_mib").get<int>(),
                   .accelerator = machine.at("accelerator").get<std::string>(),
                   .clock = machine.at("clock").get<std::string>()};
  judge.host = json.at("host_digest").get<std::string>();
  judge.agent = json.at("agent_digest").get<std::string>();
  judge.recipe = json.at("recipe_digest").get<std::string>();
  judge.good = end_of(json.at("good"));
  judge.bad = end_of(json.at("bad"));
  judge.sigma = json.at("sigma").get<double>();
  for (const auto& boot : json.at("boots"))
    judge.boots.push_back({.bad = boot.at("end").get<std::string>() == "bad",
                           .y = boot.at("y").get<double>(),
                           .time_s = boot.at("time_s").get<double>()});
  return judge;
}

}  // namespace

std::string to_json(const JudgeFile& judge) {
  const Json json{{"kind", kKind},
                  {"version", kJudgeFileVersion},
                  {"metric", judge.metric},
                  {"marks", judge.marks},
                  {"find_fix", judge.find_fix},
                  {"min_effect", judge.min_effect},
                  {"scenario", judge.scenario},
                  {"scenario_digest", judge.scenario_digest},
                  {"mode", judge.mode},
                  {"variant", judge.variant},
                  {"machine",
                   {{"cpus", judge.machine.cpus},
                    {"memory_mib", judge.machine.memory_mib},
                    {"accelerator", judge.machine.accelerator},
                    {"clock", judge.machine.clock}}},
                  {"host_digest", judge.host},
                  {"agent_digest", judge.agent},
                  {"recipe_digest", judge.recipe},
                  {"good", end_json(judge.good)},
                  {"bad", end_json(judge.bad)},
                  {"sigma", judge.sigma},
                  {"boots", boots_json(judge.boots)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<JudgeFile> parse_judge_file(std::string_view text, const std::string& name) {
  try {
    const auto json = Json::parse(text);
    if (json.at("kind").get<std::string>() != kKind) throw std::invalid_argument("another kind");
    const auto version = json.at("version").get<int>();
    if (version > kJudgeFileVersion)
      return fail(ErrorKind::usage,
                  fmt::format("{}: written by a newer bisect-run (version {} of the file, {} is "
                              "known here); calibrate again",
                              name, version, kJudgeFileVersion));
    return judge_of(json);
  } catch (const std::exception& error) {
    return fail(ErrorKind::usage,
                fmt::format("{}: this is no file of bisect-run calibrate, or it is damaged; "
                            "calibrate again",
                            name),
                error.what());
  }
}

Result<JudgeFile> read_judge_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    return fail(ErrorKind::usage,
                fmt::format("{}: cannot be read; bisect-run calibrate GOOD BAD --out FILE writes "
                            "such a file",
                            file.string()));
  std::string text(kLargest + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kLargest)
    return fail(ErrorKind::usage,
                fmt::format("{}: too large for a file of bisect-run calibrate", file.string()));
  return parse_judge_file(text, file.string());
}

}  // namespace bisect_run::cli
