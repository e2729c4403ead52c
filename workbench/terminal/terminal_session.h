// SPDX-License-Identifier: GPL-3.0-or-later
// A shell, or another program, and its screen: what the one writes the other shows, and what the
// user does goes to the shell. UI thread only.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "workbench/terminal/shell_profiles.h"
#include "workbench/terminal/terminal_screen.h"

namespace waferpair::workbench {

class PtyProcess;

class TerminalSession : public QObject {
  Q_OBJECT
 public:
  // `scripts`: see shellStart().
  TerminalSession(ShellProfile profile, QString folder, QString scripts, int scrollback,
                  QObject* parent = nullptr);
  ~TerminalSession() override;

  // Starts the shell, again where it has ended; one that runs is ended first. A folder that is gone
  // is replaced by the user's home.
  void start();
  bool isRunning() const;
  // The exit status of what has ended; -1: it was ended by a signal, or could not be started.
  std::optional<int> status() const { return status_; }
  // The shell and what is in front are told that the terminal is gone.
  void hangUp();

  TerminalScreen& screen() { return screen_; }
  const TerminalScreen& screen() const { return screen_; }
  const ShellProfile& profile() const { return profile_; }
  // The folder that the shell is in, as far as is known.
  QString folder() const;
  // The name of a program that runs in the shell, or of the one that runs in place of a shell;
  // empty: none does.
  QString foreground() const;
  // What the user called it; else what the program did; else the shell's name.
  QString title() const;
  void setName(const QString& name);
  const QString& name() const { return name_; }

  // -- The user's side, see TerminalScreen
  bool key(int key, Qt::KeyboardModifiers modifiers, const QString& text);
  void mouseMove(int row, int column, Qt::KeyboardModifiers modifiers);
  void mouseButton(int button, bool isPressed, Qt::KeyboardModifiers modifiers);
  void paste(const QString& text);
  void focus(bool isFocused);
  void resize(int rows, int columns);

 Q_SIGNALS:
  // What is to be seen may be other than before.
  void changed();
  void titleChanged();
  void rang();
  // The shell has ended or begun.
  void runningChanged();

 private:
  void receive(const QByteArray& bytes);
  void end(int status, const QString& problem);
  void sendReply();

  ShellProfile profile_;
  QString startFolder_;
  QString scripts_;
  QString name_;
  TerminalScreen screen_;
  QString shownTitle_;
  std::unique_ptr<PtyProcess> pty_;
  std::optional<int> status_;
};

}  // namespace waferpair::workbench
