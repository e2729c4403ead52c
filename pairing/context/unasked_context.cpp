// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/unasked_context.h"

#include <QFileInfo>
#include <algorithm>

#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "pairing/context/context_collector.h"
#include "pairing/context/project_tree.h"
#include "pairing/context/token_estimate.h"
#include "pairing/retrieval/words.h"

namespace waferpair::pairing {
namespace {

// By the model's parameters. A small one on two cores reads some 200 tokens a second.
constexpr std::pair<qint64, qint64> kBudgets[] = {{3'000'000'000, 1'500}, {15'000'000'000, 4'000}};
constexpr qint64 kLargeBudget = 8'000;
constexpr qint64 kUnknownBudget = 4'000;
constexpr qint64 kContextPart = 4;  // one of so many parts of the model's context
constexpr qint64 kUnknownContext = 16'384;
// Parts of the budget, one of so many. What one leaves the later ones may have.
constexpr qint64 kRulesPart = 4;
constexpr qint64 kTreePart = 10;
constexpr qint64 kNamesPart = 20;
constexpr qint64 kFrontPart = 3;
constexpr qint64 kDefinitionsPart = 5;
constexpr int kMostDefinitions = 8;
constexpr qsizetype kMostPlacesOfName = 2;  // of one name
constexpr int kDefinitionLines = 16;
constexpr int kMostOfOneFile = 2;     // passages: one that is wrong should not fill the room
constexpr qsizetype kMostFound = 24;  // passages that are looked at
constexpr qsizetype kMostTreeFiles = 5'000;
constexpr int kNearLines = 3;  // from the caret to what is wrong
constexpr const char* kRulesFiles[] = {"CLAUDE.md", ".cursorrules",
                                       ".github/copilot-instructions.md"};

class Unasked {
 public:
  Unasked(const ContextRequest& request, const QVector<ContextItem>& mentioned)
      : request_(request),
        made_(request.root, request.open, request.known,
              std::min(request.unasked.budget, request.budget - tokensOf(mentioned))),
        budget_(made_.room()) {
    made_.setStruck(request.unasked.struck);
    made_.setQuiet(true);
    for (const ContextItem& item : mentioned)
      if (item.kind == Kind::kFile && item.outcome != ContextItem::Outcome::kLeftOut)
        whole_.insert(item.path);
  }

  QVector<ContextItem> run() {
    if (budget_ < ContextCollector::kLeastPart) return {};
    within(kRulesPart, [this] { takeRules(); });
    if (request_.unasked.isOfEdit) {
      findFront();
      takeDefinitions();
      takeProblems();
      return made_.items();
    }
    within(kTreePart, [this] { takeTree(); });
    within(kNamesPart, [this] { takeOpenNames(); });
    findFront();
    // The caret's function has its part whatever the question's words find.
    const qint64 front = isFrontTaken() ? 0 : std::min(budget_ / kFrontPart, sizeOfFront());
    made_.setRoom(made_.room() - front);
    within(kDefinitionsPart, [this] { takeDefinitions(); });
    takePassages();
    made_.setRoom(made_.room() + front);
    takeFront();
    takeProblems();
    return made_.items();
  }

 private:
  using Kind = ContextItem::Kind;

  void within(qint64 part, const std::function<void()>& take) {
    const qint64 all = made_.room();
    const qint64 some = std::min(all, budget_ / part);
    made_.setRoom(some);
    take();
    made_.setRoom(all - some + made_.room());
  }

  // The user's own, then the project's, from its root down to the folder of the text in front.
  void takeRules() {
    takeRulesAt(request_.unasked.ownRules, translate("your own AGENTS.md"));
    if (request_.root.isEmpty()) return;
    QString folder = request_.root + u'/';
    takeRulesIn(folder, QLatin1String("AGENTS.md"));
    for (const char* name : kRulesFiles) takeRulesIn(folder, QLatin1String(name));
    if (!request_.unasked.front || !request_.unasked.front->path.startsWith(folder)) return;
    const QString& path = request_.unasked.front->path;
    for (qsizetype at = path.indexOf(u'/', folder.size()); at >= 0; at = path.indexOf(u'/', at + 1))
      takeRulesIn(path.left(at + 1), QLatin1String("AGENTS.md"));
  }

  void takeRulesIn(const QString& folder, const QString& name) {
    takeRulesAt(folder + name, made_.shown(folder + name, name));
  }

  // One file is often a link to another one.
  void takeRulesAt(const QString& path, const QString& name) {
    if (path.isEmpty() || !QFileInfo::exists(path) || !made_.reasonOf(path).isEmpty()) return;
    const QByteArray text = made_.textOf(path);
    if (text.trimmed().isEmpty() || rules_.contains(text)) return;
    rules_.append(text);
    made_.add(Kind::kRules, name, path, text);
  }

  void takeTree() {
    if (request_.root.isEmpty() || request_.files.isEmpty()) return;
    const QStringList files = request_.files.mid(0, kMostTreeFiles);
    const QByteArray tree =
        projectTree(files, bytesOfTokens(made_.room()), [this](const QString& file) {
          return made_.reasonOf(request_.root + u'/' + file).isEmpty();
        });
    made_.add(Kind::kTree, translate("files of the project"), {}, tree);
  }

  void takeOpenNames() {
    QByteArray names;
    for (const OpenText& text : request_.open)
      if (made_.reasonOf(text.path).isEmpty())
        names += made_.shown(text.path, text.title).toUtf8() + '\n';
    if (!names.isEmpty()) made_.add(Kind::kOpenNames, translate("open files"), {}, names);
  }

  // -- The text in front

  void findFront() {
    if (!request_.unasked.front) return;
    const FrontText& front = *request_.unasked.front;
    // A part of a text with a secret is held back as all of it is.
    isFrontShown_ = made_.reasonOf(front.path).isEmpty() &&
                    secretIn(front.text.toByteArray()).isEmpty() && !front.text.isEmpty();
    if (!isFrontShown_) return;
    const qint64 most = bytesOfTokens(budget_ / kFrontPart);
    const auto fits = [&front, most](qint64 first, qint64 end) {
      return front.text.lineStart(end) - front.text.lineStart(first) <= most;
    };
    first_ = 0;
    end_ = front.text.lineCount();
    if (fits(first_, end_)) return;
    first_ = front.firstLine;
    end_ = front.endLine;
    if (fits(first_, end_)) return;
    // The lines of it around the caret.
    first_ = front.text.lineAt(front.caret);
    end_ = first_ + 1;
    for (bool grows = true; grows;) {
      const bool up = first_ > front.firstLine && fits(first_ - 1, end_);
      if (up) --first_;
      const bool down = end_ < front.endLine && fits(first_, end_ + 1);
      if (down) ++end_;
      grows = up || down;
    }
  }

  bool isFrontTaken() const {
    return !isFrontShown_ || whole_.contains(request_.unasked.front->path);
  }
  QByteArray frontText() const {
    const editor::Snapshot& text = request_.unasked.front->text;
    return editor::withLf(text.slice(text.lineStart(first_), text.lineStart(end_)));
  }
  qint64 sizeOfFront() const { return estimatedTokens(frontText()); }
  bool isInFront(const QString& path, qint64 firstLine, qint64 lastLine) const {
    return isFrontShown_ && path == request_.unasked.front->path && firstLine <= end_ &&
           lastLine > first_;
  }

  void takeFront() {
    if (isFrontTaken()) return;
    const FrontText& front = *request_.unasked.front;
    QString name = made_.shown(front.path, front.title);
    if (first_ > 0 || end_ < front.text.lineCount())
      name += QStringLiteral(":%1-%2").arg(first_ + 1).arg(end_);
    if (!front.language.isEmpty()) name += QStringLiteral(" (%1)").arg(front.language);
    made_.setRoom(std::max<qint64>(made_.room(), 0));
    made_.add(Kind::kFront, name, front.path, frontText());
  }

  // What is wrong nearest to the caret.
  void takeProblems() {
    if (!isFrontShown_) return;
    const FrontText& front = *request_.unasked.front;
    const qint64 caret = front.text.lineAt(front.caret) + 1;
    const ReportedProblem* nearest = nullptr;
    for (const ReportedProblem& problem : request_.problems) {
      const qint64 from = std::abs(problem.line - caret);
      if (problem.path != front.path || from > kNearLines) continue;
      if (!nearest || from < std::abs(nearest->line - caret)) nearest = &problem;
    }
    if (!nearest) return;
    const QString at =
        QStringLiteral("%1:%2").arg(made_.shown(front.path, front.title)).arg(nearest->line);
    made_.add(Kind::kProblem, translate("problem at %1").arg(at), front.path,
              (at + QStringLiteral(": ") + nearest->text + u'\n').toUtf8());
  }

  // Of the names at the caret, in their order.
  void takeDefinitions() {
    if (!isFrontShown_ || !request_.passages || request_.passages->root().isEmpty()) return;
    const FrontText& front = *request_.unasked.front;
    const QByteArray code = front.text.slice(front.text.lineStart(front.firstLine),
                                             front.text.lineStart(front.endLine));
    QSet<QByteArray> seen;
    int taken = 0;
    forEachIdentifier(code, [&](QByteArrayView word, qsizetype) {
      const QByteArray name = word.toByteArray();
      if (taken >= kMostDefinitions || seen.contains(name) || seen.size() >= kMostNames) return;
      seen.insert(name);
      if (!looksLikeCode(word)) return;
      const auto places = request_.passages->definitionsOf(QString::fromUtf8(name));
      if (places.isEmpty() || places.size() > kMostPlacesOfName) return;
      for (const SymbolPlace& place : places) taken += takeDefinition(place) ? 1 : 0;
    });
  }

  bool takeDefinition(const SymbolPlace& place) {
    const QString path = request_.passages->root() + u'/' + place.path;
    const int last = std::min(place.lastLine, place.line + kDefinitionLines);
    const bool isInText = request_.unasked.isOfEdit && path == request_.unasked.front->path;
    if (isInText || whole_.contains(path) || isInFront(path, place.line, last)) return false;
    return addLines(Kind::kDefinition, {place.path,
                                        place.line,
                                        last,
                                        request_.passages->textOf(place.path, place.line, last),
                                        {},
                                        {},
                                        0});
  }

  // -- What has the question's words

  void takePassages() {
    if (!request_.passages) return;
    for (const FoundPassage& found : request_.passages->search(request_.question, kMostFound)) {
      const QString path = request_.passages->root() + u'/' + found.path;
      if (whole_.contains(path) || isInFront(path, found.firstLine, found.lastLine)) continue;
      if (ofFile_.value(path) >= kMostOfOneFile || !addLines(Kind::kPassage, found)) continue;
      ++ofFile_[path];
      if (made_.room() < ContextCollector::kLeastPart) return;
    }
  }

  // Whole, or not at all.
  bool addLines(Kind kind, const FoundPassage& lines) {
    const QByteArray text = lines.text.toUtf8();
    if (text.isEmpty() || estimatedTokens(text) > made_.room()) return false;
    made_.add(kind,
              QStringLiteral("%1:%2-%3").arg(lines.path).arg(lines.firstLine).arg(lines.lastLine),
              request_.passages->root() + u'/' + lines.path, text);
    return true;
  }

  static constexpr qsizetype kMostNames = 60;  // that are looked up

  const ContextRequest& request_;
  ContextCollector made_;
  qint64 budget_;
  QSet<QString> whole_;  // paths of files that go along as a whole
  QByteArrayList rules_;
  QHash<QString, int> ofFile_;  // passages, by path
  bool isFrontShown_ = false;
  qint64 first_ = 0;  // the lines of the text in front that go along, from 0
  qint64 end_ = 0;    // past the last
};

}  // namespace

qint64 unaskedBudget(qint64 parameters, qint64 contextTokens) {
  qint64 budget = parameters < 0 ? kUnknownBudget : kLargeBudget;
  for (const auto& [below, tokens] : kBudgets)
    if (parameters >= 0 && parameters < below) budget = std::min(budget, tokens);
  return std::min(budget, (contextTokens > 0 ? contextTokens : kUnknownContext) / kContextPart);
}

QVector<ContextItem> unaskedContext(const ContextRequest& request,
                                    const QVector<ContextItem>& mentioned) {
  return Unasked(request, mentioned).run();
}

}  // namespace waferpair::pairing
