// SPDX-License-Identifier: GPL-3.0-or-later
// The gate in front of the model, as the window asks it (runtime/exclusions): by a file's names and
// the .waferpairignore files around it, and by a text's own content. Notices when another program
// may have changed an answer. UI thread only; files of rules that take long to read are read by a
// thread, and until then what lies below them is held back.
#pragma once

#include <QByteArrayView>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "runtime/exclusions/exclusions.h"

namespace waferpair::gui {

class ModelGate : public QObject {
  Q_OBJECT
 public:
  explicit ModelGate(QObject* parent = nullptr);

  // The open project; empty: none. askAgain() is not told.
  void setProject(const QString& root);

  // Returns why the model may not see the file at `path`, for the status bar; empty when it may.
  // Looks at the disk anew.
  QString reason(const QString& path);
  // The same of a text: it holds a private key or a token.
  static QString reasonOfText(QByteArrayView utf8);

  // Makes askAgain() name `path`, until forget(), whenever its answer may have changed: ask
  // afterwards, so that no change goes unnoticed, and watch anew when asked to ask again, as its
  // links may lead through other folders.
  void watch(const QString& path);
  void forget(const QString& path);

 Q_SIGNALS:
  void askAgain(const QStringList& paths);
  // A file of rules is another one now.
  void rulesChanged();

 private:
  struct Folder {
    QSet<QString> files;  // watched, in it by one of their names
    QSet<QString> below;  // watched, on which its rules have a say
    exclusions::FileStamp rules;
  };

  void look(const QString& folder, bool entriesChanged);
  void addToWatcher(const QString& path);
  void readLongRules();

  exclusions::Exclusions exclusions_;
  QFileSystemWatcher watcher_;
  QHash<QString, Folder> folders_;
  QHash<QString, QStringList> watched_;  // the folders of each file
  QSet<QString> beingRead_;              // files of rules, by a thread
  QTimer poll_;                          // runs where the system watches no more
};

}  // namespace waferpair::gui
