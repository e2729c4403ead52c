// SPDX-License-Identifier: GPL-3.0-or-later
// What could stand at the caret, as the language server of the text has it, joined with the words
// of the open texts: the server's come first, and it has a moment's head start, so that the list
// does not change under the eyes of the user where the server is quick. UI thread only.
#pragma once

#include <QPointer>
#include <QTimer>
#include <chrono>
#include <optional>

#include "editor/assist/list_source.h"
#include "workbench/language/completion_items.h"
#include "workbench/language/language_service.h"

namespace waferpair::workbench {

// "value.", "value->" and "Type::" end so: a member follows.
bool isMemberSign(QByteArrayView before);

class LanguageCompletions : public editor::ListSource {
  Q_OBJECT
 public:
  static constexpr std::chrono::milliseconds kHeadStart{120};

  // Both outlive this.
  LanguageCompletions(LanguageService* service, editor::ListSource* words,
                      QObject* parent = nullptr);

  quint64 request(const editor::ListQuery& query) override;
  void taken(const editor::ListItem& item) override;
  bool opensBehind(const editor::DocumentId& document, QByteArrayView before) const override;
  QVector<editor::TextEdit> editsWith(const editor::ListItem& item) const override;
  void describe(const editor::ListItem& item) override;
  // Whether its server is being asked about the word that begins there.
  bool asksAbout(const editor::DocumentId& document, qint64 wordStart) const;

 Q_SIGNALS:
  // The server has answered: nothing, where it could not.
  void answered(const waferpair::editor::ListQuery& query,
                const waferpair::workbench::CompletionItems& items);

 private:
  // The answer whose items are in the list.
  struct Answer {
    QPointer<LanguageClient> client;
    editor::DocumentId document;
    LanguageAnswer from;  // its text and version, by which places are read
    quint64 firstKey = 0;
    QVector<QJsonObject> told;  // by the key, from the first one
    QVector<bool> isResolved;
  };

  void ask(const editor::ListQuery& query);
  void takeWords(quint64 request, const QVector<editor::ListItem>& items, bool isWhole);
  void takeAnswer(const editor::ListQuery& query, const LanguageAnswer& answer);
  void tell();
  const QJsonObject* toldOf(const editor::ListItem& item) const;
  void resolve(quint64 key, const std::function<void()>& resolved);
  QVector<editor::TextEdit> editsNow(const QJsonObject& item) const;

  LanguageService* service_;
  editor::ListSource* words_;
  QTimer headStart_{this};
  quint64 last_ = 0;  // the request
  quint64 wordsRequest_ = 0;
  qint64 question_ = 0;  // to the server; 0: none is open
  QPointer<LanguageClient> asked_;
  editor::ListQuery query_;
  bool behindMember_ = false;
  std::optional<QVector<editor::ListItem>> fromWords_;
  bool wordsAreWhole_ = true;
  QVector<editor::ListItem> fromServer_;
  bool serverIsWhole_ = true;
  quint64 lastKey_ = 0;
  Answer answer_;
};

}  // namespace waferpair::workbench
