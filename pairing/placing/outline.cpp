// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/outline.h"

#include <QRegularExpression>
#include <algorithm>

#include "editor/text/indentation.h"
#include "pairing/placing/brace_outline.h"

namespace waferpair::pairing {
namespace {

constexpr int kColumnsOfTab = 4;

int columnsAt(const CodeText& text, int line) {
  return editor::columnsOf(editor::leadingBlanks(text.line(line).toByteArray()), kColumnsOfTab);
}

bool isBlank(const CodeText& text, int line) { return text.tokens(line).empty(); }

bool isComment(const CodeText& text, int line) {
  return !isBlank(text, line) && text.tokens(line).front().region == Region::kComment;
}

// A line that begins a statement: not within a string or brackets, nor behind a backslash.
std::vector<bool> statementLines(const CodeText& text) {
  std::vector<bool> begins(static_cast<std::size_t>(text.lineCount()), true);
  int depth = 0;
  bool goesOn = false;
  for (int line = 0; line < text.lineCount(); ++line) {
    const auto tokens = text.tokens(line);
    const bool inString = !tokens.empty() && tokens.front().region == Region::kString && line > 0 &&
                          tokens.front().start > 0 && text.view(tokens.front()) != "\"" &&
                          text.view(tokens.front()) != "'" &&
                          text.view(tokens.front()) != "\"\"\"" &&
                          text.view(tokens.front()) != "'''";
    begins[static_cast<std::size_t>(line)] = depth == 0 && !goesOn && !inString;
    char last = '\0';
    for (const Token& token : tokens) {
      if (token.region == Region::kComment) break;
      last = '\0';
      if (token.region != Region::kCode || token.kind != TokenKind::kMark) continue;
      last = text.bytes()[token.start];
      if (last == '(' || last == '[' || last == '{') ++depth;
      if (last == ')' || last == ']' || last == '}') depth = std::max(0, depth - 1);
    }
    if (!tokens.empty()) goesOn = last == '\\';
  }
  return begins;
}

struct Head {
  Outlined::Kind kind;
  QByteArray name;
};

std::optional<Head> indentedHead(const QByteArray& line, bool ruby, bool inFunction) {
  static const QRegularExpression function(
      QStringLiteral(R"(^\s*(?:async\s+)?def\s+(?:self\.)?([\w?!=]+))"));
  static const QRegularExpression type(QStringLiteral(R"(^\s*(?:class|module)\s+([\w:]+))"));
  static const QRegularExpression value(
      QStringLiteral(R"(^\s*([A-Za-z_]\w*)\s*(?::\s*[^=]+)?=(?!=))"));
  const QString text = QString::fromUtf8(line);
  if (const auto found = function.match(text); found.hasMatch())
    return Head{Outlined::Kind::kFunction, found.captured(1).toUtf8()};
  if (const auto found = type.match(text); found.hasMatch())
    return Head{Outlined::Kind::kType, found.captured(1).toUtf8()};
  if (ruby || inFunction) return {};
  if (const auto found = value.match(text); found.hasMatch())
    return Head{Outlined::Kind::kValue, found.captured(1).toUtf8()};
  return {};
}

// By indentation: Python and Ruby.
QVector<Outlined> indentedOutline(const CodeText& text) {
  const bool ruby = !text.family().tripleQuotes;
  const std::vector<bool> begins = statementLines(text);
  const auto isStatement = [&](int line) {
    return begins[static_cast<std::size_t>(line)] && !isBlank(text, line) && !isComment(text, line);
  };
  QVector<Outlined> found;
  int attributes = -1;  // the first of the decorators that stand right above
  for (int line = 0; line < text.lineCount(); ++line) {
    if (!isStatement(line)) continue;
    const QByteArray here = text.line(line).toByteArray();
    if (here.trimmed().startsWith('@') && !ruby) {
      if (attributes < 0) attributes = line;
      continue;
    }
    const int first = std::exchange(attributes, -1);
    const int columns = columnsAt(text, line);
    int parent = static_cast<int>(found.size()) - 1;
    while (parent >= 0 &&
           (found[parent].last < line || found[parent].kind == Outlined::Kind::kValue))
      --parent;
    const bool inFunction = parent >= 0 && found[parent].kind == Outlined::Kind::kFunction;
    const auto head = indentedHead(here, ruby, inFunction);
    if (!head) continue;
    // A value in a block that no class makes is none of the file.
    if (head->kind == Outlined::Kind::kValue && columns > 0 && parent < 0) continue;
    Outlined entry;
    entry.kind = head->kind;
    entry.name = head->name;
    entry.head = line;
    entry.attributes = first >= 0 ? first : line;
    entry.columns = columns;
    entry.parent = parent;
    entry.body = line;
    while (entry.body + 1 < text.lineCount() && !begins[static_cast<std::size_t>(entry.body + 1)])
      ++entry.body;
    entry.last = entry.body;
    for (int next = entry.body + 1; next < text.lineCount(); ++next) {
      if (isBlank(text, next)) continue;
      const bool deeper = columnsAt(text, next) > columns;
      if (!begins[static_cast<std::size_t>(next)] || deeper) {
        if (entry.kind == Outlined::Kind::kValue) break;
        entry.last = next;
        entry.hasBody = true;
        continue;
      }
      const bool ends = ruby && columnsAt(text, next) == columns &&
                        text.line(next).trimmed() == QByteArrayView("end");
      if (ends) entry.last = next;
      if (ends || !isComment(text, next)) break;
    }
    for (int at = entry.head; at <= entry.body; ++at)
      entry.headText += text.line(at).toByteArray().simplified() + ' ';
    found.append(entry);
  }
  return found;
}

// Functions of shells: "name() {" or "function name {", up to the brace that is indented as they
// are.
QVector<Outlined> shellOutline(const CodeText& text) {
  static const QRegularExpression head(QStringLiteral(
      R"(^\s*(?:function\s+([\w:.-]+)\s*(?:\(\s*\))?|([\w:.-]+)\s*\(\s*\))\s*(\{.*)?$)"));
  QVector<Outlined> found;
  for (int line = 0; line < text.lineCount(); ++line) {
    if (isBlank(text, line) || isComment(text, line)) continue;
    const auto match = head.match(QString::fromUtf8(text.line(line)));
    if (!match.hasMatch()) continue;
    Outlined entry;
    entry.name = (match.captured(1) + match.captured(2)).toUtf8();
    entry.attributes = entry.head = entry.body = line;
    entry.columns = columnsAt(text, line);
    const bool opens = match.captured(3).startsWith(u'{');
    if (!opens) ++entry.body;  // the brace stands on a line of its own
    if (!opens && (entry.body >= text.lineCount() || text.line(entry.body).trimmed() != "{"))
      continue;
    entry.last = entry.body;
    if (!match.captured(3).trimmed().endsWith(u'}')) {
      const auto ends = [&](int at) {
        return columnsAt(text, at) == entry.columns && text.line(at).trimmed() == "}";
      };
      bool hasDocument = false;  // in which a brace may stand anywhere
      do {
        hasDocument = hasDocument || text.line(entry.last).contains(QByteArrayView("<<"));
        ++entry.last;
      } while (entry.last < text.lineCount() && !ends(entry.last));
      if (hasDocument || entry.last == text.lineCount()) continue;
    }
    entry.hasBody = entry.last > entry.body;
    entry.headText = text.line(line).toByteArray().simplified();
    for (int i = static_cast<int>(found.size()) - 1; i >= 0 && entry.parent < 0; --i)
      if (found[i].last >= entry.last) entry.parent = i;
    found.append(entry);
  }
  return found;
}

// The comments right above, indented as it is.
int commentsAbove(const CodeText& text, const Outlined& entry) {
  int first = entry.attributes;
  while (first > 0 && isComment(text, first - 1) &&
         columnsAt(text, first - 1) / 2 == columnsAt(text, entry.attributes) / 2)
    --first;
  return first;
}

}  // namespace

QVector<Outlined> outlineOf(const CodeText& text) {
  const LanguageFamily& family = text.family();
  QVector<Outlined> found = family.shell      ? shellOutline(text)
                            : family.indented ? indentedOutline(text)
                                              : braceOutline(text);
  // What comes behind the last line end is no line unless it holds something.
  const int most = text.lineCount() - 1 - (text.line(text.lineCount() - 1).isEmpty() ? 1 : 0);
  for (Outlined& entry : found) {
    entry.last = std::max(entry.head, std::min(entry.last, most));
    entry.body = std::max(entry.head, std::min(entry.body, most));
    entry.comments = commentsAbove(text, entry);
    entry.columns = columnsAt(text, entry.head);
  }
  return found;
}

}  // namespace waferpair::pairing
