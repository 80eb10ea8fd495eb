// Processes of the real service, and certificates for them.
#ifndef BURRACO_TESTS_SUPPORT_SERVER_H_
#define BURRACO_TESTS_SUPPORT_SERVER_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace support {

// What a back end shows to a server of these tests.
constexpr char kApiKey[] = "key-of-the-tests-of-a-client";

// Settings of the service, such as BURRACO_PORT.
using Settings = std::map<std::string, std::string>;

// A server on a free port of loopback. It ends with this object, and with the process of the tests, however that ends.
class Server {
 public:
  explicit Server(const Settings& settings = {});
  ~Server() { kill(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }
  std::string target() const { return "127.0.0.1:" + std::to_string(port_); }

  // Ends it at once, as a machine that fails does.
  void kill();

 private:
  pid_t process_ = -1;
  int input_ = -1;  // the server ends when this is closed
  int output_ = -1;
  std::uint16_t port_ = 0;
};

// A folder of its own with `ca.pem`, `server` and `client` of that CA, each as .pem and .key, and `other-ca.pem`, which signed
// nothing.
class Certificates {
 public:
  Certificates();
  ~Certificates();
  Certificates(const Certificates&) = delete;
  Certificates& operator=(const Certificates&) = delete;

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string read(const std::string& name) const;
  // What makes a server show its certificate.
  Settings settings() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace support

#endif  // BURRACO_TESTS_SUPPORT_SERVER_H_
