// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/context_meter.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>

#include "gui/kit/theme.h"
#include "gui/model/model_facts.h"

namespace waferpair::gui {
namespace {

constexpr int kBarWidth = 40;
constexpr int kBarHeight = 6;
constexpr int kMeterGap = 6;
constexpr int kMeterRounding = 4;  // letters need not be of whole pixels

}  // namespace

ContextMeter::ContextMeter(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("contextMeter"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
  setUse({});
}

void ContextMeter::setUse(const pairing::ContextUse& use) {
  use_ = use;
  describe();
}

void ContextMeter::setProblem(const editor::Error& problem) {
  problem_ = problem;
  describe();
}

void ContextMeter::describe() {
  setToolTip(details());
  setAccessibleName(tr("Context: %1").arg(text()));
  setAccessibleDescription(details());
  updateGeometry();
  update();
}

QString ContextMeter::text() const {
  return tr("%1 of %2").arg(contextText(use_.used()), contextText(use_.limit));
}

QString ContextMeter::details() const {
  const QLocale locale;
  const auto part = [&locale](const QString& name, qint64 tokens) {
    return QStringLiteral("%1: %2").arg(name, locale.toString(tokens));
  };
  QStringList lines{
      tr("Tokens of the model's context, estimated"), part(tr("Instructions"), use_.instructions),
      part(tr("Files and what else goes along"), use_.files),
      part(tr("What is asked"), use_.question), part(tr("Kept free for the answer"), use_.answer)};
  // Not every request has these.
  const std::pair<QString, qint64> others[] = {
      {tr("Summary of early messages"), use_.summary},
      {tr("Earlier messages"), use_.history},
      {tr("Plan, and what its commands printed"), use_.plan}};
  for (const auto& [name, tokens] : others)
    if (tokens > 0) lines.append(part(name, tokens));
  lines.append(use_.isLimitKnown ? part(tr("In all there is room for"), use_.limit)
                                 : tr("The model does not say how much it takes; %1 are assumed.")
                                       .arg(locale.toString(use_.limit)));
  if (use_.messagesSummarized > 0)
    lines.append(tr("The summary stands for %1 messages.").arg(use_.messagesSummarized));
  if (use_.messagesLeftOut > 0)
    lines.append(
        tr("%1 early messages are not sent: there is no room for them.").arg(use_.messagesLeftOut));
  if (!problem_.what.isEmpty())
    lines.append(tr("Early messages were not summarized: %1").arg(problem_.message()));
  return lines.join(u'\n');
}

QSize ContextMeter::sizeHint() const {
  return {kBarWidth + kMeterGap + fontMetrics().horizontalAdvance(text()) + kMeterRounding,
          std::max(fontMetrics().height(), kBarHeight)};
}

QSize ContextMeter::minimumSizeHint() const { return sizeHint(); }

void ContextMeter::paintEvent(QPaintEvent*) {
  const WindowColors& colors = Theme::instance().colors();
  QPainter painter(this);
  const QRect bar(0, (height() - kBarHeight) / 2, kBarWidth, kBarHeight);
  painter.fillRect(bar, colors.border);
  const bool isFull = use_.used() + use_.answer > use_.limit;
  const std::pair<qint64, QColor> parts[] = {
      {use_.instructions, colors.faint},
      {use_.summary + use_.history + use_.plan, colors.muted},
      {use_.files, isFull ? colors.warning : colors.accent},
      {use_.question, colors.success},
  };
  double left = bar.left();
  const double most = bar.left() + bar.width();
  for (const auto& [tokens, color] : parts) {
    double width = bar.width() * static_cast<double>(tokens) / static_cast<double>(use_.limit);
    // A part is seen however small it is.
    if (tokens > 0) width = std::max(width, 1.0);
    width = std::min(width, most - left);
    painter.fillRect(QRectF(left, bar.top(), width, bar.height()), color);
    left += width;
  }
  painter.setPen(isFull ? colors.warning : colors.muted);
  painter.drawText(rect().adjusted(kBarWidth + kMeterGap, 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, text());
}

}  // namespace waferpair::gui
