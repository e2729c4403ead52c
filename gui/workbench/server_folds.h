// SPDX-License-Identifier: GPL-3.0-or-later
// Has the texts fold by what their language servers say are blocks, where they do; else by what the
// language calls one. Servers are asked at pauses in typing; meanwhile blocks follow edits. UI
// thread only.
#pragma once

#include "gui/workbench/language_guide.h"
#include "workbench/language/repeated_question.h"

namespace waferpair::gui {

class ServerFolds : public QObject {
  Q_OBJECT
 public:
  // Both outlive this, and so does what the parts point at.
  ServerFolds(editor::DocumentSync* sync, const LanguageGuideParts& parts,
              QObject* parent = nullptr);

 private:
  editor::CodeEditor* editorOf(const QString& id) const;
  void take(const QString& id, const workbench::LanguageAnswer& answer);

  LanguageGuideParts p_;
  workbench::RepeatedQuestion question_;
};

}  // namespace waferpair::gui
