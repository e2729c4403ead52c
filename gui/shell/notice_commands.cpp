// SPDX-License-Identifier: GPL-3.0-or-later
// The commands for notices: what was said, and the end of what is still in sight.
#include <QLocale>

#include "gui/kit/command_registry.h"
#include "gui/kit/icons.h"
#include "gui/kit/notices.h"
#include "gui/kit/picker.h"
#include "gui/shell/view_commands.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

QIcon iconOf(Banner::Kind kind) {
  switch (kind) {
    case Banner::Kind::kError:
      return icon(QStringLiteral("error"), IconTint::kDanger);
    case Banner::Kind::kWarning:
      return icon(QStringLiteral("warning"), IconTint::kWarning);
    case Banner::Kind::kInfo:
      break;
  }
  return icon(QStringLiteral("info"), IconTint::kAccent);
}

void listNotices(Notices* notices, Picker* picker) {
  QList<PickerItem> items;
  const QList<Notices::Notice>& history = notices->history();
  for (qsizetype i = 0; i < history.size(); ++i) {
    const Notices::Notice& notice = history[i];
    items.append({.text = QString(notice.text).replace(QLatin1Char('\n'), QLatin1Char(' ')),
                  .hint = QLocale().toString(notice.at.time(), QLocale::ShortFormat),
                  .icon = iconOf(notice.kind),
                  .data = i});
  }
  const QList<Notices::Notice> listed = history;
  picker->open(tr("Notifications"), tr("A notification to show again"), items,
               [notices, listed](const QVariant& data) {
                 const Notices::Notice& chosen = listed[data.toLongLong()];
                 notices->show(QStringLiteral("noticeAgain"), chosen.kind, chosen.text);
               });
  if (items.isEmpty()) picker->setNote(tr("Nothing was said yet."));
}

}  // namespace

void addNoticeCommands(CommandRegistry& commands, Notices* notices, Picker* picker) {
  const QString view = tr("View");
  commands.add({.id = "view.notifications",
                .category = view,
                .text = tr("&Notifications…"),
                .help = tr("List what was said in the lower right corner, the latest first, and "
                           "show one again in full."),
                .icon = "info",
                .places = {{"view", 3}},
                .run = [notices, picker] { listNotices(notices, picker); }});
  commands.add({.id = "view.clearNotifications",
                .category = view,
                .text = tr("Clear All Notifications"),
                .help = tr("Take away the notifications in sight; the list keeps them."),
                .run = [notices] { notices->removeAll(); }});
}

}  // namespace waferpair::gui
