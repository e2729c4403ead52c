// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/help/crash_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFontDatabase>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/kit/dialog_size.h"

namespace waferpair::gui {

CrashDialog::CrashDialog(const CrashReports& reports, QWidget* parent)
    : QDialog(parent),
      store_(reports),
      about_(new QLabel(this)),
      choice_(new QComboBox(this)),
      text_(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("crashDialog"));
  setWindowTitle(tr("Crash Reports"));
  resizeWithin(this, {720, 520});
  about_->setObjectName(QStringLiteral("crashAbout"));
  about_->setWordWrap(true);
  about_->setTextFormat(Qt::PlainText);
  choice_->setObjectName(QStringLiteral("crashChoice"));
  choice_->setAccessibleName(tr("Crash"));
  text_->setObjectName(QStringLiteral("crashText"));
  text_->setAccessibleName(tr("Report"));
  text_->setReadOnly(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  // With the keyboard it can be read and scrolled.
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  copy_ = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  copy_->setObjectName(QStringLiteral("crashCopy"));
  remove_ = buttons->addButton(tr("&Delete"), QDialogButtonBox::ActionRole);
  remove_->setObjectName(QStringLiteral("crashDelete"));
  connect(copy_, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
  connect(remove_, &QPushButton::clicked, this, &CrashDialog::removeShown);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(choice_, &QComboBox::currentIndexChanged, this, &CrashDialog::showReport);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addWidget(about_);
  layout->addWidget(choice_);
  layout->addWidget(text_, 1);
  layout->addWidget(buttons);
  fill();
}

void CrashDialog::fill() {
  reports_ = store_.all();
  {
    const QSignalBlocker quiet(choice_);
    choice_->clear();
    for (const CrashReport& report : std::as_const(reports_)) {
      const QString when = QLocale().toString(report.when.toLocalTime(), QLocale::ShortFormat);
      choice_->addItem(report.program == u"waferd" ? tr("The model server, %1").arg(when)
                                                   : tr("Waferpair, %1").arg(when));
    }
  }
  const bool isAny = !reports_.isEmpty();
  about_->setText(isAny ? tr("Reports stay in %1; nothing is sent. Each says what the program was "
                             "doing, and holds no text and no file names of yours. If you report "
                             "the problem, copy it into what you write.")
                              .arg(QDir::toNativeSeparators(store_.folder()))
                        : tr("There are no crash reports on this computer."));
  for (QWidget* widget : {static_cast<QWidget*>(choice_), static_cast<QWidget*>(text_)})
    widget->setVisible(isAny);
  copy_->setEnabled(isAny);
  remove_->setEnabled(isAny);
  showReport();
}

void CrashDialog::showReport() {
  const int row = choice_->currentIndex();
  text_->setPlainText(row < 0 ? QString() : CrashReports::text(reports_[row]));
}

void CrashDialog::removeShown() {
  const int row = choice_->currentIndex();
  if (row < 0) return;
  if (!CrashReports::remove(reports_[row]) && QFile::exists(reports_[row].path)) {
    about_->setText(tr("%1 cannot be deleted. Is its folder yours to write in?")
                        .arg(QDir::toNativeSeparators(reports_[row].path)));
    return;
  }
  fill();
}

}  // namespace waferpair::gui
