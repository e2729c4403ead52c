// SPDX-License-Identifier: GPL-3.0-or-later
// A device that draws nothing and remembers where each text would have left ink: what runs into
// what, and what is cut, can be asked of any painting code, in any font.
#pragma once

#include <QPaintDevice>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

namespace waferpair::view::test {

struct PaintedText {
  QString text;
  QRectF ink;   // device coordinates
  QRectF clip;  // that it was painted in; empty for none
};

class TextRecorder : public QPaintDevice {
 public:
  explicit TextRecorder(QSize size);
  ~TextRecorder() override;

  QPaintEngine* paintEngine() const override;
  const std::vector<PaintedText>& texts() const;
  // Returns in words which texts meet, and which reach beyond their clip or the device. Empty:
  // none.
  QStringList faults() const;

 protected:
  int metric(PaintDeviceMetric metric) const override;

 private:
  class Engine;
  QSize size_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace waferpair::view::test
