// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "runtime/server/session/documents.h"

namespace waferpair::server {

class TestDocuments : public QObject {
  Q_OBJECT
 private slots:
  void aDocumentFollowsItsEdits() {
    Documents documents;
    QVERIFY(documents.open({"u", "cpp", 1, "hello world"}).has_value());
    // Each edit counts in the text that the one before it left.
    QVERIFY(documents.change({"u", 2, {{0, 5, "HELLO!"}, {6, 7, ""}, {11, 11, "."}}}).has_value());
    QCOMPARE((*documents.find("u"))->text, std::string("HELLO!world."));
    QCOMPARE((*documents.find("u"))->version, std::int64_t{2});
    QVERIFY(documents.close({"u"}).has_value());
    QVERIFY(!documents.find("u"));
    QCOMPARE(documents.bytes(), size_t{0});
  }

  void versionsOnlyGrow() {
    Documents documents;
    QVERIFY(documents.open({"u", "", 5, ""}).has_value());
    for (const std::int64_t version : {5, 4, 0}) {
      const auto changed = documents.change({"u", version, {}});
      QVERIFY(!changed);
      QCOMPARE(changed.error().code, std::string("version_conflict"));
    }
    QVERIFY(documents.change({"u", 9, {}}).has_value());
  }

  void unknownAndDoubledDocumentsAreNamed() {
    Documents documents;
    QCOMPARE(documents.change({"u", 1, {}}).error().code, std::string("unknown_document"));
    QCOMPARE(documents.close({"u"}).error().code, std::string("unknown_document"));
    QVERIFY(documents.open({"u", "", 1, "kept"}).has_value());
    const auto again = documents.open({"u", "", 2, "lost"});
    QCOMPARE(again.error().field, std::string("uri"));
    QCOMPARE((*documents.find("u"))->text, std::string("kept"));
  }

  void aBadEditUndoesTheGoodOnesBeforeIt() {
    Documents documents;
    QVERIFY(documents.open({"u", "", 1, "a\u00e9b"}).has_value());  // 4 bytes
    const auto past = documents.change({"u", 2, {{0, 0, "xyz"}, {0, 1, ""}, {0, 99, ""}}});
    QCOMPARE(past.error().field, std::string("edits[2].end"));
    const auto inside = documents.change({"u", 2, {{4, 4, "!"}, {2, 3, ""}}});
    QCOMPARE(inside.error().field, std::string("edits[1].start"));
    QVERIFY(inside.error().what.find("inside a character") != std::string::npos);
    QCOMPARE((*documents.find("u"))->text, std::string("a\u00e9b"));
    QCOMPARE((*documents.find("u"))->version, std::int64_t{1});
    QCOMPARE(documents.bytes(), size_t{4});
  }

  void limitsHoldAndAreTold() {
    Documents documents({.count = 2, .bytes = 10});
    QVERIFY(documents.open({"a", "", 1, "12345"}).has_value());
    QCOMPARE(documents.open({"b", "", 1, "123456"}).error().code, std::string("limit_exceeded"));
    QVERIFY(documents.open({"b", "", 1, "12345"}).has_value());
    QCOMPARE(documents.open({"c", "", 1, ""}).error().code, std::string("limit_exceeded"));
    QCOMPARE(documents.change({"a", 2, {{0, 0, "x"}}}).error().code, std::string("limit_exceeded"));
    QVERIFY(documents.change({"a", 2, {{0, 2, "xy"}}}).has_value());
    QVERIFY(documents.close({"b"}).has_value());
    QVERIFY(documents.change({"a", 3, {{0, 0, "12345"}}}).has_value());
  }

  // Random changes, good and bad, against plain strings.
  void randomChangesMatchTheDefinition() {
    std::mt19937 random(23);
    const std::string pieces[] = {"", "a", "\n", "\u00e9", "\U0001F600", "for (;;)"};
    Documents documents;
    std::string expected;
    QVERIFY(documents.open({"u", "", 0, ""}).has_value());
    int refused = 0;
    for (int version = 1; version <= 4000; ++version) {
      DocumentChange change{"u", version, {}};
      std::string text = expected;
      bool good = true;
      for (unsigned i = random() % 3 + 1; i > 0; --i) {
        const size_t start = random() % (text.size() + (random() % 9 ? 1 : 5));
        const size_t end = start + random() % 6;
        const std::string& piece = pieces[random() % std::size(pieces)];
        change.edits.push_back({start, end, piece});
        const auto boundary = [&text](size_t at) {
          return at <= text.size() && (at == text.size() || (text[at] & 0xC0) != 0x80);
        };
        good = good && boundary(start) && boundary(end);
        if (good) text = text.substr(0, start) + piece + text.substr(end);
      }
      const bool changed = documents.change(change).has_value();
      QCOMPARE(changed, good);
      if (good) expected = text;
      refused += !good;
      QCOMPARE((*documents.find("u"))->text, expected);
      QCOMPARE(documents.bytes(), expected.size());
    }
    QVERIFY(refused > 100 && refused < 3900);
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestDocuments)
#include "test_documents.moc"
