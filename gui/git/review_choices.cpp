// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/review_choices.h"

#include <QDateTime>
#include <QLocale>

#include "editor/text/unseen.h"
#include "gui/kit/icons.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "workbench/git/commit_log.h"

namespace waferpair::gui {

using pairing::ReviewedCommits;
using workbench::CommitRange;
using workbench::GitJob;
using workbench::GitRef;
using workbench::GitResult;
using workbench::LogCommit;

namespace {

constexpr int kShownOfName = 10;  // digits

QString dayOf(const QDateTime& when) {
  return QLocale().toString(when.date(), QLocale::ShortFormat);
}

QString refHint(const GitRef& ref) {
  return ref.kind == GitRef::Kind::kTag ? ReviewChoices::tr("tag, %1").arg(dayOf(ref.when))
                                        : dayOf(ref.when);
}

QString withCount(const QString& title, int commits) {
  if (commits == 0) return title;
  const QString count = commits == 1 ? ReviewChoices::tr("1 commit")
                        : commits < CommitRange::kMostCommits
                            ? ReviewChoices::tr("%1 commits").arg(QLocale().toString(commits))
                            : ReviewChoices::tr("%1 or more commits").arg(commits);
  return ReviewChoices::tr("%1, %2").arg(title, count);
}

PickerItem rowOf(const LogCommit& commit) {
  const QString name = QString::fromLatin1(commit.id);
  return {name.left(kShownOfName) + u' ' + editor::shownForm(commit.subject),
          kShownOfName + 1,
          dayOf(QDateTime::fromSecsSinceEpoch(commit.when)),
          {},
          name};
}

}  // namespace

ReviewChoices::ReviewChoices(const GitParts& parts, FileActions* actions,
                             workbench::GitWatch* watch, workbench::GitJobs* jobs, QObject* parent)
    : QObject(parent),
      p_(parts),
      actions_(actions),
      watch_(watch),
      jobs_(jobs),
      memory_(parts.state + QStringLiteral("/reviewed.json")) {}

void ReviewChoices::want(Find find, Describe describe) {
  auto found = std::make_shared<CommitRange>();
  jobs_->start(
      tr("Reading"),
      [find = std::move(find), found](const GitJob&) -> GitResult {
        auto range = find();
        if (!range) return tl::unexpected(range.error());
        *found = std::move(*range);
        return QByteArray();
      },
      [this, found, describe = std::move(describe)](const GitResult& result) {
        if (!result) return actions_->say(result.error().message());
        ReviewedCommits commits = describe(*found);
        commits.from = found->from;
        commits.to = found->to;
        commits.subjects = found->subjects;
        Q_EMIT wanted(commits);
      });
}

void ReviewChoices::withCommits(const std::function<void(const QString& folder)>& then) {
  const QString folder = actions_->folder();
  if (folder.isEmpty()) return;
  if (watch_->status()->commit.isEmpty())
    return actions_->say(
        tr("There is no commit yet. Make the first one, then it can be reviewed; "
           "Review My Changes looks at what is not committed."));
  then(folder);
}

void ReviewChoices::chooseBranch() {
  withCommits([this](const QString& folder) {
    auto refs = std::make_shared<QVector<GitRef>>();
    jobs_->start(
        tr("Reading"),
        [folder, refs](const GitJob&) -> GitResult {
          auto found = workbench::gitRefs(folder);
          if (!found) return tl::unexpected(found.error());
          *refs = std::move(*found);
          return QByteArray();
        },
        [this, folder, refs](const GitResult& result) {
          if (!result) return actions_->say(result.error().message());
          const auto status = watch_->status();
          const QString branch = status ? status->branch : QString();
          const qsizetype likely = workbench::likelyBase(*refs, memory_.baseOf(folder, branch));
          if (likely > 0) refs->prepend(refs->takeAt(likely));
          QList<PickerItem> items;
          for (qsizetype i = 0; i < refs->size(); ++i) {
            const GitRef& ref = refs->at(i);
            const bool isTag = ref.kind == GitRef::Kind::kTag;
            if (!ref.isCurrent)
              items.append({ref.name, 0, refHint(ref),
                            icon(isTag ? QStringLiteral("goto") : QStringLiteral("branch")),
                            QVariant::fromValue(i)});
          }
          if (items.isEmpty())
            return actions_->say(
                tr("There is no other branch and no tag to compare with. Review a "
                   "Commit or a Range instead."));
          p_.picker->open(
              tr("Review a branch"),
              branch.isEmpty() ? tr("Since which branch or tag") : tr("%1 since…").arg(branch),
              items,
              [this, folder, refs](const QVariant& i) { since(folder, refs->at(i.toLongLong())); });
        });
  });
}

void ReviewChoices::since(const QString& folder, const GitRef& base) {
  const auto status = watch_->status();
  const QString branch = status ? status->branch : QString();
  if (!branch.isEmpty())
    if (const QString problem = memory_.keepBase(folder, branch, base.name); !problem.isEmpty())
      actions_->say(problem);
  const bool isDirty = status && (!status->staged.isEmpty() || !status->unstaged.isEmpty());
  want([folder, base] { return workbench::rangeSince(folder, base); },
       [branch, isDirty, name = base.name](const CommitRange& range) {
         const QString own = branch.isEmpty() ? range.to.left(kShownOfName) : branch;
         ReviewedCommits commits;
         commits.title = withCount(tr("Review of %1 since %2").arg(own, name), range.commits);
         commits.about = QStringLiteral("What %1 changed since %2").arg(own, name);
         if (isDirty) commits.note = tr("What is not committed was not looked at.");
         return commits;
       });
}

void ReviewChoices::chooseCommit() {
  withCommits([this](const QString& folder) {
    jobs_->start(
        tr("Reading"),
        [folder](const GitJob& job) {
          return job.read(folder, {QStringLiteral("log"), QStringLiteral("-z"),
                                   QStringLiteral("--max-count=%1").arg(kMostListed),
                                   QStringLiteral("--format=") + workbench::commitLogFormat()});
        },
        [this](const GitResult& log) {
          if (!log) return actions_->say(log.error().message());
          workbench::CommitLogReader reader;
          QVector<LogCommit> commits = reader.take(*log);
          commits += reader.finish();
          QList<PickerItem> items;
          for (const LogCommit& commit : std::as_const(commits)) items.append(rowOf(commit));
          p_.picker->open(tr("Review a commit"), tr("A commit to review"), items,
                          [this](const QVariant& commit) { review(commit.toString()); });
          if (commits.size() >= kMostListed)
            p_.picker->setNote(tr("The %1 newest commits. Any other one:").arg(kMostListed),
                               tr("Review a Range…"), [this] { chooseRange(); });
        });
  });
}

void ReviewChoices::review(const QString& commit) {
  withCommits([this, commit](const QString& folder) {
    want(
        [folder, commit] { return workbench::rangeOfCommit(folder, commit); },
        [](const CommitRange& range) {
          const QString name = range.to.left(kShownOfName);
          ReviewedCommits commits;
          commits.title =
              tr("Review of commit %1, “%2”").arg(name, editor::shownForm(range.subjects.value(0)));
          commits.about = QStringLiteral("What the commit %1 changed").arg(name);
          return commits;
        });
  });
}

void ReviewChoices::chooseRange() {
  withCommits([this](const QString& folder) {
    QString before = memory_.rangeOf(folder);
    if (before.isEmpty()) before = QStringLiteral("HEAD~1..HEAD");
    p_.prompt->open(
        tr("Review a range: v1.2..main, or main...HEAD since they went apart"), before,
        before.size(), &workbench::rangeNameProblem, [this, folder](const QString& text) {
          const QString range = text.trimmed();
          if (const QString problem = memory_.keepRange(folder, range); !problem.isEmpty())
            actions_->say(problem);
          want([folder, range] { return workbench::rangeNamed(folder, range); },
               [range](const CommitRange& found) {
                 ReviewedCommits commits;
                 commits.title = withCount(tr("Review of %1").arg(range), found.commits);
                 commits.about = QStringLiteral("What changed in %1").arg(range);
                 return commits;
               });
        });
  });
}

}  // namespace waferpair::gui
