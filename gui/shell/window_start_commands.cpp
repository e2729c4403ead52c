// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to begin: the sample project, and the folders of late.
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>

#include "gui/kit/banner.h"
#include "gui/kit/input_prompt.h"
#include "gui/project/sample_project.h"
#include "gui/project/workspace.h"
#include "gui/shell/window_commands.h"
#include "gui/store/resource_paths.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

void askForSamplePlace(const WindowParts& p, const QString& sample) {
  QString place = usualSamplePlace();
  if (place.startsWith(QDir::homePath() + u'/')) place.replace(0, QDir::homePath().size(), u'~');
  p.prompt->open(
      tr("Where to copy the sample project (Return opens the copy)"),
      QDir::toNativeSeparators(place), place.size(),
      [sample](const QString& text) { return checkSamplePlace(sample, samplePlace(text)); },
      [p, sample](const QString& text) {
        const QString copy = samplePlace(text);
        if (const QString wrong = copySampleProject(sample, copy); !wrong.isEmpty()) {
          p.notices->show(QStringLiteral("sampleNotice"), Banner::Kind::kError, wrong);
          return;
        }
        openFolder(p, copy);
      });
}

}  // namespace

void openRecent(const WindowParts& p, const QString& folder) {
  if (QFileInfo(folder).isDir()) return openFolder(p, folder);
  p.notices
      ->show(QStringLiteral("goneNotice"), Banner::Kind::kWarning,
             tr("The folder %1 is not there any more.").arg(QDir::toNativeSeparators(folder)))
      .addButton(QStringLiteral("forgetGone"), tr("Take It Off the List"),
                 [p, folder] { p.workspace->forgetRecent(folder); });
}

void addStartCommands(const WindowParts& p) {
  const QString sample = resourcePath(QStringLiteral("sample_project"));
  if (sample.isEmpty()) return;  // not installed
  p.commands->add({"file.openSample",
                   tr("File"),
                   tr("Open Sample Pro&ject…"),
                   tr("Copy the small project that comes along, and open the copy."),
                   {},
                   "play"},
                  [p, sample] { askForSamplePlace(p, sample); });
}

}  // namespace waferpair::gui
