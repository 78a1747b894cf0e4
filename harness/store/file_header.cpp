#include "store/file_header.h"

#include <array>
#include <fstream>
#include <string_view>

#include "store/schema.h"

namespace bisect_run::store {
namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
using Bytes = std::array<char, kHeaderBytes>;

std::uint32_t big_endian(const Bytes& bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < size; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

/// Pages that the file should have: valid only when the change counter equals the counter that
/// was current when the page count was written.
std::uint64_t promised_bytes(const Bytes& bytes) {
  if (big_endian(bytes, 24, 4) != big_endian(bytes, 92, 4)) return 0;
  const auto page = big_endian(bytes, 16, 2);
  return static_cast<std::uint64_t>(page == 1 ? 65536 : page) * big_endian(bytes, 28, 4);
}

/// While a write-ahead log holds pages, the file itself may lag behind.
bool has_log(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file.string() + "-wal", error);
  return !error && size > 0;
}

}  // namespace

FileHeader read_header(const std::filesystem::path& file) {
  using Kind = FileHeader::Kind;
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    return {error.value() == EACCES ? Kind::unreadable : Kind::absent};
  if (!std::filesystem::is_regular_file(status)) return {Kind::foreign};
  const auto size = std::filesystem::file_size(file, error);
  if (error) return {Kind::unreadable};
  if (size == 0) return {Kind::empty};
  std::ifstream in(file, std::ios::binary);
  if (!in) return {Kind::unreadable};
  Bytes bytes{};
  in.read(bytes.data(), bytes.size());
  if (in.gcount() != static_cast<std::streamsize>(kHeaderBytes)) return {Kind::foreign};
  if (std::string_view(bytes.data(), kMagic.size()) != kMagic) return {Kind::foreign};
  if (big_endian(bytes, 68, 4) != kApplicationId) return {Kind::foreign};
  const bool cut = size < promised_bytes(bytes) && !has_log(file);
  return {cut ? Kind::cut : Kind::ours, big_endian(bytes, 60, 4)};
}

}  // namespace bisect_run::store
