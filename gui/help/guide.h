// SPDX-License-Identifier: GPL-3.0-or-later
// The user's guide (docs/guide) as data: its pages in the order in which its index names them, and
// a search over all of them. No widget.
#pragma once

#include <QList>
#include <QString>
#include <functional>

namespace waferpair::gui {

struct GuidePage {
  QString file;  // "suggestions.md"
  QString title;
  QString markdown;
};

// A place that a search found.
struct GuideHit {
  int page = 0;     // index into pages()
  QString heading;  // of the part that it is in; the page's title for its beginning
  QString around;   // a line of the text there
  bool operator==(const GuideHit&) const = default;
};

class Guide {
 public:
  // Reads the pages in this folder; none where it has no index.md.
  explicit Guide(const QString& folder);

  const QString& folder() const { return folder_; }
  const QList<GuidePage>& pages() const { return pages_; }
  // -1: there is none of that name.
  int find(const QString& file) const;
  // The parts that have all words in them, capitals or not: those whose heading has them first.
  QList<GuideHit> search(const QString& words) const;

 private:
  struct Part {
    int page;
    QString heading;
    QString text;  // as it reads, with the heading
  };

  QString folder_;
  QList<GuidePage> pages_;
  QList<Part> parts_;
};

// The page with the keys as they are set: where the text of a link that runs a command is a key
// ("[Ctrl+P](command:file.quickOpen)"), it becomes what `keyOf` returns for that command.
QString withKeys(const QString& markdown, const std::function<QString(const QString& id)>& keyOf);

}  // namespace waferpair::gui
