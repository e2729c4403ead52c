// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl connect`: sets up another editor or tool (docs/other-editors.md).
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "runtime/base/port_owner.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/user_token.h"
#include "runtime/server/server.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/connect_check.h"
#include "runtime/waferctl/connect_clients.h"
#include "runtime/waferctl/connect_file.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {
namespace {

struct Flags {
  std::string client;
  std::uint16_t port = 0;
  bool write = false;
  bool noCheck = false;
  bool newToken = false;
  bool json = false;
};

// Where a server is, or will be: the named port, else the usual one if a server of the user's is
// there, or none is at all, else that of the first that runs.
std::uint16_t portOf(const Flags& flags) {
  if (flags.port != 0) return flags.port;
  const std::vector<server::RunningServer> running = server::runningServers();
  for (const server::RunningServer& each : running)
    if (each.port == server::kUsualPort) return each.port;
  return running.empty() ? server::kUsualPort : running.front().port;
}

// A server that has just been started has not read its model's file yet.
constexpr std::chrono::seconds kModelPatience{30};
constexpr std::chrono::milliseconds kBetweenLooks{100};

// Adds the name of the first model that the server offers, and its context. The error says why the
// server cannot be asked.
base::Result<void> askForModel(Connection& to) {
  if (auto proved = requireProof(to); !proved) return proved;
  const auto until = std::chrono::steady_clock::now() + kModelPatience;
  for (;;) {
    const auto models = getJson(to, "/v1/models");
    if (!models) return tl::unexpected(models.error());
    const Json list = models->value("data", Json::array());
    if (!list.empty()) {
      to.model = list.front().value("id", to.model);
      to.context = list.front().value("details", Json::object()).value("context", 0);
      return {};
    }
    const auto health = getJson(to, "/health");
    const bool isFailed = health && health->value("state", "") == "failed";
    if (isFailed || std::chrono::steady_clock::now() >= until)
      return base::fail("waferd has read no model yet.", "See what it does: waferctl status.");
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void listClients(bool json) {
  Json clients = Json::array();
  for (const std::string& name : clientNames()) {
    if (!json) std::cout << name << '\n';
    clients.push_back({{"name", name}, {"title", clientSetup(name, {}).title}});
  }
  if (json) std::cout << server::dump({{"clients", clients}}) << std::endl;
}

void printSetup(const ClientSetup& setup) {
  std::cerr << setup.title << ": " << setup.file << "\n\n";
  std::cout << setup.text;
  std::cout.flush();
  std::cerr << "\n" << setup.use << "\n";
}

void connect(const Flags& flags) {
  if (flags.newToken) {
    if (auto renewed = server::renewUserToken(); !renewed) giveUp(renewed.error());
    std::cerr << "The token is another one: set up all clients anew.\n";
    if (flags.client.empty()) return;
  }
  if (flags.client.empty()) return listClients(flags.json);
  const auto token = server::needUserToken();
  if (!token) giveUp(token.error());
  std::error_code ignored;
  const std::uint16_t port = portOf(flags);
  Connection to{.address = "http://127.0.0.1:" + std::to_string(port),
                .token = *token,
                .model = "waferpair",
                .context = 0,
                .waferctl = std::filesystem::read_symlink("/proc/self/exe", ignored).string()};
  const auto asked = askForModel(to);
  const ClientSetup setup = clientSetup(flags.client, to);
  const bool needsServer = setup.first != FirstRequest::kLanguageServer;

  // Where another user's program is, no client is sent, with the token in its settings.
  if (const auto owner = base::ownerOfPort(port, base::Loopback::kV4);
      needsServer && owner && *owner && **owner != geteuid())
    giveUp(base::requireOwnPort(port).error());

  std::optional<base::Error> problem;
  Json told = {{"client", setup.name},
               {"title", setup.title},
               {"file", setup.file},
               {"text", setup.text},
               {"use", setup.use},
               {"port", port},
               {"replaces", setup.form == SettingsForm::kOwnFile},
               {"written", nullptr},
               {"check", nullptr},
               {"problem", nullptr}};
  if (!flags.json) printSetup(setup);
  if (flags.write) {
    const auto written = writeSettings(setup);
    if (!written) {
      problem = written.error();
    } else {
      told["written"] = *written;
      if (!flags.json)
        std::cerr << setup.file << (*written ? " is written.\n" : " has it already.\n");
    }
  }
  if (!problem && !flags.noCheck) {
    if (needsServer && !asked) {
      problem = asked.error();
      if (server::runningServers().empty())
        problem = base::Error{"No waferd of yours runs, so nothing could be asked of it.",
                              "Open Waferpair, or start one: waferd --model FILE."};
    } else if (const auto checked = checkRequest(setup.first, to); checked) {
      told["check"] = *checked;
      if (!flags.json) std::cerr << *checked << '\n';
    } else {
      problem = checked.error();
    }
  }
  if (needsServer && port != server::kUsualPort && !flags.json)
    std::cerr << "Mind that waferd is on port " << port << " this time, and on "
              << server::kUsualPort << " wherever that is free.\n";
  if (flags.json) {
    if (problem) told["problem"] = {{"message", problem->what}, {"remedy", problem->remedy}};
    std::cout << server::dump(told) << std::endl;
  } else if (problem) {
    giveUp(*problem);
  }
  if (problem) throw CLI::RuntimeError(kFailure);
}

}  // namespace

CLI::App* addConnectCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("connect", "Sets up another editor or tool to use waferd, and tries it");
  auto flags = std::make_shared<Flags>();
  command->add_option("client", flags->client, "which; without one, those there are are listed")
      ->check(CLI::IsMember(clientNames()));
  command->add_flag("--write", flags->write, "put the settings into the client's file");
  command->add_flag("--no-check", flags->noCheck, "ask nothing of a server");
  command->add_flag("--new-token", flags->newToken,
                    "replace your token, which lets in all that were set up before");
  command->add_option("--port", flags->port, "of the waferd to use, where several run");
  command->add_flag("--json", flags->json, "print one JSON object");
  command->footer(
      "The settings are printed on standard output, all else on standard error. They hold your\n"
      "token, which every waferd of yours lets in: treat it as a password.");
  command->callback([flags] { connect(*flags); });
  return command;
}

}  // namespace waferpair::waferctl
