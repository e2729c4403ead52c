// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/race_controls.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include "wafer_view/metric.h"

namespace waferpair::gui {

int RaceControls::Dial::at() const { return values.value(slider->value()); }

RaceControls::RaceControls(QWidget* parent)
    : QWidget(parent), model_(new QComboBox(this)), bits_(new QComboBox(this)) {
  setObjectName(QStringLiteral("raceControls"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(4, 1);
  const auto box = [this, grid](QComboBox* made, const char* name, const QString& caption,
                                const QString& tip, int row) {
    auto* label = new QLabel(caption, this);
    label->setBuddy(made);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(QString(caption).remove(u'&'));
    made->setToolTip(tip);
    made->setAccessibleDescription(tip);
    grid->addWidget(label, row / 2, 3 * (row % 2));
    grid->addWidget(made, row / 2, 3 * (row % 2) + 1);
    connect(made, &QComboBox::currentIndexChanged, this, &RaceControls::changed);
  };
  box(model_, "raceModel", tr("&Model"), tr("Whose shape is on wafers and GPUs"), 0);
  box(bits_, "raceBits", tr("&Bits"), tr("Of each weight; fewer are read faster"), 1);
  bits_->addItem(tr("as published"), 0);
  for (const int bits : {16, 8, 4}) bits_->addItem(QString::number(bits), bits);

  QVector<int> powers, drafts{-1}, percents;
  for (int value = 1; value <= 1024; value *= 2) powers.append(value);
  for (int value = 0; value <= 16; ++value) drafts.append(value);
  for (int value = 0; value <= 100; value += 5) percents.append(value);
  prompt_ = dial("racePrompt", tr("&Context"), tr("Tokens of the prompt"),
                 {128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}, 3, 2, grid);
  output_ = dial("raceOutput", tr("&Tokens"), tr("Tokens that are written"),
                 {50, 100, 200, 500, 1000, 2000, 5000}, 2, 3, grid);
  requests_ = dial("raceRequests", tr("&Users"),
                   tr("Requests at once: GPUs share the weights that they read, a wafer has the "
                      "requests follow one another through its blocks"),
                   powers, 0, 4, grid);
  draft_ = dial("raceDraft", tr("&Draft"),
                tr("Guesses that a step verifies; by itself: as each contender does"), drafts, 0, 5,
                grid);
  acceptance_ =
      dial("raceAcceptance", tr("&Acceptance"),
           tr("How likely a guess is right where those before it were"), percents, 16, 6, grid);
  showValues();
}

RaceControls::Dial RaceControls::dial(const char* name, const QString& caption, const QString& tip,
                                      QVector<int> values, int first, int row, QGridLayout* grid) {
  Dial made{new QSlider(Qt::Horizontal, this), new QLabel(this), std::move(values)};
  auto* label = new QLabel(caption, this);
  label->setBuddy(made.slider);
  made.slider->setObjectName(QLatin1String(name));
  made.slider->setRange(0, static_cast<int>(made.values.size()) - 1);
  made.slider->setPageStep(1);
  made.slider->setValue(first);
  made.slider->setMinimumWidth(90);
  made.slider->setToolTip(tip);
  made.slider->setAccessibleName(QString(caption).remove(u'&'));
  made.value->setMinimumWidth(made.value->fontMetrics().horizontalAdvance(tr("by itself")));
  grid->addWidget(label, row / 2, 3 * (row % 2));
  grid->addWidget(made.slider, row / 2, 3 * (row % 2) + 1);
  grid->addWidget(made.value, row / 2, 3 * (row % 2) + 2);
  connect(made.slider, &QSlider::valueChanged, this, [this] {
    showValues();
    Q_EMIT changed();
  });
  return made;
}

void RaceControls::showValues() {
  if (!acceptance_.slider) return;
  acceptance_.slider->setEnabled(draft_.at() > 0);
  const auto show = [](const Dial& dial, const QString& text) {
    dial.value->setText(text);
    dial.slider->setAccessibleDescription(text + QStringLiteral(". ") + dial.slider->toolTip());
  };
  show(prompt_, view::countText(prompt_.at()));
  show(output_, view::countText(output_.at()));
  show(requests_, view::countText(requests_.at()));
  show(draft_, draft_.at() < 0 ? tr("by itself") : view::countText(draft_.at()));
  show(acceptance_, tr("%1 %").arg(acceptance_.at()));
}

void RaceControls::setModels(const ExperimentAnswer& contenders) {
  const QSignalBlocker quiet(model_);
  model_->clear();
  for (const ExperimentFigure& figure : contenders.figures)
    if (figure.name.startsWith(QLatin1String("model "))) model_->addItem(figure.label);
  model_->setCurrentText(RaceSettings().model);
}

RaceSettings RaceControls::settings() const {
  RaceSettings settings;
  if (model_->count() > 0) settings.model = model_->currentText();
  settings.bits = bits_->currentData().toInt();
  settings.prompt = prompt_.at();
  settings.output = output_.at();
  settings.requests = requests_.at();
  settings.draft = draft_.at();
  settings.acceptance = acceptance_.at();
  return settings;
}

}  // namespace waferpair::gui
