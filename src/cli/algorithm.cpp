#include "algorithm.hpp"

#include <algorithm>

#include "jithash/file.hpp"

namespace jithash::cli {
namespace {

template <class Hasher>
outcome hash_descriptor(int descriptor) {
  const auto [digest, error] = hash_file<Hasher>(descriptor);
  if (error) return {{}, error};
  return {digest.hex(), {}};
}

template <class Hasher>
constexpr algorithm entry(std::string_view name, std::array<std::string_view, 3> tags, bool known_by_length) {
  return {name, tags, 2 * Hasher::digest_size, known_by_length, hash_descriptor<Hasher>};
}

// SHA-512/t goes by three tags: those of Perl's shasum, of FreeBSD, and of OpenSSL 3.
constexpr std::array all{
    entry<sha1>("sha1", {"SHA1"}, true),
    entry<sha224>("sha224", {"SHA224"}, true),
    entry<sha256>("sha256", {"SHA256"}, true),
    entry<sha384>("sha384", {"SHA384"}, true),
    entry<sha512>("sha512", {"SHA512"}, true),
    entry<sha512_224>("sha512-224", {"SHA512/224", "SHA512t224", "SHA2-512/224"}, false),
    entry<sha512_256>("sha512-256", {"SHA512/256", "SHA512t256", "SHA2-512/256"}, false),
};

}  // namespace

std::span<const algorithm> algorithms() noexcept { return all; }

const algorithm* algorithm_named(std::string_view name) noexcept {
  const auto found = std::find_if(all.begin(), all.end(), [=](const algorithm& a) { return a.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace jithash::cli
