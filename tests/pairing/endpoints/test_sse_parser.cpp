// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "pairing/endpoints/sse_parser.h"

using namespace waferpair::pairing;

class TestSseParser : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eventsAreRead_data() {
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArrayList>("expected");  // type|data
    const auto row = [](const char* name, const char* stream, const QByteArrayList& expected) {
      QTest::newRow(name) << QByteArray(stream) << expected;
    };
    row("one", "data: a\n\n", {"|a"});
    row("type", "event: x\ndata: a\n\ndata: b\n\n", {"x|a", "|b"});
    row("lines", "data: a\ndata:b\ndata:  c\n\n", {"|a\nb\n c"});
    row("CRLF", "event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n", {"x|a", "|b"});
    row("CR", "data: a\r\rdata: b\r\r", {"|a", "|b"});
    row("byte order mark",
        "\xEF\xBB\xBF"
        "data: a\n\n",
        {"|a"});
    row("comments", ": hello\n\ndata: a\n:\n\n", {"|a"});
    row("other fields", "id: 7\nretry: 10\nfoo: bar\ndata: a\n\n", {"|a"});
    row("no data", "event: x\n\ndata: a\n\n", {"|a"});
    row("empty data", "data\n\ndata:\n\n", {"|", "|"});
    row("no empty line at the end", "data: a\n\ndata: [DONE]\n", {"|a", "|[DONE]"});
    row("a line that is not whole", "data: a\n\ndata: b", {"|a"});
    row("nothing", "", {});
  }
  void eventsAreRead() {
    QFETCH(QByteArray, stream);
    QFETCH(QByteArrayList, expected);
    for (qsizetype size = 1; size <= std::max<qsizetype>(stream.size(), 1); ++size) {
      SseParser parser;
      QVector<SseEvent> events;
      for (qsizetype at = 0; at < stream.size(); at += size)
        events +=
            parser.feed(QByteArrayView(stream).sliced(at, std::min(size, stream.size() - at)));
      events += parser.finish();
      QByteArrayList found;
      for (const SseEvent& event : events) found.append(event.type + '|' + event.data);
      QCOMPARE(found, expected);
      QVERIFY(!parser.isBroken());
    }
  }

  void largeEventsBreakTheStream() {
    SseParser lines, line;
    const QByteArray some = "data: " + QByteArray(1 << 20, 'x') + '\n';
    for (int i = 0; i < 3; ++i) QVERIFY(lines.feed(some).isEmpty());
    QVERIFY(!lines.isBroken());
    QVERIFY(lines.feed(some).isEmpty());
    QVERIFY(lines.isBroken());
    QVERIFY(lines.feed("\n\ndata: a\n\n").isEmpty());
    QVERIFY(line.feed(QByteArray((4 << 20) + 1, 'x')).isEmpty());
    QVERIFY(line.isBroken());
    QVERIFY(line.finish().isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestSseParser)
#include "test_sse_parser.moc"
