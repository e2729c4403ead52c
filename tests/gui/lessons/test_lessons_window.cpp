// SPDX-License-Identifier: GPL-3.0-or-later
// Every lesson that comes along, to its end by keyboard alone; progress, presentation, handouts.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QtTest>
#include <cmath>

#include "gui/kit/rich_text.h"
#include "gui/kit/theme.h"
#include "gui/lessons/handout.h"
#include "gui/lessons/lessons_window.h"
#include "runtime/experiment/experiment.h"
#include "tests/gui/kit/accessible_names.h"
#include "tests/support/paths.h"
#include "tests/support/rest.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

// Answers at once what the model server would.
ExperimentResult answerHere(const QString& text) {
  const auto question = experiment::parseQuestion(text.toStdString());
  const auto said = question ? experiment::answer(*question)
                             : base::Result<experiment::Answer>(tl::unexpected(question.error()));
  if (!said)
    return editor::fail(QString::fromStdString(said.error().what),
                        QString::fromStdString(said.error().remedy));
  ExperimentAnswer answer;
  answer.nature = QString::fromLatin1(natureName(said->nature));
  answer.title = QString::fromStdString(said->title);
  answer.band = QString::fromStdString(said->band);
  for (const auto& figure : said->figures)
    answer.figures.append({QString::fromStdString(figure.name),
                           QString::fromStdString(figure.label), figure.value,
                           QString::fromStdString(figure.unit)});
  return answer;
}

}  // namespace

class TestLessonsWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { Theme::instance().apply(Look{}); }

  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    ran_.clear();
    open();
  }
  void cleanup() {
    window_.reset();
    folder_.reset();
  }

  void twelveLessonsComeAlong() {
    const auto shelf = findLessons(folder_->path());
    QCOMPARE(shelf.size(), 12);
    for (const ShelvedLesson& shelved : shelf)
      QVERIFY2(shelved.lesson, qPrintable(QStringLiteral("%1:%2: %3")
                                              .arg(shelved.file)
                                              .arg(shelved.mistake.line)
                                              .arg(shelved.mistake.text)));
  }

  void everyLessonIsDoneByKeyboardAlone_data() {
    QTest::addColumn<int>("lesson");
    for (int i = 0; i < 12; ++i) QTest::addRow("%d", i + 1) << i;
  }
  void everyLessonIsDoneByKeyboardAlone() {
    QFETCH(int, lesson);
    auto* list = window_->findChild<QListWidget*>(QStringLiteral("lessonList"));
    list->setFocus();
    for (int i = 0; i < lesson; ++i) QTest::keyClick(list, Qt::Key_Down);
    QCOMPARE(window_->lesson(), lesson);
    const Lesson read = window_->run()->lesson();
    for (int step = 0; step < read.steps.size(); ++step) {
      QCOMPARE(window_->step(), step);
      for (const LessonBlock& block : read.steps[step].blocks) {
        if (const auto* experiment = std::get_if<LessonExperiment>(&block)) runIt(*experiment);
        if (const auto* command = std::get_if<LessonCommand>(&block)) doIt(*command);
        if (const auto* question = std::get_if<LessonQuestion>(&block)) answer(*question);
        if (QTest::currentTestFailed()) return;
      }
      QTest::keyClick(focus(), Qt::Key_Right, Qt::AltModifier);
    }
    QVERIFY(window_->run()->isDone());
    QVERIFY(list->item(lesson)->text().startsWith(u'✓'));
    QVERIFY(window_->findChild<QLabel*>(QStringLiteral("lessonNote"))
                ->text()
                .contains(QStringLiteral("All questions")));
    if (const QByteArray pictures = qgetenv("WAFERPAIR_PICTURES"); !pictures.isEmpty()) {
      test::rest();  // until all is laid out
      window_->grab().save(QStringLiteral("%1/lesson-%2.png")
                               .arg(QString::fromLocal8Bit(pictures))
                               .arg(lesson + 1, 2, 10, QLatin1Char('0')));
    }
  }

  void everythingHasAName() {
    for (int lesson = 0; lesson < 12; ++lesson) {
      window_->open(lesson);
      for (int step = 0; step < window_->run()->lesson().steps.size(); ++step) {
        QCOMPARE(test::namelessIn(window_.get()).join(u'|'), QString());
        QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
      }
    }
  }

  // No figure stands in a text as a letter: those with one are the program's own.
  void textsFillInFigures() {
    for (int i = 0; i < 12; ++i) {
      window_->open(i);
      bool done = false;
      window_->run()->runAll(window_.get(), [&done] { done = true; });
      QVERIFY(done);
      for (const LessonStep& step : window_->run()->lesson().steps)
        for (const LessonBlock& block : step.blocks) {
          if (const auto* text = std::get_if<LessonText>(&block))
            QVERIFY2(!window_->run()->filled(text->markdown).contains(u'…'),
                     qPrintable(text->markdown));
          const auto* experiment = std::get_if<LessonExperiment>(&block);
          if (!experiment) continue;
          const auto& at = window_->run()->experiment(experiment->id);
          QVERIFY2(at.first, qPrintable(experiment->id + at.problem.message()));
          for (const QString& name : experiment->shown)
            QVERIFY2(at.first->find(name), qPrintable(experiment->id + u'.' + name));
        }
    }
  }

  void choicesKeepTheFirstAsAMark() {
    window_->open(10);
    auto* box = window_->findChild<QComboBox*>(QStringLiteral("choose.lanes.lanes"));
    QVERIFY(box);
    window_->findChild<QPushButton*>(QStringLiteral("run.lanes"))->setFocus();
    QTest::keyClick(focus(), Qt::Key_Return);
    const auto rate = [this] {
      return window_->findChild<QLabel*>(QStringLiteral("figure.lanes.tokens_per_second"))
          ->accessibleDescription();
    };
    const QString before = rate().section(QStringLiteral("; "), 0, 0);
    QVERIFY2(before.endsWith(QStringLiteral(" tokens/s")), qPrintable(before));
    box->setFocus();
    QTest::keyClick(box, Qt::Key_End);
    QCOMPARE(box->currentText(), QStringLiteral("32"));
    QVERIFY2(!rate().startsWith(before), qPrintable(rate()));
    QVERIFY2(rate().endsWith(QStringLiteral("at first ") + before), qPrintable(rate()));
  }

  void progressIsKept() {
    window_->open(1);
    QTest::keyClick(focus(), Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(window_->step(), 1);
    answer(std::get<LessonQuestion>(window_->run()->lesson().steps[1].blocks.last()));
    window_.reset();
    open();
    window_->open(1);
    QCOMPARE(window_->step(), 1);
    QCOMPARE(window_->run()->right(), QSet<QString>{QStringLiteral("wafers")});
    QVERIFY(window_->findChild<QLabel*>(QStringLiteral("verdict.wafers"))
                ->text()
                .contains(QStringLiteral("before")));
  }

  void aPresentationIsLargeAndAlone() {
    auto* list = window_->findChild<QListWidget*>(QStringLiteral("lessonList"));
    auto* next = window_->findChild<QPushButton*>(QStringLiteral("lessonNext"));
    const auto letters = [this] { return window_->findChild<RichText*>()->font().pointSizeF(); };
    const double before = letters();
    QVERIFY(list->isVisible());
    QTest::keyClick(focus(), Qt::Key_F11);
    QVERIFY(window_->isPresenting());
    QVERIFY(window_->isFullScreen());
    QVERIFY(!list->isVisible() && !next->isVisible());
    QVERIFY(letters() > 1.5 * before);
    // What is asked, typed, pressed and told is as large: a class reads it from afar.
    window_->findChild<QPushButton*>(QStringLiteral("run.wafer"))->click();
    const auto* page = window_->findChild<QScrollArea*>(QStringLiteral("lessonPage"));
    int read = 0;
    for (const QWidget* part : page->widget()->findChildren<QWidget*>()) {
      if (!qobject_cast<const QLabel*>(part) && !qobject_cast<const QLineEdit*>(part) &&
          !qobject_cast<const QAbstractButton*>(part))
        continue;
      part->ensurePolished();
      QVERIFY2(part->font().pointSizeF() > 1.5 * before, qPrintable(part->objectName()));
      ++read;
    }
    QVERIFY(read > 8);
    QVERIFY(window_->findChild<QLabel*>(QStringLiteral("lessonPlace"))->font().pointSizeF() >
            1.2 * before);
    QTest::keyClick(focus(), Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(window_->step(), 1);
    QTest::keyClick(focus(), Qt::Key_Escape);
    QVERIFY(!window_->isPresenting());
    QVERIFY(window_->isVisible() && next->isVisible());
    QCOMPARE(letters(), before);
  }

  void aSmallWindowHasABoxInPlaceOfTheList() {
    auto* list = window_->findChild<QListWidget*>(QStringLiteral("lessonList"));
    auto* box = window_->findChild<QComboBox*>(QStringLiteral("lessonChooser"));
    window_->resize(640, 600);
    QVERIFY(!list->isVisible() && box->isVisible());
    QVERIFY(window_->width() <= 640);
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Down);
    QCOMPARE(window_->lesson(), 1);
  }

  void handoutsHaveFiguresAndAnswers() {
    window_->open(1);
    window_->run()->runAll(window_.get(), [] {});
    const QString html = QString::fromUtf8(handoutHtml(*window_->run()));
    const QString truth = window_->run()->truth(
        std::get<LessonQuestion>(window_->run()->lesson().steps[1].blocks.last()));
    QVERIFY2(truth.endsWith(QStringLiteral(" wafers")), qPrintable(truth));
    QVERIFY(html.contains(QStringLiteral("<h1>48 kB, and where a model goes</h1>")));
    QVERIFY(html.contains(QStringLiteral("2. ") + truth));
    QVERIFY(html.contains(QStringLiteral("49,152 bytes")));
    const QByteArray pdf = handoutPdf(*window_->run());
    QVERIFY(pdf.startsWith("%PDF-") && pdf.size() > 5000);
  }

  void ownLessonsAreFoundAndTheirMistakesTold() {
    QDir(folder_->path()).mkdir(QStringLiteral("lessons"));
    QFile good(folder_->filePath(QStringLiteral("lessons/mine.md")));
    QVERIFY(good.open(QFile::WriteOnly));
    good.write(
        "# Mine\n## Only\n```experiment a\npace name=gpt-4o\nshow tokens_per_second\n```\n"
        "```question q\nHow fast?\nnumber a.tokens_per_second\n```\n");
    good.close();
    QFile bad(folder_->filePath(QStringLiteral("lessons/wrong.md")));
    QVERIFY(bad.open(QFile::WriteOnly));
    bad.write("# Wrong\n## Only\nNo question.\n");
    bad.close();
    QTest::keyClick(focus(), Qt::Key_F5);
    window_->open(12);
    QCOMPARE(window_->run()->lesson().title, QStringLiteral("Mine"));
    window_->open(13);
    QVERIFY(!window_->run());
    QVERIFY(window_->findChild<RichText*>()->toPlainText().contains(
        QStringLiteral("The last step has no question.")));
    QTest::keyClick(focus(), Qt::Key_Right, Qt::AltModifier);  // goes nowhere
    window_->open(0);
    QVERIFY(window_->run());
  }

 private:
  void open() {
    LessonsWindow::Parts parts;
    parts.ask = [this](const QString& question, QObject*, HearExperiment hear) {
      if (!known_.contains(question)) known_.insert(question, answerHere(question));
      hear(known_[question]);
    };
    parts.runCommand = [this](const QString& id) {
      ran_.append(id);
      return QStringLiteral("Done.");
    };
    parts.folder = folder_->filePath(QStringLiteral("lessons"));
    parts.progress = folder_->filePath(QStringLiteral("state/lessons.json"));
    window_ = std::make_unique<LessonsWindow>(std::move(parts), nullptr);
    window_->resize(1000, 760);
    window_->show();
    window_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
  }
  QWidget* focus() const {
    QWidget* at = window_->focusWidget();
    return at ? at : window_.get();
  }
  // Goes there by Tab.
  bool tabTo(const QString& name) const {
    for (int i = 0; i < 200; ++i) {
      if (focus()->objectName() == name) return true;
      QTest::keyClick(focus(), Qt::Key_Tab);
    }
    return false;
  }
  void runIt(const LessonExperiment& experiment) {
    QVERIFY2(tabTo(QStringLiteral("run.") + experiment.id), qPrintable(experiment.id));
    QTest::keyClick(focus(), Qt::Key_Space);
    const auto& at = window_->run()->experiment(experiment.id);
    QVERIFY2(at.first, qPrintable(experiment.id + u' ' + at.problem.message()));
  }
  void doIt(const LessonCommand& command) {
    QVERIFY2(tabTo(QStringLiteral("do.") + command.id), qPrintable(command.id));
    QTest::keyClick(focus(), Qt::Key_Return);
    QCOMPARE(ran_.last(), command.id);
  }
  // First wrong, then right.
  void answer(const LessonQuestion& question) {
    LessonRun* run = window_->run();
    const auto verdict = [&] { return run->said(question.id).verdict; };
    if (question.kind == LessonQuestion::Kind::kNumber) {
      QVERIFY2(tabTo(QStringLiteral("answer.") + question.id), qPrintable(question.id));
      QTest::keyClicks(focus(), QStringLiteral("-12345"));
      QTest::keyClick(focus(), Qt::Key_Return);
      QCOMPARE(verdict(), LessonRun::Verdict::kWrong);
      const auto truth = question.answer->value(
          [run](const QString& id, const QString& name) { return run->figure(id, name); });
      QVERIFY2(truth, qPrintable(question.id));
      QTest::keyClick(focus(), Qt::Key_A, Qt::ControlModifier);
      QTest::keyClicks(focus(), QString::number(*truth, 'g', 12));
      QTest::keyClick(focus(), Qt::Key_Return);
    } else {
      run->runAll(window_.get(), [] {});
      const QString truth = run->truth(question);
      int right = -1;
      for (int i = 0; i < question.options.size(); ++i)
        if (question.options[i].label == truth) right = i;
      QVERIFY2(right >= 0, qPrintable(question.id));
      QVERIFY2(tabTo(QStringLiteral("option.%1.0").arg(question.id)), qPrintable(question.id));
      QTest::keyClick(focus(), Qt::Key_Space);
      for (int i = 0; i < right; ++i) QTest::keyClick(focus(), Qt::Key_Down);
      QVERIFY(
          window_
              ->findChild<QRadioButton*>(QStringLiteral("option.%1.%2").arg(question.id).arg(right))
              ->isChecked());
      QVERIFY(tabTo(QStringLiteral("check.") + question.id));
      QTest::keyClick(focus(), Qt::Key_Space);
    }
    QVERIFY2(verdict() == LessonRun::Verdict::kRight, qPrintable(run->said(question.id).text));
    auto* shown = window_->findChild<QLabel*>(QStringLiteral("verdict.") + question.id);
    QVERIFY(shown->text().startsWith(QStringLiteral("Right")));
    QCOMPARE(shown->accessibleDescription(), shown->text());
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<LessonsWindow> window_;
  QStringList ran_;
  QHash<QString, ExperimentResult> known_;
};

QTEST_MAIN(TestLessonsWindow)
#include "test_lessons_window.moc"
