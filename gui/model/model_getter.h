// SPDX-License-Identifier: GPL-3.0-or-later
// Getting a model: the short list, the user's word that the hub may be asked, what there is to know
// before, the download, and what is done with the model once it is here. One download at a time.
// UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QVector>
#include <memory>
#include <optional>

#include "gui/model/model_facts.h"
#include "pairing/downloads/catalog.h"
#include "pairing/downloads/model_download.h"

class QWidget;

namespace waferpair::gui {

class BannerStack;
class PairingModels;
class Picker;
class RuntimeService;

class ModelGetter : public QObject {
  Q_OBJECT
 public:
  struct Parts {
    QWidget* window;  // for dialogs
    Picker* picker;
    BannerStack* notices;
    PairingModels* models;
    RuntimeService* runtime;  // null: nothing can be loaded
    QString inspector;        // waferctl
  };
  // The parts outlive this.
  explicit ModelGetter(const Parts& parts);
  // Stops the transfer; the part that has come is kept.
  ~ModelGetter() override;

  // "Qwen3 4B: 43 %"; empty while nothing is fetched.
  QString statusText() const;
  // The same at length: bytes, rate, time left, or why it waits.
  QString progressText() const;

 public Q_SLOTS:
  // Opens the list.
  void open();
  // Offers to stop what is being fetched.
  void openStatus();

 Q_SIGNALS:
  // Anything that the above tells.
  void changed();

 private:
  // The model that is being fetched.
  struct Fetch {
    pairing::CatalogModel model;
    pairing::DownloadOrder order;
  };

  void choose(const pairing::CatalogModel& model);
  QString detailsOf(const pairing::CatalogModel& model) const;
  QString hintOf(const pairing::CatalogModel& model) const;
  QString fetchedFile(const pairing::CatalogModel& model) const;
  void askForHub(const pairing::CatalogModel& model);
  void showDialog(const pairing::CatalogModel& model);
  void start(const Fetch& fetch);
  void arrived(const QString& path);
  void offer(const ModelFacts& facts);
  void stopped();
  void failed(const editor::Error& error);
  void endDownload();
  void tell(const editor::Error& error);

  Parts parts_;
  QVector<pairing::CatalogModel> catalog_;
  QHash<QString, qint64> sizes_;  // by repository, as the hub told
  std::optional<Fetch> fetch_;    // under way, or the last one
  std::unique_ptr<pairing::ModelDownload> download_;
  pairing::DownloadProgress progress_;
  ModelInspection inspection_;
  QString fetchedName_;  // of what is inspected
};

// "40 s", "3 min", "1.5 h"
QString durationText(qint64 seconds);

}  // namespace waferpair::gui
