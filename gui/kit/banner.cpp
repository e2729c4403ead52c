// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/banner.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/approved_text.h"
#include "gui/kit/icons.h"
#include "gui/kit/seen_to_end.h"
#include "gui/kit/theme.h"
#include "gui/kit/wrap_layout.h"

namespace waferpair::gui {
namespace {

// Pixels that the text needs beside the buttons, and at least; and both symbols together.
constexpr int kTextBeside = 240, kTextAlone = 120, kSymbols = 46;

}  // namespace

Banner::Banner(Kind kind, const QString& text, QWidget* parent)
    : QFrame(parent),
      kind_(kind),
      text_(new QLabel(editor::shownForm(text, editor::OtherBlanks::kKept), this)),
      buttons_(new WrapLayout) {
  setProperty("role", "banner");
  const auto [name, tint] = kind == Kind::kError     ? std::pair("error", IconTint::kDanger)
                            : kind == Kind::kWarning ? std::pair("warning", IconTint::kWarning)
                                                     : std::pair("info", IconTint::kAccent);
  auto* symbol = new QLabel(this);
  const auto paintSymbol = [symbol, picture = icon(QLatin1String(name), tint)] {
    symbol->setPixmap(picture.pixmap(QSize(16, 16), symbol->devicePixelRatioF()));
  };
  paintSymbol();
  connect(&Theme::instance(), &Theme::changed, symbol, paintSymbol);
  text_->setObjectName(QStringLiteral("bannerText"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);

  auto* close = new QToolButton(this);
  close->setObjectName(QStringLiteral("bannerClose"));
  close->setAccessibleName(tr("Dismiss: %1").arg(text_->text()));
  close->setToolTip(tr("Dismiss"));
  close->setIcon(icon(QStringLiteral("close")));
  close->setFocusPolicy(Qt::TabFocus);
  connect(close, &QToolButton::clicked, this, &Banner::dismissed);

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 6, 6, 6);
  layout->setSpacing(8);
  content_ = new QBoxLayout(QBoxLayout::LeftToRight);
  content_->setSpacing(8);
  words_ = new QVBoxLayout;
  words_->setSpacing(4);
  words_->addWidget(text_);
  content_->addLayout(words_, 1);
  buttons_->setSpacing(8);
  buttons_->setAlignment(Qt::AlignVCenter);
  content_->addLayout(buttons_);
  layout->addWidget(symbol, 0, Qt::AlignVCenter);
  layout->addLayout(content_, 1);
  layout->addWidget(close, 0, Qt::AlignVCenter);
  setAccessibleName(text_->text());
}

void Banner::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  const int beside = width() - around() - buttons_->sizeHint().width();
  const bool narrow =
      approved_ || (buttons_->count() > 0 && (beside < kTextBeside || rowsOfText(beside) > 2));
  content_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
  // Below the text they go to further rows where one is too short.
  buttons_->setAlignment(narrow ? Qt::AlignLeft : Qt::AlignVCenter);
}

int Banner::rowsOfText(int width) const {
  const QFontMetrics metrics = text_->fontMetrics();
  const QRect room(0, 0, width, QWIDGETSIZE_MAX);
  return metrics.boundingRect(room, Qt::TextWordWrap, text_->text()).height() /
         std::max(1, metrics.height());
}

int Banner::around() const {
  const QMargins margins = layout()->contentsMargins();
  return margins.left() + margins.right() + kSymbols + 2 * layout()->spacing();
}

QSize Banner::minimumSizeHint() const {
  // The hint is for buttons below the text.
  return {around() + std::max(buttons_->minimumSize().width(), kTextAlone),
          QFrame::minimumSizeHint().height()};
}

QString Banner::text() const { return text_->text(); }

bool Banner::hasButtons() const { return buttons_->count() > 0; }

Banner& Banner::addButton(const QString& name, const QString& text, std::function<void()> run) {
  makeButton(name, text, std::move(run));
  return *this;
}

Banner& Banner::showApproved(const QString& text) {
  if (!approved_) {
    approved_ = new ApprovedText(this);
    approved_->setObjectName(QStringLiteral("bannerApproved"));
    approved_->setAccessibleName(tr("What this is about"));
    words_->addWidget(approved_);
    content_->setDirection(QBoxLayout::TopToBottom);
    buttons_->setAlignment(Qt::AlignLeft);
  }
  approved_->showText(text);
  return *this;
}

Banner& Banner::addConsent(const QString& name, const QString& text, std::function<void()> run) {
  QPushButton* button = makeButton(name, text, std::move(run));
  Q_ASSERT(approved_);
  if (approved_) approved_->seen()->guard(button);
  return *this;
}

QPushButton* Banner::makeButton(const QString& name, const QString& text,
                                std::function<void()> run) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(name);
  button->setAccessibleName(text);
  button->setAccessibleDescription(this->text());
  button->setAutoDefault(false);
  connect(button, &QPushButton::clicked, this, [this, run = std::move(run)] {
    const QPointer<Banner> self(this);
    run();
    if (self) Q_EMIT dismissed();
  });
  buttons_->addWidget(button);
  return button;
}

BannerStack::BannerStack(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  setVisible(false);
}

Banner& BannerStack::show(const QString& id, Banner::Kind kind, const QString& text) {
  remove(id);
  auto* banner = new Banner(kind, text, this);
  banner->setObjectName(id);
  banners_.append(banner);
  layout()->addWidget(banner);
  banner->show();  // a layout would show it later, once the stack can be seen
  connect(banner, &Banner::dismissed, this, [this, id, banner] {
    if (find(id) == banner) remove(id);
  });
  setVisible(true);
  Q_EMIT added(banner);
  QAccessibleEvent alert(banner, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
  return *banner;
}

Banner* BannerStack::find(const QString& id) const {
  const auto at = std::find_if(banners_.begin(), banners_.end(),
                               [&id](const Banner* banner) { return banner->objectName() == id; });
  return at == banners_.end() ? nullptr : *at;
}

void BannerStack::remove(const QString& id) {
  Banner* banner = find(id);
  if (!banner) return;
  banners_.removeOne(banner);
  // The click that closes it may still be under way inside it.
  banner->hide();
  layout()->removeWidget(banner);
  banner->deleteLater();
  setVisible(!banners_.isEmpty());
  Q_EMIT changed();
}

}  // namespace waferpair::gui
