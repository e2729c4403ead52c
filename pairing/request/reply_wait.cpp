// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/request/reply_wait.h"

#include <QLocale>

#include "editor/text/translate.h"

namespace waferpair::pairing {

QString ageText(const ModelReply& reply) {
  const qint64 seconds = std::chrono::duration_cast<std::chrono::seconds>(reply.age()).count();
  if (seconds < 120) return translate("%1 s").arg(seconds);
  return translate("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
}

QString writtenText(const ModelReply& reply) {
  const qsizetype lines = reply.text().count(u'\n') + 1;
  return lines == 1 ? translate("1 line") : translate("%1 lines").arg(lines);
}

QString waitText(const ModelReply& reply, const QString& doing) {
  if (reply.timings().firstTokenMs) return translate("Thinking, %1").arg(ageText(reply));
  const auto& wait = reply.serverWait();
  if (wait && wait->what == ServerWait::For::kBusy) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(
        wait->again.value_or(std::chrono::steady_clock::now()) - std::chrono::steady_clock::now());
    if (left.count() > 0)
      return translate("The server is busy; asking again in %1 s").arg(left.count());
  } else if (wait) {
    if (wait->what == ServerWait::For::kQueue)
      return translate("Waiting for other work, %1").arg(ageText(reply));
    if (!wait->loaded) return translate("Loading the model, %1").arg(ageText(reply));
    return translate("Loading the model (%1 %), %2")
        .arg(static_cast<int>(*wait->loaded * 100))
        .arg(ageText(reply));
  }
  const auto& progress = reply.promptProgress();
  if (progress && progress->read < progress->tokens) {
    const QLocale locale;
    return translate("Reading %1 of %2 tokens (%3 %), %4")
        .arg(locale.toString(progress->read), locale.toString(progress->tokens),
             locale.toString(progress->read * 100 / progress->tokens), ageText(reply));
  }
  return translate("%1, %2").arg(doing, ageText(reply));
}

QString progressText(const ModelReply& reply) {
  if (reply.text().isEmpty()) return waitText(reply, translate("Asking"));
  return translate("Writing, %1").arg(ageText(reply));
}

}  // namespace waferpair::pairing
