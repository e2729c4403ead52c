// SPDX-License-Identifier: GPL-3.0-or-later
// A language server that runs for one project: its process, what it can do, and the texts that it
// was told of. It is started again when it dies, a few times. Whatever it does, nothing here waits
// for it: what it is asked is answered later, or never, and what is late for its text is said to be
// so. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>

#include "editor/text/busy.h"
#include "editor/text/result.h"
#include "programs/child_process.h"
#include "programs/json_rpc.h"
#include "workbench/language/diagnostic.h"
#include "workbench/language/language_server.h"
#include "workbench/language/mirrored_text.h"
#include "workbench/language/project_reach.h"
#include "workbench/language/server_abilities.h"
#include "workbench/language/server_works.h"

namespace waferpair::workbench {

struct LanguagePatience {
  std::chrono::milliseconds start{30'000};    // until it has said what it can do
  std::chrono::milliseconds answer{15'000};   // of other questions, which are withdrawn then
  std::chrono::milliseconds reading{30'000};  // that it reads nothing, though much waits for it
  std::chrono::milliseconds again{1'000};     // until it is started anew; twice as long each time
  int restarts = 4;                           // within `memory`
  std::chrono::milliseconds memory{180'000};
};

struct LanguageAnswer {
  QJsonValue result;      // undefined: it has none, see `problem`
  editor::Snapshot text;  // as it was when the question was asked; of a file, for one about a file
  qint64 version = 0;     // of that text
  bool isLate = false;    // the text has changed since
  ColumnUnit unit = ColumnUnit::kUtf16;
  QString problem;  // a sentence; empty: there is none
};

class LanguageClient : public QObject, public editor::Busy {
  Q_OBJECT
 public:
  enum class State { kStarting, kReady, kDead, kStopped };

  LanguageClient(LanguageServer server, programs::ProgramCommand command, QString root,
                 LanguagePatience patience = {}, QObject* parent = nullptr);
  ~LanguageClient() override;

  // Does nothing where it was started before.
  void start();
  // Starts it anew, whatever became of it before.
  void restart();
  // Asks it to end; it is ended where it does not.
  void stop();

  const LanguageServer& server() const { return server_; }
  const programs::ProgramCommand& command() const { return command_; }
  const QString& root() const { return root_; }
  State state() const { return state_; }
  // Set while it is dead, for good or until it is started again by itself.
  const editor::Error& problem() const { return problem_; }
  bool startsAgain() const { return again_.isActive(); }
  // While answers are due.
  QString busyWith() const override;
  // What it is at work on, in its words; empty: nothing.
  QString progress() const { return works_.text(); }
  // As it calls itself; its id where it does not.
  const QString& name() const { return name_; }
  // How far its answers about the project reach by now.
  ProjectReach reach() const { return projectReach(name_, works_); }
  // It can be asked to leave off what it is at work on.
  bool canCancelWork() const { return works_.cancellable().has_value(); }
  void cancelWork();

  // -- What it can do, once it is ready

  bool offers(const QString& provider) const;  // "hoverProvider"
  const QJsonObject& abilities() const { return abilities_.all(); }
  ColumnUnit unit() const { return unit_; }

  // -- Texts. Each is told while the server runs, and again to the next one.

  // A text without a file has no place in a project, and is none of its own.
  void open(const editor::SyncedDocument& document);
  void change(const editor::SyncedDocument& document, const QVector<editor::TextEdit>& edits);
  void close(const editor::DocumentId& id);
  void saved(const editor::DocumentId& id);
  // It wants to be told of files that change on disk.
  bool watchesFiles() const { return state_ == State::kReady && abilities_.watchesFiles(); }
  // Tells it of those that it wants to know about.
  void filesChanged(const QHash<QString, FileChange>& changes);
  bool has(const editor::DocumentId& id) const { return texts_.contains(id); }
  const MirroredText* text(const editor::DocumentId& id) const;

  // -- Questions

  using Answered = std::function<void(const LanguageAnswer& answer)>;
  // Asks about a text that is open here, of which and of all others it is told first, with
  // {"textDocument": ...} put into `params`. Returns the question, 0 where it cannot be asked:
  // `answered` is not called then.
  qint64 ask(const QString& method, const editor::DocumentId& id, QJsonObject params,
             const Answered& answered);
  // The same with the place of a byte as "position".
  qint64 askAt(const QString& method, const editor::DocumentId& id, qint64 offset,
               QJsonObject params, const Answered& answered);
  // Asks about no text: the answer's is empty.
  qint64 ask(const QString& method, const QJsonObject& params, const Answered& answered);
  // Returns why nothing was changed; empty: it was.
  using ApplyEdit = std::function<QString(const QJsonValue& edit)>;
  // Has it run a command of its own. What it wants changed goes to `apply` for as long as that
  // question is open: until it is answered, fails, is withdrawn, or the server ends or is started
  // anew. At any other time it is refused. A newer command withdraws an older one.
  qint64 execute(const QJsonValue& command, const ApplyEdit& apply, const Answered& answered);
  // The answer is not wanted any more; the server is told, too.
  void withdraw(qint64 question);

  // The user's answer to what it asked: the index of a choice, or none of them.
  void answerUser(qint64 asked, std::optional<qsizetype> choice);

 Q_SIGNALS:
  void stateChanged();
  void progressChanged();
  // What is wrong in a file, instead of what was told before. The ranges are those of an open text
  // by now.
  void diagnosed(const QString& path, const QVector<waferpair::workbench::Diagnostic>& diagnostics);
  // It has something to say to the user.
  void said(const QString& text, bool isError);
  // It asks the user, and waits for answerUser() with this number.
  void userAsked(qint64 asked, const QString& text, const QStringList& choices);
  // What it said of this kind ("inlayHint") may be otherwise by now, though no text has changed.
  void refreshWanted(const QString& kind);

 private:
  void launch();
  void initialize();
  void takeAbilities(const QJsonObject& result);
  void tellOpen(const MirroredText& text);
  void flush();
  void flush(const editor::DocumentId& id);
  // It has not read so much of what it was told that it is told no more for now.
  bool isBehind();
  void failAll(const QString& why);
  void pullLater(const editor::DocumentId& id);
  void pull();
  void takeDiagnostics(const QString& path, std::optional<qint64> version, const QJsonValue& list);
  void requested(const QJsonValue& id, const QString& method, const QJsonObject& params);
  void askUser(const QJsonValue& id, const QJsonObject& params);
  void notified(const QString& method, const QJsonObject& params);
  QJsonValue settingsFor(const QJsonObject& params) const;
  void giveUp(const QString& why);
  void die(const QString& how);
  qint64 send(const QString& method, const QJsonObject& params, LanguageAnswer shape,
              const editor::DocumentId& id, const Answered& answered);
  void notify(const QString& method, const QJsonObject& params);
  void setState(State state);

  LanguageServer server_;
  programs::ProgramCommand command_;
  QString root_;
  LanguagePatience patience_;
  std::unique_ptr<programs::ChildProcess> process_;
  std::unique_ptr<programs::JsonRpc> rpc_;
  State state_ = State::kStopped;
  editor::Error problem_;
  QTimer deadline_{this};
  QTimer again_{this};
  QTimer flushSoon_{this};
  QTimer pullSoon_{this};
  QTimer stuck_{this};      // while it is behind
  qint64 unreadThen_ = 0;   // bytes, as that began
  QVector<qint64> deaths_;  // when, in milliseconds
  ServerAbilities abilities_;
  QString name_;
  ColumnUnit unit_ = ColumnUnit::kUtf16;
  int changeKind_ = 0;  // 0: it wants to know of no changes, 1: of whole texts, 2: of edits
  bool tellsOpen_ = false;
  bool savesWithText_ = false;
  bool tellsSaves_ = false;
  QHash<editor::DocumentId, MirroredText> texts_;
  QSet<editor::DocumentId> toPull_;
  ServerWorks works_;
  // What awaits a command's answer owns it, and nothing else does: it ends with that question.
  std::weak_ptr<const ApplyEdit> permission_;
  qint64 commandQuestion_ = 0;  // that it is for, unless it has expired
  struct UserQuestion {
    QJsonValue id;       // of its request
    QJsonArray actions;  // one of which is the answer
  };
  QHash<qint64, UserQuestion> userQuestions_;
  qint64 lastUserQuestion_ = 0;
};

}  // namespace waferpair::workbench
