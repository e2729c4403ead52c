// SPDX-License-Identifier: GPL-3.0-or-later
// What language servers do without being told each time, or to all of a text: formatting while one
// saves and types, imports, and the way to the header. By keys.
#include <QJsonArray>
#include <QStandardPaths>

#include "gui/kit/command_registry.h"
#include "gui/store/settings.h"
#include "gui/workbench/counterpart.h"
#include "tests/gui/workbench/language_window.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestLanguageSaving : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { w_ = std::make_unique<LanguageWindow>(); }
  void cleanup() { w_.reset(); }

  void aTextIsFormattedAsItIsSaved() {
    w_->begin("a=1\nb=2\n");
    set(&Preferences::formatOnSave);
    caretAt(1, 3);
    WindowFixture::type("0");
    save();
    QTRY_COMPARE(w_->read("a.cpp"), "a = 1\nb = 20\n");
    QCOMPARE(w_->editor()->text(), "a = 1\nb = 20\n");
    QVERIFY(!w_->document()->isModified());
    QCOMPARE(w_->editor()->caretColumn(), 6);
    // One step back is before the formatting, the next before what was typed.
    WindowFixture::key(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(w_->editor()->text(), "a=1\nb=20\n");
  }

  void unlessAskedForItIsSavedAsItIs() {
    w_->begin("a=1\n");
    caretAt(0, 3);
    WindowFixture::type("0");
    save();
    QCOMPARE(w_->read("a.cpp"), "a=10\n");
    for (const QJsonValue one : told())
      QVERIFY(one[u"method"].toString() != "textDocument/formatting");
  }

  // Its answer comes after four seconds: the file is there before that.
  void aSlowServerDelaysNoSave() {
    w_->begin("a=1\n", "stuck");
    set(&Preferences::formatOnSave);
    caretAt(0, 3);
    WindowFixture::type("0");
    save();
    QTRY_COMPARE_WITH_TIMEOUT(w_->read("a.cpp"), "a=10\n", 3500);
    QTRY_VERIFY2(notice().contains("has not answered in time"), qPrintable(notice()));
    QCOMPARE(w_->editor()->text(), "a=10\n");
    QVERIFY(!w_->document()->isModified());
    // What comes after all is not made.
    test::rest();
    QCOMPARE(w_->editor()->text(), "a=10\n");
  }

  void whatIsTypedMeanwhileIsSaved() {
    w_->begin("a=1\n", "slow");
    set(&Preferences::formatOnSave);
    caretAt(0, 3);
    WindowFixture::type("0");
    save();
    WindowFixture::type("5");
    QTRY_COMPARE_WITH_TIMEOUT(w_->read("a.cpp"), "a=105\n", 3500);
    // By the late answer, or by the end of patience on a busy machine.
    QTRY_VERIFY2(notice().contains("Saved without being formatted"), qPrintable(notice()));
    QCOMPARE(w_->editor()->text(), "a=105\n");
  }

  void nonsenseIsSavedAsItIs() {
    w_->begin("a=1\n", "overlap");
    set(&Preferences::formatOnSave);
    caretAt(0, 3);
    WindowFixture::type("0");
    save();
    QTRY_COMPARE(w_->read("a.cpp"), "a=10\n");
    QTRY_VERIFY2(notice().contains("two change the same text"), qPrintable(notice()));
  }

  void withoutAServerItIsSavedAtOnce() {
    w_->openProjectWith("a.cpp", "a=1\n");
    set(&Preferences::formatOnSave);
    caretAt(0, 3);
    WindowFixture::type("0");
    save();
    QCOMPARE(w_->read("a.cpp"), "a=10\n");
    QCOMPARE(notice(), "");
  }

  // All of them, though each waits for its server.
  void allAreFormattedAndSaved() {
    w_->write("b.cpp", "b=2\n");
    w_->begin("a=1\n");
    set(&Preferences::formatOnSave);
    caretAt(0, 3);
    WindowFixture::type("0");
    w_->openFile("b.cpp");
    caretAt(0, 3);
    WindowFixture::type("0");
    run("file.saveAll");
    QTRY_COMPARE(w_->read("a.cpp"), "a = 10\n");
    QTRY_COMPARE(w_->read("b.cpp"), "b = 20\n");
  }

  void whatALineBreakEndsIsFormatted() {
    w_->begin("a=1\nb=2\n");
    set(&Preferences::formatOnType);
    caretAt(0, 3);
    WindowFixture::type("x");  // triggers nothing
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->editor()->text(), "a = 1x\n\nb = 2\n");
    QCOMPARE(w_->editor()->caretLine(), 1);
    QStringList characters;
    for (const QJsonValue one : told())
      if (one[u"method"].toString() == "textDocument/onTypeFormatting")
        characters.append(one[u"params"][u"ch"].toString());
    QCOMPARE(characters, QStringList("\n"));
  }

  void typingIsLeftAloneUnlessAskedFor() {
    w_->begin("a=1\n");
    caretAt(0, 3);
    WindowFixture::key(Qt::Key_Return);
    WindowFixture::type(";");
    for (const QJsonValue one : told())
      QVERIFY(one[u"method"].toString() != "textDocument/onTypeFormatting");
    QCOMPARE(w_->editor()->text(), "a=1\n;\n");
  }

  void importsAreOrganized() {
    w_->begin("// top\nimport b\nimport a\nrest\n");
    caretAt(3, 2);
    WindowFixture::key(Qt::Key_O, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE(w_->editor()->text(), "// top\nimport a\nimport b\nrest\n");
    QCOMPARE(w_->editor()->caretLine(), 3);
    WindowFixture::key(Qt::Key_O, Qt::AltModifier | Qt::ShiftModifier);
    QTRY_COMPARE(notice(), "The language server has nothing to do about the imports.");
    run("language.fixAll");
    QTRY_COMPARE(notice(), "The language server has nothing to mend by itself.");
  }

  void theHeaderIsGoneTo_data() {
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("opened");
    QTest::newRow("by the server's word") << "counterpart"
                                          << "a.far.h";
    QTest::newRow("by its name") << ""
                                 << "a.h";
  }
  void theHeaderIsGoneTo() {
    QFETCH(QString, how);
    QFETCH(QString, opened);
    w_->write("a.far.h", "int far;\n");
    w_->write("a.h", "int near;\n");
    w_->begin("int a;\n", how);
    WindowFixture::key(Qt::Key_O, Qt::AltModifier);
    QTRY_COMPARE(w_->document()->title(), opened);
  }

  void withoutAServerItIsTheFileBeside() {
    w_->write("a.hpp", "");
    w_->write("b.h", "");
    w_->openProjectWith("a.cc", "");
    WindowFixture::key(Qt::Key_O, Qt::AltModifier);
    QTRY_COMPARE(w_->document()->title(), "a.hpp");
    WindowFixture::key(Qt::Key_O, Qt::AltModifier);
    QTRY_COMPARE(w_->document()->title(), "a.cc");
    w_->openFile("b.h");
    WindowFixture::key(Qt::Key_O, Qt::AltModifier);
    QTRY_VERIFY(notice().contains("No header or source"));
    QCOMPARE(fileBeside(w_->path("none.txt")), "");
  }

  void clangdFormatsAndKnowsTheHeader() {
    if (QStandardPaths::findExecutable("clangd").isEmpty()) QSKIP("clangd is not installed");
    w_->useInstalledLanguageServers();
    w_->write("inc/a.h", "int  x;\n");
    w_->openProjectWith("a.cpp", "#include \"inc/a.h\"\nint   main( ) {return x;}\n");
    w_->agree();
    set(&Preferences::formatOnSave);
    caretAt(1, 0);
    WindowFixture::type(" ");
    save();
    QTRY_VERIFY_WITH_TIMEOUT(w_->read("a.cpp").contains("int main() { return x; }"), kPatience);
  }

 private:
  void set(bool Preferences::*field) {
    Preferences preferences = w_->parts().settings->get();
    preferences.*field = true;
    w_->parts().settings->set(preferences);
  }
  void save() { WindowFixture::key(Qt::Key_S, Qt::ControlModifier); }
  void run(const char* command) { QVERIFY(w_->parts().commands->run(QLatin1String(command))); }
  void caretAt(int line, int column) { w_->editor()->goToLine(line, column); }
  QString notice() {
    const Banner* banner = w_->parts().notices->find("languageGuide");
    return banner ? banner->text() : QString();
  }
  // What the scripted server was told.
  QJsonArray told() {
    std::optional<QJsonArray> all;
    LanguageClient* client = w_->service()->clientOf(w_->document()->id());
    client->ask("test/told", w_->document()->id(), {},
                [&](const workbench::LanguageAnswer& answer) { all = answer.result.toArray(); });
    (void)QTest::qWaitFor([&] { return all.has_value(); }, kPatience);
    return all.value_or(QJsonArray());
  }

  std::unique_ptr<LanguageWindow> w_;
};

QTEST_MAIN(TestLanguageSaving)
#include "test_language_saving.moc"
