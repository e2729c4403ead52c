// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a query in whole texts, one after the other, without a widget. Means what find and replace
// in an editor means (editor/text/find_query.h). Values; one that is shared may be used on any
// number of threads.
#pragma once

#include <QByteArray>
#include <QByteArrayMatcher>
#include <QByteArrayView>
#include <QRegularExpression>
#include <QVector>

#include "editor/text/find_query.h"

namespace waferpair::workbench {

// Bytes of a text; a match lies in one line.
struct TextMatch {
  qint64 start = 0;
  qint64 end = 0;
  qint64 line = 0;       // from 0
  qint64 lineStart = 0;  // bytes of the text, without the line end
  qint64 lineEnd = 0;

  bool operator==(const TextMatch&) const = default;
};

class TextSearch {
 public:
  // Fails on an empty query, one over several lines, and a wrong expression.
  static editor::Result<TextSearch> make(const editor::FindQuery& query);

  const editor::FindQuery& query() const { return query_; }

  // The first `most` matches, in order. None is empty, and no two share a byte.
  QVector<TextMatch> find(QByteArrayView utf8, qsizetype most) const;
  // The text with all matches replaced; in an expression's replacement groups and escapes are
  // expanded, and \n is the line end that the line before it has.
  QByteArray replaced(QByteArrayView utf8, const QString& replacement) const;

 private:
  TextSearch() = default;

  // Calls `use` for each match until it returns false; `captures` is null for plain text.
  template <typename Use>
  void each(QByteArrayView utf8, const Use& use) const;
  template <typename Use>
  void eachPlain(QByteArrayView utf8, const Use& use) const;
  template <typename Use>
  void eachExpression(QByteArrayView utf8, const Use& use) const;
  template <typename Use>
  bool eachInLine(QByteArrayView utf8, const TextMatch& line, const Use& use) const;

  editor::FindQuery query_;
  bool byExpression_ = false;
  QByteArrayMatcher needle_;      // in lower case where case does not count
  QRegularExpression inLine_;     // matched against one line
  QRegularExpression inText_;     // the same against all of a text, to see which lines may match
  bool looksAtLinesOnly_ = true;  // inText_ may tell otherwise: it asks for what is around
};

}  // namespace waferpair::workbench
