// SPDX-License-Identifier: GPL-3.0-or-later
// A text and code of an answer that is to go into it, both read, and the lines
// that take others' place so far.
#pragma once

#include <QSet>
#include <QVector>

#include "pairing/placing/fenced_code.h"
#include "pairing/placing/outline.h"
#include "pairing/placing/placeholders.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {

class CodePair {
 public:
  CodePair(const QByteArray& text, const FencedCode& code, const CodeTarget& target);

 protected:
  // Lines [first, end) of the text become others.
  struct Replaced {
    qint64 first = 0;
    qint64 end = 0;
    QByteArrayList lines;
  };

  static QString quotedLine(const QByteArray& text);
  static PutCode unclear(const QString& what);

  bool hasDefinitions() const { return family_.pairs || family_.indented || family_.shell; }
  QVector<int> childrenOf(const QVector<Outlined>& all, int parent) const;
  bool isStub(const TextLines& lines, const Outlined& entry) const;
  bool losesBodies(int fresh, int old) const;
  bool isNamespace(const Outlined& entry) const {
    return entry.headText.contains("namespace") || entry.headText.startsWith("module") ||
           entry.headText.startsWith("impl") || entry.headText.startsWith("mod ");
  }
  bool overlapsTarget(const Outlined& entry) const {
    return target_.lines && entry.comments < target_.lines->second &&
           target_.lines->first <= entry.last;
  }
  bool isPlaceholderLine(qint64 line) const { return isLeftOut(code_, line, textLines_); }
  bool hasPlaceholderIn(qint64 from, qint64 to) const {
    for (qint64 i = from; i < to; ++i)
      if (isPlaceholderLine(i)) return true;
    return false;
  }
  // Lines of the code at the indentation of those whose place they take.
  QByteArrayList adopted(const Outlined& fresh, qint64 freshFirst, const Outlined& old,
                         qint64 oldFirst) const;
  PutCode finished();

  const LanguageFamily& family_;
  QByteArray bytes_;
  TextLines text_;
  FencedCode given_;
  QByteArray codeBytes_;
  TextLines code_;
  CodeTarget target_;
  CodeText oldText_, newText_;
  QVector<Outlined> old_, fresh_;
  QSet<QByteArray> textLines_, codeLines_;  // squeezed
  QVector<Replaced> replaced_;
  QStringList names_;
};

}  // namespace waferpair::pairing
