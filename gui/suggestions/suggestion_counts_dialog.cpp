// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/suggestions/suggestion_counts_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "gui/kit/dialog_size.h"
#include "gui/kit/figure_table.h"
#include "gui/suggestions/suggestion_counts.h"
#include "gui/suggestions/suggestion_rules.h"

namespace waferpair::gui {
namespace {

// "12 (40 %)"
QString ofAll(qint64 count, qint64 all) {
  const QString number = QLocale().toString(count);
  if (all == 0) return number;
  return SuggestionCountsDialog::tr("%1 (%2 %)").arg(number).arg((100 * count + all / 2) / all);
}

QString timeText(std::optional<double> ms) {
  if (!ms) return QStringLiteral("–");
  return *ms < 10 ? SuggestionCountsDialog::tr("%1 ms").arg(*ms, 0, 'f', 1)
                  : SuggestionCountsDialog::tr("%1 ms").arg(qRound64(*ms));
}

}  // namespace

SuggestionCountsDialog::SuggestionCountsDialog(SuggestionCounts* counts, QWidget* parent)
    : QDialog(parent),
      counts_(counts),
      since_(new QLabel(this)),
      table_(new QTableWidget(this)),
      reset_(new QPushButton(tr("Begin Anew"), this)) {
  setObjectName(QStringLiteral("suggestionCountsDialog"));
  setWindowTitle(tr("What Became of Suggestions"));
  resizeWithin(this, {760, 420});
  since_->setObjectName(QStringLiteral("suggestionCountsSince"));
  since_->setProperty("role", QStringLiteral("muted"));
  since_->setWordWrap(true);
  table_->setObjectName(QStringLiteral("suggestionCountsTable"));
  table_->setAccessibleName(tr("Suggestions by language"));
  const QStringList columns = {tr("Language"),  tr("Shown"),  tr("Accepted"), tr("Kept"),
                               tr("Dismissed"), tr("Median"), tr("95 %")};
  setUpFigureTable(table_, columns);
  const QStringList help = {
      tr("The language of the file"),
      tr("Suggestions that came into sight"),
      tr("Those of which some was accepted, and their share of those shown"),
      tr("Those whose accepted text was all there 30 seconds later, and their "
         "share of those accepted"),
      tr("Those that Esc took away"),
      tr("From the key to the first picture: half were at least as quick"),
      tr("From the key to the first picture: 95 of 100 were as quick")};
  for (int i = 0; i < help.size(); ++i) table_->horizontalHeaderItem(i)->setToolTip(help[i]);

  reset_->setObjectName(QStringLiteral("suggestionCountsReset"));
  reset_->setToolTip(tr("Forget these counts and count from now on."));
  reset_->setAccessibleDescription(reset_->toolTip());
  reset_->setAutoDefault(false);
  connect(reset_, &QPushButton::clicked, counts_, &SuggestionCounts::reset);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(reset_, QDialogButtonBox::ResetRole);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addWidget(since_);
  layout->addWidget(table_, 1);
  layout->addWidget(buttons);
  connect(counts_, &SuggestionCounts::changed, this, &SuggestionCountsDialog::refresh);
  refresh();
  table_->setFocus();
}

void SuggestionCountsDialog::refresh() {
  const QString day = QLocale().toString(counts_->since().date(), QLocale::LongFormat);
  const bool isEmpty = counts_->byLanguage().isEmpty();
  since_->setText(
      (isEmpty ? tr("Nothing has been suggested since %1.") : tr("Since %1.")).arg(day) + u' ' +
      tr("Counted on this computer, sent nowhere."));
  reset_->setEnabled(!isEmpty);
  table_->setRowCount(0);
  const auto& figures = counts_->byLanguage();
  for (auto one = figures.cbegin(); one != figures.cend(); ++one)
    addRow(SuggestionRules::nameOf(one.key()), one.value());
  if (figures.size() > 1) addRow(tr("All"), counts_->total());
}

void SuggestionCountsDialog::addRow(const QString& language,
                                    const editor::SuggestionFigures& figures) {
  const int row = table_->rowCount();
  table_->setRowCount(row + 1);
  const QStringList texts = {language,
                             QLocale().toString(figures.shown),
                             ofAll(figures.accepted, figures.shown),
                             ofAll(figures.retained, figures.accepted),
                             QLocale().toString(figures.dismissed),
                             timeText(figures.latency.percentile(0.5)),
                             timeText(figures.latency.percentile(0.95))};
  for (int column = 0; column < texts.size(); ++column) {
    auto* item = new QTableWidgetItem(texts[column]);
    if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->setItem(row, column, item);
  }
}

}  // namespace waferpair::gui
