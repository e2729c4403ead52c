// SPDX-License-Identifier: GPL-3.0-or-later
// Prose in Markdown that came from elsewhere: from a model, a language server, a project. It is
// text only: HTML stands there as it was written, and nothing is read or fetched for it. UI thread
// only.
#pragma once

#include <QImage>
#include <QString>
#include <QVector>
#include <functional>

class QTextDocument;

namespace waferpair::editor {

// A part of a text that is laid out in a few milliseconds. Qt takes the square of the time for some
// (60 s for 120 KB of "*a**a*"): those are plain.
struct ProsePiece {
  QString text;
  bool isPlain = false;  // as it was written, without marks of Markdown

  bool operator==(const ProsePiece&) const = default;
};

// UTF-16 units of a piece at most.
inline constexpr qsizetype kMostOfPiece = 6000;

// Cuts the text where a paragraph begins, so that a text that grows at its end changes none of its
// pieces but the last two.
QVector<ProsePiece> prosePieces(const QString& markdown);
// The same of a text that has no marks: all of its pieces are plain, and not longer than `most`.
QVector<ProsePiece> plainPieces(QStringView text, qsizetype most = kMostOfPiece);

// In place of a picture that there is not: what a widget's loadResource() returns, as Qt opens the
// file of that name otherwise, whatever it is.
QImage noPicture();

// Makes it this piece: GitHub's Markdown. What pictures show stands in their places in words,
// unless they are asked for: then the loadResource() of the widget that the document belongs to
// gives them.
enum class Pictures { kInWords, kAsked };
void fillProse(QTextDocument* document, const ProsePiece& piece,
               Pictures pictures = Pictures::kInWords);
// Makes it all pieces of the text. For texts of a few kilobytes: longer ones take several frames.
void fillProse(QTextDocument* document, const QString& markdown,
               Pictures pictures = Pictures::kInWords);
// Puts a piece behind what is there, once `style` has been at it.
void appendProse(QTextDocument* document, const ProsePiece& piece, Pictures pictures,
                 const std::function<void(QTextDocument*)>& style = {});

}  // namespace waferpair::editor
