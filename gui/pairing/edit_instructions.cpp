// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_instructions.h"

#include <QJsonArray>
#include <utility>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostInstructions = 50;
constexpr char kInstructions[] = "instructions";

}  // namespace

EditInstructions::EditInstructions(QString file) : file_(std::move(file)) {
  for (const QJsonValue& value :
       readJson(file_).object.value(QLatin1String(kInstructions)).toArray())
    if (value.isString() && entries_.size() < kMostInstructions) entries_.append(value.toString());
}

void EditInstructions::add(const QString& instruction) {
  entries_.removeAll(instruction);
  entries_.prepend(instruction);
  if (entries_.size() > kMostInstructions) entries_.removeLast();
  writeJson(file_, {{QLatin1String(kInstructions), QJsonArray::fromStringList(entries_)}});
}

}  // namespace waferpair::gui
