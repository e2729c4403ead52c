// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/hunk_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "editor/assist/hunks.h"
#include "gui/documents/document.h"
#include "gui/kit/icon_button.h"
#include "gui/kit/small_button.h"
#include "gui/kit/wrap_layout.h"

namespace waferpair::gui {

HunkBar::HunkBar(Document* document)
    : QFrame(document),
      document_(document),
      count_(new QLabel(this)),
      place_(new QLabel(this)),
      alternative_(new QLabel(this)) {
  setObjectName(QStringLiteral("hunkBar"));
  setAccessibleName(tr("Changes on offer"));
  count_->setObjectName(QStringLiteral("hunkCount"));
  place_->setObjectName(QStringLiteral("hunkPlace"));
  alternative_->setObjectName(QStringLiteral("hunkAlternative"));
  for (QLabel* label : {place_, alternative_}) label->setProperty("role", "muted");
  // In a narrow pane the buttons stand below.
  auto* rows = new WrapLayout(this);
  rows->setContentsMargins(10, 2, 8, 2);
  rows->setSpacing(6);
  auto* places = new QWidget(this);
  auto* row = new QHBoxLayout(places);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(count_);
  row->addSpacing(4);
  const auto addStep = [&](const char* name, const char* symbol, const QString& tip,
                           int direction) {
    QToolButton* button = makeIconButton(QLatin1String(name), QLatin1String(symbol), tip, this);
    // The commands do the same with the keyboard; a click leaves it where it is.
    button->setFocusPolicy(Qt::NoFocus);
    connect(button, &QToolButton::clicked, this,
            [this, direction] { Q_EMIT stepWanted(direction); });
    row->addWidget(button);
  };
  addStep("hunkPrevious", "chevron-up", tr("Go to the change before (Shift+F7)"), -1);
  row->addWidget(place_);
  addStep("hunkNext", "chevron-down", tr("Go to the next change (F7)"), +1);
  row->addWidget(alternative_);
  rows->addWidget(places);
  auto* all = new QWidget(this);
  auto* allRow = new QHBoxLayout(all);
  allRow->setContentsMargins(0, 0, 0, 0);
  allRow->setSpacing(6);
  rows->addWidget(all);
  const auto addAll = [&](const char* name, const QString& text, const QString& tip,
                          void (HunkBar::*wanted)()) {
    QPushButton* button = makeSmallButton(name, text, tip, this);
    button->setFocusPolicy(Qt::NoFocus);
    connect(button, &QPushButton::clicked, this, wanted);
    allRow->addWidget(button);
  };
  addAll("hunkRejectAll", tr("Reject All"), tr("Reject all changes of this text (Esc)"),
         &HunkBar::rejectAllWanted);
  addAll("hunkAcceptAll", tr("Accept All"), tr("Accept all changes of this text (Ctrl+Return)"),
         &HunkBar::acceptAllWanted);
  hide();
  static_cast<QBoxLayout*>(document->layout())->addWidget(this);
  connect(document->hunks(), &editor::Hunks::changed, this, &HunkBar::renewSoon);
  connect(document->editor(), &editor::CodeEditor::cursorMoved, this, &HunkBar::renewSoon);
  renewSoon();
}

void HunkBar::setNeeded(bool needed) {
  isNeeded_ = needed;
  renewSoon();
}

void HunkBar::setAlternative(const QString& text) {
  alternative_->setText(text);
  alternative_->setVisible(!text.isEmpty());
}

// Hunks and caret change together.
void HunkBar::renewSoon() {
  const bool isAny = document_->hunks()->offeredCount() > 0;
  if (posted_ || (!isAny && isHidden())) return;
  posted_ = true;
  QMetaObject::invokeMethod(this, &HunkBar::renew, Qt::QueuedConnection);
}

void HunkBar::renew() {
  posted_ = false;
  const editor::Hunks* hunks = document_->hunks();
  const qsizetype count = hunks->offeredCount();
  setVisible(isNeeded_ && count > 0);
  if (count == 0) return;
  count_->setText(count == 1 ? tr("1 change") : tr("%1 changes").arg(count));
  const qsizetype at = hunks->at(document_->editor()->caret());
  const auto& all = hunks->hunks();
  const auto before = std::count_if(
      all.cbegin(), all.cbegin() + std::max<qsizetype>(0, at),
      [](const editor::Hunk& hunk) { return hunk.state == editor::HunkState::kOffered; });
  place_->setText(at < 0 ? QStringLiteral("–/%1").arg(count)
                         : QStringLiteral("%1/%2").arg(before + 1).arg(count));
  place_->setAccessibleName(at < 0 ? tr("The caret is at none of them")
                                   : tr("Change %1 of %2").arg(before + 1).arg(count));
}

}  // namespace waferpair::gui
