// SPDX-License-Identifier: GPL-3.0-or-later
// Setting up other editors by keys, with the real waferctl and a home of the test's own.
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "gui/kit/theme.h"
#include "gui/model/other_editors_dialog.h"
#include "tests/gui/model/model_window.h"
#include "tests/support/paths.h"
#include "tests/support/rest.h"

namespace waferpair::gui {

class TestOtherEditors : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::instance().apply(Look{}); }
  void init() {
    home_ = std::make_unique<QTemporaryDir>();
    qputenv("HOME", home_->path().toUtf8());
    qputenv("XDG_RUNTIME_DIR", home_->path().toUtf8());
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "CODEX_HOME"})
      qunsetenv(name);
  }
  void cleanup() {
    dialog_.reset();
    home_.reset();
  }

  void answersAreReadAndOthersAreNot() {
    const auto clients = readOtherClients(R"({"clients":[{"name":"zed","title":"Zed"}]})");
    QVERIFY(clients);
    QCOMPARE(*clients, QVector<OtherClient>({{"zed", "Zed"}}));
    for (const char* bad :
         {"", "[]", R"({"clients":[]})", R"({"clients":[{"name":"zed"}]})", R"({"clients":7})"})
      QVERIFY2(!readOtherClients(bad), bad);
    const auto settings = readClientSettings(
        R"({"client":"a","file":"/f","text":"t","use":"u","written":false,"check":"c",
            "problem":{"message":"No.","remedy":"Do."}})");
    QVERIFY(settings);
    QCOMPARE(settings->written, std::optional(false));
    QVERIFY(!settings->replaces);
    QVERIFY(
        readClientSettings(R"({"client":"a","file":"/f","text":"t","replaces":true})")->replaces);
    QCOMPARE(settings->problem, (editor::Error{"No.", "Do."}));
    for (const char* bad :
         {"", "7", R"({"client":"a","file":"/f"})", R"({"client":7,"file":"/f"})"})
      QVERIFY2(!readClientSettings(bad), bad);
  }

  // In a window as narrow as they come, from the list of commands to the settings and back.
  void theCommandOpensItInASmallWindow() {
    ModelWindow window;
    window.begin();
    window.open(QSize(640, 480));
    window.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* input = ModelWindow::waitFor<QLineEdit>("pickerInput");
    QTest::keyClicks(input ? input : QApplication::focusWidget(), "useotheredit");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QPointer<OtherEditorsDialog> dialog =
        ModelWindow::waitFor<OtherEditorsDialog>("otherEditorsDialog");
    QVERIFY(dialog);
    QTRY_COMPARE_WITH_TIMEOUT(dialog->settings().client, QString("codex"), 30'000);
    QVERIFY2(dialog->width() <= 640, qPrintable(QString::number(dialog->width())));
    QTest::keyClick(dialog.data(), Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
    window.end();
  }

  void settingsAreShownAndCopied() {
    open();
    QCOMPARE(client()->itemText(0), QString("Codex"));
    choose("Helix");
    QCOMPARE(label("otherFile"), home_->filePath(".config/helix/languages.toml"));
    QVERIFY(text().contains("[language-server.waferpair]\ncommand = \"" +
                            QString::fromStdString(test::programDir()) + "/waferctl\"\n"));
    QVERIFY(label("otherUse").contains("language-servers"));
    QCOMPARE(label("otherNote"), QString());
    press("otherCopy");
    QCOMPARE(QGuiApplication::clipboard()->text(), text());
  }

  void theFileIsWrittenOnceAsked() {
    open();
    choose("Helix");
    const QString path = label("otherFile");
    press("otherWrite");
    auto* question = dialog_->findChild<QMessageBox*>("otherWriteQuestion");
    QVERIFY(question);
    QVERIFY(question->text().contains(path));
    QCOMPARE(question->informativeText(),
             QString("There is no such file yet. It is made so that only you can read it."));
    QTest::keyClick(question, Qt::Key_Escape);
    QVERIFY(!QFile::exists(path));
    QTRY_VERIFY(!dialog_->findChild<QMessageBox*>("otherWriteQuestion"));
    write();
    QTRY_COMPARE_WITH_TIMEOUT(label("otherNote"), path + " is written.", 30'000);
    QFile file(path);
    QVERIFY(file.open(QFile::ReadOnly));
    QVERIFY(QString::fromUtf8(file.readAll()).contains(text().trimmed()));
    write();
    QTRY_COMPARE_WITH_TIMEOUT(label("otherNote"), path + " has it already.", 30'000);
  }

  // What the question promises is what becomes of the file.
  void aFileThatIsThereIsKeptBesideIt_data() {
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("fate");
    QTest::addColumn<bool>("stays");
    QTest::newRow("replaced") << "Vim with llama.vim"
                              << ".vim/plugin/waferpair.vim"
                              << "They replace all that is in the file." << false;
    QTest::newRow("added to") << "Helix"
                              << ".config/helix/languages.toml"
                              << "What else is in the file stays." << true;
  }
  void aFileThatIsThereIsKeptBesideIt() {
    QFETCH(QString, title);
    QFETCH(QString, path);
    QFETCH(QString, fate);
    QFETCH(bool, stays);
    const QString file = home_->filePath(path);
    QVERIFY(QDir().mkpath(QFileInfo(file).path()));
    const QByteArray before = "# mine\n";
    writeTo(file, before);
    open();
    choose(title);
    press("otherWrite");
    auto* question = dialog_->findChild<QMessageBox*>("otherWriteQuestion");
    QVERIFY(question);
    QCOMPARE(question->informativeText(),
             fate + " The file as it is now is kept beside it, ending with “.before-waferpair”.");
    QTest::keyClick(question->button(QMessageBox::Save), Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(label("otherNote"), file + " is written.", 30'000);
    QCOMPARE(contentOf(file + ".before-waferpair"), before);
    QCOMPARE(contentOf(file).startsWith(before), stays);
    QVERIFY(contentOf(file).contains(text().trimmed().toUtf8()));
  }

  // Settings never stand under another client's name.
  void settingsOfTheClientBeforeDoNotStay() {
    const QString program = home_->filePath("waferctl");
    writeTo(program,
            "#!/bin/sh\n"
            "case \"$2\" in\n"
            "--json) echo '{\"clients\":[{\"name\":\"a\",\"title\":\"Able\"},"
            "{\"name\":\"b\",\"title\":\"Baker\"},{\"name\":\"c\",\"title\":\"Charlie\"}]}';;\n"
            "a) echo '{\"client\":\"a\",\"file\":\"/a\",\"text\":\"for a\",\"use\":\"Type.\"}';;\n"
            "b) until [ -e \"$HOME/go\" ]; do sleep 0.05; done\n"
            "echo '{\"client\":\"b\",\"file\":\"/b\",\"text\":\"for b\",\"use\":\"Type.\"}';;\n"
            "*) echo 'HOME names no folder.' >&2; exit 1;;\n"
            "esac\n");
    QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    open(program);
    QCOMPARE(text(), QString("for a"));
    QTest::keyClick(client(), Qt::Key_Down);  // it takes its time
    QCOMPARE(client()->currentText(), QString("Baker"));
    QTRY_COMPARE(text(), QString());
    QCOMPARE(label("otherFile"), QString());
    QCOMPARE(label("otherUse"), QString());
    QCOMPARE(label("otherNote"), QString("waferd is being asked for its model…"));
    QVERIFY(!dialog_->findChild<QPushButton*>("otherCopy")->isEnabled());
    QTest::keyClick(client(), Qt::Key_Up);
    QTRY_COMPARE(text(), QString("for a"));
    QCOMPARE(label("otherNote"), QString());
    QTest::keyClick(client(), Qt::Key_Down);
    QTRY_COMPARE(label("otherNote"), QString("waferd is being asked for its model…"));
    writeTo(home_->filePath("go"), {});
    QTRY_COMPARE(text(), QString("for b"));
    QCOMPARE(label("otherNote"), QString());  // nobody is asked any more
    QTest::keyClick(client(), Qt::Key_End);   // it fails
    QTRY_VERIFY(label("otherNote").startsWith("HOME names no folder."));
    QCOMPARE(text(), QString());
    QCOMPARE(label("otherFile"), QString());
    QVERIFY(!dialog_->findChild<QPushButton*>("otherWrite")->isEnabled());
    for (const bool isDark : {true, false}) {
      Theme::instance().apply(Look{.isDark = isDark, .colors = {}});
      QCOMPARE(note()->palette().color(QPalette::WindowText), Theme::instance().colors().warning);
    }
  }

  void whatIsWrongIsToldWithARemedy() {
    open();
    choose("Zed");
    QVERIFY(text().contains("http://127.0.0.1:"));
    QCOMPARE(label("otherNote"), QString());
    press("otherCheck");
    QTRY_COMPARE_WITH_TIMEOUT(label("otherNote"),
                              QString("No waferd of yours runs, so nothing could be asked of it.\n"
                                      "Open Waferpair, or start one: waferd --model FILE."),
                              30'000);
    QCOMPARE(note()->accessibleDescription(), note()->text());
    QVERIFY(dialog_->findChild<QPushButton*>("otherCheck")->isEnabled());
  }

  // The language server finds or starts a model server, and its suggestion is the outcome.
  void aRequestShowsThatItWorks() {
    open();
    choose("Helix");
    press("otherCheck");
    QVERIFY(!dialog_->findChild<QPushButton*>("otherCheck")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(dialog_->findChild<QPushButton*>("otherCheck")->isEnabled(), 60'000);
    QVERIFY2(dialog_->settings().problem.what.isEmpty(),
             qPrintable(dialog_->settings().problem.message()));
    QVERIFY(!label("otherNote").isEmpty());
    QCOMPARE(label("otherNote"), dialog_->settings().check);
  }

  void itCanBeClosedWhileItAsks() {
    open();
    choose("Helix");
    press("otherCheck");
    const auto isBegun = [this] {
      return processes().filter("waferctl lsp").size() == 1 &&
             !processes().filter("waferd ").isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isBegun(), 30'000);
    QTest::keyClick(dialog_.get(), Qt::Key_Escape);
    QVERIFY(!dialog_->isVisible());
    dialog_.reset();
    // Neither the language server nor the model server that it started is left behind.
    QTRY_COMPARE_WITH_TIMEOUT(processes(), QStringList(), 30'000);
  }

  void aProgramThatIsNotThereIsNamed() {
    dialog_ = std::make_unique<OtherEditorsDialog>("/nowhere/waferctl", nullptr);
    dialog_->show();
    QTRY_VERIFY(label("otherNote").contains("/nowhere/waferctl could not be started"));
    QVERIFY(!dialog_->findChild<QPushButton*>("otherCopy")->isEnabled());
  }

  void itFitsASmallWindow() {
    const QString longName = home_->filePath(QString(80, QLatin1Char('n')));
    QVERIFY(QDir().mkpath(longName));
    qputenv("HOME", longName.toUtf8());
    open();
    choose("Zed");
    dialog_->resize(480, 420);
    QCOMPARE(dialog_->width(), 480);
    QCOMPARE(dialog_->findChild<QLabel*>("otherFile")->toolTip(), label("otherFile"));
    for (const char* name : {"otherCopy", "otherWrite", "otherCheck"}) {
      const auto* button = dialog_->findChild<QPushButton*>(name);
      const QRect at(button->mapTo(dialog_.get(), QPoint()), button->size());
      QVERIFY2(dialog_->rect().contains(at), name);
    }
    if (const QByteArray pictures = qgetenv("WAFERPAIR_PICTURES"); !pictures.isEmpty()) {
      test::rest();
      const QString folder = QString::fromLocal8Bit(pictures);
      dialog_->grab().save(folder + "/other-small.png");
      press("otherCheck");
      QTRY_VERIFY_WITH_TIMEOUT(dialog_->findChild<QPushButton*>("otherCheck")->isEnabled(), 30'000);
      dialog_->resize(620, 520);
      for (const bool isDark : {false, true}) {
        Theme::instance().apply(Look{.isDark = isDark, .colors = {}});
        test::rest();
        dialog_->grab().save(folder + (isDark ? "/other-dark.png" : "/other-light.png"));
      }
      press("otherWrite");
      test::rest();
      dialog_->findChild<QMessageBox*>("otherWriteQuestion")
          ->grab()
          .save(folder + "/other-question.png");
    }
  }

 private:
  void open(const QString& program = QString::fromStdString(test::programDir()) + "/waferctl") {
    dialog_ = std::make_unique<OtherEditorsDialog>(program, nullptr);
    dialog_->show();
    dialog_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog_.get()));
    QTRY_VERIFY_WITH_TIMEOUT(!text().isEmpty(), 30'000);
  }
  static void writeTo(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QFile::WriteOnly));
    QCOMPARE(file.write(text), text.size());
  }
  static QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
  }
  // The command lines of programs that were given this test's home.
  QStringList processes() const {
    const QByteArray mine = "HOME=" + home_->path().toUtf8();
    QStringList lines;
    for (const QString& id : QDir("/proc").entryList(QDir::Dirs)) {
      if (!contentOf("/proc/" + id + "/environ").split('\0').contains(mine)) continue;
      lines.append(QString::fromUtf8(contentOf("/proc/" + id + "/cmdline").replace('\0', ' ')));
    }
    return lines;
  }
  QComboBox* client() const { return dialog_->findChild<QComboBox*>("otherClient"); }
  QLabel* note() const { return dialog_->findChild<QLabel*>("otherNote"); }
  QString label(const char* name) const { return dialog_->findChild<QLabel*>(name)->text(); }
  QString text() const { return dialog_->findChild<QPlainTextEdit*>("otherText")->toPlainText(); }
  void choose(const QString& title) {
    client()->setFocus();
    for (int i = 0; i < client()->count() && client()->currentText() != title; ++i)
      QTest::keyClick(client(), Qt::Key_Down);
    QCOMPARE(client()->currentText(), title);
    QTRY_COMPARE_WITH_TIMEOUT(dialog_->settings().client, client()->currentData().toString(),
                              30'000);
  }
  void press(const char* name) {
    auto* button = dialog_->findChild<QPushButton*>(name);
    QTRY_VERIFY(button->isEnabled());
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
  }
  void write() {
    press("otherWrite");
    auto* question = dialog_->findChild<QMessageBox*>("otherWriteQuestion");
    QVERIFY(question);
    QTest::keyClick(question->button(QMessageBox::Save), Qt::Key_Space);
    QTRY_VERIFY(!dialog_->findChild<QMessageBox*>("otherWriteQuestion"));
  }

  std::unique_ptr<QTemporaryDir> home_;
  std::unique_ptr<OtherEditorsDialog> dialog_;
};

}  // namespace waferpair::gui

QTEST_MAIN(waferpair::gui::TestOtherEditors)
#include "test_other_editors.moc"
