// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/led_to.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <algorithm>

#include "workbench/tasks/build_systems.h"
#include "workbench/tasks/cmake_presets.h"
#include "workbench/tasks/deciding_files.h"

namespace waferpair::workbench {
namespace {

// Lines and scripts are looked through up to here.
constexpr qsizetype kMostScripts = 100, kMostLedFolders = 16, kMostWordsOfLine = 2000;

constexpr const char* kScriptRunners[] = {
    "npm",         "pnpm",         "yarn",         "bun",   "npx", "run-s", "run-p",
    "npm-run-all", "npm-run-all2", "concurrently", "turbo", "nx",  "lerna", "corepack"};

constexpr const char* kScriptSuffixes[] = {"sh",  "bash", "zsh", "fish",  "py", "js",
                                           "mjs", "cjs",  "ts",  "mts",   "rb", "pl",
                                           "lua", "php",  "mk",  "cmake", "ps1"};

// What decides what such a program does. A file of recipes is a part of what is agreed to; where
// the project's own code decides, the name of its first file is told.
struct Decider {
  const char* program;
  std::initializer_list<const char*> files;  // the first of them that is there
  bool isRecipes = false;
};
const Decider kDeciders[] = {
    {"just", {"justfile", "Justfile", ".justfile"}, true},
    {"task", {"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"}, true},
    {"tox", {"tox.ini"}, true},
    {"nox", {"noxfile.py"}, true},
    {"rake", {"rakefile", "Rakefile"}, true},
    {"scons", {"SConstruct"}, true},
    {"ant", {"build.xml"}, true},
    {"cmake", {"CMakeLists.txt"}},
    {"ctest", {"CMakeLists.txt"}},
    {"ninja", {"build.ninja"}},
    {"meson", {"meson.build"}},
    {"cargo", {"Cargo.toml"}},
    {"gradle", {"build.gradle"}},
    {"gradlew", {"build.gradle"}},
    {"mvn", {"pom.xml"}},
    {"bazel", {"BUILD"}},
    {"composer", {"composer.json"}}};

// Of all words of a shell's line, whatever they are there for.
QStringList wordsOf(const QString& line) {
  static const QRegularExpression ends(QStringLiteral("[\\s;&|()<>\"'`=]+"));
  return line.split(ends, Qt::SkipEmptyParts).mid(0, kMostWordsOfLine);
}

// Its commands, each as its words.
QVector<QStringList> commandsOf(const QString& line) {
  static const QRegularExpression ends(QStringLiteral("[;&|()\n]+"));
  QVector<QStringList> commands;
  for (const QString& each : line.split(ends, Qt::SkipEmptyParts)) commands.append(wordsOf(each));
  return commands;
}

QString programOf(const QString& word) { return word.section(u'/', -1); }

// The list that "--preset" names one of, in a command with these words.
QString presetListOf(const QStringList& words) {
  const auto runs = [&](const char* program) {
    return std::ranges::any_of(
        words, [&](const QString& word) { return programOf(word) == QLatin1String(program); });
  };
  return runs("ctest")                                  ? QStringLiteral("testPresets")
         : runs("cpack")                                ? QStringLiteral("packagePresets")
         : words.contains(QStringLiteral("--workflow")) ? QStringLiteral("workflowPresets")
         : words.contains(QStringLiteral("--build"))    ? QStringLiteral("buildPresets")
                                                        : QStringLiteral("configurePresets");
}

class Reader {
 public:
  explicit Reader(const QString& folder) : top_(folder) {}

  void read(const QString& line, const QString& folder) {
    const QStringList words = wordsOf(line);
    bool runsScripts = false;
    for (const QString& word : words) {
      const QString program = programOf(word);
      runsScripts = runsScripts || std::ranges::any_of(kScriptRunners, [&](const char* each) {
                      return program == QLatin1String(each);
                    });
      for (const Decider& each : kDeciders)
        if (program == QLatin1String(each.program)) decide(each, folder);
      if (isOwnScript(QFileInfo(QDir(folder), word))) mark(QDir(folder).absoluteFilePath(word));
    }
    readCommands(line, folder);
    if (!runsScripts) return;
    // "npm --prefix web run build", "cd web && npm test": each folder that is named is looked at.
    QStringList folders{folder};
    for (const QString& word : words) {
      const QString inner = QDir::cleanPath(QDir(folder).filePath(word));
      if (folders.size() < kMostLedFolders && !folders.contains(inner) &&
          QFileInfo::exists(inner + QStringLiteral("/package.json")))
        folders.append(inner);
    }
    for (const QString& each : std::as_const(folders))
      for (const QString& word : words) take(word, each);
  }

  LedTo found() {
    found_.decidedBy.sort();
    return found_;
  }

 private:
  // A program or a script that lies in the project.
  bool isOwnScript(const QFileInfo& file) const {
    const QString suffix = file.suffix();
    return file.isFile() &&
           (file.isExecutable() ||
            std::ranges::any_of(kScriptSuffixes,
                                [&](const char* each) { return suffix == QLatin1String(each); })) &&
           file.canonicalFilePath().startsWith(QFileInfo(top_).canonicalFilePath() + u'/');
  }

  // "cd web && make": what each command reads depends on where it runs.
  void readCommands(const QString& line, QString folder) {
    for (const QStringList& words : commandsOf(line)) {
      if (words.value(0) == QLatin1String("cd"))
        folder = QDir::cleanPath(QDir(folder).absoluteFilePath(words.value(1)));
      for (qsizetype at = 0; at < words.size(); ++at) {
        const QString program = programOf(words[at]);
        if (program == QLatin1String("make") || program == QLatin1String("gmake"))
          takeMakefiles(words, folder);
        if (words[at] == QLatin1String("--preset"))
          takePreset(presetListOf(words), words.value(at + 1), folder);
      }
    }
  }

  void takeMakefiles(const QStringList& words, const QString& folder) {
    const QStringList files = makefilesOf(words, folder);
    if (files.isEmpty()) tell(QStringLiteral("Makefile"));
    for (const QString& each : files) mark(each);
  }

  void takePreset(const QString& list, const QString& name, const QString& folder) {
    const CmakePresets all = readCmakePresets(folder);
    const QJsonObject parts = all.withParts(list, name);
    for (auto each = parts.begin(); each != parts.end(); ++each) {
      QJsonObject known = found_.presets.value(each.key()).toObject();
      const QJsonObject more = each.value().toObject();
      for (auto preset = more.begin(); preset != more.end(); ++preset)
        known.insert(preset.key(), preset.value());
      found_.presets.insert(each.key(), known);
    }
    for (const QString& each : all.unread) tell(each);
  }

  void decide(const Decider& decider, const QString& folder) {
    for (const char* file : decider.files)
      if (const QString path = folder + u'/' + QLatin1String(file);
          decider.isRecipes && QFileInfo::exists(path))
        return mark(path);
    tell(QLatin1String(*decider.files.begin()));
  }

  // It is a part of what is agreed to.
  void mark(const QString& path) {
    const QString name = QDir(top_).relativeFilePath(path);
    if (found_.files.contains(name)) return;
    const QString mark = contentMark(path);
    if (mark.isEmpty()) return tell(name);
    found_.files.insert(name, mark);
  }

  void tell(const QString& file) {
    if (!found_.decidedBy.contains(file)) found_.decidedBy.append(file);
  }

  const QJsonObject& scriptsOf(const QString& folder) {
    auto known = scripts_.find(folder);
    if (known == scripts_.end()) {
      const QByteArray json = bytesOfFile(folder + QStringLiteral("/package.json"));
      const QJsonObject all = QJsonDocument::fromJson(json).object();
      known = scripts_.insert(folder, all.value(u"scripts").toObject());
    }
    return *known;
  }

  // The script of this name, with those that are run before and behind it, and what they lead to.
  void take(const QString& name, const QString& folder) {
    const QString inner = QDir(top_).relativeFilePath(folder);
    // "run-s build:*"
    const bool isPattern = name.contains(u'*');
    const QRegularExpression pattern(QRegularExpression::anchoredPattern(
        QRegularExpression::escape(name).replace(QLatin1String("\\*"), QLatin1String(".*"))));
    const QJsonObject scripts = scriptsOf(folder);
    for (auto each = scripts.begin(); each != scripts.end(); ++each) {
      const QString script = each.key();
      const bool isMeant = isPattern ? pattern.match(script).hasMatch()
                                     : script == name || script == QStringLiteral("pre") + name ||
                                           script == QStringLiteral("post") + name;
      const QString key = inner == QLatin1String(".") ? script : inner + u'/' + script;
      if (!isMeant || found_.scripts.contains(key) || found_.scripts.size() >= kMostScripts)
        continue;
      found_.scripts.insert(key, each.value());
      read(each.value().toString(), folder);
    }
  }

  QString top_;
  QHash<QString, QJsonObject> scripts_;  // by folder
  LedTo found_;
};

}  // namespace

LedTo ledTo(const QString& line, const QString& folder) {
  Reader reader(folder);
  reader.read(line, folder);
  return reader.found();
}

}  // namespace waferpair::workbench
