// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/terminal_screen.h"

#include <QCoreApplication>
#include <QSysInfo>
#include <QUrl>
#include <algorithm>
#include <cassert>
#include <cstring>

#include "workbench/terminal/screen_machine.h"

namespace waferpair::workbench {
namespace {

constexpr size_t kMostLinks = 0xffff;
constexpr size_t kMostSequences = 1 << 16;
constexpr qsizetype kMostTitle = 256;  // UTF-16 units
constexpr qsizetype kMostLink = 2083;  // bytes, as browsers have it

// The folder of "file://HOST/PATH"; empty where the host is another one.
QString folderOfUrl(const QByteArray& text) {
  const QUrl url(QString::fromUtf8(text), QUrl::TolerantMode);
  if (url.scheme() != QLatin1String("file")) return {};
  const QString host = url.host();
  const bool isHere = host.isEmpty() || host == QLatin1String("localhost") ||
                      host.compare(QSysInfo::machineHostName(), Qt::CaseInsensitive) == 0;
  return isHere ? url.path(QUrl::FullyDecoded) : QString();
}

// Returns the number of bytes at the end that begin a character of UTF-8 without ending it.
qsizetype cutCharacter(const char* text, qsizetype size) {
  for (qsizetype back = 1; back <= std::min<qsizetype>(3, size); ++back) {
    const auto byte = static_cast<unsigned char>(text[size - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const int length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return byte < 0xf8 && back < length ? back : 0;
  }
  return 0;
}

QByteArray withoutC1(const QByteArray& text) {
  QByteArray kept;
  kept.reserve(text.size());
  for (qsizetype at = 0; at < text.size(); ++at) {
    const unsigned char next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0;
    if (text[at] == '\xc2' && next >= 0x80 && next < 0xa0) {
      ++at;
    } else {
      kept += text[at];
    }
  }
  return kept;
}

// Without control characters, which titles have no use for.
QString titleText(const QByteArray& text) {
  QString title = QString::fromUtf8(text).left(kMostTitle);
  title.removeIf([](QChar c) { return c.category() == QChar::Other_Control; });
  return title;
}

}  // namespace

TerminalScreen::TerminalScreen(int rows, int columns, int scrollback)
    : main_(std::clamp(rows, 1, kMostRows), std::clamp(columns, 1, kMostColumns), scrollback),
      alternate_(main_.rows(), main_.columns(), 0),
      links_(1),
      machine_(std::make_unique<Machine>(this)) {}

TerminalScreen::~TerminalScreen() = default;

void TerminalScreen::feed(const QByteArray& bytes) {
  scanner_.feed(
      bytes, [this](const char* text, qsizetype size) { write(text, size); },
      [this](const QByteArray& command, StringScanner::Kind kind) {
        if (kind == StringScanner::Kind::kControl) return answerRequest(command);
        if (kind == StringScanner::Kind::kSequence) return runSequence(command);
        read(command, kind == StringScanner::Kind::kCommandWithBell);
      });
}

// libvterm is given whole characters: it forgets the beginning of one where bytes were wrong
// before.
void TerminalScreen::write(const char* text, qsizetype size) {
  const auto put = [this](const char* bytes, qsizetype count) {
    if (count > 0) vterm_input_write(machine_->terminal(), bytes, static_cast<size_t>(count));
  };
  QByteArray joined;
  if (!cut_.isEmpty()) {
    joined = std::exchange(cut_, {}) + QByteArray(text, size);
    text = joined.constData();
    size = joined.size();
  }
  // The control characters from U+0080 to U+009F have a width of -1 for it.
  const auto* const lead =
      static_cast<const char*>(std::memchr(text, '\xc2', static_cast<size_t>(size)));
  if (lead) {
    joined = withoutC1(QByteArray(text, size));
    text = joined.constData();
    size = joined.size();
  }
  const qsizetype cut = cutCharacter(text, size);
  put(text, size - cut);
  cut_ = QByteArray(text + size - cut, cut);
}

void TerminalScreen::runSequence(const QByteArray& sequence) {
  if (sequence.endsWith('b')) {
    // REP: libvterm repeats a character without a width for ever.
    bool isNumber = false;
    const int number = sequence.chopped(1).toInt(&isNumber);
    if (!isNumber && sequence.size() > 1) return;
    const QByteArray again =
        characterOf(lastCharacter_).toUtf8().repeated(std::clamp(number, 1, columns()));
    if (!again.isEmpty()) write(again.constData(), again.size());
    return;
  }
  if (sequence == "18t") {
    reply_ += "\x1b[8;" + QByteArray::number(rows()) + ';' + QByteArray::number(columns()) + 't';
    return;
  }
  if (sequence == ">q" || sequence == ">0q") {  // XTVERSION
    const QByteArray version = QCoreApplication::applicationVersion().toUtf8();
    reply_ += "\x1bP>|Waferpair" + (version.isEmpty() ? version : '(' + version + ')') + "\x1b\\";
    return;
  }
  if (sequence == "3J") clearScrollback();  // libvterm 0.1 passes over it
  const QByteArray whole = "\x1b[" + sequence;
  write(whole.constData(), whole.size());
}

void TerminalScreen::resize(int rows, int columns) {
  rows = std::clamp(rows, 1, kMostRows);
  columns = std::clamp(columns, 1, kMostColumns);
  if (rows == this->rows() && columns == this->columns()) return;
  vterm_set_size(machine_->terminal(), rows, columns);
}

QByteArray TerminalScreen::takeReply() { return std::exchange(reply_, {}); }

bool TerminalScreen::takeBell() { return std::exchange(bell_, false); }

QString TerminalScreen::characterOf(const Cell& cell) const {
  if (cell.character == 0) return {};
  if ((cell.character & Cell::kSequence) != 0) return sequences_[cell.character & ~Cell::kSequence];
  return QString::fromUcs4(&cell.character, 1);
}

char32_t TerminalScreen::characterFor(const quint32* characters) {
  const auto isValid = [](quint32 c) { return c <= 0x10ffff && (c < 0xd800 || c > 0xdfff); };
  const char32_t first = isValid(characters[0]) ? characters[0] : 0xfffd;
  if (first == 0 || characters[1] == 0) return first;
  QString sequence = QString::fromUcs4(&first, 1);
  for (int i = 1; i < VTERM_MAX_CHARS_PER_CELL && characters[i] != 0; ++i) {
    const char32_t next = isValid(characters[i]) ? characters[i] : 0xfffd;
    sequence += QString::fromUcs4(&next, 1);
  }
  const auto known = sequenceNumbers_.constFind(sequence);
  if (known != sequenceNumbers_.constEnd()) return Cell::kSequence | *known;
  if (sequences_.size() >= kMostSequences) return first;
  const auto number = static_cast<char32_t>(sequences_.size());
  sequences_.push_back(sequence);
  sequenceNumbers_.insert(sequence, number);
  return Cell::kSequence | number;
}

TerminalCursor TerminalScreen::cursor() const {
  VTermPos at;
  vterm_state_get_cursorpos(machine_->state(), &at);
  TerminalCursor cursor = cursor_;
  cursor.place = {top() + std::clamp(at.row, 0, rows() - 1), std::clamp(at.col, 0, columns() - 1)};
  return cursor;
}

QString TerminalScreen::link(const Cell& cell) const {
  return cell.link < links_.size() ? QString::fromUtf8(links_[cell.link]) : QString();
}

void TerminalScreen::read(const QByteArray& command, bool isBell) {
  const qsizetype semicolon = command.indexOf(';');
  bool isNumber = false;
  const int number = command.left(semicolon < 0 ? command.size() : semicolon).toInt(&isNumber);
  if (!isNumber || semicolon < 0) return;
  const QByteArray rest = command.mid(semicolon + 1);
  switch (number) {
    case 0:
    case 2:
      title_ = titleText(rest);
      return;
    case 7:
      folder_ = folderOfUrl(rest);
      return;
    case 8:
      return readLink(rest);
    case 10:
      if (rest == "?") answerColor("10", textColor_, isBell);
      return;
    case 11:
      if (rest == "?") answerColor("11", backgroundColor_, isBell);
      return;
    case 133:
      return readMark(rest);
    default:
      return;  // what nobody here knows, and the clipboard (52), which is the user's alone
  }
}

void TerminalScreen::answerColor(const char* which, quint32 color, bool isBell) {
  const auto part = [color](int shift) {
    const QByteArray two = QByteArray::number((color >> shift) & 0xff, 16).rightJustified(2, '0');
    return two + two;
  };
  reply_ += QByteArray("\x1b]") + which + ";rgb:" + part(16) + '/' + part(8) + '/' + part(0) +
            (isBell ? "\a" : "\x1b\\");
}

// DECRQSS, "$q" and what is asked for: the pen (SGR) or the cursor's shape (DECSCUSR). libvterm 0.1
// does not survive a question that it does not know.
void TerminalScreen::answerRequest(const QByteArray& request) {
  if (!request.startsWith("$q")) return;
  const QByteArray what = request.mid(2);
  QByteArray answer;
  if (what == "m") answer = penText();
  if (what == " q") {
    const int shape = cursor_.shape == CursorShape::kBlock       ? 2
                      : cursor_.shape == CursorShape::kUnderline ? 4
                                                                 : 6;
    answer = QByteArray::number(shape - (cursor_.blinks ? 1 : 0)) + " q";
  }
  reply_ += QByteArray("\x1bP") + (answer.isEmpty() ? "0$r" : "1$r") + answer + "\x1b\\";
}

QByteArray TerminalScreen::penText() const {
  QByteArray text = "0";
  constexpr std::pair<quint16, const char*> kCodes[] = {
      {cell_style::kBold, ";1"},  {cell_style::kItalic, ";3"},  {cell_style::kAnyUnderline, ";4"},
      {cell_style::kBlink, ";5"}, {cell_style::kReverse, ";7"}, {cell_style::kStrike, ";9"}};
  for (const auto& [style, code] : kCodes)
    if ((pen_.style & style) != 0) text += code;
  const auto add = [&text](CellColor color, const char* code) {
    if (color.isDefault()) return;
    text += QByteArray(";") + code;
    if (color.isIndexed()) {
      text += ":5:" + QByteArray::number(color.index());
      return;
    }
    text += ":2:";
    for (const int shift : {16, 8, 0})
      text += ':' + QByteArray::number((color.rgb() >> shift) & 0xff);
  };
  add(pen_.foreground, "38");
  add(pen_.background, "48");
  return text + 'm';
}

void TerminalScreen::setColors(quint32 text, quint32 background) {
  textColor_ = text;
  backgroundColor_ = background;
}

// "PARAMETERS;URI"; without a URI the link ends.
void TerminalScreen::readLink(const QByteArray& link) {
  const QByteArray uri = link.mid(link.indexOf(';') + 1);
  link_ = uri.isEmpty() || uri.size() > kMostLink || !link.contains(';') ? 0 : linkNumber(uri);
}

quint16 TerminalScreen::linkNumber(const QByteArray& uri) {
  const auto known = linkNumbers_.constFind(uri);
  if (known != linkNumbers_.constEnd()) return *known;
  if (links_.size() > kMostLinks) forgetUnusedLinks();
  if (links_.size() > kMostLinks) return 0;
  const auto number = static_cast<quint16>(links_.size());
  links_.push_back(uri);
  linkNumbers_.insert(uri, number);
  return number;
}

void TerminalScreen::forgetUnusedLinks() {
  std::vector<quint16> numbers(links_.size(), 0);
  std::vector<QByteArray> used(1);
  linkNumbers_.clear();
  for (RowStore* store : {&main_, &alternate_}) {
    for (qint64 row = store->first(); row < store->end(); ++row) {
      for (Cell& cell : store->row(row).cells) {
        if (cell.link == 0) continue;
        quint16& number = numbers[cell.link];
        if (number == 0) {
          number = static_cast<quint16>(used.size());
          used.push_back(links_[cell.link]);
          linkNumbers_.insert(used.back(), number);
        }
        cell.link = number;
      }
    }
  }
  links_ = std::move(used);
}

void TerminalScreen::setScrollback(int rows) { main_.setMost(rows); }

void TerminalScreen::clearScrollback() { main_.clearScrollback(); }

// -- Text

QString TerminalScreen::text(CellPlace from, CellPlace to) const {
  QString text, line;
  const RowStore& store = shown();
  from = std::max(from, CellPlace{store.first(), 0});
  for (qint64 number = from.row; number <= std::min(to.row, store.end() - 1); ++number) {
    const Row& row = store.row(number);
    const auto size = static_cast<int>(row.cells.size());
    const int begin = number == from.row ? std::min(from.column, size) : 0;
    const int end = number == to.row ? std::min(to.column, size) : size;
    for (int column = begin; column < end; ++column) {
      const Cell& cell = row.cells[column];
      if ((cell.style & cell_style::kWideTail) != 0) continue;
      line += cell.character == 0 ? QStringLiteral(" ") : characterOf(cell);
    }
    if (row.wraps && number < to.row) continue;
    while (line.endsWith(u' ')) line.chop(1);
    text += line;
    line.clear();
    if (number < to.row && number < store.end() - 1) text += u'\n';
  }
  return text;
}

}  // namespace waferpair::workbench
