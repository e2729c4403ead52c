// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/debug_launch.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "editor/text/translate.h"
#include "editor/text/user_json.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostLaunches = 500;  // of a file
constexpr qsizetype kMostOfLaunchName = 200;
constexpr qint64 kLargestLaunchFile = 1 << 20;
constexpr int kDeepestExpansion = 32;  // of JSON

// What this program reads itself; all else goes to the adapter as it is.
constexpr const char* kOwnFields[] = {"name",
                                      "type",
                                      "request",
                                      "program",
                                      "args",
                                      "cwd",
                                      "env",
                                      "preLaunchTask",
                                      "console",
                                      "pid",
                                      "processId",
                                      "stopOnEntry",
                                      "stopAtEntry",
                                      "environment",
                                      "presentation",
                                      "coreFile",
                                      "runInTerminal",
                                      "externalConsole",
                                      "internalConsoleOptions",
                                      "MIMode",
                                      "miDebuggerPath",
                                      "corePath"};

QStringList wordsIn(const QJsonValue& value) {
  // A line is one argument: which shell would take it apart?
  if (value.isString()) return {value.toString()};
  QStringList words;
  for (const QJsonValue word : value.toArray()) words.append(word.toVariant().toString());
  return words;
}

QStringList variablesIn(const QJsonObject& configuration) {
  QStringList variables;
  const QJsonValue env = configuration[u"env"];
  const QJsonObject byName = env.toObject();
  for (auto each = byName.begin(); each != byName.end(); ++each)
    if (!each.value().isNull())
      variables.append(each.key() + u'=' + each.value().toVariant().toString());
  for (const QJsonValue each : env.toArray()) variables.append(each.toString());
  for (const QJsonValue each : configuration[u"environment"].toArray())
    variables.append(each[u"name"].toString() + u'=' + each[u"value"].toString());
  return variables;
}

DebugLaunch::Where whereOf(const QJsonObject& configuration) {
  const QString console = configuration[u"console"].toString();
  if (console == QLatin1String("internalConsole")) return DebugLaunch::Where::kConsole;
  if (console.endsWith(QLatin1String("Terminal")) || configuration[u"runInTerminal"].toBool() ||
      configuration[u"externalConsole"].toBool())
    return DebugLaunch::Where::kTerminal;
  return DebugLaunch::Where::kUsual;
}

// Returns what is wrong; empty: nothing is.
QString readLaunch(const QJsonValue& value, DebugLaunch* launch) {
  if (!value.isObject()) return translate("It is no object.");
  const QJsonObject one = value.toObject();
  launch->name = one[u"name"].toString().simplified();
  if (launch->name.isEmpty()) return translate("It has no \"name\".");
  if (launch->name.size() > kMostOfLaunchName)
    return translate("Its name has more than %1 letters.").arg(kMostOfLaunchName);
  launch->type = one[u"type"].toString();
  if (launch->type.isEmpty()) return translate("It has no \"type\".");
  const QString request = one[u"request"].toString();
  if (request != QLatin1String("launch") && request != QLatin1String("attach"))
    return translate("Its \"request\" is neither \"launch\" nor \"attach\".");
  launch->isAttach = request == QLatin1String("attach");
  launch->program = one[u"program"].toString();
  launch->arguments = wordsIn(one[u"args"]);
  launch->folder = one[u"cwd"].toString();
  launch->environment = variablesIn(one);
  launch->where = whereOf(one);
  for (const char* name : {"pid", "processId"}) {
    const QJsonValue process = one[QLatin1String(name)];
    if (process.isDouble()) launch->process = process.toInteger();
    // A variable: it is asked for when it is run.
    if (process.isString()) launch->own.insert(QLatin1String(name), process);
  }
  for (const char* name : {"coreFile", "corePath"})
    if (const QString core = one[QLatin1String(name)].toString(); !core.isEmpty())
      launch->core = core;
  launch->stopsAtEntry = one[u"stopOnEntry"].toBool() || one[u"stopAtEntry"].toBool();
  launch->task = one[u"preLaunchTask"].toString();
  for (auto each = one.begin(); each != one.end(); ++each) {
    const bool isOurs =
        std::any_of(std::begin(kOwnFields), std::end(kOwnFields),
                    [&](const char* name) { return each.key() == QLatin1String(name); });
    if (!isOurs) launch->own.insert(each.key(), each.value());
  }
  return {};
}

// Replaces the variables in texts.
class Expander {
 public:
  explicit Expander(const DebugPlace& place) : p_(place) {}

  QString in(const QString& text) {
    static const QRegularExpression variable(QStringLiteral("\\$\\{([^{}]*)\\}"));
    QString result;
    qsizetype at = 0;
    auto matches = variable.globalMatch(text);
    while (matches.hasNext()) {
      const auto match = matches.next();
      result += QStringView(text).sliced(at, match.capturedStart() - at);
      result += valueOf(match.captured(1));
      at = match.capturedEnd();
    }
    result += QStringView(text).sliced(at);
    return result;
  }

  QJsonValue in(const QJsonValue& value, int depth = 0) {
    if (value.isString()) return in(value.toString());
    if (depth >= kDeepestExpansion) return value;
    if (value.isArray()) {
      QJsonArray list;
      for (const QJsonValue each : value.toArray()) list.append(in(each, depth + 1));
      return list;
    }
    if (!value.isObject()) return value;
    QJsonObject object = value.toObject();
    for (auto each = object.begin(); each != object.end(); ++each)
      each.value() = in(QJsonValue(each.value()), depth + 1);
    return object;
  }

  bool wantsProcess() const { return wantsProcess_; }
  const QString& problem() const { return problem_; }

 private:
  QString valueOf(const QString& name) {
    if (name == QLatin1String("workspaceFolder") || name == QLatin1String("folder") ||
        name == QLatin1String("workspaceRoot"))
      return p_.folder;
    if (name == QLatin1String("workspaceFolderBasename")) return QFileInfo(p_.folder).fileName();
    if (name == QLatin1String("userHome")) return QDir::homePath();
    if (name == QLatin1String("cwd")) return p_.folder;
    if (name == QLatin1String("pathSeparator") || name == QLatin1String("/"))
      return QStringLiteral("/");
    if (name.startsWith(QLatin1String("env:")))
      return qEnvironmentVariable(name.mid(4).toUtf8().constData());
    if (name.startsWith(QLatin1String("command:pick")) && name.endsWith(QLatin1String("Process"))) {
      wantsProcess_ = true;
      return {};
    }
    if (const std::optional<QString> value = ofFile(name)) return *value;
    if (problem_.isEmpty())
      problem_ = translate("It has ${%1}, which is not known here.").arg(name);
    return {};
  }

  std::optional<QString> ofFile(const QString& name) {
    const QFileInfo file(p_.file);
    const QString relative =
        p_.folder.isEmpty() ? p_.file : QDir(p_.folder).relativeFilePath(p_.file);
    const std::pair<const char*, QString> values[] = {
        {"file", p_.file},
        {"relativeFile", relative},
        {"fileBasename", file.fileName()},
        {"fileBasenameNoExtension", file.completeBaseName()},
        {"fileExtname", file.suffix().isEmpty() ? QString() : u'.' + file.suffix()},
        {"fileDirname", file.path()},
        {"relativeFileDirname", QFileInfo(relative).path()},
        {"lineNumber", QString::number(p_.line)},
        {"line", QString::number(p_.line)},
        {"selectedText", p_.selection}};
    for (const auto& [known, value] : values) {
      if (name != QLatin1String(known)) continue;
      if (p_.file.isEmpty() && problem_.isEmpty())
        problem_ = translate("It is about the file in front, and none is open.");
      return value;
    }
    return std::nullopt;
  }

  const DebugPlace& p_;
  bool wantsProcess_ = false;
  QString problem_;
};

QString absolute(const QString& path, const QString& folder) {
  if (path.isEmpty() || folder.isEmpty()) return path;
  return QDir::cleanPath(QDir(folder).absoluteFilePath(path));
}

QJsonValue environmentFor(const DebugLaunch& launch, const DebugAdapter& adapter) {
  if (adapter.listsEnvironment) return QJsonArray::fromStringList(launch.environment);
  QJsonObject byName;
  for (const QString& each : launch.environment)
    byName.insert(each.section(u'=', 0, 0), each.section(u'=', 1));
  return byName;
}

void addAll(QJsonObject* to, const QJsonObject& from) {
  for (auto each = from.begin(); each != from.end(); ++each) to->insert(each.key(), each.value());
}

}  // namespace

DebugLaunches readLaunchFile(const QByteArray& json, const QString& file) {
  DebugLaunches read;
  const auto object = editor::readUserJson(json, file);
  if (!object) {
    read.problems.append(object.error().message());
    return read;
  }
  const QJsonValue configurations = object->value(u"configurations");
  if (!configurations.isArray()) {
    read.problems.append(translate("%1 has no list \"configurations\". It has the form "
                                   "{\"configurations\": [...]}.")
                             .arg(file));
    return read;
  }
  const QJsonArray list = configurations.toArray();
  for (qsizetype i = 0; i < std::min(kMostLaunches, list.size()); ++i) {
    DebugLaunch launch;
    launch.source = file;
    const QString problem = readLaunch(list.at(i), &launch);
    if (problem.isEmpty()) {
      read.launches.append(launch);
    } else {
      read.problems.append(translate("%1, configuration %2: %3").arg(file).arg(i + 1).arg(problem));
    }
  }
  return read;
}

DebugLaunches findLaunches(const QString& folder) {
  DebugLaunches all;
  for (const char* name : {kProjectLaunches, kForeignLaunches}) {
    const QString shown = QLatin1String(name);
    const auto bytes = editor::readGuestFile(folder + u'/' + shown, kLargestLaunchFile);
    if (!bytes) all.problems.append(bytes.error().message());
    if (!bytes || !*bytes) continue;
    const DebugLaunches read = readLaunchFile(**bytes, shown);
    all.launches += read.launches;
    all.problems += read.problems;
  }
  return all;
}

programs::GivenStart startOf(const DebugLaunch& launch, const QString& folder,
                             const QJsonObject& task) {
  programs::GivenStart start{
      folder, programs::GivenStart::Kind::kDebugging, launch.name, launch.source, {}};
  if (launch.source.isEmpty()) return start;
  QJsonObject& given = start.given;
  // What goes to the adapter as it is, under its own names.
  given = launch.own;
  const auto say = [&given](const char* name, const QString& text) {
    if (!text.isEmpty()) given.insert(QLatin1String(name), text);
  };
  const auto list = [&given](const char* name, const QStringList& texts) {
    if (!texts.isEmpty()) given.insert(QLatin1String(name), QJsonArray::fromStringList(texts));
  };
  say("name", launch.name);
  say("type", launch.type);
  say("language", launch.language);
  say("request", launch.isAttach ? QStringLiteral("attach") : QStringLiteral("launch"));
  say("program", launch.program);
  list("args", launch.arguments);
  say("cwd", launch.folder);
  list("env", launch.environment);
  say("coreFile", launch.core);
  say("preLaunchTask", launch.task);
  if (launch.where != DebugLaunch::Where::kUsual)
    say("console", launch.where == DebugLaunch::Where::kTerminal
                       ? QStringLiteral("integratedTerminal")
                       : QStringLiteral("internalConsole"));
  if (launch.process != 0) given.insert(QStringLiteral("processId"), launch.process);
  if (launch.stopsAtEntry) given.insert(QStringLiteral("stopOnEntry"), true);
  if (!task.isEmpty()) given.insert(QStringLiteral("task"), task);
  return start;
}

QByteArray launchFileTemplate() {
  return R"json({
  // What can be debugged in this project, in the form that VS Code has. "type" is "lldb", "gdb",
  // "debugpy" or "go"; "request" is "launch" or "attach". In texts ${workspaceFolder} is the project's
  // folder, ${file} and ${line} are the text in front. "preLaunchTask" is the name of a task that is
  // run first, "console" is "integratedTerminal" or "internalConsole".
  "configurations": [
    // {"name": "This file", "type": "debugpy", "request": "launch", "program": "${file}", "args": []},
    // {"name": "The program", "type": "lldb", "request": "launch",
    //  "program": "${workspaceFolder}/build/program", "args": ["--verbose"], "preLaunchTask": "build build"},
    // {"name": "What runs", "type": "lldb", "request": "attach", "pid": "${command:pickProcess}"},
  ]
}
)json";
}

ExpandedLaunch expanded(const DebugLaunch& launch, const DebugPlace& place) {
  ExpandedLaunch result{launch, false, {}};
  DebugLaunch& to = result.launch;
  Expander expander(place);
  to.folder = absolute(expander.in(launch.folder), place.folder);
  if (to.folder.isEmpty()) to.folder = place.folder;
  to.program = absolute(expander.in(launch.program), to.folder);
  to.core = absolute(expander.in(launch.core), to.folder);
  for (QString& each : to.arguments) each = expander.in(each);
  for (QString& each : to.environment) each = expander.in(each);
  to.own = expander.in(QJsonValue(launch.own)).toObject();
  for (const char* name : {"pid", "processId"}) {
    const QJsonValue process = to.own.take(QLatin1String(name));
    if (process.isString() && !process.toString().isEmpty())
      to.process = process.toString().toLongLong();
  }
  result.wantsProcess = expander.wantsProcess() && to.process <= 0;
  result.problem = expander.problem();
  return result;
}

QString requestOf(const DebugLaunch& launch) {
  return launch.ends() && launch.process == 0 ? QStringLiteral("launch") : QStringLiteral("attach");
}

QJsonObject argumentsFor(const DebugLaunch& launch, const DebugAdapter& adapter) {
  QJsonObject arguments{{QStringLiteral("name"), launch.name},
                        {QStringLiteral("type"), launch.type.isEmpty() ? adapter.id : launch.type},
                        {QStringLiteral("request"), requestOf(launch)}};
  if (!launch.program.isEmpty()) arguments.insert(QStringLiteral("program"), launch.program);
  if (requestOf(launch) == QLatin1String("launch")) {
    addAll(&arguments, adapter.launch);
    arguments.insert(QStringLiteral("args"), QJsonArray::fromStringList(launch.arguments));
    if (!launch.folder.isEmpty()) arguments.insert(QStringLiteral("cwd"), launch.folder);
    if (!launch.environment.isEmpty())
      arguments.insert(QStringLiteral("env"), environmentFor(launch, adapter));
    if (launch.stopsAtEntry) arguments.insert(QStringLiteral("stopOnEntry"), true);
    const bool inTerminal = launch.where == DebugLaunch::Where::kTerminal ||
                            (launch.where == DebugLaunch::Where::kUsual && adapter.runsInTerminal);
    addAll(&arguments, inTerminal ? adapter.terminal : adapter.console);
  }
  if (launch.process > 0 && !adapter.attachArgument.isEmpty())
    arguments.insert(adapter.attachArgument, launch.process);
  if (!launch.core.isEmpty() && !adapter.coreArgument.isEmpty())
    arguments.insert(adapter.coreArgument, launch.core);
  addAll(&arguments, launch.own);
  return arguments;
}

}  // namespace waferpair::workbench
