// SPDX-License-Identifier: GPL-3.0-or-later
// One request's answer while it streams in: where it belongs, what was typed since, what of it may
// be shown.
#pragma once

#include <QByteArray>

#include "editor/assist/completion_provider.h"
#include "editor/assist/suggestion_filter.h"
#include "editor/assist/typed_since.h"

namespace waferpair::editor {

class SuggestionStream {
 public:
  // `wanted`: the user asked for it by key. `lineEnd`: the document's line end, which suggestions
  // get before they meet the text.
  SuggestionStream(RequestId id, bool wanted, TypedSince typed, SuggestionFilter filter,
                   QByteArray lineEnd)
      : id_(id),
        wanted_(wanted),
        typed_(std::move(typed)),
        filter_(std::move(filter)),
        unfiltered_(filter_),
        lineEnd_(std::move(lineEnd)) {}

  RequestId id() const { return id_; }
  bool isWanted() const { return wanted_; }
  qint64 origin() const { return typed_.origin(); }
  qint64 position() const { return typed_.end(); }  // where the caret must be

  // A suggestion that was asked for ahead stands where `typed` says from now on.
  void placeAt(TypedSince typed) { typed_ = std::move(typed); }

  // False when the edit contradicts the suggestion: it can be thrown away.
  bool follow(const TextEdit& edit) { return typed_.follow(edit) && agrees(); }
  // False when the new text contradicts what was typed since the request.
  bool append(const QByteArray& utf8) {
    filter_.append(utf8);
    return agrees();
  }
  void finish(bool complete) {
    filter_.finish(complete);
    finished_ = true;
    complete_ = complete;
  }

  // A larger model is still at it.
  void awaitTakeover(bool awaits) { awaits_ = awaits; }
  bool isAwaiting() const { return awaits_; }
  // Another text, all of it, takes the place of what came. False where it says nothing beyond what
  // was typed, or something else: this is of no use then.
  bool takeOver(RequestId by, const QByteArray& utf8, bool complete) {
    id_ = by;
    awaits_ = false;
    filter_ = unfiltered_;
    filter_.append(utf8);
    finish(complete);
    return agrees() && isAhead();
  }

  bool hasText() const { return !filter_.raw().isEmpty(); }
  bool isFinished() const { return finished_; }
  // Nothing more will ever be shown, though the provider may go on.
  bool isEnded() const { return finished_ || filter_.isEnded(); }
  // It has ended in its first line because what comes next was not sure enough.
  bool isCut() const { return finished_ && !complete_ && !filter_.raw().contains('\n'); }
  // The text from origin() on that may be shown; only grows.
  QByteArray shown() const { return toDocument(filter_.shown()); }
  // The line ends behind the text that may be shown.
  bool endsLine() const { return filter_.endsLine(); }
  // There is more to show than the user has typed already.
  bool isAhead() const { return shown().size() > typed_.text().size(); }
  // The part that the user has not typed.
  QByteArray ahead() const { return shown().mid(typed_.text().size()); }

 private:
  // Once the stream has ended, shown() is final: typing beyond it leaves the suggestion.
  bool agrees() const {
    if (!isEnded()) return typed_.agreesWith(toDocument(filter_.raw()));
    if (awaits_ && shown().isEmpty()) return true;  // what takes over may be what is typed
    return shown().startsWith(typed_.text());
  }
  QByteArray toDocument(QByteArray text) const {
    return lineEnd_ == "\n" ? text : text.replace('\n', lineEnd_);
  }

  RequestId id_;
  bool wanted_;
  TypedSince typed_;
  SuggestionFilter filter_, unfiltered_;
  QByteArray lineEnd_;
  bool finished_ = false, complete_ = false, awaits_ = false;
};

}  // namespace waferpair::editor
