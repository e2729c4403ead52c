// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/odd_signs.h"

#include <QFileInfo>
#include <QRegularExpression>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {
namespace {

// Texts in which entities and printed quotes have a place beside code.
bool mayHoldProse(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  for (const char* each : {"js", "jsx", "cjs", "mjs", "ts", "tsx", "cts", "mts", "php", "json"})
    if (suffix == QLatin1String(each)) return true;
  return false;
}
bool isProse(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (suffix.isEmpty()) return QFileInfo(path).fileName().startsWith(u"README");
  for (const char* each : {"md", "markdown", "mdx", "rst", "txt", "adoc", "html", "htm", "xml",
                           "svg", "tex", "vue", "svelte", "erb", "twig", "j2", "hbs"})
    if (suffix == QLatin1String(each)) return true;
  return false;
}

// The code of a text, without its strings and comments, each token behind a blank.
QString codeOf(const QByteArray& text, const LanguageFamily& family) {
  const CodeText code(text, family);
  QByteArray all;
  quint32 end = 0;
  for (const Token& token : code.tokens()) {
    if (token.region != Region::kCode) continue;
    if (token.start != end) all += ' ';
    all += code.view(token).toByteArray();
    end = token.end();
  }
  return QString::fromUtf8(all);
}

}  // namespace

bool showsEntities(const QByteArray& text, const QString& path) {
  static const QRegularExpression any(QStringLiteral("&(?:lt|gt|amp);"));
  static const QRegularExpression operators(
      QStringLiteral("[=-]&gt;|&amp;&amp;|[\\w)] &[lg]t;=? [\\w(]|&[lg]t;="));
  const LanguageFamily& family = familyOfFile(path);
  const bool isCode = family.pairs || family.tripleQuotes;
  const bool isRuby = path.endsWith(QLatin1String(".rb"));
  if (!isCode && !isRuby && !family.shell) return false;
  return codeOf(text, family).contains(mayHoldProse(path) ? operators : any);
}

bool showsPrintedSigns(const QByteArray& text, const QString& path) {
  if (isProse(path)) return false;
  static const QRegularExpression blanks(QStringLiteral("\u00a0=\u00a0"));
  if (QString::fromUtf8(text).contains(blanks)) return true;
  static const QRegularExpression any(QStringLiteral("[\u2018\u2019\u201c\u201d\u00a0]"));
  static const QRegularExpression opens(
      QStringLiteral("(?:[(=,\\[:>]|\\breturn)\\s*[\u2018\u2019\u201c\u201d]"));
  const LanguageFamily& family = familyOfFile(path);
  if (!family.pairs && !family.tripleQuotes && !family.shell) return false;
  return codeOf(text, family).contains(mayHoldProse(path) ? opens : any);
}

}  // namespace waferpair::pairing
