// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/prose.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextList>
#include <algorithm>

#include "editor/text/translate.h"
#include "editor/text/unseen.h"

namespace waferpair::editor {
namespace {

constexpr qsizetype kFullPiece = 1500;      // UTF-16 units, from where on the next paragraph cuts
constexpr qsizetype kMostLines = 300;       // of a paragraph that is laid out as Markdown
constexpr qsizetype kMostProseMarks = 300;  // of those that change how text looks
constexpr qsizetype kMostCells = 400;       // of a table
// Of code between fences, which has no marks.
constexpr qsizetype kMostOfCode = 24'000;
constexpr qsizetype kMostCodeLines = 2000;

// Lines that belong together: up to an empty one, which is the last of them.
struct Paragraph {
  QString text;
  qsizetype lines = 0;
  qsizetype marks = 0;
  qsizetype cells = 0;
  bool hasCode = false;
  bool isRest = false;  // of code whose beginning was hard

  void add(QStringView line, bool isCode) {
    text += line;
    ++lines;
    hasCode = hasCode || isCode;
    if (isCode) return;
    for (const QChar c : line) {
      if (c == u'*' || c == u'_' || c == u'`' || c == u'~' || c == u'[' || c == u'<') ++marks;
      if (c == u'|') ++cells;
    }
  }
  bool isHard() const { return isRest || isLong(); }
  bool isLong() const {
    return text.size() > (hasCode ? kMostOfCode : kMostOfPiece) ||
           lines > (hasCode ? kMostCodeLines : kMostLines) || marks > kMostProseMarks ||
           cells > kMostCells;
  }
};

// Whether a paragraph may be the first of a piece: what is indented, and an entry of a list,
// belongs to what is above it.
bool mayBegin(const QString& text) {
  const QChar first = text.isEmpty() ? QChar(u'\n') : text.front();
  if (first.isSpace()) return false;
  if ((first == u'-' || first == u'*' || first == u'+') && text.size() > 1 && text[1].isSpace())
    return false;
  qsizetype digits = 0;
  while (digits < text.size() && text[digits].isDigit()) ++digits;
  return digits == 0 || digits == text.size() || (text[digits] != u'.' && text[digits] != u')');
}

class Cutter {
 public:
  void add(const Paragraph& next) {
    if (next.isHard()) {
      end();
      pieces_ += plainPieces(next.text);
      return;
    }
    const bool isFull =
        piece_.size() + next.text.size() > kMostOfPiece || lines_ + next.lines > 2 * kMostLines;
    if (isFull || (piece_.size() >= kFullPiece && mayBegin(next.text))) end();
    piece_ += next.text;
    lines_ += next.lines;
  }
  void end() {
    if (!piece_.trimmed().isEmpty()) pieces_.append({piece_, false});
    piece_.clear();
    lines_ = 0;
  }
  const QVector<ProsePiece>& pieces() const { return pieces_; }

 private:
  QVector<ProsePiece> pieces_;
  QString piece_;
  qsizetype lines_ = 0;
};

// In place of each picture: what it is of, or its address.
void takePicturesOut(QTextDocument* document) {
  for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd();) {
      const QTextFragment fragment = it.fragment();
      if (!fragment.charFormat().isImageFormat()) {
        ++it;
        continue;
      }
      const QTextImageFormat image = fragment.charFormat().toImageFormat();
      const QString alt = image.property(QTextFormat::ImageAltText).toString();
      QTextCursor cursor(document);
      cursor.setPosition(fragment.position());
      cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
      cursor.insertText(translate("[picture: %1]").arg(alt.isEmpty() ? image.name() : alt),
                        QTextCharFormat());
      it = block.begin();
    }
  }
}

// In place of what one does not see: its mark. Markdown may write it as a number ("&#8238;"), so
// the document is looked at, and not the text that it is made of.
void markUnseen(QTextDocument* document) {
  const QString text = document->toRawText();
  QTextCursor cursor(document);
  cursor.beginEditBlock();
  for (qsizetype at = text.size() - 1; at >= 0; --at) {
    if (text[at].isLowSurrogate() && at > 0 && text[at - 1].isHighSurrogate()) --at;
    const Unseen kind = unseenAt(text, at);
    // These end blocks and lines here.
    const bool isEnd = text[at] == QChar::ParagraphSeparator || text[at] == QChar::LineSeparator;
    if (kind == Unseen::kNone || kind == Unseen::kBlank || isEnd) continue;
    const int units = text[at].isHighSurrogate() && at + 1 < text.size() ? 2 : 1;
    cursor.setPosition(static_cast<int>(at));
    cursor.setPosition(static_cast<int>(at) + units, QTextCursor::KeepAnchor);
    cursor.insertText(shownForm(QStringView(text).sliced(at, units)), cursor.charFormat());
  }
  cursor.endEditBlock();
}

}  // namespace

QImage noPicture() {
  QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
  nothing.fill(Qt::transparent);
  return nothing;
}

QVector<ProsePiece> plainPieces(QStringView text, qsizetype most) {
  QVector<ProsePiece> pieces;
  while (!text.isEmpty()) {
    qsizetype size = std::min(text.size(), most);
    if (size < text.size()) {
      const qsizetype line = text.first(size).lastIndexOf(u'\n');
      if (line > 0) size = line + 1;
      if (text[size - 1].isHighSurrogate()) --size;
    }
    pieces.append({text.first(size).toString(), true});
    text = text.sliced(size);
  }
  return pieces;
}

QVector<ProsePiece> prosePieces(const QString& markdown) {
  Cutter cutter;
  Paragraph paragraph;
  const QStringView text(markdown);
  QStringView fence;
  for (qsizetype at = 0; at < text.size();) {
    qsizetype end = text.indexOf(u'\n', at);
    end = end < 0 ? text.size() : end + 1;
    const QStringView line = text.sliced(at, end - at);
    const QStringView bare = line.trimmed();
    at = end;
    paragraph.add(line, !fence.isEmpty());
    if (!fence.isEmpty()) {
      if (bare.startsWith(fence)) fence = {};
    } else if (bare.startsWith(u"```") || bare.startsWith(u"~~~")) {
      fence = bare.first(3);
    }
    // Code between fences is one paragraph, as long as that is.
    if (bare.isEmpty() && (fence.isEmpty() || paragraph.isLong())) {
      cutter.add(paragraph);
      paragraph = {};
      paragraph.isRest = !fence.isEmpty();
    }
  }
  cutter.add(paragraph);
  cutter.end();
  return cutter.pieces();
}

void fillProse(QTextDocument* document, const ProsePiece& piece, Pictures pictures) {
  // The end of its last line is the end of the piece.
  if (piece.isPlain) {
    QStringView text(piece.text);
    while (text.endsWith(u'\n')) text.chop(1);
    document->setPlainText(text.toString());
    return markUnseen(document);
  }
  const auto features = QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                        QTextDocument::MarkdownNoHTML;
  if (pictures == Pictures::kAsked) {
    document->setMarkdown(piece.text, features);
    return markUnseen(document);
  }
  // One that is shown already reads its pictures while it is filled.
  QTextDocument made;
  made.setDefaultFont(document->defaultFont());
  made.setMarkdown(piece.text, features);
  takePicturesOut(&made);
  markUnseen(&made);
  document->clear();
  QTextCursor(document).insertFragment(QTextDocumentFragment(&made));
}

void appendProse(QTextDocument* document, const ProsePiece& piece, Pictures pictures,
                 const std::function<void(QTextDocument*)>& style) {
  QTextDocument part;
  part.setDefaultFont(document->defaultFont());
  fillProse(&part, piece, pictures);
  if (style) style(&part);
  QTextCursor end(document);
  end.movePosition(QTextCursor::End);
  if (!document->isEmpty()) end.insertBlock(QTextBlockFormat(), QTextCharFormat());
  const int start = end.position();
  end.insertFragment(QTextDocumentFragment(&part));
  // The first block takes the place of the empty one, whose format it had: a heading was none.
  const QTextBlock first = part.begin();
  if (first.textList()) return;
  QTextCursor(document->findBlock(start)).mergeBlockFormat(first.blockFormat());
}

void fillProse(QTextDocument* document, const QString& markdown, Pictures pictures) {
  const QVector<ProsePiece> pieces = prosePieces(markdown);
  const bool isEasy = std::none_of(pieces.begin(), pieces.end(),
                                   [](const ProsePiece& piece) { return piece.isPlain; });
  if (pieces.size() <= 1 || (isEasy && markdown.size() <= 2 * kMostOfPiece)) {
    const bool isPlain = pieces.size() == 1 && !isEasy;
    return fillProse(document, ProsePiece{markdown, isPlain}, pictures);
  }
  document->clear();
  for (const ProsePiece& piece : pieces) appendProse(document, piece, pictures);
}

}  // namespace waferpair::editor
