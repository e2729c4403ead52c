// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/request/edit_form.h"

#include <QRegularExpression>

namespace waferpair::pairing {

qint64 parametersInName(const QString& name) {
  static const QRegularExpression size(
      QStringLiteral(R"((?<![\w.])(\d+(?:\.\d+)?)\s?([bm])(?![a-z0-9]))"),
      QRegularExpression::CaseInsensitiveOption);
  qint64 found = -1;
  for (auto each = size.globalMatch(name); each.hasNext();) {
    const auto match = each.next();
    const double unit = match.captured(2).toLower() == u"b" ? 1e9 : 1e6;
    found = static_cast<qint64>(match.captured(1).toDouble() * unit);
  }
  return found;
}

bool mayEdit(qint64 parameters) { return parameters < 0 || parameters >= kLeastEditParameters; }

EditForm editFormFor(qint64 parameters) {
  return parameters < 0 || parameters >= kLeastBlockParameters ? EditForm::kBlocks
                                                               : EditForm::kRewrite;
}

EditForm EditForms::formOf(const QString& modelId, qint64 parameters) const {
  if (parameters >= 0) return editFormFor(parameters);
  return forms_.value(modelId, EditForm::kBlocks);
}

void EditForms::answered(const QString& modelId, bool inFence) {
  forms_[modelId] = inFence ? EditForm::kRewrite : EditForm::kBlocks;
}

}  // namespace waferpair::pairing
