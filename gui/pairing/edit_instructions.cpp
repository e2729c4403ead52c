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
  writer_.setMaxThreadCount(1);
  for (const QJsonValue value :
       readJson(file_).object.value(QLatin1String(kInstructions)).toArray())
    if (value.isString() && entries_.size() < kMostInstructions) entries_.append(value.toString());
}

void EditInstructions::add(const QString& instruction) {
  entries_.removeAll(instruction);
  entries_.prepend(instruction);
  if (entries_.size() > kMostInstructions) entries_.removeLast();
  writer_.start([file = file_, entries = entries_] {
    writeJson(file, {{QLatin1String(kInstructions), QJsonArray::fromStringList(entries)}});
  });
}

EditInstructions::~EditInstructions() { writer_.waitForDone(); }

}  // namespace waferpair::gui
