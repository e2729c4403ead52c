// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a recorded trace: tells frames, as the server would, while its place moves through the
// emulated time of the wafer, so many times slower as wished. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>

#include "editor/text/result.h"
#include "gui/client/runtime_figures.h"
#include "runtime/protocol/telemetry.h"
#include "runtime/trace/replay.h"

namespace waferpair::gui {

class TraceReplay : public QObject {
  Q_OBJECT
 public:
  // Null if the file is no trace; `problem` then says why.
  static std::unique_ptr<TraceReplay> open(const QString& path, editor::Error* problem);

  QString path() const;
  const protocol::WaferLayout& layout() const { return replay_.layout(); }
  quint64 tokens() const { return replay_.reader().totals().tokens; }
  // The file ends early: what is wrong with it. Empty: it is whole.
  editor::Error damage() const;

  double seconds() const;   // of the wafer, emulated: the whole trace
  double position() const;  // 0 to seconds()
  // Shows the moment before that place; playing goes on from there.
  void setPosition(double seconds);

  bool isPlaying() const { return timer_.isActive(); }
  // Starts or stops playing; at the end of the trace it begins anew.
  void setPlaying(bool playing);

  // Returns whether it begins anew at its end, and plays on.
  bool isLooping() const { return looping_; }
  void setLooping(bool looping) { looping_ = looping; }

  double slowdown() const { return slowdown_; }
  void setSlowdown(double times);

 Q_SIGNALS:
  void frame(const waferpair::protocol::TelemetryFrame& frame);
  void positionChanged(double seconds);
  // Sent when the position has gone back: what was drawn over time no longer holds.
  void wentBack();
  void playingChanged(bool playing);
  // The file was changed or went away. It no longer plays.
  void failed(const waferpair::editor::Error& problem);

 private:
  explicit TraceReplay(trace::Reader reader);
  void tick();
  void show(std::uint64_t from, std::uint64_t to);
  std::uint64_t cyclesIn(double hostSeconds) const;

  trace::Replay replay_;
  std::uint64_t at_ = 0;  // cycles
  double slowdown_;
  bool looping_ = false;
  QTimer timer_{this};
  QElapsedTimer sinceTick_;
};

}  // namespace waferpair::gui
