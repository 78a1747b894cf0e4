#pragma once

#include <string>
#include <string_view>

namespace bisect_run::cli {

/// A journal's detail begins with a whole object name: twelve digits are enough for a person.
inline std::string short_detail(std::string_view detail) {
  constexpr std::size_t kOid = 40, kShown = 12;
  const bool named = detail.size() >= kOid &&
                     detail.substr(0, kOid).find_first_not_of("0123456789abcdef") == detail.npos;
  return named ? std::string(detail.substr(0, kShown)) + std::string(detail.substr(kOid))
               : std::string(detail);
}

}  // namespace bisect_run::cli
