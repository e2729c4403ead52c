// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/testing/ctest_list.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "editor/text/guest_file.h"
#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

constexpr qint64 kMostOfLists = 4 << 20;    // bytes of a CMakeLists.txt
constexpr qint64 kMostOfBuild = 256 << 20;  // bytes of a build.ninja

QStringList stringsOf(const QJsonValue& list) {
  QStringList strings;
  for (const QJsonValue one : list.toArray())
    if (one.isString()) strings.append(one.toString());
  return strings;
}

}  // namespace

editor::Result<QVector<CTestEntry>> readCTestList(const QByteArray& json) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(json, &error);
  if (document.isNull())
    return editor::fail(
        translate("CTest's list of tests cannot be read: %1.").arg(error.errorString()),
        translate("CMake 3.14 or later is needed."));
  QVector<CTestEntry> entries;
  for (const QJsonValue test : document.object().value(u"tests").toArray()) {
    CTestEntry entry;
    entry.name = test[u"name"].toString();
    if (entry.name.isEmpty() || entries.size() >= kMostEntries) continue;
    entry.command = stringsOf(test[u"command"]);
    for (const QJsonValue property : test[u"properties"].toArray()) {
      const QString name = property[u"name"].toString();
      if (name == QLatin1String("WORKING_DIRECTORY")) entry.folder = property[u"value"].toString();
      if (name == QLatin1String("ENVIRONMENT"))
        entry.environment = stringsOf(property[u"value"]).filter(QStringLiteral("="));
    }
    entries.append(entry);
  }
  return entries;
}

QString targetOf(const QString& source, const QString& folder) {
  for (QString at = QFileInfo(source).path(); at == folder || at.startsWith(folder + u'/');
       at = QFileInfo(at).path()) {
    const QString lists =
        QString::fromUtf8(editor::guestBytes(at + QStringLiteral("/CMakeLists.txt"), kMostOfLists));
    if (lists.isEmpty()) continue;
    const QString relative = QRegularExpression::escape(source.mid(at.size() + 1));
    const QRegularExpression command(
        QStringLiteral(R"(\b\w+\s*\(\s*([\w.+-]+)\s(?:[^()#]*[\s"/])?%1[\s")])").arg(relative));
    if (const auto match = command.match(lists); match.hasMatch()) return match.captured(1);
  }
  return QFileInfo(source).completeBaseName();
}

bool hasTarget(const QString& build, const QString& target) {
  const QByteArray name = target.toUtf8();
  const QByteArray ninja =
      '\n' + editor::guestBytes(build + QStringLiteral("/build.ninja"), kMostOfBuild);
  if (ninja.contains("\nbuild " + name + ": ")) return true;
  const QByteArray make =
      '\n' + editor::guestBytes(build + QStringLiteral("/Makefile"), kMostOfBuild);
  return make.contains('\n' + name + ": cmake_check_build_system");
}

const CTestEntry* entryOf(const QVector<CTestEntry>& entries, const QString& target) {
  const CTestEntry* found = nullptr;
  for (const CTestEntry& entry : entries) {
    const QString program = QFileInfo(entry.command.value(0)).completeBaseName();
    const QString file = QFileInfo(entry.command.value(0)).fileName();
    const bool isProgram = program == target || file == target;
    if (isProgram && entry.name == target) return &entry;
    if (isProgram && !found) found = &entry;
  }
  for (const CTestEntry& entry : entries)
    if (!found && entry.name == target) found = &entry;
  return found;
}

}  // namespace waferpair::workbench
