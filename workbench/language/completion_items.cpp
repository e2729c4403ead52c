// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/completion_items.h"

#include <QJsonArray>
#include <algorithm>
#include <optional>

#include "editor/text/line_ends.h"
#include "editor/text/snippet.h"
#include "workbench/language/markup.h"

namespace waferpair::workbench {

using editor::ListItem;
using editor::ListKind;
using editor::ListQuery;
using editor::Snapshot;

namespace {

constexpr qsizetype kMostReadCompletions = 20'000;
constexpr qsizetype kMostOfLabel = 200, kMostOfDetail = 120;  // UTF-16 units
constexpr int kSnippetFormat = 2;

// As the protocol numbers them, from 1.
constexpr ListKind kCompletionKinds[] = {
    ListKind::kWord,     ListKind::kFunction, ListKind::kFunction, ListKind::kFunction,
    ListKind::kField,    ListKind::kVariable, ListKind::kType,     ListKind::kType,
    ListKind::kModule,   ListKind::kField,    ListKind::kConstant, ListKind::kConstant,
    ListKind::kType,     ListKind::kKeyword,  ListKind::kWord,     ListKind::kConstant,
    ListKind::kFile,     ListKind::kVariable, ListKind::kFile,     ListKind::kConstant,
    ListKind::kConstant, ListKind::kType,     ListKind::kField,    ListKind::kFunction,
    ListKind::kType,
};

ListKind kindOfItem(const QJsonValue& kind) {
  const int number = kind.toInt();
  return number >= 1 && number <= static_cast<int>(std::size(kCompletionKinds))
             ? kCompletionKinds[number - 1]
             : ListKind::kWord;
}

// The range that the item replaces: its own, or that of the list.
QJsonValue replacedRange(const QJsonObject& item, const QJsonValue& listRange) {
  const QJsonValue edit = item[u"textEdit"];
  const QJsonValue own = edit.isObject() ? edit : listRange;
  if (own[u"insert"].isObject()) return own[u"insert"];
  return own[u"range"].isObject() ? own[u"range"] : own;
}

QString newTextOf(const QJsonObject& item, bool isListRange) {
  const QString label = item[u"label"].toString();
  QString text = item[u"textEdit"][u"newText"].toString();
  if (text.isEmpty() && isListRange) text = item[u"textEditText"].toString();
  if (text.isEmpty()) text = item[u"insertText"].toString();
  if (text.isEmpty()) text = label.trimmed();
  return text;
}

// A text from the server with the line ends of the one that it comes into.
QByteArray fitted(const QByteArray& told, const Snapshot& text) {
  return told.contains('\n') || told.contains('\r')
             ? editor::withLineEnds(told, editor::lineEndsOf(text))
             : told;
}

// Takes what stands in front of the word out of a text that has it, too; false: it is not there.
bool dropBefore(QByteArray* text, const QByteArray& before) {
  if (!text->startsWith(before)) return false;
  *text = text->sliced(before.size());
  return true;
}

// The item's text is a snippet; one without fields is the text that it means.
void takeSnippet(ListItem* read, const QJsonObject& item) {
  const editor::SnippetText expanded = editor::expandSnippet(QString::fromUtf8(read->text));
  if (!expanded.isPlain()) read->snippet = read->text;
  read->text = expanded.text;
  if (read->match.isEmpty() && !read->snippet.isEmpty())
    read->match = item[u"label"].toString().trimmed().toUtf8();
}

std::optional<ListItem> listItem(const QJsonObject& item, const QJsonValue& listRange,
                                 const LanguageAnswer& answer, const ListQuery& query) {
  ListItem read;
  const QJsonValue range = replacedRange(item, listRange);
  const bool hasRange = range[u"start"].isObject();
  read.text = newTextOf(item, !item[u"textEdit"].isObject() && hasRange).toUtf8();
  read.match = item[u"filterText"].toString().toUtf8();
  const bool isSnippet = item[u"insertTextFormat"].toInt() == kSnippetFormat;
  const qint64 word = query.offset - query.typed.size();
  if (hasRange) {
    const qint64 start = offsetOf(answer.text, range[u"start"], answer.unit);
    if (start < word) {
      const QByteArray before = answer.text.slice(start, word);
      if (before.contains('\n') || before.contains('\r')) return std::nullopt;
      // A "." may become "->".
      if (!dropBefore(&read.text, before)) read.before = word - start;
      if (!dropBefore(&read.match, before) && read.match.isEmpty() && read.before > 0)
        read.match = item[u"label"].toString().trimmed().toUtf8();
    } else if (start <= query.offset) {
      const QByteArray kept = answer.text.slice(word, start);
      read.text.prepend(isSnippet ? editor::snippetOf(QString::fromUtf8(kept)).toUtf8() : kept);
    }
  }
  if (isSnippet) takeSnippet(&read, item);
  read.text = fitted(read.text, answer.text);
  if (read.text.isEmpty()) return std::nullopt;
  read.label = item[u"label"].toString().trimmed().left(kMostOfLabel);
  // clangd marks what brings an include with it.
  if (read.label.startsWith(u'•')) read.label = read.label.mid(1).trimmed();
  read.label += item[u"labelDetails"][u"detail"].toString().left(kMostOfDetail);
  if (read.label.toUtf8() == read.text) read.label.clear();
  read.detail = item[u"detail"].toString(item[u"labelDetails"][u"description"].toString());
  read.detail = read.detail.simplified().left(kMostOfDetail);
  read.kind = kindOfItem(item[u"kind"]);
  return read;
}

}  // namespace

CompletionItems readCompletions(const LanguageAnswer& answer, const ListQuery& query) {
  CompletionItems read;
  const bool isList = answer.result.isArray();
  const QJsonArray items = (isList ? answer.result : answer.result[u"items"]).toArray();
  read.isWhole = isList || !answer.result[u"isIncomplete"].toBool();
  const QJsonValue listRange = answer.result[u"itemDefaults"][u"editRange"];
  struct Ranked {
    QString order;
    QJsonObject told;
  };
  std::vector<Ranked> ranked;
  for (qsizetype i = 0; i < std::min(items.size(), kMostReadCompletions); ++i) {
    const QJsonObject item = items.at(i).toObject();
    const QString label = item[u"label"].toString();
    if (label.isEmpty()) continue;
    const QString order = item[u"sortText"].toString();
    ranked.push_back({order.isEmpty() ? label : order, item});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.order < b.order; });
  if (std::ssize(ranked) > kMostCompletions || items.size() > kMostReadCompletions)
    read.isWhole = false;
  for (const Ranked& one : ranked) {
    if (read.items.size() == kMostCompletions) break;
    const std::optional<ListItem> item = listItem(one.told, listRange, answer, query);
    if (!item) continue;
    read.items.append(*item);
    read.told.append(one.told);
  }
  return read;
}

QVector<editor::TextEdit> sideEditsOf(const QJsonObject& item, const LanguageAnswer& answer) {
  QVector<editor::TextEdit> edits;
  for (const QJsonValue edit : item[u"additionalTextEdits"].toArray()) {
    if (!edit[u"range"].isObject()) continue;
    const ByteRange range = byteRangeOf(answer.text, edit[u"range"], answer.unit);
    edits.append(
        {range.start, range.end, fitted(edit[u"newText"].toString().toUtf8(), answer.text)});
  }
  return edits;
}

QString aboutItem(const QJsonObject& item) {
  QStringList parts;
  if (const QString detail = item[u"detail"].toString().trimmed(); !detail.isEmpty())
    parts.append(codeBlock(detail, {}));
  const QJsonValue documentation = item[u"documentation"];
  const QString text = documentation.isString() ? asMarkdown(documentation.toString().trimmed())
                                                : markdownOf(documentation);
  if (!text.isEmpty()) parts.append(text);
  return parts.join(QStringLiteral("\n\n"));
}

}  // namespace waferpair::workbench
