// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl inspect FILE...`: what model files are good for, and whether they can be used here,
// without loading them.
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/available_memory.h"
#include "runtime/inference/model/outlook.h"
#include "runtime/server/core/events.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/host_speed.h"

namespace waferpair::waferctl {
namespace {

using inference::ModelOutlook;
using server::Json;

Json errorJson(const base::Error& error) {
  return {{"message", error.what}, {"remedy", error.remedy}};
}

// Null where it is not known.
Json known(double value) { return value > 0 ? Json(value) : Json(nullptr); }

Json outlookJson(const std::string& path, const ModelOutlook& o, std::uint64_t available,
                 double hostRate) {
  Json json = {{"file", path},
               {"name", o.name},
               {"architecture", o.architecture},
               {"parameters", o.parameters},
               {"file_bytes", o.fileBytes},
               {"context", o.context},
               {"memory_bytes", o.memoryBytes},
               {"available_bytes", available},
               {"bytes_per_token", o.bytesPerToken},
               {"host_tokens_per_second", known(hostRate)},
               {"wafer_tokens_per_second", known(o.waferTokensPerSecond)},
               {"wafer_positions", o.waferPositions},
               {"profile", o.profile},
               {"clock_ghz", o.clockHz / 1e9},
               {"encodes", o.encodes},
               {"fim", fimOrderName(o.fim)},
               {"chat", o.chat ? Json(chatStyleName(*o.chat)) : Json(nullptr)},
               {"error", nullptr}};
  if (o.refusal) json["error"] = errorJson(*o.refusal);
  return json;
}

std::string gigabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

void print(const std::string& path, const ModelOutlook& o, std::uint64_t available,
           double hostRate) {
  std::cout << path << "\n  " << o.name << ", " << o.architecture << ", " << o.parameters
            << " parameters, " << gigabytes(o.fileBytes) << '\n';
  if (o.refusal) {
    std::cout << "  cannot be used: " << o.refusal->message() << std::endl;
    return;
  }
  std::cout << "  context " << o.context << ", memory " << gigabytes(o.memoryBytes) << " of "
            << gigabytes(available) << " that can be had\n  "
            << (o.encodes ? "embeds texts" : "completes")
            << (o.fim != inference::FimOrder::kNone ? ", fills in the middle" : "")
            << (o.chat ? ", follows instructions" : "") << std::endl;
  char speeds[320];
  std::snprintf(
      speeds, sizeof speeds,
      "  about %.*f tokens/s here (estimated from a measured second: a third more or less, "
      "and fewer while others work)\n"
      "  %.0f tokens/s on the wafer (emulated: %s at %.3g GHz, %d positions)",
      hostRate < 100 ? 1 : 0, hostRate, o.waferTokensPerSecond, o.profile.c_str(), o.clockHz / 1e9,
      o.waferPositions);
  if (hostRate > 0 && o.waferTokensPerSecond > 0) std::cout << speeds << std::endl;
  if (o.chatProblem)
    std::cout << "  follows no instructions: " << o.chatProblem->message() << std::endl;
}

}  // namespace

CLI::App* addInspectCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "inspect", "What model files are good for, and whether they can be used here");
  auto files = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false);
  command->add_option("files", *files, "GGUF files")->required();
  command->add_flag("--json", *json, "print a JSON object for each, a line each");
  command->callback([files, json] {
    const std::uint64_t available = base::availableMemory();
    std::optional<HostSpeed> speed;  // measured only where it is of use
    const auto hostRate = [&speed](const ModelOutlook& outlook) {
      if (outlook.refusal || outlook.bytesPerToken == 0) return 0.0;
      if (!speed) speed = HostSpeed::find(HostSpeed::usualFile());
      return speed->tokensPerSecond(static_cast<double>(outlook.bytesPerToken),
                                    outlook.fourBitShare);
    };
    bool allRead = true;
    for (const std::string& path : *files) {
      const auto outlook = inference::outlookOf(path);
      allRead = allRead && outlook.has_value();
      if (*json) {
        std::cout << server::dump(outlook
                                      ? outlookJson(path, *outlook, available, hostRate(*outlook))
                                      : Json{{"file", path}, {"error", errorJson(outlook.error())}})
                  << std::endl;
      } else if (outlook) {
        print(path, *outlook, available, hostRate(*outlook));
      } else {
        std::cerr << "waferctl: " << outlook.error().message() << std::endl;
      }
    }
    if (!allRead) throw CLI::RuntimeError(kFailure);
  });
  return command;
}

}  // namespace waferpair::waferctl
