// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/clusters.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <memory>

#include "editor/text/text_codec.h"
#include "editor/text/unseen.h"

namespace waferpair::editor {

namespace {

struct CloseBreaks {
  void operator()(UBreakIterator* breaks) const { ubrk_close(breaks); }
};
using Breaks = std::unique_ptr<UBreakIterator, CloseBreaks>;

// Calls `ask` with an iterator over the clusters of the text; -1 where ICU has no data.
template <typename Ask>
int32_t askBreaks(QByteArrayView utf8, Ask ask) {
  UErrorCode status = U_ZERO_ERROR;
  // Made once: its rules do not depend on the language.
  thread_local const Breaks breaks(ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status));
  if (!breaks) return -1;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, utf8.data(), utf8.size(), &status);
  ubrk_setUText(breaks.get(), &text, &status);
  const int32_t answer = U_SUCCESS(status) ? ask(breaks.get()) : -1;
  utext_close(&text);
  return answer;
}

bool isContinuation(char byte) { return (byte & 0xC0) == 0x80; }

qsizetype characterBefore(QByteArrayView utf8, qsizetype at) {
  do --at;
  while (at > 0 && isContinuation(utf8[at]));
  return at;
}

qsizetype characterBehind(QByteArrayView utf8, qsizetype at) {
  do ++at;
  while (at < utf8.size() && isContinuation(utf8[at]));
  return at;
}

// A character that is shown as a mark stands for itself: a joiner that joins nothing, say.
bool isBesideUnseen(QByteArrayView utf8, qsizetype at) {
  const QString text = exactUtf8(utf8);
  const qsizetype unit = exactUtf8(utf8.first(at)).size();
  const qsizetype before = unit - (unit > 1 && text[unit - 1].isLowSurrogate() ? 2 : 1);
  return unseenAt(text, unit) != Unseen::kNone || unseenAt(text, before) != Unseen::kNone;
}

}  // namespace

bool isClusterEdge(QByteArrayView utf8, qsizetype at) {
  if (at <= 0 || at >= utf8.size()) return true;
  const int32_t isEdge = askBreaks(utf8, [at](UBreakIterator* breaks) -> int32_t {
    return ubrk_isBoundary(breaks, static_cast<int32_t>(at));
  });
  return isEdge != 0 || isBesideUnseen(utf8, at);
}

qsizetype clusterEdgeBefore(QByteArrayView utf8, qsizetype at) {
  do at = characterBefore(utf8, at);
  while (!isClusterEdge(utf8, at));
  return at;
}

qsizetype clusterEdgeBehind(QByteArrayView utf8, qsizetype at) {
  do at = characterBehind(utf8, at);
  while (!isClusterEdge(utf8, at));
  return at;
}

}  // namespace waferpair::editor
