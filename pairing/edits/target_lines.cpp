// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/target_lines.h"

#include <QRegularExpression>
#include <algorithm>
#include <optional>

#include "editor/text/indentation.h"

namespace waferpair::pairing {

using editor::Snapshot;

namespace {

constexpr int kTabWidth = 4;             // to compare indentations by
constexpr qint64 kMostLinesUp = 20'000;  // beyond them there is no block

class IndentedLines {
 public:
  explicit IndentedLines(const Snapshot& text) : text_(text) {}

  qint64 count() const { return text_.lineCount(); }
  QByteArray trimmed(qint64 line) const { return text_.line(line).trimmed(); }
  bool isBlank(qint64 line) const { return trimmed(line).isEmpty(); }
  int indent(qint64 line) const {
    return editor::columnsOf(editor::leadingBlanks(text_.line(line)), kTabWidth);
  }
  // "}", ")", "end": what ends a block, at its head's indentation.
  bool closes(qint64 line) const {
    static const QRegularExpression closing(
        QStringLiteral(R"(^([\]})]|end\b|fi\b|done\b|esac\b|</))"));
    return closing.match(QString::fromUtf8(trimmed(line))).hasMatch();
  }
  // A sign that opens a block alone on its line belongs to the head above it.
  bool isBareOpening(qint64 line) const {
    const QByteArray text = trimmed(line);
    return text == "{" || text == "begin" || text == "(";
  }
  // "public:" and "case 1:" say something of the lines below them, and are no heads.
  bool isLabel(qint64 line) const {
    static const QRegularExpression label(QStringLiteral(
        R"(^((public|private|protected|signals|default)\b.*|(Q_SIGNALS|Q_SLOTS)|case\b.*):$)"));
    return label.match(QString::fromUtf8(trimmed(line))).hasMatch();
  }
  // "else {" and the like go on with the block above them.
  bool goesOn(qint64 line) const {
    static const QRegularExpression between(
        QStringLiteral(R"(^\}?\s*(else|elif|elsif|elseif|catch|except|finally|rescue|ensure)\b)"));
    return between.match(QString::fromUtf8(trimmed(line))).hasMatch();
  }

 private:
  const Snapshot& text_;
};

bool isFunctionHead(const QByteArray& line) {
  static const QRegularExpression byWord(QStringLiteral(
      R"(\b(def|fn|func|fun|function|sub|proc|procedure|defun|method|constructor)\b)"));
  static const QRegularExpression control(QStringLiteral(
      R"(^\}?\s*(if|else|elif|for|foreach|while|switch|match|case|do|try|catch|except|finally|with|using|return|namespace|class|struct|union|enum|interface|trait|impl|module|extern|mod|type|loop|unless|until|synchronized|select)\b)"));
  static const QRegularExpression call(QStringLiteral(R"([\w\]>~=+\-*/]\s*\()"));
  const QString text = QString::fromUtf8(line);
  if (byWord.match(text).hasMatch()) return true;
  return !control.match(text).hasMatch() && call.match(text).hasMatch() && !text.endsWith(u';');
}

// The line that a block begins with whose body is deeper than its head; none where it is no head.
std::optional<qint64> headFrom(const IndentedLines& lines, qint64 line) {
  const int indent = lines.indent(line);
  // Heads that go over several lines have their last one, or their "{", at the indentation of the
  // first.
  while (line > 0 && (lines.isBareOpening(line) || lines.closes(line) || lines.goesOn(line))) {
    --line;
    while (line > 0 && (lines.isBlank(line) || lines.indent(line) > indent)) --line;
    if (lines.indent(line) < indent) return std::nullopt;
  }
  return line;
}

qint64 lastLineOf(const IndentedLines& lines, qint64 head) {
  const int indent = lines.indent(head);
  qint64 last = head;
  for (qint64 line = head + 1; line < lines.count(); ++line) {
    if (lines.isBlank(line)) continue;
    const bool isInside = lines.indent(line) > indent;
    const bool belongs = lines.indent(line) == indent &&
                         (lines.isBareOpening(line) || lines.closes(line) || lines.goesOn(line));
    if (!isInside && !belongs) break;
    last = line;
    // A block that has ended here, unless it goes on in the same line.
    if (belongs && lines.closes(line) && !lines.goesOn(line) &&
        !lines.trimmed(line).endsWith('{') && !lines.trimmed(line).endsWith(':'))
      break;
  }
  return last;
}

std::optional<LineRange> blockAround(const Snapshot& text, qint64 caret) {
  const IndentedLines lines(text);
  qint64 line = text.lineAt(caret);
  while (line > 0 && lines.isBlank(line)) --line;
  const qint64 at = text.lineAt(caret);
  std::optional<LineRange> innermost;
  // From the caret's own line on, which may be a head, to heads that are less and less indented.
  int within = lines.indent(line) + 1;
  const qint64 least = std::max<qint64>(0, line - kMostLinesUp);
  for (; line >= least; --line) {
    if (lines.isBlank(line) || lines.isLabel(line) || lines.indent(line) >= within) continue;
    within = lines.indent(line);
    const std::optional<qint64> head = headFrom(lines, line);
    if (!head) continue;
    const LineRange block{*head, lastLineOf(lines, *head) - *head + 1};
    if (block.count < 2 || block.end() <= at) continue;
    if (isFunctionHead(lines.trimmed(*head))) return block;
    if (!innermost) innermost = block;
  }
  return innermost;
}

}  // namespace

Target targetAt(const Snapshot& text, qint64 anchor, qint64 caret) {
  if (anchor != caret) {
    const auto [start, end] = std::minmax(anchor, caret);
    const qint64 first = text.lineAt(start);
    qint64 last = text.lineAt(end);
    if (last > first && text.lineStart(last) == end) --last;
    return {Target::Kind::kSelection, {first, last - first + 1}};
  }
  if (const auto block = blockAround(text, caret)) return {Target::Kind::kBlock, *block};
  return {Target::Kind::kText, {0, text.lineCount()}};
}

}  // namespace waferpair::pairing
