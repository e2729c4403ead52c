// SPDX-License-Identifier: GPL-3.0-or-later
// A question of an agent's: what it wants to do, all of it, and the answers that it offers. The
// keyboard is on the one that changes nothing; numbers choose, too. What allows it can be chosen
// once the end of it was in sight.
#pragma once

#include <QFont>
#include <QFrame>
#include <QVector>

#include "pairing/agents/agent_turn.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace waferpair::gui {

class SeenToEnd;

class AgentQuestionCard : public QFrame {
  Q_OBJECT
 public:
  explicit AgentQuestionCard(QWidget* parent);

  void setCodeFont(const QFont& font) { codeFont_ = font; }
  // `folder`: the project's. What is about files elsewhere is marked.
  void show(const QString& agent, const pairing::AgentQuestion& question, const QString& folder);
  void clear();
  int question() const { return question_; }  // 0: none is shown
  // All that can be read, for automation.
  QString text() const;
  // The keyboard goes to the answer that changes nothing.
  void enter();

 Q_SIGNALS:
  // An empty id: no answer is given.
  void answered(int question, const QString& optionId);
  void openWanted(const QString& path, int line);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  void showStep(const pairing::AgentStep& step, const QString& folder);
  void addButton(const pairing::AgentOption& option, int number, bool isSafest);
  void give(const QString& optionId);

  QFont codeFont_;
  int question_ = 0;
  QLabel* title_;
  QLabel* warning_;
  QScrollArea* scroll_;
  SeenToEnd* seen_;
  QVBoxLayout* blocks_;
  QVBoxLayout* options_;
  QVector<QPushButton*> buttons_;
  QPushButton* safest_ = nullptr;
};

}  // namespace waferpair::gui
