// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/prompt/prompt.h"

#include <algorithm>
#include <limits>
#include <span>

#include "runtime/gguf/file.h"
#include "runtime/inference/prompt/prompt_window.h"

namespace waferpair::inference {
namespace {

// Reading more of a file than this costs more in waiting than it gives in suggestions.
constexpr int kCompletionContext = 4096;
// More of what follows the cursor changes little; models see no more than this in training.
constexpr int kMaxSuffix = 192;
constexpr std::size_t kMaxFileName = 16;
constexpr std::size_t kFileStep = 256;  // tokens of a prefix
// <file> and the name; <pre>, <suf>, <mid> and the beginning of text.
constexpr int kOverhead = 1 + static_cast<int>(kMaxFileName) + 4;

// Bytes of a prefix between the places where it may end in front of a suffix, and the least budget
// of a prefix, in tokens, that has room for as many behind that.
constexpr std::size_t kMiddleStep = 256;
constexpr std::size_t kLeastForMiddle = 4 * kMiddleStep;

// Where the prefix comes first, each word behind it would have all of the suffix computed again. So
// the prefix ends at a line some way back, and what was typed since is told as the beginning of the
// middle: models are trained on middles of any length. Where that line is follows from the prefix
// alone and changes once in kMiddleStep bytes.
std::size_t middleBegin(std::string_view prefix) {
  const std::size_t step = prefix.size() / kMiddleStep * kMiddleStep;
  if (step == 0) return prefix.size();  // so short that reading it is cheap
  const std::size_t lineEnd = prefix.rfind('\n', step - 1);
  if (lineEnd != std::string_view::npos && lineEnd + 1 + kMiddleStep > step) return lineEnd + 1;
  std::size_t begin = step;
  while (!isCharacterBoundary(prefix, begin)) --begin;
  return begin;
}

std::vector<std::int32_t> beginning(const tokenizer::Tokenizer& tokenizer) {
  const tokenizer::SpecialIds& ids = tokenizer.special();
  if (tokenizer.addsBos() && ids.bos >= 0) return {ids.bos};
  return {};
}

// The last of the files that fit in the room, each behind the token that begins a file, and that of
// the file to be filled in. Files go whole or not at all: so they change less often than the
// prefix.
std::vector<std::int32_t> filesInFront(const tokenizer::Tokenizer& tokenizer,
                                       const PromptParts& parts, std::size_t room) {
  const tokenizer::SpecialIds& ids = tokenizer.special();
  const auto begun = [&](std::string_view name) {
    std::vector<std::int32_t> tokens = tokenizer.encode(name);
    tokens.resize(std::min(tokens.size(), kMaxFileName));
    tokens.insert(tokens.begin(), ids.fimSeparator);
    tokenizer.encode("\n", tokenizer::SpecialText::kPlain, tokens,
                     tokenizer::TextStart::kContinues);
    return tokens;
  };
  std::vector<std::int32_t> last = begun(parts.fileName);
  std::vector<std::vector<std::int32_t>> files;
  for (auto file = parts.files.rbegin(); file != parts.files.rend(); ++file) {
    std::vector<std::int32_t> tokens = begun(file->fileName);
    tokenizer.encode(file->text, tokenizer::SpecialText::kPlain, tokens,
                     tokenizer::TextStart::kContinues);
    if (tokens.size() + last.size() > room) break;
    room -= tokens.size();
    files.push_back(std::move(tokens));
  }
  if (files.empty()) return {};
  std::vector<std::int32_t> all;
  if (ids.fimRepo >= 0) {
    all.push_back(ids.fimRepo);
    tokenizer.encode("project\n", tokenizer::SpecialText::kPlain, all,
                     tokenizer::TextStart::kContinues);
  }
  for (auto file = files.rbegin(); file != files.rend(); ++file)
    all.insert(all.end(), file->begin(), file->end());
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

// Appends a token to begin with if there is no text at all.
void ensureToken(std::vector<std::int32_t>& tokens, const tokenizer::Tokenizer& tokenizer) {
  if (!tokens.empty()) return;
  const tokenizer::SpecialIds& ids = tokenizer.special();
  for (const std::int32_t id : {ids.bos, ids.eot, ids.eos}) {
    if (id < 0) continue;
    tokens.push_back(id);
    return;
  }
  tokens.push_back(0);
}

// Returns the format that models of a family were trained with, known by their own tokens and
// pre-tokenizers.
PromptFormat usualFormat(const tokenizer::Tokenizer& tokenizer) {
  if (!tokenizer.special().fim()) return {};
  const std::string_view suffix = tokenizer.name(tokenizer.special().fimSuffix);
  const std::string& pre = tokenizer.preTokenizer();
  if (suffix == "[SUFFIX]") return {.order = FimOrder::kSuffixFirst};
  if (suffix == "<[fim-suffix]>" || pre == "mellum" || pre == "mellum2")
    return {.order = FimOrder::kSuffixFirst, .middle = true};
  return {.order = FimOrder::kPrefixFirst};
}

}  // namespace

std::string_view fimOrderName(FimOrder order) {
  switch (order) {
    case FimOrder::kPrefixFirst:
      return "psm";
    case FimOrder::kSuffixFirst:
      return "spm";
    case FimOrder::kNone:
      break;
  }
  return "none";
}

base::Result<PromptFormat> readPromptFormat(const gguf::File& file,
                                            const tokenizer::Tokenizer& tokenizer) {
  const bool hasTokens = tokenizer.special().fim();
  const PromptFormat usual = usualFormat(tokenizer);
  const auto order = file.stringOr("waferpair.fim.order", fimOrderName(usual.order));
  if (!order) return tl::unexpected(order.error());
  const auto fileToken = file.integerOr("waferpair.fim.file_token_id", -1);
  if (!fileToken) return tl::unexpected(fileToken.error());
  if (*fileToken < -1 || *fileToken >= tokenizer.vocabSize())
    return base::fail(file.name() + ": waferpair.fim.file_token_id is " +
                          std::to_string(*fileToken) + ", outside the vocabulary.",
                      "The file was put together wrongly; get it again.");
  for (const FimOrder known : {FimOrder::kNone, FimOrder::kPrefixFirst, FimOrder::kSuffixFirst}) {
    if (*order != fimOrderName(known)) continue;
    if (known != FimOrder::kNone && !hasTokens)
      return base::fail(file.name() + ": waferpair.fim.order is " + std::string(*order) +
                            ", but the vocabulary lacks fill-in-the-middle tokens.",
                        "Set tokenizer.ggml.fim_pre_token_id, fim_suf_token_id and "
                        "fim_mid_token_id when the file is made.");
    const bool told = file.has("waferpair.fim.order");
    return PromptFormat{
        .order = known,
        .file = static_cast<std::int32_t>(*fileToken),
        .middle = !told && usual.middle,
        .severalFiles = known != FimOrder::kNone && tokenizer.special().fimSeparator >= 0};
  }
  return base::fail(file.name() + ": waferpair.fim.order is \"" + std::string(*order) + "\".",
                    "Known orders are spm, psm and none.");
}

PromptBudget promptBudget(int context) {
  const int all = std::min(context, kCompletionContext);
  const int prompt = std::max(all - all / 4 - kOverhead, 2);  // a quarter is left for the output
  const int suffix = std::min(prompt / 5, kMaxSuffix);
  return {static_cast<std::size_t>(prompt - suffix), static_cast<std::size_t>(suffix)};
}

std::vector<std::int32_t> fimPrompt(const tokenizer::Tokenizer& tokenizer,
                                    const PromptFormat& format, const PromptParts& parts,
                                    const PromptBudget& budget) {
  PromptMemory memory(tokenizer);
  return fimPrompt(tokenizer, format, parts, budget, memory);
}

std::vector<std::int32_t> fimPrompt(const tokenizer::Tokenizer& tokenizer,
                                    const PromptFormat& format, const PromptParts& parts,
                                    const PromptBudget& budget, PromptMemory& memory) {
  std::span<const std::int32_t> after;
  if (format.order != FimOrder::kNone) after = memory.suffix.encode(parts.suffix);
  after = after.first(std::min(after.size(), budget.suffix));
  const bool hasMiddle =
      format.order == FimOrder::kPrefixFirst && !after.empty() && budget.prefix >= kLeastForMiddle;
  const std::size_t end = hasMiddle ? middleBegin(parts.prefix) : parts.prefix.size();
  std::span<const std::int32_t> middle;
  if (end < parts.prefix.size()) middle = memory.middle.encode(parts.prefix.substr(end));
  std::span<const std::int32_t> before = memory.prefix.encode(parts.prefix.substr(0, end));
  const std::size_t dropped = tokensToDrop(before.size() + middle.size(), budget.prefix);
  before = before.subspan(std::min(dropped, before.size()));

  const tokenizer::SpecialIds& ids = tokenizer.special();
  std::vector<std::int32_t> tokens = beginning(tokenizer);
  const auto add = [&tokens](std::int32_t marker, std::span<const std::int32_t> part) {
    tokens.push_back(marker);
    tokens.insert(tokens.end(), part.begin(), part.end());
  };
  if (format.file >= 0 && !parts.fileName.empty()) {
    std::vector<std::int32_t> name = tokenizer.encode(parts.fileName);
    name.resize(std::min(name.size(), kMaxFileName));
    add(format.file, name);
  }
  if (format.severalFiles && !parts.files.empty()) {
    // Rounded up, so that a word more does not push a file out that comes back with the next.
    const std::size_t used =
        (before.size() + middle.size() + kFileStep - 1) / kFileStep * kFileStep;
    const auto files =
        filesInFront(tokenizer, parts, budget.prefix - std::min(budget.prefix, used));
    tokens.insert(tokens.end(), files.begin(), files.end());
  }
  switch (format.order) {
    case FimOrder::kSuffixFirst:  // the middle goes on where the prefix ends
      add(ids.fimSuffix, after);
      add(ids.fimPrefix, before);
      if (format.middle) tokens.push_back(ids.fimMiddle);
      break;
    case FimOrder::kPrefixFirst:
      add(ids.fimPrefix, before);
      add(ids.fimSuffix, after);
      add(ids.fimMiddle, middle);
      break;
    case FimOrder::kNone:
      tokens.insert(tokens.end(), before.begin(), before.end());
      break;
  }
  ensureToken(tokens, tokenizer);
  return tokens;
}

std::vector<std::int32_t> rawPrompt(const tokenizer::Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::int32_t> tokens = beginning(tokenizer);
  tokenizer.encode(text, tokenizer::SpecialText::kParse, tokens);
  ensureToken(tokens, tokenizer);
  return tokens;
}

std::vector<std::int32_t> embeddedText(const tokenizer::Tokenizer& tokenizer, std::string_view text,
                                       std::size_t most) {
  std::vector<std::int32_t> tokens = beginning(tokenizer);
  tokenizer.encode(text, tokenizer::SpecialText::kPlain, tokens);
  const bool ends = tokenizer.addsEos() && tokenizer.special().eos >= 0;
  tokens.resize(std::min(tokens.size(), most - (ends ? 1 : 0)));
  if (ends) tokens.push_back(tokenizer.special().eos);
  return tokens;
}

namespace {

// Puts both where the form has their names.
std::string filledIn(std::string_view form, std::string_view query, std::string_view document) {
  constexpr std::string_view kQuery = "{query}", kDocument = "{document}";
  std::string text;
  while (!form.empty()) {
    const std::size_t at = std::min(form.find(kQuery), form.find(kDocument));
    text += form.substr(0, at);
    if (at == form.npos) break;
    form.remove_prefix(at);
    const bool isQuery = form.starts_with(kQuery);
    text += isQuery ? query : document;
    form.remove_prefix(isQuery ? kQuery.size() : kDocument.size());
  }
  return text;
}

}  // namespace

std::vector<std::int32_t> rankedText(const tokenizer::Tokenizer& tokenizer, std::string_view form,
                                     std::string_view query, std::string_view document) {
  using tokenizer::SpecialText;
  using tokenizer::TextStart;
  std::vector<std::int32_t> tokens;
  if (form.empty()) {
    tokens = beginning(tokenizer);
    for (const std::string_view text : {query, document}) {
      tokenizer.encode(text, SpecialText::kPlain, tokens);
      if (tokenizer.special().eos >= 0) tokens.push_back(tokenizer.special().eos);
    }
  }
  while (!form.empty()) {
    const auto special = tokenizer.nextSpecial(form);
    const std::string_view plain = form.substr(0, special ? special->at : form.npos);
    tokenizer.encode(filledIn(plain, query, document), SpecialText::kPlain, tokens,
                     tokens.empty() ? TextStart::kFresh : TextStart::kContinues);
    if (!special) break;
    tokens.push_back(special->token);
    form.remove_prefix(special->at + special->size);
  }
  ensureToken(tokens, tokenizer);
  return tokens;
}

std::vector<std::int32_t> textPrompt(const tokenizer::Tokenizer& tokenizer,
                                     const PromptFormat& format, std::string_view text) {
  constexpr PromptBudget kWhole = {.prefix = std::numeric_limits<std::size_t>::max()};
  return fimPrompt(tokenizer, format, {{}, text, {}}, kWhole);
}

}  // namespace waferpair::inference
