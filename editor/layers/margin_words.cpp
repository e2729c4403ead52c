// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/layers/margin_words.h"

#include <algorithm>

#include "editor/text/unseen.h"
#include "editor/view/text_view.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;

constexpr int kColumnPadding = 10;  // pixels

}  // namespace

MarginWords* MarginWords::of(TextView* editor) {
  auto* column = editor->findChild<MarginWords*>({}, Qt::FindDirectChildrenOnly);
  return column ? column : new MarginWords(editor);
}

MarginWords::MarginWords(TextView* editor) : QObject(editor), editor_(editor) {
  editor->sci(Sci::SCI_SETMARGINTYPEN, kWordsMargin, Sci::SC_MARGIN_TEXT);
  editor->sci(Sci::SCI_SETMARGINMASKN, kWordsMargin, 0);
  editor->sci(Sci::SCI_SETMARGINSENSITIVEN, kWordsMargin, 1);
  connect(editor, &TextView::themeChanged, this, &MarginWords::applyLook);
  connect(editor, &TextView::zoomChanged, this, &MarginWords::applyLook);
  connect(editor, &Sci::SCN_MARGINCLICK, this, [this](int position, int, int margin) {
    if (margin == static_cast<int>(kWordsMargin))
      Q_EMIT(source_ ? source_ : this)->clicked(editor_->lineAt(position));
  });
}

void MarginWords::applyLook() {
  const MarginWords* words = source_ ? source_ : this;
  const long width = isShown_
                         ? editor_->SendScintilla(Sci::SCI_TEXTWIDTH,
                                                  static_cast<unsigned long>(Sci::STYLE_LINENUMBER),
                                                  words->longest_.constData()) +
                               kColumnPadding
                         : 0;
  editor_->sci(Sci::SCI_SETMARGINWIDTHN, kWordsMargin, width);
}

void MarginWords::set(const QStringList& words) {
  const int lines = editor_->lineCount();
  longest_.clear();
  qsizetype most = 0;
  for (int line = 0; line < lines; ++line) {
    const QString text =
        line < words.size() ? shownForm(words[line], OtherBlanks::kKept) : QString();
    const QByteArray bytes = text.toUtf8();
    if (text.size() > most) {
      most = text.size();
      longest_ = bytes;
    }
    if (bytes == this->words(line).toUtf8()) continue;
    editor_->SendScintilla(Sci::SCI_MARGINSETTEXT, word(line), bytes.constData());
    editor_->sci(Sci::SCI_MARGINSETSTYLE, word(line), Sci::STYLE_LINENUMBER);
  }
  isShown_ = true;
  applyLook();
  Q_EMIT changed();
}

void MarginWords::clear() {
  if (!isShown_) return;
  editor_->sci(Sci::SCI_MARGINTEXTCLEARALL);
  isShown_ = false;
  applyLook();
  Q_EMIT changed();
}

QString MarginWords::words(int line) const {
  const long length = editor_->sci(Sci::SCI_MARGINGETTEXT, word(line));
  if (length <= 0) return {};
  QByteArray bytes(length, '\0');
  editor_->SendScintilla(Sci::SCI_MARGINGETTEXT, word(line), bytes.data());
  return QString::fromUtf8(bytes);
}

void MarginWords::follow(MarginWords* source) {
  if (source_ != source) {
    if (source_) source_->disconnect(this);
    source_ = source;
    connect(source, &MarginWords::changed, this, [this, source] { follow(source); });
    connect(source, &QObject::destroyed, this, [this] { source_ = nullptr; });
  }
  isShown_ = source->isShown_;
  applyLook();
}

}  // namespace waferpair::editor
