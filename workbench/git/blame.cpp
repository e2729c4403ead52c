// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/blame.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <algorithm>

#include "editor/text/path_bytes.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "workbench/git/git_call.h"
#include "workbench/git/git_file.h"
#include "workbench/git/repository.h"

namespace waferpair::workbench {
namespace {

bool isCommitName(QByteArrayView id) {
  return id.size() >= 40 && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// The file of commits that are passed over, which only tidied up (blame.ignoreRevsFile); empty:
// none is set, or it is no file.
QString ignoredCommits(const QString& workFolder) {
  const auto repository = openRepository(workFolder);
  git_config* made = nullptr;
  if (!repository || !*repository || git_repository_config_snapshot(&made, repository->get()) != 0)
    return {};
  const editor::GitOwner<git_config, git_config_free> config(made);
  git_buf named = GIT_BUF_INIT;
  if (git_config_get_path(&named, config.get(), "blame.ignorerevsfile") != 0) return {};
  const QFileInfo file(
      QDir(workFolder).absoluteFilePath(editor::pathText(QByteArrayView(named.ptr, named.size))));
  git_buf_dispose(&named);
  constexpr qint64 kMostBytes = 4 << 20;
  return file.isFile() && file.size() <= kMostBytes ? file.absoluteFilePath() : QString();
}

}  // namespace

QVector<BlamedLine> readBlame(const QByteArray& porcelain) {
  QVector<BlamedLine> lines;
  QHash<QByteArray, BlamedLine> known;  // a commit is described where it comes first
  QByteArray current;
  for (qsizetype at = 0; at < porcelain.size();) {
    qsizetype end = porcelain.indexOf('\n', at);
    if (end < 0) end = porcelain.size();
    const QByteArray line = porcelain.mid(at, end - at);
    at = end + 1;
    if (line.startsWith('\t')) {
      if (!current.isEmpty()) lines.append(known.value(current));
      current.clear();
      continue;
    }
    const qsizetype blank = line.indexOf(' ');
    const QByteArray word = line.left(std::max<qsizetype>(0, blank));
    const QByteArray rest = line.mid(blank + 1);
    if (current.isEmpty()) {
      if (!isCommitName(word)) continue;
      current = word;
      const bool isCommitted = word.count('0') < word.size();
      known[current].commit = isCommitted ? word : QByteArray();
    } else if (word == "author") {
      known[current].author = QString::fromUtf8(rest);
    } else if (word == "author-time") {
      known[current].when = rest.toLongLong();
    } else if (word == "summary") {
      known[current].subject = QString::fromUtf8(rest);
    }
  }
  return lines;
}

editor::Result<QVector<BlamedLine>> blame(const BlameWish& wish,
                                          const std::atomic<bool>& cancelled) {
  const auto place = fileInRepository(wish.path);
  if (!place) return tl::unexpected(place.error());
  GitFileReader reader;
  const auto file = reader.read(wish.path, wish.encoding);
  if (!file) return tl::unexpected(file.error());
  if (file->state == GitFile::State::kConverted)
    return editor::fail(
        translate("A program converts %1 for git (.gitattributes), so who changed its lines is "
                  "not known here.")
            .arg(file->path));
  const auto clean = reader.clean(*file, wish.text, wish.encoding);
  if (!clean) return tl::unexpected(clean.error());
  const auto bytes = editor::encodeText(clean->toByteArray(), wish.encoding);
  if (!bytes) return tl::unexpected(bytes.error());
  QStringList arguments{QStringLiteral("blame"), QStringLiteral("--porcelain"),
                        QStringLiteral("--no-textconv")};
  if (wish.line > 0) arguments += {QStringLiteral("-L"), QStringLiteral("%1,%1").arg(wish.line)};
  if (const QString ignored = ignoredCommits(place->workFolder); !ignored.isEmpty())
    arguments += {QStringLiteral("--ignore-revs-file"), ignored};
  arguments +=
      {QStringLiteral("--contents"), QStringLiteral("-"), QStringLiteral("--"), place->path};
  const auto porcelain = readWithGit({place->workFolder, arguments, *bytes}, cancelled);
  if (!porcelain) return tl::unexpected(porcelain.error());
  return readBlame(*porcelain);
}

}  // namespace waferpair::workbench
