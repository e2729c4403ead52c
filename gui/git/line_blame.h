// SPDX-License-Identifier: GPL-3.0-or-later
// Behind the end of the caret's line, when asked: who changed it last, when and why. It goes with
// the next edit, or when the caret goes to another line. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>

#include "gui/git/git_parts.h"

namespace waferpair::editor {
class LineHint;
}
namespace waferpair::workbench {
class GitJobs;
}

namespace waferpair::gui {

class Document;
class FileActions;

class LineBlame : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  LineBlame(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs,
            QObject* parent = nullptr);

  void show();

 private:
  void hide();

  GitParts p_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
  QPointer<editor::LineHint> hint_;
};

}  // namespace waferpair::gui
