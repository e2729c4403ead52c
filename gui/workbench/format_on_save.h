// SPDX-License-Identifier: GPL-3.0-or-later
// Has language servers format texts without being told each time, where the settings say so: before
// a text is saved by the user, and around what was just typed. A save waits for that no longer than
// a moment; then the text is written as it is, and the user is told. UI thread only.
#pragma once

#include "gui/store/settings.h"
#include "gui/workbench/language_guide.h"

namespace waferpair::gui {

class SaveFlow;

class FormatOnSave : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  FormatOnSave(const LanguageGuideParts& parts, Settings* settings, SaveFlow* saves,
               QObject* parent = nullptr);

 private:
  void prepare(Document* document, const std::function<void()>& save);

  LanguageGuideParts p_;
  Settings* settings_;
};

class FormatOnType : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  FormatOnType(const LanguageGuideParts& parts, Settings* settings, QObject* parent = nullptr);

 private:
  void typed(Document* document);

  LanguageGuideParts p_;
  Settings* settings_;
  QByteArray inserted_;  // by the latest edits; empty: they only took something away
  QPointer<workbench::LanguageClient> asked_;
  qint64 question_ = 0;
};

}  // namespace waferpair::gui
