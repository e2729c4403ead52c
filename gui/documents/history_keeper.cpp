// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/history_keeper.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QPointer>

#include "editor/text/path_bytes.h"
#include "editor/text/size_text.h"
#include "gui/documents/comparison.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/kit/preference_toggle.h"
#include "gui/store/clock.h"
#include "runtime/exclusions/exclusions.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::gui {
namespace {

// The same rules as those of the model's gate, without a project: rules above the file count, too.
bool mayBeKept(const QString& path, const editor::Snapshot& text) {
  exclusions::Exclusions rules;
  if (!rules.reason(editor::nativePath(path)).empty()) return false;
  const QByteArray utf8 = text.toByteArray();
  return exclusions::reasonOfText({utf8.constData(), static_cast<std::size_t>(utf8.size())})
      .empty();
}

QString whenText(const QDateTime& time) {
  const QDateTime now = currentTime();
  const QString clock = QLocale().toString(time.time(), QStringLiteral("HH:mm:ss"));
  if (time.date() == now.date()) return HistoryKeeper::tr("Today, %1").arg(clock);
  if (time.daysTo(now) == 1) return HistoryKeeper::tr("Yesterday, %1").arg(clock);
  return QLocale().toString(time.date(), QLocale::LongFormat) + QStringLiteral(", ") + clock;
}

}  // namespace

HistoryKeeper::HistoryKeeper(EditorTabs* tabs, Settings* settings, const QString& directory,
                             QObject* parent)
    : QObject(parent), tabs_(tabs), settings_(settings), history_(directory) {
  connect(tabs, &EditorTabs::opened, this, &HistoryKeeper::track);
  connect(tabs, &EditorTabs::closed, this,
          [this](const Document* document) { opened_.remove(document); });
  connect(&history_, &FileHistory::problem, tabs, &EditorTabs::problem);
}

void HistoryKeeper::track(Document* document) {
  // A huge text is not asked for: it is in memory once, in the view.
  const auto isKept = [this, document] {
    return document->editor()->length() <= history_.limits().textBytes;
  };
  if (!document->path().isEmpty() && isKept()) {
    const QDateTime changed = QFileInfo(document->path()).lastModified();
    opened_.insert(document, {changed, document->text()});
  }
  connect(document, &Document::written, this, [this, document, isKept] {
    if (isKept()) keep(document);
  });
}

void HistoryKeeper::keep(Document* document) {
  if (!settings_->get().localHistory || document->textDocument()->isBinary()) return;
  const QString path = document->path();
  const editor::Snapshot text = document->text();
  if (!mayBeKept(path, text)) return;
  if (const auto before = opened_.constFind(document); before != opened_.cend()) {
    if (mayBeKept(path, before->text) && history_.states(path).isEmpty())
      history_.keep(path, before->time, before->text);
    opened_.erase(before);
  }
  history_.keep(path, currentTime(), text);
}

void HistoryKeeper::choose(Picker* picker) {
  const QPointer<Document> document = tabs_->current();
  if (!document) return;
  const QList<FileHistory::State> states =
      document->path().isEmpty() ? QList<FileHistory::State>() : history_.states(document->path());
  QList<PickerItem> items;
  for (qsizetype i = 0; i < states.size(); ++i) {
    PickerItem item;
    item.text = whenText(states[i].time);
    item.hint = editor::sizeText(states[i].bytes);
    item.data = i;
    items.append(item);
  }
  picker->open(tr("Earlier states of %1").arg(document->title()), tr("Type a part of a time"),
               items, [this, document, states](const QVariant& index) {
                 if (!document) return;
                 const FileHistory::State& state = states[index.toLongLong()];
                 const auto text = history_.read(state);
                 if (!text) {
                   Q_EMIT tabs_->problem(text.error().message());
                   return;
                 }
                 new Comparison(document,
                                {tr("%1, %2").arg(document->title(), whenText(state.time)), *text});
               });
  if (!items.isEmpty()) return;
  picker->setNote(settings_->get().localHistory
                      ? tr("Nothing is kept of this file yet: a state is kept with each save.")
                      : tr("Earlier states of files are not kept: File > Keep Local History."));
}

void addHistoryCommands(CommandRegistry& commands, HistoryKeeper* keeper, EditorTabs* tabs,
                        Settings* settings, Picker* picker) {
  const QString file = HistoryKeeper::tr("File");
  commands.add({.id = "file.history",
                .category = file,
                .text = HistoryKeeper::tr("Local &History…"),
                .help = HistoryKeeper::tr("Compare this text with how it was saved earlier."),
                .keys = {chord(Qt::Key_H)},
                .icon = "recent",
                .when = Context::kDocumentOpen,
                .places = {{"file/compare", 1}, {"tab", 2}},
                .run = [keeper, picker] { keeper->choose(picker); }});
  commands.add({.id = "file.forgetHistory",
                .category = file,
                .text = HistoryKeeper::tr("&Forget Local History"),
                .help = HistoryKeeper::tr("Remove all earlier states of this file that are kept."),
                .when = Context::kDocumentOpen,
                .places = {{"file/compare", 5}},
                .run = [keeper, tabs] { keeper->history()->forget(tabs->current()->path()); }});
  addPreferenceToggle(commands, settings,
                      {.id = "file.keepHistory",
                       .category = file,
                       .text = HistoryKeeper::tr("&Keep Local History"),
                       .help = HistoryKeeper::tr("Keep the states of files as they are saved, on "
                                                 "this computer; none of secrets."),
                       .places = {{"file/compare", 5}}},
                      &Preferences::localHistory);
}

}  // namespace waferpair::gui
