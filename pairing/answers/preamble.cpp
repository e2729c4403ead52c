// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/answers/preamble.h"

#include <QRegularExpression>
#include <utility>

namespace waferpair::pairing {
namespace {

constexpr qsizetype kMostHeld = 4;

// "<diff>" and the like, which tools put around a change.
bool isTag(const QByteArray& line) {
  static const QRegularExpression tag(
      QStringLiteral(R"(^\s*<(diff|content|edit|edits|args|replace_in_file|apply_diff)>\s*$)"));
  return tag.match(QString::fromUtf8(line)).hasMatch();
}

}  // namespace

QVector<QByteArray> Preamble::take(const QByteArray& line) {
  const bool blank = line.trimmed().isEmpty();
  const bool belongs = CodeFence::opening(line) || !fileNameIn(line).isEmpty() || isTag(line);
  QVector<QByteArray> released;
  if (belongs || (blank && !held_.isEmpty())) {
    held_.append(line);
    while (held_.size() > kMostHeld) released.append(held_.takeFirst());
    return released;
  }
  released = release();
  released.append(line);
  return released;
}

QString Preamble::takeFileName() {
  QString name;
  for (auto line = held_.crbegin(); line != held_.crend() && name.isEmpty(); ++line) {
    const auto fence = CodeFence::opening(*line);
    name = fence ? fence->fileName() : fileNameIn(*line);
  }
  held_.clear();
  return name;
}

std::optional<CodeFence> Preamble::fence() const {
  for (auto line = held_.crbegin(); line != held_.crend(); ++line) {
    if (auto fence = CodeFence::opening(*line)) return fence;
  }
  return {};
}

QVector<QByteArray> Preamble::release() { return std::exchange(held_, {}); }

}  // namespace waferpair::pairing
