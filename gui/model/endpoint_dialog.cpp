// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/endpoint_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/model/models_file.h"
#include "pairing/endpoints/list_request.h"
#include "pairing/endpoints/model_list.h"

namespace waferpair::gui {
namespace {

constexpr std::chrono::seconds kListPatience(20);
constexpr int kMostContextTokens = 100'000'000;

void describe(QWidget* widget, const char* objectName, const QString& name, const QString& what) {
  widget->setObjectName(QLatin1String(objectName));
  widget->setAccessibleName(name);
  widget->setToolTip(what);
  widget->setAccessibleDescription(what);
}

}  // namespace

EndpointDialog::EndpointDialog(const pairing::ModelEntry& endpoint, FindKey findKey,
                               QWidget* parent)
    : QDialog(parent),
      endpoint_(endpoint),
      findKey_(std::move(findKey)),
      base_(new QLineEdit(this)),
      protocol_(new QComboBox(this)),
      key_(new QLineEdit(this)),
      model_(new QComboBox(this)),
      list_(new QPushButton(tr("&List Models"), this)),
      context_(new QSpinBox(this)),
      name_(new QLineEdit(this)),
      note_(new QLabel(this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
  using pairing::Protocol;
  setObjectName(QStringLiteral("endpointDialog"));
  setWindowTitle(tr("Model Behind an Address"));
  setAccessibleName(windowTitle());
  setMinimumWidth(520);

  describe(base_, "endpointBase", tr("Address"),
           tr("Where the API is: what comes before /models and /chat/completions"));
  base_->setPlaceholderText(QStringLiteral("https://api.example.com/v1"));
  base_->setText(endpoint.address.base.toString());
  describe(protocol_, "endpointProtocol", tr("Protocol"), tr("How the server is spoken to"));
  protocol_->addItem(tr("Chat Completions"), static_cast<int>(Protocol::kChat));
  protocol_->addItem(tr("Responses"), static_cast<int>(Protocol::kResponses));
  protocol_->addItem(tr("Responses over a WebSocket"),
                     static_cast<int>(Protocol::kResponsesSocket));
  protocol_->setCurrentIndex(protocol_->findData(static_cast<int>(endpoint.protocol)));
  describe(key_, "endpointKey", tr("Key"),
           tr("Kept in the desktop's secret store, never in a file of this program"));
  key_->setEchoMode(QLineEdit::Password);
  key_->setPlaceholderText(endpoint.id.isEmpty() ? tr("None") : tr("As it is"));
  describe(model_, "endpointModel", tr("Model"), tr("As the server calls it"));
  model_->setEditable(true);
  model_->setInsertPolicy(QComboBox::NoInsert);
  model_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  model_->setCurrentText(endpoint.address.model);
  describe(list_, "endpointList", tr("List models"), tr("Ask the server which models it has"));
  list_->setAutoDefault(false);
  describe(context_, "endpointContext", tr("Context"),
           tr("How many tokens the model takes, prompt and answer together: less goes along where "
              "it is small. 0: as the server says"));
  context_->setRange(0, kMostContextTokens);
  context_->setSingleStep(1024);
  context_->setGroupSeparatorShown(true);
  context_->setSuffix(tr(" tokens"));
  context_->setSpecialValueText(tr("As the server says"));
  context_->setValue(
      static_cast<int>(std::clamp<qint64>(endpoint.contextTokens, 0, kMostContextTokens)));
  describe(name_, "endpointName", tr("Name"), tr("As this program calls it; the model's if empty"));
  name_->setText(endpoint.name);
  describe(note_, "endpointNote", tr("Note"), {});
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  note_->setProperty("role", "muted");

  auto* models = new QHBoxLayout;
  models->addWidget(model_, 1);
  models->addWidget(list_);
  auto* form = new QFormLayout;
  form->addRow(tr("&Address"), base_);
  form->addRow(tr("&Protocol"), protocol_);
  form->addRow(tr("&Key"), key_);
  auto* modelLabel = new QLabel(tr("&Model"), this);
  modelLabel->setBuddy(model_);
  form->addRow(modelLabel, models);
  form->addRow(tr("Conte&xt"), context_);
  form->addRow(tr("&Name"), name_);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addWidget(note_);
  layout->addWidget(buttons_);

  connect(base_, &QLineEdit::textChanged, this, &EndpointDialog::check);
  connect(key_, &QLineEdit::textChanged, this, &EndpointDialog::check);
  connect(model_, &QComboBox::currentTextChanged, this, &EndpointDialog::check);
  connect(model_, &QComboBox::currentTextChanged, this, [this](const QString& model) {
    // What the server lists of another model takes the place of what was known of the one before.
    if (model != endpoint_.address.model)
      context_->setValue(
          static_cast<int>(std::clamp<qint64>(contexts_.value(model, 0), 0, kMostContextTokens)));
  });
  connect(list_, &QPushButton::clicked, this, &EndpointDialog::listModels);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons_, &QDialogButtonBox::accepted, this, [this] {
    Q_EMIT chosen(entry());
    accept();
  });
  check();
}

EndpointDialog::~EndpointDialog() = default;

pairing::ModelEntry EndpointDialog::entry() const {
  pairing::ModelEntry entry = endpoint_;
  entry.protocol = static_cast<pairing::Protocol>(protocol_->currentData().toInt());
  entry.address.base = QUrl(base_->text().trimmed(), QUrl::StrictMode);
  entry.address.model = model_->currentText().trimmed();
  // A key has no blanks, though what is pasted often has a line end.
  entry.address.key = key_->text().trimmed().toUtf8();
  entry.name = name_->text().trimmed();
  if (entry.name.isEmpty()) entry.name = entry.address.model;
  entry.contextTokens =
      context_->value() > 0 ? context_->value() : contexts_.value(entry.address.model, -1);
  entry.id = endpointId(entry.address);
  return entry;
}

void EndpointDialog::check() {
  const pairing::ModelEntry now = entry();
  QString problem = base_->text().trimmed().isEmpty() ? tr("The address is missing.")
                                                      : baseProblem(now.address.base);
  if (problem.isEmpty()) problem = now.address.problem();
  list_->setEnabled(problem.isEmpty() && !isListing_);
  if (problem.isEmpty() && now.address.model.isEmpty()) problem = tr("The model is missing.");
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(problem.isEmpty());
  say(!problem.isEmpty() ? problem
                         : tr("What is asked of this model goes to %1.").arg(now.address.place()));
}

void EndpointDialog::listModels() {
  const pairing::EndpointAddress address = entry().address;
  isListing_ = true;
  list_->setEnabled(false);
  say(tr("Asking %1 for its models…").arg(address.place()));
  if (!address.key.isEmpty()) return ask(address);
  findKey_(address.base, [self = QPointer(this), address](const QByteArray& key) {
    if (!self) return;
    pairing::EndpointAddress known = address;
    known.key = key;
    self->ask(known);
  });
}

void EndpointDialog::ask(const pairing::EndpointAddress& address) {
  using pairing::ListRequest;
  request_ = std::make_unique<ListRequest>(address, QStringLiteral("/models"), kListPatience);
  const auto over = [this](const QString& text) {
    request_.release()->deleteLater();
    isListing_ = false;
    check();
    say(text);
  };
  connect(request_.get(), &ListRequest::failed, this,
          [over](const pairing::ReplyFailure& failure) { over(failure.message()); });
  connect(request_.get(), &ListRequest::arrived, this, [this, over](const QByteArray& body) {
    const auto models = pairing::readModelList(body);
    if (!models) return over(tr("What answers there is no list of models."));
    const QString typed = model_->currentText();
    contexts_.clear();
    model_->clear();
    for (const pairing::ListedModel& model : *models) {
      model_->addItem(model.id);
      contexts_[model.id] = model.contextTokens;
    }
    if (!typed.isEmpty()) model_->setCurrentText(typed);
    over(models->isEmpty() ? tr("The server lists no models.")
                           : tr("Choose one of the models that the server lists."));
    model_->setFocus();
  });
}

void EndpointDialog::say(const QString& text) { note_->setText(text); }

}  // namespace waferpair::gui
