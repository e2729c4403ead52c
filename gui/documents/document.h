// SPDX-License-Identifier: GPL-3.0-or-later
// One open text in the window: the document, the editor that shows it, its suggestions, and the
// banners above it. What goes wrong is said in a banner here; nothing in this class opens a window.
// UI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "editor/text/editor_config.h"
#include "editor/text/text_document.h"
#include "editor/widget/code_editor.h"
#include "gui/store/recovery_store.h"
#include "gui/store/settings.h"

class QHBoxLayout;

namespace waferpair::editor {
class CompletionList;
class CompletionProvider;
class Decorations;
class DocumentSync;
class EditorSync;
class FindReplace;
class Hunks;
class ListSource;
class ScrollMarkStrip;
class ShownBuffer;
class SuggestionController;
}  // namespace waferpair::editor

namespace waferpair::gui {

class BannerStack;
class SuggestionCounts;
class SuggestionRules;

// The program's services that every document needs; all outlive the documents.
struct DocumentServices {
  // These three are there together, or none is: no suggestions.
  editor::CompletionProvider* completions = nullptr;
  const SuggestionRules* suggestionRules = nullptr;
  SuggestionCounts* suggestionCounts = nullptr;
  Settings* settings = nullptr;
  const editor::KeyTable* keys = nullptr;
  editor::DocumentSync* sync = nullptr;  // is told of each text
  editor::ListSource* words = nullptr;   // for the list of what could stand at the caret
  std::function<QString()> folder = {};  // that is open, absolute; empty: none
};

// A text on its way from one window to another, with its undo history and what was set for it.
struct MovedText {
  std::unique_ptr<editor::TextDocument> text;
  QString untitled;  // its name where it has no file
  QString language;
  editor::Indentation indentation;
  QVector<int> bookmarks;  // lines
};

class Document : public QWidget {
  Q_OBJECT
 public:
  // An empty text without a file, called `untitled`. Others are told of it from open(), recover()
  // or tellOpen() on.
  Document(const DocumentServices& services, const QString& untitled, QWidget* parent = nullptr);
  // A text that comes from another window. Others are told of it from tellOpen() on.
  Document(const DocumentServices& services, MovedText moved, QWidget* parent = nullptr);
  ~Document() override;

  // -- What it is

  // Unique among the open documents: the path, or "untitled:" and a name.
  QString id() const;
  // Absolute; empty for a text without a file.
  QString path() const { return text_->path(); }
  // The file's name, or "Untitled 2".
  QString title() const;
  // Saving would change something on disk.
  bool isModified() const { return text_->isModified(); }
  // An untitled, empty text nobody would miss.
  bool isPristine() const;
  editor::Encoding encoding() const { return text_->encoding(); }
  // The text is indented as the project's .editorconfig has it.
  bool isIndentedByConfig() const {
    return config_.saysIndentation() &&
           config_.over(editor_->indentation()) == editor_->indentation();
  }

  // For changes of the text by others than the user. What becomes of the file goes through here.
  editor::TextDocument* textDocument() const { return text_.get(); }
  // The text as it is now, an edit that is just being made included.
  editor::Snapshot text() const { return text_->buffer()->textNow(); }
  editor::CodeEditor* editor() const { return editor_; }
  editor::FindReplace* find() const { return find_; }
  // Null while the program runs without suggestions.
  editor::SuggestionController* suggestions() const { return suggestions_; }
  // The changes that are offered for this text: they are drawn over it, and follow it.
  editor::Hunks* hunks() const { return hunks_; }
  editor::Decorations* decorations() const { return decorations_; }
  // Whoever knows of places in the text adds its marks there.
  editor::ScrollMarkStrip* scrollMarks() const { return scrollMarks_; }
  BannerStack* banners() const { return banners_; }

  // Puts a bar, hidden at first, between the banners and the text. It belongs to the document.
  void setBar(QWidget* bar);
  // Puts a widget beside the text, of the same width: the other of two texts at the left. It
  // belongs to the document; the one before is deleted. Null: none.
  void setBeside(QWidget* beside, Qt::Edge edge = Qt::LeftEdge);
  QWidget* beside() const { return beside_; }
  // Hides the text behind this part of what is beside it, which gets the keyboard meanwhile. Null:
  // the text is shown.
  void setCovered(QWidget* by);
  // Esc calls `close` once the text itself has no layer left to close: it closes the nearest one
  // that lies over it; false: there is none.
  void setOwnLayer(std::function<bool()> close) { ownLayer_ = std::move(close); }
  bool closeOneLayer() { return ownLayer_ && ownLayer_(); }

  // -- Files

  // Replaces the text by the file's. On failure nothing changes.
  editor::Result<void> open(const QString& path);
  // The same of a file that was read before.
  void open(const editor::PreparedText& prepared);
  // Saves a document that has a path. Does not overwrite what another program wrote meanwhile:
  // then, and on any failure, it returns false, and a banner says what can be done.
  bool save();
  // Saves what a person would not be asked about: a text with a file that is there, as the user
  // left it. Nothing is done to the line that is being typed in.
  void saveByItself();
  // The file of this document is `path` from then on.
  bool saveAs(const QString& path);
  // Goes back to the text on disk, as one undo step.
  bool revert();
  // Reads a binary file anew, to edit its bytes.
  bool openAnyway();
  // Reads the file anew in this encoding, as one undo step where a text was shown before. Where its
  // bytes are no text in it, or would not be written back as they are, false, and a banner says so.
  bool reopen(editor::Encoding encoding);
  // The file was renamed.
  void moveTo(const QString& path);
  // Saves in this encoding from now on.
  void setEncoding(editor::Encoding encoding);

  // Compares with the disk; a text without changes of the user's is reloaded at once, else a banner
  // asks.
  void checkDisk();

  // -- Crash recovery

  RecoveryEntry recoveryEntry() const;
  // Puts a crashed run's text into this (just opened) document, as a change not saved yet. Where
  // the file is no longer what that text was made from, a banner asks, and nothing is saved
  // unasked.
  void recover(const RecoveryEntry& entry);

  // Gives another view of this text its language, looks and keys.
  void dress(editor::CodeEditor* view) const;
  // Applies the services' current theme, font, keys and suggestions.
  void applySettings();
  // Tells DocumentSync what is open here, under the name that it has now.
  void tellOpen();
  // Ends suggestions, and tells nobody of the document any more: it is being closed.
  void tellClosed();
  // Gives the text away, after tellClosed(): this is empty then, and about to be deleted.
  MovedText release();

 Q_SIGNALS:
  // Sent when title, path or modified mark changes.
  void titleChanged();
  // Something else is beside the text.
  void besideChanged();
  // Sent when encoding, line ends, indentation or language changes.
  void formatChanged();
  // Sent after a save, or when the text was read anew: what was journaled for it is obsolete.
  void saved();
  // The text was written to its file.
  void written();
  // A button in a banner asks the window for what the document can't do itself.
  void saveAsWanted();
  void compareWanted();  // with what is on disk
  void reopenWanted();   // in an encoding that the user chooses
  void closeWanted();

 private:
  Document(const DocumentServices& services, std::unique_ptr<editor::TextDocument> text,
           const QString& untitled, QWidget* parent);
  // Reads the text anew by `read`, and tells others what came of it.
  // Calls what it is given before the text is replaced. False: the file does not fit.
  using ReadText = std::function<editor::Result<bool>(const std::function<void()>& close)>;
  bool readAnew(const ReadText& read);
  void afterOpening();
  void afterReading();
  void applySuggestionRules();
  void applyTheme();
  void addScrollMarks();
  void applyIndentation();
  void applyEditorConfig();
  void tidy(bool sparesCarets);
  bool write(bool sparesCarets);
  void showFileNotices();
  void showEncodingNotice();
  void showLongLine(bool on);
  // Saves where showSaveFailure() was told of.
  void trySaving(const QString& path);
  void showSaveFailure(const editor::SaveError& error, const QString& path);
  void afterSave(const QString& oldId, const editor::Saved& saved);
  bool changedBehindOurBack();

  DocumentServices services_;
  QString untitled_;
  std::optional<Preferences> applied_;  // settings as they were last applied
  editor::EditorConfig config_;         // of the file, as last looked
  std::unique_ptr<editor::TextDocument> text_;
  BannerStack* banners_;
  editor::CodeEditor* editor_;
  std::unique_ptr<editor::ShownBuffer> shown_;
  editor::EditorSync* sync_;
  editor::FindReplace* find_;
  editor::SuggestionController* suggestions_ = nullptr;
  editor::CompletionList* completions_ = nullptr;
  editor::Hunks* hunks_;
  editor::Decorations* decorations_;
  editor::ScrollMarkStrip* scrollMarks_;
  std::function<bool()> ownLayer_;
  QHBoxLayout* row_;  // of the text and what is beside it
  QPointer<QWidget> beside_;
};

}  // namespace waferpair::gui
