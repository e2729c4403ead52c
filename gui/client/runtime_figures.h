// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that the program has of the model server: values only, safe to copy and to keep.
#pragma once

#include <QString>
#include <QtGlobal>
#include <optional>

#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

// Host figures are measured on this computer; wafer figures are emulated and mean nothing without
// `profile` and `clockHz`. Empty where nothing has been measured yet.
struct RuntimeFigures {
  QString model;    // name from the model file
  QString shadow;   // not empty: the wafer figures are those of this shape (ShadowFacts)
  QString machine;  // "wse3"
  QString profile;  // kernel profile that the wafer figures come from
  double clockHz = 0;
  std::optional<double> hostTokensPerSecond;   // decode, last completion
  std::optional<double> firstTokenHostMs;      // last completion: request seen to first token sent
  std::optional<double> waferTokensPerSecond;  // decode, last completion, emulated
  std::optional<double> firstTokenWaferMs;     // last completion, emulated
  std::optional<qint64> contextUsed;           // positions in the KV cache
  std::optional<qint64> contextLimit;
  std::optional<protocol::FigureBand> band = {};  // of the wafer figures
  bool operator==(const RuntimeFigures&) const = default;
};

// A model of which only the shape is here: the tokens of the one that runs step it on emulated
// wafers. Placement and cycles are its own, text and host figures are not.
struct ShadowFacts {
  QString model;
  qint64 parameters = 0;
  int wafers = 1;
  qint64 context = 0;          // positions that its KV cache has room for
  double tokensPerSecond = 0;  // emulated, with the cache full
  std::optional<protocol::FigureBand> band = {};
  bool operator==(const ShadowFacts&) const = default;
};

// The placement that is asked of the server for a shadow.
struct ShadowPlacement {
  QString objective = QStringLiteral("latency");  // or "replicas", "context", as the planner has it
  int context = 0;                                // positions that must fit; 0: as many as is usual
  bool operator==(const ShadowPlacement&) const = default;
};

// A shape of the server's catalog.
struct ShadowShape {
  QString name;
  qint64 parameters = 0;
  int wafers = 0;      // 0: cannot be placed
  bool guess = false;  // nobody has published its numbers
  QString source;
};

}  // namespace waferpair::gui
