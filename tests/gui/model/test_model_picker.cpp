// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the models for pairing in the real window, with keys and mouse: what is found on this
// computer, what is set up by hand, and what has to be agreed to first.
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/kit/theme.h"
#include "gui/model/model_picker.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "gui/store/resource_paths.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/model/model_window.h"
#include "tests/pairing/scripted_endpoint.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::LocalServers;
using pairing::ModelRoster;
using pairing::ScriptedEndpoint;
using Role = ModelRoster::Role;

namespace {

ScriptedEndpoint::Reply listReply(const QByteArray& body) {
  ScriptedEndpoint::Reply reply;
  reply.pieces = {body};
  reply.headers = {"Content-Type: application/json"};
  return reply;
}

}  // namespace

class TestModelPicker : public QObject, private ModelWindow {
  Q_OBJECT
 private slots:
  void init() { begin(); }
  void cleanup() { end(); }

  void aServersModelIsFoundAndGivenWork() {
    endpoint_->script(listReply(R"({"data":[{"id":"coder:7b","owned_by":"library"}]})"));
    endpoint_->script(
        listReply(R"({"models":[{"name":"coder:7b","details":{"context_length":32768}}]})"));
    open();
    QCOMPARE(status()->text(), QString("pair: no model"));
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY(row("coder:7b").contains("Ollama, this computer, port "));
    QVERIFY2(row("coder:7b").contains("32K context"), qPrintable(row("coder:7b")));
    choose("coder:7b");
    QTRY_COMPARE(picker()->accessibleName(), QString("Work for coder:7b"));
    choose("Fast and Deep");
    QCOMPARE(roster()->inRole(Role::kFast)->address.model, QString("coder:7b"));
    QCOMPARE(roster()->inRole(Role::kDeep)->address.base, endpoint_->base());
    QVERIFY(roster()->choose(pairing::Work::kPlan).endpoint);
    QCOMPARE(status()->text(), QString("pair: coder:7b"));
    // Nothing but lists was asked for.
    for (const auto& request : endpoint_->requests()) QCOMPARE(request.method, QByteArray("GET"));
    // The next time it stands there with its work.
    endpoint_->script(listReply(R"({"data":[{"id":"coder:7b"}]})"));
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY(!row("coder:7b").isEmpty());
    choose("coder:7b");
    choose("Neither");
    QVERIFY(!roster()->inRole(Role::kFast));
    QCOMPARE(status()->text(), QString("pair: no model"));
  }

  void aModelThatWasTaughtNextEditsIsGivenThem() {
    endpoint_->script(listReply(R"({"data":[{"id":"sweep-next-edit-1.5b"}]})"));
    endpoint_->script(listReply("[]"));
    open();
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY2(row("sweep-next-edit-1.5b").contains("next edits"),
                 qPrintable(row("sweep-next-edit-1.5b")));
    choose("sweep-next-edit-1.5b");
    QTRY_COMPARE(picker()->accessibleName(), QString("Work for sweep-next-edit-1.5b"));
    choose("Next Edits");
    QCOMPARE(roster()->inRole(Role::kNextEdit)->address.model, QString("sweep-next-edit-1.5b"));
    QVERIFY(!roster()->inRole(Role::kFast));
    QVERIFY(roster()->chooseForNextEdits().endpoint);
    QVERIFY2(status()->toolTip().contains("Next edits: sweep-next-edit-1.5b, on this computer"),
             qPrintable(status()->toolTip()));
    // That is beside its other work.
    endpoint_->script(listReply(R"({"data":[{"id":"sweep-next-edit-1.5b"}]})"));
    press(Qt::Key_M, kOpenKeys);
    choose("sweep-next-edit-1.5b");
    choose("Fast");
    QVERIFY(roster()->inRole(Role::kFast));
    QVERIFY(roster()->inRole(Role::kNextEdit));
    endpoint_->script(listReply(R"({"data":[{"id":"sweep-next-edit-1.5b"}]})"));
    press(Qt::Key_M, kOpenKeys);
    choose("sweep-next-edit-1.5b");
    choose("Neither");
    QVERIFY(!roster()->inRole(Role::kFast));
    QVERIFY(!roster()->inRole(Role::kNextEdit));
  }

  void aKeyOverrulesWhichModelDoesTheWork() {
    server_->greeting.replace(R"("context":1024)", R"("context":1024,"chat":"chatml")");
    open();
    QTRY_COMPARE(status()->text(), QString("pair: scripted-model"));
    press(Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(roster()->routing(), ModelRoster::Routing::kFast);
    QCOMPARE(status()->text(), QString("pair: scripted-model (fast)"));
    press(Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(roster()->routing(), ModelRoster::Routing::kDeep);
    press(Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(roster()->routing(), ModelRoster::Routing::kByWork);
  }

  void aModelThatOnlyCompletesSaysSo() {
    open();
    QTest::mouseClick(status(), Qt::LeftButton);
    QTRY_VERIFY(row("scripted-model").contains("follows no instructions"));
    choose("scripted-model");
    auto* box = waitFor<QMessageBox>("modelRefused");
    QVERIFY(box);
    QVERIFY2(box->text().startsWith("scripted-model completes code"), qPrintable(box->text()));
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(roster()->models().isEmpty());
  }

  void filesSayWhatTheyAreGoodFor() {
    const QString folder = profile_->filePath(".lmstudio/models/me/mini");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(defaultModelPath(), folder + "/mini.gguf"));
    QFile broken(folder + "/broken.gguf");
    QVERIFY(broken.open(QFile::WriteOnly));
    broken.write("GGUFnonsense");
    broken.close();
    open();
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY_WITH_TIMEOUT(row("me/mini/mini.gguf").contains("completes"), 60000);
    QVERIFY2(row("me/mini/mini.gguf").contains(" free"), qPrintable(row("me/mini/mini.gguf")));
    QVERIFY2(row("me/mini/mini.gguf").contains(" tokens/s here, "),
             qPrintable(row("me/mini/mini.gguf")));
    QVERIFY(!row("me/mini/mini.gguf").contains("follows instructions"));
    QTRY_VERIFY_WITH_TIMEOUT(row("me/mini/broken.gguf").contains("cannot be used"), 60000);
    choose("me/mini/mini.gguf");
    auto* box = waitFor<QMessageBox>("modelRefused");
    QVERIFY(box);
    QVERIFY2(box->text().contains("follows no instructions"), qPrintable(box->text()));
    QTest::keyClick(box, Qt::Key_Return);
  }

  void nothingGoesToAHostBeforeItWasAgreedTo() {
    open();
    press(Qt::Key_M, kOpenKeys);
    choose("Add a Model Behind an Address…");
    auto* dialog = waitFor<QDialog>("endpointDialog");
    QVERIFY(dialog);
    const auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(!ok->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit*>("endpointBase"), "http://api.example.com/v1");
    QTest::keyClicks(dialog->findChild<QComboBox*>("endpointModel")->lineEdit(), "large");
    QTest::keyClicks(dialog->findChild<QLineEdit*>("endpointKey"), "sk-secret");
    QVERIFY(!ok->isEnabled());
    const auto* note = dialog->findChild<QLabel*>("endpointNote");
    QVERIFY2(note->text().contains("not encrypted"), qPrintable(note->text()));
    auto* base = dialog->findChild<QLineEdit*>("endpointBase");
    base->selectAll();
    QTest::keyClicks(base, "https://api.example.com/v1");
    QVERIFY2(note->text().contains("api.example.com"), qPrintable(note->text()));
    QVERIFY(ok->isEnabled());
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_COMPARE(picker()->accessibleName(), QString("Work for large"));
    QCOMPARE(keptText().contains("sk-secret"), false);
    // Return alone agrees to nothing.
    choose("Deep");
    auto* box = waitFor<QMessageBox>("agreeToHost");
    QVERIFY(box);
    QVERIFY2(box->text().contains("api.example.com"), qPrintable(box->text()));
    QTest::keyClick(box, Qt::Key_Return);
    QTRY_VERIFY(!shown<QMessageBox>("agreeToHost"));
    QVERIFY(!roster()->inRole(Role::kDeep));

    press(Qt::Key_M, kOpenKeys);
    choose("large");
    choose("Deep");
    box = waitFor<QMessageBox>("agreeToHost");
    QVERIFY(box);
    QTest::mouseClick(box->findChild<QPushButton*>("agree"), Qt::LeftButton);
    QTRY_VERIFY(roster()->inRole(Role::kDeep));
    const auto choice = roster()->choose(pairing::Work::kPlan);
    QVERIFY(choice.endpoint);
    QCOMPARE(choice.endpoint->address().key, QByteArray("sk-secret"));
    QVERIFY(status()->toolTip().contains("api.example.com"));
    // The key is in no file, and the user is told that it will not be there the next time.
    QCOMPARE(keptText().contains("sk-secret"), false);
    QTRY_VERIFY(noticed("The key for api.example.com is kept until the program ends."));

    press(Qt::Key_M, kOpenKeys);
    choose("Send Nothing More to api.example.com");
    QVERIFY(!roster()->choose(pairing::Work::kPlan).endpoint);
  }

  void theServerListsItsModels() {
    endpoint_->script(listReply("[]"));  // for the picker, which finds no server then
    endpoint_->script(listReply(R"({"data":[{"id":"one"},{"id":"two","max_model_len":4096}]})"));
    open();
    press(Qt::Key_M, kOpenKeys);
    // Replies are given in the order of the requests.
    QTRY_COMPARE(endpoint_->requests().size(), 1);
    choose("Add a Model Behind an Address…");
    auto* dialog = waitFor<QDialog>("endpointDialog");
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit*>("endpointBase"), endpoint_->base().toString());
    QTest::mouseClick(dialog->findChild<QPushButton*>("endpointList"), Qt::LeftButton);
    auto* model = dialog->findChild<QComboBox*>("endpointModel");
    QTRY_COMPARE(model->count(), 2);
    QTest::keyClick(model, Qt::Key_Down);
    QCOMPARE(model->currentText(), QString("two"));
    QCOMPARE(dialog->findChild<QSpinBox*>("endpointContext")->value(), 4096);
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_COMPARE(picker()->accessibleName(), QString("Work for two"));
    choose("Fast");
    QCOMPARE(roster()->inRole(Role::kFast)->contextTokens, 4096);
  }

  // The size of its context may be told by hand, and is kept.
  void theContextIsAField() {
    endpoint_->script(listReply("[]"));  // for the picker
    endpoint_->script(listReply("[]"));
    open();
    press(Qt::Key_M, kOpenKeys);
    QTRY_COMPARE(endpoint_->requests().size(), 1);
    choose("Add a Model Behind an Address…");
    auto* dialog = waitFor<QDialog>("endpointDialog");
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit*>("endpointBase"), endpoint_->base().toString());
    QTest::keyClicks(dialog->findChild<QComboBox*>("endpointModel")->lineEdit(), "one");
    auto* context = dialog->findChild<QSpinBox*>("endpointContext");
    QVERIFY(!context->accessibleName().isEmpty());
    QCOMPARE(context->value(), 0);  // as the server says
    context->setFocus();
    context->selectAll();
    QTest::keyClicks(context, "6000");
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_COMPARE(picker()->accessibleName(), QString("Work for one"));
    choose("Fast");
    QCOMPARE(roster()->inRole(Role::kFast)->contextTokens, 6000);
    press(Qt::Key_M, kOpenKeys);
    QTRY_COMPARE(endpoint_->requests().size(), 2);
    choose("one");
    choose("Change…");
    dialog = waitFor<QDialog>("endpointDialog");
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QSpinBox*>("endpointContext")->value(), 6000);
    QTest::keyClick(dialog, Qt::Key_Escape);
  }

  void theKeyStaysWhenAnotherModelOfTheServerIsChosen() {
    endpoint_->script(listReply("[]"));  // for the picker
    endpoint_->script(listReply("[]"));
    endpoint_->script(listReply(R"({"data":[{"id":"one"},{"id":"two"}]})"));
    open();
    press(Qt::Key_M, kOpenKeys);
    QTRY_COMPARE(endpoint_->requests().size(), 1);
    choose("Add a Model Behind an Address…");
    auto* dialog = waitFor<QDialog>("endpointDialog");
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit*>("endpointBase"), endpoint_->base().toString());
    QTest::keyClicks(dialog->findChild<QComboBox*>("endpointModel")->lineEdit(), "one");
    QTest::keyClicks(dialog->findChild<QLineEdit*>("endpointKey"), "sk-secret");
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_COMPARE(picker()->accessibleName(), QString("Work for one"));
    QVERIFY(!shown<QDialog>("endpointDialog"));
    choose("Fast");
    QCOMPARE(roster()->inRole(Role::kFast)->address.key, QByteArray("sk-secret"));

    press(Qt::Key_M, kOpenKeys);
    QTRY_COMPARE(endpoint_->requests().size(), 2);
    choose("one");
    choose("Change…");
    dialog = waitFor<QDialog>("endpointDialog");
    QVERIFY(dialog);
    // The server is asked with the key that is kept, though the field does not show it.
    QTest::mouseClick(dialog->findChild<QPushButton*>("endpointList"), Qt::LeftButton);
    auto* model = dialog->findChild<QComboBox*>("endpointModel");
    QTRY_COMPARE(model->count(), 2);
    QCOMPARE(endpoint_->requests().last().headers.value("authorization"),
             QByteArray("Bearer sk-secret"));
    model->lineEdit()->selectAll();
    QTest::keyClicks(model->lineEdit(), "two");
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(roster()->inRole(Role::kFast));
    QTRY_COMPARE(roster()->inRole(Role::kFast)->address.model, QString("two"));
    QCOMPARE(roster()->inRole(Role::kFast)->address.key, QByteArray("sk-secret"));
    QCOMPARE(roster()->models().size(), 1);
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
    const QString folder = profile_->filePath(".lmstudio/models/me/mini");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(QFile::copy(defaultModelPath(), folder + "/mini.gguf"));
    endpoint_->script(listReply(
        R"({"data":[{"id":"qwen2.5-coder:7b"},{"id":"a-very-long-name-of-a-model-that-somebody-gave:latest-q4_k_m"}]})"));
    endpoint_->script(listReply(
        R"({"models":[{"name":"qwen2.5-coder:7b","details":{"context_length":32768}}]})"));
    open(QSize(900, 600));
    Theme::instance().apply(theme);
    press(Qt::Key_M, kOpenKeys);
    QTRY_VERIFY_WITH_TIMEOUT(row("me/mini/mini.gguf").contains("completes"), 60000);
    const QString name = pictures + '/' + QTest::currentDataTag();
    QVERIFY(window_->grab().save(name + "-list.png"));
    choose("qwen2.5-coder:7b");
    QVERIFY(window_->grab().save(name + "-work.png"));
    choose("Fast");
    QVERIFY(window_->grab().save(name + "-status.png"));
    press(Qt::Key_M, kOpenKeys);
    choose("Add a Model Behind an Address…");
    auto* dialog = waitFor<QDialog>("endpointDialog");
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit*>("endpointBase"), "https://api.example.com/v1");
    QVERIFY(dialog->grab().save(name + "-dialog.png"));
    dialog->close();
  }
};

QTEST_MAIN(TestModelPicker)
#include "test_model_picker.moc"
