// SPDX-License-Identifier: GPL-3.0-or-later
// The bar over a text in which an instruction is typed: what it is about, who answers it, how far
// that is, ready tasks, and what needs no model. It only shows and asks; see edit_session.h.
#pragma once

#include <QFrame>

class QBoxLayout;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QToolButton;

namespace waferpair::gui {

class ContextChips;
class TextHistory;
class ElidedLabel;

class EditBar : public QFrame {
  Q_OBJECT
 public:
  // `history` outlives this; null: there is none.
  explicit EditBar(TextHistory* history, QWidget* parent = nullptr);

  QString instruction() const;
  void setInstruction(const QString& text);
  // The keyboard goes to the field, and what it holds is marked.
  void enter();

  void setTarget(const QString& text);
  void setModel(const QString& text, const QString& tip);
  // Sets what is listed below the field, under `head`; `chosen`: the first row is what Return
  // means.
  void setOffers(const QString& head, const QStringList& titles, bool chosen);
  void clearOffers() { setOffers({}, {}, false); }
  enum class Tone { kNews, kWarning, kProblem };
  // Says how things stand, or what went wrong and what can be done.
  void say(const QString& text, Tone tone = Tone::kNews);
  void setRunning(bool running);
  // There are hunks to accept or reject.
  void setOffering(bool offering);
  // Another answer to the same instruction can be had.
  void setAnother(bool possible);
  // What goes along with the instruction.
  ContextChips* chips() const { return chips_; }
  // Offers to choose a model that is here, and to get one.
  void setModelOffers(bool choose, bool get);
  // There is text that found no place, to be copied.
  void setLeftOver(bool leftOver);

  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void edited();
  void sendWanted();
  void offerWanted(int row);
  void stopWanted();
  void closeWanted();
  // The user takes back, or makes again, what became of the instruction: in the text.
  void undoWanted();
  void redoWanted();
  void acceptAllWanted();
  void rejectAllWanted();
  void anotherWanted();
  void copyWanted();
  void chooseModelWanted();
  void getModelWanted();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* addTool(const char* name, const char* symbol, const QString& text);
  QPushButton* addButton(const char* name, const QString& text, const QString& tip);
  bool keyPressed(int key);
  bool undoes(const QKeyEvent& key);
  void step(int direction);
  void recall(qsizetype entry);
  void submit();

  TextHistory* history_;
  qsizetype recalled_ = -1;  // entry of the history that the field shows; -1: what was typed
  QString typed_;
  QString sent_;  // the last instruction; while the field holds it, undoing is not about the field
  bool running_ = false;
  QBoxLayout* below_;  // labels, and beside or below them the buttons
  QLineEdit* field_;
  ElidedLabel* target_;
  ElidedLabel* model_;
  QLabel* state_;
  ContextChips* chips_;
  QListWidget* offers_;
  QLabel* offersHead_;
  QToolButton* send_;
  QToolButton* close_;
  QPushButton* acceptAll_;
  QPushButton* rejectAll_;
  QPushButton* another_;
  QPushButton* copy_;
  QPushButton* chooseModel_;
  QPushButton* getModel_;
};

}  // namespace waferpair::gui
