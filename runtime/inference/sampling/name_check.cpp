// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/sampling/name_check.h"

#include <algorithm>

namespace waferpair::inference {
namespace {

// Gathering stops there: with so many that begin alike, nearly anything is one.
constexpr std::size_t kMostNames = 4096;

// Keywords, and what is there without being declared, of the languages that the default model
// knows.
constexpr std::string_view kWords =
    "abstract append args array assert async auto await bool boolean box break byte cap case cast "
    "catch chan char char16_t char32_t char8_t class clone close co_await co_return co_yield "
    "compl complex complex128 complex64 concept console const const_cast consteval constexpr "
    "constinit constructor continue copy crate debugger declare decltype def default defer del "
    "delete dict do document double dyn dynamic_cast elif else enum enumerate error except "
    "exports expect explicit export extends extern f32 f64 fallthrough False final finally float "
    "float32 float64 fn for format friend from func function get global go goto i128 i16 i32 i64 "
    "i8 if impl implements import include in infer inline instanceof int int16 int16_t int32 "
    "int32_t int64 int64_t int8 int8_t interface is isinstance isize iota keyof lambda len let "
    "list local long loop make map match mod module move mut mutable namespace native new nil "
    "noexcept None nonlocal not null nullptr number object operator Option or package pass panic "
    "print printf println private protected pub public raise range readonly ref register "
    "reinterpret_cast require requires result Result return rune satisfies select self Self set "
    "short signed sizeof size_t some Some static static_assert static_cast std str strictfp "
    "string String struct super switch symbol synchronized template this thread_local throw "
    "throws trait transient True true tuple try type typedef typeid typename typeof u128 u16 u32 "
    "u64 u8 uint uint16 uint16_t uint32 uint32_t uint64 uint64_t uint8 uint8_t uintptr union "
    "unique_ptr undefined unknown unsafe unsigned unwrap use using usize var vec Vec vector "
    "virtual void volatile wchar_t where while window with yield false define elif endif ifdef "
    "ifndef pragma undef";

}  // namespace

bool isNameByte(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$' || (byte & 0x80) != 0;
}

std::string_view begunName(std::string_view text) {
  const auto begin = std::find_if_not(text.rbegin(), text.rend(), isNameByte).base();
  if (begin == text.end() || (*begin >= '0' && *begin <= '9')) return {};
  return {begin, text.end()};
}

void NameTable::add(std::string_view part, int owner) {
  forNames(part, [&](std::string_view name) {
    const auto known = owners_.find(name);
    if (known == owners_.end())
      owners_.emplace(name, owner);
    else if (known->second != owner)
      known->second = kSeveral;
  });
}

void NameTable::gather(std::string_view begun, int without, std::vector<std::string>& names) const {
  for (auto name = owners_.lower_bound(begun);
       name != owners_.end() && name->first.starts_with(begun) && names.size() < kMostNames; ++name)
    if (name->second != without) names.push_back(name->first);
}

NameCheck::NameCheck(std::string begun, std::vector<std::string> names)
    : begun_(std::move(begun)), names_(std::move(names)), name_(begun_) {
  std::sort(names_.begin(), names_.end());
}

std::vector<std::string> NameCheck::namesFor(std::string_view begun,
                                             std::span<const std::string_view> texts,
                                             const NameTable& documents, int without) {
  std::vector<std::string> names;
  const auto take = [&](std::string_view name) {
    if (name.size() > begun.size() && name.starts_with(begun)) names.emplace_back(name);
  };
  for (const std::string_view text : texts) forNames(text, take);
  forNames(kWords, take);
  documents.gather(begun, without, names);
  return names;
}

// While the name goes on, some known name has to begin so; where it ends, it has to be a known one,
// or what was typed.
Verdict NameCheck::judge(std::string_view bytes) const {
  if (name_.empty()) return Verdict::kFits;
  const auto end = std::find_if_not(bytes.begin(), bytes.end(), isNameByte);
  const std::string name = name_ + std::string(bytes.begin(), end);
  const bool ends = end != bytes.end() || bytes.empty();
  if (name == begun_) return Verdict::kFits;
  const auto known = std::lower_bound(names_.begin(), names_.end(), name);
  const bool fits = known != names_.end() && (ends ? *known == name : known->starts_with(name));
  return fits ? Verdict::kFits : Verdict::kRefused;
}

void NameCheck::came(std::string_view bytes) {
  if (name_.empty()) return;
  if (std::all_of(bytes.begin(), bytes.end(), isNameByte))
    name_ += bytes;
  else
    name_.clear();
}

}  // namespace waferpair::inference
