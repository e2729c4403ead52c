// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/git_commands.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>

#include "gui/git/branch_actions.h"
#include "gui/git/changes_panel.h"
#include "gui/git/commit_draft.h"
#include "gui/git/file_actions.h"
#include "gui/git/file_blame.h"
#include "gui/git/git_comparisons.h"
#include "gui/git/git_tools.h"
#include "gui/git/hunk_actions.h"
#include "gui/git/line_blame.h"
#include "gui/git/operation_bar.h"
#include "gui/git/review_choices.h"
#include "gui/git/worktree_actions.h"
#include "gui/kit/command_registry.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// A command that has its place in the menu of git.
void addGitCommand(CommandRegistry& commands, const char* id, const QString& text,
                   const QString& help, const QList<QKeySequence>& keys, When when, MenuPlace place,
                   std::function<void()> run) {
  commands.add({.id = QLatin1String(id),
                .category = tr("Git"),
                .text = text,
                .help = help,
                .keys = keys,
                .when = when,
                .places = {place},
                .run = std::move(run)});
}

// Branches, tags, stashes, the log, and what git is in the middle of.
void addRefCommands(CommandRegistry& commands, GitTools* tools) {
  BranchActions* branches = tools->branches();
  OperationBar* operation = tools->operation();
  const When folder = Context::kFolderOpen;
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, MenuPlace place,
                       std::function<void()> run) {
    addGitCommand(commands, id, text, help, keys, folder, place, std::move(run));
  };
  const auto command = [branches](void (BranchActions::*what)()) {
    return [branches, what] { (branches->*what)(); };
  };
  add("git.log", tr("Lo&g"), tr("Show the commits of the project, the newest first."),
      {chord(Qt::CTRL | Qt::Key_H)}, {"git", 4}, [tools] { tools->showLog({}); });
  const auto addOfText = [&](const char* id, const QString& text, const QString& help,
                             const QList<QKeySequence>& keys, std::function<void()> run) {
    addGitCommand(commands, id, text, help, keys, Context::kDocumentOpen, {"git", 4},
                  std::move(run));
  };
  addOfText("git.fileLog", tr("Log of This Fil&e"),
            tr("Show the commits that changed this file, the newest first."),
            {chord(Qt::CTRL | Qt::Key_F)}, [tools] { tools->showFileLog(); });
  addOfText("git.blameLine", tr("&Who Changed This Line"),
            tr("Show behind the caret's line who changed it last, when and why."),
            {chord(Qt::CTRL | Qt::Key_W)}, [tools] { tools->blame()->show(); });
  addOfText("git.lineCommit", tr("Commit of This Line"),
            tr("Open the commit that changed the caret's line last."),
            {chord(Qt::CTRL | Qt::SHIFT | Qt::Key_W)}, [tools] { tools->blame()->openCommit(); });
  addOfText("git.blameFile", tr("Who Wrote the Lines"),
            tr("Show or hide beside the text who wrote its lines, in which commit and when."),
            {chord(Qt::SHIFT | Qt::Key_W)}, [tools] { tools->fileBlame()->toggle(); });
  const char* refs = "git/refs";
  add("git.switch", tr("&Switch to…"), tr("Choose a branch or a tag to switch to."),
      {chord(Qt::CTRL | Qt::Key_O)}, {refs, 1}, command(&BranchActions::choose));
  add("git.newBranch", tr("&New Branch…"), tr("Make a branch here, and switch to it."), {},
      {refs, 1}, command(&BranchActions::create));
  add("git.renameBranch", tr("&Rename Branch…"), tr("Give a branch another name."), {}, {refs, 1},
      command(&BranchActions::rename));
  add("git.deleteBranch", tr("&Delete Branch…"),
      tr("Delete a branch; it can be put back from the notice."), {}, {refs, 1},
      command(&BranchActions::remove));
  add("git.merge", tr("&Merge…"), tr("Merge a branch or a tag into this branch."), {}, {refs, 2},
      command(&BranchActions::merge));
  add("git.rebase", tr("Re&base…"), tr("Put this branch's commits onto another branch."), {},
      {refs, 2}, command(&BranchActions::rebase));
  add("git.continue", tr("&Continue"), tr("Go on with the merge or rebase that is under way."), {},
      {refs, 3}, [operation] { operation->goOn(); });
  add("git.skip", tr("S&kip"), tr("Go on with the rebase without the commit at hand."), {},
      {refs, 3}, [operation] { operation->skip(); });
  add("git.abort", tr("&Abort"),
      tr("Give up the merge or rebase: all is as before, and the files are kept."), {}, {refs, 3},
      [operation] { operation->abort(); });
  add("git.newTag", tr("New &Tag…"), tr("Give the last commit a name that stays."), {}, {refs, 4},
      command(&BranchActions::createTag));
  add("git.deleteTag", tr("Delete Ta&g…"), tr("Delete a tag here."), {}, {refs, 4},
      command(&BranchActions::removeTag));
  add("git.stash", tr("St&ash…"), tr("Put all changes aside, also files that git does not track."),
      {}, {refs, 5}, command(&BranchActions::stash));
  add("git.popStash", tr("&Put a Stash Back…"), tr("Choose what was put aside, and have it back."),
      {}, {refs, 5}, command(&BranchActions::popStash));
  add("git.dropStash", tr("Dr&op a Stash…"), tr("Choose what was put aside and is not needed."), {},
      {refs, 5}, command(&BranchActions::dropStash));
  WorktreeActions* worktrees = tools->worktrees();
  add("git.worktrees", tr("&Worktrees…"), tr("Choose another worktree of the repository to open."),
      {chord(Qt::CTRL | Qt::Key_K)}, {refs, 6}, [worktrees] { worktrees->choose(); });
  add("git.newWorktree", tr("New Worktre&e…"),
      tr("Have a branch in a folder of its own, beside this one."), {}, {refs, 6},
      [worktrees] { worktrees->add(); });
  add("git.removeWorktree", tr("Remove a Worktree…"),
      tr("Remove a worktree and its folder; git refuses where something in it is not committed."),
      {}, {refs, 6}, [worktrees] { worktrees->remove(); });
}

}  // namespace

void addGitCommands(CommandRegistry& commands, GitTools* tools, pairing::ModelRoster* roster) {
  HunkActions* hunks = tools->hunks();
  FileActions* files = tools->files();
  ChangesPanel* panel = tools->panel();
  GitComparisons* comparisons = tools->comparisons();
  const When open = Context::kDocumentOpen;
  // Offered changes, comparisons and conflicts of a merge have these two keys first.
  const When steps = open && !Context::kHunksShown && !Context::kCompared && !Context::kConflicts;
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, When when, int group,
                       std::function<void()> run) {
    addGitCommand(commands, id, text, help, keys, when, {"git", group}, std::move(run));
  };
  QAction* changes = commands.add(
      {.id = "git.changes",
       .category = tr("Git"),
       .text = tr("&Changes"),
       .help = tr("Show or hide what has changed since the last commit, to stage and commit it."),
       .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_G},
       .icon = "branch",
       .checkable = true,
       .when = Context::kFolderOpen,
       .places = {{"git", 1}, {"tools", 1, 3}},
       .run = [tools] {
         const bool isInFront = tools->dock()->isVisible() &&
                                tools->panel()->isAncestorOf(QApplication::focusWidget());
         isInFront ? tools->dock()->hide() : tools->showPanel();
       }});
  QObject::connect(tools->dock(), &QDockWidget::visibilityChanged, changes, &QAction::setChecked);
  add("git.nextChange", tr("&Next Change"),
      tr("Go to the next change of this text to git's version."), {Qt::Key_F7}, steps, 2,
      [hunks] { hunks->step(+1); });
  add("git.previousChange", tr("&Previous Change"),
      tr("Go to the change before, of this text to git's version."), {Qt::SHIFT | Qt::Key_F7},
      steps, 2, [hunks] { hunks->step(-1); });
  add("git.peek", tr("&Look at Change"),
      tr("Show how the lines of the change at the caret were, or hide it."), {chord(Qt::Key_P)},
      open, 2, [hunks] { hunks->peek(); });
  add("git.stageChange", tr("&Stage Change"),
      tr("Put the change at the caret, or the selected lines, into git's index."),
      {chord(Qt::Key_A)}, open, 2, [hunks] { hunks->stage(); });
  add("git.unstageChange", tr("&Unstage Change"),
      tr("Take the change at the caret out of git's index; the text stays."), {chord(Qt::Key_U)},
      open, 2, [hunks] { hunks->unstage(); });
  add("git.revertChange", tr("&Take Change Back"),
      tr("Make the lines of the change at the caret, or those selected, as git's index has them, "
         "as one step that can be undone."),
      {chord(Qt::Key_Backspace)}, open, 2, [hunks] { hunks->revert(); });
  const When folder = Context::kFolderOpen;
  add("git.stageAll", tr("Stage &All"), tr("Put all changed files into git's index."), {}, folder,
      3, [panel] { panel->stageAll(); });
  add("git.unstageAll", tr("Unsta&ge All"),
      tr("Take all changed files out of git's index; the files stay as they are."), {}, folder, 3,
      [panel] { panel->unstageAll(); });
  add("git.commit", tr("Co&mmit…"), tr("Write the message of a commit, and make it."),
      {chord(Qt::CTRL | Qt::Key_G)}, folder, 3, [tools, panel] {
        tools->showPanel();
        panel->enterMessage();
      });
  auto* draft = new CommitDraft(panel, files, tools->jobs(), roster, tools);
  add("git.draftMessage", tr("D&raft a Message"),
      tr("Have a model write the commit's message from what is staged, or else all that changed."),
      {chord(Qt::CTRL | Qt::Key_D)}, folder, 3, [tools, draft] {
        tools->showPanel();
        tools->panel()->enterMessage();
        draft->draft();
      });
  panel->setDraftAction(commands.action(QStringLiteral("git.draftMessage")));
  add("git.discarded", tr("&Discarded Changes…"),
      tr("List what was discarded in the last 90 days, and put it back."), {}, folder, 3,
      [files] { files->chooseDiscarded(); });
  add("git.compareIndex", tr("Compare with the &Index"),
      tr("Show this text beside that in git's index."), {}, open, 4,
      [comparisons] { comparisons->withIndex(); });
  add("git.compareHead", tr("Compare with the Last C&ommit"),
      tr("Show this text beside that of the last commit."), {chord(Qt::SHIFT | Qt::Key_P)}, open, 4,
      [comparisons] { comparisons->withHead(); });
  add("git.compareCommit", tr("Compare with a Commi&t…"),
      tr("Show this text beside that of a commit, a branch or a tag."), {}, open, 4,
      [comparisons] { comparisons->withCommit(); });
  add("git.fetch", tr("&Fetch"), tr("Get what is new from all remotes; files stay as they are."),
      {}, folder, 5, [files] { files->fetch(); });
  add("git.pull", tr("P&ull"), tr("Get what is new from the upstream, and merge or rebase."), {},
      folder, 5, [files] { files->pull(); });
  add("git.push", tr("Pus&h"), tr("Send the branch's commits to its upstream."), {}, folder, 5,
      [files] { files->push(); });
  addRefCommands(commands, tools);
}

void addCommitReviewCommands(CommandRegistry& commands, ReviewChoices* reviews) {
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, void (ReviewChoices::*choose)()) {
    commands.add({.id = QLatin1String(id),
                  .category = tr("Review"),
                  .text = text,
                  .help = help,
                  .keys = keys,
                  .when = Context::kFolderOpen && !Context::kReviewRunning,
                  .places = {{"pair", 6}},
                  .run = [reviews, choose] { (reviews->*choose)(); }});
  };
  add("review.branch", tr("Review a &Branch…"),
      tr("Have the model remark on what this branch changed since another one."),
      {chord(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}, &ReviewChoices::chooseBranch);
  add("review.commit", tr("Review a &Commit…"),
      tr("Have the model remark on what a commit changed."), {}, &ReviewChoices::chooseCommit);
  add("review.range", tr("Review a Ran&ge…"),
      tr("Have the model remark on what changed from one commit, branch or tag to another."), {},
      &ReviewChoices::chooseRange);
}

}  // namespace waferpair::gui
