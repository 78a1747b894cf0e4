#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "netlink.h"
#include "program.h"
#include "sys.h"
#include "wire/workload.h"

namespace bisect_run::agent {

/// How operations run. Three different measurements, never compared with each other.
enum class Mode {
  process,  ///< the real program: `ip`, started per action
  fork,     ///< the same system calls in a child that exits
  direct,   ///< the same system calls in the measuring process
};

/// What operations work with. Lives for one workload.
struct Context {
  Mode mode = Mode::fork;
  Netlink netlink;  ///< of the namespace in which the workload runs
  Programs programs;
  std::string ip;  ///< path of the program; empty where it is not installed
};

/// A metric that an operation reports by itself. Without a value: this guest cannot count it.
struct Output {
  const char* name;
  const char* unit;
  std::optional<double> value;
};

/// One step of a loop or a list, ready to run: names and descriptors are looked up when it is made,
/// outside of timed spans. Its end undoes what must not outlast the loop (a thread comes home).
class Operation {
 public:
  virtual ~Operation() = default;
  virtual Outcome run(std::int64_t item) = 0;
  /// What the last `run` measured by itself; read after the timed span.
  virtual std::vector<Output> outputs() { return {}; }

 protected:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
};

using OperationPtr = std::unique_ptr<Operation>;

/// Makes the operation that `step` names; its parameters are complete and valid. The context
/// outlives it.
Expected<OperationPtr> make_operation(const wire::Step& step, Context& context);

/// Parameters of a complete step. A wrong name or type is a bug and ends the process.
std::int64_t integer_of(const wire::Step& step, const char* name);
bool flag_of(const wire::Step& step, const char* name);
const std::string& text_of(const wire::Step& step, const char* name);

/// Runs `body` with a netlink socket as the mode wants it: in a child with a socket of its own, or
/// here. Mode process is the caller's.
Outcome with_netlink(Context& context, const std::function<Outcome(Netlink&)>& body);

/// `prefix` and the number of an item: ns17.
std::string numbered(const std::string& prefix, std::int64_t item);

/// Fault for process mode without the `ip` program, or nothing.
Outcome need_ip(const Context& context);

}  // namespace bisect_run::agent
