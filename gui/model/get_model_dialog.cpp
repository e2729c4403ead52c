// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/get_model_dialog.h"

#include <QAccessible>
#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QStorageInfo>
#include <QVBoxLayout>

#include "gui/model/model_facts.h"
#include "pairing/downloads/hub_question.h"
#include "wafer_view/metric.h"

namespace waferpair::gui {
namespace {

// The memory that a loaded model takes beyond its file: its KV caches, which waferd keeps below
// this.
constexpr qint64 kBesideTheFile = 512LL << 20;

// The disk that a folder would be on, which need not be there yet.
QStorageInfo diskOf(const QString& folder) {
  QDir at(folder);
  while (!at.exists() && !at.isRoot()) at.setPath(QFileInfo(at.path()).path());
  return QStorageInfo(at);
}

}  // namespace

qint64 memoryFor(qint64 fileBytes) { return fileBytes + kBesideTheFile; }

QString hubName(const QUrl& hub) { return hub.authority(); }

GetModelDialog::GetModelDialog(const pairing::CatalogModel& model, const QUrl& hub,
                               const QString& cache, qint64 freeMemory, QWidget* parent)
    : QDialog(parent),
      model_(model),
      hub_(hub),
      cache_(cache),
      freeMemory_(freeMemory),
      note_(new QLabel(this)),
      get_(new QPushButton(tr("&Get It"), this)) {
  setObjectName(QStringLiteral("getModelDialog"));
  setWindowTitle(tr("Get %1").arg(model.name));
  setAccessibleName(windowTitle());
  setMinimumWidth(520);

  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  addRow(form, "getModelUses", tr("Good for"),
         tr("%1: %2").arg(usesText(model.fillsIn, model.followsInstructions), model.note));
  addRow(form, "getModelShape", tr("Model"),
         tr("%1, %2 context").arg(model.architecture, contextText(model.contextTokens)));
  QLabel* license = addRow(form, "getModelLicense", tr("License"),
                           QStringLiteral("<a href=\"%1\">%2</a>")
                               .arg(model.licenseLink.toString(QUrl::FullyEncoded).toHtmlEscaped(),
                                    model.license.toHtmlEscaped()));
  license->setTextFormat(Qt::RichText);
  license->setTextInteractionFlags(Qt::TextBrowserInteraction);
  license->setOpenExternalLinks(true);
  license->setToolTip(model.licenseLink.toString());
  addRow(form, "getModelFrom", tr("From"),
         pairing::hubPageUrl(hub, model.repository).toDisplayString());
  addRow(form, "getModelTo", tr("To"), QDir::toNativeSeparators(cache));
  size_ = addRow(form, "getModelSize", tr("Size"), {});
  memory_ = addRow(form, "getModelMemory", tr("Memory"), {});
  room_ = addRow(form, "getModelRoom", tr("Disk"), {});

  note_->setObjectName(QStringLiteral("getModelNote"));
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  note_->setProperty("role", "muted");
  get_->setObjectName(QStringLiteral("getModelGet"));
  get_->setEnabled(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  buttons->addButton(get_, QDialogButtonBox::AcceptRole);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(form);
  layout->addSpacing(6);
  layout->addWidget(note_);
  layout->addStretch(1);
  layout->addWidget(buttons);

  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    Q_EMIT chosen(commit_, file_);
    accept();
  });
  ask();
}

GetModelDialog::~GetModelDialog() = default;

QLabel* GetModelDialog::addRow(QFormLayout* form, const char* objectName, const QString& label,
                               const QString& text) {
  auto* value = new QLabel(text, this);
  value->setObjectName(QLatin1String(objectName));
  value->setTextFormat(Qt::PlainText);
  value->setTextInteractionFlags(Qt::TextSelectableByMouse);
  value->setWordWrap(true);
  value->setAccessibleName(text.isEmpty() ? label : QString());
  form->addRow(label + u':', value);
  return value;
}

void GetModelDialog::ask() {
  for (QLabel* label : {size_, memory_, room_}) label->setText(QStringLiteral("…"));
  note_->setText(tr("Asking %1 for its size…").arg(hubName(hub_)));
  question_ = std::make_unique<pairing::HubQuestion>(hub_, model_.repository);
  const auto over = [this] { question_.release()->deleteLater(); };
  connect(question_.get(), &pairing::HubQuestion::answered, this,
          [this, over](const pairing::HubModel& answer) {
            over();
            show(answer);
          });
  connect(question_.get(), &pairing::HubQuestion::failed, this,
          [this, over](const editor::Error& error) {
            over();
            refuse(error);
          });
}

void GetModelDialog::show(const pairing::HubModel& answer) {
  const pairing::HubFile* file = answer.findLike(model_.file);
  if (answer.isGated) {
    return refuse({tr("%1 gives this only to those who have signed in and agreed to its license.")
                       .arg(hubName(hub_)),
                   tr("Choose another model, or get it in a browser.")});
  }
  if (!file) {
    return refuse({tr("%1 has no file of this model that is known here.").arg(hubName(hub_)),
                   tr("Choose another model.")});
  }
  commit_ = answer.commit;
  file_ = *file;
  Q_EMIT told(file_);
  const auto say = [](QLabel* label, const QString& text) {
    label->setText(text);
    label->setAccessibleName(text);
  };
  using view::largeBytesText;
  say(size_, tr("%1 (%2)").arg(largeBytesText(file_.bytes), file_.path));
  const qint64 needed = memoryFor(file_.bytes);
  const bool fits = freeMemory_ == 0 || needed <= freeMemory_;
  QString memory = tr("needs about %1").arg(largeBytesText(needed));
  if (freeMemory_ > 0) {
    memory = (fits ? tr("%1, %2 are free") : tr("%1, only %2 are free: too large at the moment"))
                 .arg(memory, largeBytesText(freeMemory_));
  }
  say(memory_, memory);
  const QStorageInfo disk = diskOf(cache_);
  const bool hasRoom = !disk.isValid() || disk.bytesAvailable() >= file_.bytes;
  say(room_, disk.isValid() ? tr("%1 are free").arg(largeBytesText(disk.bytesAvailable()))
                            : tr("not known"));
  note_->setText(
      !hasRoom ? tr("There may be no room for it on that disk.")
      : fits   ? tr("The download may come from another host that %1 names. It goes on in the "
                      "background and can be stopped.")
                   .arg(hubName(hub_))
             : tr("It can be fetched, but would be slow or fail to load with what is running "
                  "now."));
  get_->setEnabled(true);
  get_->setDefault(true);
  get_->setFocus();
}

void GetModelDialog::refuse(const editor::Error& error) {
  for (QLabel* label : {size_, memory_, room_}) label->setText(tr("not known"));
  note_->setText(error.message());
  note_->setProperty("role", "problem");
  note_->setStyleSheet(note_->styleSheet());  // looked up anew
  QAccessibleEvent alert(note_, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

}  // namespace waferpair::gui
