// SPDX-License-Identifier: GPL-3.0-or-later
// The files that an agent has changed for an answer, or that a model proposes to change: each opens
// to its hunks, which are kept or taken back, or accepted or rejected, one by one or all at once.
#pragma once

#include <QFont>
#include <QPointer>
#include <QSet>
#include <QVector>
#include <QWidget>

#include "pairing/changes/change_review.h"
#include "pairing/threads/thread.h"

class QPushButton;
class QVBoxLayout;

namespace waferpair::gui {

class AgentChanges : public QWidget {
  Q_OBJECT
 public:
  AgentChanges(const QFont& codeFont, QWidget* parent);

  // `review` outlives this; null: nothing can be taken back any more.
  void show(const QVector<pairing::TouchedFile>& files, pairing::ChangeReview* review);

 Q_SIGNALS:
  void openWanted(const QString& relativePath, int line);

 private:
  void refresh();
  void addFile(const pairing::TouchedFile& file);
  void addHunks(qsizetype file);
  bool isProposal() const;
  QPushButton* makeButton(const char* name, const QString& text, const QString& what,
                          std::function<QVector<pairing::FileProblem>()> run);

  QFont codeFont_;
  QVector<pairing::TouchedFile> files_;
  QPointer<pairing::ChangeReview> review_;
  QSet<QString> opened_;  // files whose hunks are shown
  QVector<pairing::FileProblem> problems_;
  QVBoxLayout* column_;
  QWidget* content_ = nullptr;
};

}  // namespace waferpair::gui
