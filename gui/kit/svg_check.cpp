// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/svg_check.h"

#include <QBuffer>
#include <QHash>
#include <QImageReader>
#include <QUrl>
#include <QVector>
#include <QXmlStreamReader>
#include <algorithm>

#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostText = 8 << 20;     // bytes
constexpr qsizetype kMostElements = 50'000;  // drawn, each as often as it is used
constexpr qint64 kMostInnerPixels = 16'000'000;

// An element with all that is in it.
struct Element {
  QVector<qsizetype> inner;
  QString uses;             // the id of what it repeats
  qsizetype drawn = -1;     // elements; -1: not counted yet
  bool isCounting = false;  // a circle is drawn by nobody
};

class Elements {
 public:
  void begin(const QXmlStreamAttributes& attributes, bool isUse) {
    const qsizetype number = all_.size();
    if (!open_.isEmpty()) all_[open_.last()].inner.append(number);
    all_.append(Element());
    open_.append(number);
    byId_.insert(attributes.value(QLatin1String("id")).toString(), number);
    if (!isUse) return;
    for (const QXmlStreamAttribute& each : attributes)
      if (each.name() == QLatin1String("href")) all_[number].uses = each.value().mid(1).toString();
  }
  void end() { open_.removeLast(); }
  qsizetype size() const { return all_.size(); }
  bool isTooMuch() { return !all_.isEmpty() && drawnBy(0, 0) > kMostElements; }

 private:
  qsizetype drawnBy(qsizetype number, int depth) {
    Element& element = all_[number];
    if (element.drawn >= 0) return element.drawn;
    if (element.isCounting) return 0;
    if (depth > kDeepest) return kMostElements + 1;
    element.isCounting = true;
    qsizetype drawn = 1;
    for (const qsizetype each : std::as_const(element.inner)) drawn += drawnBy(each, depth + 1);
    if (const auto used = byId_.constFind(element.uses);
        !element.uses.isEmpty() && used != byId_.cend())
      drawn += drawnBy(*used, depth + 1);
    element.isCounting = false;
    return element.drawn = std::min(drawn, kMostElements + 1);
  }

  static constexpr int kDeepest = 500;
  QVector<Element> all_;
  QVector<qsizetype> open_;
  QHash<QString, qsizetype> byId_;
};

tl::unexpected<editor::Error> refusedSvg(const QString& why) {
  return editor::fail(tr("This picture is not drawn: %1.").arg(why),
                      tr("Open it in another program if you trust it."));
}

// A picture within the picture, of pixels.
bool isHarmlessData(const QString& address) {
  if (!address.startsWith(QLatin1String("data:"), Qt::CaseInsensitive)) return false;
  const qsizetype comma = address.indexOf(u',');
  if (comma < 0 || !address.first(comma).endsWith(QLatin1String(";base64"))) return false;
  QByteArray bytes = QByteArray::fromBase64(address.mid(comma + 1).toLatin1());
  QBuffer buffer(&bytes);
  buffer.open(QBuffer::ReadOnly);
  QImageReader reader(&buffer);
  static const QList<QByteArray> kOfPixels = {"png", "jpeg", "jpg", "gif", "webp", "bmp"};
  const QSize size = reader.size();
  return kOfPixels.contains(reader.format()) &&
         qint64{size.width()} * size.height() <= kMostInnerPixels;
}

}  // namespace

editor::Result<void> checkSvg(const QByteArray& text) {
  if (text.startsWith("\x1f\x8b")) return refusedSvg(tr("it is compressed"));
  if (text.size() > kMostText) return refusedSvg(tr("it is longer than 8 MiB"));
  Elements elements;
  QXmlStreamReader xml(text);
  while (!xml.atEnd()) {
    switch (xml.readNext()) {
      case QXmlStreamReader::ProcessingInstruction:
        if (xml.processingInstructionTarget() == QLatin1String("xml-stylesheet"))
          return refusedSvg(tr("it names another file for its looks"));
        break;
      case QXmlStreamReader::EndElement:
        elements.end();
        break;
      case QXmlStreamReader::StartElement: {
        if (elements.size() >= kMostElements) return refusedSvg(tr("it has too much in it"));
        const bool isLink = xml.name() == QLatin1String("a");
        const QXmlStreamAttributes attributes = xml.attributes();
        for (const QXmlStreamAttribute& each : attributes) {
          if (isLink || each.name() != QLatin1String("href")) continue;
          const QString address = each.value().trimmed().toString();
          if (!address.startsWith(u'#') && !isHarmlessData(address))
            return refusedSvg(tr("it names another file, %1").arg(address.left(80)));
        }
        elements.begin(attributes, xml.name() == QLatin1String("use"));
        break;
      }
      default:
        break;
    }
  }
  if (elements.isTooMuch()) return refusedSvg(tr("it repeats its parts too often"));
  return {};
}

}  // namespace waferpair::gui
