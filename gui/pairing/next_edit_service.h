// SPDX-License-Identifier: GPL-3.0-or-later
// Offers the likely next edit behind the caret's line. The key goes there, and pressed again makes
// the edit; Esc takes the offer away, and the same is not offered again. Finders, which ask no
// model, come first; where they have nothing, a model is asked that was taught next edits, if the
// user has chosen one (taught_edits.h).
//
// A moment after the last edit the open texts, and files of the project that hold the words that
// changed, are searched on a thread of its own, which the next edit calls off. An offer lasts until
// something is edited or the caret leaves its line. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <memory>
#include <optional>

#include "editor/assist/document_sync.h"
#include "pairing/next_edit/edit_history.h"
#include "pairing/next_edit/next_edit.h"
#include "pairing/next_edit/read_facts.h"
#include "pairing/taught/edit_question.h"

namespace waferpair::pairing {
class ModelRoster;
struct TaughtChange;
}  // namespace waferpair::pairing

namespace waferpair::gui {

class Document;
class EditorTabs;
class Settings;
class TaughtEdits;

class NextEditService : public QObject, private editor::DocumentSubscriber {
  Q_OBJECT
 public:
  // The counts of this run of the program; told to nobody.
  struct Counts {
    int shown = 0;
    int accepted = 0;
    int dismissed = 0;
    int shownByModel = 0;  // of those shown
    int acceptedByModel = 0;
  };

  // All of them outlive this. `roster` may be null: no model is asked.
  NextEditService(EditorTabs* tabs, editor::DocumentSync* sync, Settings* settings,
                  pairing::ModelRoster* roster, QObject* parent = nullptr);
  ~NextEditService() override;

  // The project's root (empty: none) and its files, relative to it: what they hold is read once a
  // file is edited, and again where it changed.
  void setProject(const QString& root, const QStringList& files);

  const Counts& counts() const { return counts_; }
  // Returns the offer in words without the key: "rename in line 84"; empty: there is none.
  QString offered() const;
  // Who is asked where the finders have nothing, and why not, if so.
  const TaughtEdits& taught() const { return *taught_; }
  // Judges by other weights than those that come along.
  void setGate(const pairing::Gate& gate);
  // Does what the offer's key does: goes to the place, or makes the edit there.
  void takeStep();

 Q_SIGNALS:
  // Another edit is offered, or none, or the counts are others.
  void offerChanged();
  // The gate's weights cannot be read: nothing will be offered.
  void problem(const QString& text);

 private:
  // The texts, taken apart once for many searches. Used by the searching thread alone.
  struct Parsed;
  struct Offer {
    pairing::NextEdit next;
    QPointer<Document> shownIn;
    bool isThere = false;  // the caret is at the place, and the edit is drawn
  };

  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId& id) override;

  void watch(Document* document);
  void restart();
  void callOff();
  void search();
  void readFacts(const Document& document);
  // A question to the model, and the text that it is about.
  struct Question {
    pairing::EditQuestion question;
    editor::DocumentId document;
    std::shared_ptr<const pairing::CodeText> code;
  };
  static std::optional<Question> questionFor(const pairing::Situation& now, const QString& root,
                                             const QString& path, std::pair<int, int> caret);
  void ask(const Question& asked);
  std::optional<pairing::NextEdit> answered(const Question& asked,
                                            const pairing::TaughtChange& change) const;
  bool isCaretReady(const Document& document) const;
  void offer(pairing::NextEdit next);
  void showHint(Document* document, int line);
  void draw(Document* document);
  void goThere();
  void make();
  void dismiss();
  void withdraw();
  void caretMoved(Document* document);
  Document* documentOf(const editor::DocumentId& id) const;

  EditorTabs* tabs_;
  const editor::DocumentSync* sync_;
  Settings* settings_;
  std::shared_ptr<const pairing::Gate> gate_;
  pairing::EditHistory history_;
  QVector<pairing::DismissedEdit> dismissed_;
  std::optional<Offer> offer_;
  Counts counts_;
  bool moving_ = false;   // the caret, by takeStep()
  bool chained_ = false;  // the last edit was an offer that was taken
  QTimer soon_{this};
  qint64 generation_ = 0;  // of the search whose result is awaited
  std::shared_ptr<std::atomic_bool> cancelled_;
  std::shared_ptr<Parsed> parsed_;
  QThreadPool pool_{this};
  QString root_;
  QStringList files_;
  std::shared_ptr<const pairing::ReadFacts> facts_;  // of files like the one edited last
  QElapsedTimer factsAge_;                           // invalid: they are to be read
  std::shared_ptr<std::atomic_bool> factsCancelled_;
  QThreadPool reader_{this};
  TaughtEdits* taught_;
};

}  // namespace waferpair::gui
