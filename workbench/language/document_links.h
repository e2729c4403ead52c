// SPDX-License-Identifier: GPL-3.0-or-later
// What in a text leads somewhere, as a server says (LSP 3.17, DocumentLink). Values.
#pragma once

#include <QJsonValue>
#include <QVector>

#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {

struct DocumentLink {
  ByteRange range;
  QString target;   // an URI; empty: the server tells when it is asked about `told`
  QJsonValue told;  // as it came
};

inline constexpr qsizetype kMostDocumentLinks = 5000;

// At the bytes of `text`, of which the server was asked; without those that are empty.
QVector<DocumentLink> readDocumentLinks(const QJsonValue& answer, const editor::Snapshot& text,
                                        ColumnUnit unit);

}  // namespace waferpair::workbench
