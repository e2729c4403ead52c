// SPDX-License-Identifier: GPL-3.0-or-later
// Breakpoints as they are seen and set beside the open texts: a click in their margin sets one or
// takes it away. UI thread only.
#pragma once

#include <QObject>

#include "workbench/debug/breakpoints.h"

namespace waferpair::gui {

class DebugRunner;
class Document;
class EditorTabs;

class BreakpointMargin : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  BreakpointMargin(EditorTabs* tabs, DebugRunner* runner, QObject* parent);

  // These are about the caret's line in the text in front.
  void toggle();
  // The one there, or a new one, to be edited; of no path where there is no text with a file.
  workbench::Breakpoint atCaret() const;
  // Turns it off or on; sets one where there is none.
  void toggleOn();
  void goTo(const workbench::Breakpoint& breakpoint);

 private:
  void watch(Document* document);
  void show(Document* document);
  void showFile(const QString& path);
  void toggleAt(Document* document, int line);

  EditorTabs* tabs_;
  DebugRunner* runner_;
};

}  // namespace waferpair::gui
