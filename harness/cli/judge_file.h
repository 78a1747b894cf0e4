#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bisect/one_step.h"
#include "model/commit.h"
#include "model/error.h"
#include "model/machine.h"

namespace bisect_run::cli {

/// What `calibrate` learnt and `scenario --judge` goes by: which number decides, what it was at
/// both ends, and all that must be the same for it to mean anything.
struct JudgeFile {
  struct End {
    Oid commit;
    std::string text;      ///< as it was typed
    std::string identity;  ///< signature and boot arguments of its kernel
    double level = 0;      ///< geometric mean over boots, in the metric's unit
    int boots = 0;
  };
  std::string metric, scenario, scenario_digest, mode, variant;
  std::vector<std::int64_t> marks;  ///< the first decides
  bool find_fix = false;
  double min_effect = 0.02;         ///< of y
  Machine machine;                  ///< its accelerator is settled
  std::string host, agent, recipe;  ///< digests
  End good, bad;
  double sigma = 0;                      ///< standard deviation of ln(value) between boots
  std::vector<bisect::KnownBoot> boots;  ///< in the order of time
};

inline constexpr int kJudgeFileVersion = 1;

/// JSON, for `--out`.
std::string to_json(const JudgeFile& judge);

/// Errors: usage, for what is no such file, or was written by a newer version.
Result<JudgeFile> read_judge_file(const std::filesystem::path& file);
/// The same from text; `name` stands for the file in messages.
Result<JudgeFile> parse_judge_file(std::string_view text, const std::string& name);

}  // namespace bisect_run::cli
