// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/language_completions.h"

#include <QJsonArray>
#include <QSet>
#include <utility>

namespace waferpair::workbench {

using editor::DocumentId;
using editor::ListItem;
using editor::ListQuery;
using editor::TextEdit;

namespace {

constexpr int kInvoked = 1, kByCharacter = 2;  // CompletionTriggerKind

}  // namespace

bool isMemberSign(QByteArrayView before) {
  return before.endsWith('.') || before.endsWith("->") || before.endsWith("::");
}

LanguageCompletions::LanguageCompletions(LanguageService* service, editor::ListSource* words,
                                         QObject* parent)
    : ListSource(parent), service_(service), words_(words) {
  headStart_.setSingleShot(true);
  connect(&headStart_, &QTimer::timeout, this, &LanguageCompletions::tell);
  connect(words, &ListSource::ready, this, &LanguageCompletions::takeWords);
}

quint64 LanguageCompletions::request(const ListQuery& query) {
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  question_ = 0;
  ++last_;
  query_ = query;
  fromWords_.reset();
  fromServer_.clear();
  serverIsWhole_ = true;
  behindMember_ = false;
  wordsRequest_ = words_->request(query);
  ask(query);
  return last_;
}

void LanguageCompletions::ask(const ListQuery& query) {
  asked_ = service_->clientOf(query.document);
  if (!asked_ || !asked_->offers(QStringLiteral("completionProvider"))) return;
  const MirroredText* text = asked_->text(query.document);
  if (!text) return;
  const qint64 word = query.offset - query.typed.size();
  const QByteArray before = text->text().slice(std::max<qint64>(0, word - 2), word);
  behindMember_ = isMemberSign(before);
  QJsonObject context{{QStringLiteral("triggerKind"), kInvoked}};
  if (query.typed.isEmpty() && behindMember_)
    context = {{QStringLiteral("triggerKind"), kByCharacter},
               {QStringLiteral("triggerCharacter"), QString::fromLatin1(before.right(1))}};
  question_ = asked_->askAt(QStringLiteral("textDocument/completion"), query.document, query.offset,
                            {{QStringLiteral("context"), context}},
                            [this, number = last_, query](const LanguageAnswer& answer) {
                              if (number == last_) takeAnswer(query, answer);
                            });
  if (question_ != 0) headStart_.start(kHeadStart);
}

void LanguageCompletions::takeWords(quint64 request, const QVector<ListItem>& items, bool isWhole) {
  if (request != wordsRequest_) return;
  fromWords_ = items;
  wordsAreWhole_ = isWhole;
  tell();
}

void LanguageCompletions::takeAnswer(const ListQuery& query, const LanguageAnswer& answer) {
  question_ = 0;
  headStart_.stop();
  CompletionItems read = readCompletions(answer, query);
  serverIsWhole_ = read.isWhole;
  answer_ = {asked_, query.document, answer, lastKey_ + 1, read.told, {}};
  answer_.from.result = {};
  answer_.isResolved.fill(false, read.told.size());
  for (ListItem& item : read.items) item.key = ++lastKey_;
  fromServer_ = read.items;
  Q_EMIT answered(query, read);
  tell();
}

// The server's, and the words that it does not know. Behind "value." words are no help.
void LanguageCompletions::tell() {
  const bool awaitsServer = question_ != 0;
  if (awaitsServer && (headStart_.isActive() || behindMember_)) return;
  if (!awaitsServer && fromServer_.isEmpty() && !fromWords_) return;
  QVector<ListItem> items = fromServer_;
  const bool wantsWords = fromServer_.isEmpty() || !behindMember_;
  if (wantsWords && fromWords_) {
    QSet<QByteArray> known;
    for (const ListItem& item : std::as_const(items)) {
      known.insert(item.text);
      known.insert(item.matched());
    }
    for (const ListItem& word : *fromWords_)
      if (!known.contains(word.text)) items.append(word);
  }
  const bool isWhole = serverIsWhole_ && (!wantsWords || !fromWords_ || wordsAreWhole_);
  const bool isLast = !awaitsServer && (!wantsWords || fromWords_.has_value());
  Q_EMIT ready(last_, items, isWhole, isLast);
}

bool LanguageCompletions::asksAbout(const DocumentId& document, qint64 wordStart) const {
  return asked_ && question_ != 0 && query_.document == document &&
         query_.offset - query_.typed.size() == wordStart;
}

bool LanguageCompletions::opensBehind(const DocumentId& document, QByteArrayView before) const {
  const LanguageClient* client = service_->clientOf(document);
  if (!client || !client->offers(QStringLiteral("completionProvider"))) return false;
  if (!isMemberSign(before)) return false;
  const QJsonArray signs =
      client->abilities()[u"completionProvider"][u"triggerCharacters"].toArray();
  return signs.contains(QJsonValue(QString::fromLatin1(before.last(1))));
}

// -- An item

const QJsonObject* LanguageCompletions::toldOf(const ListItem& item) const {
  const quint64 at = item.key - answer_.firstKey;
  const bool isKnown =
      item.key >= answer_.firstKey && at < static_cast<quint64>(answer_.told.size());
  return item.key != 0 && isKnown ? &answer_.told[static_cast<qsizetype>(at)] : nullptr;
}

void LanguageCompletions::resolve(quint64 key, const std::function<void()>& resolved) {
  const auto at = static_cast<qsizetype>(key - answer_.firstKey);
  const bool canResolve =
      answer_.client && answer_.client->offers(QStringLiteral("completionProvider")) &&
      answer_.client->abilities()[u"completionProvider"][u"resolveProvider"].toBool();
  if (!canResolve || answer_.isResolved[at]) return resolved();
  answer_.client->ask(QStringLiteral("completionItem/resolve"), answer_.told[at],
                      [this, key, at, resolved](const LanguageAnswer& answer) {
                        // There may be another list by then.
                        if (key < answer_.firstKey || at >= answer_.told.size() ||
                            answer_.firstKey + static_cast<quint64>(at) != key)
                          return;
                        if (answer.result.isObject()) {
                          answer_.told[at] = answer.result.toObject();
                          answer_.isResolved[at] = true;
                        }
                        resolved();
                      });
}

void LanguageCompletions::describe(const ListItem& item) {
  if (!toldOf(item)) return;
  resolve(item.key, [this, item] {
    if (const QJsonObject* told = toldOf(item)) Q_EMIT described(item.key, aboutItem(*told));
  });
}

QVector<TextEdit> LanguageCompletions::editsNow(const QJsonObject& item) const {
  const MirroredText* text = answer_.client ? answer_.client->text(answer_.document) : nullptr;
  if (!text) return {};
  QVector<TextEdit> edits = sideEditsOf(item, answer_.from);
  for (TextEdit& edit : edits) {
    const ByteRange now = text->now({edit.start, edit.end}, answer_.from.version);
    edit.start = now.start;
    edit.end = now.end;
  }
  return edits;
}

QVector<TextEdit> LanguageCompletions::editsWith(const ListItem& item) const {
  const QJsonObject* told = toldOf(item);
  return told ? editsNow(*told) : QVector<TextEdit>();
}

void LanguageCompletions::taken(const ListItem& item) {
  const QJsonObject* told = toldOf(item);
  if (!told) return words_->taken(item);
  // What else changes may only be known once the server was asked about the item.
  const bool knew = !(*told)[u"additionalTextEdits"].toArray().isEmpty();
  if (knew) return;
  resolve(item.key, [this, item] {
    const QJsonObject* resolved = toldOf(item);
    if (!resolved) return;
    const QVector<TextEdit> edits = editsNow(*resolved);
    if (!edits.isEmpty()) Q_EMIT editsCame(answer_.document, edits);
  });
}

}  // namespace waferpair::workbench
