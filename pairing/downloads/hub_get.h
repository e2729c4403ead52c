// SPDX-License-Identifier: GPL-3.0-or-later
// One GET of the hub: redirections are followed to where it is safe, no key, cookie or name goes
// along, and silence ends it. One thread, with an event loop.
#pragma once

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QObject>
#include <QTimer>
#include <QUrl>
#include <chrono>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::pairing {

class HubGet : public QObject {
  Q_OBJECT
 public:
  struct Want {
    QUrl url;
    qint64 from = 0;  // the first byte that is wanted
    QByteArray tag;   // the ETag of what is there up to `from`; empty: not known
  };
  struct End {
    enum class Kind {
      kDone,     // all of the answer has come
      kBroken,   // the network or the server failed, which may pass
      kRefused,  // it would be no better the next time
    };
    Kind kind = Kind::kDone;
    editor::Error error;
    std::optional<std::chrono::milliseconds> pause;  // that the server asks for
  };
  static constexpr int kMostRedirections = 8;

  // `patience` is for silence. `network` outlives this.
  HubGet(QNetworkAccessManager* network, const Want& want, std::chrono::milliseconds patience,
         QObject* parent = nullptr);
  // Hangs up; no signal follows.
  ~HubGet() override;

  // These are of the answer that began().
  int status() const;
  QByteArray header(const char* name) const { return reply_->rawHeader(name); }

 Q_SIGNALS:
  // A success, or 416, is beginning to come. Whoever hears it may delete this later, and is told
  // nothing more if it disconnects.
  void began();
  void arrived(const QByteArray& bytes);
  // The last signal, never within the constructor.
  void ended(const waferpair::pairing::HubGet::End& end);

 private:
  void send(const QUrl& url);
  void read();
  void finish();
  void follow();
  void end(const End& end);
  End refusal() const;

  QNetworkAccessManager* network_;
  Want want_;
  QNetworkReply* reply_ = nullptr;
  QTimer silence_{this};
  int redirections_ = 0;
  bool begun_ = false;
  QByteArray said_;  // with a status that is no success
};

}  // namespace waferpair::pairing
