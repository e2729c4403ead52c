// SPDX-License-Identifier: GPL-3.0-or-later
// waferd's command line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/server/server.h"

namespace waferpair::waferd {

enum class OnBadModel { kExit, kKeep };

struct Options {
  std::vector<server::ModelSource> models;  // at least one
  // The options of all models, but for the memory of keys and values where it was named for one.
  inference::CompileOptions compile;
  std::map<std::string, std::size_t> kvBytes;  // by name
  std::string modelsFolder;                    // whose files are offered as well; empty: none
  inference::EngineOptions engine;
  server::MemoryRules memory;
  server::ListenOptions listen;
  std::string shadow;       // a shape's name or file; empty: none
  std::string log;          // empty: nowhere
  int parentPid = 0;        // 0: nobody to outlive
  int idleExitSeconds = 0;  // 0: never
  OnBadModel onBadModel = OnBadModel::kExit;
};

// "deep=/models/big.gguf" and "/models/a=b.gguf": a name has letters, digits, dots, dashes and
// underscores, and no file is called as the whole.
server::ModelSource modelSourceOf(const std::string& argument);

// Nothing when the process should end with `exitCode`: help was printed, or the error was.
std::optional<Options> parseOptions(int argc, char** argv, int& exitCode);

}  // namespace waferpair::waferd
