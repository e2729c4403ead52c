// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/trace_replay.h"

#include <QFile>
#include <algorithm>

namespace waferpair::gui {
namespace {

constexpr int kFrameMs = 16;
constexpr double kFrameSeconds = kFrameMs * 1e-3;
// A whole trace is over in about this time, unless another speed is chosen.
constexpr double kUsualSeconds = 20;

editor::Error problemOf(const base::Error& error) {
  return {QString::fromStdString(error.what), QString::fromStdString(error.remedy)};
}

}  // namespace

std::unique_ptr<TraceReplay> TraceReplay::open(const QString& path, editor::Error* problem) {
  auto reader = trace::Reader::open(QFile::encodeName(path).toStdString());
  if (reader && reader->totals().cycles == 0)
    reader = base::fail(reader->path() + ": nothing was recorded in it yet.",
                        "Record while suggestions come, and stop before you open it.");
  if (!reader) {
    *problem = problemOf(reader.error());
    return nullptr;
  }
  return std::unique_ptr<TraceReplay>(new TraceReplay(std::move(*reader)));
}

TraceReplay::TraceReplay(trace::Reader reader)
    : replay_(std::move(reader)), slowdown_(std::max(1.0, kUsualSeconds / seconds())) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(kFrameMs);
  connect(&timer_, &QTimer::timeout, this, &TraceReplay::tick);
}

QString TraceReplay::path() const {
  return QFile::decodeName(QByteArray::fromStdString(replay_.reader().path()));
}

editor::Error TraceReplay::damage() const {
  const auto& damage = replay_.reader().damage();
  return damage ? problemOf(*damage) : editor::Error{};
}

double TraceReplay::seconds() const {
  return static_cast<double>(replay_.cycles()) / layout().clockHz;
}

double TraceReplay::position() const { return static_cast<double>(at_) / layout().clockHz; }

std::uint64_t TraceReplay::cyclesIn(double hostSeconds) const {
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(hostSeconds / slowdown_ * layout().clockHz));
}

void TraceReplay::setPosition(double seconds) {
  const double cycles = std::clamp(seconds, 0.0, this->seconds()) * layout().clockHz;
  const auto to = std::min(static_cast<std::uint64_t>(cycles + 0.5), replay_.cycles());
  if (to < at_) Q_EMIT wentBack();
  at_ = to;
  show(to - std::min(to, cyclesIn(kFrameSeconds)), to);
}

void TraceReplay::setPlaying(bool playing) {
  if (playing == isPlaying()) return;
  if (playing && at_ >= replay_.cycles()) setPosition(0);
  if (playing) {
    sinceTick_.start();
    timer_.start();
  } else {
    timer_.stop();
  }
  Q_EMIT playingChanged(playing);
}

void TraceReplay::setSlowdown(double times) { slowdown_ = std::max(times, 1e-3); }

void TraceReplay::tick() {
  const double passed = 1e-9 * static_cast<double>(sinceTick_.nsecsElapsed());
  sinceTick_.start();
  const std::uint64_t from = at_;
  at_ = std::min(at_ + cyclesIn(passed), replay_.cycles());
  show(from, at_);
  if (at_ < replay_.cycles()) return;
  if (looping_ && isPlaying()) return setPosition(0);
  setPlaying(false);
}

void TraceReplay::show(std::uint64_t from, std::uint64_t to) {
  const auto made = replay_.frame(from, to);
  if (!made) {
    setPlaying(false);
    Q_EMIT failed(problemOf(made.error()));
    return;
  }
  Q_EMIT frame(*made);
  Q_EMIT positionChanged(position());
}

}  // namespace waferpair::gui
