// SPDX-License-Identifier: GPL-3.0-or-later
// What the names in the open texts are, kept up to date: servers are asked at each pause in typing,
// for what is other than before where they can tell. Meanwhile what is known moves with the text.
// What a server answers is read on another thread. UI thread only.
#pragma once

#include "workbench/language/repeated_question.h"
#include "workbench/language/semantic_tokens.h"

namespace waferpair::workbench {

class DocumentTokens : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  DocumentTokens(editor::DocumentSync* sync, LanguageService* service, QObject* parent = nullptr);

  // Keeps the tokens of this text up to date until it is closed.
  void follow(const editor::DocumentId& id) { question_.follow(id); }
  // Of no text any more; what was known is forgotten.
  void stopAll();
  // In order, at the text's bytes by now. Empty while nothing is known.
  const QVector<SemanticToken>& tokens(const editor::DocumentId& id) const;

 Q_SIGNALS:
  // There are other tokens than before, for another reason than an edit.
  void tokensChanged(const QString& id);

 private:
  struct Tokens {
    QVector<SemanticToken> tokens;
    // What the server numbered last, and the difference to which it is asked for.
    TokenData data;
    QString resultId;    // empty: all is asked for
    qint64 reading = 0;  // the number of the answer that is being read; 0: none is
  };
  struct Read {
    TokenData data;
    QVector<SemanticToken> tokens;
    bool isWhole = false;  // false: the difference did not fit
  };

  qint64 ask(LanguageClient* client, const editor::DocumentId& id,
             const LanguageClient::Answered& answered);
  void take(const editor::DocumentId& id, const LanguageAnswer& answer);
  void set(const editor::DocumentId& id, qint64 version, const QString& resultId, const Read& read);
  void follow(const editor::DocumentId& id, const QVector<editor::TextEdit>& edits);

  LanguageService* service_;
  RepeatedQuestion question_;
  QHash<editor::DocumentId, Tokens> texts_;
  qint64 lastReading_ = 0;
};

}  // namespace waferpair::workbench
