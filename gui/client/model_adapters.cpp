// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/model_adapters.h"

#include <QFileInfo>

namespace waferpair::gui {

QStringList adapterArguments(const QStringList& lines, const QString& model) {
  QStringList arguments;
  for (const QString& line : lines)
    if (line.startsWith(model + u'=')) arguments.append(line.mid(model.size() + 1));
  return arguments;
}

QVector<ModelAdapter> adaptersOf(const QStringList& lines, const QString& model) {
  QVector<ModelAdapter> adapters;
  for (const QString& argument : adapterArguments(lines, model)) {
    const qsizetype colon = argument.lastIndexOf(u':');
    bool isNumber = false;
    const double factor = argument.mid(colon + 1).toDouble(&isNumber);
    if (colon > 0 && isNumber && !QFileInfo::exists(argument))
      adapters.append({argument.left(colon), factor});
    else
      adapters.append({argument});
  }
  return adapters;
}

}  // namespace waferpair::gui
