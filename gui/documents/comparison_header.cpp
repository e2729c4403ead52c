// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/comparison_header.h"

#include <QHBoxLayout>
#include <QLabel>

#include "gui/documents/comparison.h"
#include "gui/kit/elided.h"
#include "gui/kit/icon_button.h"

namespace waferpair::gui {

ComparisonHeader::ComparisonHeader(Comparison* comparison, QWidget* parent)
    : QFrame(parent),
      comparison_(comparison),
      titles_(new ElidedLabel(this)),
      count_(new QLabel(this)) {
  setObjectName(QStringLiteral("comparisonHeader"));
  setAccessibleName(tr("Comparison of two texts"));
  titles_->setObjectName(QStringLiteral("comparedTitles"));
  titles_->setTextFormat(Qt::PlainText);
  count_->setObjectName(QStringLiteral("comparedCount"));
  count_->setProperty("role", "muted");
  const auto button = [this](const char* name, const char* symbol, const QString& text) {
    return makeIconButton(QLatin1String(name), QLatin1String(symbol), text, this);
  };
  previous_ = button("comparePrevious", "chevron-up", tr("Previous change"));
  next_ = button("compareNext", "chevron-down", tr("Next change"));
  give_ = button("compareGive", "arrow-left", tr("Move this change to the left"));
  take_ = button("compareTake", "arrow-right", tr("Take this change over from the left"));
  takeAll_ = button("compareTakeAll", "replace-all", tr("Take all changes over from the left"));
  inline_ = button("compareInline", "rows", tr("In one column, to read"));
  inline_->setCheckable(true);
  QToolButton* close = button("compareEnd", "close", tr("End the comparison"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 3, 6, 3);
  row->setSpacing(2);
  row->addWidget(titles_, 1);
  row->addWidget(count_);
  row->addSpacing(8);
  for (QToolButton* one : {previous_, next_, give_, take_, takeAll_, inline_, close})
    row->addWidget(one);
  connect(previous_, &QToolButton::clicked, comparison, [comparison] { comparison->step(-1); });
  connect(next_, &QToolButton::clicked, comparison, [comparison] { comparison->step(+1); });
  connect(take_, &QToolButton::clicked, comparison,
          [comparison] { comparison->take(comparison->current()); });
  connect(takeAll_, &QToolButton::clicked, comparison, &Comparison::takeAll);
  connect(give_, &QToolButton::clicked, comparison,
          [comparison] { comparison->give(comparison->current()); });
  connect(inline_, &QToolButton::toggled, comparison, &Comparison::setInline);
  connect(close, &QToolButton::clicked, comparison,
          [comparison] { Comparison::end(comparison->document()); });
  connect(comparison, &Comparison::changed, this, &ComparisonHeader::refresh);
  connect(comparison->document(), &Document::titleChanged, this, &ComparisonHeader::refresh);
  refresh();
}

void ComparisonHeader::showProblem(const QString& problem) { count_->setText(problem); }

void ComparisonHeader::refresh() {
  titles_->setText(tr("%1 ↔ %2").arg(comparison_->with().title, comparison_->document()->title()));
  titles_->setToolTip(titles_->text());
  const auto count = static_cast<int>(comparison_->changes().size());
  const auto current = static_cast<int>(comparison_->current());
  const QString changes = count == 0    ? tr("No differences")
                          : current < 0 ? tr("%n change(s)", nullptr, count)
                                        : tr("%1 of %n change(s)", nullptr, count).arg(current + 1);
  const QString& ends = comparison_->lineEnds();
  count_->setText(ends.isEmpty() ? changes : tr("%1; line ends differ: %2").arg(changes, ends));
  for (QToolButton* one : {previous_, next_}) one->setEnabled(count > 0);
  take_->setEnabled(current >= 0);
  takeAll_->setEnabled(count > 0);
  give_->setEnabled(current >= 0);
  give_->setVisible(comparison_->canGive());
  const QSignalBlocker quiet(inline_);
  inline_->setChecked(comparison_->isInline());
}

}  // namespace waferpair::gui
