// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what files of rules cost: 90,000 rules against 50,000 paths, of kinds that a project may
// bring; and the gate itself, asked about files on disk.
//   bench_ignore_rules [FOLDER]   FOLDER: of files for the gate; the source tree when left out
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/exclusions/exclusions.h"
#include "runtime/exclusions/secret_text.h"
#include "tests/support/paths.h"

using namespace waferpair::exclusions;

namespace {

constexpr int kRules = 90'000;
constexpr int kPaths = 50'000;

// Returns milliseconds of processor time, whatever else the processor does.
double msOf(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void rules(const char* name, const std::function<std::string(int)>& rule) {
  std::string text;
  for (int i = 0; i < kRules; ++i) text += rule(i) + '\n';
  std::unique_ptr<IgnoreRules> read;
  const double reading = msOf([&] { read = std::make_unique<IgnoreRules>(text); });
  int matched = 0;
  const double matching = msOf([&] {
    for (int i = 0; i < kPaths; ++i)
      matched += read->match("src/part/name" + std::to_string(i) + ".cpp", false).has_value();
  });
  std::printf("%-34s read %7.1f ms, %d paths %9.1f ms (%.2f us each), %d matched%s%s\n", name,
              reading, kPaths, matching, matching * 1e3 / kPaths, matched,
              read->problem().empty() ? "" : ", refused: ", read->problem().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const auto n = [](int i) { return std::to_string(i); };
  rules("names", [&](int i) { return "other" + n(i) + ".cpp"; });
  rules("paths", [&](int i) { return "/src/part/name" + n(2 * i) + ".cpp"; });
  rules("beginnings (name7*)", [&](int i) { return "name" + n(100 * i) + "*"; });
  rules("both ends (gen/n7*.c)", [&](int i) { return "gen/n" + n(i) + "*.c"; });
  rules("below any folder (**/n7/**/x?.c)", [&](int i) { return "**/n" + n(i) + "/**/x?.c"; });
  rules("anywhere in a name (*7*)", [&](int i) { return "*x" + n(i) + "*"; });
  rules("taken back (!)", [&](int i) { return (i % 2 ? "!a" : "a") + n(i / 2) + ".c"; });

  const std::string folder = argc > 1 ? argv[1] : waferpair::test::sourceDir();
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && files.size() < kPaths) files.push_back(entry.path().native());
  Exclusions gate(folder);
  std::size_t excluded = 0;
  const double asking = msOf([&] {
    for (const std::string& file : files) excluded += !gate.reason(file).empty();
  });
  std::printf("gate: %zu files %.1f ms (%.1f us each), %zu excluded\n", files.size(), asking,
              asking * 1e3 / static_cast<double>(files.size()), excluded);

  std::string code;
  while (code.size() < 8u << 20)
    code += "  const auto ghost = pair::next(name, 'x'); // some code\n";
  const double scanning = msOf([&] { (void)findSecret(code); });
  std::printf("content of 8 MiB: %.1f ms\n", scanning);
}
