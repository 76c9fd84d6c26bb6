#include "fresh_process.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace {

int server_socket = -1;  // in the parent: to the server; in a child: back to the parent

void send_all(int to, const void* data, std::size_t size) {
  const char* p = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = write(to, p, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw std::runtime_error("fresh process: write failed");
    p += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

bool receive_all(int from, void* data, std::size_t size) {
  char* p = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(from, p, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// A message is a kind, a length, and a text.
void send_text(int to, char kind, const std::string& text) {
  const std::size_t size = text.size();
  std::string message(1, kind);
  message.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
  send_all(to, message.data(), message.size());
}

bool receive_text(int from, char& kind, std::string& text) {
  std::size_t size = 0;
  if (!receive_all(from, &kind, 1) || !receive_all(from, &size, sizeof size)) return false;
  text.resize(size);
  return receive_all(from, text.data(), size);
}

void run_body(child_body body, const std::string& argument) {
  try {
    body(argument);
  } catch (const std::exception& e) {
    require(false, e.what());
  }
  std::exit(0);  // with atexit handlers, so that sanitizers report leaks
}

// The server's copy of the program is the same image at the same addresses: a function pointer says what to
// run.
[[noreturn]] void serve() {
  child_body body = nullptr;
  char kind = 0;
  std::string argument;
  while (receive_all(server_socket, &body, sizeof body) && receive_text(server_socket, kind, argument)) {
    const pid_t child = fork();
    if (child == 0) run_body(body, argument);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::string end;
    if (WIFSIGNALED(status)) end = "died of signal " + std::to_string(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
      end = "exit code " + std::to_string(WEXITSTATUS(status));
    send_text(server_socket, 'e', end);
  }
  _exit(0);
}

}  // namespace

void start_fresh_processes() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) throw std::runtime_error("socketpair failed");
  const pid_t server = fork();
  if (server < 0) throw std::runtime_error("fork failed");
  server_socket = server == 0 ? sockets[1] : sockets[0];
  close(server == 0 ? sockets[0] : sockets[1]);
  if (server == 0) serve();
}

child_outcome in_fresh_process(child_body body, const std::string& argument) {
  send_all(server_socket, &body, sizeof body);
  send_text(server_socket, 'a', argument);
  child_outcome outcome;
  for (;;) {
    char kind = 0;
    std::string text;
    if (!receive_text(server_socket, kind, text))
      throw std::runtime_error("fresh process: the server is gone");
    if (kind == 't') outcome.output += text;
    if (kind == 'f') outcome.failure += text;
    if (kind == 'e') {
      if (outcome.failure.empty()) outcome.failure = text;
      return outcome;
    }
  }
}

void require(bool ok, const std::string& message) {
  if (ok) return;
  send_text(server_socket, 'f', message);
  _exit(1);
}

void tell(const std::string& text) { send_text(server_socket, 't', text); }
