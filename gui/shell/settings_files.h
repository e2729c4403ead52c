// SPDX-License-Identifier: GPL-3.0-or-later
// The settings files in the window: they are read again when they were saved, what is wrong with
// them is said in a banner, and they open at a setting. UI thread only.
#pragma once

#include <QObject>

#include "gui/store/settings.h"

namespace waferpair::gui {

class BannerStack;
class EditorTabs;
class Workspace;

class SettingsFiles : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  SettingsFiles(Settings* settings, EditorTabs* tabs, Workspace* workspace, BannerStack* notices,
                QObject* parent);

  // Opens the file, which is made where it is not there, at the setting; an empty `id`: at its
  // beginning. Without a folder there is no project's file, and nothing is done.
  void open(SettingsScope scope, const QString& id = {});

 private:
  void showMistakes();
  void goTo(const QString& file, int line, int column);

  Settings* settings_;
  EditorTabs* tabs_;
  BannerStack* notices_;
};

}  // namespace waferpair::gui
