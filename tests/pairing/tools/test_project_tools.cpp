// SPDX-License-Identifier: GPL-3.0-or-later
// The tools by themselves: what each gives, what it leaves out and says so, and what it refuses.
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>
#include <thread>

#include "pairing/tools/project_tools.h"
#include "pairing/tools/tool_use.h"

using namespace waferpair::pairing;
using waferpair::editor::Snapshot;

namespace {

constexpr qsizetype kRoom = 16 << 10;
// Nobody's, but of the form that the gate knows.
const QByteArray kToken = QByteArray("ghp_") + "0123456789abcdefghijABCDEFGHIJ012345";

}  // namespace

class TestProjectTools : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    project_ = {};
    write("src/a.cpp", "int one() {\n  return 1;\n}\n\nint two() {\n  return one() + 1;\n}\n");
    write("src/deep/b.cpp", "// One and two\nint three = 3;\n");
    write("README.md", "# A project\n");
    write(".env", "KEY=one\n");
    write("secret.txt", "one " + kToken + "\n");
  }
  void cleanup() { folder_.reset(); }

  void aFileIsReadByItsLines() {
    ToolResult read = call("read_file", R"({"path":"src/a.cpp"})");
    QVERIFY(!read.isError);
    QVERIFY2(read.text.startsWith("src/a.cpp, lines 1 to 7 of 7:\nint one() {\n"),
             qPrintable(read.text));
    QVERIFY(read.text.endsWith("\n}"));
    QCOMPARE(read.title, "Read src/a.cpp, lines 1 to 7");
    QCOMPARE(read.paths, QStringList{folder_->filePath("src/a.cpp")});
    read = call("read_file", R"({"path":"./src/a.cpp","first_line":5,"last_line":"6"})");
    QCOMPARE(read.text, "src/a.cpp, lines 5 to 6 of 7:\nint two() {\n  return one() + 1;");
    QCOMPARE(read.line, 5);
    // As other programs' tools are called.
    read = call("read_file", R"({"file_path":"src/a.cpp","offset":2,"limit":1})");
    QCOMPARE(read.text, "src/a.cpp, lines 2 to 2 of 7:\n  return 1;");
    // All of it, where the lines are none.
    read = call("read_file", R"({"path":"src/a.cpp","first_line":6,"last_line":2})");
    QCOMPARE(read.text, "src/a.cpp, lines 6 to 6 of 7:\n  return one() + 1;");
    read = call("read_file", R"({"path":"src/a.cpp","first_line":-3,"last_line":1e300})");
    QVERIFY(read.text.startsWith("src/a.cpp, lines 1 to 7 of 7:"));
    read = call("read_file", R"({"path":"src/a.cpp","first_line":8})");
    QVERIFY(read.isError);
    QCOMPARE(read.text, "src/a.cpp has 7 lines only.");
  }

  void anOpenTextIsReadAsItIs() {
    project_.open = {{folder_->filePath("src/a.cpp"), "a.cpp", Snapshot("typed\n")}};
    QCOMPARE(call("read_file", R"({"path":"src/a.cpp"})").text,
             "src/a.cpp, lines 1 to 1 of 1:\ntyped");
    QCOMPARE(call("search_text", R"({"query":"TYPED"})").text, "src/a.cpp:1: typed\n");
  }

  void whatIsTooLongIsCutAndSaidSo() {
    QByteArray lines;
    for (int i = 1; i <= 4000; ++i) lines += "line " + QByteArray::number(i) + "\n";
    write("long.txt", lines);
    const ToolResult read = call("read_file", R"({"path":"long.txt"})");
    QVERIFY(read.text.toUtf8().size() < kRoom + 200);
    const QRegularExpression end("\\[Lines (\\d+) to 4000 are left out: read them by first_line");
    const auto match = end.match(read.text);
    QVERIFY2(match.hasMatch(), qPrintable(read.text.right(200)));
    // The last line that is there stands before the first that is not.
    const int next = match.captured(1).toInt();
    QVERIFY(read.text.contains("\nline " + QString::number(next - 1) + "\n["));
    QVERIFY(call("read_file", QString(R"({"path":"long.txt","first_line":%1})").arg(next).toUtf8())
                .text.contains("\nline " + QString::number(next) + "\n"));

    write("wide.txt", QByteArray("é").repeated(20'000));
    const ToolResult wide = call("read_file", R"({"path":"wide.txt"})");
    QVERIFY(wide.text.endsWith("é\n[The rest of this line is left out.]"));
    QVERIFY(!wide.text.contains(QChar::ReplacementCharacter));
  }

  void whatMayNotBeSeenIsRefused_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("says");
    QTest::newRow("above") << "../outside.txt"
                           << "is not in the project's folder";
    QTest::newRow("absolute") << "/etc/passwd"
                              << "is not in the project's folder";
    QTest::newRow("by a link") << "link.txt"
                               << "is not in the project's folder";
    QTest::newRow("by a linked folder") << "linked/outside.txt"
                                        << "is not in the project's folder";
    QTest::newRow("a secret's name") << ".env"
                                     << "is kept from models";
    QTest::newRow("a secret inside") << "secret.txt"
                                     << "is kept from models";
    QTest::newRow("an ignored one") << "private/notes.md"
                                    << "is kept from models";
    QTest::newRow("git's own") << ".git/config"
                               << "belongs to version control";
    QTest::newRow("a folder") << "src"
                              << "is no file";
    QTest::newRow("binary") << "data.bin"
                            << "is a binary file";
    QTest::newRow("huge") << "huge.txt"
                          << "is too large";
    QTest::newRow("no path") << ""
                             << "No path is given";
    QTest::newRow("nothing there") << "b.cpp"
                                   << "Files of this name: src/deep/b.cpp";
  }

  void whatMayNotBeSeenIsRefused() {
    QFETCH(const QString, path);
    QFETCH(const QString, says);
    const QTemporaryDir outside;
    QFile out(outside.filePath("outside.txt"));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("one outside\n");
    out.close();
    QFile::link(out.fileName(), folder_->filePath("link.txt"));
    QFile::link(outside.path(), folder_->filePath("linked"));
    write(".waferpairignore", "private/\n");
    write("private/notes.md", "one private\n");
    write(".git/config", "[remote]\n");
    write("data.bin", QByteArray("one\0two", 7));
    QFile huge(folder_->filePath("huge.txt"));
    QVERIFY(huge.open(QIODevice::WriteOnly) &&
            huge.write(QByteArray("no\n").repeated(3 << 20)) > 0);
    huge.close();
    project_.files +=
        {"link.txt", "linked/outside.txt", "private/notes.md", "data.bin", "huge.txt"};
    const ToolResult read = call(
        "read_file", QJsonDocument(QJsonObject{{"path", path}}).toJson(QJsonDocument::Compact));
    QVERIFY(read.isError);
    QVERIFY2(read.text.contains(says), qPrintable(read.text));
    QVERIFY(read.paths.isEmpty());
    // Nor is it found, or named.
    QCOMPARE(call("search_text", R"({"query":"one"})").text,
             "src/a.cpp:1: int one() {\nsrc/a.cpp:6: return one() + 1;\n"
             "src/deep/b.cpp:1: // One and two\n");
    const QString tree = call("list_files", "{}").text;
    QVERIFY2(!tree.contains(".env") && !tree.contains("notes.md"), qPrintable(tree));
  }

  void filesAreListed() {
    QVERIFY(call("list_files", "").text.contains("./: README.md"));
    QCOMPARE(call("list_files", R"({"pattern":"*.cpp"})").text, "src/a.cpp\nsrc/deep/b.cpp\n");
    QCOMPARE(call("list_files", like("src/*.cpp")).text, "src/a.cpp\n");
    QCOMPARE(call("list_files", like("src/**/*.cpp")).text, "src/a.cpp\nsrc/deep/b.cpp\n");
    QCOMPARE(call("list_files", R"({"path":"src/deep/","pattern":"*"})").text, "src/deep/b.cpp\n");
    QCOMPARE(call("list_files", R"({"pattern":"*.rs"})").text, "No file matches *.rs.");
    QCOMPARE(call("list_files", R"({"pattern":"src/**/*.{h,cpp}"})").text,
             "src/a.cpp\nsrc/deep/b.cpp\n");
    QCOMPARE(call("list_files", R"({"pattern":"src/*.{h,cpp}"})").text, "src/a.cpp\n");
    QCOMPARE(call("list_files", R"({"pattern":"{a,b"})").text, "No file matches {a,b.");
    write("src/[id].tsx", "");
    QCOMPARE(call("list_files", R"({"pattern":"**/[id].tsx"})").text, "src/[id].tsx\n");
    QVERIFY(call("list_files", R"({"path":"nowhere"})").isError);
    QVERIFY(call("list_files", R"({"path":".."})").isError);
    for (int i = 0; i < 400; ++i) project_.files.append(QString("many/%1.txt").arg(i));
    QVERIFY(call("list_files", like("many/*")).text.endsWith("[100 more files are left out.]"));
  }

  void textIsSearched() {
    QCOMPARE(call("search_text", R"({"query":"one() +"})").text,
             "src/a.cpp:6: return one() + 1;\n");
    QCOMPARE(call("search_text", R"({"query":"ONE","case_sensitive":true})").text,
             "Nothing in the project's text files matches.");
    QCOMPARE(call("search_text", R"({"query":"^int t\\w+","regex":true})").text,
             "src/a.cpp:5: int two() {\nsrc/deep/b.cpp:2: int three = 3;\n");
    QCOMPARE(call("search_text", R"({"query":"one","path":"src/deep"})").text,
             "src/deep/b.cpp:1: // One and two\n");
    const QByteArray bracket("{\"query\":\"(\",\"regex\":true}");  // moc misreads it raw
    QVERIFY(call("search_text", bracket).isError);
    QVERIFY(call("search_text", R"({"query":""})").isError);
    write("hits.txt", QByteArray("hit\n").repeated(100));
    project_.files.append("hits.txt");
    const ToolResult hits = call("search_text", R"({"query":"hit"})");
    QCOMPARE(hits.text.count(": hit\n"), 60);
    QVERIFY(hits.text.contains("[More hits are left out"));
    QCOMPARE(hits.title, "Searched for \"hit\", hits: 60 and more");
  }

  // An expression that takes its time over each line does not keep the search from being called
  // off.
  // A query that takes a minute over this file is begun or not, and ends either way.
  void aSearchIsCalledOff() {
    write("hard.txt", (QByteArray(900, 'a') + "\n").repeated(1'000));
    project_.files = {"hard.txt"};
    const auto canceled = std::make_shared<std::atomic<bool>>(false);
    project_.canceled = canceled;
    std::thread other([canceled] { *canceled = true; });
    const QByteArray query = R"({"query":"(a*)*(a*)*(a*)*[bc]","regex":true})";
    QVERIFY(call("search_text", query).paths.isEmpty());
    other.join();
    QVERIFY(call("search_text", R"({"query":"aaa"})").paths.isEmpty());
    *canceled = false;
    QCOMPARE(call("search_text", R"({"query":"aaa"})").paths.size(), 1);
  }

  void symbolsAreLookedUp() {
    const std::atomic<bool> cancelled = false;
    project_.passages =
        ProjectPassages::read({folder_->path(), project_.files, {}}, nullptr, cancelled);
    const ToolResult found = call("find_symbol", R"({"name":"Some::two"})");
    QVERIFY2(found.text.contains("int two() {\n  return one() + 1;\n}"), qPrintable(found.text));
    QCOMPARE(found.line, 5);
    QCOMPARE(found.paths, QStringList{folder_->filePath("src/a.cpp")});
    const ToolResult none = call("find_symbol", R"({"name":"tw"})");
    QVERIFY2(none.text.contains("Alike are: two"), qPrintable(none.text));
  }

  void whatIsWrongIsTold() {
    project_.problems = {{folder_->filePath("src/a.cpp"), 2, "error: expected ';'"},
                         {folder_->filePath(".env"), 1, "warning: KEY"},
                         {"/elsewhere/x.cpp", 1, "error: not ours"}};
    QCOMPARE(call("diagnostics", "").text, "src/a.cpp:2: error: expected ';'\n");
    QCOMPARE(call("diagnostics", R"({"path":"src/a.cpp"})").title,
             "Looked at what is reported wrong: 1");
    QVERIFY(call("diagnostics", R"({"path":"src/deep"})")
                .text.startsWith("Nothing is reported wrong."));
  }

  void withoutAFolderNothingIsThere() {
    const ToolProject none;
    for (const ProjectTool& tool : projectTools()) {
      if (!tool.run) continue;
      const auto arguments = ToolArguments::read(R"({"path":"a","query":"a","name":"a"})");
      const ToolResult result = tool.run(none, *arguments, kRoom);
      QVERIFY(result.paths.isEmpty());
    }
  }

  void argumentsThatAreNoneAreSaidSo() {
    for (const char* wrong : {"{\"path\": ", "[1]", "7", "\"a\"", "path=a"})
      QVERIFY2(!ToolArguments::read(QString::fromLatin1(wrong)), wrong);
    QVERIFY(ToolArguments::read(" "));
    const auto odd = ToolArguments::read(R"({"path":{"a":1},"first_line":"many","regex":"True"})");
    QCOMPARE(odd->text("path"), "");
    QVERIFY(!odd->number("first_line"));
    QVERIFY(odd->flag("regex"));
  }

  void toolsAreSoundSchemas() {
    QStringList names;
    for (const ProjectTool& tool : projectTools()) {
      QVERIFY(!names.contains(tool.tool.name));
      names.append(tool.tool.name);
      QVERIFY(!tool.tool.description.isEmpty());
      const QJsonObject properties = tool.tool.parameters["properties"].toObject();
      for (const QJsonValue required : tool.tool.parameters["required"].toArray())
        QVERIFY(properties.contains(required.toString()));
    }
  }

  void theModelsSizeDecides() {
    QVERIFY(!mayUseTools(ToolUse::kBySize, 500'000'000, -1));
    QVERIFY(mayUseTools(ToolUse::kBySize, 7'000'000'000, 32'768));
    QVERIFY(mayUseTools(ToolUse::kBySize, -1, -1));
    QVERIFY(!mayUseTools(ToolUse::kBySize, 7'000'000'000, 4'096));
    QVERIFY(mayUseTools(ToolUse::kAlways, 500'000'000, 4'096));
    QVERIFY(!mayUseTools(ToolUse::kOff, 7'000'000'000, 32'768));
  }

 private:
  void write(const QString& file, const QByteArray& bytes) {
    const QString path = folder_->filePath(file);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(bytes);
    project_.root = folder_->path();
    const bool isListed = !file.startsWith(".git") && !file.startsWith(".waferpair");
    if (isListed && !project_.files.contains(file)) project_.files.append(file);
    project_.files.sort();
  }
  static QByteArray like(const char* pattern) {
    return QByteArray("{\"pattern\":\"") + pattern + "\"}";
  }
  ToolResult call(const char* name, const QByteArray& json) const {
    for (const ProjectTool& tool : projectTools()) {
      if (tool.tool.name != QLatin1String(name)) continue;
      return tool.run(project_, *ToolArguments::read(QString::fromUtf8(json)), kRoom);
    }
    return ToolResult::error(QStringLiteral("no such tool"));
  }

  std::unique_ptr<QTemporaryDir> folder_;
  ToolProject project_;
};

QTEST_GUILESS_MAIN(TestProjectTools)
#include "test_project_tools.moc"
