// More than 32 bits can count: a file of 5 GB, and one update of more than 4 GiB. Takes half a minute.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "support.hpp"

namespace {

constexpr std::size_t file_size = 5'000'000'000;

// A file of five thousand million zeros that takes no room.
class sparse_file {
 public:
  sparse_file() {
    std::string name = (std::filesystem::temp_directory_path() / "jithash-XXXXXX").string();
    descriptor_ = mkstemp(name.data());
    if (descriptor_ < 0 || ftruncate(descriptor_, file_size) != 0) throw std::runtime_error("no sparse file");
    path_ = name;
  }
  ~sparse_file() {
    close(descriptor_);
    unlink(path_.c_str());
  }
  sparse_file(const sparse_file&) = delete;
  sparse_file& operator=(const sparse_file&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

// coreutils' sha1sum, sha256sum and sha512sum of that file.
constexpr const char* expected[] = {
    "f5058759f0323a19fb4fdb417add4c8d7910a45d",
    "750f9080de24a9e562c6b1fecc288c732a758003ab16e5cad014eba45c17466b",
    ("fa01e53be91e29bcfa301c36a59165124d76daebd65e0321500e94d0c154a3cd6a8970f2"
     "39bd11e48fb15f6ac841783e5f11bb45314aea77569eb2b75dfde6f1")};

template <class Hasher>
void check(const sparse_file& file, const char* digest) {
  const auto from_file = jithash::hash_file<Hasher>(file.path());
  CHECK_FALSE(from_file.error);
  CHECK(from_file.digest.hex() == digest);

  void* const all = mmap(nullptr, file_size, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, file.descriptor(), 0);
  REQUIRE(all != MAP_FAILED);
  Hasher h;
  h.update(all, 1).update(static_cast<const std::byte*>(all) + 1, file_size - 1);
  CHECK(h.finalize().hex() == digest);
  munmap(all, file_size);
}

}  // namespace

TEST_SUITE("large") {
  TEST_CASE("SHA-1") { check<jithash::sha1>(sparse_file(), expected[0]); }
  TEST_CASE("SHA-256") { check<jithash::sha256>(sparse_file(), expected[1]); }
  TEST_CASE("SHA-512") { check<jithash::sha512>(sparse_file(), expected[2]); }
}
