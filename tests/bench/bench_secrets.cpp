// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the gate's look for secrets: which files of some folders it would keep from the model,
// by content and by name, and how fast it reads. What it finds in a public project is a false
// alarm, or a key that is in its tests.
//   bench_secrets FOLDER ...
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "runtime/exclusions/secret_names.h"
#include "runtime/exclusions/secret_text.h"

using namespace waferpair::exclusions;

namespace {

constexpr std::uintmax_t kLongest = 4 << 20;

struct Sums {
  std::size_t files = 0;
  std::size_t bytes = 0;
  std::size_t byContent = 0;
  std::size_t byName = 0;
  std::clock_t time = 0;
};

void look(const std::filesystem::path& file, const std::string& name, Sums& sums) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (text.find('\0') != text.npos) return;  // no text
  ++sums.files;
  sums.bytes += text.size();
  const std::clock_t begun = std::clock();
  const auto secret = findSecret(text);
  sums.time += std::clock() - begun;
  if (const std::string_view pattern = secretPatternOf('/' + name); !pattern.empty()) {
    ++sums.byName;
    std::printf("%s\tnamed %.*s\n", name.c_str(), static_cast<int>(pattern.size()), pattern.data());
  } else if (secret) {
    ++sums.byContent;
    std::string around = text.substr(secret->at - std::min<std::size_t>(secret->at, 30), 100);
    for (char& c : around)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    std::printf("%s\t%.*s\t%s\n", name.c_str(), static_cast<int>(secret->kind.size()),
                secret->kind.data(), around.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  Sums sums;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path folder(argv[i]);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (!entry.is_symlink() && entry.is_regular_file() && entry.file_size() <= kLongest)
        look(entry.path(), entry.path().lexically_relative(folder).string(), sums);
  }
  const double seconds = static_cast<double>(sums.time) / CLOCKS_PER_SEC;
  const double percent = 100.0 / static_cast<double>(std::max<std::size_t>(sums.files, 1));
  std::fprintf(stderr,
               "%zu files, %.1f MB, %.0f MB/s: %zu by content (%.2f %%), %zu by name (%.2f %%)\n",
               sums.files, 1e-6 * static_cast<double>(sums.bytes),
               1e-6 * static_cast<double>(sums.bytes) / seconds, sums.byContent,
               percent * static_cast<double>(sums.byContent), sums.byName,
               percent * static_cast<double>(sums.byName));
}
