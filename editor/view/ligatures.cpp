// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/ligatures.h"

#include <QFont>
#include <QFontDatabase>
#include <QHash>
#include <QRawFont>
#include <QtEndian>
#include <algorithm>
#include <utility>

namespace waferpair::editor {

namespace {

// Fonts for code join "->" by contextual alternates. Features that a script cannot do without
// ("rlig", "ccmp", the forms of Arabic) stay.
constexpr const char* kLigatures[] = {"calt", "clig", "dlig", "hlig", "liga"};
constexpr char kNobodyAsks[] = "zz00";
constexpr char kSuffix[] = " without ligatures";

// The tables of a font file that matter for drawing, sorted as a table directory is.
constexpr const char* kTables[] = {"CFF ", "CFF2", "COLR", "CPAL", "GDEF", "GPOS", "HVAR", "MVAR",
                                   "OS/2", "STAT", "VORG", "avar", "cmap", "cvt ", "fpgm", "fvar",
                                   "gasp", "glyf", "gvar", "head", "hhea", "hmtx", "kern", "loca",
                                   "maxp", "post", "prep", "vhea", "vmtx"};

template <typename T>
T readAt(const QByteArray& bytes, qsizetype at) {
  return at >= 0 && at + qsizetype(sizeof(T)) <= bytes.size()
             ? qFromBigEndian<T>(bytes.constData() + at)
             : T(0);
}

template <typename T>
void append(QByteArray* bytes, T value) {
  char big[sizeof(T)];
  qToBigEndian(value, big);
  bytes->append(big, sizeof(T));
}

// The names by which font databases sort a face in.
QByteArray nameTable(const QString& family, const QString& style) {
  const QString full = family + u' ' + style;
  const std::pair<quint16, QString> names[] = {
      {1, family}, {2, style}, {4, full}, {6, QString(full).remove(u' ')}};
  QByteArray table;
  QByteArray strings;
  append<quint16>(&table, 0);
  append<quint16>(&table, std::size(names));
  append<quint16>(&table, 6 + 12 * std::size(names));
  for (const auto& [id, text] : names) {
    const qsizetype from = strings.size();
    for (const QChar c : text) append<quint16>(&strings, c.unicode());
    // Windows, Unicode, American English.
    for (const quint16 field : {quint16(3), quint16(1), quint16(0x409), id,
                                quint16(strings.size() - from), quint16(from)})
      append(&table, field);
  }
  return table + strings;
}

QByteArray fontFile(const QVector<std::pair<QByteArray, QByteArray>>& tables) {
  const bool outlines = std::any_of(tables.begin(), tables.end(), [](const auto& table) {
    return table.first.startsWith("CFF");
  });
  QByteArray directory;
  append<quint32>(&directory, outlines ? 0x4f54544f : 0x00010000);
  append<quint16>(&directory, static_cast<quint16>(tables.size()));
  for (int i = 0; i < 3; ++i) append<quint16>(&directory, 0);  // for binary search, long unused
  QByteArray data;
  const qsizetype begin = directory.size() + 16 * tables.size();
  for (const auto& [tag, bytes] : tables) {
    directory += tag;
    append<quint32>(&directory, 0);  // no reader of fonts that are in use checks sums
    append<quint32>(&directory, static_cast<quint32>(begin + data.size()));
    append<quint32>(&directory, static_cast<quint32>(bytes.size()));
    data += bytes;
    data.append((4 - bytes.size() % 4) % 4, '\0');
  }
  return directory + data;
}

// Empty where the face has no ligatures.
QByteArray faceWithoutLigatures(const QRawFont& face, const QString& family, const QString& style) {
  const QByteArray gsub = withoutLigatures(face.fontTable("GSUB"));
  if (gsub.isEmpty()) return {};
  QVector<std::pair<QByteArray, QByteArray>> tables{{"GSUB", gsub},
                                                    {"name", nameTable(family, style)}};
  for (const char* tag : kTables) {
    const QByteArray bytes = face.fontTable(tag);
    if (!bytes.isEmpty()) tables.append({tag, bytes});
  }
  std::sort(tables.begin(), tables.end());
  return fontFile(tables);
}

}  // namespace

QByteArray withoutLigatures(QByteArray gsub) {
  const auto list = readAt<quint16>(gsub, 6);
  if (list == 0) return {};
  const auto count = readAt<quint16>(gsub, list);
  bool any = false;
  for (qsizetype i = 0; i < count; ++i) {
    const qsizetype at = list + 2 + 6 * i;
    if (at + 4 > gsub.size()) return {};
    const bool ligature = std::any_of(std::begin(kLigatures), std::end(kLigatures), [&](auto tag) {
      return QByteArrayView(gsub).sliced(at, 4) == QByteArrayView(tag);
    });
    if (!ligature) continue;
    gsub.replace(at, 4, kNobodyAsks, 4);
    any = true;
  }
  return any ? gsub : QByteArray();
}

bool isWithoutLigatures(const QString& family) { return family.endsWith(QLatin1String(kSuffix)); }

QString familyWithoutLigatures(const QString& family) {
  static QHash<QString, QString> known;
  if (const auto found = known.constFind(family); found != known.constEnd()) return *found;
  QString result = family;
  const QString name = family + QLatin1String(kSuffix);
  for (const bool bold : {false, true}) {
    for (const bool italic : {false, true}) {
      QFont font(family);
      font.setBold(bold);
      font.setItalic(italic);
      const QRawFont face = QRawFont::fromFont(font);
      // Qt slants and thickens the styles that the family lacks by itself, here as there.
      const bool own = face.isValid() && face.familyName() == family &&
                       (face.weight() >= QFont::DemiBold) == bold &&
                       (face.style() != QFont::StyleNormal) == italic;
      if (!own) continue;
      const QString style = bold ? italic ? QStringLiteral("Bold Italic") : QStringLiteral("Bold")
                            : italic ? QStringLiteral("Italic")
                                     : QStringLiteral("Regular");
      const QByteArray file = faceWithoutLigatures(face, name, style);
      if (!file.isEmpty() && QFontDatabase::addApplicationFontFromData(file) >= 0) result = name;
    }
  }
  known.insert(family, result);
  return result;
}

}  // namespace waferpair::editor
