// SPDX-License-Identifier: GPL-3.0-or-later
// Requests read from lines, and their fields.
#include "gui/automation/rpc.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "gui/automation/state.h"

namespace waferpair::gui {

class TestRpc : public QObject {
  Q_OBJECT
 private slots:
  void readsARequest();
  void refusesWhatIsNone_data();
  void refusesWhatIsNone();
  void answersUnderTheSameId();
  void wrongParamsAreTold();
  void pointersLeadIntoValues();
};

void TestRpc::readsARequest() {
  const auto request =
      parseRequest(R"({"jsonrpc": "2.0", "id": "a", "method": "type", "params": {"text": "x"}})");
  QVERIFY(request.has_value());
  QCOMPARE(request->id, QJsonValue("a"));
  QCOMPARE(request->method, QStringLiteral("type"));
  QCOMPARE(request->params, QJsonObject({{"text", "x"}}));
  QVERIFY(request->wantsAnswer());
  const auto notification = parseRequest(R"({"jsonrpc": "2.0", "method": "state"})");
  QVERIFY(notification.has_value() && !notification->wantsAnswer());
  QCOMPARE(notification->params, QJsonObject());
}

void TestRpc::refusesWhatIsNone_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::addColumn<int>("code");
  QTest::addColumn<QJsonValue>("id");
  const QJsonValue null(QJsonValue::Null);
  QTest::newRow("not JSON") << QByteArray("{") << -32700 << null;
  QTest::newRow("not UTF-8") << QByteArray("{\"\xff\": 1}") << -32700 << null;
  QTest::newRow("batch") << QByteArray("[{}]") << -32600 << null;
  QTest::newRow("no version") << QByteArray(R"({"id": 7, "method": "x"})") << -32600
                              << QJsonValue(7);
  QTest::newRow("id of no kind") << QByteArray(R"({"jsonrpc": "2.0", "id": {}, "method": "x"})")
                                 << -32600 << null;
  QTest::newRow("no method") << QByteArray(R"({"jsonrpc": "2.0", "id": "a"})") << -32600
                             << QJsonValue("a");
  QTest::newRow("long method") << QByteArray(R"({"jsonrpc": "2.0", "id": 1, "method": ")" +
                                             QByteArray(65, 'x') + "\"}")
                               << -32600 << QJsonValue(1);
  QTest::newRow("params in a list")
      << QByteArray(R"({"jsonrpc": "2.0", "id": 1, "method": "x", "params": []})") << -32600
      << QJsonValue(1);
}

void TestRpc::refusesWhatIsNone() {
  QFETCH(QByteArray, line);
  QFETCH(int, code);
  QFETCH(QJsonValue, id);
  const auto request = parseRequest(line);
  QVERIFY(!request.has_value());
  QCOMPARE(static_cast<int>(request.error().error.code), code);
  QCOMPARE(request.error().id, id);
  QVERIFY(!request.error().error.what.isEmpty());
  QVERIFY(!request.error().error.remedy.isEmpty());
}

void TestRpc::answersUnderTheSameId() {
  QCOMPARE(answerLine(3, QJsonObject{{"a", "line\n"}}),
           QByteArray(R"({"id":3,"jsonrpc":"2.0","result":{"a":"line\n"}})"
                      "\n"));
  const QByteArray refused = answerLine(
      "x", rpcFail(RpcError::kNotFound, QStringLiteral("Gone."), QStringLiteral("Look.")));
  QCOMPARE(QJsonDocument::fromJson(refused).object(),
           QJsonObject({{"jsonrpc", "2.0"},
                        {"id", "x"},
                        {"error", QJsonObject{{"code", -32000},
                                              {"message", "Gone."},
                                              {"data", QJsonObject{{"remedy", "Look."}}}}}}));
}

void TestRpc::wrongParamsAreTold() {
  JsonFields misspelt(QJsonObject{{"text", "a"}, {"dept", 1}});
  QCOMPARE(misspelt.text({.name = "text", .required = true}), QStringLiteral("a"));
  const auto wrong = wrongParams(misspelt);
  QVERIFY(wrong.has_value());
  QCOMPARE(static_cast<int>(wrong->code), -32602);
  QCOMPARE(wrong->message(), QStringLiteral("dept is not known. Known are: text."));
  JsonFields right(QJsonObject{{"text", "a"}});
  (void)right.text({.name = "text"});
  QVERIFY(!wrongParams(right));
}

void TestRpc::pointersLeadIntoValues() {
  const QJsonObject root{{"a", QJsonArray{1, QJsonObject{{"b/c", "x"}, {"d~e", "y"}}}}};
  QCOMPARE(valueAt(root, {}), QJsonValue(root));
  QCOMPARE(valueAt(root, "/a/0"), QJsonValue(1));
  QCOMPARE(valueAt(root, "/a/1/b~1c"), QJsonValue("x"));
  QCOMPARE(valueAt(root, "/a/1/d~0e"), QJsonValue("y"));
  for (const char* nowhere : {"a", "/b", "/a/2", "/a/-1", "/a/x", "/a/0/b"})
    QVERIFY2(valueAt(root, nowhere).isUndefined(), nowhere);
}

}  // namespace waferpair::gui

QTEST_GUILESS_MAIN(waferpair::gui::TestRpc)
#include "test_rpc.moc"
