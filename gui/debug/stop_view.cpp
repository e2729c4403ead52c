// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/stop_view.h"

#include <QFileInfo>
#include <QHash>
#include <QRegularExpression>
#include <algorithm>

#include "editor/layers/line_notes.h"
#include "editor/layers/stop_marks.h"
#include "editor/view/announce.h"
#include "editor/view/word.h"
#include "gui/debug/debug_runner.h"
#include "gui/documents/editor_tabs.h"
#include "gui/workbench/language_guide.h"
#include "workbench/debug/variables_model.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::LineNote;
using editor::StopMarks;
using workbench::DebugSession;
using workbench::StackFrame;
using workbench::Variable;

namespace {

using Sci = QsciScintillaBase;

constexpr int kMostLinesWithValues = 200;  // above the one where it stands
constexpr qsizetype kMostOfNote = 60;      // UTF-16 units of a value
constexpr qsizetype kMostNotes = 6;        // names of a line
constexpr qsizetype kMostOfHoverValue = 2000;
constexpr qint64 kLongestLine = 4096;  // bytes: in longer ones nobody looks for names

// Returns whether a function may begin in this line: values of names above are of others.
bool beginsFunction(const QByteArray& line) {
  static const QRegularExpression begins(
      QStringLiteral("^\\s*(async\\s+|pub\\s+|export\\s+|static\\s+)*(def|fn|func|function)\\b"));
  if (begins.match(QString::fromUtf8(line)).hasMatch()) return true;
  const bool isAtMargin = !line.isEmpty() && line[0] != ' ' && line[0] != '\t';
  return isAtMargin && !QByteArrayView("{}()#/*").contains(line[0]);
}

QString shortened(QString value) {
  value = value.simplified();
  return value.size() > kMostOfNote ? value.left(kMostOfNote - 1) + QChar(0x2026) : value;
}

}  // namespace

StopView::StopView(const DebugParts& parts, DebugRunner* runner,
                   workbench::VariablesModel* variables, QObject* parent)
    : QObject(parent), p_(parts), runner_(runner), variables_(variables) {
  connect(runner_, &DebugRunner::sessionChanged, this, [this] {
    connect(runner_->session(), &DebugSession::frameChanged, this, &StopView::follow);
  });
  connect(runner_, &DebugRunner::stateChanged, this, [this] {
    if (!runner_->isStopped()) clear();
  });
  connect(variables_, &workbench::VariablesModel::localsChanged, this, &StopView::showValues);
  p_.guide->setFirst([this](Document* document, qint64 offset, const auto& tell) {
    tellValue(document, offset, tell);
  });
}

void StopView::clear() {
  if (!shown_) return;
  StopMarks::of(shown_->editor())->setPlace(-1);
  shown_->editor()->lineNotes()->setValues({});
  shown_ = nullptr;
  line_ = -1;
}

void StopView::follow() {
  const DebugSession* session = runner_->session();
  if (!session || !session->currentFrame()) return clear();
  show();
}

void StopView::show() {
  const DebugSession* session = runner_->session();
  const StackFrame frame = *session->currentFrame();
  if (frame.path.isEmpty() || !QFileInfo(frame.path).isFile()) {
    clear();
    Q_EMIT textless();
    return;
  }
  const Document* front = p_.tabs->current();
  const bool hasKeyboard = front && front->editor()->hasFocus();
  Document* document = p_.tabs->openFile(frame.path, hasKeyboard);
  if (!document) return;  // the tabs have told why
  if (shown_ != document) clear();
  shown_ = document;
  CodeEditor* editor = document->editor();
  line_ = std::min(frame.line, editor->lineCount() - 1);
  StopMarks::of(editor)->setShown(true);
  StopMarks::of(editor)->setPlace(line_, session->currentFrameIndex() == 0
                                             ? StopMarks::Place::kHere
                                             : StopMarks::Place::kCaller);
  // What is in sight is not scrolled: steps go on below one another.
  const long row = editor->sci(Sci::SCI_VISIBLEFROMDOCLINE, editor::word(line_));
  const long first = editor->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  const long rows = editor->sci(Sci::SCI_LINESONSCREEN);
  if (row < first + 1 || row > first + rows - 2) {
    editor->goToLine(line_);
  } else {
    const qint64 start = editor->lineStart(line_);
    editor->setSelection(start, start);
  }
  editor::announce(
      editor,
      tr("Stopped %1, %2 line %3").arg(session->reason(), document->title()).arg(line_ + 1));
  showValues();
}

// Names in the lines of the function, up to the one where it stands.
void StopView::showValues() {
  if (!shown_ || line_ < 0 || !runner_->isStopped()) return;
  CodeEditor* editor = shown_->editor();
  QHash<QString, QString> values;
  for (const Variable& each : variables_->locals())
    if (!each.value.isEmpty()) values.insert(each.name, each.value);
  QVector<LineNote> notes;
  static const QRegularExpression name(QStringLiteral("[\\p{L}_$][\\p{L}\\p{N}_$]*"));
  const int last = std::min(line_, editor->lineCount() - 1);
  for (int line = last; line >= 0 && line > last - kMostLinesWithValues; --line) {
    const qint64 start = editor->lineStart(line);
    if (editor->lineEnd(line) - start > kLongestLine) continue;
    const QByteArray bytes = editor->lineText(line);
    const QString text = QString::fromUtf8(bytes);
    QStringList found, told;
    auto matches = name.globalMatch(text);
    while (matches.hasNext() && told.size() < kMostNotes) {
      const auto match = matches.next();
      const QString word = match.captured();
      // A member of something else has the name only.
      const bool isMember = match.capturedStart() > 0 &&
                            (text[match.capturedStart() - 1] == u'.' ||
                             text.mid(match.capturedStart() - 2, 2) == QLatin1String("->"));
      if (isMember || found.contains(word) || !values.contains(word)) continue;
      const qint64 at = start + text.left(match.capturedStart()).toUtf8().size();
      if (editor->kindAt(at) != editor::TextKind::kCode) continue;
      found.append(word);
      told.append(word + QStringLiteral(" = ") + shortened(values.value(word)));
    }
    if (!told.isEmpty()) notes.prepend({start, told.join(QStringLiteral(", "))});
    if (beginsFunction(bytes)) break;
  }
  editor->lineNotes()->setValues(notes);
}

// -- Under the mouse

QString StopView::expressionAt(Document* document, qint64 offset) {
  CodeEditor* editor = document->editor();
  const auto selection = selectionOf(editor);
  if (editor->hasSelection() && offset >= selection.start && offset <= selection.end)
    return QString::fromUtf8(editor->selectedText()).simplified();
  if (editor->kindAt(offset) != editor::TextKind::kCode) return {};
  const int line = editor->lineAt(offset);
  const qint64 start = editor->lineStart(line);
  if (editor->lineEnd(line) - start > kLongestLine) return {};
  const QString text = QString::fromUtf8(editor->lineText(line));
  const qsizetype at = QString::fromUtf8(editor->textRange(start, offset)).size();
  const auto isOfName = [](QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'$'; };
  qsizetype from = at, to = at;
  while (to < text.size() && isOfName(text[to])) ++to;
  while (from > 0 && isOfName(text[from - 1])) --from;
  if (from == to) return {};
  // And what it is a member of.
  for (;;) {
    qsizetype before = from;
    if (before >= 1 && text[before - 1] == u'.') {
      before -= 1;
    } else if (before >= 2 && (text.mid(before - 2, 2) == QLatin1String("->") ||
                               text.mid(before - 2, 2) == QLatin1String("::"))) {
      before -= 2;
    } else {
      break;
    }
    qsizetype begin = before;
    while (begin > 0 && isOfName(text[begin - 1])) --begin;
    if (begin == before) break;
    from = begin;
  }
  const QString found = text.mid(from, to - from);
  return found[0].isDigit() ? QString() : found;
}

void StopView::tellValue(Document* document, qint64 offset,
                         const std::function<void(const QString& markdown)>& tell) {
  DebugSession* session = runner_->session();
  const StackFrame* frame = session ? session->currentFrame() : nullptr;
  if (!frame) return tell({});
  const QString expression = expressionAt(document, offset);
  if (expression.isEmpty()) return tell({});
  const bool hovers = session->can(QStringLiteral("supportsEvaluateForHovers"));
  session->evaluate(expression, hovers ? QStringLiteral("hover") : QStringLiteral("watch"),
                    [tell, expression](const Variable& value, const QString& wrong) {
                      if (!wrong.isEmpty()) return tell({});
                      const QString type =
                          value.type.isEmpty() ? QString() : QStringLiteral(": ") + value.type;
                      // A fence longer than any that is in it.
                      tell(QStringLiteral("~~~~~~~~\n%1%2 = %3\n~~~~~~~~")
                               .arg(expression, type, value.value.left(kMostOfHoverValue)));
                    });
}

}  // namespace waferpair::gui
