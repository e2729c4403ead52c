// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/semantic_tokens.h"

#include <QHash>
#include <QJsonArray>
#include <algorithm>
#include <limits>

namespace waferpair::workbench {
namespace {

constexpr qsizetype kNumbersOfToken = 5;
constexpr qsizetype kMostTypes = 256;
constexpr qsizetype kMostModifiers = 32;

TokenKind kindNamed(const QString& type) {
  static const QHash<QString, TokenKind> kinds{
      {QStringLiteral("namespace"), TokenKind::kNamespace},
      {QStringLiteral("type"), TokenKind::kType},
      {QStringLiteral("class"), TokenKind::kType},
      {QStringLiteral("enum"), TokenKind::kType},
      {QStringLiteral("interface"), TokenKind::kType},
      {QStringLiteral("struct"), TokenKind::kType},
      {QStringLiteral("typeParameter"), TokenKind::kType},
      {QStringLiteral("typeAlias"), TokenKind::kType},
      {QStringLiteral("concept"), TokenKind::kType},
      {QStringLiteral("builtinType"), TokenKind::kType},
      {QStringLiteral("union"), TokenKind::kType},
      {QStringLiteral("function"), TokenKind::kFunction},
      {QStringLiteral("method"), TokenKind::kFunction},
      {QStringLiteral("member"), TokenKind::kFunction},  // as TypeScript calls methods
      {QStringLiteral("macro"), TokenKind::kMacro},
      {QStringLiteral("decorator"), TokenKind::kMacro},
      {QStringLiteral("attribute"), TokenKind::kMacro},
      {QStringLiteral("parameter"), TokenKind::kParameter},
      {QStringLiteral("property"), TokenKind::kMember},
      {QStringLiteral("enumMember"), TokenKind::kConstant},
      // clangd marks whole lines that the preprocessor leaves out.
      {QStringLiteral("comment"), TokenKind::kInactive},
  };
  return kinds.value(type, TokenKind::kPlain);
}

// A line of the text in which columns become bytes.
class TokenLine {
 public:
  TokenLine(const editor::Snapshot& text, ColumnUnit unit) : text_(text), unit_(unit) {}

  void goTo(qint64 line) {
    if (line == line_) return;
    line_ = line;
    start_ = text_.lineStart(line);
    bytes_ = text_.line(line);
    isPlain_ = unit_ == ColumnUnit::kUtf8 ||
               std::all_of(bytes_.begin(), bytes_.end(), [](char c) { return (c & 0x80) == 0; });
    atByte_ = atColumn_ = 0;
  }
  // Columns that grow within a line cost one walk along it.
  qint64 offsetOf(qint64 column) {
    if (isPlain_) return start_ + std::min<qint64>(column, bytes_.size());
    if (column < atColumn_) atByte_ = atColumn_ = 0;
    while (atColumn_ < column && atByte_ < bytes_.size()) {
      constexpr unsigned char kContinuation = 0x80, kContinuationMask = 0xc0, kFourBytes = 0xf0;
      const auto byte = static_cast<unsigned char>(bytes_[atByte_++]);
      while (atByte_ < bytes_.size() &&
             (static_cast<unsigned char>(bytes_[atByte_]) & kContinuationMask) == kContinuation)
        ++atByte_;
      atColumn_ += byte >= kFourBytes ? 2 : 1;
    }
    return start_ + atByte_;
  }

 private:
  const editor::Snapshot& text_;
  ColumnUnit unit_;
  qint64 line_ = -1;
  qint64 start_ = 0;
  QByteArray bytes_;
  bool isPlain_ = true;
  qint64 atByte_ = 0, atColumn_ = 0;
};

}  // namespace

TokenLegend readTokenLegend(const QJsonValue& provider) {
  TokenLegend legend;
  const QJsonArray types = provider[u"legend"][u"tokenTypes"].toArray();
  for (qsizetype i = 0; i < std::min(types.size(), kMostTypes); ++i) {
    const QString name = types[i].toString();
    legend.kinds.append(kindNamed(name));
    legend.areVariables.append(name == QLatin1String("variable") ||
                               name == QLatin1String("property"));
  }
  const QJsonArray modifiers = provider[u"legend"][u"tokenModifiers"].toArray();
  for (qsizetype i = 0; i < std::min(modifiers.size(), kMostModifiers); ++i) {
    const QString name = modifiers[i].toString();
    const quint32 bit = quint32{1} << i;
    if (name == QLatin1String("readonly")) legend.constants |= bit;
    for (const char* global : {"static", "globalScope", "fileScope", "classScope"})
      if (name == QLatin1String(global)) legend.globals |= bit;
  }
  return legend;
}

TokenData readTokenData(const QJsonValue& list) {
  const QJsonArray numbers = list.toArray();
  TokenData data;
  if (numbers.size() > kMostTokenData) return data;
  data.reserve(numbers.size());
  for (const QJsonValue one : numbers) {
    const qint64 number = one.toInteger(-1);
    if (number < 0 || number > std::numeric_limits<quint32>::max()) return {};
    data.append(static_cast<quint32>(number));
  }
  return data;
}

bool editTokenData(const QJsonValue& edits, TokenData* data) {
  if (!edits.isArray()) return false;
  struct Edit {
    qint64 start, count;
    TokenData inserted;
  };
  QVector<Edit> read;
  const QJsonArray list = edits.toArray();
  for (const QJsonValue one : list) {
    Edit edit{one[u"start"].toInteger(-1), one[u"deleteCount"].toInteger(-1),
              readTokenData(one[u"data"])};
    if (edit.start < 0 || edit.count < 0 || edit.start > data->size() ||
        edit.count > data->size() - edit.start)
      return false;
    if (one[u"data"].toArray().size() != edit.inserted.size()) return false;
    read.append(edit);
  }
  // All are of the data before; none may lie in another.
  std::stable_sort(read.begin(), read.end(),
                   [](const Edit& a, const Edit& b) { return a.start < b.start; });
  TokenData after;
  qint64 done = 0;
  for (const Edit& edit : std::as_const(read)) {
    if (edit.start < done) return false;
    after += data->mid(done, edit.start - done);
    after += edit.inserted;
    done = edit.start + edit.count;
    if (after.size() > kMostTokenData) return false;
  }
  after += data->mid(done);
  if (after.size() > kMostTokenData) return false;
  *data = after;
  return true;
}

QVector<SemanticToken> semanticTokens(const TokenData& data, const TokenLegend& legend,
                                      const editor::Snapshot& text, ColumnUnit unit) {
  QVector<SemanticToken> tokens;
  TokenLine at(text, unit);
  const qint64 lines = text.lineCount();
  qint64 line = 0, column = 0;
  for (qsizetype i = 0; i + kNumbersOfToken <= data.size(); i += kNumbersOfToken) {
    const quint32 lineStep = data[i], length = data[i + 2], type = data[i + 3];
    line += lineStep;
    column = lineStep == 0 ? column + data[i + 1] : data[i + 1];
    if (line >= lines) break;
    if (type >= legend.kinds.size()) continue;
    TokenKind kind = legend.kinds[type];
    const bool isConstant = legend.areVariables[type] && (data[i + 4] & legend.constants) != 0 &&
                            (data[i + 4] & legend.globals) != 0;
    if (isConstant) kind = TokenKind::kConstant;
    if (kind == TokenKind::kPlain) continue;
    at.goTo(line);
    const qint64 start = at.offsetOf(column);
    const qint64 end = at.offsetOf(column + length);
    if (start < end && (tokens.isEmpty() || tokens.constLast().end <= start))
      tokens.append({start, end, kind});
  }
  return tokens;
}

void followEdit(const editor::TextEdit& edit, QVector<SemanticToken>* tokens) {
  const qint64 grown = edit.text.size() - (edit.end - edit.start);
  // Those that end before it are left alone.
  auto token = std::partition_point(tokens->begin(), tokens->end(),
                                    [&](const SemanticToken& one) { return one.end < edit.start; });
  const auto first = token;
  for (; token != tokens->end(); ++token) {
    if (token->start >= edit.end) {
      token->start += grown;
      token->end += grown;
    } else if (token->end > edit.end) {
      // What is typed within a name is of the name.
      token->end += grown;
      if (token->start > edit.start) token->start = edit.start + edit.text.size();
    } else {
      token->end = std::max(token->start, std::min(token->end, edit.start));
    }
  }
  tokens->erase(std::remove_if(first, tokens->end(),
                               [](const SemanticToken& one) { return one.start >= one.end; }),
                tokens->end());
}

}  // namespace waferpair::workbench
