// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/retrieval/definitions.h"
#include "pairing/retrieval/project_search.h"
#include "pairing/retrieval/words.h"
#include "tests/support/paths.h"
#include "tests/support/rest.h"

using namespace waferpair::pairing;
using waferpair::editor::Snapshot;

namespace {

const std::atomic<bool> kGoesOn{false};

void write(const QTemporaryDir& folder, const QString& path, const QByteArray& bytes) {
  const QString full = folder.filePath(path);
  QVERIFY(QDir().mkpath(QFileInfo(full).path()));
  QFile file(full);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

QStringList filesBelow(const QString& root) {
  QStringList files;
  QDirIterator it(root, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
  while (it.hasNext()) files.append(QDir(root).relativeFilePath(it.next()));
  files.sort();
  return files;
}

std::shared_ptr<const ProjectPassages> readAll(
    const QString& root, const std::shared_ptr<const ProjectPassages>& before = {},
    const QVector<OpenText>& open = {}) {
  return ProjectPassages::read({root, filesBelow(root), open}, before, kGoesOn);
}

QStringList placesOf(const QVector<FoundPassage>& found) {
  QStringList places;
  for (const FoundPassage& passage : found)
    places.append(QStringLiteral("%1:%2").arg(passage.path).arg(passage.firstLine));
  return places;
}

QByteArray filler(int lines) {
  QByteArray text;
  for (int i = 0; i < lines; ++i) text += "  step();\n";
  return text;
}

}  // namespace

class TestRetrieval : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void definitionsAreToldByTheirLines_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char* line, const char* name) {
      QTest::newRow(line) << QByteArray(line) << QByteArray(name);
    };
    row("class Parser {", "Parser");
    row("int main() { return run(1); }", "main");
    row("  int size() const { return size_; }", "size");
    row("  Parser(int a) : a_(a) {}", "Parser");
    row("  area() { return this.w * this.h; }", "area");
    row("  std::vector<int> v(n, {1, 2});", "");
    row("  if (a) { b(); }", "");
    row("  run(a); { b(); }", "");
    row("class Parser : public Base {", "Parser");
    row("class Parser;", "");
    row("template <typename T> struct Box {", "Box");
    row("enum class Color { kRed, kBlue };", "Color");
    row("class Greeter(Base):", "Greeter");
    row("export default class View extends Widget {", "View");
    row("impl Display for Matrix {", "");
    row("int main(int argc, char** argv) {", "main");
    row("QString Parser::next(const QString& text) const {", "next");
    row("Parser::Parser(QObject* parent)", "Parser");
    row("std::vector<std::pair<int, int>> pairsOf(const Text& text) {", "pairsOf");
    row("  void helper(int value) {", "helper");
    row("  helper(value);", "");
    row("  return helper(value);", "");
    row("  if (isReady(value)) {", "");
    row("void helper(int value);", "");
    row("def place(self, text):", "place");
    row("    async def place(text):", "place");
    row("pub fn place<T>(text: T) -> bool {", "place");
    row("func (r *Reader) Next() (int, error) {", "Next");
    row("func Open(name string) *File {", "Open");
    row("function place(text) {", "place");
    row("const place = (text) => {", "place");
    row("constexpr int kMost = 12;", "kMost");
    row("MOST = 12", "MOST");
    row("value = 12", "");
    row("#define LIMIT 12", "LIMIT");
    row("using Words = QVector<int>;", "Words");
    row("using namespace std;", "");
    row("// class Parser is defined elsewhere", "");
    row("x == y;", "");
  }
  void definitionsAreToldByTheirLines() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, name);
    QCOMPARE(definedIn(line).value_or(QByteArray()), name);
  }

  void aWordIsFoundInAnyFormOfIt() {
    const auto partsOf = [](const char* text) {
      QVector<WordHash> parts;
      forEachPart(text, [&parts](WordHash part) { parts.append(part); });
      return parts;
    };
    QCOMPARE(partsOf("parseLine").size(), 2);
    QCOMPARE(partsOf("parse_lines"), partsOf("ParseLine"));
    QCOMPARE(partsOf("HTTPServer"), partsOf("http server"));
    QCOMPARE(partsOf("placing"), partsOf("places"));
    QCOMPARE(partsOf("placed"), partsOf("place"));
    QVERIFY(partsOf("place") != partsOf("plane"));
    QVERIFY(looksLikeCode("parseLine") && looksLikeCode("kMost") && looksLikeCode("a_b"));
    QVERIFY(!looksLikeCode("Parser") && !looksLikeCode("line") && !looksLikeCode("12"));
  }

  void aFileIsCutAtItsDefinitions() {
    const QByteArray text = "int first() {\n" + filler(14) + "}\n\n// Says what comes second.\n" +
                            "int second() {\n" + filler(60) + "}\n";
    const FilePassages file = passagesOf("src/a.cpp", text);
    QVector<std::pair<int, int>> ranges;
    for (const Passage& passage : file.passages)
      ranges.append({passage.firstLine, passage.lastLine});
    QCOMPARE(ranges, (QVector<std::pair<int, int>>{{1, 17}, {18, 62}, {63, 80}}));
    QCOMPARE(file.lines(18, 19), "// Says what comes second.\nint second() {\n");
    QCOMPARE(file.definitions, (QVector<Definition>{{"first", 1}, {"second", 19}}));
  }

  void aDefinitionComesFirstItsUsesNext() {
    QTemporaryDir folder;
    write(folder, "talk.md", "placeHunk is placeHunk as placeHunk is: placeHunk placeHunk.\n");
    write(folder, "src/use.cpp", "void run() {\n  placeHunk(text);\n}\n");
    write(folder, "src/place.cpp", "bool placeHunk(const Text& text) {\n  return true;\n}\n");
    write(folder, "src/hunk.cpp", "// Where a hunk has its place.\nint hunkPlace() {\n}\n");
    const auto project = readAll(folder.path());
    const QVector<FoundPassage> found = project->search("What does placeHunk do?", 10);
    QCOMPARE(placesOf(found).first(), "src/place.cpp:1");
    QCOMPARE(found[0].why, FoundPassage::Why::kDefines);
    QCOMPARE(found[0].symbol, "placeHunk");
    QCOMPARE(found[0].text, "bool placeHunk(const Text& text) {\n  return true;\n}\n");
    QCOMPARE(found.size(), 4);
    QCOMPARE(found[1].why, FoundPassage::Why::kUses);
    QCOMPARE(found[2].why, FoundPassage::Why::kUses);
    QCOMPARE(found[3].path, "src/hunk.cpp");
    QCOMPARE(found[3].why, FoundPassage::Why::kWords);
    QCOMPARE(project->search("What does placeHunk do?", 2).size(), 2);
    QVERIFY(project->search("unheard", 10).isEmpty());
    QVERIFY(project->search("what is the", 10).isEmpty());
  }

  // Of this repository itself, asked as a newcomer would.
  void questionsAboutThisProjectFindTheirFiles_data() {
    QTest::addColumn<QString>("question");
    QTest::addColumn<QString>("path");
    QTest::newRow("symbol") << "Where is ModelRoster defined?"
                            << "pairing/models/model_roster.h";
    QTest::newRow("words") << "How is the place of a hunk found in a text that has changed?"
                           << "pairing/placing/placement.cpp";
    QTest::newRow("comment") << "Which characters of an SSE stream end an event?"
                             << "pairing/endpoints/sse_parser.cpp";
    QTest::newRow("call") << "who calls hangUp()"
                          << "pairing/request/endpoint.cpp";
  }
  void questionsAboutThisProjectFindTheirFiles() {
    QFETCH(QString, question);
    QFETCH(QString, path);
    const QString root = QString::fromStdString(waferpair::test::sourceDir());
    QStringList files;
    for (const QString& file : filesBelow(root + "/pairing")) files.append("pairing/" + file);
    const auto project = ProjectPassages::read({root, files, {}}, {}, kGoesOn);
    QVERIFY(project->fileCount() > 30);
    QStringList found;
    // As many as an answer in Ask shows.
    for (const FoundPassage& passage : project->search(question, 8)) found.append(passage.path);
    QVERIFY2(found.contains(path), qPrintable(found.join(' ')));
  }

  void whatTheGateHoldsBackIsNotRead() {
    QTemporaryDir folder;
    write(folder, "a.cpp", "int needle;\n");
    write(folder, ".env", "NEEDLE=needle\n");
    write(folder, "id_rsa", "needle\n");
    write(folder, "key.cpp",
          "// needle\nauto key = \"-----BEGIN RSA PRI"
          "VATE KEY-----\";\n");
    write(folder, "secret/b.cpp", "int needle;\n");
    write(folder, ".waferpairignore", "secret/\n");
    write(folder, "dump.sql", "insert needle;\n");
    write(folder, "binary", QByteArray("needle\0", 7));
    QFile::link(folder.filePath("secret/b.cpp"), folder.filePath("link.cpp"));
    const auto project = readAll(folder.path());
    QCOMPARE(placesOf(project->search("needle", 20)), QStringList{"a.cpp:1"});
    QCOMPARE(project->fileCount(), 1);

    // Also one that is in an editor, and one that was known before a rule came.
    write(folder, ".waferpairignore", "secret/\na.cpp\n");
    const QVector<OpenText> open{{folder.filePath("secret/b.cpp"), "b.cpp", Snapshot("needle")}};
    QCOMPARE(readAll(folder.path(), project, open)->fileCount(), 0);
  }

  void onlyWhatChangedIsReadAgain() {
    QTemporaryDir folder;
    write(folder, "a.cpp", "int first;\n");
    write(folder, "b.cpp", "int second;\n");
    const auto before = readAll(folder.path());
    QCOMPARE(before->filesRead(), 2);
    QCOMPARE(readAll(folder.path(), before)->filesRead(), 0);

    write(folder, "b.cpp", "int another;\n");
    const auto after = readAll(folder.path(), before);
    QCOMPARE(after->filesRead(), 1);
    QVERIFY(after->search("second", 5).isEmpty());
    QCOMPARE(placesOf(after->search("another", 5)), QStringList{"b.cpp:1"});
    QCOMPARE(placesOf(before->search("second", 5)), QStringList{"b.cpp:1"});

    // A text in an editor counts as it is there.
    const Snapshot typed("int typed;\n");
    const auto open = readAll(folder.path(), after, {{folder.filePath("a.cpp"), "a.cpp", typed}});
    QCOMPARE(open->filesRead(), 1);
    QCOMPARE(placesOf(open->search("typed", 5)), QStringList{"a.cpp:1"});
    QCOMPARE(
        readAll(folder.path(), open, {{folder.filePath("a.cpp"), "a.cpp", typed}})->filesRead(), 0);
    QCOMPARE(placesOf(readAll(folder.path(), open)->search("first", 5)), QStringList{"a.cpp:1"});
  }

  void aSearchSeesWhatChangedBeforeIt() {
    QTemporaryDir folder;
    write(folder, "a.cpp", "int first;\n");
    Snapshot text("int typed;\n");
    bool isOpen = false;
    ProjectSearch search([&] {
      QVector<OpenText> open;
      if (isOpen) open.append({folder.filePath("a.cpp"), "a.cpp", text});
      return open;
    });
    search.setProject(folder.path(), {"a.cpp"});
    QTRY_VERIFY(!search.isReading());
    QCOMPARE(search.passages()->symbols(), QStringList());

    isOpen = true;
    text = Snapshot("struct Typed {\n};\n");
    QStringList found;
    int answers = 0;
    search.search("typed", 5, this, [&](const QVector<FoundPassage>& passages) {
      found = placesOf(passages);
      ++answers;
    });
    QTRY_COMPARE(answers, 1);
    QCOMPARE(found, QStringList{"a.cpp:1"});
    QCOMPARE(search.passages()->symbols(), QStringList{"Typed"});
    QCOMPARE(search.passages()->definitionsOf("Typed"), (QVector<SymbolPlace>{{"a.cpp", 1, 2}}));

    // Of another project no answer comes.
    search.search("typed", 5, this, [&](const QVector<FoundPassage>&) { ++answers; });
    search.setProject({}, {});
    QTRY_VERIFY(!search.isReading());
    waferpair::test::rest({&search});
    QCOMPARE(answers, 1);
  }
};

QTEST_GUILESS_MAIN(TestRetrieval)
#include "test_retrieval.moc"
