// SPDX-License-Identifier: GPL-3.0-or-later
// Five things to try, for somebody who has just started the program: each opens the sample project
// where it takes one, does the first step and says what the next is.
#pragma once

#include <QList>
#include <QObject>
#include <QString>

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class DockStrip;
class EditorTabs;
class FolderFlow;
class Workspace;

struct ThingToTry {
  QString id;
  QString icon;
  QString title;
  QString text;     // a sentence: what will be seen
  QString command;  // whose key does it later; may be empty
};

class ThingsToTry : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    CommandRegistry* commands;
    EditorTabs* tabs;
    Workspace* workspace;
    FolderFlow* folders;
    BannerStack* notices;
    DockStrip* wafer = nullptr;  // null without a model
  };
  // All of it outlives this.
  explicit ThingsToTry(const Parts& parts, QObject* parent = nullptr);

  // At most five; none without the sample project.
  QList<ThingToTry> things() const;
  void run(const QString& id);

 private:
  void begin(const QString& id);
  // Shows the file with the caret behind `text`, on a line of its own below where `below` says so.
  bool showPlace(const QString& file, const QByteArray& text, bool below);
  void say(const QString& text);

  Parts p_;
};

}  // namespace waferpair::gui
