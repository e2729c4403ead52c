// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_call.h"

#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "workbench/git/exact_start.h"
#include "workbench/git/git_reading.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {
namespace {

constexpr int kLookMs = 40;  // until the next look at `cancelled`
constexpr qint64 kGitEndPatienceMs = 2000;
constexpr qsizetype kMostSaid = 4 << 10;      // bytes of the end of what git says
constexpr qsizetype kMostOutput = 512 << 20;  // bytes: more is no answer to any question here

enum class GitUse { kReads, kWrites };

// One start of git, with all that is settled before.
struct GitStart {
  QString folder;  // git runs there
  QStringList arguments;
  QProcessEnvironment environment;
  QByteArray input;
  QString name;  // for people: "git log"
};

bool isBelow(const QString& path, const QString& folder) {
  return path == folder || path.startsWith(folder + u'/');
}

// The folders of PATH in which programs are looked for. What a relative one has depends on where
// git runs; and what reads starts nothing of the project's.
QStringList programFolders(const QString& workFolder, GitUse use) {
  QStringList folders;
  const QString work = QFileInfo(workFolder).canonicalFilePath();
  for (const QString& folder : qEnvironmentVariable("PATH").split(u':', Qt::SkipEmptyParts)) {
    const QString place = QFileInfo(folder).canonicalFilePath();
    const bool isOfProject = isBelow(place, work) || isBelow(folder, workFolder);
    if (folder.startsWith(u'/') && (use == GitUse::kWrites || !isOfProject)) folders.append(folder);
  }
  return folders;
}

// Empty: there is none.
QString gitProgram(const QString& workFolder) {
  // With no folders it would look into all of PATH.
  const QStringList folders = programFolders(workFolder, GitUse::kReads);
  const QString found = folders.isEmpty()
                            ? QString()
                            : QStandardPaths::findExecutable(QStringLiteral("git"), folders);
  const QString work = QFileInfo(workFolder).canonicalFilePath();
  return isBelow(QFileInfo(found).canonicalFilePath(), work) ? QString() : found;
}

// What a git that started this program may have told it about its own repository.
bool isOfAnotherGit(const QString& name) {
  static const QSet<QString> names{QStringLiteral("GIT_ALTERNATE_OBJECT_DIRECTORIES"),
                                   QStringLiteral("GIT_COMMON_DIR"),
                                   QStringLiteral("GIT_CONFIG"),
                                   QStringLiteral("GIT_CONFIG_COUNT"),
                                   QStringLiteral("GIT_CONFIG_PARAMETERS"),
                                   QStringLiteral("GIT_DIR"),
                                   QStringLiteral("GIT_GRAFT_FILE"),
                                   QStringLiteral("GIT_IMPLICIT_WORK_TREE"),
                                   QStringLiteral("GIT_INDEX_FILE"),
                                   QStringLiteral("GIT_NAMESPACE"),
                                   QStringLiteral("GIT_NO_REPLACE_OBJECTS"),
                                   QStringLiteral("GIT_OBJECT_DIRECTORY"),
                                   QStringLiteral("GIT_PREFIX"),
                                   QStringLiteral("GIT_QUARANTINE_PATH"),
                                   QStringLiteral("GIT_REPLACE_REF_BASE"),
                                   QStringLiteral("GIT_SHALLOW_FILE"),
                                   QStringLiteral("GIT_WORK_TREE")};
  return names.contains(name) || name.startsWith(QLatin1String("GIT_CONFIG_KEY_")) ||
         name.startsWith(QLatin1String("GIT_CONFIG_VALUE_")) ||
         name.startsWith(QLatin1String("GIT_INTERNAL_"));
}

QProcessEnvironment gitEnvironment(const QString& workFolder, GitUse use, const QStringList& more) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const QString& name : environment.keys()) {
    // Where git's own programs are is the user's to say.
    const bool isOfGit = use == GitUse::kReads ? name.startsWith(QLatin1String("GIT_")) &&
                                                     name != QLatin1String("GIT_EXEC_PATH")
                                               : isOfAnotherGit(name);
    const bool isOurs =
        name.startsWith(QLatin1String("WAFERPAIR_")) || name.startsWith(QLatin1String("WAFERD_"));
    if (isOfGit || isOurs) environment.remove(name);
  }
  environment.insert(QStringLiteral("PATH"), programFolders(workFolder, use).join(u':'));
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
    return translate("This git may be too old: %1 or later is needed.")
        .arg(QLatin1String(kLeastGit));
  return {};
}

editor::Result<QByteArray> runGit(const GitStart& start, const QString& workFolder,
                                  const std::atomic<bool>& cancelled, const GitNews& news,
                                  const GitTake& take) {
  const QString program = gitProgram(workFolder);
  if (program.isEmpty())
    return editor::fail(translate("Git is not installed, or not in PATH."),
                        translate("Install the package \"git\"."));
  QProcess git;
  git.setProgram(program);
  git.setProcessEnvironment(start.environment);
  const ExactStart exact(program, start.arguments, start.folder, start.environment);
  if (exact.isPlain()) {
    git.setArguments(start.arguments);
    git.setWorkingDirectory(start.folder);
  }
  // A session of its own has no terminal at which something could be asked, and is one group.
  git.setChildProcessModifier([&exact] {
    ::setsid();
    if (!exact.isPlain()) exact.become();
  });
  git.start();
  if (!git.waitForStarted())
    return editor::fail(
        translate("Git could not be started in %1: %2.").arg(start.folder, git.errorString()));
  const auto group = static_cast<pid_t>(git.processId());
  git.write(start.input);
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
  const QString& name = start.name;
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

}  // namespace

editor::Error notTrusted(const QString& workFolder) {
  return {translate("%1 is not trusted: git would run what its configuration and hooks name.")
              .arg(workFolder),
          translate("Trust the folder first.")};
}

editor::Result<QByteArray> readWithGit(const GitCall& call, const std::atomic<bool>& cancelled,
                                       const GitNews& news, const GitTake& take) {
  const auto reading = GitReading::of(call.folder);
  if (!reading) return tl::unexpected(reading.error());
  const GitStart start{
      (*reading)->workFolder(),
      QStringList{QStringLiteral("--git-dir=") + (*reading)->gitFolder(),
                  QStringLiteral("--work-tree=") + (*reading)->workFolder()} +
          call.arguments,
      gitEnvironment(call.folder, GitUse::kReads, (*reading)->environment() + call.environment),
      call.input, QStringLiteral("git ") + call.arguments.value(0)};
  return runGit(start, call.folder, cancelled, news, take);
}

editor::Result<QByteArray> writeWithGit(const GitCall& call, const GitPermission& permission,
                                        const std::atomic<bool>& cancelled, const GitNews& news) {
  const auto repository = openRepository(call.folder);
  if (!repository) return tl::unexpected(repository.error());
  const char* work = *repository ? git_repository_workdir(repository->get()) : nullptr;
  if (!work) return editor::fail(translate("%1 is in no git repository.").arg(call.folder));
  const QString workFolder = QDir::cleanPath(editor::pathText(work));
  if (workFolder != permission.workFolder()) return tl::unexpected(notTrusted(workFolder));
  const QString gitFolder =
      QDir::cleanPath(editor::pathText(git_repository_path(repository->get())));
  const GitStart start{call.folder,
                       QStringList{QStringLiteral("--git-dir=") + gitFolder,
                                   QStringLiteral("--work-tree=") + workFolder} +
                           call.arguments,
                       gitEnvironment(workFolder, GitUse::kWrites, call.environment), call.input,
                       QStringLiteral("git ") + call.arguments.value(0)};
  return runGit(start, workFolder, cancelled, news, {});
}

}  // namespace waferpair::workbench
