// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer, so that any compiler builds it and the ordinary tests run
// it under their sanitizers: each seed, then copies of it damaged as mutate.h says, always the
// same.
//   fuzz_x COPIES FOLDER...
#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<std::byte> input;  // of the run under way

// Keeps the input that the run died of; the reason is on stderr already.
void keepInput() {
  const std::string name = "crash-" + std::to_string(getpid());
  std::ofstream(name, std::ios::binary)
      .write(reinterpret_cast<const char*>(input.data()),
             static_cast<std::streamsize>(input.size()));
  std::fprintf(stderr, "The input is in %s\n", fs::absolute(name).c_str());
}

std::vector<std::byte> readAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
  const auto* first = reinterpret_cast<const std::byte*>(chars.data());
  return {first, first + chars.size()};
}

void run(std::vector<std::byte> bytes) {
  input = std::move(bytes);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s COPIES FOLDER...\n", argv[0]);
    return 2;
  }
  __sanitizer_set_death_callback(keepInput);
  std::vector<fs::path> seeds;
  for (int i = 2; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) continue;
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) seeds.push_back(entry.path());
    }
  }
  std::sort(seeds.begin(), seeds.end());
  if (seeds.empty()) {
    std::fprintf(stderr, "No seeds in the folders named.\n");
    return 1;
  }
  const auto copies = static_cast<std::uint32_t>(std::atoi(argv[1]));
  run({});
  for (const fs::path& path : seeds) {
    const std::vector<std::byte> seed = readAll(path);
    run(seed);
    for (std::uint32_t copy = 0; copy < copies; ++copy) run(waferpair::test::mutate(seed, copy));
  }
  std::printf("%zu seeds, %u damaged copies of each\n", seeds.size(), copies);
  return 0;
}
