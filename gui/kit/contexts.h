// SPDX-License-Identifier: GPL-3.0-or-later
// The contexts tell what is so in the window just now, as far as commands ask: whether they can be
// run and whose a key is follow from it. Who sets which is in gui/shell/context_watch.cpp. UI
// thread only.
#pragma once

#include <QObject>
#include <QString>
#include <bit>

namespace waferpair::gui {

// A new one is a line here and one in kContexts.
enum class Context {
  kDocumentOpen,
  kEditorFocused,
  kGhostShown,
  kHunksShown,
  kHunkAtCaret,
  kNextEditOffered,
  kListShown,
  kListOnTop,
  kInSnippet,
  kFolderOpen,
  kFilesFocused,
  kModelReady,
  kRecording,
  kReplaying,
  kAskFocused,
  kAskRunning,
  kAskQueued,
  kAskThread,
  kAskSummary,
  kPlanFocused,
  kPlanRunning,
  kPlanQueued,
  kPlanSteps,
  kReviewRunning,
  kReviewRemarks,
  kFoundInFiles,
  kPanesSplit,
  kCompared,
  kConflicts,
  kTerminalOpen,
  kTerminalFocused,
  kTaskRunning,
  kDebugging,
  kDebugRunning,
  kDebugStopped,
  kAiEnabled,
};

// Returns the name that scripts use: "ghost-shown".
QString contextName(Context context);
inline constexpr int kContextCount = static_cast<int>(Context::kAiEnabled) + 1;

// A condition over contexts: all that must be so, and all that must not.
//   When when = Context::kModelReady && !Context::kRecording;
// Without any it always holds.
class When {
 public:
  constexpr When() = default;
  constexpr When(Context context) : all_(bit(context)) {}
  static constexpr When isNot(Context context) { return {0, bit(context)}; }

  constexpr bool holds(quint64 contexts) const {
    return (contexts & all_) == all_ && (contexts & none_) == 0;
  }
  // Both can't hold at a time.
  constexpr bool excludes(When other) const {
    return ((all_ & other.none_) | (none_ & other.all_)) != 0;
  }
  // The number of contexts that must hold, or must not.
  constexpr int conditions() const { return std::popcount(all_) + std::popcount(none_); }
  // The contexts it depends on.
  constexpr quint64 mentions() const { return all_ | none_; }
  // "a file is open, a suggestion is shown"; empty when it always holds.
  QString words() const;

  friend constexpr When operator&&(When a, When b) { return {a.all_ | b.all_, a.none_ | b.none_}; }

  static constexpr quint64 bit(Context context) {
    return quint64{1} << static_cast<unsigned>(context);
  }

 private:
  constexpr When(quint64 all, quint64 none) : all_(all), none_(none) {}

  quint64 all_ = 0;
  quint64 none_ = 0;
};

constexpr When operator!(Context context) { return When::isNot(context); }
constexpr When operator&&(Context a, Context b) { return When(a) && When(b); }

class Contexts : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void set(Context context, bool holds);
  bool is(Context context) const { return (now_ & When::bit(context)) != 0; }
  bool hold(When when) const { return when.holds(now_); }
  quint64 now() const { return now_; }

 Q_SIGNALS:
  // `which`: the bits that are different now.
  void changed(quint64 which);

 private:
  quint64 now_ = 0;
};

}  // namespace waferpair::gui
