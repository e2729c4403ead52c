// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/python_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "runtime/jinja/failure.h"

namespace waferpair::jinja {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

void appendHex(std::string& text, char32_t point, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += kDigits[point >> shift & 0xF];
}

bool isPrintable(char32_t point) {
  if (point == ' ') return true;
  switch (u_charType(static_cast<UChar32>(point))) {
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_SURROGATE:
    case U_PRIVATE_USE_CHAR:
    case U_UNASSIGNED:
    case U_SPACE_SEPARATOR:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
      return false;
    default:
      return true;
  }
}

// A character of a text between `quote`s, as repr() writes it; empty: as it is.
std::string reprEscape(char32_t point, char quote) {
  std::string out;
  if (point == static_cast<char32_t>(quote) || point == '\\')
    return {'\\', static_cast<char>(point)};
  if (point == '\n') return "\\n";
  if (point == '\r') return "\\r";
  if (point == '\t') return "\\t";
  if (isPrintable(point)) return {};
  if (point < 0x100) {
    out = "\\x";
    appendHex(out, point, 2);
  } else if (point < 0x10000) {
    out = "\\u";
    appendHex(out, point, 4);
  } else {
    out = "\\U";
    appendHex(out, point, 8);
  }
  return out;
}

std::string jsonEscape(char32_t point, bool asciiOnly) {
  switch (point) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\f':
      return "\\f";
    case '\b':
      return "\\b";
    default:
      break;
  }
  if (point >= 0x20 && (!asciiOnly || point < 0x7F)) return {};
  std::string out = "\\u";
  if (point < 0x10000) {
    appendHex(out, point, 4);
  } else {
    appendHex(out, 0xD800 + ((point - 0x10000) >> 10), 4);
    out += "\\u";
    appendHex(out, 0xDC00 + ((point - 0x10000) & 0x3FF), 4);
  }
  return out;
}

template <typename Escape>
void appendEscaped(Text& out, const Text& text, const Escape& escape) {
  const std::string& bytes = text.bytes();
  std::size_t plainFrom = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = characterBytes(bytes, at);
    const auto byte = static_cast<unsigned char>(bytes[at]);
    // Bytes that are no character are left as they are.
    const std::string escaped =
        length == 1 && byte >= 0x80 ? std::string() : escape(codePointAt(bytes, at));
    if (!escaped.empty()) {
      out.append(text, plainFrom, at - plainFrom).append(escaped, text.originAt(at));
      plainFrom = at + length;
    }
    at += length;
  }
  if (plainFrom < bytes.size()) out.append(text, plainFrom, bytes.size() - plainFrom);
}

void appendRepr(Text& out, const Value& value);

void appendItems(Text& out, const std::vector<Value>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out.append(", ");
    appendRepr(out, items[i]);
  }
}

void appendDict(Text& out, const Dict& dict) {
  out.append("{");
  bool first = true;
  for (const auto& [key, entry] : dict.entries) {
    if (!std::exchange(first, false)) out.append(", ");
    appendRepr(out, key);
    out.append(": ");
    appendRepr(out, entry);
  }
  out.append("}");
}

void appendRepr(Text& out, const Value& value) {
  if (const Text* text = value.asText()) {
    const std::string& bytes = text->bytes();
    const bool doubled =
        bytes.find('\'') != std::string::npos && bytes.find('"') == std::string::npos;
    const char quote = doubled ? '"' : '\'';
    out.append(std::string(1, quote));
    appendEscaped(out, *text, [quote](char32_t point) { return reprEscape(point, quote); });
    out.append(std::string(1, quote));
  } else if (const List* list = value.asList()) {
    const bool tuple = list->kind == List::Kind::kTuple;
    out.append(tuple ? "(" : "[");
    appendItems(out, list->items);
    out.append(tuple ? (list->items.size() == 1 ? ",)" : ")") : "]");
  } else if (const Dict* dict = value.asDict()) {
    appendDict(out, *dict);
  } else if (value.isUndefined()) {
    out.append("Undefined");
  } else {
    out.append(pythonText(value));
  }
}

// A number or what stands for one, where the value is such.
std::string scalarJson(const Value& value) {
  if (value.isNone()) return "null";
  if (const bool* truth = value.asBoolean()) return *truth ? "true" : "false";
  if (const std::int64_t* integer = value.asInteger()) return std::to_string(*integer);
  if (const double* real = value.asReal()) {
    if (std::isnan(*real)) return "NaN";
    if (std::isinf(*real)) return *real < 0 ? "-Infinity" : "Infinity";
    return pythonReal(*real);
  }
  return {};
}

class JsonText {
 public:
  explicit JsonText(const JsonStyle& style) : style_(style) {}

  void append(const Value& value) {
    if (const Text* text = value.asText()) return append(*text);
    if (const List* list = value.asList(); list && list->kind != List::Kind::kGenerator) {
      begin('[');
      for (const Value& item : list->items) {
        nextItem();
        append(item);
      }
      return end(']', list->items.empty());
    }
    if (const Dict* dict = value.asDict()) return append(*dict);
    const std::string scalar = scalarJson(value);
    if (scalar.empty()) stop("Object of type " + typeName(value) + " is not JSON serializable");
    text_.append(scalar);
  }
  Text take() { return std::move(text_); }

 private:
  void append(const Text& text) { text_.append(jsonQuoted(text, style_.asciiOnly)); }

  void append(const Dict& dict) {
    std::vector<const std::pair<Value, Value>*> entries;
    for (const auto& entry : dict.entries) entries.push_back(&entry);
    if (style_.sortKeys)
      std::stable_sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
        return compared(a->first, b->first) < 0;
      });
    begin('{');
    for (const auto* entry : entries) {
      nextItem();
      if (const Text* key = entry->first.asText()) {
        append(*key);
      } else {
        const std::string key2 = scalarJson(entry->first);
        if (key2.empty()) stop("keys must be str, int, float, bool or None");
        text_.append("\"" + key2 + "\"");
      }
      text_.append(style_.behindKeys);
      append(entry->second);
    }
    end('}', dict.entries.empty());
  }

  void begin(char bracket) {
    text_.append(std::string(1, bracket));
    first_ = true;
    ++level_;
  }
  void nextItem() {
    if (!std::exchange(first_, false)) text_.append(style_.betweenItems);
    newLine();
  }
  void end(char bracket, bool empty) {
    --level_;
    if (!empty) newLine();
    text_.append(std::string(1, bracket));
    first_ = false;
  }
  void newLine() {
    if (!style_.indents) return;
    text_.append("\n");
    for (int i = 0; i < level_; ++i) text_.append(style_.indent);
    if (text_.size() > kLongest) stop("a text in JSON is longer than 64 MiB");
  }

  static constexpr std::size_t kLongest = std::size_t{64} << 20;
  const JsonStyle& style_;
  Text text_;
  int level_ = 0;
  bool first_ = true;
};

}  // namespace

std::string pythonReal(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                     std::chars_format::scientific);
  const std::string_view shortest(buffer.data(),
                                  static_cast<std::size_t>(written.ptr - buffer.data()));
  const std::size_t e = shortest.find('e');
  const int exponent = std::stoi(std::string(shortest.substr(e + 1)));
  constexpr int kLeast = -4, kMost = 16;  // Python writes no exponent between these
  if (exponent < kLeast || exponent >= kMost) return std::string(shortest);
  const auto fixed =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  std::string text(buffer.data(), fixed.ptr);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

Text pythonText(const Value& value) {
  if (const Text* text = value.asText()) return *text;
  Text out;
  if (value.isUndefined()) return out;
  if (value.asList() || value.asDict()) {
    appendRepr(out, value);
    return out;
  }
  if (value.isNone()) return Text("None");
  if (const bool* truth = value.asBoolean()) return Text(*truth ? "True" : "False");
  if (const std::int64_t* integer = value.asInteger()) return Text(std::to_string(*integer));
  if (const double* real = value.asReal()) return Text(pythonReal(*real));
  return Text("<" + typeName(value) + ">");
}

Text pythonRepr(const Value& value) {
  Text out;
  appendRepr(out, value);
  return out;
}

Text jsonQuoted(const Text& text, bool asciiOnly) {
  Text out("\"");
  appendEscaped(out, text, [asciiOnly](char32_t point) { return jsonEscape(point, asciiOnly); });
  out.append("\"");
  return out;
}

Text pythonJson(const Value& value, const JsonStyle& style) {
  JsonText json(style);
  json.append(value);
  return json.take();
}

}  // namespace waferpair::jinja
