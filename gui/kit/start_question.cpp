// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/start_question.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/kit/approved_text.h"
#include "gui/kit/dialog_size.h"
#include "gui/kit/seen_to_end.h"

namespace waferpair::gui {
namespace {

constexpr QSize kQuestionSize(720, 480);
constexpr int kMostQuestionRows = 20;

}  // namespace

StartQuestion::StartQuestion(const QString& question, const QStringList& lines, const QString& name,
                             const QString& yes, QWidget* window)
    : QDialog(window) {
  setObjectName(QStringLiteral("startQuestion"));
  setWindowTitle(tr("What Is to Be Started"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* asked = new QLabel(question, this);
  asked->setTextFormat(Qt::PlainText);
  asked->setWordWrap(true);
  auto* given = new ApprovedText(this);
  given->setObjectName(QStringLiteral("startGiven"));
  given->setAccessibleName(tr("All that the folder gives for it"));
  given->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  given->setMostRows(kMostQuestionRows);
  auto* hint = new QLabel(tr("It can be started once its end was in sight."), this);
  hint->setObjectName(QStringLiteral("startHint"));
  hint->setProperty("role", QStringLiteral("muted"));
  auto* buttons = new QDialogButtonBox(this);
  QPushButton* agree = buttons->addButton(yes, QDialogButtonBox::AcceptRole);
  agree->setObjectName(name);
  agree->setAutoDefault(false);
  QPushButton* no = buttons->addButton(QDialogButtonBox::Cancel);
  no->setObjectName(QStringLiteral("startNot"));
  no->setAutoDefault(false);
  auto* column = new QVBoxLayout(this);
  column->addWidget(asked);
  column->addWidget(given);
  column->addWidget(hint);
  column->addStretch(1);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  given->seen()->guard(agree);
  given->showText(lines.join(u'\n'));
  given->setFocus();
  resizeWithin(this, kQuestionSize);
}

}  // namespace waferpair::gui
