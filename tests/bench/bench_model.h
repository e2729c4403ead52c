// SPDX-License-Identifier: GPL-3.0-or-later
// The model that benchmarks of the runtime measure: the file named on the command line, else the
// one that comes with Waferpair, else a random one of its shape (speed does not depend on what
// weights say).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "tests/support/tiny_model.h"

namespace waferpair::bench {

inline std::string modelPath(int argc, char** argv) {
  if (argc > 1) return argv[1];
  const std::string ours = WAFERPAIR_SOURCE_DIR "/resources/models/waferpair-mini.gguf";
  if (std::filesystem::exists(ours)) return ours;
  const std::string path =
      (std::filesystem::temp_directory_path() / "waferpair-bench-model.gguf").string();
  const auto written = test::writeTinyModel(path, {.layers = 8,
                                                   .width = 512,
                                                   .feedForward = 1408,
                                                   .heads = 8,
                                                   .kvHeads = 2,
                                                   .vocabSize = 8192,
                                                   .contextLength = 1024,
                                                   .name = "random"});
  if (!written) {
    std::cerr << written.error().message() << '\n';
    std::exit(1);
  }
  return path;
}

}  // namespace waferpair::bench
