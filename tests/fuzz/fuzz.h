#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <source_location>
#include <string>
#include <string_view>

// What fuzzers share: an input as a source of choices, and a way to be discontent.

namespace bisect_run::test {

/// The bytes of an input, in order; zeros after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::uint64_t bits(int bytes) {
    std::uint64_t bits = 0;
    for (int i = 0; i < bytes; ++i) bits = bits << 8 | byte();
    return bits;
  }
  /// Below `most`, which fits a byte.
  std::size_t below(std::size_t most) { return byte() % most; }
  /// At most so many bytes as they are.
  std::string text(std::size_t most) {
    const std::size_t size = std::min(most, left_);
    std::string text(reinterpret_cast<const char*>(data_), size);
    data_ += size;
    left_ -= size;
    return text;
  }
  std::string rest() { return text(left_); }
  /// Mostly small, sometimes any there is.
  std::int64_t integer() {
    constexpr std::int64_t kOdd[] = {-1,        INT64_MIN, INT64_MAX, INT32_MIN,
                                     INT32_MAX, 1L << 32,  1L << 53,  1'000'000'000'000};
    const unsigned kind = byte();
    if (kind < 200) return kind;
    if (kind < 240) return kOdd[kind % std::size(kOdd)];
    return static_cast<std::int64_t>(bits(8));
  }
  /// Mostly numbers near the usual one, sometimes any double there is.
  double number(double usual) {
    constexpr double kOdd[] = {0.0,      -0.0,     1e-320,
                               1e-6,     1e6,      1e308,
                               -1e308,   745,      std::numeric_limits<double>::quiet_NaN(),
                               HUGE_VAL, -HUGE_VAL};
    const unsigned kind = byte();
    if (kind < 160) return usual + 1e-3 * (static_cast<double>(kind) - 80);
    if (kind < 250) return kOdd[kind % std::size(kOdd)];
    const std::uint64_t raw = bits(8);
    double any = 0;
    std::memcpy(&any, &raw, sizeof any);
    return any;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// A finding, unless `condition` holds.
inline void require(bool condition, std::source_location where = std::source_location::current()) {
  if (condition) return;
  std::fprintf(stderr, "%s:%u: not as required\n", where.file_name(), where.line());
  std::abort();
}

}  // namespace bisect_run::test
