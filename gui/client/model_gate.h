// SPDX-License-Identifier: GPL-3.0-or-later
// The gate in front of the model, as the window asks it (runtime/exclusions): by a file's names and
// the .waferpairignore files around it, and by a text's own content. Of what may be seen it makes
// the values that the model server's client takes (passed.h), and nobody else does. Notices when
// another program may have changed an answer. UI thread only; files of rules that take long to read
// are read by a thread, and until then what lies below them is held back.
#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <tl/expected.hpp>

#include "gui/client/passed.h"
#include "runtime/exclusions/exclusions.h"

namespace waferpair::gui {

// Why the model may not see something, for the status bar: of its file, or of the text in it.
struct HeldBack {
  QString reason;
  bool byFile = false;
};

class ModelGate : public QObject {
  Q_OBJECT
 public:
  explicit ModelGate(QObject* parent = nullptr);

  // The open project; empty: none. askAgain() is not told.
  void setProject(const QString& root);

  // Returns why the model may not see a file, by its name alone, for the status bar; empty when it
  // may. Looks at the disk anew. A document that has no path may be seen.
  QString reason(const editor::DocumentId& id);
  // Documents are named by path or by file URL; others (a buffer never saved) have no path.
  static QString pathOf(const editor::DocumentId& id);

  // A whole text, by its file, by its size and by all that stands in it.
  tl::expected<PassedText, HeldBack> pass(const GatedText& text);
  // A change of one that has passed, which becomes `text`, the text behind it: only what lies near
  // the edits is looked at. Where it may not be seen `text` may not any more, either.
  static tl::expected<PassedChange, HeldBack> pass(PassedText* text, qint64 version,
                                                   const QVector<editor::TextEdit>& edits,
                                                   const editor::Snapshot& after);
  // A request at a place of one that has passed: by the text that it would have there. Names that
  // look like secrets do not go along.
  static tl::expected<PassedQuery, HeldBack> pass(const PassedText& text,
                                                  const editor::CompletionQuery& query);
  static tl::expected<PassedPrompt, HeldBack> pass(const LonePrompt& prompt);

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
  QTimer poll_{this};                    // runs where the system watches no more
};

}  // namespace waferpair::gui
