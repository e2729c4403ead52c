// SPDX-License-Identifier: GPL-3.0-or-later
// What other editors and tools need to use waferd: asked of `waferctl connect`, which knows them,
// in a process of its own. UI thread only; nothing blocks.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QVector>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::gui {

struct OtherClient {
  QString name;   // "zed"
  QString title;  // "Zed"

  bool operator==(const OtherClient&) const = default;
};

struct ClientSettings {
  QString client;
  QString file;  // where the text belongs
  QString text;
  QString use;                  // what is left to do by hand
  bool replaces = false;        // the text is all of the file
  std::optional<bool> written;  // false: the file has it already; nothing: it was not to be
  QString check;                // what a real request gave; empty where none was made
  editor::Error problem;        // empty: none
};

// Answers of waferctl's; nothing where they are none.
std::optional<QVector<OtherClient>> readOtherClients(const QByteArray& json);
std::optional<ClientSettings> readClientSettings(const QByteArray& json);

class ClientConnector : public QObject {
  Q_OBJECT
 public:
  enum class Wish {
    kShow,   // the settings alone
    kWrite,  // puts them into the client's file
    kCheck,  // makes the request that the client would
  };

  // `program` is waferctl.
  explicit ClientConnector(const QString& program, QObject* parent = nullptr);
  // Ends what is being asked.
  ~ClientConnector() override;

  // One question at a time: a new one ends the one before.
  void list();
  void ask(const QString& client, Wish wish);
  void cancel();
  bool isBusy() const { return isBusy_; }

 Q_SIGNALS:
  void listed(const QVector<waferpair::gui::OtherClient>& clients);
  void told(const waferpair::gui::ClientSettings& settings);
  void failed(const waferpair::editor::Error& error);

 private:
  void start(const QStringList& arguments, bool isList);
  void ended();

  QString program_;
  QProcess process_;
  bool isBusy_ = false;
  bool isList_ = false;
};

}  // namespace waferpair::gui
