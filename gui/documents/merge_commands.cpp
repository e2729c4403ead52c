// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/merge_commands.h"

#include <QDir>
#include <QFileInfo>

#include "editor/text/text_file.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/merge_conflicts.h"
#include "gui/kit/command_registry.h"
#include "gui/translate.h"

namespace waferpair::gui {

using editor::Resolution;

void addMergeCommands(CommandRegistry& commands, EditorTabs* tabs) {
  QObject::connect(tabs, &EditorTabs::opened, tabs,
                   [](Document* document) { new MergeConflicts(document); });
  // While changes are offered, or two texts compared, these two keys go through those.
  const When conflicts = Context::kConflicts;
  const When steps = conflicts && !Context::kHunksShown && !Context::kCompared;
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, When when, int group, auto what) {
    commands.add({.id = QLatin1String(id),
                  .category = tr("Merge"),
                  .text = text,
                  .help = help,
                  .keys = keys,
                  .when = when,
                  .places = {{"edit/merge", group}},
                  .run = [tabs, what] {
                    if (MergeConflicts* at = MergeConflicts::of(tabs->current())) what(at);
                  }});
  };
  const auto keep = [](Resolution resolution) {
    return [resolution](MergeConflicts* at) { at->resolve(at->current(), resolution); };
  };
  const auto keepAll = [](Resolution resolution) {
    return [resolution](MergeConflicts* at) { at->resolveAll(resolution); };
  };
  add("merge.next", tr("&Next Conflict"), tr("Go to the next conflict of a merge."), {Qt::Key_F7},
      steps, 1, [](MergeConflicts* at) { at->step(+1); });
  add("merge.previous", tr("&Previous Conflict"), tr("Go to the conflict before."),
      {Qt::SHIFT | Qt::Key_F7}, steps, 1, [](MergeConflicts* at) { at->step(-1); });
  add("merge.ours", tr("Keep &Ours"), tr("Keep our side of the conflict at the caret."),
      {chord(Qt::Key_1)}, conflicts, 2, keep(Resolution::kOurs));
  add("merge.theirs", tr("Keep &Theirs"), tr("Keep their side of the conflict at the caret."),
      {chord(Qt::Key_2)}, conflicts, 2, keep(Resolution::kTheirs));
  add("merge.both", tr("Keep &Both"), tr("Keep both sides of the conflict, ours first."),
      {chord(Qt::Key_3)}, conflicts, 2, keep(Resolution::kBoth));
  add("merge.allOurs", tr("Keep Ours in &All"), tr("Keep our side of all conflicts."), {},
      conflicts, 3, keepAll(Resolution::kOurs));
  add("merge.allTheirs", tr("Keep Theirs in A&ll"), tr("Keep their side of all conflicts."), {},
      conflicts, 3, keepAll(Resolution::kTheirs));
}

Document* mergeFiles(EditorTabs* tabs, const MergeFiles& files) {
  editor::Snapshot texts[3];
  const QString paths[] = {files.base, files.ours, files.theirs};
  for (int i = 0; i < 3; ++i) {
    const auto text = editor::TextFile::open(paths[i]).and_then(
        [](const editor::TextFile& file) -> editor::Result<editor::Snapshot> {
          if (file.safeMode() == editor::SafeMode::kBinary)
            return tl::unexpected(editor::Error{tr("%1 is not a text.").arg(file.path()),
                                                tr("Only texts can be merged here.")});
          return file.readText();
        });
    if (!text) {
      Q_EMIT tabs->problem(text.error().message());
      return nullptr;
    }
    texts[i] = *text;
  }
  const auto merged =
      editor::markedMerge(texts[0], texts[1], texts[2], QFileInfo(files.ours).fileName(),
                          QFileInfo(files.theirs).fileName());
  if (!merged) {
    Q_EMIT tabs->problem(tr("The files could not be merged: they are too large."));
    return nullptr;
  }
  Document* document = nullptr;
  if (QFileInfo::exists(files.into)) {
    document = tabs->openFile(files.into);
  } else {
    document = tabs->newDocument(QFileInfo(files.into).fileName());
    document->moveTo(QFileInfo(files.into).absoluteFilePath());
  }
  if (!document) return nullptr;
  if (!(document->text() == merged->text)) document->textDocument()->replaceText(merged->text);
  if (MergeConflicts* conflicts = MergeConflicts::of(document)) conflicts->step(+1);
  document->setFocus();
  return document;
}

}  // namespace waferpair::gui
