// SPDX-License-Identifier: GPL-3.0-or-later
// Where a link in a model's answer leads, if it is to a file of the project.
#pragma once

#include <QString>
#include <QUrl>
#include <optional>

namespace waferpair::gui {

struct AnswerPlace {
  QString path;  // absolute
  int line = 1;
};

// Returns the file of the project in `root` that a link names, relative to it or absolute, perhaps
// with a line ("src/a.cpp:12", "src/a.cpp#L12"). Nothing: it leads elsewhere, or to no file.
std::optional<AnswerPlace> answerPlace(const QString& root, const QUrl& link);

// Prose in Markdown, with links at the places of the project's files that it names with a line
// ("src/a.cpp:12", between backticks too). What is a link already, and what is no file of `root`,
// stays as it is.
QString withPlaceLinks(const QString& markdown, const QString& root);

}  // namespace waferpair::gui
