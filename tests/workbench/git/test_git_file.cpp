// SPDX-License-Identifier: GPL-3.0-or-later
// What git has of a file, and texts written into the index.
#include <QTest>

#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/index_text.h"
#include "workbench/git/repository.h"

using namespace waferpair;
using editor::Encoding;
using editor::Snapshot;
using workbench::GitFile;
using workbench::GitFileReader;
using workbench::ScratchRepository;
using State = GitFile::State;

namespace {

Snapshot text(const char* utf8) { return Snapshot(QByteArrayView(utf8)); }

class TestGitFile : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void textsOfHeadAndIndex() {
    ScratchRepository r;
    r.write("src/a.txt", "one\n");
    r.commit("first");
    r.write("src/a.txt", "two\n");
    r.git({"add", "-A"});
    r.write("src/a.txt", "three\n");
    const GitFile file = read(r, "src/a.txt");
    QCOMPARE(file.state, State::kTracked);
    QCOMPARE(file.workFolder, r.folder());
    QCOMPARE(file.path, QString("src/a.txt"));
    QCOMPARE(file.mode, 0100644u);
    QCOMPARE(file.head.toByteArray(), QByteArray("one\n"));
    QCOMPARE(file.index.toByteArray(), QByteArray("two\n"));
    QCOMPARE(file.indexId, r.git({"rev-parse", ":src/a.txt"}).trimmed());
  }

  void remotesAreThoseWithAnAddress() {
    ScratchRepository r;
    QCOMPARE(*workbench::gitRemotes(r.folder()), QStringList());
    r.git({"remote", "add", "up.stream", "/nowhere"});
    r.git({"remote", "add", "origin", "/nowhere"});
    r.git({"config", "remote.origin.pushurl", "/elsewhere"});
    r.git({"config", "remote.pushes.pushurl", "/elsewhere"});
    r.git({"config", "remote.empty.fetch", "+refs/heads/*:refs/remotes/empty/*"});
    r.git({"config", "remote.pushDefault", "origin"});
    QCOMPARE(*workbench::gitRemotes(r.folder()), QStringList({"origin", "pushes", "up.stream"}));
  }

  void aReaderSeesWhatIsStagedAndCommittedLater() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    GitFileReader reader;
    const auto now = [&] { return *reader.read(r.path("a.txt"), Encoding::kUtf8); };
    QCOMPARE(now().state, State::kUntracked);
    r.git({"add", "-A"});
    QCOMPARE(now().state, State::kTracked);
    QCOMPARE(now().headId, QByteArray());
    QCOMPARE(now().index.toByteArray(), QByteArray("one\n"));
    r.commit("first");
    QCOMPARE(now().head.toByteArray(), QByteArray("one\n"));
    r.git({"rm", "-q", "--cached", "a.txt"});
    QCOMPARE(now().state, State::kUntracked);
    // Another repository in the same place.
    QVERIFY(QDir(r.path(".git")).removeRecursively());
    QCOMPARE(now().state, State::kOutside);
    r.git({"init", "-q", "-b", "main"});
    r.git({"add", "-A"});
    QCOMPARE(now().state, State::kTracked);
    QCOMPARE(now().headId, QByteArray());
  }

  void whatIsNotCompared() {
    QTemporaryDir outside;
    QCOMPARE(GitFileReader().read(outside.filePath("a"), Encoding::kUtf8)->state, State::kOutside);
    QCOMPARE(GitFileReader().read(outside.filePath("gone/a"), Encoding::kUtf8)->state,
             State::kOutside);
    ScratchRepository r;
    r.write(".gitattributes", "*.big filter=lfs\n*.w working-tree-encoding=UTF-16\n");
    r.write("a.big", "version https://git-lfs.github.com/spec/v1\n");
    r.write("b.w", "");
    r.write("latin.txt", "caf\xe9\n");
    r.write("binary", QByteArray("a\0b\n", 4));
    r.write("huge.txt", QByteArray(GitFile::kMostBytes + 1, 'x'));
    QVERIFY(QFile::link("latin.txt", r.path("link")));
    r.git({"-c", "filter.lfs.clean=cat", "add", "-A"});
    QCOMPARE(read(r, "a.big").state, State::kConverted);
    QCOMPARE(read(r, "b.w").state, State::kConverted);
    QCOMPARE(read(r, "binary").state, State::kNotText);
    // A byte that is no UTF-8 is kept.
    QCOMPARE(read(r, "latin.txt").state, State::kTracked);
    QCOMPARE(read(r, "huge.txt").state, State::kTooLarge);
    QCOMPARE(read(r, "link").state, State::kNotText);
    QCOMPARE(read(r, ".git/config").state, State::kOutside);
    const auto latin = GitFileReader().read(r.path("latin.txt"), Encoding::kWindows1252);
    QCOMPARE(latin->state, State::kTracked);
    QCOMPARE(latin->index.toByteArray(), QByteArray("caf\xc3\xa9\n"));
  }

  void conflictsHaveNoOneText() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    r.git({"switch", "-q", "-c", "topic"});
    r.write("a.txt", "two\n");
    r.commit("second");
    r.git({"switch", "-q", "main"});
    r.write("a.txt", "three\n");
    r.commit("third");
    r.git({"merge", "-q", "topic"}, true);
    QCOMPARE(read(r, "a.txt").state, State::kConflict);
  }

  void aRepositoryThatCannotBeReadIsAnError() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    const QString object = r.git({"rev-parse", ":a.txt"}).trimmed();
    const QString file = r.path(".git/objects/" + object.left(2) + '/' + object.mid(2));
    QVERIFY(QFile::remove(file));
    const auto read = GitFileReader().read(r.path("a.txt"), Encoding::kUtf8);
    QVERIFY(!read);
    QVERIFY2(read.error().what.contains("a.txt"), qPrintable(read.error().what));
  }

  // As the user's own git would store it, whatever says how.
  void aTextIsCleanedAsGitDoes_data() {
    QTest::addColumn<QByteArray>("attributes");
    QTest::addColumn<QStringList>("config");
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QByteArray>("text");
    const QByteArray lf("a\nb\n"), crLf("a\r\nb\r\n"), mixed("a\r\nb\nc\r\n");
    const QStringList none, autoCrLf{"core.autocrlf", "true"}, input{"core.autocrlf", "input"};
    QTest::newRow("nothing") << QByteArray() << none << crLf << crLf;
    QTest::newRow("nothing, LF") << QByteArray() << none << crLf << lf;
    QTest::newRow("autocrlf") << QByteArray() << autoCrLf << lf << crLf;
    QTest::newRow("autocrlf, mixed") << QByteArray() << autoCrLf << lf << mixed;
    QTest::newRow("autocrlf, CRLF in the index") << QByteArray() << autoCrLf << crLf << crLf;
    QTest::newRow("input") << QByteArray() << input << lf << crLf;
    QTest::newRow("text=auto") << QByteArray("* text=auto\n") << none << lf << crLf;
    QTest::newRow("text=auto, no end")
        << QByteArray("* text=auto\n") << none << lf << QByteArray("a\r\nb");
    QTest::newRow("text") << QByteArray("* text\n") << none << crLf << crLf;
    QTest::newRow("eol=crlf") << QByteArray("* text eol=crlf\n") << none << lf << crLf;
    QTest::newRow("eol=lf") << QByteArray("* text eol=lf\n") << none << lf << crLf;
    QTest::newRow("-text") << QByteArray("* -text\n") << autoCrLf << lf << crLf;
    QTest::newRow("binary") << QByteArray("* binary\n") << autoCrLf << lf << crLf;
    QTest::newRow("ident") << QByteArray("* ident\n") << none << QByteArray("$Id$\n")
                           << QByteArray("$Id: 0123456789abcdef $\nmore\n");
    QTest::newRow("ident, CRLF") << QByteArray("* text ident\n") << none << QByteArray("$Id$\n")
                                 << QByteArray("$Id: 0123456789abcdef $\r\nmore\r\n");
  }
  void aTextIsCleanedAsGitDoes() {
    QFETCH(QByteArray, attributes);
    QFETCH(QStringList, config);
    QFETCH(QByteArray, stored);
    QFETCH(QByteArray, text);
    ScratchRepository r;
    r.write("kept", stored);
    const QByteArray id = r.git({"hash-object", "-w", "--no-filters", r.path("kept")}).trimmed();
    r.git({"update-index", "--add", "--cacheinfo", "100644," + QString(id) + ",a.txt"});
    if (!attributes.isEmpty()) r.write(".gitattributes", attributes);
    if (!config.isEmpty()) r.git(QStringList{"config"} + config);
    r.write("a.txt", text);
    GitFileReader reader;
    const auto file = reader.read(r.path("a.txt"), Encoding::kUtf8);
    QVERIFY(file);
    QCOMPARE(file->index.toByteArray(), stored);
    const auto clean = reader.clean(*file, Snapshot(text), Encoding::kUtf8);
    QVERIFY(clean);
    r.git({"add", "a.txt"});
    QCOMPARE(clean->toByteArray(), r.git({"cat-file", "-p", ":a.txt"}));
    QCOMPARE(clean->toByteArray().count('\n'), text.count('\n'));
  }

  void whatIsStagedIsStoredAsItIs() {
    ScratchRepository r;
    r.git({"config", "core.autocrlf", "true"});
    r.write("a.txt", "one\r\ntwo\r\n");
    r.git({"add", "-A"});
    const GitFile file = read(r, "a.txt");
    QCOMPARE(file.index.toByteArray(), QByteArray("one\ntwo\n"));
    QVERIFY(stage(file, text("one\r\n2\n")));
    QCOMPARE(r.git({"cat-file", "-p", ":a.txt"}), QByteArray("one\r\n2\n"));
    const auto indexed = GitFileReader().textAt(r.path("a.txt"), {}, Encoding::kUtf8);
    QVERIFY2(indexed, indexed ? "" : qPrintable(indexed.error().message()));
    QCOMPARE(indexed->toByteArray(), QByteArray("one\r\n2\n"));
  }

  void aTextIsStagedInItsEncodingAndMode() {
    ScratchRepository r;
    r.write("a b\tc.txt", "caf\xe9\n");
    QVERIFY(QFile::setPermissions(r.path("a b\tc.txt"), QFile::Permissions(0x7755)));
    r.commit("first");
    const auto file = GitFileReader().read(r.path("a b\tc.txt"), Encoding::kWindows1252);
    QVERIFY(stage(*file, text("th\xc3\xa9\n"), Encoding::kWindows1252));
    QCOMPARE(r.git({"cat-file", "-p", ":a b\tc.txt"}), QByteArray("th\xe9\n"));
    QVERIFY(r.git({"ls-files", "-s"}).startsWith("100755 "));
    // A letter that the encoding lacks is told, and nothing is staged.
    const auto again = GitFileReader().read(r.path("a b\tc.txt"), Encoding::kWindows1252);
    QVERIFY(!stage(*again, text("\xe4\xb8\x80\n"), Encoding::kWindows1252));
    QCOMPARE(r.git({"cat-file", "-p", ":a b\tc.txt"}), QByteArray("th\xe9\n"));
  }

  void whatSomebodyElseStagedStays() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    const GitFile file = read(r, "a.txt");
    r.write("a.txt", "theirs\n");
    r.git({"add", "-A"});
    const auto staged = stage(file, text("ours\n"));
    QVERIFY(!staged);
    QCOMPARE(staged.error().what, QString("Git's version of a.txt is another one by now."));
    QCOMPARE(r.git({"cat-file", "-p", ":a.txt"}), QByteArray("theirs\n"));
  }

  void aLockIsNamed() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    r.write(".git/index.lock", "");
    const auto staged = stage(read(r, "a.txt"), text("ours\n"));
    QVERIFY(!staged);
    QVERIFY2(staged.error().remedy.contains(r.path(".git/index.lock")),
             qPrintable(staged.error().message()));
    QCOMPARE(r.git({"cat-file", "-p", ":a.txt"}), QByteArray("one\n"));
  }

 private:
  static GitFile read(const ScratchRepository& r, const QString& path) {
    const auto file = GitFileReader().read(r.path(path), Encoding::kUtf8);
    if (!file) qWarning() << file.error().message();
    return file.value_or(GitFile());
  }
  static editor::Result<QByteArray> stage(const GitFile& file, const Snapshot& text,
                                          Encoding encoding = Encoding::kUtf8) {
    const std::atomic<bool> cancelled = false;
    return workbench::writeIndexText(
        file, text, encoding, {cancelled, {}, workbench::anyTrust().permit(file.workFolder)});
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestGitFile)
#include "test_git_file.moc"
