// SPDX-License-Identifier: GPL-3.0-or-later
// The one way to start something of a folder's: at once where the user's word is there, else it is
// asked for in a notice. First for the folder (which is restricted until its user trusts it), then
// for all that the folder gives for this start. Nothing waits, and nothing takes the keyboard. UI
// thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <vector>

#include "gui/store/folder_trust.h"

namespace waferpair::gui {

class BannerStack;
class StartQuestion;

// How it is asked; what is empty says the usual.
struct StartWording {
  QString id = {};        // of the notice
  QString question = {};  // "Start the language server pylsp for Python?"
  QString yesName = {}, yes = {};
  QString noName = {}, no = {};
  // "No" is remembered as the user's word.
  bool keepsNo = false;
  // What can be done instead where the folder is restricted.
  QString insteadName = {}, instead = {};
  std::function<void()> insteadRun = {};
};

// Something that was started of a folder's, and runs.
struct RunningStart {
  programs::GivenStart start;  // for people: `folder`, `kind` and `name`
  std::function<void()> stop;
};

class StartGate : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    FolderTrust* trust = nullptr;
    BannerStack* notices = nullptr;
    // Gives the keyboard back to the text.
    std::function<void()> home = {};
    // Shows what the user has said of this folder and can say.
    std::function<void(const QString& folder)> manage = {};
  };
  // All parts outlive this.
  explicit StartGate(Parts parts, QObject* parent = nullptr);

  // Calls `go` at once, or when the user has agreed. Where a start was declined it is asked about
  // again: whoever calls has the user's wish. What `go` needs outlives this, or is looked after by
  // it.
  void start(const programs::GivenStart& start, const std::function<void()>& go,
             const StartWording& wording = {});
  // Asks about a start in a trusted folder.
  void ask(const programs::GivenStart& start, const std::function<void()>& go,
           const StartWording& wording = {});
  programs::StartWord wordAbout(const programs::GivenStart& start) const {
    return parts_.trust->wordAbout(start);
  }
  bool isTrusted(const QString& folder) const { return parts_.trust->isTrusted(folder); }
  FolderTrust* trust() const { return parts_.trust; }

  // Something of the folder's would have been started by itself. Says so once, and not where the
  // user wants the folder restricted.
  void tellRestricted(const QString& folder);
  // Trusts it; tells where that cannot be remembered.
  void trustFolder(const QString& folder);
  // Takes trust back. Where something of the folder's runs, the user is asked first: it is stopped
  // then.
  void restrictFolder(const QString& folder);
  // Has `list` asked for what runs, as long as `owner` lives. It is stopped when trust is taken
  // back, here or elsewhere, and the user is told.
  void addRunning(QObject* owner, std::function<QVector<RunningStart>()> list);
  // Another folder is open: what was asked is no longer asked.
  void dropQuestions();

 private:
  void askForTrust(const programs::GivenStart& start, const std::function<void()>& go,
                   const StartWording& wording);
  // What a button does, after which the keyboard is not left on what is gone.
  std::function<void()> thenHome(std::function<void()> run);
  void tellProblem(const QString& wrong);
  QVector<RunningStart> running(const std::function<bool(const QString& folder)>& isMeant) const;
  void stopUntrusted();
  void revoke(const QString& folder);

  Parts parts_;
  QStringList asked_;  // ids of notices
  QPointer<StartQuestion> box_;
  struct Runner {
    QPointer<QObject> owner;
    std::function<QVector<RunningStart>()> list;
  };
  std::vector<Runner> runners_;
  QString told_;        // the folder that was told of
  QString restricted_;  // the one that the notice is about
};

}  // namespace waferpair::gui
