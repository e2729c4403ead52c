// SPDX-License-Identifier: GPL-3.0-or-later
// The language servers of the open folders: which server each open text has, the user's word before
// one is started, and what they find wrong. Subscribes to document sync. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>

#include "editor/assist/document_sync.h"
#include "workbench/language/diagnostic_store.h"
#include "workbench/language/language_client.h"

namespace waferpair::workbench {

class LanguageService : public QObject, private editor::DocumentSubscriber {
  Q_OBJECT
 public:
  struct Options {
    QVector<LanguageServer> shipped = {};
    QString userFile = {};  // servers of the user's own; need not be there
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    LanguagePatience patience = {};
    programs::StartRule rule = {};  // the user's word; none: nothing is started
  };

  // `sync` outlives this.
  LanguageService(editor::DocumentSync* sync, Options options, QObject* parent = nullptr);
  ~LanguageService() override;

  // The folders that are open, absolute; none lies in another. Servers of others end. A folder's
  // own list of servers is for its files alone. Returns what is wrong with the lists of servers.
  QStringList setFolders(const QStringList& folders);
  QStringList setFolder(const QString& folder) {
    return setFolders(folder.isEmpty() ? QStringList() : QStringList{folder});
  }
  void setEnabled(bool on);
  bool isEnabled() const { return enabled_; }

  // -- The user's word

  // A server that an open text could have, and that nobody was asked about.
  struct Offer {
    programs::GivenStart start;
    LanguageServer server;
    programs::ProgramCommand command;
    QString language;
  };
  // Each start once.
  QVector<Offer> offers() const;
  // A folder that is not trusted, in which an open text would have a server that is installed;
  // empty: there is none.
  QString restrictedFolder() const;
  // The user's word is another by now: starts what may be, and ends what may no longer.
  void lookAgain();

  // -- The servers

  // What there is for a language, as far as open texts have it.
  struct Row {
    LanguageServer server;
    programs::ProgramCommand command;  // without a program: it is missing
    QString folder;                    // of the user's word
    QVector<LanguageClient*> clients;  // that run, or are to
    programs::StartWord word = programs::StartWord::kUnasked;
  };
  QVector<Row> rows() const;
  // Null: the text has no server that runs or is to.
  LanguageClient* clientOf(const editor::DocumentId& id) const { return clientOf_.value(id); }
  void restartAll();
  const QVector<LanguageClient*>& clients() const { return clients_; }
  // What the user's word was asked for, of each of them.
  QVector<programs::GivenStart> running() const;
  // The text of this document was written to its file.
  void saved(const editor::DocumentId& id);
  // Asks all to end. None is started after that.
  void stopAll();

  // -- What is wrong

  // By all who look for it: others report there, too.
  DiagnosticStore* found() { return &found_; }
  // By where they are in the text. A path is the id of an open text.
  const QVector<Diagnostic>& diagnostics(const QString& path) const { return found_.of(path); }
  // The files that have some, sorted.
  QStringList diagnosedFiles() const { return found_.files(); }

 Q_SIGNALS:
  void offersChanged();
  void stateChanged();  // of a server, or which there are
  void diagnosticsChanged(const QString& path);
  void said(const QString& server, const QString& text, bool isError);
  // A server asks the user, and waits for LanguageClient::answerUser() with this number.
  void userAsked(waferpair::workbench::LanguageClient* client, qint64 asked, const QString& text,
                 const QStringList& choices);
  // What a server said of this kind ("inlayHint") may be otherwise by now.
  void refreshWanted(const QString& kind);

 private:
  struct Candidate {
    LanguageServer server;
    programs::ProgramCommand command;  // without a program: it is missing
    QString folder;                    // empty: a file outside of the open folders
  };

  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId& id) override;

  programs::StartWord wordAbout(const Candidate& found) const;
  Candidate candidateOf(const LanguageClient& client) const;
  std::optional<Candidate> find(const editor::SyncedDocument& document) const;
  void assign(const editor::SyncedDocument& document);
  void assignAll();
  LanguageClient* clientFor(const Candidate& found, const QString& path);
  void end(LanguageClient* client);

  Options options_;
  bool enabled_ = true;
  bool stopped_ = false;
  // The open folder that a path is or lies in; empty: none.
  QString folderOf(const QString& path) const;

  QStringList folders_;
  QHash<QString, QVector<LanguageServer>> ofFolder_;  // what each brings
  QVector<LanguageServer> servers_;                   // the user's, the program's
  QHash<editor::DocumentId, editor::SyncedDocument> open_;
  QHash<editor::DocumentId, LanguageClient*> clientOf_;
  QVector<LanguageClient*> clients_;
  DiagnosticStore found_;
};

}  // namespace waferpair::workbench
