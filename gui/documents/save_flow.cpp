// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/save_flow.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {
namespace {

// The folder, or the nearest above it that is there.
QString existing(QString folder) {
  while (!QFileInfo(folder).isDir() && folder != QFileInfo(folder).path())
    folder = QFileInfo(folder).path();
  return folder;
}

void call(const SaveFlow::Done& done, bool allSaved) {
  if (done) done(allSaved);
}

}  // namespace

SaveFlow::SaveFlow(EditorTabs* tabs, QWidget* window)
    : QObject(window), tabs_(tabs), window_(window), folder_(QDir::homePath()) {}

void SaveFlow::save(Document* document, Done done) {
  if (document->path().isEmpty()) {
    saveAs(document, std::move(done));
    return;
  }
  const auto write = [document = QPointer<Document>(document), done = std::move(done)] {
    call(done, document && document->save());
  };
  prepare_ ? prepare_(document, write) : write();
}

void SaveFlow::saveAs(Document* document, Done done) {
  tabs_->setCurrent(document);
  auto* dialog = new QFileDialog(window_, tr("Save %1 As").arg(document->title()));
  dialog->setObjectName(QStringLiteral("saveAsDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setFileMode(QFileDialog::AnyFile);
  const QString path = document->path();
  dialog->setDirectory(existing(path.isEmpty() ? folder_ : QFileInfo(path).absolutePath()));
  dialog->selectFile(document->title());
  connect(
      dialog, &QFileDialog::finished, this,
      [this, dialog, document = QPointer<Document>(document), done = std::move(done)](int result) {
        const QStringList chosen = dialog->selectedFiles();
        if (result != QDialog::Accepted || !document || chosen.isEmpty()) return call(done, false);
        saveTo(document, chosen.first(), done);
      });
  dialog->open();
}

// A file has one text in a window: where another one is open for it, that one is replaced.
void SaveFlow::saveTo(Document* document, const QString& path, const Done& done) {
  Document* other = tabs_->documentAt(path);
  if (!other || other == document) return call(done, document->saveAs(path));
  const auto replace = [this, document = QPointer<Document>(document),
                        other = QPointer<Document>(other), path, done](bool sure) {
    if (!sure || !document) return call(done, false);
    // Others know a text by its file: they are told of one at a time.
    if (other) other->tellClosed();
    const bool saved = document->saveAs(path);
    if (other && saved) tabs_->close(other);
    if (other && !saved) other->tellOpen();
    call(done, saved);
  };
  if (!other->isModified()) return replace(true);
  auto* box = new QMessageBox(window_);
  box->setObjectName(QStringLiteral("saveOverDialog"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIcon(QMessageBox::Warning);
  box->setWindowTitle(tr("Unsaved Changes"));
  box->setText(
      tr("%1 is open in another tab and has changes that are not saved.").arg(other->title()));
  box->setInformativeText(
      tr("If %1 is saved as this file, that tab is closed and its changes are lost.")
          .arg(document->title()));
  QPushButton* sure = box->addButton(tr("Replace"), QMessageBox::DestructiveRole);
  QPushButton* cancel = box->addButton(tr("Cancel"), QMessageBox::RejectRole);
  sure->setObjectName(QStringLiteral("saveOverReplace"));
  cancel->setObjectName(QStringLiteral("saveOverCancel"));
  box->setDefaultButton(cancel);
  box->setEscapeButton(cancel);
  connect(box, &QMessageBox::finished, this,
          [box, sure, replace] { replace(box->clickedButton() == sure); });
  box->open();
}

void SaveFlow::saveAll(QList<Document*> documents, Done done) {
  if (documents.isEmpty()) {
    call(done, true);
    return;
  }
  Document* first = documents.takeFirst();
  // They may be closed while one of them is made ready.
  QList<QPointer<Document>> others(documents.begin(), documents.end());
  save(first,
       [this, first = QPointer<Document>(first), others, done = std::move(done)](bool saved) {
         if (saved) {
           QList<Document*> left;
           for (const QPointer<Document>& other : others)
             if (other) left.append(other);
           saveAll(left, done);
           return;
         }
         // The banner that says why is on that page.
         if (first) tabs_->setCurrent(first);
         call(done, false);
       });
}

void SaveFlow::ask(const QList<Document*>& unsaved, std::function<void(Answer)> answered) {
  QStringList names;
  for (const Document* document : unsaved) names.append(document->title());
  auto* box = new QMessageBox(window_);
  box->setObjectName(QStringLiteral("unsavedDialog"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIcon(QMessageBox::NoIcon);
  box->setWindowTitle(tr("Unsaved Changes"));
  if (names.size() == 1) {
    box->setText(tr("Save the changes to %1?").arg(names.first()));
  } else {
    const QStringList shown = names.mid(0, 8);
    box->setText(
        tr("Save the changes to these %n file(s)?", nullptr, static_cast<int>(names.size())));
    box->setInformativeText(shown.join(u'\n') +
                            (names.size() > shown.size() ? QStringLiteral("\n…") : QString()));
  }
  QPushButton* save =
      box->addButton(names.size() == 1 ? tr("Save") : tr("Save All"), QMessageBox::AcceptRole);
  QPushButton* discard = box->addButton(tr("Discard"), QMessageBox::DestructiveRole);
  QPushButton* cancel = box->addButton(tr("Cancel"), QMessageBox::RejectRole);
  save->setObjectName(QStringLiteral("unsavedSave"));
  discard->setObjectName(QStringLiteral("unsavedDiscard"));
  cancel->setObjectName(QStringLiteral("unsavedCancel"));
  box->setDefaultButton(save);
  box->setEscapeButton(cancel);
  connect(box, &QMessageBox::finished, this, [box, save, discard, answered = std::move(answered)] {
    answered(box->clickedButton() == save      ? Answer::kSave
             : box->clickedButton() == discard ? Answer::kDiscard
                                               : Answer::kCancel);
  });
  box->open();
}

void SaveFlow::settle(const QList<Document*>& documents, std::function<void()> discarded,
                      Done done) {
  QList<Document*> unsaved = documents;
  unsaved.removeIf(
      [](const Document* document) { return !document->isModified() || document->isPristine(); });
  if (unsaved.isEmpty()) {
    call(done, true);
    return;
  }
  if (unsaved.size() == 1) tabs_->setCurrent(unsaved.first());
  ask(unsaved,
      [this, unsaved, discarded = std::move(discarded), done = std::move(done)](Answer answer) {
        switch (answer) {
          case Answer::kSave:
            saveAll(unsaved, done);
            break;
          case Answer::kDiscard:
            if (discarded) discarded();
            call(done, true);
            break;
          case Answer::kCancel:
            call(done, false);
            break;
        }
      });
}

void SaveFlow::close(const QList<Document*>& documents, Done done) {
  const QList<QPointer<Document>> there(documents.begin(), documents.end());
  settle(documents, {}, [this, there, done = std::move(done)](bool settled) {
    if (settled) {
      for (const QPointer<Document>& document : there)
        if (document) tabs_->close(document);
    }
    call(done, settled);
  });
}

}  // namespace waferpair::gui
