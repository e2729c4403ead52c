// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of what the wafer does, which the server makes: one at a time, into a file that ends
// in .wptrace. UI thread only; every call returns at once.
#pragma once

#include <QObject>
#include <QPointer>
#include <string>

#include "editor/text/result.h"
#include "gui/store/json_fields.h"

namespace waferpair::gui {

class RuntimeClient;

class TraceControl : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // The session that records. A recording in the one before ends with that.
  void setClient(RuntimeClient* client);
  // Sets why nothing can be recorded now; empty when something can.
  void setUnavailable(const QString& why) { unavailable_ = why; }

  // Answered by changed(), or by failed().
  void start(const QString& file);
  void stop();
  // The file that is being recorded into; empty when nothing is recorded.
  const QString& file() const { return file_; }

 Q_SIGNALS:
  void changed();
  void written(const QString& file, qint64 steps, qint64 tokens);
  void failed(const waferpair::editor::Error& problem);

 private:
  void hear(const std::string& type, JsonFields event);
  void setFile(const QString& file);
  // `what` says of the file, %1, how its recording ended.
  void breakOff(const QString& what, const QString& remedy);

  QPointer<RuntimeClient> client_;
  QString unavailable_;
  QString file_;
};

}  // namespace waferpair::gui
