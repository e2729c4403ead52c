// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/debug_adapter.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <chrono>

#include "editor/text/translate.h"
#include "editor/text/user_json.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostAdapters = 100;
constexpr std::chrono::milliseconds kProbePatience(10'000);
constexpr QLatin1String kAddress("${address}");

QStringList textsIn(const QJsonValue& list) {
  QStringList texts;
  for (const QJsonValue value : list.toArray())
    if (const QString text = value.toString(); !text.isEmpty()) texts.append(text);
  return texts;
}

// Returns what is wrong; empty: nothing is.
QString readAdapter(const QJsonObject& object, DebugAdapter* adapter) {
  adapter->id = object[u"id"].toString().simplified();
  if (adapter->id.isEmpty()) return translate("It has no \"id\".");
  adapter->name = object[u"name"].toString(adapter->id).simplified();
  adapter->types = textsIn(object[u"types"]);
  if (adapter->types.isEmpty()) adapter->types = {adapter->id};
  adapter->languages = textsIn(object[u"languages"]);
  adapter->programs = textsIn(object[u"programs"]);
  if (adapter->programs.isEmpty()) return translate("It has no \"programs\".");
  adapter->arguments = textsIn(object[u"arguments"]);
  adapter->probe = textsIn(object[u"probe"]);
  adapter->leastVersion = object[u"leastVersion"].toInt();
  adapter->install = object[u"install"].toString().simplified();
  adapter->isNative = object[u"native"].toBool();
  adapter->launch = object[u"launch"].toObject();
  adapter->terminal = object[u"terminal"].toObject();
  adapter->console = object[u"console"].toObject();
  adapter->runsInTerminal = object[u"terminalByDefault"].toBool();
  adapter->listsEnvironment = object[u"environment"].toString() == QLatin1String("list");
  adapter->attachArgument = object[u"attach"].toString();
  adapter->coreArgument = object[u"core"].toString();
  for (const QJsonValue each : object[u"remedies"].toArray()) {
    const AdapterRemedy remedy{each[u"words"].toString(), each[u"remedy"].toString()};
    if (remedy.words.isEmpty() || remedy.remedy.isEmpty())
      return translate("A remedy of it lacks its \"words\" or its \"remedy\".");
    adapter->remedies.append(remedy);
  }
  return {};
}

// Returns the paths of a program, or of those that its pattern names, the greatest number first.
QStringList pathsOf(const QString& program, const QStringList& folders) {
  if (!program.contains(u'*')) {
    const QString path = QStandardPaths::findExecutable(program, folders);
    return path.isEmpty() ? QStringList() : QStringList{path};
  }
  QStringList paths;
  for (const QString& folder : folders) {
    const QDir dir(folder);
    for (const QString& name : dir.entryList({program}, QDir::Files | QDir::Executable))
      paths.append(dir.absoluteFilePath(name));
  }
  const auto number = [](const QString& path) { return path.section(u'-', -1).toInt(); };
  std::stable_sort(paths.begin(), paths.end(),
                   [&](const QString& a, const QString& b) { return number(a) > number(b); });
  return paths;
}

// Returns why the program at `path` cannot be used; empty: it can.
QString probed(const DebugAdapter& adapter, const QString& path,
               const QProcessEnvironment& environment) {
  if (adapter.probe.isEmpty()) return {};
  QProcess program;
  program.setProcessEnvironment(environment);
  program.setStandardInputFile(QProcess::nullDevice());
  program.start(path, adapter.probe);
  if (!program.waitForFinished(static_cast<int>(kProbePatience.count()))) {
    program.kill();
    program.waitForFinished(1000);
    return translate("%1 did not answer.").arg(path);
  }
  if (program.exitStatus() != QProcess::NormalExit || program.exitCode() != 0)
    return translate("%1 cannot debug: %2 is not installed for it.").arg(path, adapter.name);
  if (adapter.leastVersion == 0) return {};
  static const QRegularExpression version(QStringLiteral("(\\d+)\\.\\d+"));
  const QString told = QString::fromUtf8(program.readAllStandardOutput()).section(u'\n', 0, 0);
  const auto match = version.match(told.section(u')', -1));
  if (match.hasMatch() && match.captured(1).toInt() >= adapter.leastVersion) return {};
  return translate("%1 is of a version before %2, which cannot speak with other programs.")
      .arg(path)
      .arg(adapter.leastVersion);
}

}  // namespace

bool DebugAdapter::connects() const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const QString& each) { return each.contains(kAddress); });
}

QString DebugAdapter::remedyFor(const QString& said) const {
  for (const AdapterRemedy& each : remedies)
    if (said.contains(each.words, Qt::CaseInsensitive)) return each.remedy;
  return {};
}

const DebugAdapter* DebugAdapters::withId(const QString& id) const {
  const auto at = std::find_if(adapters.begin(), adapters.end(),
                               [&](const DebugAdapter& each) { return each.id == id; });
  return at == adapters.end() ? nullptr : &*at;
}

QVector<DebugAdapter> DebugAdapters::forLanguage(const QString& language) const {
  QVector<DebugAdapter> fitting;
  for (const DebugAdapter& each : adapters)
    if (each.languages.contains(language)) fitting.append(each);
  return fitting;
}

QVector<DebugAdapter> DebugAdapters::forType(const QString& type) const {
  QVector<DebugAdapter> fitting;
  for (const DebugAdapter& each : adapters)
    if (each.types.contains(type)) fitting.append(each);
  return fitting;
}

DebugAdapters readDebugAdapters(const QByteArray& json, const QString& file) {
  DebugAdapters read;
  const auto object = editor::readUserJson(json, file);
  if (!object) {
    read.problems.append(object.error().message());
    return read;
  }
  const QJsonArray list = object->value(u"adapters").toArray();
  for (qsizetype i = 0; i < std::min(kMostAdapters, list.size()); ++i) {
    DebugAdapter adapter;
    const QString problem = readAdapter(list.at(i).toObject(), &adapter);
    if (problem.isEmpty()) {
      read.adapters.append(adapter);
    } else {
      read.problems.append(
          translate("%1, adapter %2 is left out. %3").arg(file).arg(i + 1).arg(problem));
    }
  }
  return read;
}

FoundAdapter findAdapter(const QVector<DebugAdapter>& adapters,
                         const QProcessEnvironment& environment) {
  const QStringList folders =
      environment.value(QStringLiteral("PATH")).split(u':', Qt::SkipEmptyParts);
  QString problem;
  for (const DebugAdapter& adapter : adapters) {
    for (const QString& program : adapter.programs) {
      // findExecutable() would look into this program's own PATH.
      if (folders.isEmpty()) continue;
      for (const QString& path : pathsOf(program, folders)) {
        const QString wrong = probed(adapter, path, environment);
        if (wrong.isEmpty()) return {adapter, {path, adapter.arguments, {}}, {}};
        if (problem.isEmpty()) problem = wrong;
      }
    }
  }
  if (adapters.isEmpty()) return {{}, {}, translate("No debug adapter is known for this.")};
  const DebugAdapter& first = adapters.constFirst();
  if (problem.isEmpty())
    problem = translate("No debug adapter was found: %1 is missing.").arg(first.name);
  if (!first.install.isEmpty()) problem += u' ' + translate("Install it: %1").arg(first.install);
  return {first, {}, problem};
}

}  // namespace waferpair::workbench
