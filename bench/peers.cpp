// The libraries jithash is measured against, each through the interfaces a careful user would choose.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <gcrypt.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <cstdlib>
#include <stdexcept>

#include "contestant.hpp"

namespace jithash::bench {
namespace {

unsigned char* octets(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }
const unsigned char* octets(const std::byte* p) { return reinterpret_cast<const unsigned char*>(p); }

void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

template <auto Free>
struct deleter {
  template <class T>
  void operator()(T* p) const {
    Free(p);
  }
};
template <class T, auto Free>
using handle = std::unique_ptr<T, deleter<Free>>;

template <class Context, auto Init, auto Update, auto Final, auto OneShot>
void add_openssl(contestants& to, algorithm of, const char* name) {
  add(to, "openssl", of, false, [](const std::byte* p, std::size_t n, std::byte* out) {
    Context context;
    Init(&context);
    Update(&context, p, n);
    Final(octets(out), &context);
  });
  add(to, "openssl-function", of, false,
      [](const std::byte* p, std::size_t n, std::byte* out) { OneShot(octets(p), n, octets(out)); });

  handle<EVP_MD, EVP_MD_free> fetched{EVP_MD_fetch(nullptr, name, nullptr)};
  handle<EVP_MD_CTX, EVP_MD_CTX_free> reused{EVP_MD_CTX_new()};
  require(fetched && reused && EVP_DigestInit_ex2(reused.get(), fetched.get(), nullptr), "OpenSSL EVP");
  add(to, "openssl-evp", of, false,
      [context = std::move(reused)](const std::byte* p, std::size_t n, std::byte* out) {
        EVP_DigestInit_ex2(context.get(), nullptr, nullptr);
        EVP_DigestUpdate(context.get(), p, n);
        EVP_DigestFinal_ex(context.get(), octets(out), nullptr);
      });
  add(to, "openssl-evp-digest", of, false,
      [md = std::move(fetched)](const std::byte* p, std::size_t n, std::byte* out) {
        EVP_Digest(p, n, octets(out), nullptr, md.get(), nullptr);
      });
  add(to, "openssl-q-digest", of, false, [name](const std::byte* p, std::size_t n, std::byte* out) {
    EVP_Q_digest(nullptr, name, nullptr, p, n, octets(out), nullptr);
  });

  add(to, "openssl-blocks", of, true, [](const std::byte* p, std::size_t n, std::byte* out) {
    Context context;
    Init(&context);
    Update(&context, p, n);
    if constexpr (requires { context.h; }) {
      std::memcpy(out, context.h, sizeof context.h);
    } else {  // SHA_CTX begins with its five words
      std::memcpy(out, &context, 20);
    }
  });
}

template <int Id, std::size_t Size>
void add_libgcrypt(contestants& to, algorithm of) {
  add(to, "libgcrypt", of, false,
      [](const std::byte* p, std::size_t n, std::byte* out) { gcry_md_hash_buffer(Id, out, p, n); });
  gcry_md_hd_t opened = nullptr;
  require(gcry_md_open(&opened, Id, 0) == 0, "gcry_md_open");
  add(to, "libgcrypt-handle", of, false,
      [h = handle<gcry_md_handle, gcry_md_close>{opened}](const std::byte* p, std::size_t n, std::byte* out) {
        gcry_md_reset(h.get());
        gcry_md_write(h.get(), p, n);
        std::memcpy(out, gcry_md_read(h.get(), Id), Size);
      });
}

// A context is ready for the next message after its digest was taken.
template <class Context, auto Init, auto Update, auto Digest, std::size_t Size>
void add_nettle(contestants& to, algorithm of) {
  Context fresh;
  Init(&fresh);
  add(to, "nettle", of, false, [context = fresh](const std::byte* p, std::size_t n, std::byte* out) mutable {
    Update(&context, n, octets(p));
    Digest(&context, Size, octets(out));
  });
}

}  // namespace

void add_peers(contestants& to, bool portable) {
  if (portable) require(gcry_control(GCRYCTL_DISABLE_HWF, "all", nullptr) == 0, "GCRYCTL_DISABLE_HWF");
  require(gcry_check_version(GCRYPT_VERSION) != nullptr, "libgcrypt is older than its header");
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);

  using enum algorithm;
  add_openssl<SHA_CTX, SHA1_Init, SHA1_Update, SHA1_Final, SHA1>(to, sha1, "SHA1");
  add_openssl<SHA256_CTX, SHA256_Init, SHA256_Update, SHA256_Final, SHA256>(to, sha256, "SHA256");
  add_openssl<SHA512_CTX, SHA512_Init, SHA512_Update, SHA512_Final, SHA512>(to, sha512, "SHA512");
  add_libgcrypt<GCRY_MD_SHA1, SHA1_DIGEST_SIZE>(to, sha1);
  add_libgcrypt<GCRY_MD_SHA256, SHA256_DIGEST_SIZE>(to, sha256);
  add_libgcrypt<GCRY_MD_SHA512, SHA512_DIGEST_SIZE>(to, sha512);
  add_nettle<sha1_ctx, sha1_init, sha1_update, sha1_digest, SHA1_DIGEST_SIZE>(to, sha1);
  add_nettle<sha256_ctx, sha256_init, sha256_update, sha256_digest, SHA256_DIGEST_SIZE>(to, sha256);
  add_nettle<sha512_ctx, sha512_init, sha512_update, sha512_digest, SHA512_DIGEST_SIZE>(to, sha512);

  const auto nettle = std::to_string(nettle_version_major()) + "." + std::to_string(nettle_version_minor());
  benchmark::AddCustomContext("openssl", OpenSSL_version(OPENSSL_VERSION));
  benchmark::AddCustomContext("openssl cpu", OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS));
  benchmark::AddCustomContext("nettle", nettle);
  std::unique_ptr<char, deleter<gcry_free>> features{gcry_get_config(0, "hwflist")};
  std::string list = features ? features.get() : "";
  while (!list.empty() && list.back() == '\n') list.pop_back();
  benchmark::AddCustomContext("libgcrypt", gcry_check_version(nullptr));
  benchmark::AddCustomContext("libgcrypt cpu", list);
}

}  // namespace jithash::bench
