// SPDX-License-Identifier: GPL-3.0-or-later
// A text of lines for modal keys, without an editor.
#pragma once

#include <QStringList>
#include <algorithm>

#include "editor/modal/modal_keys.h"
#include "editor/modal/modal_text.h"

namespace waferpair::editor {

class LinesText : public ModalText {
 public:
  explicit LinesText(const QByteArray& text) : lines_(text.split('\n')) {}

  QByteArray text() const { return lines_.join('\n'); }

  int lineCount() const override { return static_cast<int>(lines_.size()); }
  QByteArray line(int line) const override { return lines_.value(line); }
  void replace(ModalPlace start, ModalPlace end, const QByteArray& text) override {
    keep();
    const QByteArray before = lines_[start.line].left(start.column);
    const QByteArray after = lines_[end.line].mid(end.column);
    lines_.remove(start.line, end.line - start.line + 1);
    const QByteArrayList made = (before + text + after).split('\n');
    for (qsizetype i = 0; i < made.size(); ++i) lines_.insert(start.line + i, made[i]);
  }
  void replaceLines(int first, int end, const QByteArrayList& lines) override {
    keep();
    lines_.remove(first, end - first);
    for (qsizetype i = 0; i < lines.size(); ++i) lines_.insert(first + i, lines[i]);
    if (lines_.isEmpty()) lines_.append(QByteArray());
  }
  ModalPlace caret() const override { return caret_; }
  void setCaret(ModalPlace place) override { caret_ = place; }
  void type(const QByteArray& key) override {
    const QByteArray text = key == "<CR>" ? "\n" : key == "<Tab>" ? "\t" : key;
    if (key == "<BS>") {
      if (caret_ == ModalPlace{}) return;
      const int above = caret_.line - 1;
      const ModalPlace to =
          caret_.column == 0
              ? ModalPlace{above, static_cast<int>(line(above).size())}
              : ModalPlace{caret_.line, previousColumn(line(caret_.line), caret_.column)};
      replace(to, caret_, {});
      caret_ = to;
    } else if (text.size() == 1 || text[0] != '<') {
      replace(caret_, caret_, text);
      caret_ = text == "\n"
                   ? ModalPlace{caret_.line + 1, 0}
                   : ModalPlace{caret_.line, caret_.column + static_cast<int>(text.size())};
    }
  }
  void beginStep() override {
    if (depth_++ == 0) isKept_ = false;
  }
  void endStep() override { --depth_; }
  bool undo() override { return exchange(&undone_, &redone_); }
  bool redo() override { return exchange(&redone_, &undone_); }
  Indentation indentation() const override { return {true, 8}; }
  bool indentsNewLines() const override { return false; }
  int firstShown() const override { return top_; }
  int lastShown() const override { return std::min(lineCount() - 1, top_ + 9); }
  void showLineAt(int line, double height) override {
    top_ = std::max(0, line - static_cast<int>(height * 9));
  }
  QByteArray clipboard() const override { return clipboard_; }
  void setClipboard(const QByteArray& text) override { clipboard_ = text; }
  QString fileName() const override { return QStringLiteral("file.txt"); }
  bool run(const QString& command, const QString& argument) override {
    ran.append(argument.isEmpty() ? command : command + u' ' + argument);
    return true;
  }
  void say(const QString& text) override { said = text; }

  int undoSteps() const { return static_cast<int>(undone_.size()); }

  QStringList ran;
  QString said;

 private:
  struct State {
    QByteArrayList lines;
    ModalPlace caret;
  };

  void keep() {
    if (depth_ > 0 && std::exchange(isKept_, true)) return;
    undone_.append({lines_, caret_});
    redone_.clear();
  }
  bool exchange(QVector<State>* from, QVector<State>* to) {
    if (from->isEmpty()) return false;
    const State state = from->takeLast();
    to->append({lines_, caret_});
    lines_ = state.lines;
    caret_ = state.caret;
    return true;
  }

  QByteArrayList lines_;
  ModalPlace caret_;
  QVector<State> undone_, redone_;
  QByteArray clipboard_;
  int depth_ = 0;
  bool isKept_ = false;
  int top_ = 0;
};

// Presses keys; those that are the text's own go there.
inline void pressKeys(ModalKeys* keys, ModalText* text, const QByteArray& written) {
  for (const ModalKey& key : modalKeys(written))
    if (!keys->press(key)) text->type(key);
}

}  // namespace waferpair::editor
