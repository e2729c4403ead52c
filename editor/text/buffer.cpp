// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/buffer.h"

#include <algorithm>
#include <utility>

#include "editor/text/line_diff.h"

namespace waferpair::editor {

namespace {

bool changesNothing(const TextEdit& edit, const Snapshot& text) {
  return edit.end - edit.start == edit.text.size() && text.slice(edit.start, edit.end) == edit.text;
}

}  // namespace

Buffer::Buffer(const Snapshot& text, QObject* parent) : QObject(parent), text_(text) {}

Buffer::~Buffer() {
  if (view_ != nullptr) view_->bufferGone();
}

const Snapshot& Buffer::snapshot() const {
  if (!hasText_) view_->settle();  // a slot may have asked, then
  if (!hasText_) {
    Q_ASSERT(!view_->hasUntoldEdits());
    text_ = view_->text();
    hasText_ = true;
  }
  return text_;
}

Snapshot Buffer::textNow() const {
  return view_ != nullptr && view_->hasUntoldEdits() ? view_->text() : snapshot();
}

void Buffer::settle() const {
  if (view_ != nullptr) view_->settle();
}

Result<void> Buffer::apply(qint64 version, const QVector<TextEdit>& edits) {
  settle();
  if (version != version_) {
    return fail(tr("The text was edited meanwhile: the change was made for version %1, this is "
                   "version %2.")
                    .arg(version)
                    .arg(version_),
                tr("Ask for it again."));
  }
  QVector<TextEdit> effective;
  Snapshot text = snapshot();
  for (const TextEdit& edit : edits) {
    if (!text.holds(edit.start, edit.end)) {
      return fail(tr("An edit of bytes %1 to %2 lies outside a text of %3 bytes.")
                      .arg(edit.start)
                      .arg(edit.end)
                      .arg(text.size()),
                  tr("Ask for it again."));
    }
    if (changesNothing(edit, text)) continue;
    effective.append(edit);
    text = text.edited(edit);
  }
  if (effective.isEmpty()) return {};
  if (view_ != nullptr) {
    view_->apply(effective);
    return {};
  }
  history_.steps.resize(history_.done);
  if (history_.saved > history_.done) history_.saved = -1;
  UndoStep made{effective, inverseOf(effective, text_)};
  if (joins_) {
    UndoStep& last = history_.steps.last();
    last.edits += made.edits;
    last.inverse = made.inverse + last.inverse;
    if (history_.saved == history_.done) history_.saved = -1;  // in the midst of a step
  } else {
    history_.steps.append(std::move(made));
    ++history_.done;
    joins_ = openSteps_ > 0;
  }
  take(effective, version_ + 1);
  return {};
}

void Buffer::replaceText(const Snapshot& text) {
  settle();
  const auto applied = apply(version_, quickEdits(snapshot(), text));
  Q_ASSERT(applied);
}

void Buffer::beginStep() {
  ++openSteps_;
  if (view_ != nullptr) view_->beginStep();
}

void Buffer::endStep() {
  Q_ASSERT(openSteps_ > 0);
  if (--openSteps_ == 0) joins_ = false;
  if (view_ != nullptr) view_->endStep();
}

bool Buffer::canUndo() const { return view_ != nullptr ? view_->canUndo() : history_.done > 0; }

bool Buffer::canRedo() const {
  return view_ != nullptr ? view_->canRedo() : history_.done < history_.steps.size();
}

bool Buffer::undo() {
  Q_ASSERT(openSteps_ == 0);
  if (!canUndo()) return false;
  if (view_ != nullptr) {
    view_->undo();
  } else {
    --history_.done;
    // A copy: a slot may apply edits.
    take(UndoStep(history_.steps[history_.done]).inverse, version_ + 1);
  }
  return true;
}

bool Buffer::redo() {
  Q_ASSERT(openSteps_ == 0);
  if (!canRedo()) return false;
  if (view_ != nullptr) {
    view_->redo();
  } else {
    ++history_.done;
    take(UndoStep(history_.steps[history_.done - 1]).edits, version_ + 1);
  }
  return true;
}

bool Buffer::isModified() const {
  return view_ != nullptr ? view_->isModified() : history_.done != history_.saved;
}

void Buffer::markSaved() {
  if (view_ != nullptr) {
    view_->markSaved();
  } else {
    history_.saved = history_.done;
  }
  tellModified();
}

void Buffer::reset(const Snapshot& text) {
  Q_ASSERT(openSteps_ == 0);
  if (view_ != nullptr) {
    view_->reset(text);
    return;
  }
  history_ = {};
  text_ = text;
  ++version_;
  Q_EMIT wasReset();
  tellModified();
}

Result<void> Buffer::load(const TextFile& file) {
  Q_ASSERT(openSteps_ == 0);
  if (view_ != nullptr) return view_->load(file);
  return file.readText().map([this](const Snapshot& text) { reset(text); });
}

void Buffer::load(const PreparedText& prepared) {
  if (view_ == nullptr) return reset(prepared.text);
  Q_ASSERT(openSteps_ == 0);
  // A huge text is in memory once, until somebody asks for it.
  if (prepared.file.safeMode() != SafeMode::kHuge) next_ = prepared.text;
  view_->load(prepared);
  Q_ASSERT(!next_);
}

void Buffer::take(const QVector<TextEdit>& edits, qint64 version) {
  Q_ASSERT(version > version_);
  if (hasText_)
    for (const TextEdit& edit : edits) text_ = text_.edited(edit);
  version_ = version;
  Q_EMIT edited(edits, version);
  tellModified();
}

void Buffer::tellModified() {
  if (const bool modified = isModified(); modified != std::exchange(wasModified_, modified))
    Q_EMIT modifiedChanged(modified);
}

// -- The view

void Buffer::show(BufferView* view, qint64 version) {
  Q_ASSERT(view_ == nullptr && view != nullptr && openSteps_ == 0 && version > version_);
  view_ = view;
  version_ = version;
  history_ = {};
}

void Buffer::unshow(BufferView* view, UndoHistory history) {
  Q_ASSERT(view_ == view && openSteps_ == 0 && history.done <= history.steps.size());
  Q_ASSERT(hasText_);
  view_ = nullptr;
  history_ = std::move(history);
  tellModified();
}

void Buffer::viewEdited(const QVector<TextEdit>& edits, qint64 version) {
  Q_ASSERT(view_ != nullptr);
  take(edits, version);
}

void Buffer::viewReset(qint64 version) {
  Q_ASSERT(view_ != nullptr && version > version_);
  hasText_ = next_.has_value();
  text_ = std::exchange(next_, std::nullopt).value_or(Snapshot());
  version_ = version;
  Q_EMIT wasReset();
  tellModified();
}

void Buffer::viewModifiedChanged() { tellModified(); }

}  // namespace waferpair::editor
