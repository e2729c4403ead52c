// SPDX-License-Identifier: GPL-3.0-or-later
// Behind the end of the caret's line, when asked: who changed it last, when and why. It goes with
// the next edit, or when the caret goes to another line. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

#include "gui/git/git_parts.h"

namespace waferpair::editor {
class LineHint;
}
namespace waferpair::workbench {
struct BlamedLine;
class GitJobs;
}  // namespace waferpair::workbench

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
  // Asks for the commit that the caret's line is of.
  void openCommit();

 Q_SIGNALS:
  // In hex; and the file, absolute.
  void commitWanted(const QByteArray& commit, const QString& path);

 private:
  using Take = std::function<void(const QPointer<Document>& document, int line,
                                  const workbench::BlamedLine& blamed)>;
  void ask(const Take& take);
  void hide();

  GitParts p_;
  FileActions* actions_;
  workbench::GitJobs* jobs_;
  QPointer<editor::LineHint> hint_;
};

}  // namespace waferpair::gui
