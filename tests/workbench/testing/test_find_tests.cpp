// SPDX-License-Identifier: GPL-3.0-or-later
// Which tests a source file has, and where they stand.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "workbench/testing/code_mask.h"
#include "workbench/testing/find_tests.h"
#include "workbench/testing/test_scanner.h"

using namespace waferpair::workbench;

class TestFindTests : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void qtTestHasPrivateSlots() {
    const QByteArray text =
        "#include <QTest>\n"
        "// class Old : public QObject { private slots: void gone(); };\n"
        "class TestSums : public QObject {\n"
        "  Q_OBJECT\n"
        " private Q_SLOTS:\n"
        "  void initTestCase() {}\n"
        "  void adds_data();\n"
        "  void adds() {\n"
        "    if (true) { helper(); }\n"
        "  }\n"
        "  void outside();\n"
        "  int notVoid() { return 1; }\n"
        "  void takes(int) {}\n"
        " private:\n"
        "  void helper() {}\n"
        " private slots:\n"
        "  void last() { const char* text = \"void fake() {\"; }\n"
        "};\n"
        "class Widget : public QObject { public slots: void show(); };\n"
        "QTEST_MAIN(TestSums)\n";
    QCOMPARE(shown(cppTests(text, {})),
             QStringList({"2-17 TestSums", "7-9 TestSums/adds", "10-10 TestSums/outside",
                          "16-16 TestSums/last"}));
    // The same class in a program that is no test.
    QVERIFY(
        cppTests("class A : public QObject {\n private slots:\n  void a();\n};\n", {}).isEmpty());
  }

  void theClassMayBeInTheHeader() {
    const QByteArray header =
        "class TestSums : public QObject {\n private slots:\n  void adds();\n  void takes();\n};\n";
    const QByteArray text =
        "#include <QtTest>\n#include \"test_sums.h\"\n"
        "void TestSums::takes() {\n}\n"
        "void TestSums::helper() {}\n"
        "void TestSums::adds() {\n\n}\nQTEST_MAIN(TestSums)\n";
    QCOMPARE(shown(cppTests(text, header)),
             QStringList({"2-7 TestSums", "2-3 TestSums/takes", "5-7 TestSums/adds"}));
    write("test_sums.h", header);
    QCOMPARE(findTests(path("test_sums.cpp"), text, folder_->path()), cppTests(text, header));
  }

  void googleTestHasMacros() {
    const QByteArray text =
        "#include <gtest/gtest.h>\n"
        "TEST(Sums, Adds) {\n  EXPECT_EQ(1, 1);\n}\n"
        "  TEST_F(Fixture,\n         Works) {}\n"
        "// TEST(Sums, Gone) {}\n"
        "TEST_P(Sums, Takes) { }\n"
        "#define MY_TEST(a, b) TEST(a, b)\n"
        "INSTANTIATE_TEST_SUITE_P(Set, Sums, testing::Values(1));\n";
    QCOMPARE(shown(cppTests(text, {})), QStringList({"-1--1 Sums", "-1--1 Fixture", "1-3 Sums/Adds",
                                                     "4-5 Fixture/Works", "7-7 Sums/Takes"}));
  }

  void pytestHasFunctionsAndClasses() {
    const QByteArray text =
        "import pytest\n\n"
        "def helper():\n    def test_inner():\n        pass\n\n"
        "@pytest.mark.parametrize('a', [1])\n"
        "def test_one(a):\n    text = '''\ndef test_fake():\n'''\n    assert a\n\n"
        "class TestGroup:\n"
        "    value = 1\n"
        "    async def test_two(self):\n        pass\n"
        "    def other(self): pass\n"
        "    class TestInner:\n        def test_three(self):\n            pass\n\n"
        "class Odd(unittest.TestCase):\n    def testFour(self):\n        pass\n"
        "class Plain:\n    def test_five(self):\n        pass\n";
    QCOMPARE(shown(pythonTests("/p/test_a.py", text)),
             QStringList({"7-11 test_one", "13-20 TestGroup", "15-16 TestGroup/test_two",
                          "18-20 TestGroup/TestInner", "19-20 TestGroup/TestInner/test_three",
                          "22-24 Odd", "23-24 Odd/testFour"}));
    QCOMPARE(pythonTests("/p/test_a.py", text).constFirst().id.scope, "/p/test_a.py");
  }

  void rustHasModules() {
    const QByteArray text =
        "fn plain() {}\n"
        "#[cfg(test)]\nmod tests {\n    use super::*;\n"
        "    #[test]\n    fn adds() {\n        assert_eq!(r#\"}\"#, \"}\");\n    }\n"
        "    #[tokio::test(flavor = \"multi_thread\")]\n    #[ignore]\n    async fn waits() {}\n"
        "    fn helper<'a>(text: &'a str) {}\n"
        "    mod inner {\n        #[test]\n        fn deep() {}\n    }\n"
        "    /* #[test] fn gone() {} /* nested */ */\n}\n"
        "mod empty {\n    fn nothing() {}\n}\n"
        "#[test]\nfn last() {}\n";
    QCOMPARE(shown(rustTests("/p/src/lib.rs", {}, text)),
             QStringList({"2-17 tests", "5-7 tests/adds", "10-10 tests/waits", "12-15 tests/inner",
                          "14-14 tests/inner/deep", "22-22 last"}));
    write("Cargo.toml", "[package]\n");
    write("src/lib.rs", "");
    const QByteArray one = "#[test]\nfn works() {}\n";
    const auto found = [&](const char* file) {
      const TestId id = findTests(path(file), one, folder_->path()).constFirst().id;
      return id.scope.mid(folder_->path().size() + 1) + u' ' + id.names.join(u'/');
    };
    QCOMPARE(found("src/lib.rs"), "src/lib.rs works");
    QCOMPARE(found("src/a/mod.rs"), "src/lib.rs a/works");
    QCOMPARE(found("src/a/b.rs"), "src/lib.rs a/b/works");
    QCOMPARE(found("tests/whole.rs"), "tests/whole.rs works");
    QCOMPARE(found("src/bin/tool.rs"), "src/bin/tool.rs works");
  }

  void goHasFunctions() {
    const QByteArray text =
        "package sums\n\nimport \"testing\"\n\n"
        "func TestMain(m *testing.M) {}\n"
        "func TestAdds(t *testing.T) {\n\tt.Run(\"part\", func(t *testing.T) {})\n}\n"
        "func Testlower(t *testing.T) {}\n"
        "func Test_under(tt *testing.T) {}\n"
        "const text = `\nfunc TestFake(t *testing.T) {}\n`\n"
        "func BenchmarkAdds(b *testing.B) {}\n";
    const auto tests = goTests("/p/inner/sums_test.go", text);
    QCOMPARE(shown(tests), QStringList({"5-7 TestAdds", "9-9 Test_under"}));
    QCOMPARE(tests.constFirst().id.scope, "/p/inner");
  }

  void scriptsHaveCalls() {
    const QByteArray text =
        "import { describe, it } from 'vitest';\n"
        "describe('sums', () => {\n"
        "  it('adds \\'one\\'', () => {\n    expect(1).toBe(1);\n  });\n"
        "  describe.skip(\"inner\", () => {\n    it.only(`deep`, async () => {});\n  });\n"
        "  // it('gone', () => {});\n"
        "  it(`made of ${name}`, () => {});\n"
        "  regex.test('no test');\n"
        "});\n"
        "test('last', function () {\n});\n";
    QCOMPARE(shown(scriptTests("/p/a.test.ts", TestFramework::kVitest, text)),
             QStringList({"1-11 sums", "2-4 sums/adds 'one'", "5-7 sums/inner",
                          "6-6 sums/inner/deep", "12-13 last"}));
    // Whose they are, package.json says.
    const QByteArray one = "test('a', () => {});\n";
    QVERIFY(findTests(path("a.test.js"), one, folder_->path()).isEmpty());
    write("package.json", R"({"devDependencies": {"jest": "29"}})");
    QCOMPARE(findTests(path("a.test.js"), one, folder_->path()).constFirst().id.framework,
             TestFramework::kJest);
    write("inner/package.json", R"({"devDependencies": {"vitest": "1"}})");
    QCOMPARE(
        findTests(path("inner/__tests__/a.js"), one, folder_->path()).constFirst().id.framework,
        TestFramework::kVitest);
    QVERIFY(findTests(path("inner/a.js"), one, folder_->path()).isEmpty());
  }

  // Text that is cut off anywhere is read to its end, and no place is beyond it.
  void whatIsCutOffIsRead() {
    const QByteArray text =
        "#include <QTest>\nclass T : public QObject {\n private slots:\n  void a() { f(\"x\"); "
        "}\n};\n"
        "TEST(A, b) { R\"(raw)\"; }\n#[test]\nfn x() {}\ndescribe('a', () => { it(\"b\", `c`) })\n";
    for (qsizetype end = 0; end <= text.size(); ++end) {
      const QByteArray part = text.left(end);
      const auto lines = part.count('\n');
      for (const auto& items :
           {cppTests(part, part), pythonTests("/a.py", part), rustTests("/a.rs", {}, part),
            goTests("/a.go", part), scriptTests("/a.js", TestFramework::kJest, part)})
        for (const TestItem& item : items)
          QVERIFY(item.line <= item.lastLine && item.lastLine <= lines);
    }
  }

  void theInnermostOneIsAtTheCaret() {
    const auto items = pythonTests(
        "/p/test_a.py", "class TestA:\n    x = 1\n    def test_b(self):\n        pass\n\nx = 2\n");
    QCOMPARE(itemAt(items, 0)->id.names, QStringList({"TestA"}));
    QCOMPARE(itemAt(items, 3)->id.names, QStringList({"TestA", "test_b"}));
    QVERIFY(!itemAt(items, 5));
    // A suite has no lines of its own.
    const auto google = cppTests("TEST(A, b) {\n}\n", {});
    QCOMPARE(itemAt(google, 0)->id.names, QStringList({"A", "b"}));
  }

  void filesAreReadOnceUntilTheyChange() {
    write("test_a.py", "def test_a(): pass\n");
    write("b.py", "def test_b(): pass\n");
    write("test_c.py", "x = 1\n");
    TestScanner scanner;
    const std::atomic<bool> cancelled = false;
    const QStringList files{"b.py", "gone/test_x.py", "test_a.py", "test_c.py"};
    auto found = scanner.scan(folder_->path(), files, cancelled);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0].path, path("test_a.py"));
    QCOMPARE(shown(found[0].items), QStringList({"0-0 test_a"}));
    write("test_c.py", "def test_c(): pass\n");
    found = scanner.scan(folder_->path(), files, cancelled);
    QCOMPARE(found.size(), 2);
    QCOMPARE(shown(found[1].items), QStringList({"0-0 test_c"}));
    const std::atomic<bool> stopped = true;
    QVERIFY(scanner.scan(folder_->path(), files, stopped).isEmpty());
  }

 private:
  QString path(const QString& relative) const { return folder_->path() + u'/' + relative; }
  void write(const QString& relative, const QByteArray& bytes) const {
    QDir().mkpath(QFileInfo(path(relative)).path());
    QFile file(path(relative));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  // "first-last names" of each.
  static QStringList shown(const QVector<TestItem>& items) {
    QStringList lines;
    for (const TestItem& item : items)
      lines.append(QStringLiteral("%1-%2 %3")
                       .arg(item.line)
                       .arg(item.lastLine)
                       .arg(item.id.names.join(u'/')));
    return lines;
  }

  std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_MAIN(TestFindTests)
#include "test_find_tests.moc"
