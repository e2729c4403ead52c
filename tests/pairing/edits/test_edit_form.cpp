// SPDX-License-Identifier: GPL-3.0-or-later
// What a model of some size is asked for.
#include <QtTest>

#include "pairing/request/edit_form.h"

using namespace waferpair::pairing;

class TestEditForm : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aNameTellsParameters_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<qint64>("parameters");
    QTest::newRow("billions") << "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf" << qint64{500'000'000};
    QTest::newRow("a tag") << "qwen2.5-coder:1.5b" << qint64{1'500'000'000};
    QTest::newRow("millions") << "SmolLM2-135M-Instruct" << qint64{135'000'000};
    QTest::newRow("small letters") << "gemma-3-270m-it" << qint64{270'000'000};
    QTest::newRow("experts, all and at work") << "qwen3-30b-a3b" << qint64{30'000'000'000};
    QTest::newRow("a size of its own") << "494.03M" << qint64{494'030'000};
    QTest::newRow("a version") << "gpt-4.1" << qint64{-1};
    QTest::newRow("a format") << "codestral-latest-q4_k_m" << qint64{-1};
    QTest::newRow("none") << "Scripted" << qint64{-1};
  }
  void aNameTellsParameters() {
    QFETCH(QString, name);
    QTEST(parametersInName(name), "parameters");
  }

  void theFormGoesBySize() {
    QVERIFY(!mayEdit(135'000'000));
    QVERIFY(mayEdit(494'000'000));
    QVERIFY(mayEdit(-1));
    QCOMPARE(editFormFor(630'000'000), EditForm::kRewrite);
    QCOMPARE(editFormFor(1'500'000'000), EditForm::kRewrite);
    QCOMPARE(editFormFor(7'600'000'000), EditForm::kBlocks);
    QCOMPARE(editFormFor(-1), EditForm::kBlocks);
  }

  void theFirstAnswerTellsWhereTheSizeIsNotKnown() {
    EditForms forms;
    const QString id = QStringLiteral("one");
    QCOMPARE(forms.formOf(id, -1), EditForm::kBlocks);
    forms.answered(id, true);
    QCOMPARE(forms.formOf(id, -1), EditForm::kRewrite);
    QCOMPARE(forms.formOf(QStringLiteral("another"), -1), EditForm::kBlocks);
    // A size that is known says more.
    QCOMPARE(forms.formOf(id, 32'000'000'000), EditForm::kBlocks);
    forms.answered(id, false);
    QCOMPARE(forms.formOf(id, -1), EditForm::kBlocks);
  }
};

QTEST_GUILESS_MAIN(TestEditForm)
#include "test_edit_form.moc"
