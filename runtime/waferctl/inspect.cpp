// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl inspect FILE...`: what model files are good for, and whether they can be used here,
// without loading them.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/inference/model/outlook.h"
#include "runtime/server/core/events.h"
#include "runtime/waferctl/commands.h"

namespace waferpair::waferctl {
namespace {

using inference::ModelOutlook;
using server::Json;

// The memory of this computer that can be had without writing others' out. 0: not known.
std::uint64_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    unsigned long long kib = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kib) == 1) return kib << 10;
  }
  return 0;
}

Json errorJson(const base::Error& error) {
  return {{"message", error.what}, {"remedy", error.remedy}};
}

Json outlookJson(const std::string& path, const ModelOutlook& o, std::uint64_t available) {
  Json json = {{"file", path},
               {"name", o.name},
               {"architecture", o.architecture},
               {"parameters", o.parameters},
               {"file_bytes", o.fileBytes},
               {"context", o.context},
               {"memory_bytes", o.memoryBytes},
               {"available_bytes", available},
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

void print(const std::string& path, const ModelOutlook& o, std::uint64_t available) {
  std::cout << path << "\n  " << o.name << ", " << o.architecture << ", " << o.parameters
            << " parameters, " << gigabytes(o.fileBytes) << '\n';
  if (o.refusal) {
    std::cout << "  cannot be used: " << o.refusal->message() << std::endl;
    return;
  }
  std::cout << "  context " << o.context << ", memory " << gigabytes(o.memoryBytes) << " of "
            << gigabytes(available) << " that can be had\n  completes"
            << (o.fim != inference::FimOrder::kNone ? ", fills in the middle" : "")
            << (o.chat ? ", follows instructions" : "") << std::endl;
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
    const std::uint64_t available = availableMemory();
    bool allRead = true;
    for (const std::string& path : *files) {
      const auto outlook = inference::outlookOf(path);
      allRead = allRead && outlook.has_value();
      if (*json) {
        std::cout << server::dump(outlook
                                      ? outlookJson(path, *outlook, available)
                                      : Json{{"file", path}, {"error", errorJson(outlook.error())}})
                  << std::endl;
      } else if (outlook) {
        print(path, *outlook, available);
      } else {
        std::cerr << "waferctl: " << outlook.error().message() << std::endl;
      }
    }
    if (!allRead) throw CLI::RuntimeError(kFailure);
  });
  return command;
}

}  // namespace waferpair::waferctl
