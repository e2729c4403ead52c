// SPDX-License-Identifier: GPL-3.0-or-later
// What servers list, as arbitrary bytes: each of the readers gives at most so many models, each
// with an id of its own and a context that can be. Qt's JSON parser is not instrumented: begin from
// the seeds.
#include <QSet>
#include <cstdlib>

#include "pairing/endpoints/model_list.h"

using namespace waferpair::pairing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const QByteArray json(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  for (const auto read : {readModelList, readOllamaTags, readLmStudioModels}) {
    const auto models = read(json);
    if (!models) continue;
    if (models->size() > kMostListed) std::abort();
    QSet<QString> ids;
    for (const ListedModel& model : *models) {
      if (model.id.isEmpty() || ids.contains(model.id)) std::abort();
      if (model.contextTokens == 0 || model.contextTokens < -1) std::abort();
      ids.insert(model.id);
    }
    if (withDetails(*models, *models) != *models) std::abort();
  }
  return 0;
}
