// SPDX-License-Identifier: GPL-3.0-or-later
// A hub on real sockets that behaves as Hugging Face's does: it describes a model, sends who wants
// the file on to another host (another port), which knows ranges. Answers go wrong on demand.
#pragma once

#include <QMap>
#include <QTcpServer>
#include <QUrl>
#include <QVector>
#include <optional>

class QTcpSocket;

namespace waferpair::pairing {

class ScriptedHub : public QObject {
  Q_OBJECT
 public:
  struct Request {
    bool isFile = false;  // at the host that has the files
    QByteArray path;
    QMap<QByteArray, QByteArray> headers;  // names in lower case
  };
  // Says how the next request for the file is answered instead of as it should be.
  struct Fault {
    qint64 cutAfter = -1;    // bytes, then the connection goes
    qint64 stallAfter = -1;  // bytes, then nothing more comes
    bool ignoresRange = false;
    qint64 rangeStartOff = 0;     // the range that is sent begins so much later than was asked
    qint64 lengthOff = 0;         // the length that is told is so much too large
    bool isChunked = false;       // no length is told
    QByteArray bytes = {};        // another file's
    int status = 0;               // an error
    QByteArrayList headers = {};  // that go with it
    QByteArray otherTag = {};     // the ETag
  };

  ScriptedHub();
  ~ScriptedHub() override;

  QUrl base() const;
  int filePort() const { return files_.serverPort(); }
  static QString repository() { return QStringLiteral("me/coder-GGUF"); }
  static QString commit() { return QString(40, u'c'); }

  // The content of the file "coder-q8_0.gguf".
  void setFile(const QByteArray& bytes) { file_ = bytes; }
  const QByteArray& file() const { return file_; }
  QByteArray sha256() const;
  // Faults are used up in order, one a request.
  void script(const Fault& fault) { faults_.append(fault); }
  // Sets what the description is answered with from now on.
  void refuseQuestions(int status, const QByteArrayList& headers = {},
                       const QByteArray& body = {}) {
    refusal_ = {status, headers, body};
  }
  // Where the file is said to be; empty: where it is.
  void setLocation(const QByteArray& location) { location_ = location; }

  const QVector<Request>& requests() const { return requests_; }
  int fileRequests() const;
  // These are of the last request for the file.
  Request lastFileRequest() const;

 private:
  struct Refusal {
    int status = 0;
    QByteArrayList headers;
    QByteArray body;
  };
  void listen(QTcpServer& server, bool isFile);
  void take(QTcpSocket* socket, bool isFile);
  void describe(QTcpSocket* socket);
  void sendOn(QTcpSocket* socket);
  void sendFile(QTcpSocket* socket, const Request& request);

  QTcpServer hub_;
  QTcpServer files_;
  QByteArray file_;
  QByteArray location_;
  Refusal refusal_;
  QVector<Fault> faults_;
  QVector<Request> requests_;
};

}  // namespace waferpair::pairing
