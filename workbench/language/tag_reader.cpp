// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/tag_reader.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

constexpr std::chrono::seconds kPatience(5);  // for one text
constexpr qsizetype kMostOfAnswer = 16 << 20;
constexpr int kMostFailures = 3;
constexpr qsizetype kMostOfTagName = 400;
constexpr qsizetype kMostPackages = 8;                      // of one text
constexpr char kCompleted[] = "{\"_type\": \"completed\"";  // the beginning of the last line

// One line of an answer.
struct Tag {
  QString name;
  QString kind;
  QString detail;
  QString inside;      // the names around it, between points
  QString insideKind;  // of the innermost of them
  qint64 first = 0;    // lines, from 0
  qint64 last = -1;    // -1: the program does not say
};

// Each language has its own signs between the names.
QString withPoints(QString scope) {
  return scope.replace(QLatin1String("::"), QLatin1String("."))
      .replace(QLatin1String("\"\""), QLatin1String("."));
}

// Packages are around all of a file, and no symbol of it for language servers.
bool isAroundAll(const QString& kind) {
  return kind == QLatin1String("package") || kind == QLatin1String("packageName");
}

// As language servers would call it (LSP 3.17, SymbolKind). What they have no name for is called as
// the program does.
QString kindName(const QString& kind, const QString& language) {
  enum {
    kModule = 2,
    kMethod = 6,
    kField = 8,
    kInterface = 11,
    kFunction = 12,
    kVariable = 13,
    kConstant = 14
  };
  static constexpr std::pair<const char*, int> kKinds[] = {
      {"const", kConstant},    {"func", kFunction},         {"macro", kConstant},
      {"member", kField},      {"methodSpec", kMethod},     {"prototype", kFunction},
      {"constant", kConstant}, {"subroutine", kFunction},   {"trait", kInterface},
      {"var", kVariable},      {"implementation", kModule},
  };
  // The members of Python's classes are their methods.
  if (kind == QLatin1String("member") && language == QLatin1String("Python"))
    return symbolKindName(kMethod);
  const auto* const known = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& k) {
    return kind == QLatin1String(k.first);
  });
  return known == std::end(kKinds) ? kind : symbolKindName(known->second);
}

// None: it tells of no symbol. The names of packages are added to `packages`.
std::optional<Tag> readTag(const QByteArray& line, QStringList* packages) {
  const QJsonObject said = QJsonDocument::fromJson(line).object();
  const QString kind = said[u"kind"].toString();
  if (said[u"_type"].toString() != QLatin1String("tag")) return std::nullopt;
  if (isAroundAll(kind)) {
    if (packages->size() < kMostPackages) packages->append(withPoints(said[u"name"].toString()));
    return std::nullopt;
  }
  const QString language = said[u"language"].toString();
  Tag tag{said[u"name"].toString().simplified().left(kMostOfTagName),
          kindName(kind, language),
          said[u"signature"].toString().simplified().left(kMostOfTagName),
          {},
          said[u"scopeKind"].toString(),
          said[u"line"].toInteger() - 1,
          said[u"end"].toInteger() - 1};
  if (tag.name.isEmpty() || tag.first < 0) return std::nullopt;
  if (!isAroundAll(tag.insideKind)) tag.inside = withPoints(said[u"scope"].toString());
  for (const QString& package : std::as_const(*packages))
    if (tag.inside.startsWith(package + u'.')) tag.inside.remove(0, package.size() + 1);
  tag.insideKind = kindName(tag.insideKind, language);
  return tag;
}

// Finds what a tag is in: the last one of that kind that is named so, if it reaches so far.
class Nesting {
 public:
  // The index of what this tag is in; -1: nothing. Tags come by their lines.
  int around(const Tag& tag) const {
    if (tag.inside.isEmpty()) return -1;
    const auto found = named_.constFind(tag.inside + u'\n' + tag.insideKind);
    if (found == named_.cend()) return -1;
    return found->last < 0 || tag.first <= found->last ? found->index : -1;
  }
  void add(const Tag& tag) {
    const QString whole = tag.inside.isEmpty() ? tag.name : tag.inside + u'.' + tag.name;
    named_.insert(whole + u'\n' + tag.kind, {count_++, tag.last});
  }

 private:
  struct Named {
    int index = 0;
    qint64 last = -1;  // line; -1: nobody has said
  };
  QHash<QString, Named> named_;
  int count_ = 0;
};

// The name in its line, or the line's beginning.
ByteRange placeOf(const Tag& tag, const editor::Snapshot& text) {
  const qint64 start = text.lineStart(tag.first);
  const QByteArray name = tag.name.toUtf8();
  const QByteArray line =
      text.slice(start, std::min(text.lineEnd(tag.first), start + kMostOfTagName));
  const qsizetype at = line.indexOf(name);
  return at < 0 ? ByteRange{start, start} : ByteRange{start + at, start + at + name.size()};
}

}  // namespace

QVector<OutlineSymbol> readTags(const QByteArray& lines, const editor::Snapshot& text) {
  QVector<Tag> tags;
  QStringList packages;
  for (qsizetype at = 0; at < lines.size() && tags.size() < kMostSymbols;) {
    const qsizetype end = std::max(at, lines.indexOf('\n', at));
    const qsizetype past = end > at ? end : lines.size();
    const auto tag = readTag(lines.mid(at, past - at), &packages);
    if (tag && tag->first < text.lineCount()) tags.append(*tag);
    at = past + 1;
  }
  std::stable_sort(tags.begin(), tags.end(),
                   [](const Tag& a, const Tag& b) { return a.first < b.first; });
  QVector<OutlineSymbol> symbols;
  QVector<qsizetype> open;  // those whose end nobody has said, the outermost first
  Nesting nesting;
  // What has no end goes on to the line before what is not in it, or to the end of what it is in.
  const auto endBefore = [&](qint64 line, int depth) {
    while (!open.isEmpty() && symbols[open.constLast()].depth >= depth) {
      OutlineSymbol& symbol = symbols[open.takeLast()];
      qint64 end = text.lineStart(line);
      if (symbol.parent >= 0 && !open.contains(symbol.parent))
        end = std::min(end, symbols[symbol.parent].range.end);
      symbol.range.end = std::max(symbol.range.end, end);
    }
  };
  for (const Tag& tag : std::as_const(tags)) {
    const int parent = nesting.around(tag);
    const int depth = parent < 0 ? 0 : symbols[parent].depth + 1;
    nesting.add(tag);
    endBefore(tag.first, depth);
    const qint64 last = std::clamp(tag.last, tag.first, text.lineCount() - 1);
    const ByteRange place = placeOf(tag, text);
    symbols.append({tag.name,
                    tag.kind,
                    tag.detail,
                    {text.lineStart(tag.first), std::max(text.lineEnd(last), place.end)},
                    place,
                    std::min(depth, kDeepestSymbol) == depth ? parent : -1,
                    std::min(depth, kDeepestSymbol)});
    if (tag.last < 0) open.append(symbols.size() - 1);
  }
  endBefore(text.lineCount(), 0);
  return symbols;
}

TagReader::TagReader(const QStringList& programs, QObject* parent) : QObject(parent) {
  for (const QString& program : programs)
    if (program_.isEmpty()) program_ = QStandardPaths::findExecutable(program);
  pool_.setMaxThreadCount(1);
  patience_.setSingleShot(true);
  connect(&patience_, &QTimer::timeout, this, &TagReader::failed);
}

TagReader::~TagReader() { pool_.waitForDone(); }

bool TagReader::isThere() const { return !program_.isEmpty() && failures_ < kMostFailures; }

void TagReader::read(const QString& fileName, const editor::Snapshot& text, const Read& read) {
  questions_.append({QFileInfo(fileName).fileName(), text, read});
  // Also what is answered at once is answered later.
  QMetaObject::invokeMethod(this, &TagReader::askNext, Qt::QueuedConnection);
}

QString TagReader::busyWith() const {
  return questions_.isEmpty() ? QString() : translate("reading what a text declares");
}

void TagReader::askNext() {
  while (state_ == State::kIdle && !questions_.isEmpty()) {
    const Question& next = questions_.constFirst();
    if (!isThere() || next.text.isEmpty() || next.text.size() > kMostOfText) {
      answer({});
      continue;
    }
    state_ = State::kAsked;
    if (!process_) start();
    if (!process_) continue;  // which has been answered
    const QJsonObject command{
        {"command", "generate-tags"}, {"filename", next.fileName}, {"size", next.text.size()}};
    answer_.clear();
    patience_.start(kPatience);
    process_->write(QJsonDocument(command).toJson(QJsonDocument::Compact) + '\n' +
                    next.text.toByteArray());
  }
}

void TagReader::start() {
  const programs::ProgramCommand command{
      program_, {"--options=NONE", "--_interactive=sandbox", "--fields=+neKSl", "--sort=no"}, {}};
  process_ = std::make_unique<programs::ChildProcess>(command, QDir::rootPath());
  connect(process_.get(), &programs::ChildProcess::received, this, &TagReader::received);
  connect(process_.get(), &programs::ChildProcess::ended, this, &TagReader::failed);
  process_->start();
}

void TagReader::received(const QByteArray& bytes) {
  if (state_ != State::kAsked) return;
  const qsizetype known = answer_.size();
  answer_ += bytes;
  if (known > kMostOfAnswer) return failed();
  const qsizetype around =
      std::max<qsizetype>(0, known - static_cast<qsizetype>(sizeof kCompleted));
  if (answer_.indexOf(kCompleted, around) < 0) return;
  failures_ = 0;
  state_ = State::kReading;
  patience_.stop();
  // The pool ends before this object does.
  pool_.start([this, lines = std::exchange(answer_, {}), text = questions_.constFirst().text] {
    const QVector<OutlineSymbol> symbols = readTags(lines, text);
    QMetaObject::invokeMethod(
        this,
        [this, symbols] {
          answer(symbols);
          askNext();
        },
        Qt::QueuedConnection);
  });
}

void TagReader::failed() {
  // It may be what calls.
  if (process_) process_.release()->deleteLater();
  ++failures_;
  if (state_ != State::kAsked) return;
  answer({});
  askNext();
}

void TagReader::answer(const QVector<OutlineSymbol>& symbols) {
  patience_.stop();
  state_ = State::kIdle;
  const Question question = questions_.takeFirst();
  question.read(symbols);
}

}  // namespace waferpair::workbench
