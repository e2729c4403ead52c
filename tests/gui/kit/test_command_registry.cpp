// SPDX-License-Identifier: GPL-3.0-or-later
// The registry by itself: what follows from a row, what from the contexts, whose a key is.
#include <QAction>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QMainWindow>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/kit/command_registry.h"
#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

constexpr QKeyCombination kOne = Qt::CTRL | Qt::Key_1;
constexpr QKeyCombination kTwo = Qt::CTRL | Qt::Key_2;

Command command(const char* id, const QList<QKeySequence>& keys, When when = {},
                When keysWhen = {}) {
  return {.id = QLatin1String(id),
          .category = "A",
          .text = "&One…",
          .help = "First.",
          .keys = keys,
          .when = when,
          .keysWhen = keysWhen,
          .run = [] {}};
}

struct Fixture {
  QTemporaryDir config;
  QString file = config.filePath(QStringLiteral("keys.json"));
  QMainWindow window;
  CommandRegistry commands{&window, file};

  QList<QKeySequence> shortcuts(const char* id) { return commands.action(id)->shortcuts(); }
  void set(Context context, bool holds = true) { commands.contexts()->set(context, holds); }
  void write(const QByteArray& json) const {
    QFile keys(file);
    QVERIFY(keys.open(QIODevice::WriteOnly));
    QCOMPARE(keys.write(json), json.size());
  }
};

}  // namespace

class TestCommandRegistry : public QObject {
  Q_OBJECT
 private slots:
  void conditionsHoldAndExclude();
  void contextsHaveNamesAndWords();
  void aCommandIsEnabledWhileItsConditionHolds();
  void runsById();
  void placesComeInOrder();
  void aKeyGoesToTheCommandThatAsksMore();
  void aKeyOfOneThatExcludesTheOtherIsKeptByBoth();
  void ownersAreToldWhichKeysAreTheirs();
  void aDisabledCommandShowsItsKey();
  void ofTwoThatClashInTheFileTheFirstHasTheKey();
  void keysCanBeChangedAndComeBack();
  void aKeyHasOneCommandOnly();
  void aCommandWithoutKeysStaysSo();
  void unknownKeysInTheFileSurvive();
  void aDamagedFileIsKeptAside();
  void aKeyMapGivesOtherKeys();
  void whatTheUserSetOutlivesAKeyMap();
  void theTableSaysIt();
};

void TestCommandRegistry::conditionsHoldAndExclude() {
  const When both = Context::kDocumentOpen && !Context::kRecording;
  const quint32 open = When::bit(Context::kDocumentOpen);
  const quint32 recording = When::bit(Context::kRecording);
  QVERIFY(When().holds(0));
  QVERIFY(both.holds(open));
  QVERIFY(both.holds(open | When::bit(Context::kGhostShown)));
  QVERIFY(!both.holds(0));
  QVERIFY(!both.holds(open | recording));
  QCOMPARE(both.conditions(), 2);
  QCOMPARE(both.mentions(), open | recording);
  QVERIFY(both.excludes(Context::kRecording));
  QVERIFY(When(Context::kRecording).excludes(both));
  QVERIFY(!both.excludes(Context::kDocumentOpen));
  QCOMPARE(both.words(), QStringLiteral("a file is open, no trace is being recorded"));
  QCOMPARE(When().words(), QString());
}

void TestCommandRegistry::contextsHaveNamesAndWords() {
  QSet<QString> names;
  QSet<QString> words;
  for (int i = 0; i < kContextCount; ++i) {
    const auto context = static_cast<Context>(i);
    names.insert(contextName(context));
    words.insert(When(context).words());
    words.insert((!context).words());
  }
  QCOMPARE(names.size(), kContextCount);
  QCOMPARE(words.size(), 2 * kContextCount);
  QCOMPARE(contextName(Context::kReplaying), QStringLiteral("replaying"));
}

void TestCommandRegistry::aCommandIsEnabledWhileItsConditionHolds() {
  Fixture f;
  f.set(Context::kReplaying);
  f.commands.add(command("a.open", {}, Context::kDocumentOpen));
  f.commands.add(command("a.replay", {}, Context::kReplaying));
  QVERIFY(!f.commands.action("a.open")->isEnabled());
  QVERIFY(f.commands.action("a.replay")->isEnabled());
  QSignalSpy changed(f.commands.contexts(), &Contexts::changed);
  f.set(Context::kDocumentOpen);
  f.set(Context::kDocumentOpen);
  f.set(Context::kReplaying, false);
  QCOMPARE(changed.size(), 2);
  QVERIFY(f.commands.action("a.open")->isEnabled());
  QVERIFY(!f.commands.action("a.replay")->isEnabled());
}

void TestCommandRegistry::runsById() {
  Fixture f;
  int runs = 0;
  Command counted = command("a.one", {}, Context::kDocumentOpen);
  counted.run = [&runs] { ++runs; };
  f.commands.add(counted);
  QSignalSpy triggered(&f.commands, &CommandRegistry::triggered);
  QVERIFY(!f.commands.run("a.none"));
  QVERIFY(!f.commands.run("a.one"));
  QCOMPARE(runs, 0);
  f.set(Context::kDocumentOpen);
  QVERIFY(f.commands.run("a.one"));
  QCOMPARE(runs, 1);
  QCOMPARE(triggered.size(), 1);
  QCOMPARE(triggered[0][0].toString(), QStringLiteral("a.one"));
}

void TestCommandRegistry::placesComeInOrder() {
  Fixture f;
  const auto add = [&f](const char* id, const QList<MenuPlace>& places) {
    Command placed = command(id, {});
    placed.places = places;
    f.commands.add(placed);
  };
  add("a.last", {{"m", 2}});
  add("a.second", {{"m", 1, 1}, {"other"}});
  add("a.first", {{"m"}});
  add("a.third", {{"m", 1, 1}});
  QStringList ids;
  for (const auto& placed : f.commands.placedIn("m")) ids.append(placed.command->id);
  QCOMPARE(ids, (QStringList{"a.first", "a.second", "a.third", "a.last"}));
  QCOMPARE(f.commands.placedIn("other").size(), 1);
  QVERIFY(f.commands.placedIn("none").isEmpty());
}

void TestCommandRegistry::aKeyGoesToTheCommandThatAsksMore() {
  Fixture f;
  f.commands.add(command("a.window", {kOne}));
  f.commands.add(command("a.files", {kOne}, {}, Context::kFilesFocused));
  f.commands.load();
  QVERIFY(!clash(*f.commands.find("a.window"), *f.commands.find("a.files")));
  QCOMPARE(f.shortcuts("a.window"), QList<QKeySequence>{kOne});
  QVERIFY(f.shortcuts("a.files").isEmpty());
  f.set(Context::kFilesFocused);
  QVERIFY(f.shortcuts("a.window").isEmpty());
  QCOMPARE(f.shortcuts("a.files"), QList<QKeySequence>{kOne});
  QCOMPARE(f.commands.keys("a.window"), QList<QKeySequence>{kOne});
  f.set(Context::kFilesFocused, false);
  QCOMPARE(f.shortcuts("a.window"), QList<QKeySequence>{kOne});
  // Setting it again takes it from nobody.
  f.commands.setKeys("a.window", {kOne, kTwo});
  QCOMPARE(f.commands.keys("a.files"), QList<QKeySequence>{kOne});
  QCOMPARE(f.commands.commandsWithKey(kOne), (QStringList{"a.window", "a.files"}));
}

void TestCommandRegistry::aKeyOfOneThatExcludesTheOtherIsKeptByBoth() {
  Fixture f;
  f.commands.add(command("a.start", {kOne}, !Context::kRecording));
  f.commands.add(command("a.stop", {kOne}, Context::kRecording));
  f.commands.load();
  QVERIFY(!clash(*f.commands.find("a.start"), *f.commands.find("a.stop")));
  const auto listens = [&f](const char* id) {
    return f.commands.action(id)->isEnabled() && !f.shortcuts(id).isEmpty();
  };
  QVERIFY(listens("a.start"));
  QVERIFY(!listens("a.stop"));
  f.set(Context::kRecording);
  QVERIFY(!listens("a.start"));
  QVERIFY(listens("a.stop"));
}

void TestCommandRegistry::ownersAreToldWhichKeysAreTheirs() {
  Fixture f;
  Command owned = command("a.owned", {kOne}, {}, Context::kEditorFocused);
  owned.keysGoTo = KeysGoTo::kOwner;
  f.commands.add(owned);
  f.commands.add(command("a.ghost", {kOne}, {}, Context::kEditorFocused && Context::kGhostShown));
  f.commands.load();
  QSignalSpy told(&f.commands, &CommandRegistry::activeKeysChanged);
  // The owner knows by itself whether it has the keyboard.
  QCOMPARE(f.commands.activeKeys("a.owned"), QList<QKeySequence>{kOne});
  QVERIFY(f.shortcuts("a.owned").isEmpty());
  QCOMPARE(f.commands.action("a.owned")->text(),
           "&One…\t" + QKeySequence(kOne).toString(QKeySequence::NativeText));
  f.set(Context::kEditorFocused);
  QCOMPARE(told.size(), 0);
  f.set(Context::kGhostShown);
  QCOMPARE(told.size(), 1);
  QVERIFY(f.commands.activeKeys("a.owned").isEmpty());
  QCOMPARE(f.shortcuts("a.ghost"), QList<QKeySequence>{kOne});
  f.commands.setKeys("a.owned", {});
  QCOMPARE(f.commands.action("a.owned")->text(), QStringLiteral("&One…"));
}

void TestCommandRegistry::aDisabledCommandShowsItsKey() {
  Fixture f;
  f.commands.add(command("a.open", {kOne}, Context::kDocumentOpen));
  f.commands.load();
  QVERIFY(!f.commands.action("a.open")->isEnabled());
  QCOMPARE(f.shortcuts("a.open"), QList<QKeySequence>{kOne});
  QVERIFY(f.commands.action("a.open")->toolTip().startsWith("One  ("));
}

void TestCommandRegistry::ofTwoThatClashInTheFileTheFirstHasTheKey() {
  Fixture f;
  f.write(R"({"a.one": ["Ctrl+2"]})");
  f.commands.add(command("a.one", {kOne}));
  f.commands.add(command("a.two", {kTwo}));
  QCOMPARE(f.commands.load(), QString());
  QCOMPARE(f.shortcuts("a.one"), QList<QKeySequence>{kTwo});
  QVERIFY(f.shortcuts("a.two").isEmpty());
}

void TestCommandRegistry::keysCanBeChangedAndComeBack() {
  Fixture f;
  const auto addTo = [](CommandRegistry& commands) {
    commands.add(command("a.one", {kOne}));
    commands.add(command("a.two", {kTwo}));
  };
  {
    QMainWindow window;
    CommandRegistry commands(&window, f.file);
    addTo(commands);
    QCOMPARE(commands.load(), QString());
    QCOMPARE(commands.setKeys("a.one", {Qt::CTRL | Qt::Key_9}), QString());
  }
  addTo(f.commands);
  QCOMPARE(f.commands.load(), QString());
  QCOMPARE(f.shortcuts("a.one"), QList<QKeySequence>{Qt::CTRL | Qt::Key_9});
  QVERIFY(!f.commands.isDefault("a.one"));
  QVERIFY(f.commands.isDefault("a.two"));
  QCOMPARE(f.commands.resetKeys("a.one"), QString());
  QCOMPARE(f.shortcuts("a.one"), QList<QKeySequence>{kOne});
  QVERIFY(!readJson(f.file).object.contains("a.one"));
  QCOMPARE(f.commands.find("a.one")->title(), QStringLiteral("A: One"));
}

void TestCommandRegistry::aKeyHasOneCommandOnly() {
  Fixture f;
  f.commands.add(command("a.one", {kOne}));
  f.commands.add(command("a.two", {kTwo}));
  QVERIFY(clash(*f.commands.find("a.one"), *f.commands.find("a.two")));
  f.commands.setKeys("a.two", {kOne});
  QCOMPARE(f.commands.commandsWithKey(kOne), QStringList{"a.two"});
  QVERIFY(f.commands.keys("a.one").isEmpty());
  QVERIFY(f.commands.commandsWithKey(kTwo).isEmpty());
}

void TestCommandRegistry::aCommandWithoutKeysStaysSo() {
  Fixture f;
  // The first is as earlier versions wrote it for the editor's actions, the second as it is written
  // now.
  f.write(R"({"a.one": [""], "a.two": []})");
  f.commands.add(command("a.one", {kOne}));
  f.commands.add(command("a.two", {kTwo}));
  QCOMPARE(f.commands.load(), QString());
  QVERIFY(f.commands.keys("a.one").isEmpty());
  QVERIFY(f.commands.keys("a.two").isEmpty());
  QCOMPARE(f.commands.setKeys("a.two", {}), QString());
  QCOMPARE(readJson(f.file).object["a.one"], QJsonValue(QJsonArray()));
}

void TestCommandRegistry::unknownKeysInTheFileSurvive() {
  Fixture f;
  f.write(R"({"newer.command": ["Ctrl+U"], "a.one": 7, "editor.no-such": ["F9"]})");
  f.commands.add(command("a.one", {kOne}));
  QCOMPARE(f.commands.load(), QString());
  QCOMPARE(f.commands.keys("a.one").size(), 1);
  f.commands.setKeys("a.one", {});
  const QJsonObject object = readJson(f.file).object;
  QVERIFY(object.contains("newer.command"));
  QVERIFY(object.contains("editor.no-such"));
  QVERIFY(object["a.one"].isArray());
}

void TestCommandRegistry::aDamagedFileIsKeptAside() {
  Fixture f;
  f.write("{\"a.one\": [\"Ctrl+9\"");
  f.commands.add(command("a.one", {kOne}));
  QVERIFY(f.commands.load().contains("keys.json is damaged"));
  QVERIFY(f.commands.setKeys("a.one", {kTwo}).contains("keys.json.damaged"));
  QFile aside(f.file + ".damaged");
  QVERIFY(aside.open(QIODevice::ReadOnly));
  QCOMPARE(aside.readAll(), QByteArray("{\"a.one\": [\"Ctrl+9\""));
}

void TestCommandRegistry::aKeyMapGivesOtherKeys() {
  Fixture f;
  constexpr QKeyCombination kThree = Qt::CTRL | Qt::Key_3;
  f.commands.add(command("a.one", {kOne}));
  f.commands.add(command("a.two", {kTwo, kThree}));
  f.commands.add(command("a.there", {kTwo}, {}, Context::kFilesFocused));
  f.commands.load();
  f.commands.setKeyMap({{"a.one", {kTwo}}, {"a.unknown", {kThree}}});
  QCOMPARE(f.shortcuts("a.one"), QList<QKeySequence>{kTwo});
  // One that clashes loses the key and no other; one that asks more keeps it.
  QCOMPARE(f.shortcuts("a.two"), QList<QKeySequence>{kThree});
  QCOMPARE(f.commands.keys("a.there"), QList<QKeySequence>{kTwo});
  QVERIFY(f.commands.isDefault("a.one") && f.commands.isDefault("a.two"));
  f.commands.setKeyMap({});
  QCOMPARE(f.shortcuts("a.one"), QList<QKeySequence>{kOne});
  QCOMPARE(f.shortcuts("a.two"), (QList<QKeySequence>{kTwo, kThree}));
}

void TestCommandRegistry::whatTheUserSetOutlivesAKeyMap() {
  Fixture f;
  constexpr QKeyCombination kThree = Qt::CTRL | Qt::Key_3;
  f.commands.add(command("a.one", {kOne}));
  f.commands.add(command("a.two", {kTwo}));
  f.commands.load();
  f.commands.setKeys("a.two", {kThree});
  f.commands.setKeyMap({{"a.one", {kThree, kTwo}}, {"a.two", {kOne}}});
  QCOMPARE(f.shortcuts("a.one"), QList<QKeySequence>{kTwo});
  QCOMPARE(f.shortcuts("a.two"), QList<QKeySequence>{kThree});
  QVERIFY(!f.commands.isDefault("a.two"));
  QVERIFY(!readJson(f.file).object.contains("a.one"));
  // Resetting goes back to the map's key, and what it took is the other's again.
  QCOMPARE(f.commands.resetKeys("a.two"), QString());
  QCOMPARE(f.shortcuts("a.two"), QList<QKeySequence>{kOne});
  QCOMPARE(f.shortcuts("a.one"), (QList<QKeySequence>{kThree, kTwo}));
  QVERIFY(!readJson(f.file).object.contains("a.two"));
}

void TestCommandRegistry::theTableSaysIt() {
  Fixture f;
  f.commands.add(command("a.one",
                         {kOne, QKeySequence(Qt::CTRL | Qt::Key_K, QKeyCombination(Qt::Key_M))},
                         Context::kDocumentOpen, Context::kEditorFocused));
  f.commands.add(command("a.two", {Qt::CTRL | Qt::Key_Bar}));
  QCOMPARE(commandTable(f.commands),
           QStringLiteral(
               "| command | keys | what it does | while |\n|---|---|---|---|\n"
               "| `a.one` | `Ctrl+1` or `Ctrl+K, M` | First. | a file is open, the text has the "
               "keyboard |\n"
               "| `a.two` | `Ctrl+\\|` | First. |  |\n"));
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestCommandRegistry)
#include "test_command_registry.moc"
