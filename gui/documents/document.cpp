// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/document.h"
#include "editor/text/size_text.h"
#include "gui/kit/theme.h"

#include <QFileInfo>
#include <QLocale>
#include <QVBoxLayout>
#include <utility>

#include "editor/assist/completion_list.h"
#include "editor/assist/document_sync.h"
#include "editor/assist/hunks.h"
#include "editor/assist/suggestion_controller.h"
#include "editor/widget/decorations.h"
#include "editor/widget/editor_suggestion_view.h"
#include "editor/widget/editor_sync.h"
#include "editor/widget/find_replace.h"
#include "editor/widget/ghost_text.h"
#include "gui/documents/file_operations.h"
#include "gui/kit/banner.h"
#include "gui/store/clock.h"
#include "gui/suggestions/suggestion_counts.h"
#include "gui/suggestions/suggestion_rules.h"

namespace waferpair::gui {
namespace {

constexpr char kChanged[] = "bannerChanged";        // other than on disk, by whoever
constexpr char kNotEncoded[] = "bannerNotEncoded";  // in the encoding that was chosen
constexpr char kNotice[] = "bannerNotice";          // safe mode, mixed line ends
constexpr char kLongLine[] = "bannerLongLine";
constexpr char kSaveFailed[] = "bannerSaveFailed";
constexpr char kNotKept[] = "bannerNotKept";  // by a save that went well
constexpr char kRecovered[] = "bannerRecovered";

QString id16(const char* text) { return QString::fromLatin1(text); }

}  // namespace

Document::Document(const DocumentServices& services, const QString& untitled, QWidget* parent)
    : QWidget(parent),
      services_(services),
      untitled_(untitled),
      banners_(new BannerStack(this)),
      editor_(new editor::CodeEditor(this)),
      sync_(new editor::EditorSync(editor_, services_.sync, this)),
      find_(new editor::FindReplace(editor_, this)),
      hunks_(new editor::Hunks(
          [this](const QVector<editor::TextEdit>& edits) {
            if (editor_->safeMode() == editor::SafeMode::kBinary) return false;  // read-only
            editor_->applyEdits(edits);
            return true;
          },
          this)),
      decorations_(new editor::Decorations(editor_, this)) {
  setObjectName(QStringLiteral("document"));
  banners_->setObjectName(QStringLiteral("documentBanners"));
  editor_->setObjectName(QStringLiteral("codeEditor"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(banners_);
  layout->addWidget(editor_, 1);
  setFocusProxy(editor_);

  connect(editor_, &editor::CodeEditor::modifiedChanged, this, &Document::titleChanged);
  connect(editor_, &editor::CodeEditor::languageChanged, this, &Document::formatChanged);
  connect(editor_, &editor::CodeEditor::longLineChanged, this, &Document::showLongLine);
  auto* view = new editor::EditorSuggestionView(editor_, this);
  completions_ = new editor::CompletionList(view, services_.words, this);
  if (services_.completions) {
    suggestions_ = new editor::SuggestionController(view, services_.completions, this);
    connect(editor_, &editor::CodeEditor::languageChanged, this, &Document::applySuggestionRules);
    services_.suggestionCounts->watch(suggestions_, [this] {
      return SuggestionCounts::Place{id(), editor_->language()};
    });
  }
  connect(editor_->ghost(), &editor::GhostText::accepted, this, [this] {
    Preferences p = services_.settings->get();
    if (p.acceptedSuggestions >= kEnoughAccepted) return;
    ++p.acceptedSuggestions;
    services_.settings->set(p);
  });
  connect(editor_, &editor::CodeEditor::edited, hunks_, &editor::Hunks::follow);
  connect(editor_, &editor::CodeEditor::documentReset, hunks_, &editor::Hunks::clear);
  decorations_->show(hunks_);
  connect(services_.settings, &Settings::changed, this, &Document::applySettings);
  applySettings();
}

Document::~Document() {
  // These speak to the editor to the last. Who is told that the text is closed may still draw over
  // it what it has.
  delete suggestions_;
  delete completions_;
  delete sync_;
  delete decorations_;
  delete find_;
}

void Document::setBar(QWidget* bar) {
  bar->hide();
  static_cast<QBoxLayout*>(layout())->insertWidget(1, bar);
}

QString Document::id() const {
  return file_ ? file_->path() : QStringLiteral("untitled:") + untitled_;
}

QString Document::title() const { return file_ ? QFileInfo(file_->path()).fileName() : untitled_; }

bool Document::isPristine() const { return !file_ && editor_->length() == 0; }

editor::Encoding Document::encoding() const {
  return file_ ? file_->encoding() : untitledEncoding_;
}

editor::Result<void> Document::open(const QString& path) {
  editor::Result<editor::TextFile> file =
      editor::TextFile::open(QFileInfo(path).absoluteFilePath());
  if (!file) return tl::unexpected(file.error());
  return take(std::move(*file));
}

editor::Result<void> Document::take(editor::TextFile file) {
  if (auto loaded = editor_->load(file); !loaded) return loaded;
  file_ = std::move(file);
  keptMine_.reset();
  mustSave_ = gone_ = false;
  editor_->setAccessibleName(tr("Text of %1").arg(title()));
  tellOpen();
  for (const char* banner : {kChanged, kNotEncoded, kSaveFailed, kRecovered})
    banners_->remove(id16(banner));
  showFileNotices();
  Q_EMIT titleChanged();
  Q_EMIT formatChanged();
  return {};
}

void Document::showFileNotices() {
  const QString notice = file_->notice();
  if (notice.isEmpty()) {
    banners_->remove(id16(kNotice));
    return;
  }
  const bool safe = file_->safeMode() != editor::SafeMode::kOff;
  Banner& banner =
      banners_->show(id16(kNotice), safe ? Banner::Kind::kWarning : Banner::Kind::kInfo, notice);
  if (file_->hasMixedLineEnds() && !safe) {
    const editor::LineEnds ends = file_->lineEnds();
    banner.addButton(QStringLiteral("convertLineEnds"),
                     tr("Make All %1").arg(editor::lineEndsName(ends)), [this, ends] {
                       editor_->convertLineEnds(ends);
                       Q_EMIT formatChanged();
                     });
  }
}

void Document::showLongLine(bool on) {
  if (!on) {
    banners_->remove(id16(kLongLine));
    return;
  }
  const int line = editor_->longLine();
  banners_->show(id16(kLongLine), Banner::Kind::kWarning,
                 tr("Line %1 has %2, more than %3: highlighting and suggestions are off until it "
                    "is shorter.")
                     .arg(line + 1)
                     .arg(editor::sizeText(editor_->lineEnd(line) - editor_->lineStart(line), 1),
                          editor::sizeText(editor::kLongLine)));
}

// True, with a banner up, if saving now would overwrite another program's work.
bool Document::changedBehindOurBack() {
  if (file_->outsideChange() != editor::OutsideChange::kChanged) return false;
  if (keptMine_ == QFileInfo(path()).lastModified()) return false;
  banners_
      ->show(
          id16(kChanged), Banner::Kind::kWarning,
          tr("%1 was changed on disk by another program. It was not saved over that.").arg(title()))
      .addButton(QStringLiteral("overwrite"), tr("Overwrite"),
                 [this] {
                   keptMine_ = QFileInfo(path()).lastModified();
                   save();
                 })
      .addButton(QStringLiteral("reload"), tr("Reload"), [this] { revert(); });
  return true;
}

bool Document::save() {
  if (!file_ || changedBehindOurBack()) return false;
  const auto done = file_->save(editor_->text());
  if (!done) {
    showSaveFailure(done.error(), path());
    return false;
  }
  afterSave(id(), *done);
  return true;
}

bool Document::saveAs(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  const QString oldId = id();
  editor::TextFile target = file_ ? *file_ : editor::TextFile::create(absolute);
  target.setEncoding(encoding());
  const auto done = target.saveAs(absolute, editor_->text());
  if (!done) {
    showSaveFailure(done.error(), absolute);
    return false;
  }
  file_ = std::move(target);
  editor_->setAccessibleName(tr("Text of %1").arg(title()));
  if (editor_->language().isEmpty()) {
    editor_->setLanguage(editor::languageForFile(absolute));
  }
  afterSave(oldId, *done);
  return true;
}

void Document::setGone(bool gone) {
  if (gone != std::exchange(gone_, gone)) Q_EMIT titleChanged();
}

void Document::afterSave(const QString& oldId, const editor::Saved& saved) {
  keptMine_.reset();
  mustSave_ = gone_ = false;
  editor_->setUnmodified();
  for (const char* banner : {kChanged, kSaveFailed, kNotKept, kRecovered})
    banners_->remove(id16(banner));
  if (!saved.lost.isEmpty()) {
    banners_->show(id16(kNotKept), Banner::Kind::kWarning,
                   tr("%1 is saved, but could not keep %2. Set that again if it matters.")
                       .arg(title(), saved.lost.join(tr(", "))));
  }
  if (id() != oldId) tellOpen();
  Q_EMIT this->saved();
  Q_EMIT written();
  Q_EMIT titleChanged();
}

void Document::trySaving(const QString& path) {
  if (path == this->path()) {
    save();
  } else {
    saveAs(path);
  }
}

void Document::showSaveFailure(const editor::SaveError& error, const QString& path) {
  // This banner also tells that the file is gone from the disk.
  if (gone_) banners_->remove(id16(kChanged));
  Banner& banner = banners_->show(id16(kSaveFailed), Banner::Kind::kError, error.message());
  const QString folder = error.missingFolder;
  if (!folder.isEmpty() && path == this->path()) setGone(true);
  if (folder.isEmpty()) {
    banner.addButton(QStringLiteral("tryAgain"), tr("Try Again"),
                     [this, path] { trySaving(path); });
  } else {
    banner.addButton(
        QStringLiteral("makeFolder"), tr("Make Folder and Save"), [this, path, folder] {
          // Somebody may have made it meanwhile.
          const QString problem = QFileInfo(folder).isDir() ? QString() : createFolder(folder);
          if (problem.isEmpty()) {
            trySaving(path);
          } else {
            showSaveFailure({{problem, tr("Save it in another place.")}, {}, {}, false}, path);
          }
        });
  }
  banner.addButton(QStringLiteral("saveElsewhere"), tr("Save As…"),
                   [this] { Q_EMIT saveAsWanted(); });
}

bool Document::revert() { return file_ && readAgain(file_->openAgain(path())); }

bool Document::reopen(editor::Encoding encoding) {
  if (!file_) return false;
  auto file = editor::TextFile::open(path(), encoding);
  if (file && file->encoding() != encoding) {
    banners_->show(
        id16(kNotEncoded), Banner::Kind::kWarning,
        tr("%1 is no text in %2, or would not be saved as it is on disk. It is shown in "
           "%3, as before.")
            .arg(title(), editor::encodingName(encoding), editor::encodingName(this->encoding())));
    return false;
  }
  return readAgain(std::move(file));
}

bool Document::readAgain(editor::Result<editor::TextFile> file) {
  editor::Result<QByteArray> text;
  if (file) text = file->readAll();
  if (!file || !text) {
    banners_->show(id16(kChanged), Banner::Kind::kError,
                   (file ? text.error() : file.error()).message());
    return false;
  }
  // In another safe mode other things are on and off: that takes a fresh start, without undo.
  if (file->safeMode() != editor_->safeMode()) return take(std::move(*file)).has_value();
  file_ = std::move(*file);
  keptMine_.reset();
  mustSave_ = gone_ = false;
  // The path may lead to another file now: what may be seen of it is asked before anybody is told.
  tellClosed();
  editor_->replaceText(*text);
  editor_->setUnmodified();
  tellOpen();
  for (const char* banner : {kChanged, kNotEncoded, kSaveFailed, kRecovered})
    banners_->remove(id16(banner));
  showFileNotices();
  Q_EMIT saved();
  Q_EMIT titleChanged();
  Q_EMIT formatChanged();
  return true;
}

void Document::moveTo(const QString& path) {
  if (!file_) return;
  // A rename keeps the content: opening it again only takes the new path over.
  if (auto file = file_->openAgain(path)) {
    const editor::Encoding encoding = file_->encoding();
    file_ = std::move(*file);
    file_->setEncoding(encoding);
    editor_->setLanguage(editor::languageForFile(path));
    editor_->setAccessibleName(tr("Text of %1").arg(title()));
    tellOpen();
    Q_EMIT titleChanged();
  }
}

void Document::setEncoding(editor::Encoding encoding) {
  if (encoding == this->encoding()) return;
  if (file_) {
    file_->setEncoding(encoding);
    mustSave_ = true;
    Q_EMIT titleChanged();
  } else {
    untitledEncoding_ = encoding;
  }
  Q_EMIT formatChanged();
}

void Document::checkDisk() {
  if (!file_) return;
  switch (file_->outsideChange()) {
    case editor::OutsideChange::kNone:
      if (gone_) banners_->remove(id16(kChanged));
      setGone(false);
      break;
    case editor::OutsideChange::kDeleted: {
      if (gone_) break;
      setGone(true);
      banners_
          ->show(id16(kChanged), Banner::Kind::kWarning,
                 tr("%1 is no longer on disk. The text is still here.").arg(title()))
          .addButton(QStringLiteral("saveAgain"), tr("Save"), [this] { save(); })
          .addButton(QStringLiteral("closeDeleted"), tr("Close"), [this] { Q_EMIT closeWanted(); });
      break;
    }
    case editor::OutsideChange::kChanged: {
      setGone(false);
      const QDateTime changed = QFileInfo(path()).lastModified();
      if (keptMine_ == changed) break;
      if (!isModified()) {
        revert();
        break;
      }
      banners_
          ->show(id16(kChanged), Banner::Kind::kWarning,
                 tr("%1 was changed on disk by another program, and here by you.").arg(title()))
          .addButton(QStringLiteral("reload"), tr("Reload"), [this] { revert(); })
          .addButton(QStringLiteral("keepMine"), tr("Keep Mine"),
                     [this, changed] { keptMine_ = changed; });
      break;
    }
  }
}

RecoveryEntry Document::recoveryEntry() const {
  return {path(),
          file_ ? QString() : untitled_,
          editor_->language(),
          editor_->caret(),
          file_ ? file_->stamp().sha1 : QByteArray(),
          currentTime(),
          text()};
}

// Returns the text that the subscribers have, which copies nothing, or else the editor's.
editor::Snapshot Document::text() const {
  const editor::SyncedDocument* told = services_.sync->find(id());
  if (told != nullptr && told->version == editor_->version()) return told->text;
  return editor::Snapshot(editor_->text());
}

void Document::recover(const RecoveryEntry& entry) {
  if (!file_ && !entry.path.isEmpty()) file_ = editor::TextFile::create(entry.path);
  editor_->replaceText(entry.text.toByteArray());
  if (!entry.language.isEmpty()) editor_->setLanguage(entry.language);
  editor_->setSelection(entry.caret, entry.caret);
  QString text = tr("The program ended without saving this text; it was recovered as of %1.")
                     .arg(QLocale().toString(entry.time.toLocalTime(), QLocale::ShortFormat));
  const bool hasFile = file_ && file_->stamp().size >= 0;
  if (hasFile && !entry.baseSha1.isEmpty() && entry.baseSha1 != file_->stamp().sha1) {
    text += tr(" The file on disk has changed since.");
  }
  Banner& banner = banners_->show(id16(kRecovered), Banner::Kind::kInfo, text);
  banner.addButton(QStringLiteral("keepRecovered"), tr("Keep"), [] {});
  if (hasFile) {
    banner.addButton(QStringLiteral("discardRecovered"), tr("Use the File on Disk"),
                     [this] { revert(); });
  }
  tellOpen();
  Q_EMIT titleChanged();
  Q_EMIT formatChanged();
}

void Document::applySettings() {
  // Only changed settings are applied: the editor may have been set otherwise since (zoom, word
  // wrap).
  const Preferences& now = services_.settings->get();
  const auto differs = [this, &now](auto field) {
    return !applied_ || (*applied_).*field != now.*field;
  };
  if (differs(&Preferences::theme))
    editor_->setTheme(codeTheme(now.theme), windowColors(now.theme).accent);
  if (differs(&Preferences::fontFamily) || differs(&Preferences::fontSize)) {
    editor_->setEditorFont(services_.settings->editorFont());
  }
  if (differs(&Preferences::ligatures)) editor_->setLigatures(now.ligatures);
  if (differs(&Preferences::wordWrap)) editor_->setWordWrap(now.wordWrap);
  if (differs(&Preferences::whitespace)) editor_->setWhitespaceVisible(now.whitespace);
  applySuggestionRules();
  completions_->setOpensByItself(now.wordsWhileTyping);
  editor_->setKeys(*services_.keys);
  editor_->ghost()->setNamesKey(now.acceptedSuggestions < kEnoughAccepted);
  applied_ = now;
}

void Document::applySuggestionRules() {
  if (!suggestions_) return;
  const SuggestionRules& rules = *services_.suggestionRules;
  suggestions_->setOff(rules.off(editor_->language()));
  suggestions_->setHeldBack(rules.heldBack());
  suggestions_->setLeastProbability(rules.leastProbability());
}

void Document::tellOpen() {
  tellClosed();
  sync_->open(id());
  if (suggestions_) suggestions_->openDocument(id());
  completions_->openDocument(id());
}

void Document::tellClosed() {
  if (suggestions_) suggestions_->closeDocument();
  completions_->closeDocument();
  sync_->close();
}

}  // namespace waferpair::gui
