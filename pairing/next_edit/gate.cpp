// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/gate.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "editor/text/translate.h"

namespace waferpair::pairing {

namespace {

constexpr const char* kFinderNames[] = {"name",  "span",   "likeLine", "call",
                                        "block", "import", "unused",   "rename"};
static_assert(std::size(kFinderNames) == kFinderCount);

// -1: there is none of that name.
int featureNamed(const QString& name) {
  for (int i = 0; i < kFeatureCount; ++i)
    if (name == QLatin1String(featureName(i))) return i;
  return -1;
}

}  // namespace

const char* finderName(Finder finder) { return kFinderNames[static_cast<int>(finder)]; }

Gate::Gate() = default;

editor::Result<Gate> Gate::parse(const QByteArray& json) {
  const auto bad = [](const QString& what) {
    return editor::fail(what, translate("Install the program again."));
  };
  QJsonParseError problem;
  const QJsonDocument document = QJsonDocument::fromJson(json, &problem);
  if (!document.isObject())
    return bad(translate("The weights of next edits are no JSON: %1.").arg(problem.errorString()));
  const QJsonObject finders = document.object().value(u"finders").toObject();
  Gate gate;
  for (int f = 0; f < kFinderCount; ++f) {
    const QJsonObject stored = finders.value(QLatin1String(kFinderNames[f])).toObject();
    if (stored.isEmpty()) continue;  // it is never shown
    Model& model = gate.models_[f];
    model.bias = stored.value(u"bias").toDouble();
    model.threshold = stored.value(u"threshold").toDouble(model.threshold);
    const QJsonObject weights = stored.value(u"weights").toObject();
    for (auto it = weights.begin(); it != weights.end(); ++it) {
      const qsizetype times = it.key().indexOf(u'*');
      const int first = featureNamed(it.key().left(times));
      const int second = times < 0 ? 0 : featureNamed(it.key().mid(times + 1));
      if (first < 0 || second < 0 || !it.value().isDouble())
        return bad(translate("The weights of next edits name “%1”, which is none.").arg(it.key()));
      if (times < 0) {
        model.weights[first] = it.value().toDouble();
      } else {
        model.pairs.push_back({first, second, it.value().toDouble()});
      }
    }
  }
  return gate;
}

double Gate::probability(Finder finder, const Features& features) const {
  const Model& model = models_[static_cast<int>(finder)];
  double sum = model.bias;
  const auto& values = features.values();
  for (int i = 0; i < kFeatureCount; ++i) sum += model.weights[i] * values[i];
  for (const Pair& pair : model.pairs)
    sum += pair.weight * values[pair.first] * values[pair.second];
  return 1 / (1 + std::exp(-sum));
}

}  // namespace waferpair::pairing
