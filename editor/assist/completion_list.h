// SPDX-License-Identifier: GPL-3.0-or-later
// Drives a view's list of what could stand at the caret: opens it when the user asks, or by itself
// while a word is typed; leaves out what no longer fits; puts in what is taken. It shares the caret
// with ghost text: what is taken that the ghost says, too, only shortens the ghost. UI thread only.
#pragma once

#include <QObject>

#include "editor/assist/list_source.h"
#include "editor/text/edit.h"

namespace waferpair::editor {

class SuggestionView;

class CompletionList : public QObject {
  Q_OBJECT
 public:
  // Letters of a word from which on the list opens by itself.
  static constexpr qsizetype kOpensAt = 3;

  // Both must outlive this.
  CompletionList(SuggestionView* view, ListSource* source, QObject* parent = nullptr);
  ~CompletionList() override;

  // The view's text is the document `id` from now on; again after "save as".
  void openDocument(const DocumentId& id);
  void closeDocument() { openDocument({}); }
  void setOpensByItself(bool opens);
  // It opens by itself where its source says so: behind "value.".
  void setOpensBehind(bool opens) { opensBehind_ = opens; }

  // Opens it here and now, whatever is typed.
  void openNow();
  // Opens it with these, one of which is to stand in [start, end), whose end is at the caret.
  void offerChoices(qint64 start, qint64 end, const QByteArrayList& choices);
  void close();
  bool isOpen() const { return open_; }

 private:
  void edited(const QVector<TextEdit>& edits);
  void userTyped();
  void caretMoved();
  void itemsCame(quint64 request, const QVector<ListItem>& items, bool isWhole, bool isLast);
  void take(int index);
  void select(int index);
  void hide();
  void ask();
  void refresh();
  qint64 wordStart() const;
  QByteArray typed() const;
  bool isInWord() const;
  bool mayList() const;

  SuggestionView* view_;
  ListSource* source_;
  DocumentId document_;
  bool opensByItself_ = false;
  bool opensBehind_ = false;
  bool byKey_ = false;
  bool byPlace_ = false;   // it opens, or is open, because of what stands in front of the word
  bool choosing_ = false;  // its items are choices for a place, whatever stands there
  bool open_ = false;
  bool inserted_ = false;  // the last edits put something in
  bool tookOne_ = false;   // they are those of take()
  qint64 start_ = 0;       // of the word, while it is open or asked for
  quint64 request_ = 0;    // whose answers are awaited
  quint64 selected_ = 0;   // the key of the item that is selected
  QVector<ListItem> items_;
  bool isWhole_ = true;
  QVector<ListItem> shown_;
};

}  // namespace waferpair::editor
