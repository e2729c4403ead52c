// SPDX-License-Identifier: GPL-3.0-or-later
// Ignore rules against git itself: what `git check-ignore` says of random rules and paths.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <set>

#include "runtime/exclusions/rule_chain.h"

using namespace waferpair::exclusions;

namespace {

void write(const QString& path, const std::string& bytes) {
  QFile file(path);
  QVERIFY(file.open(QFile::WriteOnly));
  file.write(QByteArray::fromStdString(bytes));
}

// The rules of `files` (by folder) that git would read in a work tree.
RuleChain chainOf(const std::vector<std::pair<std::string, std::string>>& files) {
  RuleChain chain;
  for (const auto& [folder, text] : files)
    chain.push_back({"/" + folder, "", std::make_shared<const IgnoreRules>(text)});
  return chain;
}

}  // namespace

class TestIgnoreRules : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    // Nobody's own settings have a say.
    qputenv("HOME", folder_.path().toUtf8());
    qputenv("XDG_CONFIG_HOME", folder_.path().toUtf8());
    qputenv("GIT_CONFIG_NOSYSTEM", "1");
    if (QProcess::execute("git", {"--version"}) != 0) QSKIP("git is not installed");
    makeTree();
  }

  void oneRuleAgreesWithGit_data() {
    QTest::addColumn<QByteArray>("rules");
    for (const char* rules : {"a**/b",
                              "/a**/b",
                              "x/a**/b",
                              "a**b",
                              "x/a**b",
                              "a/**",
                              "a/**/b",
                              "**/b",
                              "**/a/b",
                              "**",
                              "a/b**",
                              "[[:alpha:]]",
                              "[[:digit:][:space:]]x",
                              "[[:nosuch:]]",
                              "[[:alpha:]",
                              "[a-c]x",
                              "[!a]",
                              "[^a]",
                              "[]a]",
                              "[]-a]",
                              "[a",
                              "a[",
                              "a\\",
                              "\\a",
                              "\\*",
                              "\\!a",
                              "!a",
                              "\\#",
                              "#a",
                              "a ",
                              "a\\ ",
                              "a  \\ ",
                              "a\t",
                              " a",
                              "a\r",
                              "/",
                              "//",
                              "//a",
                              "a//",
                              "/a/",
                              "a/",
                              "*/a",
                              "a/*",
                              "*",
                              "?",
                              "a/?",
                              "/*",
                              "/**",
                              "*a*b*",
                              "a*/**/b",
                              "[a/]b",
                              "a[/]b",
                              "a[+-0]b",
                              "[\\]]",
                              "[a\\-c]",
                              "[--a]",
                              "\xc3\xa4",
                              "?\xc3\xa4",
                              "[\xc3\xa4]",
                              "*.b",
                              "A",
                              "a.*",
                              "*\n!a",
                              "*\n!*/\n!a",
                              "a/\n!a/b",
                              "a/*\n!a/b",
                              "\xef\xbb\xbf"
                              "a"})
      QTest::newRow(rules) << QByteArray(rules);
  }
  void oneRuleAgreesWithGit() {
    QFETCH(QByteArray, rules);
    compare({{"", rules.toStdString()}});
  }

  void randomRulesAgreeWithGit() {
    std::mt19937 random(20);
    const auto pick = [&random](const auto& from) { return from[random() % std::size(from)]; };
    const char* pieces[] = {"a",    "b",     "x",           "A",           "ab", ".b",      "*",
                            "*",    "**",    "**/",         "/",           "/",  "?",       "[ab]",
                            "[!a]", "[a-x]", "[[:alpha:]]", "[[:upper:]]", "\\", "\\*",     " ",
                            "!",    "#",     "[",           "]",           "-",  "\xc3\xa4"};
    const auto text = [&](int lines) {
      std::string rules;
      for (int n = 1 + static_cast<int>(random() % static_cast<unsigned>(lines)); n > 0; --n) {
        if (random() % 4 == 0) rules += '!';
        if (random() % 6 == 0) rules += '/';
        for (unsigned m = 1 + random() % 5; m > 0; --m) rules += pick(pieces);
        if (random() % 5 == 0) rules += '/';
        if (random() % 8 == 0) rules += "  ";
        rules += random() % 10 == 0 ? "\r\n" : "\n";
      }
      return rules;
    };
    for (int round = 0; round < 150 && !QTest::currentTestFailed(); ++round) {
      std::vector<std::pair<std::string, std::string>> files = {{"", text(12)}};
      if (random() % 2 == 0) files.push_back({"a", text(4)});
      if (random() % 3 == 0) files.push_back({"a/b", text(3)});
      compare(files);
    }
    // Both answers came often.
    QVERIFY2(ignored_ > 500 && shown_ > 500, qPrintable(QString::number(ignored_)));
  }

  // The pattern is one that keeps other matchers busy for minutes.
  void aHostilePatternCostsNothing() {
    const IgnoreRules stars("*a*a*a*a*a*a*a*a*a*a*a*a*ab\n");
    const std::string name(250, 'a');
    QVERIFY(!stars.match(name, false));
    QVERIFY(stars.match(name + 'b', false));
    std::string folders, path;
    for (int i = 0; i < 40; ++i) folders += "**/a*/";
    for (int i = 0; i < 100; ++i) path += "aa/";
    const IgnoreRules deep(folders + "b\n");
    QVERIFY(!deep.match(path + "c", false));
    QVERIFY(deep.match(path + "b", false));
  }

  void theLastOfManyRulesDecides() {
    std::string text;
    for (int i = 0; i < 90'000; ++i) text += "name" + std::to_string(i) + "*.c\n";
    text += "!name89999x.c\n";
    const IgnoreRules rules(text);
    QVERIFY(rules.problem().empty());
    const auto one = rules.match("deep/name4711y.c", false);
    QVERIFY(one && one->excludes);
    QCOMPARE(one->line, 4712);
    QCOMPARE(one->pattern, std::string_view("name4711*.c"));
    const auto back = rules.match("name89999x.c", false);
    QVERIFY(back && !back->excludes);
    QVERIFY(!rules.match("nam.c", false));
  }

  void whatCannotBeMatchedInTimeIsRefused() {
    std::string text;
    for (int i = 0; i < 5'000; ++i) text += "*" + std::to_string(i) + "*\n";
    QVERIFY(!IgnoreRules(text).problem().empty());
    QVERIFY(!IgnoreRules(std::string(5'000, '?')).problem().empty());
    QCOMPARE(IgnoreRules("*.o\n[Bb]in/\n").problem(), std::string());
  }

 private:
  void makeTree() {
    QCOMPARE(QProcess::execute("git", {"init", "-q", tree_.path()}), 0);
    const char* names[] = {"a",   "b",        "x",  "A",  "ab", "a.b",
                           "axb", "\xc3\xa4", "a ", "#a", "!a", "*"};
    for (const char* outer : names) {
      paths_.push_back(outer);
      for (const char* inner : {"a", "b", "ab"}) {
        const std::string folder = std::string(outer) + '/' + inner;
        QVERIFY(QDir(tree_.path()).mkpath(QString::fromStdString(folder)));
        paths_.push_back(folder);
        for (const char* file : names) add(folder + '/' + file);
      }
      for (const char* file : {"x", "a.b", "\xc3\xa4", "]", "\\", "+"})
        add(std::string(outer) + '/' + file);
    }
    for (const char* file : {"]", "-", "\\", "axxb", "a\t", "a-b", "acb", "1x", " a"}) add(file);
  }
  void add(const std::string& file) {
    write(tree_.filePath(QString::fromStdString(file)), "");
    paths_.push_back(file);
  }

  // Compares the verdicts of git and of IgnoreRules on all paths of the tree.
  void compare(const std::vector<std::pair<std::string, std::string>>& files) {
    for (const char* folder : {"", "a/", "a/b/"})
      QFile::remove(tree_.filePath(QLatin1String(folder) + ".gitignore"));
    for (const auto& [folder, text] : files) {
      const QString where = QString::fromStdString(folder);
      write(tree_.filePath(where.isEmpty() ? ".gitignore" : where + "/.gitignore"), text);
    }
    QProcess git;
    git.setWorkingDirectory(tree_.path());
    git.start("git", {"check-ignore", "--no-index", "--stdin", "-z"});
    for (const std::string& path : paths_)
      git.write(path.c_str(), static_cast<qint64>(path.size() + 1));
    git.closeWriteChannel();
    QVERIFY(git.waitForFinished());
    QVERIFY2(git.exitCode() <= 1, git.readAllStandardError().constData());
    std::set<std::string> ignored;
    for (const QByteArray& path : git.readAllStandardOutput().split('\0'))
      ignored.insert(path.toStdString());

    std::vector<std::pair<std::string, std::string>> absolute;
    for (const auto& [folder, text] : files)
      absolute.push_back({folder.empty() ? "tree" : "tree/" + folder, text});
    const RuleChain chain = chainOf(absolute);
    for (const std::string& path : paths_) {
      const bool isFolder = QFileInfo(tree_.filePath(QString::fromStdString(path))).isDir();
      const bool here = exclusionOf(chain, "/tree/" + path, isFolder).has_value();
      const bool there = ignored.contains(path);
      (there ? ignored_ : shown_) += 1;
      QString all;
      for (const auto& [folder, text] : files)
        all += QString::fromStdString(folder + ": " + text + "\n");
      QVERIFY2(here == there, qPrintable(QString("%1: git says %2 by\n%3")
                                             .arg(QString::fromStdString(path))
                                             .arg(there)
                                             .arg(all)));
    }
  }

  QTemporaryDir folder_, tree_;
  std::vector<std::string> paths_;
  int ignored_ = 0, shown_ = 0;
};

QTEST_GUILESS_MAIN(TestIgnoreRules)
#include "test_ignore_rules.moc"
