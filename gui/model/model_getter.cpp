// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/model_getter.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <algorithm>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/model/agreement.h"
#include "gui/model/get_model_dialog.h"
#include "gui/model/pairing_models.h"
#include "pairing/downloads/hub_folder.h"
#include "runtime/base/available_memory.h"
#include "wafer_view/metric.h"

namespace waferpair::gui {

using pairing::CatalogModel;
using pairing::DownloadProgress;
using view::largeBytesText;
using Role = pairing::ModelRoster::Role;

namespace {

const QString kNoticeId = QStringLiteral("modelFetch");

QString cacheFolder() {
  return pairing::hubCache(QProcessEnvironment::systemEnvironment(), QDir::homePath());
}

}  // namespace

QString durationText(qint64 seconds) {
  if (seconds < 100) return ModelGetter::tr("%1 s").arg(seconds);
  if (seconds < 100 * 60) return ModelGetter::tr("%1 min").arg((seconds + 30) / 60);
  return ModelGetter::tr("%1 h").arg(QString::number(static_cast<double>(seconds) / 3600, 'f', 1));
}

ModelGetter::ModelGetter(const Parts& parts)
    : QObject(parts.window), parts_(parts), inspection_(parts.inspector) {
  setObjectName(QStringLiteral("modelGetter"));
  connect(&inspection_, &ModelInspection::told, this, &ModelGetter::offer);
}

ModelGetter::~ModelGetter() = default;

QString ModelGetter::statusText() const {
  if (!download_) return {};
  const auto percent = progress_.total > 0 ? 100 * progress_.bytes / progress_.total : qint64(0);
  switch (progress_.phase) {
    case DownloadProgress::Phase::kReading:
      return tr("checking %1: %2 %").arg(fetch_->model.name).arg(percent);
    case DownloadProgress::Phase::kWaiting:
      return tr("getting %1: waiting").arg(fetch_->model.name);
    case DownloadProgress::Phase::kFetching:
      break;
  }
  return tr("getting %1: %2 %").arg(fetch_->model.name).arg(percent);
}

QString ModelGetter::progressText() const {
  if (!download_) return {};
  QStringList parts = {
      tr("%1 of %2").arg(largeBytesText(progress_.bytes), largeBytesText(progress_.total))};
  if (progress_.bytesPerSecond > 0)
    parts.append(tr("%1/s").arg(largeBytesText(static_cast<qint64>(progress_.bytesPerSecond))));
  if (const qint64 left = progress_.secondsLeft(); left >= 0)
    parts.append(tr("%1 left").arg(durationText(left)));
  if (progress_.phase == DownloadProgress::Phase::kWaiting)
    parts.append(tr("trying again: %1").arg(progress_.why));
  if (progress_.phase == DownloadProgress::Phase::kReading)
    parts.append(tr("checking what is here"));
  return parts.join(QStringLiteral(" · "));
}

void ModelGetter::open() {
  if (catalog_.isEmpty()) {
    QFile file(QStringLiteral(":/models_to_get.json"));
    if (!file.open(QFile::ReadOnly)) qFatal("the program lacks its list of models");
    const auto catalog = pairing::readCatalog(file.readAll());
    if (!catalog) return tell(catalog.error());
    catalog_ = *catalog;
  }
  QList<PickerItem> items;
  constexpr int kStop = -1;
  if (download_) {
    const QString details = progressText();
    items.append({details + tr("Stop Getting %1").arg(fetch_->model.name),
                  static_cast<int>(details.size()),
                  {},
                  {},
                  kStop});
  }
  for (qsizetype i = 0; i < catalog_.size(); ++i) {
    const QString details = detailsOf(catalog_[i]);
    items.append({details + catalog_[i].name,
                  static_cast<int>(details.size()),
                  hintOf(catalog_[i]),
                  {},
                  static_cast<int>(i)});
  }
  parts_.picker->open(tr("Models to get"), tr("Which model is to be fetched?"), items,
                      [this](const QVariant& data) {
                        const int row = data.toInt();
                        if (row >= 0) return choose(CatalogModel(catalog_[row]));
                        if (download_) download_->stop();
                      });
  const auto hub = pairing::hubBase(QProcessEnvironment::systemEnvironment());
  parts_.picker->setNote(
      hub ? tr("From %1, which is asked only when you have agreed.").arg(hubName(*hub))
          : hub.error().message());
}

QString ModelGetter::detailsOf(const CatalogModel& model) const {
  QStringList parts;
  const auto size = sizes_.constFind(model.repository);
  if (size == sizes_.cend()) {
    parts.append(tr("for %1 GB of memory").arg(model.memoryGb));
  } else {
    const qint64 needed = memoryFor(*size);
    const auto free = static_cast<qint64>(base::availableMemory());
    parts.append(largeBytesText(*size));
    parts.append((free == 0 || needed <= free ? tr("needs about %1") : tr("too large: needs %1"))
                     .arg(largeBytesText(needed)));
    if (free > 0) parts.append(tr("%1 free").arg(largeBytesText(free)));
  }
  parts += {usesText(model.fillsIn, model.followsInstructions), model.license, model.note};
  return parts.join(QStringLiteral(" · "));
}

QString ModelGetter::hintOf(const CatalogModel& model) const {
  if (!fetchedFile(model).isEmpty()) return tr("is here");
  const pairing::HubFolder folder(cacheFolder(), model.repository);
  for (const auto& unfinished : folder.unfinished()) {
    pairing::HubModel one;
    one.files = {unfinished.note.file};
    if (one.findLike(model.file)) return tr("%1 have come").arg(largeBytesText(unfinished.bytes));
  }
  return {};
}

QString ModelGetter::fetchedFile(const CatalogModel& model) const {
  return pairing::HubFolder(cacheFolder(), model.repository).fetched(model.file);
}

void ModelGetter::choose(const CatalogModel& model) {
  if (download_) {
    return tell({tr("%1 is being fetched.").arg(fetch_->model.name),
                 tr("One model is fetched after another: wait until it is here, or stop it.")});
  }
  if (const QString path = fetchedFile(model); !path.isEmpty()) {
    fetch_ = Fetch{model, {}};
    return arrived(path);
  }
  askForHub(model);
}

void ModelGetter::askForHub(const CatalogModel& model) {
  const auto hub = pairing::hubBase(QProcessEnvironment::systemEnvironment());
  if (!hub) return tell(hub.error());
  const QString host = hubName(*hub);
  if (parts_.models->mayFetchFrom(host)) return showDialog(model);
  const ConsentQuestion agreement{
      "agreeToHub", tr("Get a Model"), tr("May %1 be asked for models?").arg(host),
      tr("It is asked for the size and the checksum of the model that you choose, and for the "
         "file when you say so; the file may come from another host that it names. These hosts "
         "learn your network address and which model it is, nothing of your code and no name. You "
         "can take this back in the list of models for pairing."),
      tr("&Ask %1").arg(host)};
  askToAgree(agreement, parts_.window, this, [this, host, model] {
    parts_.models->agreeToFetch(host);
    showDialog(model);
  });
}

void ModelGetter::showDialog(const CatalogModel& model) {
  const auto hub = pairing::hubBase(QProcessEnvironment::systemEnvironment());
  if (!hub) return tell(hub.error());
  const QString cache = cacheFolder();
  auto* dialog = new GetModelDialog(model, *hub, cache,
                                    static_cast<qint64>(base::availableMemory()), parts_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &GetModelDialog::told, this,
          [this, model](const pairing::HubFile& file) { sizes_[model.repository] = file.bytes; });
  connect(dialog, &GetModelDialog::chosen, this,
          [this, model, hub = *hub, cache](const QString& commit, const pairing::HubFile& file) {
            start({model, {hub, cache, model.repository, commit, file}});
          });
  dialog->open();
}

void ModelGetter::start(const Fetch& fetch) {
  parts_.notices->remove(kNoticeId);
  fetch_ = fetch;
  progress_ = {};
  progress_.total = fetch.order.file.bytes;
  download_ = std::make_unique<pairing::ModelDownload>(fetch.order);
  using pairing::ModelDownload;
  connect(download_.get(), &ModelDownload::progressed, this,
          [this](const DownloadProgress& progress) {
            progress_ = progress;
            Q_EMIT changed();
          });
  connect(download_.get(), &ModelDownload::finished, this, [this](const QString& path) {
    endDownload();
    arrived(path);
  });
  connect(download_.get(), &ModelDownload::failed, this, [this](const editor::Error& error) {
    endDownload();
    failed(error);
  });
  connect(download_.get(), &ModelDownload::stopped, this, [this] {
    endDownload();
    stopped();
  });
  Q_EMIT changed();
}

void ModelGetter::endDownload() {
  download_.release()->deleteLater();
  Q_EMIT changed();
}

// The file itself says what the model is good for.
void ModelGetter::arrived(const QString& path) {
  fetchedName_ = fetch_->model.name;
  inspection_.inspect({QFileInfo(path).canonicalFilePath()});
}

void ModelGetter::offer(const ModelFacts& facts) {
  if (!facts.isUsable()) {
    parts_.notices->show(
        kNoticeId, Banner::Kind::kWarning,
        tr("%1 is here, but cannot be used: %2").arg(fetchedName_, facts.problem.message()));
    return;
  }
  Banner& banner = parts_.notices->show(kNoticeId, Banner::Kind::kInfo,
                                        tr("%1 is here: %2.").arg(fetchedName_, facts.text()));
  if (!parts_.runtime) return;
  const QString path = facts.file;
  const auto give = [this, path, name = fetchedName_](Role role) {
    return [this, path, name, role] { parts_.models->setFileRole(role, path, name); };
  };
  if (facts.followsInstructions) {
    banner.addButton(QStringLiteral("fetchedFast"), tr("Use as Fast Model"), give(Role::kFast));
    banner.addButton(QStringLiteral("fetchedDeep"), tr("Use as Deep Model"), give(Role::kDeep));
  }
  banner.addButton(QStringLiteral("fetchedSuggest"), tr("Use for Suggestions"),
                   [this, path] { parts_.runtime->chooseModel(path); });
}

void ModelGetter::stopped() {
  Banner& banner =
      parts_.notices->show(kNoticeId, Banner::Kind::kInfo,
                           tr("%1 is not whole: %2 of %3 have come and are kept.")
                               .arg(fetch_->model.name, largeBytesText(progress_.bytes),
                                    largeBytesText(progress_.total)));
  const Fetch fetch = *fetch_;
  banner.addButton(QStringLiteral("fetchGoOn"), tr("Go On"), [this, fetch] { start(fetch); });
  banner.addButton(QStringLiteral("fetchRemove"), tr("Remove What Has Come"), [fetch] {
    pairing::HubFolder(fetch.order.cache, fetch.order.repository).removePart(fetch.order.file);
  });
}

void ModelGetter::failed(const editor::Error& error) {
  Banner& banner =
      parts_.notices->show(kNoticeId, Banner::Kind::kWarning,
                           tr("%1 was not fetched. %2").arg(fetch_->model.name, error.message()));
  const Fetch fetch = *fetch_;
  banner.addButton(QStringLiteral("fetchGoOn"), tr("Try Again"), [this, fetch] { start(fetch); });
}

void ModelGetter::openStatus() {
  if (!download_) return;
  enum Choice { kGoOn, kStop };
  const QString details = progressText();
  const QString kept = tr("what has come is kept");
  parts_.picker->open(tr("Getting %1").arg(fetch_->model.name), details,
                      {{details + tr("Go On"), static_cast<int>(details.size()), {}, {}, kGoOn},
                       {kept + tr("Stop"), static_cast<int>(kept.size()), {}, {}, kStop}},
                      [this](const QVariant& data) {
                        if (data.toInt() == kStop && download_) download_->stop();
                      });
}

void ModelGetter::tell(const editor::Error& error) {
  tellRefusal("getModelRefused", tr("Get a Model"), error, parts_.window);
}

}  // namespace waferpair::gui
