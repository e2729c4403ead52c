// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/error_forms.h"

namespace waferpair::pairing {

bool saysError(const QString& line) {
  static const QRegularExpression word(QStringLiteral(
      R"re(\b(error|ERROR|fatal|panicked|FAIL(ED|URE)?!?|Failure|\w*(Error|Exception))\b|^E\s|: \*\*\* )re"
      R"re(|\bundefined (reference|symbol)\b|\bmultiple definition of\b)re"));
  static const QRegularExpression mild(
      QStringLiteral(R"(\b(warning|WARNING|note|info|hint)\s*[:\[\]])"));
  return word.match(line).hasMatch() && !mild.match(line).hasMatch();
}

bool saysWarning(const QString& line) {
  static const QRegularExpression word(
      QStringLiteral(R"(\b(warning|WARNING)\b\s*[:\[\]]|: warning\b)"));
  return word.match(line).hasMatch();
}

Weight weightOf(const QString& message, const QString& line) {
  static const QRegularExpression lead(
      QStringLiteral(R"(^[^\w]*(?:(?:fatal|parse|syntax|compile)\s+)?)"
                     R"((error|warning|warn|note|info|hint|remark|help)\b(?!\s*=))"),
      QRegularExpression::CaseInsensitiveOption);
  if (const auto match = lead.match(message); match.hasMatch()) {
    const QString word = match.captured(1).toLower();
    if (word == QLatin1String("error")) return Weight::kError;
    return word.startsWith(QLatin1String("warn")) ? Weight::kWarning : Weight::kMild;
  }
  // flake8, pylint, ruff; RuboCop
  static const QRegularExpression code(QStringLiteral(R"(^([A-Z]{1,4})\d{3,5}\b|^([CRWEF]): )"));
  if (const auto match = code.match(message); match.hasMatch()) {
    const QString letters = match.captured(1) + match.captured(2);
    const bool isError = letters == QLatin1String("E") || letters == QLatin1String("F");
    return isError ? Weight::kError : Weight::kWarning;
  }
  if (saysError(line)) return Weight::kError;
  if (saysWarning(line)) return Weight::kWarning;
  static const QRegularExpression mild(QStringLiteral(R"(\b(note|info|hint|help)\s*[:\[])"));
  return mild.match(line).hasMatch() ? Weight::kMild : Weight::kUnknown;
}

const QVector<PlaceForm>& placeForms() {
  using Says = PlaceForm::Says;
  const auto form = [](const char* pattern, Says says) {
    return PlaceForm{QRegularExpression(QString::fromUtf8(pattern)), says};
  };
  static const QVector<PlaceForm> forms = {
      // Python and OCaml: the message is below the last frame.
      form(R"re(^\s*File "(?<path>[^"]+)", lines? (?<line>\d+)(?:-\d+)?)re"
           R"re((?:, characters (?<column>\d+)-\d+)?)re",
           Says::kBehind),
      // rustc, and others' like
      form(R"(^\s*--> (?<path>\S.*?):(?<line>\d+):(?<column>\d+))", Says::kBefore),
      // Terraform
      form(R"(^[\s│|]*on (?<path>\S.*?) line (?<line>\d+)(?:,|$))", Says::kBefore),
      // Qt Test
      form(R"(Loc: \[(?<path>.+?)\((?<line>\d+)\)\])", Says::kBefore),
      // LLD
      form(R"(^>>> (?:referenced|defined) (?:by|at|in) (?<path>[^\s:]\S*?):(?<line>\d+))",
           Says::kBefore),
      // Frames of JavaScript and Java
      form(R"(^\s+at (?:.*\()?(?:file://)?(?<path>[^():]+(?:\.\w+)):(?<line>\d+))"
           R"((?::(?<column>\d+))?\)?$)",
           Says::kBefore),
      // CMake
      form(R"(^CMake (?:\w+ )?(?:Error|Warning)(?: \(dev\))? (?:at|in) (?<path>.+?))"
           R"((?::(?<line>\d+)(?: \([^)]*\))?)?:?\s*$)",
           Says::kIndented),
      // Rust's panics
      form(R"(panicked at (?<path>[^\s'].*?):(?<line>\d+):(?<column>\d+):$)", Says::kNextLine),
      // Prettier and Babel
      form(R"re(^(?:\[(?:error|warn)\] |\w*Error: )(?<path>\S[^:]*): (?<message>.+?) )re"
           R"re(\((?<line>\d+):(?<column>\d+)\)\s*$)re",
           Says::kItself),
      // GNU ld, where nothing is known of lines
      form(R"re(^(?:\S*\bld(?:\.\w+)?: )?(?:\S+\.o: )?(?<path>[^\s:(][^:(]*):)re"
           R"re(\(\.[\w.$]+(?:\+0x[0-9a-f]+)?\): (?<message>(?:undefined reference to|multiple )re"
           R"re(definition of) [`'‘](?<symbol>[^'’]+)['’].*))re",
           Says::kItself),
  };
  return forms;
}

}  // namespace waferpair::pairing
