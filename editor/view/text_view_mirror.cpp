// SPDX-License-Identifier: GPL-3.0-or-later
// A TextView as a second view of another one's text.
#include "editor/view/folding.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr unsigned kAllStyles = 256;
constexpr unsigned kIndicators = 36;
constexpr unsigned kMarkers = 25;  // the others are those of folds
constexpr long kUnseen = 0;        // alpha

// Gives `to` the value that `from` has.
void copyValue(const TextView& from, TextView* to, unsigned get, unsigned set, unsigned long of) {
  const long value = from.sci(get, of);
  if (to->sci(get, of) == value) return;
  to->sci(set, of, value);
}

}  // namespace

void TextView::mirror(TextView* source) {
  Q_ASSERT(source != this && !source->isMirror());
  const ViewState view = mirrored_ ? viewState() : source->viewState();
  if (mirrored_) mirrored_->disconnect(this);
  mirrored_ = nullptr;
  // The looks are set over a text of its own, as setting them starts highlighting anew.
  setText({});
  chosenFont_ = source->chosenFont_;
  ligatures_ = source->ligatures_;
  setTheme(source->themeName_, source->accent_);
  highlightAll();
  sci(SCI_ANNOTATIONSETVISIBLE, ANNOTATION_HIDDEN);
  sci(SCI_SETWRAPMODE, word(source->sci(SCI_GETWRAPMODE)));
  sci(SCI_SETVIEWWS, word(source->sci(SCI_GETVIEWWS)));
  sci(SCI_SETINDENTATIONGUIDES, word(source->sci(SCI_GETINDENTATIONGUIDES)));
  sci(SCI_SETCARETLINEVISIBLEALWAYS, 0);
  for (unsigned marker = 0; marker < kMarkers; ++marker) sci(SCI_MARKERSETALPHA, marker, kUnseen);
  mirrored_ = source;
  setSafeModeOf(*source);
  sci(SCI_SETMODEVENTMASK, 0);
  sci(SCI_SETDOCPOINTER, 0, source->sci(SCI_GETDOCPOINTER));
  copyStyles();
  updateLineNumberWidth();
  connect(source, &TextView::textChanged, this, &TextView::updateLineNumberWidth);
  for (const auto changed : {&TextView::documentReset, &TextView::themeChanged})
    connect(source, changed, this, [this, source] { mirror(source); });
  setMirroredView(view);
}

void TextView::setMirroredView(const ViewState& state) {
  sci(SCI_SETZOOM, word(state.zoom));
  sci(SCI_FOLDALL, SC_FOLDACTION_EXPAND);
  for (const int line : state.folded)
    if (folding_->begins(line)) sci(SCI_FOLDLINE, word(line), SC_FOLDACTION_CONTRACT);
  const auto inside = [this](qint64 at) { return std::clamp<qint64>(at, 0, length()); };
  sci(SCI_SETSEL, word(inside(state.anchor)), static_cast<long>(inside(state.caret)));
  const int line = std::clamp(state.firstLine, 0, lineCount() - 1);
  sci(SCI_SETFIRSTVISIBLELINE, word(sci(SCI_VISIBLEFROMDOCLINE, word(line))));
}

void TextView::setSafeModeOf(const TextView& source) {
  safeMode_ = source.safeMode_;
  folding_->reset(safeMode_ == SafeMode::kOff);
}

// Styles are a view's own, which of them a character has is the document's: the source gives out
// numbers as its highlighting goes on.
void TextView::copyStyles() {
  const TextView& from = *mirrored_;
  for (unsigned style = 0; style < kAllStyles; ++style) {
    if (style >= STYLE_DEFAULT && style <= STYLE_LASTPREDEFINED) continue;
    copyValue(from, this, SCI_STYLEGETFORE, SCI_STYLESETFORE, style);
    copyValue(from, this, SCI_STYLEGETBACK, SCI_STYLESETBACK, style);
    copyValue(from, this, SCI_STYLEGETBOLD, SCI_STYLESETBOLD, style);
    copyValue(from, this, SCI_STYLEGETITALIC, SCI_STYLESETITALIC, style);
    copyValue(from, this, SCI_STYLEGETUNDERLINE, SCI_STYLESETUNDERLINE, style);
  }
  for (unsigned indicator = 0; indicator < kIndicators; ++indicator) {
    copyValue(from, this, SCI_INDICGETSTYLE, SCI_INDICSETSTYLE, indicator);
    copyValue(from, this, SCI_INDICGETFORE, SCI_INDICSETFORE, indicator);
    copyValue(from, this, SCI_INDICGETALPHA, SCI_INDICSETALPHA, indicator);
    copyValue(from, this, SCI_INDICGETOUTLINEALPHA, SCI_INDICSETOUTLINEALPHA, indicator);
    copyValue(from, this, SCI_INDICGETUNDER, SCI_INDICSETUNDER, indicator);
    copyValue(from, this, SCI_INDICGETFLAGS, SCI_INDICSETFLAGS, indicator);
  }
}

}  // namespace waferpair::editor
