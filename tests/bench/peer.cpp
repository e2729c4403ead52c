// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/peer.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

namespace waferpair::bench {
namespace {

std::string onPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = folder + "/" + program;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

constexpr unsigned kPatience = 120;  // seconds

// Returns the command's standard output; its other output is dropped.
base::Result<std::string> outputOf(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return base::fail("No pipe for " + command[0] + ".", "Close programs.");
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(ends[1], STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    alarm(kPatience);  // outlives the change of program, and ends it
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t n; child > 0 && (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    out.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = -1;
  const bool ended = child > 0 && waitpid(child, &status, 0) == child;
  if (ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    return base::fail(command[0] + " did not answer in " + std::to_string(kPatience) + " seconds.",
                      "Ask for fewer tokens.");
  }
  if (!ended || status != 0) {
    return base::fail(command[0] + " failed with status " + std::to_string(status) + ".",
                      "Run it by hand on the same file.");
  }
  return out;
}

}  // namespace

std::vector<Peer> findPeers() {
  std::vector<Peer> peers;
  if (std::string program = onPath("llama-bench"); !program.empty()) {
    peers.push_back({.name = "llama.cpp", .program = std::move(program)});
  }
  if (const char* program = std::getenv("LLAMA_BENCH_IK")) {
    peers.push_back({.name = "ik_llama.cpp", .program = program, .hasDepth = false});
  }
  return peers;
}

base::Result<double> measure(const Peer& peer, const PeerTest& test) {
  const bool behindPrompt = test.depth > 0 && !peer.hasDepth;
  const auto number = [](int value) { return std::to_string(value); };
  std::vector<std::string> command{peer.program, "-m", test.file, "-t",  number(test.threads),
                                   "-r",         "1",  "-o",      "json"};
  const auto add = [&](const char* option, std::string value) {
    command.insert(command.end(), {option, std::move(value)});
  };
  add("-p", number(test.prompt));
  add("-n", number(behindPrompt ? 0 : test.tokens));
  if (peer.hasDepth) add("-d", number(test.depth));
  if (behindPrompt) add("-gp", number(test.depth) + "," + number(test.tokens));
  command.insert(command.end(), test.options.begin(), test.options.end());
  const auto out = outputOf(std::move(command));
  if (!out) return tl::unexpected(out.error());
  // An array with an object for each test; some releases write lines of their own before it.
  const std::size_t begin = out->find("[\n");
  const auto json = nlohmann::json::parse(begin == std::string::npos ? *out : out->substr(begin),
                                          nullptr, /*allow_exceptions=*/false);
  if (json.is_array()) {
    for (const auto& each : json) {
      if (!each.is_object()) continue;
      const auto field = [&](const char* name) {
        const auto found = each.find(name);
        return found != each.end() && found->is_number() ? found->get<double>() : -1.0;
      };
      const double rate = field("avg_ts");
      const int prompt = behindPrompt ? test.depth : test.prompt;
      if (field("n_prompt") == prompt && field("n_gen") == test.tokens && rate > 0) {
        return rate;
      }
    }
  }
  return base::fail(peer.program + " gave no avg_ts for this test.",
                    "Use a release that has -d, or ik_llama.cpp's with -gp, and -o json.");
}

}  // namespace waferpair::bench
