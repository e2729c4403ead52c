// SPDX-License-Identifier: GPL-3.0-or-later
// A text on the screen: QScintilla's message interface with our edits, highlighting, folding, looks
// and accessibility. It knows nothing of suggestions, marks and keys: those are parts over it
// (view_part.h), and CodeEditor puts them together. Offsets are bytes of UTF-8, lines and columns
// count from 0. UI thread only.
//
// QScintilla's own modification events are left off, because its accessibility hook on them costs
// time in proportion to the bytes before the caret on each key. Edits are seen just before they
// happen instead; edited() tells of them in order, at the latest when the event that made them
// ends.
#pragma once

#include <Qsci/qsciscintillabase.h>

#include <QVector>
#include <algorithm>
#include <memory>

#include "editor/assist/completion_provider.h"
#include "editor/text/auto_indent.h"
#include "editor/text/indentation.h"
#include "editor/text/pairs.h"
#include "editor/text/result.h"
#include "editor/text/text_file.h"
#include "editor/view/long_lines.h"
#include "editor/view/theme.h"

namespace waferpair::editor {

struct PreparedText;

class Folding;
class Highlighter;
class ViewPart;

// The user's place in a text, for session files.
struct ViewState {
  qint64 anchor = 0;
  qint64 caret = 0;
  int firstLine = 0;
  int zoom = 0;
  QVector<int> folded = {};  // the first lines of what is folded
};

class TextView : public QsciScintillaBase {
  Q_OBJECT
 public:
  explicit TextView(QWidget* parent = nullptr);
  ~TextView() override;

  // Scintilla's messages without the overloads that make a literal 0 ambiguous.
  long sci(unsigned message, unsigned long wParam = 0, long lParam = 0) const {
    return SendScintilla(message, wParam, lParam);
  }

  // -- The text. load() and setText() empty the undo history and leave the text unmodified.

  // Loads in pieces and takes over language (by name), line ends, indentation and safe mode.
  Result<void> load(const TextFile& file);
  // The same of a text that TextPreparation has made ready: takes its Scintilla document over.
  void load(const PreparedText& prepared);
  void setText(const QByteArray& utf8, SafeMode mode = SafeMode::kOff);
  // Edits, whose ranges must be in the text, as one undo step; the caret stays with its text. Where
  // no line ends as new ones would from then on, new ones do as those of the text.
  void applyEdits(const QVector<TextEdit>& edits);
  void replaceRange(qint64 start, qint64 end, const QByteArray& utf8) {
    applyEdits({{start, end, utf8}});
  }

  QByteArray text() const;
  QByteArray textRange(qint64 start, qint64 end) const;
  qint64 length() const { return sci(SCI_GETLENGTH); }
  int lineCount() const { return static_cast<int>(sci(SCI_GETLINECOUNT)); }
  qint64 lineStart(int line) const;
  qint64 lineEnd(int line) const;  // before the line end characters
  QByteArray lineText(int line) const { return textRange(lineStart(line), lineEnd(line)); }
  int lineAt(qint64 offset) const;

  // Grows with every edit; never goes back, not even on load().
  qint64 version() const;
  // Edits were made that edited() is still to be sent with.
  bool hasUntoldEdits() const;
  // For an editor that takes a text over whose versions were counted elsewhere.
  void startVersionsAbove(qint64 version) { version_ = std::max(version_, version); }

  bool isModified() const { return sci(SCI_GETMODIFY) != 0; }
  // The text is on disk now.
  void setUnmodified();

  LineEnds lineEnds() const;
  // Rewrites every line end, as one undo step, and uses it for new lines.
  void convertLineEnds(LineEnds ends);
  // The characters new lines get.
  QByteArray lineEndBytes() const;

  SafeMode safeMode() const { return safeMode_; }
  // While there is a line over kLongLine, nothing is highlighted and nothing suggested.
  bool hasLongLine() const { return longLine_; }
  int longLine() const { return longLines_.line(); }

  // -- Caret and view

  qint64 caret() const { return sci(SCI_GETCURRENTPOS); }
  int caretLine() const { return lineAt(caret()); }
  int caretColumn() const;  // characters (code points) before the caret, for people
  bool hasSelection() const { return sci(SCI_GETSELECTIONEMPTY) == 0; }
  bool hasOneCaret() const { return sci(SCI_GETSELECTIONS) == 1; }
  QByteArray selectedText() const;
  void setSelection(qint64 anchor, qint64 caret);  // scrolls it into view
  void goToLine(int line, int column = 0);         // clamped; in the middle of the view
  ViewState viewState() const;
  void setViewState(const ViewState& state);

  // -- A second view of one text

  // Shows the Scintilla document of `source` from now on: text, history, styles, marks and the
  // levels of folds are common to both; caret, scrolling, zoom and what is folded are a view's own.
  // This one is to be looked at only: it tells of no edits, and draws neither a ghost nor rows
  // between lines. It follows the source's looks and the texts that are loaded there. The source
  // outlives this.
  virtual void mirror(TextView* source);
  // Pixels over the text that are left empty.
  void setTopSpace(int pixels) { setViewportMargins(0, pixels, 0, 0); }
  bool isMirror() const { return mirrored_ != nullptr; }
  // Does for such a view what setViewState() does for others.
  void setMirroredView(const ViewState& state);

  // -- Language and looks

  // A name of languageNames(), or "" for plain text. Ignored in safe mode.
  void setLanguage(const QString& name);
  const QString& language() const { return language_; }
  // A name of themeNames(), and the color that suggestions are tinted with (themeColors()).
  void setTheme(const QString& name, const QColor& accent = {});
  const QString& themeName() const { return themeName_; }
  const ThemeColors& colors() const { return colors_; }
  void setEditorFont(const QFont& font);
  // The font of the text: with ligatures off, a family that differs in nothing else.
  QFont editorFont() const { return font_; }
  // The same as large as it is drawn.
  QFont zoomedFont() const;
  bool ligatures() const { return ligatures_; }
  void setLigatures(bool on);
  // In heights of the font's own lines, 1 to 3: what goes beyond 1 is half above and half below the
  // letters.
  void setLineHeight(double height);
  // Pixels from the top of a row down to what its letters stand on.
  int baseline() const;
  // Off: the caret stands still.
  void setCaretBlinks(bool on);
  int zoom() const { return static_cast<int>(sci(SCI_GETZOOM)); }
  void setIndentation(Indentation indentation);
  Indentation indentation() const { return indentation_; }
  bool wordWrap() const { return sci(SCI_GETWRAPMODE) != SC_WRAP_NONE; }
  void setWordWrap(bool on);
  bool whitespaceVisible() const { return sci(SCI_GETVIEWWS) != SCWS_INVISIBLE; }
  void setWhitespaceVisible(bool on);
  // Lines at each level of indentation.
  void setIndentGuides(bool on);
  // Leaves so many pixels free between the text and its scroll bar.
  void setRightMargin(int pixels) { setViewportMargins(0, 0, pixels, 0); }
  // Finishes the highlighting that otherwise runs in slices of a few ms in the background.
  void highlightAll();
  // Makes sure of the styles before `offset`, as far as a few ms allow.
  void highlightTo(qint64 offset);

  // -- Parts

  // The part lives as long as the view.
  void addPart(ViewPart* part) {
    Q_ASSERT(!parts_.contains(part));
    parts_.append(part);
  }
  Highlighter* highlighter() const { return highlighter_.get(); }
  Folding* folding() const { return folding_.get(); }

  // The blanks that the last line break put into its new line, while they are unchanged.
  const AutoIndent& autoIndent() const { return autoIndent_; }
  // Makes those blanks the user's own.
  void keepAutoIndent() { autoIndent_ = {}; }

  // Returns what a letter typed at `offset` would be part of.
  TextKind kindAt(qint64 offset);

  // Tells of edits made so far now, rather than when the current event ends.
  void flushEdits();

 public Q_SLOTS:
  virtual void undo();
  virtual void redo();

 Q_SIGNALS:
  // Sent with edits in order; the offsets of each are of the text after the edits before it.
  void edited(const QVector<waferpair::editor::TextEdit>& edits, qint64 version);
  // The whole text was replaced by load() or setText(); edited() is not sent for that.
  void documentReset();
  // Sent after edited() and after documentReset().
  void textChanged();
  // Sent after edited() when the user typed, deleted or broke a line with a key (no undo, paste or
  // program).
  void typed();
  void cursorMoved(int line, int column);
  // Lines were hidden or shown.
  void foldsChanged();
  void modifiedChanged(bool modified);
  void languageChanged(const QString& name);
  // Sent when hasLongLine() has changed. With edits that bring one it comes before edited(), with
  // edits that take the last one away after it.
  void longLineChanged(bool on);
  void zoomChanged(int zoom);
  void themeChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;

  // The caret stands on a character, not between two.
  virtual bool hasBlockCaret() const { return false; }
  // A line break put them in: they go with the caret, where nothing comes behind them.
  void setAutoIndent(const AutoIndent& blanks) {
    Q_ASSERT(blanks.start() <= blanks.end() && blanks.end() <= length());
    autoIndent_ = blanks;
  }

 private:
  struct PendingEdit;

  void setUpView();
  void beforeModified(int position, int type, int length);
  void finishPendingEdit();
  void postFlush();
  void leaveEmptyLine();
  void settleParts();
  bool caretMoved() const;  // since we last told of it
  void checkCaret();
  void styleNeeded(int position);
  void styleView();
  void followLongLines();
  void cutLongLines();
  void cutLine(qint64 from, qint64 to);
  bool takeLanguage(const QString& name);
  void applyLanguage();
  void clearDrawn();
  void resetDocument(qint64 expectedBytes, bool hasStyles);
  void dressDocument();
  void appendLoading(const QByteArray& utf8);
  // Has new lines end as the text's do, where none of those ends as new lines would.
  void adoptLineEnds();
  void takeFile(const TextFile& file, const QByteArray& head);
  // `uncut`: the lines of the text, where they are known; `isCut`: they are cut already.
  void finishReset(const UncutLines* uncut = nullptr, bool isCut = false);
  void applyTheme();
  void updateLineNumberWidth();
  void spaceLines();
  void unscrollShortLine();
  bool paintAround(const QRect& blank, const QRegion& dirty);
  void setSafeModeOf(const TextView& source);
  void copyStyles();

  TextView* mirrored_ = nullptr;  // null: this view has a text of its own
  std::unique_ptr<Highlighter> highlighter_;
  std::unique_ptr<PendingEdit> pending_;
  std::unique_ptr<Folding> folding_;
  LongLines longLines_{this};
  QVector<ViewPart*> parts_;
  QString language_;
  QString themeName_;
  QColor accent_;
  ThemeColors colors_;
  QFont chosenFont_;
  QFont font_;  // what became of it
  bool ligatures_ = true;
  double lineHeight_ = 1;
  Indentation indentation_;
  AutoIndent autoIndent_;
  SafeMode safeMode_ = SafeMode::kOff;
  QVector<TextEdit> edits_;  // finished, not yet told
  qint64 version_ = 0;
  bool flushPosted_ = false;
  bool rewritten_ = false;  // some of those edits by undo, redo or applyEdits()
  bool wasModified_ = false;
  bool longLine_ = false;
  qint64 lastCaret_ = 0;
  qint64 lastAnchor_ = 0;
  int lineNumberKey_ = 0;  // what the width of the line numbers was made for
};

}  // namespace waferpair::editor
