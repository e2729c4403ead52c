// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/language_family.h"

#include <QHash>

namespace waferpair::pairing {

namespace {

constexpr const char* kNoComments[] = {""};
constexpr const char* kSlashes[] = {"//"};
constexpr const char* kHash[] = {"#"};
constexpr const char* kDashes[] = {"--"};

using Comments = std::span<const char* const>;

// clang-format off
constexpr LanguageFamily kPlain{"plain", Comments(kNoComments, 0), "", "", "", "", false, false, false, false};
constexpr LanguageFamily kC{"c", kSlashes, "/*", "*/", "\"'", "", false, false, false, false};
constexpr LanguageFamily kPython{"python", kHash, "", "", "\"'", "", true, false, true, false};
constexpr LanguageFamily kGo{"go", kSlashes, "/*", "*/", "\"'", "`", false, false, false, false};
constexpr LanguageFamily kScript{"javascript", kSlashes, "/*", "*/", "\"'", "`", false, false, false, true};
constexpr LanguageFamily kRust{"rust", kSlashes, "/*", "*/", "\"'", "", false, true, false, false};
constexpr LanguageFamily kJava{"java", kSlashes, "/*", "*/", "\"'", "", true, false, false, false};
constexpr LanguageFamily kBraces{"braces", kSlashes, "/*", "*/", "\"'", "", false, false, false, false};
constexpr LanguageFamily kShell{"shell", kHash, "", "", "\"'", "", false, false, false, false};
constexpr LanguageFamily kRuby{"ruby", kHash, "", "", "\"'", "", false, false, true, false};
constexpr LanguageFamily kIndented{"yaml", kHash, "", "", "\"'", "", false, false, true, false};
constexpr LanguageFamily kSql{"sql", kDashes, "/*", "*/", "\"'", "", false, false, false, false};
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
      {"C#", &kBraces},
      {"Dart", &kBraces},
      {"D", &kBraces},
      {"Swift", &kBraces},
      {"PHP/PHP", &kBraces},
      {"Zig", &kBraces},
      {"CSS", &kBraces},
      {"SCSS", &kBraces},
      {"JSON", &kBraces},
      {"Bash", &kShell},
      {"Zsh", &kShell},
      {"CMake", &kShell},
      {"Makefile", &kShell},
      {"Perl", &kShell},
      {"R Script", &kShell},
      {"TOML", &kShell},
      {"Ruby", &kRuby},
      {"YAML", &kIndented},
      {"SQL", &kSql},
      {"Lua", &kSql},
      {"Haskell", &kSql},
  };
  return *families.value(language, &kPlain);
}

}  // namespace waferpair::pairing
