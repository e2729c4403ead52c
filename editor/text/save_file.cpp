// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/save_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QRandomGenerator>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <optional>
#include <utility>

#include "editor/text/file_attributes.h"
#include "editor/text/path_bytes.h"
#include "editor/text/quoted.h"
#include "editor/text/translate.h"

namespace waferpair::editor {
namespace {

constexpr int kMostLinks = 40;  // as the kernel's
constexpr int kMostNames = 100;

QString quoted(const QByteArray& path) { return quotedPath(pathText(path)); }

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  operator int() const { return number_; }
  // Network file systems tell here that the disk is full.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

// A write beyond the limit on file sizes fails with EFBIG in here instead of ending the process.
class NoSizeSignal {
 public:
  NoSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;
  ~NoSizeSignal() {
    const timespec now{};
    const int error = errno;
    while (sigtimedwait(&signal_, nullptr, &now) == SIGXFSZ) {
    }
    errno = error;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_, before_;
};

// File systems without such a thing as syncing say that the call is not for them.
bool synced(int descriptor) {
  while (fsync(descriptor) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
  }
  return true;
}

// Each byte, from the start of the file. False, with errno.
bool writeAll(int descriptor, const QByteArray& bytes) {
  for (qsizetype at = 0; at < bytes.size();) {
    const ssize_t put =
        pwrite(descriptor, bytes.constData() + at, static_cast<std::size_t>(bytes.size() - at), at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    if (put == 0) {
      errno = EIO;
      return false;
    }
    at += put;
  }
  return true;
}

bool readAll(int descriptor, QByteArray* bytes) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return false;
  bytes->resize(info.st_size);
  for (qsizetype at = 0; at < bytes->size();) {
    const ssize_t got =
        pread(descriptor, bytes->data() + at, static_cast<std::size_t>(bytes->size() - at), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) bytes->truncate(at);  // it has become shorter meanwhile
    at += got;
  }
  return true;
}

bool isForbidden(int error) { return error == EACCES || error == EPERM; }

QByteArray randomDigits() {
  const quint32 random = QRandomGenerator::global()->generate() & 0xffffff;
  return QByteArray::number(random, 16).rightJustified(6, '0');
}

// One save under way.
class Saving {
 public:
  Saving(QByteArray path, const QByteArray& bytes, mode_t mode)
      : path_(std::move(path)), bytes_(bytes), mode_(mode) {}

  SaveResult run() {
    if (path_.isEmpty() || path_.contains('\0')) return failed(EINVAL);
    if (!findTarget()) return failed(errno);
    struct stat info;
    if (fstatat(folder_, name_.constData(), &info, AT_SYMLINK_NOFOLLOW) != 0)
      return errno == ENOENT ? replace(nullptr) : failed(errno);
    exists_ = true;
    if (S_ISDIR(info.st_mode)) return failed(EISDIR);
    if (!S_ISREG(info.st_mode)) return failed(ENODEV);
    // A rename would not ask whether the file is write-protected.
    if (faccessat(folder_, name_.constData(), W_OK, AT_EACCESS) != 0) return failed(errno);
    return info.st_nlink > 1 ? overwrite() : replace(&info);
  }

 private:
  // Follows symbolic links to the folder and the name that are to be written.
  bool findTarget() {
    QByteArray path = path_;
    for (int links = 0; links <= kMostLinks; ++links) {
      const qsizetype slash = path.lastIndexOf('/');
      folderName_ = slash < 0 ? QByteArray(".") : path.left(std::max<qsizetype>(slash, 1));
      name_ = path.mid(slash + 1);
      if (name_.isEmpty()) {
        errno = EISDIR;
        return false;
      }
      folder_ = Descriptor(open(folderName_.constData(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      folderFailed_ = folder_ < 0;
      if (folderFailed_) return false;
      QByteArray target(PATH_MAX, '\0');
      const ssize_t size = readlinkat(folder_, name_.constData(), target.data(),
                                      static_cast<std::size_t>(target.size()));
      if (size < 0) return errno == EINVAL || errno == ENOENT;  // no link, or nothing at all
      target.truncate(size);
      path = target.startsWith('/') ? target : folderName_ + '/' + target;
    }
    errno = ELOOP;
    return false;
  }

  // A file of that kind of name which was not there before. Negative, with errno.
  static Descriptor make(int folder, const QByteArray& stem, mode_t mode, QByteArray* name) {
    for (int i = 0; i < kMostNames; ++i) {
      *name = stem + randomDigits();
      Descriptor file(openat(folder, name->constData(),
                             O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
      if (file >= 0 || errno != EEXIST) return file;
    }
    return Descriptor(-1);
  }

  // A file in the folder that has no name yet: whatever ends the program, nothing of it is left.
  // Negative where the file system has no such files, or there is no way to name one later.
  Descriptor makeNameless(mode_t mode) {
    if (access("/proc/self/fd", X_OK) != 0) return Descriptor(-1);
    return Descriptor(openat(folder_, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  }

  // Gives such a file a name of that kind. False, with errno.
  bool giveName(int file, const QByteArray& stem, QByteArray* name) {
    const QByteArray self = "/proc/self/fd/" + QByteArray::number(file);
    for (int i = 0; i < kMostNames; ++i) {
      const QByteArray chosen = stem + randomDigits();
      if (linkat(AT_FDCWD, self.constData(), folder_, chosen.constData(), AT_SYMLINK_FOLLOW) == 0) {
        *name = chosen;
        return true;
      }
      if (errno != EEXIST) return false;
    }
    return false;
  }

  void remove(const QByteArray& name) {
    const int error = errno;
    if (!name.isEmpty()) unlinkat(folder_, name.constData(), 0);
    errno = error;
  }

  static bool syncFolder(int folder, int fileInIt) {
    const Descriptor readable(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // One may add to a folder that one may not list.
    return readable >= 0 ? synced(readable) : syncfs(fileInIt) == 0;
  }

  // `info` of the file that is there.
  SaveResult replace(const struct stat* info) {
    std::optional<FileAttributes> before;
    Descriptor old(-1);
    if (info) {
      // Its attributes cannot be seen without reading it, but may be there.
      old = openOld(O_RDONLY);
      if (old < 0) return failed(errno);
      before = FileAttributes::of(old);
      if (!before) return failed(errno);
    }
    constexpr char kStem[] = ".waferpair-save-";
    const mode_t mode = info ? 0600 : mode_;
    QByteArray fresh;  // its name; empty while it has none
    Descriptor file = makeNameless(mode);
    if (file < 0) file = make(folder_, kStem, mode, &fresh);
    if (file < 0) {
      // One may write to the file, if not to its folder.
      if (info && isForbidden(errno)) return overwrite();
      folderFailed_ = true;
      return failed(errno);
    }
    const auto giveUp = [&] {
      remove(fresh);
      return failed(errno);
    };
    if (!writeAll(file, bytes_)) return giveUp();
    if (before) {
      // A security label may have come with the new file: what counts is what it has in the end.
      if (before->applyTo(file) == FileAttributes::Applied::kFailed) return giveUp();
      if (FileAttributes::of(file) != before) {
        remove(fresh);
        return overwrite();
      }
    }
    struct stat written;
    if (!synced(file) || fstat(file, &written) != 0) return giveUp();
    if (written.st_size != bytes_.size()) {
      errno = EIO;
      return giveUp();
    }
    // A network file system may tell only at a close that the disk is full; the file itself stays
    // open, for the folder's sync may need it.
    Descriptor another(dup(file));
    if (another < 0 || !another.close()) return giveUp();
    if (fresh.isEmpty() && !giveName(file, kStem, &fresh)) return giveUp();
    if (renameat(folder_, fresh.constData(), folder_, name_.constData()) != 0) {
      // A file that is mounted by itself has its name for good.
      if (info && (errno == EBUSY || errno == EXDEV)) {
        remove(fresh);
        return overwrite();
      }
      return giveUp();
    }
    if (!syncFolder(folder_, file)) return unconfirmed(errno);
    return Saved{};
  }

  Descriptor openOld(int access) {
    return Descriptor(
        openat(folder_, name_.constData(), access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  }

  // Into the file itself, with its old bytes kept beside it, or in /var/tmp, meanwhile.
  SaveResult overwrite() {
    const Descriptor file = openOld(O_RDWR);
    if (file < 0) return failed(errno);
    struct stat info;
    if (fstat(file, &info) != 0) return failed(errno);
    if (!S_ISREG(info.st_mode)) return failed(ENODEV);  // replaced since it was looked at
    const std::optional<FileAttributes> before = FileAttributes::of(file);
    QByteArray old, backup;
    if (!before || !readAll(file, &old)) return failed(errno);

    Descriptor copy = make(folder_, nameOfBackup(), 0600, &backup);
    Descriptor elsewhere(-1);
    QByteArray backupFolder = folderName_;
    if (copy < 0 && isForbidden(errno)) {
      // Where such a folder keeps it, it outlives a restart of the computer.
      backupFolder = "/var/tmp";
      elsewhere = Descriptor(open(backupFolder.constData(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (elsewhere >= 0) copy = make(elsewhere, nameOfBackup(), 0600, &backup);
    }
    if (copy < 0) {
      folderFailed_ = true;
      return failed(errno);
    }
    const int beside = elsewhere >= 0 ? elsewhere : folder_;
    const auto drop = [&] {
      const int error = errno;
      unlinkat(beside, backup.constData(), 0);
      errno = error;
    };
    const auto giveUp = [&] {
      drop();
      return failed(errno);
    };
    if (!writeAll(copy, old) || !synced(copy) || !syncFolder(beside, copy)) return giveUp();
    // Reserving the blocks detects a full disk before the file is written, where the file system
    // can.
    if (bytes_.size() > old.size() && fallocate(file, FALLOC_FL_KEEP_SIZE, 0, bytes_.size()) != 0 &&
        errno != EOPNOTSUPP && errno != ENOSYS) {
      const int error = errno;
      (void)ftruncate(file, old.size());  // frees what was reserved so far; failing harms nothing
      errno = error;
      return giveUp();
    }
    if (!writeAll(file, bytes_) || ftruncate(file, bytes_.size()) != 0 || !synced(file)) {
      const int error = errno;
      // Its blocks are still its own: only what was added is given back.
      if (writeAll(file, old) && ftruncate(file, old.size()) == 0 && synced(file)) {
        errno = error;
        return giveUp();
      }
      return damaged(error, backupFolder + '/' + backup);
    }
    std::optional<FileAttributes> now = FileAttributes::of(file);
    if (now && *now != *before) {
      before->applyTo(file);  // writing takes set-user-ID and capabilities away
      synced(file);
      now = FileAttributes::of(file);
    }
    drop();
    return Saved{now ? before->lostIn(*now) : QStringList()};
  }

  // The name of the backup tells a finder what it is.
  QByteArray nameOfBackup() const {
    static constexpr char kInfix[] = ".before-save-";
    QByteArray stem = name_;
    // Six digits follow. Names are cut between characters.
    while (stem.size() + qsizetype(sizeof(kInfix) - 1) + 6 > NAME_MAX ||
           (!stem.isEmpty() && stem.size() < name_.size() &&
            (static_cast<unsigned char>(name_[stem.size()]) & 0xc0) == 0x80)) {
      stem.chop(1);
    }
    return stem + kInfix;
  }

  tl::unexpected<SaveError> error(int number, const QString& state, bool touched) const {
    const auto [why, remedy] = reason(number);
    QString what = translate("%1 was not saved: %2.").arg(quoted(path_), why);
    if (!state.isEmpty()) what += u' ' + state;
    return tl::unexpected(SaveError{{what, remedy}, why, {}, touched});
  }

  tl::unexpected<SaveError> failed(int number) const {
    if (folderFailed_ && number == ENOENT) {
      auto failure = error(number, {}, false);
      failure.value().missingFolder =
          QDir::cleanPath(QDir().absoluteFilePath(pathText(folderName_)));
      return failure;
    }
    return error(
        number,
        exists_ ? translate("The file on disk is as it was.") : translate("Nothing was written."),
        false);
  }

  tl::unexpected<SaveError> unconfirmed(int number) const {
    auto failure = error(
        number, translate("It has the new content now, but may lose it when the computer stops."),
        true);
    failure.value().remedy = translate("Save it again, or in another place.");
    return failure;
  }

  tl::unexpected<SaveError> damaged(int number, const QByteArray& backup) const {
    auto failure = error(
        number,
        translate("The file on disk is damaged; what was in it is in %1.").arg(quoted(backup)),
        true);
    failure.value().remedy = translate("Save it in another place, and check the disk.");
    return failure;
  }

  // Why, and what the user can do.
  std::pair<QString, QString> reason(int error) const {
    switch (error) {
      case ENOSPC:
        return {translate("the disk is full"),
                translate("Free some space on the disk, or save it in another place.")};
      case EDQUOT:
        return {translate("your share of this disk (quota) is used up"),
                translate("Delete files of yours there, or save it in another place.")};
      case EFBIG:
        return {translate("it is larger than files may be here"),
                translate("Save it in another place, or raise the limit (ulimit -f).")};
      case EIO:
        return {translate("the disk reports an error"),
                translate("Save it in another place, and check the disk.")};
      case EROFS:
        return {translate("this disk can only be read"), translate("Save it in another place.")};
      case EACCES:
      case EPERM:
        if (folderFailed_) {
          return {translate("you may not make files in its folder"),
                  translate("Save it in another place, or change the permissions of the folder.")};
        }
        return {translate("you may not write to it"),
                translate("Save it in another place, or change the permissions of the file.")};
      case ENOENT:
      case ENOTDIR:
        return {translate("there is no folder %1").arg(quoted(folderName_)),
                translate("Make that folder, or save it in another place.")};
      case ENAMETOOLONG:
        return {translate("its name or its path is too long"),
                translate("Save it under a shorter name, or in another place.")};
      case ELOOP:
        return {translate("it is a link that leads round in a circle"),
                translate("Save it under another name, or remove the link.")};
      case EISDIR:
        return {translate("it is a folder"), translate("Save it under another name.")};
      case ENODEV:
        return {translate("it is not a regular file"), translate("Save it under another name.")};
      case ETXTBSY:
        return {translate("it is a program that runs"),
                translate("End that program, or save it under another name.")};
      default:
        return {qt_error_string(error), translate("Save it in another place.")};
    }
  }

  const QByteArray path_;
  const QByteArray& bytes_;
  const mode_t mode_;
  Descriptor folder_{-1};
  QByteArray folderName_, name_;  // of the target; the name is relative to the folder
  bool folderFailed_ = false;     // it is the folder that refuses
  bool exists_ = false;
};

}  // namespace

SaveResult saveFile(const QString& path, const QByteArray& bytes, mode_t mode) {
  const NoSizeSignal quiet;
  return Saving(pathBytes(path), bytes, mode).run();
}

}  // namespace waferpair::editor
