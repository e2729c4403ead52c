// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/test_plan.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "editor/text/translate.h"
#include "workbench/testing/find_tests.h"

namespace waferpair::workbench {
namespace {

using StepKind = TestStep::Kind;

QString results() { return QLatin1String(kResultsFile); }

QStringList escaped(const QStringList& names) {
  QStringList all;
  for (const QString& name : names) all.append(QRegularExpression::escape(name));
  return all;
}

QString existing(const QStringList& paths) {
  for (const QString& path : paths)
    if (QFileInfo(path).isFile()) return path;
  return {};
}

// The paths below `folder`, relative to it.
QString relativeTo(const QString& folder, const QString& path) {
  return path.startsWith(folder + u'/') ? path.mid(folder.size() + 1) : path;
}

// -- Where each framework is at home

QString pythonRoot(const QString& file, const QString& folder) {
  const QString root = folderWith(
      file, folder,
      {QStringLiteral("pytest.ini"), QStringLiteral("pyproject.toml"), QStringLiteral("tox.ini"),
       QStringLiteral("setup.cfg"), QStringLiteral("setup.py")});
  return root.isEmpty() ? folder : root;
}

// The project's own environment, where it has one.
QString pythonOf(const QString& root, const QString& folder) {
  const QString own = existing(
      {root + QStringLiteral("/.venv/bin/python"), root + QStringLiteral("/venv/bin/python"),
       folder + QStringLiteral("/.venv/bin/python"), folder + QStringLiteral("/venv/bin/python")});
  return own.isEmpty() ? QStringLiteral("python3") : own;
}

QString moduleName(const QString& folder) {
  static const QRegularExpression module(QStringLiteral(R"((?:^|\n)module\s+"?([^\s"]+))"));
  constexpr qint64 kMostOfModule = 1 << 20;
  const QByteArray text = editor::guestBytes(folder + QStringLiteral("/go.mod"), kMostOfModule);
  return module.match(QString::fromUtf8(text)).captured(1);
}

// Of a package itself, or of one around it, as workspaces have it.
QString scriptProgram(const QString& package, const QString& folder, const QString& name) {
  for (QString at = package; at == folder || at.startsWith(folder + u'/');
       at = QFileInfo(at).path()) {
    const QString program = at + QStringLiteral("/node_modules/.bin/") + name;
    if (QFileInfo(program).isExecutable()) return program;
  }
  return name;
}

// -- A step for each program

TestStep pytestStep(const TestSetup& setup, const QString& root, const QStringList& tests) {
  TestStep step;
  step.title = QStringLiteral("pytest");
  step.folder = root;
  step.command.program = pythonOf(root, setup.folder);
  step.command.arguments = QStringList{QStringLiteral("-m"),
                                       QStringLiteral("pytest"),
                                       QStringLiteral("-v"),
                                       QStringLiteral("--continue-on-collection-errors"),
                                       QStringLiteral("--color=no"),
                                       QStringLiteral("-o"),
                                       QStringLiteral("junit_family=xunit1"),
                                       QStringLiteral("-o"),
                                       QStringLiteral("junit_logging=system-out"),
                                       QStringLiteral("--junitxml=") + results()} +
                           tests;
  // Else what a test prints comes all at its end.
  step.command.environment = QStringList{QStringLiteral("PYTHONUNBUFFERED=1")};
  step.program = {TestFramework::kPytest, root, {}};
  return step;
}

TestStep goStep(const QString& module, const QString& folder, const QStringList& arguments) {
  TestStep step;
  step.title = QStringLiteral("go test");
  step.folder = folder;
  step.command.program = QStringLiteral("go");
  step.command.arguments = QStringList{QStringLiteral("test"), QStringLiteral("-json")} + arguments;
  step.program = {TestFramework::kGo, module, moduleName(module)};
  return step;
}

TestStep cargoStep(const QString& package, const QString& root, const QStringList& arguments) {
  TestStep step;
  step.title = QStringLiteral("cargo test");
  step.folder = package;
  step.command.program = QStringLiteral("cargo");
  step.command.arguments =
      QStringList{QStringLiteral("test"), QStringLiteral("--no-fail-fast")} + arguments;
  step.command.environment = QStringList{QStringLiteral("CARGO_TERM_COLOR=never")};
  step.program = {TestFramework::kCargo, package, root};
  return step;
}

TestStep scriptStep(const TestSetup& setup, const QString& package, TestFramework framework,
                    const QStringList& files, const QString& pattern) {
  const bool isVitest = framework == TestFramework::kVitest;
  TestStep step;
  step.title = frameworkName(framework);
  step.folder = package;
  step.command.program = scriptProgram(package, setup.folder, step.title);
  if (isVitest)
    step.command.arguments = QStringList{
        QStringLiteral("run"), QStringLiteral("--reporter=default"),
        QStringLiteral("--reporter=json"), QStringLiteral("--outputFile.json=") + results()};
  else
    step.command.arguments =
        QStringList{QStringLiteral("--json"), QStringLiteral("--testLocationInResults"),
                    QStringLiteral("--outputFile=") + results()};
  if (!pattern.isEmpty()) step.command.arguments += {QStringLiteral("-t"), pattern};
  step.command.arguments += files;
  step.command.environment = QStringList{QStringLiteral("NO_COLOR=1"), QStringLiteral("CI=1")};
  step.program = {framework, package, {}};
  return step;
}

TestStep ctestStep(const TestSetup& setup, const QStringList& names) {
  TestStep step;
  step.title = QStringLiteral("ctest");
  step.folder = setup.build;
  step.command.program = step.title;
  step.command.arguments =
      QStringList{QStringLiteral("--output-junit"), results(),
                  // Whole, as the tests in each are read of it.
                  QStringLiteral("--test-output-size-passed"), QStringLiteral("1048576"),
                  QStringLiteral("--test-output-size-failed"), QStringLiteral("1048576")};
  if (!names.isEmpty())
    step.command.arguments +=
        {QStringLiteral("-R"), QStringLiteral("^(%1)$").arg(escaped(names).join(u'|'))};
  step.program = {TestFramework::kCTest, setup.build, setup.build};
  return step;
}

// The program itself with arguments of its own.
TestStep programStep(const TestSetup& setup, const CTestEntry& entry, TestFramework framework,
                     const QStringList& arguments) {
  TestStep step;
  step.title = QFileInfo(entry.command.constFirst()).fileName();
  step.folder = entry.folder.isEmpty() ? setup.build : entry.folder;
  step.command.program = entry.command.constFirst();
  for (const QString& argument : entry.command.mid(1))
    if (!argument.startsWith(QLatin1String("--gtest_filter="))) step.command.arguments += argument;
  step.command.arguments += arguments;
  step.command.environment = entry.environment;
  step.program = {framework, setup.build, {}};
  return step;
}

// -- Wanted tests of one kind

void planCompiled(const TestSetup& setup, const QVector<WantedTest>& wanted, TestPlan* plan) {
  QMap<QString, QVector<TestId>> bySource;
  for (const WantedTest& each : wanted) bySource[each.path].append(each.id);
  for (auto source = bySource.cbegin(); source != bySource.cend(); ++source) {
    const TestFramework framework = source->constFirst().framework;
    const CTestEntry* entry = entryOf(setup.entries, targetOf(source.key(), setup.folder));
    // With gtest_discover_tests() each test is an entry, and none is called like the program.
    for (const CTestEntry& each : setup.entries) {
      if (entry || framework != TestFramework::kGoogleTest) break;
      const QString name = source->constFirst().names.join(u'.');
      const bool isIt = each.name.endsWith(name) || each.name.contains(name + u'.');
      if (isIt && !each.command.isEmpty()) entry = &each;
    }
    if (!entry || entry->command.isEmpty()) {
      plan->problems.append(
          translate("CTest knows of no program with the tests of %1. add_test() tells of it.")
              .arg(relativeTo(setup.folder, source.key())));
      continue;
    }
    if (framework == TestFramework::kQtTest) {
      QStringList tests;
      bool isWhole = false;
      for (const TestId& id : *source) {
        isWhole |= id.names.size() < 2;
        tests += id.names.mid(1);
      }
      plan->steps.append(
          programStep(setup, *entry, framework,
                      QStringList{QStringLiteral("-o"), results() + QStringLiteral(",junitxml"),
                                  QStringLiteral("-o"), QStringLiteral("-,txt")} +
                          (isWhole ? QStringList() : tests)));
      continue;
    }
    QStringList filters;
    for (const TestId& id : *source) {
      const QString suite = id.names.value(0), test = id.names.value(1, QStringLiteral("*"));
      filters += suite + u'.' + test;
      filters += QStringLiteral("*/%1.%2/*").arg(suite, test);
      filters += QStringLiteral("%1/*.%2").arg(suite, test);
    }
    plan->steps.append(programStep(setup, *entry, framework,
                                   {QStringLiteral("--gtest_filter=") + filters.join(u':'),
                                    QStringLiteral("--gtest_color=no")}));
  }
}

void planPytest(const TestSetup& setup, const QVector<WantedTest>& wanted, TestPlan* plan) {
  QMap<QString, QStringList> byRoot;
  for (const WantedTest& each : wanted) {
    const QString root = pythonRoot(each.id.scope, setup.folder);
    byRoot[root].append(
        (QStringList{relativeTo(root, each.id.scope)} + each.id.names).join(QStringLiteral("::")));
  }
  for (auto root = byRoot.cbegin(); root != byRoot.cend(); ++root)
    plan->steps.append(pytestStep(setup, root.key(), *root));
}

void planGo(const TestSetup& setup, const QVector<WantedTest>& wanted, TestPlan* plan) {
  QMap<QString, QStringList> byFolder;
  QSet<QString> whole;
  for (const WantedTest& each : wanted) {
    byFolder[each.id.scope] += each.id.names;
    if (each.id.names.isEmpty()) whole.insert(each.id.scope);
  }
  for (auto folder = byFolder.cbegin(); folder != byFolder.cend(); ++folder) {
    const QString module =
        folderWith(folder.key() + QStringLiteral("/x"), setup.folder, {QStringLiteral("go.mod")});
    QStringList arguments;
    if (!whole.contains(folder.key()))
      arguments +=
          {QStringLiteral("-run"), QStringLiteral("^(%1)$").arg(escaped(*folder).join(u'|'))};
    plan->steps.append(goStep(module.isEmpty() ? folder.key() : module, folder.key(),
                              arguments + QStringList{QStringLiteral(".")}));
  }
}

// What Cargo calls the crate that a root file is of.
QStringList crateArguments(const QString& package, const QString& root) {
  const QString file = relativeTo(package, root);
  const QString name = QFileInfo(root).completeBaseName();
  if (file.startsWith(QLatin1String("tests/"))) return {QStringLiteral("--test"), name};
  if (file.startsWith(QLatin1String("src/bin/"))) return {QStringLiteral("--bin"), name};
  if (file == QLatin1String("src/lib.rs")) return {QStringLiteral("--lib")};
  return {QStringLiteral("--bins")};
}

void planCargo(const TestSetup& setup, const QVector<WantedTest>& wanted, TestPlan* plan) {
  QMap<QString, QVector<WantedTest>> byRoot;
  for (const WantedTest& each : wanted) byRoot[each.id.scope].append(each);
  for (auto root = byRoot.cbegin(); root != byRoot.cend(); ++root) {
    const QString package = folderWith(root.key(), setup.folder, {QStringLiteral("Cargo.toml")});
    QStringList arguments = crateArguments(package, root.key());
    QStringList names;
    bool isWhole = false, hasGroups = false;
    for (const WantedTest& each : *root) {
      isWhole |= each.id.names.isEmpty();
      hasGroups |= each.isGroup;
      // What is in a module has its name in front.
      names.append(each.id.names.join(QStringLiteral("::")) +
                   (each.isGroup ? QStringLiteral("::") : QString()));
    }
    if (!isWhole) {
      arguments += QStringLiteral("--");
      if (!hasGroups) arguments += QStringLiteral("--exact");
      arguments += names;
    }
    plan->steps.append(cargoStep(package, root.key(), arguments));
  }
}

void planScripts(const TestSetup& setup, TestFramework framework, const QVector<WantedTest>& wanted,
                 TestPlan* plan) {
  QMap<QString, QVector<WantedTest>> byPackage;
  for (const WantedTest& each : wanted)
    byPackage[folderWith(each.id.scope, setup.folder, {QStringLiteral("package.json")})].append(
        each);
  for (auto package = byPackage.cbegin(); package != byPackage.cend(); ++package) {
    QStringList files, names;
    bool isWhole = false;
    for (const WantedTest& each : *package) {
      const QString file = relativeTo(package.key(), each.id.scope);
      if (!files.contains(file)) files.append(file);
      isWhole |= each.id.names.isEmpty();
      // Names of groups are beginnings of those of what is in them.
      names.append(QRegularExpression::escape(each.id.names.join(u' ')) +
                   (each.isGroup ? QStringLiteral(" ") : QStringLiteral("$")));
    }
    const QString pattern = isWhole ? QString() : QStringLiteral("^(%1)").arg(names.join(u'|'));
    plan->steps.append(scriptStep(setup, package.key(), framework, files, pattern));
  }
}

}  // namespace

bool isCompiled(TestFramework framework) {
  return framework == TestFramework::kQtTest || framework == TestFramework::kGoogleTest ||
         framework == TestFramework::kCTest;
}

QVector<WantedTest> wantedOf(const TestFile& file) {
  if (file.items.isEmpty()) return {};
  const TestId& first = file.items.constFirst().id;
  // The others know no files: a package, a crate or a program may be of several.
  const bool isOwn = first.framework == TestFramework::kPytest ||
                     first.framework == TestFramework::kVitest ||
                     first.framework == TestFramework::kJest;
  if (isOwn) return {{{first.framework, first.scope, {}}, file.path, true}};
  QVector<WantedTest> wanted;
  for (const TestItem& item : file.items) {
    const bool isInner =
        std::any_of(file.items.cbegin(), file.items.cend(), [&](const auto& other) {
          return other.isGroup && other.id != item.id && item.id.isIn(other.id);
        });
    if (!isInner) wanted.append({item.id, file.path, item.isGroup});
  }
  return wanted;
}

TestStep buildAllStep(const TestSetup& setup) {
  TestStep step;
  step.kind = StepKind::kBuild;
  step.title = QStringLiteral("cmake --build");
  step.folder = setup.folder;
  step.command.program = QStringLiteral("cmake");
  step.command.arguments = QStringList{QStringLiteral("--build"), setup.build};
  step.program = {TestFramework::kCTest, setup.build, setup.build};
  return step;
}

TestStep buildStep(const TestSetup& setup, const QStringList& sources) {
  TestStep step = buildAllStep(setup);
  QStringList targets;
  for (const QString& source : sources) {
    const QString target = targetOf(source, setup.folder);
    if (targets.contains(target)) continue;
    if (!hasTarget(setup.build, target)) return step;
    targets.append(target);
  }
  if (!targets.isEmpty())
    step.command.arguments += QStringList{QStringLiteral("--target")} + targets;
  return step;
}

TestStep listStep(const TestSetup& setup) {
  TestStep step;
  step.kind = StepKind::kList;
  step.title = QStringLiteral("ctest --show-only");
  step.folder = setup.build;
  step.command.program = QStringLiteral("ctest");
  step.command.arguments = QStringList{QStringLiteral("--show-only=json-v1")};
  step.program = {TestFramework::kCTest, setup.build, setup.build};
  return step;
}

QVector<TestStep> collectSteps(const TestSetup& setup, const QVector<TestFile>& files) {
  QMap<QString, TestStep> steps;
  for (const TestFile& file : files) {
    if (file.items.isEmpty() || file.items.constFirst().id.framework != TestFramework::kPytest)
      continue;
    const QString root = pythonRoot(file.path, setup.folder);
    TestStep step = pytestStep(setup, root, {});
    step.kind = StepKind::kCollect;
    step.title = QStringLiteral("pytest --collect-only");
    step.command.arguments = QStringList{QStringLiteral("-m"), QStringLiteral("pytest"),
                                         QStringLiteral("--collect-only"), QStringLiteral("-q"),
                                         QStringLiteral("--color=no")};
    steps.insert(root, step);
  }
  return steps.values();
}

TestStep findProgramStep(const TestStep& run) {
  TestStep step = run;
  step.kind = StepKind::kFindProgram;
  step.title = QStringLiteral("cargo test --no-run");
  QStringList& arguments = step.command.arguments;
  const qsizetype end = arguments.indexOf(u"--");
  if (end >= 0) arguments.resize(end);
  // What the compiler finds wrong stays as text.
  arguments +=
      {QStringLiteral("--no-run"), QStringLiteral("--message-format=json-render-diagnostics")};
  return step;
}

QString readCargoProgram(const QByteArray& output, const QString& root) {
  for (const QByteArray& line : output.split('\n')) {
    if (!line.startsWith('{')) continue;
    const QJsonObject told = QJsonDocument::fromJson(line).object();
    const bool isTest = told.value(u"reason") == QLatin1String("compiler-artifact") &&
                        told.value(u"profile").toObject().value(u"test").toBool();
    if (isTest && told.value(u"target").toObject().value(u"src_path") == root)
      return told.value(u"executable").toString();
  }
  return {};
}

TestPlan planTests(const TestSetup& setup, const QVector<WantedTest>& wanted) {
  TestPlan plan;
  QMap<TestFramework, QVector<WantedTest>> all;
  for (const WantedTest& each : wanted) all[each.id.framework].append(each);
  for (auto it = all.cbegin(); it != all.cend(); ++it) {
    switch (it.key()) {
      case TestFramework::kQtTest:
      case TestFramework::kGoogleTest:
        planCompiled(setup, *it, &plan);
        break;
      case TestFramework::kCTest: {
        QStringList names;
        for (const WantedTest& each : *it) names += each.id.names;
        plan.steps.append(ctestStep(setup, names));
        break;
      }
      case TestFramework::kPytest:
        planPytest(setup, *it, &plan);
        break;
      case TestFramework::kCargo:
        planCargo(setup, *it, &plan);
        break;
      case TestFramework::kGo:
        planGo(setup, *it, &plan);
        break;
      case TestFramework::kVitest:
      case TestFramework::kJest:
        planScripts(setup, it.key(), *it, &plan);
        break;
    }
  }
  return plan;
}

TestPlan planAllTests(const TestSetup& setup, const QVector<TestFile>& files) {
  TestPlan plan;
  if (!setup.entries.isEmpty()) plan.steps.append(ctestStep(setup, {}));
  QSet<QString> done;  // the folders of steps, by framework
  for (const TestFile& file : files) {
    if (file.items.isEmpty()) continue;
    const TestFramework framework = file.items.constFirst().id.framework;
    QString root;
    switch (framework) {
      case TestFramework::kQtTest:
      case TestFramework::kGoogleTest:
      case TestFramework::kCTest:
        continue;
      case TestFramework::kPytest:
        root = pythonRoot(file.path, setup.folder);
        break;
      case TestFramework::kCargo:
        // A workspace runs the tests of its packages.
        root = QFileInfo::exists(setup.folder + QStringLiteral("/Cargo.toml"))
                   ? setup.folder
                   : folderWith(file.path, setup.folder, {QStringLiteral("Cargo.toml")});
        break;
      case TestFramework::kGo:
        root = folderWith(file.path, setup.folder, {QStringLiteral("go.mod")});
        break;
      case TestFramework::kVitest:
      case TestFramework::kJest:
        root = folderWith(file.path, setup.folder, {QStringLiteral("package.json")});
        break;
    }
    const QString key = frameworkName(framework) + u'\n' + root;
    if (root.isEmpty() || done.contains(key)) continue;
    done.insert(key);
    if (framework == TestFramework::kPytest) plan.steps.append(pytestStep(setup, root, {}));
    if (framework == TestFramework::kCargo)
      plan.steps.append(cargoStep(root, {}, {QStringLiteral("--workspace")}));
    if (framework == TestFramework::kGo)
      plan.steps.append(goStep(root, root, {QStringLiteral("./...")}));
    if (framework == TestFramework::kVitest || framework == TestFramework::kJest)
      plan.steps.append(scriptStep(setup, root, framework, {}, {}));
  }
  return plan;
}

QVector<TestId> readPytestList(const QByteArray& output, const QString& folder) {
  constexpr qsizetype kMostListed = 100'000;
  QVector<TestId> listed;
  for (const QByteArray& bytes : output.split('\n')) {
    const QString line = QString::fromUtf8(bytes).trimmed();
    const qsizetype colons = line.indexOf(QLatin1String(".py::"));
    if (colons <= 0 || listed.size() >= kMostListed) continue;
    QString part;
    const QString names = withoutPart(line.mid(colons + 5), &part);
    const TestId id{TestFramework::kPytest, absolutePath(line.left(colons + 3), folder),
                    names.split(QStringLiteral("::"))};
    if (listed.isEmpty() || listed.constLast() != id) listed.append(id);
  }
  return listed;
}

}  // namespace waferpair::workbench
