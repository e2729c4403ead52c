// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the user's own snippets, and what a list gets of them.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "editor/assist/snippet_source.h"
#include "editor/assist/snippet_store.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;

namespace {

void writeFile(const QString& path, const QByteArray& bytes) {
  QVERIFY(QDir().mkpath(QFileInfo(path).path()));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

QStringList namesOf(const QVector<UserSnippet>& snippets) {
  QStringList names;
  for (const UserSnippet& snippet : snippets) names.append(snippet.name);
  return names;
}

class NoWords : public ListSource {
 public:
  quint64 request(const ListQuery&) override { return 7; }
  void taken(const ListItem& item) override { took.append(item.text); }
  QByteArrayList took;
};

}  // namespace

class TestUserSnippets : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void filesAreAsVsCodeWritesThem() {
    const auto read = readUserSnippets(
        "// Mine, \"these\"\n"
        "{\n"
        "  \"For\": {\"prefix\": [\"for\", \"fori\"], \"body\": [\"for (;;) { // $1\", \"\\t$0\", "
        "\"}\"], /* no, */ \"description\": \"A loop\", \"scope\": \"cpp, C\",},\n"
        "  \"One\": {\"prefix\": \"one\", \"body\": \"1, }\"},\n"
        "}\n",
        u"cpp.json"_s);
    QVERIFY2(read.has_value(), read ? "" : qPrintable(read.error().message()));
    QCOMPARE(read->size(), 2);
    QCOMPARE((*read)[0], (UserSnippet{u"For"_s,
                                      {u"for"_s, u"fori"_s},
                                      u"for (;;) { // $1\n\t$0\n}"_s,
                                      u"A loop"_s,
                                      {u"cpp"_s, u"c"_s}}));
    QCOMPARE((*read)[1].body, u"1, }"_s);
  }

  void errorsNameTheLine() {
    const auto read = readUserSnippets("{\n  // here:\n  \"A\": {\"body\": },\n}\n", u"c.json"_s);
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().message().contains(u"c.json, line 3"_s),
             qPrintable(read.error().message()));
    const auto without = readUserSnippets("{\"A\": {\"prefix\": \"a\"}}", u"c.json"_s);
    QVERIFY(!without.has_value());
    QVERIFY(without.error().message().contains(u"“A”"_s));
  }

  void languagesHaveNamesInFiles() {
    QCOMPARE(snippetLanguageNames(u"C++"_s), (QStringList{u"cpp"_s, u"c++"_s}));
    QCOMPARE(snippetLanguageNames(u"Python"_s), QStringList{u"python"_s});
    QCOMPARE(snippetLanguageNames(u"PHP/PHP"_s), (QStringList{u"php"_s, u"php-php"_s}));
    QCOMPARE(snippetLanguageNames({}), QStringList{u"plaintext"_s});
  }

  void filesCountForTheirLanguage() {
    QTemporaryDir dir;
    writeFile(dir.filePath("own/cpp.json"), "{\"own\": {\"prefix\": \"o\", \"body\": \"x\"}}");
    writeFile(dir.filePath("own/all.code-snippets"),
              "{\"any\": {\"body\": \"x\"}, \"py\": {\"body\": \"x\", \"scope\": \"python\"}}");
    writeFile(dir.filePath("project/cpp.json"), "{\"project\": {\"body\": \"x\"}}");
    SnippetStore store(dir.filePath("own"));
    store.setProjectFolder(dir.filePath("project"));
    QCOMPARE(namesOf(store.snippetsFor(u"C++"_s)), (QStringList{"project", "any", "own"}));
    QCOMPARE(namesOf(store.snippetsFor(u"Python"_s)), (QStringList{"any", "py"}));
    QCOMPARE(store.fileFor(u"C++"_s), dir.filePath("own/cpp.json"));
    QCOMPARE(store.fileFor(u"Rust"_s), dir.filePath("own/rust.json"));
    store.setProjectFolder({});
    QCOMPARE(namesOf(store.snippetsFor(u"C++"_s)), (QStringList{"any", "own"}));
  }

  void changedFilesAreReadAnew() {
    QTemporaryDir dir;
    SnippetStore store(dir.filePath("own"));
    QSignalSpy problems(&store, &SnippetStore::problemChanged);
    QCoreApplication::processEvents();
    QVERIFY(store.snippetsFor(u"C"_s).isEmpty());
    const QString file = dir.filePath("own/c.json");
    writeFile(file, "{\"a\": {\"body\": \"x\"}}");
    QTRY_COMPARE(namesOf(store.snippetsFor(u"C"_s)), QStringList{"a"});
    QVERIFY(problems.isEmpty());
    writeFile(file, "{\"a\": \n{\"body\": ");
    QTRY_COMPARE(problems.size(), 1);
    QCOMPARE(problems[0][0].toString(), file);
    QVERIFY(problems[0][1].toString().contains(u"line 2"_s));
    QVERIFY(store.snippetsFor(u"C"_s).isEmpty());
    writeFile(file, "{\"b\": {\"body\": \"x\"}}");
    QTRY_COMPARE(namesOf(store.snippetsFor(u"C"_s)), QStringList{"b"});
    QCOMPARE(problems.last()[1].toString(), QString());
  }

  void aListHasThoseThatFit() {
    QTemporaryDir dir;
    writeFile(dir.filePath("cpp.json"),
              "{\"Loop\": {\"prefix\": \"fori\", \"body\": \"for (${1:i})\"}, \"Other\": "
              "{\"prefix\": \"while\", \"body\": \"while ($1)\"}}");
    SnippetStore store(dir.path());
    store.setProjectFolder(u"/none"_s);
    DocumentSync sync;
    sync.open({u"a.cpp"_s, u"C++"_s, 1, Snapshot("fo"), {}});
    NoWords words;
    SnippetSource source(&store, &sync, &words);
    QSignalSpy ready(&source, &ListSource::ready);
    QCOMPARE(source.request({u"a.cpp"_s, 2, "fo"}), 7U);
    Q_EMIT words.ready(7, {{.text = "fold", .detail = {}}}, true, true);
    QCOMPARE(ready.size(), 1);
    const auto items = ready[0][1].value<QVector<ListItem>>();
    QCOMPARE(items.size(), 2);
    QCOMPARE(items[0].shown(), u"fori"_s);
    QCOMPARE(items[0].detail, u"Loop"_s);
    QCOMPARE(items[0].snippet, QByteArray("for (${1:i})"));
    QCOMPARE(items[0].text, QByteArray("for (i)"));
    QCOMPARE(items[1].text, QByteArray("fold"));
    source.taken(items[0]);
    source.taken(items[1]);
    QCOMPARE(words.took, QByteArrayList{"fold"});
  }
};

QTEST_GUILESS_MAIN(TestUserSnippets)
#include "test_user_snippets.moc"
