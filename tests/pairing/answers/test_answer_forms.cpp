// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as models give them (answer_rows.h): each is put into its text rightly, or refused.
#include <QtTest>

#include "pairing/placing/answer_placement.h"
#include "tests/pairing/answers/answer_rows.h"

using namespace waferpair;
using pairing::AnsweredText;
using test::AnswerRow;

class TestAnswerForms : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void answersArePutRightlyOrRefused_data() {
    QTest::addColumn<AnswerRow>("row");
    const QVector<AnswerRow> rows = test::answerRows();
    QVERIFY(!rows.isEmpty());
    for (const AnswerRow& row : rows) QTest::newRow(qPrintable(row.name)) << row;
  }
  void answersArePutRightlyOrRefused() {
    QFETCH(AnswerRow, row);
    for (const QByteArray lineEnd : {"\n", "\r\n"}) {
      if (row.text.isEmpty() && lineEnd != "\n") continue;
      QByteArray before = row.text;
      before.replace("\n", lineEnd);
      const AnsweredText made = pairing::answered(editor::Snapshot(before), row.answer, row.path);
      if (row.isRefused) {
        QVERIFY2(made.status != AnsweredText::Status::kPlaced, made.text.toByteArray().constData());
        QCOMPARE(made.text.toByteArray(), before);
        continue;
      }
      QVERIFY2(made.status == AnsweredText::Status::kPlaced, qPrintable(made.problems.join('\n')));
      QByteArray after = row.becomes;
      after.replace("\n", lineEnd);
      const QByteArray text = made.text.toByteArray();
      QVERIFY2(text == after, test::otherLines(after, text).constData());
    }
  }
};

QTEST_GUILESS_MAIN(TestAnswerForms)
#include "test_answer_forms.moc"
