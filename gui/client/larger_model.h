// SPDX-License-Identifier: GPL-3.0-or-later
// The larger model that suggests beside the first one: has waferd offer its file and load it ahead,
// and has it asked as long as it can be. UI thread only.
#pragma once

#include <QObject>
#include <QString>

#include "editor/text/result.h"
#include "gui/client/server_events.h"

namespace waferpair::gui {

class CompletionService;
class HostedModels;

class LargerModel : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  LargerModel(HostedModels* hosted, CompletionService* completions, QObject* parent = nullptr);

  // The full path of a GGUF file; empty: no other model suggests. Of the first model's own file
  // nothing comes.
  void setFile(const QString& file);
  const QString& file() const { return file_; }

  // Its name, with what is to be said of it where it does not suggest; empty where there is none.
  QString text() const;

 private:
  void follow();

  HostedModels* hosted_;
  CompletionService* completions_;
  QString file_;
  QString loaded_;  // of waferd's offers, the file that was loaded ahead
};

}  // namespace waferpair::gui
