// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/experiment/kinds.h"
#include "runtime/wafer/estimate/gpu.h"

namespace waferpair::experiment {

base::Result<Answer> answerGpu(Settings& settings) {
  const auto shape = shapeOf(settings);
  const auto gpu = wafer::findGpu(settings.text("gpu", "h100"));
  const auto stack = wafer::findGpuStack(settings.text("stack", "serving"));
  const Request asked = requestOf(settings);
  const auto gpus = settings.integer("gpus", 1, 1024);
  if (auto ok = settings.check(); !ok) return tl::unexpected(ok.error());
  if (!shape) return tl::unexpected(shape.error());
  if (!gpu) return tl::unexpected(gpu.error());
  if (!stack) return tl::unexpected(stack.error());

  wafer::GpuRequest request;
  request.shape = *shape;
  request.gpu = *gpu;
  request.stack = *stack;
  request.gpus = gpus.value_or(0);
  request.prompt = asked.prompt.value_or(0);
  request.output = asked.output.value_or(0);
  request.requests = asked.requests.value_or(1);
  request.draft = asked.draft.value_or(0);
  request.acceptance = asked.acceptance.value_or(0);
  const auto e = wafer::estimateGpu(request);
  if (!e) return tl::unexpected(e.error());
  const auto band = wafer::gpuBandOf(gpu->name, stack->name);
  if (!band) return tl::unexpected(band.error());
  const auto data = wafer::gpuCalibration();
  if (!data) return tl::unexpected(data.error());

  Answer answer;
  answer.nature = Nature::kModelled;
  answer.title = (e->gpus > 1 ? std::to_string(e->gpus) + " x " : std::string()) + gpu->title +
                 ", " + stack->title + ", " + shape->name;
  answer.band = wafer::gpuBandText(*band);
  if (band->rows > 0) answer.worstErrorPercent = band->worstPercent;
  answer.figures = {
      {"tokens_per_second", "Tokens a second, of one request", e->tokensPerSecond, "tokens/s"},
      {"first_token_ms", "First token, at the least", 1e3 * e->firstTokenSeconds, "ms"},
      {"joules_per_token", "Energy a token, boards only", e->joulesPerToken, "J"},
      {"batch_tokens_per_second", "Tokens a second, of all requests", e->batchTokensPerSecond,
       "tokens/s"},
      {"token_ms", "Time of a step", 1e3 * e->stepSeconds(), "ms"},
      {"gpus", "GPUs", double(e->gpus), ""},
      {"weight_gb", "Weights that a step reads", e->weightBytes / 1e9, "GB"},
      {"kv_gb", "Keys and values that a step reads", e->kvBytes / 1e9, "GB"},
      {"watts", "Power of all boards", e->watts, "W"},
      {"tokens_per_step", "Tokens a step", e->tokensPerStep, ""},
  };
  const double each = 1 / e->tokensPerStep;
  answer.shares = {{"weights from memory", each * e->weightSeconds},
                   {"keys and values from memory", each * e->kvSeconds},
                   {"launches", each * e->launchSeconds},
                   {"the other requests", each * e->requestSeconds},
                   {"arithmetic beyond that", each * e->arithmeticSeconds}};
  answer.sources = {gpu->source, stack->source};
  for (const wafer::MemoryShare& share : data->shares) answer.sources.push_back(share.source);
  answer.sources.push_back(data->requestSource);
  if (shape->guess) answer.sources.push_back("the model's shape is a guess: " + shape->source);
  return answer;
}

}  // namespace waferpair::experiment
