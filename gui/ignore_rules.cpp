// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/ignore_rules.h"

#include <QFile>
#include <QVarLengthArray>

namespace waferpair::gui {
namespace {

constexpr qint64 kLargestFile = 1024 * 1024;

// Does pattern[p] (one character or a [set]) match `c`? `next` is the index behind it.
bool matchOne(QStringView pattern, qsizetype p, QChar c, qsizetype& next) {
  next = p + 1;
  switch (pattern[p].unicode()) {
    case '?':
      return c != u'/';
    case '\\':
      if (next < pattern.size()) return pattern[next++] == c;
      return c == u'\\';
    case '[': {
      // A ']' right after the opening (or the '!') is a member.
      qsizetype i = p + 1;
      const bool negated = i < pattern.size() && (pattern[i] == u'!' || pattern[i] == u'^');
      if (negated) ++i;
      bool found = false;
      for (bool first = true; i < pattern.size() && (first || pattern[i] != u']'); first = false) {
        const QChar low = pattern[i++];
        QChar high = low;
        if (i + 1 < pattern.size() && pattern[i] == u'-' && pattern[i + 1] != u']') {
          high = pattern[i + 1];
          i += 2;
        }
        found = found || (low <= c && c <= high);
      }
      if (i >= pattern.size()) return c == u'[';  // never closed: an ordinary bracket
      next = i + 1;
      return found != negated && c != u'/';
    }
    default:
      return pattern[p] == c;
  }
}

}  // namespace

bool globMatches(QStringView pattern, QStringView path) {
  // On a mismatch only the last star of each kind needs another try: what an earlier one could take
  // over, the later one of the same reach can take as well.
  struct Retry {
    qsizetype pattern = -1;
    qsizetype path = 0;
  } star, deepStar;
  qsizetype p = 0;
  qsizetype t = 0;
  while (true) {
    if (p < pattern.size() && pattern[p] == u'*') {
      const bool deep = p + 1 < pattern.size() && pattern[p + 1] == u'*';
      while (p < pattern.size() && pattern[p] == u'*') ++p;
      if (deep && p < pattern.size() && pattern[p] == u'/') {
        // "**/" also stands for no folder at all, and ends only at folder borders.
        ++p;
      }
      (deep ? deepStar : star) = {p, t};
      if (deep) star = {};
      continue;
    }
    if (t == path.size()) {
      return p == pattern.size();
    }
    qsizetype next = 0;
    if (p < pattern.size() && matchOne(pattern, p, path[t], next)) {
      p = next;
      ++t;
      continue;
    }
    if (star.pattern >= 0 && path[star.path] != u'/') {
      p = star.pattern;
      t = ++star.path;
      continue;
    }
    if (deepStar.pattern < 0) return false;
    const bool atBorders = pattern[deepStar.pattern - 1] == u'/';
    do {
      ++deepStar.path;
    } while (atBorders && deepStar.path <= path.size() && path[deepStar.path - 1] != u'/');
    if (deepStar.path > path.size()) return false;
    star = {};
    p = deepStar.pattern;
    t = deepStar.path;
  }
}

void IgnoreRules::add(const QString& folder, const QString& text) {
  const QString base = folder.isEmpty() ? QString() : folder + u'/';
  for (QStringView line : QStringView(text).split(u'\n')) {
    if (line.endsWith(u'\r')) line.chop(1);
    while (line.endsWith(u' ') && !line.endsWith(u"\\ ")) line.chop(1);
    if (line.isEmpty() || line.startsWith(u'#')) continue;
    Rule rule{base, {}, false, false, line.startsWith(u'!')};
    if (rule.lets) line = line.mid(1);
    if (line.endsWith(u'/')) {
      rule.foldersOnly = true;
      line.chop(1);
    }
    rule.anchored = line.contains(u'/');
    if (line.startsWith(u'/')) line = line.mid(1);
    if (line.isEmpty()) continue;
    rule.pattern = line.toString();
    rules_.append(rule);
  }
}

void IgnoreRules::addFile(const QString& folder, const QString& directory) {
  QFile file(directory + QStringLiteral("/.gitignore"));
  if (file.size() > kLargestFile || !file.open(QIODevice::ReadOnly)) return;
  add(folder, QString::fromUtf8(file.readAll()));
}

bool IgnoreRules::isIgnored(QStringView path, bool isFolder) const {
  const QStringView name = path.mid(path.lastIndexOf(u'/') + 1);
  if (isFolder && (name == u".git" || name == u".hg" || name == u".svn")) return true;
  for (auto rule = rules_.crbegin(); rule != rules_.crend(); ++rule) {
    if (rule->foldersOnly && !isFolder) continue;
    if (!path.startsWith(rule->folder)) continue;
    const QStringView below = path.mid(rule->folder.size());
    if (globMatches(rule->pattern, rule->anchored ? below : name)) return !rule->lets;
  }
  return false;
}

}  // namespace waferpair::gui
