// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "pairing/changes/answer_changes.h"
#include "pairing/changes/change_review.h"
#include "pairing/changes/change_set_json.h"
#include "pairing/changes/disk_texts.h"
#include "pairing/changes/project_path.h"

using namespace waferpair::pairing;
using waferpair::editor::HunkState;
using waferpair::editor::Snapshot;
using Origin = ChangedFile::Origin;

namespace {

// Eleven lines; the first, the middle and the last of them change.
const QByteArray kBefore = "one\n2\n3\n4\n5\nsix\n7\n8\n9\n10\neleven\n";
const QByteArray kAfter = "ONE\n2\n3\n4\n5\nSIX\n6.5\n7\n8\n9\n10\n";

QByteArray changed(QByteArray text, const QByteArray& from, const QByteArray& to) {
  return text.replace(from, to);
}

// Files on disk, with something to be done at each write.
struct WatchedTexts : DiskTexts {
  std::function<waferpair::editor::Result<void>(const QString& path)> onWrite;

  waferpair::editor::Result<void> write(const QString& path, const FileText& text) override {
    if (onWrite) {
      if (auto may = onWrite(path); !may) return may;
    }
    return DiskTexts::write(path, text);
  }
};

// A project and what is kept of its changes.
struct Desk {
  Desk() {
    QVERIFY(folder.isValid() && state.isValid());
    store.setProject(root());
  }
  QString root() const { return folder.path(); }
  QString path(const QString& name) const { return folder.filePath(name); }
  void write(const QString& name, const QByteArray& bytes) const {
    QDir(root()).mkpath(QFileInfo(name).path());
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  QByteArray read(const QString& name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
  }
  ChangeReview* review() {
    if (!made) made = std::make_unique<ChangeReview>(parts(), ChangeSet::make("Step 1"));
    return made.get();
  }
  ChangeReview::Parts parts() { return {&texts, &store, root()}; }
  // The file has `before`, and a model wants `after`.
  void propose(const QString& name, const QByteArray& before, const QByteArray& after) {
    write(name, before);
    const auto put =
        review()->put(name, FileText::of(before), FileText::of(after), Origin::kProposed);
    QVERIFY2(put.has_value(), put ? "" : qPrintable(put.error().message()));
  }
  // The same program, started anew.
  void restart() {
    const QString id = review()->set().id;
    made = std::make_unique<ChangeReview>(parts(), store.load(id).value());
  }
  QVector<HunkState> states(const QString& name) {
    QVector<HunkState> states;
    for (const ReviewHunk& hunk : review()->set().find(name)->hunks) states.append(hunk.state);
    return states;
  }

  QTemporaryDir folder, state;
  WatchedTexts texts;
  ChangeStore store{state.path()};
  std::unique_ptr<ChangeReview> made;
};

ProposedChange replace(const QString& path, const QByteArray& from, const QByteArray& to) {
  return {ProposedChange::Kind::kReplace, path, {}, from, to, -1};
}

QString whatIsWrong(const QVector<FileProblem>& problems) {
  QStringList texts;
  for (const FileProblem& problem : problems) texts += problem.path + ": " + problem.error.what;
  return texts.join('\n');
}

}  // namespace

class TestChanges : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // -- Sets

  void hunksAreTheLinesThatDiffer() {
    ChangeSet set = ChangeSet::make("x");
    set.put("a", FileText::of(kBefore), FileText::of(kAfter), Origin::kProposed);
    const ChangedFile& file = set.files.first();
    QCOMPARE(file.hunks.size(), 3);
    QCOMPARE(file.removedText(file.hunks[0]), "one\n");
    QCOMPARE(file.addedText(file.hunks[0]), "ONE\n");
    QCOMPARE(file.addedText(file.hunks[1]), "SIX\n6.5\n");
    QCOMPARE(file.removedText(file.hunks[2]), "eleven\n");
    QCOMPARE(file.addedText(file.hunks[2]), "");
    QCOMPARE(set.openCount(), 3);
  }

  void whatIsInAFileFollowsFromTheDecisions_data() {
    QTest::addColumn<int>("origin");
    QTest::addColumn<QByteArray>("left");
    QTest::newRow("proposed") << int(Origin::kProposed) << changed(kBefore, "six\n", "SIX\n6.5\n");
    QTest::newRow("made") << int(Origin::kMade) << changed(kAfter, "ONE\n", "one\n");
  }

  // The first hunk is rejected, the second accepted, the third open.
  void whatIsInAFileFollowsFromTheDecisions() {
    QFETCH(int, origin);
    QFETCH(QByteArray, left);
    ChangedFile file =
        ChangedFile::between("a", Origin(origin), FileText::of(kBefore), FileText::of(kAfter));
    file.hunks[0].state = HunkState::kDismissed;
    file.hunks[1].state = HunkState::kAccepted;
    QCOMPARE(file.left().text.toByteArray(), left);
    QCOMPARE(file.wanted().text.toByteArray(), changed(kAfter, "ONE\n", "one\n"));
    file.isRestored = true;
    QCOMPARE(file.left().text.toByteArray(), kBefore);
  }

  void aSecondChangeOfAFileKeepsTheFirstTextBefore() {
    ChangeSet set = ChangeSet::make("x");
    set.put("a", FileText::of("1\n2\n3\n"), FileText::of("one\n2\n3\n"), Origin::kMade);
    set.put("a", FileText::of("one\n2\n3\n"), FileText::of("one\n2\nthree\n"), Origin::kMade);
    QCOMPARE(set.files.size(), 1);
    QCOMPARE(set.files[0].before.text.toByteArray(), "1\n2\n3\n");
    QCOMPARE(set.files[0].hunks.size(), 2);
    set.put("a", FileText::of("one\n2\nthree\n"), FileText::of("1\n2\n3\n"), Origin::kMade);
    QCOMPARE(set.files.size(), 0);
  }

  void whatTheUserChangedBetweenTwoChangesIsNotPartOfTheSet() {
    ChangeSet set = ChangeSet::make("x");
    const QByteArray first = changed(kBefore, "one", "ONE");
    set.put("a", FileText::of(kBefore), FileText::of(first), Origin::kMade);
    const QByteArray mine = changed(first, "six", "the user's");
    set.put("a", FileText::of(mine), FileText::of(changed(mine, "eleven", "ELEVEN")),
            Origin::kMade);
    QCOMPARE(set.files[0].left().text.toByteArray(), changed(first, "eleven", "ELEVEN"));
  }

  void decisionsOutliveASecondProposal() {
    ChangeSet set = ChangeSet::make("x");
    set.put("a", FileText::of(kBefore), FileText::of(kAfter), Origin::kProposed);
    set.files[0].hunks[0].state = HunkState::kAccepted;
    const QByteArray now = changed(kBefore, "one", "ONE");
    set.put("a", FileText::of(now), FileText::of(changed(now, "3\n", "THREE\n")),
            Origin::kProposed);
    QCOMPARE(set.files[0].hunks.size(), 2);
    QCOMPARE(set.files[0].hunks[0].state, HunkState::kAccepted);
    QCOMPARE(set.files[0].hunks[1].state, HunkState::kOffered);
  }

  void openHunksFollowWhatTheUserTyped() {
    ChangedFile file =
        ChangedFile::between("a", Origin::kProposed, FileText::of(kBefore), FileText::of(kAfter));
    file.hunks[0].state = HunkState::kAccepted;
    const QByteArray now = "// typed\n" + changed(changed(kBefore, "one", "ONE"), "eleven", "11");
    const auto hunks = openHunks(file, Snapshot(now));
    QCOMPARE(hunks.size(), 2);
    QCOMPARE(hunks[0].state, HunkState::kOffered);
    QCOMPARE(now.mid(hunks[0].range.start(), hunks[0].range.size()), "six\n");
    QCOMPARE(hunks[0].text, "SIX\n6.5\n");
    QCOMPARE(hunks[1].state, HunkState::kStale);
  }

  void aSetIsReadAsItWasWritten() {
    ChangeSet set = ChangeSet::make("Step \"1\"");
    FileText script = FileText::of("#!/bin/sh\n\xff");
    script.isExecutable = true;
    script.encoding = waferpair::editor::Encoding::kUtf16Le;
    set.put("a", FileText::of(kBefore), FileText::of(kAfter), Origin::kMade);
    set.put("gone.sh", script, {}, Origin::kProposed);
    set.put("new", {}, FileText::of(""), Origin::kProposed);
    set.files[0].hunks[1].state = HunkState::kDismissed;
    set.files[1].hunks[0].state = HunkState::kAccepted;
    set.files[1].isRestored = true;
    const auto read = changeSetFromJson(changeSetToJson(set));
    QVERIFY2(read.has_value(), read ? "" : qPrintable(read.error().what));
    QCOMPARE(changeSetToJson(*read), changeSetToJson(set));
    QCOMPARE(read->files[0].hunks[1].state, HunkState::kDismissed);
    QCOMPARE(read->files[1].before.text.toByteArray(), "#!/bin/sh\n\xff");
    QCOMPARE(read->files[1].before.isExecutable, true);
    QCOMPARE(read->files[1].before.encoding, waferpair::editor::Encoding::kUtf16Le);
    QCOMPARE(read->files[1].isRestored, true);
    QCOMPARE(read->files[2].before.exists, false);
    QCOMPARE(read->files[2].after.exists, true);
  }

  void aDamagedSetIsRefusedWhereverItIsCut() {
    ChangeSet set = ChangeSet::make("x");
    set.put("a", FileText::of(kBefore), FileText::of(kAfter), Origin::kMade);
    const QByteArray json = changeSetToJson(set).trimmed();
    for (qsizetype size = 0; size < json.size(); ++size) {
      const auto read = changeSetFromJson(json.first(size));
      QVERIFY(!read && !read.error().what.isEmpty());
    }
    QVERIFY(
        !changeSetFromJson(changed(json, "\"proposed\"", "\"x\"").replace("\"made\"", "\"x\"")));
    QVERIFY(!changeSetFromJson(changed(json, "\"utf8\":\"", "\"utf8\":\"!")));
  }

  // -- Merging

  void aChangeIsCarriedOverToWhatThereIs_data() {
    QTest::addColumn<QByteArray>("now");
    QTest::addColumn<QByteArray>("result");  // empty: refused
    QTest::newRow("as it was") << kBefore << kAfter;
    QTest::newRow("there already") << kAfter << kAfter;
    QTest::newRow("changed elsewhere")
        << changed(kBefore, "3\n", "three\n") << changed(kAfter, "3\n", "three\n");
    QTest::newRow("changed in the same line") << changed(kBefore, "six", "6") << QByteArray();
    QTest::newRow("half of it there") << changed(kBefore, "one", "ONE") << kAfter;
  }

  void aChangeIsCarriedOverToWhatThereIs() {
    QFETCH(QByteArray, now);
    QFETCH(QByteArray, result);
    const auto merged =
        carried("a", FileText::of(kBefore), FileText::of(kAfter), FileText::of(now));
    QCOMPARE(merged.has_value(), !result.isEmpty());
    if (merged) QCOMPARE(merged->text.toByteArray(), result);
  }

  void filesThatCameOrWentMeanwhileAreNotOverwritten() {
    const FileText none, text = FileText::of("x\n"), other = FileText::of("y\n");
    QVERIFY(!carried("a", none, text, other));  // made by the user meanwhile
    QVERIFY(!carried("a", text, other, none));  // deleted by the user meanwhile
    QVERIFY(!carried("a", text, none, other));  // to be deleted, and changed meanwhile
    QCOMPARE(carried("a", text, none, none)->exists, false);
    QCOMPARE(carried("a", none, text, none)->text.toByteArray(), "x\n");
  }

  // -- Decisions

  void hunksGoIntoTheFileOneByOne() {
    Desk desk;
    desk.propose("src/a.txt", kBefore, kAfter);
    QCOMPARE(desk.read("src/a.txt"), kBefore);
    QVERIFY(desk.review()->accept({0, 1}).isEmpty());
    QCOMPARE(desk.read("src/a.txt"), changed(kBefore, "six\n", "SIX\n6.5\n"));
    QVERIFY(desk.review()->reject({0, 0}).isEmpty());
    QCOMPARE(desk.read("src/a.txt"), changed(kBefore, "six\n", "SIX\n6.5\n"));
    QVERIFY(desk.review()->accept({0, -1}).isEmpty());
    QCOMPARE(desk.read("src/a.txt"), changed(kAfter, "ONE", "one"));
    QCOMPARE(desk.states("src/a.txt"),
             (QVector{HunkState::kDismissed, HunkState::kAccepted, HunkState::kAccepted}));
    // Another mind about both.
    QVERIFY(desk.review()->accept({0, 0}).isEmpty());
    QVERIFY(desk.review()->reject({0, 2}).isEmpty());
    QCOMPARE(desk.read("src/a.txt"), kAfter + "eleven\n");
  }

  void whatAProgramWroteStaysUntilItIsRejected() {
    Desk desk;
    desk.write("a", kAfter);
    QVERIFY(desk.review()->put("a", FileText::of(kBefore), FileText::of(kAfter), Origin::kMade));
    QVERIFY(desk.review()->accept({0, 1}).isEmpty());
    QCOMPARE(desk.read("a"), kAfter);
    QVERIFY(desk.review()->rejectAll().isEmpty());
    QCOMPARE(desk.read("a"), changed(kBefore, "six\n", "SIX\n6.5\n"));
    QVERIFY(desk.review()->restore().isEmpty());
    QCOMPARE(desk.read("a"), kBefore);
    QVERIFY(desk.review()->undoRestore().isEmpty());
    QCOMPARE(desk.read("a"), changed(kBefore, "six\n", "SIX\n6.5\n"));
  }

  void onlyWhatTheModelTouchedIsRestored() {
    Desk desk;
    desk.propose("a", kBefore, kAfter);
    desk.propose("b", "b\n", "B\n");
    desk.write("untouched", "u\n");
    QVERIFY(desk.review()->put("new/c", {}, FileText::of("c\n"), Origin::kProposed));
    QVERIFY(desk.review()->acceptAll().isEmpty());
    QCOMPARE(desk.read("new/c"), "c\n");
    desk.write("a", changed(kAfter, "3\n", "the user's\n"));
    desk.write("untouched", "the user's\n");
    desk.restart();
    QVERIFY(desk.review()->set().isInProject());
    QVERIFY(desk.review()->restore().isEmpty());
    QCOMPARE(desk.read("a"), changed(kBefore, "3\n", "the user's\n"));
    QCOMPARE(desk.read("b"), "b\n");
    QCOMPARE(desk.read("new/c"), "(none)");
    QCOMPARE(desk.read("untouched"), "the user's\n");
    QVERIFY(!desk.review()->set().isInProject());
    desk.restart();
    QVERIFY(desk.review()->set().isRestored());
    QVERIFY(desk.review()->undoRestore().isEmpty());
    QCOMPARE(desk.read("a"), changed(kAfter, "3\n", "the user's\n"));
    QCOMPARE(desk.read("b"), "B\n");
    QCOMPARE(desk.read("new/c"), "c\n");
  }

  void whereTheUserChangedTheSameLinesNothingIsTouched() {
    Desk desk;
    desk.propose("a", kBefore, kAfter);
    desk.propose("b", "b\n", "B\n");
    desk.write("a", changed(kBefore, "one", "the user's"));
    const auto problems = desk.review()->acceptAll();
    QCOMPARE(whatIsWrong(problems),
             u"a: In “a” the same lines, or those next to them, were changed since.");
    QCOMPARE(desk.read("a"), changed(kBefore, "one", "the user's"));
    QCOMPARE(desk.read("b"), "B\n");
    QCOMPARE(desk.review()->set().files[0].openCount(), 3);
    QVERIFY(desk.review()->accept({0, 1}).isEmpty());
    QCOMPARE(desk.read("a"), changed(changed(kBefore, "one", "the user's"), "six\n", "SIX\n6.5\n"));
  }

  void encodingAndLineEndsStay() {
    Desk desk;
    const QByteArray latin1 = "caf\xe9\r\nb\r\n";
    desk.write("a", latin1);
    const FileText before = desk.texts.read(desk.path("a")).value();
    const FileText after = before.holding(Snapshot("caf\xc3\xa9\r\nB\r\n"));
    QVERIFY(desk.review()->put("a", before, after, Origin::kProposed));
    QVERIFY(desk.review()->acceptAll().isEmpty());
    QCOMPARE(desk.read("a"), "caf\xe9\r\nB\r\n");
  }

  void aDeletedScriptComesBackAsItWas() {
    Desk desk;
    const QByteArray latin1 = "#!/bin/sh\necho caf\xe9\n";
    desk.write("run.sh", latin1);
    QFile::setPermissions(desk.path("run.sh"), QFile::Permissions(0x7755));
    const FileText before = desk.texts.read(desk.path("run.sh")).value();
    QVERIFY(desk.review()->put("run.sh", before, {}, Origin::kProposed));
    QVERIFY(desk.review()->acceptAll().isEmpty());
    QCOMPARE(desk.read("run.sh"), "(none)");
    desk.restart();
    QVERIFY(desk.review()->restore().isEmpty());
    QCOMPARE(desk.read("run.sh"), latin1);
    QVERIFY(QFileInfo(desk.path("run.sh")).isExecutable());
  }

  // -- What may be touched

  void pathsLeadIntoTheProject_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("file");  // empty: refused
    QTest::newRow("plain") << "src/a.txt"
                           << "src/a.txt";
    QTest::newRow("not there yet") << "new/deep/a.txt"
                                   << "new/deep/a.txt";
    QTest::newRow("dots") << "./src/../src/a.txt"
                          << "src/a.txt";
    QTest::newRow("above") << "../a.txt"
                           << "";
    QTest::newRow("above, then in") << "src/../../x/a.txt"
                                    << "";
    QTest::newRow("elsewhere") << "/etc/passwd"
                               << "";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("a folder") << "src"
                              << "";
    QTest::newRow("a folder's name") << "src/"
                                     << "";
    QTest::newRow("the project itself") << "."
                                        << "";
    QTest::newRow("NUL") << QString("a") + QChar(0) + "b"
                         << "";
    QTest::newRow("link out of it") << "out.txt"
                                    << "";
    QTest::newRow("folder's link out of it") << "away/new.txt"
                                             << "";
    QTest::newRow("link to nowhere") << "nowhere"
                                     << "";
    QTest::newRow("link within it") << "same.txt"
                                    << "src/a.txt";
    QTest::newRow("a pipe") << "pipe"
                            << "";
  }

  void pathsLeadIntoTheProject() {
    QFETCH(QString, path);
    QFETCH(QString, file);
    Desk desk;
    QTemporaryDir away;
    desk.write("src/a.txt", "a\n");
    QVERIFY(QFile::link("/etc/passwd", desk.path("out.txt")));
    QVERIFY(QFile::link(away.path(), desk.path("away")));
    QVERIFY(QFile::link(away.filePath("none"), desk.path("nowhere")));
    QVERIFY(QFile::link(desk.path("src/a.txt"), desk.path("same.txt")));
    QCOMPARE(mkfifo(QFile::encodeName(desk.path("pipe")).constData(), 0600), 0);
    const auto found = pathInProject(desk.root(), path);
    QCOMPARE(found.value_or(QString()), file);
    if (!found) QVERIFY(!found.error().what.isEmpty());
    if (!file.isEmpty())
      QCOMPARE(pathInProject(desk.root(), desk.path(path)).value_or(QString()), file);
  }

  void placesAreToldFromThoseElsewhere() {
    Desk desk;
    QTemporaryDir away;
    desk.write("src/a.txt", "a\n");
    QVERIFY(QFile::link(away.path(), desk.path("away")));
    QVERIFY(QFile::link(desk.path("src"), away.filePath("back")));
    const auto place = [&](const QString& path) {
      return placeInProject(desk.root(), path).value_or(QStringLiteral("elsewhere"));
    };
    QCOMPARE(place("src/a.txt"), "src/a.txt");
    QCOMPARE(place(desk.path("src/new/b.txt")), "src/new/b.txt");
    QCOMPARE(place("src/../src"), "src");
    QCOMPARE(place("."), "");
    QCOMPARE(place(desk.root()), "");
    QCOMPARE(place(away.filePath("back/a.txt")), "src/a.txt");
    QCOMPARE(place("../" + QFileInfo(desk.root()).fileName() + "/src"), "src");
    for (const QString& path :
         {QString("../../etc/passwd"), QString("src/../../x"), desk.root() + "2/a.txt",
          QString("away/a.txt"), QString("/"), QString()})
      QCOMPARE(place(path), "elsewhere");
    QVERIFY(!placeInProject(QString(), "src/a.txt"));
  }

  void whatIsKeptFromModelsIsNotProposed_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("version control") << ".git/hooks/pre-commit" << QByteArray();
    QTest::newRow("in other letters") << "sub/.GIT/config" << QByteArray();
    QTest::newRow("a secret's name") << ".env" << QByteArray("A=1\n");
    QTest::newRow("a secret") << "notes.txt"
                              << QByteArray(
                                     "-----BEGIN RSA PRIVATE "
                                     "KEY-----\nx\n");
    QTest::newRow("ignored") << "private/a.txt" << QByteArray("a\n");
  }

  void whatIsKeptFromModelsIsNotProposed() {
    QFETCH(QString, path);
    QFETCH(QByteArray, text);
    Desk desk;
    desk.write(".waferpairignore", "private/\n");
    const FileText before = text.isEmpty() ? FileText() : FileText::of(text);
    QVERIFY(!desk.review()->put(path, before, FileText::of("x\n"), Origin::kProposed));
    QVERIFY(desk.review()->set().files.isEmpty());
    // A change that a program has made already can be taken back all the same.
    QVERIFY(desk.review()->put(path, before, FileText::of("x\n"), Origin::kMade));
  }

  void aLinkThatCameIntoTheWaySinceIsNotFollowed() {
    Desk desk;
    QTemporaryDir away;
    desk.propose("src/a.txt", "a\n", "A\n");
    QVERIFY(QDir(desk.path("src")).removeRecursively());
    QFile other(away.filePath("a.txt"));
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("a\n") == 2);
    other.close();
    QVERIFY(QFile::link(away.path(), desk.path("src")));
    QCOMPARE(desk.review()->acceptAll().size(), 1);
    QCOMPARE(desk.read("src/a.txt"), "a\n");
    QCOMPARE(desk.review()->set().openCount(), 1);
  }

  // -- Failures

  void theTextsBeforeAreKeptAheadOfEachWrite() {
    Desk desk;
    desk.propose("a", "a\n", "A\n");
    QByteArray kept;
    desk.texts.onWrite = [&](const QString&) -> waferpair::editor::Result<void> {
      const ChangeSet set = desk.store.load(desk.review()->set().id).value();
      kept = set.files[0].before.text.toByteArray() + set.files[0].left().text.toByteArray();
      return {};
    };
    QVERIFY(desk.review()->acceptAll().isEmpty());
    QCOMPARE(kept, "a\nA\n");
  }

  void aFileThatCantBeWrittenStaysOnOffer() {
    Desk desk;
    desk.propose("a", "a\n", "A\n");
    desk.propose("b", "b\n", "B\n");
    desk.texts.onWrite = [](const QString& path) -> waferpair::editor::Result<void> {
      if (path.endsWith("/a")) return waferpair::editor::fail("The disk is full.");
      return {};
    };
    QCOMPARE(whatIsWrong(desk.review()->acceptAll()), "a: The disk is full.");
    desk.restart();
    QCOMPARE(desk.states("a"), QVector{HunkState::kOffered});
    QCOMPARE(desk.states("b"), QVector{HunkState::kAccepted});
    QCOMPARE(desk.read("b"), "B\n");
  }

  void withoutAPlaceForTheTextsBeforeNothingIsWritten() {
    Desk desk;
    desk.propose("a", "a\n", "A\n");
    const ChangeStore nowhere = [&] {
      ChangeStore store("/proc/none");
      store.setProject(desk.root());
      return store;
    }();
    ChangeReview review({&desk.texts, &nowhere, desk.root()}, desk.review()->set());
    const auto problems = review.acceptAll();
    QCOMPARE(problems.size(), 1);
    QVERIFY(problems[0].error.what.startsWith(u"The folder “/proc/none"));
    QCOMPARE(desk.read("a"), "a\n");
    QCOMPARE(review.set().openCount(), 1);
  }

  // Killed before the first, the second and the third write: what is in the files and what the set
  // says of them agree after the next start, and all of it can be taken back.
  void aKillWhileChangesAreWrittenLosesNothing() {
    for (int writes = 0; writes <= 3; ++writes) {
      Desk desk;
      for (const char* name : {"a", "b", "c"}) desk.propose(name, kBefore, kAfter);
      const pid_t child = fork();
      QVERIFY(child >= 0);
      if (child == 0) {
        int left = writes;
        desk.texts.onWrite = [&left](const QString&) -> waferpair::editor::Result<void> {
          if (left-- == 0) kill(getpid(), SIGKILL);
          return {};
        };
        desk.review()->acceptAll();
        kill(getpid(), SIGKILL);
      }
      int status = 0;
      QCOMPARE(waitpid(child, &status, 0), child);
      QVERIFY(WIFSIGNALED(status));
      desk.restart();
      desk.review()->reopenMissing();
      int written = 0;
      for (const char* name : {"a", "b", "c"}) {
        const bool isIn = desk.read(name) == kAfter;
        QVERIFY(isIn || desk.read(name) == kBefore);
        written += isIn ? 1 : 0;
        const auto state = isIn ? HunkState::kAccepted : HunkState::kOffered;
        QCOMPARE(desk.states(name), (QVector{state, state, state}));
      }
      QCOMPARE(written, writes);
      QVERIFY(desk.review()->restore().isEmpty());
      for (const char* name : {"a", "b", "c"}) QCOMPARE(desk.read(name), kBefore);
    }
  }

  // -- Answers

  void anAnswerBecomesChangesOfItsFiles() {
    Desk desk;
    desk.write("a", kBefore);
    desk.write("b", "b\n");
    desk.write("old", "moves\n");
    const auto leftOver = propose({replace("a", "one\n", "ONE\n"),
                                   replace("a", "six\n", "SIX\n"),
                                   replace("", "eleven\n", "XI\n"),
                                   replace("b", "not there\n", "x\n"),
                                   {ProposedChange::Kind::kCreate, "new/c", {}, {}, "c\n", -1},
                                   {ProposedChange::Kind::kDelete, "b", {}, {}, {}, -1},
                                   {ProposedChange::Kind::kRename, "old", "moved", {}, {}, -1},
                                   replace("../out", "x\n", "y\n"),
                                   replace("none", "x\n", "y\n")},
                                  "a", desk.review());
    QCOMPARE(leftOver.size(), 3);
    QCOMPARE(leftOver[0].path, "b");
    QCOMPARE(leftOver[0].text, "x\n");
    QCOMPARE(leftOver[1].path, "../out");
    QCOMPARE(leftOver[2].why.what, u"There is no file “none” to change.");
    QVERIFY(desk.review()->acceptAll().isEmpty());
    QCOMPARE(desk.read("a"),
             changed(changed(changed(kBefore, "one", "ONE"), "six", "SIX"), "eleven", "XI"));
    QCOMPARE(desk.read("b"), "(none)");
    QCOMPARE(desk.read("new/c"), "c\n");
    QCOMPARE(desk.read("old"), "(none)");
    QCOMPARE(desk.read("moved"), "moves\n");
    QVERIFY(desk.review()->restore().isEmpty());
    QCOMPARE(desk.read("old"), "moves\n");
    QCOMPARE(desk.read("moved"), "(none)");
  }

  void aLaterAnswerBuildsOnWhatIsOnOffer() {
    Desk desk;
    desk.propose("a", kBefore, changed(kBefore, "one", "ONE"));
    QVERIFY(propose({replace("a", "ONE\n", "first\n"), replace("a", "six\n", "SIX\n")}, {},
                    desk.review())
                .isEmpty());
    QVERIFY(desk.review()->acceptAll().isEmpty());
    QCOMPARE(desk.read("a"), changed(changed(kBefore, "one", "first"), "six", "SIX"));
  }

  void whatAKeptFileHoldsIsNotTold() {
    Desk desk;
    desk.write(".env", "PASSWORD=x\n");
    const auto leftOver = propose({replace(".env", "PASSWORD=guess\n", "y\n")}, {}, desk.review());
    QCOMPARE(leftOver.size(), 1);
    QVERIFY2(leftOver[0].why.what.startsWith(u"“.env” is kept from models"),
             qPrintable(leftOver[0].why.what));
  }
};

QTEST_GUILESS_MAIN(TestChanges)
#include "test_changes.moc"
