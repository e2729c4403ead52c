// SPDX-License-Identifier: GPL-3.0-or-later
// The window: puts the parts together and ends the program in good order. What it can do is in the
// rooms' *_commands.h, where it shows that in menus.h. What it is made of, its commands, where its
// parts lie and what they tell one another are in main_window_*.cpp.
#pragma once

#include <QMainWindow>
#include <functional>
#include <memory>

#include "editor/assist/document_sync.h"
#include "gui/kit/notices.h"
#include "gui/store/app_paths.h"
#include "gui/store/file_position.h"
#include "gui/store/preferences.h"
#include "pairing/edits/edit_pace.h"
#include "pairing/request/edit_form.h"

class QDockWidget;
class QStackedWidget;

namespace waferpair::pairing {
class ModelRoster;
struct ErrorPlace;
}  // namespace waferpair::pairing

namespace waferpair::editor {
class SnippetStore;
}

namespace waferpair::gui {

class AiSwitch;
class AutoSaver;
class CommandPalette;
class CommandRegistry;
class ContextWatch;
class CrashNews;
class DiagnosticStatus;
class DiskWatcher;
class DebugTools;
class DockStrip;
class Document;
class TextHistory;
class EditTasks;
struct EditParts;
class EditorCommands;
class EditorTabs;
class FileIndex;
class FolderFlow;
class FolderTree;
class FolderTrust;
class InputPrompt;
struct PrintedOutput;
class LanguageFeatures;
class KeyboardHome;
class LanguageTools;
class ModelGetter;
class ModelPicker;
class NextEditService;
class NextEditStatus;
class PairDock;
class PairingModels;
class Picker;
class ProblemsPanel;
class ProjectFeed;
class QuickOpen;
class RecoveryKeeper;
class RuntimeMemory;
class RuntimeService;
class RuntimeStatus;
class SearchPanel;
class SaveFlow;
class SessionKeeper;
class GitTools;
class HistoryKeeper;
class ZenMode;
class Settings;
class SettingsFiles;
class Spelling;
class StartGate;
class StartGuard;
class StartPage;
class StatusLine;
class SuggestionCounts;
class SuggestionRules;
class TaskRunner;
class TerminalPanel;
class TestTools;
class TrustFlow;
class ThingsToTry;
class WaferDock;
class Workspace;

// The parts of a window, for those who drive it: automation and tests. Everything belongs to the
// window; without a model `runtime` is null, and with it `runtimeStatus`, `waferDock` and
// `waferStrip`.
struct WindowParts {
  Settings* settings = nullptr;
  FolderTrust* trust = nullptr;
  StartGate* gate = nullptr;
  SuggestionRules* suggestionRules = nullptr;    // null without a model
  SuggestionCounts* suggestionCounts = nullptr;  // likewise
  CommandRegistry* commands = nullptr;
  EditorTabs* tabs = nullptr;
  Workspace* workspace = nullptr;
  FolderFlow* folders = nullptr;
  RecoveryKeeper* recovery = nullptr;
  FileIndex* fileIndex = nullptr;
  Picker* picker = nullptr;
  InputPrompt* prompt = nullptr;
  Notices* notices = nullptr;
  FolderTree* tree = nullptr;
  QDockWidget* filesDock = nullptr;
  PairDock* pairDock = nullptr;
  DockStrip* pairStrip = nullptr;
  SearchPanel* search = nullptr;
  QDockWidget* searchDock = nullptr;
  WaferDock* waferDock = nullptr;
  DockStrip* waferStrip = nullptr;
  pairing::ModelRoster* roster = nullptr;
  NextEditService* nextEdits = nullptr;
  GitTools* git = nullptr;
  LanguageTools* languages = nullptr;
  QDockWidget* problemsDock = nullptr;
  ProblemsPanel* problems = nullptr;
  QDockWidget* terminalDock = nullptr;
  TerminalPanel* terminals = nullptr;
  TaskRunner* tasks = nullptr;
  TestTools* tests = nullptr;
  ModelPicker* modelPicker = nullptr;
  ModelGetter* modelGetter = nullptr;  // null without `runtime`
  RuntimeService* runtime = nullptr;
  RuntimeStatus* runtimeStatus = nullptr;
  DebugTools* debug = nullptr;
};

// Which of the program's windows it is.
struct WindowPlace {
  int number = 0;             // it keeps its state under this
  bool isFurther = false;     // the start of the program is not its affair
  QStringList recovers = {};  // directories with what other windows left unsaved
};

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  // `runtime` may be null: no suggestions and no wafer view then. It is not owned and outlives the
  // window.
  MainWindow(const AppPaths& paths, RuntimeService* runtime, WindowPlace place = {});
  ~MainWindow() override;

  // Does the slow part of the start: opens `targets` (folders, FILE:LINE:COL) or, without any, what
  // was open last, then what a crash left unsaved; after a crash during the start it asks first.
  // Call when the window can be seen.
  void start(const QStringList& targets);
  // The same without what was open last.
  void startEmpty();
  // Shows the file at its place. One that is not there is made by its first save, where its folder
  // is; a recording of the wafer is replayed. Null when there is no text to show, and what is wrong
  // is told.
  Document* openPlace(const FilePosition& place, bool takesFocus = true);

  // Puts every unsaved text and what is open on disk, for an end that nobody can be asked about.
  // May be called when the display is gone.
  void keepEverything();

  // Ends the program, or closes the window where it is the only one.
  void quit();

  // Where a window with this number puts copies of unsaved texts.
  static QString recoveryDirectory(const AppPaths& paths, int number);

  const WindowParts& parts() const { return parts_; }
  int number() const { return place_.number; }

  // The hint does not depend on what is open: parts give way before anything is cut.
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  // Sent once, when the window has been painted for the first time.
  void painted();
  // Sent once what was open last, or was named, is open.
  void restored();
  // It is closed, or stays: the user did not want to lose something.
  void closed();
  void closeRefused();
  // What only the program can do, which knows all its windows (window_set.h): another window with
  // these files and folders in it, one for this text, this text in the next one, the next one in
  // front, the end of all.
  void windowWanted(const QStringList& targets);
  void windowWantedFor(waferpair::gui::Document* document);
  void nextWindowWantedFor(waferpair::gui::Document* document);
  void nextWindowWanted();
  void quitWanted();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void makeParts(const AppPaths& paths);
  void addCommands(const AppPaths& paths);
  EditParts editParts();
  // `path` is relative to the folder.
  void fixIn(const QString& folder, const QString& path, const pairing::ErrorPlace& error);
  QVector<PrintedOutput> failedOutputs() const;
  void layOut();
  void layOutDocks();
  void layOutStatusBar();
  void connectParts();
  void openLastTime(const QStringList& targets);
  void askAfterCrash(const QStringList& targets, bool hasReport);
  void openTargets(const QStringList& targets, const std::function<void()>& then);
  void showCurrent(Document* document);
  void showTitle();
  void tellNextEdits();
  void notify(const QString& problem);
  void tellLoadFailure(const QString& file, const QString& problem);
  void applySettings();
  void restoreLayout();

  WindowParts parts_;
  editor::DocumentSync sync_;
  EditorCommands* editorCommands_ = nullptr;
  editor::SnippetStore* snippets_ = nullptr;
  SaveFlow* saveFlow_ = nullptr;
  SessionKeeper* session_ = nullptr;
  HistoryKeeper* history_ = nullptr;
  ZenMode* zen_ = nullptr;
  QuickOpen* quickOpen_ = nullptr;
  CommandPalette* palette_ = nullptr;
  SettingsFiles* settingsFiles_ = nullptr;
  TrustFlow* trust_ = nullptr;
  Spelling* spelling_ = nullptr;
  StatusLine* statusLine_ = nullptr;
  NextEditStatus* nextEditStatus_ = nullptr;
  PairingModels* pairingModels_ = nullptr;
  LanguageFeatures* languageFeatures_ = nullptr;
  DiagnosticStatus* diagnosticStatus_ = nullptr;
  AiSwitch* ai_ = nullptr;
  std::unique_ptr<ContextWatch> contextWatch_;
  std::unique_ptr<AutoSaver> autoSaver_;
  std::unique_ptr<TextHistory> editInstructions_;
  std::unique_ptr<EditTasks> editTasks_;
  pairing::EditForms editForms_;
  pairing::EditPace editPace_;
  DiskWatcher* diskWatcher_ = nullptr;
  ProjectFeed* projectFeed_ = nullptr;      // null without a runtime
  RuntimeMemory* runtimeMemory_ = nullptr;  // likewise
  QStackedWidget* pages_ = nullptr;
  std::unique_ptr<KeyboardHome> keyboardHome_;
  StartPage* startPage_ = nullptr;
  ThingsToTry* thingsToTry_ = nullptr;
  std::unique_ptr<StartGuard> startGuard_;
  KeyMap keyMap_ = KeyMap::kOwn;
  bool reducesMotion_ = false;
  QList<QWidget*> ofModels_;  // the status bar's fields for models
  bool wasPainted_ = false;
  bool opensLast_ = true;  // what was open last, where nothing is named
  bool asking_ = false;    // about unsaved texts, before closing
  bool mayClose_ = false;  // they have been dealt with
  int notices_ = 0;
  CrashNews* crashNews_ = nullptr;
  WindowPlace place_;
};

}  // namespace waferpair::gui
