// SPDX-License-Identifier: GPL-3.0-or-later
// These tests show which files that are not open are searched after an edit, and how they are read.
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/next_edit/closed_files.h"
#include "pairing/next_edit/edit_history.h"
#include "pairing/next_edit/read_facts.h"
#include "pairing/next_edit/search.h"

using namespace waferpair;
using namespace waferpair::pairing;
using editor::Snapshot;

namespace {

// A project below /p, in whose file "main.cpp" a piece of text is replaced.
class Work {
 public:
  void has(const QString& path, const QByteArray& text, const QString& language = "C++") {
    facts_->set(path, std::make_shared<FileFacts>(CodeText(text, languageFamily(language))));
  }
  void replace(const QByteArray& text, const QByteArray& was, const QByteArray& is) {
    editor::SyncedDocument document{"/p/main.cpp", "C++", 1, Snapshot(text)};
    EditHistory history;
    history.opened(document);
    const qint64 at = text.indexOf(was);
    QVERIFY(at >= 0);
    document.text = document.text.edited({at, at + was.size(), is});
    ++document.version;
    history.changed(document, {{at, at + was.size(), is}});
    situation_.edits = history.edits();
    situation_.texts = {{document.id, std::make_shared<CodeText>(document.text.toByteArray(),
                                                                 languageFamily("C++"))}};
    situation_.facts = facts_;
    situation_.root = "/p";
  }
  const Situation& situation() const { return situation_; }

 private:
  std::shared_ptr<ProjectFacts> facts_ = std::make_shared<ProjectFacts>();
  Situation situation_;
};

}  // namespace

class TestClosedFiles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void filesWithTheWordsThatChangedAreSearched();
  void wordsThatStandEverywhereAreNot();
  void aPlaceInAClosedFileIsProposed();
  void filesOfOneLanguageAreSearchedTogether();
  void aFileIsReadAgainWhereItChanged();
};

void TestClosedFiles::filesWithTheWordsThatChangedAreSearched() {
  Work work;
  work.has("main.cpp", "int oldName();\n");  // it is open
  work.has("b.cpp", "call(oldName());\n");
  work.has("a.h", "// see oldName\n");
  work.has("c.cpp", "oldNames();\n");
  work.has("d.py", "oldName()\n", "Python");
  work.replace("int oldName();\n", "oldName", "newName");
  QCOMPARE(closedFiles(work.situation()), QStringList({"a.h", "b.cpp"}));

  // A place for what came has the words around it; one for what went has those that went.
  work.has("e.cpp", "f(first, second);\n");
  work.replace("g(first, second);\n", "second", "third, second");
  QCOMPARE(closedFiles(work.situation()), QStringList({"e.cpp"}));
  work.replace("int i;\nf(first, second);\nint j;\n", "f(first, second);\n", "");
  QCOMPARE(closedFiles(work.situation()), QStringList({"e.cpp"}));
  work.replace("i = 0;\n", "i", "j");
  QCOMPARE(closedFiles(work.situation()), QStringList());
}

void TestClosedFiles::wordsThatStandEverywhereAreNot() {
  Work work;
  for (int i = 0; i < kMostClosedFiles; ++i) work.has(QString("%1.cpp").arg(i), "common();\n");
  work.replace("common();\n", "common", "other");
  QCOMPARE(closedFiles(work.situation()).size(), kMostClosedFiles);
  work.has("more.cpp", "common();\n");
  QCOMPARE(closedFiles(work.situation()), QStringList());
}

void TestClosedFiles::aPlaceInAClosedFileIsProposed() {
  Work work;
  work.has("b.cpp", "int i;\ncall(oldName());\n");
  work.replace("int oldName();\n", "oldName", "newName");
  Situation now = work.situation();
  const auto code = std::make_shared<CodeText>("int i;\ncall(oldName());\n", languageFamily("C++"));
  now.texts.append({"/p/b.cpp", code, false});
  const std::vector<Candidate> candidates = nextEditCandidates(now);
  QCOMPARE(candidates.size(), 1U);
  QCOMPARE(candidates[0].features[Feature::kClosed], 1.0F);
  QCOMPARE(candidates[0].features[Feature::kClosedName], 1.0F);
  const auto gate = Gate::parse("{\"finders\": {\"name\": {\"bias\": 1, \"threshold\": 0.5}}}");
  const std::optional<NextEdit> next = findNextEdit(now, *gate);
  QVERIFY(next.has_value());
  QCOMPARE(next->edit, (LineEdit{"/p/b.cpp", 1, {"call(oldName());"}, {"call(newName());"}}));
  QCOMPARE(next->closed, code);
}

void TestClosedFiles::filesOfOneLanguageAreSearchedTogether() {
  QVERIFY(suffixesLike("h").contains("cpp"));
  QCOMPARE(suffixesLike("cpp"), suffixesLike("h"));
  QVERIFY(suffixesLike("tsx").contains("js"));
  QCOMPARE(suffixesLike("rs"), QStringList("rs"));
}

void TestClosedFiles::aFileIsReadAgainWhereItChanged() {
  QTemporaryDir folder;
  const auto write = [&](const QByteArray& text) {
    QFile file(folder.filePath("a.cpp"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  const LanguageFamily& family = languageFamily("C++");
  CodeFiles files;
  write("one();\n");
  const auto first = files.read(folder.filePath("a.cpp"), family);
  QCOMPARE(first->bytes(), QByteArray("one();\n"));
  files.forgetOthers();
  QCOMPARE(files.read(folder.filePath("a.cpp"), family), first);
  write("another();\n");
  QCOMPARE(files.read(folder.filePath("a.cpp"), family)->bytes(), QByteArray("another();\n"));
  QVERIFY(!files.read(folder.filePath("none.cpp"), family));
  QVERIFY(QFile::link("/etc/passwd", folder.filePath("link.cpp")));
  QVERIFY(!files.read(folder.filePath("link.cpp"), family));
}

QTEST_GUILESS_MAIN(TestClosedFiles)
#include "test_closed_files.moc"
