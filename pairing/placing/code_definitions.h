// SPDX-License-Identifier: GPL-3.0-or-later
// What code of an answer defines takes the place of what the text has of that;
// what is new goes beside what it stands beside in the answer, and imports to
// the others.
#pragma once

#include "pairing/placing/code_pair.h"

namespace waferpair::pairing {

class CodeDefinitions : public CodePair {
 public:
  using CodePair::CodePair;

 protected:
  PutCode notOfText() const;
  PutCode byDefinition();

 private:
  // One level of the code: what `freshParent` holds goes into what `oldParent`
  // does. False: failed_.
  bool takeLevel(int freshParent, int oldParent, qint64 first, qint64 end);
  bool saysAllBetween(const QVector<std::pair<int, int>>& siblings, const QVector<qint64>& rest,
                      int oldParent) const;
  bool areNeighbors(const QByteArray& line, const QByteArray& next) const;
  bool seemsWhole(const QVector<std::pair<int, int>>& siblings) const;
  bool takeEntry(int fresh, int old);
  bool takeContainer(int fresh, int old);
  bool mustBeMember(const Outlined& entry, const Outlined& sibling) const;
  bool takeNew(int fresh, const QVector<std::pair<int, int>>& siblings, int oldParent);
  bool takeRest(const QVector<qint64>& rest, int oldParent);
  bool takeImports(const QVector<qint64>& lines);
  // -1: there is none; -2: several, and failed_ says so.
  int matchOf(int fresh, int oldParent);
  bool fail(const QString& what) {
    failed_ = what;
    return false;
  }

  QString failed_;
};

}  // namespace waferpair::pairing
