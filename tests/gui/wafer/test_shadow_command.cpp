// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing a shadow in the real window, with keys and mouse; a scripted server places it.
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QtTest>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/model/runtime_memory.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "gui/wafer/wafer_dock.h"
#include "tests/gui/client/scripted_server.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

namespace {

const char kShapes[] = R"({"type":"shadow.shapes","shapes":[
  {"name":"llama-3.1-8b","parameters":8030000000,"wafers":1,"guess":false,"source":"s"},
  {"name":"llama-3.1-70b","parameters":70550000000,"wafers":4,"guess":false,"source":"s"},
  {"name":"codex-spark-guess","parameters":117000000000,"wafers":7,"guess":true,"source":"s"}]})";
const char kChanged[] = R"({"type":"shadow.changed","shadow":{"model":"llama-3.1-70b",
  "parameters":70550000000,"wafers":4,"context":8192,"tokens_per_second":1234.5}})";
const char kLayout[] = R"({"type":"telemetry.layout","layout":{"machine":"wse3","profile":"p",
  "model":"llama-3.1-70b","shadow_of":"scripted-model","clock_hz":1.1e9,"wafers":2,
  "fabric_width":762,"fabric_height":1172,"die_columns":12,"die_rows":7,"sram_per_pe":49152,
  "regions":[{"name":"a","wafer":0,"x":0,"y":0,"width":64,"height":64,
    "sram":{"code":0,"weights":0,"kv_cache":0,"activations":0,"free":49152}},
   {"name":"b","wafer":1,"x":0,"y":0,"width":64,"height":64,
    "sram":{"code":0,"weights":0,"kv_cache":0,"activations":0,"free":49152}}],
  "ops":[{"name":"o","region":0,"layer":0}]}})";

}  // namespace

class TestShadowCommand : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    if (qEnvironmentVariableIsSet("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"))
      QTRY_VERIFY(QAccessible::isActive());
    useProfile(profile_.path());
  }
  void init() {
    QFile::remove(AppPaths::forUser().config + "/settings.json");
    server_ = std::make_unique<ScriptedServer>();
    server_->onMessage = [this](const QJsonObject& message) {
      if (message["type"] == "shadow.list") server_->sendText(kShapes);
      if (message["type"] == "shadow.clear")
        server_->sendText(R"({"type":"shadow.changed","shadow":null})");
    };
    runtime_ =
        std::make_unique<RuntimeService>(RuntimeCommand{server_->program(), "/models/m.gguf"});
    window_ = std::make_unique<MainWindow>(AppPaths::forUser(), runtime_.get());
    window_->resize(1440, 900);  // room for the wafer view, also on a small virtual screen
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QVERIFY(!command()->isEnabled());
    window_->start({});
    QTRY_COMPARE(runtime_->state(), RuntimeService::State::kReady);
    QTRY_COMPARE(runtime_->shadow()->shapes().size(), 3);
    QVERIFY(command()->isEnabled());
  }
  void cleanup() {
    window_.reset();
    runtime_.reset();
    server_.reset();
  }

  void itIsChosenWithKeysAndEndedWithTheMouse() {
    openPicker();
    auto* list = window_->findChild<QListView*>("pickerList");
    QCOMPARE(list->model()->rowCount(), 5);  // none, three shapes, a file
    QVERIFY(!list->accessibleName().isEmpty() ||
            !QApplication::focusWidget()->accessibleName().isEmpty());
    QTest::keyClicks(QApplication::focusWidget(), "70b");
    QCOMPARE(list->model()->rowCount(), 1);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(server_->messagesOf("shadow.set").size(), 1);
    QCOMPARE(server_->messagesOf("shadow.set")[0]["shape"].toString(), QString("llama-3.1-70b"));
    QTRY_COMPARE(band()->accessibleName(), QString("Placing llama-3.1-70b on wafers…"));
    QVERIFY(band()->isVisible());

    server_->sendText(kChanged);
    server_->sendText(kLayout);
    view::WaferView* view = window_->parts().waferDock->panel()->view();
    QTRY_VERIFY(view->hasLayout());
    QCOMPARE(band()->accessibleName(), QString("Shadow of llama-3.1-70b. Its placement and cycles, "
                                               "scripted-model's text."));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_BracketRight);
    QCOMPARE(view->wafer(), 1);
    // The status bar says whose figure it shows.
    server_->sendText(
        R"({"type":"completion.done","id":1,"version":1,"offset":0,"reason":"cancelled",
        "timings":{"host":{},"wafer":{"tokens_per_second":90000},
          "shadow":{"model":"llama-3.1-70b","tokens_per_second":1234,"machine":"wse3",
                    "profile":"p","clock_hz":1.1e9}}})");
    auto* rate = window_->findChild<QLabel*>("waferRateStatus");
    QTRY_COMPARE(rate->text(), QString("1,234 tokens/s shadow"));
    QVERIFY(rate->toolTip().contains("llama-3.1-70b"));

    auto* end = window_->findChild<QWidget*>("endShadow");
    QVERIFY(end && end->isVisible());
    QTest::mouseClick(end, Qt::LeftButton);
    QTRY_COMPARE(server_->messagesOf("shadow.clear").size(), 1);
    QTRY_VERIFY(!runtime_->shadow()->shown());
    server_->sendText(QByteArray(kLayout).replace(R"("shadow_of":"scripted-model",)", ""));
    QTRY_VERIFY(!band()->isVisible());
    QVERIFY(notice().isEmpty());
    QTRY_VERIFY(rate->text().isEmpty());  // the shadow's figure went with it
  }

  void whatCannotBePlacedSaysWhyAndNothingChanges() {
    openPicker();
    QTest::keyClicks(QApplication::focusWidget(), "spark");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(server_->messagesOf("shadow.set").size(), 1);
    server_->sendText(R"({"type":"error","error":{"code":"shadow_failed","field":"shape",
        "message":"It does not fit.","remedy":"Choose a smaller one."}})");
    QTRY_COMPARE(notice(), QString("It does not fit. Choose a smaller one."));
    QVERIFY(!band()->isVisible());
    QVERIFY(!runtime_->shadow()->shown());
    QVERIFY(runtime_->shadow()->shape().isEmpty());
  }

  // One widget alone tells of a shadow that is shown; others are labels of figures.
  void aShadowIsToldOnce() {
    std::vector<std::pair<QAccessible::Event, QString>> heard;
    static std::vector<std::pair<QAccessible::Event, QString>>* into;
    into = &heard;
    QAccessible::installUpdateHandler([](QAccessibleEvent* event) {
      const QAccessibleInterface* about = event->accessibleInterface();
      if (about) into->emplace_back(event->type(), about->text(QAccessible::Name));
    });
    openPicker();
    QTest::keyClicks(QApplication::focusWidget(), "70b");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(server_->messagesOf("shadow.set").size(), 1);
    server_->sendText(kChanged);
    server_->sendText(kLayout);
    QTRY_VERIFY(window_->parts().waferDock->panel()->view()->hasLayout());
    QTRY_VERIFY(band()->isVisible());
    QCoreApplication::processEvents();
    QAccessible::installUpdateHandler(nullptr);

    QStringList telling;
    for (QWidget* widget : window_->findChildren<QWidget*>()) {
      if (!widget->isVisible()) continue;
      const auto* label = qobject_cast<QLabel*>(widget);
      const QString says = widget->accessibleName() + widget->accessibleDescription() +
                           (label ? label->text() : QString());
      if (says.contains("Shadow of") || says.contains("scripted-model's"))
        telling << widget->objectName();
    }
    QCOMPARE(telling, QStringList{"shadowBand"});
    QVERIFY(notice().isEmpty());
    QCOMPARE(QAccessible::queryAccessibleInterface(band())->role(), QAccessible::Notification);

    if (!QAccessible::isActive()) return;  // nothing listens
    int said = 0;
    for (const auto& [type, name] : heard) {
      QVERIFY2(type != QAccessible::Alert, qPrintable(name));
      if (type == QAccessible::ObjectShow && name.startsWith("Shadow of llama-3.1-70b")) ++said;
    }
    QCOMPARE(said, 1);
  }

  void thePlacementDialogsControlsKeepTheirNames() {
    QDialog* dialog = openPlacement();
    auto* objective = dialog->findChild<QComboBox*>("shadowObjective");
    const auto* face = QAccessible::queryAccessibleInterface(objective);
    for (int i = 0; i < objective->count(); ++i) {
      objective->setCurrentIndex(i);
      QCOMPARE(face->text(QAccessible::Name), QString("Place for"));
      QCOMPARE(face->text(QAccessible::Value), objective->itemText(i));
    }
    for (const char* name : {"shadowObjective", "shadowContext", "shadowPlacementNote"}) {
      auto* widget = dialog->findChild<QWidget*>(name);
      auto* about = QAccessible::queryAccessibleInterface(widget);
      QVERIFY2(!about->text(QAccessible::Name).isEmpty(), name);
      QVERIFY2(!about->text(QAccessible::Description).isEmpty(), name);
      QVERIFY2(about->role() != QAccessible::Client, name);
    }
    auto* context = dialog->findChild<QSpinBox*>("shadowContext");
    auto* spin = QAccessible::queryAccessibleInterface(context);
    const QString before = spin->text(QAccessible::Name);
    context->setValue(16384);
    QCOMPARE(spin->text(QAccessible::Name), before);
    QCOMPARE(spin->valueInterface()->currentValue().toInt(), 16384);
    QTest::keyClick(dialog, Qt::Key_Escape);
  }

  void itsPlacementIsChosenWithKeysAndRemembered() {
    server_->onMessage = [this](const QJsonObject& message) {
      if (message["type"] == "shadow.set") server_->sendText(kChanged);
    };
    openPicker();
    QTest::keyClicks(QApplication::focusWidget(), "70b");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_VERIFY(runtime_->shadow()->shown());
    const QJsonObject first = server_->messagesOf("shadow.set")[0];
    QCOMPARE(first["objective"].toString(), QString("latency"));
    QVERIFY(!first.contains("context"));

    QDialog* dialog = openPlacement();
    QVERIFY(note(dialog).contains("llama-3.1-70b"));
    auto* objective = dialog->findChild<QComboBox*>("shadowObjective");
    auto* context = dialog->findChild<QSpinBox*>("shadowContext");
    QVERIFY(!objective->accessibleName().isEmpty() && !context->accessibleName().isEmpty());
    QTRY_VERIFY(objective->hasFocus());
    QTest::keyClick(objective, Qt::Key_Down);
    QCOMPARE(objective->currentText(), QString("Most replicas"));
    QTest::keyClick(objective, Qt::Key_Tab);
    QTRY_VERIFY(context->hasFocus());
    context->selectAll();
    QTest::keyClicks(context, "16384");
    QTest::keyClick(context, Qt::Key_Return);
    QTRY_COMPARE(server_->messagesOf("shadow.set").size(), 2);
    const QJsonObject second = server_->messagesOf("shadow.set")[1];
    QCOMPARE(second["shape"].toString(), QString("llama-3.1-70b"));
    QCOMPARE(second["objective"].toString(), QString("replicas"));
    QCOMPARE(second["context"].toInt(), 16384);

    QTRY_COMPARE(runtime_->shadow()->placement(), (ShadowPlacement{"replicas", 16384}));

    // The next program has it, too.
    const ShadowChoice later = rememberedShadow(AppPaths::forUser());
    QCOMPARE(later.placement, (ShadowPlacement{"replicas", 16384}));

    dialog = openPlacement();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QTRY_VERIFY(!window_->findChild<QDialog*>("shadowPlacementDialog"));
    QCOMPARE(server_->messagesOf("shadow.set").size(), 2);
  }

  void aPlacementThatCannotBeIsNotRemembered() {
    server_->onMessage = [this](const QJsonObject& message) {
      if (message["type"] != "shadow.set") return;
      if (message["objective"].toString() == "latency") return server_->sendText(kChanged);
      server_->sendText(R"({"type":"error","error":{"code":"shadow_failed","field":"context",
        "message":"It does not fit.","remedy":"Want less context."}})");
    };
    runtime_->shadow()->choose("llama-3.1-70b");
    QTRY_VERIFY(runtime_->shadow()->shown());
    QDialog* dialog = openPlacement();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(notice(), QString("It does not fit. Want less context."));
    QVERIFY(runtime_->shadow()->shown());
    QCOMPARE(runtime_->shadow()->placement().objective, QString("latency"));
    const ShadowChoice later = rememberedShadow(AppPaths::forUser());
    QCOMPARE(later.placement.objective, QString("latency"));
    QTRY_VERIFY(!window_->findChild<QDialog*>("shadowPlacementDialog"));
    dialog = openPlacement();
    QCOMPARE(dialog->findChild<QComboBox*>("shadowObjective")->currentIndex(), 0);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  }

  // A trace is of one placement: the server would refuse another, so the dialog says so before.
  void whileATraceIsRecordedThePlacementStays() {
    runtime_->trace()->start("/tmp/a.wptrace");
    server_->sendText(R"({"type":"trace.started","file":"/tmp/a.wptrace"})");
    QTRY_VERIFY(!runtime_->trace()->file().isEmpty());
    QDialog* dialog = openPlacement();
    QVERIFY(note(dialog).contains("recorded"));
    QAbstractButton* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(!ok->isEnabled());
    server_->sendText(R"({"type":"trace.stopped","file":"/tmp/a.wptrace","steps":1,"tokens":1,
        "cycles":1,"bytes":1})");
    QTRY_VERIFY(ok->isEnabled());
    QVERIFY(!note(dialog).contains("recorded"));
    QTest::keyClick(dialog, Qt::Key_Escape);
  }

  void escapeChangesNothing() {
    openPicker();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QCoreApplication::processEvents();
    QVERIFY(server_->messagesOf("shadow.set").isEmpty());
    QVERIFY(server_->messagesOf("shadow.clear").isEmpty());
  }

 private:
  QAction* command() { return window_->parts().commands->action("wafer.shadow"); }
  // Opens the picker by the palette.
  void openPicker() {
    QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QString("pickerInput"));
    QTest::keyClicks(QApplication::focusWidget(), "shadow model");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    const auto* note = window_->findChild<QLabel*>("pickerNote");
    QTRY_VERIFY(note->isVisible() && note->text().contains("scripted-model"));
    QTRY_COMPARE(QApplication::focusWidget()->objectName(), QString("pickerInput"));
  }
  // Opens the dialog by the palette.
  QDialog* openPlacement() {
    const auto focused = [](const QString& name) {
      return QTest::qWaitFor([name] {
        const QWidget* widget = QApplication::focusWidget();
        return widget && widget->objectName() == name;
      });
    };
    window_->activateWindow();
    if (!QTest::qWaitForWindowActive(window_.get())) qFatal("The window is not active.");
    QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    if (!focused("pickerInput")) qFatal("There is no palette.");
    QTest::keyClicks(QApplication::focusWidget(), "shadow placement");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    if (!focused("shadowObjective")) qFatal("There is no dialog.");
    return window_->findChild<QDialog*>("shadowPlacementDialog");
  }
  QWidget* band() { return window_->findChild<QWidget*>("shadowBand"); }
  static QString note(QDialog* dialog) {
    return dialog->findChild<QLabel*>("shadowPlacementNote")->text();
  }
  QString notice() {
    const Banner* banner = window_->parts().notices->find("shadowNotice");
    return banner ? banner->text() : QString();
  }

  QTemporaryDir profile_;
  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(TestShadowCommand)
#include "test_shadow_command.moc"
