// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_view.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleHints>
#include <QToolTip>
#include <algorithm>
#include <chrono>

#include "editor/text/busy.h"
#include "gui/kit/theme.h"
#include "gui/terminal/terminal_accessible.h"
#include "gui/terminal/terminal_keys.h"
#include "gui/terminal/terminal_prompt.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using workbench::CellPlace;
using workbench::CellRange;
using workbench::MouseReports;
using workbench::RowMark;
using workbench::ShellCommand;
using workbench::TerminalCursor;
using workbench::TerminalScreen;
using workbench::TerminalSession;

namespace {

constexpr std::chrono::milliseconds kTerminalFrame(16);
constexpr std::chrono::milliseconds kFlash(120);
constexpr int kGutter = 14;      // pixels, for what became of commands
constexpr int kAbove = 2;        // pixels
constexpr int kMostBlinks = 40;  // then the cursor stays, and nothing wakes the processor
constexpr int kRowsOfWheel = 3;  // a notch
constexpr int kNotch = 120;      // eighths of a degree
constexpr int kLeastColumns = 2;

// The number by which programs know a button.
int buttonNumber(Qt::MouseButton button) {
  switch (button) {
    case Qt::LeftButton:
      return 1;
    case Qt::MiddleButton:
      return 2;
    case Qt::RightButton:
      return 3;
    default:
      return 0;
  }
}

}  // namespace

TerminalView::TerminalView(TerminalSession* session, const CommandRegistry* commands,
                           QWidget* parent)
    : QAbstractScrollArea(parent), keys_(commands), session_(session) {
  session->setParent(this);
  setObjectName(QStringLiteral("terminalView"));
  installTerminalAccessibility();
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_InputMethodEnabled);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  viewport()->setCursor(Qt::IBeamCursor);
  viewport()->setMouseTracking(true);
  frame_.setSingleShot(true);
  frame_.setInterval(kTerminalFrame);
  blink_.setObjectName(QLatin1String(editor::kUnawaited));
  connect(&frame_, &QTimer::timeout, this, &TerminalView::showFrame);
  connect(&blink_, &QTimer::timeout, this, &TerminalView::blink);
  flash_.setSingleShot(true);
  flash_.setInterval(kFlash);
  connect(&flash_, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
  connect(session, &TerminalSession::changed, this, &TerminalView::screenChanged);
  connect(session, &TerminalSession::rang, this, [this] {
    if (bell_ == TerminalBell::kSound) QApplication::beep();
    if (bell_ == TerminalBell::kFlash) flash_.start();
  });
  const auto describe = [this] { setAccessibleName(tr("Terminal: %1").arg(session_->title())); };
  connect(session, &TerminalSession::titleChanged, this, describe);
  describe();
  const auto colorize = [this] {
    painter_.setColors(TerminalColors::ofTheme());
    session_->screen().setColors(painter_.colors().text.rgb() & 0xffffff,
                                 painter_.colors().background.rgb() & 0xffffff);
    viewport()->update();
  };
  connect(&Theme::instance(), &Theme::changed, this, colorize);
  colorize();
  generation_ = session->screen().generation();
}

TerminalView::~TerminalView() { session_->disconnect(this); }

void TerminalView::setTerminalFont(const QFont& font) {
  if (font == font_) return;
  font_ = font;
  painter_.setFont(font);
  fitToSize();
  viewport()->update();
}

// -- What is shown

void TerminalView::screenChanged() {
  if (!frame_.isActive()) frame_.start();
}

void TerminalView::showFrame() {
  const TerminalScreen& screen = session_->screen();
  if (screen.generation() != generation_) {
    generation_ = screen.generation();
    clearSelection();
    marking_ = false;
    follows_ = true;
    hovered_.reset();
  }
  firstRow_ = std::max(firstRow_, screen.first());
  followOutput();
  isCursorDrawn_ = true;
  viewport()->update();
  if (QAccessible::isActive()) tellAccessible();
}

// The scroll bar says where the view is, counted from the first row that is kept.
void TerminalView::followOutput() {
  const TerminalScreen& screen = session_->screen();
  const qint64 first = firstVisible();
  QScrollBar* bar = verticalScrollBar();
  const QSignalBlocker quiet(bar);
  bar->setRange(0, static_cast<int>(screen.top() - screen.first()));
  bar->setPageStep(screen.rows());
  bar->setValue(static_cast<int>(first - screen.first()));
}

qint64 TerminalView::firstVisible() const {
  const TerminalScreen& screen = session_->screen();
  return follows_ ? screen.top() : std::clamp(firstRow_, screen.first(), screen.top());
}

void TerminalView::scrollContentsBy(int, int) {
  const TerminalScreen& screen = session_->screen();
  firstRow_ = screen.first() + verticalScrollBar()->value();
  follows_ = firstRow_ >= screen.top();
  viewport()->update();
}

void TerminalView::scrollRows(int rows) {
  verticalScrollBar()->setValue(verticalScrollBar()->value() + rows);
}

void TerminalView::reveal(qint64 row) {
  const TerminalScreen& screen = session_->screen();
  const qint64 first = firstVisible();
  if (row >= first && row < first + screen.rows()) return;
  verticalScrollBar()->setValue(static_cast<int>(row - screen.first()) - screen.rows() / 3);
}

void TerminalView::fitToSize() {
  const QSize cell = painter_.cell();
  const int columns = std::max(kLeastColumns, (viewport()->width() - kGutter) / cell.width());
  const int rows = std::max(1, (viewport()->height() - kAbove) / cell.height());
  session_->resize(rows, columns);
}

void TerminalView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  fitToSize();
  showFrame();
}

QRect TerminalView::cellRect(CellPlace place) const {
  const QSize cell = painter_.cell();
  return {QPoint(kGutter + place.column * cell.width(),
                 kAbove + static_cast<int>(place.row - firstVisible()) * cell.height()),
          cell};
}

void TerminalView::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  const TerminalScreen& screen = session_->screen();
  const TerminalColors& colors = painter_.colors();
  painter.fillRect(event->rect(), flash_.isActive() ? colors.selection : colors.background);
  const qint64 first = firstVisible();
  const TerminalCursor cursor = screen.cursor();
  TerminalPainter::Marked marked{selection(), {}, {}};
  if (hovered_) marked.link = hovered_->range;
  for (int i = 0; i < screen.rows(); ++i) {
    const qint64 row = first + i;
    const QPoint at(kGutter, kAbove + i * painter_.cell().height());
    const QRect area(0, at.y(), viewport()->width(), painter_.cell().height());
    if (row >= screen.end() || !event->rect().intersects(area)) continue;
    painter_.paintRow(painter, screen, row, at, marked);
    paintGutter(painter, row, at.y());
    const bool isCursorHere = row == cursor.place.row && cursor.isVisible;
    if (isCursorHere && (isCursorDrawn_ || !hasFocus()) && session_->isRunning())
      painter_.paintCursor(painter, screen, cursor, at, hasFocus());
  }
  if (!composed_.isEmpty()) {
    painter.setFont(font_);
    painter.setPen(colors.text);
    const QRect at = cellRect(cursor.place);
    const QRect area(at.topLeft(),
                     QSize(painter.fontMetrics().horizontalAdvance(composed_), at.height()));
    painter.fillRect(area, colors.background);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, composed_);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
  }
  if (marking_) {
    painter.setPen(colors.link);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cellRect(caret_).adjusted(0, 0, -1, -1));
  }
}

// A dot beside each prompt whose command has run: what became of it.
void TerminalView::paintGutter(QPainter& painter, qint64 row, int y) const {
  const TerminalScreen& screen = session_->screen();
  for (const RowMark& mark : screen.row(row).marks) {
    const ShellCommand* command = screen.command(mark.command);
    if (mark.kind != RowMark::Kind::kPrompt || !command || !command->hasRun) continue;
    const TerminalColors& colors = painter_.colors();
    const bool hasFailed = command->status.value_or(0) != 0;
    const QColor color = !command->isOver ? colors.muted
                         : hasFailed      ? colors.failed
                                          : colors.succeeded;
    const QRect area(3, y + painter_.cell().height() / 2 - 3, 6, 6);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(color);
    // Not by its color alone: what failed is a filled square.
    painter.setBrush(hasFailed ? QBrush(color) : QBrush(Qt::NoBrush));
    if (hasFailed) {
      painter.drawRect(area);
    } else {
      painter.drawEllipse(area);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
  }
}

int TerminalView::exitStatusAt(qint64 row) const {
  const TerminalScreen& screen = session_->screen();
  if (row < screen.first() || row >= screen.end()) return -1;
  for (const RowMark& mark : screen.row(row).marks) {
    const ShellCommand* command = screen.command(mark.command);
    if (mark.kind == RowMark::Kind::kPrompt && command && command->status) return *command->status;
  }
  return -1;
}

bool TerminalView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int status = help->pos().x() < kGutter ? exitStatusAt(placeAt(help->pos()).row) : -1;
    if (status >= 0) {
      QToolTip::showText(help->globalPos(), tr("Exit status %1").arg(status), viewport());
    } else if (hovered_ && !hovered_->link.address.isEmpty()) {
      QToolTip::showText(help->globalPos(), hovered_->link.address, viewport());
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

// -- The cursor

void TerminalView::blink() {
  if (--blinksLeft_ <= 0) blink_.stop();
  isCursorDrawn_ = blinksLeft_ <= 0 || !isCursorDrawn_;
  viewport()->update(cellRect(session_->screen().cursor().place).adjusted(-1, 0, 2, 0));
}

void TerminalView::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  session_->focus(true);
  isCursorDrawn_ = true;
  viewport()->update();
  Q_EMIT focused();
}

void TerminalView::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  keys_.forget();
  session_->focus(false);
  blink_.stop();
  composed_.clear();
  viewport()->update();
}

// -- Keys

bool TerminalView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    // One that the shell has a use for is the window's where that use would change nothing.
    const bool isForWords = !marking_ && keys_.isKeyOf("terminal.words", key->keyCombination()) &&
                            isNothingToKill(*session_);
    if (!keys_.isWindowKey(key->keyCombination()) && !isForWords) {
      event->accept();
      return true;
    }
  }
  return QAbstractScrollArea::event(event);
}

void TerminalView::keyPressEvent(QKeyEvent* event) {
  event->accept();
  if (marking_) return keyInMarking(*event);
  const bool isShift = event->modifiers() == Qt::ShiftModifier;
  const int page = session_->screen().rows() - 1;
  if (isShift && !session_->screen().isAlternate()) {
    switch (event->key()) {
      case Qt::Key_PageUp:
        return scrollRows(-page);
      case Qt::Key_PageDown:
        return scrollRows(page);
      case Qt::Key_Home:
        return verticalScrollBar()->setValue(0);
      case Qt::Key_End:
        return verticalScrollBar()->setValue(verticalScrollBar()->maximum());
      case Qt::Key_Insert:
        return paste();
      default:
        break;
    }
  }
  if (!session_->key(event->key(), event->modifiers(), event->text())) return;
  // Who types wants to see what becomes of it.
  clearSelection();
  marked_.reset();
  follows_ = true;
  if (session_->screen().cursor().blinks && qApp->styleHints()->cursorFlashTime() > 0) {
    blinksLeft_ = kMostBlinks;
    blink_.start(qApp->styleHints()->cursorFlashTime() / 2);
  }
  screenChanged();
}

void TerminalView::inputMethodEvent(QInputMethodEvent* event) {
  if (!event->commitString().isEmpty()) {
    session_->key(Qt::Key_unknown, {}, event->commitString());
    follows_ = true;
  }
  composed_ = event->preeditString();
  event->accept();
  viewport()->update();
}

QVariant TerminalView::inputMethodQuery(Qt::InputMethodQuery query) const {
  switch (query) {
    case Qt::ImEnabled:
      return true;
    case Qt::ImCursorRectangle:
      return cellRect(session_->screen().cursor().place);
    case Qt::ImFont:
      return font_;
    default:
      return QAbstractScrollArea::inputMethodQuery(query);
  }
}

// -- The mouse

CellPlace TerminalView::placeAt(QPoint position) const {
  const TerminalScreen& screen = session_->screen();
  const QSize cell = painter_.cell();
  const int row = std::clamp((position.y() - kAbove) / cell.height(), 0, screen.rows() - 1);
  const int column =
      std::clamp((position.x() - kGutter + cell.width() / 2) / cell.width(), 0, screen.columns());
  return {std::min(firstVisible() + row, screen.end() - 1), column};
}

// The cell that the position is in, and not the nearest place between two.
CellPlace TerminalView::screenCell(QPoint position) const {
  CellPlace place = placeAt(position);
  place.column = std::clamp((position.x() - kGutter) / painter_.cell().width(), 0,
                            session_->screen().columns() - 1);
  return place;
}

bool TerminalView::reportsMouse(Qt::KeyboardModifiers modifiers) const {
  return session_->screen().mouseReports() != MouseReports::kNone &&
         !modifiers.testFlag(Qt::ShiftModifier) && follows_;
}

void TerminalView::mousePressEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  const bool isCtrl = event->modifiers().testFlag(Qt::ControlModifier);
  if (event->button() == Qt::LeftButton && isCtrl) {
    if (const auto link = linkAt(screenCell(at))) return open(link->link);
  }
  if (reportsMouse(event->modifiers())) {
    const CellPlace place = screenCell(at);
    session_->mouseMove(static_cast<int>(place.row - session_->screen().top()), place.column, {});
    session_->mouseButton(buttonNumber(event->button()), true, event->modifiers());
    return;
  }
  if (event->button() == Qt::MiddleButton && qApp->clipboard()->supportsSelection())
    return pasteText(qApp->clipboard()->text(QClipboard::Selection));
  if (event->button() != Qt::LeftButton) return;
  marking_ = false;
  isDragging_ = true;
  unit_ = Unit::kCell;
  const CellPlace place = placeAt(at);
  if (event->modifiers().testFlag(Qt::ShiftModifier) && isSelected_) return select(anchor_, place);
  clearSelection();
  anchor_ = caret_ = place;
}

void TerminalView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (reportsMouse(event->modifiers())) return mousePressEvent(event);
  if (event->button() != Qt::LeftButton) return;
  const CellPlace place = screenCell(event->position().toPoint());
  // A third click takes the line.
  unit_ = isSelected_ && unit_ == Unit::kWord && selection() == wordAt(place) ? Unit::kLine
                                                                              : Unit::kWord;
  isDragging_ = true;
  select(place, place);
}

void TerminalView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  lookForLink(at, event->modifiers());
  const bool isDown = event->buttons() != Qt::NoButton;
  if (!isDragging_ && reportsMouse(event->modifiers())) {
    const bool isWanted = session_->screen().mouseReports() == MouseReports::kMoves ||
                          (isDown && session_->screen().mouseReports() == MouseReports::kDrags);
    const CellPlace place = screenCell(at);
    if (isWanted)
      session_->mouseMove(static_cast<int>(place.row - session_->screen().top()), place.column,
                          event->modifiers());
    return;
  }
  if (!isDragging_ || !event->buttons().testFlag(Qt::LeftButton)) return;
  if (at.y() < 0) scrollRows(-1);
  if (at.y() >= viewport()->height()) scrollRows(1);
  const CellPlace place = unit_ == Unit::kCell ? placeAt(at) : screenCell(at);
  if (isSelected_ || place != anchor_) select(anchor_, place);
}

void TerminalView::mouseReleaseEvent(QMouseEvent* event) {
  if (!isDragging_ && reportsMouse(event->modifiers())) {
    session_->mouseButton(buttonNumber(event->button()), false, event->modifiers());
    return;
  }
  isDragging_ = false;
  if (hasSelection() && qApp->clipboard()->supportsSelection())
    qApp->clipboard()->setText(selectedText(), QClipboard::Selection);
}

void TerminalView::wheelEvent(QWheelEvent* event) {
  event->accept();
  wheel_ += event->angleDelta().y();
  const int notches = wheel_ / kNotch;
  wheel_ %= kNotch;
  if (notches == 0) return;
  if (reportsMouse(event->modifiers())) {
    const CellPlace place = screenCell(event->position().toPoint());
    session_->mouseMove(static_cast<int>(place.row - session_->screen().top()), place.column, {});
    for (int i = 0; i < std::abs(notches); ++i)
      session_->mouseButton(notches > 0 ? 4 : 5, true, event->modifiers());
    return;
  }
  if (session_->screen().isAlternate()) {
    // A program on a screen of its own scrolls by its keys.
    for (int i = 0; i < std::abs(notches) * kRowsOfWheel; ++i)
      session_->key(notches > 0 ? Qt::Key_Up : Qt::Key_Down, {}, {});
    return;
  }
  scrollRows(-notches * kRowsOfWheel);
}

void TerminalView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse && reportsMouse(event->modifiers())) return;
  Q_EMIT menuWanted(event->globalPos());
}

// -- The clipboard

void TerminalView::copy() {
  if (hasSelection()) qApp->clipboard()->setText(selectedText());
}

void TerminalView::paste() { pasteText(qApp->clipboard()->text()); }

void TerminalView::pasteText(const QString& text) {
  if (text.isEmpty()) return;
  const bool isSeveral = QStringView(text).trimmed().contains(u'\n');
  if (isSeveral && !session_->screen().isPasteBracketed()) {
    Q_EMIT pasteQuestion(text);
    return;
  }
  session_->paste(text);
  follows_ = true;
  screenChanged();
}

void TerminalView::clear() {
  session_->screen().clearScrollback();
  // The shell draws its prompt anew on an empty screen.
  session_->key(Qt::Key_L, Qt::ControlModifier, QStringLiteral("\f"));
  follows_ = true;
  showFrame();
}

// -- Screen readers

QString TerminalView::visibleText() const {
  const TerminalScreen& screen = session_->screen();
  const qint64 first = firstVisible();
  QStringList rows;
  for (qint64 row = first; row < std::min(first + screen.rows(), screen.end()); ++row)
    rows.append(screen.text({row, 0}, {row, screen.columns()}));
  while (rows.size() > 1 && rows.constLast().isEmpty()) rows.removeLast();
  return rows.join(u'\n');
}

int TerminalView::visibleCursor() const {
  const TerminalScreen& screen = session_->screen();
  const CellPlace at = screen.cursor().place;
  const qint64 first = firstVisible();
  if (at.row < first || at.row >= first + screen.rows()) return -1;
  qsizetype before = 0;
  for (qint64 row = first; row < at.row; ++row)
    before += screen.text({row, 0}, {row, screen.columns()}).size() + 1;
  const qsizetype inRow = screen.text({at.row, 0}, at).size();
  return static_cast<int>(before + inRow);
}

void TerminalView::tellAccessible() {
  const QString text = visibleText();
  if (text != toldText_) {
    QAccessibleTextUpdateEvent event(this, 0, toldText_, text);
    QAccessible::updateAccessibility(&event);
    toldText_ = text;
  }
  QAccessibleTextCursorEvent event(this, std::max(0, visibleCursor()));
  QAccessible::updateAccessibility(&event);
}

}  // namespace waferpair::gui
