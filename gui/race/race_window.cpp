// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/race/race_window.h"

#include <QBuffer>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPixmap>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "editor/text/save_file.h"
#include "gui/client/experiments.h"
#include "gui/client/runtime_client.h"
#include "gui/client/runtime_service.h"
#include "gui/kit/dialog_size.h"
#include "gui/race/contender_box.h"
#include "gui/race/lane_view.h"
#include "gui/race/race_controls.h"
#include "gui/race/race_export.h"
#include "gui/race/users_panel.h"
#include "wafer_view/accessible.h"

namespace waferpair::gui {
namespace {

constexpr int kRaceFrameMs = 33;
constexpr int kRaceRestMs = 150;
constexpr int kHostTokens = 200;
// 1, 2, 5, 10, ... 10,000 times slower.
constexpr int kSlowSteps = 12;
constexpr const char* kFirstContenders[RaceWindow::kLanes] = {
    "host", "wafer wafer=wse3 profile=cloud-2024-08", "gpu gpu=h100 stack=serving",
    "pace name=codex-spark"};

double slowOf(int step) {
  constexpr double kMantissas[] = {1, 2, 5};
  return kMantissas[step % 3] * std::pow(10.0, step / 3);
}

QPushButton* raceButton(const char* name, const QString& text, const QString& tip,
                        QWidget* parent) {
  auto* made = new QPushButton(text, parent);
  made->setObjectName(QLatin1String(name));
  made->setToolTip(tip);
  made->setAccessibleDescription(tip);
  made->setAutoDefault(true);
  return made;
}

}  // namespace

RaceWindow::RaceWindow(RuntimeService* runtime, QWidget* parent)
    : QWidget(parent, Qt::Window),
      runtime_(runtime),
      controls_(new RaceControls(this)),
      prompt_(new QPlainTextEdit(QStringLiteral("int binary_search("), this)),
      scroll_(new QScrollArea(this)),
      track_(new QWidget),
      users_(new UsersPanel(experimentsOf(runtime), track_)),
      slow_(new QSlider(Qt::Horizontal, this)),
      slowText_(new QLabel(this)),
      clockText_(new QLabel(this)),
      note_(new QLabel(this)),
      start_(raceButton("raceStart", tr("&Start"), tr("Begin, pause, go on (Ctrl+Space)"), this)),
      again_(raceButton("raceAgain", tr("&Again"), tr("Back to the start (Ctrl+Home)"), this)),
      measure_(raceButton("raceMeasure", tr("Measure &here"),
                          tr("Have this computer's model write, now"), this)),
      byUsers_(raceButton("raceByUsers", tr("B&y Users"),
                          tr("A chart of what all users get together, from 1 to 1,024 of them"),
                          this)),
      png_(raceButton("racePng", tr("Save &Picture…"), tr("The lanes, and the chart, as a PNG"),
                      this)),
      csvButton_(raceButton("raceCsv", tr("Save &Table…"),
                            tr("All figures with their sources, as CSV"), this)) {
  view::installAccessibles();
  setObjectName(QStringLiteral("raceWindow"));
  setWindowTitle(tr("Race"));
  setAccessibleName(windowTitle());
  layOut();
  resizeWithin(this, {980, 860});
  asking_.setSingleShot(true);
  asking_.setInterval(kRaceRestMs);
  timer_.setInterval(kRaceFrameMs);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&asking_, &QTimer::timeout, this, &RaceWindow::askAll);
  connect(&timer_, &QTimer::timeout, this, &RaceWindow::tick);
  connect(controls_, &RaceControls::changed, &asking_, qOverload<>(&QTimer::start));
  connect(start_, &QPushButton::clicked, this, [this] { setRunning(!isRunning()); });
  connect(again_, &QPushButton::clicked, this, &RaceWindow::restart);
  connect(measure_, &QPushButton::clicked, this, &RaceWindow::runHost);
  connect(byUsers_, &QPushButton::toggled, this, [this](bool on) {
    users_->setVisible(on);
    if (!on) return;
    askUsers();
    // Once it has its place.
    QTimer::singleShot(0, this, [this] { scroll_->ensureWidgetVisible(users_); });
  });
  connect(slow_, &QSlider::valueChanged, this, &RaceWindow::showClock);
  connect(csvButton_, &QPushButton::clicked, this, [this] {
    save(tr("Save Table"), QStringLiteral("race.csv"), tr("Tables (*.csv)"),
         [this] { return csv(); });
  });
  connect(png_, &QPushButton::clicked, this, [this] {
    save(tr("Save Picture"), QStringLiteral("race.png"), tr("Pictures (*.png)"),
         [this] { return picture(); });
  });
  for (int i = 0; i < kLanes; ++i)
    connect(lanes_[i]->box(), &QComboBox::currentIndexChanged, this, [this, i] {
      askLane(i);
      askUsers();
    });
  askContenders();
  showClock();
}

void RaceWindow::layOut() {
  prompt_->setObjectName(QStringLiteral("racePromptText"));
  prompt_->setAccessibleName(tr("Text that this computer's model continues"));
  prompt_->setToolTip(prompt_->accessibleName());
  prompt_->setTabChangesFocus(true);
  prompt_->setFixedHeight(3 * fontMetrics().height() + 8);
  slow_->setObjectName(QStringLiteral("raceSlow"));
  slow_->setAccessibleName(tr("Slow-down"));
  slow_->setToolTip(tr("How much slower than real time the clock of all lanes goes"));
  slow_->setRange(0, kSlowSteps);
  slow_->setPageStep(1);
  slow_->setValue(3);
  slow_->setMaximumWidth(180);
  clockText_->setObjectName(QStringLiteral("raceClock"));
  clockText_->setAccessibleName(tr("Clock"));
  note_->setObjectName(QStringLiteral("raceNote"));
  note_->setAccessibleName(tr("Note"));
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  note_->hide();

  auto* column = new QVBoxLayout(this);
  column->addWidget(controls_);
  auto* asked = new QHBoxLayout;
  asked->addWidget(prompt_, 1);
  asked->addWidget(measure_);
  column->addLayout(asked);

  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  auto* rows = new QVBoxLayout(track_);
  rows->setContentsMargins(0, 0, 0, 0);
  for (int i = 0; i < kLanes; ++i) {
    lanes_.append(new LaneView(i + 1, track_));
    rows->addWidget(lanes_.last());
  }
  users_->hide();
  byUsers_->setCheckable(true);
  rows->addWidget(users_);
  rows->addStretch();
  scroll_->setWidget(track_);
  column->addWidget(scroll_, 1);
  column->addWidget(note_);

  auto* slowCaption = new QLabel(tr("S&low-down"), this);
  slowCaption->setBuddy(slow_);
  auto* bar = new QHBoxLayout;
  bar->addWidget(start_);
  bar->addWidget(again_);
  bar->addWidget(slowCaption);
  bar->addWidget(slow_);
  bar->addWidget(slowText_);
  bar->addSpacing(18);
  bar->addWidget(clockText_, 1);
  column->addLayout(bar);
  auto* kept = new QHBoxLayout;
  kept->addWidget(byUsers_);
  kept->addStretch();
  kept->addWidget(png_);
  kept->addWidget(csvButton_);
  column->addLayout(kept);
}

double RaceWindow::slowdown() const { return slowOf(slow_->value()); }

void RaceWindow::askContenders() {
  experimentsOf(runtime_)->ask(QStringLiteral("contenders"), this,
                               [this](const ExperimentResult& contenders) {
                                 note_->setVisible(!contenders);
                                 if (!contenders)
                                   return note_->setText(contenders.error().message());
                                 controls_->setModels(*contenders);
                                 for (int i = 0; i < kLanes; ++i) {
                                   lanes_[i]->box()->setContenders(*contenders);
                                   lanes_[i]->box()->choose(QLatin1String(kFirstContenders[i]));
                                 }
                                 askAll();
                               });
}

void RaceWindow::askAll() {
  for (int i = 0; i < kLanes; ++i) askLane(i);
  askUsers();
}

void RaceWindow::askUsers() {
  if (users_->isHidden()) return;
  QStringList contenders;
  for (const LaneView* view : lanes_) contenders.append(view->box()->contender());
  users_->ask(contenders, controls_->settings());
}

void RaceWindow::askLane(int index) {
  const QString contender = lanes_[index]->box()->contender();
  const RaceSettings settings = controls_->settings();
  RaceLane waiting;
  waiting.contender = contender;
  if (contender == QLatin1String(kHostContender)) {
    lanes_[index]->setLane(measured_.contender.isEmpty() ? waiting : measured_, settings);
    if (measured_.contender.isEmpty()) {
      waiting.problem = tr("Not measured yet: \"Measure here\" has the model write now.");
      lanes_[index]->setLane(waiting, settings);
    }
    return showClock();
  }
  if (contender.isEmpty()) {
    lanes_[index]->setLane(waiting, settings);
    return showClock();
  }
  if (lanes_[index]->lane().contender != contender) lanes_[index]->setLane(waiting, settings);
  experimentsOf(runtime_)->ask(
      raceQuestion(contender, settings), this,
      [this, index, contender, settings](const ExperimentResult& answer) {
        // Something else may have been chosen meanwhile.
        if (lanes_[index]->box()->contender() != contender || controls_->settings() != settings)
          return;
        RaceLane lane;
        if (answer) {
          lane = laneOf(contender, *answer, settings);
        } else {
          lane.contender = contender;
          lane.problem = answer.error().message();
        }
        lanes_[index]->setLane(lane, settings);
        showClock();
      });
}

void RaceWindow::runHost() {
  RuntimeClient* client = runtime_->server().client();
  if (runtime_->state() != RuntimeService::State::kReady || !client) {
    RaceLane lane;
    lane.problem = tr("The model is not ready: %1.").arg(runtime_->stateText());
    return showHost(lane);
  }
  delete host_;
  host_ = new HostRun(client, this);
  RaceLane lane;
  lane.problem = tr("Measuring…");
  showHost(lane);
  connect(host_, &HostRun::finished, this, [this](const HostRunFigures& figures) {
    written_ = figures.text;
    measured_ = hostLane(runtime_->modelName(), figures);
    showHost(measured_);
  });
  connect(host_, &HostRun::failed, this, [this](const editor::Error& problem) {
    RaceLane failed;
    failed.problem = problem.message();
    showHost(failed);
  });
  host_->start(prompt_->toPlainText(), kHostTokens);
}

void RaceWindow::showHost(const RaceLane& lane) {
  RaceLane shown = lane;
  shown.contender = QLatin1String(kHostContender);
  for (LaneView* view : lanes_)
    if (view->box()->contender() == shown.contender) view->setLane(shown, controls_->settings());
  showClock();
}

double RaceWindow::endSeconds() const {
  double end = 0;
  for (const LaneView* view : lanes_)
    end = std::max(end, view->lane().endSeconds(controls_->settings().output));
  return end;
}

void RaceWindow::setRunning(bool on) {
  if (on == isRunning()) return;
  if (on) {
    if (endSeconds() <= 0) return;
    if (clock_ >= endSeconds()) clock_ = 0;
    sinceTick_.start();
    timer_.start();
  } else {
    timer_.stop();
    for (LaneView* view : lanes_) view->tellPlace();
  }
  showClock();
}

void RaceWindow::restart() { setClock(0); }

void RaceWindow::setClock(double seconds) {
  clock_ = seconds;
  showClock();
}

void RaceWindow::tick() {
  clock_ += static_cast<double>(sinceTick_.restart()) / 1e3 / slowdown();
  if (clock_ >= endSeconds()) {
    clock_ = endSeconds();
    setRunning(false);
  }
  showClock();
}

void RaceWindow::showClock() {
  const int output = controls_->settings().output;
  for (LaneView* view : lanes_)
    view->setTokens(view->lane().tokensAt(clock_, output), output, written_);
  start_->setText(isRunning() ? tr("Pau&se") : tr("&Start"));
  start_->setEnabled(endSeconds() > 0);
  slowText_->setText(tr("%1 times slower").arg(slowdown()));
  slow_->setAccessibleDescription(slowText_->text());
  clockText_->setText(tr("%1 of the clock of all lanes").arg(secondsText(clock_)));
  clockText_->setAccessibleDescription(clockText_->text());
}

QByteArray RaceWindow::csv() const {
  QVector<RaceLane> lanes;
  for (const LaneView* view : lanes_) lanes.append(view->lane());
  return raceCsv(lanes, controls_->settings(),
                 users_->isHidden() ? QVector<UsersLine>() : users_->lines());
}

QByteArray RaceWindow::picture() const {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QBuffer::WriteOnly);
  track_->grab().save(&buffer, "PNG");
  return bytes;
}

void RaceWindow::save(const QString& title, const QString& name, const QString& filter,
                      std::function<QByteArray()> bytes) {
  auto* dialog = new QFileDialog(
      this, title, QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation), filter);
  dialog->setObjectName(QStringLiteral("raceSaveDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(name.section(u'.', 1));
  dialog->selectFile(name);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, bytes = std::move(bytes)](const QString& path) {
            const auto saved = editor::saveFile(path, bytes());
            note_->setText(saved ? tr("Saved: %1").arg(path) : saved.error().message());
            note_->show();
          });
  dialog->open();
}

void RaceWindow::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers() == Qt::ControlModifier;
  if (control && event->key() == Qt::Key_Space) return setRunning(!isRunning());
  if (control && event->key() == Qt::Key_Home) return restart();
  if (event->key() == Qt::Key_Escape) {
    close();
    return;
  }
  auto* button = qobject_cast<QPushButton*>(focusWidget());
  if (button && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
    return button->click();
  QWidget::keyPressEvent(event);
}

void RaceWindow::hideEvent(QHideEvent* event) {
  timer_.stop();  // nobody sees it
  QWidget::hideEvent(event);
}

}  // namespace waferpair::gui
