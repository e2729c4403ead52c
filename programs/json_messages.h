// SPDX-License-Identifier: GPL-3.0-or-later
// JSON objects from the bytes of a program, in their order. Large ones are parsed on another
// thread, and those behind them wait. One thread, with an event loop.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QQueue>

#include "programs/message_reader.h"

namespace waferpair::programs {

class JsonMessages : public QObject {
  Q_OBJECT
 public:
  // Bytes of a message from which on it is large.
  static constexpr qsizetype kLargeMessage = 64 << 10;

  explicit JsonMessages(Framing framing, QObject* parent = nullptr)
      : QObject(parent), framing_(framing), reader_(framing) {}

  void take(QByteArrayView bytes);
  // Nothing is told any more.
  void close();

 Q_SIGNALS:
  // Empty: it was no object.
  void message(const QJsonObject& message);
  // What comes cannot be taken apart; nothing more is told.
  void broken(const QString& why);

 private:
  void takeQueued();

  Framing framing_;
  MessageReader reader_;
  QQueue<QByteArray> queued_;  // read, and not parsed yet
  bool parsing_ = false;       // one of them, on another thread
  bool closed_ = false;
};

}  // namespace waferpair::programs
