// SPDX-License-Identifier: GPL-3.0-or-later
// The dock for working with a model: a page each for questions, plans, and what is to
// be reviewed. UI thread only.
#pragma once

#include <QDockWidget>

#include "gui/pairing/agent_reviews.h"
#include "gui/pairing/agent_texts.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/open_texts.h"
#include "gui/pairing/plan_panel.h"
#include "gui/pairing/remark_hints.h"
#include "gui/pairing/review_marks.h"
#include "pairing/review/review_session.h"

class QStackedWidget;
class QTabBar;

namespace waferpair::gui {

class DockStrip;
class EditorTabs;
class FileIndex;
class ReviewPanel;
class Settings;
class StartGate;
struct RunningStart;
class Workspace;

class PairDock : public QDockWidget {
  Q_OBJECT
 public:
  // All of them outlive the dock. `roster`: which models there are.
  struct Parts {
    EditorTabs* tabs;
    Workspace* workspace;
    FileIndex* files;
    Settings* settings;
    Picker* picker;
    InputPrompt* prompt;
    pairing::ModelRoster* roster;
    std::function<void(Document*)> prepare;  // to have changes decided about in it
    // Tells what is found wrong in the project's texts, by file.
    std::function<QVector<pairing::ReportedProblem>()> problems;
    // Returns what the last command in a terminal printed, or what is selected there.
    std::function<std::optional<pairing::TerminalText>()> terminal;
    StartGate* gate;
    QString ownRules;  // the user's own file of rules for models; there may be none
  };
  // Threads, plans and changes are kept below `stateDirectory`.
  PairDock(const Parts& parts, const QString& stateDirectory, QWidget* parent);
  ~PairDock() override;

  enum class Page { kAsk, kPlan, kReview };
  void showPage(Page page);
  Page page() const;

  AskPanel* ask() const { return ask_; }
  PlanPanel* plan() const { return plan_; }
  ReviewPanel* review() const { return review_; }
  // Returns what commands of this project's plans printed that failed, the latest first.
  QStringList failedOutputs() const;
  // Gives the question the keyboard, with the selection mentioned where there is one.
  void enterAsk();
  // Gathers what goes along unasked with an edit in place, in the background.
  void gatherForEdit(const pairing::UnaskedWish& wish, QObject* receiver,
                     std::function<void(const QVector<pairing::ContextItem>& items)> then);
  // Puts changes of files up for review, on the page of that, which is shown. Returns why that
  // can't be, for the user; empty: they are there, or are listed with the reason why one has no
  // place.
  QString propose(const QString& title, const QVector<pairing::ProposedChange>& changes);
  // Offers what a block of an answer changes; returns what has no place.
  QStringList apply(const AnswerBlock& block);
  // Everything is on disk when this returns: for an end that nobody can be asked about.
  void keepEverything();

 Q_SIGNALS:
  void problem(const QString& text);
  void pageChanged();

 private:
  AskPanel* makeAsk();
  PlanPanel* makePlan();
  ReviewPanel* makeReview();
  void layOut();
  void followParts();
  QVector<RunningStart> running();
  void readProject();
  QStringList unsaved() const;  // paths of the project
  QVector<pairing::OpenText> openTexts() const;
  pairing::AskSession::Surroundings surroundings() const;
  QVector<pairing::OtherFolder> otherFolders() const;
  QString inOtherFolder(const QString& path) const;
  void useProject(const QString& folder);
  void takeChanges(const QString& threadId, const QString& messageId,
                   const QVector<pairing::DiskChange>& changes);
  void open(const QString& path, int line);
  bool insert(const QString& code);
  void showMarkdown(const QString& title, const QString& markdown);

  Parts parts_;
  AgentTexts texts_;
  AgentReviews reviews_;
  pairing::Agents agents_;
  pairing::ThreadStore store_;
  pairing::ProjectSearch search_;
  pairing::AskSession session_;
  OpenTexts planTexts_;
  pairing::ChangeStore changes_;
  pairing::PlanStore planStore_;
  pairing::PlanSession planSession_;
  pairing::ReviewSession reviewSession_;
  ReviewMarks marks_;
  RemarkHints hints_;
  bool isSearched_ = false;
  QTabBar* tabBar_;
  QStackedWidget* stack_;
  AskPanel* ask_;  // owned by Qt as parts of the dock's widget
  PlanPanel* plan_;
  ReviewPanel* review_;
};

// Has the page be seen, whether the dock is hidden, folded or behind another.
void showPairPage(PairDock* dock, DockStrip* strip, PairDock::Page page);

}  // namespace waferpair::gui
