// SPDX-License-Identifier: GPL-3.0-or-later
// The race in its window, by keyboard; a scripted server plays waferd, and what it is asked and
// what it says are those of the protocol.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QtTest>

#include "gui/client/runtime_service.h"
#include "gui/kit/theme.h"
#include "gui/race/contender_box.h"
#include "gui/race/lane_view.h"
#include "gui/race/race_window.h"
#include "gui/race/shares_bar.h"
#include "gui/race/users_chart.h"
#include "gui/race/users_panel.h"
#include "tests/gui/client/scripted_server.h"
#include "tests/gui/kit/accessible_names.h"

using namespace waferpair;
using namespace waferpair::gui;
using waferpair::test::ScriptedServer;

namespace {

QJsonObject figure(const QString& name, double value, const QString& label = {}) {
  return {
      {"name", name}, {"label", label.isEmpty() ? name : label}, {"value", value}, {"unit", ""}};
}

QJsonObject answer(const QString& nature, const QString& title, const QJsonArray& figures) {
  return {{"nature", nature},
          {"title", title},
          {"band", "decode within 7 %"},
          {"worst_error_percent", nature == u"emulated" ? QJsonValue(7) : QJsonValue()},
          {"figures", figures},
          {"shares", nature == u"published"
                         ? QJsonArray()
                         : QJsonArray{QJsonObject{{"name", "multiply"}, {"seconds", 0.003}},
                                      QJsonObject{{"name", "fabric"}, {"seconds", 0.001}}}},
          {"sources", QJsonArray{"a source"}}};
}

int requestsOf(const QString& question) {
  return question.section(QStringLiteral("requests="), 1).section(u' ', 0, 0).toInt();
}

}  // namespace

class TestRaceWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QLoggingCategory::setFilterRules("waferpair.*=false");
    Theme::instance().apply(Look{});
  }

  void init() {
    server_ = std::make_unique<ScriptedServer>();
    server_->onMessage = [this](const QJsonObject& message) { reply(message); };
    runtime_ =
        std::make_unique<RuntimeService>(RuntimeCommand{server_->program(), "/models/first.gguf"});
    runtime_->start();
    QTRY_COMPARE(runtime_->state(), RuntimeService::State::kReady);
    window_ = std::make_unique<RaceWindow>(runtime_.get(), nullptr);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QTRY_COMPARE(window_->lane(3)->lane().tokensPerSecond, 1000.0);
    QTRY_COMPARE(window_->lane(2)->lane().tokensPerSecond, 100.0);
  }
  void cleanup() {
    window_.reset();
    runtime_.reset();
    server_.reset();
  }

  void fourLanesAreThereAtFirst() {
    QCOMPARE(window_->lane(0)->box()->contender(), QStringLiteral("host"));
    QVERIFY(figures(0).contains(QStringLiteral("Measure here")));
    QVERIFY2(figures(1).startsWith(QStringLiteral("first token 10 ms  ·  250 tokens/s")),
             qPrintable(figures(1)));
    QVERIFY(trust(1).startsWith(QStringLiteral("worst error of its model 7 %")));
    QVERIFY(trust(2).startsWith(QStringLiteral("unchecked")));
    QVERIFY(trust(3).contains(QStringLiteral("a published rate, and no more")));
    QVERIFY(figures(3).startsWith(QStringLiteral("first token not published")));
    const QString told = window_->lane(1)->findChild<SharesBar*>()->accessibleDescription();
    QCOMPARE(told, QStringLiteral("One token takes 4 ms: multiply 75.0 %, fabric 25.0 %"));
    QVERIFY(window_->lane(1)->accessibleDescription().contains(told));
    if (const QByteArray pictures = qgetenv("RACE_PICTURES"); !pictures.isEmpty()) {
      window_->setClock(0.1);
      window_->grab().save(QString::fromLocal8Bit(pictures) + QStringLiteral("/race.png"));
    }
  }

  void everythingHasAName() {
    QCOMPARE(test::namelessIn(window_.get()).join(u'|'), QString());
    // The contender's box is as wide as what stands below it where nothing stands beside it.
    QVERIFY(!window_->lane(0)->findChild<QLabel*>(QStringLiteral("laneNature"))->isVisible());
    QVERIFY(window_->lane(1)->findChild<QLabel*>(QStringLiteral("laneNature"))->isVisible());
  }

  void allGoByOneClock() {
    window_->setClock(0.06);
    QCOMPARE(text(1), QStringLiteral("13 of 200 tokens"));  // 1 + (60 - 10) ms * 250
    QCOMPARE(text(2), QStringLiteral("4 of 200 tokens"));   // 1 + (60 - 30) ms * 100
    QCOMPARE(text(3), QStringLiteral("60 of 200 tokens"));
    QCOMPARE(text(0), QStringLiteral("0 of 200 tokens"));
  }

  void keysStartPauseAndRepeat() {
    auto* start = window_->findChild<QPushButton*>(QStringLiteral("raceStart"));
    start->setFocus();
    QTest::keyClick(start, Qt::Key_Return);
    QVERIFY(window_->isRunning());
    QTRY_VERIFY(window_->clock() > 0.001);
    QTest::keyClick(window_.get(), Qt::Key_Space, Qt::ControlModifier);
    QVERIFY(!window_->isRunning());
    const double before = window_->clock();
    QTest::keyClick(window_.get(), Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(window_->clock(), 0.0);
    QVERIFY(before > 0);
    auto* slow = window_->findChild<QSlider*>(QStringLiteral("raceSlow"));
    slow->setFocus();
    QTest::keyClick(slow, Qt::Key_Home);
    QCOMPARE(window_->slowdown(), 1.0);
    QTest::keyClick(slow, Qt::Key_End);
    QCOMPARE(window_->slowdown(), 1e4);
  }

  void theClockStopsWithTheLast() {
    window_->setClock(2.0);
    auto* slow = window_->findChild<QSlider*>(QStringLiteral("raceSlow"));
    slow->setValue(0);
    window_->setRunning(true);
    QTRY_VERIFY(!window_->isRunning());
    QCOMPARE(window_->clock(), 0.03 + 199 / 100.0);
    QCOMPARE(text(2), QStringLiteral("200 of 200 tokens"));
  }

  void slidersAskAgain() {
    auto* users = window_->findChild<QSlider*>(QStringLiteral("raceRequests"));
    users->setFocus();
    QTest::keyClick(users, Qt::Key_Right);
    QTest::keyClick(users, Qt::Key_Right);
    QTRY_VERIFY(figures(2).contains(QStringLiteral("all 4 requests 400 tokens/s")));
    QVERIFY(asked_.last().contains(QStringLiteral(" requests=4")));
    auto* draft = window_->findChild<QSlider*>(QStringLiteral("raceDraft"));
    auto* acceptance = window_->findChild<QSlider*>(QStringLiteral("raceAcceptance"));
    QVERIFY(!acceptance->isEnabled());
    draft->setFocus();
    QTest::keyClick(draft, Qt::Key_Right);
    QTest::keyClick(draft, Qt::Key_Right);
    QVERIFY(acceptance->isEnabled());
    QTRY_VERIFY(asked_.last().endsWith(QStringLiteral(" draft=1 acceptance=0.8")));
  }

  void aChartGoesByUsers() {
    auto* users = window_->findChild<UsersPanel*>();
    QVERIFY(!users->isVisible());
    auto* button = window_->findChild<QPushButton*>(QStringLiteral("raceByUsers"));
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Return);
    QVERIFY(users->isVisible());
    auto* text = users->findChild<QLabel*>(QStringLiteral("usersText"));
    // The scripted wafer gives 250 however many there are, the GPU 100 to each.
    QTRY_COMPARE(text->text(), QStringLiteral("Lane 2 gives more than lane 3, from 4 users on lane "
                                              "3 does."));
    QCOMPARE(users->lines().size(), 2);
    QCOMPARE(users->lines()[1].tokensPerSecond[5], 102400.0);
    auto* chart = users->findChild<UsersChart*>();
    QTRY_VERIFY(!chart->visibleRegion().isEmpty());  // scrolled to
    QVERIFY2(chart->accessibleDescription().contains(
                 QStringLiteral("lane 3: 1 users 100, 4 users 400, 16 users 1,600")),
             qPrintable(chart->accessibleDescription()));
    QVERIFY(QString::fromUtf8(window_->csv()).contains(QStringLiteral(",1024,,,,100,102400,")));
    if (const QByteArray pictures = qgetenv("RACE_PICTURES"); !pictures.isEmpty())
      window_->grab().save(QString::fromLocal8Bit(pictures) + QStringLiteral("/users.png"));
    // Without the GPU there is nothing to compare.
    window_->lane(2)->box()->setFocus();
    QTest::keyClick(window_->lane(2)->box(), Qt::Key_Home);
    QTRY_COMPARE(users->lines().size(), 1);
    QTRY_VERIFY(!text->isVisible());
    QTest::keyClick(button, Qt::Key_Return);
    QVERIFY(!users->isVisible());
    QVERIFY(!window_->csv().contains("102400"));
  }

  void aContenderThatCannotBeHadSaysWhy() {
    ContenderBox* box = window_->lane(1)->box();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_End);
    QCOMPARE(box->contender(), QStringLiteral("gpu gpu=none stack=x"));
    QTRY_COMPARE(figures(1), QStringLiteral("There is none. Take another."));
    QTest::keyClick(box, Qt::Key_Home);
    QCOMPARE(box->contender(), QString());
    QCOMPARE(figures(1), QString());
  }

  void thisComputerIsMeasuredNow() {
    window_->findChild<QPushButton*>(QStringLiteral("raceMeasure"))->setFocus();
    QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(server_->messagesOf("response.create").size(), 1);
    const QJsonObject asked = server_->messagesOf("response.create").first();
    QCOMPARE(asked["input"].toString(), QStringLiteral("int binary_search("));
    const QByteArray id = asked["id"].toString().toUtf8();
    const auto say = [&](const QByteArray& type, const QByteArray& rest) {
      server_->sendText("{\"type\":\"" + type + "\",\"response_id\":\"" + id +
                        "\",\"sequence_number\":1," + rest + "}");
    };
    QTRY_VERIFY(figures(0).contains(QStringLiteral("Measuring")));
    say("response.output_text.delta",
        R"("item_id":"m","output_index":0,"content_index":0,"delta":"int a[] = {1, 2, 3, 4};","logprobs":[])");
    say("response.completed", R"("response":{"usage":{"input_tokens":5,"output_tokens":40},
        "timings":{"host":{"first_token_ms":20,"tokens_per_second":812}}})");
    QTRY_VERIFY2(figures(0).startsWith(QStringLiteral("first token 20 ms  ·  812 tokens/s")),
                 qPrintable(figures(0)));
    window_->setClock(10);
    QVERIFY2(text(0).endsWith(QStringLiteral("{1, 2, 3, 4};")), qPrintable(text(0)));
    QVERIFY(text(2).contains(QStringLiteral("int a[]")));
  }

  // A reproducible server leaves its times out.
  void aServerWithoutTimesIsNoRate() {
    window_->findChild<QPushButton*>(QStringLiteral("raceMeasure"))->click();
    QTRY_COMPARE(server_->messagesOf("response.create").size(), 1);
    const QByteArray id = server_->messagesOf("response.create").first()["id"].toString().toUtf8();
    server_->sendText("{\"type\":\"response.completed\",\"response_id\":\"" + id +
                      "\",\"sequence_number\":1,\"response\":{\"usage\":{\"input_tokens\":5,"
                      "\"output_tokens\":40},\"timings\":{\"host\":{}}}}");
    QTRY_VERIFY2(figures(0).contains(QStringLiteral("--reproducible")), qPrintable(figures(0)));
  }

  void aTableHasWhatIsShown() {
    const QList<QByteArray> lines = window_->csv().split('\n');
    QCOMPARE(lines.size(), 5);  // a head, three lanes with figures, an end
    QVERIFY(lines[1].startsWith("2,emulated,A wafer,llama-3.1-8b,"));
    QVERIFY(lines[3].contains(",published,"));
    QVERIFY(lines[3].contains("a source"));
  }

 private:
  QString figures(int lane) const {
    return window_->lane(lane)->findChild<QLabel*>(QStringLiteral("laneFigures"))->text();
  }
  QString trust(int lane) const {
    return window_->lane(lane)->findChild<QLabel*>(QStringLiteral("laneTrust"))->text();
  }
  QString text(int lane) const {
    return window_->lane(lane)->findChild<QLabel*>(QStringLiteral("laneText"))->text();
  }

  void reply(const QJsonObject& message) {
    if (message["type"] != QJsonValue("experiment.run")) return;
    const QString question = message["question"].toString();
    asked_.append(question);
    QJsonObject event{{"type", "experiment.done"}, {"id", message["id"]}};
    if (question == u"contenders") {
      event["answer"] = answer("published", "Contenders",
                               {figure("wafer wafer=wse3 profile=cloud-2024-08", 0, "A wafer"),
                                figure("gpu gpu=h100 stack=serving", 0, "A GPU"),
                                figure("pace name=codex-spark", 1000, "A pace"),
                                figure("gpu gpu=none stack=x", 0, "No GPU"),
                                figure("model llama-3.1-8b", 8e9, "llama-3.1-8b")});
    } else if (question.startsWith(u"wafer")) {
      event["answer"] = answer("emulated", "A wafer",
                               {figure("tokens_per_second", 250), figure("first_token_ms", 10),
                                figure("batch_tokens_per_second", 250)});
    } else if (question.startsWith(u"gpu gpu=h100")) {
      event["answer"] = answer("modelled", "A GPU",
                               {figure("tokens_per_second", 100), figure("first_token_ms", 30),
                                figure("batch_tokens_per_second", 100 * requestsOf(question))});
    } else if (question.startsWith(u"pace")) {
      event["answer"] = answer("published", "A pace", {figure("tokens_per_second", 1000)});
    } else {
      event = {{"type", "error"},
               {"id", message["id"]},
               {"error", QJsonObject{{"code", "experiment_failed"},
                                     {"message", "There is none."},
                                     {"remedy", "Take another."}}}};
    }
    server_->sendText(QJsonDocument(event).toJson(QJsonDocument::Compact));
  }

  std::unique_ptr<ScriptedServer> server_;
  std::unique_ptr<RuntimeService> runtime_;
  std::unique_ptr<RaceWindow> window_;
  QStringList asked_;
};

QTEST_MAIN(TestRaceWindow)
#include "test_race_window.moc"
