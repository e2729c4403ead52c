// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/terminal_session.h"

#include <QDir>
#include <QFileInfo>

#include "editor/text/translate.h"
#include "workbench/terminal/pty_process.h"

namespace waferpair::workbench {
namespace {

constexpr int kRowsAtFirst = 24;
constexpr int kColumnsAtFirst = 80;

// Back from what a program that is gone has left: another screen, modes of the mouse and of keys.
QByteArray leaveModes(const TerminalScreen& screen) {
  return QByteArray(screen.isAlternate() ? "\x1b[?1049l" : "") +
         "\x1b[!p\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?2004l\x1b[0m\r\n";
}

}  // namespace

TerminalSession::TerminalSession(ShellProfile profile, QString folder, QString scripts,
                                 int scrollback, QObject* parent)
    : QObject(parent),
      profile_(std::move(profile)),
      startFolder_(std::move(folder)),
      scripts_(std::move(scripts)),
      screen_(kRowsAtFirst, kColumnsAtFirst, scrollback) {}

TerminalSession::~TerminalSession() {
  if (pty_) pty_->disconnect(this);
}

void TerminalSession::start() {
  if (pty_) {
    startFolder_ = folder();
    pty_->disconnect(this);
    screen_.feed(leaveModes(screen_));
    if (!profile_.isShell) {
      // What a program printed before is of no use beside what it prints now.
      screen_.feed(QByteArray("\x1b") + 'c');
      screen_.clearScrollback();
    }
  }
  const QString folder = QFileInfo(startFolder_).isDir() ? startFolder_ : QDir::homePath();
  const ShellStart start = shellStart(profile_, scripts_, QProcessEnvironment::systemEnvironment());
  pty_ = std::make_unique<PtyProcess>(start.command, folder, start.environment);
  connect(pty_.get(), &PtyProcess::received, this, &TerminalSession::receive);
  connect(pty_.get(), &PtyProcess::ended, this, &TerminalSession::end);
  status_.reset();
  pty_->start(screen_.rows(), screen_.columns());
  Q_EMIT runningChanged();
  Q_EMIT changed();
}

bool TerminalSession::isRunning() const { return pty_ && pty_->isRunning(); }

void TerminalSession::hangUp() {
  if (pty_) pty_->hangUp();
}

QString TerminalSession::folder() const {
  // What the shell tells is right in a container and over ssh, too, where it is believed to be
  // here.
  if (!screen_.folder().isEmpty()) return screen_.folder();
  const QString known = pty_ ? pty_->folder() : QString();
  return known.isEmpty() ? startFolder_ : known;
}

QString TerminalSession::foreground() const {
  if (!profile_.isShell) return isRunning() ? profile_.name : QString();
  return pty_ ? pty_->foreground() : QString();
}

QString TerminalSession::title() const {
  if (!name_.isEmpty()) return name_;
  return screen_.title().isEmpty() ? profile_.name : screen_.title();
}

void TerminalSession::setName(const QString& name) {
  name_ = name;
  shownTitle_ = title();
  Q_EMIT titleChanged();
}

void TerminalSession::receive(const QByteArray& bytes) {
  screen_.feed(bytes);
  sendReply();
  if (screen_.takeBell()) Q_EMIT rang();
  if (const QString now = title(); now != shownTitle_) {
    shownTitle_ = now;
    Q_EMIT titleChanged();
  }
  Q_EMIT changed();
}

// The end is told where the output ends, as terminals do.
void TerminalSession::end(int status, const QString& problem) {
  status_ = problem.isEmpty() ? status : -1;
  const QString name = profile_.isShell ? translate("The shell") : profile_.name;
  const QString what = !problem.isEmpty() ? problem
                       : status == 0
                           ? translate("%1 has ended.").arg(name)
                           : translate("%1 has ended with status %2.").arg(name).arg(status);
  screen_.feed(leaveModes(screen_) + '[' + what.toUtf8() + ']');
  screen_.takeReply();
  Q_EMIT runningChanged();
  Q_EMIT changed();
}

void TerminalSession::sendReply() {
  const QByteArray reply = screen_.takeReply();
  if (pty_ && !reply.isEmpty()) pty_->write(reply);
}

bool TerminalSession::key(int key, Qt::KeyboardModifiers modifiers, const QString& text) {
  const bool isAny = screen_.key(key, modifiers, text);
  sendReply();
  return isAny;
}

void TerminalSession::mouseMove(int row, int column, Qt::KeyboardModifiers modifiers) {
  screen_.mouseMove(row, column, modifiers);
  sendReply();
}

void TerminalSession::mouseButton(int button, bool isPressed, Qt::KeyboardModifiers modifiers) {
  screen_.mouseButton(button, isPressed, modifiers);
  sendReply();
}

void TerminalSession::paste(const QString& text) {
  screen_.paste(text);
  sendReply();
}

void TerminalSession::focus(bool isFocused) {
  screen_.focus(isFocused);
  sendReply();
}

void TerminalSession::resize(int rows, int columns) {
  if (rows == screen_.rows() && columns == screen_.columns()) return;
  screen_.resize(rows, columns);
  sendReply();
  if (pty_) pty_->resize(screen_.rows(), screen_.columns());
  Q_EMIT changed();
}

}  // namespace waferpair::workbench
