// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/metrics.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "runtime/wafer/plan/counters.h"

namespace waferpair::server {
namespace {

// The sample of a model that the rows below are read from, all at one time. Where it has no engine
// all but `hub` is empty.
struct Sample {
  const Hub& hub;
  std::string name = {};
  inference::ModelCard card = {};
  inference::EngineStats stats = {};
  inference::QueueDepth queue = {};
  double oldestMs = 0;  // that a job has waited
  std::size_t storedBytes = 0;
  wafer::CounterTotals wafer = {};
};

enum class Type { kGauge, kCounter };
enum class Of {
  kServer,
  kModel,  // from when it is ready
  kWafer,  // the same, labeled with the machine and the profile of its kernels
};

struct Metric {
  Of of;
  Type type;
  std::string_view name;
  std::string_view help;
  double (*value)(const Sample& sample);
};

constexpr auto kGauge = Type::kGauge;
constexpr auto kCounter = Type::kCounter;

double number(std::uint64_t value) { return static_cast<double>(value); }

// The metrics in the order in which they are told.
constexpr Metric kMetrics[] = {
    {Of::kServer, kGauge, "waferpair_sessions", "Open WebSocket sessions.",
     [](const Sample& s) { return static_cast<double>(s.hub.sessions()); }},
    {Of::kServer, kGauge, "waferpair_ready", "1 when the first model is in memory.",
     [](const Sample& s) { return s.hub.engine() ? 1.0 : 0.0; }},

    {Of::kModel, kGauge, "waferpair_kv_cache_used_bytes", "Of the KV caches of all sequences.",
     [](const Sample& s) { return number(s.stats.kvUsedBytes); }},
    {Of::kModel, kGauge, "waferpair_kv_cache_bytes", "That they may have.",
     [](const Sample& s) { return number(s.stats.kvBytes); }},
    {Of::kModel, kGauge, "waferpair_stored_responses_bytes", "Of that, what stored responses take.",
     [](const Sample& s) { return number(s.storedBytes); }},
    {Of::kModel, kGauge, "waferpair_queue_running", "Jobs under way.",
     [](const Sample& s) { return static_cast<double>(s.queue.running); }},
    {Of::kModel, kGauge, "waferpair_queue_interactive", "Completions waiting.",
     [](const Sample& s) { return static_cast<double>(s.queue.interactive); }},
    {Of::kModel, kGauge, "waferpair_queue_background", "Responses waiting.",
     [](const Sample& s) { return static_cast<double>(s.queue.background); }},
    {Of::kModel, kGauge, "waferpair_queue_oldest_seconds", "How long the oldest of them waits.",
     [](const Sample& s) { return 1e-3 * s.oldestMs; }},
    {Of::kModel, kGauge, "waferpair_sequences_in_step", "Sequences in the last step.",
     [](const Sample& s) { return static_cast<double>(s.stats.sequencesInStep); }},
    {Of::kModel, kCounter, "waferpair_queued_seconds_total",
     "Time that jobs waited before they began.",
     [](const Sample& s) { return 1e-3 * s.stats.queuedMs; }},
    {Of::kModel, kCounter, "waferpair_completions_total", "Completions ended.",
     [](const Sample& s) { return number(s.stats.completions); }},
    {Of::kModel, kCounter, "waferpair_responses_total", "Responses ended.",
     [](const Sample& s) { return number(s.stats.generations); }},
    {Of::kModel, kCounter, "waferpair_embeddings_total", "Texts embedded.",
     [](const Sample& s) { return number(s.stats.embeddings); }},
    {Of::kModel, kCounter, "waferpair_cancelled_total", "Of all these, those that were cancelled.",
     [](const Sample& s) { return number(s.stats.cancelled); }},
    {Of::kModel, kCounter, "waferpair_output_tokens_total", "Tokens generated.",
     [](const Sample& s) { return number(s.stats.outputTokens); }},
    {Of::kModel, kCounter, "waferpair_decode_tokens_total", "Of these, those of decode steps.",
     [](const Sample& s) { return number(s.stats.decodeTokens); }},
    {Of::kModel, kCounter, "waferpair_decode_steps_total", "Decode steps.",
     [](const Sample& s) { return number(s.stats.decodeSteps); }},
    {Of::kModel, kCounter, "waferpair_decoded_sequences_total", "Sequences in decode steps.",
     [](const Sample& s) { return number(s.stats.decodedSequences); }},
    {Of::kModel, kCounter, "waferpair_drafted_tokens_total", "Tokens guessed and verified.",
     [](const Sample& s) { return number(s.stats.draftedTokens); }},
    {Of::kModel, kCounter, "waferpair_accepted_tokens_total", "Guessed tokens that were right.",
     [](const Sample& s) { return number(s.stats.acceptedTokens); }},
    {Of::kModel, kCounter, "waferpair_prefill_tokens_total", "Prompt tokens computed.",
     [](const Sample& s) { return number(s.stats.prefillTokens); }},
    {Of::kModel, kCounter, "waferpair_cached_tokens_total", "Prompt tokens found in the KV cache.",
     [](const Sample& s) { return number(s.stats.cachedTokens); }},
    {Of::kModel, kCounter, "waferpair_host_decode_seconds_total",
     "Time of this computer in decode steps.",
     [](const Sample& s) { return 1e-9 * number(s.stats.decodeNs); }},
    {Of::kModel, kCounter, "waferpair_host_prefill_seconds_total",
     "Time of this computer in prefill steps.",
     [](const Sample& s) { return 1e-9 * number(s.stats.prefillNs); }},

    {Of::kWafer, kCounter, "waferpair_wafer_decode_cycles_total",
     "Emulated cycles of decode steps.",
     [](const Sample& s) { return number(s.wafer.decodeCycles); }},
    {Of::kWafer, kCounter, "waferpair_wafer_prefill_cycles_total",
     "Emulated cycles of prefill steps.",
     [](const Sample& s) { return number(s.wafer.prefillCycles); }},
    {Of::kWafer, kCounter, "waferpair_wafer_decode_tokens_total",
     "Rows of decode steps, guesses among them.",
     [](const Sample& s) { return number(s.wafer.decodeTokens); }},
    {Of::kWafer, kGauge, "waferpair_wafer_clock_hertz", "Clock that turns cycles into seconds.",
     [](const Sample& s) { return s.card.clockHz; }},
};

Sample sampleOf(const Hub& hub, const HostedModel& model) {
  Sample sample{hub, model.name()};
  const inference::Engine& engine = *model.engine();
  sample.card = *model.card();
  sample.stats = engine.stats();
  sample.queue = engine.queue();
  sample.storedBytes = hub.responses().bytes(model.source().file);
  for (const inference::WaitingJob& job : engine.waiting())
    sample.oldestMs = std::max(sample.oldestMs, job.waitedMs);
  wafer::CounterSnapshot counters;
  engine.model().program().counters().read(counters);
  sample.wafer = counters.totals;
  return sample;
}

// A label's value may hold anything.
std::string quotedLabel(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + '"';
}

// `isNamed`: there are several models.
std::string labelsOf(const Metric& metric, const Sample& sample, bool isNamed) {
  std::string labels;
  if (metric.of == Of::kServer) return labels;
  if (isNamed) labels = "model=" + quotedLabel(sample.name);
  if (metric.of == Of::kWafer)
    labels += std::string(labels.empty() ? "" : ",") + "machine=\"" + sample.card.machine +
              "\",profile=\"" + sample.card.profile + "\"";
  return labels.empty() ? labels : "{" + labels + "}";
}

}  // namespace

std::string metricsText(const Hub& hub) {
  std::vector<Sample> models;
  for (const auto& model : hub.models().all())
    if (model->engine()) models.push_back(sampleOf(hub, *model));
  const bool areNamed = hub.models().all().size() > 1;
  const std::vector<Sample> server{Sample{hub}};
  std::ostringstream out;
  out.precision(12);
  for (const Metric& metric : kMetrics) {
    const std::vector<Sample>& samples = metric.of == Of::kServer ? server : models;
    if (samples.empty()) continue;
    out << "# HELP " << metric.name << ' ' << metric.help << "\n# TYPE " << metric.name << ' '
        << (metric.type == Type::kGauge ? "gauge" : "counter") << '\n';
    for (const Sample& sample : samples)
      out << metric.name << labelsOf(metric, sample, areNamed) << ' ' << metric.value(sample)
          << '\n';
  }
  return out.str();
}

}  // namespace waferpair::server
