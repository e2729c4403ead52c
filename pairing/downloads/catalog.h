// SPDX-License-Identifier: GPL-3.0-or-later
// The short list of models to get (resources/models_to_get.json). It holds no sizes and no sums:
// those are the hub's to say when a model is fetched.
#pragma once

#include <QByteArray>
#include <QString>
#include <QUrl>
#include <QVector>

#include "editor/text/result.h"

namespace waferpair::pairing {

struct CatalogModel {
  QString name;        // for the user: "Qwen2.5-Coder 7B"
  QString repository;  // "ORG/NAME"
  QString file;        // a pattern, as HubModel::findLike() has it
  QString license;     // its name
  QUrl licenseLink;
  QString architecture;   // one that the engine loads
  int contextTokens = 0;  // that it was trained for
  int memoryGb = 0;       // of a computer on which it runs well
  bool fillsIn = false;
  bool followsInstructions = false;
  QString note;  // a few words more
};

// The error names the entry that is wrong.
editor::Result<QVector<CatalogModel>> readCatalog(const QByteArray& json);

}  // namespace waferpair::pairing
