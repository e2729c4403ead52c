// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/comparison.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "editor/layers/change_marks.h"
#include "editor/layers/margin_words.h"
#include "editor/text/line_ends.h"
#include "editor/text/size_text.h"
#include "editor/view/word.h"
#include "gui/documents/comparison_gap.h"
#include "gui/documents/comparison_header.h"

namespace waferpair::gui {
namespace {

using editor::ChangedLines;
using editor::ChangeMark;
using editor::CodeEditor;
using Sci = QsciScintillaBase;

// Long enough that fast typing is compared once.
constexpr std::chrono::milliseconds kPause(120);

constexpr double kRest = 1.0 / 3;  // of the view's height

void dressReader(const Document* document, CodeEditor* view) {
  document->dress(view);
  view->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);  // it would hide the ground of a change
}

CodeEditor* makeReader(Document* document, const QString& name, QWidget* parent) {
  auto* view = new CodeEditor(parent);
  dressReader(document, view);
  view->setAccessibleName(name);
  view->sci(Sci::SCI_SETREADONLY, 1);
  return view;
}

// Replaces what is different in a view that is only read; its place stays as it is.
void showText(CodeEditor* view, const editor::Snapshot& before, const editor::Snapshot& after) {
  const editor::TextEdit edit = editor::differingRange(before, after);
  if (edit.start == edit.end && edit.text.isEmpty()) return;
  view->sci(Sci::SCI_SETREADONLY, 0);
  view->replaceRange(edit.start, edit.end, edit.text);
  view->sci(Sci::SCI_EMPTYUNDOBUFFER);
  view->sci(Sci::SCI_SETREADONLY, 1);
}

QVector<editor::ByteRange> moved(QVector<editor::ByteRange> ranges, qint64 by) {
  for (editor::ByteRange& range : ranges) range = {range.start + by, range.end + by};
  return ranges;
}

// Of two texts, in whose ends no word differs.
editor::WordChanges wordsOf(const QByteArray& before, const QByteArray& after) {
  editor::WordChanges words = editor::wordDiff(editor::withLf(before), editor::withLf(after));
  const auto place = [](const QByteArray& text, QVector<editor::ByteRange>* ranges) {
    if (!text.contains("\r\n")) return;
    // Each CRLF so far is a byte more than what was compared.
    qint64 at = 0;
    qint64 plain = 0;
    const auto inText = [&](qint64 offset) {
      for (; plain < offset; ++plain)
        at += text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
      return at;
    };
    for (editor::ByteRange& range : *ranges) {
      const qint64 start = inText(range.start);
      range = {start, inText(range.end)};
    }
  };
  place(before, &words.before);
  place(after, &words.after);
  return words;
}

// "CRLF | LF"; empty where both have the same, or one has none.
QString differentEnds(const editor::Snapshot& before, const editor::Snapshot& after) {
  const auto name = [](const editor::Snapshot& text) {
    editor::LineEndCounter ends;
    text.read(0, text.size(), [&ends](QByteArrayView piece) {
      ends.feed(QByteArray::fromRawData(piece.data(), piece.size()));
    });
    ends.finish();
    if (ends.isMixed()) return Comparison::tr("mixed");
    return ends.count(ends.dominant()) > 0 ? editor::lineEndsName(ends.dominant()) : QString();
  };
  const QString names[] = {name(before), name(after)};
  if (names[0].isEmpty() || names[1].isEmpty() || names[0] == names[1]) return {};
  return Comparison::tr("%1 | %2").arg(names[0], names[1]);
}

// The lines come from another text: they get the ends of this one.
bool moveInto(Document* document, const editor::ByteRange& place, const QByteArray& lines) {
  const QByteArray replaced = document->text().slice(place.start, place.end);
  const QByteArray made = editor::withLineEndsOf(replaced, lines, document->editor()->lineEnds());
  return document->textDocument()->apply({{place.start, place.end, made}}).has_value();
}

int displayedLines(const CodeEditor& view) {
  return static_cast<int>(view.sci(Sci::SCI_VISIBLEFROMDOCLINE, editor::word(view.lineCount())));
}

}  // namespace

Comparison* Comparison::of(const Document* document) {
  return document ? qobject_cast<Comparison*>(document->beside()) : nullptr;
}

void Comparison::end(Document* document) {
  Comparison* comparison = of(document);
  if (!comparison) return;
  // It is gone a moment later, and must not touch what comes after it.
  comparison->rightMarks_->set({});
  comparison->header_->hide();
  comparison->later_.stop();
  comparison->disconnect(document->editor());
  document->editor()->disconnect(comparison);
  document->editor()->disconnect(&comparison->later_);
  document->setBeside(nullptr);
  document->setFocus();
}

Comparison::Comparison(Document* document, ComparedText with)
    : QWidget(document), document_(document), with_(std::move(with)) {
  end(document);
  setObjectName(QStringLiteral("comparison"));
  left_ = makeReader(document, tr("Compared with: %1").arg(with_.title), this);
  left_->setObjectName(QStringLiteral("comparedText"));
  showText(left_, {}, with_.text);
  leftMarks_ = new editor::ChangeMarks(left_, this);
  rightMarks_ = new editor::ChangeMarks(document->editor(), this);
  gap_ = new ComparisonGap(this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(left_, 1);
  row->addWidget(gap_);
  document->setBeside(this);
  auto* header = new ComparisonHeader(this, document);
  header_ = header;
  document->setBar(header);
  header->show();
  later_.setSingleShot(true);
  later_.setInterval(kPause);
  connect(&later_, &QTimer::timeout, this, &Comparison::compare);
  follow();
  compare();
  // The views have their size then.
  QTimer::singleShot(0, this, &Comparison::settle);
}

Comparison::~Comparison() {
  // The view still tells of itself as it goes. The document's own may be gone already.
  left_->disconnect(this);
  delete header_;
}

void Comparison::follow() {
  CodeEditor* right = document_->editor();
  const auto soon = qOverload<>(&QTimer::start);
  connect(right, &CodeEditor::textChanged, &later_, soon);
  if (Document* other = with_.document)
    connect(other->editor(), &CodeEditor::textChanged, &later_, soon);
  connect(right, &CodeEditor::cursorMoved, this, [this](int line, int) {
    for (qsizetype i = 0; i < changes_.size(); ++i) {
      const ChangedLines& change = changes_[i];
      const qint64 end = change.newStart + std::max<qint64>(change.newCount, 1);
      if (line >= change.newStart && line < end) return setCurrent(i);
    }
  });
  connect(right, &CodeEditor::zoomChanged, this,
          [this](int zoom) { left_->sci(Sci::SCI_SETZOOM, editor::word(zoom)); });
  for (const auto& [from, to, toRight] : {std::tuple(left_, right, true), {right, left_, false}}) {
    connect(from, &Sci::SCN_UPDATEUI, this,
            [this, from = from, to = to, toRight = toRight](int updated) {
              if ((updated & Sci::SC_UPDATE_V_SCROLL) != 0) scroll(from, to, toRight);
              if ((updated & Sci::SC_UPDATE_H_SCROLL) != 0 && !inline_)
                to->sci(Sci::SCI_SETXOFFSET, editor::word(from->sci(Sci::SCI_GETXOFFSET)));
            });
  }
  connect(right, &CodeEditor::themeChanged, this, [this] {
    dressReader(document_, left_);
    if (inline_) dressReader(document_, inline_);
    compare();
  });
}

bool Comparison::event(QEvent* event) {
  // The views have their size now.
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) gap_->update();
  return QWidget::event(event);
}

// The caret is in sight, and so is its side of the other text.
void Comparison::settle() {
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  CodeEditor* right = document_->editor();
  right->sci(Sci::SCI_SCROLLCARET);
  scroll(right, left_, false);
}

void Comparison::compareNow() {
  if (later_.isActive()) compare();
}

void Comparison::compare() {
  later_.stop();
  if (with_.document) {
    const editor::Snapshot now = with_.document->text();
    showText(left_, with_.text, now);
    with_.text = now;
  }
  const editor::Snapshot text = document_->text();
  tooLong_ = text.size() + with_.text.size() > kMostBytes;
  changes_ = tooLong_ ? QVector<ChangedLines>() : editor::textDiff(with_.text, text);
  lineEnds_ = differentEnds(with_.text, text);
  current_ = std::min(current_, changes_.size() - 1);
  QVector<ChangeMark> old;
  QVector<ChangeMark> fresh;
  for (const ChangedLines& change : std::as_const(changes_)) {
    const editor::WordChanges words = change.oldCount == 0 || change.newCount == 0
                                          ? editor::WordChanges()
                                          : wordsOf(with_.text.slice(change.oldFrom, change.oldTo),
                                                    text.slice(change.newFrom, change.newTo));
    old.append({ChangeMark::Kind::kRemoved, static_cast<int>(change.oldStart),
                static_cast<int>(change.oldCount), moved(words.before, change.oldFrom)});
    fresh.append({ChangeMark::Kind::kAdded, static_cast<int>(change.newStart),
                  static_cast<int>(change.newCount), moved(words.after, change.newFrom)});
  }
  leftMarks_->set(old);
  rightMarks_->set(fresh);
  if (inline_) showInline();
  gap_->update();
  Q_EMIT changed();
  if (tooLong_ && header_)
    static_cast<ComparisonHeader*>(header_.data())
        ->showProblem(tr("Too long to compare: %1 together, at most %2")
                          .arg(editor::sizeText(text.size() + with_.text.size()),
                               editor::sizeText(kMostBytes)));
}

// -- Going through changes

void Comparison::setCurrent(qsizetype change) {
  if (change == current_) return;
  current_ = change;
  gap_->update();
  Q_EMIT changed();
}

void Comparison::step(int direction) {
  compareNow();
  if (changes_.isEmpty()) return;
  const int caret = document_->editor()->caretLine();
  qsizetype to = -1;
  if (inline_) {
    to = (std::max<qsizetype>(current_, direction > 0 ? -1 : 0) + direction + changes_.size()) %
         changes_.size();
  } else if (direction > 0) {
    const auto behind = std::find_if(changes_.begin(), changes_.end(),
                                     [&](const ChangedLines& c) { return c.newStart > caret; });
    to = behind == changes_.end() ? 0 : behind - changes_.begin();
  } else {
    const auto ahead = std::find_if(changes_.rbegin(), changes_.rend(), [&](const ChangedLines& c) {
      return c.newStart < caret && c.newStart + std::max<qint64>(c.newCount, 1) <= caret + 1;
    });
    to = ahead == changes_.rend() ? changes_.size() - 1 : changes_.rend() - ahead - 1;
  }
  reveal(to);
}

void Comparison::reveal(qsizetype change) {
  const ChangedLines& at = changes_[change];
  document_->editor()->goToLine(static_cast<int>(at.newStart));
  if (inline_) inline_->goToLine(inlineRows_.value(change));
  setCurrent(change);
}

bool Comparison::take(qsizetype change) {
  compareNow();
  if (change < 0 || change >= changes_.size()) return false;
  const ChangedLines& at = changes_[change];
  const bool done =
      moveInto(document_, {at.newFrom, at.newTo}, with_.text.slice(at.oldFrom, at.oldTo));
  compare();
  return done;
}

bool Comparison::takeAll() {
  compareNow();
  const editor::Snapshot made = editor::withLineEndsOf(document_->text(), with_.text);
  const bool done = document_->textDocument()->replaceText(made).has_value();
  compare();
  return done;
}

bool Comparison::give(qsizetype change) {
  compareNow();
  if (change < 0 || change >= changes_.size() || !with_.document) return false;
  const ChangedLines& at = changes_[change];
  const bool done = moveInto(with_.document, {at.oldFrom, at.oldTo},
                             document_->text().slice(at.newFrom, at.newTo));
  compare();
  return done;
}

// -- Scrolling together

// The line of one text that stands where `line` stands in the other.
double Comparison::across(double line, bool toRight) const {
  double shift = 0;
  for (const ChangedLines& change : changes_) {
    const auto from = static_cast<double>(toRight ? change.oldStart : change.newStart);
    const auto count = static_cast<double>(toRight ? change.oldCount : change.newCount);
    const auto other = static_cast<double>(toRight ? change.newStart : change.oldStart);
    const auto otherCount = static_cast<double>(toRight ? change.newCount : change.oldCount);
    if (line < from) break;
    if (line < from + count) return other + (line - from) / count * otherCount;
    shift = other + otherCount - from - count;
  }
  return line + shift;
}

// The line that the two have side by side is the first of the view at the texts' beginning and end,
// and between them one as far down as the eye rests.
void Comparison::scroll(const CodeEditor* from, CodeEditor* to, bool toRight) {
  gap_->update();
  if (inline_) return;
  // A view tells of it, too, when the other has moved it there.
  long& movedTo = toRight ? leftMovedTo_ : rightMovedTo_;
  if (from->sci(Sci::SCI_GETFIRSTVISIBLELINE) == movedTo) return;
  movedTo = -1;
  const auto first = static_cast<double>(from->sci(Sci::SCI_GETFIRSTVISIBLELINE));
  const auto rows = std::max(1.0, static_cast<double>(from->sci(Sci::SCI_LINESONSCREEN)));
  const double last = displayedLines(*from) - 1.0;
  const double part = std::max(0.0, std::min({first, last - first, rows * kRest})) / rows;
  const double shown = first + part * rows;
  const auto line = static_cast<double>(
      from->sci(Sci::SCI_DOCLINEFROMVISIBLE, editor::word(static_cast<qint64>(shown))));
  const double wanted = across(line, toRight) + shown - std::floor(shown);
  const auto row = static_cast<double>(to->sci(Sci::SCI_VISIBLEFROMDOCLINE,
                                               editor::word(static_cast<qint64>(wanted)))) +
                   wanted - std::floor(wanted);
  const auto rowsThere = static_cast<double>(to->sci(Sci::SCI_LINESONSCREEN));
  to->sci(Sci::SCI_SETFIRSTVISIBLELINE,
          editor::word(std::max<qint64>(0, std::llround(row - part * rowsThere))));
  (toRight ? rightMovedTo_ : leftMovedTo_) = to->sci(Sci::SCI_GETFIRSTVISIBLELINE);
}

// -- In one column

void Comparison::setInline(bool on) {
  if (on == isInline()) return;
  if (on) {
    inline_ = makeReader(document_, tr("Both texts in one column"), this);
    inline_->setObjectName(QStringLiteral("comparedInline"));
    inlineMarks_ = new editor::ChangeMarks(inline_, inline_);
    static_cast<QHBoxLayout*>(layout())->addWidget(inline_, 1);
    inline_->show();
    showInline();
  } else {
    document_->setCovered(nullptr);
    inlineMarks_ = nullptr;
    delete std::exchange(inline_, nullptr);
  }
  left_->setVisible(!on);
  gap_->setVisible(!on);
  if (on) document_->setCovered(inline_);
  document_->setFocus();
  if (on && current_ >= 0) inline_->goToLine(inlineRows_.value(current_));
  Q_EMIT changed();
}

void Comparison::showInline() {
  const editor::Snapshot text = document_->text();
  QByteArray rows;
  QVector<ChangeMark> marks;
  // What stands before each row: a shape as well as a color.
  QStringList signs;
  const QString shapes[] = {QStringLiteral("\u2212"), QStringLiteral("+")};
  inlineRows_.clear();
  qint64 same = 0;  // bytes of the document's text that are shown
  qint64 sameLine = 0;
  int row = 0;
  for (const ChangedLines& change : std::as_const(changes_)) {
    const QByteArray before = text.slice(same, change.newFrom);
    rows += before;
    row += static_cast<int>(change.newStart - sameLine);
    sameLine = change.newStart + change.newCount;
    same = change.newTo;
    inlineRows_.append(row);
    QByteArray old = with_.text.slice(change.oldFrom, change.oldTo);
    const QByteArray fresh = text.slice(change.newFrom, change.newTo);
    const editor::WordChanges words =
        old.isEmpty() || fresh.isEmpty() ? editor::WordChanges() : wordsOf(old, fresh);
    const auto add = [&](int kind, QByteArray part, qint64 lines,
                         const QVector<editor::ByteRange>& ranges, bool isLast) {
      marks.append({static_cast<ChangeMark::Kind>(kind), row, static_cast<int>(lines),
                    moved(ranges, rows.size())});
      if (lines > 0) signs.resize(row + lines);
      for (qint64 i = 0; i < lines; ++i) signs[row + i] = shapes[kind];
      if (!isLast && !part.isEmpty() && !part.endsWith('\n') && !part.endsWith('\r')) part += '\n';
      rows += part;
      row += static_cast<int>(lines);
    };
    add(0, old, change.oldCount, words.before, false);
    add(1, fresh, change.newCount, words.after, true);
  }
  rows += text.slice(same, text.size());
  const int first = static_cast<int>(inline_->sci(Sci::SCI_GETFIRSTVISIBLELINE));
  inline_->sci(Sci::SCI_SETREADONLY, 0);
  inline_->setText(rows);
  inline_->sci(Sci::SCI_SETREADONLY, 1);
  inlineMarks_->set(marks);
  // The numbers of lines would be those of neither text; a minus or a plus says whose a row is.
  editor::MarginWords::of(inline_)->set(signs);
  inline_->sci(Sci::SCI_SETMARGINWIDTHN, 0, 0);
  inline_->sci(Sci::SCI_SETFIRSTVISIBLELINE, editor::word(first));
}

}  // namespace waferpair::gui
