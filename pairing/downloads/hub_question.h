// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the hub what files a model has. One thread, with an event loop; it must have been agreed to
// that the hub is asked.
#pragma once

#include <QObject>
#include <memory>

#include "pairing/downloads/hub.h"
#include "pairing/downloads/hub_get.h"

namespace waferpair::pairing {

class HubQuestion : public QObject {
  Q_OBJECT
 public:
  HubQuestion(const QUrl& base, const QString& repository, QObject* parent = nullptr);
  // Hangs up; no signal follows.
  ~HubQuestion() override;

 Q_SIGNALS:
  // One of the two, once, never within the constructor.
  void answered(const waferpair::pairing::HubModel& model);
  void failed(const waferpair::editor::Error& error);

 private:
  void take(const HubGet::End& end);

  QString host_;
  std::shared_ptr<QNetworkAccessManager> network_;
  std::unique_ptr<HubGet> get_;
  QByteArray body_;
};

}  // namespace waferpair::pairing
