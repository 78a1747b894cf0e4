#include "wire/digest.h"

#include <array>
#include <bit>
#include <new>

#define XXH_INLINE_ALL  // no library to link: the agent is static
#include <xxhash.h>

namespace bisect_run::wire {
namespace {

// A tag before each frame keeps a number apart from eight bytes of text.
constexpr char kTextTag = 't';
constexpr char kNumberTag = 'n';

XXH3_state_t* state_of(void* state) {
  return static_cast<XXH3_state_t*>(state);
}

void update(void* state, const void* bytes, std::size_t size) {
  XXH3_128bits_update(state_of(state), bytes, size);
}

/// The same bytes on every machine: least significant first.
void update_number(void* state, char tag, std::uint64_t number) {
  std::array<unsigned char, 9> frame{static_cast<unsigned char>(tag)};
  for (std::size_t i = 0; i < 8; ++i) frame[i + 1] = static_cast<unsigned char>(number >> (8 * i));
  update(state, frame.data(), frame.size());
}

std::string hex_of(XXH128_hash_t hash) {
  constexpr std::string_view digits = "0123456789abcdef";
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  std::string hex;
  for (const unsigned char byte : canonical.digest) {
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

}  // namespace

Digest::Digest() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_of(state_));
}

Digest::~Digest() {
  XXH3_freeState(state_of(state_));
}

Digest& Digest::add(std::string_view bytes) {
  update_number(state_, kTextTag, bytes.size());
  update(state_, bytes.data(), bytes.size());
  return *this;
}

Digest& Digest::add(std::int64_t number) {
  update_number(state_, kNumberTag, std::bit_cast<std::uint64_t>(number));
  return *this;
}

std::string Digest::hex() const {
  return hex_of(XXH3_128bits_digest(state_of(state_)));
}

std::string digest_of(std::string_view bytes) {
  return hex_of(XXH3_128bits(bytes.data(), bytes.size()));
}

}  // namespace bisect_run::wire
