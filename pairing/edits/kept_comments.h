// SPDX-License-Identifier: GPL-3.0-or-later
// Small models drop comments and descriptions of code that they write anew. They are put back where
// the code beside them stayed.
#pragma once

#include <QByteArrayList>
#include <optional>

#include "pairing/next_edit/language_family.h"

namespace waferpair::pairing {

// `fresh` with the comments of `old`, both lines of code that are indented alike. None: the place
// of one of them is gone.
std::optional<QByteArrayList> withComments(const QByteArrayList& fresh, const QByteArrayList& old,
                                           const LanguageFamily& family);

}  // namespace waferpair::pairing
