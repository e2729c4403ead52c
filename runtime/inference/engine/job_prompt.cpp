// SPDX-License-Identifier: GPL-3.0-or-later
// What a job's prompt is made with: text to be continued, checks, names, and what is copied from.
#include <algorithm>
#include <array>
#include <utility>

#include "runtime/inference/engine/block_end.h"
#include "runtime/inference/engine/job.h"
#include "runtime/inference/output/text_below.h"
#include "runtime/inference/prompt/prompt.h"
#include "runtime/inference/sampling/name_check.h"
#include "runtime/inference/sampling/repetition_check.h"

namespace waferpair::inference {

// A line break at its end is the model's to write, with the indentation behind it: these are often
// one token.
Job::Prompt Job::textToContinue(const PromptFormat& format, std::string_view text) {
  const tokenizer::Tokenizer& tokenizer = workshop_.model.tokenizer();
  const bool breaks = byLine_ && text.size() > 1 && text.back() == '\n';
  const std::string_view rest = text.substr(0, text.size() - (breaks ? 1 : 0));
  Prompt made{textPrompt(tokenizer, format, rest)};
  if (!byLine_) return made;
  written_.add(rest);
  if (breaks) made.typed = "\n";
  made.block = text;
  return made;
}

// The checks' worth was measured with models that copy: larger ones err in other ways.
std::vector<std::unique_ptr<TextCheck>> Job::makeChecks(const CompletionRequest& request) const {
  std::vector<std::unique_ptr<TextCheck>> checks;
  if (!request.checks || !workshop_.model.card().copying) return checks;
  if (const auto family = BracketReader::familyOf(request.fileName);
      family != BracketReader::Family::kNone)
    addCodeChecks(request, family, checks);
  checks.push_back(std::make_unique<RepetitionCheck>());
  return checks;
}

ChosenPrompt Job::gapPrompt(const CompletionRequest& request, std::string_view rest,
                            PromptMemory& memory) const {
  const tokenizer::Tokenizer& tokenizer = workshop_.model.tokenizer();
  const ModelCard& card = workshop_.model.card();
  const PromptParts parts{request.fileName, rest, request.suffix, request.files};
  const PromptBudget budget = promptBudget(card.context);
  std::vector<std::int32_t> whole = fimPrompt(tokenizer, card.prompt, parts, budget, memory);
  if (!request.mayBeShort || workshop_.reproducible) return {std::move(whole)};

  // It begins at a line that stays the same from key to key.
  const auto brief = [&](std::size_t tokens) -> std::vector<std::int32_t> {
    const std::size_t step = tokens * kBytesPerToken / 2;
    if (rest.size() < 3 * step) return {};
    const std::size_t lineEnd = rest.find('\n', rest.size() / step * step - step);
    if (lineEnd == rest.npos) return {};
    return fimPrompt(tokenizer, card.prompt,
                     {request.fileName, rest.substr(lineEnd + 1), request.suffix},
                     {.prefix = budget.prefix, .suffix = std::min(budget.suffix, tokens / 4)});
  };
  const auto unread = [this](std::span<const std::int32_t> prompt) {
    return static_cast<int>(prompt.size()) - workshop_.sequences.known(prompt);
  };
  return choosePrompt(std::move(whole), {brief, unread, request.ahead}, workshop_.pace);
}

// A model that copies is asked for a line; others go on with the next function, or with what stands
// below the gap.
std::vector<std::unique_ptr<OutputStage>> Job::gapEnds(const CompletionRequest& request) const {
  std::vector<std::unique_ptr<OutputStage>> ends;
  if (workshop_.model.card().copying) return ends;
  const bool isNamed = request.fileName.find('.') != std::string::npos;
  const auto family =
      isNamed ? BracketReader::familyOf(request.fileName) : BracketReader::guess(request.prefix);
  if (family != BracketReader::Family::kNone)
    ends.push_back(std::make_unique<BlockEnd>(request.prefix, family));
  if (auto below = std::make_unique<TextBelow>(request.prefix, request.suffix); below->isThere())
    ends.push_back(std::move(below));
  return ends;
}

void Job::addCodeChecks(const CompletionRequest& request, BracketReader::Family family,
                        std::vector<std::unique_ptr<TextCheck>>& checks) const {
  BracketReader reader(family, request.fromStart);
  reader.read(request.above);
  reader.read(request.prefix);
  // Names are not checked in prose: there every word is one.
  if (const auto begun = begunName(request.prefix); !begun.empty() && reader.inCode()) {
    const std::string_view before(request.prefix.data(), request.prefix.size() - begun.size());
    const std::array<std::string_view, 4> texts = {before, request.suffix, request.above,
                                                   request.below};
    std::vector<std::string> names =
        NameCheck::namesFor(begun, texts, workshop_.documents.namesOf(client),
                            workshop_.documents.ownerOf(client, document));
    names.insert(names.end(), request.names.begin(), request.names.end());
    checks.push_back(std::make_unique<NameCheck>(std::string(begun), std::move(names)));
  }
  checks.push_back(std::make_unique<BracketCheck>(std::move(reader), request.suffix));
}

// `typed`: bytes in front of the cursor that are written anew.
std::optional<PlaceNames> Job::placeNames(const CompletionRequest& request,
                                          std::size_t typed) const {
  if (request.names.empty()) return std::nullopt;
  const std::string_view prefix = request.prefix;
  const std::string_view begun = begunName(prefix);
  // In a number no name begins.
  if (begun.empty() && !prefix.empty() && isNameByte(prefix.back())) return std::nullopt;
  return PlaceNames(workshop_.model.tokenizer(), std::string(begun), typed, request.names,
                    request.namesAreAll ? PlaceNames::kTrustInAll : PlaceNames::kTrustInSome);
}

// The lines that are gone where the document is being edited, each with the line break before it;
// how the cursor's line would go on as one of them; and how as lines behind alike text.
void Job::lookAtOtherLines(const CompletionRequest& request, Prompt& made) const {
  if (!workshop_.model.card().copying) return;
  const std::string_view prefix = request.prefix;
  workshop_.documents.hear();
  const std::vector<std::string> gone = workshop_.documents.goneFrom(client, document);
  const tokenizer::Tokenizer& tokenizer = workshop_.model.tokenizer();
  std::string allGone;
  for (const std::string& lines : gone) {
    const std::string broken = "\n" + lines;
    tokenizer.encode(broken, tokenizer::SpecialText::kPlain, made.replaced,
                     tokenizer::TextStart::kContinues);
    made.replaced.push_back(-1);
    allGone += broken;
  }
  if (const auto rest = restOfRemoved(prefix.substr(prefix.rfind('\n') + 1), gone))
    made.replacedLine.emplace(tokenizer.encode(made.typed + *rest, tokenizer::SpecialText::kPlain,
                                               tokenizer::TextStart::kContinues));
  made.alike = alikeTokens(
      tokenizer, made.typed,
      alikeLines(request.above + request.prefix, request.suffix + request.below, allGone));
}

void Job::copyFrom(const std::vector<std::int32_t>& prompt, Prompt& made) {
  around_ = std::move(made.around);
  replaced_ = std::move(made.replaced);
  alike_ = std::move(made.alike);
  const CopySources sources = {
      .around = around_ ? std::span(*around_) : std::span<const std::int32_t>(),
      .replaced = replaced_,
      .alike = alike_,
      .documents = workshop_.documents.of(client),
      .own = workshop_.documents.ownerOf(client, document),
      .chosen = !byLine_};
  rules_.copyFrom(*workshop_.model.card().copying, copiedText(workshop_.model.tokenizer(), prompt),
                  sources);
}

}  // namespace waferpair::inference
