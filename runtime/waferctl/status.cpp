// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl status`: the servers that run, and what they do.
#include <iostream>
#include <memory>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/events.h"
#include "runtime/server/core/token_file.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/remote_source.h"

namespace waferpair::waferctl {
namespace {

void printStatus(const Json& status) {
  namespace field = protocol::field;
  std::cout << "port " << status["port"] << ": " << status.value(field::state::kState.name, "?");
  if (const Json model = status.value(field::state::kModel.name, Json()); model.is_object())
    std::cout << ", " << model.value(field::model::kName.name, "?") << " ("
              << model[field::model::kParameters.name] << " parameters, context "
              << model[field::model::kContext.name] << ")";
  if (const Json error = status.value(field::state::kError.name, Json()); error.is_object())
    std::cout << ": " << error.value(field::failure::kMessage.name, "") << ' '
              << error.value(field::failure::kRemedy.name, "");
  const Json queue = status.value(field::status::kQueue.name, Json::object());
  std::cout << "\n  " << status[field::status::kSessions.name] << " sessions; "
            << queue.value(field::queue::kRunning.name, 0) << " running, "
            << queue.value(field::queue::kInteractive.name, 0) << " completions and "
            << queue.value(field::queue::kBackground.name, 0) << " responses waiting" << std::endl;
}

}  // namespace

CLI::App* addStatusCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("status", "Lists the model servers that run");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print a JSON array");
  command->callback([json] {
    Json all = Json::array();
    for (const server::RunningServer& running : server::runningServers()) {
      auto status = RemoteSource::status(running);
      // It may have ended in between, or hang: the others are still of interest.
      if (!status) {
        std::cerr << "waferctl: port " << running.port << ": " << status.error().message() << '\n';
        continue;
      }
      (*status)["port"] = running.port;
      all.push_back(std::move(*status));
    }
    if (*json)
      std::cout << server::dump(all) << std::endl;
    else
      for (const Json& status : all) printStatus(status);
    if (all.empty() && !*json)
      giveUp({"No waferd of yours runs.", "Start one: waferd --model FILE."});
    if (all.empty()) throw CLI::RuntimeError(kFailure);
  });
  return command;
}

}  // namespace waferpair::waferctl
