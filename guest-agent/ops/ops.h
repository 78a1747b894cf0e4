#pragma once

#include "operation.h"

// One factory an operation; each is defined in the file of the operation's name.

namespace bisect_run::agent {

Expected<OperationPtr> make_netns_add(const wire::Step& step, Context& context);
Expected<OperationPtr> make_netns_delete(const wire::Step& step, Context& context);
Expected<OperationPtr> make_netns_exec(const wire::Step& step, Context& context);
Expected<OperationPtr> make_setns(const wire::Step& step, Context& context);
Expected<OperationPtr> make_veth_into_netns(const wire::Step& step, Context& context);

}  // namespace bisect_run::agent
