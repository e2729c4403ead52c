// SPDX-License-Identifier: GPL-3.0-or-later
// saveFile() on disks that are full, fail or refuse: all new bytes are there, or all old ones.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <QtTest>
#include <csignal>
#include <optional>

#include "editor/text/save_file.h"
#include "tests/support/disk_fault.h"
#include "tests/support/small_disk.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using waferpair::test::DiskCall;
using waferpair::test::DiskFault;
using waferpair::test::ShortWrites;
using waferpair::test::SmallDisk;

namespace {

constexpr uid_t kNobody = 65534;
const QByteArray kOld = "precious\n";

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
}

QStringList namesIn(const QString& folder) {
  return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System |
                                QDir::NoDotAndDotDot);
}

struct stat look(const QString& path) {
  struct stat info {};
  lstat(QFile::encodeName(path).constData(), &info);
  return info;
}

QByteArray attribute(const QString& path, const char* name) {
  QByteArray value(1000, '\0');
  const ssize_t size = getxattr(QFile::encodeName(path).constData(), name, value.data(), 1000);
  return size < 0 ? QByteArray("(none)") : value.left(size);
}

bool setAttribute(const QString& path, const char* name, const QByteArray& value) {
  return setxattr(QFile::encodeName(path).constData(), name, value.constData(),
                  static_cast<size_t>(value.size()), 0) == 0;
}

// An access control list as the kernel takes it: user rw-, `another` r--, group r--, mask r--,
// other ---.
QByteArray accessList(quint32 another) {
  QByteArray list;
  const auto number = [&list](quint32 value, int bytes) {
    for (int i = 0; i < bytes; ++i) list.append(static_cast<char>(value >> 8 * i));
  };
  number(2, 4);
  for (const auto& [tag, rights, id] :
       {std::tuple(1, 6, ~0U), std::tuple(2, 4, another), std::tuple(4, 4, ~0U),
        std::tuple(16, 4, ~0U), std::tuple(32, 0, ~0U)}) {
    number(static_cast<quint32>(tag), 2);
    number(static_cast<quint32>(rights), 2);
    number(id, 4);
  }
  return list;
}

// This process as a user without rights of root's, if it is root's.
class AsNobody {
 public:
  AsNobody() {
    if (root_) QVERIFY(setegid(kNobody) == 0 && seteuid(kNobody) == 0);
  }
  ~AsNobody() {
    if (root_) (void)(seteuid(0) + setegid(0));
  }

 private:
  const bool root_ = geteuid() == 0;
};

}  // namespace

class TestSaveFile : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> dir_;
  QString path() const { return dir_->filePath(u"file.txt"_s); }

  // Saves where it must fail, and looks that nothing happened to the file and its folder.
  void failsLeavingAllAsItWas(const QString& path, const QByteArray& bytes, const QString& why) {
    const QByteArray before = read(path);
    const QStringList names = namesIn(QFileInfo(path).path());
    const struct stat was = look(path);
    const SaveResult saved = saveFile(path, bytes);
    QVERIFY(!saved.has_value());
    QCOMPARE(read(path), before);
    QCOMPARE(namesIn(QFileInfo(path).path()), names);
    QCOMPARE(look(path).st_ino, was.st_ino);
    QCOMPARE(look(path).st_blocks, was.st_blocks);
    QVERIFY(!saved.error().touched);
    QVERIFY2(saved.error().why.contains(why), qPrintable(saved.error().why));
    QVERIFY(saved.error().what.contains(u"was not saved"_s));
    QVERIFY(saved.error().what.contains(u"as it was"_s));
    QVERIFY(!saved.error().remedy.isEmpty());
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    QVERIFY(dir_->isValid());
    QVERIFY(QFile::setPermissions(dir_->path(), QFileDevice::Permissions(0x7777)));
  }
  void aKillLeavesTheOldFileAndNothingBesideIt_data() {
    QTest::addColumn<DiskCall>("call");
    QTest::newRow("while writing") << DiskCall::kWrite;
    QTest::newRow("while syncing") << DiskCall::kSync;
  }

  void aKillLeavesTheOldFileAndNothingBesideIt() {
    QFETCH(DiskCall, call);
    const int nameless =
        open(QFile::encodeName(dir_->path()).constData(), O_TMPFILE | O_RDWR, 0600);
    if (nameless < 0) QSKIP("This file system has no files without a name.");
    close(nameless);
    write(path(), kOld);
    const pid_t child = fork();
    if (child == 0) {
      const DiskFault kill(call, DiskFault::kEndsProcess);
      (void)saveFile(path(), "another text\n");
      _exit(0);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(read(path()), kOld);
    QCOMPARE(namesIn(dir_->path()), QStringList{u"file.txt"_s});
  }

  void cleanup() {
    if (SmallDisk::instance()->problem().empty()) SmallDisk::instance()->empty();
  }

  void eachSizeArrives_data() { sizes(); }
  void eachSizeArrives() {
    QFETCH(QByteArray, bytes);
    QVERIFY(saveFile(path(), bytes).has_value());
    QCOMPARE(read(path()), bytes);
    QVERIFY(saveFile(path(), "between").has_value());
    QVERIFY(saveFile(path(), bytes).has_value());
    QCOMPARE(read(path()), bytes);
    QCOMPARE(namesIn(dir_->path()), QStringList{u"file.txt"_s});
  }

  void aFullDiskKeepsTheOldFile_data() { sizes(); }
  void aFullDiskKeepsTheOldFile() {
    QFETCH(QByteArray, bytes);
    const SmallDisk& disk = *SmallDisk::instance();
    if (!disk.problem().empty()) QSKIP(disk.problem().c_str());
    const QString folder = QString::fromStdString(disk.path());
    // The disk has no room at all, or some, and the file can also be one that is only written in
    // place.
    for (const qsizetype leave : {qsizetype(0), qsizetype(8192)}) {
      for (const bool linked : {false, true}) {
        disk.empty();
        const QString path = folder + u"/file.txt"_s;
        write(path, kOld);
        if (linked)
          QVERIFY(QFile::copy(path, folder + u"/a"_s) &&
                  ::link(QFile::encodeName(path), QFile::encodeName(folder + u"/b"_s)) == 0);
        QVERIFY(disk.fill(static_cast<std::size_t>(leave)));
        // An empty file needs no room, and neither does one in a page that is there.
        if (!linked && bytes.size() <= leave) {
          QVERIFY(saveFile(path, bytes).has_value());
          QCOMPARE(read(path), bytes);
        } else if (linked && leave > 0 && bytes.size() <= 4096) {
          QVERIFY(saveFile(path, bytes).has_value());
          QCOMPARE(read(folder + u"/b"_s), bytes);
        } else {
          failsLeavingAllAsItWas(path, bytes, u"disk is full"_s);
        }
      }
    }
  }

  // The signal that would end the program is as the system gives it.
  void aLimitOnFileSizesIsAnErrorAndNotTheEnd() {
    for (const bool linked : {false, true}) {
      write(path(), kOld);
      if (linked)
        QVERIFY(::link(QFile::encodeName(path()), QFile::encodeName(dir_->filePath(u"b"_s))) == 0);
      rlimit before{};
      getrlimit(RLIMIT_FSIZE, &before);
      const rlimit now{64 * 1024, before.rlim_max};
      setrlimit(RLIMIT_FSIZE, &now);
      std::signal(SIGXFSZ, SIG_DFL);
      failsLeavingAllAsItWas(path(), QByteArray(200'000, 'n'), u"larger"_s);
      setrlimit(RLIMIT_FSIZE, &before);
    }
  }

  void whateverFailsTheOldFileStays_data() {
    QTest::addColumn<DiskCall>("call");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("why");
    for (const auto& [error, why] :
         {std::pair(EIO, u"disk reports an error"_s), std::pair(ENOSPC, u"disk is full"_s),
          std::pair(EDQUOT, u"quota"_s)}) {
      QTest::addRow("write %d", error) << DiskCall::kWrite << error << why;
      QTest::addRow("sync %d", error) << DiskCall::kSync << error << why;
      QTest::addRow("rename %d", error) << DiskCall::kRename << error << why;
    }
  }
  void whateverFailsTheOldFileStays() {
    QFETCH(DiskCall, call);
    QFETCH(int, error);
    QFETCH(QString, why);
    write(path(), kOld);
    const DiskFault fault(call, error);
    failsLeavingAllAsItWas(path(), QByteArray(20'000, 'n'), why);
  }

  void aFolderThatCannotBeSyncedIsToldOf() {
    write(path(), kOld);
    const DiskFault fault(DiskCall::kFolderSync, EIO);
    const SaveResult saved = saveFile(path(), "new");
    QVERIFY(!saved.has_value());
    QVERIFY(saved.error().touched);
    QVERIFY(saved.error().what.contains(u"has the new content"_s));
    QCOMPARE(read(path()), QByteArray("new"));
    QCOMPARE(namesIn(dir_->path()), QStringList{u"file.txt"_s});
  }

  void bytesMayGoInPieces() {
    QByteArray bytes;
    for (int i = 0; i < 20'000; ++i) bytes += QByteArray::number(i) + ' ';
    write(path(), kOld);
    const ShortWrites pieces(1000);
    QVERIFY(saveFile(path(), bytes).has_value());
    QCOMPARE(read(path()), bytes);
    QVERIFY(::link(QFile::encodeName(path()), QFile::encodeName(dir_->filePath(u"b"_s))) == 0);
    QVERIFY(saveFile(path(), "12" + bytes).has_value());
    QCOMPARE(read(dir_->filePath(u"b"_s)), "12" + bytes);
  }

  // A file that one may write to is saved, though none may be made beside it.
  void aFileInAReadOnlyFolderIsWrittenInPlace() {
    write(path(), kOld);
    QVERIFY(QFile::setPermissions(path(), QFileDevice::Permissions(0x6666)));
    QVERIFY(QFile::setPermissions(dir_->path(), QFileDevice::Permissions(0x5555)));
    const struct stat was = look(path());
    const QStringList left = namesIn(u"/var/tmp"_s);
    for (const QByteArray& bytes : {QByteArray("short"), QByteArray(100'000, 'x'), QByteArray()}) {
      const AsNobody nobody;
      const SaveResult saved = saveFile(path(), bytes);
      QVERIFY2(saved.has_value(), saved ? "" : qPrintable(saved.error().what));
      QCOMPARE(read(path()), bytes);
    }
    QVERIFY(QFile::setPermissions(dir_->path(), QFileDevice::Permissions(0x7777)));
    QCOMPARE(look(path()).st_ino, was.st_ino);
    QCOMPARE(look(path()).st_mode, was.st_mode);
    QCOMPARE(namesIn(dir_->path()), QStringList{u"file.txt"_s});
    QCOMPARE(namesIn(u"/var/tmp"_s), left);
  }

  void aReadOnlyFolderIsNamed() {
    QVERIFY(QFile::setPermissions(dir_->path(), QFileDevice::Permissions(0x5555)));
    {
      const AsNobody nobody;
      const SaveResult fresh = saveFile(dir_->filePath(u"new"_s), "text");
      QVERIFY(!fresh.has_value());
      QVERIFY(fresh.error().what.contains(u"Nothing was written"_s));
      QVERIFY(fresh.error().remedy.contains(u"permissions of the folder"_s));
    }
    QVERIFY(QFile::setPermissions(dir_->path(), QFileDevice::Permissions(0x7777)));
  }

  void aReadOnlyFileIsNamed() {
    write(path(), kOld);
    QVERIFY(QFile::setPermissions(path(), QFileDevice::Permissions(0x4444)));
    const AsNobody nobody;
    failsLeavingAllAsItWas(path(), "gone", u"may not write to it"_s);
  }

  void aFolderThatIsGoneIsNamed() {
    for (const QString& name : {u"no/such/file.txt"_s, u"link"_s}) {
      if (name == u"link"_s) QVERIFY(QFile::link(u"no/such/file.txt"_s, dir_->filePath(name)));
      const SaveResult saved = saveFile(dir_->filePath(name), "text");
      QVERIFY(!saved.has_value());
      QCOMPARE(saved.error().missingFolder, dir_->filePath(u"no/such"_s));
      QVERIFY2(saved.error().what.contains(dir_->filePath(u"no/such"_s)),
               qPrintable(saved.error().what));
      QVERIFY(saved.error().remedy.contains(u"Make that folder"_s));
    }
    write(path(), kOld);
    const SaveResult inFile = saveFile(path() + u"/below"_s, "text");
    QVERIFY(!inFile.has_value());
    QVERIFY(inFile.error().missingFolder.isEmpty());  // nothing to be made
    QCOMPARE(read(path()), kOld);
  }

  void aNameMayBeAsLongAsTheSystemAllows() {
    const QString longest = QString(127, u'é') + u'x';  // 255 bytes
    const QString path = dir_->filePath(longest);
    QVERIFY(saveFile(path, "one").has_value());
    QVERIFY(saveFile(path, "two").has_value());
    QCOMPARE(read(path), QByteArray("two"));
    // Its backup's name does not fit behind it.
    QVERIFY(::link(QFile::encodeName(path), QFile::encodeName(dir_->filePath(u"b"_s))) == 0);
    QVERIFY(saveFile(path, "three").has_value());
    QCOMPARE(read(dir_->filePath(u"b"_s)), QByteArray("three"));
    QCOMPARE(namesIn(dir_->path()), (QStringList{u"b"_s, longest}));
    for (const QString& tooLong :
         {dir_->filePath(longest + u'x'), dir_->path() + QString(u"/folder"_s).repeated(700)}) {
      const SaveResult saved = saveFile(tooLong, "text");
      QVERIFY(!saved.has_value());
      QVERIFY2(saved.error().why.contains(u"too long"_s), qPrintable(saved.error().why));
      QVERIFY(saved.error().remedy.contains(u"shorter"_s));
    }
    QCOMPARE(namesIn(dir_->path()).size(), 2);
  }

  void whatIsNoPathIsRefused() {
    for (const QString& bad : {QString(), dir_->path() + u'/', path() + QChar(u'\0') + u"x"_s})
      QVERIFY(!saveFile(bad, "text").has_value());
    QVERIFY(namesIn(dir_->path()).isEmpty());
  }

  void whatIsNoRegularFileIsRefused() {
    const QString pipe = dir_->filePath(u"pipe"_s);
    QCOMPARE(mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    for (const QString& path : {pipe, dir_->path(), u"/dev/null"_s, u"/dev/full"_s}) {
      const mode_t kind = look(path).st_mode;
      const SaveResult saved = saveFile(path, "text");
      QVERIFY(!saved.has_value());
      QVERIFY(!saved.error().remedy.isEmpty());
      QCOMPARE(look(path).st_mode, kind);
    }
  }

  void linksAreFollowedAndStay() {
    QVERIFY(QDir(dir_->path()).mkdir(u"sub"_s));
    const QString target = dir_->filePath(u"sub/target"_s);
    write(target, kOld);
    QVERIFY(QFile::link(u"sub/second"_s, dir_->filePath(u"first"_s)));  // relative to the links
    QVERIFY(QFile::link(u"target"_s, dir_->filePath(u"sub/second"_s)));
    QVERIFY(saveFile(dir_->filePath(u"first"_s), "new").has_value());
    QCOMPARE(read(target), QByteArray("new"));
    QVERIFY(S_ISLNK(look(dir_->filePath(u"first"_s)).st_mode));
    QVERIFY(S_ISLNK(look(dir_->filePath(u"sub/second"_s)).st_mode));
    QVERIFY(QFile::remove(target));  // a link to what is not there yet
    QVERIFY(saveFile(dir_->filePath(u"first"_s), "again").has_value());
    QCOMPARE(read(target), QByteArray("again"));

    QVERIFY(QFile::link(u"round"_s, dir_->filePath(u"round"_s)));
    const SaveResult round = saveFile(dir_->filePath(u"round"_s), "text");
    QVERIFY(!round.has_value());
    QVERIFY(round.error().why.contains(u"circle"_s));
  }

  void aNewFileHasTheModeAskedFor() {
    const mode_t before = umask(027);
    QVERIFY(saveFile(path(), "text").has_value());
    QCOMPARE(look(path()).st_mode & 07777, mode_t(0640));
    QVERIFY(saveFile(dir_->filePath(u"own"_s), "text", 0600).has_value());
    QCOMPARE(look(dir_->filePath(u"own"_s)).st_mode & 07777, mode_t(0600));
    umask(before);
  }

  void whatAFileHasBesideItsTextStays() {
    write(path(), kOld);
    const bool root = geteuid() == 0;
    if (root) QCOMPARE(chown(QFile::encodeName(path()), 1234, 4321), 0);
    QCOMPARE(chmod(QFile::encodeName(path()), 02751), 0);
    if (!setAttribute(path(), "user.note", "kept"))
      QSKIP("this file system has no extended attributes");
    const struct stat was = look(path());
    SaveResult saved = saveFile(path(), "new");
    QVERIFY(saved.has_value());
    QCOMPARE(saved->lost, QStringList());
    const struct stat is = look(path());
    QVERIFY(is.st_ino != was.st_ino);  // replaced at once
    QCOMPARE(is.st_mode, was.st_mode);
    QCOMPARE(is.st_uid, was.st_uid);
    QCOMPARE(is.st_gid, was.st_gid);
    QCOMPARE(attribute(path(), "user.note"), QByteArray("kept"));

    const QByteArray list = accessList(geteuid());
    if (!setAttribute(path(), "system.posix_acl_access", list))
      QSKIP("this file system has no access control lists");
    const mode_t mode = look(path()).st_mode;
    saved = saveFile(path(), "newer");
    QVERIFY(saved.has_value());
    QCOMPARE(attribute(path(), "system.posix_acl_access"), list);
    QCOMPARE(look(path()).st_mode, mode);
    QCOMPARE(read(path()), QByteArray("newer"));
  }

  // The folder gives new files a list of its own: the old file had none, and has none.
  void aListThatTheFolderGivesIsNotTakenOn() {
    write(path(), kOld);
    QCOMPARE(chmod(QFile::encodeName(path()), 0640), 0);
    if (!setAttribute(dir_->path(), "system.posix_acl_default", accessList(geteuid())))
      QSKIP("this file system has no access control lists");
    QVERIFY(saveFile(path(), "new").has_value());
    QCOMPARE(attribute(path(), "system.posix_acl_access"), QByteArray("(none)"));
    QCOMPARE(look(path()).st_mode & 07777, mode_t(0640));
    QVERIFY(saveFile(dir_->filePath(u"fresh"_s), "new").has_value());  // but a new one takes it
    QVERIFY(attribute(dir_->filePath(u"fresh"_s), "system.posix_acl_access") != "(none)");
  }

  void hardLinksStay() {
    write(path(), kOld);
    const QString other = dir_->filePath(u"other"_s);
    QVERIFY(::link(QFile::encodeName(path()), QFile::encodeName(other)) == 0);
    for (const QByteArray& bytes : {QByteArray(100'000, 'l'), QByteArray("short"), QByteArray()}) {
      const SaveResult saved = saveFile(path(), bytes);
      QVERIFY(saved.has_value());
      QCOMPARE(saved->lost, QStringList());
      QCOMPARE(read(other), bytes);
      QCOMPARE(look(other).st_ino, look(path()).st_ino);
      QCOMPARE(namesIn(dir_->path()), (QStringList{u"file.txt"_s, u"other"_s}));
    }
  }

  void anothersFileStaysAnothers() {
    if (geteuid() != 0) QSKIP("only root can make a file of somebody else's");
    write(path(), kOld);
    QCOMPARE(chmod(QFile::encodeName(path()), 04777), 0);
    const struct stat was = look(path());
    SaveResult saved;
    {
      const AsNobody nobody;
      saved = saveFile(path(), "new text of another length");
    }
    QVERIFY(saved.has_value());
    QCOMPARE(read(path()), QByteArray("new text of another length"));
    QCOMPARE(look(path()).st_ino, was.st_ino);
    QCOMPARE(look(path()).st_uid, uid_t(0));
    // The kernel takes it away from a file that somebody else writes to.
    QCOMPARE(look(path()).st_mode & 07777, mode_t(0777));
    QCOMPARE(saved->lost, QStringList{u"its permissions 4777"_s});
    QCOMPARE(namesIn(dir_->path()), QStringList{u"file.txt"_s});
  }

  void aFileMountedByItselfIsWrittenInPlace() {
    const SmallDisk& disk = *SmallDisk::instance();
    if (!disk.problem().empty()) QSKIP(disk.problem().c_str());
    const QString source = QString::fromStdString(disk.path()) + u"/source"_s;
    write(source, kOld);
    write(path(), "below");
    if (mount(QFile::encodeName(source), QFile::encodeName(path()), nullptr, MS_BIND, nullptr) != 0)
      QSKIP("no file can be mounted here");
    const SaveResult saved = saveFile(path(), "through the mount");
    QCOMPARE(umount(QFile::encodeName(path())), 0);
    QVERIFY(saved.has_value());
    QCOMPARE(read(source), QByteArray("through the mount"));
    QCOMPARE(read(path()), QByteArray("below"));
    QCOMPARE(namesIn(dir_->path()), QStringList{u"file.txt"_s});
  }

  // In place the new bytes go over the old ones: these come back when that fails midway.
  void aFailureInPlaceBringsTheOldBytesBack_data() {
    QTest::addColumn<DiskCall>("call");
    QTest::addColumn<int>("skip");
    QTest::newRow("backup's write") << DiskCall::kWrite << 0;
    QTest::newRow("backup's sync") << DiskCall::kSync << 0;
    QTest::newRow("folder's sync") << DiskCall::kFolderSync << 0;
    QTest::newRow("first write") << DiskCall::kWrite << 1;
    QTest::newRow("second write") << DiskCall::kWrite << 2;
    QTest::newRow("sync") << DiskCall::kSync << 1;
  }
  void aFailureInPlaceBringsTheOldBytesBack() {
    QFETCH(DiskCall, call);
    QFETCH(int, skip);
    write(path(), kOld);
    QVERIFY(::link(QFile::encodeName(path()), QFile::encodeName(dir_->filePath(u"b"_s))) == 0);
    std::optional<ShortWrites> pieces;
    if (skip == 2) pieces.emplace(9);  // the backup in one piece, the text in many
    const DiskFault fault(call, EIO, skip, 1);
    failsLeavingAllAsItWas(path(), QByteArray(9000, 'n'), u"disk reports an error"_s);
  }

  void oldBytesThatCannotComeBackAreBesideIt() {
    write(path(), kOld);
    QVERIFY(::link(QFile::encodeName(path()), QFile::encodeName(dir_->filePath(u"b"_s))) == 0);
    SaveResult saved;
    {
      const DiskFault fault(DiskCall::kSync, EIO, 1);
      saved = saveFile(path(), QByteArray(9000, 'n'));
    }
    QVERIFY(!saved.has_value());
    QVERIFY(saved.error().touched);
    const QStringList backup = namesIn(dir_->path()).filter(u".before-save-"_s);
    QCOMPARE(backup.size(), 1);
    QVERIFY2(saved.error().what.contains(dir_->filePath(backup.first())),
             qPrintable(saved.error().what));
    QVERIFY(backup.first().startsWith(u"file.txt"_s));
    QCOMPARE(read(dir_->filePath(backup.first())), kOld);
    QCOMPARE(look(dir_->filePath(backup.first())).st_mode & 07777, mode_t(0600));
  }

 private:
  static void sizes() {
    QTest::addColumn<QByteArray>("bytes");
    for (const int size : {0, 1, 16'383, 16'384, 16'385, 1 << 20}) {
      QByteArray bytes(size, 'n');
      for (int i = 0; i < size; i += 97) bytes[i] = static_cast<char>(i);
      QTest::addRow("%d bytes", size) << bytes;
    }
  }
};

int main(int argc, char** argv) {
  const SmallDisk disk(4 << 20);
  const QCoreApplication application(argc, argv);
  TestSaveFile test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_save_file.moc"
