// SPDX-License-Identifier: GPL-3.0-or-later
// Takes bytes apart into messages, however they are cut on their way. A message has a bound, so
// that a peer that never ends one costs no more than that.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <QVector>

namespace waferpair::programs {

enum class Framing {
  kLines,    // a message is a line
  kHeaders,  // "Content-Length: 12", other headers, an empty line, and so many bytes
};

// The message as it goes over the wire.
QByteArray framed(QByteArray message, Framing framing);

class MessageReader {
 public:
  // A change that an agent tells of carries whole files.
  static constexpr qsizetype kMostBytes = 32 << 20;
  static constexpr qsizetype kMostHeaderBytes = 4 << 10;

  explicit MessageReader(Framing framing) : framing_(framing) {}

  // Returns the messages that end in these bytes, without what frames them. None once problem().
  QVector<QByteArray> take(QByteArrayView bytes);
  // What made it impossible to read on, as a sentence; empty: nothing did.
  const QString& problem() const { return problem_; }

 private:
  void takeLines(QByteArrayView bytes, QVector<QByteArray>& messages);
  void takeBlocks(QByteArrayView bytes, QVector<QByteArray>& messages);
  bool readHeaders();
  void tooLong();

  Framing framing_;
  QByteArray begun_;        // of a line, a header block or a body; at most kMostBytes
  qsizetype awaited_ = -1;  // bytes of the body that comes; -1: its headers come
  QString problem_;
};

}  // namespace waferpair::programs
