// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/dialects/plain_request.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/prompt/surroundings.h"
#include "runtime/protocol/messages.h"
#include "runtime/server/core/sampling_fields.h"

namespace waferpair::server {
namespace {

// As the editor asks for what it shows by itself.
constexpr int kCompetingLines = 6;
constexpr double kLikelyRight = 0.75;

constexpr const char* kRepeatPenalty = "repeat_penalty";
constexpr base::Field kPrompt{.name = "prompt", .required = true};
// llama-server's mark between passages, for models without a token for it.
constexpr std::string_view kPassage = "\n\n--- snippet ---\n\n";

// The names of the tokens, as clients write them, with the blanks that belong to them.
struct FillInSpelling {
  std::string_view prefix, suffix;
  std::string_view middle;  // empty: the prefix is last, and goes on
  std::string_view file;    // in front of a file's name, on a line of its own
};
constexpr FillInSpelling kSpellings[] = {
    {"<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|file_sep|>"},  // Qwen, CodeGemma
    {"<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<file_sep>"},  // StarCoder, Granite, Mellum
    {"<PRE> ", " <SUF>", " <MID>", {}},                              // CodeLlama
    {"<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>", {}},      // DeepSeek
    {"[PREFIX]", "[SUFFIX]", {}, {}},                                // Codestral
    {"<[fim-prefix]>", "<[fim-suffix]>", "<[fim-middle]>", {}},      // Seed-Coder
    {"<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>", {}},   // GLM
};
// What may stand in front of everything and says nothing of the text.
constexpr std::string_view kBeginnings[] = {"<s>", "<bos>", "<|endoftext|>", "<|begin_of_text|>",
                                            "<｜begin▁of▁sentence｜>"};
constexpr std::string_view kRepositories[] = {"<|repo_name|>", "<repo_name>", "<reponame>"};

// The text up to the newline, and behind it.
std::pair<std::string, std::string> splitLine(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos) return {std::string(text), {}};
  return {std::string(text.substr(0, end)), std::string(text.substr(end + 1))};
}

// Reads what stands in front of the fill-in tokens: other files, and the name of this one.
void readFront(PlainRequest& request, std::string_view front, std::string_view fileMark) {
  for (const std::string_view token : kBeginnings)
    if (front.starts_with(token)) front.remove_prefix(token.size());
  for (const std::string_view token : kRepositories)
    if (front.starts_with(token))
      front.remove_prefix(std::min(front.size(), std::min(front.find('\n'), front.size() - 1) + 1));
  std::size_t end = fileMark.empty() ? front.npos : front.find(fileMark);
  if (const std::string_view loose = front.substr(0, end); !loose.empty())
    request.extra.push_back({{}, std::string(loose)});
  while (end != front.npos) {
    front.remove_prefix(end + fileMark.size());
    end = front.find(fileMark);
    auto [name, text] = splitLine(front.substr(0, end));
    if (end == front.npos && text.empty())
      request.fileName = std::move(name);
    else
      request.extra.push_back({std::move(name), std::move(text)});
  }
}

// What stands in front of the marks is none of a fill-in prompt's: it speaks of them, in the middle
// of a sentence.
bool isProse(std::string_view front, std::string_view fileMark) {
  for (const std::string_view token : kBeginnings)
    if (front.starts_with(token)) front.remove_prefix(token.size());
  const bool namesRepository = std::ranges::any_of(
      kRepositories, [&](std::string_view token) { return front.starts_with(token); });
  const bool hasFiles = !fileMark.empty() && front.find(fileMark) != front.npos;
  return !front.empty() && !front.ends_with('\n') && !namesRepository && !hasFiles;
}

bool takeApart(PlainRequest& request, std::string_view prompt, const FillInSpelling& spelling) {
  struct Part {
    std::size_t at;
    std::size_t length;
    std::string* text;
  };
  std::string prefix, suffix, written;
  std::array<Part, 3> parts = {{
      {prompt.find(spelling.prefix), spelling.prefix.size(), &prefix},
      {prompt.find(spelling.suffix), spelling.suffix.size(), &suffix},
      {spelling.middle.empty() ? prompt.size() : prompt.rfind(spelling.middle),
       spelling.middle.size(), &written},
  }};
  if (std::ranges::any_of(parts, [](const Part& part) { return part.at == std::string::npos; }))
    return false;
  std::ranges::stable_sort(parts, {}, &Part::at);
  if (isProse(std::string_view(prompt).substr(0, parts.front().at), spelling.file)) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t begin = parts[i].at + parts[i].length;
    const std::size_t end = i + 1 < parts.size() ? parts[i + 1].at : prompt.size();
    if (begin < end) *parts[i].text = prompt.substr(begin, end - begin);
  }
  request.prefix = prefix + written;
  request.suffix = suffix;
  request.isFillIn = true;
  readFront(request, prompt.substr(0, parts.front().at), spelling.file);
  return true;
}

// The last passages that fit in the limit of what is copied from, in their order.
std::string joinedPassages(const std::vector<PlainRequest::Extra>& extra) {
  std::size_t first = extra.size(), bytes = 0;
  const auto size = [](const PlainRequest::Extra& passage) {
    return kPassage.size() + passage.fileName.size() + 1 + passage.text.size();
  };
  while (first > 0 && bytes + size(extra[first - 1]) <= inference::Surroundings::kMostBytes)
    bytes += size(extra[--first]);
  std::string joined;
  for (; first < extra.size(); ++first) {
    joined += kPassage;
    if (!extra[first].fileName.empty()) joined += extra[first].fileName + '\n';
    joined += extra[first].text;
  }
  return joined;
}

inference::JobLimits limitsOf(const PlainRequest& request, const inference::ModelCard& card,
                              inference::Clock::time_point received) {
  return {.maxTokens = request.maxTokens,
          .sampling = settled(request.sampling, card, request.isFillIn),
          .stop = request.stop,
          .received = received,
          .minProbability = request.minProbability,
          .speculation = request.speculation,
          .chances = request.chances,
          .echoes = request.echoes};
}

}  // namespace

void setPrompt(PlainRequest& request, std::string prompt) {
  for (const FillInSpelling& spelling : kSpellings)
    if (takeApart(request, prompt, spelling)) return;
  request.prefix = std::move(prompt);
}

inference::CompletionRequest fillInJob(const PlainRequest& request,
                                       const inference::ModelCard& card,
                                       inference::Clock::time_point received) {
  std::string passages = joinedPassages(request.extra);
  if (!passages.empty()) passages += kPassage;
  const bool asFiles = !card.copying && card.prompt.severalFiles;
  std::string text = card.copying || asFiles ? request.prefix : passages + request.prefix;
  const std::size_t cursor = text.size();
  text += request.suffix;
  const inference::PromptWindow window = inference::Engine::window(card, text, cursor);
  inference::CompletionRequest job;
  job.fileName = request.fileName;
  if (asFiles) job.files = request.extra;
  job.prefix = window.prefix;
  job.suffix = window.suffix;
  job.above = window.above;
  // Only what is above decides which brackets are open.
  job.below = card.copying ? passages + std::string(window.below) : std::string(window.below);
  job.limits = limitsOf(request, card, received);
  // A form begins at the cursor, not with the word in front of it.
  const bool isText = request.format.kind == OutputFormat::Kind::kText;
  job.healing = isText;
  if (request.isUnasked && card.copying && isText && request.maxTokens != 0 &&
      job.limits.sampling.temperature == 0) {
    job.lines = kCompetingLines;
    job.limits.minProbability = kLikelyRight;
  }
  return job;
}

inference::GenerationRequest continuationJob(const PlainRequest& request,
                                             const inference::ModelCard& card,
                                             inference::Clock::time_point received) {
  inference::GenerationRequest job;
  job.prompt = request.prefix;
  job.pieces = request.pieces;
  job.raw = request.raw;
  job.maySpell = true;
  job.limits = limitsOf(request, card, received);
  return job;
}

std::string readPrompt(JsonFields& fields) {
  if (!fields.isArray(kPrompt)) return fields.text(kPrompt);
  const Json& list = fields.list(kPrompt);
  if (list.size() == 1 && list[0].is_string()) return list[0].get<std::string>();
  fields.fail(kPrompt, "is a list of tokens or of several texts.", "Give one text.");
  return {};
}

namespace {

using Piece = inference::GenerationRequest::Piece;

std::vector<Piece> piecesOf(JsonFields& fields, const Json& list) {
  std::vector<Piece> pieces;
  for (const Json& piece : list) {
    if (piece.is_string())
      pieces.push_back({.text = piece.get<std::string>()});
    else if (piece.is_number_unsigned() && piece.get<std::uint64_t>() <= INT32_MAX)
      pieces.push_back({.token = piece.get<std::int32_t>()});
    else
      fields.fail(kPrompt, "has an entry that is neither a token nor a text.",
                  "Give texts, or ids of tokens.");
  }
  return pieces;
}

void setOne(PlainRequest& request, const PlainRequest::Prompt& prompt) {
  request.pieces = prompt.pieces;
  if (!prompt.pieces.empty()) return;
  if (request.raw)
    request.prefix = prompt.text;
  else
    setPrompt(request, prompt.text);
}

}  // namespace

void readPrompts(JsonFields& fields, PlainRequest& request) {
  if (!fields.isArray(kPrompt)) return setOne(request, {.text = fields.text(kPrompt)});
  const Json& list = fields.list(kPrompt);
  const bool isOne = std::ranges::any_of(list, [](const Json& part) { return part.is_number(); });
  if (list.empty()) fields.fail(kPrompt, "is empty.", "Give a text.");
  if (isOne) return setOne(request, {.pieces = piecesOf(fields, list)});
  for (const Json& prompt : list) {
    if (prompt.is_array())
      request.prompts.push_back({.pieces = piecesOf(fields, prompt)});
    else if (prompt.is_string())
      request.prompts.push_back({.text = prompt.get<std::string>()});
    else
      fields.fail(kPrompt, "has an entry that is no prompt.", "Give texts, or lists of tokens.");
  }
  if (request.prompts.size() != 1) return;
  setOne(request, request.prompts.front());
  request.prompts.clear();
}

void checkCount(JsonFields& fields, std::size_t answers) {
  constexpr std::size_t kMostAnswers = 64;  // jobs of one client
  if (answers > kMostAnswers)
    fields.fail(kPrompt, "asks for " + std::to_string(answers) + " answers at once.",
                "Ask for at most " + std::to_string(kMostAnswers) + " in one request.");
}

std::vector<PlainRequest> eachPrompt(const PlainRequest& request, int times) {
  std::vector<PlainRequest> all;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, request.prompts.size()); ++i) {
    PlainRequest one = request;
    one.prompts.clear();
    if (!request.prompts.empty()) setOne(one, request.prompts[i]);
    all.insert(all.end(), static_cast<std::size_t>(times), one);
  }
  return all;
}

int readAlternatives(JsonFields& fields, const char* name) {
  const base::Field field = {.name = name, .low = 0, .high = inference::Considered::kMost};
  return static_cast<int>(readNumber(fields, field, Outside::kClamped));
}

int readMostTokens(JsonFields& fields, const char* name) {
  if (!fields.has(name)) return inference::JobLimits::kUpToContext;
  return readTokenLimit(fields, name).value_or(inference::JobLimits::kUpToContext);
}

AskedSampling readLlamaSampling(JsonFields& fields, const UsualSampling& usual) {
  AskedSampling read = readForeignSampling(fields, usual);
  if (!fields.has(kRepeatPenalty)) return read;
  base::Field penalty = protocol::field::sampling::kRepetitionPenalty;
  penalty.name = kRepeatPenalty;
  // 0 is sent for none.
  const bool isNone = fields.number(base::Field{.name = kRepeatPenalty}) <= 0;
  read.repetitionPenalty =
      isNone ? 1 : static_cast<float>(readNumber(fields, penalty, Outside::kClamped));
  read.given.set(inference::kRepetitionSetting);
  return read;
}

}  // namespace waferpair::server
