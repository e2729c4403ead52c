// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "runtime/inference/output/thinking_reader.h"

namespace waferpair::inference {

class TestThinkingReader : public QObject {
  Q_OBJECT

  // "THOUGHT|SAID", with the text cut into pieces of so many bytes.
  static QByteArray told(const QByteArray& text, bool isOpen, qsizetype size, bool channels) {
    ThinkingReader reader({.open = "<think>", .close = "</think>", .channels = channels}, isOpen);
    std::string thought, said;
    const auto add = [&](const ThinkingReader::Told& part) {
      thought += part.thought;
      said += part.said;
    };
    for (qsizetype at = 0; at < text.size(); at += size) {
      const QByteArray piece = text.mid(at, size);
      add(reader.push({piece.constData(), static_cast<std::size_t>(piece.size())}));
    }
    add(reader.finish());
    return QByteArray::fromStdString(thought + "|" + said);
  }

 private slots:
  void thoughtsAreToldApartHoweverTheTextIsCut_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isOpen");
    QTest::addColumn<bool>("channels");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* text, bool isOpen, const char* expected,
                        bool channels = false) {
      QTest::newRow(name) << QByteArray(text) << isOpen << channels << QByteArray(expected);
    };
    row("usual", "<think>\nWhy?\n\nSo.\n</think>\n\n42.\n", false, "Why?\n\nSo.|42.\n");
    row("none", "  42 <think> is text.", false, "|  42 <think> is text.");
    row("empty", "<think>\n\n</think>\n\n42.", false, "|42.");
    row("opened", "Why?\n</think>\n\n42.", true, "Why?|42.");
    row("opened twice", "<think>\nWhy?</think>42.", true, "Why?|42.");
    row("cut off", "<think>\nWhy? </thi", false, "Why? </thi|");
    row("like a tag", "<thin 42.", false, "|<thin 42.");
    row("tags within", "<think>a </b> < c</think>d </think>", false, "a </b> < c|d </think>");
    row("channels", "<think>a</think><think>b</think>c", false, "ab|c", true);
    row("channels between", "c<think>a</think>d", false, "a|cd", true);
    row("blanks alone", " \n", false, "| \n");
  }
  void thoughtsAreToldApartHoweverTheTextIsCut() {
    QFETCH(QByteArray, text);
    QFETCH(bool, isOpen);
    QFETCH(bool, channels);
    QFETCH(QByteArray, expected);
    for (const qsizetype size : {1, 2, 3, 5, 7, 100})
      QCOMPARE(told(text, isOpen, size, channels), expected);
  }
};

}  // namespace waferpair::inference

QTEST_APPLESS_MAIN(waferpair::inference::TestThinkingReader)
#include "test_thinking_reader.moc"
