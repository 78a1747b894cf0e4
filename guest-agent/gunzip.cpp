#include "gunzip.h"

#include <zlib.h>

namespace bisect_run::agent {
namespace {

constexpr std::size_t kMostBytes = 8 << 20;
constexpr int kGzipOnly = 16 + MAX_WBITS;

struct Inflation {
  z_stream stream{};
  bool good = inflateInit2(&stream, kGzipOnly) == Z_OK;

  Inflation() = default;
  ~Inflation() {
    if (good) inflateEnd(&stream);
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
};

}  // namespace

std::string gunzip(std::string_view packed) {
  Inflation inflation;
  if (!inflation.good) return {};
  z_stream& stream = inflation.stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());

  std::string unpacked;
  char part[65536];
  while (unpacked.size() <= kMostBytes) {
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    const int result = inflate(&stream, Z_NO_FLUSH);
    unpacked.append(part, sizeof part - stream.avail_out);
    if (result == Z_STREAM_END) return unpacked;
    if (result != Z_OK) return {};
  }
  return {};
}

}  // namespace bisect_run::agent
