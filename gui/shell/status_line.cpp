// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/status_line.h"

#include <QToolButton>

#include "editor/widget/modal_editor.h"
#include "gui/documents/document.h"
#include "gui/kit/picker.h"

namespace waferpair::gui {
namespace {

constexpr int kPositionDelayMs = 40;

QString indentationName(editor::Indentation indentation) {
  return indentation.tabs ? StatusLine::tr("Tabs: %1").arg(indentation.width)
                          : StatusLine::tr("Spaces: %1").arg(indentation.width);
}

QString languageName(const QString& language) {
  return language.isEmpty() ? StatusLine::tr("Plain Text") : language;
}

PickerItem choice(const QString& text, bool current, const QVariant& data) {
  return {text, 0, current ? StatusLine::tr("current") : QString(), {}, data};
}

QList<PickerItem> encodingChoices(editor::Encoding now,
                                  const QVector<editor::Encoding>& likely = {}) {
  QList<PickerItem> items;
  const auto add = [&items, now](editor::Encoding one) {
    items.append(choice(editor::encodingName(one), one == now, static_cast<int>(one)));
  };
  for (const editor::Encoding one : likely) {
    add(one);
    if (one != now) items.last().hint = StatusLine::tr("likely");
  }
  for (const editor::Encoding one : editor::allEncodings())
    if (!likely.contains(one)) add(one);
  return items;
}

}  // namespace

StatusLine::StatusLine(Picker* picker, QWidget* parent) : StatusRow(parent), picker_(picker) {
  setObjectName(QStringLiteral("statusLine"));
  modalKeys_ = addPart(QStringLiteral("statusVimKeys"), StatusRank::kModalKeys, tr("Vim keys"),
                       tr("The mode of Vim keys: a click leads to normal mode"));
  connect(modalKeys_, &QToolButton::clicked, this, [this] {
    if (!document_ || !document_->editor()->modal()) return;
    document_->editor()->modal()->toNormal();
    document_->setFocus();
  });
  position_ = addPart(QStringLiteral("statusPosition"), StatusRank::kPosition, tr("Caret"),
                      tr("Go to line"));
  indentation_ = addPart(QStringLiteral("statusIndentation"), StatusRank::kIndentation,
                         tr("Indentation"), tr("Change the indentation"));
  encoding_ = addPart(QStringLiteral("statusEncoding"), StatusRank::kEncoding, tr("Encoding"),
                      tr("Save or reopen in another encoding"));
  lineEnds_ = addPart(QStringLiteral("statusLineEnds"), StatusRank::kLineEnds, tr("Line ends"),
                      tr("Convert the line ends"));
  language_ = addPart(QStringLiteral("statusLanguage"), StatusRank::kLanguage, tr("Language"),
                      tr("Highlight as another language"));
  position_->setMinimumWidth(
      position_->fontMetrics().horizontalAdvance(QStringLiteral("Ln 88888, Col 888")) + 14);
  positionSoon_.setSingleShot(true);
  positionSoon_.setInterval(kPositionDelayMs);
  connect(&positionSoon_, &QTimer::timeout, this, &StatusLine::showPosition);
  connect(position_, &QToolButton::clicked, this, &StatusLine::goToLineWanted);
  connect(indentation_, &QToolButton::clicked, this, &StatusLine::chooseIndentation);
  connect(encoding_, &QToolButton::clicked, this, &StatusLine::chooseEncoding);
  connect(lineEnds_, &QToolButton::clicked, this, &StatusLine::chooseLineEnds);
  connect(language_, &QToolButton::clicked, this, &StatusLine::chooseLanguage);
  setWanted(modalKeys_, false);
  setDocument(nullptr);
}

QToolButton* StatusLine::addPart(const QString& name, StatusRank rank, const QString& caption,
                                 const QString& what) {
  auto* button = new QToolButton(this);
  button->setObjectName(name);
  button->setToolTip(what);
  button->setAccessibleDescription(what);
  button->setFocusPolicy(Qt::TabFocus);
  addField(button, rank, caption);
  return button;
}

void StatusLine::setDocument(Document* document) {
  if (document_) {
    document_->disconnect(this);
    document_->editor()->disconnect(this);
  }
  document_ = document;
  setVisible(document != nullptr);
  if (!document) return;
  const editor::CodeEditor* editor = document->editor();
  connect(editor, &editor::CodeEditor::cursorMoved, this, [this] {
    if (!positionSoon_.isActive()) positionSoon_.start();
  });
  connect(document, &Document::formatChanged, this, &StatusLine::showFormat);
  connect(editor, &editor::CodeEditor::modalChanged, this, &StatusLine::showModalKeys);
  showModalKeys();
  showPosition();
  showFormat();
}

void StatusLine::showModalKeys() {
  const editor::ModalEditor* modal = document_ ? document_->editor()->modal() : nullptr;
  setWanted(modalKeys_, modal != nullptr);
  if (!modal) return;
  const QString text = modal->status();
  if (modalKeys_->text() == text) return;
  modalKeys_->setText(text);
  modalKeys_->setAccessibleName(tr("Vim keys: %1").arg(text));
}

void StatusLine::showPosition() {
  if (!document_) return;
  const editor::CodeEditor* editor = document_->editor();
  QString text = tr("Ln %1, Col %2").arg(editor->caretLine() + 1).arg(editor->caretColumn() + 1);
  if (const auto selected = editor->sci(QsciScintillaBase::SCI_COUNTCHARACTERS,
                                        editor->sci(QsciScintillaBase::SCI_GETSELECTIONSTART),
                                        editor->sci(QsciScintillaBase::SCI_GETSELECTIONEND));
      selected > 0 && editor->hasOneCaret()) {
    text += tr(" (%1 selected)").arg(selected);
  } else if (!editor->hasOneCaret()) {
    text = tr("%n caret(s)", nullptr,
              static_cast<int>(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS)));
  }
  position_->setText(text);
  position_->setAccessibleName(text);
}

void StatusLine::showFormat() {
  const auto show = [](QToolButton* button, const QString& text) {
    button->setText(text);
    button->setAccessibleName(text);
  };
  show(indentation_, indentationName(document_->editor()->indentation()));
  const QString how = document_->isIndentedByConfig()
                          ? tr("Indentation, as the project's .editorconfig has it")
                          : tr("Indentation");
  indentation_->setToolTip(how);
  indentation_->setAccessibleDescription(how);
  const bool isGuessed = document_->textDocument()->file().isGuessed();
  const QString encoding = editor::encodingName(document_->encoding());
  show(encoding_, isGuessed ? tr("Guessed: %1").arg(encoding) : encoding);
  show(lineEnds_, editor::lineEndsName(document_->editor()->lineEnds()));
  show(language_, languageName(document_->editor()->language()));
  const bool isText = document_->editor()->safeMode() != editor::SafeMode::kBinary;
  for (QToolButton* button : {indentation_, lineEnds_, language_}) button->setEnabled(isText);
}

void StatusLine::chooseIndentation() {
  if (!document_) return;
  const editor::Indentation now = document_->editor()->indentation();
  QList<PickerItem> items;
  for (const bool tabs : {false, true}) {
    for (const int width : {2, 4, 8}) {
      const editor::Indentation one{tabs, width};
      items.append(choice(indentationName(one), one == now, (tabs ? 100 : 0) + width));
    }
  }
  picker_->open(tr("Indentation"), tr("Indent with…"), items, [this](const QVariant& data) {
    if (!document_) return;
    document_->editor()->setIndentation({data.toInt() >= 100, data.toInt() % 100});
    showFormat();
  });
}

void StatusLine::chooseEncoding() {
  if (!document_) return;
  // There is nothing to save of what is no text in the encoding that it was read in.
  if (document_->editor()->safeMode() == editor::SafeMode::kBinary) return reopenWithEncoding();
  QList<PickerItem> items;
  if (!document_->path().isEmpty()) items.append({tr("Reopen with another encoding…")});
  items += encodingChoices(document_->encoding());
  picker_->open(tr("Encoding"), tr("Save as…"), items, [this](const QVariant& data) {
    if (!data.isValid()) return reopenWithEncoding();
    if (document_) document_->setEncoding(static_cast<editor::Encoding>(data.toInt()));
  });
}

void StatusLine::reopenWithEncoding() {
  if (!document_) return;
  const bool hasFile = !document_->path().isEmpty();
  picker_->open(
      tr("Encoding of the file"), tr("Read %1 as…").arg(document_->title()),
      hasFile ? encodingChoices(document_->encoding(), document_->textDocument()->file().guesses())
              : QList<PickerItem>(),
      [this](const QVariant& data) {
        if (document_) document_->reopen(static_cast<editor::Encoding>(data.toInt()));
      });
  if (!hasFile) picker_->setNote(tr("%1 has not been saved yet.").arg(document_->title()));
}

void StatusLine::chooseLineEnds() {
  if (!document_) return;
  using editor::LineEnds;
  QList<PickerItem> items;
  for (const LineEnds one : {LineEnds::kLf, LineEnds::kCrLf, LineEnds::kCr}) {
    items.append(choice(editor::lineEndsName(one), one == document_->editor()->lineEnds(),
                        static_cast<int>(one)));
  }
  picker_->open(tr("Line ends"), tr("Convert all line ends to…"), items,
                [this](const QVariant& data) {
                  if (!document_) return;
                  document_->editor()->convertLineEnds(static_cast<LineEnds>(data.toInt()));
                  showFormat();
                });
}

void StatusLine::chooseLanguage() {
  if (!document_) return;
  const QString now = document_->editor()->language();
  QList<PickerItem> items{choice(languageName({}), now.isEmpty(), QString())};
  const QStringList names = editor::languageNames();
  for (const QString& name : names) items.append(choice(name, name == now, name));
  picker_->open(tr("Language"), tr("Highlight as…"), items, [this](const QVariant& data) {
    if (document_) document_->editor()->setLanguage(data.toString());
  });
}

}  // namespace waferpair::gui
