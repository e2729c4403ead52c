// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/cutout_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

#include "gui/client/token_explainer.h"
#include "gui/kit/wrap_layout.h"
#include "wafer_view/mesh_picture.h"

namespace waferpair::gui {
namespace {

constexpr int kHeldMs = 80;
// What "break on" means, beside colors, which are 0 and above.
constexpr int kEachCycle = -3, kAnything = -2, kThisCore = -1;

QString portsText(int ports) {
  QStringList names;
  for (int port = 0; port < protocol::kMeshPorts; ++port)
    if (ports >> port & 1) names += view::portText(port);
  return names.join(QStringLiteral(" + "));
}

QLabel* makeLabel(const char* name) {
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

// Assistive technology hears a label's name, and its text as a description.
void tell(QLabel* label, const QString& text) {
  label->setText(text);
  label->setAccessibleDescription(text);
}

}  // namespace

CutoutPage::CutoutPage(TokenExplainer* explainer, QWidget* parent)
    : QWidget(parent),
      explainer_(explainer),
      title_(makeLabel("cutoutTitle")),
      size_(new QComboBox),
      metric_(new QComboBox),
      break_(new QComboBox),
      back_(new QToolButton),
      on_(new QToolButton),
      picture_(new view::MeshPicture),
      core_(makeLabel("cutoutCore")),
      held_(makeLabel("cutoutHeld")) {
  size_->setObjectName(QStringLiteral("cutoutSize"));
  size_->setAccessibleName(tr("Size of the cut-out"));
  for (const int size : {8, 16, 32, 64}) size_->addItem(tr("%1 x %1 PEs").arg(size), size);
  size_->setCurrentIndex(1);
  metric_->setObjectName(QStringLiteral("cutoutMetric"));
  metric_->setAccessibleName(tr("What is shown of each core"));
  using view::MeshMetric;
  metric_->addItem(tr("What cores do now"), static_cast<int>(MeshMetric::kState));
  metric_->addItem(tr("Busy, so far"), static_cast<int>(MeshMetric::kBusy));
  metric_->addItem(tr("Stalls: no wavelet"), static_cast<int>(MeshMetric::kWaitsForWavelet));
  metric_->addItem(tr("Stalls: output full"), static_cast<int>(MeshMetric::kOutputFull));
  metric_->addItem(tr("Traffic of links, so far"), static_cast<int>(MeshMetric::kTraffic));
  break_->setObjectName(QStringLiteral("cutoutBreak"));
  break_->setAccessibleName(tr("Step to"));
  back_->setObjectName(QStringLiteral("cutoutBack"));
  back_->setText(QStringLiteral("\u25c2"));
  back_->setToolTip(tr("Back to the cycle before (comma)"));
  back_->setAccessibleName(tr("Step back"));
  on_->setObjectName(QStringLiteral("cutoutOn"));
  on_->setText(QStringLiteral("\u25b8"));
  on_->setToolTip(tr("On to the next cycle (period)"));
  on_->setAccessibleName(tr("Step on"));
  core_->setAccessibleName(tr("What the chosen core does"));
  held_->setAccessibleName(tr("What it holds"));
  auto* controls = new WrapLayout;
  controls->setAlignment(Qt::AlignLeft);
  for (QWidget* one : std::initializer_list<QWidget*>{size_, metric_, break_, back_, on_})
    controls->addWidget(one);

  auto* texts = new QWidget;
  auto* lines = new QVBoxLayout(texts);
  lines->setContentsMargins(6, 0, 0, 0);
  lines->addWidget(core_);
  lines->addWidget(held_);
  lines->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(texts);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  // The page's ground shows through.
  scroll->viewport()->setAutoFillBackground(false);
  texts->setAutoFillBackground(false);
  scroll->setMinimumWidth(190);
  scroll->setAccessibleName(tr("The chosen core"));
  auto* row = new QHBoxLayout;
  row->addWidget(picture_, 3);
  row->addWidget(scroll, 2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(title_);
  column->addLayout(controls);
  column->addLayout(row, 1);

  lookSoon_.setSingleShot(true);
  lookSoon_.setInterval(kHeldMs);
  connect(&lookSoon_, &QTimer::timeout, this, [this] {
    if (cycles() == 0 || playing_) return;
    const int width = picture_->replay().run().width;
    explainer_->look(cycle(), picture_->selected() % width, picture_->selected() / width);
  });
  connect(size_, &QComboBox::activated, this, [this] {
    asked_ = false;
    run();
  });
  connect(metric_, &QComboBox::currentIndexChanged, this, [this] {
    picture_->setMetric(static_cast<view::MeshMetric>(metric_->currentData().toInt()));
  });
  connect(back_, &QToolButton::clicked, this, [this] { go(-1); });
  connect(on_, &QToolButton::clicked, this, [this] { go(1); });
  connect(picture_, &view::MeshPicture::selectionChanged, this, &CutoutPage::tellCore);
  connect(explainer, &TokenExplainer::cutoutRan, this, &CutoutPage::showRun);
  connect(explainer, &TokenExplainer::cutoutSeen, this, &CutoutPage::showSight);
  showBreaks();
}

void CutoutPage::setOp(editor::RequestId completion, int token, int op, const QString& name) {
  if (completion == completion_ && token == token_ && op == op_) return;
  completion_ = completion;
  token_ = token;
  op_ = op;
  name_ = name;
  asked_ = false;
}

void CutoutPage::run() {
  if (asked_ || op_ < 0) return;
  asked_ = true;
  picture_->clear();
  tell(core_, {});
  tell(held_, {});
  title_->setText(tr("Running a cut-out of %1 on the mesh simulator…").arg(name_));
  explainer_->runCutout(completion_, token_, op_, size_->currentData().toInt());
}

void CutoutPage::showProblem(const QString& problem) {
  picture_->clear();
  title_->setText(problem);
  Q_EMIT ran();
}

void CutoutPage::showRun(const protocol::CutoutRun& run) {
  if (run.completion != completion_ || run.token != token_ || run.op != op_) return;
  picture_->setRun(run);
  const double all = static_cast<double>(run.width) * run.height *
                     static_cast<double>(std::max<qint64>(1, run.cycles));
  const auto share = [&](qint64 cycles) {
    return QLocale().toString(100.0 * static_cast<double>(cycles) / all, 'f', 1);
  };
  QString text =
      tr("%1: cut-out, %2 x %3 of %4 x %5 PEs, of small whole numbers. Simulated %L6 cycles, "
         "closed form of this size %L7; %L8 hops.")
          .arg(name_)
          .arg(run.width)
          .arg(run.height)
          .arg(run.ofWidth)
          .arg(run.ofHeight)
          .arg(run.cycles)
          .arg(qRound64(run.closedForm))
          .arg(run.hops);
  text += u' ' + tr("Of all cores' time: busy %1 %, no wavelet %2 %, output full %3 %, banks %4 %.")
                     .arg(share(run.stalls.busy), share(run.stalls.wavelet),
                          share(run.stalls.output), share(run.stalls.bank));
  if (run.dropped > 0) text += u' ' + tr("The first %L1 events are left out.").arg(run.dropped);
  title_->setText(text);
  title_->setAccessibleDescription(text);
  showBreaks();
  Q_EMIT ran();
  tellCore();
}

// Where the step buttons go: each cycle, the next thing of any or the chosen core, or a color.
void CutoutPage::showBreaks() {
  const int kept = break_->count() > 0 ? break_->currentData().toInt() : kEachCycle;
  break_->clear();
  break_->addItem(tr("Step: each cycle"), kEachCycle);
  break_->addItem(tr("Break on: anything"), kAnything);
  break_->addItem(tr("Break on: this PE"), kThisCore);
  for (const int color : picture_->replay().colors())
    break_->addItem(tr("Break on: color %1").arg(color), color);
  break_->setCurrentIndex(std::max(0, break_->findData(kept)));
}

qint64 CutoutPage::cycle() const { return picture_->replay().cycle(); }
qint64 CutoutPage::cycles() const {
  return picture_->replay().isEmpty() ? 0 : picture_->replay().end();
}

void CutoutPage::setCycle(qint64 cycle) {
  if (cycles() == 0) return;
  picture_->seek(cycle);
  tellCore();
}

void CutoutPage::go(int by) {
  if (cycles() == 0) return;
  const int on = break_->currentData().toInt();
  if (on == kEachCycle) return Q_EMIT cycleWanted(std::clamp<qint64>(cycle() + by, 0, cycles()));
  const auto next = picture_->replay().nextCycle(by, on == kThisCore ? picture_->selected() : -1,
                                                 on >= 0 ? on : -1);
  if (next) Q_EMIT cycleWanted(*next);
}

void CutoutPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Comma) return go(-1);
  if (event->key() == Qt::Key_Period) return go(1);
  QWidget::keyPressEvent(event);
}

void CutoutPage::tellCore() {
  if (cycles() == 0) return;
  using protocol::CoreState;
  const view::MeshReplay& replay = picture_->replay();
  const int core = picture_->selected();
  QStringList lines{picture_->text()};
  for (const CoreState state :
       {CoreState::kBusy, CoreState::kWaitsForWavelet, CoreState::kOutputFull})
    lines += tr("%1: %L2 cycles").arg(view::stateText(state)).arg(replay.spent(core, state));
  for (int port = 0; port < protocol::kMeshPorts; ++port)
    if (const qint64 sent = replay.sent(core, port); sent > 0)
      lines += tr("%1: %L2 wavelets").arg(view::portText(port)).arg(sent);
  tell(core_, lines.join(u'\n'));
  lookSoon_.start();
}

void CutoutPage::showSight(const protocol::CutoutSight& sight) {
  const int width = std::max(1, picture_->replay().run().width);
  if (cycles() == 0 || sight.cycle != cycle() || sight.y * width + sight.x != picture_->selected())
    return;
  QStringList lines{tr("As the cycle begins")};
  for (const protocol::MeshQueue& queue : sight.queues)
    lines += tr("Queue %1, color %2: %3 of %4")
                 .arg(view::portText(queue.port))
                 .arg(queue.color)
                 .arg(queue.count)
                 .arg(queue.room);
  if (sight.queues.empty()) lines += tr("Queues: all empty");
  for (const protocol::MeshSwitch& one : sight.switches)
    lines += tr("Switch of color %1: position %2 of %3, %4 to %5")
                 .arg(one.color)
                 .arg(one.position + 1)
                 .arg(one.positions)
                 .arg(portsText(one.from), portsText(one.to));
  QStringList words;
  for (const double word : sight.words) words += QLocale().toString(word, 'g', 6);
  lines += tr("SRAM, what it sums: %1").arg(words.join(QStringLiteral(", ")));
  tell(held_, lines.join(u'\n'));
}

}  // namespace waferpair::gui
