// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/pairs.h"

#include <QHash>
#include <QSet>
#include <algorithm>

#include "editor/text/word_byte.h"

namespace waferpair::editor {

namespace {

constexpr char kBrackets[] = "([{";
constexpr char kClosingBrackets[] = ")]}";

using Languages = QSet<QString>;

// Here an apostrophe is mostly one, or begins a name, a label, a quoted form or a transposition.
bool hasApostrophes(const QString& language) {
  static const Languages kSuch = {
      {},
      QStringLiteral("Ada"),
      QStringLiteral("AsciiDoc"),
      QStringLiteral("BibTeX"),
      QStringLiteral("Clojure"),
      QStringLiteral("Common Lisp"),
      QStringLiteral("ConTeXt"),
      QStringLiteral("Diff"),
      QStringLiteral("Email"),
      QStringLiteral("Erlang"),
      QStringLiteral("F#"),
      QStringLiteral("FSharp"),
      QStringLiteral("Gherkin"),
      QStringLiteral("HTML"),
      QStringLiteral("Haskell"),
      QStringLiteral("LaTeX"),
      QStringLiteral("Literate Haskell"),
      QStringLiteral("MATLAB"),
      QStringLiteral("Markdown"),
      QStringLiteral("MediaWiki"),
      QStringLiteral("Objective Caml"),
      QStringLiteral("Objective Caml Ocamllex"),
      QStringLiteral("Octave"),
      QStringLiteral("Org Mode"),
      QStringLiteral("Racket"),
      QStringLiteral("Rust"),
      QStringLiteral("SML"),
      QStringLiteral("Standard ML"),
      QStringLiteral("Scilab"),
      QStringLiteral("SystemVerilog"),
      QStringLiteral("Tcl/Tk"),
      QStringLiteral("Texinfo"),
      QStringLiteral("Typst"),
      QStringLiteral("VBScript"),
      QStringLiteral("VHDL"),
      QStringLiteral("Verilog"),
      QStringLiteral("XML"),
      QStringLiteral("reStructuredText"),
      QStringLiteral("Scheme"),
  };
  return kSuch.contains(language);
}

bool isScript(const QString& language) {
  return language.startsWith(QLatin1String("JavaScript")) ||
         language.startsWith(QLatin1String("TypeScript"));
}

bool hasBackticks(const QString& language) {
  static const Languages kSuch = {QStringLiteral("Bash"),     QStringLiteral("D"),
                                  QStringLiteral("Go"),       QStringLiteral("Haskell"),
                                  QStringLiteral("Julia"),    QStringLiteral("Kotlin"),
                                  QStringLiteral("Markdown"), QStringLiteral("PHP/PHP"),
                                  QStringLiteral("Perl"),     QStringLiteral("R Script"),
                                  QStringLiteral("Ruby"),     QStringLiteral("SQL (MySQL)"),
                                  QStringLiteral("Scala"),    QStringLiteral("Swift"),
                                  QStringLiteral("Zsh"),      QStringLiteral("reStructuredText")};
  return kSuch.contains(language) || isScript(language);
}

bool hasTripleQuotes(const QString& language) {
  static const Languages kSuch = {
      QStringLiteral("C#"),      QStringLiteral("CoffeeScript"), QStringLiteral("Cython"),
      QStringLiteral("Dart"),    QStringLiteral("Elixir"),       QStringLiteral("Elm"),
      QStringLiteral("F#"),      QStringLiteral("FSharp"),       QStringLiteral("GDScript"),
      QStringLiteral("GraphQL"), QStringLiteral("Groovy"),       QStringLiteral("Java"),
      QStringLiteral("Julia"),   QStringLiteral("Kotlin"),       QStringLiteral("Nim"),
      QStringLiteral("Python"),  QStringLiteral("Scala"),        QStringLiteral("Swift"),
      QStringLiteral("TOML")};
  return kSuch.contains(language);
}

// Letters that belong to the quote behind them: f"", L"", u8"", and a template's tag.
bool isPrefixOfQuote(const QByteArray& word, char quote, const QString& language) {
  using Words = QSet<QByteArray>;
  static const Words kPython = {"f", "r", "b", "u", "t", "rb", "br", "fr", "rf", "tr", "rt"};
  static const Words kCpp = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};
  static const Words kRust = {"b", "r", "br", "c", "cr"};
  static const Words kSql = {"N", "E", "B", "X"};
  static const Languages kAnyWord = {QStringLiteral("Julia"), QStringLiteral("Nim"),
                                     QStringLiteral("Scala")};
  static const QHash<QString, Words> kByLanguage = {{QStringLiteral("C"), kCpp},
                                                    {QStringLiteral("C++"), kCpp},
                                                    {QStringLiteral("CUDA"), kCpp},
                                                    {QStringLiteral("Cython"), kPython},
                                                    {QStringLiteral("D"), {"r", "q", "x"}},
                                                    {QStringLiteral("Dart"), {"r"}},
                                                    {QStringLiteral("ISO C++"), kCpp},
                                                    {QStringLiteral("Objective-C"), kCpp},
                                                    {QStringLiteral("Objective-C++"), kCpp},
                                                    {QStringLiteral("Python"), kPython},
                                                    {QStringLiteral("R Script"), {"r", "R"}},
                                                    {QStringLiteral("Rust"), kRust}};
  if (quote == '`') return isScript(language);
  if (language.startsWith(QLatin1String("SQL")))
    return quote == '\'' && kSql.contains(word.toUpper());
  if (quote == '"' && kAnyWord.contains(language)) return true;
  const Words prefixes = kByLanguage.value(language);
  return prefixes.contains(word) ||
         (language == QLatin1String("Python") && prefixes.contains(word.toLower()));
}

QByteArray wordAtEnd(const QByteArray& text) {
  qsizetype start = text.size();
  while (start > 0 && isWordByte(text[start - 1])) --start;
  return text.mid(start);
}

// Only where what stands right of it would not become part of what is opened.
bool mayCloseBefore(const PairPlace& place) {
  if (place.after.isEmpty() || place.closerFollows) return true;
  const char next = place.after.front();
  return isBlankByte(next) || QByteArrayView(";:.,=}])>").contains(next);
}

QByteArray quoteCloserFor(char quote, const PairPlace& place) {
  if (place.kind != TextKind::kCode) return {};
  if (quote == '\'' && hasApostrophes(place.language)) return {};
  if (quote == '`' && !hasBackticks(place.language)) return {};
  const QByteArray two(2, quote);
  if (place.before.endsWith(two)) {
    const bool third = !place.before.chopped(2).endsWith(quote);
    return third && quote != '`' && hasTripleQuotes(place.language) ? two + quote : QByteArray();
  }
  if (place.before.endsWith(quote) || place.before.endsWith('\\')) return {};
  const QByteArray word = wordAtEnd(place.before);
  if (!word.isEmpty() && !isPrefixOfQuote(word, quote, place.language)) return {};
  // Behind a bracket it is a transposition.
  const bool isBehindBracket = place.before.endsWith(')') || place.before.endsWith(']');
  if (quote == '\'' && isBehindBracket && place.language == QLatin1String("Julia")) return {};
  return QByteArray(1, quote);
}

}  // namespace

bool isQuoteByte(char c) { return c == '"' || c == '\'' || c == '`'; }

char closerOf(char opener) {
  if (isQuoteByte(opener)) return opener;
  const char* const at = std::find(kBrackets, kBrackets + 3, opener);
  return at == kBrackets + 3 ? '\0' : kClosingBrackets[at - kBrackets];
}

QByteArray closerFor(char typed, const PairPlace& place) {
  const char closer = closerOf(typed);
  if (closer == '\0' || !mayCloseBefore(place)) return {};
  if (isQuoteByte(typed)) return quoteCloserFor(typed, place);
  // The character literal of a bracket: '('.
  if (place.before.endsWith('\'') && place.after.startsWith('\'')) return {};
  return QByteArray(1, closer);
}

qsizetype closersTaken(const QByteArray& before, const QByteArray& text,
                       const QByteArray& closers) {
  const QByteArray all = before + text;
  QByteArray open;  // what closes each of those that were opened in `all`
  qsizetype taken = 0;
  for (qsizetype i = 0; i < all.size() && taken < closers.size(); ++i) {
    const char c = all[i];
    const bool inString = open.isEmpty() ? isQuoteByte(closers[taken]) : isQuoteByte(open.back());
    if (inString && c == '\\') {
      ++i;
    } else if (open.isEmpty() && c == closers[taken]) {
      if (i >= before.size()) ++taken;
    } else if (!open.isEmpty() && c == open.back()) {
      open.chop(1);
    } else if (!inString && closerOf(c) != '\0') {
      open += closerOf(c);
    }
  }
  return taken;
}

}  // namespace waferpair::editor
