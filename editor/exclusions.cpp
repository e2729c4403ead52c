// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/exclusions.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace waferpair::editor {

using namespace Qt::StringLiterals;

namespace {

constexpr char kIgnoreFile[] = ".waferpairignore";
// A pattern file is short; whatever is longer is something else and must not cost time on start.
constexpr qint64 kLongestIgnoreFile = 1 << 20;

QString translate(const char* text) { return QCoreApplication::translate("Exclusions", text); }

// "[...]" from `at` on as a regular expression class; an empty result when it is not closed.
QString bracketClass(const QString& glob, qsizetype* at) {
  qsizetype i = *at + 1;
  const bool negated = i < glob.size() && (glob[i] == u'!' || glob[i] == u'^');
  if (negated) ++i;
  QString members;
  bool first = true;
  for (; i < glob.size(); ++i, first = false) {
    const QChar c = glob[i];
    if (c == u']' && !first) {
      *at = i;
      // A class never matches the separator.
      return u"(?!/)["_s + (negated ? u"^"_s : QString()) + members + u']';
    }
    if (c == u'\\' && i + 1 < glob.size()) {
      members += u'\\';
      members += glob[++i];
    } else if (c == u'[' || c == u']' || c == u'\\' || c == u'^' || c == u'&') {
      members += u'\\';
      members += c;
    } else {
      members += c;
    }
  }
  return {};
}

// A gitignore pattern, without "!" and without a slash at its end, as a regular expression.
QString globToRegex(const QString& glob) {
  QString regex;
  for (qsizetype i = 0; i < glob.size(); ++i) {
    const QChar c = glob[i];
    if (c == u'*') {
      const bool two = i + 1 < glob.size() && glob[i + 1] == u'*';
      const bool atStart = i == 0 || glob[i - 1] == u'/';
      const bool atEnd = i + 2 >= glob.size();
      if (two && atStart && atEnd) {
        regex += u".+"_s;  // "a/**": everything inside
        ++i;
      } else if (two && atStart && glob[i + 2] == u'/') {
        regex += u"(?:.*/)?"_s;  // "**/a", "a/**/b": any number of folders
        i += 2;
      } else {
        regex += u"[^/]*"_s;
      }
    } else if (c == u'?') {
      regex += u"[^/]"_s;
    } else if (c == u'[') {
      qsizetype end = i;
      const QString members = bracketClass(glob, &end);
      regex += members.isEmpty() ? u"\\["_s : members;
      i = end;
    } else if (c == u'\\' && i + 1 < glob.size()) {
      regex += QRegularExpression::escape(QString(glob[++i]));
    } else {
      regex += QRegularExpression::escape(QString(c));
    }
  }
  return regex;
}

}  // namespace

Exclusions::Exclusions() {
  for (const QString& glob : secretPatterns()) {
    const QRegularExpression regex(QRegularExpression::anchoredPattern(globToRegex(glob)),
                                   QRegularExpression::CaseInsensitiveOption);
    secrets_.append({.regex = regex, .source = glob});
  }
}

Exclusions::Exclusions(const QString& projectRoot) : Exclusions() {
  root_ = QDir::cleanPath(projectRoot);
  QFile file(root_ + u'/' + QLatin1String(kIgnoreFile));
  if (!file.open(QIODevice::ReadOnly)) return;
  const QString text = QString::fromUtf8(file.read(kLongestIgnoreFile));
  for (const QString& line : text.split(u'\n')) {
    Pattern pattern;
    if (parse(line, &pattern)) patterns_.append(pattern);
  }
}

QStringList Exclusions::secretPatterns() {
  return {u".env*"_s, u"*.pem"_s, u"*.key"_s, u"id_rsa*"_s, u".netrc"_s, u"*.kdbx"_s, u"*.crt"_s};
}

// False for an empty line, a comment and a pattern that makes no sense.
bool Exclusions::parse(const QString& line, Pattern* pattern) {
  QString glob = line;
  if (glob.endsWith(u'\r')) glob.chop(1);
  if (glob.startsWith(u'#')) return false;
  // Blanks at the end do not count unless escaped.
  while (glob.endsWith(u' ') && !glob.endsWith(u"\\ "_s)) glob.chop(1);
  pattern->source = glob;
  if (glob.startsWith(u'!')) {
    pattern->negated = true;
    glob.remove(0, 1);
  }
  if (glob.endsWith(u'/')) {
    pattern->directoryOnly = true;
    glob.chop(1);
  }
  // A slash at the start or inside ties the pattern to the root.
  const bool anchored = glob.contains(u'/');
  if (glob.startsWith(u'/')) glob.remove(0, 1);
  if (glob.isEmpty()) return false;
  const QString prefix = anchored ? QString() : u"(?:.*/)?"_s;
  pattern->regex.setPattern(QRegularExpression::anchoredPattern(prefix + globToRegex(glob)));
  return pattern->regex.isValid();
}

QString Exclusions::reason(const QString& path) const {
  const QString name = reasonFor(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
  if (!name.isEmpty()) return name;
  const QString target = QFileInfo(path).canonicalFilePath();
  return target.isEmpty() ? QString() : reasonFor(target);
}

QString Exclusions::reasonFor(const QString& path) const {
  const QString name = QFileInfo(path).fileName();
  for (const Pattern& secret : secrets_) {
    if (secret.regex.match(name).hasMatch())
      return translate("files named %1 are never shown to the model").arg(secret.source);
  }
  if (root_.isEmpty()) return {};
  // The project may be opened through a link: compare like with like.
  for (const QString& root : {root_, QFileInfo(root_).canonicalFilePath()}) {
    if (!root.isEmpty() && path.startsWith(root + u'/'))
      return projectReason(path.mid(root.size() + 1));
  }
  return {};
}

// As in git: the last pattern that matches decides, and what is in an excluded folder stays out.
QString Exclusions::projectReason(const QString& relative) const {
  for (qsizetype slash = relative.indexOf(u'/');; slash = relative.indexOf(u'/', slash + 1)) {
    const bool folder = slash >= 0;
    const QString part = folder ? relative.left(slash) : relative;
    const Pattern* last = nullptr;
    for (const Pattern& pattern : patterns_) {
      if (pattern.directoryOnly && !folder) continue;
      if (pattern.regex.match(part).hasMatch()) last = &pattern;
    }
    if (last != nullptr && !last->negated) {
      return translate("excluded by “%1” in %2").arg(last->source, QLatin1String(kIgnoreFile));
    }
    if (!folder) return {};
  }
}

}  // namespace waferpair::editor
