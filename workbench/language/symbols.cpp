// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/symbols.h"

#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>
#include <array>
#include <optional>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfName = 400;

// SymbolInformation and WorkspaceSymbol, whose range may be missing. None: it is in no local file.
std::optional<Symbol> flatSymbol(const QJsonValue& one, ColumnUnit unit) {
  const QString path = pathOf(one[u"location"][u"uri"].toString());
  const QString name = one[u"name"].toString().left(kMostOfName);
  if (path.isEmpty() || name.isEmpty()) return std::nullopt;
  const QJsonValue range = one[u"location"][u"range"];
  return Symbol{name,
                one[u"containerName"].toString().left(kMostOfName),
                symbolKindName(one[u"kind"].toInt()),
                {path, linePlaceOf(range[u"start"]), linePlaceOf(range[u"end"]), unit}};
}

class DocumentSymbols {
 public:
  DocumentSymbols(const QString& path, ColumnUnit unit) : path_(path), unit_(unit) {}

  void read(const QJsonArray& list, const QString& inside, int depth) {
    for (const QJsonValue one : list) {
      if (symbols_.size() == kMostSymbols) return;
      const QString name = one[u"name"].toString().left(kMostOfName);
      if (name.isEmpty()) continue;
      const QJsonValue range = one[u"selectionRange"];
      symbols_.append({name,
                       inside,
                       symbolKindName(one[u"kind"].toInt()),
                       {path_, linePlaceOf(range[u"start"]), linePlaceOf(range[u"end"]), unit_}});
      const QJsonArray children = one[u"children"].toArray();
      if (children.isEmpty() || depth == kDeepestSymbol) continue;
      const QString below = inside.isEmpty() ? name : inside + QStringLiteral("::") + name;
      read(children, below.right(kMostOfName), depth + 1);
    }
  }
  QVector<Symbol> take() { return std::move(symbols_); }

 private:
  QString path_;
  ColumnUnit unit_;
  QVector<Symbol> symbols_;
};

class OutlineReader {
 public:
  OutlineReader(const editor::Snapshot& text, ColumnUnit unit) : text_(text), unit_(unit) {}

  void readTree(const QJsonArray& list, int parent, int depth) {
    for (const QJsonValue one : list) {
      const int index = static_cast<int>(symbols_.size());
      if (!read(one, one[u"range"], one[u"selectionRange"])) continue;
      symbols_.last().parent = parent;
      symbols_.last().depth = depth;
      const QJsonArray children = one[u"children"].toArray();
      if (depth < kDeepestSymbol) readTree(children, index, depth + 1);
    }
  }

  void readFlat(const QJsonArray& list) {
    for (const QJsonValue one : list) {
      const QJsonValue range = one[u"location"][u"range"];
      read(one, range,
           QJsonObject{{QStringLiteral("start"), range[u"start"]},
                       {QStringLiteral("end"), range[u"start"]}});
    }
    std::stable_sort(symbols_.begin(), symbols_.end(),
                     [](const OutlineSymbol& a, const OutlineSymbol& b) {
                       return a.range.start != b.range.start ? a.range.start < b.range.start
                                                             : a.range.end > b.range.end;
                     });
    QVector<int> around;
    for (int i = 0; i < symbols_.size(); ++i) {
      const ByteRange range = symbols_[i].range;
      while (!around.isEmpty() && symbols_[around.constLast()].range.end < range.end)
        around.removeLast();
      // One that begins where another ends is not in it.
      while (!around.isEmpty() && symbols_[around.constLast()].range.end <= range.start)
        around.removeLast();
      symbols_[i].parent = around.isEmpty() ? -1 : around.constLast();
      symbols_[i].depth = static_cast<int>(around.size());
      if (around.size() < kDeepestSymbol) around.append(i);
    }
  }
  QVector<OutlineSymbol> take() { return std::move(symbols_); }

 private:
  bool read(const QJsonValue& one, const QJsonValue& range, const QJsonValue& place) {
    const QString name = one[u"name"].toString().simplified().left(kMostOfName);
    if (name.isEmpty() || symbols_.size() == kMostSymbols) return false;
    OutlineSymbol symbol{name, symbolKindName(one[u"kind"].toInt()),
                         one[u"detail"].toString().simplified().left(kMostOfName),
                         byteRangeOf(text_, range, unit_), byteRangeOf(text_, place, unit_)};
    symbol.place.start = std::clamp(symbol.place.start, symbol.range.start, symbol.range.end);
    symbol.place.end = std::clamp(symbol.place.end, symbol.place.start, symbol.range.end);
    symbols_.append(std::move(symbol));
    return true;
  }

  const editor::Snapshot& text_;
  ColumnUnit unit_;
  QVector<OutlineSymbol> symbols_;
};

}  // namespace

QString symbolKindName(int kind) {
  static constexpr std::array kNames = {
      QT_TRANSLATE_NOOP("Workbench", "file"),        QT_TRANSLATE_NOOP("Window", "module"),
      QT_TRANSLATE_NOOP("Workbench", "namespace"),   QT_TRANSLATE_NOOP("Window", "package"),
      QT_TRANSLATE_NOOP("Workbench", "class"),       QT_TRANSLATE_NOOP("Window", "method"),
      QT_TRANSLATE_NOOP("Workbench", "property"),    QT_TRANSLATE_NOOP("Window", "field"),
      QT_TRANSLATE_NOOP("Workbench", "constructor"), QT_TRANSLATE_NOOP("Window", "enum"),
      QT_TRANSLATE_NOOP("Workbench", "interface"),   QT_TRANSLATE_NOOP("Window", "function"),
      QT_TRANSLATE_NOOP("Workbench", "variable"),    QT_TRANSLATE_NOOP("Window", "constant"),
      QT_TRANSLATE_NOOP("Workbench", "string"),      QT_TRANSLATE_NOOP("Window", "number"),
      QT_TRANSLATE_NOOP("Workbench", "boolean"),     QT_TRANSLATE_NOOP("Window", "array"),
      QT_TRANSLATE_NOOP("Workbench", "object"),      QT_TRANSLATE_NOOP("Window", "key"),
      QT_TRANSLATE_NOOP("Workbench", "null"),        QT_TRANSLATE_NOOP("Window", "enumerator"),
      QT_TRANSLATE_NOOP("Workbench", "struct"),      QT_TRANSLATE_NOOP("Window", "event"),
      QT_TRANSLATE_NOOP("Workbench", "operator"),    QT_TRANSLATE_NOOP("Window", "type parameter"),
  };
  if (kind < 1 || kind > static_cast<int>(kNames.size())) return {};
  return translate(kNames[static_cast<std::size_t>(kind - 1)]);
}

QVector<OutlineSymbol> readOutline(const QJsonValue& answer, const editor::Snapshot& text,
                                   ColumnUnit unit) {
  const QJsonArray list = answer.toArray();
  OutlineReader reader(text, unit);
  // Old servers tell of places in files.
  if (!list.isEmpty() && list.first()[u"location"].isObject()) {
    reader.readFlat(list);
  } else {
    reader.readTree(list, -1, 0);
  }
  return reader.take();
}

QVector<Symbol> readProjectSymbols(const QJsonValue& answer, ColumnUnit unit) {
  QVector<Symbol> symbols;
  const QJsonArray list = answer.toArray();
  for (const QJsonValue one : list) {
    if (symbols.size() == kMostSymbols) break;
    if (auto symbol = flatSymbol(one, unit)) symbols.append(*std::move(symbol));
  }
  return symbols;
}

QVector<Symbol> readDocumentSymbols(const QJsonValue& answer, const QString& path,
                                    ColumnUnit unit) {
  const QJsonArray list = answer.toArray();
  // Old servers tell of places in files.
  if (!list.isEmpty() && list.first()[u"location"].isObject())
    return readProjectSymbols(answer, unit);
  DocumentSymbols symbols(path, unit);
  symbols.read(list, {}, 0);
  return symbols.take();
}

}  // namespace waferpair::workbench
