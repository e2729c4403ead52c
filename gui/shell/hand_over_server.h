// SPDX-License-Identifier: GPL-3.0-or-later
// Has a window show what a second start of the program was asked for (hand_over.h), and tells who
// waits for a file when it is closed. Only the user's own programs are listened to: the socket lies
// in a folder that nobody else can enter, has mode 0600, and who connects is asked of the kernel.
// UI thread only.
#pragma once

#include <QLocalServer>

class QLocalSocket;

namespace waferpair::gui {

class Document;
class MainWindow;

class HandOverServer : public QObject {
  Q_OBJECT
 public:
  static constexpr int kMostClients = 64;

  // `window` outlives this.
  explicit HandOverServer(MainWindow* window, QObject* parent = nullptr);
  // Removes the socket, and tells those who wait that it is over.
  ~HandOverServer() override;

  // Listens at a new socket whose path begins so. Nobody is answered before begin(). Returns what
  // is wrong; empty when it listens.
  QString listen(const QString& prefix);
  // A connection to who started this process and waits: the window closes once all is closed that
  // was asked for there, unless there is something else in it by then. Where the descriptor is no
  // socket, false.
  bool adopt(int descriptor);
  // The window is there to be shown something in.
  void begin();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Client;
  void greetAll();
  void closeIfDone();

  MainWindow* window_;
  QLocalServer server_;
  QList<Client*> clients_;
  QLocalSocket* starter_ = nullptr;  // null: none, or it has been greeted
  bool begun_ = false;
  bool isForOne_ = false;  // the window was opened for somebody who waits
};

}  // namespace waferpair::gui
