// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/empty_lines.h"

#include <QVector>
#include <algorithm>

#include "pairing/placing/line_replacement.h"

namespace waferpair::pairing {
namespace {

QVector<qsizetype> fullLines(const TextLines& text) {
  QVector<qsizetype> lines;
  for (qsizetype i = 0; i < text.count(); ++i)
    if (!text.squeezed(i).isEmpty()) lines.append(i);
  return lines;
}

class EmptyLines {
 public:
  EmptyLines(const QByteArray& oldText, const QByteArray& newText, const TextLines& text)
      : text_(text),
        old_(oldText),
        new_(newText),
        changes_(replacementsBetween(oldText, newText)),
        lost_(old_.count() + 1, 0) {}

  std::optional<RepairedChange> find() {
    if (!findLost()) return {};
    qsizetype line = 0;
    for (qsizetype i = 0; i < changes_.size(); ++i) {
      const LineReplacement& change = changes_[i];
      for (; line < change.oldStart; ++line) stay(line);
      if (!(change.oldCount > 0 ? replace(change) : insert(i))) return {};
      line = change.oldStart + change.oldCount;
    }
    for (; line < old_.count(); ++line) stay(line);
    return RepairedChange{madeOld_, madeNew_, -1};
  }

 private:
  // How many empty lines of the text are left out before each line of the quote, which stands in
  // the text once, but for such lines. False: it does not, or none is left out.
  bool findLost() {
    const QVector<qsizetype> there = fullLines(text_), quoted = fullLines(old_);
    const qsizetype count = quoted.size();
    qsizetype found = -1;
    for (qsizetype at = 0; at + count <= there.size(); ++at) {
      qsizetype same = 0;
      while (same < count && text_.squeezed(there[at + same]) == old_.squeezed(quoted[same]))
        ++same;
      if (same < count) continue;
      if (found >= 0) return false;
      found = at;
    }
    if (found < 0) return false;
    bool any = false;
    for (qsizetype i = 1; i < count; ++i) {
      const qsizetype has = quoted[i] - quoted[i - 1] - 1;
      const qsizetype had = there[found + i] - there[found + i - 1] - 1;
      if (has == had) continue;
      if (has > 0) return false;
      lost_[quoted[i]] = had;
      any = true;
    }
    return any;
  }

  QByteArray oldLine(qsizetype line) const { return old_.line(line).toByteArray() + '\n'; }
  void stay(qsizetype line) {
    const QByteArray lines = QByteArray(lost_[line], '\n') + oldLine(line);
    madeOld_ += lines;
    madeNew_ += lines;
    lost_[line] = 0;
  }

  bool replace(const LineReplacement& change) {
    const qint64 end = change.oldStart + change.oldCount;
    const bool before = lost_[change.oldStart] > 0, behind = lost_[end] > 0;
    for (qint64 i = change.oldStart + 1; i < end; ++i)
      if (lost_[i] > 0) return false;
    if (change.newCount == 0 && before && behind) return false;
    if (change.newCount > 0) {
      const bool begins = new_.squeezed(change.newStart).isEmpty();
      const bool ends = new_.squeezed(change.newStart + change.newCount - 1).isEmpty();
      if ((before && begins) || (behind && ends)) return false;
    }
    const QByteArray empty(std::exchange(lost_[change.oldStart], 0), '\n');
    madeOld_ += empty;
    madeNew_ += empty;
    for (qint64 i = change.oldStart; i < end; ++i) madeOld_ += oldLine(i);
    addNew(change);
    return true;
  }

  bool insert(qsizetype index) {
    const LineReplacement& change = changes_[index];
    const qint64 least =
        index == 0 ? 0 : changes_[index - 1].oldStart + changes_[index - 1].oldCount + 1;
    const qint64 most =
        index + 1 == changes_.size() ? old_.count() : changes_[index + 1].oldStart - 1;
    // Where it can slide past lines that were left out it is not told where it stands.
    const auto slides = slidesOf(change, old_, new_, least, most);
    for (const LineReplacement& slide : slides)
      if (slide != change && (lost_[slide.oldStart] > 0 || lost_[change.oldStart] > 0))
        return false;
    const qint64 count = std::exchange(lost_[change.oldStart], 0);
    qint64 first = 0, last = 0;
    const auto isEmpty = [&](qint64 i) { return new_.squeezed(change.newStart + i).isEmpty(); };
    while (first < change.newCount && isEmpty(first)) ++first;
    while (last < change.newCount - first && isEmpty(change.newCount - 1 - last)) ++last;
    if (count > 0 && (first + last != count || first == change.newCount)) return false;
    madeOld_ += QByteArray(count, '\n');
    madeNew_ += QByteArray(count - std::min(first, count), '\n');
    addNew(change);
    madeNew_ += QByteArray(std::min(first, count), '\n');
    return true;
  }

  void addNew(const LineReplacement& change) {
    for (qint64 i = change.newStart; i < change.newStart + change.newCount; ++i)
      madeNew_ += new_.line(i).toByteArray() + '\n';
  }

  const TextLines& text_;
  TextLines old_, new_;
  QVector<LineReplacement> changes_;
  QVector<qsizetype> lost_;
  QByteArray madeOld_, madeNew_;
};

}  // namespace

std::optional<RepairedChange> withEmptyLines(const QByteArray& oldText, const QByteArray& newText,
                                             const TextLines& text) {
  return EmptyLines(oldText, newText, text).find();
}

}  // namespace waferpair::pairing
