#pragma once

#include <map>
#include <string>
#include <vector>

// What kernels.yaml says about trees that today's tools do not build or boot as they are.

namespace bisect_run {

/// One question to a checked-out tree or to its history. Never one for a release number: the
/// commits of a bisection lie between releases and on side branches.
struct TreeQuestion {
  enum class Kind {
    exists,        ///< `file` is there
    absent,        ///< `file` is not there
    has,           ///< `file` has a line that `pattern` is found in
    lacks,         ///< `file` is there and has no such line
    contains,      ///< `commit` is the commit built, or an ancestor of it
    contains_not,  ///< it is neither, or unknown to the repository
  };
  Kind kind = Kind::exists;
  std::string file;     ///< from the top of the tree
  std::string pattern;  ///< ECMAScript regular expression, for one line
  std::string commit;   ///< an object name

  bool operator==(const TreeQuestion&) const = default;
};

/// One line of a config fragment: `SYMBOL: value`.
struct ConfigLine {
  std::string symbol;        ///< without CONFIG_
  std::string value;         ///< y, n, a number or a quoted string
  bool must = false;         ///< the kernel is skipped where olddefconfig drops it
  bool where_known = false;  ///< a must only where the tree declares the symbol: older trees have
                             ///< what it stands for built in
  bool pinned = false;       ///< asked for on top of a person's own .config as well, as musts are
  bool own = false;          ///< of a person's own .config

  bool operator==(const ConfigLine&) const = default;
};

/// What lets a tree of some age build and boot. In the values `{remedies}` stands for the
/// directory of our own headers and wrappers, and `{NAME}` for what is derived from the tree, see
/// kernel/derivation.h.
struct Remedy {
  std::string name;
  std::string cures;  ///< for a person: what goes wrong without it
  std::string
      symptom;  ///< regular expression for a line of make's output; empty: make says nothing
  std::string upstream;            ///< the commit that made it unnecessary; may be empty
  std::vector<TreeQuestion> when;  ///< it is applied where all are answered with yes

  /// Words added to make variables that hold a command or flags: CC, HOSTCC, KCPPFLAGS, KAFLAGS, …
  std::map<std::string, std::vector<std::string>> flags;
  std::vector<std::string> make_variables;  ///< NAME=value
  std::vector<ConfigLine> config;
  std::vector<std::string> boot_args;
  std::vector<std::string> patches;  ///< the last resort: files below the remedies directory

  bool operator==(const Remedy&) const = default;
};

}  // namespace bisect_run
