// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/text_file.h"

#include <sys/stat.h>

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <utility>

#include "editor/text/quoted.h"
#include "editor/text/size_text.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

namespace {

constexpr qint64 kChunk = 1 << 20;

// Size and time only.
FileStamp lookAt(const QString& path) {
  struct stat info;
  if (stat(QFile::encodeName(path).constData(), &info) != 0) return {};
  return {
      info.st_size, info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec, info.st_ino, {}};
}

// All bytes of the file in chunks.
template <typename Use>
Result<void> readChunks(const QString& path, Use use) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    return fail(translate("%1 could not be read: %2.").arg(quotedPath(path), file.errorString()),
                translate("Check that it exists and that you may read it."));
  }
  while (true) {
    const QByteArray bytes = file.read(kChunk);
    if (bytes.isEmpty()) break;
    use(bytes);
  }
  if (file.error() != QFileDevice::NoError) {
    return fail(
        translate("Reading %1 stopped midway: %2.").arg(quotedPath(path), file.errorString()),
        translate("Check the disk, then open it again."));
  }
  return {};
}

}  // namespace

TextFile TextFile::create(const QString& path) {
  TextFile file;
  file.path_ = path;
  return file;
}

Result<TextFile> TextFile::open(const QString& path, std::optional<Encoding> as) {
  const QFileInfo info(path);
  if (info.isDir()) {
    return fail(translate("%1 is a folder.").arg(quotedPath(path)),
                translate("Open it as a project instead."));
  }
  // A pipe or a device may never end.
  if (info.exists() && !info.isFile()) {
    return fail(translate("%1 is not a regular file.").arg(quotedPath(path)),
                translate("Only regular files can be edited."));
  }
  TextFile file;
  file.path_ = path;
  // The stamp is taken before reading, so that outsideChange() sees a change while we read.
  file.stamp_ = lookAt(path);
  EncodingDetector detector;
  std::optional<RoundTrip> chosen;
  if (as) chosen.emplace(*as);
  QCryptographicHash hash(QCryptographicHash::Sha1);
  qint64 size = 0;
  const Result<void> read = readChunks(path, [&](const QByteArray& bytes) {
    detector.feed(bytes);
    if (chosen) chosen->feed(bytes);
    hash.addData(bytes);
    size += bytes.size();
  });
  if (!read) return tl::unexpected<Error>(read.error());
  detector.finish();
  if (chosen) chosen->finish();
  const bool asChosen = chosen && chosen->isLossless();
  const LineEndCounter& lineEnds = asChosen ? chosen->lineEnds() : detector.lineEnds();
  file.stamp_.size = size;
  file.stamp_.sha1 = hash.result();
  file.encoding_ = asChosen ? *as : detector.encoding();
  if (file.encoding_ != detector.encoding()) file.chosen_ = file.encoding_;
  file.lineEnds_ = lineEnds.dominant();
  file.mixedLineEnds_ = lineEnds.isMixed();
  if (detector.isBinary() && !asChosen) {
    file.safeMode_ = SafeMode::kBinary;
    file.mixedLineEnds_ = false;
  } else if (size > kHugeBytes) {
    file.safeMode_ = SafeMode::kHuge;
  }
  return file;
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
    QFile file(path_);
    if (!file.open(QIODevice::ReadOnly)) {
      return fail(translate("%1 could not be read: %2.").arg(quotedPath(path_), file.errorString()),
                  translate("Check that it exists and that you may read it."));
    }
    sink(file.read(kBinaryShown));
    return {};
  }
  TextDecoder decoder(encoding_);
  const Result<void> read =
      readChunks(path_, [&](const QByteArray& bytes) { sink(decoder.feed(bytes)); });
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
      if (readChunks(path, [&](const QByteArray& part) { hash.addData(part); }))
        stamp_.sha1 = hash.result();
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
  if (encoding_ != detector.encoding()) chosen_ = encoding_;
  LineEndCounter ends;
  ends.feed(utf8);
  ends.finish();
  lineEnds_ = ends.dominant();
  mixedLineEnds_ = ends.isMixed();
  return saved;
}

OutsideChange TextFile::outsideChange() {
  const FileStamp now = lookAt(path_);
  seen_ = now;
  if (now.size < 0) return stamp_.size < 0 ? OutsideChange::kNone : OutsideChange::kDeleted;
  if (ignored_ && ignored_->looksLike(now)) return OutsideChange::kNone;
  if (now.size != stamp_.size) return OutsideChange::kChanged;
  if (now.looksLike(stamp_)) return OutsideChange::kNone;
  QCryptographicHash hash(QCryptographicHash::Sha1);
  const Result<void> read =
      readChunks(path_, [&](const QByteArray& bytes) { hash.addData(bytes); });
  if (!read || hash.result() != stamp_.sha1) return OutsideChange::kChanged;
  stamp_.modifiedNs = now.modifiedNs;
  stamp_.inode = now.inode;
  return OutsideChange::kNone;
}

}  // namespace waferpair::editor
