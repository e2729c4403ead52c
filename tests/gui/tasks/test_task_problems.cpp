// SPDX-License-Identifier: GPL-3.0-or-later
// What outputs of compilers, linters, linkers and test runners say of a project's files.
#include <QDir>
#include <QFile>
#include <QtTest>

#include "gui/tasks/task_problems.h"

using namespace waferpair;
using namespace waferpair::gui;

class TestTaskProblems : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    project_ = std::make_unique<QTemporaryDir>();
    files_.clear();
    for (const char* file : {"src/main.cpp",   "[id].tsx",
                             "my dir/a b.c",   "é.c",
                             "y.ts",           "u_test.go",
                             "pkg/v_test.go",  "main.go",
                             "CMakeLists.txt", "sub/CMakeLists.txt",
                             "lib/a.h",        "build/gen.c",
                             "a.py",           "lib/f.py",
                             "src/lib.rs",     "a.yml",
                             "A.hs",           "a.kt",
                             "Main.java",      "a.js",
                             "sub/dup.c",      "other/dup.c",
                             "main.tf",        "a.php"})
      write(file, "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    write("mix.c", "int missing(void);\nint main() { return missing(); }\n");
    write("deep.cpp",
          "namespace n { int gone(int); }\n\nint f() {\n  int a = 1;\n  return "
          "n::gone(a);\n}\n");
  }

  void placesAreListed_data() {
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("problems");
    const auto row = [](const char* name, const char* output, const char* problems) {
      QTest::newRow(name) << QString::fromUtf8(output) << QString::fromUtf8(problems);
    };
    row("GCC", "src/main.cpp:2:10: error: no such thing\n", "src/main.cpp|2|error|no such thing");
    row("an absolute path", "%P/src/main.cpp:2:10: warning: hm [-Wx]\n",
        "src/main.cpp|2|warning|hm [-Wx]");
    row("brackets", "[id].tsx:3:1 - error TS2304: Cannot find name\n",
        "[id].tsx|3|error|error TS2304: Cannot find name");
    row("blanks", "my dir/a b.c:4:2: error: no\n", "my dir/a b.c|4|error|no");
    row("blanks, and included", "In file included from my dir/a b.c:4:\nlib/a.h:2:1: error: no\n",
        "lib/a.h|2|error|no");
    row("no ASCII", "é.c:3:1: error: no\n", "é.c|3|error|no");
    row("MSVC", "my dir\\a b.c(4,2): error C2065: no\n", "");
    row("TypeScript", "my dir/a b.c(4,2): error TS2: no\n", "my dir/a b.c|4|error|error TS2: no");
    row("ESLint",
        "\n%P/y.ts\n  2:3  error  Unexpected var  no-var\n  4:1  warning  Odd  odd\n\n1 "
        "problem\n",
        "y.ts|2|error|Unexpected var no-var;y.ts|4|warning|Odd odd");
    row("ESLint, a path with brackets", "\n%P/[id].tsx\n  2:3  error  no  x\n",
        "[id].tsx|2|error|no x");
    row("ESLint, compact", "%P/y.ts: line 2, col 3, Error - Unexpected var. (no-var)\n",
        "y.ts|2|error|Error - Unexpected var. (no-var)");
    row("ESLint, no project's file above", "/elsewhere/q.ts\n  2:3  error  no  x\n", "");
    row("stylelint", "\ny.ts\n  2:3  ✖  Unexpected unit  unit\n",
        "y.ts|2|error|Unexpected unit unit");
    row("yamllint", "a.yml\n  3:5       error    wrong indentation  (indentation)\n",
        "a.yml|3|error|wrong indentation (indentation)");
    row("ld",
        "/usr/bin/ld: m.o: in function `main':\nmix.c:(.text+0x5): undefined reference to "
        "`missing'\ncollect2: error: ld returned 1 exit status\n",
        "mix.c|2|error|undefined reference to `missing'");
    row("ld, in one line", "/usr/bin/ld: mix.c:(.text+0x5): undefined reference to `missing'\n",
        "mix.c|1|error|undefined reference to `missing'");
    row("ld, of C++",
        "/usr/bin/ld: d.o: in function `f()':\ndeep.cpp:(.text+0x1b): undefined "
        "reference to `n::gone(int)'\n",
        "deep.cpp|5|error|undefined reference to `n::gone(int)'");
    row("ld, that knows lines",
        "/usr/bin/ld: m.o: in function `main':\n%P/mix.c:2: undefined "
        "reference to `missing'\n",
        "mix.c|2|error|undefined reference to `missing'");
    row("LLD",
        "ld.lld: error: undefined symbol: missing\n>>> referenced by mix.c:2\n>>>     "
        "          m.o:(main)\n",
        "mix.c|2|error|ld.lld: error: undefined symbol: missing");
    row("go test", "--- FAIL: TestA (0.00s)\n    u_test.go:2: bad\nFAIL\n",
        "u_test.go|2|error|bad");
    row("go test, each told",
        "=== RUN   TestA\n    u_test.go:2: fine\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n"
        "    u_test.go:5: bad\n--- FAIL: TestB (0.00s)\nFAIL\n",
        "u_test.go|5|error|bad");
    row("go test of a package", "--- FAIL: TestA (0.00s)\n    v_test.go:2: bad\nFAIL\n",
        "pkg/v_test.go|2|error|bad");
    row("go test, below",
        "--- FAIL: TestA (0.00s)\n    u_test.go:2: \n        \tError:      \tNot "
        "equal\nFAIL\n",
        "u_test.go|2|error|Not equal");
    row("go build", "# example.org/x\n./main.go:4:2: undefined: foo\n",
        "main.go|4|error|undefined: foo");
    row("go vet", "vet: ./main.go:4:2: expected ';'\n", "main.go|4|error|expected ';'");
    row("CMake",
        "CMake Error at CMakeLists.txt:5 (find_package):\n  By not providing \"FindX\" in "
        "this project\n\n  it fails.\n\nCall Stack (most recent call first):\n"
        "  sub/CMakeLists.txt:3 (include)\n\n",
        "CMakeLists.txt|5|error|By not providing \"FindX\" in this project it fails.");
    row("CMake warns", "CMake Warning (dev) at sub/CMakeLists.txt:2 (x):\n  Old.\nThis\n",
        "sub/CMakeLists.txt|2|warning|Old.");
    row("CMake of a file", "CMake Error in sub/CMakeLists.txt:\n  Odd.\n\n",
        "sub/CMakeLists.txt|1|error|Odd.");
    row("a traceback is one error",
        "Traceback (most recent call last):\n  File \"%P/a.py\", line 3, in <module>\n    f()\n"
        "  File \"%P/lib/f.py\", line 9, in f\n    return 1 / 0\n  File \"/usr/lib/x.py\", line 1\n"
        "ZeroDivisionError: division by zero\n",
        "lib/f.py|9|error|ZeroDivisionError: division by zero");
    row("rustc, with its notes",
        "error[E0382]: borrow of moved value: `x`\n --> src/lib.rs:4:5\n  |\nnote: consider\n"
        "  --> src/lib.rs:1:9\n  |\n",
        "src/lib.rs|4|error|error[E0382]: borrow of moved value: `x`");
    row("a panic", "thread 'main' panicked at src/lib.rs:2:5:\nindex out of bounds\n",
        "src/lib.rs|2|error|thread 'main' panicked at src/lib.rs:2:5: index out of bounds");
    row("node", "TypeError: f is not a function\n    at run (%P/a.js:7:3)\n    at %P/y.ts:2:1\n",
        "a.js|7|error|TypeError: f is not a function");
    row("one header, compiled twice",
        "src/main.cpp:1:\nlib/a.h:3:5: error: no\n%P/lib/a.h:3:5: error: no\n",
        "lib/a.h|3|error|no");
    row("two errors of one line", "lib/a.h:3:5: error: no\nlib/a.h:3:9: error: never\n",
        "lib/a.h|3|error|no;lib/a.h|3|error|never");
    row("make says where it is",
        "make[1]: Entering directory '%P/other'\ndup.c:2:1: error: no\nmake[1]: Leaving directory "
        "'%P/other'\nmake[1]: Entering directory 'sub'\ndup.c:3:1: error: yes\n",
        "other/dup.c|2|error|no;sub/dup.c|3|error|yes");
    row("one of two", "dup.c:2:1: error: no\n", "");
    row("from a build folder", "../src/main.cpp:2:1: error: no\n", "src/main.cpp|2|error|no");
    row("what is made by the build", "build/gen.c:2:1: error: no\n", "build/gen.c|2|error|no");
    row("GHC", "A.hs:3:5: error:\n    Variable not in scope: x\n  |\n",
        "A.hs|3|error|Variable not in scope: x |");
    row("flake8", "./a.py:3:1: F401 'os' imported but unused\n./a.py:4:80: W291 blanks\n",
        "a.py|3|error|F401 'os' imported but unused;a.py|4|warning|W291 blanks");
    row("pylint", "************* Module a\na.py:3:0: C0114: Missing docstring (x)\n",
        "a.py|3|warning|C0114: Missing docstring (x)");
    row("Kotlin", "e: file://%P/a.kt:3:5 Unresolved reference: x\n",
        "a.kt|3|error|Unresolved reference: x");
    row("Maven", "[ERROR] %P/Main.java:[3,5] cannot find symbol\n",
        "Main.java|3|error|cannot find symbol");
    row("Prettier", "[error] a.js: SyntaxError: Unexpected token (3:5)\n",
        "a.js|3|error|SyntaxError: Unexpected token");
    row("esbuild", "✘ [ERROR] Could not resolve \"x\"\n\n    a.js:3:7:\n      3 │ import\n",
        "a.js|3|error|✘ [ERROR] Could not resolve \"x\"");
    row("Terraform, in a box", "│ Error: No such thing\n│ \n│   on main.tf line 3, in x \"y\":\n",
        "main.tf|3|error|No such thing");
    row("Terraform", "Error: Reference to undeclared resource\n\n  on main.tf line 3, in x:\n",
        "main.tf|3|error|Reference to undeclared resource");
    row("PHP", "PHP Parse error:  syntax error, unexpected x in %P/a.php on line 3\n",
        "a.php|3|error|PHP Parse error: syntax error, unexpected x in %P/a.php on line 3");
    row("grep is no compiler", "src/main.cpp:2:int main\nsrc/main.cpp:3:4:  int x;\n", "");
    row("a note", "src/main.cpp:2:3: note: declared here\n", "");
    row("elsewhere", "/usr/include/stdio.h:3:1: error: no\n", "");
    row("nothing", "all is well at 12:30, https://example.org/a.c:3\n", "");
  }
  void placesAreListed() {
    QFETCH(QString, output);
    QFETCH(QString, problems);
    QCOMPARE(listed(output.replace("%P", project_->path())),
             problems.replace("%P", project_->path()));
  }

  void aLongMessageIsWhole() {
    const QString message = QString(3000, u'x');
    QCOMPARE(listed("src/main.cpp:2:10: error: " + message), "src/main.cpp|2|error|" + message);
  }

  // Programs that ask where they are get the folder without links.
  void aFolderMayBeALink() {
    const QString link = project_->path() + "-link";
    QVERIFY(QFile::link(project_->path(), link));
    workbench::Task task;
    task.folder = link;
    const auto found = taskProblems(project_->path() + "/y.ts:2:1: error: no\n", task, link, {});
    QVERIFY(QFile::remove(link));
    QCOMPARE(found.keys(), QStringList{link + "/y.ts"});
  }

 private:
  void write(const QString& name, const QByteArray& bytes) {
    const QString path = project_->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    files_.append(name);
  }
  QString listed(const QString& output) {
    workbench::Task task;
    task.folder = project_->path();
    const auto found = taskProblems(output, task, project_->path(), files_);
    QStringList files = found.keys(), rows;
    std::sort(files.begin(), files.end());
    for (const QString& file : std::as_const(files))
      for (const workbench::Diagnostic& one : found[file])
        rows.append(QStringLiteral("%1|%2|%3|%4")
                        .arg(QDir(project_->path()).relativeFilePath(file))
                        .arg(one.place.line + 1)
                        .arg(one.severity == workbench::Severity::kError ? "error" : "warning")
                        .arg(one.message));
    return rows.join(u';');
  }

  std::unique_ptr<QTemporaryDir> project_;
  QStringList files_;
};

QTEST_GUILESS_MAIN(TestTaskProblems)
#include "test_task_problems.moc"
