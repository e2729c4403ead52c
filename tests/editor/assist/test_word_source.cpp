// SPDX-License-Identifier: GPL-3.0-or-later
// Tests which words are listed, and in what order.
#include <QtTest>

#include "editor/assist/word_match.h"
#include "editor/assist/word_source.h"
#include "tests/support/text_sync.h"

using namespace waferpair;
using namespace waferpair::editor;

Q_DECLARE_METATYPE(WordMatch)

class TestWordSource : public QObject {
  Q_OBJECT

  test::TextSync sync_;
  std::unique_ptr<WordSource> source_;
  bool isWhole_ = false;

  // The answer for the place behind `before` in document "/a.cpp".
  QVector<ListItem> itemsAt(const QByteArray& before, const QByteArray& typed) {
    const auto text = sync_.find("/a.cpp")->text.toByteArray();
    const qint64 offset = text.indexOf(before) + before.size();
    QVector<ListItem> found;
    bool came = false;
    const quint64 request =
        source_->request({.document = "/a.cpp", .offset = offset, .typed = typed});
    const auto connection = connect(source_.get(), &ListSource::ready, this,
                                    [&](quint64 id, const QVector<ListItem>& items, bool whole) {
                                      if (id != request) return;
                                      found = items;
                                      isWhole_ = whole;
                                      came = true;
                                    });
    [&] { QTRY_VERIFY(came); }();
    disconnect(connection);
    return found;
  }
  static QByteArrayList textsOf(const QVector<ListItem>& items) {
    QByteArrayList texts;
    for (const ListItem& item : items) texts.append(item.text);
    return texts;
  }

 private Q_SLOTS:
  void init() {
    for (const char* id : {"/a.cpp", "/b.h"}) sync_.close(id);
    source_ = std::make_unique<WordSource>(&sync_);
  }
  void cleanup() { source_.reset(); }

  void wordsFitWhatIsTyped_data() {
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<QByteArray>("typed");
    QTest::addColumn<WordMatch>("match");
    const auto row = [](const char* word, const char* typed, WordMatch match) {
      QTest::addRow("%s %s", word, typed) << QByteArray(word) << QByteArray(typed) << match;
    };
    row("getText", "", WordMatch::kExact);
    row("getText", "getT", WordMatch::kExact);
    row("getText", "gett", WordMatch::kIgnoreCase);
    row("getText", "gT", WordMatch::kParts);
    row("get_text", "gt", WordMatch::kParts);
    row("get_text", "getx", WordMatch::kNone);
    row("getTextWidth", "gtw", WordMatch::kParts);
    row("getTextWidth", "gteW", WordMatch::kParts);
    row("HTTPServer", "hs", WordMatch::kNone);  // no capital begins a part behind another
    row("getText", "t", WordMatch::kNone);
    row("get", "getter", WordMatch::kNone);
    row("_get", "g", WordMatch::kNone);
    row("_get", "_g", WordMatch::kExact);
  }
  void wordsFitWhatIsTyped() {
    QFETCH(QByteArray, word);
    QFETCH(QByteArray, typed);
    QFETCH(WordMatch, match);
    QCOMPARE(matchWord(word, typed), match);
  }

  void nearWordsComeFirst() {
    QByteArray text = "counter = 1;\n";
    for (int i = 0; i < 60; ++i) text += "x = 2;\n";
    text += "country = 3;\ny = cou\n";
    sync_.openText("/a.cpp", "C++", 1, text);
    sync_.openText("/b.h", "C++", 1, "int course; int counter;\n");
    const auto items = itemsAt("y = cou", "cou");
    QCOMPARE(textsOf(items), (QByteArrayList{"country", "counter", "course"}));
    QCOMPARE(items[0].detail, QString("line 62"));
    QCOMPARE(items[1].detail, QString("line 1"));
    QCOMPARE(items[2].detail, QString("b.h"));
    QVERIFY(isWhole_);
  }

  void whatFitsBetterComesBeforeWhatIsNearer() {
    sync_.openText("/a.cpp", "C++", 1, "getText\n\n\n\n\n\nGetter\ngoTo\n\nx = get\n");
    QCOMPARE(textsOf(itemsAt("x = get", "get")), (QByteArrayList{"getText", "Getter"}));
    QCOMPARE(textsOf(itemsAt("x = g", "gT")), (QByteArrayList{"goTo", "getText"}));
  }

  void whatWasTakenComesBeforeItsEquals() {
    sync_.openText("/a.cpp", "C++", 1, "alpha1 alpha2 alpha3\nalp\n");
    QCOMPARE(textsOf(itemsAt("\nalp", "alp")), (QByteArrayList{"alpha1", "alpha2", "alpha3"}));
    source_->taken({"alpha3", {}});
    QCOMPARE(textsOf(itemsAt("\nalp", "alp")), (QByteArrayList{"alpha3", "alpha1", "alpha2"}));
  }

  void theWordThatIsTypedIsNoneNorAreNumbersAndCrumbs() {
    sync_.openText("/a.cpp", "C++", 1,
                   "ab 0x1234 1234 counts\r\n" + QByteArray(81, 'c') + "\r\n\xc3\xa4pfel cou\r\n");
    QCOMPARE(textsOf(itemsAt("\xc3\xa4pfel cou", "cou")), QByteArrayList{"counts"});
    QCOMPARE(textsOf(itemsAt("counts\r\n", "")), (QByteArrayList{"cou", "counts", "\xc3\xa4pfel"}));
    // Typed a second time it is a word.
    sync_.openText("/a.cpp", "C++", 2, "cou cou\n");
    QCOMPARE(textsOf(itemsAt("cou cou", "cou")), QByteArrayList{"cou"});
  }

  void textsAreAsTheyAreNow() {
    sync_.openText("/a.cpp", "C++", 1, "x\n");
    sync_.openText("/b.h", "C++", 1, "first\n");
    QCOMPARE(textsOf(itemsAt("x", "")), QByteArrayList{"first"});
    QVERIFY(sync_.change("/b.h", 2, {{0, 5, "second"}}));
    QCOMPARE(textsOf(itemsAt("x", "")), QByteArrayList{"second"});
    sync_.close("/b.h");
    QCOMPARE(textsOf(itemsAt("x", "")), QByteArrayList());
  }

  void ofManyTheBestAreToldAndThatThereAreMore() {
    QByteArray text;
    for (int i = 0; i < 1000; ++i) text += "word" + QByteArray::number(i) + '\n';
    sync_.openText("/a.cpp", "C++", 1, text + "wor\n");
    const auto items = itemsAt("\nwor\n", "").size();
    QCOMPARE(items, WordSource::kMostItems);
    QVERIFY(!isWhole_);
    QCOMPARE(itemsAt("word999\nwor", "wor").first().text, QByteArray("word999"));
  }
};

QTEST_GUILESS_MAIN(TestWordSource)
#include "test_word_source.moc"
