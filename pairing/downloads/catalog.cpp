// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/catalog.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "editor/text/translate.h"
#include "pairing/downloads/hub.h"

namespace waferpair::pairing {

editor::Result<QVector<CatalogModel>> readCatalog(const QByteArray& json) {
  const QString remedy = translate("Install the program again.");
  QJsonParseError problem;
  const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
  if (!document.isObject()) {
    return editor::fail(
        translate("The list of models to get is no JSON: %1.").arg(problem.errorString()), remedy);
  }
  QVector<CatalogModel> models;
  for (const QJsonValue& value : document.object().value(u"models").toArray()) {
    const QJsonObject object = value.toObject();
    const auto text = [&object](const char* name) {
      return object.value(QLatin1String(name)).toString();
    };
    CatalogModel model;
    model.name = text("name");
    model.repository = text("repository");
    model.file = text("file");
    model.license = text("license");
    model.licenseLink = QUrl(text("license_link"), QUrl::StrictMode);
    model.architecture = text("architecture");
    model.contextTokens = object.value(u"context").toInt();
    model.memoryGb = object.value(u"memory_gb").toInt();
    model.note = text("note");
    for (const QJsonValue& use : object.value(u"good_for").toArray()) {
      model.fillsIn = model.fillsIn || use.toString() == u"filling-in";
      model.followsInstructions = model.followsInstructions || use.toString() == u"instructions";
    }
    const bool isWhole = !model.name.isEmpty() && isRepository(model.repository) &&
                         model.file.endsWith(QLatin1String(".gguf")) && !model.license.isEmpty() &&
                         model.licenseLink.scheme() == u"https" && !model.architecture.isEmpty() &&
                         model.contextTokens > 0 && model.memoryGb > 0 &&
                         (model.fillsIn || model.followsInstructions);
    if (!isWhole) {
      return editor::fail(
          translate("The list of models to get has an entry that is not whole: “%1”.")
              .arg(model.name),
          remedy);
    }
    models.append(model);
  }
  return models;
}

}  // namespace waferpair::pairing
