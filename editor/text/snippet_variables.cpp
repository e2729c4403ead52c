// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/snippet_variables.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QLocale>
#include <QRandomGenerator>
#include <QUuid>
#include <cstdlib>

namespace waferpair::editor {

namespace {

using Value = QString (*)(const SnippetSite&);

QString formattedTime(const SnippetSite& site, const char* format) {
  return QLocale::c().toString(site.now, QLatin1String(format));
}

QString offsetFromUtc(const SnippetSite& site) {
  const int minutes = site.now.offsetFromUtc() / 60;
  return QStringLiteral("%1%2:%3")
      .arg(QLatin1Char(minutes < 0 ? '-' : '+'))
      .arg(std::abs(minutes) / 60, 2, 10, QLatin1Char('0'))
      .arg(std::abs(minutes) % 60, 2, 10, QLatin1Char('0'));
}

QString randomDigits(int base) {
  constexpr int kDigits = 6;
  const quint32 most = base == 16 ? 0x1000000 : 1000000;
  const quint32 number = QRandomGenerator::global()->bounded(most);
  return QStringLiteral("%1").arg(number, kDigits, base, QLatin1Char('0'));
}

QString fileName(const SnippetSite& site) { return QFileInfo(site.path).fileName(); }

QString relativePath(const SnippetSite& site) {
  const bool isInside = !site.folder.isEmpty() && site.path.startsWith(site.folder + u'/');
  return isInside ? site.path.mid(site.folder.size() + 1) : site.path;
}

const QHash<QString, Value>& snippetVariables() {
  using Site = SnippetSite;
  static const QHash<QString, Value> kVariables = {
      {QStringLiteral("TM_SELECTED_TEXT"), [](const Site& site) { return site.selected; }},
      {QStringLiteral("TM_CURRENT_LINE"), [](const Site& site) { return site.line; }},
      {QStringLiteral("TM_CURRENT_WORD"), [](const Site& site) { return site.word; }},
      {QStringLiteral("TM_LINE_INDEX"),
       [](const Site& site) { return QString::number(site.lineIndex); }},
      {QStringLiteral("TM_LINE_NUMBER"),
       [](const Site& site) { return QString::number(site.lineIndex + 1); }},
      {QStringLiteral("TM_FILENAME"), fileName},
      {QStringLiteral("TM_FILENAME_BASE"),
       [](const Site& site) {
         const QString name = fileName(site);
         const qsizetype dot = name.lastIndexOf(u'.');
         return dot > 0 ? name.left(dot) : name;
       }},
      {QStringLiteral("TM_DIRECTORY"),
       [](const Site& site) {
         return site.path.isEmpty() ? QString() : QFileInfo(site.path).path();
       }},
      {QStringLiteral("TM_FILEPATH"), [](const Site& site) { return site.path; }},
      {QStringLiteral("RELATIVE_FILEPATH"), relativePath},
      {QStringLiteral("WORKSPACE_NAME"),
       [](const Site& site) { return QDir(site.folder).dirName(); }},
      {QStringLiteral("WORKSPACE_FOLDER"), [](const Site& site) { return site.folder; }},
      {QStringLiteral("CLIPBOARD"), [](const Site& site) { return site.clipboard; }},
      {QStringLiteral("CURSOR_INDEX"), [](const Site&) { return QStringLiteral("0"); }},
      {QStringLiteral("CURSOR_NUMBER"), [](const Site&) { return QStringLiteral("1"); }},
      {QStringLiteral("LINE_COMMENT"), [](const Site& site) { return site.lineComment; }},
      {QStringLiteral("BLOCK_COMMENT_START"),
       [](const Site& site) { return site.blockCommentStart; }},
      {QStringLiteral("BLOCK_COMMENT_END"), [](const Site& site) { return site.blockCommentEnd; }},
      {QStringLiteral("CURRENT_YEAR"),
       [](const Site& site) { return formattedTime(site, "yyyy"); }},
      {QStringLiteral("CURRENT_YEAR_SHORT"),
       [](const Site& site) { return formattedTime(site, "yy"); }},
      {QStringLiteral("CURRENT_MONTH"), [](const Site& site) { return formattedTime(site, "MM"); }},
      {QStringLiteral("CURRENT_MONTH_NAME"),
       [](const Site& site) { return formattedTime(site, "MMMM"); }},
      {QStringLiteral("CURRENT_MONTH_NAME_SHORT"),
       [](const Site& site) { return formattedTime(site, "MMM"); }},
      {QStringLiteral("CURRENT_DATE"), [](const Site& site) { return formattedTime(site, "dd"); }},
      {QStringLiteral("CURRENT_DAY_NAME"),
       [](const Site& site) { return formattedTime(site, "dddd"); }},
      {QStringLiteral("CURRENT_DAY_NAME_SHORT"),
       [](const Site& site) { return formattedTime(site, "ddd"); }},
      {QStringLiteral("CURRENT_HOUR"), [](const Site& site) { return formattedTime(site, "HH"); }},
      {QStringLiteral("CURRENT_MINUTE"),
       [](const Site& site) { return formattedTime(site, "mm"); }},
      {QStringLiteral("CURRENT_SECOND"),
       [](const Site& site) { return formattedTime(site, "ss"); }},
      {QStringLiteral("CURRENT_SECONDS_UNIX"),
       [](const Site& site) { return QString::number(site.now.toSecsSinceEpoch()); }},
      {QStringLiteral("CURRENT_TIMEZONE_OFFSET"), offsetFromUtc},
      {QStringLiteral("RANDOM"), [](const Site&) { return randomDigits(10); }},
      {QStringLiteral("RANDOM_HEX"), [](const Site&) { return randomDigits(16); }},
      {QStringLiteral("UUID"),
       [](const Site&) { return QUuid::createUuid().toString(QUuid::WithoutBraces); }},
  };
  return kVariables;
}

}  // namespace

std::optional<QString> snippetVariable(const SnippetSite& site, const QString& name) {
  const Value value = snippetVariables().value(name);
  if (value == nullptr) return std::nullopt;
  return value(site);
}

}  // namespace waferpair::editor
