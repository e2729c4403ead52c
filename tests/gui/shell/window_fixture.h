// SPDX-License-Identifier: GPL-3.0-or-later
// A real window on a project of its own, with a profile of its own, driven by key and mouse events.
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/shell/main_window.h"
#include "tests/support/temporary_folder.h"

namespace waferpair::gui {

class WindowFixture {
 public:
  WindowFixture();

  // -- The project's files, by paths relative to it
  QString path(const QString& relative) const { return project_.filePath(relative); }
  void write(const QString& relative, const QByteArray& bytes) const;
  QByteArray read(const QString& relative) const;
  QString project() const { return project_.path(); }
  QString state() const { return profile_.filePath(QStringLiteral("state")); }
  QString config() const { return profile_.filePath(QStringLiteral("config")); }

  // The project's folder is trusted from the start, others are not. From the next open() on:
  void trust(const QString& folder) const;
  void trustNothing() const;

  // Whenever a notice asks about a start, this button of it ("taskAgreed") is clicked. From the
  // next open() on.
  void answerStartsWith(const QString& button) { answer_ = button; }

  // Language servers and spelling are off in a window of these tests, as which servers and
  // dictionaries there are differs from computer to computer. From the next open() on they are on:
  // with tests/workbench/language's scripted server for C++, told `how` to behave; without it those
  // that are installed.
  void useScriptedLanguageServer(const QString& how) const;
  void useInstalledLanguageServers() const;
  // The settings of the next open() are these alone.
  void useSettings(const QByteArray& json) const;

  // -- The window. open() may be called again after close().
  void open(const QStringList& targets);
  void openProject() { open({project()}); }
  // The project with this file in it, which is then in front.
  void openProjectWith(const QString& relative, const QByteArray& bytes) {
    write(relative, bytes);
    openProject();
    openFile(relative);
  }
  // Closes the window as the user does; returns whether it is closed (and not asking something).
  bool close();
  // Leaves things as a crash would, as far as that is possible inside one process.
  void drop() { window_.reset(); }

  MainWindow& window() { return *window_; }
  const WindowParts& parts() { return window_->parts(); }
  Document* document() { return parts().tabs->current(); }
  editor::CodeEditor* editor() { return document()->editor(); }
  Document* openFile(const QString& relative);

  template <typename T>
  T* find(const char* name) {
    return window_->findChild<T*>(QLatin1String(name));
  }

  // -- Input, to whatever has the focus
  // A line feed is the key Return.
  static void type(const QString& text);
  static void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  // A button or the like by its object name, anywhere in the program.
  static bool click(const char* name);
  static void trigger(MainWindow& window, const char* command);

 private:
  QString trustFile() const { return state() + QStringLiteral("/trust.json"); }

  QTemporaryDir profile_;
  test::TemporaryFolder project_;
  QString answer_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace waferpair::gui
