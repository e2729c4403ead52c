// SPDX-License-Identifier: GPL-3.0-or-later
// Figures with captions, in as many columns as the width allows.
#pragma once

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

namespace waferpair::view {

class FigureGrid : public QWidget {
  Q_OBJECT
 public:
  explicit FigureGrid(QWidget* parent = nullptr);

  // Returns the index to set its value by. The origin, whose clock it comes from, shows as a
  // color.
  enum class Origin { kHost, kWafer, kNeutral };
  // GUI tests find the value by `objectName`; screen readers hear the caption and the value.
  int addFigure(const char* objectName, const QString& caption, Origin origin,
                const QString& toolTip);
  void setCaption(int figure, const QString& caption);
  // An empty value is shown as a dash.
  void setValue(int figure, const QString& value);
  QString value(int figure) const;  // as set
  int heightFor(int width) const;   // pixels

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Figure {
    QWidget* cell = nullptr;
    QLabel* caption = nullptr;
    QLabel* number = nullptr;
    Origin origin = Origin::kNeutral;
    QString value;
  };

  void arrange();
  int columnsFor(int width) const;
  void tell(const Figure& figure);
  void color();

  QGridLayout* grid_;
  std::vector<Figure> figures_;
  int columns_ = 0;
};

}  // namespace waferpair::view
