// SPDX-License-Identifier: GPL-3.0-or-later
// Setting up other editors by keys, with the real waferctl and a home of the test's own.
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "gui/kit/theme.h"
#include "gui/model/other_editors_dialog.h"
#include "tests/support/paths.h"

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
    QCOMPARE(settings->problem, (editor::Error{"No.", "Do."}));
    for (const char* bad :
         {"", "7", R"({"client":"a","file":"/f"})", R"({"client":7,"file":"/f"})"})
      QVERIFY2(!readClientSettings(bad), bad);
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

  void whatIsWrongIsToldWithARemedy() {
    open();
    choose("Zed");
    QVERIFY(text().contains("http://127.0.0.1:"));
    QCOMPARE(label("otherNote"), QString());
    press("otherCheck");
    QTRY_COMPARE_WITH_TIMEOUT(label("otherNote"),
                              QString("No waferd of yours runs, so nothing could be asked of it. "
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
    QTest::keyClick(dialog_.get(), Qt::Key_Escape);
    QVERIFY(!dialog_->isVisible());
    dialog_.reset();
  }

  void aProgramThatIsNotThereIsNamed() {
    dialog_ = std::make_unique<OtherEditorsDialog>("/nowhere/waferctl", nullptr);
    dialog_->show();
    QTRY_VERIFY(label("otherNote").contains("/nowhere/waferctl could not be started"));
    QVERIFY(!dialog_->findChild<QPushButton*>("otherCopy")->isEnabled());
  }

  void itFitsASmallWindow() {
    open();
    choose("Zed");
    dialog_->resize(480, 420);
    QCOMPARE(dialog_->width(), 480);
    for (const char* name : {"otherCopy", "otherWrite", "otherCheck"}) {
      const auto* button = dialog_->findChild<QPushButton*>(name);
      const QRect at(button->mapTo(dialog_.get(), QPoint()), button->size());
      QVERIFY2(dialog_->rect().contains(at), name);
    }
    if (const QByteArray pictures = qgetenv("WAFERPAIR_PICTURES"); !pictures.isEmpty()) {
      QTest::qWait(50);
      dialog_->grab().save(QString::fromLocal8Bit(pictures) + "/other-small.png");
      dialog_->resize(680, 520);
      QTest::qWait(50);
      dialog_->grab().save(QString::fromLocal8Bit(pictures) + "/other.png");
    }
  }

 private:
  void open() {
    dialog_ = std::make_unique<OtherEditorsDialog>(
        QString::fromStdString(test::programDir()) + "/waferctl", nullptr);
    dialog_->show();
    dialog_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog_.get()));
    QTRY_VERIFY_WITH_TIMEOUT(!text().isEmpty(), 30'000);
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
