// SPDX-License-Identifier: GPL-3.0-or-later
// The vendor's figures beside the model's, in their dialog; a scripted server plays waferd.
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QTableWidget>
#include <QtTest>

#include "gui/client/runtime_service.h"
#include "gui/kit/theme.h"
#include "gui/wafer/machine_dialog.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/gui/kit/accessible_names.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

namespace {

QJsonObject figure(const char* name, double value, const char* unit = "") {
  return {{"name", name}, {"label", name}, {"value", value}, {"unit", unit}};
}

QString cell(const QTableWidget* table, int row, int column) {
  return table->item(row, column)->text();
}

}  // namespace

class TestMachineDialog : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    Theme::instance().apply(Look{});
  }

  void theVendorsFiguresStandBesideTheModels() {
    ScriptedServer server;
    QStringList asked;
    server.onMessage = [&](const QJsonObject& message) {
      if (message["type"] != "experiment.run") return;
      asked.append(message["question"].toString());
      const double clock = asked.size() == 1 ? 1.1 : 0.96;
      const QJsonObject answer{
          {"nature", "modelled"},
          {"title", "Cerebras WSE-3"},
          {"band", ""},
          {"worst_error_percent", QJsonValue()},
          {"figures",
           QJsonArray{figure("clock_ghz", clock, "GHz"), figure("cores", 893064),
                      figure("cores_published", 900000), figure("memory", 21.43 * clock, "PB/s"),
                      figure("memory_published", 21, "PB/s"),
                      figure("memory_clock_ghz", 0.98, "GHz"),
                      figure("arithmetic", 15.7, "PFLOP/s"), figure("preset_1", 0.96, "GHz"),
                      figure("preset_2", 1.1, "GHz"), figure("watts", 23000, "W")}},
          {"shares", QJsonArray()},
          {"sources", QJsonArray{"Cores: a press release", "Memory: the same"}}};
      const QJsonObject done{
          {"type", "experiment.done"}, {"id", message["id"]}, {"answer", answer}};
      server.sendText(QJsonDocument(done).toJson());
    };
    RuntimeService runtime(RuntimeCommand{server.program(), "/models/first.gguf"});
    runtime.start();
    QTRY_COMPARE(runtime.state(), RuntimeService::State::kReady);
    MachineDialog dialog(experimentsOf(&runtime), QStringLiteral("wse3"), 1.1, nullptr);
    dialog.show();
    const auto* table = dialog.findChild<QTableWidget*>(QStringLiteral("machineTable"));
    QTRY_COMPARE(table->rowCount(), 3);
    QCOMPARE(asked.value(0), QStringLiteral("machine wafer=wse3 clock=1.1"));
    QCOMPARE(dialog.windowTitle(), QStringLiteral("Cerebras WSE-3"));
    QCOMPARE(cell(table, 0, 1), QStringLiteral("900,000"));
    QCOMPARE(cell(table, 0, 2), QStringLiteral("893,064"));
    QCOMPARE(cell(table, 1, 1), QStringLiteral("21 PB/s"));
    QCOMPARE(cell(table, 1, 2), QStringLiteral("23.6 PB/s"));
    QCOMPARE(cell(table, 1, 3), QStringLiteral("0.98 GHz"));
    QCOMPARE(cell(table, 2, 1), QStringLiteral("–"));
    const auto* note = dialog.findChild<QLabel*>(QStringLiteral("machineNote"));
    QVERIFY(note->text().contains(QStringLiteral("a press release")));

    // Another clock, by keyboard.
    auto* clock = dialog.findChild<QComboBox*>(QStringLiteral("machineClock"));
    QCOMPARE(clock->currentText(), QStringLiteral("1.1 GHz"));
    clock->setFocus();
    QTest::keyClick(clock, Qt::Key_Up);
    QTRY_COMPARE(asked.size(), 2);
    QCOMPARE(asked.value(1), QStringLiteral("machine wafer=wse3 clock=0.96"));
    QTRY_COMPARE(cell(table, 1, 2), QStringLiteral("20.6 PB/s"));
    QCOMPARE(clock->currentText(), QStringLiteral("0.96 GHz"));
    QCOMPARE(test::namelessIn(&dialog).join(u'|'), QString());
  }
};

QTEST_MAIN(TestMachineDialog)
#include "test_machine_dialog.moc"
