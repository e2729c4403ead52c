// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the tokens of a vocabulary that have a meaning of their own: by the file's keys and by the
// names that models in use have for them (as their tokenizer.json and model cards give them).
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "runtime/tokenizer/vocabulary.h"

namespace waferpair::tokenizer {
namespace {

// The sources of a special token: its key, the key of older files, then names in use for it.
struct SpecialSource {
  std::int32_t SpecialIds::*id;
  std::initializer_list<const char*> keys;
  std::initializer_list<const char*> names;  // of several in one vocabulary the last is taken
};
const SpecialSource kSpecial[] = {
    {&SpecialIds::bos, {"bos_token_id"}, {}},
    {&SpecialIds::eos, {"eos_token_id"}, {}},
    {&SpecialIds::eot, {"eot_token_id"}, {}},
    {&SpecialIds::eom, {"eom_token_id"}, {}},
    {&SpecialIds::unk, {"unknown_token_id"}, {}},
    {&SpecialIds::pad, {"padding_token_id"}, {}},
    // StarCoder, Granite and others; SantaCoder; Qwen, CodeGemma, Granite 4; CodeLlama; DeepSeek;
    // Seed-Coder; GLM; Falcon-H1.
    {&SpecialIds::fimPrefix,
     {"fim_pre_token_id", "prefix_token_id"},
     {"<PRE>", "▁<PRE>", "<fim-prefix>", "<fim_prefix>", "<|prefix|>", "<|code_prefix|>",
      "<|fim_prefix|>", "<｜fim▁begin｜>", "<[fim-prefix]>"}},
    {&SpecialIds::fimSuffix,
     {"fim_suf_token_id", "suffix_token_id"},
     {"<SUF>", "▁<SUF>", "<fim-suffix>", "<fim_suffix>", "<|suffix|>", "<|code_suffix|>",
      "<|fim_suffix|>", "<｜fim▁hole｜>", "<[fim-suffix]>"}},
    {&SpecialIds::fimMiddle,
     {"fim_mid_token_id", "middle_token_id"},
     {"<MID>", "▁<MID>", "<fim-middle>", "<fim_middle>", "<|middle|>", "<|code_middle|>",
      "<|fim_middle|>", "<｜fim▁end｜>", "<[fim-middle]>"}},
    {&SpecialIds::fimPad, {"fim_pad_token_id"}, {"<fim-pad>", "<fim_pad>", "<|fim_pad|>"}},
    {&SpecialIds::fimRepo,
     {"fim_rep_token_id"},
     {"<reponame>", "<repo_name>", "<|repo_name|>", "<|fim_repo|>"}},
    {&SpecialIds::fimSeparator,
     {"fim_sep_token_id"},
     {"<file_sep>", "<|file_sep|>", "<|file_separator|>"}},
};
// Codestral's. Mistral's later vocabularies, which are of the other kind, carry the same names
// whether or not the model was trained with them.
const SpecialSource kCodestral[] = {
    {&SpecialIds::fimPrefix, {}, {"[PREFIX]"}},
    {&SpecialIds::fimSuffix, {}, {"[SUFFIX]"}},
    {&SpecialIds::fimMiddle, {}, {"[MIDDLE]"}},
};

// A generation ends with any of these. Only where they are special tokens: "</s>" is also HTML.
constexpr const char* kEnds[] = {
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<end_of_turn>",
    "<eos>",
    "</s>",
    "<EOT>",
    "▁<EOT>",
    "<|EOT|>",
    "[EOT]",
    "<end_of_utterance>",
    "<|endofturn|>",
    "<[end▁of▁sentence]>",
    "<｜end▁of▁sentence｜>",
};

// The markers that chat templates put around messages. They are control tokens even if a file says
// that users' text may contain them: nobody's text may pretend to be someone else's turn.
constexpr const char* kChatMarkers[] = {
    "<|im_start|>",      "<|start_header_id|>", "<|end_header_id|>",
    "<|begin_of_text|>", "<start_of_turn>",     "[INST]",
    "[/INST]",           "[SYSTEM_PROMPT]",     "[/SYSTEM_PROMPT]",
    "<|start|>",         "<|message|>",         "<|channel|>",
    "<|constrain|>",     "<｜User｜>",          "<｜Assistant｜>",
    "<|User|>",          "<|Assistant|>",       "<｜begin▁of▁sentence｜>"};

}  // namespace

base::Result<void> Vocabulary::readSpecial(const gguf::File& file, const IdByText& ids) {
  // Names first, keys after them: what the file says overrules what is usual.
  const auto byName = [&](const SpecialSource& source) {
    for (const char* name : source.names) {
      const auto it = ids.find(name);
      if (it == ids.end()) continue;
      special.*source.id = it->second;
      types[static_cast<std::size_t>(it->second)] = TokenType::kControl;
    }
  };
  if (kind == Kind::kScores) std::for_each(std::begin(kCodestral), std::end(kCodestral), byName);
  for (const SpecialSource& source : kSpecial) {
    byName(source);
    for (const char* suffix : source.keys) {
      const std::string key = std::string("tokenizer.ggml.") + suffix;
      if (!file.has(key)) continue;
      const auto id = file.integer(key);
      if (!id) return tl::unexpected(id.error());
      // Converters write -1, as a number of 32 bits without a sign, too, or an id of a larger
      // vocabulary, where there is none.
      if (*id >= 0 && *id < size()) special.*source.id = static_cast<std::int32_t>(*id);
      break;
    }
  }
  const auto bos = file.booleanOr("tokenizer.ggml.add_bos_token", addsBos);
  if (!bos) return tl::unexpected(bos.error());
  addsBos = *bos;
  const auto eos = file.booleanOr("tokenizer.ggml.add_eos_token", addsEos);
  if (!eos) return tl::unexpected(eos.error());
  addsEos = *eos;
  // What BERT's kin put around a text has names of its own.
  const auto around = [&](std::int32_t& id, const char* key, const char* name) {
    const auto said = file.integer(std::string("tokenizer.ggml.") + key);
    if (said && *said >= 0 && *said < size()) {
      id = static_cast<std::int32_t>(*said);
    } else if (const auto named = ids.find(name); named != ids.end()) {
      id = named->second;
    }
  };
  const bool pieces = kind == Kind::kPieces;
  if (addsBos && (pieces || special.bos < 0)) around(special.bos, "cls_token_id", "[CLS]");
  if (addsEos && (pieces || special.eos < 0)) around(special.eos, "seperator_token_id", "[SEP]");
  if (!pieces) return {};
  around(special.unk, "unknown_token_id", "[UNK]");
  for (const std::int32_t id : {special.bos, special.eos, special.unk, special.pad})
    if (id >= 0) types[static_cast<std::size_t>(id)] = TokenType::kControl;
  return {};
}

void Vocabulary::findEnds(const IdByText& ids) {
  const auto idOf = [&](const char* name) {
    const auto it = ids.find(name);
    return it == ids.end() ? -1 : it->second;
  };
  const auto isMarked = [&](std::int32_t id) {
    return id >= 0 && (isControl(id) || type(id) == TokenType::kUserDefined);
  };
  const auto makeControl = [&](std::int32_t id) {
    types[static_cast<std::size_t>(id)] = TokenType::kControl;
  };
  for (const char* name : kChatMarkers) {
    if (const std::int32_t id = idOf(name); isMarked(id)) makeControl(id);
  }
  // gpt-oss ends each of its messages with <|end|>, and goes on; only there does <|call|> end
  // an answer.
  const bool harmony = idOf("<|return|>") >= 0 && idOf("<|call|>") >= 0;
  for (const char* name : kEnds) {
    const std::int32_t id = idOf(name);
    if (!isMarked(id)) continue;
    const bool isCall = std::string_view(name) == "<|call|>";
    if (isCall && !harmony) continue;
    makeControl(id);
    if (!(harmony && std::string_view(name) == "<|end|>")) ends.push_back(id);
  }
  // The last three: what a model begins when the middle is filled and it goes on to another file.
  for (const std::int32_t id : {special.eos, special.eot, special.eom, special.fimPad,
                                special.fimRepo, special.fimSeparator}) {
    if (id >= 0) ends.push_back(id);
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
}

}  // namespace waferpair::tokenizer
