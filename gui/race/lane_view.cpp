// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/lane_view.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <cmath>

#include "gui/kit/theme.h"
#include "gui/race/contender_box.h"
#include "gui/race/shares_bar.h"
#include "wafer_view/elided_label.h"

namespace waferpair::gui {
namespace {

QLabel* wrapped(const char* name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

QString natureText(const QString& nature) {
  if (nature == u"measured") return LaneView::tr("measured");
  if (nature == u"emulated") return LaneView::tr("emulated");
  if (nature == u"modelled") return LaneView::tr("modelled");
  if (nature == u"published") return LaneView::tr("published");
  return {};
}

}  // namespace

// The way of a lane, and how much of it is done; hatched where only a rate is known.
class LaneView::Track : public QWidget {
 public:
  explicit Track(QWidget* parent) : QWidget(parent) {
    setFixedHeight(14);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }
  void set(double share, bool isHatched) {
    share_ = share;
    isHatched_ = isHatched;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const WindowColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.fillRect(rect(), colors.border);
    const QRectF done(0, 0, width() * share_, height());
    if (isHatched_) {
      painter.fillRect(done, QBrush(colors.accent, Qt::BDiagPattern));
    } else {
      painter.fillRect(done, colors.accent);
    }
  }

 private:
  double share_ = 0;
  bool isHatched_ = false;
};

LaneView::LaneView(int number, QWidget* parent)
    : QFrame(parent),
      box_(new ContenderBox(this)),
      nature_(new QLabel(this)),
      text_(new view::ElidedLabel({}, this)),
      track_(new Track(this)),
      figures_(wrapped("laneFigures", this)),
      trust_(wrapped("laneTrust", this)),
      shares_(new SharesBar(this)) {
  setObjectName(QStringLiteral("lane.%1").arg(number));
  setProperty("role", QStringLiteral("card"));
  setAccessibleName(tr("Lane %1").arg(number));
  box_->setObjectName(QStringLiteral("contender.%1").arg(number));
  box_->setAccessibleName(tr("Contender in lane %1").arg(number));
  nature_->setObjectName(QStringLiteral("laneNature"));
  nature_->setAccessibleName(tr("How its figures came about"));
  text_->setObjectName(QStringLiteral("laneText"));
  text_->setAccessibleName(tr("Text"));
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  figures_->setAccessibleName(tr("Figures"));
  trust_->setAccessibleName(tr("How far to trust them"));
  trust_->setProperty("role", QStringLiteral("muted"));

  auto* column = new QVBoxLayout(this);
  column->setSpacing(5);
  auto* top = new QHBoxLayout;
  top->addWidget(box_, 1);
  top->addWidget(nature_);
  column->addLayout(top);
  column->addWidget(track_);
  column->addWidget(text_);
  column->addWidget(figures_);
  column->addWidget(shares_);
  column->addWidget(trust_);
}

void LaneView::setLane(const RaceLane& lane, const RaceSettings& settings) {
  lane_ = lane;
  const bool used = !lane.contender.isEmpty();
  nature_->setText(natureText(lane.nature));
  nature_->setVisible(!nature_->text().isEmpty());
  figures_->setText(laneFigures(lane, settings));
  const bool known = used && lane.problem.isEmpty() && lane.tokensPerSecond > 0;
  trust_->setText(known ? laneTrust(lane) : QString());
  trust_->setVisible(known);
  shares_->setShares(known ? lane.shares : QVector<ExperimentShare>());
  shares_->setVisible(known && !lane.shares.isEmpty());
  track_->setVisible(used);
  text_->setVisible(used);
  QStringList sources = lane.sources;
  sources.prepend(lane.title);
  setToolTip(used ? sources.join(u'\n') : QString());
  track_->set(output_ > 0 ? tokens_ / output_ : 0, lane.isPace());
  tellPlace();
}

void LaneView::setTokens(double tokens, int output, const QString& text) {
  tokens_ = tokens;
  output_ = output;
  track_->set(output > 0 ? tokens / output : 0, lane_.isPace());
  const int whole = static_cast<int>(std::floor(tokens + 1e-9));
  // As many letters as there are tokens of all; the newest are the ones that are seen.
  const qsizetype letters = output > 0 ? text.size() * whole / output : 0;
  QString shown = text.left(letters).simplified();
  const qsizetype room = qMax(8, text_->width() / qMax(1, fontMetrics().averageCharWidth()) - 22);
  if (shown.size() > room) shown = u'…' + shown.right(room);
  const QString count = tr("%1 of %2 tokens").arg(whole).arg(output);
  text_->setText(shown.isEmpty() ? count : count + QStringLiteral("  ") + shown);
}

void LaneView::tellPlace() {
  QStringList parts;
  parts.append(box_->currentText());
  parts.append(figures_->text());
  parts.append(tr("%1 of %2 tokens").arg(static_cast<int>(tokens_)).arg(output_));
  if (!trust_->text().isEmpty()) parts.append(trust_->text());
  if (!shares_->text().isEmpty()) parts.append(shares_->text());
  setAccessibleDescription(parts.join(QStringLiteral("; ")));
}

}  // namespace waferpair::gui
