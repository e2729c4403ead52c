// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_call.h"

#include <signal.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>

#include "workbench/translate.h"

namespace waferpair::workbench {
namespace {

constexpr int kLookMs = 40;  // until the next look at `cancelled`
constexpr qint64 kGitEndPatienceMs = 2000;
constexpr qsizetype kMostSaid = 4 << 10;      // bytes of the end of what git says
constexpr qsizetype kMostOutput = 512 << 20;  // bytes: more is no answer to any question here

QProcessEnvironment gitEnvironment(const QStringList& more) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const QString& name : environment.keys()) {
    // A program started by a git of another repository has these.
    const bool isOfGit =
        name == QLatin1String("GIT_DIR") || name == QLatin1String("GIT_WORK_TREE") ||
        name == QLatin1String("GIT_INDEX_FILE") || name == QLatin1String("GIT_PREFIX");
    const bool isOurs =
        name.startsWith(QLatin1String("WAFERPAIR_")) || name.startsWith(QLatin1String("WAFERD_"));
    if (isOfGit || isOurs) environment.remove(name);
  }
  const QStringList always{
      QStringLiteral("GIT_TERMINAL_PROMPT=0"), QStringLiteral("GIT_EDITOR=:"),
      QStringLiteral("GIT_SEQUENCE_EDITOR=:"), QStringLiteral("GIT_MERGE_AUTOEDIT=no"),
      QStringLiteral("GIT_PAGER=cat"),         QStringLiteral("SSH_ASKPASS_REQUIRE=prefer"),
      QStringLiteral("LC_ALL=C.UTF-8")};
  for (const QString& variable : always + more) {
    const qsizetype equals = variable.indexOf(u'=');
    environment.insert(variable.left(equals), variable.mid(equals + 1));
  }
  return environment;
}

// Progress overwrites its line: CR ends one, too.
void tellLines(QByteArray& begun, const GitNews& news) {
  while (true) {
    qsizetype end = 0;
    while (end < begun.size() && begun[end] != '\r' && begun[end] != '\n') ++end;
    if (end == begun.size()) break;
    const QString line = QString::fromUtf8(begun.left(end)).trimmed();
    begun.remove(0, end + 1);
    if (!line.isEmpty() && news) news(line);
  }
  if (begun.size() > kMostSaid) begun.clear();
}

// What git said, without what is only progress.
QString saidOf(const QByteArray& error) {
  QStringList lines;
  for (const QByteArray& line : error.split('\n')) {
    const QByteArray last = line.mid(line.lastIndexOf('\r') + 1).trimmed();
    if (!last.isEmpty() && !last.startsWith("hint:")) lines.append(QString::fromUtf8(last));
  }
  constexpr qsizetype kMostLines = 8;
  return lines.mid(std::max<qsizetype>(0, lines.size() - kMostLines)).join(u'\n');
}

QString remedyFor(const QString& said) {
  static const QRegularExpression lock(QStringLiteral("'([^']+\\.lock)'"));
  const auto locked = lock.match(said);
  if (locked.hasMatch() && QFile::exists(locked.captured(1)))
    return translate(
               "Another git is at work, or one was ended midway. If none runs any more, delete %1.")
        .arg(locked.captured(1));
  for (const char* sign :
       {"terminal prompts disabled", "could not read Username", "could not read Password",
        "Permission denied (publickey", "Host key verification failed", "Authentication failed"})
    if (said.contains(QLatin1String(sign)))
      return translate(
          "Git would ask for a name, a password or a key. Set up a credential helper or an SSH "
          "agent, or run it once in the terminal.");
  if (said.contains(QLatin1String("Please tell me who you are")) ||
      said.contains(QLatin1String("empty ident name")))
    return translate("git config --global user.name and user.email say who you are.");
  if (said.contains(QLatin1String("unknown option")) ||
      said.contains(QLatin1String("is not a git command")))
    return translate("This git may be too old: 2.20 or later is needed.");
  return {};
}

}  // namespace

editor::Result<QByteArray> callGit(const GitCall& call, const std::atomic<bool>& cancelled,
                                   const GitNews& news, const GitTake& take) {
  QProcess git;
  git.setProgram(QStringLiteral("git"));
  git.setArguments(call.arguments);
  git.setWorkingDirectory(call.folder);
  git.setProcessEnvironment(gitEnvironment(call.environment));
  // A session of its own has no terminal at which something could be asked, and is one group.
  git.setChildProcessModifier([] { ::setsid(); });
  git.start();
  if (!git.waitForStarted()) {
    if (git.error() != QProcess::FailedToStart || !QFile::exists(call.folder))
      return editor::fail(
          translate("Git could not be started in %1: %2.").arg(call.folder, git.errorString()));
    return editor::fail(translate("Git is not installed, or not in PATH."),
                        translate("Install the package \"git\"."));
  }
  const auto group = static_cast<pid_t>(git.processId());
  git.write(call.input);
  git.closeWriteChannel();
  QByteArray output, error, begun;
  const auto takeOutput = [&] {
    const QByteArray bytes = git.readAllStandardOutput();
    if (!take) {
      output += bytes;
    } else if (!bytes.isEmpty()) {
      take(bytes);
    }
  };
  QElapsedTimer sinceCancelled;
  bool wasAsked = false;
  while (git.state() != QProcess::NotRunning) {
    git.waitForReadyRead(kLookMs);
    takeOutput();
    const QByteArray more = git.readAllStandardError();
    error = (error + more).right(kMostSaid);
    begun += more;
    tellLines(begun, news);
    if (!wasAsked && (cancelled || output.size() > kMostOutput)) {
      wasAsked = true;
      sinceCancelled.start();
      ::kill(-group, SIGTERM);
    }
    if (wasAsked && sinceCancelled.elapsed() > kGitEndPatienceMs) ::kill(-group, SIGKILL);
  }
  takeOutput();
  error = (error + git.readAllStandardError()).right(kMostSaid);
  const QString name = QStringLiteral("git ") + call.arguments.value(0);
  if (wasAsked) {
    return editor::fail(cancelled ? translate("%1 was cancelled.").arg(name)
                                  : translate("%1 answered with too much.").arg(name));
  }
  if (git.exitStatus() == QProcess::CrashExit)
    return editor::fail(translate("%1 was ended by a signal.").arg(name));
  if (git.exitCode() == 0) return output;
  QString said = saidOf(error);
  if (said.isEmpty()) said = saidOf(output.right(kMostSaid));
  return editor::fail(said.isEmpty()
                          ? translate("%1 ended with status %2.").arg(name).arg(git.exitCode())
                          : translate("%1: %2").arg(name, said),
                      remedyFor(said));
}

}  // namespace waferpair::workbench
