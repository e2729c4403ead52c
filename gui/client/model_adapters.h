// SPDX-License-Identifier: GPL-3.0-or-later
// Low-rank adapters (LoRA) of models on this computer, as the setting models/adapters names them: a
// line for each, MODEL=ADAPTER or MODEL=ADAPTER:FACTOR, with the absolute paths of GGUF files.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::gui {

struct ModelAdapter {
  QString file;
  double factor = 1;
};

// Returns the adapters of a model in their order, as `waferd --adapter` takes them: ADAPTER or
// ADAPTER:FACTOR.
QStringList adapterArguments(const QStringList& lines, const QString& model);
// Returns the same, taken apart.
QVector<ModelAdapter> adaptersOf(const QStringList& lines, const QString& model);

}  // namespace waferpair::gui
