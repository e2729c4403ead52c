// SPDX-License-Identifier: GPL-3.0-or-later
// A text made ready for a TextView while the window goes on: a thread reads and decodes it, then
// a view that is never shown takes the text in, a piece each turn of the event loop, and then cuts
// its long lines in the same way. What is left to do is to show that view's document. UI thread
// only.
#pragma once

#include <Qsci/qsciscintillabase.h>

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "editor/text/buffer.h"
#include "editor/text/result.h"
#include "editor/text/text_file.h"
#include "editor/view/long_lines.h"

namespace waferpair::editor {

// The document that a TextView takes over.
struct PreparedDocument : PreparedView {
  std::unique_ptr<QsciScintillaBase> holder;  // its Scintilla document has the text
  UncutLines uncut;
  bool isCut = false;  // each of these lines shows its beginning, as showStart() has it
};

class TextPreparation : public QObject {
  Q_OBJECT
 public:
  // `done` is called once, in a later turn of the event loop, unless this is deleted before, and
  // this is deleted behind it. The error is that of TextFile::open() or read().
  using Done = std::function<void(const Result<PreparedText>& prepared)>;
  TextPreparation(const QString& path, QObject* parent, Done done);
  // The same of what `read` gives, which runs on a thread; a view is made for it.
  using ReadText = std::function<Result<PreparedText>()>;
  TextPreparation(ReadText read, QObject* parent, Done done);
  ~TextPreparation() override;

 private:
  struct Read;

  void take(Result<Read> read);
  bool isStyled() const;
  void fill();
  void cut();
  void finish();
  void finish(const Result<PreparedText>& prepared);

  Done done_;
  std::unique_ptr<Read> read_;
  std::unique_ptr<PreparedDocument> made_;
  qint64 filled_ = 0;  // bytes
  qsizetype cutLines_ = 0;
  qint64 cutTo_ = 0;  // in the line behind these
  QTimer next_{this};
};

// Whether a document for such a text has styles, which take a byte a byte.
bool hasStyles(SafeMode mode, qint64 longestLine = 0);
// Has `view` show a new, empty Scintilla document with room for so many bytes, as TextView's are.
void makeDocument(QsciScintillaBase* view, qint64 bytes, bool hasStyles);

}  // namespace waferpair::editor
