// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of models' servers in the desktop's secret store (the Secret Service, by libsecret), under
// the address that they are for. A store may ask the user to unlock it, so everything is done on a
// thread of its own; what is asked for is done in order. UI thread only.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>

#include "editor/text/result.h"

namespace waferpair::gui {

class SecretStore : public QObject {
  Q_OBJECT
 public:
  // `problem` says why it could not be done; the key is in no such text.
  using Done = std::function<void(const editor::Error& problem)>;
  // `key` is empty without a problem: there is none for that address.
  using Found = std::function<void(const QByteArray& key, const editor::Error& problem)>;

  explicit SecretStore(QObject* parent = nullptr);
  // Gives up what is under way; its callback is not called.
  ~SecretStore() override;

  void keep(const QString& address, const QByteArray& key, Done done);
  void find(const QString& address, Found found);
  void remove(const QString& address, Done done);

 private:
  struct Cancellation;
  void run(std::function<std::function<void()>(Cancellation&)> work);

  std::shared_ptr<Cancellation> cancellation_;
  QThreadPool thread_{this};
};

}  // namespace waferpair::gui
