// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/answer_blocks.h"

#include <optional>
#include <utility>

#include "editor/widget/prose.h"
#include "pairing/answers/code_fence.h"

namespace waferpair::gui {
namespace {

// UTF-16 units: for some characters Qt takes the square of the time, though they have no marks.
constexpr qsizetype kMostOfPlainBlock = 2000;

// The file that an answer names for the block behind `lead`.
QString fileOf(const pairing::CodeFence& fence, const QString& lead) {
  const QString own = fence.fileName();
  return own.isEmpty() ? pairing::fileNameIn(lead.toUtf8()) : own;
}

}  // namespace

QVector<AnswerBlock> answerBlocks(const QString& markdown) {
  QVector<AnswerBlock> blocks;
  AnswerBlock block;
  std::optional<pairing::CodeFence> fence;
  QString lead;  // the last line of prose that says something
  const auto finish = [&blocks, &block] {
    if (block.isCode) {
      blocks.append(block);
    } else {
      for (const editor::ProsePiece& piece : editor::prosePieces(block.text)) {
        if (!piece.isPlain) blocks.append({false, piece.text, {}, false});
        if (!piece.isPlain) continue;
        for (const editor::ProsePiece& part : editor::plainPieces(piece.text, kMostOfPlainBlock))
          blocks.append({false, part.text, {}, true});
      }
    }
    block = {};
  };
  for (qsizetype at = 0; at < markdown.size();) {
    qsizetype end = markdown.indexOf(u'\n', at);
    end = end < 0 ? markdown.size() : end + 1;
    const QString line = markdown.mid(at, end - at);
    const QByteArray bare = line.toUtf8().trimmed();
    at = end;
    if (fence && fence->closedBy(bare)) {
      block.isWhole = true;
      finish();
      fence.reset();
    } else if (fence) {
      block.text += line;
    } else if ((fence = pairing::CodeFence::opening(bare))) {
      finish();
      block.isCode = true;
      block.language = QString::fromUtf8(fence->info).section(u' ', 0, 0).section(u':', 0, 0);
      block.path = fileOf(*fence, lead);
      block.lead = std::exchange(lead, {});
    } else {
      if (!bare.isEmpty()) lead = line.trimmed();
      block.text += line;
    }
  }
  finish();
  return blocks;
}

}  // namespace waferpair::gui
