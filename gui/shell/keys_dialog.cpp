// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/keys_dialog.h"

#include <QBuffer>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPageSize>
#include <QPdfWriter>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QStandardPaths>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "editor/text/save_file.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dialog_size.h"
#include "gui/shell/key_sheet.h"

static void initResources() { Q_INIT_RESOURCE(gui); }

namespace waferpair::gui {
namespace {

// The page without its head, which names source files, and without the table of all commands at its
// end: the keys as they are now follow instead.
QString forUsers(const QString& page) {
  const qsizetype begin = std::max<qsizetype>(0, page.indexOf(QLatin1String("\n## ")));
  return page.mid(begin, page.indexOf(QLatin1String("\n## All commands")) - begin);
}

}  // namespace

KeysDialog::KeysDialog(const CommandRegistry& commands, QWidget* parent)
    : QDialog(parent),
      commands_(commands),
      search_(new QLineEdit(this)),
      view_(new QTextBrowser(this)) {
  initResources();
  setObjectName(QStringLiteral("keysDialog"));
  setWindowTitle(tr("Keys"));
  resizeWithin(this, {720, 640});
  QFile file(QStringLiteral(":/docs/keys.md"));
  if (file.open(QIODevice::ReadOnly)) {
    QTextDocument page;
    page.setMarkdown(forUsers(QString::fromUtf8(file.readAll())));
    page_ = page.toHtml();
    // Only what is in the body: another text follows.
    const qsizetype body = page_.indexOf(u'>', page_.indexOf(QLatin1String("<body"))) + 1;
    page_ = page_.mid(body, page_.lastIndexOf(QLatin1String("</body>")) - body);
  }
  search_->setObjectName(QStringLiteral("keysSearch"));
  search_->setAccessibleName(tr("Search keys and what they do"));
  search_->setPlaceholderText(tr("Search keys and what they do"));
  search_->setClearButtonEnabled(true);
  view_->setObjectName(QStringLiteral("keysText"));
  view_->setAccessibleName(tr("What the keys do"));
  view_->setOpenLinks(false);
  view_->document()->setDocumentMargin(16);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  const auto addButton = [&](const char* name, const QString& text, auto run) {
    QPushButton* button = buttons->addButton(text, QDialogButtonBox::ActionRole);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, run);
  };
  addButton("keysPrint", tr("&Print…"), &KeysDialog::print);
  addButton("keysSave", tr("&Save as PDF…"), &KeysDialog::chooseFile);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addWidget(search_);
  layout->addWidget(view_, 1);
  layout->addWidget(buttons);

  connect(search_, &QLineEdit::textChanged, this, &KeysDialog::showKeys);
  connect(&commands, &CommandRegistry::keysChanged, this, &KeysDialog::showKeys);
  showKeys();
  search_->setFocus();
}

void KeysDialog::showKeys() {
  const QString wanted = search_->text().trimmed();
  QString html = keySheet(commands_, wanted);
  if (wanted.isEmpty()) {
    html = page_ + QStringLiteral("<h2>%1</h2>").arg(tr("The keys as they are set now")) + html;
  } else if (html.isEmpty()) {
    html = QStringLiteral("<p>%1</p>")
               .arg(tr("No key and no command that has one is called “%1”.")
                        .arg(wanted.toHtmlEscaped()));
  }
  view_->setHtml(html);
}

void KeysDialog::print() {
  const auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
  auto* dialog = new QPrintDialog(printer.get(), this);
  dialog->setObjectName(QStringLiteral("keysPrintDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, printer] {
    QTextDocument paper;
    fillKeySheet(&paper, commands_);
    paper.print(printer.get());
  });
  dialog->open();
}

void KeysDialog::chooseFile() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  auto* dialog = new QFileDialog(this, tr("Save the Keys as PDF"),
                                 QDir(folder).filePath(QStringLiteral("waferpair-keys.pdf")),
                                 tr("PDF (*.pdf)"));
  dialog->setObjectName(QStringLiteral("keysFileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("pdf"));
  connect(dialog, &QFileDialog::fileSelected, this, &KeysDialog::save);
  dialog->open();
}

void KeysDialog::save(const QString& path) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setTitle(tr("Keys of Waferpair"));
    QTextDocument paper;
    fillKeySheet(&paper, commands_);
    paper.print(&writer);
  }
  const auto saved = editor::saveFile(path, bytes);
  if (saved) return;
  auto* box = new QMessageBox(QMessageBox::Warning, windowTitle(), saved.error().message(),
                              QMessageBox::Close, this);
  box->setObjectName(QStringLiteral("keysSaveFailed"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

}  // namespace waferpair::gui
