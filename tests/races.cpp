// First use under races: many threads, forks, signals, small stacks.
#include <doctest/doctest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fresh_process.hpp"
#include "support.hpp"

using namespace jithash;

namespace {

// The examples of FIPS 180-4, made before main(): a function-local static's guard would hang a child that is forked
// while another thread holds it.
const auto sha1_of_abc = sha1::digest_type::from_hex("a9993e364706816aba3e25717850c26c9cd0d89d");
const auto sha256_of_abc =
    sha256::digest_type::from_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
const auto sha512_of_abc = sha512::digest_type::from_hex(
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");

// SHA-1, SHA-256 or SHA-512 of "abc", without allocating.
bool hashes_rightly(unsigned which) {
  switch (which % 3) {
    case 0:
      return sha1::hash("abc") == sha1_of_abc;
    case 1:
      return sha256::hash("abc") == sha256_of_abc;
    default:
      return sha512::hash("abc") == sha512_of_abc;
  }
}

}  // namespace

TEST_SUITE("races") {
#if !defined(JITHASH_TEST_EMULATED)  // qemu-user itself does not survive many threads in a forked process
  TEST_CASE("32 threads race the first use of all functions, with reports meanwhile") {
    for (unsigned round = 0; round < 5 * effort; ++round) {
      const auto outcome = in_fresh_process([](const std::string&) {
        constexpr unsigned threads = 32;
        std::barrier start(threads);
        std::atomic<unsigned> wrong{0};
        std::vector<std::thread> running;
        for (unsigned t = 0; t < threads; ++t) {
          running.emplace_back([&, t] {
            start.arrive_and_wait();
            if (t % 8 == 7) {
              for (const auto& a : report().algorithms) {
                if (a.origin != "not used yet" && a.kernel.empty()) ++wrong;
              }
            }
            for (unsigned i = 0; i < 30; ++i) {
              if (!hashes_rightly(t + i)) ++wrong;
            }
          });
        }
        for (auto& thread : running) thread.join();
        require(wrong == 0, std::to_string(wrong) + " wrong digests");
        // One selection each, and nothing of the losers left mapped.
        std::size_t generated = 0;
        for (const auto& a : report().algorithms) generated += a.origin == "jit";
        std::size_t anonymous = 0;
        for (const std::string& line : mappings_with("r-xp")) {
          anonymous += line.find('/') == std::string::npos && line.find('[') == std::string::npos;
        }
        require(anonymous <= generated, std::to_string(anonymous) + " executable mappings");
      });
      CHECK(outcome.failure == "");
    }
  }

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // whose own locks do not survive such a fork
  TEST_CASE("fork while another thread is inside first use: the child hashes") {
    for (unsigned round = 0; round < 25 * effort; ++round) {
      const auto outcome = in_fresh_process(
          [](const std::string& microseconds) {
            std::atomic<bool> going{false}, right{false};
            std::thread other([&] {
              going = true;
              right = hashes_rightly(0) && hashes_rightly(1) && hashes_rightly(2);
            });
            while (!going) {
            }
            const auto until =
                std::chrono::steady_clock::now() + std::chrono::microseconds(std::stoul(microseconds));
            while (std::chrono::steady_clock::now() < until) {
            }
            const pid_t child = fork();
            if (child == 0) {
              alarm(20);  // a deadlock ends here
              _exit(hashes_rightly(0) && hashes_rightly(1) && hashes_rightly(2) ? 0 : 1);
            }
            int status = -1;
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            other.join();
            require(status == 0, "the child ended with status " + std::to_string(status));
            require(right && hashes_rightly(0), "the parent's digests are wrong");
          },
          std::to_string(round * 10));
      CHECK(outcome.failure == "");
    }
  }
#endif

#endif

  TEST_CASE("a signal handler hashes after warm_up while the main thread does") {
    const auto outcome = in_fresh_process([](const std::string&) {
      static volatile sig_atomic_t handled = 0, wrong = 0;
      warm_up();
      for (unsigned i = 0; i < 3; ++i) require(hashes_rightly(i), "before any signal");
      struct sigaction action {};
      action.sa_handler = [](int) {
        for (unsigned i = 0; i < 3; ++i) {
          if (!hashes_rightly(i)) wrong = 1;
        }
        handled = handled + 1;
      };
      sigaction(SIGALRM, &action, nullptr);
      const itimerval often{{0, 500}, {0, 500}};
      setitimer(ITIMER_REAL, &often, nullptr);
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      for (unsigned i = 0; handled < 100 && std::chrono::steady_clock::now() < until; ++i) {
        require(hashes_rightly(i), "while signals arrive");
      }
      require(wrong == 0, "in the handler");
      require(handled >= 10, "hardly any signal arrived");
    });
    CHECK(outcome.failure == "");
  }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  TEST_CASE("first use needs no more than 16 KiB of stack") {
    const auto outcome = in_fresh_process([](const std::string&) {
      constexpr std::size_t size = 256 * 1024;
      const std::unique_ptr<unsigned char[]> memory(new unsigned char[size + 4096]);
      auto* const stack = reinterpret_cast<unsigned char*>(
          (reinterpret_cast<std::uintptr_t>(memory.get()) + 4095) / 4096 * 4096);
      struct thread_facts {
        std::uintptr_t start = 0;
        bool right = false;
      } facts;
      std::memset(stack, 0xa5, size);
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstack(&attributes, stack, size);
      pthread_t thread;
      const auto body = [](void* argument) -> void* {
        auto* const found = static_cast<thread_facts*>(argument);
        found->start = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        warm_up();
        found->right = sha256::hash("abc") != sha256::digest_type{};
        return nullptr;
      };
      require(pthread_create(&thread, &attributes, body, &facts) == 0, "pthread_create");
      pthread_join(thread, nullptr);
      std::size_t untouched = 0;
      while (untouched < size && stack[untouched] == 0xa5) ++untouched;
      const std::size_t used = facts.start - reinterpret_cast<std::uintptr_t>(stack + untouched);
      require(facts.right, "wrong digest");
      require(used <= 16 * 1024, std::to_string(used) + " bytes of stack");
      tell(std::to_string(used));
    });
    CHECK(outcome.failure == "");
    MESSAGE("first use took ", outcome.output, " bytes of stack");
  }
#endif
}
