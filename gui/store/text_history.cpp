// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/text_history.h"

#include <QJsonArray>
#include <utility>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostKept = 50;
constexpr char kEntries[] = "instructions";  // as the first such field was

}  // namespace

TextHistory::TextHistory(QString file) : file_(std::move(file)) {
  writer_.setMaxThreadCount(1);
  for (const QJsonValue value : readJson(file_).object.value(QLatin1String(kEntries)).toArray())
    if (value.isString() && entries_.size() < kMostKept) entries_.append(value.toString());
}

void TextHistory::add(const QString& text) {
  entries_.removeAll(text);
  entries_.prepend(text);
  if (entries_.size() > kMostKept) entries_.removeLast();
  writer_.start([file = file_, entries = entries_] {
    writeJson(file, {{QLatin1String(kEntries), QJsonArray::fromStringList(entries)}});
  });
}

TextHistory::~TextHistory() { writer_.waitForDone(); }

}  // namespace waferpair::gui
