// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/document.h"
#include "editor/text/editor_config_check.h"
#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/size_text.h"
#include "gui/kit/theme.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>
#include <utility>

#include "editor/assist/completion_list.h"
#include "editor/assist/document_sync.h"
#include "editor/assist/hunks.h"
#include "editor/assist/suggestion_controller.h"
#include "editor/ghost/ghost_text.h"
#include "editor/keys/auto_pairs.h"
#include "editor/keys/line_commands.h"
#include "editor/layers/bookmarks.h"
#include "editor/layers/scroll_marks.h"
#include "editor/view/long_lines.h"
#include "editor/view/selections.h"
#include "editor/view/shown_buffer.h"
#include "editor/view/word.h"
#include "editor/widget/decorations.h"
#include "editor/widget/editor_suggestion_view.h"
#include "editor/widget/editor_sync.h"
#include "editor/widget/find_replace.h"
#include "editor/widget/snippet_mode.h"
#include "gui/documents/file_operations.h"
#include "gui/kit/banner.h"
#include "gui/store/clock.h"
#include "gui/store/language_indentation.h"
#include "gui/suggestions/suggestion_counts.h"
#include "gui/suggestions/suggestion_rules.h"

namespace waferpair::gui {
namespace {

constexpr qint64 kJudgedText = 64 << 10;  // bytes by which the indentation of a text is told

constexpr char kChanged[] = "bannerChanged";        // other than on disk, by whoever
constexpr char kNotEncoded[] = "bannerNotEncoded";  // in the encoding that was chosen
constexpr char kNotice[] = "bannerNotice";          // safe mode, mixed line ends
constexpr char kEncoding[] = "bannerEncoding";      // guessed, or not that of all bytes
constexpr char kLongLine[] = "bannerLongLine";
constexpr char kSaveFailed[] = "bannerSaveFailed";
constexpr char kEditorConfig[] = "bannerEditorConfig";
constexpr char kNotKept[] = "bannerNotKept";  // by a save that went well
constexpr char kRecovered[] = "bannerRecovered";

QString id16(const char* text) { return QString::fromLatin1(text); }

// Said of a text whose folder, or one above it, has such a file.
void showConfigProblem(BannerStack* banners, const QString& path) {
  const auto checked = editor::checkEditorConfigs(path);
  if (checked || path.isEmpty()) {
    banners->remove(id16(kEditorConfig));
    return;
  }
  banners->show(
      id16(kEditorConfig), Banner::Kind::kWarning,
      Document::tr("%1 Until then this text is edited and saved as your own settings say.")
          .arg(checked.error().message()));
}

// Puts the caret of a text that was just taken in, and its line into view. A long line is not laid
// out for that, as it is once it is shown.
void placeCaret(editor::CodeEditor* editor, qint64 caret) {
  using Sci = QsciScintillaBase;
  const qint64 at = std::clamp<qint64>(caret, 0, editor->length());
  const int line = editor->lineAt(at);
  if (editor->lineEnd(line) - editor->lineStart(line) <= editor::kLongLine)
    return editor->setSelection(at, at);
  editor->sci(Sci::SCI_SETEMPTYSELECTION, editor::word(at));
  const qint64 above = editor->sci(Sci::SCI_LINESONSCREEN) / 2;
  const qint64 row = editor->sci(Sci::SCI_VISIBLEFROMDOCLINE, editor::word(line));
  editor->sci(Sci::SCI_SETFIRSTVISIBLELINE, editor::word(std::max<qint64>(0, row - above)));
  editor->flushEdits();
}

}  // namespace

Document::Document(const DocumentServices& services, const QString& untitled, QWidget* parent)
    : Document(services, std::make_unique<editor::TextDocument>(), untitled, parent) {}

Document::Document(const DocumentServices& services, MovedText moved, QWidget* parent)
    : Document(services, std::move(moved.text), moved.untitled, parent) {
  // What the project asks of new texts has been done to this one, or not, where it was opened.
  if (!path().isEmpty()) config_ = editor::editorConfigFor(path());
  editor_->setLanguage(moved.language);
  editor_->setIndentation(moved.indentation);  // which the user may have chosen
  editor_->bookmarks()->setLines(moved.bookmarks);
  afterReading();
}

Document::Document(const DocumentServices& services, std::unique_ptr<editor::TextDocument> text,
                   const QString& untitled, QWidget* parent)
    : QWidget(parent),
      services_(services),
      untitled_(untitled),
      text_(std::move(text)),
      banners_(new BannerStack(this)),
      editor_(new editor::CodeEditor(this)),
      shown_(std::make_unique<editor::ShownBuffer>(text_->buffer(), editor_)),
      sync_(new editor::EditorSync(text_->buffer(), editor_, services_.sync, this)),
      find_(new editor::FindReplace(editor_, this)),
      hunks_(new editor::Hunks(
          [this](const QVector<editor::TextEdit>& edits) {
            return text_->applyShown(edits).has_value();
          },
          this)),
      decorations_(new editor::Decorations(editor_, this)),
      scrollMarks_(new editor::ScrollMarkStrip(editor_)) {
  setObjectName(QStringLiteral("document"));
  banners_->setObjectName(QStringLiteral("documentBanners"));
  editor_->setObjectName(QStringLiteral("codeEditor"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(banners_);
  row_ = new QHBoxLayout;
  row_->setSpacing(0);
  row_->addWidget(editor_, 1);
  layout->addLayout(row_, 1);
  setFocusProxy(editor_);

  connect(text_->buffer(), &editor::Buffer::modifiedChanged, this, &Document::titleChanged);
  connect(editor_, &editor::CodeEditor::languageChanged, this, &Document::applyIndentation);
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
  editor_->snippets()->setSite([this] {
    editor::SnippetSite site;
    site.path = path();
    if (services_.folder) site.folder = services_.folder();
    return site;
  });
  addScrollMarks();
  connect(services_.settings, &Settings::changed, this, &Document::applySettings);
  connect(&Theme::instance(), &Theme::changed, this, &Document::applyTheme);
  applyTheme();
  applySettings();
}

Document::~Document() {
  // These speak to the editor to the last. Who is told that the text is closed may still draw over
  // it what it has. The text goes before its view, which has nothing to give back then.
  delete beside_;
  delete suggestions_;
  delete completions_;
  delete sync_;
  text_.reset();
  delete decorations_;
  delete find_;
}

void Document::addScrollMarks() {
  using editor::MarkLane;
  using editor::ScrollMarks;
  using editor::TextView;
  scrollMarks_->addSource([this](const TextView& view) {
    const editor::ThemeColors& colors = view.colors();
    ScrollMarks matches{{},
                        editor::readableColor(colors.searchMatch, colors.text, {colors.margin}),
                        MarkLane::kLeft};
    for (const qint64 start : find_->matchStarts()) matches.lines += view.lineAt(start);
    return matches;
  });
  scrollMarks_->addSource([this](const TextView& view) {
    ScrollMarks changes{{}, view.colors().ghost, MarkLane::kMiddle};
    for (const editor::Hunk& hunk : hunks_->hunks())
      if (hunk.state == editor::HunkState::kOffered)
        changes.lines += view.lineAt(hunk.range.start());
    return changes;
  });
  scrollMarks_->addSource([bookmarks = editor()->bookmarks()](const TextView& view) {
    return ScrollMarks{bookmarks->lines(), view.colors().bookmark, MarkLane::kRight};
  });
  scrollMarks_->addSource([](const TextView& view) {
    ScrollMarks carets{{}, view.colors().text, MarkLane::kWhole};
    for (const editor::Selection& selection : selectionsOf(view))
      carets.lines += view.lineAt(selection.caret);
    return carets;
  });
  connect(find_, &editor::FindReplace::countChanged, scrollMarks_,
          &editor::ScrollMarkStrip::refresh);
  connect(hunks_, &editor::Hunks::changed, scrollMarks_, &editor::ScrollMarkStrip::refresh);
  connect(editor()->bookmarks(), &editor::Bookmarks::changed, scrollMarks_,
          &editor::ScrollMarkStrip::refresh);
}

void Document::setBar(QWidget* bar) {
  bar->hide();
  static_cast<QBoxLayout*>(layout())->insertWidget(1, bar);
}

void Document::setBeside(QWidget* beside, Qt::Edge edge) {
  if (QWidget* before = std::exchange(beside_, beside)) {
    setCovered(nullptr);
    row_->removeWidget(before);
    before->hide();
    // A button of its own may have asked for its end.
    before->deleteLater();
  }
  if (beside) {
    row_->insertWidget(edge == Qt::LeftEdge ? 0 : -1, beside, 1);
    beside->show();
  }
  Q_EMIT besideChanged();
}

void Document::setCovered(QWidget* by) {
  editor_->setHidden(by != nullptr);
  setFocusProxy(by ? by : editor_);
}

QString Document::id() const {
  return path().isEmpty() ? QStringLiteral("untitled:") + untitled_ : path();
}

QString Document::title() const {
  return path().isEmpty() ? untitled_ : editor::shownPath(QFileInfo(path()).fileName());
}

bool Document::isPristine() const { return path().isEmpty() && editor_->length() == 0; }

editor::Result<void> Document::open(const QString& path) {
  if (auto loaded = text_->load(QFileInfo(path).absoluteFilePath()); !loaded) return loaded;
  afterOpening();
  return {};
}

void Document::open(const editor::PreparedText& prepared) {
  text_->load(prepared);
  afterOpening();
}

void Document::afterOpening() {
  applyEditorConfig();
  tellOpen();
  afterReading();
}

// By what the project says of the file, the lines that it has, and the settings, in this order.
void Document::applyIndentation() {
  if (editor_->safeMode() != editor::SafeMode::kOff) return;
  const Preferences& now = services_.settings->get();
  editor::Indentation found = preferredIndentation(now, editor_->language());
  if (now.detectIndentation) {
    const qint64 judged = std::min(editor_->length(), kJudgedText);
    found = editor::detectIndentation(editor_->textRange(0, judged), found);
  }
  found = config_.over(found);
  if (found == editor_->indentation()) return;
  editor_->setIndentation(found);
  Q_EMIT formatChanged();
}

void Document::applyEditorConfig() {
  config_ = {};
  if (editor_->safeMode() != editor::SafeMode::kOff) return;
  if (!path().isEmpty()) config_ = editor::editorConfigFor(path());
  applyIndentation();
  // What has line ends keeps them.
  if (config_.lineEnds && editor_->lineCount() == 1) editor_->convertLineEnds(*config_.lineEnds);
}

void Document::afterReading() {
  editor_->setAccessibleName(tr("Text of %1").arg(title()));
  for (const char* banner : {kChanged, kNotEncoded, kSaveFailed, kRecovered})
    banners_->remove(id16(banner));
  showFileNotices();
  showConfigProblem(banners_, path());
  Q_EMIT titleChanged();
  Q_EMIT formatChanged();
}

void Document::showFileNotices() {
  showEncodingNotice();
  const editor::TextFile& file = text_->file();
  const QString notice = file.notice();
  if (notice.isEmpty()) {
    banners_->remove(id16(kNotice));
    return;
  }
  const bool safe = file.safeMode() != editor::SafeMode::kOff;
  Banner& banner =
      banners_->show(id16(kNotice), safe ? Banner::Kind::kWarning : Banner::Kind::kInfo, notice);
  if (file.safeMode() == editor::SafeMode::kBinary)
    banner.addButton(QStringLiteral("openAnyway"), tr("Open Anyway"), [this] { openAnyway(); });
  if (file.hasMixedLineEnds() && !safe) {
    const editor::LineEnds ends = file.lineEnds();
    banner.addButton(QStringLiteral("convertLineEnds"),
                     tr("Make All %1").arg(editor::lineEndsName(ends)), [this, ends] {
                       editor_->convertLineEnds(ends);
                       Q_EMIT formatChanged();
                     });
  }
}

void Document::showEncodingNotice() {
  const editor::TextFile& file = text_->file();
  const bool hasStray = file.strayBytes() > 0 && file.safeMode() != editor::SafeMode::kBinary &&
                        file.safeMode() != editor::SafeMode::kRaw;
  if (!file.isGuessed() && !hasStray) {
    banners_->remove(id16(kEncoding));
    return;
  }
  QString text =
      tr("The encoding of %1 was guessed: %2.").arg(title(), editor::encodingName(file.encoding()));
  const auto stray = static_cast<int>(std::min<qint64>(file.strayBytes(), INT_MAX));
  const int line = editor_->lineAt(file.firstStrayByte()) + 1;
  if (hasStray) {
    text = tr("%1 is UTF-8, but for %n byte(s), the first in line %2: shown as marks, and saved as "
              "they are.",
              nullptr, stray)
               .arg(title())
               .arg(line);
  }
  Banner& banner = banners_->show(id16(kEncoding),
                                  hasStray ? Banner::Kind::kWarning : Banner::Kind::kInfo, text);
  if (hasStray) {
    banner.addButton(QStringLiteral("goToStray"), tr("Go to Line %1").arg(line), [this, line] {
      editor_->goToLine(line - 1);
      setFocus();
    });
  }
  banner.addButton(QStringLiteral("reopenWithEncoding"), tr("Reopen with Encoding…"),
                   [this] { Q_EMIT reopenWanted(); });
}

void Document::showLongLine(bool on) {
  if (!on) {
    banners_->remove(id16(kLongLine));
    return;
  }
  const int line = editor_->longLine();
  banners_->show(id16(kLongLine), Banner::Kind::kWarning,
                 tr("Line %1 has %2, more than %3: highlighting and suggestions are off until it "
                    "is shorter, and the part of it that is shown is the one around the caret.")
                     .arg(line + 1)
                     .arg(editor::sizeText(editor_->lineEnd(line) - editor_->lineStart(line), 1),
                          editor::sizeText(editor::kLongLine)));
}

// True, with a banner up, if saving now would overwrite another program's work.
bool Document::changedBehindOurBack() {
  if (text_->outsideChange() != editor::OutsideChange::kChanged) return false;
  banners_
      ->show(
          id16(kChanged), Banner::Kind::kWarning,
          tr("%1 was changed on disk by another program. It was not saved over that.").arg(title()))
      .addButton(QStringLiteral("compareChanged"), tr("Compare"),
                 [this] { Q_EMIT compareWanted(); })
      .addButton(QStringLiteral("overwrite"), tr("Overwrite"),
                 [this] {
                   text_->keepMine();
                   save();
                 })
      .addButton(QStringLiteral("reload"), tr("Reload"), [this] { revert(); });
  return true;
}

void Document::tidy(bool sparesCarets) {
  if (editor_->safeMode() != editor::SafeMode::kOff) return;
  const Preferences& now = services_.settings->get();
  tidyText(editor_, {.trimsLineEnds = config_.trimsLineEnds.value_or(now.trimOnSave),
                     .endsWithLineEnd = config_.endsWithLineEnd.value_or(now.finalLineEndOnSave),
                     .sparesCarets = sparesCarets});
}

void Document::saveByItself() {
  if (path().isEmpty() || !isModified() || text_->isGone() || text_->isBinary()) return;
  if (banners_->find(id16(kChanged)) != nullptr) return;  // the user is being asked
  if (!changedBehindOurBack()) write(true);
}

bool Document::save() {
  if (path().isEmpty() || changedBehindOurBack()) return false;
  return write(false);
}

bool Document::write(bool sparesCarets) {
  config_ = editor::editorConfigFor(path());  // it may have been changed since
  tidy(sparesCarets);
  const auto done = text_->save();
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
  // A text that had no file is made as the project has its files.
  const bool isNew = this->path().isEmpty();
  config_ = editor::editorConfigFor(absolute);
  if (isNew && config_.encoding) text_->setEncoding(*config_.encoding);
  if (isNew && config_.lineEnds) editor_->convertLineEnds(*config_.lineEnds);
  tidy(false);
  const auto done = text_->saveAs(absolute);
  if (!done) {
    showSaveFailure(done.error(), absolute);
    return false;
  }
  editor_->setAccessibleName(tr("Text of %1").arg(title()));
  if (editor_->language().isEmpty()) {
    editor_->setLanguage(editor::languageForFile(absolute));
  }
  afterSave(oldId, *done);
  return true;
}

void Document::afterSave(const QString& oldId, const editor::Saved& saved) {
  for (const char* banner : {kChanged, kSaveFailed, kNotKept, kRecovered})
    banners_->remove(id16(banner));
  showConfigProblem(banners_, path());
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
  if (text_->isGone()) banners_->remove(id16(kChanged));
  Q_EMIT titleChanged();
  Banner& banner = banners_->show(id16(kSaveFailed), Banner::Kind::kError, error.message());
  const QString folder = error.missingFolder;
  if (folder.isEmpty()) {
    banner.addButton(QStringLiteral("tryAgain"), tr("Try Again"),
                     [this, path] { trySaving(path); });
  } else {
    banner.addButton(
        QStringLiteral("makeFolder"), tr("Make Folder and Save"), [this, path, folder] {
          // Somebody may have made it meanwhile.
          const QString problem = editor::isFolderAt(folder) ? QString() : createFolder(folder);
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

bool Document::revert() {
  return !path().isEmpty() && readAnew([this](const std::function<void()>& close) {
    return text_->revert(close).map([] { return true; });
  });
}

bool Document::openAnyway() {
  return !path().isEmpty() && readAnew([this](const std::function<void()>& close) {
    return text_->openRaw(close).map([] { return true; });
  });
}

bool Document::reopen(editor::Encoding encoding) {
  return !path().isEmpty() && readAnew([this, encoding](const std::function<void()>& close) {
    auto fits = text_->reopen(encoding, close);
    if (fits && !*fits) {
      banners_->show(
          id16(kNotEncoded), Banner::Kind::kWarning,
          tr("%1 is no text in %2, or would not be saved as it is on disk. It is shown in "
             "%3, as before.")
              .arg(title(), editor::encodingName(encoding),
                   editor::encodingName(this->encoding())));
    }
    return fits;
  });
}

bool Document::readAnew(const ReadText& read) {
  const editor::Indentation before = editor_->indentation();
  // The path may lead to another file now: what may be seen of it is asked before anybody is told.
  bool isClosed = false;
  const editor::Result<bool> done = read([this, &isClosed] {
    tellClosed();
    isClosed = true;
  });
  if (isClosed) tellOpen();
  if (!done) banners_->show(id16(kChanged), Banner::Kind::kError, done.error().message());
  if (!done || !*done) return false;
  // The editor has looked at the lines alone.
  if (config_.saysIndentation() || !services_.settings->get().detectIndentation)
    editor_->setIndentation(before);
  afterReading();
  Q_EMIT saved();
  return true;
}

void Document::moveTo(const QString& path) {
  text_->moveTo(path);
  applyEditorConfig();
  editor_->setLanguage(editor::languageForFile(path));
  editor_->setAccessibleName(tr("Text of %1").arg(title()));
  tellOpen();
  Q_EMIT titleChanged();
}

void Document::setEncoding(editor::Encoding encoding) {
  if (encoding == this->encoding()) return;
  text_->setEncoding(encoding);
  banners_->remove(id16(kEncoding));  // what is saved is no guess
  Q_EMIT titleChanged();
  Q_EMIT formatChanged();
}

void Document::checkDisk() {
  if (path().isEmpty()) return;
  if (editor_->safeMode() == editor::SafeMode::kOff) {
    const editor::EditorConfig before = std::exchange(config_, editor::editorConfigFor(path()));
    showConfigProblem(banners_, path());
    // What the user chose in the status bar stays, unless the project says something else by now.
    if (config_.tabs != before.tabs || config_.width != before.width) applyIndentation();
  }
  const bool wasGone = text_->isGone();
  const editor::OutsideChange change = text_->outsideChange();
  if (text_->isGone() != wasGone) Q_EMIT titleChanged();
  switch (change) {
    case editor::OutsideChange::kNone:
      if (wasGone) banners_->remove(id16(kChanged));
      break;
    case editor::OutsideChange::kDeleted: {
      if (wasGone) break;
      banners_
          ->show(id16(kChanged), Banner::Kind::kWarning,
                 tr("%1 is no longer on disk. The text is still here.").arg(title()))
          .addButton(QStringLiteral("saveAgain"), tr("Save"), [this] { save(); })
          .addButton(QStringLiteral("closeDeleted"), tr("Close"), [this] { Q_EMIT closeWanted(); });
      break;
    }
    case editor::OutsideChange::kChanged: {
      if (!isModified()) {
        revert();
        break;
      }
      banners_
          ->show(id16(kChanged), Banner::Kind::kWarning,
                 tr("%1 was changed on disk by another program, and here by you.").arg(title()))
          .addButton(QStringLiteral("compareChanged"), tr("Compare"),
                     [this] { Q_EMIT compareWanted(); })
          .addButton(QStringLiteral("reload"), tr("Reload"), [this] { revert(); })
          .addButton(QStringLiteral("keepMine"), tr("Keep Mine"), [this] { text_->keepMine(); });
      break;
    }
  }
}

RecoveryEntry Document::recoveryEntry() const {
  return {path(),
          path().isEmpty() ? untitled_ : QString(),
          editor_->language(),
          editor_->caret(),
          text_->file().stamp(),
          currentTime(),
          text(),
          encoding(),
          text_->file().safeMode() == editor::SafeMode::kRaw};
}

void Document::recover(const RecoveryEntry& entry) {
  if (path().isEmpty()) text_->moveTo(entry.path);
  // Where the file still is what it was, it is read as it was read then.
  if (entry.encoding && *entry.encoding != encoding()) {
    const editor::FileStamp& onDisk = text_->file().stamp();
    const bool isSame = onDisk.size >= 0 && onDisk.sha1 == entry.base.sha1;
    if (!isSame || !text_->reopen(*entry.encoding).value_or(false))
      text_->setEncoding(*entry.encoding);
  }
  text_->recover(entry.text, entry.base);
  if (!entry.language.isEmpty()) editor_->setLanguage(entry.language);
  placeCaret(editor_, entry.caret);
  QString text = tr("The program ended without saving this text; it was recovered as of %1.")
                     .arg(QLocale().toString(entry.time.toLocalTime(), QLocale::ShortFormat));
  const bool hasFile = editor::isFileAt(path());
  checkDisk();
  if (hasFile && banners_->find(id16(kChanged))) text += tr(" The file on disk has changed since.");
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
  if (differs(&Preferences::fontFamily) || differs(&Preferences::fontSize)) {
    editor_->setEditorFont(services_.settings->editorFont());
  }
  if (differs(&Preferences::ligatures)) editor_->setLigatures(now.ligatures);
  if (differs(&Preferences::lineHeight)) editor_->setLineHeight(now.lineHeight);
  if (differs(&Preferences::reduceMotion)) editor_->setCaretBlinks(!now.reduceMotion);
  if (differs(&Preferences::wordWrap)) editor_->setWordWrap(now.wordWrap);
  if (differs(&Preferences::whitespace)) editor_->setWhitespaceVisible(now.whitespace);
  if (differs(&Preferences::indentGuides)) editor_->setIndentGuides(now.indentGuides);
  if (differs(&Preferences::insertSpaces) || differs(&Preferences::tabSize) ||
      differs(&Preferences::detectIndentation) || differs(&Preferences::languageIndentations)) {
    applyIndentation();
  }
  editor_->pairs()->setOn(now.closePairs);
  editor_->setModalKeys(now.vimKeys);
  applySuggestionRules();
  completions_->setOpensByItself(now.wordsWhileTyping);
  completions_->setOpensBehind(now.membersWhileTyping);
  editor_->setKeys(*services_.keys);
  editor_->ghost()->setNamesKey(now.acceptedSuggestions < kEnoughAccepted);
  applied_ = now;
}

void Document::applyTheme() {
  editor_->setTheme(Theme::instance().codeTheme(), Theme::instance().colors().accent);
}

void Document::dress(editor::CodeEditor* view) const {
  const Preferences& now = services_.settings->get();
  view->setTheme(Theme::instance().codeTheme(), Theme::instance().colors().accent);
  view->setEditorFont(services_.settings->editorFont());
  view->setLigatures(now.ligatures);
  view->setLineHeight(now.lineHeight);
  view->setCaretBlinks(!now.reduceMotion);
  view->setIndentGuides(now.indentGuides);
  view->setKeys(*services_.keys);
  view->setIndentation(editor_->indentation());
  view->setLanguage(editor_->language());
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

MovedText Document::release() {
  MovedText moved{nullptr, untitled_, editor_->language(), editor_->indentation(),
                  editor_->bookmarks()->lines()};
  delete std::exchange(sync_, nullptr);
  shown_.reset();  // the history is the buffer's again
  disconnect(text_->buffer(), nullptr, this, nullptr);
  moved.text = std::exchange(text_, editor::TextDocument::create(path()));
  return moved;
}

}  // namespace waferpair::gui
