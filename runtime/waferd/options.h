// SPDX-License-Identifier: GPL-3.0-or-later
// waferd's command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/server/server.h"

namespace waferpair::waferd {

enum class OnBadModel { kExit, kKeep };

struct Options {
  std::string model;
  inference::CompileOptions compile;
  inference::EngineOptions engine;
  server::ListenOptions listen;
  std::string shadow;       // a shape's name or file; empty: none
  std::string log;          // empty: nowhere
  int parentPid = 0;        // 0: nobody to outlive
  int idleExitSeconds = 0;  // 0: never
  OnBadModel onBadModel = OnBadModel::kExit;
};

// Nothing when the process should end with `exitCode`: help was printed, or the error was.
std::optional<Options> parseOptions(int argc, char** argv, int& exitCode);

}  // namespace waferpair::waferd
