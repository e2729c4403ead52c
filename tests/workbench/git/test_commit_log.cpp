// SPDX-License-Identifier: GPL-3.0-or-later
// Commits, lines' authors, branches and stashes as git tells of them.
#include <sys/stat.h>

#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <cstdio>

#include "editor/text/path_bytes.h"
#include "tests/workbench/git/scratch_repository.h"
#include "workbench/git/blame.h"
#include "workbench/git/commit_log.h"
#include "workbench/git/git_call.h"
#include "workbench/git/refs.h"

using namespace waferpair;
using workbench::BlamedLine;
using workbench::CommitGraph;
using workbench::CommitLogReader;
using workbench::GitRef;
using workbench::GraphRow;
using workbench::LogCommit;
using workbench::ScratchRepository;

namespace {

QByteArray idOf(int number) { return QByteArray::number(number).rightJustified(40, '0'); }

LogCommit commit(int number, const QVector<int>& parents) {
  LogCommit made;
  made.id = idOf(number);
  for (const int parent : parents) made.parents.append(idOf(parent));
  return made;
}

class TestCommitLog : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void commitsAreRead() {
    ScratchRepository r;
    r.commit("first");
    r.git({"tag", "v1"});
    r.git({"switch", "-q", "-c", "topic"});
    r.commit("on \x1f topic");
    r.git({"switch", "-q", "main"});
    r.commit("second");
    r.git({"merge", "-q", "--no-ff", "-m", "merged", "topic"});
    const auto all = log(r, {});
    QCOMPARE(all.size(), 4);
    QCOMPARE(all[0].subject, QString("merged"));
    QCOMPARE(all[0].refs, QString("HEAD -> main"));
    QCOMPARE(all[0].parents.size(), 2);
    QCOMPARE(all[0].author, QString("A Tester"));
    QCOMPARE(all[3].subject, QString("first"));
    QCOMPARE(all[3].refs, QString("tag: v1"));
    QVERIFY(all[3].parents.isEmpty());
  }

  void piecesMayBeCutAnywhere() {
    ScratchRepository r;
    r.commit("first");
    r.commit("second");
    const QByteArray bytes = raw(r);
    CommitLogReader whole;
    auto expected = whole.take(bytes);
    expected += whole.finish();
    QCOMPARE(expected.size(), 2);
    for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
      CommitLogReader reader;
      auto commits = reader.take(bytes.left(cut));
      commits += reader.take(bytes.mid(cut));
      commits += reader.finish();
      QCOMPARE(commits.size(), 2);
      QCOMPARE(commits[1].subject, QString("first"));
    }
  }

  void whatIsNoCommitIsLeftOut() {
    CommitLogReader reader;
    QVERIFY(reader.take(QByteArrayView("\0\0nothing\x1f\x1f\x1f\x1f\x1f\0", 15)).isEmpty());
    const QByteArray good = idOf(7) +
                            "\x1f\x1f"
                            "a\x1f"
                            "12\x1f\x1fsubject";
    QCOMPARE(reader.take(good + '\0').size(), 1);
    // One that never ends does not grow.
    for (int i = 0; i < 40; ++i) reader.take(QByteArray(100'000, 'x'));
    QVERIFY(reader.take(QByteArrayView("\0", 1)).isEmpty());
    QCOMPARE(reader.take(good + '\0').size(), 1);
  }

  void aLineOfCommitsHasOneLane() {
    CommitGraph graph;
    for (int i = 9; i > 0; --i) {
      const GraphRow row = graph.add(commit(i, i > 1 ? QVector<int>{i - 1} : QVector<int>{}));
      QCOMPARE(row.lane, short(0));
      QCOMPARE(row.above.size(), i == 9 ? 0 : 1);
      QCOMPARE(row.below.size(), i == 1 ? 0 : 1);
    }
  }

  void aMergeOpensALaneThatEndsWhereItBegan() {
    CommitGraph graph;
    const GraphRow merge = graph.add(commit(4, {3, 2}));
    QCOMPARE(merge.below, (QVector<GraphRow::Edge>{{0, 0, 0}, {0, 1, 1}}));
    const GraphRow third = graph.add(commit(3, {1}));
    QCOMPARE(third.lane, short(0));
    const GraphRow second = graph.add(commit(2, {1}));
    QCOMPARE(second.lane, short(1));
    QCOMPARE(second.below, (QVector<GraphRow::Edge>{{0, 0, 0}, {1, 0, 0}}));
    const GraphRow first = graph.add(commit(1, {}));
    QCOMPARE(first.lane, short(0));
    QCOMPARE(first.below, QVector<GraphRow::Edge>());
  }

  // What comes in at a row's top is what went out at the bottom of the row above.
  void rowsFitTogether() {
    QRandomGenerator random(3);
    for (int round = 0; round < 100; ++round) {
      CommitGraph graph;
      QSet<int> out;
      for (int i = 60; i > 0; --i) {
        QVector<int> parents;
        for (int k = random.bounded(3); k > 0 && i > 1; --k)
          parents.append(random.bounded(std::max(1, i - 8), i));
        const GraphRow row = graph.add(commit(i, parents));
        QSet<int> in;
        for (const auto& edge : row.above) in.insert(edge.from);
        QCOMPARE(in, out);
        out.clear();
        for (const auto& edge : row.below) {
          out.insert(edge.to);
          QVERIFY(edge.to >= 0 && edge.to <= CommitGraph::kMostLanes);
        }
      }
    }
  }

  void manyTipsDoNotNeedMoreLanesThanThereAre() {
    CommitGraph graph;
    QSet<int> out;
    for (int i = 1000; i > 900; --i) {
      const GraphRow row = graph.add(commit(i, {i - 500, i - 400}));
      QVERIFY(row.lane <= CommitGraph::kMostLanes);
      QSet<int> in;
      for (const auto& edge : row.above) in.insert(edge.from);
      QCOMPARE(in, out);
      out.clear();
      for (const auto& edge : row.below) out.insert(edge.to);
      for (const int lane : out) QVERIFY(lane < CommitGraph::kMostLanes);
    }
  }

  void aTextIsBlamedAsItIs() {
    ScratchRepository r;
    r.write(".gitattributes", "* text=auto\n");
    r.write("sub/a.txt", "one\nthe second line\nthree\n");
    r.commit("first");
    r.write("sub/a.txt", "one\nthe 2nd line\nthree\n");
    r.commit("tidied");
    const std::atomic<bool> cancelled = false;
    const auto blamed = [&](const char* text, qint64 line = 0) {
      QStringList subjects;
      const auto lines =
          workbench::blame({r.path("sub/a.txt"), editor::Snapshot(QByteArrayView(text)),
                            editor::Encoding::kUtf8, line},
                           cancelled);
      if (!lines) return QStringList{lines.error().message()};
      for (const BlamedLine& each : *lines) subjects.append(each.subject);
      return subjects;
    };
    QCOMPARE(blamed("one\nthe 2nd line\nthree\n"), (QStringList{"first", "tidied", "first"}));
    // CRLF on disk is how git would write it.
    QCOMPARE(blamed("one\r\nthe 2nd line\r\nthree\r\n"), (QStringList{"first", "tidied", "first"}));
    QCOMPARE(blamed("one\r\nthe 2nd line\r\nthree\r\n", 2), QStringList{"tidied"});
    QVERIFY(blamed("one\nthe 2nd line\n3\n").last().startsWith("Version of"));
    // Commits that only tidied up may be passed over.
    r.write("tidy", r.git({"rev-parse", "HEAD"}));
    r.git({"config", "blame.ignoreRevsFile", "tidy"});
    QCOMPARE(blamed("one\nthe 2nd line\nthree\n"), (QStringList{"first", "first", "first"}));
    QVERIFY(blamed("x\n", 7).value(0).contains("git blame"));
  }

  // Their bytes reach git as they are.
  void namesThatAreNoUtf8AreAskedAbout() {
    ScratchRepository r;
    const QString name = editor::pathText("caf\xe9/\x83\x65.txt");
    const QByteArray folder = editor::pathBytes(r.path(editor::pathText("caf\xe9")));
    const QByteArray file = editor::pathBytes(r.path(name));
    QCOMPARE(::mkdir(folder.constData(), 0777), 0);
    const auto put = [&](const char* bytes) {
      FILE* out = std::fopen(file.constData(), "w");
      return out && std::fputs(bytes, out) >= 0 && std::fclose(out) == 0;
    };
    QVERIFY(put("one\n"));
    r.write("other", "one\n");
    r.commit("first");
    QVERIFY(put("one\ntwo\n"));
    r.commit("second");
    r.write("other", "two\n");
    r.commit("third");
    const std::atomic<bool> cancelled = false;
    const auto lines = workbench::blame(
        {r.path(name), editor::Snapshot(QByteArrayView("one\ntwo\nthree\n"))}, cancelled);
    QVERIFY2(lines, lines ? "" : qPrintable(lines.error().message()));
    QCOMPARE(lines->size(), 3);
    QCOMPARE(lines->at(0).subject, QString("first"));
    QCOMPARE(lines->at(1).subject, QString("second"));
    QCOMPARE(lines->at(2).commit, QByteArray());
    const auto log = workbench::readWithGit(
        {r.folder(), {"log", "--format=%s", "--follow", "--", name}}, cancelled);
    QVERIFY2(log, log ? "" : qPrintable(log.error().message()));
    QCOMPARE(*log, QByteArray("second\nfirst\n"));
  }

  void linesAreBlamed() {
    ScratchRepository r;
    r.write("a.txt", "one\ntwo\n");
    r.commit("first\n\nwith a body");
    r.write("a.txt", "one\n2\n\tthree\n");
    const auto lines = workbench::readBlame(r.git({"blame", "--porcelain", "--", "a.txt"}));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0].commit, r.git({"rev-parse", "HEAD"}).trimmed());
    QCOMPARE(lines[0].author, QString("A Tester"));
    QCOMPARE(lines[0].subject, QString("first"));
    QVERIFY(lines[0].when > 1'600'000'000);
    QCOMPARE(lines[2].commit, QByteArray());
    QCOMPARE(workbench::readBlame("nothing\n\tof it\n"), QVector<BlamedLine>());
  }

  void branchesAndTagsAreListed() {
    ScratchRepository r;
    QVERIFY(workbench::gitRefs(r.folder())->isEmpty());
    r.commit("first");
    r.git({"branch", "topic"});
    r.git({"branch", "-q", "--set-upstream-to=main", "topic"});
    r.git({"tag", "-a", "-m", "a version", "v1"});
    r.git({"update-ref", "refs/remotes/origin/theirs", "HEAD"});
    r.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/theirs"});
    const auto refs = *workbench::gitRefs(r.folder());
    QStringList names;
    for (const GitRef& ref : refs) names.append(ref.name);
    QCOMPARE(names, (QStringList{"main", "topic", "origin/theirs", "v1"}));
    QVERIFY(refs[0].isCurrent);
    QCOMPARE(refs[1].upstream, QString("main"));
    QCOMPARE(refs[3].subject, QString("first"));
    QCOMPARE(refs[3].commit, QString(r.git({"rev-parse", "HEAD"}).trimmed()));
    QVERIFY(!workbench::gitRefs("/"));
  }

  void stashesAreListed() {
    ScratchRepository r;
    r.write("a.txt", "one\n");
    r.commit("first");
    for (const char* text : {"two", "three"}) {
      r.write("a.txt", text);
      r.git({"stash", "push", "-q", "-m", text});
    }
    const auto stashes = *workbench::gitStashes(r.folder());
    QCOMPARE(stashes.size(), 2);
    QCOMPARE(stashes[0].message, QString("On main: three"));
    QCOMPARE(stashes[1].number, 1);
    QCOMPARE(stashes[1].commit, QString(r.git({"rev-parse", "stash@{1}"}).trimmed()));
  }

  void namesOfBranches() {
    QCOMPARE(workbench::refNameProblem("topic/one"), QString());
    for (const char* bad : {"", "a b", "-x", "a..b", "a~1", "HEAD", "x.lock", "/x"})
      QVERIFY2(!workbench::refNameProblem(bad).isEmpty(), bad);
  }

 private:
  static QByteArray raw(const ScratchRepository& r, const QStringList& more = {}) {
    return r.git(QStringList{"log", "-z", "--format=" + workbench::commitLogFormat()} + more);
  }
  static QVector<LogCommit> log(const ScratchRepository& r, const QStringList& more) {
    CommitLogReader reader;
    auto commits = reader.take(raw(r, more));
    commits += reader.finish();
    return commits;
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestCommitLog)
#include "test_commit_log.moc"
