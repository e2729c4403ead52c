// SPDX-License-Identifier: GPL-3.0-or-later
// A project's files as an agent gets them and changes them, which reads the disk besides: an open
// text that was saved is saved again, one that was not is merged and left to the user. UI thread
// only.
#pragma once

#include "gui/pairing/open_texts.h"

namespace waferpair::gui {

class AgentTexts : public OpenTexts {
 public:
  // `tabs` outlive this.
  explicit AgentTexts(EditorTabs* tabs) : OpenTexts(tabs), tabs_(tabs) {}

  editor::Result<void> write(const QString& path, const pairing::FileText& text) override;
  // The file became `after`, which was `before`, by another hand. The open text becomes the same,
  // or where it has unsaved changes both together; where that cannot be, it stays and its banner
  // asks.
  void takeOutside(const QString& path, const pairing::FileText& before,
                   const pairing::FileText& after);
  // Paths of open texts below `folder` with changes that are not saved.
  QStringList unsaved(const QString& folder) const;
  // True while an agent's work is taken over: what is saved then is not the user's.
  bool isWriting() const { return isWriting_; }
  // False: one of them could not be saved, which its banner says.
  bool save(const QStringList& paths);

 private:
  EditorTabs* tabs_;
  bool isWriting_ = false;
};

}  // namespace waferpair::gui
