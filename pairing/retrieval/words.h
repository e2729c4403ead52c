// SPDX-License-Identifier: GPL-3.0-or-later
// The words by which a project's texts are searched: an identifier as it is written, and its parts
// ("parseLine" has "parse" and "line") without case and endings, as a question has them. A word is
// told by a hash of 64 bits.
#pragma once

#include <QByteArrayView>
#include <functional>

namespace waferpair::pairing {

using WordHash = quint64;

// An identifier, as case and all have it.
WordHash identifierHash(QByteArrayView identifier);

// Calls `use` for each part of each identifier and word of `utf8`, in order.
void forEachPart(QByteArrayView utf8, const std::function<void(WordHash part)>& use);
// Calls `use` for each identifier or word of `utf8` as it is written, with where it begins.
void forEachIdentifier(QByteArrayView utf8,
                       const std::function<void(QByteArrayView word, qsizetype at)>& use);

// Tells whether an English question has this word without meaning it: "where", "is". Lower case.
bool isFillWord(QByteArrayView word);
// Tells whether no plain prose has a word like this: "parseLine", "kMost", "file_name", "HTTP2".
bool looksLikeCode(QByteArrayView word);

}  // namespace waferpair::pairing
