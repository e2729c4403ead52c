// SPDX-License-Identifier: GPL-3.0-or-later
// Getting a model in the real window, with keys and mouse, from a hub that behaves as Hugging
// Face's: nothing is asked before the user says so, and what has been fetched is put to use.
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QtTest>

#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/theme.h"
#include "gui/model/model_getter.h"
#include "gui/model/pairing_models.h"
#include "gui/store/resource_paths.h"
#include "pairing/downloads/hub_folder.h"
#include "tests/gui/model/model_window.h"
#include "tests/pairing/downloads/scripted_hub.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::ModelRoster;
using pairing::ScriptedHub;
using Role = ModelRoster::Role;

namespace {

// An entry of the list that comes with the program.
const QString kSmall = QStringLiteral("Qwen2.5-Coder 0.5B Instruct");
const QString kSmallRepository = QStringLiteral("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF");

}  // namespace

class TestModelGetter : public QObject, private ModelWindow {
  Q_OBJECT
 private slots:
  void init() {
    begin();
    for (const char* variable :
         {"HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_OFFLINE"})
      qunsetenv(variable);
    hub_ = std::make_unique<ScriptedHub>();
    QFile model(defaultModelPath());
    QVERIFY(model.open(QFile::ReadOnly));
    hub_->setFile(model.readAll());
    qputenv("HF_ENDPOINT", hub_->base().toString().toUtf8());
  }
  void cleanup() {
    end();
    hub_.reset();
    qunsetenv("HF_ENDPOINT");
  }

  void nothingIsAskedBeforeTheUserSaysSo() {
    open();
    openList();
    QVERIFY2(row(kSmall).contains("fills in, follows instructions"), qPrintable(row(kSmall)));
    QVERIFY2(row(kSmall).contains("4 GB of memory"), qPrintable(row(kSmall)));
    QVERIFY2(row(kSmall).contains("Apache 2.0"), qPrintable(row(kSmall)));
    choose(kSmall);
    auto* box = waitFor<QMessageBox>("agreeToHub");
    QVERIFY(box);
    const QString host = hub_->base().authority();
    QVERIFY2(box->text().contains(host), qPrintable(box->text()));
    // Return alone agrees to nothing.
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!shown<QMessageBox>("agreeToHub"));
    test::rest();
    QCOMPARE(hub_->requests().size(), 0);
    QVERIFY(!shown<QDialog>("getModelDialog"));

    agreeTo(kSmall);
    auto* dialog = waitFor<QDialog>("getModelDialog");
    QVERIFY(dialog);
    QTRY_COMPARE(hub_->requests().size(), 1);
    QTRY_VERIFY(label(dialog, "getModelSize").contains("coder-q8_0.gguf"));
    // Still nothing is fetched.
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!shown<QDialog>("getModelDialog"));
    QCOMPARE(hub_->requests().size(), 1);
    QVERIFY(keptText().contains(host.toUtf8()));
    // That models may be asked for says nothing of text.
    QVERIFY(window_->parts().modelPicker);
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY(!row(QStringLiteral("Ask %1 for No More Models").arg(host)).isEmpty());
    QVERIFY(row(QStringLiteral("Send Nothing More to %1").arg(host)).isEmpty());
    choose(QStringLiteral("Ask %1 for No More Models").arg(host));
    openList();
    // Its size is known by now.
    QVERIFY2(row(kSmall).contains("needs about"), qPrintable(row(kSmall)));
    choose(kSmall);
    box = waitFor<QMessageBox>("agreeToHub");
    QVERIFY(box);
    QTest::keyClick(box, Qt::Key_Escape);
  }

  void aModelIsFetchedAndPutToUse() {
    open();
    fetch(kSmall);
    QTRY_VERIFY_WITH_TIMEOUT(noticed(kSmall + " is here: completes"), 60000);
    QVERIFY(!window_->findChild<QToolButton*>("downloadStatus")->isVisible());
    const pairing::HubFolder folder(profile_->filePath("xdg/cache/huggingface/hub"),
                                    kSmallRepository);
    const QString path = folder.snapshot(ScriptedHub::commit(), "coder-q8_0.gguf");
    QVERIFY(QFileInfo(path).isFile());
    // The default model completes only: it is not offered for questions.
    Banner* banner = window_->parts().notices->find("modelFetch");
    QVERIFY(!banner->findChild<QPushButton*>("fetchedFast"));
    const QSignalSpy tried(runtime_.get(), &RuntimeService::modelChosen);
    auto* suggest = banner->findChild<QPushButton*>("fetchedSuggest");
    QVERIFY(suggest);
    suggest->setFocus();
    QTest::keyClick(suggest, Qt::Key_Space);
    QTRY_COMPARE(tried.size(), 1);
    QCOMPARE(tried[0][0].toString(), QFileInfo(path).canonicalFilePath());
    // The list of models on this computer has it, the list of models to get says that it is here.
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY(!row(kSmallRepository + "/coder-q8_0.gguf").isEmpty());
    QVERIFY(row(kSmallRepository + "/coder-q8_0.gguf").startsWith("Hugging Face"));
    choose("Get a Model…");
    QTRY_COMPARE(hint(kSmall), QString("is here"));
    const int before = hub_->requests().size();
    window_->parts().notices->remove("modelFetch");
    choose(kSmall);
    QTRY_VERIFY_WITH_TIMEOUT(noticed(kSmall + " is here"), 60000);
    QCOMPARE(hub_->requests().size(), before);
  }

  void aDownloadShowsHowFarItIsAndIsStoppedByKeys() {
    hub_->script({.stallAfter = 100'000});
    open();
    fetch(kSmall);
    auto* status = window_->findChild<QToolButton*>("downloadStatus");
    QTRY_VERIFY(status->isVisible());
    QTRY_VERIFY2(status->text().startsWith("getting " + kSmall), qPrintable(status->text()));
    QTRY_VERIFY2(status->toolTip().contains("100 kB of"), qPrintable(status->toolTip()));
    QCOMPARE(status->accessibleName(), status->text());
    // One after another.
    openList();
    QVERIFY(!row("Stop Getting " + kSmall).isEmpty());
    choose("Qwen3 4B");
    auto* box = waitFor<QMessageBox>("getModelRefused");
    QVERIFY(box);
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!shown<QMessageBox>("getModelRefused"));

    window_->activateWindow();
    status->setFocus();
    QTest::keyClick(status, Qt::Key_Space);
    choose("Stop");
    QTRY_VERIFY(noticed("100 kB of"));
    QVERIFY(!status->isVisible());
    openList();
    QTRY_COMPARE(hint(kSmall), QString("100 kB have come"));
    press(Qt::Key_Escape, Qt::NoModifier);

    Banner* banner = window_->parts().notices->find("modelFetch");
    QTest::mouseClick(banner->findChild<QPushButton*>("fetchGoOn"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(noticed(kSmall + " is here"), 60000);
    QCOMPARE(hub_->lastFileRequest().headers.value("range"), QByteArray("bytes=100000-"));
  }

  void whatHasComeIsRemovedOnTheUsersWord() {
    hub_->script({.stallAfter = 100'000});
    open();
    fetch(kSmall);
    auto* status = window_->findChild<QToolButton*>("downloadStatus");
    QTRY_VERIFY(status->toolTip().contains("100 kB of"));
    QTest::mouseClick(status, Qt::LeftButton);
    choose("Stop");
    QTRY_VERIFY(noticed("are kept"));
    Banner* banner = window_->parts().notices->find("modelFetch");
    QTest::mouseClick(banner->findChild<QPushButton*>("fetchRemove"), Qt::LeftButton);
    openList();
    QCOMPARE(hint(kSmall), QString());
    const pairing::HubFolder folder(profile_->filePath("xdg/cache/huggingface/hub"),
                                    kSmallRepository);
    QVERIFY(folder.unfinished().isEmpty());
  }

  void whatTheProgramsEndInterruptedIsGoneOnWith() {
    hub_->script({.stallAfter = 100'000});
    open();
    fetch(kSmall);
    QTRY_VERIFY(
        window_->findChild<QToolButton*>("downloadStatus")->toolTip().contains("100 kB of"));
    end();
    open();
    openList();
    QCOMPARE(hint(kSmall), QString("100 kB have come"));
    choose(kSmall);
    auto* dialog = waitFor<QDialog>("getModelDialog");
    QVERIFY(dialog);
    get(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(noticed(kSmall + " is here"), 60000);
    QCOMPARE(hub_->lastFileRequest().headers.value("range"), QByteArray("bytes=100000-"));
  }

  void whatGoesWrongIsSaidWithARemedy() {
    hub_->script({.status = 404});
    open();
    fetch(kSmall);
    QTRY_VERIFY(noticed("was not fetched"));
    QVERIFY(noticed("Choose another model."));
    Banner* banner = window_->parts().notices->find("modelFetch");
    QTest::mouseClick(banner->findChild<QPushButton*>("fetchGoOn"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(noticed(kSmall + " is here"), 60000);
  }

  void aWrongFileIsSaid() {
    QByteArray wrong = hub_->file();
    wrong[wrong.size() / 2] = static_cast<char>(wrong[wrong.size() / 2] + 1);
    hub_->script({.bytes = wrong});
    open();
    fetch(kSmall);
    QTRY_VERIFY(noticed("SHA-256"));
    openList();
    QCOMPARE(hint(kSmall), QString());
  }

  void aHubThatRefusesIsSaidInTheDialog() {
    hub_->refuseQuestions(401, {"X-Error-Code: GatedRepo"});
    open();
    openList();
    agreeTo(kSmall);
    auto* dialog = waitFor<QDialog>("getModelDialog");
    QVERIFY(dialog);
    QTRY_VERIFY(label(dialog, "getModelNote").contains("agreed to its license"));
    QVERIFY(!dialog->findChild<QPushButton*>("getModelGet")->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Escape);
  }

  void anEnvironmentThatForbidsItIsSaid() {
    qputenv("HF_HUB_OFFLINE", "1");
    open();
    openList();
    choose(kSmall);
    auto* box = waitFor<QMessageBox>("getModelRefused");
    QVERIFY(box);
    QVERIFY2(box->text().contains("HF_HUB_OFFLINE"), qPrintable(box->text()));
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(hub_->requests().size(), 0);
  }

  // Where nothing follows instructions, both ways to a model are offered.
  void askAndEditLeadHere() {
    open();
    press(Qt::Key_L, Qt::ControlModifier);
    auto* get = window_->findChild<QPushButton*>("askGetModel");
    QTRY_VERIFY(get->isVisible());
    QVERIFY(window_->findChild<QPushButton*>("askChooseModel")->isVisible());
    get->setFocus();
    QTest::keyClick(get, Qt::Key_Space);
    QTRY_COMPARE(picker()->accessibleName(), QString("Models to get"));
    press(Qt::Key_Escape, Qt::NoModifier);
    press(Qt::Key_N, Qt::ControlModifier);
    press(Qt::Key_K, Qt::ControlModifier);
    auto* getForEdit = window_->findChild<QPushButton*>("editGetModel");
    QVERIFY(getForEdit);
    QTRY_VERIFY(getForEdit->isVisible());
    QVERIFY(window_->findChild<QPushButton*>("editChooseModel")->isVisible());
    QTest::mouseClick(getForEdit, Qt::LeftButton);
    QTRY_COMPARE(picker()->accessibleName(), QString("Models to get"));
  }

  // Pictures for whoever wants to look: WAFERPAIR_PICTURES names a folder.
  void itLooksAsItShould_data() {
    QTest::addColumn<ThemeKind>("theme");
    QTest::newRow("dark") << ThemeKind::kDark;
    QTest::newRow("light") << ThemeKind::kLight;
  }
  void itLooksAsItShould() {
    const QString pictures = qEnvironmentVariable("WAFERPAIR_PICTURES");
    if (pictures.isEmpty()) QSKIP("WAFERPAIR_PICTURES names no folder");
    QFETCH(ThemeKind, theme);
    hub_->script({.stallAfter = 2'000'000});
    open(QSize(900, 600));
    Theme::instance().apply(theme);
    const QString name = pictures + "/get-" + QTest::currentDataTag();
    openList();
    QVERIFY(window_->grab().save(name + "-list.png"));
    choose(kSmall);
    auto* box = waitFor<QMessageBox>("agreeToHub");
    QVERIFY(box->grab().save(name + "-agree.png"));
    QTest::mouseClick(box->findChild<QPushButton*>("agree"), Qt::LeftButton);
    auto* dialog = waitFor<QDialog>("getModelDialog");
    QTRY_VERIFY(dialog->findChild<QPushButton*>("getModelGet")->isEnabled());
    QVERIFY(dialog->grab().save(name + "-dialog.png"));
    get(dialog);
    auto* status = window_->findChild<QToolButton*>("downloadStatus");
    QTRY_VERIFY(status->toolTip().contains("MB of"));
    test::rest();
    QVERIFY(window_->grab().save(name + "-status.png"));
    QTest::mouseClick(status, Qt::LeftButton);
    QVERIFY(window_->grab().save(name + "-stop.png"));
    choose("Stop");
    QTRY_VERIFY(noticed("are kept"));
    QVERIFY(window_->grab().save(name + "-stopped.png"));
    QTest::mouseClick(
        window_->parts().notices->find("modelFetch")->findChild<QPushButton*>("fetchGoOn"),
        Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(noticed(kSmall + " is here"), 60000);
    press(Qt::Key_N, Qt::ControlModifier);
    press(Qt::Key_L, Qt::ControlModifier);
    QTRY_VERIFY(window_->findChild<QPushButton*>("askGetModel")->isVisible());
    window_->parts().tabs->current()->setFocus();
    press(Qt::Key_K, Qt::ControlModifier);
    test::rest();
    QVERIFY(window_->grab().save(name + "-here.png"));
  }

 private:
  void openList() {
    press(Qt::Key_M, kOpenKeys);
    choose("Get a Model…");
    QTRY_COMPARE(picker()->accessibleName(), QString("Models to get"));
  }
  // Opens the list unless it is open, and says that the hub may be asked.
  void agreeTo(const QString& model) {
    if (!picker()->isOpen()) openList();
    choose(model);
    auto* box = waitFor<QMessageBox>("agreeToHub");
    QVERIFY(box);
    QTest::mouseClick(box->findChild<QPushButton*>("agree"), Qt::LeftButton);
  }
  static void get(QDialog* dialog) {
    QTRY_VERIFY(dialog->findChild<QPushButton*>("getModelGet")->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Return);
  }
  void fetch(const QString& model) {
    agreeTo(model);
    auto* dialog = waitFor<QDialog>("getModelDialog");
    QVERIFY(dialog);
    get(dialog);
    QTRY_VERIFY(!shown<QDialog>("getModelDialog"));
  }
  static QString label(const QDialog* dialog, const char* name) {
    return dialog->findChild<QLabel*>(name)->text();
  }

  std::unique_ptr<ScriptedHub> hub_;
};

QTEST_MAIN(TestModelGetter)
#include "test_model_getter.moc"
