// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/summary_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "gui/kit/rich_text.h"
#include "gui/kit/small_button.h"
#include "gui/model/model_facts.h"
#include "pairing/context/token_estimate.h"

namespace waferpair::gui {

SummaryCard::SummaryCard(QWidget* parent)
    : QFrame(parent),
      title_(new QLabel(this)),
      body_(new RichText(this)),
      toggle_(makeSmallButton("summaryShow", tr("Show"), tr("Read the summary."), this)),
      whole_(makeSmallButton("summaryWhole", tr("Send Them Whole"),
                             tr("Drop the summary: the messages are sent again as they are."),
                             this)),
      stop_(makeSmallButton("summaryStop", tr("Stop"), tr("Do without this summary."), this)) {
  setObjectName(QStringLiteral("askSummary"));
  title_->setObjectName(QStringLiteral("askSummaryTitle"));
  title_->setProperty("role", QStringLiteral("muted"));
  title_->setTextFormat(Qt::PlainText);
  title_->setWordWrap(true);
  body_->hide();
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(6);
  for (QPushButton* button : {toggle_, whole_, stop_}) buttons->addWidget(button);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 6, 12, 6);
  column->setSpacing(4);
  column->addWidget(title_);
  column->addWidget(body_);
  column->addLayout(buttons);
  connect(toggle_, &QPushButton::clicked, this, [this] { showText(body_->isHidden()); });
  connect(whole_, &QPushButton::clicked, this, &SummaryCard::sendWholeWanted);
  connect(stop_, &QPushButton::clicked, this, &SummaryCard::stopWanted);
}

void SummaryCard::show(const pairing::Thread& thread, bool isRunning) {
  QStringList lines;
  const bool hasSummary = thread.summarized() > 0;
  if (hasSummary) {
    const pairing::ThreadSummary& summary = *thread.summary;
    lines.append(
        tr("Models get a summary of the %1 messages above, by %2: about %3 tokens in place of %4.")
            .arg(thread.summarized())
            .arg(summary.model, contextText(pairing::estimatedTokens(summary.text)),
                 contextText(summary.tokensBefore)));
    body_->showMarkdown(summary.text);
  }
  if (isRunning)
    lines.append(hasSummary ? tr("It is being carried on…")
                            : tr("The messages above are being summarized for the model…"));
  title_->setText(lines.join(u'\n'));
  setAccessibleName(title_->text());
  toggle_->setVisible(hasSummary);
  whole_->setVisible(hasSummary);
  stop_->setVisible(isRunning);
  showText(hasSummary && !body_->isHidden());
}

void SummaryCard::showText(bool isShown) {
  body_->setVisible(isShown);
  toggle_->setText(isShown ? tr("Hide") : tr("Show"));
}

QString SummaryCard::text() const {
  return body_->isHidden() ? title_->text() : title_->text() + u'\n' + body_->toPlainText();
}

}  // namespace waferpair::gui
