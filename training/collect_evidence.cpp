// SPDX-License-Identifier: GPL-3.0-or-later
// For training/copying.py: what speaks for each token that could be copied, at each token of given
// lines, computed by the very code that the program copies with.
//
//   collect_evidence MODEL.gguf < TASKS > ROWS
//
// TASKS has a JSON object a line: {"documents":[TEXT...]} for a project, and behind it tasks in it,
// {"own":INDEX,"name":FILE,"prefix":TEXT,"truth":TEXT,"suffix":TEXT,"tokens":MOST}. ROWS are 32-bit
// numbers of this machine: for each token of a truth the number of candidates, the index of the
// right one or -1, and (float) the network's log probability of the token; then of each candidate
// its features. A task's "gone" are lines that were removed at the cursor. With "both":true in a
// task, each token's row is followed by one of what it would be if no other document were known.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/inference/model/compiled_model.h"
#include "runtime/inference/prompt/prompt_window.h"
#include "runtime/inference/prompt/surroundings.h"
#include "runtime/inference/sampling/copying.h"
#include "runtime/inference/sampling/sampler.h"
#include "runtime/inference/sampling/token_healing.h"
#include "runtime/transformer/kv_cache.h"

namespace waferpair {
namespace {

using inference::CompiledModel;
using Json = nlohmann::json;
using Tokens = std::vector<std::int32_t>;

constexpr std::size_t kPiece = 4096;  // bytes: documents are indexed in such pieces

[[noreturn]] void giveUp(const base::Error& error) {
  std::cerr << error.message() << '\n';
  std::exit(1);
}

template <typename T>
void put(T number) {
  static_assert(sizeof(T) == 4);
  std::fwrite(&number, sizeof number, 1, stdout);
}

class Collector {
 public:
  explicit Collector(CompiledModel& model)
      : model_(model), tokenizer_(model.tokenizer()), surroundings_(model.tokenizer()) {}

  void startProject(const Json& documents) {
    index_.clear();
    int owner = 0;
    for (const Json& document : documents) {
      const auto& text = document.get_ref<const std::string&>();
      for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
        end = text.find('\n', at + kPiece);
        end = end == std::string::npos ? text.size() : end + 1;
        index_.append(tokenizer_.encode(std::string_view(text).substr(at, end - at)));
        index_.endText(owner);
      }
      ++owner;
    }
  }

  void collect(const Json& task, transformer::KvCache& kv) {
    const auto& prefix = task.at("prefix").get_ref<const std::string&>();
    const std::string whole = prefix + task.at("suffix").get_ref<const std::string&>();
    const inference::PromptBudget budget = inference::promptBudget(model_.card().context);
    const inference::PromptWindow window = inference::cutWindow(
        whole, prefix.size(), budget.prefix * inference::kBytesPerToken,
        budget.suffix * inference::kBytesPerToken, inference::Surroundings::kMostBytes);
    std::string left(inference::healedEnd(tokenizer_, window.prefix));
    const auto head = window.prefix.substr(0, window.prefix.size() - left.size());
    const Tokens prompt =
        fimPrompt(tokenizer_, model_.card().prompt,
                  {task.at("name").get_ref<const std::string&>(), head, window.suffix}, budget);
    Tokens truth = tokenizer_.encode(left + task.at("truth").get<std::string>());
    const auto room = static_cast<std::size_t>(model_.card().context) - prompt.size();
    truth.resize(std::min({truth.size(), task.at("tokens").get<std::size_t>(), room}));

    Tokens text = prompt;
    for (std::int32_t& token : text) token = tokenizer_.isSpecial(token) ? -1 : token;
    const auto around = surroundings_.tokens(window.above, window.below);
    const auto gone = task.value("gone", std::string());
    const Tokens replaced = gone.empty() ? Tokens() : tokenizer_.encode("\n" + gone);
    const auto alike = inference::alikeTokens(
        tokenizer_, left,
        inference::alikeLines(prefix, task.at("suffix").get<std::string>(), "\n" + gone));
    const auto copyingFrom = [&](const inference::DraftIndex& documents) {
      return inference::Copying(
          kNoWeights, text,
          {.around = around ? std::span(*around) : std::span<const std::int32_t>(),
           .replaced = replaced,
           .alike = alike,
           .documents = documents,
           .own = task.at("own").get<int>()});
    };
    std::vector<inference::Copying> conditions = {copyingFrom(index_)};
    if (task.value("both", false)) conditions.push_back(copyingFrom(kNoDocuments));
    kv.truncate(0);
    Tokens fed = prompt;
    for (const std::int32_t token : truth) {
      feed(fed, kv);
      if (!left.empty()) inference::TokenHealing(tokenizer_, left).apply(logits_);
      for (inference::Copying& copying : conditions) {
        row(token, copying.candidates(logits_));
        copying.chosen(token);
      }
      left.erase(0, std::min(left.size(), tokenizer_.bytes(token).size()));
      fed = {token};
    }
  }

 private:
  // Leaves the logits behind the last of these.
  void feed(const Tokens& tokens, transformer::KvCache& kv) {
    for (std::size_t at = 0; at < tokens.size();) {
      const auto rows = std::min(tokens.size() - at, static_cast<std::size_t>(model_.chunk()));
      const auto keep = [this](int, std::span<const float> logits) {
        logits_.assign(logits.begin(), logits.end());
      };
      const bool last = at + rows == tokens.size();
      const auto done = model_.score({tokens.data() + at, rows}, kv, last ? 1 : 0, keep);
      if (!done) giveUp(done.error());
      at += rows;
    }
  }

  void row(std::int32_t right, std::span<const inference::CopyCandidate> candidates) {
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [right](const auto& one) { return one.token == right; });
    put(static_cast<std::int32_t>(candidates.size()));
    put(found == candidates.end() ? -1 : static_cast<std::int32_t>(found - candidates.begin()));
    put(static_cast<float>(logits_[static_cast<std::size_t>(right)] -
                           inference::logOfSum(logits_)));
    for (const inference::CopyCandidate& candidate : candidates)
      for (const float feature : candidate.features) put(feature);
  }

  inline static const inference::CopyWeights kNoWeights;
  inline static const inference::DraftIndex kNoDocuments;
  CompiledModel& model_;
  const tokenizer::Tokenizer& tokenizer_;
  inference::Surroundings surroundings_;
  inference::DraftIndex index_;
  std::vector<float> logits_;
};

int run(const char* path) {
  inference::CompileOptions options;
  options.threads = 1;
  const auto model = CompiledModel::load(path, options);
  if (!model) giveUp(model.error());
  (*model)->setCharging(false);
  auto kv = transformer::KvCache::make((*model)->config(), (*model)->card().context);
  if (!kv) giveUp(kv.error());
  Collector collector(**model);
  for (std::string line; std::getline(std::cin, line);) {
    const Json task = Json::parse(line);
    if (task.contains("documents")) {
      collector.startProject(task["documents"]);
    } else {
      collector.collect(task, *kv);
    }
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace waferpair

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: collect_evidence MODEL.gguf < TASKS > ROWS\n";
    return 2;
  }
  return waferpair::run(argv[1]);
} catch (const std::exception& error) {
  std::cerr << "A task is not as it should be: " << error.what() << '\n';
  return 1;
}
