// SPDX-License-Identifier: GPL-3.0-or-later
// What a server is at work on, as it tells ($/progress of LSP 3.17). Values.
#pragma once

#include <QHash>
#include <QJsonObject>
#include <QSet>
#include <QString>
#include <QVector>
#include <optional>

namespace waferpair::workbench {

// The token of clangd's work on its index, which is told of since clangd 10.
inline constexpr char kClangdIndexWork[] = "backgroundIndexProgress";

class ServerWorks {
 public:
  static constexpr qsizetype kMostWorks = 32;  // at a time; more are not kept

  void clear() { *this = {}; }
  // The parameters of "$/progress".
  void take(const QJsonObject& params);

  bool isEmpty() const { return order_.isEmpty(); }
  bool isUnderWay(const QString& token) const;
  // It was, and came to its end.
  bool wasDone(const QString& token) const;
  // By its title what it does is reading the project.
  bool isReading() const;
  // "Indexing 3/7 42 %": what was told of last; empty: nothing.
  QString text() const;
  // The token of what was told of last that can be cancelled; none: nothing can be.
  std::optional<QJsonValue> cancellable() const;

 private:
  struct Work {
    QJsonValue token;
    QString title;
    QString message;
    std::optional<int> percentage;
    bool isCancellable = false;
  };

  QHash<QString, Work> works_;  // by the text of the token
  QVector<QString> order_;      // these, the latest last
  QSet<QString> done_;          // by the text of the token; the first kMostWorks of them
};

}  // namespace waferpair::workbench
