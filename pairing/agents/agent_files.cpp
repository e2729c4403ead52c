// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/agent_files.h"

#include <QDir>
#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/changes/change_set.h"
#include "pairing/changes/project_path.h"

namespace waferpair::pairing {

void AgentFiles::beginTurn(const Before& before) {
  before_ = before;
  given_.clear();
}

editor::Result<AgentFiles::Place> AgentFiles::look(const QString& path) {
  if (!QDir::isAbsolutePath(path))
    return editor::fail(translate("%1 is no absolute path.").arg(path));
  const auto relative = pathInProject(root_, path);
  if (!relative) return tl::unexpected(relative.error());
  const QString absolute = root_ + u'/' + *relative;
  const auto now = texts_->read(absolute);
  if (!now) return tl::unexpected(now.error());
  const auto may = mayPropose(root_, *relative, *now);
  if (!may) return tl::unexpected(may.error());
  return Place{*relative, absolute, *now};
}

editor::Result<FileText> AgentFiles::read(const QString& path) {
  const auto place = look(path);
  if (!place) return tl::unexpected(place.error());
  if (place->now.text.size() > kMostBytes)
    return editor::fail(translate("%1 is larger than %2 MiB.").arg(path).arg(kMostBytes >> 20));
  given_[place->relative] = place->now;
  return place->now;
}

editor::Result<void> AgentFiles::write(const QString& path, const QString& text) {
  const auto place = look(path);
  if (!place) return tl::unexpected(place.error());
  const QByteArray utf8 = text.toUtf8();
  if (utf8.size() > kMostBytes)
    return editor::fail(
        translate("%1 would be larger than %2 MiB.").arg(path).arg(kMostBytes >> 20));
  const FileText base = given_.contains(place->relative) ? given_.value(place->relative)
                        : before_                        ? before_(place->relative)
                                                         : place->now;
  const FileText wanted = place->now.holding(editor::Snapshot(utf8));
  const auto merged = carried(place->relative, base, wanted, place->now);
  if (!merged) return tl::unexpected(merged.error());
  if (!merged->says(place->now)) {
    const auto written = texts_->write(place->absolute, *merged);
    if (!written) return written;
  }
  given_[place->relative] = wanted;
  return {};
}

QString linesOf(const FileText& text, qint64 first, qint64 limit) {
  const editor::Snapshot& all = text.text;
  const qint64 from = std::max<qint64>(first - 1, 0);
  const qint64 rest = all.lineCount() - std::min(from, all.lineCount());
  const qint64 end = limit < 0 || limit >= rest ? all.size() : all.lineStart(from + limit);
  return QString::fromUtf8(all.slice(all.lineStart(from), end));
}

}  // namespace waferpair::pairing
