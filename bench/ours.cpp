// jithash by its public interface, and every kernel that can run here by name.
#include <new>

#include "algorithms.hpp"
#include "contestant.hpp"
#include "jithash/jithash.hpp"
#include "registry.hpp"
#include "selector.hpp"

namespace jithash::bench {
namespace {

template <class Hasher>
void add_interface(contestants& to, algorithm of) {
  using digest_type = typename Hasher::digest_type;
  add(to, "jithash", of, false,
      [](const std::byte* p, std::size_t n, std::byte* out) { ::new (out) digest_type(Hasher::hash(p, n)); });
  add(to, "jithash-stream", of, false, [](const std::byte* p, std::size_t n, std::byte* out) {
    Hasher h;
    h.update(p, n);
    ::new (out) digest_type(h.finalize());
  });
}

template <class Hasher>
void add_kernels(contestants& to, algorithm of) {
  using facts = algorithm_facts<typename Hasher::algorithm>;
  using compression = typename facts::compression;
  for (const kernel& row : registry()) {
    ready_kernel<compression> ready;
    if (!row.computes(compression::name) || !make_ready(ready, row, this_process()).empty()) continue;
    std::string name{row.name.substr(compression::name.size() + 1)};
    add(to, std::move(name), of, true,
        [ready = std::move(ready)](const std::byte* p, std::size_t n, std::byte* out)
            JITHASH_CALLS_GENERATED_CODE {
              auto state = facts::initial_value;
              ready.compress(state.data(), p, n / Hasher::block_size);
              std::memcpy(out, state.data(), sizeof state);
            });
  }
}

}  // namespace

void add_jithash(contestants& to) {
  using enum algorithm;
  warm_up();
  add_interface<jithash::sha1>(to, sha1);
  add_interface<jithash::sha256>(to, sha256);
  add_interface<jithash::sha512>(to, sha512);
  add_kernels<jithash::sha1>(to, sha1);
  add_kernels<jithash::sha256>(to, sha256);
  add_kernels<jithash::sha512>(to, sha512);

  const runtime_report told = report();
  std::string chosen = told.version;
  for (const algorithm_report& a : told.algorithms) {
    chosen += ", " + a.kernel + " (" + a.origin + ", " + std::to_string(a.code_bytes) + " bytes)";
  }
  benchmark::AddCustomContext("cpu", told.cpu);
  benchmark::AddCustomContext("jithash", chosen);
}

}  // namespace jithash::bench
