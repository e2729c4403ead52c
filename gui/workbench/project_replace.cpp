// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/project_replace.h"

#include "gui/translate.h"

namespace waferpair::gui {

ReplaceChanges replaceChanges(pairing::ProjectTexts* texts, const QString& root,
                              const QStringList& files, const workbench::TextSearch& search,
                              const QString& replacement) {
  ReplaceChanges changes;
  changes.set =
      pairing::ChangeSet::make(tr("Replace “%1” with “%2”").arg(search.query().text, replacement));
  for (const QString& file : files) {
    const auto before = texts->read(root + u'/' + file);
    if (!before) {
      changes.problems.append(QStringLiteral("%1: %2").arg(file, before.error().message()));
      continue;
    }
    if (!before->exists) continue;
    const QByteArray text = before->text.toByteArray();
    const QByteArray replaced = search.replaced(text, replacement);
    if (replaced != text)
      changes.set.put(file, *before, before->holding(editor::Snapshot(replaced)),
                      pairing::ChangedFile::Origin::kProposed);
  }
  return changes;
}

}  // namespace waferpair::gui
