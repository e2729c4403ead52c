// SPDX-License-Identifier: GPL-3.0-or-later
// The setting ai/enabled. While it is off no model runs, none is asked or offered, and what there
// is for models is out of sight; with the setting it comes back. UI thread only.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

class QDockWidget;
class QWidget;

namespace waferpair::pairing {
class ModelRoster;
}

namespace waferpair::gui {

class CommandRegistry;
class PairDock;
class RuntimeService;
class Settings;

class AiSwitch : public QObject {
  Q_OBJECT
 public:
  // All outlive this, and all commands have been added. `runtime` and `wafer` may be null.
  struct Parts {
    const Settings* settings;
    CommandRegistry* commands;
    pairing::ModelRoster* roster;
    PairDock* pair;
    RuntimeService* runtime;
    QDockWidget* wafer;
    QList<QWidget*> shown;  // for models alone, such as fields of the status bar
  };
  AiSwitch(const Parts& parts, QObject* parent);

  bool isOn() const { return isOn_; }
  // Hides the docks again where something else, as the layout of last time, has shown them.
  void hideDocks();

 private:
  void look();
  void turnOff();
  void turnOn();

  Parts p_;
  bool isOn_ = true;
  bool pairWasShown_ = false;
  bool waferWasShown_ = true;
};

}  // namespace waferpair::gui
