// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/compare_commands.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>

#include "editor/text/text_codec.h"
#include "editor/text/text_file.h"
#include "gui/documents/comparison.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/picker.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

void compare(EditorTabs* tabs, Document* document, const ComparedText& with) {
  if (document->textDocument()->isBinary()) {
    Q_EMIT tabs->problem(
        tr("%1 is not a text, so there are no lines to compare. Choose a text file.")
            .arg(document->title()));
    return;
  }
  new Comparison(document, with);
}

// Shows the document beside what the file has; `problem` is told why not.
void compareWithFile(EditorTabs* tabs, Document* document, const editor::TextFile& file,
                     const QString& title) {
  if (file.safeMode() == editor::SafeMode::kBinary) {
    Q_EMIT tabs->problem(
        tr("%1 is not a text, so there are no lines to compare. Choose a text file.")
            .arg(QDir::toNativeSeparators(file.path())));
    return;
  }
  const auto text = file.readText();
  if (!text) {
    Q_EMIT tabs->problem(text.error().message());
    return;
  }
  compare(tabs, document, {title, *text});
}

void compareWithOpen(EditorTabs* tabs, Document* document, Document* other) {
  compare(tabs, document, {other->title(), other->text(), other});
}

}  // namespace

void compareWithSaved(EditorTabs* tabs, Document* document) {
  if (document->path().isEmpty()) {
    Q_EMIT tabs->problem(tr("This text has no file yet. Save it first."));
    return;
  }
  const auto file = document->textDocument()->file().openAgain();
  if (!file) {
    Q_EMIT tabs->problem(file.error().message());
    return;
  }
  compareWithFile(tabs, document, *file, tr("%1 on disk").arg(document->title()));
}

namespace {

void compareWithClipboard(EditorTabs* tabs) {
  Document* document = tabs->current();
  QByteArray text = editor::withLf(QGuiApplication::clipboard()->text().toUtf8());
  if (text.isEmpty()) {
    Q_EMIT tabs->problem(tr("There is no text in the clipboard. Copy what to compare with first."));
    return;
  }
  // A clipboard has line ends of its own; they are no difference.
  text.replace("\n", document->editor()->lineEndBytes());
  compare(tabs, document, {tr("Clipboard"), editor::Snapshot(text)});
}

void chooseFile(EditorTabs* tabs) {
  const QPointer<Document> document = tabs->current();
  const QString folder =
      document->path().isEmpty() ? QDir::homePath() : QFileInfo(document->path()).path();
  auto* dialog = new QFileDialog(tabs->window(), tr("Compare with File"), folder);
  dialog->setObjectName(QStringLiteral("compareFileDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, tabs, [tabs, document](const QString& path) {
    if (!document) return;
    if (Document* open = tabs->documentAt(path); open && open != document)
      return compareWithOpen(tabs, document, open);
    const auto file = editor::TextFile::open(path);
    if (!file) {
      Q_EMIT tabs->problem(file.error().message());
      return;
    }
    compareWithFile(tabs, document, *file, QFileInfo(path).fileName());
  });
  dialog->open();
}

void chooseOpenText(EditorTabs* tabs, Picker* picker) {
  Document* document = tabs->current();
  QList<PickerItem> items;
  for (const Document* other : tabs->recentDocuments()) {
    if (other == document) continue;
    PickerItem item;
    item.text = other->title();
    item.hint = QDir::toNativeSeparators(QFileInfo(other->path()).path());
    item.data = other->id();
    items.append(item);
  }
  picker->open(tr("Compare with an open text"), tr("Type a part of a file's name"), items,
               [tabs, document = QPointer(document)](const QVariant& id) {
                 for (Document* other : tabs->documents())
                   if (document && other->id() == id.toString())
                     return compareWithOpen(tabs, document, other);
               });
  if (items.isEmpty()) picker->setNote(tr("No other text is open."));
}

}  // namespace

void addCompareCommands(CommandRegistry& commands, EditorTabs* tabs, Picker* picker) {
  const When open = Context::kDocumentOpen;
  const When compared = Context::kCompared;
  const auto add = [&](const char* id, const QString& text, const QString& help,
                       const QList<QKeySequence>& keys, When when, int group,
                       std::function<void()> run) {
    commands.add({.id = QLatin1String(id),
                  .category = tr("Compare"),
                  .text = text,
                  .help = help,
                  .keys = keys,
                  .when = when,
                  .places = {{"file/compare", group}},
                  .run = std::move(run)});
  };
  add("compare.file", tr("With &File…"), tr("Show this text beside that of a file."), {}, open, 1,
      [tabs] { chooseFile(tabs); });
  add("compare.open", tr("With &Open Text…"), tr("Show this text beside another that is open."),
      {chord(Qt::Key_D)}, open, 1, [tabs, picker] { chooseOpenText(tabs, picker); });
  add("compare.saved", tr("With &Saved"), tr("Show this text beside that of its file on disk."),
      {chord(Qt::SHIFT | Qt::Key_D)}, open, 1, [tabs] { compareWithSaved(tabs, tabs->current()); });
  add("compare.clipboard", tr("With &Clipboard"),
      tr("Show this text beside that in the clipboard."), {chord(Qt::Key_C)}, open, 1,
      [tabs] { compareWithClipboard(tabs); });
  const auto run = [tabs](auto what) {
    return [tabs, what] {
      if (Comparison* comparison = Comparison::of(tabs->current())) what(comparison);
    };
  };
  // While changes are offered these two keys go through those.
  add("compare.next", tr("&Next Change"), tr("Go to the next change between the two texts."),
      {Qt::Key_F7}, compared && !Context::kHunksShown, 2, run([](Comparison* c) { c->step(+1); }));
  add("compare.previous", tr("&Previous Change"),
      tr("Go to the change before, between the two texts."), {Qt::SHIFT | Qt::Key_F7},
      compared && !Context::kHunksShown, 2, run([](Comparison* c) { c->step(-1); }));
  add("compare.take", tr("&Take Change Over"),
      tr("Make the lines of this change as they are at the left."), {chord(Qt::Key_T)}, compared, 3,
      run([](Comparison* c) { c->take(c->current()); }));
  add("compare.takeAll", tr("Take &All Over"),
      tr("Make the whole text as it is at the left, as one step that can be undone."),
      {chord(Qt::SHIFT | Qt::Key_T)}, compared, 3, run([](Comparison* c) { c->takeAll(); }));
  add("compare.give", tr("&Move Change Left"),
      tr("Make the lines of this change at the left as they are here, where that text is open."),
      {chord(Qt::Key_G)}, compared, 3, run([](Comparison* c) { c->give(c->current()); }));
  add("compare.inline", tr("In One Co&lumn"),
      tr("Show both texts in one column, to read, or side by side again."), {chord(Qt::Key_V)},
      compared, 4, run([](Comparison* c) { c->setInline(!c->isInline()); }));
  add("compare.end", tr("&End Comparison"), tr("Show this text alone again."), {chord(Qt::Key_Q)},
      compared, 4, run([](Comparison* c) { Comparison::end(c->document()); }));
}

Document* compareFiles(EditorTabs* tabs, const QString& left, const QString& right) {
  Document* other = tabs->openFile(left, false);
  if (!other) return nullptr;
  Document* document = tabs->openFile(right);
  if (!document) return nullptr;
  if (document == other) {
    Q_EMIT tabs->problem(tr("Both names lead to the same file, %1: there is nothing to compare.")
                             .arg(QDir::toNativeSeparators(right)));
    return nullptr;
  }
  compareWithOpen(tabs, document, other);
  document->setFocus();
  return document;
}

}  // namespace waferpair::gui
