// SPDX-License-Identifier: GPL-3.0-or-later
// The names that a server knows for a place: which of its completions are names, when they are all,
// and that a place is asked about once.
#include "workbench/language/language_names.h"

#include <QtTest>

#include "editor/assist/word_source.h"
#include "tests/workbench/language/language_project.h"

namespace waferpair::workbench {

using editor::KnownNames;
using editor::NamePlace;

namespace {

editor::ListItem named(const QByteArray& text) {
  editor::ListItem item;
  item.text = text;
  return item;
}

CompletionItems itemsOf(const QVector<QPair<const char*, int>>& told, bool isWhole = true) {
  CompletionItems items;
  items.isWhole = isWhole;
  for (const auto& [text, kind] : told) {
    items.items.append(named(text));
    items.told.append({{"label", text}, {"kind", kind}});
  }
  return items;
}

}  // namespace

class TestLanguageNames : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aWholeListBehindASignIsAll() {
    const CompletionItems items = itemsOf({{"size()", 2}, {"operator+=", 3}, {"size", 5}});
    QCOMPARE(namesOf(items, true), (KnownNames{{"operator", "size"}, true}));
    QCOMPARE(namesOf(items, false), (KnownNames{{"operator", "size"}, false}));
    QCOMPARE(namesOf(itemsOf({{"size", 2}}, false), true), (KnownNames{{"size"}, false}));
  }

  // Words of the text, snippets, and what is no name.
  void whatTheServerDoesNotKnowIsNoName() {
    const CompletionItems items = itemsOf({{"size", 2}, {"guessed", 1}, {"forLoop", 15}, {"+", 3}});
    QCOMPARE(namesOf(items, true), (KnownNames{{"size"}, false}));
    QCOMPARE(namesOf(itemsOf({}), true), KnownNames());
    QCOMPARE(namesOf(itemsOf({{"guessed", 1}}), true), KnownNames());
  }

  // A dot in the name of a file that is imported is no sign of a member.
  void aPathHasNoNames() {
    QCOMPARE(namesOf(itemsOf({{"size", 2}, {"assoc.js", 17}}), true), KnownNames());
    QCOMPARE(namesOf(itemsOf({{"src", 19}}), true), KnownNames());
  }

  void aListWithoutAnEndSaysNothing() {
    CompletionItems items;
    for (int i = 0; i <= kMostKnownNames; ++i) {
      items.items.append(named("name" + QByteArray::number(i)));
      items.told.append({{"kind", 2}});
    }
    QCOMPARE(namesOf(items, true), KnownNames());
  }

  void aPlaceIsAskedAboutOnce() {
    LanguageProject project("");
    editor::WordSource words(&project.sync);
    LanguageCompletions list(&project.service, &words);
    LanguageNames names(&project.service, &list);
    QSignalSpy came(&names, &LanguageNames::came);
    project.open("a.cpp", "box.fr\n");
    QVERIFY(project.becomesReady("a.cpp"));
    const QString id = project.path("a.cpp");
    QCOMPARE(names.namesAt({id, 4, 4, "box."}), KnownNames());
    QVERIFY(came.wait(10'000));
    const KnownNames all{{"frobCount", "frobnicate", "fromElsewhere",
                          "\xC3\xBC"
                          "ber"},
                         true};
    QCOMPARE(names.namesAt({id, 4, 6, "box."}), all);
    QCOMPARE(names.worthWaiting().count(), 0);
    // Another place forgets the one before.
    QCOMPARE(names.namesAt({id, 0, 2, ""}), KnownNames());
    QVERIFY(came.wait(10'000));
    QCOMPARE(names.namesAt({id, 0, 2, ""}), (KnownNames{all.names, false}));
  }

  void theListsAnswerServesBoth() {
    LanguageProject project("");
    editor::WordSource words(&project.sync);
    LanguageCompletions list(&project.service, &words);
    LanguageNames names(&project.service, &list);
    project.open("a.cpp", "box.\n");
    QVERIFY(project.becomesReady("a.cpp"));
    const QString id = project.path("a.cpp");
    list.request({id, 4, ""});
    QVERIFY(list.asksAbout(id, 4));
    QVERIFY(!list.asksAbout(id, 3));
    QSignalSpy came(&names, &LanguageNames::came);
    QCOMPARE(names.namesAt({id, 4, 4, "box."}), KnownNames());
    QVERIFY(came.wait(10'000));
    QCOMPARE(names.namesAt({id, 4, 4, "box."}).names.size(), 4);
  }

  void withoutAServerNothingIsKnown() {
    LanguageProject project("", brisk(), /*agrees=*/false);
    editor::WordSource words(&project.sync);
    LanguageCompletions list(&project.service, &words);
    LanguageNames names(&project.service, &list);
    project.open("a.cpp", "box.\n");
    QCOMPARE(names.namesAt({project.path("a.cpp"), 4, 4, "box."}), KnownNames());
    QCOMPARE(names.worthWaiting().count(), 0);
  }
};

}  // namespace waferpair::workbench

QTEST_GUILESS_MAIN(waferpair::workbench::TestLanguageNames)
#include "test_language_names.moc"
