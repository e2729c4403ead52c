// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/shell_profiles.h"

#include <pwd.h>
#include <unistd.h>

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <algorithm>

namespace waferpair::workbench {
namespace {

constexpr const char* kKnownShells[] = {"bash", "zsh", "fish"};
// Of another terminal, in which this program was started.
constexpr const char* kOthersVariables[] = {"COLUMNS",  "LINES",          "TERMCAP", "VTE_VERSION",
                                            "WINDOWID", "TERM_SESSION",   "TMUX",    "TMUX_PANE",
                                            "STY",      "KONSOLE_VERSION"};

QString quotedForFish(QString text) {
  text.replace(u'\\', QLatin1String("\\\\")).replace(u'\'', QLatin1String("\\'"));
  return u'\'' + text + u'\'';
}

}  // namespace

QString userShell() {
  const QString named = qEnvironmentVariable("SHELL");
  if (QFileInfo(named).isExecutable()) return named;
  const passwd* entry = ::getpwuid(::getuid());
  const QString listed = entry ? QString::fromLocal8Bit(entry->pw_shell) : QString();
  return QFileInfo(listed).isExecutable() ? listed : QStringLiteral("/bin/sh");
}

QVector<ShellProfile> shellProfiles(const QString& preferred, const QStringList& own) {
  QVector<ShellProfile> profiles;
  const auto add = [&profiles](ShellProfile profile) {
    const bool isThere =
        std::any_of(profiles.begin(), profiles.end(),
                    [&](const ShellProfile& each) { return each.name == profile.name; });
    if (!isThere && !profile.name.isEmpty()) profiles.append(std::move(profile));
  };
  QStringList words = QProcess::splitCommand(preferred);
  if (words.isEmpty()) words = QStringList{userShell()};
  const QString program = words.takeFirst();
  add({QFileInfo(program).fileName(), {program, words, {}}});
  for (const char* shell : kKnownShells) {
    const QString found = QStandardPaths::findExecutable(QLatin1String(shell));
    if (!found.isEmpty()) add({QLatin1String(shell), {found, {}, {}}});
  }
  for (const QString& row : own) {
    const qsizetype equals = row.indexOf(u'=');
    QStringList command = QProcess::splitCommand(row.mid(equals + 1));
    if (equals <= 0 || command.isEmpty()) continue;
    const QString first = command.takeFirst();
    add({row.left(equals).trimmed(), {first, command, {}}});
  }
  return profiles;
}

ShellStart shellStart(const ShellProfile& profile, const QString& scripts,
                      const QProcessEnvironment& ours) {
  ShellStart start{profile.command, ours};
  for (const char* variable : kOthersVariables) start.environment.remove(QLatin1String(variable));
  const auto set = [&start](const char* name, const QString& value) {
    start.environment.insert(QLatin1String(name), value);
  };
  set("TERM", QStringLiteral("xterm-256color"));
  set("COLORTERM", QStringLiteral("truecolor"));
  set("TERM_PROGRAM", QStringLiteral("waferpair"));
  for (const QString& row : profile.command.environment)
    if (const qsizetype equals = row.indexOf(u'='); equals > 0)
      start.environment.insert(row.left(equals), row.mid(equals + 1));
  if (scripts.isEmpty() || !profile.isShell || !profile.command.arguments.isEmpty()) return start;
  const QString shell = QFileInfo(profile.command.program).fileName();
  if (shell == QLatin1String("bash")) {
    start.command.arguments = {QStringLiteral("--init-file"), scripts + QStringLiteral("/bash.sh")};
  } else if (shell == QLatin1String("zsh")) {
    // zsh reads .zshenv there, which at once gives the user's own folder back.
    if (ours.contains(QStringLiteral("ZDOTDIR")))
      set("WAFERPAIR_USER_ZDOTDIR", ours.value(QStringLiteral("ZDOTDIR")));
    set("ZDOTDIR", scripts + QStringLiteral("/zsh"));
  } else if (shell == QLatin1String("fish")) {
    start.command.arguments = {
        QStringLiteral("--init-command"),
        QStringLiteral("source ") + quotedForFish(scripts + QStringLiteral("/fish.fish"))};
  }
  return start;
}

}  // namespace waferpair::workbench
