// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/ghost/line_hint.h"

#include <QEvent>
#include <QFontMetrics>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "editor/ghost/ghost_text.h"
#include "editor/text/unseen.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr double kHintSize = 0.8;    // of the text's
constexpr double kSmallestHint = 5;  // points, whatever the zoom
constexpr int kHintPadding = 7;      // pixels left and right of the words
constexpr int kHintDistance = 14;    // pixels behind the line's text
constexpr int kHintCorner = 3;

}  // namespace

LineHint::LineHint(TextView* editor, const GhostText* ghost)
    : QWidget(editor->viewport()), editor_(editor), ghost_(ghost) {
  setObjectName(QStringLiteral("lineHint"));
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::NoFocus);
  hide();
  editor_->viewport()->installEventFilter(this);
  // It is sent while the view paints, which is no time to move something in it.
  placeSoon_.setSingleShot(true);
  connect(&placeSoon_, &QTimer::timeout, this, &LineHint::place);
  connect(editor, &Sci::SCN_UPDATEUI, this, [this] {
    if (isOffered()) placeSoon_.start();
  });
  connect(editor, &TextView::zoomChanged, this, &LineHint::place);
  connect(editor, &TextView::themeChanged, this, &LineHint::place);
  for (const auto signal : {&GhostText::changed, &GhostText::cleared})
    connect(ghost, signal, this, &LineHint::place);
}

void LineHint::offer(int line, const QString& text, const QString& spoken) {
  Q_ASSERT(line >= 0 && !text.isEmpty());
  line_ = line;
  text_ = shownForm(text, OtherBlanks::kKept);
  spoken_ = spoken;
  setAccessibleName(spoken);
  editor_->setAccessibleDescription(spoken);  // which screen readers say of their own accord
  place();
  update();
  Q_EMIT changed();
}

void LineHint::withdraw() {
  if (text_.isEmpty()) return;
  if (editor_->accessibleDescription() == spoken_) editor_->setAccessibleDescription({});
  text_.clear();
  hide();
  Q_EMIT changed();
}

QFont LineHint::hintFont() const {
  QFont font = editor_->editorFont();
  font.setPointSizeF(std::max(kSmallestHint, (font.pointSizeF() + editor_->zoom()) * kHintSize));
  return font;
}

QSize LineHint::sizeHint() const {
  const QFontMetrics metrics(hintFont());
  return {metrics.horizontalAdvance(text_) + 2 * kHintPadding, metrics.height() + 2};
}

// Behind the text, or at the right edge over it where there is no room.
void LineHint::place() {
  if (text_.isEmpty()) return;
  if (ghost_->isShown() || line_ >= editor_->lineCount()) return hide();
  const auto end = static_cast<long>(editor_->lineEnd(line_));
  const auto at = [&](unsigned message) { return static_cast<int>(editor_->sci(message, 0, end)); };
  const int height = static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, word(line_)));
  const QSize size(std::min(sizeHint().width(), editor_->viewport()->width()),
                   std::min(sizeHint().height(), height));
  const int x = std::min(at(Sci::SCI_POINTXFROMPOSITION) + kHintDistance,
                         editor_->viewport()->width() - size.width());
  const int y = at(Sci::SCI_POINTYFROMPOSITION) + (height - size.height()) / 2;
  setGeometry(QRect(QPoint(std::max(0, x), y), size));
  show();
  raise();
}

void LineHint::paintEvent(QPaintEvent* /*event*/) {
  const ThemeColors& colors = editor_->colors();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(hintFont());
  painter.setPen(colors.ghost);
  painter.setBrush(colors.ghostGround);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kHintCorner, kHintCorner);
  const QString words =
      painter.fontMetrics().elidedText(text_, Qt::ElideMiddle, width() - 2 * kHintPadding + 2);
  painter.drawText(rect(), Qt::AlignCenter, words);
}

void LineHint::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
    Q_EMIT clicked();
}

bool LineHint::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::editor
