#pragma once

#include "model/error.h"
#include "model/scenario.h"

namespace bisect_run::config {

/// Refuses a scenario that makes more vlans on one device than there are vlan ids (1 to 4094, IEEE
/// 802.1Q): the guest would find out only after hours, at the item that has none. Errors: usage.
Status check_vlan_ids(const Scenario& scenario);

}  // namespace bisect_run::config
