// SPDX-License-Identifier: GPL-3.0-or-later
// Saving and closing as conversations: asking for a name where there is none, and what to do with
// unsaved text. Nothing blocks; each call returns at once and reports through its callback.
#pragma once

#include <QList>
#include <QObject>
#include <functional>
#include <utility>

class QWidget;

namespace waferpair::gui {

class Document;
class EditorTabs;

class SaveFlow : public QObject {
  Q_OBJECT
 public:
  // `tabs` outlives this; dialogs belong to `window`.
  SaveFlow(EditorTabs* tabs, QWidget* window);

  // Sets the folder in which files without a path are offered to be saved.
  void setFolder(const QString& folder) { folder_ = folder; }

  // Is called before a text is saved to the file that it has, and calls `then` once, now or soon:
  // the save waits for that. The document may be gone by then.
  using Prepare = std::function<void(Document* document, const std::function<void()>& then)>;
  void setPrepare(Prepare prepare) { prepare_ = std::move(prepare); }

  using Done = std::function<void(bool allSaved)>;
  void save(Document* document, Done done = {});
  void saveAs(Document* document, Done done = {});
  // Saves one after the other; stops at the first that is not saved.
  void saveAll(QList<Document*> documents, Done done = {});

  // Closes the tabs, asking first about those with unsaved text. `done(false)`: the user cancelled
  // or a save failed, and what was not closed is still open.
  void close(const QList<Document*>& documents, Done done = {});
  // Asks likewise, but leaves the tabs open: for the end of the program. With "discard" `discarded`
  // is called before done(true).
  void settle(const QList<Document*>& documents, std::function<void()> discarded, Done done);

 private:
  enum class Answer { kSave, kDiscard, kCancel };
  void saveTo(Document* document, const QString& path, const Done& done);
  void ask(const QList<Document*>& unsaved, std::function<void(Answer)> answered);

  EditorTabs* tabs_;
  QWidget* window_;
  QString folder_;
  Prepare prepare_;
};

}  // namespace waferpair::gui
