#include "relay.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace support {
namespace {

// How often a thread looks whether it is to end.
constexpr int kLookMs = 20;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int new_socket() { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

}  // namespace

Relay::Relay(std::uint16_t port) : port_(port), listener_(new_socket()) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const general = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_, general, size) != 0 || listen(listener_, SOMAXCONN) != 0 || getsockname(listener_, general, &size) != 0) {
    throw std::runtime_error("the relay has no port");
  }
  own_port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { accept_all(); });
}

Relay::~Relay() {
  is_ending_ = true;
  accepting_.join();
  for (auto& connection : connections_) {
    connection.join();
  }
  close(listener_);
}

std::string Relay::seen() const {
  const std::lock_guard held(lock_);
  return seen_;
}

void Relay::accept_all() {
  pollfd waiting{listener_, POLLIN, 0};
  while (!is_ending_) {
    if (poll(&waiting, 1, kLookMs) > 0) {
      const int caller = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (caller >= 0) {
        connections_.emplace_back([this, caller] { pass_on(caller); });
      }
    }
  }
}

void Relay::pass_on(int caller) {
  const int service = new_socket();
  const sockaddr_in address = loopback(port_);
  bool is_open = connect(service, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  std::array<pollfd, 2> waiting{{{caller, POLLIN, 0}, {service, POLLIN, 0}}};
  while (is_open && !is_ending_) {
    if (poll(waiting.data(), waiting.size(), kLookMs) > 0) {
      const bool is_caller_there = waiting[0].revents == 0 || pass(caller, service, true);
      is_open = is_caller_there && (waiting[1].revents == 0 || pass(service, caller, false));
    }
  }
  close(caller);
  close(service);
}

bool Relay::pass(int from, int to, bool is_noted) {
  std::array<char, 65536> bytes{};
  const auto count = recv(from, bytes.data(), bytes.size(), 0);
  if (count <= 0) {
    return false;
  }
  if (is_noted) {
    const std::lock_guard held(lock_);
    seen_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  for (ssize_t at = 0; at < count;) {
    const auto sent = send(to, bytes.data() + at, static_cast<std::size_t>(count - at), MSG_NOSIGNAL);
    if (sent < 0) {
      return false;
    }
    at += sent;
  }
  return true;
}

}  // namespace support
