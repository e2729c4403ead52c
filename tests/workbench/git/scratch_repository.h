// SPDX-License-Identifier: GPL-3.0-or-later
// A repository of git itself in a folder of its own, without anybody's configuration.
#pragma once

#include <QDir>
#include <QFile>
#include <QList>
#include <QProcess>
#include <utility>

#include "tests/support/temporary_folder.h"
#include "workbench/git/git_call.h"

namespace waferpair::workbench {

// The environment of git without anybody's configuration, with a tester who commits.
inline QList<std::pair<QString, QString>> testersGit() {
  QList<std::pair<QString, QString>> variables{
      {QStringLiteral("GIT_CONFIG_GLOBAL"), QStringLiteral("/dev/null")},
      {QStringLiteral("GIT_CONFIG_NOSYSTEM"), QStringLiteral("1")},
      // One that asks for the state again and again is in nobody's way.
      {QStringLiteral("GIT_OPTIONAL_LOCKS"), QStringLiteral("0")}};
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    variables.append(
        {QStringLiteral("GIT_%1_NAME").arg(QLatin1String(who)), QStringLiteral("A Tester")});
    variables.append({QStringLiteral("GIT_%1_EMAIL").arg(QLatin1String(who)),
                      QStringLiteral("tester@example.org")});
  }
  return variables;
}

// From here on what this program runs has it, too: the window's own git.
inline void useTestersGit() {
  for (const auto& [name, value] : testersGit()) qputenv(name.toLatin1(), value.toLatin1());
}

// Runs git in `folder` and returns what it wrote; empty, with a warning, where it failed and that
// was not expected.
inline QByteArray runGit(const QString& folder, const QStringList& arguments,
                         bool mayFail = false) {
  QProcess git;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const auto& [name, value] : testersGit()) environment.insert(name, value);
  git.setProcessEnvironment(environment);
  git.setWorkingDirectory(folder);
  git.start(QStringLiteral("git"), arguments);
  const bool isDone = git.waitForFinished(60'000) && git.exitCode() == 0;
  if (!isDone && !mayFail) qWarning() << arguments << git.readAllStandardError();
  return isDone || mayFail ? git.readAllStandardOutput() : QByteArray();
}

// Of tests that are not about trust.
inline GitTrust anyTrust() {
  return GitTrust([](const QString&) { return true; });
}

class ScratchRepository {
 public:
  ScratchRepository() { git({"init", "-q", "-b", "main"}); }

  // Canonical, as the project's folder is.
  QString folder() const { return QDir(directory_.path()).canonicalPath(); }
  QString path(const QString& relative) const { return folder() + u'/' + relative; }

  void write(const QString& relative, const QByteArray& bytes) const {
    const QString file = path(relative);
    QDir().mkpath(file.left(file.lastIndexOf(u'/')));
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size())
      qWarning() << "can't write" << file;
  }
  QByteArray git(const QStringList& arguments, bool mayFail = false) const {
    return runGit(folder(), arguments, mayFail);
  }
  // All there is becomes a commit.
  void commit(const QString& message) const {
    git({"add", "-A"});
    git({"commit", "-q", "--allow-empty", "-m", message});
  }

 private:
  test::TemporaryFolder directory_;
};

}  // namespace waferpair::workbench
