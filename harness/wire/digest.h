#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bisect_run::wire {

/// XXH3-128 over everything added, in order; each `add` is framed by its length, so that
/// add("ab") add("c") and add("a") add("bc") differ. For identity of content, not for secrecy.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  Digest& add(std::string_view bytes);
  Digest& add(std::int64_t number);
  /// 32 lower-case hex digits.
  std::string hex() const;

 private:
  void* state_;
};

/// Digest of one piece of bytes, unframed: the same for a file however it was read.
std::string digest_of(std::string_view bytes);

}  // namespace bisect_run::wire
