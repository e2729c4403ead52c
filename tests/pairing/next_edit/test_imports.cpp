// SPDX-License-Identifier: GPL-3.0-or-later
// What files import, and the import that is offered for a name that came.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/next_edit/edit_history.h"
#include "pairing/next_edit/next_edit.h"
#include "pairing/next_edit/read_facts.h"
#include "pairing/next_edit/search.h"

using namespace waferpair;
using namespace waferpair::pairing;
using editor::Snapshot;

namespace {

// "name <- line", with "+" where more names can be added, and "." where it is used with a dot.
QStringList importsOf(const QByteArray& text, const QString& language) {
  QStringList all;
  for (const ImportedName& name : importedNames(CodeText(text, languageFamily(language))))
    all += QString("%1%2%3 <- %4")
               .arg(QString::fromUtf8(name.name), name.isModule ? "." : "", name.joins ? "+" : "",
                    QString::fromUtf8(name.line));
  return all;
}

// A project whose files are known, and one that is edited.
class Work {
 public:
  explicit Work(const QString& language) : language_(language) {}

  void has(const QString& path, const QByteArray& text) {
    facts_->set(path, std::make_shared<FileFacts>(CodeText(text, languageFamily(language_))));
  }
  void open(const QString& path, const QByteArray& text) {
    document_ = {path, language_, 1, Snapshot(text)};
    history_.opened(document_);
  }
  void type(const QByteArray& before, const QByteArray& text) {
    const qint64 at = document_.text.toByteArray().indexOf(before);
    QVERIFY(at >= 0);
    make({at, at, text});
  }
  void takeOut(const QByteArray& text) {
    const qint64 at = document_.text.toByteArray().indexOf(text);
    QVERIFY(at >= 0);
    make({at, at + text.size(), {}});
  }
  void make(const editor::TextEdit& edit) {
    document_.text = document_.text.edited(edit);
    ++document_.version;
    history_.changed(document_, {edit});
    history_.endEdit();
  }
  Situation situation() const {
    Situation now{{}, history_.edits(), dismissed};
    now.texts.append({document_.id, std::make_shared<CodeText>(document_.text.toByteArray(),
                                                               languageFamily(language_))});
    now.facts = facts_;
    return now;
  }
  // "line -old +new" of each import that is proposed.
  QStringList proposed(Finder finder = Finder::kImport) const {
    const Situation now = situation();
    QStringList all;
    for (const Candidate& candidate : nextEditCandidates(now)) {
      if (candidate.finder != finder) continue;
      QString one = QString::number(candidate.line);
      for (int i = 0; i < candidate.count; ++i)
        one += " -" + QString::fromUtf8(now.texts[0].code->line(candidate.line + i).toByteArray());
      for (const QByteArray& line : candidate.lines) one += " +" + QString::fromUtf8(line);
      all += one;
    }
    return all;
  }
  double share() const {
    for (const Candidate& candidate : nextEditCandidates(situation()))
      if (candidate.finder == Finder::kImport) return candidate.features[Feature::kLikeness];
    return -1;
  }

  QVector<DismissedEdit> dismissed;

 private:
  QString language_;
  std::shared_ptr<ProjectFacts> facts_ = std::make_shared<ProjectFacts>();
  editor::SyncedDocument document_;
  EditHistory history_;
};

}  // namespace

class TestImports : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void linesThatImportAreRead_data();
  void linesThatImportAreRead();
  void theLineOthersHaveIsProposedInOrder_data();
  void theLineOthersHaveIsProposedInOrder();
  void itStandsAsInOtherFiles();
  void whatNeedsNoImportIsLeftAlone();
  void theShareOfFilesThatImportItIsTold();
  void whatWasDismissedOnceIsNotProposedElsewhere();
  void anImportGoesWithItsLastUse_data();
  void anImportGoesWithItsLastUse();
  void filesAreReadOnce();
};

void TestImports::linesThatImportAreRead_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QStringList>("expected");
  QTest::newRow("Python")
      << "Python"
      << QByteArray(
             "import os.path\nimport numpy as np\nfrom a.b import C, d as e\n"
             "from x import *\nfrom y import (\n    Z,\n)\ndef f():\n    import late\n")
      << QStringList{"os. <- import os.path", "np. <- import numpy as np",
                     "C+ <- from a.b import C", "e+ <- from a.b import d as e"};
  QTest::newRow("TypeScript")
      << "TypeScript"
      << QByteArray(
             "import React from 'react';\nimport * as fs from \"fs\"\n"
             "import { A, B as C } from './a';\nimport type {D} from './d'\n"
             "const path = require('path')\nimport './style.css'\nimportant(from)\n")
      << QStringList{"React <- import React from 'react';", "fs <- import * as fs from \"fs\"",
                     "A+ <- import { A } from './a';",      "C+ <- import { B as C } from './a';",
                     "D+ <- import type {D} from './d'",    "path <- const path = require('path')"};
  QTest::newRow("Go") << "Go"
                      << QByteArray(
                             "package a\n\nimport (\n\t\"fmt\"\n\ty \"gopkg.in/yaml.v3\"\n"
                             "\t\"example.com/pkg/v2\"\n)\n\nvar s = \"text\"\n")
                      << QStringList{"fmt. <- \"fmt\"", "y. <- y \"gopkg.in/yaml.v3\"",
                                     "pkg. <- \"example.com/pkg/v2\""};
  QTest::newRow("Java") << "Java"
                        << QByteArray(
                               "package p;\nimport java.util.List;\n"
                               "import static org.junit.Assert.assertTrue;\nimport a.b.*;\n")
                        << QStringList{"List <- import java.util.List;",
                                       "assertTrue <- import static org.junit.Assert.assertTrue;"};
  QTest::newRow("Kotlin") << "Kotlin" << QByteArray("import a.B\nimport a.C as D\n")
                          << QStringList{"B <- import a.B", "D <- import a.C as D"};
  QTest::newRow("Rust")
      << "Rust"
      << QByteArray("use std::fmt;\nuse crate::a::{B, C};\nuse x::y::Z as W;\nuse q::*;\n")
      << QStringList{"fmt <- use std::fmt;", "B+ <- use crate::a::B;", "C+ <- use crate::a::C;",
                     "W <- use x::y::Z as W;"};
  QTest::newRow("a language whose imports are not known")
      << "C++" << QByteArray("#include <vector>\nimport std;\n") << QStringList();
}

void TestImports::linesThatImportAreRead() {
  QFETCH(QString, language);
  QFETCH(QByteArray, text);
  QFETCH(QStringList, expected);
  QCOMPARE(importsOf(text, language), expected);
  QCOMPARE(importsOf(QByteArray(text).replace('\n', "\r\n"), language), expected);
}

void TestImports::theLineOthersHaveIsProposedInOrder_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QByteArray>("other");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("typed");  // in front of "END"
  QTest::addColumn<QStringList>("expected");
  const QByteArray python = "import json\nimport time\n\nfrom pathlib import Path\n\n\nEND";
  const QByteArray users =
      "import os\nfrom a import bb\nfrom pathlib import PurePath\n"
      "os.getcwd()\nb()\nPurePath()\n";
  QTest::newRow("a module") << "Python" << users << python << QByteArray("os.getcwd()\n")
                            << QStringList{"1 +import os"};
  QTest::newRow("a name, before those it sorts before")
      << "Python" << users << python << QByteArray("bb()\n") << QStringList{"3 +from a import bb"};
  QTest::newRow("a name of a module that is imported from")
      << "Python" << users << python << QByteArray("PurePath()\n")
      << QStringList{"3 -from pathlib import Path +from pathlib import Path, PurePath"};
  QTest::newRow("where each name has its line")
      << "Python" << users << QByteArray("from pathlib import A\nfrom pathlib import Z\n\n\nEND")
      << QByteArray("PurePath()\n") << QStringList{"1 +from pathlib import PurePath"};
  QTest::newRow("no use of the module")
      << "Python" << users << python << QByteArray("os = 1\n") << QStringList();
  QTest::newRow("a member") << "Python" << users << python << QByteArray("self.bb()\n")
                            << QStringList();
  QTest::newRow("in a comment") << "Python" << users << python << QByteArray("# bb\n")
                                << QStringList();
  QTest::newRow("Go") << "Go"
                      << QByteArray("import (\n\t\"strings\"\n)\nvar a = strings.Fields(b)\n")
                      << QByteArray("import (\n\t\"fmt\"\n\t\"time\"\n)\n\nEND")
                      << QByteArray("var c = strings.Fields(d)\n")
                      << QStringList{"2 +\t\"strings\""};
  QTest::newRow("a list in braces")
      << "TypeScript" << QByteArray("import { bb, cc } from './x';\nbb(cc)\n")
      << QByteArray("import { a, d } from './x';\n\nEND") << QByteArray("cc()\n")
      << QStringList{"0 -import { a, d } from './x'; +import { a, cc, d } from './x';"};
  QTest::newRow("Java")
      << "Java" << QByteArray("import java.util.Map;\nMap m;\n")
      << QByteArray("import java.io.File;\nimport java.util.List;\nimport java.util.Set;\n\nEND")
      << QByteArray("Map m;\n") << QStringList{"2 +import java.util.Map;"};
  QTest::newRow("Rust") << "Rust" << QByteArray("use std::fmt;\nimpl fmt::Display for A {}\n")
                        << QByteArray("use std::cmp;\n\nEND")
                        << QByteArray("impl fmt::Debug for A {}\n")
                        << QStringList{"1 +use std::fmt;"};
}

void TestImports::theLineOthersHaveIsProposedInOrder() {
  QFETCH(QString, language);
  QFETCH(QByteArray, other);
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, typed);
  QFETCH(QStringList, expected);
  Work work(language);
  work.has("src/other.x", other);
  work.open("src/this.x", text);
  work.type("END", typed);
  QCOMPARE(work.proposed(), expected);
}

// The lines here are in no order of letters: where others have the line tells.
void TestImports::itStandsAsInOtherFiles() {
  const QByteArray others =
      "import b from 'z'\nimport wanted from 'm'\nimport a from 'a'\n\nwanted()\n";
  Work work("JavaScript");
  work.has("one.js", others);
  work.has("two.js", others);
  work.open("three.js", "import b from 'z'\nimport a from 'a'\nimport c from 'y'\n\nEND");
  work.type("END", "wanted()\n");
  QCOMPARE(work.proposed(), QStringList("1 +import wanted from 'm'"));
}

void TestImports::whatNeedsNoImportIsLeftAlone() {
  const QByteArray other = "import os\nfrom a import bb, cc\n\nos.x(bb, cc)\n";
  Work work("Python");
  work.has("other.py", other);
  // Imported already, used before, imported in a function, and no name that anybody imports.
  work.open("this.py", "import os\n\n\ndef f():\n    from a import cc\n    return bb\n\n\nEND");
  work.type("END", "os.getcwd()\nbb()\ncc()\nunknown()\n");
  QCOMPARE(work.proposed(), QStringList());
}

void TestImports::theShareOfFilesThatImportItIsTold() {
  Work work("Python");
  work.has("one.py", "from a import bb\nbb()\n");
  work.has("two.py", "bb()\n");  // has a name of its own like that
  work.has("three.py", "from a import bb\nbb()\n");
  work.has("four.py", "bb()\n");
  work.open("this.py", "import os\n\n\nEND");
  work.type("END", "bb()\n");
  QCOMPARE(work.share(), 0.5);
}

void TestImports::whatWasDismissedOnceIsNotProposedElsewhere() {
  Work work("Python");
  work.has("one.py", "from a import bb\nbb()\n");
  work.open("this.py", "import os\n\n\nEND");
  work.type("END", "bb()\n");
  QCOMPARE(work.proposed().size(), 1);
  work.dismissed = {{"that.py", {}, {"from a import bb"}, changeName({}, "from a import bb")}};
  QCOMPARE(work.proposed(), QStringList());
}

void TestImports::anImportGoesWithItsLastUse_data() {
  QTest::addColumn<QString>("language");
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("takenOut");
  QTest::addColumn<QStringList>("expected");
  QTest::newRow("its line") << "Python"
                            << QByteArray(
                                   "import json\nimport os\n\nx = json.load(f)\ny = os.name\n")
                            << QByteArray("x = json.load(f)\n") << QStringList{"0 -import json"};
  QTest::newRow("still used") << "Python"
                              << QByteArray("import json\n\nx = json.load(f)\ny = json.dumps(x)\n")
                              << QByteArray("x = json.load(f)\n") << QStringList{};
  QTest::newRow("never used") << "Python" << QByteArray("import json\n\nx = 1\n")
                              << QByteArray("x = 1\n") << QStringList{};
  QTest::newRow("first of a list")
      << "Python" << QByteArray("from a import B, C as D, E\n\nB()\nD(E)\n") << QByteArray("B()\n")
      << QStringList{"0 -from a import B, C as D, E +from a import C as D, E"};
  QTest::newRow("with another name in the list")
      << "Python" << QByteArray("from a import B, C as D, E\n\nB(E)\nD()\n") << QByteArray("D()\n")
      << QStringList{"0 -from a import B, C as D, E +from a import B, E"};
  QTest::newRow("last of a list")
      << "TypeScript" << QByteArray("import { A, B } from './a';\n\nA();\nB();\n")
      << QByteArray("B();\n")
      << QStringList{"0 -import { A, B } from './a'; +import { A } from './a';"};
  QTest::newRow("in a block")
      << "Go"
      << QByteArray(
             "import (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() {\n\tfmt.Println(1)\n\tos.Exit(0)\n}\n")
      << QByteArray("\tfmt.Println(1)\n") << QStringList{"1 -\t\"fmt\""};
}

void TestImports::anImportGoesWithItsLastUse() {
  QFETCH(QString, language);
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, takenOut);
  QFETCH(QStringList, expected);
  Work work(language);
  work.open("here/file", text);
  work.takeOut(takenOut);
  QCOMPARE(work.proposed(Finder::kUnused), expected);
}

void TestImports::filesAreReadOnce() {
  QTemporaryDir folder;
  const auto write = [&](const QString& name, const QByteArray& text) {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  write("a.py", "from m import one\none()\n");
  write("b.py", "import os\n");
  write("c.txt", "from m import two\n");
  QVERIFY(QFile::link("/etc/passwd", folder.filePath("link.py")));
  const QStringList files{"a.py", "b.py", "c.txt", "gone.py", "link.py"};
  const LanguageFamily& python = languageFamily("Python");
  std::atomic<bool> cancelled(false);
  const auto first = readFacts(folder.path(), files, {"py"}, python, {}, cancelled);
  QVERIFY(first->facts->find("b.py", python, "one"));
  QVERIFY(!first->facts->find("b.py", python, "two"));
  QVERIFY(!first->files["link.py"].content);
  write("b.py", "from m import three\nthree()\n");
  const auto second = readFacts(folder.path(), files, {"py"}, python, first, cancelled);
  QCOMPARE(second->files["a.py"].content, first->files["a.py"].content);
  QVERIFY(second->files["b.py"].content != first->files["b.py"].content);
  QVERIFY(second->facts->find("a.py", python, "three"));
  cancelled = true;
  QVERIFY(!readFacts(folder.path(), files, {"py"}, python, second, cancelled));
}

QTEST_GUILESS_MAIN(TestImports)
#include "test_imports.moc"
