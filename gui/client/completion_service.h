// SPDX-License-Identifier: GPL-3.0-or-later
// Completions for the editors over the session with waferd, and all documents of that session: it
// sees to it that none is opened twice, and takes back from the server at once what ModelGate holds
// back. The gate is asked about a file when it is opened and whenever a program changed something
// about it or about the rules, about a text when it is opened and where it is edited. What may be
// seen again goes to the server when things have settled.
//
// It knows the editors' documents as a subscriber of DocumentSync and keeps a snapshot of each, so
// that a new session (after a crash of waferd, say) gets them all without asking any editor.
// Where a larger model is set, it is asked beside the first one, and what becomes of the two
// answers is cascade.h's to say. Background documents, which no editor shows, are told anew by
// whoever chose them (project_feed.h). Streamed text is handed on as it comes: who draws it gathers
// it by frame. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QString>
#include <QTimer>
#include <optional>

#include "editor/assist/completion_provider.h"
#include "editor/assist/document_sync.h"
#include "gui/client/cascade.h"
#include "gui/client/model_gate.h"
#include "gui/client/power_source.h"
#include "gui/client/server_events.h"

namespace waferpair::gui {

class RuntimeClient;

class CompletionService : public editor::CompletionProvider, public editor::DocumentSubscriber {
  Q_OBJECT
 public:
  explicit CompletionService(QObject* parent = nullptr);

  // The session to use from now on; not owned, may be null. Requests of the old one fail.
  void setClient(RuntimeClient* client);
  // Sets why no completion can be had at all (the model is loading, say), for the status bar; empty
  // when one can.
  void setUnavailable(const QString& reason);
  void setProjectRoot(const QString& folder);
  // Sets the model that is asked beside the first one, by what requests call it; empty: none is.
  void setLargerModel(const QString& model) { largerModel_ = model; }
  const QString& largerModel() const { return largerModel_; }
  // Asks the gate about all files: where nothing is noticed (on some network disks, say), somebody
  // has to ask.
  void askGateAgain();

  // Documents in which nothing is to be suggested are ignored.
  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId& id) override;

  // Where the query's inserted text, with what stands around it, must not be shown to the model,
  // 0.
  editor::RequestId requestCompletion(const editor::CompletionQuery& query) override;
  void cancelCompletion(editor::RequestId request) override;
  void readAhead(const editor::DocumentId& document, qint64 version, qint64 offset) override;
  bool mayBeTakenOver(editor::RequestId request) const override;
  QString silenceReason(const editor::DocumentId& id) const override;
  // The model runs on this computer: only the battery pays for it.
  bool mayAskAhead() const override { return asksAhead_ && !power_.isOnBattery(); }
  // The number of requests ahead depends on how quick the computer is, which not every run may
  // show.
  void setAsksAhead(bool asks) { asksAhead_ = asks; }
  // Returns whether an answer is awaited, or files are to be judged anew.
  bool isBusy() const { return !requests_.isEmpty() || settle_.isActive(); }

  // -- Background documents: what the model may copy from, beside the editors' texts

  // The most documents that are used, of a session's 1,024 (docs/protocol.md); editors come first.
  static constexpr qsizetype kMostDocuments = 1'000;

  bool hasSession() const;
  // Opens `id`, named by its path, or replaces its text. False, and the server does not have it,
  // when there is no session, an editor has that document, it is excluded, or there is no room.
  bool openBackground(const editor::DocumentId& id, const QString& language,
                      const QByteArray& utf8);
  void closeBackground(editor::DocumentId id);  // by value: it may be a key that this takes away
  // The background documents that the server has, with the bytes of each.
  const QHash<editor::DocumentId, qint64>& background() const { return background_; }
  // The documents of the editors.
  QList<editor::DocumentId> inEditors() const { return documents_.keys(); }

 Q_SIGNALS:
  // Sent with the server's figures when a completion has ended.
  void measured(const waferpair::gui::RuntimeFigures& figures);
  // The server has no background documents then.
  void sessionBegan();
  void sessionEnded();
  // An editor has it, or no longer.
  void documentOpened(const waferpair::editor::DocumentId& id);
  void documentClosed(const waferpair::editor::DocumentId& id);
  // The text of an editor was changed, by a key most likely.
  void documentEdited();
  // The server does not have it any more, for another reason than closeBackground().
  void backgroundDropped(const waferpair::editor::DocumentId& id);
  // The set of excluded files may have changed.
  void exclusionsChanged();

 private:
  struct Document {
    GatedText text;                    // as the editor has it
    std::optional<PassedText> passed;  // the same, where the model may see it
    HeldBack heldBack;                 // else why not
    bool mirrored = false;             // the server has it, as in `passed`
  };
  struct Request {
    editor::DocumentId document;
    qint64 version = 0;
    qint64 offset = 0;
    bool cancelled = false;        // only its end is still awaited
    bool finished = false;         // only the larger model is still awaited
    editor::RequestId larger = 0;  // the same, asked of that; 0: it was not, or is not wanted
    ModelAnswer answer = {};
  };
  // What the larger model was asked.
  struct Larger {
    editor::RequestId of = 0;
    bool finished = false;
    ModelAnswer answer = {};
  };

  void askAgain(const QStringList& paths);
  void settle();
  // The model may see it no longer.
  void holdBack(Document& document, const HeldBack& why);
  // Asks the gate about all of it, and mirrors it where that may be.
  void judge(Document& document);
  void mirror(Document& document);
  void mirrorAll();
  void dropBackground(editor::DocumentId id);  // by value, as closeBackground()
  void onSessionEnd();
  void onDelta(const CompletionDelta& delta);
  void onDone(const CompletionDone& done);
  void onError(const ServerError& error);
  void resynchronize();
  void finish(editor::RequestId request, editor::CompletionEnd end);
  void finishLarger(editor::RequestId larger, editor::CompletionEnd end);
  void dropLarger(Request& request);
  // Says which answer it is once both have ended.
  void compare(editor::RequestId request);

  RuntimeClient* client_ = nullptr;
  QString unavailable_;
  ModelGate gate_;
  PowerSource power_;
  bool asksAhead_ = true;
  QTimer settle_{this};  // until those in unsettled_ are judged anew
  QSet<editor::DocumentId> unsettled_;
  QHash<editor::DocumentId, Document> documents_;
  QHash<editor::DocumentId, qint64> background_;  // of this session; none is in documents_
  QHash<editor::RequestId, Request> requests_;
  QString largerModel_;
  QHash<editor::RequestId, Larger> larger_;
  QSet<editor::RequestId> dropped_;  // asked of it, and nobody's any more: only their ends may come
  editor::RequestId lastRequest_ = 0;
  QSet<editor::RequestId> readingAhead_;  // nobody waits for their ends; all but one are cancelled
  QElapsedTimer lastResync_;
};

}  // namespace waferpair::gui
