// SPDX-License-Identifier: GPL-3.0-or-later
// Shows what language servers know of parameters and types behind the lines of the texts that were
// in front, where the settings say so. UI thread only.
#pragma once

#include "gui/store/settings.h"
#include "gui/workbench/language_guide.h"
#include "workbench/language/repeated_question.h"

namespace waferpair::gui {

class InlayNotes : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  InlayNotes(editor::DocumentSync* sync, const LanguageGuideParts& parts, Settings* settings,
             QObject* parent = nullptr);

 private:
  void applySettings();
  void show(const QString& id, const workbench::LanguageAnswer& answer);
  void clear(const QString& id);

  LanguageGuideParts p_;
  Settings* settings_;
  workbench::RepeatedQuestion question_;
  bool on_ = false;
};

}  // namespace waferpair::gui
