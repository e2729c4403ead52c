// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/branch_actions.h"

#include <QLocale>
#include <algorithm>

#include "gui/kit/banner.h"
#include "gui/kit/icons.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"

namespace waferpair::gui {

using workbench::GitJob;
using workbench::GitRef;
using workbench::GitResult;
using workbench::GitStash;
using RefKind = GitRef::Kind;

namespace {

QString hintOf(const GitRef& ref) {
  const QString when = QLocale().toString(ref.when.date(), QLocale::ShortFormat);
  if (ref.isCurrent) return BranchActions::tr("current");
  if (ref.kind == RefKind::kTag) return BranchActions::tr("tag, %1").arg(when);
  return when;
}

}  // namespace

BranchActions::BranchActions(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs,
                             QObject* parent)
    : QObject(parent), p_(parts), actions_(actions), jobs_(jobs) {}

void BranchActions::withRefs(const Take& take) {
  const QString at = actions_->folder();
  if (at.isEmpty()) return;
  auto found = std::make_shared<QVector<GitRef>>();
  jobs_->start(
      tr("Reading"),
      [at, found](const GitJob&) -> GitResult {
        auto refs = workbench::gitRefs(at);
        if (!refs) return tl::unexpected(refs.error());
        *found = std::move(*refs);
        return QByteArray();
      },
      [this, at, found, take](const GitResult& result) {
        if (!result) return actions_->say(result.error().message());
        // The text in front may be in another repository by now.
        if (actions_->folder() == at) take(*found);
      });
}

void BranchActions::pick(const QString& name, const QString& prompt, const QString& none,
                         const std::function<bool(const GitRef&)>& fits, const Chosen& chosen) {
  withRefs([=, this](const QVector<GitRef>& refs) {
    QList<PickerItem> items;
    for (qsizetype i = 0; i < refs.size(); ++i)
      if (fits(refs[i]))
        items.append({refs[i].name, 0, hintOf(refs[i]), {}, QVariant::fromValue(i)});
    if (items.isEmpty()) return actions_->say(none);
    p_.picker->open(name, prompt, items,
                    [refs, chosen](const QVariant& i) { chosen(refs[i.toLongLong()]); });
  });
}

void BranchActions::choose() {
  withRefs([this](const QVector<GitRef>& refs) {
    QList<PickerItem> items;
    for (qsizetype i = 0; i < refs.size(); ++i) {
      const GitRef& ref = refs[i];
      // A branch that is here already stands for the remote's.
      const bool isDouble = ref.kind == RefKind::kRemoteBranch &&
                            std::any_of(refs.begin(), refs.end(), [&](const GitRef& other) {
                              return other.upstream == ref.name;
                            });
      if (!isDouble)
        items.append(
            {ref.name, 0, hintOf(ref),
             icon(ref.kind == RefKind::kTag ? QStringLiteral("goto") : QStringLiteral("branch")),
             QVariant::fromValue(i)});
    }
    p_.picker->open(tr("Branches"), tr("A branch or a tag to switch to"), items,
                    [this, refs](const QVariant& i) { switchTo(refs[i.toLongLong()]); });
    p_.picker->setNote(items.isEmpty() ? tr("There is no commit yet.") : tr("Or another one:"),
                       tr("New Branch\u2026"), [this] { create(); });
  });
}

void BranchActions::switchTo(const GitRef& ref) {
  if (ref.isCurrent) return;
  QStringList arguments{QStringLiteral("checkout")};
  if (ref.kind == RefKind::kTag) arguments.append(QStringLiteral("--detach"));
  if (ref.kind == RefKind::kRemoteBranch) arguments.append(QStringLiteral("--track"));
  arguments.append(ref.kind == RefKind::kTag ? QStringLiteral("refs/tags/") + ref.name : ref.name);
  // A file may have the branch's name.
  if (ref.kind == RefKind::kBranch) arguments.append(QStringLiteral("--"));
  checkOut(arguments, ref.name);
}

void BranchActions::checkOut(const QStringList& arguments, const QString& name) {
  actions_->whenSaved([this, arguments, name] {
    const QString at = actions_->folder();
    if (at.isEmpty()) return;
    const auto go = [at, arguments](const GitJob& job) { return job.call(at, arguments); };
    actions_->run(tr("Switching"), go, [this, at, arguments, name](bool isDone) {
      if (isDone) return p_.notices->remove(QStringLiteral("gitNote"));
      Banner* problem = p_.notices->find(QStringLiteral("gitProblem"));
      if (!problem || !problem->text().contains(QLatin1String("would be overwritten"))) return;
      problem->addButton(
          QStringLiteral("gitStashAndSwitch"), tr("&Stash Them and Switch"),
          actions_->inThisOne([this, at, arguments, name] {
            const QString message = tr("Before switching to %1").arg(name);
            actions_->run(tr("Switching"), [=](const GitJob& job) {
              return job
                  .call(at, {QStringLiteral("stash"), QStringLiteral("push"),
                             QStringLiteral("--include-untracked"), QStringLiteral("-m"), message})
                  .and_then([&](const QByteArray&) { return job.call(at, arguments); });
            });
          }));
    });
  });
}

void BranchActions::ask(const QString& title, const QString& text,
                        const std::function<void(const QString&)>& accepted) {
  p_.prompt->open(
      title, text, text.size(),
      [](const QString& name) { return workbench::refNameProblem(name.trimmed()); },
      [accepted](const QString& name) { accepted(name.trimmed()); });
}

void BranchActions::create() { createAt({}); }

void BranchActions::createAt(const QString& commit) {
  if (actions_->folder().isEmpty()) return;
  ask(commit.isEmpty() ? tr("Name of the new branch")
                       : tr("Name of the new branch at %1").arg(commit.left(10)),
      {}, [this, commit](const QString& name) {
        QStringList arguments{QStringLiteral("checkout"), QStringLiteral("-b"), name};
        if (!commit.isEmpty()) arguments.append(commit);
        // Without a commit all stays as it is, and nothing needs to be saved.
        if (commit.isEmpty()) return actions_->call(tr("Switching"), arguments);
        checkOut(arguments, name);
      });
}

void BranchActions::rename() {
  pick(
      tr("Branches"), tr("A branch to rename"), tr("There is no branch yet."),
      [](const GitRef& ref) { return ref.kind == RefKind::kBranch; },
      [this](const GitRef& ref) {
        ask(tr("New name of %1").arg(ref.name), ref.name, [this, ref](const QString& name) {
          if (name != ref.name)
            actions_->call(tr("Renaming"),
                           {QStringLiteral("branch"), QStringLiteral("-m"), ref.name, name});
        });
      });
}

void BranchActions::remove() {
  pick(
      tr("Branches"), tr("A branch to delete"), tr("There is no other branch."),
      [](const GitRef& ref) { return ref.kind == RefKind::kBranch && !ref.isCurrent; },
      [this](const GitRef& ref) {
        const QString at = actions_->folder();
        // Not merged, its commits are named here and nowhere else: it can be put back.
        actions_->run(
            tr("Deleting"),
            [at, ref](const GitJob& job) {
              return job.call(at, {QStringLiteral("branch"), QStringLiteral("-D"), ref.name});
            },
            [this, ref](bool isDone) {
              if (!isDone) return;
              p_.notices
                  ->show(QStringLiteral("gitDeleted"), Banner::Kind::kInfo,
                         tr("The branch %1 was deleted. It was at %2, \u201c%3\u201d.")
                             .arg(ref.name, ref.commit.left(10), ref.subject))
                  .addButton(QStringLiteral("gitUndoDelete"), tr("&Put It Back"),
                             actions_->inThisOne([this, ref] {
                               const auto follow = actions_->inThisOne([this, ref] {
                                 actions_->call(
                                     tr("Putting back"),
                                     {QStringLiteral("branch"), QStringLiteral("--set-upstream-to"),
                                      ref.upstream, ref.name});
                               });
                               actions_->call(tr("Putting back"),
                                              {QStringLiteral("branch"), ref.name, ref.commit},
                                              [ref, follow](bool isBack) {
                                                if (isBack && !ref.upstream.isEmpty()) follow();
                                              });
                             }));
            });
      });
}

void BranchActions::merge() {
  pick(
      tr("Branches"), tr("What to merge into this branch"), tr("There is nothing to merge."),
      [](const GitRef& ref) { return !ref.isCurrent; },
      [this](const GitRef& ref) {
        actions_->whenSaved([this, ref] {
          actions_->call(tr("Merging"), {QStringLiteral("merge"), QStringLiteral("--progress"),
                                         QStringLiteral("--no-edit"), ref.name});
        });
      });
}

void BranchActions::rebase() {
  pick(
      tr("Branches"), tr("Onto what to rebase this branch"), tr("There is no other branch."),
      [](const GitRef& ref) { return !ref.isCurrent; },
      [this](const GitRef& ref) {
        actions_->whenSaved([this, ref] {
          actions_->call(tr("Rebasing"), {QStringLiteral("rebase"), ref.name});
        });
      });
}

// -- Tags

void BranchActions::createTag() { createTagAt({}); }

void BranchActions::createTagAt(const QString& commit) {
  if (actions_->folder().isEmpty()) return;
  ask(tr("Name of the new tag"), {}, [this, commit](const QString& name) {
    QStringList arguments{QStringLiteral("tag"), name};
    if (!commit.isEmpty()) arguments.append(commit);
    actions_->call(tr("Tagging"), arguments);
  });
}

void BranchActions::removeTag() {
  pick(
      tr("Tags"), tr("A tag to delete here"), tr("There is no tag."),
      [](const GitRef& ref) { return ref.kind == RefKind::kTag; },
      [this](const GitRef& ref) {
        const QString at = actions_->folder();
        // An annotated tag is an object of its own, by which it is put back.
        auto object = std::make_shared<QString>();
        actions_->run(
            tr("Deleting"),
            [at, ref, object](const GitJob& job) {
              return job
                  .call(at, {QStringLiteral("rev-parse"), QStringLiteral("refs/tags/") + ref.name})
                  .and_then([&](const QByteArray& id) {
                    *object = QString::fromLatin1(id.trimmed());
                    return job.call(at, {QStringLiteral("tag"), QStringLiteral("-d"), ref.name});
                  });
            },
            [this, ref, object](bool isDone) {
              if (!isDone) return;
              p_.notices
                  ->show(QStringLiteral("gitDeleted"), Banner::Kind::kInfo,
                         tr("The tag %1 was deleted. It was at %2, \u201c%3\u201d.")
                             .arg(ref.name, ref.commit.left(10), ref.subject))
                  .addButton(QStringLiteral("gitUndoDelete"), tr("&Put It Back"),
                             actions_->inThisOne([this, ref, object] {
                               actions_->call(tr("Putting back"),
                                              {QStringLiteral("update-ref"),
                                               QStringLiteral("refs/tags/") + ref.name, *object});
                             }));
            });
      });
}

// -- Stashes

void BranchActions::stash() {
  if (actions_->folder().isEmpty()) return;
  actions_->whenSaved([this] {
    p_.prompt->open(
        tr("What is put aside: a few words for yourself"), {}, 0,
        [](const QString&) { return QString(); },
        [this](const QString& words) {
          QStringList arguments{QStringLiteral("stash"), QStringLiteral("push"),
                                QStringLiteral("--include-untracked")};
          if (!words.trimmed().isEmpty()) arguments += {QStringLiteral("-m"), words.trimmed()};
          actions_->call(tr("Stashing"), arguments);
        });
  });
}

void BranchActions::pickStash(const QString& name, const QString& prompt,
                              const std::function<void(const GitStash&)>& chosen) {
  const QString at = actions_->folder();
  if (at.isEmpty()) return;
  auto found = std::make_shared<QVector<GitStash>>();
  jobs_->start(
      tr("Reading"),
      [at, found](const GitJob&) -> GitResult {
        auto stashes = workbench::gitStashes(at);
        if (!stashes) return tl::unexpected(stashes.error());
        *found = std::move(*stashes);
        return QByteArray();
      },
      [=, this](const GitResult& result) {
        if (!result) return actions_->say(result.error().message());
        if (found->isEmpty()) return actions_->say(tr("Nothing is stashed."));
        if (actions_->folder() != at) return;
        QList<PickerItem> items;
        for (const GitStash& stash : *found)
          items.append({stash.message,
                        0,
                        QLocale().toString(stash.when, QLocale::ShortFormat),
                        {},
                        stash.number});
        p_.picker->open(name, prompt, items, [found, chosen](const QVariant& number) {
          chosen(found->value(number.toInt()));
        });
      });
}

void BranchActions::popStash() {
  pickStash(tr("Stashes"), tr("What to put back"), [this](const GitStash& stash) {
    actions_->whenSaved([this, stash] {
      // The name by number may be another stash's by now.
      actions_->call(tr("Putting back"),
                     {QStringLiteral("stash"), QStringLiteral("apply"), QStringLiteral("--index"),
                      stash.commit},
                     [this, stash](bool isDone) {
                       if (!isDone) return;  // it stays
                       p_.notices
                           ->show(QStringLiteral("gitDeleted"), Banner::Kind::kInfo,
                                  tr("\u201c%1\u201d is put back, and still among the stashes.")
                                      .arg(stash.message))
                           .addButton(QStringLiteral("gitDropStash"), tr("&Drop It There"),
                                      actions_->inThisOne([this, stash] { drop(stash); }));
                     });
    });
  });
}

void BranchActions::dropStash() {
  pickStash(tr("Stashes"), tr("What to drop"), [this](const GitStash& stash) { drop(stash); });
}

void BranchActions::drop(const GitStash& stash) {
  const QString at = actions_->folder();
  const QString name = QStringLiteral("stash@{%1}").arg(stash.number);
  actions_->run(
      tr("Dropping"),
      [at, name, stash](const GitJob& job) -> GitResult {
        const auto now = job.call(at, {QStringLiteral("rev-parse"), name});
        if (!now) return now;
        if (now->trimmed() != stash.commit.toLatin1())
          return editor::fail(tr("The stashes are others by now. Look at them again."));
        return job.call(at, {QStringLiteral("stash"), QStringLiteral("drop"), name});
      },
      [this, stash](bool isDone) {
        if (!isDone) return;
        p_.notices
            ->show(QStringLiteral("gitDeleted"), Banner::Kind::kInfo,
                   tr("\u201c%1\u201d was dropped.").arg(stash.message))
            .addButton(QStringLiteral("gitUndoDelete"), tr("&Put It Back"),
                       actions_->inThisOne([this, stash] {
                         actions_->call(tr("Putting back"),
                                        {QStringLiteral("stash"), QStringLiteral("store"),
                                         QStringLiteral("-m"), stash.message, stash.commit});
                       }));
      });
}

}  // namespace waferpair::gui
