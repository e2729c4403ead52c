// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/review/remarks.h"

#include <QRegularExpression>

#include "editor/text/translate.h"

namespace waferpair::pairing {
namespace {

class RemarkLines {
 public:
  void takeProse(const QByteArray& prose) {
    for (const QByteArray& line : prose.split('\n')) takeLine(QString::fromUtf8(line));
  }

  void takeChange(const ProposedChange& change) {
    if (remarks_.isEmpty()) begin({change.path, 0, translate("A change without a remark.")});
    if (!remarks_.isEmpty()) remarks_.last().changes.append(change);
    isOpen_ = false;
  }

  QVector<Remark> take() {
    // An answer that says that there is nothing to say.
    if (remarks_.size() == 1 && !remarks_[0].hasPlace() && remarks_[0].changes.isEmpty() &&
        remarks_[0].text.startsWith(QLatin1String("No remarks"), Qt::CaseInsensitive))
      remarks_.clear();
    return std::move(remarks_);
  }

 private:
  void takeLine(const QString& line) {
    static const QRegularExpression head(QStringLiteral(
        R"re(^\s*(?:[-*+•]\s+|\d+[.)]\s+|#+\s+)?[*_`\[]*(?<path>[^\s:`*\[\]()"']*[A-Za-z_][^\s:`*\[\]()"']*):(?<line>\d{1,9})(?:\s*[-–:]\s*\d+)?[*_`\]]*\s*[:—–-]?[*_`]*\s+(?<text>\S.*)$)re"));
    static const QRegularExpression bareHead(QStringLiteral(
        R"re(^\s*(?:[-*+•]\s+|\d+[.)]\s+|#+\s+)?[*_`\[]*(?<path>[^\s:`*\[\]()"']*[A-Za-z_][^\s:`*\[\]()"']*):(?<line>\d{1,9})(?:\s*[-–:]\s*\d+)?[*_`\]]*\s*[:—–-]?[*_`]*\s*$)re"));
    static const QRegularExpression item(
        QStringLiteral(R"(^\s*(?:[-*+•]\s+|\d+[.)]\s+|#+\s+)(?<text>\S.*)$)"));
    const QString trimmed = line.trimmed();
    if (trimmed.startsWith(QLatin1String("```"))) return;
    if (trimmed.isEmpty()) {
      isOpen_ = isOpen_ && remarks_.last().text.isEmpty();
      return;
    }
    for (const QRegularExpression* form : {&head, &bareHead}) {
      const auto match = form->match(line);
      const qint64 number = match.captured(QStringLiteral("line")).toLongLong();
      if (number > 0)
        return begin({match.captured(QStringLiteral("path")), number,
                      form == &head ? match.captured(QStringLiteral("text")) : QString()});
    }
    const bool isIndented = line.front().isSpace();
    if (!remarks_.isEmpty() && (isOpen_ || (isIndented && remarks_.last().hasPlace()))) {
      const auto match = item.match(line);
      if (!match.hasMatch() || isIndented || remarks_.last().text.isEmpty()) return goOn(trimmed);
    }
    const auto match = item.match(line);
    if (match.hasMatch()) return begin({{}, 0, match.captured(QStringLiteral("text"))});
    // The sentence that introduces the list says nothing itself.
    if (!trimmed.endsWith(u':')) begin({{}, 0, trimmed});
  }

  void begin(const Remark& remark) {
    isOpen_ = remarks_.size() < kMostRemarks;
    if (isOpen_) remarks_.append(remark);
    if (isOpen_) shorten(remarks_.last().text);
  }

  void goOn(const QString& line) {
    QString& text = remarks_.last().text;
    if (!text.isEmpty()) text += u' ';
    text += line;
    shorten(text);
  }

  // No character is cut in two.
  static void shorten(QString& text) {
    if (text.size() <= kMostOfRemark) return;
    text.truncate(text[kMostOfRemark].isLowSurrogate() ? kMostOfRemark - 1 : kMostOfRemark);
  }

  QVector<Remark> remarks_;
  bool isOpen_ = false;  // the next line of text may go on with the last one
};

}  // namespace

QVector<Remark> remarksIn(const Answer& answer) {
  RemarkLines lines;
  for (const auto& part : answer.parts) {
    if (const auto* prose = std::get_if<Prose>(&part)) {
      lines.takeProse(prose->text);
    } else {
      lines.takeChange(std::get<ProposedChange>(part));
    }
  }
  return lines.take();
}

}  // namespace waferpair::pairing
