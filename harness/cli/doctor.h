#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"
#include "model/recipe.h"

namespace bisect_run::cli {

/// What one check found, in words for a person.
struct Finding {
  enum class Level {
    fine,
    note,     ///< worth knowing; the main job is possible
    trouble,  ///< the main job is not possible before this is mended
  };
  Level level = Level::fine;
  std::string subject;  ///< at most 13 characters
  std::string text;     ///< what is, and what to do about it
};

/// What the checks look at.
struct Patient {
  const Arguments& arguments;
  const Context& context;
  const Recipe& recipe;
};

using Findings = std::vector<Finding>;

// One file a check. None of them changes anything but caches of ours, and none fails: what cannot
// be found out is a finding.

Findings check_programs(const Patient& patient);
Findings check_compilers(const Patient& patient);
Findings check_isolation(const Patient& patient);
Findings check_space(const Patient& patient);
Findings check_accelerator(const Patient& patient);    ///< with libvirt and QEMU
Findings check_virtual_clock(const Patient& patient);  ///< may take half a minute to find a hang
Findings check_noise(const Patient& patient);

}  // namespace bisect_run::cli
