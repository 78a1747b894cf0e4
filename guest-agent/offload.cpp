#include "offload.h"

namespace bisect_run::agent {

std::string offloaded_cpus(std::string_view log) {
  for (const std::string_view words :
       {std::string_view("Offload RCU callbacks from CPUs:"), std::string_view("no-CBs CPUs:")}) {
    const std::size_t at = log.rfind(words);
    if (at == std::string_view::npos) continue;
    std::string_view list = log.substr(at + words.size());
    list = list.substr(0, list.find('\n'));
    while (!list.empty() && list.front() == ' ') list.remove_prefix(1);
    while (!list.empty() && (list.back() == '.' || list.back() == ' ')) list.remove_suffix(1);
    return std::string(list);
  }
  return {};
}

}  // namespace bisect_run::agent
