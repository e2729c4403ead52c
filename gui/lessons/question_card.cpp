// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/question_card.h"

#include <QAccessible>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "gui/kit/theme.h"
#include "gui/lessons/lesson_run.h"

namespace waferpair::gui {
namespace {

// "1,234", "1.2e3", and with the separators of the reader's own language.
std::optional<double> numberIn(const QString& typed) {
  const QString text = typed.trimmed();
  bool isNumber = false;
  for (const QLocale& locale : {QLocale(QLocale::English, QLocale::UnitedStates), QLocale()}) {
    const double value = locale.toDouble(text, &isNumber);
    if (isNumber) return value;
  }
  return std::nullopt;
}

}  // namespace

QuestionCard::QuestionCard(LessonRun* run, const LessonQuestion& question, QWidget* parent)
    : QFrame(parent),
      run_(run),
      id_(question.id),
      check_(new QPushButton(tr("Check"), this)),
      verdict_(new QLabel(this)) {
  setObjectName(QStringLiteral("question.") + id_);
  setProperty("role", QStringLiteral("card"));
  setAccessibleName(tr("Question"));
  auto* column = new QVBoxLayout(this);
  auto* text = new QLabel(question.text, this);
  text->setTextFormat(Qt::PlainText);
  text->setWordWrap(true);
  QFont strong = font();
  strong.setBold(true);
  text->setFont(strong);
  column->addWidget(text);

  auto* row = new QHBoxLayout;
  if (question.kind == LessonQuestion::Kind::kNumber) {
    number_ = new QLineEdit(this);
    number_->setObjectName(QStringLiteral("answer.") + id_);
    number_->setAccessibleName(question.text);
    number_->setPlaceholderText(tr("A number"));
    number_->setMaximumWidth(220);
    connect(number_, &QLineEdit::returnPressed, this, &QuestionCard::check);
    row->addWidget(number_);
    if (!question.unit.isEmpty()) row->addWidget(new QLabel(question.unit, this));
  } else {
    options_ = new QButtonGroup(this);
    for (int i = 0; i < question.options.size(); ++i) {
      QString label = question.options[i].label;
      auto* option = new QRadioButton(label.replace(u'&', QStringLiteral("&&")), this);
      option->setObjectName(QStringLiteral("option.%1.%2").arg(id_).arg(i));
      option->setAccessibleDescription(question.text);
      options_->addButton(option, i);
      column->addWidget(option);
    }
  }
  check_->setObjectName(QStringLiteral("check.") + id_);
  check_->setAccessibleName(tr("Check the answer"));
  check_->setAutoDefault(true);
  connect(check_, &QPushButton::clicked, this, &QuestionCard::check);
  row->addWidget(check_);
  row->addStretch();
  column->addLayout(row);
  verdict_->setObjectName(QStringLiteral("verdict.") + id_);
  verdict_->setAccessibleName(tr("Verdict"));
  verdict_->setTextFormat(Qt::PlainText);
  verdict_->setWordWrap(true);
  column->addWidget(verdict_);
  connect(run, &LessonRun::questionChanged, this, [this](const QString& id) {
    if (id == id_) showVerdict();
  });
  connect(&Theme::instance(), &Theme::changed, this, &QuestionCard::showVerdict);
  showVerdict();
}

void QuestionCard::check() {
  if (options_) {
    if (options_->checkedId() < 0) return verdict_->setText(tr("Choose one first."));
    return run_->answerOption(id_, options_->checkedId());
  }
  const auto value = numberIn(number_->text());
  if (!value) return verdict_->setText(tr("Type a number first."));
  run_->answerNumber(id_, *value);
}

void QuestionCard::showVerdict() {
  LessonRun::Said said = run_->said(id_);
  if (said.verdict == LessonRun::Verdict::kNone && run_->right().contains(id_))
    said = {LessonRun::Verdict::kRight, tr("Answered right before.")};
  const WindowColors& colors = Theme::instance().colors();
  QPalette palette = verdict_->palette();
  palette.setColor(QPalette::WindowText, said.verdict == LessonRun::Verdict::kRight ? colors.success
                                         : said.verdict == LessonRun::Verdict::kWrong
                                             ? colors.warning
                                             : colors.text);
  verdict_->setPalette(palette);
  verdict_->setText(said.text);
  verdict_->setAccessibleDescription(said.text);
  QAccessibleEvent changed(verdict_, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
}

}  // namespace waferpair::gui
