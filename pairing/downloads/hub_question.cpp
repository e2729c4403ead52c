// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/hub_question.h"

#include "editor/text/translate.h"
#include "pairing/endpoints/http_request.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

constexpr std::chrono::seconds kHubPatience(20);

HubQuestion::HubQuestion(const QUrl& base, const QString& repository, QObject* parent)
    : QObject(parent), host_(base.host()), network_(networkFor(base)) {
  Q_ASSERT(isRepository(repository) && isSafeAddress(base));
  get_ = std::make_unique<HubGet>(network_.get(),
                                  HubGet::Want{hubModelUrl(base, repository), 0, {}}, kHubPatience);
  connect(get_.get(), &HubGet::arrived, this, [this](const QByteArray& bytes) {
    // A longer answer is none that is known here.
    if (body_.size() <= kMostHubBytes) body_ += bytes;
  });
  connect(get_.get(), &HubGet::ended, this, &HubQuestion::take);
}

HubQuestion::~HubQuestion() = default;

void HubQuestion::take(const HubGet::End& end) {
  if (end.kind != HubGet::End::Kind::kDone) {
    Q_EMIT failed(end.error);
    return;
  }
  if (const auto model = readHubModel(body_)) {
    Q_EMIT answered(*model);
    return;
  }
  Q_EMIT failed({translate("What %1 answers is no description of a model.").arg(host_),
                 translate("Check HF_ENDPOINT, or try it again later.")});
}

}  // namespace waferpair::pairing
