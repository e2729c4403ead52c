// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/keys_dialog.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/kit/command_registry.h"
#include "gui/kit/dialog_size.h"

static void initResources() { Q_INIT_RESOURCE(gui); }

namespace waferpair::gui {
namespace {

// The page without its head, which names source files, and without the table of all commands at its
// end: the keys as they are now follow instead.
QString forUsers(const QString& page) {
  const qsizetype begin = std::max<qsizetype>(0, page.indexOf(QLatin1String("\n## ")));
  return page.mid(begin, page.indexOf(QLatin1String("\n## All commands")) - begin);
}

QString row(const QString& what, const QKeySequence& key) {
  QString escaped = what;
  return QStringLiteral("| %1 | %2 |\n")
      .arg(escaped.replace(u'|', QStringLiteral("\\|")),
           key.toString(QKeySequence::NativeText).replace(u'|', QStringLiteral("\\|")));
}

}  // namespace

KeysDialog::KeysDialog(const CommandRegistry& commands, QWidget* parent) : QDialog(parent) {
  initResources();
  setObjectName(QStringLiteral("keysDialog"));
  setWindowTitle(tr("Keys"));
  resizeWithin(this, {720, 640});
  QString text;
  QFile file(QStringLiteral(":/docs/keys.md"));
  if (file.open(QIODevice::ReadOnly)) text = forUsers(QString::fromUtf8(file.readAll()));
  text += tr("\n\n## The keys as they are set now\n\n");
  const auto addTable = [&](const QString& caption, KeysGoTo taker) {
    text += tr("\n| %1 | Key |\n|---|---|\n").arg(caption);
    for (const Command* command : commands.commands()) {
      const QList<QKeySequence> keys = commands.keys(command->id);
      if (command->keysGoTo != taker || keys.isEmpty()) continue;
      text += row(taker == KeysGoTo::kOwner ? command->caption() : command->title(), keys.first());
    }
  };
  addTable(tr("In the editor"), KeysGoTo::kOwner);
  addTable(tr("In the window"), KeysGoTo::kWindow);

  auto* view = new QTextBrowser(this);
  view->setObjectName(QStringLiteral("keysText"));
  view->setAccessibleName(tr("What the keys do"));
  view->document()->setDocumentMargin(16);
  view->setMarkdown(text);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->addWidget(view);
  layout->addWidget(buttons);
}

}  // namespace waferpair::gui
