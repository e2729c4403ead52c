// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/index_text.h"

#include "editor/text/path_bytes.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"

namespace waferpair::workbench {

editor::Result<QByteArray> writeIndexText(const GitFile& file, const editor::Snapshot& text,
                                          editor::Encoding encoding, const GitJob& job) {
  const auto bytes = editor::encodeText(text.toByteArray(), encoding);
  if (!bytes) return tl::unexpected(bytes.error());
  const auto blob = job.call(file.workFolder,
                             {QStringLiteral("hash-object"), QStringLiteral("-w"),
                              QStringLiteral("--stdin"), QStringLiteral("--no-filters")},
                             *bytes);
  if (!blob) return blob;
  // Somebody else may have staged meanwhile.
  const auto now = GitFileReader().read(file.workFolder + u'/' + file.path, encoding, &file);
  if (!now) return tl::unexpected(now.error());
  if (!now->isSameVersion(file))
    return editor::fail(
        translate("Git's version of %1 is another one by now.").arg(editor::shownPath(file.path)),
        translate("Look at the changes again."));
  const QByteArray entry = QByteArray::number(file.mode, 8) + ' ' + blob->trimmed() + '\t' +
                           editor::pathBytes(file.path) + '\0';
  return job.call(file.workFolder,
                  {QStringLiteral("update-index"), QStringLiteral("--add"), QStringLiteral("-z"),
                   QStringLiteral("--index-info")},
                  entry);
}

}  // namespace waferpair::workbench
