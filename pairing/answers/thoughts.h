// SPDX-License-Identifier: GPL-3.0-or-later
// Takes out what a model thinks before it answers, where its server leaves it in the answer:
// between tags (<think>, <thinking>, <reasoning>, [THINK], ...) and in channels
// ("<|channel|>analysis"). The same within a change is a text of the file, and stays.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <optional>

#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {

class Thoughts {
 public:
  // What of the line belongs to the answer; none: nothing, not even an empty line.
  std::optional<QByteArray> take(const QByteArray& line);
  // A thought has ended that never began: all lines so far were part of it.
  bool takeRestart();

 private:
  std::optional<QByteArray> takeOutside(const QByteArray& line);
  void follow(const QByteArray& line);
  bool isInChange() const { return fence_ || inBlock_ || inPatch_ || inCall_; }

  bool inside_ = false;
  bool restarts_ = false;
  // What the lines so far have begun and not ended.
  std::optional<CodeFence> fence_;
  bool inBlock_ = false;
  bool inPatch_ = false;
  bool inCall_ = false;  // up to the answer's end
};

QByteArray withoutThoughts(QByteArrayView answer);

}  // namespace waferpair::pairing
