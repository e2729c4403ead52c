// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/token_window.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QStringList>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>

#include "gui/client/token_explainer.h"
#include "gui/kit/dialog_size.h"
#include "gui/kit/icons.h"
#include "gui/wafer/cutout_page.h"
#include "gui/wafer/op_page.h"
#include "wafer_view/band_text.h"
#include "wafer_view/way_map.h"

namespace waferpair::gui {
namespace {

constexpr int kTickMs = 33;
constexpr int kOpMs = 60;
constexpr double kPlaySeconds = 20;  // that the whole of it takes
constexpr QSize kRoomy(1060, 720);

// A token's text so that it can be seen: blanks and line ends as signs.
QString shownText(const std::string& text) {
  if (text.empty()) return TokenWindow::tr("end of text");
  QString shown = QString::fromStdString(text);
  shown.replace(u' ', QChar(0x2423)).replace(u'\n', QChar(0x21b5)).replace(u'\t', QChar(0x21e5));
  shown.remove(u'\r');
  return shown;
}

QString percent(double probability) {
  const double share = 100 * probability;
  return QLocale().toString(share, 'f', share < 1 ? 2 : 1) + QStringLiteral(" %");
}

}  // namespace

TokenWindow::TokenWindow(TokenExplainer* explainer, QWidget* parent)
    : QDialog(parent), explainer_(explainer) {
  setObjectName(QStringLiteral("tokenWindow"));
  setWindowTitle(tr("One Token's Way"));
  setAccessibleName(windowTitle());
  setWindowFlag(Qt::WindowMaximizeButtonHint);
  build();
  resizeWithin(this, kRoomy);
  opSoon_.setSingleShot(true);
  opSoon_.setInterval(kOpMs);
  connect(&opSoon_, &QTimer::timeout, this, &TokenWindow::askForOp);
  clock_.setInterval(kTickMs);
  connect(&clock_, &QTimer::timeout, this, &TokenWindow::tick);
  connect(explainer, &TokenExplainer::tokenExplained, this, &TokenWindow::showWay);
  connect(explainer, &TokenExplainer::failed, this, &TokenWindow::showProblem);
  connect(explainer, &TokenExplainer::opExplained, this, [this](const protocol::OpWay& op) {
    if (!way_ || op.completion != way_->completion || op.token != way_->token || op.op != op_)
      return;
    block_->showOp(op, *way_);
    showOffset();
  });
}

void TokenWindow::build() {
  tokens_ = new QListWidget;
  tokens_->setObjectName(QStringLiteral("tokens"));
  tokens_->setAccessibleName(tr("Tokens of the suggestion"));
  tokens_->setFlow(QListView::LeftToRight);
  tokens_->setWrapping(true);
  tokens_->setResizeMode(QListView::Adjust);
  tokens_->setSpacing(2);
  tokens_->setMaximumHeight(66);
  connect(tokens_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row >= 0 && way_ && row != way_->token) explainer_->explainToken(way_->completion, row);
  });

  map_ = new view::WayMap;
  block_ = new OpPage;
  cutout_ = new CutoutPage(explainer_);
  depths_ = new QTabWidget;
  depths_->setObjectName(QStringLiteral("tokenDepths"));
  depths_->setAccessibleName(tr("Depth"));
  depths_->addTab(map_, tr("&Wafer"));
  depths_->addTab(block_, tr("&Block"));
  depths_->addTab(cutout_, tr("&PE"));
  connect(depths_, &QTabWidget::currentChanged, this, &TokenWindow::depthChanged);
  connect(map_, &view::WayMap::cycleWanted, this, &TokenWindow::setCycle);
  connect(cutout_, &CutoutPage::ran, this, &TokenWindow::depthChanged);
  connect(cutout_, &CutoutPage::cycleWanted, this, [this](qint64 cycle) {
    setPlaying(false);
    setCycle(cycle);
  });

  auto* parts = new QSplitter;
  parts->setChildrenCollapsible(false);
  parts->addWidget(makeFacts());
  parts->addWidget(depths_);
  parts->setStretchFactor(0, 0);
  parts->setStretchFactor(1, 1);
  parts->setSizes({300, 760});
  auto* column = new QVBoxLayout(this);
  column->addWidget(tokens_);
  column->addWidget(parts, 1);
  column->addLayout(makeTimeRow());
}

QWidget* TokenWindow::makeFacts() {
  auto* side = new QWidget;
  side->setMinimumWidth(200);
  facts_ = new QLabel;
  facts_->setObjectName(QStringLiteral("tokenFacts"));
  facts_->setAccessibleName(tr("How it came about"));
  facts_->setWordWrap(true);
  facts_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  problem_ = new QLabel;
  problem_->setObjectName(QStringLiteral("tokenProblem"));
  problem_->setWordWrap(true);
  problem_->hide();
  alternatives_ = new QTableWidget(0, 2);
  alternatives_->setObjectName(QStringLiteral("tokenAlternatives"));
  alternatives_->setAccessibleName(tr("The likeliest tokens"));
  alternatives_->setHorizontalHeaderLabels({tr("The likeliest"), tr("Probability")});
  alternatives_->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  alternatives_->horizontalHeaderItem(1)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  alternatives_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  alternatives_->setSelectionBehavior(QAbstractItemView::SelectRows);
  alternatives_->setTabKeyNavigation(false);
  alternatives_->verticalHeader()->hide();
  alternatives_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  alternatives_->setMaximumHeight(190);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 6, 6, 0);
  column->addWidget(problem_);
  column->addWidget(facts_);
  column->addWidget(alternatives_);
  column->addStretch(1);
  return side;
}

QLayout* TokenWindow::makeTimeRow() {
  play_ = new QToolButton;
  play_->setObjectName(QStringLiteral("tokenPlay"));
  play_->setText(tr("Play"));
  play_->setIcon(icon(QStringLiteral("play")));
  play_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  play_->setCheckable(true);
  play_->setToolTip(tr("Play it in slow motion, in 20 seconds"));
  connect(play_, &QToolButton::toggled, this, &TokenWindow::setPlaying);
  time_ = new QSlider(Qt::Horizontal);
  time_->setObjectName(QStringLiteral("tokenCycle"));
  time_->setAccessibleName(tr("Cycle"));
  connect(time_, &QSlider::valueChanged, this, &TokenWindow::slid);
  ops_ = new QComboBox;
  ops_->setObjectName(QStringLiteral("tokenOp"));
  ops_->setAccessibleName(tr("Op"));
  ops_->setToolTip(tr("Go to where this op begins"));
  ops_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  ops_->setMinimumContentsLength(14);
  connect(ops_, &QComboBox::activated, this, [this](int op) {
    setPlaying(false);
    if (!way_) return;
    cycle_ = std::max<qint64>(0, way_->ops[static_cast<std::size_t>(op)].start);
    setOp(op);
    depthChanged();
  });
  place_ = new QLabel;
  place_->setObjectName(QStringLiteral("tokenPlace"));
  place_->setMinimumWidth(170);
  auto* row = new QHBoxLayout;
  row->addWidget(play_);
  row->addWidget(time_, 1);
  row->addWidget(place_);
  row->addWidget(ops_);
  return row;
}

TokenWindow::Depth TokenWindow::depth() const {
  return static_cast<Depth>(depths_->currentIndex());
}

void TokenWindow::explain(editor::RequestId completion, qint64 byte) {
  problem_->hide();
  explainer_->explainAt(completion, byte);
}

void TokenWindow::showWay(const protocol::TokenWay& way) {
  setPlaying(false);
  way_ = way;
  problem_->hide();
  showTokens();
  showFacts();
  showAlternatives();
  map_->setWay(way);
  block_->clear();
  {
    const QSignalBlocker quiet(ops_);
    ops_->clear();
    for (std::size_t op = 0; op < way.ops.size(); ++op)
      ops_->addItem(QString::fromStdString(way.layout.ops[op].name));
  }
  cycle_ = 0;
  setOp(0);
  depthChanged();
}

void TokenWindow::showTokens() {
  const QSignalBlocker quiet(tokens_);
  tokens_->clear();
  for (const protocol::TokenPiece& piece : way_->tokens) tokens_->addItem(shownText(piece.text));
  tokens_->setCurrentRow(way_->token);
}

void TokenWindow::showFacts() {
  const protocol::TokenWay& way = *way_;
  const QLocale locale;
  QStringList lines;
  lines += tr("Token %L1 of %L2: %3")
               .arg(way.token + 1)
               .arg(way.tokens.size())
               .arg(shownText(way.tokens[static_cast<std::size_t>(way.token)].text));
  // Copying adds to a token's logit: it makes what the network gave many times as likely.
  const bool copied = way.probability > 2 * way.network;
  if (way.drafted)
    lines += tr("Drafted: it was guessed, and the step verified it.");
  else if (copied)
    lines += tr("Copied: it follows what followed the same text elsewhere.");
  else
    lines += tr("Computed: the model's own choice.");
  if (way.contested) lines += tr("Its line won against others that competed.");
  lines += tr("Probability %1; the network alone gave it %2.")
               .arg(percent(way.probability), percent(way.network));
  lines += QString();
  lines += tr("On this computer, measured");
  lines += way.draftedRows > 0
               ? tr("Step of %L1 rows at position %L2, %L3 of them guesses, %L4 right.")
                     .arg(way.rows)
                     .arg(way.context)
                     .arg(way.draftedRows)
                     .arg(way.acceptedRows)
               : tr("Step of %n row(s) at position %L1.", nullptr, way.rows).arg(way.context);
  if (way.lines > 1) lines += tr("Lines that competed in it: %L1.").arg(way.lines);
  if (way.hostMs > 0) lines += tr("%1 ms").arg(locale.toString(way.hostMs, 'f', 2));
  lines += QString();
  lines += tr("On the wafer, emulated");
  if (!way.layout.shadowOf.empty())
    lines += tr("Of the shadow %1: placement and cycles are its own, the text is %2's.")
                 .arg(QString::fromStdString(way.layout.model),
                      QString::fromStdString(way.layout.shadowOf));
  const double microseconds =
      1e6 * static_cast<double>(way.cycles) / std::max(1.0, way.layout.clockHz);
  lines += tr("%L1 cycles, %2 µs at %3 GHz, profile %4.")
               .arg(way.cycles)
               .arg(locale.toString(microseconds, 'f', 1),
                    locale.toString(way.layout.clockHz / 1e9, 'g', 4),
                    QString::fromStdString(way.layout.profile));
  if (way.layout.band) lines += tr("The profile: %1.").arg(view::bandText(*way.layout.band));
  if (way.waferSteps > 1)
    lines += tr("Step %L1 of %L2 that the wafer takes for this computer's one.")
                 .arg(way.waferStep + 1)
                 .arg(way.waferSteps);
  if (way.waferRows > 1)
    lines += (way.gemm ? tr("Its %L1 rows go as one product.")
                       : tr("Its %L1 rows follow one another; the token is of row %L2."))
                 .arg(way.waferRows)
                 .arg(way.waferRow + 1);
  facts_->setText(lines.join(u'\n'));
  facts_->setAccessibleDescription(facts_->text());
}

void TokenWindow::showAlternatives() {
  alternatives_->setRowCount(static_cast<int>(way_->alternatives.size()));
  for (int row = 0; row < alternatives_->rowCount(); ++row) {
    const protocol::TokenAlternative& one = way_->alternatives[static_cast<std::size_t>(row)];
    auto* text = new QTableWidgetItem(shownText(one.text));
    auto* share = new QTableWidgetItem(percent(one.probability));
    share->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    if (one.chosen) {
      QFont bold = font();
      bold.setBold(true);
      text->setFont(bold);
      share->setFont(bold);
      text->setData(Qt::AccessibleTextRole, tr("%1, chosen").arg(text->text()));
    }
    alternatives_->setItem(row, 0, text);
    alternatives_->setItem(row, 1, share);
  }
}

void TokenWindow::showProblem(const editor::Error& problem, bool cutout) {
  if (cutout) return cutout_->showProblem(problem.message());
  if (!isVisible()) return;
  problem_->setText(problem.message());
  problem_->show();
}

qint64 TokenWindow::cycles() const {
  if (depth() == Depth::kPe) return cutout_->cycles();
  return way_ ? way_->cycles : 0;
}

// The slider is over the step's cycles, or the cut-out's.
void TokenWindow::depthChanged() {
  if (!way_) return;
  if (depth() == Depth::kPe) {
    cutout_->setOp(way_->completion, way_->token, op_,
                   QString::fromStdString(way_->layout.ops[static_cast<std::size_t>(op_)].name));
    cutout_->run();
  }
  {
    const QSignalBlocker quiet(time_);
    const auto most = static_cast<int>(std::min<qint64>(cycles(), INT_MAX));
    time_->setRange(0, most);
    time_->setSingleStep(depth() == Depth::kPe ? 1 : std::max(1, most / 400));
    time_->setPageStep(std::max(1, most / 10));
    time_->setEnabled(most > 0);
  }
  setCycle(depth() == Depth::kPe ? std::max<qint64>(0, cutout_->cycle()) : cycle_);
}

void TokenWindow::slid(int value) {
  setPlaying(false);
  setCycle(value);
}

void TokenWindow::setCycle(qint64 cycle) {
  if (!way_) return;
  if (depth() == Depth::kPe) {
    cutout_->setCycle(cycle);
  } else {
    // The last cycle is the end of the last op, not a moment without any.
    cycle_ = std::clamp<qint64>(cycle, 0, std::max<qint64>(0, way_->cycles));
    map_->setCycle(std::min(cycle_, std::max<qint64>(0, way_->cycles - 1)));
    const int at = view::opAt(*way_, map_->cycle());
    if (at != op_) setOp(at);
    showOffset();
  }
  const QSignalBlocker quiet(time_);
  time_->setValue(static_cast<int>(std::min<qint64>(
      depth() == Depth::kPe ? std::max<qint64>(0, cutout_->cycle()) : cycle_, INT_MAX)));
  tellTime();
}

// Where the step stands in the block's op.
void TokenWindow::showOffset() {
  block_->setOffset(static_cast<double>(cycle_ - way_->ops[static_cast<std::size_t>(op_)].start));
}

void TokenWindow::setOp(int op) {
  op_ = std::clamp(op, 0, static_cast<int>(way_->ops.size()) - 1);
  const QSignalBlocker quiet(ops_);
  ops_->setCurrentIndex(op_);
  opSoon_.start();
}

// While it plays many ops go by; the block shows the one that it comes to rest at.
void TokenWindow::askForOp() {
  if (way_) explainer_->explainOp(way_->completion, way_->token, op_);
}

void TokenWindow::setPlaying(bool playing) {
  {
    const QSignalBlocker quiet(play_);
    play_->setChecked(playing);
  }
  play_->setText(playing ? tr("Pause") : tr("Play"));
  cutout_->setPlaying(playing);
  playing ? clock_.start() : clock_.stop();
}

void TokenWindow::tick() {
  const qint64 all = cycles();
  if (all <= 0 || !isVisible()) return setPlaying(false);
  const qint64 now = depth() == Depth::kPe ? cutout_->cycle() : cycle_;
  if (now >= all) return setCycle(0);
  const auto by = static_cast<qint64>(static_cast<double>(all) * kTickMs / 1000 / kPlaySeconds);
  setCycle(std::min(all, now + std::max<qint64>(1, by)));
}

void TokenWindow::tellTime() {
  const qint64 now = depth() == Depth::kPe ? std::max<qint64>(0, cutout_->cycle()) : cycle_;
  place_->setText(depth() == Depth::kPe
                      ? tr("Cycle %L1 of the cut-out's %L2").arg(now).arg(cycles())
                      : tr("Cycle %L1 of %L2").arg(now).arg(cycles()));
  time_->setAccessibleDescription(depth() == Depth::kPe ? place_->text() : map_->text());
}

}  // namespace waferpair::gui
