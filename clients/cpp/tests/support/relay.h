// What a caller sends, as somebody on the way sees it.
#ifndef BURRACO_TESTS_SUPPORT_RELAY_H_
#define BURRACO_TESTS_SUPPORT_RELAY_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace support {

// Passes connections on to a port of loopback, and notes the bytes that callers send.
class Relay {
 public:
  explicit Relay(std::uint16_t port);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  std::string target() const { return "127.0.0.1:" + std::to_string(own_port_); }
  std::string seen() const;

 private:
  void accept_all();
  void pass_on(int caller);
  bool pass(int from, int to, bool is_noted);

  std::uint16_t port_;
  std::uint16_t own_port_ = 0;
  int listener_;
  std::atomic<bool> is_ending_{false};
  mutable std::mutex lock_;
  std::string seen_;
  std::vector<std::thread> connections_;
  std::thread accepting_;
};

}  // namespace support

#endif  // BURRACO_TESTS_SUPPORT_RELAY_H_
