// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tasks/deciding_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>

#include "editor/text/guest_file.h"
#include "workbench/tasks/build_systems.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostMakefiles = 32;
constexpr qint64 kLargestHashed = 4 << 20;  // bytes

// The value of an option in its forms "-C value", "-Cvalue" and "--directory value"; an equals sign
// divides words, too. Empty: words[at] is no such option.
QString optionValue(const QStringList& words, qsizetype at, QLatin1String letter,
                    std::initializer_list<QLatin1String> names) {
  const QString& word = words[at];
  const bool isNamed = word == letter || std::find(names.begin(), names.end(), word) != names.end();
  if (isNamed) return words.value(at + 1);
  return word.startsWith(letter) ? word.sliced(letter.size()) : QString();
}

// Of a makefile the names behind "include" that stand there as they are. What "-include" names need
// not be there, and is mostly what a build writes.
QStringList includedBy(const QByteArray& makefile) {
  static const QRegularExpression line(QStringLiteral("^ *include[ \\t]+([^#\\r\\n]+)"),
                                       QRegularExpression::MultilineOption);
  static const QRegularExpression blanks(QStringLiteral("\\s+"));
  static const QRegularExpression worked(QStringLiteral("[$*?\\[\\\\]"));
  QStringList names;
  auto match = line.globalMatch(QString::fromUtf8(makefile));
  while (match.hasNext())
    for (const QString& name : match.next().captured(1).split(blanks, Qt::SkipEmptyParts))
      if (!name.contains(worked)) names.append(name);
  return names;
}

}  // namespace

QString makefileIn(const QString& folder) {
  for (const char* name : {"GNUmakefile", "makefile", "Makefile"})
    if (const QString path = folder + u'/' + QLatin1String(name); QFileInfo::exists(path))
      return path;
  return {};
}

QStringList makefilesOf(const QStringList& words, const QString& folder) {
  QString there = folder;
  QStringList files;
  for (qsizetype at = 0; at < words.size(); ++at) {
    if (const QString to =
            optionValue(words, at, QLatin1String("-C"), {QLatin1String("--directory")});
        !to.isEmpty())
      there = QDir::cleanPath(QDir(there).absoluteFilePath(to));
    if (const QString file = optionValue(words, at, QLatin1String("-f"),
                                         {QLatin1String("--file"), QLatin1String("--makefile")});
        !file.isEmpty())
      files.append(file);
  }
  if (files.isEmpty()) files.append(makefileIn(there));
  QStringList found;
  for (qsizetype at = 0; at < files.size() && found.size() < kMostMakefiles; ++at) {
    const QString path = QDir::cleanPath(QDir(there).absoluteFilePath(files[at]));
    if (files[at].isEmpty() || found.contains(path) || !QFileInfo::exists(path)) continue;
    found.append(path);
    files += includedBy(bytesOfFile(path));
  }
  return found;
}

QString contentMark(const QString& path) {
  const auto bytes = editor::readGuestFile(path, kLargestHashed);
  if (!bytes || !*bytes) return {};
  const QByteArray hash = QCryptographicHash::hash(**bytes, QCryptographicHash::Sha256).toHex();
  return QStringLiteral("sha256 %1, %2 bytes")
      .arg(QString::fromLatin1(hash), QLocale(QLocale::English).toString((*bytes)->size()));
}

}  // namespace waferpair::workbench
