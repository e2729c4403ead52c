// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/place_peek.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QToolButton>
#include <algorithm>

#include "editor/view/announce.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"
#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {

using editor::CodeEditor;
using workbench::Location;
using Sci = QsciScintillaBase;

namespace {

constexpr int kPlaceRows = 12, kLeastPlaceRows = 4;
constexpr int kRowsBeforePlace = 3;
constexpr int kPlaceListShare = 3;  // a third of the width

}  // namespace

PlacePeek::PlacePeek(Document* document, EditorTabs* tabs)
    : PeekBox(document, "placePeek"), tabs_(tabs) {
  setAccessibleName(tr("Places looked at"));
  setFocusPolicy(Qt::ClickFocus);  // a click on a button leaves the keyboard in here
  previous_ = addButton("Previous", "arrow-up", tr("The place before"), [this] { step(-1); });
  next_ = addButton("Next", "arrow-down", tr("The next place"), [this] { step(+1); });
  addButton("Open", "goto", tr("Go there (Return)"), [this] { goThere(); });
  addCloseButton();
  reader_ = makeReader(tr("The text around the place"));
  list_ = new QListWidget(this);
  list_->setObjectName(QStringLiteral("placePeekList"));
  list_->setAccessibleName(tr("Places"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setTextElideMode(Qt::ElideRight);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setUniformItemSizes(true);
  watch(list_);
  connect(list_, &QListWidget::currentRowChanged, this, &PlacePeek::showPlace);
  connect(list_, &QListWidget::itemDoubleClicked, this, [this] { goThere(); });
  auto* body = new QWidget(this);
  auto* row = new QHBoxLayout(body);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(1);
  row->addWidget(reader_, kPlaceListShare - 1);
  row->addWidget(list_, 1);
  setBody(body);
}

void PlacePeek::showPlaces(const QString& what, const QVector<Location>& places,
                           const QString& folder) {
  what_ = what;
  places_ = places;
  folder_ = folder;
  texts_.clear();
  shown_.clear();
  QuotedLines lines(tabs_);
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (const Location& one : places) {
    if (!texts_.contains(one.path)) texts_.insert(one.path, lines.textOf(one.path));
    auto* item = new QListWidgetItem(QStringLiteral("%1:%2  %3")
                                         .arg(QFileInfo(one.path).fileName())
                                         .arg(one.start.line + 1)
                                         .arg(lines.lineOf(one)),
                                     list_);
    item->setToolTip(shownPlace(one, folder));
  }
  const bool isOne = places.size() == 1;
  for (QWidget* widget : {static_cast<QWidget*>(list_), static_cast<QWidget*>(previous_),
                          static_cast<QWidget*>(next_)})
    widget->setVisible(!isOne);
  // Where there is little room below the caret, the text makes some.
  CodeEditor* editor = document()->editor();
  const auto rowHeight = static_cast<int>(editor->sci(Sci::SCI_TEXTHEIGHT, 0));
  const int rows = editor->viewport()->height() / rowHeight;
  const auto visible = [editor](qint64 line) {
    return editor->sci(Sci::SCI_VISIBLEFROMDOCLINE, editor::word(line));
  };
  const long caretRow = visible(editor->caretLine());
  if (caretRow - editor->sci(Sci::SCI_GETFIRSTVISIBLELINE) > rows - kPlaceRows - 3)
    editor->sci(Sci::SCI_SETFIRSTVISIBLELINE, editor::word(std::max(0L, caretRow - rows / 4)));
  const int room = rows - rows / 4 - 4;
  showAt(editor->caretLine(), -1, std::clamp(room, kLeastPlaceRows, kPlaceRows) * rowHeight);
  list_->setCurrentRow(0);
  showPlace(0);
  setFocusProxy(isOne ? static_cast<QWidget*>(reader_) : list_);
  setFocus();
}

void PlacePeek::showPlace(int index) {
  if (index < 0 || index >= places_.size()) return;
  const Location& place = places_[index];
  const editor::Snapshot text = texts_.value(place.path);
  if (shown_ != place.path) {
    shown_ = place.path;
    reader_->setLanguage(editor::languageForFile(place.path));
    showInReader(reader_, text.slice(0, text.size()));
  }
  reader_->setSelection(offsetOf(text, place.start, place.unit),
                        offsetOf(text, place.end, place.unit));
  const long row = reader_->sci(Sci::SCI_VISIBLEFROMDOCLINE, editor::word(place.start.line));
  reader_->sci(Sci::SCI_SETFIRSTVISIBLELINE, editor::word(std::max(0L, row - kRowsBeforePlace)));
  const QString at = shownPlace(place, folder_);
  setTitle(places_.size() == 1
               ? tr("%1: %2").arg(what_, at)
               : tr("%1, %2 of %3: %4").arg(what_).arg(index + 1).arg(places_.size()).arg(at));
  editor::announce(
      document()->editor(),
      title() + u' ' + QString::fromUtf8(text.line(place.start.line)).simplified().left(200));
}

void PlacePeek::step(int direction) {
  const int count = list_->count();
  list_->setCurrentRow((list_->currentRow() + direction + count) % count);
}

void PlacePeek::goThere() {
  const int index = std::max(0, list_->currentRow());
  hide();
  Q_EMIT wanted(places_[index]);
}

bool PlacePeek::eventFilter(QObject* watched, QEvent* event) {
  const bool isInside = watched == reader_ || watched == list_;
  const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (isInside && isKey) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const bool isTab = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab;
    if (isReturn || (isTab && places_.size() > 1)) {
      event->accept();
      if (event->type() == QEvent::KeyPress) {
        if (isReturn) {
          goThere();
        } else {
          (watched == list_ ? static_cast<QWidget*>(reader_) : list_)->setFocus();
        }
      }
      return true;
    }
  }
  return PeekBox::eventFilter(watched, event);
}

}  // namespace waferpair::gui
