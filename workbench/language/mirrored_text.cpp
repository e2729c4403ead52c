// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/mirrored_text.h"

#include <algorithm>
#include <utility>

#include "editor/text/anchor.h"

namespace waferpair::workbench {

using editor::Snapshot;
using editor::TextEdit;

MirroredText::MirroredText(const editor::SyncedDocument& document, QString languageId)
    : path_(document.id),
      languageId_(std::move(languageId)),
      version_(document.version),
      text_(document.text) {
  told_.enqueue({version_, text_});
}

void MirroredText::follow(const editor::SyncedDocument& document, const QVector<TextEdit>& edits,
                          ColumnUnit unit) {
  for (const TextEdit& edit : edits) {
    changeBytes_ += edit.text.size();
    isWhole_ = isWhole_ || changes_.size() == kMostEdits || changeBytes_ > kMostEditBytes;
    if (isWhole_) {
      changes_ = {};
    } else {
      changes_.append(QJsonObject{
          {QStringLiteral("range"), protocolRange(text_, edit.start, edit.end, unit)},
          {QStringLiteral("text"), QString::fromUtf8(edit.text)},
      });
      text_ = text_.edited(edit);
    }
    edits_.enqueue({document.version, edit});
    editBytes_ += edit.text.size();
    while (edits_.size() > kMostEdits || editBytes_ > kMostEditBytes) forgetEdit();
  }
  text_ = document.text;
  version_ = document.version;
}

void MirroredText::follow(const editor::SyncedDocument& document) {
  text_ = document.text;
  version_ = document.version;
  changes_ = {};
  changeBytes_ = 0;
  isWhole_ = false;
  edits_.clear();
  editBytes_ = 0;
  forgotten_ = version_;
  told_ = {};
  told_.enqueue({version_, text_});
}

// Places of versions before a forgotten edit cannot be followed any more.
void MirroredText::forgetEdit() {
  const Edit forgotten = edits_.dequeue();
  editBytes_ -= forgotten.edit.text.size();
  forgotten_ = forgotten.version;
  while (told_.size() > 1 && told_.head().version < forgotten.version) told_.dequeue();
}

QJsonArray MirroredText::takeChanges() {
  told_.enqueue({version_, text_});
  if (told_.size() > kMostVersions) told_.dequeue();
  changeBytes_ = 0;
  if (std::exchange(isWhole_, false))
    return {QJsonObject{{QStringLiteral("text"), QString::fromUtf8(text_.toByteArray())}}};
  return std::exchange(changes_, {});
}

std::optional<Snapshot> MirroredText::textOf(qint64 version) const {
  const auto found = std::find_if(told_.rbegin(), told_.rend(),
                                  [&](const Told& told) { return told.version == version; });
  return found == told_.rend() ? std::nullopt : std::optional(found->text);
}

ByteRange MirroredText::now(ByteRange range, qint64 version) const {
  auto anchored = editor::AnchoredRange::fixed(range.start, range.end);
  for (const Edit& edit : edits_)
    if (edit.version > version) anchored.follow(edit.edit);
  return {anchored.start(), anchored.end()};
}

std::optional<QVector<editor::TextEdit>> MirroredText::editsSince(qint64 version) const {
  if (version < forgotten_ || !textOf(version)) return std::nullopt;
  QVector<editor::TextEdit> edits;
  for (const Edit& edit : edits_)
    if (edit.version > version) edits.append(edit.edit);
  return edits;
}

}  // namespace waferpair::workbench
