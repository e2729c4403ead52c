// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/context/gather_context.h"
#include "pairing/context/git_changes.h"
#include "pairing/context/mentions.h"
#include "pairing/context/token_estimate.h"

using namespace waferpair::pairing;
using waferpair::editor::Snapshot;
using Outcome = ContextItem::Outcome;

namespace {

const std::atomic<bool> kKeepsReading{false};

class Project {
 public:
  QString root() const { return folder_.path(); }
  QString path(const QString& file) const { return folder_.filePath(file); }
  void write(const QString& file, const QByteArray& bytes) {
    QVERIFY(QDir().mkpath(QFileInfo(path(file)).path()));
    QFile out(path(file));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(bytes);
    if (!files_.contains(file)) files_.append(file);
  }
  void git(const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(root());
    process.start("git", QStringList{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c",
                                     "commit.gpgsign=false"} +
                             arguments);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
  }
  ContextRequest request(const QString& question, qint64 budget = 100'000) const {
    ContextRequest request;
    request.root = root();
    request.files = files_;
    request.question = question;
    request.budget = budget;
    return request;
  }
  QVector<ContextItem> gather(const QString& question, qint64 budget = 100'000) const {
    return gatherContext(request(question, budget));
  }

 private:
  QTemporaryDir folder_;
  QStringList files_;
};

QStringList namesOf(const QVector<ContextItem>& items) {
  QStringList names;
  for (const ContextItem& item : items) names.append(item.name);
  return names;
}

// In two parts, so that no gate takes this file for one with a key in it.
QByteArray privateKey() { return QByteArray("-----BEGIN RSA PRIVATE ") + "KEY-----\nabc\n"; }

}  // namespace

class TestContext : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Another folder's files are named behind its label, and held to its own rules.
  void filesOfAnotherFolderAreMentioned() {
    Project first, second;
    first.write("a.txt", "one\n");
    second.write("src/a.txt", "two\n");
    second.write("src/kept.txt", "three\n");
    second.write(".waferpairignore", "kept.txt\n");
    const auto gather = [&](const QString& question) {
      ContextRequest request = first.request(question);
      request.others = {{"lib", second.root(), {"src/a.txt", "src/kept.txt"}}};
      return gatherContext(request);
    };
    const auto one = gather("@lib/src/a.txt and @a.txt");
    QCOMPARE(namesOf(one), (QStringList{"lib/src/a.txt", "a.txt"}));
    QCOMPARE(one[0].text, QString("two\n"));
    QCOMPARE(one[0].path, second.path("src/a.txt"));
    const auto held = gather("@lib/src/");
    QCOMPARE(namesOf(held), (QStringList{"lib/src/a.txt", "lib/src/kept.txt"}));
    QCOMPARE(held[1].outcome, Outcome::kLeftOut);
    QVERIFY(held[1].text.isEmpty());
    QCOMPARE(gather("@lib/../../etc/hostname").value(0).outcome, Outcome::kLeftOut);
    QCOMPARE(gather("@src/a.txt").value(0).outcome, Outcome::kLeftOut);
  }

  void mentionsAreToldFromText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("names");
    QTest::newRow("file") << "why is @src/a.cpp slow?" << QStringList{"src/a.cpp"};
    QTest::newRow("end") << "look at @src/a.cpp." << QStringList{"src/a.cpp"};
    QTest::newRow("folder") << "(@src/)" << QStringList{"src/"};
    QTest::newRow("quoted") << "@\"my file.txt\", and @b" << QStringList{"my file.txt", "b"};
    QTest::newRow("mail") << "write to me@example.com" << QStringList{};
    QTest::newRow("lone") << "@ home @" << QStringList{};
    QTest::newRow("unclosed") << "@\"my file" << QStringList{};
  }
  void mentionsAreToldFromText() {
    QFETCH(QString, text);
    QFETCH(QStringList, names);
    QStringList found;
    for (const Mention& mention : mentionsIn(text)) {
      QCOMPARE(mention.kind, Mention::Kind::kName);
      found.append(mention.name);
    }
    QCOMPARE(found, names);
  }

  void whatIsAtHandHasWords() {
    const QVector<Mention> found =
        mentionsIn(u"@selection, @open and @diff @open.cpp @diagnostics");
    QCOMPARE(found.size(), 5);
    QCOMPARE(found[0], (Mention{Mention::Kind::kSelection, {}, 0, 10}));
    QCOMPARE(found[1].kind, Mention::Kind::kOpenFiles);
    QCOMPARE(found[2].kind, Mention::Kind::kDiff);
    QCOMPARE(found[3].name, "open.cpp");
    QCOMPARE(found[4].kind, Mention::Kind::kDiagnostics);
    QCOMPARE(mentionsIn(u"why @terminal?")[0].kind, Mention::Kind::kTerminal);
    QVERIFY(!mentionsSeveralFiles(u"why @terminal?"));
    QVERIFY(mentionsSeveralFiles(u"fix @diagnostics"));
    QVERIFY(!mentionsSeveralFiles(u"fix @selection"));
  }

  void theMentionAtTheCaret() {
    const QString text = "see @src/a and me@x";
    QCOMPARE(mentionAt(text, 10)->typed, "src/a");
    QCOMPARE(mentionAt(text, 10)->start, 4);
    QCOMPARE(mentionAt(text, 5)->typed, "");
    QVERIFY(!mentionAt(text, 11));
    QVERIFY(!mentionAt(text, text.size()));
    QVERIFY(!mentionAt(text, 0));
    QCOMPARE(mentionAt(u"@\"my fi", 7)->typed, "my fi");
    QCOMPARE(mentionOf("my file"), "@\"my file\"");
    QCOMPARE(mentionOf("a/b.cpp"), "@a/b.cpp");
  }

  void filesAndFoldersAreRead() {
    Project project;
    project.write("src/a.cpp", "int a;\n");
    project.write("src/b.cpp", "int b;\n");
    project.write("c.cpp", "int c;\n");
    const QVector<ContextItem> items = project.gather("@src/ and @src/a.cpp, @c.cpp @gone.cpp");
    QCOMPARE(namesOf(items), (QStringList{"src/a.cpp", "src/b.cpp", "c.cpp", "gone.cpp"}));
    QCOMPARE(items[0].text, "int a;\n");
    QCOMPARE(items[0].path, project.path("src/a.cpp"));
    QCOMPARE(items[0].tokens, 2);
    QCOMPARE(items[2].outcome, Outcome::kSent);
    QCOMPARE(items[3].outcome, Outcome::kLeftOut);
    QCOMPARE(items[3].why, "the open folder has no file, folder or symbol of this name");
  }

  void aTextInAnEditorIsTakenAsItIsThere() {
    Project project;
    project.write("a.cpp", "int onDisk;\n");
    ContextRequest request = project.request("@a.cpp @open");
    request.open = {{project.path("a.cpp"), "a.cpp", Snapshot("int typed;\n")},
                    {{}, "Untitled 1", Snapshot("new\n")}};
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(namesOf(items), (QStringList{"a.cpp", "Untitled 1"}));
    QCOMPARE(items[0].text, "int typed;\n");
    QCOMPARE(items[1].text, "new\n");
  }

  void aSelectionSaysItsLines() {
    Project project;
    project.write("a.cpp", "int a;\n");
    ContextRequest request = project.request("@selection");
    QCOMPARE(gatherContext(request)[0].why, "nothing is selected in the text in front");
    request.selection = {project.path("a.cpp"), "a.cpp", 3, 5, "part"};
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(namesOf(items), QStringList{"a.cpp:3-5"});
    QCOMPARE(items[0].text, "part");

    // A part of a text with a secret in it is held back as the text is.
    request.open = {{project.path("a.cpp"), "a.cpp", Snapshot("part\n" + privateKey())}};
    QCOMPARE(gatherContext(request)[0].outcome, Outcome::kLeftOut);
  }

  void aSymbolIsItsDefinition() {
    Project project;
    project.write("a.cpp", "int first() {\n  return 1;\n}\n");
    ContextRequest request = project.request("what is @first?");
    request.passages = ProjectPassages::read({project.root(), {"a.cpp"}, {}}, {}, kKeepsReading);
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(namesOf(items), QStringList{"a.cpp:1-3"});
    QCOMPARE(items[0].kind, ContextItem::Kind::kSymbol);
    QCOMPARE(items[0].text, "int first() {\n  return 1;\n}\n");
  }

  void secretsStayOutOnEveryWay() {
    Project project;
    project.write(".env", "KEY=1\n");
    project.write("key.txt", privateKey());
    project.write("kept/a.cpp", "int a;\n");
    project.write(".waferpairignore", "kept/\n");
    project.write("binary.bin", QByteArray("a\0b", 3));
    const QVector<ContextItem> items =
        project.gather("@.env @key.txt @kept/ @binary.bin @../outside @/etc/passwd");
    QCOMPARE(items.size(), 6);
    for (const ContextItem& item : items) {
      QCOMPARE(item.outcome, Outcome::kLeftOut);
      QVERIFY(item.text.isEmpty() && !item.why.isEmpty());
    }
    QVERIFY2(items[0].why.contains(".env"), qPrintable(items[0].why));
    QVERIFY2(items[1].why.contains("a private key"), qPrintable(items[1].why));
    QVERIFY2(items[2].why.contains("kept/"), qPrintable(items[2].why));

    ContextRequest open = project.request("@open");
    open.open = {{project.path(".env"), ".env", Snapshot("KEY=1\n")},
                 {{}, "Untitled 1", Snapshot(privateKey())}};
    for (const ContextItem& item : gatherContext(open)) QCOMPARE(item.outcome, Outcome::kLeftOut);

    QVERIFY(heldBack(project.root(), {}, "plain words").isEmpty());
    QVERIFY(!heldBack(project.root(), {}, privateKey()).isEmpty());
    QVERIFY(!heldBack(project.root(), project.path(".env"), "plain words").isEmpty());
  }

  void theDiffIsThatOfTheWorkFolder() {
    Project project;
    QVERIFY(project.gather("@diff")[0].why.startsWith("The folder is in no git repository"));
    project.git({"init", "-q"});
    project.write("a.cpp", "int a;\n");
    project.write("b.cpp", "int b;\n");
    project.write("key.txt", "plain\n");
    project.write(".env", "KEY=1\n");
    project.git({"add", "-f", "."});
    project.git({"commit", "-q", "-m", "all"});
    QCOMPARE(project.gather("@diff")[0].why, "nothing changed since the last commit");

    project.write("a.cpp", "int changed;\n");
    project.write(".env", "KEY=2\n");
    project.write("key.txt", "plain text\n" + QByteArray(20, '\n') + privateKey());
    QFile::remove(project.path("b.cpp"));
    const QVector<ContextItem> items = project.gather("@diff");
    QCOMPARE(namesOf(items),
             (QStringList{"diff of .env", "diff of a.cpp", "diff of b.cpp", "diff of key.txt"}));
    QCOMPARE(items[0].outcome, Outcome::kLeftOut);
    QCOMPARE(items[1].outcome, Outcome::kSent);
    QVERIFY2(items[1].text.contains("-int a;\n+int changed;\n"), qPrintable(items[1].text));
    QVERIFY(items[2].text.contains("-int b;\n"));
    QCOMPARE(items[3].outcome, Outcome::kLeftOut);

    // A clone may have a hole of gigabytes in place of a file.
    QFile hole(project.path("a.cpp"));
    QVERIFY(hole.open(QIODevice::ReadWrite) && hole.resize(8LL << 30));
    QCOMPARE(project.gather("@diff")[1].outcome, Outcome::kLeftOut);
    QCOMPARE(changesSinceHead(project.root())->at(1).patch, QByteArray());
    project.write("a.cpp", QByteArray("int changed;\n").repeated(400'000));
    QCOMPARE(project.gather("@diff")[1].why, "it is too long");
  }

  void diagnosticsComeByFileWithTheirLines() {
    Project project;
    QCOMPARE(project.gather("@diagnostics")[0].why, "nothing was found to be wrong");
    project.write("a.cpp", "int a\nint b;\n");
    project.write("b.cpp", "on disk\n");
    project.write("key.txt", privateKey());
    project.write(".env", "KEY=1\n");
    ContextRequest request = project.request("@diagnostics");
    request.open = {{project.path("b.cpp"), "b.cpp",
                     Snapshot("first\n  as in the \xc3\xa9"
                              "ditor\n")}};
    request.problems = {{project.path("b.cpp"), 2, "error: unknown name"},
                        {project.path("a.cpp"), 1, "error: expected ';' (clang)"},
                        {project.path("a.cpp"), 9, "warning: no such line"},
                        {project.path("key.txt"), 2, "error: abc"},
                        {project.path(".env"), 1, "error: KEY"}};
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(namesOf(items), (QStringList{"diagnostics of b.cpp", "diagnostics of a.cpp",
                                          "diagnostics of key.txt", "diagnostics of .env"}));
    QCOMPARE(items[0].text, QString("b.cpp:2: error: unknown name\n    as in the \u00e9ditor\n"));
    QCOMPARE(items[1].text,
             "a.cpp:1: error: expected ';' (clang)\n    int a\na.cpp:9: warning: no such line\n");
    QCOMPARE(items[1].kind, ContextItem::Kind::kDiagnostics);
    for (int held : {2, 3}) {
      QCOMPARE(items[held].outcome, Outcome::kLeftOut);
      QVERIFY(items[held].text.isEmpty());
    }
  }

  void whatATerminalPrintedIsJudgedLikeAFile() {
    Project project;
    QCOMPARE(project.gather("@terminal")[0].why, "no terminal has an output");
    project.write(".env", "KEY=1\n");
    project.write("a.cpp", "int a\n");
    ContextRequest request = project.request("@terminal");
    const auto told = [&](const TerminalText& terminal) {
      request.terminal = terminal;
      return gatherContext(request)[0];
    };
    const QString root = project.root();
    ContextItem item = told({"make  all", root, false, "a.cpp:1: no\n", "a.cpp:1: no\n"});
    QCOMPARE(item.kind, ContextItem::Kind::kTerminal);
    QCOMPARE(item.name, "output of make all");
    QCOMPARE(item.text, "$ make all\na.cpp:1: no\n");
    item = told({"make", root, true, "no", "a.cpp:1: no\n"});
    QCOMPARE(item.name, "selection in the terminal");
    QCOMPARE(item.text, "no");
    // A secret beside a selection, a file that is held back, by the command or by its output.
    const QString key = QString::fromUtf8(privateKey());
    for (const TerminalText& held :
         {TerminalText{"make", root, true, "no", key + "no"},
          TerminalText{"cat .env", root, false, "KEY=1\n", "KEY=1\n"},
          TerminalText{"grep -r 1", root, false, ".env:KEY=1\n", "a.cpp:1\n.env:KEY=1\n"}}) {
      item = told(held);
      QCOMPARE(item.outcome, Outcome::kLeftOut);
      QVERIFY(item.text.isEmpty());
      QVERIFY(!item.why.isEmpty());
    }
  }

  void changesBelowAFolderAreThoseOfItAlone() {
    Project project;
    project.git({"init", "-q"});
    project.write("a.cpp", "int a;\n");
    project.write("sub/b.cpp", "int b;\n");
    // Before the first commit all that git follows is new.
    project.git({"add", "."});
    const auto all = changesSinceHead(project.root());
    QVERIFY(all);
    QCOMPARE(all->size(), 2);
    const auto below = changesSinceHead(project.path("sub"));
    QVERIFY(below);
    QCOMPARE(below->size(), 1);
    QCOMPARE(below->first().path, QFileInfo(project.path("sub/b.cpp")).canonicalFilePath());
  }

  void whatHasNoRoomIsCutAtALine() {
    Project project;
    QByteArray lines;
    for (int i = 0; i < 100; ++i) lines += "0123456789012345678\n";  // 20 bytes each
    project.write("long.cpp", lines);
    project.write("next.cpp", lines);
    QCOMPARE(estimatedTokens(lines), 572);
    const QVector<ContextItem> items = project.gather("@long.cpp @next.cpp", 600);
    QCOMPARE(items[0].outcome, Outcome::kSent);
    QCOMPARE(items[1].outcome, Outcome::kLeftOut);
    QCOMPARE(items[1].why, "there is no room for it");

    const ContextItem cut = project.gather("@long.cpp", 100)[0];
    QCOMPARE(cut.outcome, Outcome::kCut);
    QCOMPARE(cut.text.size(), 340);
    QVERIFY(cut.tokens <= 100);
    QCOMPARE(cut.why, "cut behind line 17 of 100: there is no room for more");
    QCOMPARE(tokensOf(items), 572);
  }

  void whatWasReadIsNotSentAgain() {
    Project project;
    project.write("a.cpp", "int a;\n");
    ContextRequest request = project.request("@a.cpp");
    request.known = gatherContext(request);
    const ContextItem again = gatherContext(request)[0];
    QCOMPARE(again.outcome, Outcome::kKnown);
    QCOMPARE(again.tokens, 0);
    QVERIFY(again.text.isEmpty());
    project.write("a.cpp", "int b;\n");
    QCOMPARE(gatherContext(request)[0].outcome, Outcome::kSent);
  }

  void theModelGetsItInFencesThatHold() {
    ContextItem item;
    item.name = "notes.md";
    item.text = "a\n```\nb";
    ContextItem known;
    known.name = "a.cpp";
    known.outcome = Outcome::kKnown;
    ContextItem leftOut;
    leftOut.name = ".env";
    leftOut.outcome = Outcome::kLeftOut;
    QCOMPARE(contextMarkdown({item, known, leftOut}),
             "### notes.md\n\n````\na\n```\nb\n````\n\n"
             "### a.cpp\n\nUnchanged since an earlier message.\n\n");
  }
};

QTEST_GUILESS_MAIN(TestContext)
#include "test_context.moc"
