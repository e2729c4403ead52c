// SPDX-License-Identifier: GPL-3.0-or-later
// What goes along with a question unasked, in projects on disk.
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/context/project_tree.h"
#include "pairing/context/unasked_context.h"

using namespace waferpair::pairing;
using waferpair::editor::Snapshot;
using Kind = ContextItem::Kind;
using Outcome = ContextItem::Outcome;

namespace {

const std::atomic<bool> kKeepsReading{false};

constexpr char kShape[] =
    "#include \"size.h\"\n\nint areaOf(const Size& size) {\n  return size.width * size.height;\n}\n"
    "\nint marginOf(const Size& size) {\n  return kMargin * scaleOf(size);\n}\n";

// In two parts, so that no gate takes this file for one with a key in it.
QByteArray privateKey() { return QByteArray("-----BEGIN RSA PRIVATE ") + "KEY-----\nabc\n"; }

struct Project {
  Project() {
    write("src/shape.cpp", kShape);
    write("src/size.h", "struct Size {\n  int width;\n  int height;\n};\n\nint kMargin = 3;\n");
    write("src/scale.cpp",
          "// How large things are drawn.\nint scaleOf(const Size&) {\n"
          "  return 2;\n}\n");
    write("tests/test_scale.cpp",
          "// How large things are drawn is tested.\nvoid testScale() {\n"
          "  check(scaleOf({}) == 2);\n}\n");
  }
  void write(const QString& file, const QByteArray& bytes) {
    const QString path = folder.filePath(file);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(bytes);
    if (!files.contains(file)) files.append(file);
  }
  ContextRequest request(const QString& question, qint64 budget = 4000) const {
    ContextRequest request;
    request.root = folder.path();
    request.files = files;
    request.question = question;
    request.budget = 100'000;
    request.unasked.budget = budget;
    request.passages = ProjectPassages::read({folder.path(), files, {}}, {}, kKeepsReading);
    return request;
  }
  // The caret is at `at`, in lines [first, end).
  FrontText front(const QString& file, const QByteArray& text, const QByteArray& at, qint64 first,
                  qint64 end) const {
    return {folder.filePath(file),
            QFileInfo(file).fileName(),
            QStringLiteral("C++"),
            Snapshot(text),
            text.indexOf(at),
            first,
            end};
  }

  QTemporaryDir folder;
  QStringList files;
};

const ContextItem* find(const QVector<ContextItem>& items, Kind kind) {
  const auto at = std::find_if(items.begin(), items.end(),
                               [kind](const ContextItem& item) { return item.kind == kind; });
  return at == items.end() ? nullptr : &*at;
}

QStringList namesOf(const QVector<ContextItem>& items, Kind kind) {
  QStringList names;
  for (const ContextItem& item : items)
    if (item.kind == kind) names.append(item.name);
  return names;
}

}  // namespace

class TestUnaskedContext : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theBudgetFollowsTheModel_data() {
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("context");
    QTest::addColumn<qint64>("budget");
    QTest::newRow("small") << qint64{500'000'000} << qint64{32'768} << qint64{1'500};
    QTest::newRow("small, with little context")
        << qint64{500'000'000} << qint64{2'048} << qint64{512};
    QTest::newRow("middle") << qint64{7'000'000'000} << qint64{32'768} << qint64{4'000};
    QTest::newRow("large") << qint64{70'000'000'000} << qint64{131'072} << qint64{8'000};
    QTest::newRow("unknown") << qint64{-1} << qint64{-1} << qint64{4'000};
  }
  void theBudgetFollowsTheModel() {
    QFETCH(qint64, parameters);
    QFETCH(qint64, context);
    QFETCH(qint64, budget);
    QCOMPARE(unaskedBudget(parameters, context), budget);
  }

  void whatGoesAlongComesWithoutAMention() {
    Project project;
    project.write("AGENTS.md", "Write tests first.\n");
    project.write("src/AGENTS.md", "No exceptions here.\n");
    project.write("CLAUDE.md", "Write tests first.\n");  // the same once more
    ContextRequest request = project.request("how large are things drawn?");
    request.unasked.front = project.front("src/shape.cpp", kShape, "kMargin *", 6, 9);
    request.open = {{project.folder.filePath("src/shape.cpp"), "shape.cpp", Snapshot(kShape)}};
    request.problems = {{project.folder.filePath("src/shape.cpp"), 8, "error: no kMargin"},
                        {project.folder.filePath("src/shape.cpp"), 1, "error: elsewhere"}};
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(namesOf(items, Kind::kRules), (QStringList{"AGENTS.md", "src/AGENTS.md"}));
    QCOMPARE(find(items, Kind::kTree)->text,
             QStringLiteral("./: AGENTS.md, CLAUDE.md\nsrc/: AGENTS.md, scale.cpp, shape.cpp, "
                            "size.h\ntests/: test_scale.cpp\n"));
    QCOMPARE(find(items, Kind::kOpenNames)->text, QStringLiteral("src/shape.cpp\n"));
    QCOMPARE(find(items, Kind::kFront)->text, QString::fromUtf8(kShape));
    QCOMPARE(find(items, Kind::kFront)->name, QStringLiteral("src/shape.cpp (C++)"));
    QCOMPARE(find(items, Kind::kProblem)->text,
             QStringLiteral("src/shape.cpp:8: error: no kMargin\n"));
    const QStringList definitions = namesOf(items, Kind::kDefinition);
    QVERIFY2(definitions.contains("src/size.h:6-6"), qPrintable(definitions.join(u' ')));
    QVERIFY2(definitions.join(u' ').contains("src/scale.cpp:2-"),
             qPrintable(definitions.join(u' ')));
    // Tests come behind what they test.
    const QStringList passages = namesOf(items, Kind::kPassage);
    QVERIFY2(passages.size() >= 2 && passages[0].startsWith("src/scale.cpp") &&
                 passages.join(u' ').contains("tests/test_scale.cpp"),
             qPrintable(passages.join(u' ')));
    // What changes least comes first.
    for (qsizetype i = 1; i < items.size(); ++i)
      QVERIFY(items[i].kind == Kind::kFront || items[i - 1].kind == Kind::kFront ||
              items[i - 1].kind <= items[i].kind);
    const QString markdown = contextMarkdown(items);
    QVERIFY(markdown.contains("### AGENTS.md: rules for you\n"));
  }

  void allOfItHasABound() {
    Project project;
    QByteArray long_;
    for (int i = 0; i < 2000; ++i) long_ += "// how large are things drawn, line\n";
    project.write("AGENTS.md", long_);
    project.write("src/long.cpp", long_);
    for (const qint64 budget : {100, 500, 1500, 4000}) {
      ContextRequest request = project.request("how large are things drawn?", budget);
      request.unasked.front = project.front("src/long.cpp", long_, "line", 0, 2000);
      const QVector<ContextItem> items = gatherContext(request);
      QVERIFY(!items.isEmpty());
      QVERIFY2(tokensOf(items) <= budget, qPrintable(QString::number(tokensOf(items))));
      // What is mentioned has its room first.
      request.question += " @src/long.cpp";
      request.budget = 2000;
      QVERIFY(tokensOf(gatherContext(request)) <= 2000);
    }
    QVERIFY(gatherContext(project.request("how large?", 0)).isEmpty());
  }

  void ofALongTextTheFunctionAtTheCaretGoesAlong() {
    Project project;
    QByteArray text;
    for (int i = 0; i < 400; ++i)
      text += "int value" + QByteArray::number(i) + "() {\n  return " + QByteArray::number(i) +
              ";\n}\n\n";
    project.write("src/values.cpp", text);
    ContextRequest request = project.request("why?", 1500);
    request.unasked.front = project.front("src/values.cpp", text, "return 200;", 800, 803);
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(find(items, Kind::kFront)->text,
             QStringLiteral("int value200() {\n  return 200;\n}\n"));
    QCOMPARE(find(items, Kind::kFront)->name, QStringLiteral("src/values.cpp:801-803 (C++)"));
  }

  void whatIsMentionedAsAWholeIsNotSentTwice() {
    Project project;
    ContextRequest request = project.request("how large are things drawn? @src/scale.cpp");
    request.unasked.front = project.front("src/shape.cpp", kShape, "kMargin *", 6, 9);
    const QVector<ContextItem> items = gatherContext(request);
    for (const ContextItem& item : items)
      QVERIFY2(item.kind == Kind::kFile || item.kind == Kind::kTree ||
                   !item.name.startsWith("src/scale.cpp"),
               qPrintable(item.name));
    QCOMPARE(items.last().name, QStringLiteral("src/scale.cpp"));
  }

  // An edit's request has the text itself.
  void anEditGetsRulesAndWhatItsLinesUse() {
    Project project;
    project.write("AGENTS.md", "Write tests first.\n");
    ContextRequest request = project.request("");
    request.unasked.isOfEdit = true;
    request.unasked.front = project.front("src/shape.cpp", kShape, "kMargin *", 6, 9);
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(namesOf(items, Kind::kRules), QStringList{"AGENTS.md"});
    QVERIFY(find(items, Kind::kDefinition));
    for (const ContextItem& item : items)
      QVERIFY2(item.kind == Kind::kRules || item.kind == Kind::kDefinition, qPrintable(item.name));
  }

  void whatIsStruckStaysHere() {
    Project project;
    ContextRequest request = project.request("how large are things drawn?");
    const QString first = namesOf(gatherContext(request), Kind::kPassage).value(0);
    QVERIFY(!first.isEmpty());
    request.unasked.struck = {first, QStringLiteral("files of the project")};
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(find(items, Kind::kTree)->outcome, Outcome::kStruck);
    for (const ContextItem& item : items)
      if (item.outcome == Outcome::kStruck) QVERIFY(item.text.isEmpty() && item.tokens == 0);
    QVERIFY(!contextMarkdown(items).contains("### " + first));
  }

  void secretsStayOut() {
    Project project;
    project.write("AGENTS.md", "The key:\n" + privateKey());
    project.write(".env", "KEY=1\n");
    project.write("kept/large.cpp", "// how large are things drawn\n");
    project.write(".waferpairignore", "kept/\n");
    const QByteArray front = "// how large\n" + privateKey();
    project.write("src/front.cpp", front);
    ContextRequest request = project.request("how large are things drawn?");
    request.unasked.front = project.front("src/front.cpp", front, "large", 0, 3);
    request.open = {{project.folder.filePath(".env"), ".env", Snapshot("KEY=1\n")}};
    const QVector<ContextItem> items = gatherContext(request);
    const QString all = contextMarkdown(items);
    QVERIFY(!all.contains("KEY") && !all.contains("large.cpp") && !all.contains(".env"));
    QVERIFY(!find(items, Kind::kFront) && !find(items, Kind::kRules));
    QVERIFY(find(items, Kind::kPassage));
  }

  void whatTheModelHasIsNotSentAgain() {
    Project project;
    project.write("AGENTS.md", "Write tests first.\n");
    ContextRequest request = project.request("how large are things drawn?");
    request.known = gatherContext(request);
    const QVector<ContextItem> items = gatherContext(request);
    QCOMPARE(find(items, Kind::kRules)->outcome, Outcome::kKnown);
    QCOMPARE(find(items, Kind::kTree)->outcome, Outcome::kKnown);
    QCOMPARE(tokensOf(items), 0);
  }

  void theTreeIsAsDeepAsThereIsRoom_data() {
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QByteArray>("tree");
    QTest::newRow("much") << 1000
                          << QByteArray(
                                 "./: a.md\nsrc/: b.cpp\nsrc/deep/: c.cpp, d.cpp\n"
                                 "src/deep/er/: e.cpp\n");
    QTest::newRow("some") << 50 << QByteArray("./: a.md\nsrc/: b.cpp, deep/ (3)\n");
    QTest::newRow("little") << 20 << QByteArray("./: a.md, src/ (4)\n");
    QTest::newRow("too little") << 18 << QByteArray("./: a.md, …\n");
  }
  void theTreeIsAsDeepAsThereIsRoom() {
    QFETCH(int, bytes);
    QFETCH(QByteArray, tree);
    const QStringList files{"src/deep/d.cpp",    "a.md",           "src/b.cpp",
                            "src/deep/er/e.cpp", "src/deep/c.cpp", "hidden"};
    QCOMPARE(projectTree(files, bytes, [](const QString& file) { return file != "hidden"; }), tree);
  }
};

QTEST_GUILESS_MAIN(TestUnaskedContext)
#include "test_unasked_context.moc"
