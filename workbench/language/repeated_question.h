// SPDX-License-Identifier: GPL-3.0-or-later
// One question about open texts that their servers are asked again and again: once somebody wants
// to know, and at each pause in typing from then on. A text has one question open at a time; an
// answer that is late for its text can be followed to where things are by now. UI thread only.
#pragma once

#include <QPointer>
#include <QTimer>

#include "workbench/language/language_service.h"

namespace waferpair::workbench {

class RepeatedQuestion : public QObject, private editor::DocumentSubscriber {
  Q_OBJECT
 public:
  // Asks that server; returns the question, 0 where it cannot be asked.
  using Ask = std::function<qint64(LanguageClient* client, const editor::DocumentId& id,
                                   const LanguageClient::Answered& answered)>;

  // Asks by this method about the text, and nothing else.
  static Ask byMethod(const QString& method);

  // Asks servers that have this provider. Both outlive this.
  RepeatedQuestion(editor::DocumentSync* sync, LanguageService* service, QString provider,
                   std::chrono::milliseconds pause, Ask ask, QObject* parent = nullptr);

  // Asks about this text until it is closed; does nothing where it does so already.
  void follow(const editor::DocumentId& id);
  bool follows(const editor::DocumentId& id) const { return texts_.contains(id); }
  void unfollow(const editor::DocumentId& id) { texts_.remove(id); }
  void unfollowAll() { texts_.clear(); }
  // What was answered may be otherwise by now, though the text is the same.
  void askAgain(const editor::DocumentId& id);
  void askAllAgain();

  // Where these bytes of the answer's text are by now.
  ByteRange now(const editor::DocumentId& id, ByteRange range, const LanguageAnswer& answer) const;
  // What was edited since that version was asked about; none: that is forgotten.
  std::optional<QVector<editor::TextEdit>> editsSince(const editor::DocumentId& id,
                                                      qint64 version) const;

 Q_SIGNALS:
  // An answer without a problem, from which now() leads on.
  void answered(const QString& id, const waferpair::workbench::LanguageAnswer& answer);
  // The text was edited, and is asked about once its user pauses.
  void edited(const QString& id, const QVector<waferpair::editor::TextEdit>& edits);
  // Nobody answers for this text any more: it is closed, or has no server.
  void lost(const QString& id);

 private:
  struct Text {
    QPointer<LanguageClient> asked;  // null: nobody, or not since it was started anew
    bool isOpen = false;             // a question is
    bool isStale = false;            // the text has changed since the last question
  };

  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId& id) override;

  void followServers();
  void ask(const editor::DocumentId& id);
  void take(const editor::DocumentId& id, const LanguageAnswer& answer);

  LanguageService* service_;
  QString provider_;
  std::chrono::milliseconds pause_;
  Ask ask_;
  QHash<editor::DocumentId, Text> texts_;  // that are followed
  QTimer soon_{this};
};

}  // namespace waferpair::workbench
