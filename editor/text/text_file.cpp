// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/text_file.h"

#include <sys/stat.h>

#include <QCryptographicHash>
#include <algorithm>
#include <ctime>
#include <utility>

#include "editor/text/guest_file.h"
#include "editor/text/path_bytes.h"
#include "editor/text/quoted.h"
#include "editor/text/size_text.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

namespace {

// Of the coarsest time stamps of files that are usual: a tick of the kernel.
constexpr qint64 kTickNs = 20'000'000;

qint64 nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; }

// All but the content.
FileStamp lookAt(const QString& path) {
  const QByteArray name = pathBytes(path);
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct stat info;
  struct stat itself;
  const bool isLink = lstat(name.constData(), &itself) == 0 && S_ISLNK(itself.st_mode);
  if (stat(name.constData(), &info) != 0)
    return {.kind = isLink ? PathKind::kLink : PathKind::kFile};
  return {.size = info.st_size,
          .modifiedNs = nanoseconds(info.st_mtim),
          .inode = info.st_ino,
          .sha1 = {},
          .kind = !S_ISREG(info.st_mode) ? PathKind::kOther
                  : isLink               ? PathKind::kLink
                                         : PathKind::kFile,
          .changedNs = nanoseconds(info.st_ctim),
          .lookedNs = nanoseconds(now)};
}

// Tells UTF-16 from a text of bytes in which some are NUL: that is what most text is as UTF-16,
// too.
class Utf16Signs {
 public:
  void feed(const QByteArray& bytes) {
    size_ += bytes.size();
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte == 0) {
        ++nuls_;
      } else if (byte >= 0x80 || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r')) {
        ++odd_;
      }
    }
  }
  // Two in five characters are ASCII, or one in ten bytes is none of a text.
  bool areThere() const { return nuls_ * 5 >= size_ || odd_ * 10 >= size_ - nuls_; }

 private:
  qint64 size_ = 0;
  qint64 nuls_ = 0;
  qint64 odd_ = 0;
};

// Of the file in this encoding; none: it cannot be in it, or would not be written back as it is.
std::optional<LineEndCounter> lineEndsIn(const QString& path, Encoding encoding) {
  // Everything may be UTF-16.
  const bool isDoubtful =
      encoding == Encoding::kUtf16LeNoMark || encoding == Encoding::kUtf16BeNoMark;
  RoundTrip trip(encoding);
  TextDecoder decoder(encoding);
  bool isWritten = true;
  Utf16Signs signs;
  const auto read = readGuestPieces(path, [&](const QByteArray& bytes) {
    trip.feed(bytes);
    if (isDoubtful) signs.feed(bytes);
    if (isDoubtful && isWritten) isWritten = looksWritten(exactUtf8(decoder.feed(bytes)));
    return isWritten;
  });
  trip.finish();
  if (isDoubtful && !signs.areThere()) return {};
  if (!read || !isWritten || !trip.isLossless()) return {};
  return trip.lineEnds();
}

}  // namespace

bool FileStamp::isSettled() const { return std::max(modifiedNs, changedNs) + kTickNs < lookedNs; }

TextFile TextFile::create(const QString& path) {
  TextFile file;
  file.path_ = path;
  return file;
}

Result<TextFile> TextFile::open(const QString& path, std::optional<Encoding> as) {
  return open(path, Wish{.chosen = as});
}

Result<TextFile> TextFile::openRaw(const QString& path) { return open(path, Wish{.isRaw = true}); }

Result<TextFile> TextFile::openAgain() const {
  return open(path_, Wish{.chosen = chosen_,
                          .guess = guessed_ ? std::optional(encoding_) : std::nullopt,
                          .isRaw = safeMode_ == SafeMode::kRaw});
}

Result<TextFile> TextFile::open(const QString& path, const Wish& wish) {
  struct stat info;
  const bool isThere = stat(pathBytes(path).constData(), &info) == 0;
  if (isThere && S_ISDIR(info.st_mode)) {
    return fail(translate("%1 is a folder.").arg(quotedPath(path)),
                translate("Open it as a project instead."));
  }
  // A pipe or a device may never end.
  if (isThere && !S_ISREG(info.st_mode)) {
    return fail(translate("%1 is not a regular file.").arg(quotedPath(path)),
                translate("Only regular files can be edited."));
  }
  TextFile file;
  file.path_ = path;
  // The stamp is taken before reading, so that outsideChange() sees a change while we read.
  file.stamp_ = lookAt(path);
  EncodingDetector detector;
  std::optional<RoundTrip> chosen;
  if (wish.chosen) chosen.emplace(*wish.chosen);
  QCryptographicHash hash(QCryptographicHash::Sha1);
  qint64 size = 0;
  bool isWhole = true;
  const Result<void> read = readGuestPieces(path, [&](const QByteArray& bytes) {
    detector.feed(bytes);
    if (chosen) chosen->feed(bytes);
    hash.addData(bytes);
    size += bytes.size();
    // More of what is binary is not looked at: a hole has gigabytes.
    isWhole = !detector.isBinary() || wish.isRaw || (chosen && chosen->isLossless());
    return isWhole;
  });
  if (!read) return tl::unexpected<Error>(read.error());
  detector.finish();
  if (chosen) chosen->finish();
  if (isWhole) {
    file.stamp_.size = size;
    file.stamp_.sha1 = hash.result();
  }
  const bool asChosen = chosen && chosen->isLossless();
  LineEndCounter lineEnds = asChosen ? chosen->lineEnds() : detector.lineEnds();
  file.encoding_ = asChosen ? *wish.chosen : detector.encoding();
  if (asChosen && !detector.tells(file.encoding_)) file.chosen_ = file.encoding_;
  if (!asChosen) {
    file.guesses_ = detector.guesses();
    if (wish.guess && !file.guesses_.isEmpty()) {
      file.guesses_.removeAll(*wish.guess);
      file.guesses_.prepend(*wish.guess);
    }
    for (const Encoding guess : file.guesses_) {
      const auto ends = lineEndsIn(path, guess);
      if (!ends) continue;
      file.guessed_ = true;
      file.encoding_ = guess;
      lineEnds = *ends;
      break;
    }
  }
  file.look(detector);
  file.lineEnds_ = lineEnds.dominant();
  file.mixedLineEnds_ = lineEnds.isMixed();
  if (detector.isBinary() && !asChosen && !file.guessed_) {
    file.safeMode_ = wish.isRaw ? SafeMode::kRaw : SafeMode::kBinary;
    file.mixedLineEnds_ = false;
    file.encoding_ = Encoding::kUtf8;
  } else if (file.stamp_.size > kHugeBytes) {
    file.safeMode_ = SafeMode::kHuge;
  }
  return file;
}

void TextFile::setEncoding(Encoding encoding) {
  encoding_ = encoding;
  guessed_ = false;
}

// What is UTF-8 but for some bytes says which.
void TextFile::look(const EncodingDetector& detector) {
  const bool isUtf8 = encoding_ == Encoding::kUtf8 || encoding_ == Encoding::kUtf8Bom;
  strayBytes_ = isUtf8 ? detector.utf8().strayBytes() : 0;
  firstStray_ = isUtf8 ? detector.utf8().firstStray() : -1;
}

QString TextFile::notice() const {
  switch (safeMode_) {
    case SafeMode::kBinary:
      if (stamp_.size > kBinaryShown) {
        return translate(
                   "%1 is a binary file: only its first %2 of %3 are shown, read-only, "
                   "with no highlighting and no suggestions.")
            .arg(quotedPath(path_), sizeText(kBinaryShown), sizeText(stamp_.size, 1));
      }
      return translate(
                 "%1 is a binary file: it is shown read-only, with no highlighting and no "
                 "suggestions.")
          .arg(quotedPath(path_));
    case SafeMode::kHuge:
      return translate("%1 has %2, more than %3: highlighting and suggestions are off.")
          .arg(quotedPath(path_), sizeText(stamp_.size, 1), sizeText(kHugeBytes));
    case SafeMode::kRaw:
      return translate(
                 "%1 is a binary file: you edit its bytes, with no highlighting and no "
                 "suggestions. What you do not touch is saved as it is.")
          .arg(quotedPath(path_));
    case SafeMode::kOff:
      break;
  }
  if (mixedLineEnds_) {
    return translate("%1 has mixed line ends: they are kept, new lines get %2.")
        .arg(quotedPath(path_), lineEndsName(lineEnds_));
  }
  return {};
}

Result<void> TextFile::read(const Sink& sink) const {
  const auto changed = [this](const FileStamp& now) { return !now.looksLike(stamp_); };
  const auto failChanged = [this] {
    return fail(translate("%1 changed on disk while it was opened.").arg(quotedPath(path_)),
                translate("Open it again."));
  };
  if (changed(lookAt(path_))) return failChanged();
  if (safeMode_ == SafeMode::kBinary) {
    return readGuestPieces(path_, [&](const QByteArray& bytes) {
      sink(bytes.left(kBinaryShown));
      return false;
    });
  }
  TextDecoder decoder(encoding_);
  const Result<void> read = readGuestPieces(path_, [&](const QByteArray& bytes) {
    sink(decoder.feed(bytes));
    return true;
  });
  if (!read) return read;
  if (changed(lookAt(path_))) return failChanged();
  return {};
}

Result<Snapshot> TextFile::readText() const {
  Snapshot text;
  const Result<void> done = read([&](const QByteArray& utf8) { text = text.appended(utf8); });
  if (!done) return tl::unexpected<Error>(done.error());
  return text;
}

SaveResult TextFile::save(const QByteArray& utf8) { return write(path_, utf8); }

SaveResult TextFile::saveAs(const QString& path, const QByteArray& utf8) {
  const SaveResult written = write(path, utf8);
  if (written) path_ = path;
  return written;
}

SaveResult TextFile::write(const QString& path, const QByteArray& utf8) {
  const auto refuse = [](const QString& what, const QString& remedy) {
    return tl::unexpected(SaveError{{what, remedy}, {}, {}, false});
  };
  if (safeMode_ == SafeMode::kBinary) {
    return refuse(translate("%1 was not saved: it is a binary file and was opened read-only.")
                      .arg(quotedPath(path_)),
                  translate("Edit it with a program made for its kind."));
  }
  const Result<QByteArray> bytes = encodeText(utf8, encoding_);
  if (!bytes) {
    return refuse(translate("%1 was not saved. %2").arg(quotedPath(path), bytes.error().what),
                  bytes.error().remedy);
  }
  const SaveResult saved = saveFile(path, *bytes);
  if (!saved) {
    // The failed save has left its own bytes on disk: outsideChange() must not take them for
    // another's.
    if (saved.error().touched && path == path_) {
      QCryptographicHash hash(QCryptographicHash::Sha1);
      stamp_ = lookAt(path);
      const auto add = [&hash](const QByteArray& part) {
        hash.addData(part);
        return true;
      };
      if (readGuestPieces(path, add)) stamp_.sha1 = hash.result();
    }
    return saved;
  }

  ignored_.reset();
  stamp_ = lookAt(path);
  stamp_.sha1 = QCryptographicHash::hash(*bytes, QCryptographicHash::Sha1);
  EncodingDetector detector;
  detector.feed(*bytes);
  detector.finish();
  chosen_.reset();
  if (!detector.tells(encoding_) && !guessed_) chosen_ = encoding_;
  look(detector);
  LineEndCounter ends;
  ends.feed(utf8);
  ends.finish();
  lineEnds_ = ends.dominant();
  mixedLineEnds_ = ends.isMixed();
  return saved;
}

void TextFile::moveTo(const QString& path) {
  path_ = path;
  if (stamp_.size == kNoFile) stamp_.kind = lookAt(path).kind;
}

void TextFile::setMadeFrom(const FileStamp& stamp) {
  // What was read here is that very content: it need not be read again to be compared.
  const bool isRead = !stamp.sha1.isEmpty() && stamp.sha1 == stamp_.sha1 &&
                      stamp.size == stamp_.size && stamp.kind == stamp_.kind;
  if (isRead && !ignored_) return;
  stamp_ = {.size = stamp.size, .sha1 = stamp.sha1, .kind = stamp.kind};
  ignored_.reset();
}

bool TextFile::looksUnchanged() const { return lookAt(path_).looksLike(stamp_); }

OutsideChange TextFile::outsideChange() {
  FileStamp now = lookAt(path_);
  seen_ = now;
  const bool isIgnored = ignored_ && ignored_->looksLike(now);
  const bool isAnother = now.kind != PathKind::kFile && now.kind != stamp_.kind;
  if (isAnother && !isIgnored) return OutsideChange::kChanged;
  if (now.size < 0) return stamp_.size == kNoFile ? OutsideChange::kNone : OutsideChange::kDeleted;
  if (isIgnored) return OutsideChange::kNone;
  if (stamp_.size != kUnknownSize && now.size != stamp_.size) return OutsideChange::kChanged;
  if (now.looksLike(stamp_) && stamp_.isSettled()) return OutsideChange::kNone;
  if (stamp_.sha1.isEmpty()) return OutsideChange::kChanged;
  QCryptographicHash hash(QCryptographicHash::Sha1);
  const Result<void> read = readGuestPieces(path_, [&](const QByteArray& bytes) {
    hash.addData(bytes);
    return true;
  });
  if (!read || hash.result() != stamp_.sha1) return OutsideChange::kChanged;
  now.sha1 = stamp_.sha1;
  stamp_ = now;
  return OutsideChange::kNone;
}

}  // namespace waferpair::editor
