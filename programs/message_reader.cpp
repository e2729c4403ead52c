// SPDX-License-Identifier: GPL-3.0-or-later
#include "programs/message_reader.h"

#include <algorithm>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::programs {

QByteArray framed(QByteArray message, Framing framing) {
  if (framing == Framing::kLines) return message + '\n';
  return "Content-Length: " + QByteArray::number(message.size()) + "\r\n\r\n" + message;
}

QVector<QByteArray> MessageReader::take(QByteArrayView bytes) {
  QVector<QByteArray> messages;
  if (!problem_.isEmpty()) return messages;
  if (framing_ == Framing::kLines) {
    takeLines(bytes, messages);
  } else {
    takeBlocks(bytes, messages);
  }
  return messages;
}

void MessageReader::tooLong() {
  problem_ = translate("It sent a message of more than %1 MiB.").arg(kMostBytes >> 20);
  begun_ = {};
}

void MessageReader::takeLines(QByteArrayView bytes, QVector<QByteArray>& messages) {
  while (!bytes.isEmpty()) {
    const qsizetype end = bytes.indexOf('\n');
    const QByteArrayView part = end < 0 ? bytes : bytes.first(end);
    if (begun_.size() + part.size() > kMostBytes) return tooLong();
    begun_.append(part);
    if (end < 0) return;
    if (begun_.endsWith('\r')) begun_.chop(1);
    messages.append(std::exchange(begun_, {}));
    bytes = bytes.sliced(end + 1);
  }
}

void MessageReader::takeBlocks(QByteArrayView bytes, QVector<QByteArray>& messages) {
  while (!bytes.isEmpty()) {
    if (awaited_ >= 0) {
      const qsizetype some = std::min(awaited_ - begun_.size(), bytes.size());
      begun_.append(bytes.first(some));
      bytes = bytes.sliced(some);
    } else {
      // Headers are read line by line, so that none of the body is taken for one.
      const qsizetype end = bytes.indexOf('\n');
      const qsizetype some = end < 0 ? bytes.size() : end + 1;
      if (begun_.size() + some > kMostHeaderBytes) {
        problem_ = translate("What it sends is no message: its header has no end.");
        begun_ = {};
        return;
      }
      begun_.append(bytes.first(some));
      bytes = bytes.sliced(some);
      const bool isEnd = begun_.endsWith("\r\n\r\n") || begun_.endsWith("\n\n") ||
                         begun_ == "\r\n" || begun_ == "\n";
      if (end < 0 || !isEnd) continue;
      if (!readHeaders()) return;
    }
    if (awaited_ == begun_.size()) {
      messages.append(std::exchange(begun_, {}));
      awaited_ = -1;
    }
  }
}

// Takes the length from the block in begun_, and empties it.
bool MessageReader::readHeaders() {
  const QList<QByteArray> lines = std::exchange(begun_, {}).split('\n');
  for (const QByteArray& line : lines) {
    const qsizetype colon = line.indexOf(':');
    if (colon < 0 || line.first(colon).trimmed().toLower() != "content-length") continue;
    bool isNumber = false;
    awaited_ = line.sliced(colon + 1).trimmed().toLongLong(&isNumber);
    if (!isNumber || awaited_ < 0) {
      problem_ = translate("What it sends is no message: its length is no number.");
      return false;
    }
    if (awaited_ > kMostBytes) {
      tooLong();
      return false;
    }
    return true;
  }
  problem_ = translate("What it sends is no message: its header names no length.");
  return false;
}

}  // namespace waferpair::programs
