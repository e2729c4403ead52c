// SPDX-License-Identifier: GPL-3.0-or-later
// Snippets in the syntax of the Language Server Protocol (and of TextMate): texts with places that
// are to be filled in: $1, ${2:proposed}, ${3|one,other|}, $0 at the end; variables $NAME,
// ${NAME:default}; transforms ${1/regex/format/flags}. Pure functions.
#pragma once

#include <QByteArray>
#include <QRegularExpression>
#include <QString>
#include <QVector>
#include <functional>
#include <memory>
#include <optional>

namespace waferpair::editor {

// What is deeper, or longer, than this is taken as plain text.
inline constexpr int kMostSnippetDepth = 20;
inline constexpr qsizetype kLongestSnippet = 256 * 1024;  // UTF-16 units, expanded as well

// One part of what a transform puts in: text, or a group of its expression.
struct SnippetFormat {
  enum class Case { kAsIs, kUpper, kLower, kCapitalized, kPascal, kCamel };
  int group = -1;  // -1: `text`
  QString text = {};
  Case letters = Case::kAsIs;
  QString whenMatched = {};  // takes the group's place where that matched; only with `chooses`
  QString whenNot = {};      // stands where it did not
  bool chooses = false;
};

struct SnippetTransform {
  QRegularExpression expression;
  QVector<SnippetFormat> format;
  bool everywhere = false;  // the flag g

  QString apply(const QString& value) const;
};

// One place of a field; all places of a field hold the same text, but for transforms.
struct SnippetPlace {
  qint64 start = 0;  // bytes of SnippetText::text
  qint64 end = 0;
  int field = 0;    // index of SnippetText::fields
  int parent = -1;  // the place that it lies in: index of SnippetText::places
  std::shared_ptr<const SnippetTransform> transform = {};  // null: the field's text as it is
};

struct SnippetField {
  int number = 0;
  QVector<int> places = {};     // indices of SnippetText::places
  QByteArrayList choices = {};  // the first one stands there already
};

// A snippet as it is put into a text.
struct SnippetText {
  QByteArray text;
  QVector<SnippetPlace> places;  // in the order in which they begin, outer ones first
  QVector<SnippetField> fields;  // in the order in which they are visited; the last one is $0

  // There is nothing to fill in: the caret goes behind it.
  bool isPlain() const;
};

struct SnippetSurroundings {
  // The value of a variable; nullopt: there is no such variable.
  std::function<std::optional<QString>(const QString& name)> variable = {};
  QByteArray lineEnd = "\n";
  QByteArray indent = {};  // stands in front of each line but the first
  // What stands for a tab at the beginning of a line; empty: the tab itself.
  QByteArray level = {};
};

// Never fails: what is no snippet syntax is text.
SnippetText expandSnippet(const QString& snippet, const SnippetSurroundings& surroundings = {});
// The text as a snippet that means itself.
QString snippetOf(QString text);

}  // namespace waferpair::editor
