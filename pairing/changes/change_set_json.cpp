// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/changes/change_set_json.h"

#include <QJsonArray>
#include <QJsonObject>
#include <array>

#include "editor/text/translate.h"
#include "pairing/kept/json_values.h"

namespace waferpair::pairing {
namespace {

using Key = QLatin1String;

constexpr char kChangesFormat[] = "waferpair-changes-1";
constexpr std::array kHunkStateNames = {"offered", "accepted", "dismissed", "stale"};
constexpr std::array kOriginNames = {"proposed", "made"};

// The one of this name; UTF-8 where none has it.
editor::Encoding encodingNamed(const QString& name) {
  for (const editor::Encoding encoding : editor::allEncodings())
    if (editor::encodingName(encoding) == name) return encoding;
  return editor::Encoding::kUtf8;
}

QJsonValue textToJson(const FileText& text) {
  if (!text.exists) return QJsonValue::Null;
  QJsonObject json{{Key("utf8"), QString::fromLatin1(text.text.toByteArray().toBase64())},
                   {Key("encoding"), editor::encodingName(text.encoding)}};
  if (text.isExecutable) json.insert(Key("executable"), true);
  return json;
}

bool textFromJson(const QJsonValue& json, FileText* text) {
  if (json.isNull()) return true;
  const QJsonObject object = json.toObject();
  const auto utf8 = QByteArray::fromBase64Encoding(object[Key("utf8")].toString().toLatin1(),
                                                   QByteArray::AbortOnBase64DecodingErrors);
  if (!utf8 || !object.contains(Key("utf8"))) return false;
  *text = {true, editor::Snapshot(*utf8), encodingNamed(object[Key("encoding")].toString()),
           object[Key("executable")].toBool()};
  return true;
}

QJsonObject fileToJson(const ChangedFile& file) {
  QJsonArray hunks;
  for (const ReviewHunk& hunk : file.hunks)
    hunks.append(QJsonObject{{Key("from"), hunk.lines.oldFrom},
                             {Key("to"), hunk.lines.oldTo},
                             {Key("state"), enumName(hunk.state, kHunkStateNames)}});
  return {{Key("path"), file.path},
          {Key("origin"), enumName(file.origin, kOriginNames)},
          {Key("before"), textToJson(file.before)},
          {Key("after"), textToJson(file.after)},
          {Key("restored"), file.isRestored},
          {Key("hunks"), hunks}};
}

// The hunks are found anew, and get the states of those that were kept: a hunk that a later version
// of the program sees otherwise is open again.
bool fileFromJson(const QJsonObject& json, ChangedFile* file) {
  ChangedFile::Origin origin{};
  FileText before, after;
  const QString path = json[Key("path")].toString();
  if (path.isEmpty() || !readEnum(json[Key("origin")], kOriginNames, &origin) ||
      !textFromJson(json[Key("before")], &before) || !textFromJson(json[Key("after")], &after))
    return false;
  *file = ChangedFile::between(path, origin, before, after);
  file->isRestored = json[Key("restored")].toBool();
  const QJsonArray kept = json[Key("hunks")].toArray();
  for (const QJsonValueConstRef value : kept) {
    const QJsonObject one = value.toObject();
    editor::HunkState state{};
    if (!readEnum(one[Key("state")], kHunkStateNames, &state)) return false;
    for (ReviewHunk& hunk : file->hunks)
      if (hunk.lines.oldFrom == one[Key("from")].toInteger(-1) &&
          hunk.lines.oldTo == one[Key("to")].toInteger(-1))
        hunk.state = state;
  }
  return !file->hunks.isEmpty();
}

}  // namespace

QByteArray changeSetToJson(const ChangeSet& set) {
  QJsonArray files;
  for (const ChangedFile& file : set.files) files.append(fileToJson(file));
  const QJsonObject json{{Key("format"), Key(kChangesFormat)},
                         {Key("id"), set.id},
                         {Key("title"), set.title},
                         {Key("created"), timeText(set.created)},
                         {Key("files"), files}};
  return keptBytes(json);
}

editor::Result<ChangeSet> changeSetFromJson(const QByteArray& bytes) {
  const auto kept = keptObject(bytes);
  if (!kept) return tl::unexpected(kept.error());
  const QJsonObject& json = *kept;
  if (json[Key("format")].toString() != Key(kChangesFormat))
    return editor::fail(translate("It holds no changes of this version of the program."));
  ChangeSet set;
  set.id = json[Key("id")].toString();
  set.title = json[Key("title")].toString();
  set.created = timeFrom(json[Key("created")]);
  if (set.id.isEmpty() || !set.created.isValid())
    return editor::fail(translate("It is damaged: its name or its time is missing."));
  const QJsonArray files = json[Key("files")].toArray();
  for (const QJsonValueConstRef value : files) {
    ChangedFile file;
    if (!fileFromJson(value.toObject(), &file) || set.find(file.path))
      return editor::fail(translate("It is damaged in file %1.").arg(set.files.size() + 1));
    set.files.append(file);
  }
  return set;
}

}  // namespace waferpair::pairing
