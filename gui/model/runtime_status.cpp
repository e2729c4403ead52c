// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/runtime_status.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMouseEvent>
#include <QToolButton>
#include <utility>

#include "editor/assist/suggestion_controller.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/kit/elided.h"
#include "gui/model/runtime_details.h"
#include "gui/model/runtime_texts.h"

namespace waferpair::gui {
namespace {

constexpr int kPaceMs = 120;

}  // namespace

RuntimeStatus::RuntimeStatus(RuntimeService* runtime, const ProjectFeed* feed, QWidget* parent)
    : StatusRow(parent), runtime_(runtime), feed_(feed) {
  setObjectName(QStringLiteral("runtimeStatus"));
  setAccessibleName(tr("Model status"));
  suggestions_ = new ElidedButton;
  suggestions_->setObjectName(QStringLiteral("suggestionStatus"));
  suggestions_->setFocusPolicy(Qt::TabFocus);
  addField(suggestions_, StatusRank::kSuggestions, {});
  setWanted(suggestions_, false);
  connect(suggestions_, &QToolButton::clicked, this, &RuntimeStatus::suggestionsWanted);
  // Its usual texts take the same room, or each key would move what stands beside it.
  suggestions_->setMinimumWidth(
      suggestions_->fontMetrics().horizontalAdvance(tr("Suggestions on")) + 14);
  hostRate_ = addLabel(new QLabel, QStringLiteral("hostRateStatus"), StatusRank::kHostRate);
  firstToken_ = addLabel(new QLabel, QStringLiteral("firstTokenStatus"), StatusRank::kFirstToken);
  waferRate_ = addLabel(new QLabel, QStringLiteral("waferRateStatus"), StatusRank::kWaferRate);
  context_ = addLabel(new QLabel, QStringLiteral("contextStatus"), StatusRank::kContext);
  model_ = new ElidedButton;
  model_->setObjectName(QStringLiteral("modelStatus"));
  model_->setFocusPolicy(Qt::TabFocus);
  addField(model_, StatusRank::kModel, tr("Model"));
  connect(model_, &QToolButton::clicked, this, &RuntimeStatus::showDetails);

  soon_.setSingleShot(true);
  soon_.setInterval(kPaceMs);
  connect(&soon_, &QTimer::timeout, this, [this] {
    refresh();
    refreshSuggestions();
  });
  connect(runtime_, &RuntimeService::stateChanged, this, &RuntimeStatus::refresh);
  connect(runtime_, &RuntimeService::figuresChanged, this, &RuntimeStatus::refreshSoon);
  connect(runtime_->hosted(), &HostedModels::changed, this, &RuntimeStatus::refreshSoon);
  connect(runtime_->documents(), &CompletionService::measured, this,
          [this](const RuntimeFigures& figures) {
            if (std::exchange(paceOf_, runtime_->modelPath()) != runtime_->modelPath())
              pace_.clear();
            if (figures.firstTokenHostMs) pace_.add(*figures.firstTokenHostMs);
            refreshSoon();
          });
  connect(runtime_, &RuntimeService::modelRejected, this, &RuntimeStatus::showRejected);
  refresh();
  refreshSuggestions();
}

QLabel* RuntimeStatus::addLabel(QLabel* label, const QString& objectName, StatusRank rank) {
  label->setObjectName(objectName);
  label->setTextFormat(Qt::PlainText);
  addField(label, rank, {}, [this] { showDetails(); });
  setWanted(label, false);
  return label;
}

// Relayout and repaint only when something differs: this is called at every figure.
void RuntimeStatus::present(QLabel* label, const QString& text, const QString& toolTip) {
  if (label->text() != text) label->setText(text);
  if (label->toolTip() != toolTip) label->setToolTip(toolTip);
  setWanted(label, !text.isEmpty());
}

void RuntimeStatus::watch(editor::SuggestionController* suggestions) {
  if (watched_) watched_->disconnect(this);
  watched_ = suggestions;
  if (watched_) {
    watched_->cameToFront();
    connect(watched_, &editor::SuggestionController::stateChanged, this,
            &RuntimeStatus::refreshSoon);
    connect(watched_, &QObject::destroyed, this, [this] { refreshSuggestions(); });
  }
  refreshSuggestions();
}

void RuntimeStatus::refreshSoon() {
  if (!soon_.isActive()) soon_.start();
}

void RuntimeStatus::refreshSuggestions() {
  using State = editor::SuggestionController::State;
  QString text;
  // The reason is watched_'s to give: it knows the model's state as well as the file's.
  if (watched_) {
    switch (watched_->state()) {
      case State::kIdle:
        text = tr("Suggestions on");
        break;
      case State::kWaiting:
        text = tr("Reading…");
        break;
      case State::kGrowing:
        text = tr("Suggesting…");
        break;
      case State::kShowing:
        text = tr("Suggested");
        break;
      case State::kSilent:
        text = watched_->reason();
        break;
    }
  }
  if (suggestions_->text() != text) {
    suggestions_->setText(text);
    suggestions_->setToolTip(tr("Suggestions: %1").arg(text));
    suggestions_->setAccessibleName(suggestions_->toolTip());
  }
  setWanted(suggestions_, !text.isEmpty());
}

void RuntimeStatus::refresh() {
  const RuntimeFigures& figures = runtime_->figures();
  const bool ready = runtime_->state() == RuntimeService::State::kReady;
  const QString loading = runtime_->loadingText();
  const QString name = !loading.isEmpty() ? loading : ready ? figures.model : runtime_->stateText();
  const QString slow = ready ? slowText() : QString();
  const QString shown = slow.isEmpty() ? name : tr("%1, slow").arg(name);
  if (model_->text() != shown) {
    model_->setText(shown);
    model_->setAccessibleName(tr("Model: %1").arg(shown));
  }
  const QString problem = runtime_->problem().message();
  // Another one's wafer may be shown than the one's that suggests.
  const bool isOther = ready && name != runtime_->modelName();  // or is still there meanwhile
  const QString suggesting =
      isOther ? tr("Suggestions are %1's: ").arg(runtime_->modelName()) : QString();
  const QString larger = runtime_->larger()->text();
  model_->setToolTip(tr("Model: %1").arg(name) + u'\n' +
                     (problem.isEmpty() ? suggesting + runtime_->modelPath() : problem) +
                     (larger.isEmpty() ? larger : u'\n' + tr("Suggests, too: %1").arg(larger)) +
                     (slow.isEmpty() ? slow : u'\n' + slow));

  const auto labeled = [](const QString& text, const QString& label) {
    return text.isEmpty() ? QString() : text + QLatin1Char(' ') + label;
  };
  present(hostRate_, labeled(texts::hostRate(figures), tr("host")),
          tr("Decode on this computer, last completion"));
  present(firstToken_, labeled(texts::hostFirstToken(figures), tr("first token, host")),
          tr("From the request to its first token on this computer, last completion"));
  const auto shadow = figures.shadow.isEmpty() ? std::nullopt : runtime_->shadow()->shown();
  present(waferRate_, texts::waferRate(figures, shadow),
          shadow ? tr("Emulated decode of a shadow, last completion: %1; %2")
                       .arg(texts::shadow(*shadow), texts::wafer(figures))
                 : tr("Emulated decode, last completion: %1").arg(texts::wafer(figures)));
  present(context_, labeled(texts::context(figures), tr("context")),
          tr("Positions in the model's KV cache, last completion"));
}

// Why the model is not for suggestions as one types, with the remedy; empty: it is.
QString RuntimeStatus::slowText() const {
  const std::optional<double> seconds = pace_.slowSeconds();
  if (!seconds || paceOf_ != runtime_->modelPath()) return {};
  return tr("Its suggestions take %1 s to begin on this computer, too long as one types. Choose a "
            "smaller model, or the same one in fewer bits, or close what else computes.")
      .arg(*seconds, 0, 'f', 1);
}

void RuntimeStatus::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) showDetails();
}

void RuntimeStatus::showDetails() {
  if (details_) return;
  details_ = new RuntimeDetails(runtime_, feed_, this);
  connect(details_, &RuntimeDetails::chooseModelWanted, this, &RuntimeStatus::chooseModel,
          Qt::QueuedConnection);
  details_->popUpAbove(this);
}

void RuntimeStatus::chooseModel() {
  QFileDialog* dialog = openFileDialog(QStringLiteral("chooseModelDialog"), tr("Choose model"),
                                       tr("GGUF models (*.gguf);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, runtime_, &RuntimeService::chooseModel);
}

void RuntimeStatus::chooseAdapter() {
  QFileDialog* dialog = openFileDialog(QStringLiteral("chooseAdapterDialog"), tr("Add adapter"),
                                       tr("GGUF adapters (*.gguf);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this, &RuntimeStatus::adapterChosen);
}

void RuntimeStatus::chooseLarger() {
  QFileDialog* dialog =
      openFileDialog(QStringLiteral("chooseLargerDialog"), tr("Choose larger model"),
                     tr("GGUF models (*.gguf);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this, &RuntimeStatus::largerChosen);
}

// It begins in the folder of the present model, and is gone when it is closed.
QFileDialog* RuntimeStatus::openFileDialog(const QString& name, const QString& title,
                                           const QString& filter) {
  auto* dialog =
      new QFileDialog(window(), title, QFileInfo(runtime_->modelPath()).absolutePath(), filter);
  dialog->setObjectName(name);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->open();
  return dialog;
}

void RuntimeStatus::showRejected(const QString& path, const editor::Error& problem) {
  const QString kept = runtime_->state() == RuntimeService::State::kReady
                           ? tr("%1 is still in use.").arg(runtime_->modelName())
                           : QString();
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Choose model"),
                              tr("%1 cannot be used.").arg(QFileInfo(path).fileName()),
                              QMessageBox::Ok, window());
  box->setObjectName(QStringLiteral("modelRejected"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(problem.message() + QLatin1Char('\n') + kept);
  box->open();
}

}  // namespace waferpair::gui
