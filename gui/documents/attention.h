// SPDX-License-Identifier: GPL-3.0-or-later
// What the user looks at and where the keyboard is, to be compared with later: what was asked for
// then comes to the front only where nothing else was gone to meanwhile. UI thread only.
#pragma once

#include <QApplication>
#include <QPointer>
#include <QWidget>

#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {

class Attention {
 public:
  // As it is now; `tabs` outlive this.
  explicit Attention(const EditorTabs* tabs)
      : tabs_(tabs), front_(tabs->current()), keyboard_(QApplication::focusWidget()) {}

  // The same text is in front, or still none.
  bool isOnSameText() const { return tabs_->current() == front_; }
  // And the keyboard is where it was, unless that is gone.
  bool isKept() const {
    return isOnSameText() &&
           (!keyboard_ || !keyboard_->isVisible() || QApplication::focusWidget() == keyboard_);
  }

 private:
  const EditorTabs* tabs_;
  QPointer<Document> front_;
  QPointer<QWidget> keyboard_;
};

}  // namespace waferpair::gui
