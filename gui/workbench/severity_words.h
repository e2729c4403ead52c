// SPDX-License-Identifier: GPL-3.0-or-later
// How grave a finding is, in a word and as a picture.
#pragma once

#include <QIcon>
#include <QString>

#include "gui/kit/icons.h"
#include "gui/translate.h"
#include "workbench/language/diagnostic.h"

namespace waferpair::gui {

inline QString severityWord(workbench::Severity severity) {
  switch (severity) {
    case workbench::Severity::kError:
      return tr("Error");
    case workbench::Severity::kWarning:
      return tr("Warning");
    case workbench::Severity::kInformation:
      return tr("Information");
    case workbench::Severity::kHint:
      return tr("Hint");
  }
  Q_UNREACHABLE();
}

inline QIcon severityIcon(workbench::Severity severity) {
  if (severity == workbench::Severity::kError)
    return icon(QStringLiteral("error"), IconTint::kDanger);
  if (severity == workbench::Severity::kWarning)
    return icon(QStringLiteral("warning"), IconTint::kWarning);
  return icon(QStringLiteral("info"), IconTint::kMuted);
}

}  // namespace waferpair::gui
