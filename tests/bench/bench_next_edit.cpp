// SPDX-License-Identifier: GPL-3.0-or-later
// How often a next edit that is shown is right, on real commits.
//   bench_next_edit [--commits N] [--asked N] [--gate FILE] [--dump FILE [--model FILE]]
//     [--found yes] REPOSITORY...
// each the git folder of a project. --found counts what any gate could show: the commits in which
// a right edit is among the candidates of each finder. With --model the dump has how unexpected its
// lines and those that it replaces are to that model, for candidates that the gate gives a chance;
// that takes long, so commits are then made in the second order alone. --asked: questions in a
// commit, 60 at most if it does not say.
// A commit is taken apart into edits of lines. They are made one after another, once in the order
// of files and lines, once as somebody may type them (tests last, the largest edit of a file first,
// then whichever is nearest). After each, the last included, the finders are asked, who see what is
// open by then: files edited so far, and those a header or source away; who know what the project's
// files imported before the commit; and who look into those of these files that hold the words that
// changed. What they show is right only if the lines that it makes are those of the commit. A right
// one is taken (and the next is asked for), a wrong one dismissed. A commit with one edit counts,
// too: whatever is shown for it is wrong.
#include <git2.h>

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <random>

#include "editor/text/line_diff.h"
#include "pairing/next_edit/closed_files.h"
#include "pairing/next_edit/edit_history.h"
#include "pairing/next_edit/next_edit.h"
#include "pairing/next_edit/search.h"
#include "tests/bench/line_surprise.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::pairing;
using editor::Snapshot;

namespace {

constexpr qint64 kLargestFile = 400'000;
constexpr int kMostEdits = 150;  // a commit with more is a formatter's or a generator's
constexpr int kMostFiles = 20;
// Candidates of a question, by the gate: CANDIDATES in training/fit_next_edit.py.
constexpr std::size_t kMostDumped = 6;
constexpr double kWorthScoring = 0.03;  // probability by the gate
constexpr double kMostNats = 51;        // that are told apart

QString languageOf(const QString& path) {
  static const QHash<QString, QString> languages = {{"c", "C"},
                                                    {"h", "C++"},
                                                    {"cc", "C++"},
                                                    {"cpp", "C++"},
                                                    {"cxx", "C++"},
                                                    {"hpp", "C++"},
                                                    {"hh", "C++"},
                                                    {"py", "Python"},
                                                    {"go", "Go"},
                                                    {"js", "JavaScript"},
                                                    {"mjs", "JavaScript"},
                                                    {"cjs", "JavaScript"},
                                                    {"jsx", "JavaScript"},
                                                    {"ts", "TypeScript"},
                                                    {"tsx", "TypeScript"},
                                                    {"rs", "Rust"},
                                                    {"java", "Java"},
                                                    {"kt", "Kotlin"}};
  return languages.value(QFileInfo(path).suffix());
}

bool isTest(const QString& path) {
  return path.contains(QLatin1String("test")) || path.contains(QLatin1String("spec"));
}

// -- A commit as edits

struct Atom {
  int file = 0;
  int oldLine = 0;  // in the file as it was before the commit
  QByteArrayList before, after;
  bool done = false;
};

struct File {
  QString path;
  Snapshot text;  // as far as it is edited
  bool open = false;
  std::shared_ptr<const CodeText> code = {};
  qint64 version = 1;
};

struct Commit {
  QByteArray id;
  std::vector<File> files;                     // those that it changes, and counterparts of these
  std::vector<Atom> atoms;                     // by file, top down
  std::shared_ptr<const ProjectFacts> facts;   // of all files, as they were before it
  std::shared_ptr<git_repository> repository;  // of the blobs
  QHash<QString, git_oid> blobs;               // of these files
};

std::optional<QByteArray> blobOf(git_repository* repository, const git_oid* id) {
  git_blob* blob = nullptr;
  if (git_blob_lookup(&blob, repository, id) != 0) return {};
  const auto size = static_cast<qint64>(git_blob_rawsize(blob));
  std::optional<QByteArray> bytes;
  if (size <= kLargestFile && git_blob_is_binary(blob) == 0)
    bytes = QByteArray(static_cast<const char*>(git_blob_rawcontent(blob)), size);
  git_blob_free(blob);
  return bytes;
}

QByteArrayList linesOf(const Snapshot& text, qint64 first, qint64 count) {
  QByteArrayList lines;
  for (qint64 line = first; line < first + count; ++line) lines += text.line(line);
  return lines;
}

void addAtoms(Commit* commit, int file, const Snapshot& before, const Snapshot& after) {
  for (const editor::ChangedLines& change : editor::lineDiff(before, after)) {
    const LineEdit edit{{},
                        static_cast<int>(change.oldStart),
                        linesOf(before, change.oldStart, change.oldCount),
                        linesOf(after, change.newStart, change.newCount)};
    int made = 0;
    for (const LineEdit& part : partsOf(edit)) {
      commit->atoms.push_back({file, part.line - made, part.before, part.after});
      made += static_cast<int>(part.after.size() - part.before.size());
    }
  }
}

void addCounterparts(Commit* commit, git_repository* repository, git_tree* tree) {
  const std::size_t changed = commit->files.size();
  for (std::size_t i = 0; i < changed; ++i) {
    const QFileInfo info(commit->files[i].path);
    if (&languageFamily(languageOf(info.filePath())) != &languageFamily(QStringLiteral("C++")))
      continue;
    for (const char* suffix : {"h", "hpp", "c", "cc", "cpp"}) {
      const QString path = QDir::cleanPath(info.path() + u'/' + info.completeBaseName() + u'.' +
                                           QLatin1String(suffix));
      const bool known = std::any_of(commit->files.begin(), commit->files.end(),
                                     [&](const File& file) { return file.path == path; });
      git_tree_entry* entry = nullptr;
      if (known || git_tree_entry_bypath(&entry, tree, path.toUtf8().constData()) != 0) continue;
      if (const auto bytes = blobOf(repository, git_tree_entry_id(entry)))
        commit->files.push_back({path, Snapshot(*bytes)});
      git_tree_entry_free(entry);
    }
  }
}

// Takes the facts about the files of the tree before the commit. Files are told apart by what is in
// them, so each version of one is read once.
void readFacts(const git_tree* tree, Commit* commit) {
  struct Walk {
    Commit* commit;
    ProjectFacts facts;
  };
  static QHash<QByteArray, std::shared_ptr<const FileFacts>> known;
  Walk walk{commit, {}};
  const auto take = [](const char* folder, const git_tree_entry* entry, void* payload) {
    auto* walking = static_cast<Walk*>(payload);
    const QString path = QString::fromUtf8(folder) + QString::fromUtf8(git_tree_entry_name(entry));
    const QString language = languageOf(path);
    if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB || language.isEmpty()) return 0;
    const git_oid* id = git_tree_entry_id(entry);
    auto& file = known[language.toUtf8() + git_oid_tostr_s(id)];
    if (!file) {
      const auto bytes = blobOf(walking->commit->repository.get(), id);
      file = std::make_shared<FileFacts>(
          CodeText(bytes.value_or(QByteArray()), languageFamily(language)));
    }
    walking->facts.set(path, file);
    walking->commit->blobs.insert(path, *id);
    return 0;
  };
  git_tree_walk(tree, GIT_TREEWALK_PRE, take, &walk);
  commit->facts = std::make_shared<ProjectFacts>(std::move(walk.facts));
}

// None when it is not one that is replayed.
std::optional<Commit> commitOf(const std::shared_ptr<git_repository>& owner, const git_oid& id) {
  git_repository* repository = owner.get();
  git_commit* commit = nullptr;
  git_commit* parent = nullptr;
  git_tree *after = nullptr, *before = nullptr;
  git_diff* diff = nullptr;
  std::optional<Commit> result;
  if (git_commit_lookup(&commit, repository, &id) == 0 && git_commit_parentcount(commit) == 1 &&
      git_commit_parent(&parent, commit, 0) == 0 && git_commit_tree(&after, commit) == 0 &&
      git_commit_tree(&before, parent) == 0 &&
      git_diff_tree_to_tree(&diff, repository, before, after, nullptr) == 0) {
    result.emplace();
    result->id = git_oid_tostr_s(&id);
    result->repository = owner;
    for (std::size_t i = 0; i < git_diff_num_deltas(diff); ++i) {
      const git_diff_delta* delta = git_diff_get_delta(diff, i);
      const QString path = QString::fromUtf8(delta->new_file.path);
      if (delta->status != GIT_DELTA_MODIFIED || languageOf(path).isEmpty()) continue;
      const auto oldText = blobOf(repository, &delta->old_file.id);
      const auto newText = blobOf(repository, &delta->new_file.id);
      if (!oldText || !newText) continue;
      result->files.push_back({path, Snapshot(*oldText)});
      addAtoms(&*result, static_cast<int>(result->files.size()) - 1, Snapshot(*oldText),
               Snapshot(*newText));
    }
    const auto edits = static_cast<int>(result->atoms.size());
    if (edits == 0 || edits > kMostEdits || result->files.size() > kMostFiles) {
      result.reset();
    } else {
      addCounterparts(&*result, repository, before);
      readFacts(before, &*result);
    }
  }
  git_diff_free(diff);
  git_tree_free(before);
  git_tree_free(after);
  git_commit_free(parent);
  git_commit_free(commit);
  return result;
}

// `most` commits, evenly over the history.
std::vector<Commit> commitsOf(const QString& folder, int most) {
  std::vector<Commit> commits;
  git_repository* opened = nullptr;
  git_revwalk* walk = nullptr;
  const bool isOpen = git_repository_open_bare(&opened, folder.toUtf8().constData()) == 0;
  const std::shared_ptr<git_repository> repository(opened, git_repository_free);
  if (!isOpen || git_revwalk_new(&walk, opened) != 0) {
    std::fprintf(stderr, "%s is no git folder\n", qPrintable(folder));
    return commits;
  }
  git_revwalk_sorting(walk, GIT_SORT_TIME);
  git_revwalk_push_head(walk);
  std::vector<git_oid> ids;
  for (git_oid id; git_revwalk_next(&id, walk) == 0;) ids.push_back(id);
  git_revwalk_free(walk);
  // About three of four are merges, or change no code.
  const std::size_t stride = std::max<std::size_t>(1, ids.size() / (most * 4));
  for (std::size_t start = 0; start < stride && static_cast<int>(commits.size()) < most; ++start) {
    for (std::size_t i = start; i < ids.size() && static_cast<int>(commits.size()) < most;
         i += stride)
      if (auto commit = commitOf(repository, ids[i])) commits.push_back(std::move(*commit));
  }
  return commits;
}

// -- Replaying it

std::vector<int> typingOrder(const Commit& commit) {
  std::vector<int> files(commit.files.size());
  std::iota(files.begin(), files.end(), 0);
  std::stable_sort(files.begin(), files.end(), [&](int a, int b) {
    return isTest(commit.files[a].path) < isTest(commit.files[b].path);
  });
  std::vector<int> order;
  for (const int file : files) {
    std::vector<int> left;
    for (int i = 0; i < static_cast<int>(commit.atoms.size()); ++i)
      if (commit.atoms[i].file == file) left.push_back(i);
    const auto size = [&](int i) {
      return commit.atoms[i].before.size() + commit.atoms[i].after.size();
    };
    auto next =
        std::max_element(left.begin(), left.end(), [&](int a, int b) { return size(a) < size(b); });
    while (!left.empty()) {
      const int line = commit.atoms[*next].oldLine;
      order.push_back(*next);
      left.erase(next);
      next = std::min_element(left.begin(), left.end(), [&](int a, int b) {
        return std::abs(commit.atoms[a].oldLine - line) < std::abs(commit.atoms[b].oldLine - line);
      });
    }
  }
  return order;
}

struct Tally {
  int shown = 0, right = 0;
};

struct Outcome {
  Tally all;
  std::array<Tally, kFinderCount> finders{};
  std::array<bool, kFinderCount> found{};  // a right candidate at any time, shown or not
  int edits = 0;                           // of the commit
  int typed = 0;                           // not taken from a suggestion
};

class Replay {
 public:
  Replay(Commit commit, const Gate& gate, bool asTyped, std::FILE* dump,
         bench::LineSurprise* surprise, int repository, bool countFound, int mostAsked)
      : commit_(std::move(commit)),
        gate_(gate),
        dump_(dump),
        surprise_(surprise),
        repository_(repository),
        countFound_(countFound),
        mostAsked_(mostAsked),
        isTyped_(asTyped) {
    order_.resize(commit_.atoms.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (asTyped) order_ = typingOrder(commit_);
  }

  Outcome run() {
    outcome_.edits = static_cast<int>(commit_.atoms.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {  // it grows where edits are split
      const int next = order_[i];
      if (commit_.atoms[next].done) continue;
      ++outcome_.typed;
      make(next);
      while (asked_++ < mostAsked_ && offer()) {
      }
    }
    return outcome_;
  }

  static qint64 nanoseconds, questions;

 private:
  File& fileOf(const Atom& atom) { return commit_.files[atom.file]; }

  int lineNow(int index) const {
    int line = commit_.atoms[index].oldLine;
    for (int i = 0; i < index; ++i) {
      const Atom& above = commit_.atoms[i];
      if (above.file == commit_.atoms[index].file && above.done)
        line += static_cast<int>(above.after.size() - above.before.size());
    }
    return line;
  }

  void openFile(File& file) {
    if (std::exchange(file.open, true)) return;
    history_.opened({file.path, languageOf(file.path), file.version, file.text});
  }

  // Makes the edit in the text, as the user would.
  void make(int index) {
    Atom& atom = commit_.atoms[index];
    File& file = fileOf(atom);
    openFile(file);
    for (File& other : commit_.files) {
      const QFileInfo a(file.path), b(other.path);
      if (a.path() == b.path() && a.completeBaseName() == b.completeBaseName()) openFile(other);
    }
    const int line = lineNow(index);
    const QByteArray end = file.text.slice(0, 4000).contains("\r\n") ? "\r\n" : "\n";
    editor::TextEdit edit;
    if (!atom.before.isEmpty() && !atom.after.isEmpty()) {
      edit = {file.text.lineStart(line), file.text.lineEnd(line + atom.before.size() - 1),
              atom.after.join(end)};
    } else if (atom.after.isEmpty()) {
      edit = {file.text.lineStart(line), file.text.lineStart(line + atom.before.size()), {}};
    } else {
      edit = {file.text.lineStart(line), file.text.lineStart(line), atom.after.join(end) + end};
    }
    atom.done = true;
    file.text = file.text.edited(edit);
    file.code.reset();
    history_.changed({file.path, languageOf(file.path), ++file.version, file.text}, {edit});
  }

  Situation situation() {
    Situation now;
    for (File& file : commit_.files) {
      if (!file.open) continue;
      if (!file.code)
        file.code = std::make_shared<CodeText>(file.text.toByteArray(),
                                               languageFamily(languageOf(file.path)));
      now.texts.append({file.path, file.code});
    }
    now.edits = history_.edits();
    now.dismissed = dismissed_;
    now.facts = commit_.facts;
    for (const QString& path : closedFiles(now)) now.texts.append({path, closedText(path), false});
    return now;
  }

  std::shared_ptr<const CodeText> closedText(const QString& path) {
    auto& code = closed_[path];
    if (!code) {
      const auto bytes = blobOf(commit_.repository.get(), &commit_.blobs[path]);
      code = std::make_shared<CodeText>(bytes.value_or(QByteArray()),
                                        languageFamily(languageOf(path)));
    }
    return code;
  }

  // The atom that makes this edit; it is split where it does more. -1: none does.
  int atomOf(const LineEdit& edit, Finder finder) {
    const auto takes = edit.before.size();
    for (int i = 0; i < static_cast<int>(commit_.atoms.size()); ++i) {
      const Atom atom = commit_.atoms[i];
      if (atom.done || fileOf(atom).path != edit.document) continue;
      const int line = lineNow(i);
      if (takes > 0 && !edit.after.isEmpty()) {
        if (line == edit.line && atom.before.size() == takes && atom.after == edit.after) return i;
      } else if (takes > 0 && atom.after.isEmpty()) {
        const qsizetype from = edit.line - line;
        if (from >= 0 && from + takes <= atom.before.size()) return split(i, from, takes, true);
      } else if (takes == 0 && atom.before.isEmpty() && line == edit.line) {
        const qsizetype come = edit.after.size();
        if (atom.after.size() < come) continue;
        if (atom.after.first(come) == edit.after) return split(i, 0, come, false);
        if (atom.after.last(come) == edit.after)
          return split(i, atom.after.size() - come, come, false);
        // An import is right among others that come with it, too: each stands for itself.
        const qsizetype at = atom.after.indexOf(edit.after.first());
        if (finder == Finder::kImport && come == 1 && at >= 0) return split(i, at, come, false);
      }
    }
    return -1;
  }

  int split(int index, qsizetype from, qsizetype count, bool removes) {
    const Atom whole = commit_.atoms[index];
    const QByteArrayList& lines = removes ? whole.before : whole.after;
    const auto piece = [&](qsizetype start, qsizetype size) {
      Atom atom{whole.file, whole.oldLine + (removes ? static_cast<int>(start) : 0), {}, {}};
      (removes ? atom.before : atom.after) = lines.mid(start, size);
      return atom;
    };
    std::vector<Atom> pieces;
    if (from > 0) pieces.push_back(piece(0, from));
    pieces.push_back(piece(from, count));
    if (from + count < lines.size()) pieces.push_back(piece(from + count, lines.size()));
    auto& atoms = commit_.atoms;
    atoms.erase(atoms.begin() + index);
    atoms.insert(atoms.begin() + index, pieces.begin(), pieces.end());
    const int grown = static_cast<int>(pieces.size()) - 1;
    std::vector<int> order;
    for (const int i : order_) {
      if (i != index) {
        order.push_back(i < index ? i : i + grown);
        continue;
      }
      for (int p = 0; p <= grown; ++p) order.push_back(index + p);
    }
    order_ = order;
    return index + (from > 0 ? 1 : 0);
  }

  bool isRight(const Situation& now, const Candidate& candidate) {
    const SearchedText& text = now.texts[candidate.text];
    LineEdit edit{text.document, candidate.line, {}, candidate.lines};
    for (int i = 0; i < candidate.count; ++i)
      edit.before += text.code->line(candidate.line + i).toByteArray();
    const std::vector<Atom> atoms = commit_.atoms;
    const std::vector<int> order = order_;
    const bool right = atomOf(edit, candidate.finder) >= 0;
    commit_.atoms = atoms;
    order_ = order;
    return right;
  }

  // Whether there is a score; nats of the new lines and of those that they replace (of the line
  // that follows, where there are none), by the network alone, then with what it copies.
  std::array<quint8, 5> surprises(const Situation& now, const Candidate& candidate) {
    std::array<quint8, 5> row{};
    const SearchedText& text = now.texts[candidate.text];
    const CodeText& code = *text.code;
    if (gate_.probability(candidate.finder, candidate.features) < kWorthScoring ||
        candidate.line + candidate.count >= code.lineCount())
      return row;
    const auto all = std::string_view(code.bytes().constData(), code.bytes().size());
    const qint64 begin = code.lineStart(candidate.line);
    const qint64 next = code.lineStart(candidate.line + candidate.count);
    const QByteArray follows = code.line(candidate.line + candidate.count).toByteArray();
    QByteArrayList before;
    for (int i = 0; i < candidate.count; ++i) before += code.line(candidate.line + i).toByteArray();
    const std::array<QByteArray, 2> lines = {
        candidate.lines.isEmpty() ? follows : candidate.lines.join('\n'),
        before.isEmpty() ? follows : before.join('\n')};
    const std::string name = QFileInfo(text.document).fileName().toStdString();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto nats = surprise_->of(name, all, static_cast<std::size_t>(begin),
                                      static_cast<std::size_t>(next), lines[i].toStdString());
      if (!nats) return row;
      const auto byte = [](double value) {
        return static_cast<quint8>(std::min(value, kMostNats) * 5 + 0.5);
      };
      row[1 + i] = byte(nats->network);
      row[3 + i] = byte(nats->copying);
    }
    row[0] = 1;
    return row;
  }

  void dumpCandidates(const Situation& now) {
    std::vector<Candidate> candidates = nextEditCandidates(now);
    std::stable_sort(
        candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
          return gate_.probability(a.finder, a.features) > gate_.probability(b.finder, b.features);
        });
    if (candidates.size() > kMostDumped) candidates.resize(kMostDumped);
    for (const Candidate& candidate : candidates) {
      std::array<quint8, 8 + kFeatureCount> row{};
      const auto commit = commit_.id.left(6).toUInt(nullptr, 16);
      row[0] = static_cast<quint8>(repository_);
      row[1] = static_cast<quint8>(candidate.finder);
      row[2] = isRight(now, candidate) ? 1 : 0;
      for (int i = 0; i < 3; ++i) row[3 + i] = static_cast<quint8>(commit >> (8 * i));
      row[6] = static_cast<quint8>(std::min(asked_, 255));
      row[7] = isTyped_ ? 1 : 0;
      for (int i = 0; i < kFeatureCount; ++i)
        row[8 + i] = static_cast<quint8>(candidate.features.values()[i] * 100 + 0.5F);
      std::fwrite(row.data(), 1, row.size(), dump_);
      if (surprise_ == nullptr) continue;
      const auto scored = surprises(now, candidate);
      std::fwrite(scored.data(), 1, scored.size(), dump_);
    }
  }

  void lookForRight(const Situation& now) {
    for (const Candidate& candidate : nextEditCandidates(now)) {
      bool& found = outcome_.found[static_cast<int>(candidate.finder)];
      if (!found) found = isRight(now, candidate);
    }
  }

  // Whether what was shown was taken.
  bool offer() {
    const Situation now = situation();
    if (dump_ != nullptr) dumpCandidates(now);
    if (countFound_) lookForRight(now);
    QElapsedTimer timer;
    timer.start();
    const std::optional<NextEdit> next = findNextEdit(now, gate_);
    nanoseconds += timer.nsecsElapsed();
    ++questions;
    if (!next) return false;
    Tally& finder = outcome_.finders[static_cast<int>(next->finder)];
    ++outcome_.all.shown;
    ++finder.shown;
    const int atom = atomOf(next->edit, next->finder);
    if (qEnvironmentVariableIsSet("SHOW")) {
      std::printf("%s %s %s %.2f %s:%d\n-%s\n+%s\n", atom >= 0 ? "RIGHT" : "WRONG",
                  commit_.id.left(10).constData(), finderName(next->finder), next->probability,
                  qPrintable(next->edit.document), next->edit.line + 1,
                  next->edit.before.join("\n-").constData(),
                  next->edit.after.join("\n+").constData());
    }
    if (atom < 0) {
      dismissed_.append({next->edit.document, next->edit.before, next->edit.after, next->change});
      return false;
    }
    ++outcome_.all.right;
    ++finder.right;
    make(atom);
    return true;
  }

  Commit commit_;
  const Gate& gate_;
  std::FILE* dump_;
  bench::LineSurprise* surprise_;  // may be null
  int repository_;
  bool countFound_;
  int mostAsked_;
  bool isTyped_;
  std::vector<int> order_;
  EditHistory history_;
  QHash<QString, std::shared_ptr<const CodeText>> closed_;  // files that are not open
  QVector<DismissedEdit> dismissed_;
  Outcome outcome_;
  int asked_ = 0;
};

qint64 Replay::nanoseconds = 0;
qint64 Replay::questions = 0;

// -- What came of it

struct Figures {
  double precision = 0;     // of all that is shown
  double byCommit = 0;      // mean over the commits with something shown
  double shownCommits = 0;  // share of the commits
  double taken = 0;         // share of the edits made by a key
};

Figures figuresOf(const std::vector<const Outcome*>& outcomes) {
  Figures f;
  int shown = 0, right = 0, with = 0, edits = 0;
  double sum = 0;
  for (const Outcome* outcome : outcomes) {
    shown += outcome->all.shown;
    right += outcome->all.right;
    edits += outcome->edits;
    if (outcome->all.shown == 0) continue;
    ++with;
    sum += static_cast<double>(outcome->all.right) / outcome->all.shown;
  }
  const auto share = [](double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; };
  f.precision = share(right, shown);
  f.byCommit = share(sum, with);
  f.shownCommits = share(with, static_cast<double>(outcomes.size()));
  f.taken = share(right, edits);
  return f;
}

void print(const char* name, const std::vector<Outcome>& outcomes) {
  std::vector<const Outcome*> all;
  int shown = 0, several = 0, severalShown = 0;
  for (const Outcome& outcome : outcomes) {
    all.push_back(&outcome);
    shown += outcome.all.shown;
    several += outcome.edits >= 2;
    severalShown += outcome.edits >= 2 && outcome.all.shown > 0;
  }
  // Commits are drawn again, with replacement: 1,000 times.
  std::mt19937 random(1);
  std::vector<Figures> drawn;
  for (int i = 0; i < 1000; ++i) {
    std::vector<const Outcome*> sample;
    for (std::size_t j = 0; j < all.size(); ++j) sample.push_back(all[random() % all.size()]);
    drawn.push_back(figuresOf(sample));
  }
  const auto interval = [&](double Figures::*field) {
    std::vector<double> values;
    for (const Figures& f : drawn) values.push_back(f.*field);
    std::sort(values.begin(), values.end());
    return QString::asprintf("(%4.1f to %4.1f)", values[25], values[975]);
  };
  const Figures f = figuresOf(all);
  std::printf(
      "%-22s %5zu commits, %5d shown, right %4.1f %% %s, mean by commit %4.1f %% %s\n"
      "%22s something shown in %4.1f %% %s of the commits, %4.1f %% of those with two edits "
      "or more; edits taken %4.1f %%\n",
      name, outcomes.size(), shown, f.precision, qPrintable(interval(&Figures::precision)),
      f.byCommit, qPrintable(interval(&Figures::byCommit)), "", f.shownCommits,
      qPrintable(interval(&Figures::shownCommits)),
      several == 0 ? 0 : 100.0 * severalShown / several, f.taken);
}

// What no gate can exceed.
void printFound(const std::vector<Outcome>& outcomes) {
  const auto share = [&](const auto& isOne) {
    const auto count = std::count_if(outcomes.begin(), outcomes.end(), isOne);
    return 100.0 * static_cast<double>(count) / static_cast<double>(outcomes.size());
  };
  std::printf("%22s a right candidate in %.1f %% of the commits:", "", share([](const Outcome& o) {
                return std::find(o.found.begin(), o.found.end(), true) != o.found.end();
              }));
  for (int f = 0; f < kFinderCount; ++f)
    std::printf(" %s %.1f %%", finderName(static_cast<Finder>(f)),
                share([f](const Outcome& o) { return o.found[f]; }));
  std::printf("\n");
}

void printFinders(const std::vector<Outcome>& outcomes) {
  for (int f = 0; f < kFinderCount; ++f) {
    Tally sum;
    int commits = 0;
    for (const Outcome& outcome : outcomes) {
      sum.shown += outcome.finders[f].shown;
      sum.right += outcome.finders[f].right;
      commits += outcome.finders[f].shown > 0;
    }
    std::printf("%22s %-9s %5d shown, right %4.1f %%, in %4.1f %% of the commits\n", "",
                finderName(static_cast<Finder>(f)), sum.shown,
                sum.shown == 0 ? 0 : 100.0 * sum.right / sum.shown,
                outcomes.empty() ? 0 : 100.0 * commits / static_cast<double>(outcomes.size()));
  }
}

// The largest text that is searched, of lines of a real one: taken apart anew, and searched.
void printLatency(const Commit& commit, const Gate& gate) {
  const QByteArray lines = commit.files.front().text.toByteArray();
  QByteArray text;
  while (!lines.isEmpty() && text.size() < (1 << 20)) text += lines;
  const Snapshot before(text);
  EditHistory history;
  const QString id = QStringLiteral("large"), language = languageOf(commit.files.front().path);
  history.opened({id, language, 1, before});
  const Atom& atom = commit.atoms.front();
  const int line = atom.oldLine;
  const editor::TextEdit edit{before.lineStart(line),
                              before.lineStart(line + static_cast<int>(atom.before.size())),
                              atom.after.isEmpty() ? QByteArray() : atom.after.join('\n') + '\n'};
  const Snapshot after = before.edited(edit);
  history.changed({id, language, 2, after}, {edit});
  QElapsedTimer timer;
  timer.start();
  Situation now;
  now.texts.append({id, std::make_shared<CodeText>(after.toByteArray(), languageFamily(language))});
  const double parsed = 1e-6 * static_cast<double>(timer.nsecsElapsed());
  now.edits = history.edits();
  findNextEdit(now, gate);
  std::printf("a text of %.1f MiB: %.0f ms to take apart, %.0f ms to search\n",
              static_cast<double>(after.size()) / (1 << 20), parsed,
              1e-6 * static_cast<double>(timer.nsecsElapsed()) - parsed);
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  QStringList arguments = QCoreApplication::arguments().mid(1);
  int most = 150, mostAsked = 60;
  QString gateFile =
      QString::fromStdString(test::sourceDir()) + QStringLiteral("/resources/next_edit.json");
  std::FILE* dump = nullptr;
  bool countFound = false;
  std::unique_ptr<bench::LineSurprise> surprise;
  while (arguments.size() >= 2 && arguments.first().startsWith(QLatin1String("--"))) {
    const QString option = arguments.takeFirst(), value = arguments.takeFirst();
    if (option == QLatin1String("--commits")) most = value.toInt();
    if (option == QLatin1String("--asked")) mostAsked = value.toInt();
    if (option == QLatin1String("--gate")) gateFile = value;
    if (option == QLatin1String("--found")) countFound = value == QLatin1String("yes");
    if (option == QLatin1String("--model")) {
      auto loaded = bench::LineSurprise::load(value.toStdString());
      if (!loaded) {
        std::fprintf(stderr, "%s\n", loaded.error().message().c_str());
        return 2;
      }
      surprise = std::move(*loaded);
    }
    if (option == QLatin1String("--dump")) dump = std::fopen(qPrintable(value), "wb");
  }
  if (arguments.isEmpty() || most <= 0) {
    std::fprintf(
        stderr,
        "bench_next_edit [--commits N] [--asked N] [--gate FILE] [--dump FILE [--model FILE]] "
        "[--found yes] REPOSITORY...\n");
    return 2;
  }
  Gate gate;
  if (QFile file(gateFile); file.open(QIODevice::ReadOnly)) {
    const auto parsed = Gate::parse(file.readAll());
    if (!parsed) {
      std::fprintf(stderr, "%s\n", qPrintable(parsed.error().message()));
      return 2;
    }
    gate = *parsed;
  }
  git_libgit2_init();
  std::array<std::vector<Outcome>, 2> all;
  for (int r = 0; r < arguments.size(); ++r) {
    const std::vector<Commit> commits = commitsOf(arguments[r], most);
    if (r == 0 && !commits.empty()) printLatency(commits.front(), gate);
    for (int typed = surprise ? 1 : 0; typed < 2; ++typed) {
      std::vector<Outcome> here;
      for (const Commit& commit : commits)
        here.push_back(
            Replay(commit, gate, typed != 0, dump, surprise.get(), r, countFound, mostAsked).run());
      if (here.empty()) continue;
      const QString name = arguments[r].section(u'/', -2, -2) + (typed != 0 ? ", typed" : "");
      print(qPrintable(name), here);
      all[typed].insert(all[typed].end(), here.begin(), here.end());
    }
    std::fflush(stdout);
  }
  for (int typed = 0; typed < 2; ++typed) {
    if (all[typed].empty()) continue;
    print(typed != 0 ? "ALL, as typed" : "ALL, in file order", all[typed]);
    printFinders(all[typed]);
    if (countFound) printFound(all[typed]);
  }
  std::printf("%.2f ms a question\n",
              Replay::questions == 0 ? 0 : 1e-6 * Replay::nanoseconds / Replay::questions);
  if (surprise && surprise->spent().lines > 0) {
    const auto spent = surprise->spent();
    std::printf("%d lines scored, %.1f ms of processor time each, those asked for again excepted\n",
                spent.lines, 1e3 * spent.seconds / spent.lines);
  }
  if (dump != nullptr) std::fclose(dump);
  git_libgit2_shutdown();
  return 0;
}
