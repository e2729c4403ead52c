// SPDX-License-Identifier: GPL-3.0-or-later
// Model servers on this computer's usual ports: asked only when look() is called, by GETs without
// side effects, and given a moment to answer. One thread, with an event loop.
#pragma once

#include <QObject>
#include <QUrl>
#include <chrono>
#include <memory>

#include "pairing/endpoints/model_list.h"

namespace waferpair::pairing {

struct LocalServer {
  QString name;                 // "Ollama"
  QUrl base;                    // "http://127.0.0.1:11434/v1"
  QVector<ListedModel> models;  // those that make text
  bool wantsKey = false;        // it is there, and tells nothing without one

  bool operator==(const LocalServer&) const = default;
};

class LocalServers : public QObject {
  Q_OBJECT
 public:
  enum class Kind { kOllama, kLmStudio, kOther };
  struct Place {
    Kind kind = Kind::kOther;
    QString name;  // what is usually there
    quint16 port = 0;
  };
  static QVector<Place> usualPlaces();

  // `patience` is for each request: a silent port holds up done() for so long. A busy machine may
  // well take half a second to answer.
  explicit LocalServers(QVector<Place> places = usualPlaces(),
                        std::chrono::milliseconds patience = std::chrono::seconds(1),
                        QObject* parent = nullptr);
  ~LocalServers() override;

  // Asks all of them anew; those asked before are not waited for.
  void look();
  bool isLooking() const { return waiting_ > 0; }

 Q_SIGNALS:
  void found(const waferpair::pairing::LocalServer& server);
  // All have answered or had their time. Never within look().
  void done();

 private:
  void ask(const Place& place);
  void take(const Place& place, const QVector<ListedModel>& models);
  void report(const LocalServer& server);
  void answered();

  QVector<Place> places_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<QObject> round_;  // owns the requests under way
  int waiting_ = 0;
};

}  // namespace waferpair::pairing
