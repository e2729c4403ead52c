// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lesson_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <utility>

#include "gui/kit/rich_text.h"
#include "gui/lessons/experiment_card.h"
#include "gui/lessons/lesson_run.h"
#include "gui/lessons/question_card.h"

namespace waferpair::gui {
namespace {

constexpr int kReadableWidth = 46;  // em

}  // namespace

LessonPage::LessonPage(RunCommand runCommand, QWidget* parent)
    : QScrollArea(parent), runCommand_(std::move(runCommand)) {
  setObjectName(QStringLiteral("lessonPage"));
  setAccessibleName(tr("Lesson"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QVBoxLayout* LessonPage::begin(double points) {
  auto* page = new QWidget;
  QFont letters = font();
  letters.setPointSizeF(points);
  page->setFont(letters);
  // Cards have parts that come later and, under the program's style sheet, take nothing of this
  // font.
  if (points != font().pointSizeF())
    page->setStyleSheet(QStringLiteral("QWidget { font-size: %1pt; }").arg(points));
  auto* margins = new QHBoxLayout(page);
  auto* middle = new QWidget(page);
  middle->setMaximumWidth(kReadableWidth * QFontMetrics(letters).averageCharWidth() * 2);
  margins->addWidget(middle);
  auto* column = new QVBoxLayout(middle);
  column->setSpacing(12);
  return column;
}

void LessonPage::end(QVBoxLayout* column) {
  column->addStretch();
  // The page before is gone with all that is on it. What would be added to the new one from here on
  // would come in sight later, and the keyboard could not go there yet.
  setWidget(column->parentWidget()->parentWidget());
  verticalScrollBar()->setValue(0);
}

void LessonPage::addCommand(const LessonCommand& command, QWidget* parent, QVBoxLayout* column) {
  auto* row = new QHBoxLayout;
  QString label = command.label;
  auto* button = new QPushButton(label.replace(u'&', QStringLiteral("&&")), parent);
  button->setObjectName(QStringLiteral("do.") + command.id);
  button->setAutoDefault(true);
  auto* note = new QLabel(parent);
  note->setTextFormat(Qt::PlainText);
  note->setWordWrap(true);
  note->setAccessibleName(tr("What became of it"));
  connect(button, &QPushButton::clicked, this, [this, note, id = command.id] {
    note->setText(runCommand_(id));
    note->setAccessibleDescription(note->text());
  });
  row->addWidget(button);
  row->addWidget(note, 1);
  column->addLayout(row);
}

void LessonPage::showStep(LessonRun* run, int step, double points) {
  QVBoxLayout* column = begin(points);
  QWidget* parent = column->parentWidget();
  for (const LessonBlock& block : run->lesson().steps[step].blocks) {
    if (const auto* text = std::get_if<LessonText>(&block)) {
      auto* shown = new RichText(parent);
      shown->setFont(parent->font());
      shown->setAccessibleName(tr("Text"));
      const auto fill = [shown, run, markdown = text->markdown] {
        shown->showMarkdown(run->filled(markdown));
      };
      connect(run, &LessonRun::experimentChanged, shown, fill);
      fill();
      column->addWidget(shown);
    } else if (const auto* experiment = std::get_if<LessonExperiment>(&block)) {
      column->addWidget(new ExperimentCard(run, *experiment, parent));
    } else if (const auto* command = std::get_if<LessonCommand>(&block)) {
      addCommand(*command, parent, column);
    } else if (const auto* question = std::get_if<LessonQuestion>(&block)) {
      column->addWidget(new QuestionCard(run, *question, parent));
    }
  }
  end(column);
}

void LessonPage::showProblem(const QString& markdown, double points) {
  QVBoxLayout* column = begin(points);
  auto* shown = new RichText(column->parentWidget());
  shown->showMarkdown(markdown);
  column->addWidget(shown);
  end(column);
}

void LessonPage::keyPressEvent(QKeyEvent* event) {
  const QScrollBar* bar = verticalScrollBar();
  const bool ends = (event->key() == Qt::Key_PageDown && bar->value() == bar->maximum()) ||
                    (event->key() == Qt::Key_PageUp && bar->value() == bar->minimum());
  if (ends) return event->ignore();
  QScrollArea::keyPressEvent(event);
}

void LessonPage::focusFirst() {
  for (QWidget* child : widget()->findChildren<QWidget*>()) {
    if (child->focusPolicy() == Qt::NoFocus || qobject_cast<RichText*>(child)) continue;
    if (child->isVisibleTo(this)) return child->setFocus(Qt::TabFocusReason);
  }
  setFocus();
}

}  // namespace waferpair::gui
