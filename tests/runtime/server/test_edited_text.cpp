// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/server/session/edited_text.h"

using waferpair::server::EditedText;

class TestEditedText : public QObject {
  Q_OBJECT
 private slots:
  // Texts of many chunks, and of none; insertions and removals longer than a chunk, too.
  void itIsTheTextThatAStringWouldBe() {
    std::mt19937 random(11);
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    for (const std::size_t length : {0, 1, 8192, 100'000}) {
      std::string wanted;
      while (wanted.size() < length) wanted += "word\u00e9 " + std::to_string(below(1000));
      EditedText text(wanted);
      for (int i = 0; i < 400; ++i) {
        const std::size_t start = below(wanted.size() + 1);
        const std::size_t most = i % 40 == 0 ? 30'000 : i % 2 == 0 ? 0 : 20;
        const std::size_t end = std::min(wanted.size(), start + below(most + 1));
        const std::string with(below(i % 50 == 0 ? 50'000 : 9), static_cast<char>('a' + i % 26));
        wanted.replace(start, end - start, with);
        text.replace(start, end, with);
        QCOMPARE(text.size(), wanted.size());
        if (i % 20 == 0) QCOMPARE(text.whole(), wanted);
        const std::size_t at = below(wanted.size() + 1);
        QCOMPARE(text.isCharacterBoundary(at),
                 at == wanted.size() || (static_cast<unsigned char>(wanted[at]) & 0xC0) != 0x80);
      }
      QCOMPARE(text.whole(), wanted);
      text.replace(0, wanted.size(), "");
      QCOMPARE(text.whole(), std::string());
      text.replace(0, 0, "again");
      QCOMPARE(text.whole(), std::string("again"));
    }
  }
};

QTEST_GUILESS_MAIN(TestEditedText)
#include "test_edited_text.moc"
