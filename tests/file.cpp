#include "jithash/file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "support.hpp"

using namespace jithash;

namespace {

// A folder of its own, gone afterwards.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "jithash-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~temporary_folder() { std::filesystem::remove_all(path_); }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void write_file(const std::filesystem::path& path, const std::vector<std::byte>& content) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

// How many descriptors this process has open.
std::size_t open_descriptors() {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++n;
  return n;
}

}  // namespace

TEST_SUITE("file") {
  TEST_CASE("files of every size around the read buffer's") {
    const temporary_folder folder;
    const std::size_t descriptors = open_descriptors();
    for (const std::size_t size : {0u, 1u, 64u, 131'071u, 131'072u, 131'073u, 300'000u}) {
      CAPTURE(size);
      const auto content = pattern(size);
      write_file(folder / "file", content);
      for_each_hasher([&]<class Hasher>(const std::string& name) {
        const auto result = hash_file<Hasher>(folder / "file");
        CHECK_FALSE(result.error);
        CHECK(result.digest.hex() == openssl_hex(name.c_str(), content.data(), size));
      });
    }
    CHECK(open_descriptors() == descriptors);
  }

  TEST_CASE("a pipe, from a writer in small steps") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const auto content = pattern(200'000);
    std::thread writer([&] {
      for (std::size_t at = 0; at < content.size();) {
        const ssize_t wrote =
            write(ends[1], content.data() + at, std::min<std::size_t>(997, content.size() - at));
        if (wrote > 0) at += static_cast<std::size_t>(wrote);
      }
      close(ends[1]);
    });
    const auto result = hash_file<sha256>(ends[0]);
    writer.join();
    CHECK_FALSE(result.error);
    CHECK(result.digest == sha256::hash(content));
    CHECK(close(ends[0]) == 0);  // it stays open
  }

  TEST_CASE("a descriptor is read from where it is") {
    const temporary_folder folder;
    write_file(folder / "file", pattern(1000));
    const int descriptor = open((folder / "file").c_str(), O_RDONLY);
    REQUIRE(lseek(descriptor, 300, SEEK_SET) == 300);
    const auto result = hash_file<sha1>(descriptor);
    CHECK(result.digest == sha1::hash(pattern(1000).data() + 300, 700));
    close(descriptor);
  }

  TEST_CASE("what cannot be read is an error of the system's kind") {
    const temporary_folder folder;
    CHECK(hash_file<sha256>(folder / "missing").error == std::errc::no_such_file_or_directory);
    CHECK(hash_file<sha256>(folder / ".").error == std::errc::is_a_directory);
    CHECK(hash_file<sha256>("").error == std::errc::no_such_file_or_directory);
    CHECK(hash_file<sha256>(std::string("/dev/null\0/x", 12)).error == std::errc::invalid_argument);
    CHECK(hash_file<sha256>(-1).error == std::errc::bad_file_descriptor);
    CHECK(hash_file<sha256>("/dev/null").digest == sha256::hash(""));
    write_file(folder / "file", {});
    CHECK(hash_file<sha256>(folder / "file" / "below").error == std::errc::not_a_directory);
  }
}
