// SPDX-License-Identifier: GPL-3.0-or-later
// Snippets in an editor: put in as one undo step, then filled in field by field. The places that
// say the same are carets that type together; those with a transform are written when the field is
// left. A snippet that is put in while another is filled in comes first. Owned by its CodeEditor.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "editor/assist/snippet_session.h"
#include "editor/text/snippet_variables.h"

namespace waferpair::editor {

class CodeEditor;

class SnippetMode : public QObject {
  Q_OBJECT
 public:
  explicit SnippetMode(CodeEditor* editor);

  // Tells of the file and its project: SnippetSite::path and folder.
  void setSite(std::function<SnippetSite()> site) { site_ = std::move(site); }

  SnippetSite site() const { return site_ ? site_() : SnippetSite(); }
  // Replaces bytes [start, end); `also` as in type_over.h.
  void insert(qint64 start, qint64 end, const QString& snippet, const QVector<TextEdit>& also = {});
  // Replaces what is selected.
  void insert(const QString& snippet);

  // There are fields to fill in.
  bool isActive() const { return !sessions_.empty(); }
  // Goes to the next field (1), which may end it, or the one before (-1). False where it is not
  // active.
  bool step(int by);
  // Ends it where it is, with the main caret alone.
  void leave();

 Q_SIGNALS:
  void activeChanged();
  // The field [start, end) has these choices.
  void choicesOffered(qint64 start, qint64 end, const QByteArrayList& choices);

 private:
  SnippetSite siteAt(qint64 start, qint64 end) const;
  void follow(const QVector<TextEdit>& edits);
  void caretMoved();
  void writeMirrors();
  void select();
  void show();
  void defineLook();

  CodeEditor* editor_;
  std::function<SnippetSite()> site_;
  std::vector<SnippetSession> sessions_;  // the last one is filled in first
  bool moves_ = false;                    // the caret, by us
  bool isShown_ = false;
};

}  // namespace waferpair::editor
