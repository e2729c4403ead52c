// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/text_preparation.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <utility>

#include "editor/view/layout_pieces.h"

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
  PreparedText text;  // without a view
  UncutLines uncut;
};

TextPreparation::TextPreparation(const QString& path, QObject* parent, Done done)
    : TextPreparation(
          [path] {
            return TextFile::open(path).and_then([](TextFile file) {
              return file.readText().map([&file](const Snapshot& text) {
                return PreparedText{.file = std::move(file), .text = text};
              });
            });
          },
          parent, std::move(done)) {}

TextPreparation::TextPreparation(ReadText read, QObject* parent, Done done)
    : QObject(parent), done_(std::move(done)) {
  next_.setSingleShot(true);
  next_.setInterval(0);
  connect(&next_, &QTimer::timeout, this, &TextPreparation::fill);
  QThreadPool::globalInstance()->start([self = QPointer<TextPreparation>(this),
                                        read = std::move(read)] {
    const auto made = std::make_shared<Result<Read>>(read().map([](PreparedText text) {
      UncutLines uncut;
      text.text.read(0, text.text.size(), [&uncut](QByteArrayView piece) { uncut.feed(piece); });
      uncut.finish();
      return Read{std::move(text), std::move(uncut)};
    }));
    // Whoever wanted it may be gone by then.
    QMetaObject::invokeMethod(qApp, [self, made] {
      if (self) self->take(std::move(*made));
    });
  });
}

TextPreparation::~TextPreparation() = default;

void TextPreparation::finish(const Result<PreparedText>& prepared) {
  deleteLater();
  std::exchange(done_, {})(prepared);
}

void TextPreparation::take(Result<Read> read) {
  if (!read) return finish(tl::unexpected<Error>(read.error()));
  read_ = std::make_unique<Read>(std::move(*read));
  made_ = std::make_unique<PreparedDocument>();
  made_->holder = std::make_unique<QsciScintillaBase>();
  made_->uncut = read_->uncut;
  made_->holder->SendScintilla(Sci::SCI_SETMODEVENTMASK, 0UL);
  makeDocument(made_->holder.get(), read_->text.text.size(), isStyled());
  next_.start();
}

bool TextPreparation::isStyled() const {
  return hasStyles(read_->text.file.safeMode(), read_->uncut.longest());
}

void TextPreparation::fill() {
  const Snapshot& text = read_->text.text;
  const QByteArray piece = text.slice(filled_, filled_ + kFillBytes);
  made_->holder->SendScintilla(Sci::SCI_APPENDTEXT, static_cast<uintptr_t>(piece.size()),
                               piece.constData());
  filled_ += piece.size();
  if (filled_ < text.size()) return next_.start();
  // A text without lines over kLongLine is highlighted, and one without styles shows all.
  if (read_->uncut.longest() <= kLongLine || !isStyled()) return finish();
  disconnect(&next_, &QTimer::timeout, this, &TextPreparation::fill);
  connect(&next_, &QTimer::timeout, this, &TextPreparation::cut);
  next_.start();
}

void TextPreparation::cut() {
  const QVector<ByteRange>& lines = read_->uncut.lines();
  // Whoever waits for it lays it out, and gets a turn for that.
  if (cutLines_ == lines.size()) return finish();
  for (qint64 left = kFillBytes; left > 0 && cutLines_ < lines.size();) {
    const ByteRange& line = lines[cutLines_];
    const qint64 from = std::max(cutTo_, line.start);
    // What is shown is cut at once, where characters end.
    cutTo_ = std::min(std::max(from + left, line.start + kLongLine), line.end);
    showStart(made_->holder.get(), line, static_cast<long>(from), static_cast<long>(cutTo_));
    left -= cutTo_ - from;
    if (cutTo_ == line.end) ++cutLines_;
  }
  made_->isCut = cutLines_ == lines.size();
  next_.start();
}

void TextPreparation::finish() {
  read_->text.view = std::move(made_);
  finish(std::move(read_->text));
}

}  // namespace waferpair::editor
