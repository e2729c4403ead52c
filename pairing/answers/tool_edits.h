// SPDX-License-Identifier: GPL-3.0-or-later
// Answers made of what tools for edits are called with, whether the model had such tools or only
// knows them: an old text and a new one between tags or under keys of JSON, and the file's path
// beside them; whole files under "content"; patches in a string.
//
//   <path>src/a.py</path>
//   <old_text line=12>...</old_text><new_text>...</new_text>
//
//   {"file_path": "src/a.py", "old_string": "...", "new_string": "...", "replace_all": false}
//
// It is read when it is over.
#pragma once

#include <QJsonObject>

#include "pairing/answers/answer_reader.h"

namespace waferpair::pairing {

class ToolEditsReader : public AnswerReader {
 public:
  // Returns whether a line of such an edit is one.
  static bool beginsEdit(const QByteArray& line);

  std::optional<ProposedChange> underWay() const override { return {}; }

 protected:
  void takeLine(const QByteArray& line) override;
  void takeEnd() override;

 private:
  void readTags();
  void readJson();
  void readCode();
  void takeObject(const QJsonObject& object, const QString& path);
  void takeValue(const QJsonValue& value, const QString& path);
  void takeText(const QString& text, const QString& path);
  void addReplacement(ProposedChange change);

  QByteArray text_;
  qsizetype found_ = 0;
};

}  // namespace waferpair::pairing
