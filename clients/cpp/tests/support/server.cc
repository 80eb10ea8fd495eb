#include "server.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace support {
namespace {

constexpr char kPrefix[] = "BURRACO_";
constexpr char kSealingKey[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
// Runs the service until the input ends, and keeps no hold on the output, which so ends when the service does.
constexpr char kRun[] = R"(cd "$0" && { "$1" -m service & exec 1>&-; read -r _; kill -9 $!; })";
// Made as the service's own tests make theirs.
constexpr char kCertificates[] = R"(
import sys
from pathlib import Path
from tests.server.certificates import LOCALHOST, Authority
folder, authority = Path(sys.argv[1]), Authority()
(folder / 'ca.pem').write_bytes(authority.certificate)
(folder / 'other-ca.pem').write_bytes(Authority().certificate)
authority.issue('server', LOCALHOST).write(folder, 'server')
authority.issue('back-end').write(folder, 'client')
)";

// The Python that runs the service: BURRACO_PYTHON, or the one that `make` of the repository sets up.
std::string python() {
  const char* given = std::getenv("BURRACO_PYTHON");
  const std::string path = given != nullptr ? given : REPOSITORY "/.venv/bin/python";
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error("these tests start the real service, and " + path + " is missing: run `make test` once");
  }
  return path;
}

// The environment with these settings of the service and no others.
std::vector<std::string> environment(const Settings& settings) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    if (std::string(*each).rfind(kPrefix, 0) != 0) {
      all.emplace_back(*each);
    }
  }
  for (const auto& [name, value] : settings) {
    all.push_back(name + "=" + value);
  }
  return all;
}

std::vector<char*> pointers(std::vector<std::string>* words) {
  std::vector<char*> all;
  for (auto& word : *words) {
    all.push_back(word.data());
  }
  all.push_back(nullptr);
  return all;
}

// Both ends are closed in every process that is started but the one that they are given to.
std::array<int, 2> pipe_of_one_process() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  return ends;
}

pid_t start(std::vector<std::string> words, const Settings& settings, int input, int output) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  auto variables = environment(settings);
  pid_t process = -1;
  const auto arguments = pointers(&words);
  const int failed = posix_spawnp(&process, arguments[0], &files, nullptr, arguments.data(), pointers(&variables).data());
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) {
    throw std::runtime_error(words[0] + " does not start");
  }
  return process;
}

int wait_for(pid_t process) {
  int status = -1;
  waitpid(process, &status, 0);
  return status;
}

std::string first_line(int file) {
  std::string line;
  for (char sign = 0; read(file, &sign, 1) == 1 && sign != '\n';) {
    line += sign;
  }
  return line;
}

// The port in `{"port": 50051, ...}`.
std::uint16_t port_in(const std::string& announced) {
  constexpr char kName[] = "\"port\":";
  const auto at = announced.find(kName);
  if (at == std::string::npos) {
    throw std::runtime_error("the server said \"" + announced + "\"");
  }
  return static_cast<std::uint16_t>(std::stoi(announced.substr(at + sizeof kName - 1)));
}

}  // namespace

Server::Server(const Settings& settings) {
  Settings all = settings;
  all.merge(Settings{{"BURRACO_PORT", "0"},
                     {"BURRACO_SEALING_KEY", kSealingKey},
                     {"BURRACO_API_KEYS", kApiKey},
                     {"BURRACO_DRAIN_SECONDS", "0"},
                     {"BURRACO_LOG_LEVEL", "warning"}});
  const auto input = pipe_of_one_process();
  const auto output = pipe_of_one_process();
  process_ = start({"sh", "-c", kRun, REPOSITORY, python()}, all, input[0], output[1]);
  close(input[0]);
  close(output[1]);
  input_ = input[1];
  output_ = output[0];
  try {
    port_ = port_in(first_line(output_));
  } catch (...) {
    kill();
    throw;
  }
}

void Server::kill() {
  if (process_ > 0) {
    close(input_);
    wait_for(process_);
    close(output_);
    process_ = -1;
  }
}

Certificates::Certificates() {
  std::string name = std::filesystem::temp_directory_path() / "burraco-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("no folder " + name);
  }
  folder_ = name;
  constexpr char kMake[] = R"(cd "$0" && exec "$1" -c "$2" "$3")";
  const pid_t making = start({"sh", "-c", kMake, REPOSITORY, python(), kCertificates, name}, {}, STDIN_FILENO, STDOUT_FILENO);
  if (wait_for(making) != 0) {
    throw std::runtime_error("no certificates were made");
  }
}

Certificates::~Certificates() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Certificates::read(const std::string& name) const {
  std::ifstream file(path(name));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Settings Certificates::settings() const {
  return {{"BURRACO_TLS_CERTIFICATE_FILE", path("server.pem")}, {"BURRACO_TLS_KEY_FILE", path("server.key")}};
}

}  // namespace support
