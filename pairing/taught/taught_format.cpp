// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/taught/taught_format.h"

#include <QRegularExpression>
#include <algorithm>

namespace waferpair::pairing {

const TaughtFormat* taughtFormat(const QStringList& names) {
  // "sweep-next-edit-1.5b.q8_0.v2.gguf", "Sweep Next Edit V2 7B"
  static const QRegularExpression sweep(QStringLiteral("sweep.{0,3}next.?edit"),
                                        QRegularExpression::CaseInsensitiveOption);
  // "zeta-2.1-i1-GGUF", "zeta2", "zed-industries_zeta-Q4_K_M.gguf"; not "theta" and "zetasql".
  static const QRegularExpression zeta(
      QStringLiteral("(?<![a-z0-9])zeta(?![a-z])(?:[-_ .]?(\\d(?:\\.\\d)?)(?![0-9]*b))?"),
      QRegularExpression::CaseInsensitiveOption);
  for (const QString& name : names) {
    if (name.contains(sweep)) return &sweepFormat();
    const QRegularExpressionMatch match = zeta.match(name);
    if (!match.hasMatch()) continue;
    const QString version = match.captured(1);
    if (version == u"2.1") return &zeta21Format();
    if (version == u"2" || version == u"2.0") return &zeta2Format();
    if (version.isEmpty() || version == u"1" || version == u"1.0") return &zetaFormat();
    // A later one than is known here.
  }
  return nullptr;
}

std::vector<AnsweredLine> answeredLines(QByteArrayView text, bool isOver, qsizetype from) {
  std::vector<AnsweredLine> lines;
  qsizetype at = 0;
  for (qsizetype end; (end = text.indexOf('\n', at)) >= 0; at = end + 1) {
    qsizetype size = end - at;
    if (size > 0 && text[end - 1] == '\r') --size;
    lines.push_back({text.sliced(at, size).toByteArray(), from + end + 1});
  }
  if (isOver && at < text.size())
    lines.push_back({text.sliced(at).toByteArray(), from + text.size()});
  return lines;
}

bool holdsAny(const EditQuestion& question, const QByteArrayList& marks) {
  const auto holds = [&](const QByteArray& line) {
    return std::any_of(marks.begin(), marks.end(),
                       [&](const QByteArray& mark) { return line.contains(mark); });
  };
  const auto anyHolds = [&](const QByteArrayList& lines) {
    return std::any_of(lines.begin(), lines.end(), holds);
  };
  const auto isPath = [&](const QString& path) {
    return !path.contains(u'\n') && !holds(path.toUtf8());
  };
  if (!isPath(question.path) || anyHolds(question.lines)) return true;
  return std::any_of(question.edits.begin(), question.edits.end(), [&](const PastEdit& edit) {
    return !isPath(edit.path) || anyHolds(edit.before) || anyHolds(edit.after) ||
           anyHolds(edit.above) || anyHolds(edit.below);
  });
}

int tokensFor(qsizetype bytes) {
  constexpr int kLeast = 128, kMost = 1024;
  return static_cast<int>(std::clamp<qsizetype>(kLeast + bytes / 2, kLeast, kMost));
}

}  // namespace waferpair::pairing
