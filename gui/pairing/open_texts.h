// SPDX-License-Identifier: GPL-3.0-or-later
// A project's files as the window has them: an open text as it is there, unsaved or not, and the
// others as they are on disk. UI thread only.
#pragma once

#include "pairing/changes/disk_texts.h"

namespace waferpair::gui {

class EditorTabs;

class OpenTexts : public pairing::ProjectTexts {
 public:
  // `tabs` outlive this.
  explicit OpenTexts(EditorTabs* tabs) : tabs_(tabs) {}

  editor::Result<pairing::FileText> read(const QString& path) override;
  // An open text is changed as one step that can be undone, and not saved: that is the user's. If
  // its file is to go, its tab is closed.
  editor::Result<void> write(const QString& path, const pairing::FileText& text) override;

 private:
  EditorTabs* tabs_;
  pairing::DiskTexts disk_;
};

}  // namespace waferpair::gui
