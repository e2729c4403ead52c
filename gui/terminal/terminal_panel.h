// SPDX-License-Identifier: GPL-3.0-or-later
// The terminals of the window, in tabs, several side by side in each. UI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>

#include "gui/terminal/terminal_memory.h"
#include "workbench/terminal/shell_profiles.h"

class QSplitter;
class QStackedWidget;

namespace waferpair::pairing {
class ModelRoster;
}

namespace waferpair::gui {

class BannerStack;
class CommandRegistry;
class InputPrompt;
class Picker;
class Settings;
class StartGate;
class TabBar;
class TerminalFindBar;
class TerminalView;
class TerminalWords;

class TerminalPanel : public QWidget {
  Q_OBJECT
 public:
  // All outlive this.
  struct Parts {
    Settings* settings;
    Picker* picker;
    InputPrompt* prompt;
    StartGate* gate;
    const CommandRegistry* commands;
    QString stateDirectory;
    pairing::ModelRoster* roster;
  };
  TerminalPanel(Parts parts, QWidget* parent);
  ~TerminalPanel() override;

  // The project's; those that it had come back when the panel is shown next, where none is open.
  void setFolder(const QString& folder);
  // The folders that are open, and the one in which a terminal begins; before this is called both
  // are setFolder()'s.
  void setPlaces(const QStringList& folders, const QString& front);
  // Call when what was open last time has been opened. Before this being shown opens nothing.
  void begin();
  // Gives the keyboard to the terminal in front; where there is none, one is opened.
  void enter();
  // The same where the one in front takes what is typed. One whose program has ended does not: then
  // to the last that does, or to another shell.
  void enterToType();

  // -- What commands do

  // Opens one in its own tab. Empty: the project's folder, the first profile. Null in a folder that
  // is not trusted, where shells (for their prompts) would run what it brings: the user is asked.
  TerminalView* open(const QString& folder = {}, const QString& profile = {});
  // Runs a program that is no shell in a tab of its own; the one in which it ran before and has
  // ended goes. The keyboard stays where it is.
  TerminalView* run(const workbench::ShellProfile& program, const QString& folder);
  // Beside the one in front, in its folder; as open().
  TerminalView* split();
  // Brings its tab to the front.
  void bring(TerminalView* view);
  void chooseProfile();
  void rename();
  void restart();
  // Asks first where a program runs in it.
  void close(TerminalView* view);
  void step(int direction);
  void find();
  // Asks for a command in words, to be put at the prompt of the one in front; says why that cannot
  // be.
  void askForCommand();

  // Null: none is open.
  TerminalView* current() const;
  TerminalWords* words() const { return words_; }
  QVector<TerminalView*> views() const;
  // The names of the programs that run in shells.
  QStringList running() const;
  // Asks where programs run; then tells whether all may end.
  void settle(const std::function<void(bool)>& done);
  void remember() const;

 Q_SIGNALS:
  // Another one is in front, or none.
  void currentChanged();
  void fileWanted(const QString& path, int line, int column);
  void menuWanted(const QPoint& global);
  // The last one was closed.
  void emptied();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  TerminalView* make(const QString& folder, const QString& profile);
  TerminalView* openTrusted(const QString& folder, const QString& profile);
  TerminalView* makeFor(const workbench::ShellProfile& profile, const QString& folder);
  QSplitter* addPage(TerminalView* view);
  // Starts the shell of a terminal that was put on a page.
  void startInFront(TerminalView* view);
  void applySettings();
  void restore();
  void openIfShown();
  // Whether one may be opened there; empty: in the project's folder. Not in a project that is not
  // trusted; other places are the user's own.
  bool mayOpenIn(const QString& folder) const;
  // Opens it at once or when the user trusts the folder.
  void openWhenTrusted(const QString& folder, const QString& name, const std::function<void()>& go,
                       const QString& profile);
  void remove(TerminalView* view);
  void showTitles();
  void askAboutPaste(TerminalView* view, const QString& text);
  void openAddress(const QString& address);
  TerminalView* lastRunning() const;
  QSplitter* page(int index) const;
  int indexOf(const QSplitter* page) const;

  Parts parts_;
  TerminalMemory memory_;
  // Where one begins that is told no folder.
  const QString& place() const { return place_.isEmpty() ? folder_ : place_; }

  QString folder_;
  QStringList folders_;
  QString place_;
  TabBar* bar_;
  QStackedWidget* stack_;
  TerminalFindBar* findBar_;
  TerminalWords* words_;
  BannerStack* questions_;
  QPointer<TerminalView> last_;  // had the keyboard
  bool hasBegun_ = false;
  bool isRestored_ = false;  // what the project had
  bool isAsking_ = false;    // settle() does
};

}  // namespace waferpair::gui
