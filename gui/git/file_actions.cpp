// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/file_actions.h"

#include <QDir>
#include <QLocale>

#include "editor/text/path_bytes.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/save_flow.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "workbench/git/discards.h"
#include "workbench/git/repository.h"

namespace waferpair::gui {

using workbench::Discard;
using workbench::GitChange;
using workbench::GitJob;
using workbench::GitResult;

namespace {

constexpr qsizetype kMostPathsNamed = 4;

QString namesOf(const QStringList& paths) {
  QString names = editor::shownPath(paths.mid(0, kMostPathsNamed).join(QStringLiteral(", ")));
  return paths.size() > kMostPathsNamed ? names + QStringLiteral(", \u2026") : names;
}

}  // namespace

FileActions::FileActions(const GitParts& parts, workbench::GitWatch* watch,
                         workbench::GitJobs* jobs, QObject* parent)
    : QObject(parent), p_(parts), watch_(watch), jobs_(jobs) {}

QString FileActions::folder() {
  if (watch_->status()) return watch_->status()->workFolder;
  if (watch_->isFirstReading()) {
    say(tr("The git repository is still being read. Try again in a moment."));
    return {};
  }
  const QString problem = watch_->problem().message();
  say(problem.isEmpty() ? tr("The open folder is in no git repository.") : problem);
  return {};
}

std::function<void()> FileActions::inThisOne(const std::function<void()>& then) {
  const QString at = watch_->status() ? watch_->status()->workFolder : QString();
  return [this, at, then] {
    const QString now = folder();
    if (now.isEmpty()) return;
    if (now == at) return then();
    say(tr("The text in front is in another repository by now, %1: nothing was done.")
            .arg(QDir::toNativeSeparators(now)));
  };
}

void FileActions::say(const QString& text) {
  p_.notices->show(QStringLiteral("gitNote"), Banner::Kind::kInfo, text);
}

void FileActions::run(const QString& title, const workbench::GitJobs::Work& work,
                      const Done& done) {
  const QString at = folder();
  if (at.isEmpty() || !mayWrite(at, [this, title, work, done] { run(title, work, done); })) {
    if (done) done(false);
    return;
  }
  jobs_->startWriting(at, title, work, [this, done](const GitResult& result) {
    watch_->refresh();
    if (result) {
      p_.notices->remove(QStringLiteral("gitProblem"));
    } else {
      p_.notices->show(QStringLiteral("gitProblem"), Banner::Kind::kError,
                       result.error().message());
    }
    if (done) done(result.has_value());
  });
}

bool FileActions::mayWrite(const QString& at, const std::function<void()>& again) {
  if (jobs_->isTrusted(at)) return true;
  Banner& banner = p_.notices->show(
      QStringLiteral("gitTrust"), Banner::Kind::kWarning,
      tr("%1 is not trusted, so git only reads it: to change something it would run what the "
         "configuration and the hooks in there name.")
          .arg(at));
  if (p_.trust)
    banner.addButton(QStringLiteral("gitTrustFolder"), tr("&Trust This Folder"),
                     [trust = p_.trust, at, go = inThisOne(again)] { trust(at, go); });
  return false;
}

void FileActions::call(const QString& title, const QStringList& arguments, const Done& done) {
  const QString at = folder();
  if (at.isEmpty()) return;
  run(
      title, [at, arguments](const GitJob& job) { return job.call(at, arguments); }, done);
}

void FileActions::whenSaved(const std::function<void()>& then) {
  const QList<Document*> unsaved = p_.tabs->modifiedDocuments();
  if (unsaved.isEmpty()) return then();
  QStringList names;
  for (const Document* document : unsaved) names.append(document->title());
  p_.notices
      ->show(
          QStringLiteral("gitUnsaved"), Banner::Kind::kWarning,
          tr("Not saved yet: %1. Git works on the files as they are on disk.").arg(namesOf(names)))
      .addButton(QStringLiteral("gitSaveAll"), tr("&Save All and Go On"),
                 [this, go = inThisOne(then)] {
                   p_.saves->saveAll(p_.tabs->modifiedDocuments(), [go](bool allSaved) {
                     if (allSaved) go();
                   });
                 });
}

void FileActions::stage(const QStringList& paths) {
  const QString at = folder();
  if (at.isEmpty() || paths.isEmpty()) return;
  for (const Document* document : p_.tabs->modifiedDocuments())
    for (const QString& path : paths)
      if (document->path() == at + u'/' + path)
        say(tr("%1 is staged as it is on disk: what is not saved is not staged.")
                .arg(document->title()));
  run(tr("Staging"),
      [at, paths](const GitJob& job) { return workbench::stageFiles(at, paths, job); });
}

void FileActions::unstage(const QStringList& paths) {
  const QString at = folder();
  if (at.isEmpty() || paths.isEmpty()) return;
  run(tr("Unstaging"),
      [at, paths](const GitJob& job) { return workbench::unstageFiles(at, paths, job); });
}

void FileActions::discard(const QVector<GitChange>& changes) {
  const QString at = folder();
  if (at.isEmpty() || changes.isEmpty()) return;
  QStringList names;
  for (const GitChange& change : changes) names.append(change.path);
  if (!mayWrite(at, [this, changes] { discard(changes); })) return;
  jobs_->startWriting(
      at, tr("Discarding"),
      [at, changes](const GitJob& job) { return workbench::discardFiles(at, changes, job); },
      [this, names](const GitResult& result) {
        watch_->refresh();
        if (!result) {
          p_.notices->show(QStringLiteral("gitProblem"), Banner::Kind::kError,
                           result.error().message());
          return;
        }
        Banner& banner =
            p_.notices->show(QStringLiteral("gitDiscarded"), Banner::Kind::kInfo,
                             tr("The changes of %1 were discarded.").arg(namesOf(names)));
        // Where files had only been deleted there is nothing to put back.
        if (!result->isEmpty())
          banner.addButton(QStringLiteral("gitUndoDiscard"), tr("&Put Them Back"),
                           inThisOne([this, name = QString::fromUtf8(*result)] { restore(name); }));
      });
}

void FileActions::restore(const QString& name) {
  const QString at = folder();
  if (at.isEmpty()) return;
  run(tr("Putting back"), [at, name](const GitJob&) -> GitResult {
    const auto before = workbench::restoreDiscarded(at, name);
    if (!before) return tl::unexpected(before.error());
    return QByteArray();
  });
}

void FileActions::chooseDiscarded() {
  const QString at = folder();
  if (at.isEmpty()) return;
  auto found = std::make_shared<QVector<Discard>>();
  jobs_->start(
      tr("Reading"),
      [at, found](const GitJob&) -> GitResult {
        auto all = workbench::discards(at);
        if (!all) return tl::unexpected(all.error());
        *found = std::move(*all);
        return QByteArray();
      },
      [this, found](const GitResult& result) {
        if (!result) return say(result.error().message());
        QList<PickerItem> items;
        for (const Discard& each : *found)
          items.append({namesOf(each.paths),
                        0,
                        QLocale().toString(each.when, QLocale::ShortFormat),
                        {},
                        each.name});
        p_.picker->open(tr("Discarded changes"), tr("Files to put back as they were"), items,
                        [this, at = folder()](const QVariant& name) {
                          if (at == folder()) restore(name.toString());
                        });
        if (items.isEmpty()) p_.picker->setNote(tr("Nothing was discarded in the last 90 days."));
      });
}

void FileActions::commit(const workbench::CommitWish& wish, const Done& done) {
  const QString at = folder();
  if (at.isEmpty()) return;
  run(
      tr("Committing"), [at, wish](const GitJob& job) { return workbench::commit(at, wish, job); },
      done);
}

void FileActions::fetch() {
  call(tr("Fetching"),
       {QStringLiteral("fetch"), QStringLiteral("--progress"), QStringLiteral("--all")});
}

void FileActions::pull() {
  whenSaved([this] {
    call(tr("Pulling"), {QStringLiteral("pull"), QStringLiteral("--progress")});
  });
}

void FileActions::pushTo(const QString& remote) {
  const auto status = watch_->status();
  if (!status) return;
  call(tr("Pushing"), {QStringLiteral("push"), QStringLiteral("--progress"), QStringLiteral("-u"),
                       remote, status->branch});
}

void FileActions::push() {
  if (folder().isEmpty()) return;
  const auto status = watch_->status();
  if (status->branch.isEmpty())
    return say(tr("HEAD is at no branch, so there is nothing to push. Make a branch first."));
  if (!status->upstream.isEmpty())
    return call(tr("Pushing"), {QStringLiteral("push"), QStringLiteral("--progress")});
  auto found = std::make_shared<QStringList>();
  jobs_->start(
      tr("Reading"),
      [at = status->workFolder, found](const GitJob&) -> GitResult {
        auto names = workbench::gitRemotes(at);
        if (!names) return tl::unexpected(names.error());
        *found = std::move(*names);
        return QByteArray();
      },
      [this, found](const GitResult& result) {
        if (!result) return say(result.error().message());
        const QStringList& remotes = *found;
        if (remotes.isEmpty())
          return say(
              tr("There is no remote to push to. \"git remote add origin URL\" in the "
                 "terminal adds one."));
        if (remotes.size() == 1) return pushTo(remotes.constFirst());
        QList<PickerItem> items;
        for (const QString& remote : remotes) items.append({remote, 0, {}, {}, remote});
        p_.picker->open(tr("Remotes"), tr("Where to push this branch"), items,
                        [this](const QVariant& remote) { pushTo(remote.toString()); });
      });
}

}  // namespace waferpair::gui
