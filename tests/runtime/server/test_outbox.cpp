// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <nlohmann/json.hpp>

#include "runtime/server/core/outbox.h"

namespace waferpair::server {

namespace {

std::string takeOne(Outbox& outbox) {
  Outbox::Frame frame;
  if (!outbox.take(frame)) return "(nothing)";
  outbox.written();
  return frame.bytes;
}

}  // namespace

class TestOutbox : public QObject {
  Q_OBJECT
 private slots:
  void framesLeaveInOrderOneAtATime() {
    Outbox outbox(Framing::kMessages, 1000);
    outbox.push("a", "{1}");
    outbox.push("a", "{2}");
    Outbox::Frame frame;
    QVERIFY(outbox.take(frame));
    QCOMPARE(frame.bytes, std::string("{1}"));
    QVERIFY(!outbox.take(frame));  // the first is still being written
    QVERIFY(!outbox.idle());
    outbox.written();
    QCOMPARE(takeOne(outbox), std::string("{2}"));
    QVERIFY(outbox.idle());
    QCOMPARE(outbox.bytes(), size_t{0});
  }

  void textJoinsAFrameThatStillWaits() {
    Outbox outbox(Framing::kMessages, 1000);
    const auto first = outbox.pushText("d", "{\"t\":\"", "ab", "\"}");
    QVERIFY(outbox.grow(first, "c\n\"\u00e9"));
    Outbox::Frame frame;
    QVERIFY(outbox.take(frame));
    QCOMPARE(nlohmann::json::parse(frame.bytes)["t"].get<std::string>(), "abc\n\"\u00e9");
    QVERIFY(!outbox.grow(first, "late"));  // it is on its way
    const auto second = outbox.pushText("d", "{\"t\":\"", "late", "\"}");
    QVERIFY(second != first);
    outbox.written();
    QCOMPARE(takeOne(outbox), std::string("{\"t\":\"late\"}"));
  }

  void streamsGrowApartAndKeepTheirPlace() {
    Outbox outbox(Framing::kMessages, 1000);
    const auto a = outbox.pushText("d", "<a ", "1", ">");
    const auto b = outbox.pushText("d", "<b ", "1", ">");
    outbox.push("done", "<done a>");
    QVERIFY(outbox.grow(a, "2"));
    QVERIFY(outbox.grow(b, "2"));
    QCOMPARE(takeOne(outbox), std::string("<a 12>"));
    QCOMPARE(takeOne(outbox), std::string("<b 12>"));
    QCOMPARE(takeOne(outbox), std::string("<done a>"));
  }

  void whatIsUnreadIsCountedAndLimited() {
    Outbox outbox(Framing::kMessages, 10);
    const auto ticket = outbox.pushText("d", "12345", "", "");
    QVERIFY(!outbox.overflowed());
    QVERIFY(outbox.grow(ticket, "67890"));
    QCOMPARE(outbox.bytes(), size_t{10});
    QVERIFY(!outbox.overflowed());
    Outbox::Frame frame;
    QVERIFY(outbox.take(frame));
    outbox.push("e", "x");  // what is being written is unread, too
    QVERIFY(outbox.overflowed());
    outbox.written();
    QVERIFY(!outbox.overflowed());
  }

  void theOwnerIsWokenWhenThereIsSomethingToWrite() {
    Outbox outbox(Framing::kMessages, 1000);
    int woken = 0;
    outbox.onPush([&] { ++woken; });
    outbox.push("a", "1");
    QCOMPARE(woken, 1);
    outbox.pushBinary("2");
    QCOMPARE(woken, 2);
  }

  void serverSentEventsNameTheirType() {
    Outbox outbox(Framing::kServerSentEvents, 1000);
    outbox.push("response.created", "{\"a\":1}");
    QCOMPARE(takeOne(outbox), std::string("event: response.created\ndata: {\"a\":1}\n\n"));
    const auto ticket = outbox.pushText("delta", "{\"t\":\"", "a\nb", "\"}");
    outbox.grow(ticket, "c");
    // A line end inside the data would end it early.
    QCOMPARE(takeOne(outbox), std::string("event: delta\ndata: {\"t\":\"a\\nbc\"}\n\n"));
  }

  void binaryFramesAreMarked() {
    Outbox outbox(Framing::kMessages, 1000);
    outbox.pushBinary(std::string("\0\1", 2));
    Outbox::Frame frame;
    QVERIFY(outbox.take(frame) && frame.binary);
    QCOMPARE(frame.bytes.size(), size_t{2});
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestOutbox)
#include "test_outbox.moc"
