// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/lessons_window.h"

#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <utility>

#include "editor/text/save_file.h"
#include "gui/kit/dialog_size.h"
#include "gui/lessons/handout.h"

namespace waferpair::gui {
namespace {

constexpr int kRoomForLessons = 820;  // pixels of width
constexpr int kLessonListWidth = 270;
constexpr double kPresentedPoints = 20;

QPushButton* lessonButton(const char* name, const QString& text, const QString& tip,
                          QWidget* parent) {
  auto* made = new QPushButton(text, parent);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(tip);
  made->setAccessibleDescription(tip);
  made->setAutoDefault(true);
  return made;
}

}  // namespace

LessonsWindow::LessonsWindow(Parts parts, QWidget* parent)
    : QWidget(parent, Qt::Window),
      parts_(std::move(parts)),
      progress_(parts_.progress),
      list_(new QListWidget(this)),
      chooser_(new QComboBox(this)),
      title_(new QLabel(this)),
      place_(new QLabel(this)),
      page_(new LessonPage(parts_.runCommand, this)),
      bar_(new QWidget(this)),
      note_(new QLabel(this)),
      back_(lessonButton("lessonBack", tr("&Back"), tr("The step before (Alt+Left)"), bar_)),
      next_(lessonButton("lessonNext", tr("&Next"), tr("The next step (Alt+Right)"), bar_)),
      present_(lessonButton("lessonPresent", tr("&Present"),
                            tr("Large letters on the whole screen (F11)"), bar_)),
      handout_(lessonButton("lessonHandout", tr("&Handout…"),
                            tr("Save the lesson for paper, with figures and answers"), bar_)) {
  setObjectName(QStringLiteral("lessonsWindow"));
  setWindowTitle(tr("Lessons"));
  setAccessibleName(windowTitle());
  layOut();
  resizeWithin(this, {1000, 760});
  connect(list_, &QListWidget::currentRowChanged, this, &LessonsWindow::open);
  connect(chooser_, &QComboBox::currentIndexChanged, this, &LessonsWindow::open);
  connect(back_, &QPushButton::clicked, this, [this] { turnTo(step_ - 1); });
  connect(next_, &QPushButton::clicked, this, [this] { turnTo(step_ + 1); });
  connect(present_, &QPushButton::clicked, this, [this] { setPresenting(true); });
  connect(handout_, &QPushButton::clicked, this, &LessonsWindow::chooseHandout);
  // Texts and answers have a use of their own for the arrows.
  new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Left), this, [this] { turnTo(step_ - 1); });
  new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Right), this, [this] { turnTo(step_ + 1); });
  reload();
}

void LessonsWindow::layOut() {
  list_->setObjectName(QStringLiteral("lessonList"));
  list_->setAccessibleName(tr("Lessons"));
  list_->setFixedWidth(kLessonListWidth);
  list_->setWordWrap(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setSpacing(3);
  chooser_->setObjectName(QStringLiteral("lessonChooser"));
  chooser_->setAccessibleName(tr("Lesson"));
  chooser_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  title_->setObjectName(QStringLiteral("lessonTitle"));
  title_->setTextFormat(Qt::PlainText);
  title_->setWordWrap(true);
  place_->setObjectName(QStringLiteral("lessonPlace"));
  place_->setAccessibleName(tr("Step"));
  note_->setObjectName(QStringLiteral("lessonNote"));
  note_->setAccessibleName(tr("Note"));
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);

  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  auto* side = new QWidget(this);
  auto* shelf = new QVBoxLayout(side);
  shelf->setContentsMargins(9, 9, 0, 9);
  shelf->addWidget(list_);
  row->addWidget(side);
  auto* column = new QVBoxLayout;
  column->setContentsMargins(12, 12, 12, 12);
  column->addWidget(chooser_);
  column->addSpacing(6);
  column->addWidget(title_);
  column->addWidget(place_);
  column->addWidget(page_, 1);
  column->addWidget(note_);
  auto* bar = new QHBoxLayout(bar_);
  bar->setContentsMargins(0, 0, 0, 0);
  bar->addWidget(back_);
  bar->addWidget(next_);
  bar->addStretch();
  bar->addWidget(handout_);
  bar->addWidget(present_);
  column->addWidget(bar_);
  row->addLayout(column, 1);
}

void LessonsWindow::reload() {
  shelf_ = findLessons(parts_.folder);
  const QSignalBlocker quiet(list_), silent(chooser_);
  list_->clear();
  chooser_->clear();
  for (const ShelvedLesson& shelved : std::as_const(shelf_)) {
    const QString title =
        shelved.lesson ? shelved.lesson->title : tr("%1 (has a mistake)").arg(shelved.file);
    list_->addItem(title);
    chooser_->addItem(title);
  }
  markDone();
  const int wanted = qBound(0, current_, static_cast<int>(shelf_.size()) - 1);
  current_ = -1;
  open(wanted);
}

void LessonsWindow::markDone() {
  for (int i = 0; i < shelf_.size(); ++i) {
    if (!shelf_[i].lesson) continue;
    const QString& title = shelf_[i].lesson->title;
    const bool done = progress_.of(shelf_[i].lesson->id).done;
    list_->item(i)->setText(done ? QStringLiteral("✓ ") + title : title);
    list_->item(i)->setData(Qt::AccessibleTextRole, done ? tr("%1, done").arg(title) : title);
  }
}

void LessonsWindow::open(int lesson) {
  if (lesson < 0 || lesson >= shelf_.size() || lesson == current_) return;
  keep();
  current_ = lesson;
  {
    const QSignalBlocker quiet(list_), silent(chooser_);
    list_->setCurrentRow(lesson);
    chooser_->setCurrentIndex(lesson);
  }
  note_->clear();
  const ShelvedLesson& shelved = shelf_[lesson];
  const std::unique_ptr<LessonRun> before = std::move(run_);  // its page goes first
  if (!shelved.lesson) {
    title_->setText(shelved.file);
    place_->clear();
    page_->showProblem(tr("Line %1: %2").arg(shelved.mistake.line).arg(shelved.mistake.text),
                       font().pointSizeF());
    for (QPushButton* button : {back_, next_, handout_, present_}) button->setEnabled(false);
    return;
  }
  run_ = std::make_unique<LessonRun>(*shelved.lesson, parts_.ask);
  const LessonProgress::Of progress = progress_.of(shelved.lesson->id);
  run_->setRight(progress.right);
  connect(run_.get(), &LessonRun::questionChanged, this, [this] {
    keep();
    markDone();
    if (run_->isDone()) note_->setText(tr("All questions of this lesson are answered."));
  });
  handout_->setEnabled(true);
  present_->setEnabled(true);
  showStep(progress.step);
}

void LessonsWindow::showStep(int step) {
  if (!run_) return;
  const auto& steps = run_->lesson().steps;
  step_ = qBound(0, step, static_cast<int>(steps.size()) - 1);
  QFont big = font();
  big.setPointSizeF(presenting_ ? kPresentedPoints * 1.4 : font().pointSizeF() * 1.5);
  big.setBold(true);
  title_->setFont(big);
  title_->setText(steps[step_].title);
  QFont beside = font();
  if (presenting_) beside.setPointSizeF(kPresentedPoints * 0.7);
  place_->setFont(beside);
  note_->setFont(beside);
  place_->setText(
      tr("%1, step %2 of %3").arg(run_->lesson().title).arg(step_ + 1).arg(steps.size()));
  page_->showStep(run_.get(), step_, presenting_ ? kPresentedPoints : font().pointSizeF());
  back_->setEnabled(step_ > 0);
  next_->setEnabled(step_ + 1 < steps.size());
  page_->focusFirst();
  keep();
}

void LessonsWindow::turnTo(int step) {
  // At either end what was chosen and typed stays.
  if (run_ && step >= 0 && step < run_->lesson().steps.size()) showStep(step);
}

void LessonsWindow::keep() {
  if (!run_) return;
  const LessonProgress::Of now{step_, run_->right(), run_->isDone()};
  const LessonProgress::Of before = progress_.of(run_->lesson().id);
  if (now.step == before.step && now.right == before.right && now.done == before.done) return;
  const QString problem = progress_.set(run_->lesson().id, now);
  if (!problem.isEmpty()) note_->setText(problem);
}

void LessonsWindow::setPresenting(bool on) {
  if (on == presenting_) return;
  presenting_ = on;
  if (on) {
    before_ = windowState();
    setWindowState(before_ | Qt::WindowFullScreen);
  } else {
    setWindowState(before_);
  }
  bar_->setVisible(!on);
  showChooser();
  showStep(step_);
}

void LessonsWindow::showChooser() {
  const bool wide = width() >= kRoomForLessons;
  list_->parentWidget()->setVisible(wide && !presenting_);
  chooser_->setVisible(!wide && !presenting_);
}

void LessonsWindow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showChooser();
}

void LessonsWindow::closeEvent(QCloseEvent* event) {
  keep();
  QWidget::closeEvent(event);
}

void LessonsWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_F11) return setPresenting(!presenting_);
  if (event->key() == Qt::Key_F5) return reload();
  if (event->key() == Qt::Key_Escape) {
    if (presenting_) return setPresenting(false);
    close();
    return;
  }
  if (event->key() == Qt::Key_PageUp) return turnTo(step_ - 1);
  if (event->key() == Qt::Key_PageDown) return turnTo(step_ + 1);
  auto* button = qobject_cast<QPushButton*>(focusWidget());
  if (button && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
    return button->click();
  QWidget::keyPressEvent(event);
}

void LessonsWindow::chooseHandout() {
  if (!run_) return;
  auto* dialog = new QFileDialog(
      this, tr("Save Handout"), QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation),
      tr("PDF (*.pdf);;Web page (*.html)"));
  dialog->setObjectName(QStringLiteral("handoutDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("pdf"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
    dialog->setDefaultSuffix(filter.contains(QLatin1String("html")) ? QStringLiteral("html")
                                                                    : QStringLiteral("pdf"));
  });
  dialog->selectFile(run_->lesson().id + QStringLiteral(".pdf"));
  connect(dialog, &QFileDialog::fileSelected, this, &LessonsWindow::writeHandout);
  dialog->open();
}

void LessonsWindow::writeHandout(const QString& path) {
  note_->setText(tr("The experiments of the lesson are being run…"));
  run_->runAll(run_.get(), [this, path] {
    const bool page = path.endsWith(QLatin1String(".html")) || path.endsWith(QLatin1String(".htm"));
    const auto saved = editor::saveFile(path, page ? handoutHtml(*run_) : handoutPdf(*run_));
    note_->setText(saved ? tr("Saved: %1").arg(path) : saved.error().message());
  });
}

}  // namespace waferpair::gui
