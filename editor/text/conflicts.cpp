// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/conflicts.h"

#include <algorithm>
#include <optional>

#include "editor/text/libgit2.h"
#include "editor/text/line_ends.h"

namespace waferpair::editor {

namespace {

constexpr qsizetype kMarkerLength = 7;

// The line begins with seven of `sign`, and a blank or nothing follows.
bool isMarker(QByteArrayView line, char sign) {
  if (line.size() < kMarkerLength) return false;
  for (qsizetype i = 0; i < kMarkerLength; ++i)
    if (line[i] != sign) return false;
  return line.size() == kMarkerLength || line[kMarkerLength] == ' ';
}

QString nameIn(QByteArrayView marker) {
  return QString::fromUtf8(marker.sliced(kMarkerLength)).trimmed();
}

enum class Part { kNone, kOurs, kBase, kTheirs };

}  // namespace

QVector<Conflict> conflictsIn(const QByteArray& text) {
  QVector<Conflict> conflicts;
  if (!text.contains("<<<<<<<")) return conflicts;
  Conflict at;
  Part part = Part::kNone;
  for (qsizetype start = 0; start < text.size();) {
    const qsizetype lf = text.indexOf('\n', start);
    const qsizetype end = lf < 0 ? text.size() : lf + 1;
    QByteArrayView line = QByteArrayView(text).sliced(start, (lf < 0 ? end : lf) - start);
    if (line.endsWith('\r')) line.chop(1);
    if (isMarker(line, '<')) {
      // One that begins within another: the first was none.
      at = {};
      at.whole.start = start;
      at.ours = {end, end};
      at.oursName = nameIn(line);
      part = Part::kOurs;
    } else if (part == Part::kOurs && isMarker(line, '|')) {
      at.ours.end = start;
      at.base = ByteRange{end, end};
      part = Part::kBase;
    } else if ((part == Part::kOurs || part == Part::kBase) && isMarker(line, '=')) {
      (part == Part::kOurs ? at.ours : *at.base).end = start;
      at.theirs = {end, end};
      part = Part::kTheirs;
    } else if (part == Part::kTheirs && isMarker(line, '>')) {
      at.theirs.end = start;
      at.theirsName = nameIn(line);
      at.whole.end = end;
      conflicts.append(at);
      part = Part::kNone;
    }
    start = end;
  }
  return conflicts;
}

TextEdit resolve(const Conflict& conflict, Resolution resolution, const Snapshot& text) {
  QByteArray lines;
  if (resolution != Resolution::kTheirs)
    lines += text.slice(conflict.ours.start, conflict.ours.end);
  if (resolution != Resolution::kOurs)
    lines += text.slice(conflict.theirs.start, conflict.theirs.end);
  return {conflict.whole.start, conflict.whole.end, lines};
}

std::optional<MarkedMerge> markedMerge(const Snapshot& base, const Snapshot& ours,
                                       const Snapshot& theirs, const QString& oursName,
                                       const QString& theirsName) {
  setUpLibgit2();
  QByteArray texts[] = {base.toByteArray(), ours.toByteArray(), theirs.toByteArray()};
  // Line ends are no difference; what comes of it has those of `ours`.
  const bool hasOthers = std::any_of(std::begin(texts), std::end(texts),
                                     [](const QByteArray& text) { return text.contains('\r'); });
  if (hasOthers)
    for (QByteArray& text : texts) text = withLf(text);
  git_merge_file_input inputs[3];
  for (int i = 0; i < 3; ++i) {
    git_merge_file_input_init(&inputs[i], GIT_MERGE_FILE_INPUT_VERSION);
    inputs[i].ptr = texts[i].constData();
    inputs[i].size = static_cast<size_t>(texts[i].size());
  }
  git_merge_file_options options;
  git_merge_file_options_init(&options, GIT_MERGE_FILE_OPTIONS_VERSION);
  const QByteArray names[] = {oursName.toUtf8(), theirsName.toUtf8()};
  options.our_label = names[0].constData();
  options.their_label = names[1].constData();
  git_merge_file_result result{};
  if (git_merge_file(&result, &inputs[0], &inputs[1], &inputs[2], &options) != 0)
    return std::nullopt;
  MarkedMerge merged{Snapshot(QByteArrayView(result.ptr, static_cast<qsizetype>(result.len))),
                     result.automergeable != 0};
  if (hasOthers) merged.text = withLineEndsOf(ours, merged.text);
  git_merge_file_result_free(&result);
  return merged;
}

}  // namespace waferpair::editor
