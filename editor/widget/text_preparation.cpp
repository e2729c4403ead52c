// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/text_preparation.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <utility>

#include "editor/widget/long_lines.h"

namespace waferpair::editor {
namespace {

using Sci = QsciScintillaBase;

constexpr qint64 kFillBytes = 1 << 20;  // a turn
constexpr qint64 kRoom = 1 << 20;       // bytes that a document can grow by at once

}  // namespace

bool hasStyles(SafeMode mode, qint64 longestLine) {
  // Without styles no part of a long line could be hidden.
  return mode == SafeMode::kHuge ? longestLine > kLongLine : mode != SafeMode::kRaw;
}

void makeDocument(QsciScintillaBase* view, qint64 bytes, bool hasStyles) {
  // The option is in Scintilla.h with this value, though not in QScintilla's list of constants
  // in every version: a byte per byte is saved where nothing is highlighted.
  constexpr long kNoStyles = 1;
  const long document =
      view->SendScintilla(Sci::SCI_CREATEDOCUMENT, static_cast<unsigned long>(bytes + kRoom),
                          hasStyles ? 0L : kNoStyles);
  view->SendScintilla(Sci::SCI_SETDOCPOINTER, 0UL, document);
  view->SendScintilla(Sci::SCI_RELEASEDOCUMENT, 0UL, document);
  view->SendScintilla(Sci::SCI_SETCODEPAGE, Sci::SC_CP_UTF8);
  view->SendScintilla(Sci::SCI_SETUNDOCOLLECTION, 0UL);
}

struct TextPreparation::Read {
  TextFile file;
  Snapshot text;
  qint64 longestLine = 0;
};

TextPreparation::TextPreparation(const QString& path, QObject* parent, Done done)
    : QObject(parent), done_(std::move(done)) {
  next_.setSingleShot(true);
  next_.setInterval(0);
  connect(&next_, &QTimer::timeout, this, &TextPreparation::fill);
  QThreadPool::globalInstance()->start([self = QPointer<TextPreparation>(this), path] {
    const auto read = std::make_shared<Result<Read>>();
    *read = TextFile::open(path).and_then([](TextFile file) {
      return file.readText().map([&file](const Snapshot& text) {
        LongestLine longest;
        text.read(0, text.size(), [&](QByteArrayView piece) { longest.feed(piece); });
        return Read{std::move(file), text, longest.bytes()};
      });
    });
    // Whoever wanted it may be gone by then.
    QMetaObject::invokeMethod(qApp, [self, read] {
      if (self) self->take(read);
    });
  });
}

TextPreparation::~TextPreparation() = default;

void TextPreparation::finish(const Result<PreparedText>& prepared) {
  deleteLater();
  std::exchange(done_, {})(prepared);
}

void TextPreparation::take(const std::shared_ptr<Result<Read>>& read) {
  if (!*read) return finish(tl::unexpected<Error>(read->error()));
  read_ = std::make_unique<Read>(std::move(**read));
  made_ = std::make_unique<PreparedDocument>();
  made_->holder = std::make_unique<QsciScintillaBase>();
  made_->longestLine = read_->longestLine;
  made_->holder->SendScintilla(Sci::SCI_SETMODEVENTMASK, 0UL);
  makeDocument(made_->holder.get(), read_->text.size(),
               hasStyles(read_->file.safeMode(), read_->longestLine));
  next_.start();
}

void TextPreparation::fill() {
  const QByteArray piece = read_->text.slice(filled_, filled_ + kFillBytes);
  made_->holder->SendScintilla(Sci::SCI_APPENDTEXT, static_cast<uintptr_t>(piece.size()),
                               piece.constData());
  filled_ += piece.size();
  if (filled_ < read_->text.size()) return next_.start();
  finish(PreparedText{std::move(read_->file), read_->text, std::move(made_)});
}

}  // namespace waferpair::editor
