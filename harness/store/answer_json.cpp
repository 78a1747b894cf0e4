// An answer as JSON.
#include "store/json.h"
#include "store/json_values.h"

namespace bisect_run::store {
namespace {

json commit_json(const Commit& commit) {
  json parents = json::array();
  for (const auto& parent : commit.parents) parents.push_back(parent.hex);
  return {{"oid", commit.oid.hex},
          {"subject", text_json(commit.subject)},
          {"commit_time", commit.commit_time},
          {"parents", parents}};
}

Commit commit_of(const json& object) {
  Commit commit;
  commit.oid = oid_of(object.at("oid").get<std::string>());
  commit.subject = text_at(object, "subject");
  commit.commit_time = object.value("commit_time", commit.commit_time);
  for (const auto& parent : object.value("parents", json::array()))
    commit.parents.push_back(oid_of(parent.get<std::string>()));
  return commit;
}

json commits_json(const std::vector<Commit>& commits) {
  json list = json::array();
  for (const auto& commit : commits) list.push_back(commit_json(commit));
  return list;
}

json further_json(const FurtherAnswer& further) {
  return {{"commits", commits_json(further.commits)}, {"before", further.before},
          {"reason", text_json(further.reason)},      {"effect", further.effect},
          {"effect_low", further.effect_low},         {"effect_high", further.effect_high},
          {"confidence", further.confidence}};
}

FurtherAnswer further_of(const json& object) {
  FurtherAnswer further;
  for (const auto& commit : object.at("commits")) further.commits.push_back(commit_of(commit));
  if (further.commits.empty()) throw std::invalid_argument("a further answer without a commit");
  further.before = object.value("before", false);
  further.reason = text_at(object, "reason");
  further.effect = object.at("effect").get<double>();
  further.effect_low = object.at("effect_low").get<double>();
  further.effect_high = object.at("effect_high").get<double>();
  further.confidence = object.at("confidence").get<double>();
  return further;
}

json revert_json(const RevertOutcome& revert) {
  json object{
      {"verdict", revert.verdict}, {"why_not", text_json(revert.why_not)}, {"boots", revert.boots}};
  set(object, "recovered", revert.recovered);
  set(object, "error", revert.error);
  return object;
}

RevertOutcome revert_of(const json& object) {
  return {.verdict = object.value("verdict", ""),
          .why_not = text_at(object, "why_not"),
          .recovered = number_at(object, "recovered"),
          .error = number_at(object, "error"),
          .boots = object.value("boots", 0)};
}

json change_json(const ConfigChange& change) {
  json object{{"parent", change.parent.hex},
              {"differences", json::array()},
              {"equivalent", change.equivalent},
              {"cause", to_string(change.cause)},
              {"reason", text_json(change.reason)}};
  for (const auto& line : change.differences)
    object["differences"].push_back({{"what", text_json(line.what)},
                                     {"parent", text_json(line.parent)},
                                     {"commit", text_json(line.commit)}});
  set(object, "value", change.value);
  return object;
}

ConfigChange change_of(const json& object) {
  ConfigChange change;
  change.parent = oid_of(object.at("parent").get<std::string>());
  for (const auto& line : object.value("differences", json::array()))
    change.differences.push_back(
        {text_at(line, "what"), text_at(line, "parent"), text_at(line, "commit")});
  change.equivalent = object.value("equivalent", "");
  change.cause = config_cause_from(object.value("cause", "")).value_or(change.cause);
  change.reason = text_at(object, "reason");
  change.value = number_at(object, "value");
  return change;
}

Answer answer_of(const json& object) {
  Answer answer;
  const auto kind = object.at("kind").get<std::string>();
  for (const auto candidate : {Answer::Kind::commit, Answer::Kind::set, Answer::Kind::none})
    if (to_string(candidate) == kind) answer.kind = candidate;
  for (const auto& commit : object.at("commits")) answer.commits.push_back(commit_of(commit));
  if (answer.kind != Answer::Kind::none && answer.commits.empty())
    throw std::invalid_argument("an answer without a commit");
  answer.reason = text_at(object, "reason");
  answer.effect = number_at(object, "effect");
  answer.effect_low = number_at(object, "effect_low");
  answer.effect_high = number_at(object, "effect_high");
  answer.confidence = number_at(object, "confidence");
  answer.separation = number_at(object, "separation");
  answer.verified = number_at(object, "verified");
  answer.controls = object.value("controls", 0);
  answer.two_changes = number_at(object, "two_changes");
  answer.rest = number_at(object, "rest");
  for (const auto& further : object.value("further", json::array()))
    answer.further.push_back(further_of(further));
  answer.search_for_more = text_at(object, "search_for_more");
  if (object.contains("revert")) answer.revert = revert_of(object.at("revert"));
  if (const auto change = object.find("config_change"); change != object.end())
    answer.config_change = change_of(*change);
  return answer;
}

}  // namespace

std::string to_json(const Answer& answer) {
  json object{{"kind", to_string(answer.kind)},
              {"commits", commits_json(answer.commits)},
              {"reason", text_json(answer.reason)},
              {"search_for_more", text_json(answer.search_for_more)},
              {"further", json::array()}};
  for (const auto& further : answer.further) object["further"].push_back(further_json(further));
  set(object, "effect", answer.effect);
  set(object, "effect_low", answer.effect_low);
  set(object, "effect_high", answer.effect_high);
  set(object, "confidence", answer.confidence);
  set(object, "separation", answer.separation);
  set(object, "verified", answer.verified);
  object["controls"] = answer.controls;
  set(object, "two_changes", answer.two_changes);
  set(object, "rest", answer.rest);
  if (answer.revert) object["revert"] = revert_json(*answer.revert);
  if (answer.config_change) object["config_change"] = change_json(*answer.config_change);
  return object.dump();
}

Result<Answer> answer_from(std::string_view text) {
  return read(text, "an answer", answer_of);
}
}  // namespace bisect_run::store
