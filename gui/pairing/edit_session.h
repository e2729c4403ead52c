// SPDX-License-Identifier: GPL-3.0-or-later
// Editing in place in one document: the bar with the instruction, the model's answer on its way,
// and its changes over the text until each is accepted or rejected. UI thread only.
//
// Hunks stay on offer when the bar closes; only the user, or typing over them, takes them
// away.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <optional>

#include "editor/text/busy.h"
#include "gui/documents/document.h"
#include "gui/pairing/edit_target.h"
#include "pairing/context/gather_context.h"
#include "pairing/edits/edit_asking.h"
#include "pairing/edits/edit_pace.h"
#include "pairing/edits/error_places.h"
#include "pairing/edits/plain_edits.h"
#include "pairing/models/model_roster.h"
#include "pairing/review/review_request.h"

namespace waferpair::gui {

class EditBar;
class EditPreview;
class GrowingChange;
class HunkAlternatives;
class HunkBar;
class SecondAnswer;
class TextHistory;
class EditTasks;

// An error at a place of the open folder.
struct FoundError {
  QString path;  // relative to the folder
  pairing::ErrorPlace error;
};

// The parts of the window that every session needs; all outlive the documents.
struct EditParts {
  pairing::ModelRoster* roster = nullptr;
  TextHistory* history = nullptr;
  EditTasks* tasks = nullptr;
  std::function<QString()> folder;  // of the text in front, absolute; empty: none is open
  // The open folder that a path lies in; empty: none. Null: there is `folder` only.
  std::function<QString(const QString& path)> folderOf = nullptr;
  // Of which changes of further files are put up for review; null: `folder`.
  std::function<QString()> reviewedFolder = nullptr;
  // Show the models that are here, and those that can be had; null: there is no such list.
  std::function<void()> chooseModel = nullptr;
  std::function<void()> getModel = nullptr;
  std::function<void(const QString& id)> run = nullptr;        // a command
  std::function<void(const QString& question)> ask = nullptr;  // in the panel for questions
  std::function<QStringList()> files = nullptr;                // of the folder, relative to it
  // Has tests written, to be reviewed with the changes of several files.
  std::function<void(const pairing::TestTask& task)> writeTests = nullptr;
  // Puts changes of other files up for review; returns why that can't be, for the user. Null, or no
  // folder is open: they have no place.
  std::function<QString(const QString& title, const QVector<pairing::ProposedChange>& changes)>
      propose = nullptr;
  // The error that is known at the caret of the text in front.
  std::function<std::optional<FoundError>()> errorHere = nullptr;
  // Has an error fixed in the file (relative) that it is in.
  std::function<void(const QString& path, const pairing::ErrorPlace& error)> fix = nullptr;
  // Gathers what goes along unasked with an instruction about the text's lines; `then` is told
  // later, and not if `receiver` is gone by then. Null: nothing goes along.
  std::function<void(const pairing::UnaskedWish& wish, QObject* receiver,
                     std::function<void(const QVector<pairing::ContextItem>& items)> then)>
      gather = nullptr;
  pairing::EditForms* forms = nullptr;     // null: models of unknown size are asked for blocks
  pairing::EditPace* pace = nullptr;       // null: changes are not renewed while one types
  std::function<bool()> renews = nullptr;  // the user wants them to be
};

class EditSession : public QObject, public editor::Busy {
  Q_OBJECT
 public:
  // The document owns it.
  EditSession(Document* document, const EditParts& parts);

  // Asks for an instruction over the selection, else the function around the caret, else the file.
  void open();
  // The same with this instruction, which is sent at once where a model can be asked.
  void ask(const QString& instruction);
  // The same for an error that was reported at a place of this text.
  void fix(const pairing::ErrorPlace& error);
  // Selects what an instruction would be about, and asks this about it in the panel for questions.
  void question(const QString& question);
  // Has tests written for it.
  void writeTests();
  // Stops the answer that comes in, else rejects what is offered, else closes the bar. False: there
  // is none of them.
  bool closeOneLayer();

  // The change that the caret is at; then the caret goes on to the next one.
  void acceptHunk();
  void rejectHunk();
  // Asks once more what the changes on offer were asked for, and shows both answers side by side.
  void another();
  // Shows another answer to what the changes on offer were asked for in their place, or one that
  // was there before: +1 or -1. There are kMost of them; one that is not there yet is asked for.
  void alternative(int direction);
  void acceptAll();
  void rejectAll();
  // From the caret on, +1 or -1, round the ends.
  void step(int direction);

  const pairing::EditRun* run() const { return run_.get(); }
  QString busyWith() const override;
  const EditPreview* preview() const { return preview_; }
  const GrowingChange* growing() const { return growing_; }

 private:
  struct Attempt {
    QString model;  // its id
    QString instruction;
    bool operator==(const Attempt&) const = default;
  };

  // A row of the bar's list.
  struct Offer {
    QString title;
    std::function<void()> run;
  };

  void showBar();
  void close();
  pairing::ModelRoster::Choice chooseModel() const;
  void showTarget();
  void showModel();
  void showOffers();
  bool offerToFix(const QString& text);
  void offerTasks(const QString& typed);
  void offerPlainInstructions();
  // What would be asked; nothing where it must not be shown, and why is in `problem`.
  std::optional<pairing::EditTask> taskFor(const QString& instruction, QString* problem);
  pairing::EditModel askedModel(const pairing::ModelRoster::Choice& choice) const;
  void readAhead();
  void gatherContext();
  bool isOfAnswer() const;
  // Returns whether this instruction is about the changes on offer, as they are.
  bool refines(const QString& instruction) const;
  // Null: why is in `problem`, or nothing is amiss and it is not to be asked.
  std::unique_ptr<pairing::EditRun> begin(const QString& instruction,
                                          const pairing::ModelRoster::Choice& choice,
                                          editor::Hunks* hunks, QString* problem,
                                          std::optional<double> temperature = {},
                                          bool isRefined = false);
  std::unique_ptr<pairing::EditRun> askFor(const pairing::EditTask& task,
                                           const pairing::ModelRoster::Choice& choice,
                                           editor::Hunks* hunks, QString* problem,
                                           std::optional<double> temperature);
  void send();
  void endSecond();
  void proposeElsewhere();
  void showAlternative(const QString& news);
  void follow(std::unique_ptr<pairing::EditRun> run);
  void typed();
  std::unique_ptr<pairing::EditRun> sendUnasked(const QString& instruction, editor::Hunks* hunks);
  void previewChanged();
  void offerPlainEdit(const pairing::PlainEdit& edit);
  void stop();
  void copyLeftOver() const;
  void runChanged();
  void showRun();
  void showGrowing();
  void hunksChanged();
  void goTo(qsizetype hunk);
  // In which the text lies; of one from elsewhere that of the text in front.
  QString folder() const;
  QString pathForModel() const;
  QByteArrayList leftOver() const;

  Document* document_;
  EditParts parts_;
  EditBar* bar_;
  EditTarget target_;
  QVector<Offer> offers_;
  QString report_;  // that goes along with the instruction `reported_`
  QString reported_;
  std::unique_ptr<pairing::EditRun> run_;       // the last one; null before the first
  QString model_;                               // that it asked
  std::unique_ptr<pairing::ModelReply> ahead_;  // to a request that says nothing yet
  Attempt asked_;                               // by it
  QString previewModel_;                        // likewise of the preview
  Attempt previewAsked_;
  QString elsewhere_;                      // what became of its changes of other files
  std::optional<pairing::EditTask> task_;  // of it
  // What the changes on offer were made for, the model's answer, and they themselves before it is
  // asked to refine them.
  std::optional<pairing::EditTask> offeredTask_;
  QString offeredAnswer_;
  QVector<editor::Hunk> offeredHunks_;
  editor::Suggestion before_;
  QVector<pairing::ContextItem> context_;  // that goes along
  QSet<QString> struck_;                   // names of what does not
  int gathering_ = 0;                      // counts what was asked for
  bool isGathering_ = false;
  bool sendsThen_ = false;          // the instruction is sent when all is gathered
  Attempt failed_;                  // what it came to nothing for; empty: it did not fail
  EditPreview* preview_;            // owned by Qt
  GrowingChange* growing_;          // owned by Qt
  HunkAlternatives* alternatives_;  // owned by Qt
  HunkBar* hunkBar_;                // owned by Qt
  qsizetype came_ = -1;             // changes of the run that the bar has told of
  QPointer<SecondAnswer> second_;   // while there are two
  bool wasGrowing_ = false;         // something of the run's change was drawn
  bool offered_ = false;            // hunks, since the bar was opened or used
  bool begun_ = false;  // the next instruction: the bar stays, whatever becomes of the last one
};

}  // namespace waferpair::gui
