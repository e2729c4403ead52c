// SPDX-License-Identifier: GPL-3.0-or-later
// The words of BERT's vocabularies, and the pieces that they are put together from (WordPiece,
// arXiv 1609.08144). Private to this room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace waferpair::tokenizer {

struct PieceForm {
  bool lowercase = true;
  bool stripAccents = true;  // é is e
};

// Returns the words of a text in UTF-8, as BERT's own tokenizer cuts them: at spaces, around each
// mark and each Chinese character. Control characters are left out. Takes linear time.
std::vector<std::string> pieceWords(std::string_view text, const PieceForm& form);

// Characters of a word at most: a longer one is unknown.
inline constexpr std::size_t kLongestPieceWord = 100;

}  // namespace waferpair::tokenizer
