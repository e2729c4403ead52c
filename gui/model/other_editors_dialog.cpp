// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/other_editors_dialog.h"

#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <chrono>

#include "gui/kit/dialog_size.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {

using Wish = ClientConnector::Wish;

namespace {

constexpr std::chrono::milliseconds kUnseenWait{150};

// What becomes of the file, to those who are to agree.
QString whatWritingDoes(const ClientSettings& settings) {
  if (!QFile::exists(settings.file))
    return OtherEditorsDialog::tr(
        "There is no such file yet. It is made so that only you can read it.");
  const QString kept = OtherEditorsDialog::tr(
      "The file as it is now is kept beside it, ending with “.before-waferpair”.");
  return (settings.replaces ? OtherEditorsDialog::tr("They replace all that is in the file.")
                            : OtherEditorsDialog::tr("What else is in the file stays.")) +
         QLatin1Char(' ') + kept;
}

}  // namespace

OtherEditorsDialog::OtherEditorsDialog(const QString& waferctl, QWidget* parent)
    : QDialog(parent),
      connector_(waferctl),
      client_(new QComboBox(this)),
      file_(new QLabel(this)),
      text_(new QPlainTextEdit(this)),
      use_(new QLabel(this)),
      note_(new QLabel(this)) {
  setObjectName(QStringLiteral("otherEditorsDialog"));
  setWindowTitle(tr("Use from Other Editors"));
  setAccessibleName(windowTitle());
  layOut();
  resizeWithin(this, {620, 520});
  connect(&connector_, &ClientConnector::listed, this, &OtherEditorsDialog::fill);
  connect(&connector_, &ClientConnector::told, this, &OtherEditorsDialog::present);
  connect(&connector_, &ClientConnector::failed, this, [this](const editor::Error& error) {
    late_.stop();
    if (wish_ == Wish::kShow) showSettings({});
    sayProblem(error);
    showButtons();
  });
  connect(client_, &QComboBox::currentIndexChanged, this, [this] { ask(Wish::kShow); });
  connect(copy_, &QPushButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(settings_.text);
    say(tr("Copied."));
  });
  connect(write_, &QPushButton::clicked, this, &OtherEditorsDialog::askToWrite);
  connect(check_, &QPushButton::clicked, this, [this] { ask(Wish::kCheck); });
  connect(&Theme::instance(), &Theme::changed, this, &OtherEditorsDialog::colorNote);
  late_.setSingleShot(true);
  late_.setInterval(kUnseenWait);
  connect(&late_, &QTimer::timeout, this, [this] {
    showSettings({});
    say(tr("waferd is being asked for its model…"));
  });
  showButtons();
  connector_.list();
}

void OtherEditorsDialog::layOut() {
  client_->setObjectName(QStringLiteral("otherClient"));
  client_->setAccessibleName(tr("Editor or tool"));
  file_->setObjectName(QStringLiteral("otherFile"));
  file_->setAccessibleName(tr("File"));
  file_->setTextFormat(Qt::PlainText);
  file_->setWordWrap(true);
  // A long name in a path has no place for a line's end, and would make a small window wider.
  constexpr int kFewLetters = 120;
  file_->setMinimumWidth(kFewLetters);
  file_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text_->setObjectName(QStringLiteral("otherText"));
  text_->setAccessibleName(tr("Settings"));
  text_->setReadOnly(true);
  text_->setTabChangesFocus(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  use_->setObjectName(QStringLiteral("otherUse"));
  use_->setAccessibleName(tr("What is left to do"));
  note_->setObjectName(QStringLiteral("otherNote"));
  note_->setAccessibleName(tr("Outcome"));
  for (QLabel* label : {use_, note_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  auto* secret = new QLabel(
      tr("These may hold your token, which every waferd of yours lets in: treat them as a "
         "password."),
      this);
  secret->setWordWrap(true);
  secret->setProperty("role", "muted");

  auto* form = new QFormLayout;
  form->addRow(tr("&Editor or tool"), client_);
  form->addRow(tr("File"), file_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  const auto button = [&](const QString& label, const char* name, const QString& help) {
    QPushButton* made = buttons->addButton(label, QDialogButtonBox::ActionRole);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(help);
    made->setAccessibleDescription(help);
    return made;
  };
  copy_ = button(tr("C&opy"), "otherCopy", tr("Copy the settings"));
  write_ = button(tr("&Write to File…"), "otherWrite",
                  tr("Put the settings into the file; it asks first"));
  check_ = button(tr("Chec&k"), "otherCheck",
                  tr("Make the request that this editor would, and show what comes of it"));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(text_, 1);
  column->addWidget(use_);
  column->addWidget(secret);
  column->addWidget(note_);
  column->addWidget(buttons);
  client_->setFocus();
}

void OtherEditorsDialog::fill(const QVector<OtherClient>& clients) {
  {
    const QSignalBlocker quiet(client_);
    client_->clear();
    for (const OtherClient& client : clients) client_->addItem(client.title, client.name);
  }
  ask(Wish::kShow);
}

void OtherEditorsDialog::ask(Wish wish) {
  if (client_->currentIndex() < 0) return;
  wish_ = wish;
  late_.stop();
  if (wish == Wish::kShow) {
    settings_ = {};
    late_.start();
  }
  say(wish == Wish::kShow    ? QString()
      : wish == Wish::kWrite ? tr("The file is being written…")
                             : tr("A request is being made… Close cancels it."));
  connector_.ask(client_->currentData().toString(), wish);
  showButtons();
}

void OtherEditorsDialog::askToWrite() {
  auto* question = new QMessageBox(QMessageBox::Question, tr("Write Settings"),
                                   tr("Put these settings into %1?").arg(settings_.file),
                                   QMessageBox::Save | QMessageBox::Cancel, this);
  question->setObjectName(QStringLiteral("otherWriteQuestion"));
  question->setAttribute(Qt::WA_DeleteOnClose);
  question->setInformativeText(whatWritingDoes(settings_));
  question->setDefaultButton(QMessageBox::Save);
  connect(question, &QMessageBox::finished, this, [this](int answer) {
    if (answer == QMessageBox::Save) ask(Wish::kWrite);
  });
  question->open();
}

void OtherEditorsDialog::present(const ClientSettings& settings) {
  late_.stop();
  showSettings(settings);
  // That no server runs matters to those who check.
  const bool isProblem = !settings.problem.what.isEmpty() && wish_ != Wish::kShow;
  if (isProblem) {
    sayProblem(settings.problem);
  } else if (wish_ == Wish::kCheck) {
    say(settings.check);
  } else if (wish_ == Wish::kWrite) {
    say(settings.written.value_or(false) ? tr("%1 is written.").arg(settings.file)
                                         : tr("%1 has it already.").arg(settings.file));
  } else {
    say({});  // late_ may have said that they are being waited for
  }
  showButtons();
}

void OtherEditorsDialog::showSettings(const ClientSettings& settings) {
  settings_ = settings;
  file_->setText(settings.file);
  file_->setToolTip(settings.file);
  // The caret and the place in view stay where the text does.
  if (text_->toPlainText() != settings.text) text_->setPlainText(settings.text);
  use_->setText(settings.use);
}

void OtherEditorsDialog::colorNote() {
  const WindowColors& colors = Theme::instance().colors();
  QPalette palette = note_->palette();
  palette.setColor(QPalette::WindowText, isProblem_ ? colors.warning : colors.text);
  note_->setPalette(palette);
}

// The remedy begins a line, so that a command in it is rarely broken.
void OtherEditorsDialog::sayProblem(const editor::Error& error) {
  say(error.remedy.isEmpty() ? error.what : error.what + QLatin1Char('\n') + error.remedy, true);
}

void OtherEditorsDialog::say(const QString& text, bool isProblem) {
  isProblem_ = isProblem;
  colorNote();
  note_->setText(text);
  note_->setAccessibleDescription(text);
  QAccessibleEvent changed(note_, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
}

void OtherEditorsDialog::showButtons() {
  const bool isThere = !settings_.text.isEmpty();
  copy_->setEnabled(isThere);
  write_->setEnabled(isThere && !connector_.isBusy());
  check_->setEnabled(isThere && !connector_.isBusy());
}

}  // namespace waferpair::gui
