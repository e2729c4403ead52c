// SPDX-License-Identifier: GPL-3.0-or-later
// The share of the wafer that a model takes: PEs, and the SRAM of all of them by kind.
#pragma once

#include <QWidget>
#include <array>
#include <cstdint>

#include "runtime/protocol/telemetry.h"
#include "wafer_view/theme.h"

namespace waferpair::view {

// Sums over the regions of a layout, on all its wafers.
struct Occupancy {
  std::int64_t pes = 0;      // of the fabrics
  std::int64_t pesUsed = 0;  // in regions
  std::int64_t bytes = 0;    // SRAM of the whole fabrics
  // SRAM of the PEs in regions; kFree is all the rest of the fabrics' SRAM, so the kinds sum to
  // `bytes`.
  std::array<std::int64_t, protocol::kSramKinds> byKind{};
};
Occupancy occupancyOf(const protocol::WaferLayout& layout);

class ModelCard : public QWidget {
  Q_OBJECT
 public:
  explicit ModelCard(QWidget* parent = nullptr);

  void setWafer(const protocol::WaferLayout& layout);
  QString text() const;  // what is drawn, one line a figure; also the accessible description

  int heightFor(int width) const;  // pixels

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QString usage() const;
  int heightWanted() const { return heightFor(width()); }

  QString model_;
  QString note_;     // on how many wafers; empty for a model on one
  QString loading_;  // how it gets there; empty where it is not known
  Occupancy occupancy_;
  WaferColors theme_;
};

}  // namespace waferpair::view
