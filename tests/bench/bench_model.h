// SPDX-License-Identifier: GPL-3.0-or-later
// The model that benchmarks of the runtime measure: the file named on the command line, else the
// one that comes with Waferpair, else a random one of its shape (speed does not depend on what
// weights say).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "runtime/base/result.h"
#include "tests/support/paths.h"
#include "tests/support/tiny_model.h"

namespace waferpair::bench {

[[noreturn]] inline void giveUp(const base::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  std::exit(1);
}

inline std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) giveUp({"Cannot read " + path + ".", ""});
  return text.str();
}

// A copy of a model with the same weights and a longer context. What the model says out there is
// worthless, what its steps cost is not.
inline std::string withLongContext(const std::string& path, std::uint32_t context) {
  std::string bytes = readFile(path);
  const std::string key = "llama.context_length";
  const std::size_t at = bytes.find(key);
  if (at == std::string::npos) giveUp({path + " has no " + key + ".", "Name a llama model."});
  const auto value = std::bit_cast<std::array<char, 4>>(context);  // little-endian
  bytes.replace(at + key.size() + sizeof(std::uint32_t), value.size(), value.data(), value.size());
  const auto copy = std::filesystem::temp_directory_path() / "waferpair-bench-long-context.gguf";
  std::ofstream(copy, std::ios::binary) << bytes;
  return copy.string();
}

inline std::string modelPath(int argc, char** argv) {
  if (argc > 1) return argv[1];
  const std::string ours = test::sourceDir() + "/resources/models/waferpair-mini.gguf";
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
