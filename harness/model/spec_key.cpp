#include "model/spec_key.h"

#include "wire/digest.h"

namespace bisect_run {

std::string spec_key(const KernelSpec& spec) {
  std::string key = spec.commit.hex;
  if (!spec.patches.empty()) {
    wire::Digest digest;
    for (const auto& patch : spec.patches) digest.add(patch.text);
    key += "+" + digest.hex();
  }
  return key + "@" + spec.variant;
}

}  // namespace bisect_run
