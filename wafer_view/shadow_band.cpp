// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/shadow_band.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>

#include "wafer_view/accessible.h"
#include "wafer_view/glyph_icon.h"
#include "wafer_view/text_fit.h"
#include "wafer_view/theme.h"
#include "wafer_view/translate.h"

namespace waferpair::view {
namespace {

constexpr int kHeight = 38, kCompactHeight = 24, kButton = 20, kBandPad = 12;

}  // namespace

QString shadowTitle(const protocol::WaferLayout& layout) {
  return isShadow(layout) ? tr("Shadow of %1").arg(QString::fromStdString(layout.model))
                          : QString();
}

QString shadowNote(const protocol::WaferLayout& layout) {
  return isShadow(layout) ? tr("Its placement and cycles, %1's text.")
                                .arg(QString::fromStdString(layout.shadowOf))
                          : QString();
}

QString shadowText(const protocol::WaferLayout& layout) {
  return isShadow(layout) ? shadowTitle(layout) + QStringLiteral(". ") + shadowNote(layout)
                          : QString();
}

ShadowBand::ShadowBand(QWidget* parent) : QWidget(parent), end_(new QToolButton(this)) {
  setObjectName(QStringLiteral("shadowBand"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  end_->setObjectName(QStringLiteral("endShadow"));
  end_->setAutoRaise(true);
  end_->setFocusPolicy(Qt::TabFocus);
  end_->setAccessibleName(tr("End the shadow"));
  end_->setToolTip(tr("End the shadow: show the model that runs"));
  end_->setIconSize({14, 14});
  connect(end_, &QToolButton::clicked, this, &ShadowBand::endWanted);
  color();
  refresh();
}

void ShadowBand::setLayoutShown(const protocol::WaferLayout& layout) {
  title_ = shadowTitle(layout);
  note_ = shadowNote(layout);
  progress_.clear();
  refresh();
}

void ShadowBand::setProgress(const QString& text) {
  progress_ = text;
  refresh();
}

void ShadowBand::setEndable(bool endable) {
  endable_ = endable;
  refresh();
}

void ShadowBand::setCompact(bool compact) {
  if (compact == compact_) return;
  compact_ = compact;
  updateGeometry();
  update();
}

void ShadowBand::refresh() {
  const bool placing = !progress_.isEmpty();
  end_->setVisible(endable_ && !placing);
  const QString text =
      placing || title_.isEmpty() ? progress_ : title_ + QStringLiteral(". ") + note_;
  const bool wasSeen = isVisible();
  setAccessibleName(text);
  setToolTip(placing || text.isEmpty()
                 ? text
                 : tr("%1\nNothing of it is computed here: its shape is placed on the emulated "
                      "wafers, and each step of the model that runs is charged to it.")
                       .arg(text));
  setVisible(!text.isEmpty());
  // Coming up says it as well, so it is said here only if the band was there before.
  const bool isNews = !placing && text != said_;
  if (isNews && !text.isEmpty() && wasSeen) announcePolitely(this, text);
  if (!placing) said_ = text;
  update();
}

void ShadowBand::color() {
  const WaferColors theme = waferColors(palette());
  end_->setIcon(glyphIcon(Glyph::kClose, QColor(theme.badgeText), QColor(theme.badgeText)));
}

int ShadowBand::heightWanted() const { return compact_ ? kCompactHeight : kHeight; }
QSize ShadowBand::sizeHint() const { return {320, heightWanted()}; }
QSize ShadowBand::minimumSizeHint() const { return {80, heightWanted()}; }

void ShadowBand::paintEvent(QPaintEvent*) {
  const WaferColors theme = waferColors(palette());
  QPainter p(this);
  p.fillRect(rect(), QColor(theme.badge));
  p.setPen(QColor(theme.badgeText));
  const int right = end_->isHidden() ? width() - kBandPad : end_->x() - 4;
  const auto line = [&](int top, int height, const QString& text) {
    drawElided(p, QRectF(kBandPad, top, right - kBandPad, height), Qt::AlignLeft | Qt::AlignVCenter,
               text);
  };
  const bool both = !compact_ && progress_.isEmpty();
  p.setFont(sizedFont(font(), 12, QFont::DemiBold));
  line(both ? 3 : 0, both ? 16 : height(), progress_.isEmpty() ? title_ : progress_);
  if (!both) return;
  p.setFont(sizedFont(font(), 11));
  line(19, 16, note_);
}

void ShadowBand::resizeEvent(QResizeEvent*) {
  end_->setGeometry(width() - kButton - 8, (height() - kButton) / 2, kButton, kButton);
}

void ShadowBand::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) color();
  QWidget::changeEvent(event);
}

}  // namespace waferpair::view
