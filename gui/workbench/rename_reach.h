// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a rename from leaving uses of the name behind unsaid. The files that the server may not
// know and that its answer leaves alone are searched for the name as a word; if it stands there,
// the user is told before anything is changed, and decides. UI thread only.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>

#include "gui/workbench/language_guide.h"
#include "workbench/search/project_finder.h"

namespace waferpair::gui {

class FileIndex;

class RenameReach : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  RenameReach(const LanguageGuideParts& parts, const FileIndex* files, QObject* parent = nullptr);
  ~RenameReach() override;

  struct Rename {
    QString name;         // that it has so far
    QString document;     // in which it was asked for
    qint64 offset = 0;    // in its text
    QStringList changed;  // the files that the answer changes, absolute
  };
  // Calls `make` at once, or once it is known that nothing is left behind, or once the user says
  // so. A newer question ends an older.
  void check(workbench::LanguageClient* client, const Rename& rename,
             const std::function<void()>& make);

 private:
  // Project files of the server's languages that `changed` has not, relative to the folder.
  QStringList others(const workbench::LanguageClient* client, const QStringList& changed) const;
  void lookInto(const QStringList& files, const QString& why);
  void finish();
  // What is declared inside of a function is used nowhere else.
  void askWhetherLocal();
  void askUser();

  LanguageGuideParts p_;
  const FileIndex* files_;
  QMetaObject::Connection whenRead_;  // of a question that waits for the list of files
  workbench::ProjectFinder finder_;
  QThreadPool pool_{this};
  int generation_ = 0;  // of questions
  QPointer<workbench::LanguageClient> client_;
  Rename rename_;
  QString folder_;     // of the server
  QString why_;        // the answer may leave something out
  QStringList found_;  // the files in which the name stands
  std::function<void()> make_;
};

}  // namespace waferpair::gui
