// SPDX-License-Identifier: GPL-3.0-or-later
// The requests that an Engine accepts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "runtime/inference/engine/job_queue.h"
#include "runtime/inference/engine/job_report.h"
#include "runtime/inference/prompt/chat_template.h"
#include "runtime/inference/prompt/prompt.h"
#include "runtime/inference/sampling/sampler.h"

namespace waferpair::inference {

using Clock = std::chrono::steady_clock;

// A token, its bytes or its name where it has none, and the natural logarithm of its probability.
struct ChanceOf {
  std::int32_t token = -1;
  std::string bytes = {};
  double logProbability = 0;
};

// What a token brought, and how likely it was. All that onText tells is in one of these, in order.
struct TokenChance {
  std::string text;  // empty where it is held back, or is the end
  // Natural; of text that was held back for longer: 0. NaN: of a prompt's first token, which
  // follows nothing.
  double logProbability = 0;
  ChanceOf token = {};                   // none where there is text only
  std::vector<ChanceOf> likeliest = {};  // at most Considered::kMost, where that is known
};

// How far a job's prompt has been read.
struct PromptProgress {
  int tokens = 0;  // of the prompt
  int cached = 0;  // of these: not computed again
  int read = 0;    // of them all, with those
  double ms = 0;   // in steps that read it
};

struct JobCallbacks {
  // Whole characters; may be called any number of times, never after onDone.
  std::function<void(std::string text)> onText;
  // Exactly once for each job that was submitted, also when the engine stops.
  std::function<void(const JobReport&)> onDone;
  // Once, when the job's first step is about to run: not where the prompt is too long. May be
  // empty.
  std::function<void()> onBegin;
  // With JobLimits::chances: of the tokens of a step, ahead of the text in which theirs is. May be
  // empty.
  std::function<void(std::vector<TokenChance> chances)> onChances = {};
  // Ahead of onBegin, and after each step that reads the prompt. May be empty.
  std::function<void(const PromptProgress& progress)> onPrompt = {};
};

struct JobLimits {
  static constexpr int kUpToContext = std::numeric_limits<int>::max();
  int maxTokens = 64;  // kUpToContext: as many as the context has room for; 0: the prompt is read
  int maxLines = 0;    // 0: no limit. A line counts when it holds more than blanks
  SamplingOptions sampling = {};
  std::vector<std::string> stop = {};         // ends in front of the first of these
  Clock::time_point received = Clock::now();  // when the client's wish arrived here
  // Not 0: as a whole, the text is right with at least this probability, as the model sees it. Text
  // then comes word by word.
  double minProbability = 0;
  bool speculation = true;  // false: decodes token by token
  bool endsLoops = false;   // a text that repeats itself ends (loop_end.h)
  bool chances = false;     // onChances is told
  // The text begins with that of the prompt, of whose tokens the chances are told, too.
  bool echoes = false;
  bool records = false;  // the report tells how each token came about
};

// Interactive: goes before generations. A newer one of the same client and document replaces it,
// unless that reads ahead.
struct CompletionRequest {
  ClientId client = 0;
  std::string document;
  std::string fileName;  // without folders; may be empty
  std::string prefix;    // what Engine::window() cut, copied
  std::string suffix;
  JobLimits limits;
  // Of a model that was trained on several files (PromptFormat): what it reads in front.
  std::vector<OtherFile> files = {};
  std::string above = {}, below = {};  // of that window; they are copied from
  bool fromStart = false;              // of that window
  // These are for measuring what they are worth: whether a word that was begun is written anew
  // (token_healing.h), and whether the text is checked (text_check.h).
  bool healing = true, checks = true;
  // 0: the likeliest text. 1: one that begins with the second likeliest token, and so on
  // (other_beginning.h).
  int alternative = 0;
  // More than 1: so many lines compete to be the text's first (line_contest.h), where the model was
  // made for that (it copies), and tokens are chosen greedily and freely. Alternatives are the
  // runners-up then, and probabilities, the least one too, are calibrated (calibration.h).
  int lines = 0;
  // The text is read for what is asked next, in the background, and nothing is generated.
  bool ahead = false;
  // Where the model would read for long before its first token, it reads less of the text. What it
  // says then depends on how fast this computer is.
  bool mayBeShort = false;
  // On cores that engines share it waits for completions of others that do not give way. It is
  // beside the work that the wafer is shown for.
  bool givesWay = false;
  // Names that can stand at the place, as a language server knows, and whether those are all
  // (place_names.h).
  std::vector<std::string> names = {};
  bool namesAreAll = false;
};

// Background.
struct GenerationRequest {
  ClientId client = 0;
  std::string prompt;  // continued by textPrompt()
  JobLimits limits;
  // Not empty: a conversation to be answered, instead of the prompt. card().chat must be known.
  std::vector<ChatMessage> chat = {};
  // The tools that the conversation offers. card().tools must be known for these, and for calls and
  // results.
  std::vector<Tool> tools = {};
  // Not empty: the prompt, of texts, as rawPrompt() reads them, and tokens.
  struct Piece {
    std::string text = {};
    std::int32_t token = -1;  // -1: the text
  };
  std::vector<Piece> pieces = {};
  bool raw = false;  // the prompt is continued by rawPrompt() instead
  // The same where the prompt spells special tokens: whoever wrote it is to be trusted with them.
  bool maySpell = false;
  std::vector<TemplateVariable> variables = {};  // of the chat template
  bool showsThinking = false;                    // what it thinks is shown, between card().thinking
  // A model that copies continues the prompt by the likeliest lines, to the end of its block; else,
  // and wherever tokens are not just the likeliest, token by token.
  bool byLine = true;
};

// Background. The report has the embedding, or the classes of a model that ranks.
// card().pooling must not be kNone.
struct EmbeddingRequest {
  ClientId client = 0;
  std::string text;  // as embeddedText() reads it
  // With kRank: how well it answers `text`, as rankedText() puts them together.
  std::optional<std::string> document = std::nullopt;
  // Not empty: tokens of the vocabulary, as they are, instead of the text.
  std::vector<std::int32_t> tokens = {};
  bool truncate = false;  // what is longer than the context is cut off, not refused
  JobLimits limits = {};  // `received` only
};

}  // namespace waferpair::inference
