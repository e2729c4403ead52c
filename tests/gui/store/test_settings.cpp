// SPDX-License-Identifier: GPL-3.0-or-later
// The user's settings and a project's: what holds, what is said to be wrong, and what becomes of
// the files when something is set.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "gui/store/choices_file.h"
#include "gui/store/json_text.h"
#include "gui/store/language_indentation.h"
#include "gui/store/settings.h"
#include "gui/store/settings_reference.h"
#include "gui/store/settings_table.h"

namespace waferpair::gui {

class TestSettings : public QObject {
  Q_OBJECT
 private slots:
  void init() { directory_ = std::make_unique<QTemporaryDir>(); }
  void whatIsSetComesBack();
  void onlyWhatIsSetIsWritten();
  void nonsenseIsToldByItsLine();
  void aMistakeLeavesTheLastGoodValues();
  void changesOnDiskAreSeen();
  void aProjectGoesBefore();
  void aProjectMayNotSetEverything();
  void whatIsSetGoesWhereItIsDecided();
  void othersSettingsSurvive();
  void whatIsStateIsMovedAway();
  void settingsOfAnEarlierVersionHold();
  void theTableIsSound();
  void theNearestNameIsMeant();
  void indentationsAreRead_data();
  void indentationsAreRead();

 private:
  AppPaths paths() const { return {directory_->filePath("config"), directory_->filePath("state")}; }
  QString userFile() const { return paths().config + "/settings.json"; }
  QString projectFile() const { return directory_->filePath("project/.waferpair/settings.json"); }
  static void write(const QString& path, const QByteArray& bytes);
  static QByteArray read(const QString& path);

  std::unique_ptr<QTemporaryDir> directory_;
};

void TestSettings::write(const QString& path, const QByteArray& bytes) {
  QVERIFY(QDir().mkpath(QFileInfo(path).path()));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray TestSettings::read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no such file)");
}

void TestSettings::whatIsSetComesBack() {
  Preferences wanted;
  wanted.theme = ThemeKind::kLight;
  wanted.fontFamily = "Some Mono";
  wanted.fontSize = 13.5;
  wanted.ligatures = false;
  wanted.autoSave = AutoSave::kDelay;
  wanted.certainty = 30;
  wanted.acceptedSuggestions = 2;
  wanted.suggestionLevel = SuggestionLevel::kEager;
  wanted.languagesWithoutSuggestions = QStringList{"", "C++"};
  wanted.snoozedUntil = QDateTime::fromString("2026-03-04T05:06:07.089Z", Qt::ISODateWithMs);
  {
    Settings settings(paths());
    QSignalSpy changed(&settings, &Settings::changed);
    settings.set(wanted);
    settings.set(wanted);
    QCOMPARE(changed.count(), 1);
    QVERIFY(settings.get() == wanted);
  }
  QVERIFY(Settings(paths()).get() == wanted);
}

void TestSettings::onlyWhatIsSetIsWritten() {
  write(userFile(), "// mine\n{\n  \"theme\": \"light\", // by day\n}\n");
  Settings settings(paths());
  Preferences changed = settings.get();
  changed.fontSize = 12;
  settings.set(changed);
  QCOMPARE(
      read(userFile()),
      QByteArray("// mine\n{\n  \"theme\": \"light\", // by day\n  \"editor/fontSize\": 12,\n}\n"));
  settings.setValue(SettingsScope::kUser, *settingRow("theme"), QJsonValue::Undefined);
  QCOMPARE(settings.get().theme, ThemeKind::kDark);
  QCOMPARE(read(userFile()),
           QByteArray("// mine\n{\n  // by day\n  \"editor/fontSize\": 12,\n}\n"));
}

void TestSettings::nonsenseIsToldByItsLine() {
  write(userFile(),
        "{\n\"theme\": \"plaid\",\n\"editor/fontSize\": -4e99,\n\"editor/wordWrap\": [\"maybe\"],\n"
        "\"editor/certainty\": 7.5,\n\"editor/fontFamily\": {},\n\"suggestions/level\": \"loud\",\n"
        "\"suggestions/languagesOff\": [7],\n\"editor/whitespce\": true,\n"
        "\"editor/whitespace\": true\n}");
  const Settings settings(paths());
  Preferences expected;
  expected.whitespace = true;
  QVERIFY(settings.get() == expected);
  const QList<SettingsMistake> mistakes = settings.mistakes();
  QList<int> lines;
  for (const SettingsMistake& mistake : mistakes) {
    QCOMPARE(mistake.file, userFile());
    lines.append(mistake.line);
  }
  QCOMPARE(lines, (QList<int>{2, 3, 4, 5, 6, 7, 8, 9}));
  QVERIFY(mistakes[0].text.contains("\"dark\", \"light\""));
  QVERIFY(mistakes[1].text.contains("a number from 6 to 40"));
  QVERIFY(mistakes[7].text.contains("“editor/whitespace”"));
}

void TestSettings::aMistakeLeavesTheLastGoodValues() {
  write(userFile(), "{\"editor/fontSize\": 20}");
  Settings settings(paths());
  QSignalSpy problem(&settings, &Settings::problem);
  const QByteArray broken = "{\n  \"editor/fontSize\": 21,\n  \"theme\" \"light\"\n}";
  write(userFile(), broken);
  settings.reload();
  QCOMPARE(settings.get().fontSize, 20.0);
  QCOMPARE(settings.mistakes().size(), 1);
  QCOMPARE(settings.mistakes()[0].line, 3);
  QCOMPARE(settings.mistakes()[0].column, 11);
  // What is set meanwhile holds, and the user's text is not touched.
  Preferences changed = settings.get();
  changed.wordWrap = true;
  settings.set(changed);
  QVERIFY(settings.get().wordWrap);
  QCOMPARE(read(userFile()), broken);
  QCOMPARE(problem.size(), 1);
  QVERIFY(problem[0][0].toString().contains("line 3"));
  // Once it is mended both hold.
  write(userFile(), "{\"editor/fontSize\": 22}");
  settings.reload();
  QVERIFY(settings.mistakes().isEmpty());
  QCOMPARE(settings.get().fontSize, 22.0);
  QVERIFY(settings.get().wordWrap);
  changed = settings.get();
  changed.theme = ThemeKind::kLight;
  settings.set(changed);
  QVERIFY(Settings(paths()).get() == settings.get());
}

void TestSettings::changesOnDiskAreSeen() {
  QVERIFY(QDir().mkpath(paths().config));
  QVERIFY(QDir().mkpath(directory_->filePath("project")));
  Settings settings(paths());
  settings.setProject(directory_->filePath("project"));
  settings.watch();
  write(userFile(), "{\"editor/fontSize\": 20}");
  QTRY_COMPARE(settings.get().fontSize, 20.0);
  write(projectFile(), "{\"editor/wordWrap\": true}");
  QTRY_VERIFY(settings.get().wordWrap);
  // Replaced by another file, as many programs save.
  write(userFile() + ".new", "{\"editor/fontSize\": 9}");
  QVERIFY(QFile::remove(userFile()));
  QVERIFY(QFile::rename(userFile() + ".new", userFile()));
  QTRY_COMPARE(settings.get().fontSize, 9.0);
  QVERIFY(QFile::remove(projectFile()));
  QTRY_VERIFY(!settings.get().wordWrap);
}

void TestSettings::aProjectGoesBefore() {
  write(userFile(), "{\"editor/wordWrap\": true, \"editor/whitespace\": true}");
  write(projectFile(), "{\"editor/wordWrap\": false}");
  Settings settings(paths());
  QVERIFY(settings.get().wordWrap);
  QSignalSpy changed(&settings, &Settings::changed);
  settings.setProject(directory_->filePath("project"));
  QCOMPARE(changed.size(), 1);
  QVERIFY(!settings.get().wordWrap);
  QVERIFY(settings.get().whitespace);
  settings.setProject({});
  QVERIFY(settings.get().wordWrap);
}

void TestSettings::aProjectMayNotSetEverything() {
  write(userFile(), "{\"editor/projectFiles\": false, \"editor/languageServers\": false}");
  write(projectFile(),
        "{\n\"editor/projectFiles\": true,\n\"editor/languageServers\": true,\n"
        "\"theme\": \"light\",\n\"pairing/summarizeThreads\": false,\n"
        "\"editor/suggestions\": false\n}");
  Settings settings(paths());
  settings.setProject(directory_->filePath("project"));
  Preferences expected;
  expected.projectFiles = false;
  expected.languageServers = false;
  expected.suggestions = false;
  QVERIFY(settings.get() == expected);
  QList<int> lines;
  for (const SettingsMistake& mistake : settings.mistakes()) lines.append(mistake.line);
  QCOMPARE(lines, (QList<int>{2, 3, 4, 5}));
}

void TestSettings::whatIsSetGoesWhereItIsDecided() {
  write(projectFile(), "{\"editor/wordWrap\": true}");
  Settings settings(paths());
  settings.setProject(directory_->filePath("project"));
  Preferences changed = settings.get();
  changed.wordWrap = false;
  changed.fontSize = 12;
  settings.set(changed);
  QVERIFY(settings.get() == changed);
  QCOMPARE(read(projectFile()), QByteArray("{\"editor/wordWrap\": false}"));
  QCOMPARE(settings.value(SettingsScope::kUser, *settingRow("editor/fontSize")), QJsonValue(12));
  QVERIFY(settings.value(SettingsScope::kUser, *settingRow("editor/wordWrap")).isUndefined());
}

void TestSettings::othersSettingsSurvive() {
  Settings one(paths());
  Settings other(paths());
  Preferences changed = other.get();
  changed.wordWrap = true;
  other.set(changed);
  changed = one.get();
  changed.fontSize = 30;
  one.set(changed);
  QVERIFY(one.get().wordWrap);
  QVERIFY(Settings(paths()).get() == one.get());
}

void TestSettings::whatIsStateIsMovedAway() {
  write(userFile(),
        "{\n  \"theme\": \"light\",\n  \"editor/acceptedSuggestions\": 2,\n"
        "  \"runtime/model\": \"/m/a b.gguf\",\n"
        "  \"suggestions/snoozedUntil\": \"2026-03-04T05:06:07.089Z\"\n}\n");
  const Settings settings(paths());
  QVERIFY(settings.mistakes().isEmpty());
  QCOMPARE(settings.get().theme, ThemeKind::kLight);
  QCOMPARE(settings.get().acceptedSuggestions, 2);
  QVERIFY(settings.get().snoozedUntil.isValid());
  QCOMPARE(ChoicesFile(paths()).value(kChosenModel).toString(), QString("/m/a b.gguf"));
  QCOMPARE(read(userFile()), QByteArray("{\n  \"theme\": \"light\"\n}\n"));
}

void TestSettings::settingsOfAnEarlierVersionHold() {
  write(paths().config + "/settings.ini",
        "[General]\ntheme=light\n[editor]\nfontFamily=Some Mono, \\x4e2d\nfontSize=13.5\n"
        "wordWrap=true\nsuggestions=false\n[runtime]\nmodel=/m/a b.gguf\n");
  Settings settings(paths());
  Preferences expected;
  expected.theme = ThemeKind::kLight;
  expected.fontSize = 13.5;
  expected.wordWrap = true;
  expected.suggestions = false;
  expected.fontFamily = settings.get().fontFamily;
  QVERIFY(settings.get() == expected);
  QVERIFY(settings.mistakes().isEmpty());
  QCOMPARE(ChoicesFile(paths()).value(kChosenModel).toString(), QString("/m/a b.gguf"));
  // The new file counts from then on.
  QVERIFY(QFile::remove(paths().config + "/settings.ini"));
  QVERIFY(Settings(paths()).get() == expected);
}

void TestSettings::theTableIsSound() {
  QSet<QString> ids;
  QStringList categories;
  for (const SettingRow& row : settingsTable()) {
    QVERIFY2(!ids.contains(row.id), qPrintable(row.id));
    ids.insert(row.id);
    QVERIFY2(!row.title.isEmpty() && row.help.endsWith('.'), qPrintable(row.id));
    QCOMPARE(row.wrongWith(row.defaultValue()), QString());
    QVERIFY2(!row.wrongWith(QJsonValue::Null).isEmpty(), qPrintable(row.id));
    if (row.project == ProjectMay::kSwitchOff) QVERIFY2(row.isFlag(), qPrintable(row.id));
    // The rows of a category follow one another.
    if (categories.isEmpty() || categories.last() != row.category) {
      QVERIFY2(!categories.contains(row.category), qPrintable(row.id));
      categories.append(row.category);
    }
    // A value that is put there can be told again.
    Preferences preferences;
    const QJsonValue other = !row.choices.isEmpty() ? QJsonValue(row.choices.last().value)
                             : row.isFlag()         ? QJsonValue(!row.defaultValue().toBool())
                             : row.isNumber()       ? QJsonValue(row.most)
                             : row.names == SettingRow::Names::kLanguageIndentations
                                 ? QJsonValue(QJsonArray{"Go=tabs 8"})
                             : row.isList() ? QJsonValue(QJsonArray{"one", "two"})
                             : row.names == SettingRow::Names::kDarkThemes ? QJsonValue("Dracula")
                             : row.names == SettingRow::Names::kLightThemes
                                 ? QJsonValue("Solarized Light")
                                 : QJsonValue("text");
    QCOMPARE(row.wrongWith(other), QString());
    row.put(other, preferences);
    QCOMPARE(row.valueIn(preferences), other);
  }
}

void TestSettings::indentationsAreRead_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<bool>("isRight");
  QTest::addColumn<bool>("tabs");
  QTest::addColumn<int>("width");
  QTest::newRow("spaces") << "Java=spaces 2" << true << false << 2;
  QTest::newRow("tabs") << "Java=tabs 8" << true << true << 8;
  QTest::newRow("as the status bar has it") << " Java = Tabs: 8 " << true << true << 8;
  QTest::newRow("of any width") << "Java=tabs" << true << true << 4;
  QTest::newRow("plain text") << "=tabs" << false << false << 4;
  QTest::newRow("no style") << "Java=8" << false << false << 4;
  QTest::newRow("too wide") << "Java=tabs 17" << false << false << 4;
  QTest::newRow("no width") << "Java=tabs 0" << false << false << 4;
  QTest::newRow("no language") << "tabs 8" << false << false << 4;
}

void TestSettings::indentationsAreRead() {
  QFETCH(const QString, text);
  QFETCH(const bool, isRight);
  QFETCH(const bool, tabs);
  QFETCH(const int, width);
  write(userFile(), jsonLine(QJsonObject{{"editor/languageIndentation", QJsonArray{text}}}));
  const Settings settings(paths());
  QCOMPARE(settings.mistakes().isEmpty(), isRight);
  QCOMPARE(preferredIndentation(settings.get(), "Java"), (editor::Indentation{tabs, width}));
  QCOMPARE(preferredIndentation(settings.get(), "JavaScript"), (editor::Indentation{false, 4}));
}

void TestSettings::theNearestNameIsMeant() {
  QVERIFY(!settingRow("theme/dark")->wrongWith("Solarized Light").isEmpty());
  QVERIFY(!settingRow("theme/dark")->wrongWith("No such theme").isEmpty());
  QCOMPARE(nearestSetting("editor/fontSze"), QString("editor/fontSize"));
  QCOMPARE(nearestSetting("editor.fontSize"), QString("editor/fontSize"));
  QCOMPARE(nearestSetting("fontsize"), QString("editor/fontSize"));
  QCOMPARE(nearestSetting("themes"), QString("theme"));
  QCOMPARE(nearestSetting("x"), QString());
  QCOMPARE(nearestSetting("workbench.colorTheme.dark"), QString());
  QCOMPARE(nearestSetting(QString(100000, 'x')), QString());
}

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestSettings)
#include "test_settings.moc"
