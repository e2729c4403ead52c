// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/figure_grid.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "wafer_view/elided_label.h"
#include "wafer_view/theme.h"

namespace waferpair::view {
namespace {
constexpr int kNarrowestCell = 132;
}

FigureGrid::FigureGrid(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(12, 6, 12, 6);
  grid_->setHorizontalSpacing(10);
  grid_->setVerticalSpacing(6);
}

int FigureGrid::addFigure(const char* objectName, const QString& caption, Origin origin,
                          const QString& toolTip) {
  Figure figure;
  figure.origin = origin;
  figure.cell = new QWidget(this);
  figure.cell->setToolTip(toolTip);
  figure.caption = new ElidedLabel(caption, figure.cell);
  figure.number = new ElidedLabel(QStringLiteral("–"), figure.cell);
  figure.number->setObjectName(QLatin1String(objectName));
  auto* box = new QVBoxLayout(figure.cell);
  box->setContentsMargins(0, 0, 0, 0);
  box->setSpacing(0);
  for (QLabel* label : {figure.caption, figure.number}) {
    // The text never decides the panel's width: figures change many times a second.
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    box->addWidget(label);
  }
  figures_.push_back(figure);
  tell(figures_.back());
  columns_ = 0;
  arrange();
  color();
  return static_cast<int>(figures_.size()) - 1;
}

void FigureGrid::setCaption(int index, const QString& caption) {
  figures_[index].caption->setText(caption);
  tell(figures_[index]);
}

// The name is what the value is of, and stays; the value follows as the description.
void FigureGrid::tell(const Figure& figure) {
  figure.number->setAccessibleName(figure.caption->text());
  figure.number->setAccessibleDescription(figure.value.isEmpty() ? tr("not measured yet")
                                                                 : figure.value);
}

void FigureGrid::setValue(int index, const QString& value) {
  Figure& figure = figures_[index];
  if (figure.value == value) return;
  figure.value = value;
  figure.number->setText(value.isEmpty() ? QStringLiteral("–") : value);
  tell(figure);
}

QString FigureGrid::value(int index) const { return figures_[index].value; }

void FigureGrid::resizeEvent(QResizeEvent*) { arrange(); }

void FigureGrid::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) color();
  QWidget::changeEvent(event);
}

int FigureGrid::columnsFor(int width) const {
  return std::clamp(width / kNarrowestCell, 1, std::max(1, static_cast<int>(figures_.size())));
}

int FigureGrid::heightFor(int width) const {
  if (figures_.empty()) return 0;
  const int columns = columnsFor(width);
  const int rows = (static_cast<int>(figures_.size()) + columns - 1) / columns;
  const QMargins margins = grid_->contentsMargins();
  return rows * figures_.front().cell->sizeHint().height() + (rows - 1) * grid_->verticalSpacing() +
         margins.top() + margins.bottom();
}

void FigureGrid::arrange() {
  const int count = static_cast<int>(figures_.size());
  const int columns = columnsFor(width());
  if (columns == columns_ || count == 0) return;
  for (int column = 0; column < columns_; ++column) grid_->setColumnStretch(column, 0);
  columns_ = columns;
  for (int i = 0; i < count; ++i) grid_->addWidget(figures_[i].cell, i / columns, i % columns);
  for (int column = 0; column < columns; ++column) grid_->setColumnStretch(column, 1);
}

void FigureGrid::color() {
  const WaferColors theme = waferColors(palette());
  for (const Figure& figure : figures_) {
    const QRgb mark = figure.origin == Origin::kHost    ? theme.hostSeries
                      : figure.origin == Origin::kWafer ? theme.waferSeries
                                                        : theme.dimText;
    QPalette captionColors = palette();
    // The background of the panel decides which of the two roles a label uses.
    captionColors.setColor(QPalette::WindowText, QColor(mark));
    captionColors.setColor(QPalette::Text, QColor(mark));
    figure.caption->setPalette(captionColors);
    QFont small = font(), large = font();
    small.setPixelSize(11);
    large.setPixelSize(15);
    large.setWeight(QFont::DemiBold);
    figure.caption->setFont(small);
    figure.number->setFont(large);
  }
}

}  // namespace waferpair::view
