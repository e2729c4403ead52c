// SPDX-License-Identifier: GPL-3.0-or-later
// One open text as a server has it: what of it is still to be told, and where places of versions
// that were told are by now. UI thread only.
#pragma once

#include <QJsonArray>
#include <QQueue>
#include <optional>

#include "editor/assist/document_sync.h"
#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

class MirroredText {
 public:
  // Versions and edits that are remembered; older ones cannot be asked about.
  static constexpr int kMostVersions = 64;
  static constexpr int kMostEdits = 4096;

  MirroredText(const editor::SyncedDocument& document, QString languageId);

  const QString& path() const { return path_; }
  qint64 version() const { return version_; }
  const editor::Snapshot& text() const { return text_; }
  const QString& languageId() const { return languageId_; }

  // It was edited: `document` is as it is after that.
  void follow(const editor::SyncedDocument& document, const QVector<editor::TextEdit>& edits,
              ColumnUnit unit);
  bool hasChanges() const { return !changes_.isEmpty(); }
  // Returns what happened since the last call, as didChange has it; it counts as told.
  QJsonArray takeChanges();

  // The version that was told last.
  qint64 lastTold() const { return told_.last().version; }
  // The text of a version that was told; none: it is forgotten.
  std::optional<editor::Snapshot> textOf(qint64 version) const;
  // Where these bytes of that version are by now.
  ByteRange now(ByteRange range, qint64 version) const;
  // What was edited after that version, in order; none: that is forgotten.
  std::optional<QVector<editor::TextEdit>> editsSince(qint64 version) const;

 private:
  struct Told {
    qint64 version;
    editor::Snapshot text;
  };
  struct Edit {
    qint64 version;
    editor::TextEdit edit;
  };

  QString path_;
  QString languageId_;
  qint64 version_;
  editor::Snapshot text_;
  QJsonArray changes_;
  QQueue<Told> told_;
  QQueue<Edit> edits_;
};

}  // namespace waferpair::workbench
