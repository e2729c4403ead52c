// SPDX-License-Identifier: GPL-3.0-or-later
// What servers answer about texts, read: changes of a text, the names in it, places in files.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QtTest>

#include "workbench/language/code_actions.h"
#include "workbench/language/signature_help.h"
#include "workbench/language/symbols.h"
#include "workbench/language/text_edits.h"
#include "workbench/language/workspace_edit.h"

using namespace waferpair::workbench;
using namespace waferpair::editor;

namespace {

// Quotes are single ones here, which reads better.
QJsonValue json(QByteArray text) {
  return QJsonDocument::fromJson('[' + text.replace('\'', '"') + ']').array().at(0);
}

QByteArray edit(int line, int from, int toLine, int to, const char* text) {
  return QStringLiteral(
             "{'range':{'start':{'line':%1,'character':%2},'end':{'line':%3,'character':%4}},"
             "'newText':'%5'}")
      .arg(line)
      .arg(from)
      .arg(toLine)
      .arg(to)
      .arg(QLatin1String(text))
      .toUtf8();
}

QByteArray applied(const Snapshot& text, const QVector<TextEdit>& edits) {
  Snapshot made = text;
  for (const TextEdit& one : edits) made = made.edited(one);
  return made.toByteArray();
}

}  // namespace

class TestServerAnswers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void editsMakeAText() {
    const Snapshot text("a=1\n\xc3\xa4=2\n");
    // Told in any order; columns are UTF-16 units here, bytes there.
    const QByteArray list = '[' + edit(1, 1, 1, 2, " = ") + ',' + edit(0, 1, 0, 2, " = ") + ']';
    QCOMPARE(withEdits(text, json(list), ColumnUnit::kUtf16)->toByteArray(),
             "a = 1\n\xc3\xa4 = 2\n");
    QCOMPARE(
        withEdits(text, json('[' + edit(1, 2, 1, 3, ":") + ']'), ColumnUnit::kUtf8)->toByteArray(),
        "a=1\n\xc3\xa4:2\n");
    // Insertions at one place keep their order; one may stand where another change ends.
    const QByteArray same = '[' + edit(0, 0, 0, 1, "b") + ',' + edit(0, 1, 0, 1, "x") + ',' +
                            edit(0, 1, 0, 1, "y") + ']';
    QCOMPARE(withEdits(text, json(same), ColumnUnit::kUtf16)->toByteArray(), "bxy=1\n\xc3\xa4=2\n");
    // Beyond the text is its end.
    QCOMPARE(withEdits(text, json('[' + edit(0, 0, 1 << 30, 0, "all") + ']'), ColumnUnit::kUtf16)
                 ->toByteArray(),
             "all");
    QCOMPARE(withEdits(text, QJsonValue(), ColumnUnit::kUtf16)->toByteArray(), text.toByteArray());
  }

  // Servers answer with LF, with the text's own ends, or with a part of them.
  void lineEndsAreThoseOfTheText_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("edits");
    QTest::addColumn<QByteArray>("right");
    const auto row = [](const char* name, const char* before, const QByteArray& edits,
                        const char* right) {
      QTest::newRow(name) << QByteArray(before) << '[' + edits + ']' << QByteArray(right);
    };
    row("the whole text, as LF", "a=1\r\nb=2\r\n", edit(0, 0, 9, 0, "a = 1\\nb = 2\\n"),
        "a = 1\r\nb = 2\r\n");
    row("the whole of a mixed text", "a=1\r\nb=2\nc=3\r\n",
        edit(0, 0, 9, 0, "a=1\\nb=2\\nc = 3\\n"), "a=1\r\nb=2\nc = 3\r\n");
    row("CRLF into LF", "a\nb\n", edit(1, 0, 1, 0, "x\\r\\ny\\r\\n"), "a\nx\ny\nb\n");
    row("lines put in", "a\r\nb\r\n", edit(1, 0, 1, 0, "x\\ny\\n"), "a\r\nx\r\ny\r\nb\r\n");
    row("a line end put in", "if(a)b;\r\n", edit(0, 5, 0, 5, "\\n  "), "if(a)\r\n  b;\r\n");
    row("two lines joined", "a\r\nb\r\n", edit(0, 1, 1, 0, " "), "a b\r\n");
    row("the CR counts to the line", "a\r\nb\r\n", edit(0, 0, 0, 2, "x\\r"), "x\r\nb\r\n");
    row("a CR in front of an LF", "a\nb\n", edit(0, 0, 0, 1, "x\\r"), "x\nb\n");
    row("between CR and LF", "a\r\nb", edit(0, 2, 0, 2, "\\nx\\r"), "a\r\nx\r\nb");
    row("old Macs", "a\rb\r", edit(1, 0, 1, 0, "x\\n"), "a\rx\rb\r");
    row("a text of one line", "a", edit(0, 1, 0, 1, "\\r\\nb"), "a\nb");
  }
  void lineEndsAreThoseOfTheText() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, edits);
    QFETCH(QByteArray, right);
    QCOMPARE(withEdits(Snapshot(before), json(edits), ColumnUnit::kUtf16)->toByteArray(), right);
  }

  void whatIsNotToBeBelievedChangesNothing_data() {
    QTest::addColumn<QByteArray>("edits");
    QTest::addColumn<QString>("why");
    QTest::newRow("overlap") << '[' + edit(0, 0, 0, 2, "x") + ',' + edit(0, 1, 0, 3, "y") + ']'
                             << "two change the same text";
    QTest::newRow("backwards") << '[' + edit(1, 0, 0, 0, "x") + ']' << "ends before it begins";
    QTest::newRow("no range") << QByteArray("[{'newText':'x'}]") << "no range";
    QTest::newRow("no text") << QByteArray(
                                    "[{'range':{'start':{'line':0,'character':0},"
                                    "'end':{'line':0,'character':1}}}]")
                             << "no text";
    QTest::newRow("no list") << QByteArray("{'a':1}") << "no list";
  }
  void whatIsNotToBeBelievedChangesNothing() {
    QFETCH(QByteArray, edits);
    QFETCH(QString, why);
    const auto made = withEdits(Snapshot("abc\ndef\n"), json(edits), ColumnUnit::kUtf16);
    QVERIFY(!made);
    QVERIFY2(made.error().what.contains(why), qPrintable(made.error().what));
  }

  void theEditsAreSmall() {
    const Snapshot before("one\n\ttwo\n\tthree\nfour\xc3\xa4\n");
    const Snapshot after("one\n  two\n  three\nfour\xc3\xa5\n");
    const QVector<TextEdit> edits = smallEdits(before, after);
    QCOMPARE(edits.size(), 3);
    QCOMPARE(edits[0].start, 4);
    QCOMPARE(edits[0].end, 5);
    QCOMPARE(edits[0].text, "  ");
    // The two letters share a byte, and are cut as letters.
    QCOMPARE(edits[2].text, "\xc3\xa5");
    QCOMPARE(applied(before, edits), after.toByteArray());
    QVERIFY(smallEdits(before, before).isEmpty());
  }

  void theyMakeTheTextWhateverItIs() {
    QRandomGenerator random(11);
    const QByteArrayList pieces = {"a",   " ", "\t", "\n", "\r\n", "\xc3\xa4", "\xf0\x9f\x98\x80",
                                   "x=1;"};
    const auto text = [&] {
      QByteArray made;
      const quint32 count = random.bounded(40U);
      for (quint32 i = 0; i < count; ++i)
        made += pieces[random.bounded(static_cast<int>(pieces.size()))];
      return made;
    };
    for (int round = 0; round < 3000; ++round) {
      const QByteArray before = text();
      QByteArray after = before;
      for (int change = 0; change < 3; ++change) {
        const qsizetype at = random.bounded(static_cast<int>(after.size()) + 1);
        after = after.left(at) + text().left(6) + after.mid(at + 2);
      }
      QCOMPARE(applied(Snapshot(before), smallEdits(Snapshot(before), Snapshot(after))), after);
    }
  }

  void changesOfSeveralFilesAreRead() {
    const QByteArray both =
        "{'changes':{'file:///x':[]},'documentChanges':[{'textDocument':{'uri':'file:///p/a.cpp',"
        "'version':7},'edits':[1]},{'textDocument':{'uri':'file:///p/b.cpp','version':null},"
        "'edits':[]}]}";
    const auto read = readWorkspaceEdit(json(both));
    QVERIFY(read);
    QCOMPARE(read->files.size(), 2);
    QCOMPARE(read->files[0].path, "/p/a.cpp");
    QCOMPARE(read->files[0].version, std::optional<qint64>(7));
    QCOMPARE(read->files[0].lists, QVector<QJsonValue>{QJsonArray{1}});
    QVERIFY(!read->files[1].version);
    const auto old = readWorkspaceEdit(json("{'changes':{'file:///p/a.cpp':[2,3]}}"));
    QCOMPARE(old->files.at(0).lists, (QVector<QJsonValue>{QJsonArray{2, 3}}));
    QCOMPARE(readWorkspaceEdit(QJsonValue())->files.size(), 0);
    QCOMPARE(readWorkspaceEdit(json("{}"))->files.size(), 0);
  }

  void severalListsOfOneFileAreMadeInOrder_data() {
    QTest::addColumn<QByteArrayList>("lists");
    QTest::addColumn<QByteArray>("right");
    QTest::addColumn<bool>("isDoubtful");
    QTest::newRow("each of another line")
        << QByteArrayList{edit(0, 4, 0, 7, "zz"), edit(1, 0, 1, 3, "zz")}
        << QByteArray("int zz;\nzz + abc;\n") << false;
    QTest::newRow("the last place first")
        << QByteArrayList{edit(1, 6, 1, 9, "zz"), edit(1, 0, 1, 3, "zz"), edit(0, 4, 0, 7, "zz")}
        << QByteArray("int zz;\nzz + zz;\n") << false;
    QTest::newRow("in the text behind the one before")
        << QByteArrayList{edit(0, 4, 0, 7, "zz"), edit(1, 0, 1, 3, "zz"), edit(1, 5, 1, 8, "zz")}
        << QByteArray("int zz;\nzz + zz;\n") << true;
    QTest::newRow("what the first put in")
        << QByteArrayList{edit(0, 0, 0, 0, "// x\\n"), edit(0, 3, 0, 4, "y")}
        << QByteArray("// y\nint abc;\nabc + abc;\n") << true;
  }
  void severalListsOfOneFileAreMadeInOrder() {
    QFETCH(QByteArrayList, lists);
    QFETCH(QByteArray, right);
    QFETCH(bool, isDoubtful);
    QByteArrayList changes;
    for (const QByteArray& list : lists)
      changes.append("{'textDocument':{'uri':'file:///p/a.cpp','version':1},'edits':[" + list +
                     "]}");
    const auto read = readWorkspaceEdit(json("{'documentChanges':[" + changes.join(',') + "]}"));
    QVERIFY(read);
    QCOMPARE(read->files.size(), 1);
    const auto made =
        withFileEdits(Snapshot("int abc;\nabc + abc;\n"), read->files.at(0), ColumnUnit::kUtf16);
    QVERIFY(made);
    QCOMPARE(made->text.toByteArray(), right);
    QCOMPARE(made->isDoubtful, isDoubtful);
  }

  // Edits are of the files as they are called before any of it, whenever they come.
  void filesAreMadeAndRenamed() {
    const auto read = readWorkspaceEdit(json(
        "{'documentChanges':[{'textDocument':{'uri':'file:///p/a.cpp','version':1},'edits':[1]},"
        "{'kind':'rename','oldUri':'file:///p/old','newUri':'file:///p/new'},"
        "{'textDocument':{'uri':'file:///p/new/b.cpp','version':null},'edits':[2]},"
        "{'kind':'create','uri':'file:///p/c.cpp','options':{'ignoreIfExists':true}},"
        "{'textDocument':{'uri':'file:///p/c.cpp','version':null},'edits':[3]}]}"));
    QVERIFY2(read, read ? "" : qPrintable(read.error().message()));
    QStringList paths;
    for (const FileEdits& file : read->files)
      paths.append(file.path + QString(file.isNew ? " new" : ""));
    QCOMPARE(paths, QStringList({"/p/a.cpp", "/p/old/b.cpp", "/p/c.cpp new"}));
    QCOMPARE(read->files[2].lists, QVector<QJsonValue>{QJsonArray{3}});
    QCOMPARE(read->moves, (QVector<FileMove>{{"/p/old", "/p/new", false}}));
  }

  void changesOfFilesAreRefusedAsAWhole_data() {
    QTest::addColumn<QByteArray>("edit");
    QTest::addColumn<QString>("why");
    const QByteArray a = "{'textDocument':{'uri':'file:///p/a.cpp'},'edits':[]}";
    const auto with = [&a](const QByteArray& more) {
      return "{'documentChanges':[" + a + "," + more + "]}";
    };
    QTest::newRow("removes") << with("{'kind':'delete','uri':'file:///p/x'}")
                             << "remove files (delete)";
    QTest::newRow("overwrites")
        << with("{'kind':'create','uri':'file:///p/x','options':{'overwrite':true}}")
        << "overwrite files (create)";
    QTest::newRow("makes what it has changed")
        << with("{'kind':'create','uri':'file:///p/a.cpp'}") << "there twice";
    QTest::newRow("renames to another computer")
        << with("{'kind':'rename','oldUri':'file:///p/b','newUri':'file://host/p/c'}")
        << "no file of this";
    QTest::newRow("renames what it has renamed")
        << with(
               "{'kind':'rename','oldUri':'file:///p/b','newUri':'file:///p/c'},"
               "{'kind':'rename','oldUri':'file:///p/c','newUri':'file:///p/d'}")
        << "cannot become";
    QTest::newRow("renames into itself")
        << with("{'kind':'rename','oldUri':'file:///p/b','newUri':'file:///p/b/c'}")
        << "cannot become";
    QTest::newRow("changes the old name")
        << with(
               "{'kind':'rename','oldUri':'file:///p/b','newUri':'file:///p/c'},"
               "{'textDocument':{'uri':'file:///p/b'},'edits':[]}")
        << "another name by then";
    QTest::newRow("in two versions")
        << "{'documentChanges':[" + a +
               ",{'textDocument':{'uri':'file:///p/a.cpp','version':2},'edits':[]}]}"
        << "there twice";
    QTest::newRow("in two ways") << QByteArray("{'changes':{'file:///p/a':[],'file:///p/%61':[]}}")
                                 << "there twice";
    QTest::newRow("elsewhere") << QByteArray("{'changes':{'file://host/p/a':[]}}")
                               << "no file of this";
    QTest::newRow("relative") << QByteArray("{'changes':{'a.cpp':[]}}") << "no file of this";
    QTest::newRow("no edits") << QByteArray("{'changes':{'file:///p/a':7}}") << "is no list";
    QTest::newRow("no list") << QByteArray("{'documentChanges':7}") << "no list";
    QTest::newRow("a word") << QByteArray("'yes'") << "none";
  }
  void changesOfFilesAreRefusedAsAWhole() {
    QFETCH(QByteArray, edit);
    QFETCH(QString, why);
    const auto read = readWorkspaceEdit(json(edit));
    QVERIFY(!read);
    QVERIFY2(read.error().what.contains(why), qPrintable(read.error().what));
  }

  void thereAreNotTooManyFiles() {
    QJsonObject changes;
    for (qsizetype i = 0; i < kMostEditedFiles; ++i)
      changes.insert(QStringLiteral("file:///p/%1").arg(i), QJsonArray());
    QVERIFY(readWorkspaceEdit(QJsonObject{{"changes", changes}}));
    changes.insert("file:///p/more", QJsonArray());
    QVERIFY(!readWorkspaceEdit(QJsonObject{{"changes", changes}}));
  }

  void actionsAreReadInEachForm() {
    const QByteArray list =
        "[{'title':'b','command':'do','arguments':[1]},{'title':'no','disabled':{'reason':'why'}},"
        "{'title':'c','kind':'quickfix','isPreferred':true,'edit':{},'command':{'command':'x'}},"
        "{'kind':'quickfix'},7]";
    const QVector<CodeAction> actions = readCodeActions(json(list));
    QCOMPARE(actions.size(), 3);
    QCOMPARE(actions[0].title, "c");
    QCOMPARE(actions[0].kind, "quickfix");
    QVERIFY(actions[0].edit.isObject());
    QCOMPARE(actions[0].command[u"command"].toString(), "x");
    QCOMPARE(actions[1].title, "b");
    QCOMPARE(actions[1].command[u"command"].toString(), "do");
    QVERIFY(actions[1].edit.isUndefined());
    QCOMPARE(actions[2].disabled, "why");
    QVERIFY(readCodeActions(QJsonValue()).isEmpty());
  }

  void namesAreReadWithWhatTheyAreIn() {
    const QByteArray tree =
        "[{'name':'Outer','kind':5,'selectionRange':{'start':{'line':1,'character':6},"
        "'end':{'line':1,'character':11}},'children':[{'name':'run','kind':6,'selectionRange':"
        "{'start':{'line':2,'character':4},'end':{'line':2,'character':7}}},{'name':''},7]},"
        "{'name':'alone','kind':99}]";
    const QVector<Symbol> symbols = readDocumentSymbols(json(tree), "/p/a.cpp", ColumnUnit::kUtf16);
    QCOMPARE(symbols.size(), 3);
    QCOMPARE(symbols[0].name, "Outer");
    QCOMPARE(symbols[0].kind, "class");
    QCOMPARE(symbols[1].inside, "Outer");
    QCOMPARE(symbols[1].kind, "method");
    QCOMPARE(symbols[1].place.start, (LinePlace{2, 4}));
    QCOMPARE(symbols[1].place.path, "/p/a.cpp");
    QCOMPARE(symbols[2].kind, "");

    const QByteArray flat =
        "[{'name':'f','kind':12,'containerName':'N','location':{'uri':'file:///p/b.cpp','range':"
        "{'start':{'line':3,'character':1},'end':{'line':3,'character':2}}}},"
        "{'name':'g','location':{'uri':'untitled:x'}},{'name':'h','location':{'uri':'file:///p/"
        "c.cpp'}}]";
    for (const QVector<Symbol>& read :
         {readDocumentSymbols(json(flat), "/p/a.cpp", ColumnUnit::kUtf8),
          readProjectSymbols(json(flat), ColumnUnit::kUtf8)}) {
      QCOMPARE(read.size(), 2);
      QCOMPARE(read[0].inside, "N");
      QCOMPARE(read[0].place.path, "/p/b.cpp");
      QCOMPARE(read[0].place.start.line, 3);
      QCOMPARE(read[1].name, "h");
      QCOMPARE(read[1].place.start, LinePlace());
    }
    QVERIFY(readDocumentSymbols(QJsonValue(), "/p/a.cpp", ColumnUnit::kUtf8).isEmpty());
  }

  // No stack is deep enough for what a server might nest.
  void nestingHasALimit() {
    QByteArray deep = "{'name':'x'}";
    for (int i = 0; i < 300; ++i) deep = "{'name':'x','children':[" + deep + "]}";
    QCOMPARE(readDocumentSymbols(json('[' + deep + ']'), "/a", ColumnUnit::kUtf8).size(),
             kDeepestSymbol + 1);
  }

  void onlyFilesOfThisComputerHavePaths() {
    QCOMPARE(pathOf("file:///p/a%20b.cpp"), "/p/a b.cpp");
    QCOMPARE(pathOf("file://localhost/p/a.cpp"), "/p/a.cpp");
    for (const char* uri :
         {"file:a.cpp", "file://host/x", "http://localhost/a", "/a.cpp", "", "file:"})
      QCOMPARE(pathOf(uri), QString());
  }

  // A parameter is told by its place or by its text, of which there may be several.
  void signaturesHaveAParameter() {
    const auto parameterOf = [](const QByteArray& answer) {
      const SignatureHelp help = readSignatureHelp(json(answer));
      const Signature one = help.signatures.value(help.active);
      return QStringLiteral("%1-%2").arg(one.parameterStart).arg(one.parameterEnd);
    };
    const QByteArray texts =
        "{'signatures':[{'label':'f(int, int)','parameters':[{'label':'int'},{'label':'int'}]}]";
    QCOMPARE(parameterOf(texts + "}"), "2-5");
    QCOMPARE(parameterOf(texts + ",'activeParameter':1}"), "7-10");
    QCOMPARE(parameterOf(texts + ",'activeParameter':2}"), "0-0");
    QCOMPARE(
        parameterOf(
            "{'signatures':[{'label':'f(x)','activeParameter':0,'parameters':[{'label':[2,3]}]}],"
            "'activeParameter':9}"),
        "2-3");
    QCOMPARE(parameterOf("{'signatures':[{'label':'f(x)','parameters':[{'label':[3,99]}]}]}"),
             "0-0");
    QCOMPARE(parameterOf("{'signatures':[{'label':'f(x)','parameters':[{'label':'y'}]}]}"), "0-0");
    const SignatureHelp several = readSignatureHelp(json(
        "{'signatures':[{'label':''},{'label':'a()'},{'label':'b()','documentation':'Says b.'}],"
        "'activeSignature':2}"));
    QCOMPARE(several.signatures.size(), 2);
    QCOMPARE(several.active, 1);
    QCOMPARE(several.signatures[1].about, "Says b.");
    QVERIFY(readSignatureHelp(QJsonValue()).signatures.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestServerAnswers)
#include "test_server_answers.moc"
