// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/editing_commands.h"

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <algorithm>
#include <climits>
#include <utility>

#include "editor/keys/auto_pairs.h"
#include "editor/text/next_line.h"
#include "editor/text/pairs.h"
#include "editor/text/word_blocks.h"
#include "editor/view/brace_match.h"
#include "editor/view/highlighter.h"
#include "editor/view/selections.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;
using KSyntaxHighlighting::CommentPosition;
using KSyntaxHighlighting::Definition;

constexpr qint64 kClosersSought = 512;  // bytes left of the caret
constexpr int kStatementsSought = 20;   // lines in which one part after another began

// Joins all edits of its lifetime into one undo step.
class OneUndoStep {
 public:
  explicit OneUndoStep(TextView* editor) : editor_(editor) {
    editor_->sci(Sci::SCI_BEGINUNDOACTION);
  }
  ~OneUndoStep() { editor_->sci(Sci::SCI_ENDUNDOACTION); }
  OneUndoStep(const OneUndoStep&) = delete;
  OneUndoStep& operator=(const OneUndoStep&) = delete;

 private:
  TextView* editor_;
};

void insertAt(TextView* editor, qint64 at, const QByteArray& text) {
  editor->SendScintilla(Sci::SCI_INSERTTEXT, static_cast<uintptr_t>(at), text.constData());
}

void removeAt(TextView* editor, qint64 at, qint64 length) {
  editor->sci(Sci::SCI_DELETERANGE, word(at), static_cast<long>(length));
}

// The lines of a span but the blank ones; all of them where all are.
QVector<int> linesToComment(const TextView& editor, const LineSpan& span) {
  QVector<int> lines;
  for (int line = span.first; line <= span.last; ++line)
    if (!editor.lineText(line).trimmed().isEmpty()) lines += line;
  if (!lines.isEmpty()) return lines;
  for (int line = span.first; line <= span.last; ++line) lines += line;
  return lines;
}

void toggleLineComment(TextView* editor, const QByteArray& marker, bool atLineStart) {
  const QVector<LineSpan> spans = selectedSpans(*editor);
  bool all = true;
  for (const LineSpan& span : spans)
    for (const int line : linesToComment(*editor, span))
      all = all && editor->lineText(line).trimmed().startsWith(marker);
  QVector<TextEdit> edits;
  for (const LineSpan& span : spans) {
    const QVector<int> lines = linesToComment(*editor, span);
    qint64 column = atLineStart ? 0 : LLONG_MAX;  // one for all of them
    for (const int line : lines)
      column = std::min<qint64>(column, leadingBlanks(editor->lineText(line)).size());
    for (const int line : lines) {
      const QByteArray text = editor->lineText(line);
      const qint64 blanks = leadingBlanks(text).size();
      const qint64 start = editor->lineStart(line);
      if (all) {
        const qint64 space = text.mid(blanks + marker.size()).startsWith(' ') ? 1 : 0;
        edits += TextEdit{start + blanks, start + blanks + marker.size() + space, {}};
      } else {
        edits += TextEdit{start + column, start + column, marker + ' '};
      }
    }
  }
  applyAroundSelections(editor, edits);
}

void toggleBlockComment(TextView* editor, const QByteArray& open, const QByteArray& close) {
  struct Block {
    qint64 from = 0;
    QByteArray text;
  };
  QVector<Block> blocks;
  bool all = true;
  for (const LineSpan& span : selectedSpans(*editor)) {
    const qint64 from =
        editor->lineStart(span.first) + leadingBlanks(editor->lineText(span.first)).size();
    const QByteArray text = editor->textRange(from, editor->lineEnd(span.last));
    all = all && text.startsWith(open) && text.endsWith(close) &&
          text.size() >= open.size() + close.size();
    blocks += Block{from, text};
  }
  QVector<TextEdit> edits;
  for (const auto& [from, text] : blocks) {
    const qint64 to = from + text.size();
    if (all) {
      const QByteArray inner = text.mid(open.size(), text.size() - open.size() - close.size());
      const int after = inner.endsWith(' ') ? 1 : 0;
      const int before = inner.startsWith(' ') && inner.size() > after ? 1 : 0;
      edits += TextEdit{from, from + open.size() + before, {}};
      edits += TextEdit{to - close.size() - after, to, {}};
    } else {
      edits += TextEdit{from, from, open + ' '};
      edits += TextEdit{to, to, ' ' + close};
    }
  }
  if (all) return applyAroundSelections(editor, edits);
  // Carets stay within the comment.
  const auto within = [&](qint64 place) {
    qint64 shift = 0;
    for (const auto& [from, text] : blocks) {
      if (from <= place) shift += open.size() + 1;
      if (from + text.size() < place) shift += close.size() + 1;
    }
    return place + shift;
  };
  QVector<Selection> selections = selectionsOf(*editor);
  for (Selection& selection : selections)
    selection = {within(selection.anchor), within(selection.caret)};
  applyAsStep(editor, edits, selections, mainSelection(*editor));
}

// A line without its comment.
QByteArray codeOf(TextView* editor, int line) {
  const qint64 start = editor->lineStart(line);
  const auto end = editor->highlighter()->codeEnd(static_cast<long>(editor->lineEnd(line)));
  return end.kind == TextKind::kCode && end.at > start ? editor->textRange(start, end.at).trimmed()
                                                       : QByteArray();
}

// The line in which what ends left of `at` began: a statement that was broken over several lines
// ends as deep as it began, and so does a block whose head was.
int statementLine(TextView* editor, qint64 at) {
  editor->highlightTo(at);  // styles decide what counts as a bracket
  int line = editor->lineAt(at);
  for (int looked = 0; looked < kStatementsSought; ++looked) {
    const qint64 start = editor->lineStart(line);
    const qint64 from = std::max(start, at - kClosersSought);
    const QByteArray text = editor->textRange(from, at);
    qint64 partner = -1;
    for (qsizetype i = text.size() - 1; i >= 0 && partner < 0; --i) {
      if (text[i] != ')' && text[i] != ']' && text[i] != '}') continue;
      partner = matchingBrace(*editor, from + i);
      if (partner >= start) partner = -1;
    }
    if (partner < 0) break;
    at = partner;
    line = editor->lineAt(partner);
  }
  return line;
}

// The line in which a whole statement that ends in `line` began, one of several operands or calls
// in a chain, too.
int wholeStatementLine(TextView* editor, int line) {
  for (int looked = 0; looked < kStatementsSought && line > 0; ++looked) {
    if (!continues(editor->lineText(line), editor->language()) &&
        !goesOn(codeOf(editor, line - 1), editor->language()))
      break;
    line = statementLine(editor, editor->lineEnd(line - 1));
  }
  return line;
}

QByteArray statementBlanks(TextView* editor, qint64 at) {
  return leadingBlanks(editor->lineText(statementLine(editor, at)));
}

// The code of the statement that ends left of `at`, in one line.
QByteArray statementCode(TextView* editor, qint64 at) {
  const int last = editor->lineAt(at);
  QByteArray code;
  for (int line = statementLine(editor, at); line <= last; ++line) {
    const qint64 start = editor->lineStart(line);
    const auto end = editor->highlighter()->codeEnd(
        static_cast<long>(line == last ? at : editor->lineEnd(line)));
    code += (code.isEmpty() ? QByteArray() : QByteArray(" ")) +
            editor->textRange(start, end.at).trimmed();
  }
  return code;
}

// The line of the nearest head of a statement that what ends in `line` is all of; `line` where
// there is none.
int headOf(TextView* editor, int line) {
  while (line > 0) {
    const qint64 above = editor->lineEnd(line - 1);
    const int head = statementLine(editor, above);
    const auto depth = [editor](int of) {
      return columnsOf(leadingBlanks(editor->lineText(of)), editor->indentation().width);
    };
    if (depth(head) >= depth(line) ||
        !isStatementHead(statementCode(editor, above), editor->language()))
      break;
    line = head;
  }
  return line;
}

// Returns the beginning of the line behind a break at `at`, in a line that begins at `start`.
QByteArray nextLineStart(TextView* editor, qint64 start, qint64 at) {
  const QByteArray line = editor->textRange(start, at);
  const QByteArray content = line.trimmed();
  const bool isEnd = content.startsWith('*') && content.endsWith("*/");
  if (isEnd || editor->kindAt(at) == TextKind::kComment) {
    const QByteArray begun = nextCommentLine(line);
    if (begun != leadingBlanks(line)) return begun;
  }
  const Highlighter::CodeEnd end = editor->highlighter()->codeEnd(static_cast<long>(at));
  const int first = statementLine(editor, end.at);
  const bool isOwn = editor->lineStart(first) == start;
  const QByteArray blanks = leadingBlanks(isOwn ? line : editor->lineText(first));
  if (end.kind != TextKind::kCode || end.at <= start) return blanks;
  const QByteArray code = statementCode(editor, end.at);
  if (code.endsWith(';')) {
    const int whole = wholeStatementLine(editor, first);
    return leadingBlanks(editor->lineText(headOf(editor, whole)));
  }
  if (code.endsWith('}')) return leadingBlanks(editor->lineText(headOf(editor, first)));
  return blanksBehind(blanks + code, editor->indentation(), editor->language());
}

// Returns whether the texts left and right of a place in a line are a pair of brackets that holds
// nothing.
bool isBetweenBrackets(const QByteArray& before, const QByteArray& after) {
  const QByteArray left = before.trimmed();
  const QByteArray right = after.trimmed();
  return !left.isEmpty() && !right.isEmpty() && !isQuoteByte(left.back()) &&
         closerOf(left.back()) == right.front();
}

}  // namespace

bool toggleComment(TextView* editor) {
  const Definition definition = syntaxRepository().definitionForName(editor->language());
  if (!definition.isValid()) return false;
  const QByteArray line = definition.singleLineCommentMarker().toUtf8();
  if (!line.isEmpty()) {
    toggleLineComment(editor, line,
                      definition.singleLineCommentPosition() == CommentPosition::StartOfLine);
    return true;
  }
  const auto block = definition.multiLineCommentMarker();
  if (block.first.isEmpty() || block.second.isEmpty()) return false;
  toggleBlockComment(editor, block.first.toUtf8(), block.second.toUtf8());
  return true;
}

void indentLines(TextView* editor, int levels) {
  const Indentation indentation = editor->indentation();
  QVector<TextEdit> edits;
  for (const LineSpan& span : selectedSpans(*editor)) {
    for (int line = span.first; line <= span.last; ++line) {
      const QByteArray text = editor->lineText(line);
      if (text.trimmed().isEmpty()) continue;
      const QByteArray old = leadingBlanks(text);
      const int columns =
          std::max(0, columnsOf(old, indentation.width) + levels * indentation.width);
      const QByteArray blanks = blanksFor(columns, indentation);
      if (blanks == old) continue;
      const qint64 start = editor->lineStart(line);
      // Only the difference is edited, so that a caret in the line keeps its place in the text.
      if (blanks.startsWith(old)) {
        edits += TextEdit{start + old.size(), start + old.size(), blanks.mid(old.size())};
      } else if (old.startsWith(blanks)) {
        edits += TextEdit{start + blanks.size(), start + old.size(), {}};
      } else {
        edits += TextEdit{start, start + old.size(), blanks};
      }
    }
  }
  if (!edits.isEmpty()) applyAroundSelections(editor, edits);
}

void selectNextOccurrence(TextView* editor) {
  const bool word = !editor->hasSelection();
  editor->sci(Sci::SCI_TARGETWHOLEDOCUMENT);
  editor->sci(Sci::SCI_SETSEARCHFLAGS, Sci::SCFIND_MATCHCASE | (word ? Sci::SCFIND_WHOLEWORD : 0));
  editor->sci(Sci::SCI_MULTIPLESELECTADDNEXT);
  editor->sci(Sci::SCI_SCROLLCARET);
}

qint64 breakLine(TextView* editor, Brackets brackets) {
  const QVector<Selection> selections = selectionsOf(*editor);
  qint64 indent = 0;
  QVector<CaretEdit> edits;
  for (const Selection& selection : selections) {
    const qint64 caret = selection.start();
    const qint64 start = editor->lineStart(editor->lineAt(caret));
    const QByteArray line = editor->textRange(start, caret);
    const qint64 lineEnd = editor->lineEnd(editor->lineAt(selection.end()));
    const QByteArray after = editor->textRange(selection.end(), lineEnd);
    // Blanks right of the caret would add to the new line's indentation.
    TextEdit edit{caret, selection.end() + leadingBlanks(after).size(), {}};
    if (line.trimmed().isEmpty() && !after.trimmed().isEmpty()) {
      // Before a line's text: that stays in its column, and the line before it empty.
      const QByteArray blanks = line + leadingBlanks(after);
      edit.start = start;
      edit.text = editor->lineEndBytes() + blanks;
      const qint64 to = start + editor->lineEndBytes().size() + line.size();
      edits += CaretEdit{{edit}, {to, to}};
      continue;
    }
    const QByteArray inner = nextLineStart(editor, start, caret);
    const AutoIndent put = selections.size() == 1 ? editor->autoIndent() : AutoIndent();
    if (put.isSet() && selection.isEmpty() && put.end() == caret && put.start() == start &&
        after.isEmpty())
      edit.start = start;
    edit.text = editor->lineEndBytes() + inner;
    const qint64 to = edit.start + edit.text.size();
    indent = inner.trimmed().isEmpty() ? inner.size() : 0;
    if (brackets == Brackets::kParted && isBetweenBrackets(line, after))
      edit.text += editor->lineEndBytes() + statementBlanks(editor, caret);
    edits += CaretEdit{{edit}, {to, to}};
  }
  return applyAtCarets(editor, edits) && edits.size() == 1 ? indent : 0;
}

bool unindentBeforeCaret(TextView* editor) {
  const qint64 caret = editor->caret();
  const int line = editor->lineAt(caret);
  if (caret > editor->sci(Sci::SCI_GETLINEINDENTPOSITION, word(line))) return false;
  const QByteArray before = editor->textRange(editor->lineStart(line), caret);
  if (before.isEmpty() || before.count(' ') != before.size()) return false;
  const int width = editor->indentation().width;
  const qint64 over = before.size() % width;
  const qint64 spaces = over > 0 ? over : width;
  removeAt(editor, caret - spaces, spaces);
  editor->sci(Sci::SCI_SCROLLCARET);
  editor->sci(Sci::SCI_CHOOSECARETX);
  return true;
}

void outdentClosingBracket(TextView* editor) {
  const qint64 bracket = editor->caret() - 1;
  if (bracket < 0) return;
  const int line = editor->lineAt(bracket);
  const qint64 start = editor->lineStart(line);
  const QByteArray before = editor->textRange(start, bracket);
  if (before.isEmpty() || !before.trimmed().isEmpty()) return;
  // Styles decide what counts as a bracket: the line must have its own first.
  editor->highlightTo(bracket + 1);
  const qint64 partner = matchingBrace(*editor, bracket);
  if (partner < 0) return;
  const QByteArray wanted = statementBlanks(editor, partner);
  if (wanted == before || editor->lineAt(partner) == line) return;
  OneUndoStep step(editor);
  removeAt(editor, start, before.size());
  insertAt(editor, start, wanted);
}

void alignClause(TextView* editor) {
  const qint64 caret = editor->caret();
  const int line = editor->lineAt(caret);
  if (caret != editor->lineEnd(line) || editor->kindAt(caret) == TextKind::kComment) return;
  const auto textOf = [editor](int at) { return editor->lineText(at); };
  const int to = lineToJoin(textOf, line, editor->indentation(), editor->language());
  if (to < 0) return;
  const qint64 start = editor->lineStart(line);
  const QByteArray before = leadingBlanks(editor->lineText(line));
  const QByteArray wanted = leadingBlanks(editor->lineText(to));
  if (wanted == before) return;
  applyAroundSelections(editor, {{start, start + before.size(), wanted}});
}

void alignBlockEnd(TextView* editor) {
  const qint64 caret = editor->caret();
  const int line = editor->lineAt(caret);
  const QString& language = editor->language();
  constexpr qint64 kMostOfLine = 200;  // bytes; a word or a tag and its blanks
  if (!hasWordBlocks(language) || line == 0 || caret != editor->lineEnd(line) ||
      caret - editor->lineStart(line) > kMostOfLine)
    return;
  const QByteArray content = editor->lineText(line).trimmed();
  if (content.isEmpty()) return;
  const bool isEnd = isBlockEnd(content, language);
  const QByteArray untilKey = content.chopped(1);
  if (!isEnd && (untilKey.endsWith(' ') || !isBlockEnd(untilKey, language))) return;
  // A word may have a string's color, as patterns of a shell have; a string of several lines does
  // not begin here.
  if (editor->kindAt(caret) == TextKind::kComment ||
      editor->kindAt(editor->lineStart(line)) == TextKind::kString)
    return;
  const auto textOf = [editor](int at) { return codeOf(editor, at); };
  const int block = lineOfBlock(textOf, line, language);
  if (block < 0) return;
  const qint64 start = editor->lineStart(line);
  const QByteArray before = leadingBlanks(editor->lineText(line));
  const QByteArray blockBlanks = leadingBlanks(editor->lineText(block));
  int above = line - 1;
  while (above > block && editor->lineText(above).trimmed().isEmpty()) --above;
  const QByteArray inner = nextLineStart(editor, editor->lineStart(above), editor->lineEnd(above));
  // Where somebody has put it otherwise, it stays.
  const bool isAsPut = isEnd ? before == inner || before == leadingBlanks(editor->lineText(above))
                             : before == blockBlanks;
  if (!isAsPut) return;
  const QByteArray wanted = isEnd ? blockBlanks : inner;
  if (wanted != before) applyAroundSelections(editor, {{start, start + before.size(), wanted}});
}

void alignContinuation(TextView* editor) {
  const qint64 sign = editor->caret() - 1;
  const int line = editor->caretLine();
  const qint64 start = editor->lineStart(line);
  const QByteArray before = editor->textRange(start, sign);
  // Blanks that somebody typed stay.
  if (line == 0 || editor->autoIndent().start() != start || editor->autoIndent().end() != sign ||
      sign + 1 != editor->lineEnd(line) || !before.trimmed().isEmpty())
    return;
  const QString& language = editor->language();
  const QByteArray above = codeOf(editor, line - 1);
  const bool isOpen = !above.isEmpty() && !QByteArrayView(";{},([:=").contains(above.back()) &&
                      !goesOn(above, language);
  const QByteArray first = editor->textRange(sign, sign + 1);
  const bool isSign = first == "&" || first == "|" ? continues(first + first, language)
                                                   : continues(first, language);
  if (!isOpen || !isSign) return;
  const qint64 end = editor->lineEnd(line - 1);
  const bool isContinued = continues(editor->lineText(line - 1), language);
  const int of = isContinued ? line - 1 : statementLine(editor, end);
  const QByteArray wanted =
      continuationBlanks(editor->lineText(of), editor->indentation(), language);
  if (wanted != before) applyAroundSelections(editor, {{start, sign, wanted}});
}

void outdentOpeningBrace(TextView* editor) {
  const qint64 caret = editor->caret();
  const int line = editor->lineAt(caret);
  const QByteArray before = editor->textRange(editor->lineStart(line), caret);
  if (!editor->hasOneCaret() || editor->hasSelection() || before.isEmpty() ||
      !editor->lineText(line).trimmed().isEmpty())
    return;
  if (editor->autoIndent().end() != caret || headOf(editor, line) == line) return;
  // The nearest one, where several stand in one another.
  const QByteArray wanted = statementBlanks(editor, editor->lineEnd(line - 1));
  applyAroundSelections(editor, {{caret - before.size(), caret, wanted}});
}

}  // namespace waferpair::editor
