// SPDX-License-Identifier: GPL-3.0-or-later
// Which words are looked up, the dictionaries, the files of added words, and the thread that
// answers.
#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

#include "editor/spell/dictionary.h"
#include "editor/spell/prose_words.h"
#include "editor/spell/spell_checker.h"
#include "editor/spell/word_file.h"
#include "tests/support/test_dictionary.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using waferpair::TestDictionary;

namespace {

QStringList wordsOf(const QString& text) {
  QStringList words;
  for (const ProseWord& one : proseWords(text)) words.append(text.mid(one.start, one.length));
  return words;
}

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestSpelling : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void wordsOfProse_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char* name, const QString& text, const QStringList& words) {
      QTest::newRow(name) << text << words;
    };
    row("sentence", u"Returns the number of lines, or none."_s,
        {u"Returns"_s, u"the"_s, u"number"_s, u"of"_s, u"lines"_s, u"or"_s, u"none"_s});
    row("in brackets", u"(see \"below\") [here]"_s, {u"see"_s, u"below"_s});
    row("apostrophes", u"it's the user\u2019s 'own' thing"_s,
        {u"it's"_s, u"the"_s, u"user\u2019s"_s, u"own"_s, u"thing"_s});
    row("hyphen", u"well-known"_s, {u"well"_s, u"known"_s});
    row("camel case", u"the lineCount of QString and HTML"_s, {u"the"_s, u"of"_s, u"and"_s});
    row("underscores and digits", u"read_file or utf8 in v2"_s, {u"or"_s, u"in"_s});
    row("calls and members", u"use main() or a.size, std::sort"_s, {u"use"_s, u"or"_s});
    row("paths and addresses", u"in /usr/lib or https://x.org by me@x.org"_s,
        {u"in"_s, u"or"_s, u"by"_s});
    row("options and tags", u"--verbose -Wall <b>bold</b> \\param x the"_s, {u"the"_s});
    row("stressed", u"a *loud* and __bold__, _soft_. but *ptr"_s,
        {u"loud"_s, u"and"_s, u"bold"_s, u"soft"_s, u"but"_s});
    row("backticks", u"call `foo bar` now"_s, {u"call"_s, u"now"_s});
    row("single letters", u"a b cd"_s, {u"cd"_s});
    row("other scripts", u"größer als naïve слово"_s,
        {u"größer"_s, u"als"_s, u"naïve"_s, u"слово"_s});
    row("too long", QString(kLongestWord + 1, u'a'), {});
    row("empty", {}, {});
  }
  void wordsOfProse() {
    QFETCH(QString, text);
    QFETCH(QStringList, words);
    QCOMPARE(wordsOf(text), words);
  }

  void aDictionaryKnowsItsWords() {
    TestDictionary there;
    const auto opened = Dictionary::open(u"test_TEST"_s, dictionaryFolders());
    QVERIFY(opened);
    const Dictionary& one = **opened;
    QVERIFY(one.knows(u"hello"_s));
    QVERIFY(one.knows(u"Hellos"_s));
    QVERIFY(!one.knows(u"helo"_s));
    QCOMPARE(one.suggest(u"helo"_s).value(0), u"hello"_s);
    QVERIFY(!one.knows(u"слово"_s));
  }

  void aDictionaryInAnotherEncoding() {
    TestDictionary there;
    there.add(u"old_OLD"_s,
              "1\ngr\xf6\xdf"
              "er\n",
              "ISO8859-1");
    const auto opened = Dictionary::open(u"old_OLD"_s, dictionaryFolders());
    QVERIFY(opened);
    QVERIFY((*opened)->knows(u"größer"_s));
    QCOMPARE((*opened)->suggest(u"grösser"_s).value(0), u"größer"_s);
    QVERIFY(!(*opened)->knows(u"слово"_s));  // has no letter in that encoding
  }

  void whatIsNoDictionaryIsNamed_data() {
    QTest::addColumn<QByteArray>("dic");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no number") << QByteArray("hello\nworld\n");
    QTest::newRow("no words") << QByteArray("7\n");
    QTest::newRow("other bytes") << QByteArray(
        "\x7f"
        "ELF\0\1\2",
        7);
  }
  void whatIsNoDictionaryIsNamed() {
    QFETCH(QByteArray, dic);
    TestDictionary there;
    there.add(u"bad"_s, dic);
    const auto opened = Dictionary::open(u"bad"_s, dictionaryFolders());
    QVERIFY(!opened);
    QVERIFY(opened.error().message().contains(u"bad.dic"_s));
    QVERIFY(!Dictionary::open(u"nowhere"_s, dictionaryFolders()));
    QVERIFY(!Dictionary::open(u"../test_TEST"_s, dictionaryFolders()));
  }

  void theUsualDictionaries() {
    const QStringList there{u"de_AT"_s, u"de_DE"_s, u"en_GB"_s, u"en_US"_s, u"fr"_s};
    QCOMPARE(usualDictionaries(there, {u"de-DE"_s, u"de"_s}),
             (QStringList{u"de_DE"_s, u"de_AT"_s, u"en_US"_s}));
    QCOMPARE(usualDictionaries(there, {u"en-GB"_s}), QStringList{u"en_GB"_s});
    QCOMPARE(usualDictionaries(there, {u"C"_s}), QStringList{u"en_US"_s});
    QCOMPARE(usualDictionaries({u"fr"_s}, {u"es-ES"_s}), QStringList());
  }

  void aFileOfWordsKeepsItsHeadAndOrder() {
    QTemporaryDir folder;
    const QString path = folder.filePath(u"new/words.txt"_s);
    WordFile file;
    file.setPath(path);
    QVERIFY(file.read());
    QVERIFY(file.add(u"wavelet"_s));
    QCOMPARE(contents(path), QByteArray("wavelet\n"));
    QFile outside(path);
    QVERIFY(outside.open(QIODevice::WriteOnly));
    outside.write("# ours\nwaferd\nCerebras\n");
    outside.close();
    QVERIFY(file.add(u"anchor"_s));  // what was written meanwhile stays
    QCOMPARE(contents(path), QByteArray("# ours\nanchor\nCerebras\nwaferd\n"));
    QVERIFY(file.knows(u"waferd"_s) && file.knows(u"Waferd"_s) && file.knows(u"waferd's"_s));
    QVERIFY(file.knows(u"Cerebras"_s) && !file.knows(u"cerebras"_s));
    QVERIFY(!file.knows(u"wavelet"_s));
  }

  void aFileThatCannotBeWrittenIsNamed() {
    QTemporaryDir folder;
    QFile inTheWay(folder.filePath(u"new"_s));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    WordFile file;
    file.setPath(folder.filePath(u"new/words.txt"_s));
    const auto added = file.add(u"word"_s);
    QVERIFY(!added);
    QVERIFY(added.error().message().contains(folder.filePath(u"new"_s)));
  }

  void wordsAreJudgedOnAnotherThread() {
    TestDictionary there;
    SpellChecker checker;
    checker.setDictionaries({u"test_TEST"_s});
    QSignalSpy judged(&checker, &SpellChecker::judged);
    QCOMPARE(checker.judge(u"hello"_s), Verdict::kAsked);
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kAsked);
    QVERIFY(judged.wait());
    QCOMPARE(checker.judge(u"hello"_s), Verdict::kRight);
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kWrong);

    QStringList meant;
    checker.suggest(u"helo"_s, this, [&](const QStringList& words) { meant = words; });
    QTRY_COMPARE(meant.value(0), u"hello"_s);
    auto gone = std::make_unique<QObject>();
    checker.suggest(u"helo"_s, gone.get(), [](const QStringList&) { QFAIL("nobody is there"); });
    gone.reset();
    checker.suggest(u"wrld"_s, this, [&](const QStringList& words) { meant = words; });
    QTRY_COMPARE(meant.value(0), u"world"_s);
  }

  void addedWordsAreRightAtOnceAndFollowTheirFile() {
    TestDictionary there;
    QTemporaryDir folder;
    SpellChecker checker;
    checker.setDictionaries({u"test_TEST"_s});
    checker.setUserWords(folder.filePath(u"user.txt"_s));
    checker.setProjectWords(folder.filePath(u"project/words.txt"_s));
    QSignalSpy judged(&checker, &SpellChecker::judged);
    QSignalSpy changed(&checker, &SpellChecker::changed);
    checker.judge(u"helo"_s);
    QVERIFY(judged.wait());
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kWrong);
    checker.addToProjectWords(u"helo"_s);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kRight);
    // Somebody takes it out again.
    QFile file(folder.filePath(u"project/words.txt"_s));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.close();
    QTRY_COMPARE(checker.judge(u"helo"_s), Verdict::kWrong);
    checker.setProjectWords({});
    checker.addToUserWords(u"helo"_s);
    QCOMPARE(contents(folder.filePath(u"user.txt"_s)), QByteArray("helo\n"));
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kRight);
  }

  void withoutADictionaryAllIsRight() {
    TestDictionary there;
    SpellChecker checker;
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kRight);
    QSignalSpy problem(&checker, &SpellChecker::problem);
    QSignalSpy judged(&checker, &SpellChecker::judged);
    checker.setDictionaries({u"nowhere"_s});
    checker.judge(u"helo"_s);
    QVERIFY(judged.wait());
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kRight);
    QCOMPARE(problem.size(), 1);
    QVERIFY(problem[0][0].toString().contains(u"nowhere"_s));
    // Another one is asked anew.
    checker.setDictionaries({u"test_TEST"_s});
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kAsked);
    QVERIFY(judged.wait());
    QCOMPARE(checker.judge(u"helo"_s), Verdict::kWrong);
  }

  void theOneThatIsInstalled() {
    const QStringList there = dictionariesIn(dictionaryFolders());
    if (!there.contains(u"en_US"_s)) QSKIP("no en_US is installed");
    const auto opened = Dictionary::open(u"en_US"_s, dictionaryFolders());
    QVERIFY(opened);
    QVERIFY((*opened)->knows(u"spelling"_s));
    QVERIFY((*opened)->knows(u"doesn't"_s));
    QVERIFY(!(*opened)->knows(u"recieve"_s));
    QVERIFY((*opened)->suggest(u"recieve"_s).contains(u"receive"_s));
  }
};

QTEST_GUILESS_MAIN(TestSpelling)
#include "test_spelling.moc"
