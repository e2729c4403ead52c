// SPDX-License-Identifier: GPL-3.0-or-later
// Messages are taken from bytes however these are cut, and what frames none ends the reading.
#include <QtTest>

#include "programs/json_rpc.h"

using namespace waferpair::programs;

namespace {

// All messages of `bytes`, handed over in pieces of `some`.
QVector<QByteArray> messagesIn(Framing framing, const QByteArray& bytes, qsizetype some,
                               QString* problem = nullptr) {
  MessageReader reader(framing);
  QVector<QByteArray> messages;
  for (qsizetype at = 0; at < bytes.size(); at += some)
    messages += reader.take(QByteArrayView(bytes).sliced(at, std::min(some, bytes.size() - at)));
  if (problem) *problem = reader.problem();
  return messages;
}

}  // namespace

class TestMessageReader : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whatIsFramedIsRead_data() {
    QTest::addColumn<Framing>("framing");
    QTest::newRow("lines") << Framing::kLines;
    QTest::newRow("headers") << Framing::kHeaders;
  }
  void whatIsFramedIsRead() {
    QFETCH(Framing, framing);
    const QVector<QByteArray> messages = {"{}", "{\"a\":\"\\n\"}", "\xc3\xbc",
                                          QByteArray(9000, 'x')};
    QByteArray bytes;
    for (const QByteArray& message : messages) bytes += framed(message, framing);
    for (const qsizetype some : {1, 2, 3, 7, 64, 100'000})
      QCOMPARE(messagesIn(framing, bytes, some), messages);
  }

  void headersAreReadAsServersSendThem() {
    const QByteArray bytes =
        "content-length:  2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}"
        "Content-Length: 0\r\n\r\n"
        "Content-Length: 3\n\nabc";
    const QVector<QByteArray> expected = {"{}", "", "abc"};
    QCOMPARE(messagesIn(Framing::kHeaders, bytes, 1), expected);
    QCOMPARE(messagesIn(Framing::kHeaders, bytes, 1000), expected);
  }

  void whatFramesNoMessageEnds_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("problem");
    QTest::newRow("no length") << QByteArray("Content-Type: x\r\n\r\n{}")
                               << "What it sends is no message: its header names no length.";
    QTest::newRow("no number") << QByteArray("Content-Length: much\r\n\r\n{}")
                               << "What it sends is no message: its length is no number.";
    QTest::newRow("negative") << QByteArray("Content-Length: -1\r\n\r\n{}")
                              << "What it sends is no message: its length is no number.";
    QTest::newRow("too long") << QByteArray("Content-Length: 33554433\r\n\r\n{}")
                              << "It sent a message of more than 32 MiB.";
    QTest::newRow("beyond numbers") << QByteArray("Content-Length: 99999999999999999999\r\n\r\n{}")
                                    << "What it sends is no message: its length is no number.";
    QTest::newRow("prose") << QByteArray("Welcome to the server!\n").repeated(400)
                           << "What it sends is no message: its header has no end.";
  }
  void whatFramesNoMessageEnds() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, problem);
    const QByteArray good = framed("{}", Framing::kHeaders);
    for (const qsizetype some : {1, 5, 100'000}) {
      QString told;
      // What came before it is read.
      QCOMPARE(messagesIn(Framing::kHeaders, good + bytes, some, &told), QVector<QByteArray>{"{}"});
      QCOMPARE(told, problem);
    }
  }

  // A large message is parsed elsewhere; those behind it keep their place.
  void messagesStayInOrder() {
    JsonRpc rpc(Framing::kHeaders, QStringLiteral("Test Protocol"));
    QStringList notified;
    connect(&rpc, &JsonRpc::notified, this,
            [&](const QString& method, const QJsonObject&) { notified.append(method); });
    QByteArray bytes;
    for (const char* method : {"a", "LARGE", "b", "LARGE", "c"}) {
      QJsonObject message{{"method", method}};
      if (*method == 'L')
        message.insert(
            "params",
            QJsonObject{{"text", QString(JsonMessages::kLargeMessage, QLatin1Char('x'))}});
      bytes += framed(QJsonDocument(message).toJson(QJsonDocument::Compact), Framing::kHeaders);
    }
    rpc.take(bytes);
    QTRY_COMPARE(notified, QStringList({"a", "LARGE", "b", "LARGE", "c"}));
  }

  // Nothing is told of what was read before the conversation was closed.
  void aClosedConversationIsSilent() {
    JsonRpc rpc(Framing::kHeaders, QStringLiteral("Test Protocol"));
    int notified = 0;
    connect(&rpc, &JsonRpc::notified, this, [&] {
      ++notified;
      rpc.close(QStringLiteral("enough"));
    });
    const QByteArray message = framed("{\"method\":\"a\"}", Framing::kHeaders);
    rpc.take(message + message);
    QCOMPARE(notified, 1);
  }

  void aForgottenAnswerIsNotTold() {
    JsonRpc rpc(Framing::kHeaders, QStringLiteral("Test Protocol"));
    int answers = 0;
    const auto count = [&](const QJsonValue&, const std::optional<RpcFailure>&) { ++answers; };
    const qint64 first = rpc.request(QStringLiteral("x"), {}, count);
    const qint64 second = rpc.request(QStringLiteral("x"), {}, count);
    QVERIFY(first != second && rpc.isOpen(first));
    rpc.forget(first);
    QVERIFY(!rpc.isOpen(first) && rpc.isOpen(second));
    for (const qint64 id : {first, second})
      rpc.take(framed("{\"id\":" + QByteArray::number(id) + ",\"result\":1}", Framing::kHeaders));
    QCOMPARE(answers, 1);
  }
};

QTEST_GUILESS_MAIN(TestMessageReader)
#include "test_message_reader.moc"
