// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/next_edit_service.h"

#include <QFile>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <algorithm>
#include <chrono>
#include <utility>

#include "editor/assist/hunks.h"
#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "editor/widget/decorations.h"
#include "gui/documents/editor_tabs.h"
#include "gui/pairing/taught_edits.h"
#include "gui/store/settings.h"
#include "pairing/context/gather_context.h"
#include "pairing/next_edit/closed_files.h"
#include "pairing/next_edit/search.h"

namespace waferpair::gui {
namespace {

using editor::CodeEditor;
using pairing::CodeText;
using pairing::NextEdit;

// A pause in which nobody is in the middle of a word.
constexpr std::chrono::milliseconds kPause(350);
// Larger texts are left out, and so are more than these bytes in all, those edited last first.
constexpr qint64 kLargestText = qint64{1} << 20;
constexpr qint64 kMostBytes = qint64{8} << 20;
constexpr qsizetype kMostDismissed = 200;
// After so long the project's files are looked through for changes, before the next search.
constexpr std::chrono::minutes kFactsLast(2);

bool isReadOnly(const Document& document) {
  return document.editor()->sci(QsciScintillaBase::SCI_GETREADONLY) != 0;
}

bool isBlankBefore(const CodeEditor& editor) {
  return editor.textRange(editor.lineStart(editor.caretLine()), editor.caret()).trimmed().isEmpty();
}

}  // namespace

struct NextEditService::Parsed {
  struct Text {
    editor::Snapshot snapshot;
    QString language;
    std::shared_ptr<const CodeText> code;
  };
  QHash<editor::DocumentId, Text> texts;
  pairing::CodeFiles files;

  std::shared_ptr<const CodeText> of(const editor::SyncedDocument& document) {
    Text& text = texts[document.id];
    if (!text.code || text.language != document.language || !(text.snapshot == document.text)) {
      text = {document.text, document.language,
              std::make_shared<CodeText>(document.text.toByteArray(),
                                         pairing::languageFamily(document.language))};
    }
    return text.code;
  }
};

NextEditService::NextEditService(EditorTabs* tabs, editor::DocumentSync* sync, Settings* settings,
                                 pairing::ModelRoster* roster, QObject* parent)
    : QObject(parent),
      tabs_(tabs),
      sync_(sync),
      settings_(settings),
      cancelled_(std::make_shared<std::atomic_bool>(false)),
      parsed_(std::make_shared<Parsed>()),
      factsCancelled_(std::make_shared<std::atomic_bool>(false)),
      taught_(new TaughtEdits(roster, settings, this)) {
  pool_.setMaxThreadCount(1);
  pool_.setThreadPriority(QThread::LowPriority);
  reader_.setMaxThreadCount(1);
  reader_.setThreadPriority(QThread::LowestPriority);
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &NextEditService::search);
  connect(tabs_, &EditorTabs::opened, this, &NextEditService::watch);
  connect(tabs_, &EditorTabs::currentChanged, this, [this] {
    if (!moving_) withdraw();
  });
  connect(settings_, &Settings::changed, this, [this] {
    if (!settings_->get().offersNextEdits()) callOff();
    Q_EMIT offerChanged();
  });
  connect(taught_, &TaughtEdits::changed, this, &NextEditService::offerChanged);
  sync->subscribe(this);
}

NextEditService::~NextEditService() {
  cancelled_->store(true);
  factsCancelled_->store(true);
  for (QThreadPool* pool : {&pool_, &reader_}) {
    pool->clear();
    pool->waitForDone();
  }
}

Document* NextEditService::documentOf(const editor::DocumentId& id) const {
  const QList<Document*> documents = tabs_->documents();
  const auto found = std::find_if(documents.begin(), documents.end(),
                                  [&](const Document* one) { return one->id() == id; });
  return found == documents.end() ? nullptr : *found;
}

void NextEditService::setGate(const pairing::Gate& gate) {
  gate_ = std::make_shared<pairing::Gate>(gate);
}

void NextEditService::watch(Document* document) {
  const CodeEditor* editor = document->editor();
  connect(editor, &CodeEditor::nextEditWanted, this, &NextEditService::takeStep);
  connect(editor, &CodeEditor::nextEditDismissed, this, &NextEditService::dismiss);
  connect(editor, &CodeEditor::cursorMoved, this, [this, document] { caretMoved(document); });
  // Other changes are to be decided on first, and drawn where an offer is or would be.
  connect(document->hunks(), &editor::Hunks::changed, this, [this, document] {
    if (!offer_ || document->hunks()->offeredCount() == 0) return;
    if (offer_->shownIn == document || offer_->next.edit.document == document->id()) withdraw();
  });
}

// -- What is edited

void NextEditService::opened(const editor::SyncedDocument& document) { history_.opened(document); }

void NextEditService::closed(const editor::DocumentId& id) {
  history_.closed(id);
  if (offer_ && offer_->next.edit.document == id) withdraw();
  dismissed_.removeIf([&](const pairing::DismissedEdit& edit) { return edit.document == id; });
}

void NextEditService::changed(const editor::SyncedDocument& document,
                              const QVector<editor::TextEdit>& edits) {
  history_.changed(document, edits);
  if (!moving_) chained_ = false;
  restart();
}

void NextEditService::restart() {
  callOff();
  if (!settings_->get().offersNextEdits()) return;
  soon_.start(chained_ ? std::chrono::milliseconds(0) : kPause);
}

void NextEditService::callOff() {
  soon_.stop();
  ++generation_;
  cancelled_->store(true);
  taught_->cancel();
  withdraw();
}

// -- What the project's files hold

void NextEditService::setProject(const QString& root, const QStringList& files) {
  root_ = root;
  files_ = files;
  if (facts_ && facts_->root != root_) facts_.reset();
  factsAge_.invalidate();
}

// A search that finds them not yet read does without.
void NextEditService::readFacts(const Document& document) {
  const QString suffix = QFileInfo(document.path()).suffix();
  if (root_.isEmpty() || suffix.isEmpty() || !document.path().startsWith(root_ + u'/')) return;
  const bool isOther = !facts_ || !facts_->suffixes.contains(suffix);
  if (!isOther && factsAge_.isValid() &&
      !factsAge_.hasExpired(std::chrono::milliseconds(kFactsLast).count()))
    return;
  factsAge_.start();
  factsCancelled_->store(true);
  factsCancelled_ = std::make_shared<std::atomic_bool>(false);
  reader_.start([this, root = root_, files = files_, suffixes = pairing::suffixesLike(suffix),
                 family = &pairing::languageFamily(document.editor()->language()), before = facts_,
                 cancelled = factsCancelled_] {
    auto read = pairing::readFacts(root, files, suffixes, *family, before, *cancelled);
    if (!read) return;
    // The destructor waits for this thread, so `this` is there.
    QMetaObject::invokeMethod(
        this,
        [this, read = std::move(read), cancelled] {
          if (cancelled->load()) return;
          facts_ = read;
          if (offer_ || soon_.isActive() || !settings_->get().offersNextEdits()) return;
          callOff();  // a search without them
          search();
        },
        Qt::QueuedConnection);
  });
}

// -- The search

// An offer is made where the user has just edited, and nowhere in the way of the key: in a line's
// leading blanks it indents.
bool NextEditService::isCaretReady(const Document& document) const {
  const CodeEditor& editor = *document.editor();
  if (!editor.hasOneCaret() || editor.hasSelection() || history_.edits().isEmpty()) return false;
  if (document.hunks()->offeredCount() > 0) return false;  // those are to be decided on first
  const pairing::LineEdit& last = history_.edits().last();
  const int lines = std::max(1, static_cast<int>(last.after.size()));
  const int line = editor.caretLine();
  if (last.document != document.id() || line < last.line || line >= last.line + lines) return false;
  return chained_ || !isBlankBefore(editor);
}

void NextEditService::search() {
  const Document* current = tabs_->current();
  if (!current || !isCaretReady(*current)) return;
  readFacts(*current);
  if (!gate_) {
    QFile file(QStringLiteral(":/next_edit.json"));
    const bool isOpen = file.open(QIODevice::ReadOnly);
    auto gate = pairing::Gate::parse(isOpen ? file.readAll() : QByteArray());
    if (!gate) Q_EMIT problem(gate.error().message());
    gate_ = std::make_shared<pairing::Gate>(gate ? *gate : pairing::Gate());
  }
  // The texts that were edited last come first, then the others.
  QVector<editor::SyncedDocument> documents;
  const auto take = [&](const editor::DocumentId& id) {
    const editor::SyncedDocument* known = sync_->find(id);
    if (!known || !known->silent.isEmpty()) return;
    const bool taken = std::any_of(documents.begin(), documents.end(),
                                   [&](const auto& document) { return document.id == id; });
    if (!taken && known->text.size() <= kLargestText) documents.append(*known);
  };
  const QVector<pairing::LineEdit>& edits = history_.edits();
  for (qsizetype i = edits.size(); i-- > 0;) take(edits[i].document);
  QStringList open;
  for (const Document* document : tabs_->documents()) {
    take(document->id());
    open += document->id();
  }
  if (documents.isEmpty() || documents.first().id != current->id()) return;

  // A caret in the text, where a model may be asked.
  std::optional<std::pair<int, int>> caret;
  if (taught_->isWanted()) {
    const CodeEditor& editor = *current->editor();
    const int line = editor.caretLine();
    caret = {line, static_cast<int>(editor.caret() - editor.lineStart(line))};
  }
  cancelled_ = std::make_shared<std::atomic_bool>(false);
  pool_.start([this, generation = generation_, documents, edits = history_.edits(),
               dismissed = dismissed_, gate = gate_, parsed = parsed_, facts = facts_, root = root_,
               open, caret, textPath = current->path(), cancelled = cancelled_] {
    pairing::Situation now{{}, edits, dismissed};
    if (facts) now.facts = facts->facts;
    now.root = root;
    qint64 bytes = 0;
    for (const editor::SyncedDocument& document : documents) {
      if (cancelled->load()) return;
      bytes += document.text.size();
      if (bytes > kMostBytes) break;
      now.texts.append({document.id, parsed->of(document)});
    }
    const pairing::LanguageFamily& family = now.texts.first().code->family();
    for (const QString& file : pairing::closedFiles(now)) {
      const QString path = root + u'/' + file;
      if (cancelled->load()) return;
      if (open.contains(path)) continue;  // it is too large, or nothing is to be suggested there
      if (auto code = parsed->files.read(path, family))
        now.texts.append({path, std::move(code), false});
    }
    parsed->files.forgetOthers();
    std::optional<NextEdit> next = findNextEdit(now, *gate, cancelled.get());
    parsed->texts.removeIf([&](const auto& entry) {
      return std::none_of(documents.begin(), documents.end(),
                          [&](const auto& document) { return document.id == entry.key(); });
    });
    if (cancelled->load()) return;
    if (!next && caret) {
      auto asked = questionFor(now, root, textPath, *caret);
      if (!asked) return;
      QMetaObject::invokeMethod(
          this,
          [this, generation, asked = std::move(*asked)] {
            if (generation == generation_) ask(asked);
          },
          Qt::QueuedConnection);
    }
    if (!next) return;
    // The destructor waits for this thread, so `this` is there.
    QMetaObject::invokeMethod(
        this,
        [this, generation, next = std::move(*next)] {
          if (generation == generation_) offer(next);
        },
        Qt::QueuedConnection);
  });
}

// -- A model that was taught next edits

// Nothing where the text is held back from models; edits of texts that are, are left out. Any
// thread.
std::optional<NextEditService::Question> NextEditService::questionFor(const pairing::Situation& now,
                                                                      const QString& root,
                                                                      const QString& path,
                                                                      std::pair<int, int> caret) {
  const pairing::SearchedText& here = now.texts.first();
  if (caret.first >= here.code->lineCount()) return {};
  if (!pairing::heldBack(root, path, here.code->bytes()).isEmpty()) return {};
  QVector<editor::DocumentId> seen = {here.document};
  for (const pairing::LineEdit& edit : now.edits) {
    const auto text = std::find_if(now.texts.begin(), now.texts.end(),
                                   [&](const auto& one) { return one.document == edit.document; });
    if (text == now.texts.end() || seen.contains(edit.document)) continue;
    // A text that has no file yet has no path, and is judged by what is in it.
    const QString file = QFileInfo(edit.document).isAbsolute() ? edit.document : QString();
    if (pairing::heldBack(root, file, text->code->bytes()).isEmpty()) seen.append(edit.document);
  }
  return Question{editQuestion(now, 0, caret.first, caret.second, seen), here.document, here.code};
}

void NextEditService::ask(const Question& asked) {
  const Document* current = tabs_->current();
  if (!current || current->id() != asked.document || !isCaretReady(*current) ||
      current->editor()->ghost()->isShown())
    return;
  taught_->ask(asked.question, [this, asked, generation = generation_](
                                   const pairing::TaughtChange* change, double probability) {
    if (!change || generation != generation_) return;
    auto next = answered(asked, *change);
    if (!next) return;
    next->probability = probability;
    offer(std::move(*next));
  });
}

// Nothing where the user has taken it back or turned it down.
std::optional<NextEdit> NextEditService::answered(const Question& asked,
                                                  const pairing::TaughtChange& change) const {
  QVector<pairing::LineEdit> mine = history_.edits();
  mine.removeIf([&](const auto& edit) { return edit.document != asked.document; });
  if (isIdle(change, mine)) return {};
  NextEdit next;
  next.isTaught = true;
  next.finder = pairing::Finder::kSpan;
  next.edit = {asked.document, change.line, change.before, change.after};
  // Lines that come behind the last one.
  if (change.line >= asked.code->lineCount()) {
    const QByteArray last = asked.code->line(--next.edit.line).toByteArray();
    next.edit.before.prepend(last);
    next.edit.after.prepend(last);
  }
  next.change = pairing::changeName(change.before.join('\n'), change.after.join('\n'));
  const bool isDismissed = std::any_of(dismissed_.begin(), dismissed_.end(), [&](const auto& one) {
    return one.document == asked.document && one.before == next.edit.before &&
           one.after == next.edit.after;
  });
  if (isDismissed) return {};
  next.hunk = hunkOf(*asked.code, next.edit);
  return next;
}

// -- The offer

void NextEditService::offer(NextEdit next) {
  Document* current = tabs_->current();
  Document* target = documentOf(next.edit.document);
  if (!current || (!target && !next.closed) || !isCaretReady(*current)) return;
  if (target && isReadOnly(*target)) return;
  if (target && target->hunks()->offeredCount() > 0) return;
  const int line = current->editor()->caretLine();
  offer_ = Offer{std::move(next), current};
  ++counts_.shown;
  if (offer_->next.isTaught) ++counts_.shownByModel;
  if (target == current && offer_->next.edit.line == line && !offer_->next.edit.before.isEmpty()) {
    draw(current);
  } else {
    showHint(current, line);
  }
  Q_EMIT offerChanged();
}

QString NextEditService::offered() const {
  if (!offer_) return {};
  const NextEdit& next = offer_->next;
  const QString line = QString::number(next.edit.line + 1);
  const bool isHere = offer_->shownIn && offer_->shownIn->id() == next.edit.document;
  QString where = tr("line %1").arg(line);
  if (!isHere) where = tr("%1:%2").arg(QFileInfo(next.edit.document).fileName(), line);
  QString what;
  if (next.finder == pairing::Finder::kImport) {
    what = tr("add “%1”").arg(QString::fromUtf8(next.imported));
    if (!isHere) what = tr("%1 to %2").arg(what, QFileInfo(next.edit.document).fileName());
  } else if (next.edit.before.isEmpty()) {
    what = tr("insert at %1").arg(where);
  } else if (next.edit.after.isEmpty()) {
    what = tr("remove %1").arg(where);
  } else if (next.finder == pairing::Finder::kName || next.finder == pairing::Finder::kRename) {
    what = tr("rename in %1").arg(where);
  } else {
    what = tr("change %1").arg(where);
  }
  return next.places > 1 ? tr("%1, %2 left").arg(what).arg(next.places) : what;
}

// Behind the line; what it says follows from the offer.
void NextEditService::showHint(Document* document, int line) {
  const QString key =
      document->editor()->keys().key("next-edit").toString(QKeySequence::NativeText);
  const QString what = offer_->isThere ? tr("apply") : offered();
  const QString text = key.isEmpty() ? tr("Next edit: %1").arg(what) : tr("%1: %2").arg(key, what);
  QString spoken = text;
  if (offer_->isThere && !offer_->next.edit.after.isEmpty())
    spoken = tr("%1 “%2”").arg(text, QString::fromUtf8(offer_->next.edit.after.first().trimmed()));
  document->editor()->nextEditHint()->offer(line, text, spoken);
}

// The lines as they would be, at their place, and the hint there.
void NextEditService::draw(Document* document) {
  const pairing::LineEdit& edit = offer_->next.edit;
  const editor::Hunk& hunk = offer_->next.hunk;
  CodeEditor* editor = document->editor();
  offer_->shownIn = document;
  offer_->isThere = true;
  using Kind = editor::Decoration::Kind;
  QVector<editor::Decoration> drawn;
  if (!hunk.range.isEmpty())
    drawn.append({Kind::kRemoved, hunk.range.start(), hunk.range.end(), {}});
  if (!edit.after.isEmpty()) {
    const qint64 end = edit.before.isEmpty()
                           ? hunk.range.start()
                           : editor->lineEnd(edit.line + static_cast<int>(edit.before.size()) - 1);
    drawn.append({Kind::kInserted, end, end, edit.after.join('\n')});
  }
  document->decorations()->set(drawn);
  showHint(document, editor->caretLine());
}

void NextEditService::takeStep() {
  if (!offer_) return;
  // Nobody wants to leave the line that needs an import: the hint says it, and it is made from
  // here.
  if (offer_->isThere || offer_->next.finder == pairing::Finder::kImport) {
    make();
  } else {
    goThere();
  }
}

void NextEditService::goThere() {
  const NextEdit& next = offer_->next;
  const QScopedValueRollback moving(moving_, true);
  Document* target = documentOf(next.edit.document);
  if (!target && next.closed) {
    target = tabs_->openFile(next.edit.document);
    // The edit's place counts for the text that was read alone, and that may be another one by now.
    if (target && (target->editor()->text() != next.closed->bytes() || isReadOnly(*target)))
      target = nullptr;
  }
  if (!target) return withdraw();
  if (offer_->shownIn) offer_->shownIn->editor()->nextEditHint()->withdraw();
  if (target != tabs_->current()) tabs_->setCurrent(target);
  target->setFocus();
  CodeEditor* editor = target->editor();
  const long first = editor->sci(QsciScintillaBase::SCI_GETFIRSTVISIBLELINE);
  const long shown = editor->sci(QsciScintillaBase::SCI_LINESONSCREEN);
  const long row = editor->sci(QsciScintillaBase::SCI_VISIBLEFROMDOCLINE,
                               static_cast<unsigned long>(next.edit.line));
  if (row < first || row >= first + shown - 1) editor->goToLine(next.edit.line);
  const qint64 place = next.hunk.range.start();
  editor->setSelection(place, place);
  editor->flushEdits();
  draw(target);
  Q_EMIT offerChanged();
}

void NextEditService::make() {
  const NextEdit next = offer_->next;
  Document* target = documentOf(next.edit.document);
  withdraw();
  if (!target) return;
  ++counts_.accepted;
  if (next.isTaught) ++counts_.acceptedByModel;
  const editor::Hunk& hunk = next.hunk;
  const qint64 start = hunk.range.start();
  const QScopedValueRollback moving(moving_, true);
  chained_ = true;
  CodeEditor* editor = target->editor();
  editor->applyEdits({{start, hunk.range.end(), hunk.text}});
  if (next.finder == pairing::Finder::kImport) {
    editor->flushEdits();
    restart();
    Q_EMIT offerChanged();
    return;
  }
  // Behind what came, in its last line.
  qint64 end = start + hunk.text.size();
  const int line =
      next.edit.line + static_cast<int>(std::max<qsizetype>(1, next.edit.after.size())) - 1;
  if (line < editor->lineCount())
    end = std::clamp(end, editor->lineStart(line), editor->lineEnd(line));
  editor->setSelection(end, end);
  editor->flushEdits();
  restart();
  Q_EMIT offerChanged();
}

void NextEditService::dismiss() {
  if (!offer_) return;
  const NextEdit& next = offer_->next;
  dismissed_.append({next.edit.document, next.edit.before, next.edit.after, next.change});
  if (dismissed_.size() > kMostDismissed) dismissed_.removeFirst();
  ++counts_.dismissed;
  withdraw();
}

void NextEditService::withdraw() {
  if (!offer_) return;
  if (Document* document = offer_->shownIn) {
    document->editor()->nextEditHint()->withdraw();
    if (offer_->isThere) document->decorations()->show(document->hunks());
  }
  offer_.reset();
  Q_EMIT offerChanged();
}

// An offer that the caret leaves is in nobody's way.
void NextEditService::caretMoved(Document* document) {
  if (!offer_ || moving_ || offer_->shownIn != document) return;
  const CodeEditor& editor = *document->editor();
  const bool isThere = offer_->isThere;
  if (editor.caretLine() != document->editor()->nextEditHint()->line() || editor.hasSelection() ||
      !editor.hasOneCaret() || (!isThere && isBlankBefore(editor)))
    withdraw();
}

}  // namespace waferpair::gui
