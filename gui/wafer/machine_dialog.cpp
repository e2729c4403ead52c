// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/machine_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>
#include <cmath>

#include "gui/kit/dialog_size.h"
#include "gui/kit/figure_table.h"

namespace waferpair::gui {
namespace {

QString valueText(const ExperimentFigure* figure) {
  if (!figure) return QStringLiteral("–");
  const QLocale locale;
  const bool whole = figure->value == std::floor(figure->value);
  const QString number = whole ? locale.toString(static_cast<qint64>(figure->value))
                               : locale.toString(figure->value, 'f', 1);
  return figure->unit.isEmpty() ? number : number + u' ' + figure->unit;
}

}  // namespace

MachineDialog::MachineDialog(Experiments* experiments, const QString& machine, double clockGhz,
                             QWidget* parent)
    : QDialog(parent),
      experiments_(experiments),
      machine_(machine),
      clockGhz_(clockGhz),
      clock_(new QComboBox(this)),
      table_(new QTableWidget(this)),
      note_(new QLabel(this)) {
  setObjectName(QStringLiteral("machineDialog"));
  setWindowTitle(tr("The Machine"));
  setAccessibleName(windowTitle());
  resizeWithin(this, {760, 520});

  clock_->setObjectName(QStringLiteral("machineClock"));
  clock_->setAccessibleName(tr("Clock of the model"));
  clock_->setToolTip(tr("The vendor publishes no clock: choose one of the presets"));
  clock_->setAccessibleDescription(clock_->toolTip());
  connect(clock_, &QComboBox::activated, this, [this] {
    clockGhz_ = clock_->currentData().toDouble();
    ask();
  });

  table_->setObjectName(QStringLiteral("machineTable"));
  table_->setAccessibleName(tr("The vendor's figures beside the model's"));
  setUpFigureTable(table_, {tr("Of one wafer"), tr("Vendor"), tr("Model"), tr("They agree at")});

  note_->setObjectName(QStringLiteral("machineNote"));
  note_->setAccessibleName(tr("Sources"));
  note_->setProperty("role", QStringLiteral("muted"));
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  note_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  note_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* sources = new QScrollArea(this);
  sources->setObjectName(QStringLiteral("machineSources"));
  sources->setAccessibleName(tr("Sources"));
  sources->setFrameShape(QFrame::NoFrame);
  sources->setFocusPolicy(Qt::NoFocus);  // the text in it has the keyboard
  sources->setWidgetResizable(true);
  sources->setWidget(note_);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* form = new QFormLayout;
  form->addRow(tr("&Clock of the model"), clock_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addLayout(form);
  layout->addWidget(table_, 3);
  layout->addWidget(sources, 2);
  layout->addWidget(buttons);
  table_->setFocus();
  ask();
}

void MachineDialog::ask() {
  QString question = QStringLiteral("machine wafer=%1").arg(machine_);
  if (clockGhz_ > 0) question += QStringLiteral(" clock=%1").arg(clockGhz_, 0, 'g', 6);
  experiments_->ask(question, this, [this](const ExperimentResult& result) { showAnswer(result); });
}

void MachineDialog::fillClocks(const ExperimentAnswer& answer) {
  const ExperimentFigure* clock = answer.find(QStringLiteral("clock_ghz"));
  clockGhz_ = clock ? clock->value : 0;
  if (clock_->count() == 0) {
    for (const ExperimentFigure& figure : answer.figures)
      if (figure.name.startsWith(u"preset_"))
        clock_->addItem(tr("%1 GHz").arg(QLocale().toString(figure.value)), figure.value);
    // That of a profile, or of the command line, need not be a preset.
    if (clock_->findData(clockGhz_) < 0)
      clock_->addItem(tr("%1 GHz").arg(QLocale().toString(clockGhz_)), clockGhz_);
  }
  clock_->setCurrentIndex(clock_->findData(clockGhz_));
}

void MachineDialog::showAnswer(const ExperimentResult& result) {
  if (!result) {
    note_->setText(result.error().message());
    return;
  }
  setWindowTitle(result->title);
  fillClocks(*result);
  table_->setRowCount(0);
  for (const ExperimentFigure& figure : result->figures) {
    // A row is what has a value of the model's and, where there is one, the vendor's beside it.
    if (figure.name == u"clock_ghz" || figure.name == u"watts" || figure.name.contains(u'_'))
      continue;
    const ExperimentFigure* implied = result->find(figure.name + QLatin1String("_clock_ghz"));
    const int row = table_->rowCount();
    table_->setRowCount(row + 1);
    const QStringList texts = {
        figure.label, valueText(result->find(figure.name + QLatin1String("_published"))),
        valueText(&figure),
        implied ? tr("%1 GHz").arg(QLocale().toString(implied->value, 'f', 2))
                : QStringLiteral("–")};
    for (int column = 0; column < texts.size(); ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(row, column, item);
    }
  }
  note_->setText(result->sources.join(u'\n'));
}

}  // namespace waferpair::gui
