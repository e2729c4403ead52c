// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/pairing/downloads/scripted_hub.h"

#include <QCryptographicHash>
#include <QTcpSocket>
#include <algorithm>

namespace waferpair::pairing {
namespace {

void answer(QTcpSocket* socket, int status, const QByteArrayList& headers, const QByteArray& body) {
  socket->write("HTTP/1.1 " + QByteArray::number(status) + " Scripted\r\n");
  for (const QByteArray& header : headers) socket->write(header + "\r\n");
  socket->write("Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
}

}  // namespace

ScriptedHub::ScriptedHub() {
  listen(hub_, false);
  listen(files_, true);
}

ScriptedHub::~ScriptedHub() {
  for (QTcpServer* server : {&hub_, &files_}) {
    for (QTcpSocket* socket : server->findChildren<QTcpSocket*>()) socket->disconnect(this);
  }
}

void ScriptedHub::listen(QTcpServer& server, bool isFile) {
  if (!server.listen(QHostAddress::LocalHost)) qFatal("no port");
  connect(&server, &QTcpServer::newConnection, this, [this, &server, isFile] {
    QTcpSocket* socket = server.nextPendingConnection();
    connect(socket, &QTcpSocket::readyRead, this, [this, socket, isFile] { take(socket, isFile); });
  });
}

QUrl ScriptedHub::base() const {
  return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(hub_.serverPort()));
}

QByteArray ScriptedHub::sha256() const {
  return QCryptographicHash::hash(file_, QCryptographicHash::Sha256).toHex();
}

int ScriptedHub::fileRequests() const {
  return static_cast<int>(std::count_if(requests_.begin(), requests_.end(),
                                        [](const Request& request) { return request.isFile; }));
}

ScriptedHub::Request ScriptedHub::lastFileRequest() const {
  const auto last = std::find_if(requests_.rbegin(), requests_.rend(),
                                 [](const Request& request) { return request.isFile; });
  return last == requests_.rend() ? Request() : *last;
}

void ScriptedHub::take(QTcpSocket* socket, bool isFile) {
  const QByteArray waiting = socket->peek(1 << 20);
  const qsizetype end = waiting.indexOf("\r\n\r\n");
  if (end < 0) return;
  socket->read(end + 4);
  const QByteArrayList lines = waiting.left(end).split('\n');
  Request request;
  request.isFile = isFile;
  request.path = lines.first().trimmed().split(' ').value(1);
  for (const QByteArray& line : lines.mid(1)) {
    const qsizetype colon = line.indexOf(':');
    request.headers.insert(line.left(colon).toLower(), line.mid(colon + 1).trimmed());
  }
  requests_.append(request);
  if (isFile) return sendFile(socket, request);
  if (request.path.startsWith("/api/models/")) return describe(socket);
  sendOn(socket);
}

void ScriptedHub::describe(QTcpSocket* socket) {
  if (refusal_.status != 0) return answer(socket, refusal_.status, refusal_.headers, refusal_.body);
  const QByteArray body = R"({"id":"me/coder-GGUF","sha":")" + commit().toLatin1() +
                          R"(","gated":false,"cardData":{"license":"apache-2.0"},"siblings":[)"
                          R"({"rfilename":"README.md","size":12,"blobId":"0123"},)"
                          R"({"rfilename":"coder-q8_0.gguf","size":)" +
                          QByteArray::number(file_.size()) + R"(,"lfs":{"sha256":")" + sha256() +
                          R"(","size":)" + QByteArray::number(file_.size()) +
                          R"(,"pointerSize":135}}]})";
  answer(socket, 200, {"Content-Type: application/json"}, body);
}

void ScriptedHub::sendOn(QTcpSocket* socket) {
  const QByteArray location = location_.isEmpty()
                                  ? "http://127.0.0.1:" + QByteArray::number(files_.serverPort()) +
                                        "/blobs/coder?signature=short-lived"
                                  : location_;
  answer(socket, 302,
         {"Location: " + location, "X-Linked-Size: " + QByteArray::number(file_.size()),
          "X-Linked-Etag: \"" + sha256() + "\"", "X-Repo-Commit: " + commit().toLatin1()},
         "Found");
}

void ScriptedHub::sendFile(QTcpSocket* socket, const Request& request) {
  const Fault fault = faults_.isEmpty() ? Fault() : faults_.takeFirst();
  if (fault.status != 0) return answer(socket, fault.status, fault.headers, "no");
  const QByteArray file = fault.bytes.isEmpty() ? file_ : fault.bytes;
  const QByteArray tag = fault.otherTag.isEmpty() ? QByteArray("\"blob-1\"") : fault.otherTag;
  const QByteArray wanted = request.headers.value("range");
  const QByteArray known = request.headers.value("if-range");
  const bool isRange =
      wanted.startsWith("bytes=") && !fault.ignoresRange && (known.isEmpty() || known == tag);
  const qint64 from =
      isRange ? wanted.mid(6, wanted.indexOf('-') - 6).toLongLong() + fault.rangeStartOff : 0;
  if (from >= file.size()) {
    return answer(socket, 416, {"Content-Range: bytes */" + QByteArray::number(file.size())}, {});
  }
  const QByteArray body = file.mid(from);
  const qint64 told = body.size() + fault.lengthOff;
  socket->write(isRange ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n");
  socket->write("ETag: " + tag + "\r\n");
  if (isRange) {
    socket->write("Content-Range: bytes " + QByteArray::number(from) + '-' +
                  QByteArray::number(file.size() - 1) + '/' +
                  QByteArray::number(file.size() + fault.lengthOff) + "\r\n");
  }
  if (fault.isChunked) {
    socket->write("Transfer-Encoding: chunked\r\n\r\n" + QByteArray::number(body.size(), 16) +
                  "\r\n" + body + "\r\n0\r\n\r\n");
    return;
  }
  socket->write("Content-Length: " + QByteArray::number(told) + "\r\n\r\n");
  const qint64 most = std::max(fault.cutAfter, fault.stallAfter);
  socket->write(most >= 0 ? body.left(most) : body);
  if (fault.cutAfter >= 0) socket->disconnectFromHost();
}

}  // namespace waferpair::pairing
