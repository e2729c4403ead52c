// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <random>

#include "editor/text/anchor.h"
#include "editor/text/buffer.h"

using namespace waferpair::editor;

namespace {

bool edit(Buffer* buffer, const QVector<TextEdit>& edits) {
  return buffer->apply(buffer->version(), edits).has_value();
}

QByteArray textOf(const Buffer& buffer) { return buffer.snapshot().toByteArray(); }

// A view with no history, which counts how often it was asked for its text.
class PlainView : public BufferView {
 public:
  explicit PlainView(Buffer* buffer) : buffer_(buffer) {}
  Snapshot text() const override {
    ++asked;
    return now;
  }
  bool hasUntoldEdits() const override { return !untold.isEmpty(); }
  void settle() override {
    if (untold.isEmpty()) return;
    buffer_->viewEdited(std::exchange(untold, {}), ++version);
  }
  void apply(const QVector<TextEdit>& edits) override {
    make(edits);
    settle();
  }
  void beginStep() override {}
  void endStep() override {}
  void reset(const Snapshot& text) override {
    now = text;
    buffer_->viewReset(++version);
  }
  Result<void> load(const TextFile&) override { return fail({}); }
  void load(const PreparedText&) override {}
  bool canUndo() const override { return false; }
  bool canRedo() const override { return false; }
  void undo() override {}
  void redo() override {}
  bool isModified() const override { return false; }
  void markSaved() override {}
  void bufferGone() override { isAlone = true; }

  void make(const QVector<TextEdit>& edits) {
    for (const TextEdit& edit : edits) now = now.edited(edit);
    untold += edits;
  }

  Snapshot now;
  QVector<TextEdit> untold;
  qint64 version = 100;
  mutable int asked = 0;
  bool isAlone = false;

 private:
  Buffer* buffer_;
};

}  // namespace

class TestBuffer : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void editsAreToldInOrderWithTheirVersion() {
    Buffer buffer(Snapshot("one two"));
    QVector<TextEdit> told;
    qint64 version = -1;
    connect(&buffer, &Buffer::edited, this, [&](const QVector<TextEdit>& edits, qint64 now) {
      told = edits;
      version = now;
      QCOMPARE(textOf(buffer), QByteArray("1 2"));  // told when it is so
    });
    const qint64 before = buffer.version();
    QVERIFY(edit(&buffer, {{0, 3, "1"}, {2, 5, "2"}}));
    QCOMPARE(told.size(), 2);
    QCOMPARE(told[1].start, 2);
    QCOMPARE(told[1].text, QByteArray("2"));
    QCOMPARE(version, before + 1);
    QCOMPARE(buffer.version(), before + 1);
  }

  void anEditOutsideTheTextChangesNothing_data() {
    QTest::addColumn<qint64>("start");
    QTest::addColumn<qint64>("end");
    QTest::newRow("before the start") << qint64(-1) << qint64(2);
    QTest::newRow("past the end") << qint64(2) << qint64(9);
    QTest::newRow("backwards") << qint64(3) << qint64(2);
    QTest::newRow("far") << std::numeric_limits<qint64>::max()
                         << std::numeric_limits<qint64>::max();
  }
  void anEditOutsideTheTextChangesNothing() {
    QFETCH(qint64, start);
    QFETCH(qint64, end);
    Buffer buffer(Snapshot("abcdef"));
    QSignalSpy edited(&buffer, &Buffer::edited);
    // The first edit is good: all or none.
    const auto result = buffer.apply(buffer.version(), {{0, 0, "xx"}, {start, end, "y"}});
    QVERIFY(!result);
    QVERIFY(result.error().what.contains(QString::number(start)));
    QVERIFY(!result.error().remedy.isEmpty());
    QCOMPARE(textOf(buffer), QByteArray("abcdef"));
    QCOMPARE(edited.count(), 0);
    QVERIFY(!buffer.canUndo());
  }

  void editsForAnotherVersionAreRefused() {
    Buffer buffer(Snapshot("abc"));
    const qint64 old = buffer.version();
    QVERIFY(edit(&buffer, {{0, 1, "X"}}));
    QVERIFY(!buffer.apply(old, {{0, 1, "Y"}}));
    QCOMPARE(textOf(buffer), QByteArray("Xbc"));
  }

  void whatChangesNothingIsNoStep() {
    Buffer buffer(Snapshot("abc"));
    QVERIFY(edit(&buffer, {{1, 2, "b"}, {2, 2, ""}}));
    QVERIFY(!buffer.canUndo());
    QVERIFY(!buffer.isModified());
  }

  void stepsAreUndoneWhole() {
    Buffer buffer(Snapshot("a"));
    QVERIFY(edit(&buffer, {{1, 1, "b"}, {2, 2, "c"}}));
    buffer.beginStep();
    QVERIFY(edit(&buffer, {{3, 3, "d"}}));
    buffer.beginStep();
    QVERIFY(edit(&buffer, {{0, 1, ""}}));
    buffer.endStep();
    QVERIFY(edit(&buffer, {{3, 3, "e"}}));
    buffer.endStep();
    QVERIFY(edit(&buffer, {{4, 4, "f"}}));
    QCOMPARE(textOf(buffer), QByteArray("bcdef"));
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("bcde"));
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("abc"));
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("a"));
    QVERIFY(!buffer.undo());
    QVERIFY(buffer.redo());
    QVERIFY(buffer.redo());
    QCOMPARE(textOf(buffer), QByteArray("bcde"));
    // A new step drops what was undone.
    QVERIFY(edit(&buffer, {{0, 0, "!"}}));
    QVERIFY(!buffer.redo());
    QCOMPARE(textOf(buffer), QByteArray("!bcde"));
  }

  void savedIsAPlaceInTheHistory() {
    Buffer buffer(Snapshot("a"));
    QSignalSpy modified(&buffer, &Buffer::modifiedChanged);
    QVERIFY(edit(&buffer, {{1, 1, "b"}}));
    QCOMPARE(modified.takeLast()[0].toBool(), true);
    buffer.markSaved();
    QCOMPARE(modified.takeLast()[0].toBool(), false);
    QVERIFY(edit(&buffer, {{2, 2, "c"}}));
    QVERIFY(buffer.isModified());
    QVERIFY(buffer.undo());
    QVERIFY(!buffer.isModified());
    QVERIFY(buffer.undo());
    QVERIFY(buffer.isModified());
    // Another branch never meets the saved text again.
    QVERIFY(edit(&buffer, {{1, 1, "b"}}));
    QVERIFY(buffer.isModified());
    QVERIFY(buffer.undo());
    QVERIFY(buffer.isModified());
  }

  void savedAmidAStepIsNoPlaceInTheHistory() {
    Buffer buffer(Snapshot("a"));
    buffer.beginStep();
    QVERIFY(edit(&buffer, {{1, 1, "b"}}));
    buffer.markSaved();
    QVERIFY(edit(&buffer, {{2, 2, "c"}}));
    buffer.endStep();
    QVERIFY(buffer.isModified());
    QVERIFY(buffer.undo());
    QVERIFY(buffer.isModified());
    QCOMPARE(textOf(buffer), QByteArray("a"));
  }

  void anotherTextHasNoHistory() {
    Buffer buffer(Snapshot("a"));
    QSignalSpy reset(&buffer, &Buffer::wasReset);
    QVERIFY(edit(&buffer, {{1, 1, "b"}}));
    const qint64 version = buffer.version();
    buffer.reset(Snapshot("other"));
    QCOMPARE(reset.count(), 1);
    QVERIFY(buffer.version() > version);
    QVERIFY(!buffer.canUndo() && !buffer.canRedo() && !buffer.isModified());
    QCOMPARE(textOf(buffer), QByteArray("other"));
  }

  void anotherTextIsOneStepThatTouchesOnlyWhatDiffers() {
    Buffer buffer(Snapshot("one\ntwo\nthree\n"));
    QVector<TextEdit> told;
    connect(&buffer, &Buffer::edited, this, [&](const QVector<TextEdit>& edits) { told += edits; });
    buffer.replaceText(Snapshot("ONE\ntwo\nthree\nfour\n"));
    QCOMPARE(textOf(buffer), QByteArray("ONE\ntwo\nthree\nfour\n"));
    QCOMPARE(told.size(), 2);
    QCOMPARE(told[0].start, 0);
    QCOMPARE(told[0].end, 4);
    QCOMPARE(told[1].start, 14);
    QCOMPARE(told[1].end, 14);
    QVERIFY(buffer.undo());
    QCOMPARE(textOf(buffer), QByteArray("one\ntwo\nthree\n"));
    QVERIFY(!buffer.canUndo());
    QVERIFY(buffer.redo());
    told.clear();
    buffer.replaceText(buffer.snapshot());
    QVERIFY(told.isEmpty());
  }

  // -- A view

  void aTextThatCameIntoTheViewIsTakenWhenItIsAskedFor() {
    Buffer buffer;
    PlainView view(&buffer);
    buffer.show(&view, view.version);
    QCOMPARE(buffer.version(), 100);
    view.reset(Snapshot("from a file"));
    QCOMPARE(buffer.version(), 101);
    view.apply({{0, 0, "edited "}});
    QCOMPARE(buffer.version(), 102);
    QCOMPARE(view.asked, 0);
    // Edits that are not told yet come first.
    view.make({{0, 6, "EDITED"}});
    QSignalSpy edited(&buffer, &Buffer::edited);
    QCOMPARE(textOf(buffer), QByteArray("EDITED from a file"));
    QCOMPARE(edited.size(), 1);
    QCOMPARE(buffer.version(), 103);
    QCOMPARE(view.asked, 1);
    // From then on it is kept up by the edits.
    view.apply({{0, 6, "Edited"}});
    QCOMPARE(textOf(buffer), QByteArray("Edited from a file"));
    QCOMPARE(view.asked, 1);
    buffer.unshow(&view, {});
  }

  void theTextNowHasWhatIsNotToldYet() {
    Buffer buffer(Snapshot("a"));
    PlainView view(&buffer);
    view.now = buffer.snapshot();
    buffer.show(&view, view.version);
    view.make({{1, 1, "b"}});
    QCOMPARE(buffer.textNow().toByteArray(), QByteArray("ab"));
    QCOMPARE(textOf(buffer), QByteArray("a"));
    QCOMPARE(buffer.version(), 100);
    buffer.settle();
    QCOMPARE(textOf(buffer), QByteArray("ab"));
    QCOMPARE(buffer.version(), 101);
    buffer.unshow(&view, {});
  }

  void theViewIsToldThatTheBufferGoes() {
    auto buffer = std::make_unique<Buffer>();
    PlainView view(buffer.get());
    buffer->show(&view, view.version);
    buffer.reset();
    QVERIFY(view.isAlone);
  }

  void randomStepsAreUndoneAndRedone() {
    std::mt19937 random(11);
    const auto below = [&](qint64 bound) {
      return std::uniform_int_distribution<qint64>(0, bound)(random);
    };
    Buffer buffer(Snapshot("int main() {\r\n}\r\n"));
    // The text after each step; done points at the present one.
    QVector<QByteArray> states{textOf(buffer)};
    qsizetype done = 0;
    for (int i = 0; i < 4000; ++i) {
      const qint64 what = below(9);
      if (what == 0) {
        QCOMPARE(buffer.undo(), done > 0);
        if (done > 0) --done;
      } else if (what == 1) {
        QCOMPARE(buffer.redo(), done + 1 < states.size());
        if (done + 1 < states.size()) ++done;
      } else {
        const int applies = what == 2 ? 3 : 1;
        bool made = false;  // what changes nothing is no step
        QByteArray plain = states[done];
        buffer.beginStep();
        for (int k = 0; k < applies; ++k) {
          QVector<TextEdit> edits;
          for (int n = 0; n < 2; ++n) {
            const qint64 start = below(plain.size());
            const qint64 end =
                std::min<qint64>(plain.size(), start + below(plain.size() > 300 ? 60 : 9));
            edits.append({start, end, QByteArray("\r\nxy").first(below(4))});
            made = made || plain.sliced(start, end - start) != edits.last().text;
            plain.replace(start, end - start, edits.last().text);
          }
          QVERIFY(edit(&buffer, edits));
        }
        buffer.endStep();
        if (made) {
          states.resize(done + 1);
          states.append(plain);
          ++done;
        }
      }
      QCOMPARE(textOf(buffer), states[done]);
      QVERIFY(buffer.snapshot().isSound());
    }
  }

  // -- Anchors

  void anchorsStayOnTheirSide_data() {
    QTest::addColumn<qint64>("start");
    QTest::addColumn<qint64>("end");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("before");
    QTest::addColumn<qint64>("after");
    const auto row = [](const char* name, qint64 start, qint64 end, const char* text, qint64 before,
                        qint64 after) {
      QTest::newRow(name) << start << end << QByteArray(text) << before << after;
    };
    // The anchor is at 5.
    row("above", 0, 1, "xyz", 7, 7);
    row("below", 6, 8, "x", 5, 5);
    row("inserted at it", 5, 5, "xy", 5, 7);
    row("deleted around it", 3, 8, "", 3, 3);
    row("replaced around it", 3, 8, "xy", 3, 5);
    row("replaced up to it", 3, 5, "xy", 3, 5);
    row("replaced from it on", 5, 8, "xy", 5, 7);
    row("deleted up to it", 3, 5, "", 3, 3);
    row("deleted from it on", 5, 8, "", 5, 5);
    row("inserted right before it", 4, 4, "x", 6, 6);
  }
  void anchorsStayOnTheirSide() {
    QFETCH(qint64, start);
    QFETCH(qint64, end);
    QFETCH(QByteArray, text);
    QFETCH(qint64, before);
    QFETCH(qint64, after);
    Anchor one{5, Bias::kBefore};
    Anchor other{5, Bias::kAfter};
    one.follow({start, end, text});
    other.follow({start, end, text});
    QCOMPARE(one.offset, before);
    QCOMPARE(other.offset, after);
    // The same edit told as a deletion and an insertion.
    Anchor twice{5, Bias::kAfter};
    twice.follow({start, end, {}});
    twice.follow({start, start, text});
    QCOMPARE(twice.offset, after);
  }

  void rangesGrowOrStay() {
    AnchoredRange growing = AnchoredRange::growing(2, 4);
    AnchoredRange fixed = AnchoredRange::fixed(2, 4);
    for (AnchoredRange* range : {&growing, &fixed}) {
      range->follow({4, 4, "x"});
      range->follow({2, 2, "y"});
    }
    QCOMPARE(growing.start(), 2);
    QCOMPARE(growing.end(), 6);
    QCOMPARE(fixed.start(), 3);
    QCOMPARE(fixed.end(), 5);
    fixed.follow({0, 9, {}});
    QVERIFY(fixed.isEmpty());
    fixed.follow({0, 0, "zzz"});
    QVERIFY(fixed.isEmpty());
    QCOMPARE(fixed.start(), 3);
  }

  // A mark that stands at the anchor in the text itself says where the anchor belongs.
  void anchorsFollowRandomEdits() {
    std::mt19937 random(5);
    const auto below = [&](qint64 bound) {
      return std::uniform_int_distribution<qint64>(0, bound)(random);
    };
    for (int round = 0; round < 300; ++round) {
      QByteArray text = QByteArray(50, 'a');
      Anchor anchor{below(text.size()), round % 2 == 0 ? Bias::kBefore : Bias::kAfter};
      text.insert(anchor.offset, '|');
      for (int i = 0; i < 40; ++i) {
        const qsizetype mark = text.indexOf('|');
        const QByteArray plain = QByteArray(text).remove(mark, 1);
        const qint64 start = below(plain.size());
        const qint64 end = std::min<qint64>(plain.size(), start + below(6));
        const QByteArray added(below(5), 'b');
        if (end < mark) {
          text = plain.first(start) + added + plain.sliced(end, mark - end) + '|' + plain.mid(mark);
        } else if (start > mark) {
          text =
              plain.first(mark) + '|' + plain.sliced(mark, start - mark) + added + plain.mid(end);
        } else {
          text = plain.first(start) + (anchor.bias == Bias::kAfter ? added + '|' : '|' + added) +
                 plain.mid(end);
        }
        anchor.follow({start, end, added});
        QCOMPARE(anchor.offset, text.indexOf('|'));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestBuffer)
#include "test_buffer.moc"
