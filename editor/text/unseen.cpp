// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/unseen.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <QChar>
#include <QStringList>
#include <algorithm>

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"

namespace waferpair::editor {
namespace {

constexpr char32_t kTab = 0x09, kLineFeed = 0x0a, kCarriageReturn = 0x0d;
constexpr char32_t kZeroWidthNonJoiner = 0x200c, kZeroWidthJoiner = 0x200d;
constexpr char32_t kKeycap = 0x20e3, kBlackFlag = 0x1f3f4, kFirstTag = 0xe0020,
                   kCancelTag = 0xe007f;
constexpr char32_t kIdeographicSpace = 0x3000;
constexpr int kMostTags = 16;  // of a flag

// What is more in a row is counted in a text that is agreed to.
constexpr qsizetype kMostBlanks = 40, kMostEmptyLines = 2, kMostMarks = 3;

struct CharacterRange {
  char32_t first, last;
};
// What Unicode's property "default ignorable" leaves out: the blank of Braille, notes between
// lines, a null note of music, and a fallow letter of hieroglyphs.
constexpr CharacterRange kOtherInvisible[] = {
    {0x2800, 0x2800}, {0xfff9, 0xfffb}, {0x1d159, 0x1d159}, {0x13441, 0x13442}};
// The plane of tags and variation selectors.
constexpr CharacterRange kTagPlane = {0xe0000, 0xe0fff};
// All others lie in these.
constexpr CharacterRange kBlocksLookedAt[] = {
    {0xa0, 0x3200}, {0xfe00, 0xffff}, {0x13430, 0x1345f}, {0x1bca0, 0x1bcaf}, {0x1d100, 0x1d1ff}};

bool isIn(char32_t c, CharacterRange range) { return c >= range.first && c <= range.last; }

char32_t characterAt(QStringView text, qsizetype at) {
  if (at < 0 || at >= text.size()) return 0;
  const QChar c = text[at];
  if (c.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate())
    return QChar::surrogateToUcs4(c, text[at + 1]);
  return c.unicode();
}

qsizetype unitsOf(char32_t c) { return QChar::requiresSurrogates(c) ? 2 : 1; }

// 0: there is none.
char32_t characterBefore(QStringView text, qsizetype at) {
  if (at <= 0) return 0;
  const bool isPair = at > 1 && text[at - 1].isLowSurrogate() && text[at - 2].isHighSurrogate();
  return characterAt(text, at - (isPair ? 2 : 1));
}

bool has(char32_t c, UProperty property) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), property) != 0;
}

UScriptCode scriptOf(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &error);
}

bool isDirection(char32_t c) {
  return c == 0x061c || isIn(c, {0x200e, 0x200f}) || isIn(c, {0x202a, 0x202e}) ||
         isIn(c, {0x2066, 0x206f});
}

bool isIgnorable(char32_t c) {
  if (has(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return true;
  for (const CharacterRange range : kOtherInvisible)
    if (isIn(c, range)) return true;
  return false;
}

bool isMongolianSelector(char32_t c) { return isIn(c, {0x180b, 0x180d}) || c == 0x180f; }
bool isVariationSelector(char32_t c) {
  return isIn(c, {0xfe00, 0xfe0f}) || isIn(c, {0xe0100, 0xe01ef}) || isMongolianSelector(c);
}
bool isTag(char32_t c) { return isIn(c, {kFirstTag, kCancelTag}); }

// Letters of Arabic, of the scripts of India and of their kin take other shapes by joiners.
bool joins(char32_t c) {
  if (c < 0x0600) return false;
  const int joining = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_JOINING_TYPE);
  if (joining == U_JT_DUAL_JOINING || joining == U_JT_LEFT_JOINING || joining == U_JT_RIGHT_JOINING)
    return true;
  const int indic = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_INDIC_SYLLABIC_CATEGORY);
  const UScriptCode script = scriptOf(c);
  return indic != U_INSC_OTHER && script != USCRIPT_COMMON && script != USCRIPT_INHERITED &&
         script != USCRIPT_LATIN;
}

// Vowels and points of Arabic stand between its letters.
bool isPointOfArabic(char32_t c) { return isIn(c, {0x064b, 0x065f}) || c == 0x0670; }

bool isPictograph(char32_t c) {
  return c >= 0x80 && (has(c, UCHAR_EXTENDED_PICTOGRAPHIC) || has(c, UCHAR_EMOJI_MODIFIER));
}

bool isJoinerAtHome(QStringView text, qsizetype at, char32_t c) {
  const char32_t before = characterBefore(text, at);
  const char32_t after = characterAt(text, at + 1);
  if (joins(before) || isPointOfArabic(before)) return true;
  const bool hasPicture = isPictograph(before) || before == 0xfe0f || isTag(before);
  return c == kZeroWidthJoiner && hasPicture && isPictograph(after);
}

bool isSelectorAtHome(QStringView text, qsizetype at, char32_t c) {
  const char32_t base = characterBefore(text, at);
  const UScriptCode script = base == 0 ? USCRIPT_COMMON : scriptOf(base);
  if (isMongolianSelector(c)) return script == USCRIPT_MONGOLIAN;
  if (c >= 0xe0100) return script == USCRIPT_HAN;
  // The keys of a telephone.
  if (base < 0x80)
    return c == 0xfe0f && has(base, UCHAR_EMOJI) && characterAt(text, at + 1) == kKeycap;
  if (isPictograph(base) || has(base, UCHAR_EMOJI)) return c >= 0xfe0e;
  const bool hasVariants = script == USCRIPT_HAN || script == USCRIPT_MYANMAR ||
                           script == USCRIPT_PHAGS_PA || script == USCRIPT_MANICHAEAN ||
                           script == USCRIPT_KHITAN_SMALL_SCRIPT ||
                           u_charType(base) == U_MATH_SYMBOL;
  return hasVariants && isIn(c, {0xfe00, 0xfe02});
}

// Of the flags of England, Scotland and Wales.
bool isTagAtHome(QStringView text, qsizetype at) {
  qsizetype start = at;
  int before = 0;
  for (; before < kMostTags && isTag(characterBefore(text, start)); ++before) start -= 2;
  if (characterBefore(text, start) != kBlackFlag) return false;
  for (qsizetype next = start, tags = 0; tags < kMostTags; next += 2, ++tags) {
    const char32_t c = characterAt(text, next);
    if (!isTag(c)) return false;
    if (c == kCancelTag) return next >= at;
  }
  return false;
}

// In Chinese and Japanese it is the blank.
bool isWideBlankAtHome(QStringView text, qsizetype at) {
  const auto isWide = [](char32_t c) {
    const int width = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_EAST_ASIAN_WIDTH);
    return c != 0 && (width == U_EA_WIDE || width == U_EA_FULLWIDTH) && !isPictograph(c);
  };
  qsizetype before = at, after = at + 1;
  while (characterBefore(text, before) == kIdeographicSpace) --before;
  while (characterAt(text, after) == kIdeographicSpace) ++after;
  return isWide(characterBefore(text, before)) || isWide(characterAt(text, after));
}

Unseen controlAt(QStringView text, qsizetype at, char32_t c) {
  if (c == kTab || c == kLineFeed) return Unseen::kNone;
  if (c == kCarriageReturn && characterAt(text, at + 1) == kLineFeed) return Unseen::kNone;
  return Unseen::kControl;
}

bool isBlank(QChar c) { return c == u' ' || c == u'\t'; }

QString blanksCounted(qsizetype blanks) { return translate("⟨%1 blanks⟩").arg(blanks); }

QString withBlanksCounted(const QString& line) {
  QString counted;
  for (qsizetype at = 0; at < line.size();) {
    qsizetype end = at;
    while (end < line.size() && isBlank(line[end])) ++end;
    if (end - at > kMostBlanks) {
      counted += blanksCounted(end - at);
    } else {
      counted += QStringView(line).sliced(at, end - at);
    }
    if (end < line.size()) counted += line[end++];
    at = end;
  }
  return counted;
}

bool isMarkedInLine(QStringView text, qsizetype at) {
  const char32_t c = characterAt(text, at);
  return c == kTab || c == kLineFeed || c == kCarriageReturn || unseenAt(text, at) != Unseen::kNone;
}

}  // namespace

Unseen unseenAt(QStringView text, qsizetype at) {
  const char32_t c = characterAt(text, at);
  if (c >= 0x20 && c < 0x7f) return Unseen::kNone;
  if (c < 0xa0 || c == 0x2028 || c == 0x2029) return controlAt(text, at, c);
  if (QChar::isSurrogate(c) || (c & 0xfffe) == 0xfffe) return Unseen::kInvisible;  // no characters
  if (isDirection(c)) return Unseen::kDirection;
  if (c == kZeroWidthJoiner || c == kZeroWidthNonJoiner)
    return isJoinerAtHome(text, at, c) ? Unseen::kNone : Unseen::kInvisible;
  if (isVariationSelector(c))
    return isSelectorAtHome(text, at, c) ? Unseen::kNone : Unseen::kInvisible;
  if (isTag(c)) return isTagAtHome(text, at) ? Unseen::kNone : Unseen::kInvisible;
  if (isIgnorable(c)) return Unseen::kInvisible;
  if (c == kIdeographicSpace && isWideBlankAtHome(text, at)) return Unseen::kNone;
  return u_charType(static_cast<UChar32>(c)) == U_SPACE_SEPARATOR ? Unseen::kBlank : Unseen::kNone;
}

const std::vector<char32_t>& alwaysUnseen() {
  static const std::vector<char32_t> all = [] {
    std::vector<char32_t> found;
    for (const CharacterRange block : kBlocksLookedAt) {
      for (char32_t c = block.first; c <= block.last; ++c) {
        const bool isByPlace =
            c == kZeroWidthJoiner || c == kZeroWidthNonJoiner || isVariationSelector(c);
        if (!isByPlace && (isDirection(c) || isIgnorable(c))) found.push_back(c);
      }
    }
    return found;
  }();
  return all;
}

QString codeName(char32_t character) {
  return QStringLiteral("U+%1")
      .arg(static_cast<uint>(character), 4, 16, QLatin1Char('0'))
      .toUpper();
}

QString characterName(char32_t character) {
  char name[128] = "";
  UErrorCode error = U_ZERO_ERROR;
  u_charName(static_cast<UChar32>(character), U_EXTENDED_CHAR_NAME, name, sizeof name, &error);
  const QString code = codeName(character);
  return U_FAILURE(error) != 0 || *name == 0 ? code : code + u' ' + QLatin1String(name);
}

qsizetype firstUnseen(QStringView text, OtherBlanks blanks) {
  for (qsizetype at = 0; at < text.size(); at += unitsOf(characterAt(text, at))) {
    const Unseen kind = unseenAt(text, at);
    const bool isKept = kind == Unseen::kBlank && blanks == OtherBlanks::kKept;
    if (kind != Unseen::kNone && !isKept) return at;
  }
  return -1;
}

QString shownForm(QStringView text, OtherBlanks blanks) {
  const qsizetype first = firstUnseen(text, blanks);
  if (first < 0) return text.toString();
  QString shown = text.first(first).toString();
  for (qsizetype at = first; at < text.size();) {
    const char32_t c = characterAt(text, at);
    const Unseen kind = unseenAt(text, at);
    const bool isKept = kind == Unseen::kBlank && blanks == OtherBlanks::kKept;
    if (kind == Unseen::kNone || isKept) {
      shown += text.sliced(at, unitsOf(c));
    } else if (isByteMark(c)) {
      shown += shownByte(c);
    } else {
      shown += u'⟨' + codeName(c) + u'⟩';
    }
    at += unitsOf(c);
  }
  return shown;
}

QString withoutUnseen(QStringView text) {
  QString kept;
  for (qsizetype at = 0; at < text.size();) {
    const qsizetype units = unitsOf(characterAt(text, at));
    const Unseen kind = unseenAt(text, at);
    if (kind == Unseen::kNone) kept += text.sliced(at, units);
    if (kind == Unseen::kBlank) kept += u' ';
    at += units;
  }
  return kept;
}

QString approvalForm(QStringView text) {
  const QStringList lines =
      shownForm(text).replace(QStringLiteral("\r\n"), QStringLiteral("\n")).split(u'\n');
  QStringList shown;
  for (qsizetype at = 0; at < lines.size();) {
    qsizetype end = at;
    while (end < lines.size() && std::all_of(lines[end].begin(), lines[end].end(), isBlank)) ++end;
    if (end - at > kMostEmptyLines) {
      shown.append(translate("⟨%1 empty lines⟩").arg(end - at));
    } else {
      shown += lines.mid(at, end - at);
    }
    if (end < lines.size()) shown.append(withBlanksCounted(lines[end++]));
    at = end;
  }
  return shown.join(u'\n');
}

QString oneLineForm(QStringView text) {
  QString shown;
  for (qsizetype at = 0; at < text.size();) {
    const char32_t c = characterAt(text, at);
    const bool isMarked = isMarkedInLine(text, at);
    qsizetype end = at + unitsOf(c), run = 1;
    for (; (isMarked || c == U' ') && characterAt(text, end) == c &&
           isMarkedInLine(text, end) == isMarked;
         end += unitsOf(c))
      ++run;
    if (isMarked) {
      const QString name = codeName(c);
      shown += run > kMostMarks ? QStringLiteral("⟨%1 × %2⟩").arg(QString::number(run), name)
                                : QString(u'⟨' + name + u'⟩').repeated(run);
    } else if (run > kMostBlanks) {
      shown += blanksCounted(run);
    } else {
      shown += text.sliced(at, end - at);
    }
    at = end;
  }
  return shown;
}

}  // namespace waferpair::editor
