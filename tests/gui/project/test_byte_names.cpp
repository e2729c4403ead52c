// SPDX-License-Identifier: GPL-3.0-or-later
// Files and folders whose names are no UTF-8, from the tree to the trash, by keys.
#include <sys/stat.h>

#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QProcess>
#include <QStandardPaths>
#include <QTreeView>
#include <memory>

#include "editor/text/path_bytes.h"
#include "gui/project/file_index.h"
#include "gui/project/workspace.h"
#include "gui/workbench/search_panel.h"
#include "tests/gui/shell/window_fixture.h"

using namespace waferpair;
using namespace waferpair::gui;

namespace {

const QByteArray kLatin1 = "na\xefve.txt";        // Latin-1
const QByteArray kJapanese = "\x93\xfa\x96\x7b";  // Shift-JIS
const QByteArray kCut = "\xe6\x97.cpp";           // two bytes of three

}  // namespace

class TestByteNames : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { w_ = std::make_unique<WindowFixture>(); }
  void cleanup() { w_.reset(); }

  void theTreeShowsThem() {
    write(kLatin1, "one\n");
    write(kCut, "int a;\n");
    QCOMPARE(::mkdir(native(kJapanese), 0777), 0);
    openTree();
    QTRY_COMPARE(rows(), (QStringList{"\\x93\\xfa\\x96{", "na\\xefve.txt", "\\xe6\\x97.cpp"}));
    const QModelIndex row = at("na\\xefve.txt");
    QCOMPARE(row.data(Qt::AccessibleTextRole).toString(), "na\\xefve.txt (not UTF-8)");
    QCOMPARE(row.data(Qt::ToolTipRole).toString(), w_->path("na\\xefve.txt") + " (not UTF-8)");
  }

  void oneIsOpenedEditedAndSaved() {
    write(kLatin1, "one\n");
    openTree();
    open("na\\xefve.txt");
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->title(), "na\\xefve.txt");
    QVERIFY(w_->window().windowTitle().startsWith("na\\xefve.txt"));
    QCOMPARE(w_->editor()->text(), QByteArray("one\n"));
    QCOMPARE(::chmod(native(kLatin1), 0640), 0);
    WindowFixture::type("two ");
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(kLatin1), QByteArray("two one\n"));
    QVERIFY(!w_->document()->isModified());
    struct stat info;
    QCOMPARE(::stat(native(kLatin1), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t(0640));
    QCOMPARE(rows(), QStringList{"na\\xefve.txt"});  // and nothing beside it
    // The same file is not opened twice.
    WindowFixture::trigger(w_->window(), "files.focus");
    open("na\\xefve.txt");
    QCOMPARE(w_->parts().tabs->documents().size(), 1);
  }

  void whatAnotherProgramWritesIsSeen() {
    write(kLatin1, "one\n");
    openTree();
    open("na\\xefve.txt");
    QTRY_VERIFY(w_->document());
    write(kLatin1, "another\n");
    QTRY_COMPARE(w_->editor()->text(), QByteArray("another\n"));
  }

  void oneIsRenamedBothWays() {
    write(kLatin1, "one\n");
    openTree();
    open("na\\xefve.txt");
    QTRY_VERIFY(w_->document());
    WindowFixture::trigger(w_->window(), "files.focus");
    WindowFixture::key(Qt::Key_F2);
    WindowFixture::key(Qt::Key_End);
    WindowFixture::type("2");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(read("na\xefve.txt2"), QByteArray("one\n"));
    QVERIFY(!isThere(kLatin1));
    QTRY_COMPARE(rows(), QStringList{"na\\xefve.txt2"});
    QCOMPARE(w_->document()->title(), "na\\xefve.txt2");
    WindowFixture::trigger(w_->window(), "files.focus");
    WindowFixture::key(Qt::Key_F2);
    WindowFixture::key(Qt::Key_A, Qt::ControlModifier);
    WindowFixture::type("plain.txt");
    WindowFixture::key(Qt::Key_Return);
    QTRY_COMPARE(w_->read("plain.txt"), QByteArray("one\n"));
    QVERIFY(!isThere("na\xefve.txt2"));
    QCOMPARE(w_->document()->path(), w_->path("plain.txt"));
  }

  void oneGoesToTheTrash() {
    write(kLatin1, "one\n");
    openTree();
    select("na\\xefve.txt");
    WindowFixture::key(Qt::Key_Delete);
    QVERIFY(WindowFixture::click("trashConfirm"));
    QTRY_VERIFY(!isThere(kLatin1));
    QTRY_COMPARE(rows(), QStringList());
    QVERIFY(isTrashed(kLatin1));
  }

  // Another of that name is there already.
  void twoOfANameGoToTheTrash() {
    openTree();
    for (const char* text : {"one\n", "two\n"}) {
      write(kLatin1, text);
      select("na\\xefve.txt");
      WindowFixture::key(Qt::Key_Delete);
      QVERIFY(WindowFixture::click("trashConfirm"));
      QTRY_VERIFY(!isThere(kLatin1));
    }
    QVERIFY(isTrashed(kLatin1));
    QVERIFY(isTrashed(kLatin1, ".2"));
  }

  void filesAreMadeInSuchAFolder() {
    QCOMPARE(::mkdir(native(kJapanese), 0777), 0);
    openTree();
    select("\\x93\\xfa\\x96{");
    WindowFixture::trigger(w_->window(), "files.newFile");
    WindowFixture::type("new.txt");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->document());
    WindowFixture::type("x");
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(kJapanese + "/new.txt"), QByteArray("x"));
    // The tree hears of what others do in there.
    WindowFixture::trigger(w_->window(), "files.reveal");
    auto* view = w_->find<QTreeView>("folderTreeView");
    QTRY_COMPARE(view->currentIndex().data().toString(), "new.txt");
    write(kJapanese + "/other.txt", "x");
    QTRY_COMPARE(view->model()->rowCount(view->currentIndex().parent()), 2);
    WindowFixture::trigger(w_->window(), "files.focus");
    WindowFixture::key(Qt::Key_Delete);
    QVERIFY(WindowFixture::click("trashConfirm"));
    QTRY_VERIFY(!isThere(kJapanese + "/new.txt"));
    QVERIFY(isTrashed(kJapanese + "/new.txt"));
    // And the folder itself.
    select("\\x93\\xfa\\x96{");
    WindowFixture::key(Qt::Key_Delete);
    QVERIFY(WindowFixture::click("trashConfirm"));
    QTRY_VERIFY(!isThere(kJapanese));
    QVERIFY(isTrashed(kJapanese));
  }

  void quickOpenFindsOne() {
    write(kLatin1, "one\n");
    write("other.txt", "two\n");
    w_->openProject();
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
    WindowFixture::key(Qt::Key_P, Qt::ControlModifier);
    WindowFixture::type("ve.txt");
    QTRY_COMPARE(w_->find<QListView>("pickerList")->currentIndex().data().toString(),
                 "na\\xefve.txt");
    WindowFixture::key(Qt::Key_Return);
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->editor()->text(), QByteArray("one\n"));
  }

  void theSearchFindsWhatIsInOne() {
    write(kLatin1, "needle\n");
    w_->openProject();
    QTRY_VERIFY(!w_->parts().fileIndex->isReading());
    WindowFixture::key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    WindowFixture::type("needle");
    auto* panel = w_->window().findChild<SearchPanel*>();
    QTRY_COMPARE(panel->stateText(), "1 match in 1 file");
    WindowFixture::key(Qt::Key_F4);
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->editor()->selectedText(), QByteArray("needle"));
  }

  // In the panel of changes, in a folder of such a name, too; and they are staged.
  void itsChangesAreShownAndStaged() {
    QCOMPARE(::mkdir(native(kJapanese), 0777), 0);
    write(kLatin1, "one\n");
    write(kJapanese + "/a.txt", "one\n");
    git({"init", "-q"});
    git({"add", "-A"});
    git({"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"});
    write(kLatin1, "two\n");
    write(kJapanese + "/a.txt", "three\n");
    w_->openProject();
    WindowFixture::trigger(w_->window(), "git.changes");
    const auto* changes = w_->find<QTreeView>("changesTree");
    QTRY_VERIFY(changes->model()->index(0, 0).isValid());
    const QModelIndex unstaged = changes->model()->index(0, 0);
    QTRY_COMPARE(changes->model()->rowCount(unstaged), 2);
    const std::pair<const char*, const char*> kRows[] = {{"na\\xefve.txt", "one\ntwo"},
                                                         {"\\x93\\xfa\\x96{/a.txt", "one\nthree"}};
    for (const auto& [name, lines] : kRows) {
      QModelIndex row;
      for (int i = 0; i < 2; ++i)
        if (const auto each = changes->model()->index(i, 0, unstaged);
            each.data(Qt::ToolTipRole).toString().startsWith(QLatin1String(name)))
          row = each;
      QVERIFY2(row.isValid(), name);
      w_->find<QTreeView>("changesTree")->setCurrentIndex(row);
      auto* text = w_->find<editor::CodeEditor>("diffText");
      QTRY_VERIFY2(text->text().contains(lines),
                   text->text() + qPrintable(w_->find<QLabel>("diffNote")->text()));
    }
    WindowFixture::trigger(w_->window(), "git.stageAll");
    QTRY_COMPARE(git({"diff", "--name-only"}), QByteArray());
  }

  // What was open is open again, and what was not saved comes back to its file.
  void oneOutlivesTheWindow() {
    write(kLatin1, "one\n");
    openTree();
    open("na\\xefve.txt");
    QTRY_VERIFY(w_->document());
    QVERIFY(w_->close());
    w_->open({});
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->path(), text(kLatin1));
    w_->document()->setFocus();
    WindowFixture::type("unsaved ");
    QTRY_VERIFY(hasCopy());
    w_->drop();
    w_->openProject();
    QTRY_VERIFY(w_->document());
    QCOMPARE(w_->document()->path(), text(kLatin1));
    QCOMPARE(w_->editor()->text(), QByteArray("unsaved one\n"));
    WindowFixture::key(Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(read(kLatin1), QByteArray("unsaved one\n"));
  }

  void aFolderIsOpenedAsAProject() {
    QCOMPARE(::mkdir(native(kJapanese), 0777), 0);
    write(kJapanese + "/a.txt", "x\n");
    w_->open({text(kJapanese)});
    QCOMPARE(w_->parts().workspace->folder(), text(kJapanese));
    QTRY_COMPARE(rows(), QStringList{"a.txt"});
    QVERIFY(w_->window().windowTitle().contains("\\x93\\xfa\\x96{"));
  }

 private:
  QString text(const QByteArray& name) const {
    return w_->project() + u'/' + editor::pathText(name);
  }
  QByteArray native(const QByteArray& name) const { return w_->project().toUtf8() + '/' + name; }
  bool isThere(const QByteArray& name) const { return ::access(native(name), F_OK) == 0; }
  void write(const QByteArray& name, const QByteArray& bytes) const {
    FILE* file = std::fopen(native(name), "w");
    QVERIFY(file);
    std::fwrite(bytes.constData(), 1, std::size_t(bytes.size()), file);
    std::fclose(file);
  }
  QByteArray read(const QByteArray& name) const {
    QByteArray bytes(1000, '\0');
    FILE* file = std::fopen(native(name), "r");
    if (!file) return "(no such file)";
    bytes.truncate(qsizetype(std::fread(bytes.data(), 1, 1000, file)));
    std::fclose(file);
    return bytes;
  }

  // Under its name, with a note of where it was.
  bool isTrashed(const QByteArray& path, const QByteArray& number = {}) const {
    const QByteArray trash =
        QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toUtf8() + "/Trash/";
    const QByteArray name = path.mid(path.lastIndexOf('/') + 1) + number;
    FILE* file = std::fopen(trash + "info/" + name + ".trashinfo", "r");
    if (!file || ::access(trash + "files/" + name, F_OK) != 0) return false;
    QByteArray note(4096, '\0');
    note.truncate(qsizetype(std::fread(note.data(), 1, 4096, file)));
    std::fclose(file);
    return note.startsWith("[Trash Info]\nPath=" + native(path).toPercentEncoding("/") +
                           "\nDeletionDate=20");
  }

  bool hasCopy() const {
    QDirIterator below(w_->state() + "/recovery", {"*.copy"}, QDir::Files,
                       QDirIterator::Subdirectories);
    return below.hasNext();
  }

  QByteArray git(const QStringList& arguments) const {
    QProcess process;
    process.setWorkingDirectory(w_->project());
    process.start("git", arguments);
    return process.waitForFinished() ? process.readAllStandardOutput() : "git failed";
  }

  QTreeView* view() { return w_->find<QTreeView>("folderTreeView"); }
  QStringList rows() {
    QStringList all;
    const QAbstractItemModel* model = view()->model();
    for (int row = 0; model && row < model->rowCount(view()->rootIndex()); ++row)
      all += model->index(row, 0, view()->rootIndex()).data().toString();
    return all;
  }
  QModelIndex at(const QString& name) {
    const qsizetype row = rows().indexOf(name);
    return row < 0 ? QModelIndex() : view()->model()->index(int(row), 0, view()->rootIndex());
  }
  void openTree() {
    w_->openProject();
    WindowFixture::trigger(w_->window(), "files.focus");
  }
  void select(const QString& name) {
    QTRY_VERIFY2(at(name).isValid(), qPrintable(rows().join(' ')));
    view()->setCurrentIndex(at(name));
    view()->setFocus();
  }
  void open(const QString& name) {
    select(name);
    WindowFixture::key(Qt::Key_Return);
  }

  std::unique_ptr<WindowFixture> w_;
};

QTEST_MAIN(TestByteNames)
#include "test_byte_names.moc"
