// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/op_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>
#include <array>

#include "wafer_view/block_picture.h"

namespace waferpair::gui {
namespace {

// Whole where it is, else with a digit.
QString cyclesText(double cycles) {
  return QLocale().toString(cycles, 'f', cycles == static_cast<qint64>(cycles) ? 0 : 1);
}

}  // namespace

OpPage::OpPage(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      picture_(new view::BlockPicture),
      terms_(new QTableWidget(0, 5)) {
  title_->setObjectName(QStringLiteral("opTitle"));
  title_->setWordWrap(true);
  terms_->setObjectName(QStringLiteral("opTerms"));
  terms_->setAccessibleName(tr("Closed form, term by term"));
  terms_->setHorizontalHeaderLabels(
      {tr("What"), tr("Closed form"), tr("In numbers"), tr("Cycles"), tr("Of")});
  terms_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  terms_->horizontalHeader()->setHighlightSections(false);
  terms_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  terms_->setSelectionBehavior(QAbstractItemView::SelectRows);
  terms_->setSelectionMode(QAbstractItemView::SingleSelection);
  terms_->setTabKeyNavigation(false);
  terms_->verticalHeader()->hide();
  terms_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  terms_->horizontalHeader()->setStretchLastSection(true);
  auto* both = new QSplitter(Qt::Vertical, this);
  both->setChildrenCollapsible(false);
  both->addWidget(picture_);
  both->addWidget(terms_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(title_);
  column->addWidget(both, 1);
}

void OpPage::clear() {
  title_->clear();
  picture_->clear();
  terms_->setRowCount(0);
  ends_.clear();
}

void OpPage::showOp(const protocol::OpWay& op, const protocol::TokenWay& way) {
  const auto index = static_cast<std::size_t>(op.op);
  if (index >= way.ops.size()) return clear();
  const protocol::OpLayout& of = way.layout.ops[index];
  const protocol::Rect& rect = way.layout.regions[static_cast<std::size_t>(of.region)].rect;
  double sum = 0;
  for (const protocol::OpTerm& term : op.terms) sum += term.cycles;
  const QString name = QString::fromStdString(of.name), kind = QString::fromStdString(op.kind);
  title_->setText(op.gemm ? tr("%1 (%2), %L3 rows as one product at %L4 positions: %5 cycles")
                                .arg(name, kind)
                                .arg(op.rows)
                                .arg(op.positions)
                                .arg(cyclesText(sum))
                          : tr("%1 (%2), the token's row at %L3 positions: %4 cycles")
                                .arg(name, kind)
                                .arg(op.positions)
                                .arg(cyclesText(sum)));
  picture_->setOp(op, rect.width, rect.height);
  terms_->setRowCount(static_cast<int>(op.terms.size()));
  ends_.clear();
  double end = 0;
  for (int row = 0; row < terms_->rowCount(); ++row) {
    const protocol::OpTerm& term = op.terms[static_cast<std::size_t>(row)];
    const std::array<QString, 5> texts = {
        QString::fromStdString(term.what), QString::fromStdString(term.form),
        QString::fromStdString(term.numbers), cyclesText(term.cycles),
        term.fabric ? tr("fabric") : tr("arithmetic")};
    for (int column = 0; column < 5; ++column) {
      auto* item = new QTableWidgetItem(texts[static_cast<std::size_t>(column)]);
      if (column == 3) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      terms_->setItem(row, column, item);
    }
    ends_.push_back(end += term.cycles);
  }
}

void OpPage::setOffset(double cycles) {
  for (std::size_t row = 0; row < ends_.size(); ++row) {
    if (cycles >= ends_[row] && row + 1 < ends_.size()) continue;
    if (terms_->currentRow() != static_cast<int>(row)) terms_->selectRow(static_cast<int>(row));
    return;
  }
}

}  // namespace waferpair::gui
