#pragma once

#include "operation.h"

// One factory an operation; each is defined in the file of the operation's name.

namespace bisect_run::agent {

Expected<OperationPtr> make_address_add(const wire::Step& step, Context& context);
Expected<OperationPtr> make_aggregate_add(const wire::Step& step, Context& context);
Expected<OperationPtr> make_atomic_increment(const wire::Step& step, Context& context);
Expected<OperationPtr> make_link_add(const wire::Step& step, Context& context);
Expected<OperationPtr> make_link_delete(const wire::Step& step, Context& context);
Expected<OperationPtr> make_link_delete_group(const wire::Step& step, Context& context);
Expected<OperationPtr> make_link_up(const wire::Step& step, Context& context);
Expected<OperationPtr> make_netns_add(const wire::Step& step, Context& context);
Expected<OperationPtr> make_netns_delete(const wire::Step& step, Context& context);
Expected<OperationPtr> make_netns_drain(const wire::Step& step, Context& context);
Expected<OperationPtr> make_netns_exec(const wire::Step& step, Context& context);
Expected<OperationPtr> make_setns(const wire::Step& step, Context& context);
Expected<OperationPtr> make_transmit(const wire::Step& step, Context& context);
Expected<OperationPtr> make_veth_into_netns(const wire::Step& step, Context& context);

}  // namespace bisect_run::agent
