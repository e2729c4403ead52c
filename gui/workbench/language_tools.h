// SPDX-License-Identifier: GPL-3.0-or-later
// The language servers of a window: which there are, the user's word before one is started
// (asked for in a banner), and the open documents they are told of. UI thread only.
#pragma once

#include <QObject>

#include "workbench/language/document_outlines.h"
#include "workbench/language/document_tokens.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

class BannerStack;
class Document;
class EditorTabs;
class FolderTrust;
class Settings;
class StartGate;
class Workspace;
struct AppPaths;

class LanguageTools : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  LanguageTools(editor::DocumentSync* sync, Settings* settings, FolderTrust* trust,
                const AppPaths& paths, QObject* parent = nullptr);

  workbench::LanguageService* service() { return &service_; }
  // What the open texts declare.
  workbench::DocumentOutlines* outlines() { return &outlines_; }
  // What the names in them are.
  workbench::DocumentTokens* tokens() { return &tokens_; }

  // From now on it asks by `gate`, says what else there is in `notices`, and hears of the folder
  // and of what is saved. All outlive this.
  void begin(EditorTabs* tabs, Workspace* workspace, BannerStack* notices, StartGate* gate);
  // Has it started, once the user has agreed to all that it is told.
  void start(const workbench::LanguageService::Row& row);
  // Ends it, and keeps the user's word that it is not to run.
  void decline(const workbench::LanguageService::Row& row);
  void endAll();

 Q_SIGNALS:
  void problem(const QString& text);

 private:
  void applySettings();
  void showOffer();
  void showState();
  void askUser(workbench::LanguageClient* client, qint64 asked, const QString& text,
               const QStringList& choices);

  Settings* settings_;
  FolderTrust* trust_;
  workbench::LanguageService service_;
  workbench::DocumentOutlines outlines_;
  workbench::DocumentTokens tokens_;
  BannerStack* notices_ = nullptr;
  StartGate* gate_ = nullptr;
  EditorTabs* tabs_ = nullptr;
  QString offered_;  // the key of the offer whose banner is up
  bool ended_ = false;
};

}  // namespace waferpair::gui
