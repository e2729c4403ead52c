// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of unsaved text as found on disk: what is one keeps its promises, and written again it is
// the same. Qt's JSON parser is not instrumented: begin from tests/fuzz/seeds.
#include <cstdint>
#include <cstdlib>

#include "gui/store/recovery_store.h"

using namespace waferpair::gui;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  RecoveryEntry entry;
  if (!decodeRecovery(bytes, &entry)) return 0;
  if (entry.caret < 0 || entry.caret > entry.text.size() ||
      !bytes.endsWith(entry.text.toByteArray()))
    std::abort();
  RecoveryEntry again;
  if (!decodeRecovery(encodeRecovery(entry), &again)) std::abort();
  if (!(again.text == entry.text) || again.caret != entry.caret || again.title != entry.title ||
      again.base.sha1 != entry.base.sha1 || again.base.size != entry.base.size ||
      again.base.kind != entry.base.kind || again.encoding != entry.encoding ||
      again.isRaw != entry.isRaw) {
    std::abort();
  }
  return 0;
}
