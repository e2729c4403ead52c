// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how many answers are put into their file rightly: real commits, each written as a model
// would in many forms and with the faults that models make, and put into the file as it was before.
//   bench_answers [CASES] REPOSITORY...      folders of git; this one without any
// An answer is right if the file is then, to the byte, what the commit made of it; it is refused if
// one of its changes has no certain place, and untold if, besides, nobody could tell it from the
// file and the answer (answer_forms.cpp says why, without the placing); else it is wrong.
// SHOW_WRONG=1, SHOW_REFUSED=1 print such, FORM=name only those of one form.
#include <QCoreApplication>
#include <cstdio>
#include <random>

#include "editor/text/line_diff.h"
#include "pairing/placing/answer_placement.h"
#include "tests/bench/answer_forms.h"
#include "tests/bench/commit_texts.h"

using namespace waferpair;
using bench::git;
using bench::linesOf;
using editor::ChangedLines;
using editor::Snapshot;

namespace {

using Case = bench::AnswerCase;

// The files that commits changed, newest first: one of each commit.
QVector<Case> casesOf(const QString& repository, qsizetype most) {
  QVector<Case> cases;
  QByteArray commit;
  bool taken = false;
  const QByteArray log = git(repository, {"log", "--no-merges", "--diff-filter=M", "--name-only",
                                          "--format=@%H", "-n", "3000"});
  for (const QByteArray& line : log.split('\n')) {
    if (cases.size() >= most) break;
    if (line.startsWith('@')) {
      commit = line.mid(1);
      taken = false;
      continue;
    }
    if (line.isEmpty() || taken) continue;
    Case one;
    one.path = QString::fromUtf8(line);
    one.before = git(repository, {"show", QString::fromLatin1(commit) + "^:" + one.path});
    one.after = git(repository, {"show", QString::fromLatin1(commit) + ':' + one.path});
    // The mark that some texts begin with is none of the text, as files are read.
    for (QByteArray* text : {&one.before, &one.after})
      if (text->startsWith("\xEF\xBB\xBF")) text->remove(0, 3);
    const bool isText = !one.before.contains('\0') && !one.before.contains('\r') &&
                        !one.after.contains('\r') && one.before.endsWith('\n') &&
                        one.after.endsWith('\n');
    if (one.before.size() > 200'000 || one.before == one.after || !isText) continue;
    one.oldLines = linesOf(one.before);
    one.newLines = linesOf(one.after);
    one.changes = editor::lineDiff(Snapshot(one.before), Snapshot(one.after));
    qint64 changed = 0;
    for (const ChangedLines& change : one.changes) changed += change.oldCount + change.newCount;
    if (changed > 300 || one.changes.size() > 12) continue;
    taken = true;
    cases.append(one);
  }
  return cases;
}

// -- What became of them

enum Outcome { kRight, kBlanksDiffer, kRefused, kUntold, kWrong, kOutcomes };

QByteArray squeezed(const QByteArray& text) {
  QByteArray all;
  for (const QByteArray& line : text.split('\n'))
    if (!line.trimmed().isEmpty()) all += line.simplified() + '\n';
  return all;
}

Outcome outcomeOf(const Case& one, const QByteArray& answer, bool crLf, QString* said,
                  QByteArray* made) {
  QByteArray before = one.before, after = one.after;
  if (crLf) {
    before.replace("\n", "\r\n");
    after.replace("\n", "\r\n");
  }
  const auto put = pairing::answered(Snapshot(before), answer, u'/' + one.path);
  if (put.status != pairing::AnsweredText::Status::kPlaced || !put.problems.isEmpty()) {
    *said = put.problems.value(0, QStringLiteral("no change was found")).section(u'\n', 0, 0);
    return kRefused;
  }
  *made = put.text.toByteArray();
  if (*made == after) return kRight;
  return squeezed(*made) == squeezed(after) ? kBlanksDiffer : kWrong;
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  const bench::CommitArguments arguments = bench::commitArguments();
  const QStringList& repositories = arguments.repositories;
  QVector<Case> cases;
  for (qsizetype i = 0; i < repositories.size(); ++i) {
    const QVector<Case> here =
        casesOf(repositories[i], (arguments.cases - cases.size()) / (repositories.size() - i));
    std::printf("%s: %d files\n", qPrintable(repositories[i]), static_cast<int>(here.size()));
    cases += here;
  }

  struct Row {
    bench::BenchedForm form;
    std::array<int, kOutcomes> outcomes{};
  };
  QVector<Row> rows;
  for (const bench::BenchedForm& form : bench::answerForms()) rows.append({form, {}});
  const QByteArray only = qgetenv("FORM");
  std::mt19937 random(1);
  for (const Case& one : cases) {
    for (Row& row : rows) {
      if (!only.isEmpty() && only != row.form.name) continue;
      const QByteArray answer = row.form.write(one, random);
      if (answer.isEmpty()) continue;
      QString said;
      QByteArray made;
      const QString doubt = row.form.doubt ? row.form.doubt(one) : QString();
      Outcome outcome = outcomeOf(one, answer, row.form.crLf, &said, &made);
      if (outcome == kRefused && !doubt.isEmpty()) outcome = kUntold;
      ++row.outcomes[outcome];
      const bool isWrong = outcome == kWrong || outcome == kBlanksDiffer;
      if ((isWrong && qEnvironmentVariableIsSet("SHOW_WRONG")) ||
          (outcome == kRefused && qEnvironmentVariableIsSet("SHOW_REFUSED"))) {
        std::printf("--- %s, %s: %s\n%s\n", row.form.name, qPrintable(one.path), qPrintable(said),
                    qEnvironmentVariableIsSet("BRIEF") ? "" : answer.left(6000).constData());
        if (isWrong && !qEnvironmentVariableIsSet("BRIEF")) {
          QByteArray after = one.after;
          if (row.form.crLf) after.replace("\n", "\r\n");
          const QByteArrayList got = linesOf(made), right = linesOf(after);
          for (const ChangedLines& each : editor::lineDiff(Snapshot(after), Snapshot(made))) {
            for (qint64 i = each.oldStart; i < each.oldStart + each.oldCount; ++i)
              std::printf("right %lld|%s", static_cast<long long>(i), right[i].constData());
            for (qint64 i = each.newStart; i < each.newStart + each.newCount; ++i)
              std::printf("made  %lld|%s", static_cast<long long>(i), got[i].constData());
          }
        }
      }
    }
  }

  std::printf("\n%-32s%8s%8s%8s%8s%8s%9s%9s\n", "form", "right", "blanks", "refused", "untold",
              "wrong", "of all", "of told");
  std::array<int, kOutcomes> all{};
  const auto print = [](const char* name, const std::array<int, kOutcomes>& outcomes) {
    int sum = 0;
    std::printf("%-32s", name);
    for (const int count : outcomes) {
      std::printf("%8d", count);
      sum += count;
    }
    const auto share = [&outcomes](int of) {
      return of == 0 ? 0.0 : 100.0 * outcomes[kRight] / of;
    };
    std::printf("%8.1f%%%8.1f%%\n", share(sum), share(sum - outcomes[kUntold]));
  };
  for (const Row& row : rows) {
    print(row.form.name, row.outcomes);
    for (int i = 0; i < kOutcomes; ++i) all[i] += row.outcomes[i];
  }
  print("all", all);
  return all[kWrong] + all[kBlanksDiffer] == 0 ? 0 : 1;
}
