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

#include "editor/text/size_text.h"
#include "editor/widget/word.h"
#include "gui/documents/document.h"
#include "gui/documents/image_view.h"
#include "gui/kit/markdown_look.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

using editor::CodeEditor;
using Sci = QsciScintillaBase;

constexpr std::chrono::milliseconds kRenderPause(150);
constexpr double kPageMargin = 18;  // pixels

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
  const QScopedValueRollback scrolling(scrolling_, true);
  const int place = verticalScrollBar()->value();
  auto* made = new QTextDocument(this);
  made->setDefaultFont(font());
  made->setDocumentMargin(kPageMargin);
  made->setBaseUrl(QUrl::fromLocalFile(document_->path()));
  if (text.size() > kMostRendered) {
    made->setPlainText(tr("This text has %1, more than is previewed (%2).")
                           .arg(editor::sizeText(text.size()), editor::sizeText(kMostRendered)));
  } else {
    fillMarkdown(made, QString::fromUtf8(text.toByteArray()));
  }
  styleMarkdown(made);
  const QPointer<QTextDocument> before = QTextBrowser::document();
  setDocument(made);
  delete before;
  verticalScrollBar()->setValue(place);
}

QVariant MarkdownPreview::loadResource(int type, const QUrl& name) {
  if (type != QTextDocument::ImageResource || document_->path().isEmpty()) return {};
  const QUrl address = QUrl::fromLocalFile(document_->path()).resolved(name);
  if (!address.isLocalFile()) return {};
  const LoadedImage image = loadImage(address.toLocalFile());
  if (image.image.isNull()) return {};
  const int room = std::max(100, viewport()->width() - static_cast<int>(4 * kPageMargin));
  return image.image.width() > room ? image.image.scaledToWidth(room, Qt::SmoothTransformation)
                                    : image.image;
}

void MarkdownPreview::follow(const QUrl& link) {
  if (link.isRelative() && link.path().isEmpty() && link.hasFragment()) {
    const auto top = headingTop(*QTextBrowser::document(), link.fragment());
    if (top) verticalScrollBar()->setValue(*top);
    return;
  }
  const QUrl base = QUrl::fromLocalFile(document_->path());
  const QUrl address = document_->path().isEmpty() ? link : base.resolved(link);
  if (address.isLocalFile()) {
    Q_EMIT fileWanted(address.toLocalFile());
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
  if (scrolling_) return;
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
  if (scrolling_) return;
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

}  // namespace waferpair::gui
