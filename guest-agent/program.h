#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "sys.h"

namespace bisect_run::agent {

/// Where `name` lies in the usual directories for programs; empty if it is not installed.
std::string find_program(const std::string& name);

/// Starts programs and waits for them. Their output is thrown away; what they say on stderr becomes
/// the reason when they fail.
class Programs {
 public:
  static Expected<Programs> make();

  /// `argv` starts with the program's path as given by `find_program`.
  Outcome run(std::initializer_list<const char*> argv);
  Outcome run(const std::vector<std::string>& argv);

 private:
  Programs(Fd null, Fd said, Fd saying)
      : null_(std::move(null)), said_(std::move(said)), saying_(std::move(saying)) {}
  Outcome start(std::vector<char*> argv);
  std::string take_words();

  Fd null_, said_, saying_;
};

}  // namespace bisect_run::agent
