// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/tokenizer/vocabulary.h"

#include <cstddef>
#include <utility>

#include "runtime/tokenizer/byte_alphabet.h"

namespace waferpair::tokenizer {
namespace {

constexpr const char* kConvert = "Convert the model again with a current tool.";
constexpr std::size_t kMostTokens = std::size_t{1} << 24;

// "<0x0A>" is how vocabularies with scores spell a byte.
std::string spellHex(unsigned char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

std::string unescapeSpaces(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    if (name.substr(at).starts_with(kEscapedSpace)) {
      text += ' ';
      at += kEscapedSpace.size();
    } else {
      text += name[at++];
    }
  }
  return text;
}

}  // namespace

base::Result<Vocabulary> Vocabulary::read(const gguf::File& file) {
  Vocabulary v;
  if (auto done = v.readKind(file); !done) return tl::unexpected(std::move(done.error()));
  if (auto done = v.readTokens(file); !done) return tl::unexpected(std::move(done.error()));
  IdByText ids;
  ids.reserve(v.names.size());
  for (std::int32_t id = 0; id < v.size(); ++id)
    ids.emplace(v.names[static_cast<std::size_t>(id)], id);
  // Special tokens first: some files give them another type than they have.
  if (auto done = v.readSpecial(file, ids); !done) return tl::unexpected(std::move(done.error()));
  v.findEnds(ids);
  v.readBytes(ids);
  auto done = v.kind == Kind::kMerges   ? v.readMerges(file, ids)
              : v.kind == Kind::kPieces ? v.readPieces(file)
                                        : v.readScores(file, ids);
  if (!done) return tl::unexpected(std::move(done.error()));
  return v;
}

base::Result<void> Vocabulary::readKind(const gguf::File& file) {
  const auto model = file.string("tokenizer.ggml.model");
  if (!model) return tl::unexpected(model.error());
  if (*model == "llama") {
    kind = Kind::kScores;
    const auto space = file.booleanOr("tokenizer.ggml.add_space_prefix", true);
    if (!space) return tl::unexpected(space.error());
    addsSpace = *space;
    addsBos = true;
    return {};
  }
  if (*model == "bert") {
    kind = Kind::kPieces;
    addsSpace = addsBos = addsEos = true;
    spacesBegin = false;
    return {};
  }
  if (*model != "gpt2") {
    return base::fail(file.name() + ": tokenizer.ggml.model is \"" + std::string(*model) +
                          "\"; known are \"gpt2\" (byte-level pairs), \"llama\" "
                          "(SentencePiece pairs by score) and \"bert\" (WordPiece).",
                      "Use a model with one of these tokenizers.");
  }
  const auto pre = file.string("tokenizer.ggml.pre");
  if (!pre) return tl::unexpected(pre.error());
  // No fallback to another scheme: text would be cut differently from training, and the model would
  // get worse without anyone being told.
  if (*pre == "default") {
    return base::fail(
        file.name() +
            ": tokenizer.ggml.pre is \"default\", which does not say how text is cut into words.",
        kConvert);
  }
  const KnownPreTokenizer* known = findPreTokenizer(*pre);
  if (known == nullptr) {
    return base::fail(file.name() + ": tokenizer.ggml.pre is \"" + std::string(*pre) +
                          "\", which is not known. Known are: " + knownPreTokenizers() + ".",
                      "Use a model with one of these.");
  }
  preTokenizer = known->scheme;
  preTokenizerName = *pre;
  wholeWords = known->wholeWords;
  addsBos = known->addsBos;
  return {};
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
  if (!file.has("tokenizer.ggml.token_type")) return {};
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
  return {};
}

void Vocabulary::readBytes(const IdByText& ids) {
  bytes.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    // Normal tokens are spelled in an alphabet; those that users added stand for their names, but
    // in vocabularies with scores some of these have escaped spaces and some have not.
    if (kind != Kind::kMerges) {
      if (types[i] == TokenType::kNormal || types[i] == TokenType::kUserDefined)
        bytes[i] = unescapeSpaces(names[i]);
    } else if (types[i] == TokenType::kNormal) {
      bytes[i] = unspell(names[i]).value_or(names[i]);
    } else if (types[i] == TokenType::kUserDefined) {
      bytes[i] = names[i];
    }
  }
  byteIds.fill(-1);
  for (std::size_t byte = 0; kind != Kind::kPieces && byte < byteIds.size(); ++byte) {
    const auto value = static_cast<unsigned char>(byte);
    const auto it = ids.find(kind == Kind::kScores ? spellHex(value) : spellByte(value));
    byteIds[byte] = it == ids.end() ? -1 : it->second;
    if (kind != Kind::kScores || it == ids.end()) continue;
    types[static_cast<std::size_t>(it->second)] = TokenType::kByte;
    bytes[static_cast<std::size_t>(it->second)] = static_cast<char>(value);
  }
  for (std::int32_t id = 0; id < size(); ++id) {
    const auto i = static_cast<std::size_t>(id);
    if (isControl(id)) allTokens.add(names[i], id);
    if (types[i] == TokenType::kUserDefined) {
      userTokens.add(bytes[i], id);
      allTokens.add(bytes[i], id);
    }
    if (wholeWords && types[i] == TokenType::kNormal) words.emplace(bytes[i], id);
  }
}

base::Result<void> Vocabulary::readMerges(const gguf::File& file, const IdByText& ids) {
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
    if (isControl(c->second)) continue;  // text never becomes one of these
    merges.add(a->second, b->second, {static_cast<std::int32_t>(rank), c->second});
  }
  return {};
}

}  // namespace waferpair::tokenizer
