// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cstring>
#include <random>

#include "runtime/protocol/telemetry.h"

namespace waferpair::protocol {

namespace {

TelemetryFrame sampleFrame() {
  TelemetryFrame frame;
  frame.sequence = 7;
  frame.hostNanoseconds = 0x1122334455667788;
  frame.hostIntervalNs = 16'000'000;
  frame.waferCycles = 1'000'000'000'000;
  frame.intervalCycles = 1'840'211;
  frame.tokensDecoded = 12;
  frame.intervalDecoded = 3;
  frame.intervalPrefilled = 400;
  frame.hostTokensPerSecond = 812.5f;
  frame.waferTokensPerSecond = 6120.25f;
  frame.firstTokenHostMs = 4.5f;
  frame.firstTokenWaferMs = 0.25f;
  frame.contextUsed = 415;
  frame.contextLimit = 1024;
  frame.intervalDrafted = 9;
  frame.intervalAccepted = 5;
  frame.regions = {{1, 2, 3}, {4, 5, 0xffffffff}};
  frame.lastStep = {{0, 0, 10}, {0xffff, 10, 25}, {2, 25, 0xffffffff}};
  return frame;
}

template <typename T>
T at(const std::vector<std::byte>& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

class TestTelemetryCodec : public QObject {
  Q_OBJECT
 private slots:
  void aFrameComesBackAsItWas() {
    const TelemetryFrame frame = sampleFrame();
    const auto decoded = decodeTelemetry(encode(frame));
    QVERIFY(decoded.has_value());
    QVERIFY(*decoded == frame);
    QVERIFY(*decodeTelemetry(encode(TelemetryFrame{})) == TelemetryFrame{});
  }

  // The offsets that docs/protocol.md promises to readers in other languages.
  void fieldsLieWhereTheDocumentSays() {
    const auto bytes = encode(sampleFrame());
    QCOMPARE(bytes.size(), size_t{104 + 2 * 12 + 3 * 12});
    QVERIFY(std::memcmp(bytes.data(), "WPTF", 4) == 0);
    QCOMPARE(at<uint16_t>(bytes, 4), uint16_t{2});
    QCOMPARE(at<uint32_t>(bytes, 8), 2u);
    QCOMPARE(at<uint32_t>(bytes, 12), 3u);
    QCOMPARE(at<uint64_t>(bytes, 24), uint64_t{0x1122334455667788});
    QCOMPARE(at<uint64_t>(bytes, 48), uint64_t{1'840'211});
    QCOMPARE(at<float>(bytes, 72), 812.5f);
    QCOMPARE(at<uint32_t>(bytes, 88), 415u);
    QCOMPARE(at<uint32_t>(bytes, 96), 9u);
    QCOMPARE(at<uint32_t>(bytes, 100), 5u);
    QCOMPARE(at<uint32_t>(bytes, 104 + 12), 4u);
    QCOMPARE(at<uint16_t>(bytes, 104 + 2 * 12 + 12), uint16_t{0xffff});
    QCOMPARE(at<uint32_t>(bytes, 104 + 2 * 12 + 2 * 12 + 8), 0xffffffffu);
  }

  void everyOtherLengthIsRefused() {
    auto bytes = encode(sampleFrame());
    for (size_t length = 0; length < bytes.size(); ++length)
      QVERIFY(!decodeTelemetry(std::span(bytes).first(length)));
    bytes.push_back({});
    QVERIFY(!decodeTelemetry(bytes));
  }

  void countsThatWouldWrapAroundAreRefused() {
    auto bytes = encode(TelemetryFrame{});
    for (const size_t offset : {size_t{8}, size_t{12}}) {
      auto hostile = bytes;
      for (size_t i = 0; i < 4; ++i) hostile[offset + i] = std::byte{0xff};
      QVERIFY(!decodeTelemetry(hostile));
    }
  }

  void anotherMagicOrVersionIsRefused() {
    auto bytes = encode(sampleFrame());
    bytes[0] = std::byte{'X'};
    QVERIFY(!decodeTelemetry(bytes));
    bytes = encode(sampleFrame());
    bytes[4] = std::byte{1};
    QVERIFY(!decodeTelemetry(bytes));
  }

  // Whatever the bytes, the answer is nothing or a frame that encodes to the same length.
  void mutatedFramesDoNoHarm() {
    std::mt19937 random(1);
    const auto original = encode(sampleFrame());
    int accepted = 0;
    for (int round = 0; round < 20'000; ++round) {
      auto bytes = original;
      for (int i = 0; i < 3; ++i)
        bytes[random() % bytes.size()] = static_cast<std::byte>(random() & 0xff);
      bytes.resize(bytes.size() - (round % 4 ? 0 : random() % bytes.size()));
      if (const auto frame = decodeTelemetry(bytes)) {
        ++accepted;
        QCOMPARE(encode(*frame).size(), bytes.size());
      }
    }
    QVERIFY(accepted > 0);
  }
};

}  // namespace waferpair::protocol

QTEST_APPLESS_MAIN(waferpair::protocol::TestTelemetryCodec)
#include "test_telemetry_codec.moc"
