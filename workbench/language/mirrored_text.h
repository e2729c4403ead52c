// SPDX-License-Identifier: GPL-3.0-or-later
// One open text as a server has it: what of it is still to be told, and where places of versions
// that were told are by now. It holds a few times the text at most, however much is edited and
// however long nobody takes it. UI thread only.
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
  // Bytes that edits may have inserted and still be remembered, or told one by one.
  static constexpr qint64 kMostEditBytes = qint64{16} << 20;

  MirroredText(const editor::SyncedDocument& document, QString languageId);

  const QString& path() const { return path_; }
  qint64 version() const { return version_; }
  const editor::Snapshot& text() const { return text_; }
  const QString& languageId() const { return languageId_; }

  // It was edited: `document` is as it is after that.
  void follow(const editor::SyncedDocument& document, const QVector<editor::TextEdit>& edits,
              ColumnUnit unit);
  // The same while no server runs that could be told: the next one is told the text as it is then,
  // and what was told to the last one is forgotten.
  void follow(const editor::SyncedDocument& document);
  bool hasChanges() const { return isWhole_ || !changes_.isEmpty(); }
  // Returns what happened since the last call, as didChange has it; it counts as told. More than
  // kMostEdits or kMostEditBytes are the text as a whole.
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
  void forgetEdit();

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
  qint64 changeBytes_ = 0;  // that these insert
  bool isWhole_ = false;    // there were too many: all of the text is to be told
  QQueue<Told> told_;
  QQueue<Edit> edits_;
  qint64 editBytes_ = 0;   // that these insert
  qint64 forgotten_ = -1;  // the version of the latest edit that is not among them any more
};

}  // namespace waferpair::workbench
