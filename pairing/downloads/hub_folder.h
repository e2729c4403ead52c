// SPDX-License-Identifier: GPL-3.0-or-later
// A model's folder in the hub's cache, in the layout that Python's huggingface_hub and llama.cpp
// share, so that each of these programs finds what another has fetched:
//
//   models--ORG--NAME/blobs/SHA256              the bytes
//                    /snapshots/COMMIT/PATH     a link to them
//                    /refs/main                 the commit that "main" was when it was asked
//   .locks/models--ORG--NAME/SHA256.lock        held by who fetches them
//
// and of this program, while it fetches:
//
//   models--ORG--NAME/blobs/SHA256.part         as far as they have come
//                    /blobs/SHA256.part.json    what they are to become
#pragma once

#include <QString>
#include <optional>

#include "editor/text/result.h"
#include "pairing/downloads/hub.h"

namespace waferpair::pairing {

// A file that is being fetched, as it was asked for.
struct PartNote {
  QString commit;
  HubFile file;
  QByteArray tag;  // the ETag that its bytes came with; empty: none

  bool operator==(const PartNote&) const = default;
};

class HubFolder {
 public:
  HubFolder(const QString& cache, const QString& repository);

  QString blob(const HubFile& file) const;
  QString part(const HubFile& file) const;
  QString lock(const HubFile& file) const;
  // Where other programs look for the file.
  QString snapshot(const QString& commit, const QString& path) const;

  // Makes the folders for blobs and locks.
  editor::Result<void> make() const;

  // Parts that are there, with what they hold so far.
  struct Unfinished {
    PartNote note;
    qint64 bytes = 0;
  };
  QVector<Unfinished> unfinished() const;
  // The path of a whole file whose name is like `pattern`, of whatever commit; empty: there is
  // none.
  QString fetched(const QString& pattern) const;
  // Keeps the note beside the part, or removes both.
  editor::Result<void> keepNote(const PartNote& note) const;
  std::optional<PartNote> note(const HubFile& file) const;
  void removePart(const HubFile& file) const;

  // Shows the blob, which is whole, to everybody as the file at that commit. Returns the path of
  // the link.
  editor::Result<QString> show(const QString& commit, const HubFile& file) const;

 private:
  QString notePath(const HubFile& file) const;

  QString folder_;
  QString locks_;
};

}  // namespace waferpair::pairing
