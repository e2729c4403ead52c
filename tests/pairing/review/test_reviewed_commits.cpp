// SPDX-License-Identifier: GPL-3.0-or-later
// What of commits goes along with a review, where their lines are by now, and what becomes of
// changes that a model wants with texts that have changed since, in a real repository.
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/changes/answer_changes.h"
#include "pairing/changes/disk_texts.h"
#include "pairing/context/git_changes.h"
#include "pairing/review/review_request.h"
#include "pairing/review/reviewed_commits.h"

using namespace waferpair::pairing;
using waferpair::editor::Snapshot;

namespace {

const QByteArray kReviewed = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

class History {
 public:
  History() { git({"init", "-q", "-b", "main"}); }
  QString root() const { return QDir(folder_.path()).canonicalPath(); }
  void write(const QString& file, const QByteArray& bytes) const {
    QVERIFY(QDir(root()).mkpath(QFileInfo(file).path()));
    QFile out(root() + u'/' + file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(bytes);
  }
  QByteArray git(const QStringList& arguments) const {
    QProcess process;
    process.setWorkingDirectory(root());
    process.start("git", QStringList{"-c", "user.name=A", "-c", "user.email=a@example.com", "-c",
                                     "commit.gpgsign=false", "-c", "core.autocrlf=false"} +
                             arguments);
    if (!process.waitForFinished() || process.exitCode() != 0)
      qWarning() << arguments << process.readAllStandardError();
    return process.readAllStandardOutput().trimmed();
  }
  // All there is becomes a commit, whose name is returned.
  QString commit() const {
    git({"add", "-Af"});
    git({"commit", "-qm", "a"});
    return QString::fromLatin1(git({"rev-parse", "HEAD"}));
  }
  GatheredCommits gather(const QString& from, const QString& to, qint64 budget = 100'000) const {
    return gatherCommits(root(), {from, to, {}, {}}, {}, budget);
  }

 private:
  QTemporaryDir folder_;
};

const ContextItem* itemOf(const GatheredCommits& gathered, const QString& name) {
  for (const ContextItem& item : gathered.items)
    if (item.name == name) return &item;
  return nullptr;
}

ProposedChange change(const QByteArray& from, const QByteArray& to) {
  return {ProposedChange::Kind::kReplace, "a.txt", {}, from, to, -1};
}

// A file of which a model was shown kReviewed, with changes that it wants.
struct ShownText {
  explicit ShownText(const QByteArray& now) {
    QFile file(folder.filePath("a.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(now);
    store.setProject(folder.path());
  }
  QVector<LeftOverChange> propose(const QVector<ProposedChange>& changes) {
    return waferpair::pairing::propose(changes, {}, &review, [](const QString& path) {
      return path == "a.txt" ? std::optional(Snapshot(kReviewed)) : std::nullopt;
    });
  }
  QByteArray wanted() const {
    const ChangedFile* file = review.set().find("a.txt");
    return file ? file->after.text.toByteArray() : QByteArray("(none)");
  }

  QTemporaryDir folder, state;
  DiskTexts texts;
  ChangeStore store{state.path()};
  ChangeReview review{{&texts, &store, folder.path()}, ChangeSet::make("x")};
};

class TestReviewedCommits : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theChangesOfCommitsGoAlongAndNotTheDisks() {
    const History h;
    h.write("a.txt", "one\ntwo\n");
    h.write("gone.txt", "x\n");
    const QString first = h.commit();
    h.write("a.txt", "one\n2\n");
    h.git({"rm", "-q", "gone.txt"});
    const QString second = h.commit();
    h.write("a.txt", "something else\n");
    const GatheredCommits gathered = h.gather(first, second);
    QCOMPARE(gathered.files, 2);
    QVERIFY(itemOf(gathered, "diff of a.txt")->text.contains("-two\n+2\n"));
    QVERIFY(itemOf(gathered, "diff of gone.txt")->isSent());
    QCOMPARE(gathered.texts.size(), 1);
    QCOMPARE(gathered.texts["a.txt"], Snapshot("one\n2\n"));
    // Before the first commit there was nothing.
    QVERIFY(itemOf(h.gather({}, first), "diff of a.txt")->text.contains("+one\n+two\n"));
    const GatheredCommits same = h.gather(first, first);
    QCOMPARE(same.items.size(), 1);
    QCOMPARE(same.items[0].why, "nothing in the open folder differs");
    QVERIFY(h.gather(first, QString(40, 'e')).items[0].why.contains("can't be read"));
  }

  void onlyTheOpenFolderIsLookedAt() {
    const History h;
    h.write("in/a.txt", "one\n");
    h.write("out/b.txt", "one\n");
    const QString first = h.commit();
    h.write("in/a.txt", "two\n");
    h.write("out/b.txt", "two\n");
    const QString second = h.commit();
    const auto gathered = gatherCommits(h.root() + "/in", {first, second, {}, {}}, {}, 100'000);
    QCOMPARE(gathered.files, 1);
    QCOMPARE(gathered.texts.keys(), QStringList("a.txt"));
  }

  // By name, by content, by content that went since, and by content that came to the disk.
  void secretsOfCommitsStayHere() {
    const QByteArray token =
        "key = \"ghp_" + QByteArray("abcdefghijklmnopqrstuvwxyz0123456789") + "\"\n";
    const QByteArray far = QByteArray("line\n").repeated(40);
    const History h;
    h.write(".env", "A=1\n");
    h.write("was.txt", token + far + "one\n");
    h.write("is.txt", far + "one\n");
    h.write("disk.txt", "one\n");
    const QString first = h.commit();
    h.write(".env", "A=2\n");
    h.write("was.txt", "clean\n" + far + "one\n");
    h.write("is.txt", token + far + "two\n");
    h.write("disk.txt", "two\n");
    h.write(".waferpairignore", "ignored.txt\n");
    h.write("ignored.txt", "two\n");
    const QString second = h.commit();
    h.write("disk.txt", "two\n" + far + token);
    const GatheredCommits gathered = h.gather(first, second);
    for (const char* name : {".env", "was.txt", "is.txt", "disk.txt", "ignored.txt"}) {
      const ContextItem* item = itemOf(gathered, QLatin1String("diff of ") + name);
      QVERIFY2(item && item->outcome == ContextItem::Outcome::kLeftOut, name);
      QVERIFY2(!item->why.isEmpty() && !gathered.texts.contains(name), name);
    }
  }

  void whatIsLongOrNoTextIsLeftOut() {
    const History h;
    h.write("a.txt", "one\n");
    const QString first = h.commit();
    h.write("long.txt", QByteArray("0123456\n").repeated((kMostOfComparedFile / 8) + 1));
    h.write("binary.bin", QByteArray("a\0b\0", 4).repeated(100));
    h.write("a.txt", QByteArray("a line of text\n").repeated(1000));
    const QString second = h.commit();
    const GatheredCommits gathered = h.gather(first, second, 1000);
    QCOMPARE(itemOf(gathered, "diff of long.txt")->why, "it is too long");
    QCOMPARE(itemOf(gathered, "diff of binary.bin")->why, "it is no text");
    QCOMPARE(itemOf(gathered, "diff of a.txt")->outcome, ContextItem::Outcome::kCut);
    QVERIFY(itemOf(gathered, "diff of a.txt")->tokens <= 1000);
  }

  // A diff asks git's rules, and a pipe in their place would be waited for without an end.
  void rulesThatAreNoFileAreRefused() {
    const History h;
    h.write("a.txt", "one\n");
    const QString first = h.commit();
    h.write("a.txt", "two\n");
    const QString second = h.commit();
    QCOMPARE(QProcess::execute("mkfifo", {h.root() + "/.gitattributes"}), 0);
    const GatheredCommits gathered = h.gather(first, second);
    QCOMPARE(gathered.items.size(), 1);
    QVERIFY2(gathered.items[0].why.contains(".gitattributes"), qPrintable(gathered.items[0].why));
  }

  void linesAreFoundAgainWhereTheyStand() {
    const Snapshot reviewed(kReviewed);
    QCOMPARE(lineByNow(reviewed, reviewed, 3), 3);
    QCOMPARE(lineByNow(reviewed, Snapshot("zero\n" + kReviewed), 3), 4);
    QCOMPARE(lineByNow(reviewed, Snapshot("one\ntwo\n3\nfour\nfive\nsix\nseven\n"), 3), 0);
    QCOMPARE(lineByNow(reviewed, Snapshot("one\ntwo\n3\nfour\nfive\nsix\nseven\n"), 4), 4);
    QCOMPARE(lineByNow(reviewed, Snapshot("one\nfour\nfive\nsix\nseven\n"), 3), 0);
    QCOMPARE(lineByNow(reviewed, Snapshot("one\nfour\nfive\nsix\nseven\n"), 4), 2);
    QCOMPARE(lineByNow(reviewed, Snapshot(QByteArray(kReviewed).replace("\n", "\r\n")), 3), 3);
    QCOMPARE(lineByNow(reviewed, reviewed, 0), 0);
    QCOMPARE(lineByNow(reviewed, reviewed, 99), 0);
  }

  void aChangeIsCarriedOverToWhatChangedSince() {
    ShownText shown("zero\n" + kReviewed);
    QVERIFY(shown.propose({change("three\n", "3\n"), change("six\n", "6\n")}).isEmpty());
    QCOMPARE(shown.wanted(), QByteArray("zero\none\ntwo\n3\nfour\nfive\n6\nseven\n"));
    // The ends of lines are the file's.
    ShownText ended(QByteArray("zero\n" + kReviewed).replace("\n", "\r\n"));
    QVERIFY(ended.propose({change("three\n", "3\n")}).isEmpty());
    QCOMPARE(ended.wanted(),
             QByteArray("zero\r\none\r\ntwo\r\n3\r\nfour\r\nfive\r\nsix\r\nseven\r\n"));
  }

  // Nothing is put where the same words stand by chance.
  void aChangeOfTextThatIsGoneIsRefused() {
    ShownText shown("one\ntwo\n3\nfour\nfive\nsix\nseven\nthree\n");
    const auto left = shown.propose({change("three\n", "THREE\n")});
    QCOMPARE(left.size(), 1);
    QCOMPARE(left[0].text, QByteArray("THREE\n"));
    QVERIFY2(left[0].why.what.contains("were changed since"), qPrintable(left[0].why.what));
    QCOMPARE(shown.wanted(), QByteArray("(none)"));
    // It was made by hand meanwhile.
    ShownText done("one\ntwo\n3\nfour\nfive\nsix\nseven\n");
    QVERIFY(done.propose({change("three\n", "3\n")})[0].why.what.contains("has it already"));
    // A file that has changed since is neither deleted nor renamed.
    ShownText other("other\n");
    ProposedChange remove = change({}, {});
    remove.kind = ProposedChange::Kind::kDelete;
    ProposedChange rename = change({}, {});
    rename.kind = ProposedChange::Kind::kRename;
    rename.newPath = "b.txt";
    QCOMPARE(other.propose({remove, rename}).size(), 2);
    QCOMPARE(other.wanted(), QByteArray("(none)"));
  }

  void theModelIsToldWhatItReviews() {
    ContextItem diff;
    diff.name = "diff of a.txt";
    diff.text = "@@ -1 +1 @@\n-one\n+two\n";
    const ModelRequest request =
        commitRemarksRequest({diff}, "What the commit abc changed", {"Two is more"});
    const QString text = request.input.constLast().text;
    QVERIFY2(text.startsWith("What the commit abc changed:\n- Two is more\n"), qPrintable(text));
    QVERIFY(text.contains("     1 +two"));
  }
};

}  // namespace

QTEST_GUILESS_MAIN(TestReviewedCommits)
#include "test_reviewed_commits.moc"
