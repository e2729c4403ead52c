// SPDX-License-Identifier: GPL-3.0-or-later
// A text file on disk: what it is (encoding, line ends, too large, binary), its text as UTF-8, and
// a save that either replaces it whole or leaves it untouched. No widget; any one thread at a time.
#pragma once

#include <QByteArray>
#include <QString>
#include <functional>
#include <optional>

#include "editor/text/result.h"
#include "editor/text/save_file.h"
#include "editor/text/snapshot.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

enum class SafeMode {
  kOff,
  kBinary,  // read-only, only the first kBinaryShown bytes, no highlighting, no suggestions
  kHuge,    // over kHugeBytes: no highlighting, no suggestions, otherwise a text like any other
  kRaw,  // a binary file that its user wants to edit: all its bytes, as UTF-8 as far as they are;
         // no highlighting, no suggestions
};

inline constexpr qint64 kHugeBytes = 20 * 1024 * 1024;
inline constexpr qint64 kBinaryShown = 256 * 1024;

// What a path leads to.
enum class PathKind {
  kFile,  // or nothing
  kLink,  // to a file
  kOther,
};

inline constexpr qint64 kNoFile = -1;
inline constexpr qint64 kUnknownSize = -2;

// The state of a file when it was last read or written here. Times are nanoseconds since 1970.
struct FileStamp {
  qint64 size = kNoFile;
  qint64 modifiedNs = 0;
  quint64 inode = 0;  // another one: the file was replaced
  QByteArray sha1 = {};
  PathKind kind = PathKind::kFile;
  qint64 changedNs = 0;  // of anything about the file; unlike modifiedNs nobody can set it
  qint64 lookedNs = 0;   // when the stamp was taken

  // Nothing tells that the file is another than it was. `sha1` is not compared.
  bool looksLike(const FileStamp& other) const {
    return size == other.size && modifiedNs == other.modifiedNs && inode == other.inode &&
           kind == other.kind && changedNs == other.changedNs;
  }
  // Whatever is written after this stamp has another time: a clock's ticks are coarse, and where it
  // was set back it may come to the same time again.
  bool isSettled() const;
};

enum class OutsideChange { kNone, kChanged, kDeleted };

class TextFile {
 public:
  // A file that does not exist yet: UTF-8, LF, empty.
  static TextFile create(const QString& path);
  // Looks at the whole file once, keeping none of it. Fails when it cannot be read. `as`: an
  // encoding that somebody chose; where the file would not be written back as it is by that one, it
  // is opened as if none were chosen. See encoding().
  static Result<TextFile> open(const QString& path, std::optional<Encoding> as = {});
  // A binary file is opened to be edited: see SafeMode::kRaw.
  static Result<TextFile> openRaw(const QString& path);
  // Opens what is there, as it is: in the encoding that somebody chose for this one, or that was
  // guessed, if the bytes do not tell it and still are of it.
  Result<TextFile> openAgain() const;

  const QString& path() const { return path_; }
  // The file was renamed: it is what it was, elsewhere. One that is not there yet may be made
  // through a link.
  void moveTo(const QString& path);
  Encoding encoding() const { return encoding_; }
  // Save in another encoding from now on.
  void setEncoding(Encoding encoding);
  // The bytes do not tell the encoding, and nobody has chosen it.
  bool isGuessed() const { return guessed_; }
  // What it might be as well, the likeliest first.
  const QVector<Encoding>& guesses() const { return guesses_; }
  // Of a text in UTF-8, as it was on disk: bytes that are part of no character, and the offset of
  // the first in the text. They are kept as they are.
  qint64 strayBytes() const { return strayBytes_; }
  qint64 firstStrayByte() const { return firstStray_; }
  LineEnds lineEnds() const { return lineEnds_; }  // the dominant one
  bool hasMixedLineEnds() const { return mixedLineEnds_; }
  SafeMode safeMode() const { return safeMode_; }
  qint64 size() const { return stamp_.size; }  // bytes on disk
  const FileStamp& stamp() const { return stamp_; }
  // The text was made from the file as it was then, which another run saw: outsideChange() compares
  // with that. Only size, content and kind count.
  void setMadeFrom(const FileStamp& stamp);
  // Returns a notice for the user: what is off in safe mode and why, that line ends are mixed;
  // empty when all is usual.
  QString notice() const;

  // Gives the text as UTF-8 to `sink` in pieces of about 1 MiB. Fails when the file cannot be read
  // or changed since open(); `sink` may have seen a part by then.
  using Sink = std::function<void(const QByteArray& utf8)>;
  Result<void> read(const Sink& sink) const;
  // The same as a whole.
  Result<Snapshot> readText() const;

  // Writes as saveFile() does; also fails, the file on disk being as it was, on a character that
  // the encoding lacks and for a binary file. Saving does not ask whether the file changed outside:
  // see outsideChange().
  SaveResult save(const QByteArray& utf8);
  // The same under another path, which is this file's path from then on.
  SaveResult saveAs(const QString& path, const QByteArray& utf8);

  // Compares the disk with the last open() or save(), or what setMadeFrom() was told. Reads the
  // file only when its size is the same but its times or inode are not, or might be by chance; when
  // its content is the same too, takes the new ones over. A link or something else in the place of
  // a file is a change.
  OutsideChange outsideChange();
  // Whether the disk has, as far as can be told without reading, what was read or written last.
  bool looksUnchanged() const;
  // The change that outsideChange() saw last counts as none from now on; whatever comes after does.
  void ignoreOutsideChange() { ignored_ = seen_; }

 private:
  // What somebody wants of the file that is opened.
  struct Wish {
    std::optional<Encoding> chosen = {};
    std::optional<Encoding> guess = {};  // the first to be tried
    bool isRaw = false;
  };
  static Result<TextFile> open(const QString& path, const Wish& wish);
  void look(const EncodingDetector& detector);
  SaveResult write(const QString& path, const QByteArray& utf8);

  QString path_;
  Encoding encoding_ = Encoding::kUtf8;
  std::optional<Encoding> chosen_;  // that of the bytes on disk, which do not tell it
  bool guessed_ = false;
  QVector<Encoding> guesses_;
  qint64 strayBytes_ = 0;
  qint64 firstStray_ = -1;
  LineEnds lineEnds_ = LineEnds::kLf;
  bool mixedLineEnds_ = false;
  SafeMode safeMode_ = SafeMode::kOff;
  FileStamp stamp_;
  FileStamp seen_;                    // by outsideChange()
  std::optional<FileStamp> ignored_;  // without `sha1`
};

}  // namespace waferpair::editor
