// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/wafer/estimate/gpu.h"

#include <algorithm>
#include <cmath>

#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/estimate/gpu_shape.h"
#include "runtime/wafer/machine/range.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::wafer {
namespace {

constexpr int kUsualGpuPrompt = 1024;
constexpr int kMostGpus = 1024;

base::Result<GpuRequest> completedGpu(GpuRequest r) {
  if (r.prompt == 0) r.prompt = kUsualGpuPrompt;
  if (r.output == 0) r.output = r.prompt;
  struct Limit {
    const char* flag;
    double value, low, high;
    const char* why;
  };
  const Limit limits[] = {
      {"--prompt", double(r.prompt), 1, kMostPositions, "it is a number of tokens"},
      {"--output", double(r.output), 1, kMostPositions, "it is a number of tokens"},
      {"--requests", double(r.requests), 1, 1 << 20, "there is one at least"},
      {"--draft", double(r.draft), 0, kMostDraft, "it is a number of guesses"},
      {"--acceptance", r.acceptance, 0, 1, "it is a probability"},
      {"--gpus", double(r.gpus), 0, kMostGpus, "it is a number of GPUs"},
  };
  for (const Limit& l : limits) {
    auto ok = checkRange(l.flag, l.value, l.low, l.high, l.why);
    if (!ok) return tl::unexpected(ok.error());
  }
  return r;
}

// As many GPUs as tensor parallelism goes over: a power of two.
base::Result<int> gpusFor(const GpuRequest& r, double bytes) {
  const double need = std::ceil(bytes / r.gpu.memoryBytes);
  if (r.gpus > 0 && r.gpus >= need) return r.gpus;
  if (r.gpus > 0 || need > kMostGpus) {
    return base::fail("Weights and cache take " + std::to_string(static_cast<std::int64_t>(need)) +
                          " of " + r.gpu.title + ".",
                      "Name as many, or ask for fewer bits, requests or tokens.");
  }
  int gpus = 1;
  while (gpus < need) gpus *= 2;
  return gpus;
}

}  // namespace

base::Result<GpuEstimate> estimateGpu(const GpuRequest& request) {
  const auto complete = completedGpu(request);
  if (!complete) return tl::unexpected(complete.error());
  const GpuRequest& r = *complete;
  const auto data = gpuCalibration();
  if (!data) return tl::unexpected(data.error());

  GpuEstimate e;
  e.prompt = r.prompt;
  e.output = r.output;
  e.requests = r.requests;
  e.draft = r.draft;
  e.acceptance = r.acceptance;
  e.tokensPerStep = Speculation{r.draft, r.acceptance}.tokensPerStep();

  const double rows = static_cast<double>(r.requests) * (r.draft + 1);
  const double context = r.prompt + r.output / 2.0;
  const double most = static_cast<double>(r.requests) * cacheBytes(r.shape, r.prompt + r.output);
  const auto gpus = gpusFor(r, allWeightBytes(r.shape) + most);
  if (!gpus) return tl::unexpected(gpus.error());
  e.gpus = *gpus;
  e.weightBytes = stepWeightBytes(r.shape, rows);
  e.kvBytes = r.requests * (cacheBytes(r.shape, context) + stateBytes(r.shape));

  const double bandwidth = e.gpus * r.gpu.bytesPerSecond;
  const double weightBandwidth = data->eta(bitsPerWeight(r.shape)) * bandwidth;
  const double flops = e.gpus * r.gpu.flops;
  const double operations = 2.0 * static_cast<double>(r.shape.activeParameters());
  e.weightSeconds = e.weightBytes / weightBandwidth;
  e.kvSeconds = e.kvBytes / (data->eta(16) * bandwidth);
  e.launchSeconds = r.shape.layers * r.stack.layerSeconds;
  e.requestSeconds = (r.requests - 1) * data->requestSeconds;
  e.arithmeticSeconds = std::max(0.0, operations * rows / flops - e.weightSeconds - e.kvSeconds);

  const double promptBytes = stepWeightBytes(r.shape, r.prompt) / weightBandwidth;
  e.firstTokenSeconds = std::max(promptBytes, operations * r.prompt / flops) + e.launchSeconds;
  e.tokensPerSecond = e.tokensPerStep / e.stepSeconds();
  e.batchTokensPerSecond = r.requests * e.tokensPerSecond;
  e.watts = e.gpus * r.gpu.watts;
  e.joulesPerToken = e.watts / e.batchTokensPerSecond;
  return e;
}

}  // namespace waferpair::wafer
