// SPDX-License-Identifier: GPL-3.0-or-later
// Says in the status bar that the first key of a chord was pressed and its second one is awaited,
// and which chord no command has. UI thread only.
#pragma once

#include <QKeyCombination>
#include <QObject>
#include <optional>

class QKeyEvent;
class QMainWindow;

namespace waferpair::gui {

class CommandRegistry;

class ChordWait : public QObject {
  Q_OBJECT
 public:
  // Watches the keys that are pressed in `window`, which outlives this, as do `commands`.
  ChordWait(QMainWindow* window, const CommandRegistry* commands);

  bool isWaiting() const { return first_.has_value(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void pressed(QKeyCombination key);
  void released(QKeyCombination key);
  void begin();
  void end();

  QMainWindow* window_;
  const CommandRegistry* commands_;
  std::optional<QKeyCombination> candidate_;  // pressed; a widget may still take it for itself
  std::optional<QKeyCombination> first_;
  bool firstIsUp_ = false;
};

}  // namespace waferpair::gui
