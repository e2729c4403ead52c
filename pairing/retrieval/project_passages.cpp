// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/retrieval/project_passages.h"

#include <QSet>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "editor/text/path_bytes.h"
#include "editor/text/written_text.h"
#include "runtime/base/guest_file.h"
#include "runtime/exclusions/exclusions.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::pairing {
namespace {

// The usual parameters of BM25.
constexpr double kSaturation = 1.2;
constexpr double kLengthWeight = 0.75;
// A plain word that is the name of something, too: more likely meant than not.
constexpr double kPlainNameFactor = 2.0;
constexpr qsizetype kFewDefinitions = 3;
// A test has the words of what it tests, and comes behind that.
constexpr double kTestFactor = 0.6;

// Files that programs write, though they are text.
bool isMachineWritten(const QString& path) {
  const QString name = path.mid(path.lastIndexOf(u'/') + 1);
  return path.endsWith(QLatin1String(".sql"), Qt::CaseInsensitive) ||
         path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive) ||
         name.endsWith(QLatin1String(".lock")) || name == QLatin1String("package-lock.json");
}

bool isHidden(const QString& path) {
  return path.startsWith(u'.') || path.contains(QLatin1String("/."));
}

bool hasSecret(const QByteArray& utf8) {
  return exclusions::findSecret({utf8.constData(), static_cast<std::size_t>(utf8.size())})
      .has_value();
}

}  // namespace

std::shared_ptr<const ProjectPassages> ProjectPassages::read(
    const Request& request, const std::shared_ptr<const ProjectPassages>& before,
    const std::atomic<bool>& cancelled) {
  auto made = std::make_shared<ProjectPassages>();
  made->root_ = request.root;
  if (request.root.isEmpty()) return made;
  QHash<QString, editor::Snapshot> open;
  for (const OpenText& text : request.open) open.insert(text.path, text.text);
  const bool same = before && before->root_ == request.root;
  exclusions::Exclusions gate(editor::nativePath(request.root));
  qint64 bytes = 0;
  for (const QString& path : request.files) {
    if (cancelled) return nullptr;
    if (made->files_.size() >= kMostFiles || bytes >= kMostBytes) {
      made->complete_ = false;
      break;
    }
    if (isHidden(path) || isMachineWritten(path)) continue;
    const QString full = request.root + u'/' + path;
    const std::string native = editor::nativePath(full);
    if (!gate.reason(native).empty()) continue;
    File file;
    const auto inWindow = open.constFind(full);
    file.isOpen = inWindow != open.cend();
    if (file.isOpen) {
      file.open = *inWindow;
    } else {
      file.stamp = exclusions::FileStamp::of(native);
    }
    const File* known = same ? before->find(path) : nullptr;
    const bool asBefore = known && known->isOpen == file.isOpen &&
                          (file.isOpen ? known->open == file.open : known->stamp == file.stamp);
    if (asBefore) {
      file.passages = known->passages;
    } else {
      QByteArray utf8;
      if (file.isOpen) {
        if (file.open.size() > kMostOfFile) continue;
        utf8 = file.open.toByteArray();
      } else {
        const auto text = base::readGuestFile(native, kMostOfFile, base::Links::kRefuse);
        if (!text || !*text) continue;
        utf8 = QByteArray::fromStdString(**text);
      }
      if (!editor::isWrittenText(utf8, editor::kLongestWrittenLine) || hasSecret(utf8)) continue;
      file.passages = std::make_shared<const FilePassages>(passagesOf(path, utf8));
      ++made->filesRead_;
    }
    bytes += file.passages->utf8.size();
    made->at_.insert(path, made->files_.size());
    made->files_.append(file);
  }
  return made;
}

const ProjectPassages::File* ProjectPassages::find(const QString& path) const {
  const auto at = at_.constFind(path);
  return at == at_.cend() ? nullptr : &files_[*at];
}

// A question taken apart.
struct ProjectPassages::Query {
  struct Name {
    WordHash hash;
    QString text;
    bool isCode;  // or an ordinary word that something is named by
  };
  QVector<WordHash> parts;
  QVector<Name> names;  // that are defined in the project
  bool isOfTests = false;

  Query(const QString& question, const ProjectPassages& project) {
    const QByteArray utf8 = question.toUtf8();
    QSet<WordHash> seen;
    QSet<QByteArray> words;
    forEachIdentifier(utf8, [&](QByteArrayView word, qsizetype at) {
      if (isFillWord(word.toByteArray().toLower())) return;
      isOfTests = isOfTests || word.toByteArray().toLower().startsWith("test");
      forEachPart(word, [&](WordHash part) {
        if (!seen.contains(part)) parts.append(part);
        seen.insert(part);
      });
      const QByteArray name = word.toByteArray();
      if (words.contains(name)) return;
      words.insert(name);
      const qsizetype places = project.definitionsOf(QString::fromUtf8(name)).size();
      const qsizetype end = at + word.size();
      const bool quoted = at > 0 && utf8[at - 1] == '`';
      const bool called = end < utf8.size() && utf8[end] == '(';
      const bool isCode = quoted || called || looksLikeCode(word);
      if (places == 0 || (!isCode && (places > kFewDefinitions || word.size() < 4))) return;
      names.append({identifierHash(word), QString::fromUtf8(name), isCode});
    });
  }
};

QVector<FoundPassage> ProjectPassages::search(const QString& question, qsizetype most) const {
  const Query query(question, *this);
  struct Hit {
    const File* file;
    const Passage* passage;
    double score = 0;
    FoundPassage::Why why = FoundPassage::Why::kWords;
    qsizetype named = 0;  // how many of the question's names are there
    QString symbol;
  };
  std::vector<Hit> hits;
  std::vector<qsizetype> holders(static_cast<std::size_t>(query.parts.size()), 0);
  qint64 passages = 0;
  qint64 words = 0;
  for (const File& file : files_) {
    for (const Passage& passage : file.passages->passages) {
      ++passages;
      words += passage.words;
      bool matches = false;
      for (qsizetype i = 0; i < query.parts.size(); ++i) {
        if (passage.count(query.parts[i]) == 0) continue;
        ++holders[static_cast<std::size_t>(i)];
        matches = true;
      }
      if (matches) hits.push_back({&file, &passage, 0, FoundPassage::Why::kWords, 0, {}});
    }
  }
  const double meanWords =
      passages > 0 ? static_cast<double>(words) / static_cast<double>(passages) : 1;
  for (Hit& hit : hits) {
    const double length = static_cast<double>(hit.passage->words) / std::max(meanWords, 1.0);
    for (qsizetype i = 0; i < query.parts.size(); ++i) {
      const int count = hit.passage->count(query.parts[i]);
      if (count == 0) continue;
      const auto held = static_cast<double>(holders[static_cast<std::size_t>(i)]);
      const double rarity =
          std::log(1 + (static_cast<double>(passages) - held + 0.5) / (held + 0.5));
      hit.score += rarity * count * (kSaturation + 1) /
                   (count + kSaturation * (1 - kLengthWeight + kLengthWeight * length));
    }
    if (hit.file->passages->isTest && !query.isOfTests) hit.score *= kTestFactor;
    for (const Query::Name& name : query.names) {
      if (hit.passage->count(name.hash) == 0) continue;
      const QByteArray utf8 = name.text.toUtf8();
      const auto& defined = hit.file->passages->definitions;
      const bool defines = std::any_of(defined.begin(), defined.end(), [&](const Definition& d) {
        return d.name == utf8 && d.line >= hit.passage->firstLine &&
               d.line <= hit.passage->lastLine;
      });
      if (!name.isCode) {
        if (defines) hit.score *= kPlainNameFactor;
        continue;
      }
      ++hit.named;
      if (defines && hit.why != FoundPassage::Why::kDefines) {
        hit.why = FoundPassage::Why::kDefines;
        hit.symbol = name.text;
      } else if (hit.why == FoundPassage::Why::kWords) {
        hit.why = FoundPassage::Why::kUses;
        hit.symbol = name.text;
      }
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return std::tie(a.why, b.named, b.score, a.file->passages->path, a.passage->firstLine) <
           std::tie(b.why, a.named, a.score, b.file->passages->path, b.passage->firstLine);
  });
  QVector<FoundPassage> found;
  for (const Hit& hit : hits) {
    if (found.size() >= most) break;
    const Passage& passage = *hit.passage;
    found.append({hit.file->passages->path, passage.firstLine, passage.lastLine,
                  QString::fromUtf8(hit.file->passages->lines(passage.firstLine, passage.lastLine)),
                  hit.why, hit.symbol, hit.score});
  }
  return found;
}

QVector<SymbolPlace> ProjectPassages::definitionsOf(const QString& name) const {
  const QByteArray utf8 = name.toUtf8();
  const WordHash hash = identifierHash(utf8);
  QVector<SymbolPlace> places;
  for (const File& file : files_) {
    for (const Definition& definition : file.passages->definitions) {
      if (definition.name != utf8) continue;
      for (const Passage& passage : file.passages->passages) {
        if (definition.line < passage.firstLine || definition.line > passage.lastLine) continue;
        Q_ASSERT(utf8.size() < 2 || passage.count(hash) > 0);
        places.append({file.passages->path, definition.line, passage.lastLine});
      }
    }
  }
  return places;
}

QStringList ProjectPassages::symbols() const {
  QSet<QByteArray> names;
  for (const File& file : files_)
    for (const Definition& definition : file.passages->definitions) names.insert(definition.name);
  QStringList sorted;
  for (const QByteArray& name : std::as_const(names)) sorted.append(QString::fromUtf8(name));
  sorted.sort();
  return sorted;
}

QString ProjectPassages::textOf(const QString& path, int firstLine, int lastLine) const {
  const File* file = find(path);
  return file ? QString::fromUtf8(file->passages->lines(firstLine, lastLine)) : QString();
}

}  // namespace waferpair::pairing
