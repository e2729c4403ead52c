// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/key_sheet.h"

#include <QFont>
#include <QTextDocument>

#include "gui/kit/command_registry.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr double kPaperPoints = 8;

QString shown(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys)
    texts.append(key.toString(QKeySequence::NativeText).toHtmlEscaped());
  return texts.join(QStringLiteral("<br>"));
}

bool holds(const Command& command, const QList<QKeySequence>& keys, const QString& wanted) {
  if (command.title().contains(wanted, Qt::CaseInsensitive) ||
      command.help.contains(wanted, Qt::CaseInsensitive))
    return true;
  for (const QKeySequence& key : keys)
    if (key.toString(QKeySequence::NativeText).contains(wanted, Qt::CaseInsensitive)) return true;
  return false;
}

}  // namespace

QString keySheet(const CommandRegistry& commands, const QString& wanted) {
  QStringList order;  // of the categories: as they first come
  QHash<QString, QString> rows;
  for (const Command* command : commands.commands()) {
    const QList<QKeySequence> keys = commands.keys(command->id);
    if (keys.isEmpty() || !holds(*command, keys, wanted)) continue;
    if (!rows.contains(command->category)) order.append(command->category);
    const QString when = command->keyContext().words();
    QString what = command->caption().toHtmlEscaped();
    // The editor's own are called by what they do; a row of others says when they apply.
    if (!when.isEmpty()) what += QStringLiteral(" <small>(%1)</small>").arg(when.toHtmlEscaped());
    rows[command->category] +=
        QStringLiteral("<tr><td width='62%'>%1</td><td>%2</td></tr>").arg(what, shown(keys));
  }
  QString html;
  for (const QString& category : order)
    html += QStringLiteral(
                "<h3>%1</h3><table width='100%' cellspacing='0' cellpadding='2'>%2"
                "</table>")
                .arg(category.toHtmlEscaped(), rows.value(category));
  return html;
}

void fillKeySheet(QTextDocument* paper, const CommandRegistry& commands) {
  QFont font = paper->defaultFont();
  font.setPointSizeF(kPaperPoints);
  paper->setDefaultFont(font);
  paper->setDefaultStyleSheet(
      QStringLiteral("body { color: black; background: white; } small { color: #444; }"));
  paper->setHtml(QStringLiteral("<body><h1>%1</h1>%2</body>")
                     .arg(tr("Keys of Waferpair").toHtmlEscaped(), keySheet(commands)));
}

}  // namespace waferpair::gui
