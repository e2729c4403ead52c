// SPDX-License-Identifier: GPL-3.0-or-later
// What a model wants a tool to be called with, read from what it wrote: a number may stand there as
// a text, a name may be one that other programs' tools have. Values; any thread.
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::pairing {

class ToolArguments {
 public:
  ToolArguments() = default;  // none
  // Fails on what is no JSON object, in words for the model. An empty text means no arguments.
  static editor::Result<ToolArguments> read(const QString& json);

  // The value of this name, or of one of its other names. Empty: it is not given, or no text.
  QString text(const char* name) const;
  std::optional<qint64> number(const char* name) const;
  bool flag(const char* name) const;
  bool has(const char* name) const { return !valueOf(name).isUndefined(); }

 private:
  QJsonValue valueOf(const char* name) const;

  QJsonObject json_;
};

}  // namespace waferpair::pairing
