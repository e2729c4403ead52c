// SPDX-License-Identifier: GPL-3.0-or-later
// Letters as people see them: a cluster of characters (Unicode's extended grapheme cluster), such
// as a letter with its accents, a flag, a family. What is marked as unseen (unseen.h) stands for
// itself. Offsets are bytes of UTF-8. Pure functions.
#pragma once

#include <QByteArrayView>

namespace waferpair::editor {

// A place at the text's start or end, or between two clusters.
bool isClusterEdge(QByteArrayView utf8, qsizetype at);
// The edge before `at`, which is more than 0.
qsizetype clusterEdgeBefore(QByteArrayView utf8, qsizetype at);
// The edge behind `at`, which is less than the text's size.
qsizetype clusterEdgeBehind(QByteArrayView utf8, qsizetype at);

}  // namespace waferpair::editor
