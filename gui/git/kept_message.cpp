// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/kept_message.h"

#include <QJsonArray>
#include <utility>

#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

QString messagesKey() { return QStringLiteral("messages"); }

}  // namespace

KeptMessages::KeptMessages(QString file) : file_(std::move(file)) { writer_.setMaxThreadCount(1); }

KeptMessages::~KeptMessages() { writer_.waitForDone(); }

KeptMessages::Message KeptMessages::of(const QString& folder) const {
  for (const QJsonValue each : readJson(file_).object.value(messagesKey()).toArray())
    if (each[u"folder"].toString() == folder)
      return {each[u"text"].toString().left(kMostOfMessage), each[u"amends"].toBool()};
  return {};
}

// Other windows write to it, too: what the file has by then is changed.
void KeptMessages::keep(const QString& folder, const Message& message) {
  writer_.start([file = file_, folder, message] {
    QJsonArray kept;
    if (!message.text.isEmpty())
      kept.append(QJsonObject{{QStringLiteral("folder"), folder},
                              {QStringLiteral("text"), message.text.left(kMostOfMessage)},
                              {QStringLiteral("amends"), message.amends}});
    const QJsonArray before = readJson(file).object.value(messagesKey()).toArray();
    for (const QJsonValue each : before)
      if (each[u"folder"].toString() != folder && kept.size() < kMostRepositories)
        kept.append(each);
    // What goes wrong with the file is told by what else is written beside it.
    if (kept != before) writeJson(file, QJsonObject{{messagesKey(), kept}});
  });
}

}  // namespace waferpair::gui
