// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/vocabulary.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "runtime/tokenizer/byte_alphabet.h"

namespace waferpair::tokenizer {
namespace {

constexpr const char* kConvert = "Convert the model again with a current tool.";
constexpr std::size_t kMostTokens = std::size_t{1} << 24;

// Where a special token is found: the key of today, that of older files, then names in use for it.
struct SpecialSource {
  std::int32_t SpecialIds::*id;
  std::initializer_list<const char*> keys;
  std::initializer_list<const char*> names;
};
const SpecialSource kSpecial[] = {
    {&SpecialIds::bos, {"bos_token_id"}, {}},
    {&SpecialIds::eos, {"eos_token_id"}, {}},
    {&SpecialIds::eot, {"eot_token_id"}, {}},
    {&SpecialIds::unk, {"unknown_token_id"}, {}},
    {&SpecialIds::pad, {"padding_token_id"}, {}},
    {&SpecialIds::fimPrefix,
     {"fim_pre_token_id", "prefix_token_id"},
     {"<fim_prefix>", "<|fim_prefix|>", "<fim-prefix>", "<｜fim▁begin｜>"}},
    {&SpecialIds::fimSuffix,
     {"fim_suf_token_id", "suffix_token_id"},
     {"<fim_suffix>", "<|fim_suffix|>", "<fim-suffix>", "<｜fim▁hole｜>"}},
    {&SpecialIds::fimMiddle,
     {"fim_mid_token_id", "middle_token_id"},
     {"<fim_middle>", "<|fim_middle|>", "<fim-middle>", "<｜fim▁end｜>"}},
    {&SpecialIds::fimSeparator, {"fim_sep_token_id"}, {"<file_sep>", "<|file_sep|>"}},
};

}  // namespace

base::Result<Vocabulary> Vocabulary::read(const gguf::File& file) {
  const auto model = file.string("tokenizer.ggml.model");
  if (!model) return tl::unexpected(model.error());
  if (*model != "gpt2") {
    return base::fail(file.name() + ": has a tokenizer of the kind \"" + std::string(*model) +
                          "\"; only byte-level byte pairs (\"gpt2\") can be read.",
                      "Use a model with a byte-level tokenizer.");
  }
  Vocabulary v;
  const auto pre = file.string("tokenizer.ggml.pre");
  if (!pre) return tl::unexpected(pre.error());
  const auto scheme = findPreTokenizer(*pre);
  if (!scheme) {
    return base::fail(file.name() + ": tokenizer.ggml.pre is \"" + std::string(*pre) +
                          "\", which is not known. Known are: " + knownPreTokenizers() + ".",
                      "Use a model with one of these.");
  }
  // No fallback to another scheme: text would be cut differently from training, and the model would
  // get worse without anyone being told.
  v.preTokenizer = *scheme;
  v.preTokenizerName = *pre;

  if (auto done = v.readTokens(file); !done) return tl::unexpected(std::move(done.error()));
  IdByName ids;
  for (std::int32_t id = 0; id < v.size(); ++id)
    ids.emplace(v.names[static_cast<std::size_t>(id)], id);
  for (std::size_t byte = 0; byte < v.byteIds.size(); ++byte) {
    const auto it = ids.find(spellByte(static_cast<unsigned char>(byte)));
    v.byteIds[byte] = it == ids.end() ? -1 : it->second;
  }
  if (auto done = v.readMerges(file, ids); !done) return tl::unexpected(std::move(done.error()));
  if (auto done = v.readSpecial(file, ids); !done) return tl::unexpected(std::move(done.error()));
  return v;
}

base::Result<void> Vocabulary::readTokens(const gguf::File& file) {
  const auto tokens = file.strings("tokenizer.ggml.tokens");
  if (!tokens) return tl::unexpected(tokens.error());
  if (tokens->empty() || tokens->size() > kMostTokens) {
    return base::fail(
        file.name() + ": tokenizer.ggml.tokens has " + std::to_string(tokens->size()) + " tokens.",
        kConvert);
  }
  names.assign(tokens->begin(), tokens->end());
  types.assign(names.size(), TokenType::kNormal);
  if (file.has("tokenizer.ggml.token_type")) {
    const auto numbers = file.integers("tokenizer.ggml.token_type");
    if (!numbers) return tl::unexpected(numbers.error());
    if (numbers->size() != names.size()) {
      return base::fail(file.name() + ": tokenizer.ggml.token_type has " +
                            std::to_string(numbers->size()) + " entries for " +
                            std::to_string(names.size()) + " tokens.",
                        kConvert);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::int64_t number = (*numbers)[i];
      if (number >= 1 && number <= 6) types[i] = static_cast<TokenType>(number);
    }
  }

  bytes.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool user = types[i] == TokenType::kUserDefined;
    // Normal tokens are spelled in the byte alphabet; those that users added stand for their names.
    if (types[i] == TokenType::kNormal) {
      bytes[i] = unspell(names[i]).value_or(names[i]);
    } else if (user) {
      bytes[i] = names[i];
    }
    const bool whole = user || isControl(static_cast<std::int32_t>(i));
    if (!whole || names[i].empty()) continue;
    hasUserTokens = hasUserTokens || user;
    wholeTokens[static_cast<unsigned char>(names[i][0])].push_back(static_cast<std::int32_t>(i));
  }
  for (auto& list : wholeTokens) {
    std::stable_sort(list.begin(), list.end(), [this](std::int32_t a, std::int32_t b) {
      return names[static_cast<std::size_t>(a)].size() > names[static_cast<std::size_t>(b)].size();
    });
  }
  return {};
}

base::Result<void> Vocabulary::readMerges(const gguf::File& file, const IdByName& ids) {
  const auto lines = file.strings("tokenizer.ggml.merges");
  if (!lines) return tl::unexpected(lines.error());
  merges = MergeTable(lines->size());
  std::string joined;
  for (std::size_t rank = 0; rank < lines->size(); ++rank) {
    const std::string_view line = (*lines)[rank];
    // A token may itself contain no space (the alphabet has none), so the first one divides.
    const std::size_t space = line.find(' ');
    const std::string_view left = line.substr(0, space);
    const std::string_view right =
        space < line.size() ? line.substr(space + 1) : std::string_view();
    joined.assign(left).append(right);
    const auto a = ids.find(left), b = ids.find(right), c = ids.find(std::string_view(joined));
    if (a == ids.end() || b == ids.end() || c == ids.end()) {
      return base::fail(file.name() + ": tokenizer.ggml.merges entry " + std::to_string(rank) +
                            " joins what is not in tokenizer.ggml.tokens.",
                        kConvert);
    }
    merges.add(a->second, b->second, {static_cast<std::int32_t>(rank), c->second});
  }
  return {};
}

base::Result<void> Vocabulary::readSpecial(const gguf::File& file, const IdByName& ids) {
  // Names first, keys after them: what the file says overrules what is usual.
  for (const SpecialSource& source : kSpecial) {
    for (const char* name : source.names) {
      const auto it = ids.find(name);
      if (it != ids.end()) special.*source.id = it->second;
    }
    for (const char* suffix : source.keys) {
      const std::string key = std::string("tokenizer.ggml.") + suffix;
      if (!file.has(key)) continue;
      const auto id = file.integer(key);
      if (!id) return tl::unexpected(id.error());
      if (*id < 0 || *id >= size()) {
        return base::fail(file.name() + ": " + key + " is " + std::to_string(*id) +
                              ", outside the vocabulary of " + std::to_string(size()) + ".",
                          kConvert);
      }
      special.*source.id = static_cast<std::int32_t>(*id);
      break;
    }
  }
  const auto bos = file.booleanOr("tokenizer.ggml.add_bos_token", false);
  if (!bos) return tl::unexpected(bos.error());
  addsBos = *bos;
  return {};
}

}  // namespace waferpair::tokenizer
