// SPDX-License-Identifier: GPL-3.0-or-later
// Counts how many changes find their place: hunks of real commits, as search/replace answers whose
// blanks are not the text's, in texts that have changed since.
//   bench_placement [CASES] REPOSITORY...      folders with git histories; this one without any
// Each hunk is quoted with three lines around it, and with more where those stand twice, as a model
// is told to. For each way of disturbing the answer and the text, the table says how many were put
// right to the byte, put right but for blanks, put wrong, or had no place.
#include <QCoreApplication>
#include <cstdio>
#include <map>
#include <random>

#include "editor/text/indentation.h"
#include "editor/text/line_diff.h"
#include "pairing/placing/placement.h"
#include "tests/bench/commit_texts.h"

using namespace waferpair;
using bench::git;
using bench::linesOf;
using bench::standsOnce;
using editor::Snapshot;
using pairing::ProposedChange;

namespace {

struct Hunk {
  QByteArrayList before;  // the text that the model saw
  qint64 first = 0;       // what it quotes of it
  qint64 count = 0;
  qint64 changeFirst = 0;  // of that, what changes
  qint64 changeCount = 0;
  QByteArrayList becomes;  // for the lines that change
};

QByteArray join(const QByteArrayList& lines, qint64 first, qint64 count) {
  return lines.mid(first, count).join();
}

QVector<Hunk> hunksOf(const QByteArray& before, const QByteArray& after) {
  QVector<Hunk> hunks;
  const QByteArrayList oldLines = linesOf(before), newLines = linesOf(after);
  for (const editor::ChangedLines& change : editor::lineDiff(Snapshot(before), Snapshot(after))) {
    if (change.oldCount + change.newCount > 200) continue;
    Hunk hunk{oldLines,
              0,
              0,
              change.oldStart,
              change.oldCount,
              newLines.mid(change.newStart, change.newCount)};
    for (qint64 around = 3; around <= 12; around += 3) {
      hunk.first = std::max<qint64>(0, change.oldStart - around);
      hunk.count = std::min<qint64>(oldLines.size(), change.oldStart + change.oldCount + around) -
                   hunk.first;
      if (!standsOnce(before, join(oldLines, hunk.first, hunk.count))) continue;
      hunks.append(hunk);
      break;
    }
  }
  return hunks;
}

// One hunk of each file that a commit changes, newest first.
QVector<Hunk> hunksOf(const QString& repository, qsizetype most, std::mt19937& random) {
  QVector<Hunk> hunks;
  QByteArray commit;
  const QByteArray log = git(repository, {"log", "--no-merges", "--diff-filter=M", "--name-only",
                                          "--format=@%H", "-n", "3000"});
  for (const QByteArray& line : log.split('\n')) {
    if (hunks.size() >= most) break;
    if (line.startsWith('@')) {
      commit = line.mid(1);
    } else if (!line.isEmpty()) {
      const QString path = QString::fromUtf8(line);
      const QString after = QString::fromLatin1(commit) + ':' + path;
      const QString before = QString::fromLatin1(commit) + "^:" + path;
      const QByteArray oldText = git(repository, {"show", before});
      const QByteArray newText = git(repository, {"show", after});
      if (oldText.size() > 400'000 || oldText.contains('\0') || oldText.contains('\r')) continue;
      const QVector<Hunk> here = hunksOf(oldText, newText);
      if (!here.isEmpty()) hunks.append(here[random() % here.size()]);
    }
  }
  return hunks;
}

// -- What is done to the answer's blanks

enum class Blanks { kNone, kDeeper, kFlat, kTrailing, kOtherKind, kInner, kCrLf };
constexpr const char* kBlanksNames[] = {
    "as they are",     "4 columns deeper", "least indentation off", "trailing ones",
    "tabs for spaces", "doubled in lines", "text has CRLF"};

QByteArrayList disturbed(QByteArrayList lines, Blanks blanks, const QByteArray& whole,
                         qsizetype least) {
  const editor::Indentation habit = editor::detectIndentation(whole, {false, 4});
  for (QByteArray& line : lines) {
    if (line.trimmed().isEmpty()) continue;
    const QByteArray indent = editor::leadingBlanks(line);
    switch (blanks) {
      case Blanks::kDeeper:
        line.prepend(habit.tabs ? "\t" : "    ");
        break;
      case Blanks::kFlat:
        line.remove(0, least);
        break;
      case Blanks::kTrailing:
        line.insert(line.size() - 1, "  ");
        break;
      case Blanks::kOtherKind: {
        const int columns = editor::columnsOf(indent, habit.width);
        line = editor::blanksFor(columns, {!habit.tabs, habit.width}) + line.mid(indent.size());
        break;
      }
      case Blanks::kInner:
        line = indent + line.mid(indent.size()).replace(" = ", "  = ");
        break;
      case Blanks::kNone:
      case Blanks::kCrLf:
        break;
    }
  }
  return lines;
}

qsizetype leastIndent(const QByteArrayList& lines) {
  qsizetype least = 1000;
  for (const QByteArray& line : lines) {
    if (!line.trimmed().isEmpty()) least = std::min(least, editor::leadingBlanks(line).size());
  }
  return least;
}

// -- What has happened to the text

enum class Drift { kNone, kElsewhere, kNear, kAround };
constexpr const char* kDriftNames[] = {"none", "lines come and go elsewhere",
                                       "a quoted line is another", "a line comes between"};

// The text as it is meanwhile, and as it is to be with the change in it; null where the quote is
// too short for that.
struct Drifted {
  QByteArrayList text, wanted;
};

std::optional<Drifted> drifted(const Hunk& hunk, Drift drift, std::mt19937& random) {
  const QByteArrayList& lines = hunk.before;
  QByteArrayList head = lines.mid(0, hunk.first);
  QByteArrayList quotedHead = lines.mid(hunk.first, hunk.changeFirst - hunk.first);
  QByteArrayList changed = lines.mid(hunk.changeFirst, hunk.changeCount);
  QByteArrayList quotedTail =
      lines.mid(hunk.changeFirst + hunk.changeCount,
                hunk.first + hunk.count - hunk.changeFirst - hunk.changeCount);
  QByteArrayList tail = lines.mid(hunk.first + hunk.count);
  const auto anyLine = [&] { return lines[random() % lines.size()]; };
  if (drift == Drift::kElsewhere) {
    for (unsigned i = 0; i < 1 + random() % 20; ++i)
      head.insert(random() % (head.size() + 1), anyLine());
    for (unsigned i = 0; i < 5 && tail.size() > 8; ++i)
      tail.removeAt(1 + random() % (tail.size() - 1));
  } else if (drift == Drift::kNear) {
    // Not right beside the change: what it is about would be another thing.
    if (quotedHead.size() < 2) return {};
    QByteArray& line = quotedHead[random() % (quotedHead.size() - 1)];
    line.insert(line.size() - 1, " // since changed");
  } else if (drift == Drift::kAround) {
    if (quotedTail.size() < 2) return {};
    quotedTail.insert(1 + random() % (quotedTail.size() - 1), "a line of somebody else's;\n");
  }
  return Drifted{head + quotedHead + changed + quotedTail + tail,
                 head + quotedHead + hunk.becomes + quotedTail + tail};
}

enum Outcome { kRight, kBlanksDiffer, kWrong, kNoPlace, kOutcomes };

QByteArray squeezed(const QByteArray& text) {
  QByteArray all;
  for (const QByteArray& line : text.split('\n')) all += line.simplified() + '\n';
  return all;
}

std::optional<QByteArray> applied(const QByteArray& text, const QByteArray& oldText,
                                  const QByteArray& newText) {
  ProposedChange change;
  change.oldText = oldText;
  change.newText = newText;
  const auto placed = pairing::place(Snapshot(text), change);
  if (!placed) return {};
  Snapshot result(text);
  for (const editor::TextEdit& edit : placed->edits) result = result.edited(edit);
  return result.toByteArray();
}

Outcome outcomeOf(const Drifted& text, const QByteArrayList& oldLines,
                  const QByteArrayList& newLines, bool crLf) {
  QByteArray now = text.text.join(), wanted = text.wanted.join();
  if (crLf) {
    now.replace("\n", "\r\n");
    wanted.replace("\n", "\r\n");
  }
  const auto result = applied(now, oldLines.join(), newLines.join());
  if (!result) return kNoPlace;
  if (*result == wanted) return kRight;
  return squeezed(*result) == squeezed(wanted) ? kBlanksDiffer : kWrong;
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  const bench::CommitArguments arguments = bench::commitArguments();
  std::mt19937 random(1);
  QVector<Hunk> hunks;
  const QStringList& repositories = arguments.repositories;
  for (qsizetype i = 0; i < repositories.size(); ++i) {
    const QVector<Hunk> here = hunksOf(
        repositories[i], (arguments.cases - hunks.size()) / (repositories.size() - i), random);
    std::printf("%s: %d hunks\n", qPrintable(repositories[i]), static_cast<int>(here.size()));
    hunks += here;
  }

  constexpr int kBlanksKinds = std::size(kBlanksNames), kDrifts = std::size(kDriftNames);
  std::map<std::pair<int, int>, std::array<int, kOutcomes>> table;
  std::array<int, kOutcomes> all{};
  int nowhere = 0, nowherePlaced = 0, twicePlaced = 0;
  for (qsizetype i = 0; i < hunks.size(); ++i) {
    const Hunk& hunk = hunks[i];
    const QByteArrayList oldLines = hunk.before.mid(hunk.first, hunk.count);
    const QByteArrayList head = hunk.before.mid(hunk.first, hunk.changeFirst - hunk.first);
    const QByteArrayList tail =
        hunk.before.mid(hunk.changeFirst + hunk.changeCount,
                        hunk.first + hunk.count - hunk.changeFirst - hunk.changeCount);
    const QByteArrayList newLines = head + hunk.becomes + tail;
    const QByteArray whole = hunk.before.join();
    for (int b = 0; b < kBlanksKinds; ++b) {
      const auto blanks = static_cast<Blanks>(b);
      const qsizetype least = leastIndent(oldLines + newLines);
      for (int d = 0; d < kDrifts; ++d) {
        const auto text = drifted(hunk, static_cast<Drift>(d), random);
        if (!text) continue;
        const auto asQuoted = [&](const QByteArrayList& lines) {
          return disturbed(lines, blanks, whole, least);
        };
        // A line is misquoted, and written as it is meant.
        const bool quotesOnly = blanks == Blanks::kTrailing || blanks == Blanks::kInner;
        const QByteArrayList becomes = quotesOnly ? hunk.becomes : asQuoted(hunk.becomes);
        const Outcome outcome =
            outcomeOf(*text, asQuoted(oldLines), asQuoted(head) + becomes + asQuoted(tail),
                      blanks == Blanks::kCrLf);
        ++table[{b, d}][outcome];
        ++all[outcome];
        if (outcome == kWrong && qEnvironmentVariableIsSet("SHOW_WRONG")) {
          std::printf("--- wrong (%s, %s)\n%s=======\n%s-------\n", kBlanksNames[b], kDriftNames[d],
                      oldLines.join().constData(), newLines.join().constData());
        }
      }
    }
    // Another file's text, and a text that stands twice.
    const Hunk& other = hunks[(i + hunks.size() / 2) % hunks.size()];
    if (!other.before.join().contains(oldLines.join())) {
      ++nowhere;
      nowherePlaced += applied(other.before.join(), oldLines.join(), newLines.join()).has_value();
    }
    twicePlaced += applied(whole + oldLines.join(), oldLines.join(), newLines.join()).has_value();
  }

  std::printf("\n%-24s%-30s%8s%8s%8s%8s\n", "blanks of the answer", "the text since", "right",
              "blanks", "wrong", "none");
  for (const auto& [kind, outcomes] : table) {
    std::printf("%-24s%-30s", kBlanksNames[kind.first], kDriftNames[kind.second]);
    for (const int count : outcomes) std::printf("%8d", count);
    std::printf("\n");
  }
  const int total = all[0] + all[1] + all[2] + all[3];
  std::printf("%-54s", "all");
  for (const int count : all) std::printf("%7.2f%%", total == 0 ? 0.0 : 100.0 * count / total);
  std::printf("\nof %d: old text of another file placed: %d; standing twice, of %d: placed %d\n",
              nowhere, nowherePlaced, static_cast<int>(hunks.size()), twicePlaced);
  return all[kWrong] == 0 && nowherePlaced == 0 && twicePlaced == 0 ? 0 : 1;
}
