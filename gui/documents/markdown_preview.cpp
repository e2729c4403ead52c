// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/markdown_preview.h"

#include <QAbstractTextDocumentLayout>
#include <QDir>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <chrono>
#include <utility>

#include "editor/text/printed_places.h"
#include "editor/text/size_text.h"
#include "editor/view/word.h"
#include "gui/documents/document.h"
#include "gui/kit/markdown_look.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

using editor::CodeEditor;
using Sci = QsciScintillaBase;

constexpr std::chrono::milliseconds kRenderPause(150);
constexpr double kPageMargin = 18;   // pixels
constexpr qsizetype kAtOnce = 8000;  // UTF-16 units that are laid out in one go
constexpr qsizetype kMostPictures = 200;
// Bytes of a text that scrolls with its preview: to find its headings, all of it is laid out.
constexpr qint64 kMostScrolled = 256 << 10;

// The lines of a text that are headings ("# Title"), outside of code between fences.
QVector<double> headingLines(const QByteArray& text) {
  QVector<double> lines;
  bool isCode = false;
  int number = 0;
  for (const QByteArray& raw : text.split('\n')) {
    const QByteArray line = raw.trimmed();
    if (line.startsWith("```") || line.startsWith("~~~")) isCode = !isCode;
    qsizetype signs = 0;
    while (signs < line.size() && line[signs] == '#') ++signs;
    if (!isCode && signs > 0 && signs <= 6 && (signs == line.size() || line[signs] == ' '))
      lines.append(number);
    ++number;
  }
  return lines;
}

}  // namespace

MarkdownPreview::MarkdownPreview(Document* document) : QTextBrowser(document), document_(document) {
  setObjectName(QStringLiteral("markdownPreview"));
  setAccessibleName(tr("Preview of %1").arg(document->title()));
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  connect(this, &QTextBrowser::anchorClicked, this, &MarkdownPreview::follow);
  later_.setSingleShot(true);
  later_.setInterval(kRenderPause);
  connect(&later_, &QTimer::timeout, this, &MarkdownPreview::render);
  more_.setSingleShot(true);
  connect(&more_, &QTimer::timeout, this, &MarkdownPreview::renderMore);
  CodeEditor* text = document->editor();
  connect(text, &CodeEditor::textChanged, &later_, qOverload<>(&QTimer::start));
  connect(text, &CodeEditor::themeChanged, &later_, qOverload<>(&QTimer::start));
  connect(text, &Sci::SCN_UPDATEUI, this, [this](int updated) {
    if ((updated & Sci::SC_UPDATE_V_SCROLL) != 0) scrollWithText();
  });
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &MarkdownPreview::scrollText);
  document->setBeside(this, Qt::RightEdge);
  render();
}

void MarkdownPreview::render() {
  later_.stop();
  const editor::Snapshot text = document_->text();
  if (text.size() > kMostRendered) {
    pieces_ = {{tr("This text has %1, more than is previewed (%2).")
                    .arg(editor::sizeText(text.size()), editor::sizeText(kMostRendered)),
                true}};
  } else {
    pieces_ = editor::prosePieces(QString::fromUtf8(text.toByteArray()));
  }
  for (auto it = pictures_.begin(); it != pictures_.end();)
    it = it->isCurrent(it.key()) ? std::next(it) : pictures_.erase(it);
  delete made_;
  made_ = new QTextDocument(this);
  made_->setDefaultFont(font());
  made_->setDocumentMargin(kPageMargin);
  made_->setBaseUrl(QUrl::fromLocalFile(document_->path()));
  rendered_ = 0;
  renderMore();
}

// A long text comes over several turns of the events, and is shown as a whole.
void MarkdownPreview::renderMore() {
  for (qsizetype size = 0; rendered_ < pieces_.size() && size < kAtOnce; ++rendered_) {
    editor::appendProse(made_, pieces_[rendered_], editor::Pictures::kAsked, styleMarkdown);
    size += pieces_[rendered_].text.size();
  }
  if (rendered_ < pieces_.size()) return more_.start();
  const QScopedValueRollback scrolling(scrolling_, true);
  const int place = verticalScrollBar()->value();
  const QPointer<QTextDocument> before = QTextBrowser::document();
  setDocument(std::exchange(made_, nullptr));
  delete before;
  verticalScrollBar()->setValue(place);
}

// -- Pictures

QVariant MarkdownPreview::loadResource(int, const QUrl& name) { return picture(name); }

bool MarkdownPreview::Picture::isCurrent(const QString& path) const {
  const QFileInfo info(path);
  return info.lastModified() == changed && info.size() == size;
}

// Nothing, until it was read on a thread.
QImage MarkdownPreview::picture(const QUrl& name) {
  const QImage nothing = editor::noPicture();
  const QUrl address = QUrl::fromLocalFile(document_->path()).resolved(name);
  if (document_->path().isEmpty() || !address.isLocalFile()) return nothing;
  const QString path = address.toLocalFile();
  if (const auto known = pictures_.constFind(path); known != pictures_.cend())
    return known->image.isNull() ? nothing : known->image;
  if (pictures_.size() >= kMostPictures) return nothing;
  const QFileInfo info(path);
  pictures_.insert(path, {{}, info.lastModified(), info.size()});
  ++loading_;
  const int room = std::max(100, viewport()->width() - static_cast<int>(4 * kPageMargin));
  const auto load = [path, room] {
    LoadedImage loaded = loadImage(path);
    if (loaded.image.width() > room)
      loaded.image = loaded.image.scaledToWidth(room, Qt::SmoothTransformation);
    return loaded;
  };
  loadInBackground(load, this, [this, path](const LoadedImage& loaded) {
    --loading_;
    const auto known = pictures_.find(path);
    if (known == pictures_.end() || loaded.image.isNull()) return;
    qint64 pixels = qint64{loaded.image.width()} * loaded.image.height();
    for (const Picture& each : std::as_const(pictures_))
      pixels += qint64{each.image.width()} * each.image.height();
    if (pixels > kMostPixels) return;
    known->image = loaded.image;
    // Laid out anew, from the top on and step by step.
    QTextBrowser::document()->setTextWidth(QTextBrowser::document()->textWidth());
  });
  return nothing;
}

void MarkdownPreview::follow(const QUrl& link) {
  if (link.isRelative() && link.path().isEmpty() && link.hasFragment()) {
    const auto top = headingTop(*QTextBrowser::document(), link.fragment());
    if (top) verticalScrollBar()->setValue(*top);
    return;
  }
  if (!document_->path().isEmpty()) {
    const QString folder = QFileInfo(document_->path()).path();
    const auto found = [&folder](const QString& path) {
      QFileInfo file(QDir(folder), path);
      if (!file.exists())
        if (const QString other = editor::fileOfAnyCase(folder, path); !other.isEmpty())
          file.setFile(QDir(folder), other);
      return file.exists() ? QDir::cleanPath(file.absoluteFilePath()) : QString();
    };
    // A name with a line, "a.cpp:12", reads as an address of its own scheme.
    if (const auto place = editor::linkedPlace(
            link.toString(), [&found](const QString& path) { return !found(path).isEmpty(); }))
      return Q_EMIT fileWanted(found(place->path), place->line, place->column);
  }
  const QUrl base = QUrl::fromLocalFile(document_->path());
  const QUrl address = document_->path().isEmpty() ? link : base.resolved(link);
  if (address.isLocalFile()) {
    Q_EMIT fileWanted(address.toLocalFile(), 0, 0);
  } else if (address.scheme() == QLatin1String("http") ||
             address.scheme() == QLatin1String("https")) {
    Q_EMIT addressWanted(address);
  }
}

// -- Scrolling together

void MarkdownPreview::findHeadings() {
  const QVector<double> lines = headingLines(document_->text().toByteArray());
  QVector<double> tops;
  const QTextDocument* shown = QTextBrowser::document();
  for (QTextBlock block = shown->begin(); block.isValid(); block = block.next())
    if (block.blockFormat().headingLevel() > 0)
      tops.append(shown->documentLayout()->blockBoundingRect(block).top());
  places_ = {{0, 0}};
  // Where the two do not agree (headings that are underlined), only beginning and end do.
  if (lines.size() == tops.size())
    for (qsizetype i = 0; i < lines.size(); ++i)
      if (lines[i] > places_.last().line && tops[i] > places_.last().y)
        places_.append({lines[i], tops[i]});
  const double end = std::max(places_.last().line + 1, document_->editor()->lineCount() - 1.0);
  places_.append({end, std::max(places_.last().y + 1, verticalScrollBar()->maximum() + 0.0)});
}

void MarkdownPreview::scrollWithText() {
  if (scrolling_ || document_->text().size() > kMostScrolled) return;
  const QScopedValueRollback scrolling(scrolling_, true);
  findHeadings();
  const CodeEditor* text = document_->editor();
  const auto line = static_cast<double>(text->sci(
      Sci::SCI_DOCLINEFROMVISIBLE, editor::word(text->sci(Sci::SCI_GETFIRSTVISIBLELINE))));
  for (qsizetype i = 1; i < places_.size(); ++i) {
    const Place& a = places_[i - 1];
    const Place& b = places_[i];
    if (line > b.line && i + 1 < places_.size()) continue;
    const double part = std::clamp((line - a.line) / (b.line - a.line), 0.0, 1.0);
    verticalScrollBar()->setValue(static_cast<int>(a.y + part * (b.y - a.y)));
    return;
  }
}

void MarkdownPreview::scrollText() {
  if (scrolling_ || document_->text().size() > kMostScrolled) return;
  const QScopedValueRollback scrolling(scrolling_, true);
  findHeadings();
  const double y = verticalScrollBar()->value();
  for (qsizetype i = 1; i < places_.size(); ++i) {
    const Place& a = places_[i - 1];
    const Place& b = places_[i];
    if (y > b.y && i + 1 < places_.size()) continue;
    const double part = std::clamp((y - a.y) / (b.y - a.y), 0.0, 1.0);
    const CodeEditor* text = document_->editor();
    const auto line = static_cast<qint64>(a.line + part * (b.line - a.line));
    text->sci(Sci::SCI_SETFIRSTVISIBLELINE,
              editor::word(text->sci(Sci::SCI_VISIBLEFROMDOCLINE, editor::word(line))));
    return;
  }
}

QString MarkdownPreview::busyWith() const {
  return isLoading() ? QStringLiteral("loading pictures") : QString();
}

}  // namespace waferpair::gui
