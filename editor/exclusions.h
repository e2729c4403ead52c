// SPDX-License-Identifier: GPL-3.0-or-later
// Which files are never shown to the model: secrets by name, and what the project's own
// .waferpairignore lists. Symbolic links are judged by their name and by what they point to. A
// value: threads may use one each.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::editor {

class Exclusions {
 public:
  // Only the built-in secrets.
  Exclusions();
  // Also reads `projectRoot`/.waferpairignore, where there is one; read again by a new object.
  explicit Exclusions(const QString& projectRoot);

  bool isExcluded(const QString& path) const { return !reason(path).isEmpty(); }
  // Why, in words for the status bar; empty when the file may be shown.
  QString reason(const QString& path) const;

  // The built-in patterns, for a settings page. A project file cannot take them back.
  static QStringList secretPatterns();

 private:
  struct Pattern {
    QRegularExpression regex;  // on the path relative to the root, with '/'
    QString source;
    bool negated = false;
    bool directoryOnly = false;
  };
  static bool parse(const QString& line, Pattern* pattern);
  QString reasonFor(const QString& path) const;
  QString projectReason(const QString& relative) const;

  QVector<Pattern> secrets_;  // on the name alone
  QString root_;
  QVector<Pattern> patterns_;
};

}  // namespace waferpair::editor
