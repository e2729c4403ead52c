// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/project_choice.h"

#include <QDateTime>
#include <QFileInfo>
#include <QMutex>
#include <algorithm>
#include <tuple>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/written_text.h"
#include "editor/view/theme.h"
#include "runtime/base/guest_file.h"
#include "runtime/exclusions/exclusions.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::gui {
namespace {

struct Candidate {
  QString path;  // absolute
  QString language;
  bool otherLanguage;
  qsizetype steps;  // from the active file's folder
  DiskStamp stamp = {};

  bool isAsNearAs(const Candidate& other) const {
    return otherLanguage == other.otherLanguage && steps == other.steps;
  }
};

// Returns whether the file may be a database dump, which more often holds people's data than code.
bool isDump(const QString& path) {
  return path.endsWith(QLatin1String(".sql"), Qt::CaseInsensitive);
}

// "a/b/" of "a/b/c.cpp", "" of "c.cpp".
QStringView folderOf(QStringView path) { return path.left(path.lastIndexOf(u'/') + 1); }

// Returns the number of steps between two folders written as folderOf() does.
qsizetype stepsBetween(QStringView a, QStringView b) {
  const auto same = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  return a.count(u'/') + b.count(u'/') - 2 * a.left(same).count(u'/');
}

class Choosing {
 public:
  Choosing(const ChoiceRequest& request, const std::atomic<bool>& cancelled)
      : request_(request), cancelled_(cancelled), exclusions_(editor::nativePath(request.root)) {
    for (const QString& path : request.inEditors) {
      inEditors_.insert(path);
      inEditors_.insert(editor::realPath(path));
    }
  }

  ProjectChoice run() {
    QList<Candidate> candidates = nearestFirst();
    // The time of change is asked for only as far as it takes to fill the choice.
    for (auto first = candidates.begin(); first != candidates.end() && !isOver();) {
      const auto last = std::find_if_not(
          first, candidates.end(), [first](const Candidate& c) { return c.isAsNearAs(*first); });
      takeInOrderOfChange(first, last);
      first = last;
    }
    return std::move(choice_);
  }

 private:
  bool isOver() const { return cancelled_ || !choice_.complete; }

  QList<Candidate> nearestFirst() const {
    QList<Candidate> found;
    addFrom(request_.root, request_.files, &found);
    for (const auto& [folder, files] : request_.others) addFrom(folder, files, &found);
    std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(a.otherLanguage, a.steps, a.path) <
             std::tie(b.otherLanguage, b.steps, b.path);
    });
    return found;
  }

  // The steps to a file of another folder are those up to what is around both, and down again.
  void addFrom(const QString& folder, const QStringList& files, QList<Candidate>* found) const {
    const QString root = folder + u'/';
    const QString active = isInAny(request_.activePath) ? request_.activePath : root;
    for (const QString& file : files) {
      if (cancelled_) break;
      if (file.startsWith(u'.') || file.contains(QLatin1String("/."))) continue;
      if (isDump(file)) continue;
      const QString language = languageOfName(file);
      if (language.isEmpty()) continue;
      const QString path = root + file;
      found->append({.path = path,
                     .language = language,
                     .otherLanguage = language != request_.activeLanguage,
                     .steps = stepsBetween(folderOf(active), folderOf(path))});
    }
  }

  bool isInAny(const QString& path) const {
    return path.startsWith(request_.root + u'/') ||
           std::any_of(request_.others.cbegin(), request_.others.cend(),
                       [&](const auto& other) { return path.startsWith(other.first + u'/'); });
  }

  void takeInOrderOfChange(QList<Candidate>::iterator first, QList<Candidate>::iterator last) {
    for (auto it = first; it != last && !cancelled_; ++it) {
      const QFileInfo info(it->path);
      if (info.isFile() && !info.isSymLink()) {
        it->stamp = {info.size(), info.lastModified().toMSecsSinceEpoch()};
      } else if (request_.known.contains(it->path)) {
        choice_.gone = true;
      }
    }
    std::stable_sort(first, last, [](const Candidate& a, const Candidate& b) {
      return a.stamp.modifiedMs > b.stamp.modifiedMs;
    });
    for (auto it = first; it != last && !isOver(); ++it) take(*it);
  }

  void take(const Candidate& candidate) {
    const ProjectLimits& limits = request_.limits;
    const qint64 size = candidate.stamp.bytes;
    if (size < limits.leastOfFile || size > limits.mostOfFile) return;
    const std::string native = editor::nativePath(candidate.path);
    if (inEditors_.contains(candidate.path) || !exclusions_.reason(native).empty()) return;
    QByteArray utf8;
    const auto known = request_.known.constFind(candidate.path);
    if (known == request_.known.cend() || *known != candidate.stamp) {
      const auto text =
          base::readGuestFile(native, static_cast<std::size_t>(size), base::Links::kRefuse);
      if (!text || !*text) return;
      utf8 = QByteArray::fromStdString(**text);
      // A file of another size is being written right now.
      if (utf8.size() != size || !editor::isWrittenText(utf8, limits.longestLine)) return;
      if (exclusions::findSecret(**text)) return;
    }
    if (choice_.files.size() >= limits.files || bytes_ + size > limits.bytes) {
      choice_.complete = false;
      return;
    }
    bytes_ += size;
    choice_.files.append({candidate.path, candidate.language, candidate.stamp, utf8});
  }

  const ChoiceRequest& request_;
  const std::atomic<bool>& cancelled_;
  exclusions::Exclusions exclusions_;
  QSet<QString> inEditors_;
  ProjectChoice choice_;
  qint64 bytes_ = 0;
};

}  // namespace

// Looking a name up takes some 50 µs, and a project has few endings; but those in .txt are
// CMakeLists.txt, too.
QString languageOfName(const QString& path) {
  static QMutex mutex;
  static const KSyntaxHighlighting::Repository repository;
  static QHash<QString, QString> byEnding;
  const QString name = path.mid(path.lastIndexOf(u'/') + 1);
  const QString ending = name.mid(name.lastIndexOf(u'.') + 1);
  const QMutexLocker lock(&mutex);
  if (ending == name || ending == QLatin1String("txt"))
    return editor::languageForFile(name, repository);
  const auto known = byEnding.constFind(ending);
  if (known != byEnding.cend()) return *known;
  return *byEnding.insert(ending, editor::languageForFile(name, repository));
}

ProjectChoice chooseProjectFiles(const ChoiceRequest& request, const std::atomic<bool>& cancelled) {
  return Choosing(request, cancelled).run();
}

}  // namespace waferpair::gui
