// SPDX-License-Identifier: GPL-3.0-or-later
// The files the program keeps for itself: sessions, settings, keys. Whatever is in them, the
// program starts.
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/shell/settings_dialog.h"
#include "gui/store/json_file.h"
#include "gui/store/session_store.h"
#include "gui/store/settings.h"
#include "gui/store/settings_file.h"

namespace waferpair::gui {
namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

}  // namespace

class TestStores : public QObject {
  Q_OBJECT
 private slots:
  void sessionComesBackAsItWas();
  void foldersKeepSessionsApart();
  void damagedSessionIsReportedAndEmpty();
  void noDamageToASessionCrashes();
  void recentFoldersAreFewAndStayWhenGone();
  void missingFilesAreNoProblem();
  void settingsComeBackAndNonsenseDoesNot();
  void settingsOfAnEarlierVersionHold();
  void damagedSettingsAreKeptAside();
  void othersSettingsSurvive();
  void howSureSuggestionsMustBeStaysAsChosen();
};

void TestStores::sessionComesBackAsItWas() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  Session session{QStringLiteral("/p"),
                  {{QStringLiteral("/p/a.cpp"), 3, 7, 1}, {QStringLiteral("/p/ü b.txt"), 0, 0, 0}},
                  1};
  QCOMPARE(store.save(session), QString());
  QString problem;
  const Session back = store.load(QStringLiteral("/p"), &problem);
  QCOMPARE(problem, QString());
  QCOMPARE(back.files.size(), 2);
  QCOMPARE(back.files[0].line, 3);
  QCOMPARE(back.files[0].column, 7);
  QCOMPARE(back.files[0].firstLine, 1);
  QCOMPARE(back.files[1].path, session.files[1].path);
  QCOMPARE(back.active, 1);
  const WindowLayout layout{QByteArray("\0\1geometry", 10), QByteArray("state\xff")};
  QCOMPARE(store.saveLayout(layout), QString());
  const WindowLayout layoutBack = store.loadLayout(&problem);
  QCOMPARE(layoutBack.geometry, layout.geometry);
  QCOMPARE(layoutBack.state, layout.state);
}

void TestStores::foldersKeepSessionsApart() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  QString problem;
  store.save({QStringLiteral("/a"), {{QStringLiteral("/a/x"), 0, 0, 0}}, 0});
  store.save({QStringLiteral("/b"), {}, -1});
  QCOMPARE(store.load(QStringLiteral("/a"), &problem).files.size(), 1);
  QCOMPARE(store.load(QStringLiteral("/b"), &problem).files.size(), 0);
  QCOMPARE(store.load(QStringLiteral("/c"), &problem).files.size(), 0);
  QCOMPARE(problem, QString());
}

void TestStores::damagedSessionIsReportedAndEmpty() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  store.save({QStringLiteral("/p"), {{QStringLiteral("/p/x"), 1, 1, 1}}, 0});
  const QDir sessions(state.filePath(QStringLiteral("sessions")));
  const QString file = sessions.filePath(sessions.entryList(QDir::Files).first());
  const QByteArray whole = contentOf(file);
  overwrite(file, whole.left(whole.size() / 2));
  QString problem;
  QVERIFY(store.load(QStringLiteral("/p"), &problem).files.isEmpty());
  QVERIFY2(problem.contains(file), qPrintable(problem));
}

void TestStores::noDamageToASessionCrashes() {
  QTemporaryDir state;
  const SessionStore store(state.path());
  store.save({QStringLiteral("/p"),
              {{QStringLiteral("/p/x"), 1, 1, 1}, {QStringLiteral("/p/y"), 2, 2, 2}},
              1});
  const QDir sessions(state.filePath(QStringLiteral("sessions")));
  const QString file = sessions.filePath(sessions.entryList(QDir::Files).first());
  const QByteArray whole = contentOf(file);
  QRandomGenerator random(3);
  for (int round = 0; round < 2000; ++round) {
    QByteArray bytes = whole;
    for (int n = random.bounded(1, 5); n > 0; --n) {
      const int at = random.bounded(static_cast<int>(bytes.size()));
      if (random.bounded(2) == 0) {
        bytes[at] = static_cast<char>(random.bounded(256));
      } else {
        bytes.remove(at, random.bounded(1, 12));
      }
      if (bytes.isEmpty()) break;
    }
    overwrite(file, bytes);
    QString problem;
    const Session session = store.load(QStringLiteral("/p"), &problem);
    QVERIFY(session.active < session.files.size());
    for (const SessionFile& one : session.files) {
      QVERIFY(!one.path.isEmpty() && one.line >= 0 && one.column >= 0 && one.firstLine >= 0);
    }
  }
}

void TestStores::recentFoldersAreFewAndStayWhenGone() {
  QTemporaryDir state;
  QTemporaryDir folders;
  const SessionStore store(state.path());
  for (int i = 0; i < 20; ++i) {
    const QString folder = folders.filePath(QString::number(i));
    QVERIFY(QDir().mkpath(folder));
    QCOMPARE(store.remember(folder), QString());
  }
  store.setLastFolder(folders.filePath(QStringLiteral("19")));
  QStringList recent = store.recentFolders();
  QCOMPARE(recent.size(), 12);
  QCOMPARE(recent.first(), folders.filePath(QStringLiteral("19")));
  // A folder that is gone may be on a disk that comes back; a user who asks for it can take it off.
  QVERIFY(QDir(recent.first()).removeRecursively());
  QCOMPARE(store.recentFolders(), recent);
  QCOMPARE(store.forget(recent.first()), QString());
  QCOMPARE(store.recentFolders(), recent.mid(1));
  QCOMPARE(store.forgetRecent(), QString());
  QVERIFY(store.recentFolders().isEmpty());
  QCOMPARE(store.lastFolder(), folders.filePath(QStringLiteral("19")));
}

void TestStores::missingFilesAreNoProblem() {
  const SessionStore store(QStringLiteral("/no/such/folder"));
  QString problem;
  QVERIFY(store.load(QStringLiteral("/p"), &problem).files.isEmpty());
  QCOMPARE(problem, QString());
  QVERIFY(store.loadLayout(&problem).geometry.isEmpty());
  QCOMPARE(problem, QString());
  QVERIFY(store.recentFolders(&problem).isEmpty());
  QCOMPARE(problem, QString());
}

void TestStores::settingsComeBackAndNonsenseDoesNot() {
  QTemporaryDir config;
  const QString file = config.filePath(QStringLiteral("settings.json"));
  Preferences wanted;
  wanted.theme = ThemeKind::kLight;
  wanted.fontSize = 13.5;
  wanted.ligatures = false;
  wanted.wordWrap = true;
  wanted.closePairs = false;
  wanted.trimOnSave = true;
  wanted.finalLineEndOnSave = true;
  wanted.autoSave = AutoSave::kDelay;
  wanted.indentGuides = false;
  wanted.suggestions = false;
  wanted.projectFiles = false;
  wanted.certainty = 30;
  wanted.acceptedSuggestions = 2;
  wanted.wordsWhileTyping = true;
  wanted.suggestionLevel = SuggestionLevel::kEager;
  wanted.languagesWithoutSuggestions = {"", "C++"};
  wanted.snoozedUntil = QDateTime::fromString("2026-03-04T05:06:07.089Z", Qt::ISODateWithMs);
  {
    Settings settings(file);
    QSignalSpy changed(&settings, &Settings::changed);
    settings.set(wanted);
    settings.set(wanted);
    QCOMPARE(changed.count(), 1);
  }
  QVERIFY(Settings(file).get() == wanted);
  overwrite(file,
            R"({"theme": "plaid", "editor/fontSize": -4e99, "editor/wordWrap": ["maybe"],
                "editor/certainty": 900, "editor/fontFamily": {}, "suggestions/level": "loud",
                "suggestions/languagesOff": 7, "suggestions/snoozedUntil": "tomorrow"})");
  const Preferences read = Settings(file).get();
  QCOMPARE(read.theme, ThemeKind::kDark);
  QVERIFY(read.fontSize >= 6 && read.fontSize <= 40);
  QVERIFY(read.certainty <= 100);
  QCOMPARE(read.suggestionLevel, SuggestionLevel::kNormal);
  QVERIFY(!read.snoozedUntil.isValid());
}

void TestStores::settingsOfAnEarlierVersionHold() {
  QTemporaryDir config;
  overwrite(config.filePath(QStringLiteral("settings.ini")),
            "[General]\ntheme=light\n[editor]\nfontFamily=Some Mono, \\x4e2d\nfontSize=13.5\n"
            "wordWrap=true\nsuggestions=false\n[runtime]\nmodel=/m/a b.gguf\n");
  const QString file = config.filePath(QStringLiteral("settings.json"));
  Settings settings(file);
  QCOMPARE(settings.get().theme, ThemeKind::kLight);
  QCOMPARE(settings.get().fontSize, 13.5);
  QVERIFY(settings.get().wordWrap);
  QVERIFY(!settings.get().suggestions);
  Preferences changed = settings.get();
  changed.wordWrap = false;
  settings.set(changed);
  // The new file counts from then on, and nothing of the old one was left behind.
  QVERIFY(Settings(file).get() == changed);
  QCOMPARE(SettingsFile(file).value("runtime/model").toString(), QStringLiteral("/m/a b.gguf"));
}

void TestStores::damagedSettingsAreKeptAside() {
  QTemporaryDir config;
  const QString file = config.filePath(QStringLiteral("settings.json"));
  const QByteArray damaged = "{\"theme\": \"light\",, by hand}";
  overwrite(file, damaged);
  Settings settings(file);
  QVERIFY(settings.get() == Preferences());
  QSignalSpy problem(&settings, &Settings::problem);
  Preferences changed;
  changed.wordWrap = true;
  settings.set(changed);
  QVERIFY(Settings(file).get() == changed);
  QCOMPARE(contentOf(file + ".damaged"), damaged);
  QCOMPARE(problem.count(), 1);
  QVERIFY(problem.first().first().toString().contains(file + ".damaged"));
}

void TestStores::othersSettingsSurvive() {
  QTemporaryDir config;
  const QString file = config.filePath(QStringLiteral("settings.json"));
  Settings settings(file);
  SettingsFile other(file);
  other.setValue("runtime/model", "/m.gguf");
  QCOMPARE(other.save(), QString());
  Preferences changed;
  changed.wordWrap = true;
  settings.set(changed);
  SettingsFile back(file);
  QCOMPARE(back.value("runtime/model").toString(), QStringLiteral("/m.gguf"));
  QVERIFY(back.value("editor/wordWrap").toBool());
  back.remove("runtime/model");
  QCOMPARE(back.save(), QString());
  QVERIFY(!SettingsFile(file).value("runtime/model").isValid());
  QCOMPARE(SettingsFile(file).value("runtime/model", 7).toInt(), 7);
}

// The default has become stricter: who chose before keeps what they chose.
void TestStores::howSureSuggestionsMustBeStaysAsChosen() {
  QTemporaryDir config;
  const auto offered = [](const QString& file) {
    Settings settings(file);
    const SettingsDialog dialog(&settings, nullptr);
    return dialog.findChild<QComboBox*>(QStringLiteral("settingsCertainty"))->currentText();
  };
  const QString none = config.filePath(QStringLiteral("none.json"));
  QCOMPARE(Settings(none).get().certainty, 75);
  QCOMPARE(offered(none), QStringLiteral("What is nearly certain"));
  const QList<QPair<int, QString>> stored = {{0, "Everything that comes to mind"},
                                             {30, "What is likely enough"},
                                             {50, "What is likely enough"},
                                             {75, "What is nearly certain"},
                                             {90, "Only what is all but certain"}};
  for (const auto& [percent, words] : stored) {
    const QString file = config.filePath(QStringLiteral("%1.json").arg(percent));
    overwrite(file, "{\"editor/certainty\": " + QByteArray::number(percent) + '}');
    QCOMPARE(Settings(file).get().certainty, percent);
    QCOMPARE(offered(file), words);
  }
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestStores)
#include "test_stores.moc"
