// SPDX-License-Identifier: GPL-3.0-or-later
// Themes, fonts, zoom and wrapping change under texts of all languages, each change with a paint
// before anything else had a chance to make styles.
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <QtTest>

#include "editor/view/theme.h"
#include "tests/editor/editor_test.h"
#include "tests/support/paths.h"

using namespace Qt::StringLiterals;
using namespace waferpair::editor;
using KSyntaxHighlighting::CommentPosition;
using KSyntaxHighlighting::Definition;

namespace {

constexpr int kFiles = 60;
constexpr int kLanguages = 160;

struct Sample {
  QString name;
  QString language;
  QByteArray text;
};

// Words, literals, markup and comments of the language, by its own definition.
QByteArray sampleOf(const Definition& definition) {
  QByteArray words;
  for (const QString& list : definition.keywordLists())
    words += definition.keywordList(list).mid(0, 12).join(u' ').toUtf8() + '\n';
  const QByteArray line = definition.singleLineCommentMarker().toUtf8();
  const auto [open, close] = definition.multiLineCommentMarker();
  return words + line + " one line TODO\n" + open.toUtf8() + " some FIXME\nlines " +
         close.toUtf8() +
         "\n#include <a.h>\n# Heading\n- item *bold* _slanted_ `code`\nname = \"text \\n\" + 'c' "
         "+ 0x1F + 3.14e-2;\nif (a < b) { return [1, 2]; }\n<tag key=\"value\">&amp;</tag>\n"
         "@at $variable ${braced} %percent 2026-01-01 https://example.org\nkey: value\n";
}

QVector<Sample> samples() {
  QVector<Sample> all;
  // Files of this project, and each language once: the same everywhere.
  const QDir root(QString::fromStdString(waferpair::test::sourceDir()));
  for (const QString& folder :
       {u"."_s, u"docs"_s, u"scripts"_s, u"editor"_s, u"tests/protocol"_s}) {
    const QDir dir(root.filePath(folder));
    for (const QString& name : dir.entryList(QDir::Files | QDir::Readable, QDir::Name)) {
      QFile file(dir.filePath(name));
      if (all.size() == kFiles || !file.open(QIODevice::ReadOnly)) continue;
      all.append({folder + u'/' + name, languageForFile(name), file.read(20000)});
    }
  }
  for (const QString& name : languageNames()) {
    if (all.size() == kFiles + kLanguages) break;
    all.append(
        {u"sample of "_s + name, name, sampleOf(syntaxRepository().definitionForName(name))});
  }
  return all;
}

}  // namespace

class TestRestyling : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachChangePaintsAndGoesBack() {
    auto editor = makeEditor();
    QVERIFY(editor);
    editor->resize(500, 300);
    editor->sci(QsciScintillaBase::SCI_SETHSCROLLBAR, 0);  // it keeps the widest text's width
    const auto picture = [&] {
      // The first picture is made at once, with no style yet; the second when all is there.
      editor->grab();
      editor->highlightAll();
      QCoreApplication::processEvents();
      return editor->grab().toImage();
    };
    QFont other = editor->editorFont();
    other.setFamily(u"DejaVu Sans Mono"_s);
    other.setPointSizeF(other.pointSizeF() + 3);
    const QFont usual = editor->editorFont();
    const struct {
      const char* name;
      std::function<void()> there;
      std::function<void()> back;
    } changes[] = {
        {"theme", [&] { editor->setTheme(QLatin1String(kLightTheme)); },
         [&] { editor->setTheme(QLatin1String(kDarkTheme)); }},
        {"font", [&] { editor->setEditorFont(other); }, [&] { editor->setEditorFont(usual); }},
        {"zoom", [&] { editor->perform("zoom-in"); }, [&] { editor->perform("zoom-reset"); }},
        {"wrap", [&] { editor->setWordWrap(true); }, [&] { editor->setWordWrap(false); }},
    };
    const QVector<Sample> all = samples();
    QVERIFY2(all.size() >= 200, qPrintable(QString::number(all.size())));
    for (const Sample& sample : all) {
      editor->setText(sample.text);
      editor->setLanguage(sample.language);
      const QImage before = picture();
      for (const auto& change : changes) {
        const auto where = sample.name + u", "_s + QLatin1String(change.name);
        change.there();
        const QImage changed = picture();
        if (qstrcmp(change.name, "wrap") != 0) QVERIFY2(changed != before, qPrintable(where));
        change.back();
        QVERIFY2(picture() == before, qPrintable(where));
      }
    }
  }
};

QTEST_MAIN(TestRestyling)
#include "test_restyling.moc"
