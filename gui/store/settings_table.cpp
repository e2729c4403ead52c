// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/settings_table.h"

#include <QFontDatabase>
#include <QJsonArray>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "editor/view/ligatures.h"
#include "editor/view/theme.h"
#include "gui/store/language_indentation.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// The type of what a pointer to a member of Preferences points at.
template <typename Pointer>
struct PointedAt;
template <typename Value>
struct PointedAt<Value Preferences::*> {
  using Type = Value;
};
template <typename Pointer>
using PointedAtType = typename PointedAt<std::decay_t<Pointer>>::Type;

int indexOf(const QList<SettingChoice>& choices, const QString& value) {
  for (qsizetype i = 0; i < choices.size(); ++i)
    if (choices[i].value == value) return static_cast<int>(i);
  return -1;
}

bool areIndentations(const QJsonArray& values) {
  return std::all_of(values.begin(), values.end(), [](const QJsonValue& value) {
    return LanguageIndentation::read(value.toString()).has_value();
  });
}

bool areTexts(const QJsonArray& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const QJsonValue& value) { return value.isString(); });
}

QList<SettingRow> lookRows() {
  const QString category = tr("Appearance");
  return {
      {.id = "theme",
       .category = category,
       .title = tr("Theme"),
       .help = tr("Whether the window and the code are dark or light."),
       .field = &Preferences::theme,
       .project = ProjectMay::kNothing,
       .choices = {{"dark", tr("Dark")}, {"light", tr("Light")}, {"auto", tr("As the desktop")}}},
      {.id = "theme/dark",
       .category = category,
       .title = tr("Colors while it is dark"),
       .help = tr("Of the code; those of the window follow. View > Color Theme shows each as one "
                  "goes through the list."),
       .field = &Preferences::darkColors,
       .project = ProjectMay::kNothing,
       .emptyTitle = tr("Waferpair's own"),
       .names = SettingRow::Names::kDarkThemes},
      {.id = "theme/light",
       .category = category,
       .title = tr("Colors while it is light"),
       .help = tr("Of the code; those of the window follow."),
       .field = &Preferences::lightColors,
       .project = ProjectMay::kNothing,
       .emptyTitle = tr("Waferpair's own"),
       .names = SettingRow::Names::kLightThemes},
      {.id = "window/interfaceSize",
       .category = category,
       .title = tr("Interface size"),
       .help = tr("Of the letters of menus, panels and dialogs, beside those that the desktop has. "
                  "The text has a size of its own."),
       .field = &Preferences::interfaceSize,
       .project = ProjectMay::kNothing,
       .least = kLeastInterfaceSize,
       .most = kMostInterfaceSize,
       .unit = tr("%")},
      {.id = "window/reduceMotion",
       .category = category,
       .title = tr("Reduce motion"),
       .help =
           tr("Nothing glides, fades or blinks: the wafer's picture jumps to where it goes, and "
              "the caret stands still."),
       .field = &Preferences::reduceMotion,
       .project = ProjectMay::kNothing},
      {.id = "editor/fontFamily",
       .category = category,
       .title = tr("Editor font"),
       .help = tr("A fixed-width font by its name."),
       .field = &Preferences::fontFamily,
       .project = ProjectMay::kNothing,
       .emptyTitle = tr("JetBrains Mono where it is there"),
       .names = SettingRow::Names::kFonts},
      {.id = "editor/fontSize",
       .category = category,
       .title = tr("Editor font size"),
       .help = tr("Ctrl and the mouse wheel change it for one text only."),
       .field = &Preferences::fontSize,
       .project = ProjectMay::kNothing,
       .least = 6,
       .most = 40,
       .unit = tr("pt")},
      {.id = "editor/lineHeight",
       .category = category,
       .title = tr("Editor line height"),
       .help = tr("In heights of the font's own lines: 1 is as the font has it, 1.5 leaves half a "
                  "line between two."),
       .field = &Preferences::lineHeight,
       .project = ProjectMay::kNothing,
       .least = 1,
       .most = 3},
      {.id = "editor/ligatures",
       .category = category,
       .title = tr("Draw ligatures"),
       .help = tr("Where the font has them, “->” and “!=” are drawn as one sign."),
       .field = &Preferences::ligatures,
       .project = ProjectMay::kNothing},
      {.id = "editor/wordWrap",
       .category = category,
       .title = tr("Wrap long lines"),
       .help = tr("Lines that are wider than the window go on below."),
       .field = &Preferences::wordWrap},
      {.id = "editor/whitespace",
       .category = category,
       .title = tr("Show spaces and tabs"),
       .help = tr("Draws a dot for each space and an arrow for each tab."),
       .field = &Preferences::whitespace},
      {.id = "editor/breadcrumbs",
       .category = category,
       .title = tr("Show breadcrumbs"),
       .help = tr("Folder, file and symbols, over the text."),
       .field = &Preferences::breadcrumbs},
      {.id = "wafer/defects",
       .category = category,
       .title = tr("Draw the wafer's defects"),
       .help = tr("An illustration over the wafer's map: how many cores may be defective, and how "
                  "many are spare."),
       .field = &Preferences::waferDefects},
      {.id = "editor/semanticColors",
       .category = category,
       .title = tr("Color names by what they are"),
       .help = tr("Types, functions, parameters, members and constants, as the language server "
                  "knows them; and code that is not compiled."),
       .field = &Preferences::semanticColors},
      {.id = "editor/inlayHints",
       .category = category,
       .title = tr("Show hints behind lines"),
       .help = tr("What parameters are called and what types are deduced, as the language server "
                  "knows it."),
       .field = &Preferences::inlayHints},
      {.id = "editor/indentGuides",
       .category = category,
       .title = tr("Show indent guides"),
       .help = tr("A line at each level of indentation."),
       .field = &Preferences::indentGuides},
  };
}

QList<SettingRow> typingRows() {
  const QString category = tr("Typing");
  return {
      {.id = "editor/insertSpaces",
       .category = category,
       .title = tr("Insert spaces when pressing Tab"),
       .help = tr("Off: tabs. What the project's .editorconfig says comes first."),
       .field = &Preferences::insertSpaces},
      {.id = "editor/tabSize",
       .category = category,
       .title = tr("Tab size"),
       .help = tr("How wide a level of indentation and a tab are. What the project's .editorconfig "
                  "says comes first."),
       .field = &Preferences::tabSize,
       .least = 1,
       .most = kWidestTab,
       .unit = tr("columns")},
      {.id = "editor/detectIndentation",
       .category = category,
       .title = tr("Detect indentation"),
       .help = tr("By the lines that a file has when it is opened. Off: as set here and in the "
                  "project's .editorconfig, whatever the file has."),
       .field = &Preferences::detectIndentation},
      {.id = "editor/languageIndentation",
       .category = category,
       .title = tr("Indentation by language"),
       .help =
           tr("Each as LANGUAGE=spaces 2 or LANGUAGE=tabs 8, with the language's name as the "
              "status bar has it. Where nothing is said of them, Go and Makefile have tabs; YAML, "
              "Ruby, Elixir, Dart, Scala, Crystal and Nix two spaces."),
       .field = &Preferences::languageIndentations,
       .names = SettingRow::Names::kLanguageIndentations},
      {.id = "editor/closePairs",
       .category = category,
       .title = tr("Close brackets and quotes"),
       .help = tr("What is typed behind them stands between the two; typing the closing one steps "
                  "over it."),
       .field = &Preferences::closePairs},
      {.id = "keys/map",
       .category = category,
       .title = tr("Keys"),
       .help =
           tr("Whose keys commands have. What that editor has no key for keeps Waferpair's own; "
              "keys that you have set yourself stay."),
       .field = &Preferences::keyMap,
       .project = ProjectMay::kNothing,
       .choices = {{"own", tr("Waferpair's own")}, {"vscode", "VS Code"}, {"kate", "Kate"}}},
      {.id = "editor/vimKeys",
       .category = category,
       .title = tr("Vim keys"),
       .help = tr("Normal, insert and visual mode in the text, with Vim's commands; the status bar "
                  "tells the mode."),
       .field = &Preferences::vimKeys},
      {.id = "editor/wordsWhileTyping",
       .category = category,
       .title = tr("List words while typing"),
       .help = tr("Opens the list of words of the open files as a word is typed; Ctrl+Space always "
                  "does."),
       .field = &Preferences::wordsWhileTyping},
      {.id = "editor/membersWhileTyping",
       .category = category,
       .title = tr("List members behind a dot"),
       .help = tr("Opens the list where a language server knows what can follow “value.”, "
                  "“pointer->” or “name::”."),
       .field = &Preferences::membersWhileTyping},
      {.id = "editor/formatOnType",
       .category = category,
       .title = tr("Format while typing"),
       .help = tr("The language server formats what a line break or a bracket has just ended, "
                  "where it can."),
       .field = &Preferences::formatOnType},
      {.id = "spelling/check",
       .category = category,
       .title = tr("Check spelling"),
       .help =
           tr("Marks words in comments, strings and paragraphs that no dictionary has. Names of "
              "the code and what is written like code are left out."),
       .field = &Preferences::spelling},
      {.id = "spelling/dictionaries",
       .category = category,
       .title = tr("Dictionaries"),
       .help = tr("Of Hunspell, by their names, such as en_US; a word is right if one of them has "
                  "it. Empty: those of the desktop's languages and English that are installed."),
       .field = &Preferences::spellingDictionaries},
      {.id = "spelling/languagesOff",
       .category = category,
       .title = tr("No spelling in"),
       .help = tr("Languages by their names, as the status bar shows them; an empty name is plain "
                  "text."),
       .field = &Preferences::languagesWithoutSpelling},
      {.id = "editor/languageServers",
       .category = category,
       .title = tr("Use language servers"),
       .help = tr("Each is a program on this computer, started only once you agreed to it."),
       .field = &Preferences::languageServers,
       .project = ProjectMay::kSwitchOff},
  };
}

QList<SettingRow> suggestionRows() {
  const QString category = tr("Suggestions");
  return {
      {.id = "ai/enabled",
       .category = category,
       .title = tr("AI features"),
       .help = tr("Off: no model is started, asked or offered, on this computer or elsewhere; the "
                  "menus, panels and buttons for models are gone. Nothing that you have set up for "
                  "them is lost."),
       .field = &Preferences::ai,
       .project = ProjectMay::kSwitchOff},
      {.id = "editor/suggestions",
       .category = category,
       .title = tr("Suggest while typing"),
       .help = tr("Ask the model for a continuation after each change. It runs on this computer."),
       .field = &Preferences::suggestions,
       .project = ProjectMay::kSwitchOff},
      {.id = "suggestions/level",
       .category = category,
       .title = tr("Suggestions come"),
       .help = tr("Quiet: nothing comes by itself, the key asks. Normal: what is as sure as is "
                  "said below comes by itself. Eager: what is half as sure comes, too."),
       .field = &Preferences::suggestionLevel,
       .choices = {{"quiet", tr("Quiet")}, {"normal", tr("Normal")}, {"eager", tr("Eager")}}},
      {.id = "editor/certainty",
       .category = category,
       .title = tr("Least certainty"),
       .help = tr("How sure the model must be of what it suggests by itself: the surer, the fewer "
                  "are wrong and the fewer there are. The key that asks shows whatever there is."),
       .field = &Preferences::certainty,
       .least = 0,
       .most = 100,
       .unit = tr("%")},
      {.id = "suggestions/largerModel",
       .category = category,
       .title = tr("Larger model"),
       .help = tr("Suggests, too: the full path of a GGUF file. What the first model suggests is "
                  "there at once; the larger one's line takes its place where it is likelier, or "
                  "fills the gap."),
       .field = &Preferences::largerModel,
       .project = ProjectMay::kNothing},
      {.id = "suggestions/languagesOff",
       .category = category,
       .title = tr("No suggestions in"),
       .help = tr("Languages by their names, as the status bar shows them; an empty name is plain "
                  "text."),
       .field = &Preferences::languagesWithoutSuggestions},
      {.id = "suggestions/memberNames",
       .category = category,
       .title = tr("Suggest members that exist"),
       .help = tr("Behind a dot the language server says which members there are. They go to the "
                  "model on this computer."),
       .field = &Preferences::suggestionNames},
      {.id = "editor/projectFiles",
       .category = category,
       .title = tr("Learn from the project's other files"),
       .help = tr("Suggestions copy from them. They stay on this computer. Secrets and what a "
                  ".waferpairignore lists are left out."),
       .field = &Preferences::projectFiles,
       .project = ProjectMay::kSwitchOff},
      {.id = "editor/nextEdits",
       .category = category,
       .title = tr("Offer the next edit"),
       .help = tr("Where your last edits are likely to go on. It takes no model."),
       .field = &Preferences::nextEdits,
       .project = ProjectMay::kSwitchOff},
  };
}

QList<SettingRow> pairingRows() {
  const QString category = tr("Pairing");
  return {
      {.id = "pairing/renewEdits",
       .category = category,
       .title = tr("Preview changes while an instruction is typed"),
       .help = tr("Of a model on this computer that answers within about a second, as measured."),
       .field = &Preferences::renewEdits,
       .project = ProjectMay::kNothing},
      {.id = "pairing/summarizeThreads",
       .category = category,
       .title = tr("Summarize long threads"),
       .help =
           tr("The model that answers sums up the early messages where a thread would not fit."),
       .field = &Preferences::summarizeThreads,
       .project = ProjectMay::kNothing},
      {.id = "pairing/askTools",
       .category = category,
       .title = tr("Let models look into the project"),
       .help = tr("A model that is asked reads, lists and searches files by itself; each look is "
                  "shown. Nothing that is kept from models is shown to it."),
       .field = &Preferences::askTools,
       .project = ProjectMay::kNothing,
       .choices = {{"off", tr("Never")},
                   {"bySize", tr("Those of 3 billion parameters or more, or of unknown size")},
                   {"always", tr("All models")}}},
      {.id = "pairing/askActions",
       .category = category,
       .title = tr("Let models propose changes and commands"),
       .help = tr("A model that looks into the project may offer changes, which you accept or "
                  "reject, and, in a trusted folder, ask for a command, which is run once you "
                  "agree to it."),
       .field = &Preferences::askActions,
       .project = ProjectMay::kNothing},
      {.id = "models/adapters",
       .category = category,
       .title = tr("Adapters of models"),
       .help = tr("Low-rank adapters (LoRA) that are added to weights. Each as MODEL=ADAPTER or "
                  "MODEL=ADAPTER:FACTOR, with the full paths of GGUF files."),
       .field = &Preferences::adapters,
       .project = ProjectMay::kNothing},
  };
}

QList<SettingRow> fileRows() {
  const QString category = tr("Files");
  return {
      {.id = "files/autoSave",
       .category = category,
       .title = tr("Save by itself"),
       .help = tr("A text that has no file yet, and one whose file another program changed, waits "
                  "for you."),
       .field = &Preferences::autoSave,
       .choices = {{"off", tr("Never")},
                   {"focusLoss", tr("When the keyboard goes elsewhere")},
                   {"delay", tr("A moment after the last change")}}},
      {.id = "files/trimOnSave",
       .category = category,
       .title = tr("Take blanks at line ends away when saving"),
       .help = tr("What an .editorconfig says of it goes before."),
       .field = &Preferences::trimOnSave},
      {.id = "files/finalLineEndOnSave",
       .category = category,
       .title = tr("End the last line when saving"),
       .help = tr("Where a text does not end with a line end it gets one. What an .editorconfig "
                  "says of it goes before."),
       .field = &Preferences::finalLineEndOnSave},
      {.id = "files/formatOnSave",
       .category = category,
       .title = tr("Format when saving"),
       .help = tr("By the language server, where it answers within a second; else the text is "
                  "saved as it is. Texts that are saved by themselves are not formatted."),
       .field = &Preferences::formatOnSave},
      {.id = "files/previewTabs",
       .category = category,
       .title = tr("Look at files in one preview tab"),
       .help = tr("A click in the tree opens a file there until another is clicked; it stays once "
                  "it is edited, or its tab double-clicked."),
       .field = &Preferences::previewTabs,
       .project = ProjectMay::kNothing},
      {.id = "files/localHistory",
       .category = category,
       .title = tr("Keep how files were saved"),
       .help = tr("Each save is kept on this computer for a while, for you alone; none of what is "
                  "held back from the model."),
       .field = &Preferences::localHistory,
       .project = ProjectMay::kSwitchOff},
      {.id = "files/hidden",
       .category = category,
       .title = tr("Show hidden files in the tree"),
       .help = tr("Names that begin with a dot."),
       .field = &Preferences::hiddenFiles},
      {.id = "files/ignored",
       .category = category,
       .title = tr("Show ignored files in the tree"),
       .help = tr("What the project's .gitignore lists."),
       .field = &Preferences::ignoredFiles},
  };
}

QList<SettingRow> terminalRows() {
  const QString category = tr("Terminal");
  return {
      {.id = "terminal/shell",
       .category = category,
       .title = tr("Shell"),
       .help =
           tr("The program that a new terminal runs, with its arguments. Started with arguments "
              "it marks no prompts."),
       .field = &Preferences::terminalShell,
       .project = ProjectMay::kNothing,
       .emptyTitle = tr("yours")},
      {.id = "terminal/profiles",
       .category = category,
       .title = tr("More shells"),
       .help = tr("Each as NAME=COMMAND LINE. They are offered beside those that are installed."),
       .field = &Preferences::terminalProfiles,
       .project = ProjectMay::kNothing},
      {.id = "terminal/scrollback",
       .category = category,
       .title = tr("Lines kept above the screen"),
       .help = tr("Of each terminal. What has scrolled farther is forgotten."),
       .field = &Preferences::terminalScrollback,
       .project = ProjectMay::kNothing,
       .least = 0,
       .most = 200000},
      {.id = "terminal/bell",
       .category = category,
       .title = tr("Bell"),
       .help = tr("What happens when a program rings it."),
       .field = &Preferences::terminalBell,
       .project = ProjectMay::kNothing,
       .choices = {{"off", tr("Nothing")},
                   {"flash", tr("The terminal lights up")},
                   {"sound", tr("The desktop's sound")}}},
  };
}

// Edits of one character each that make `b` of `a`.
int editDistance(const QString& a, const QString& b) {
  QList<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (qsizetype i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (qsizetype j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.last();
}

}  // namespace

QJsonValue SettingRow::valueIn(const Preferences& preferences) const {
  return std::visit(
      [&](auto member) -> QJsonValue {
        using Value = PointedAtType<decltype(member)>;
        const Value& value = preferences.*member;
        if constexpr (std::is_enum_v<Value>) {
          return choices[static_cast<int>(value)].value;
        } else if constexpr (std::is_same_v<Value, QStringList>) {
          return QJsonArray::fromStringList(value);
        } else {
          return value;
        }
      },
      field);
}

void SettingRow::put(const QJsonValue& value, Preferences& preferences) const {
  std::visit(
      [&](auto member) {
        using Value = PointedAtType<decltype(member)>;
        Value& into = preferences.*member;
        if constexpr (std::is_enum_v<Value>) {
          into = static_cast<Value>(indexOf(choices, value.toString()));
        } else if constexpr (std::is_same_v<Value, QStringList>) {
          into.clear();
          const QJsonArray texts = value.toArray();
          for (const QJsonValue& text : texts) into.append(text.toString());
        } else if constexpr (std::is_same_v<Value, bool>) {
          into = value.toBool();
        } else if constexpr (std::is_same_v<Value, int>) {
          into = value.toInt();
        } else if constexpr (std::is_same_v<Value, double>) {
          into = value.toDouble();
        } else {
          into = value.toString();
        }
      },
      field);
}

QStringList SettingRow::namesThere() const {
  QStringList there;
  if (names == Names::kFonts) {
    const QStringList families = QFontDatabase::families();
    for (const QString& one : families)
      if (QFontDatabase::isFixedPitch(one) && !editor::isWithoutLigatures(one)) there.append(one);
  } else if (names == Names::kDarkThemes || names == Names::kLightThemes) {
    const QStringList themes = editor::themeNames();
    for (const QString& one : themes) {
      const bool isDark = editor::themeColors(editor::themeNamed(one)).dark;
      if (isDark == (names == Names::kDarkThemes)) there.append(one);
    }
  }
  return there;
}

QString SettingRow::expected() const {
  if (!choices.isEmpty()) {
    QStringList values;
    for (const SettingChoice& choice : choices) values.append(u'"' + choice.value + u'"');
    return tr("one of %1").arg(values.join(QStringLiteral(", ")));
  }
  if (isFlag()) return tr("true or false");
  if (isWhole()) return tr("a whole number from %1 to %2").arg(least).arg(most);
  if (isNumber()) return tr("a number from %1 to %2").arg(least).arg(most);
  if (names == Names::kDarkThemes) return tr("a dark theme's name, as View > Color Theme has it");
  if (names == Names::kLightThemes) return tr("a light theme's name, as View > Color Theme has it");
  if (names == Names::kLanguageIndentations)
    return tr("a list of texts like \"Go=tabs 8\" or \"JavaScript=spaces 2\"");
  return isList() ? tr("a list of texts: [\"…\", \"…\"]") : tr("a text in double quotes");
}

QString SettingRow::wrongWith(const QJsonValue& value) const {
  const double number = value.toDouble();
  bool isRight = value.isString();
  if (!choices.isEmpty()) {
    isRight = value.isString() && indexOf(choices, value.toString()) >= 0;
  } else if (isFlag()) {
    isRight = value.isBool();
  } else if (isNumber()) {
    isRight = value.isDouble() && number >= least && number <= most &&
              (!isWhole() || number == std::floor(number));
  } else if (names == Names::kDarkThemes || names == Names::kLightThemes) {
    const QString name = value.toString();
    isRight = value.isString() && (name.isEmpty() || namesThere().contains(name));
  } else if (isList()) {
    isRight = value.isArray() && areTexts(value.toArray()) &&
              (names != Names::kLanguageIndentations || areIndentations(value.toArray()));
  }
  return isRight ? QString() : expected();
}

const QList<SettingRow>& settingsTable() {
  static const QList<SettingRow> table =
      lookRows() + typingRows() + suggestionRows() + pairingRows() + fileRows() + terminalRows();
  return table;
}

const SettingRow* settingRow(const QString& id) {
  const QList<SettingRow>& table = settingsTable();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&id](const SettingRow& row) { return row.id == id; });
  return found == table.end() ? nullptr : &*found;
}

QString nearestSetting(const QString& id) {
  // Names of outside texts may be as long as the file.
  constexpr int kFarthest = 4;
  constexpr qsizetype kLongest = 60;
  QString nearest;
  if (id.size() > kLongest) return nearest;
  int least = kFarthest + 1;
  for (const SettingRow& row : settingsTable()) {
    int distance = editDistance(id.toLower(), row.id.toLower());
    // Who leaves the category out is understood.
    if (!id.contains(u'/') && !id.contains(u'.')) {
      const QString bare = row.id.section(u'/', -1);
      distance = std::min(distance, editDistance(id.toLower(), bare.toLower()));
    }
    if (distance < least) {
      least = distance;
      nearest = row.id;
    }
  }
  return least * 2 < id.size() ? nearest : QString();
}

}  // namespace waferpair::gui
