// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/language_family.h"

#include <QFileInfo>
#include <QHash>

namespace waferpair::pairing {

namespace {

constexpr const char* kNoComments[] = {""};
constexpr const char* kSlashes[] = {"//"};
constexpr const char* kHash[] = {"#"};
constexpr const char* kDashes[] = {"--"};

using Comments = std::span<const char* const>;

// clang-format off
constexpr LanguageFamily kPlain{Comments(kNoComments, 0), "", "", "", "", false, false, false, false, false};
constexpr LanguageFamily kC{kSlashes, "/*", "*/", "\"'", "", false, false, false, false, true};
constexpr LanguageFamily kPython{kHash, "", "", "\"'", "", true, false, true, false, true};
constexpr LanguageFamily kGo{kSlashes, "/*", "*/", "\"'", "`", false, false, false, false, true};
constexpr LanguageFamily kScript{kSlashes, "/*", "*/", "\"'", "`", false, false, false, true, true};
constexpr LanguageFamily kRust{kSlashes, "/*", "*/", "\"'", "", false, true, false, false, true};
constexpr LanguageFamily kJava{kSlashes, "/*", "*/", "\"'", "", true, false, false, false, true};
constexpr LanguageFamily kShell{kHash, "", "", "\"'", "", false, false, false, false, false};
constexpr LanguageFamily kBash{kHash, "", "", "\"'", "", false, false, false, false, false, true};
constexpr LanguageFamily kRuby{kHash, "", "", "\"'", "", false, false, true, false, false};
constexpr LanguageFamily kSql{kDashes, "/*", "*/", "\"'", "", false, false, false, false, false};
// clang-format on

}  // namespace

const LanguageFamily& languageFamily(const QString& language) {
  static const QHash<QString, const LanguageFamily*> families = {
      {"C", &kC},
      {"C++", &kC},
      {"ISO C++", &kC},
      {"Objective-C", &kC},
      {"Objective-C++", &kC},
      {"CUDA", &kC},
      {"GLSL", &kC},
      {"Python", &kPython},
      {"Go", &kGo},
      {"JavaScript", &kScript},
      {"JavaScript React (JSX)", &kScript},
      {"TypeScript", &kScript},
      {"TypeScript React (TSX)", &kScript},
      {"Rust", &kRust},
      {"Java", &kJava},
      {"Kotlin", &kJava},
      {"Scala", &kJava},
      {"C#", &kC},
      {"Dart", &kC},
      {"D", &kC},
      {"Swift", &kC},
      {"PHP/PHP", &kC},
      {"Zig", &kC},
      {"CSS", &kC},
      {"SCSS", &kC},
      {"JSON", &kC},
      {"Bash", &kBash},
      {"Zsh", &kBash},
      {"CMake", &kShell},
      {"Makefile", &kShell},
      {"Perl", &kShell},
      {"R Script", &kShell},
      {"TOML", &kShell},
      {"Ruby", &kRuby},
      {"YAML", &kRuby},
      {"SQL", &kSql},
      {"Lua", &kSql},
      {"Haskell", &kSql},
  };
  return *families.value(language, &kPlain);
}

const LanguageFamily& familyOfFile(const QString& path) {
  struct Row {
    const LanguageFamily* family;
    QStringList suffixes;
  };
  static const Row rows[] = {
      {&kC,
       {"c",  "h",   "cc", "cpp",  "cxx", "hh",    "hpp", "hxx", "inl", "ipp",  "m",    "mm",
        "cu", "cuh", "cs", "dart", "d",   "swift", "php", "zig", "css", "scss", "json", "glsl"}},
      {&kPython, {"py", "pyi", "pyw"}},
      {&kGo, {"go"}},
      {&kScript, {"js", "jsx", "cjs", "mjs", "ts", "tsx", "cts", "mts"}},
      {&kRust, {"rs"}},
      {&kJava, {"java", "kt", "kts", "scala", "groovy"}},
      {&kBash, {"sh", "bash", "zsh"}},
      {&kShell, {"cmake", "mk", "pl", "pm", "r", "toml"}},
      {&kRuby, {"rb", "rake", "yml", "yaml"}},
      {&kSql, {"sql", "lua", "hs"}},
  };
  const QString suffix = QFileInfo(path).suffix().toLower();
  for (const Row& row : rows)
    if (row.suffixes.contains(suffix)) return *row.family;
  return kPlain;
}

QStringList suffixesLike(const QString& suffix) {
  static const QStringList groups[] = {
      {"c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "inl", "ipp"},
      {"js", "jsx", "cjs", "mjs", "ts", "tsx", "cts", "mts"},
      {"java", "kt", "kts"},
      {"py", "pyi"}};
  for (const QStringList& group : groups)
    if (group.contains(suffix)) return group;
  return {suffix};
}

}  // namespace waferpair::pairing
