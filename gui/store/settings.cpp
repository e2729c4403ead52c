// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/settings.h"

#include <algorithm>

#include "editor/widget/theme.h"
#include "gui/store/settings_file.h"

namespace waferpair::gui {
namespace {

constexpr char kTheme[] = "theme";
constexpr char kFontFamily[] = "editor/fontFamily";
constexpr char kFontSize[] = "editor/fontSize";
constexpr char kLigatures[] = "editor/ligatures";
constexpr char kWordWrap[] = "editor/wordWrap";
constexpr char kWhitespace[] = "editor/whitespace";
constexpr char kIndentGuides[] = "editor/indentGuides";
constexpr char kPreviewTabs[] = "files/previewTabs";
constexpr char kTrimOnSave[] = "files/trimOnSave";
constexpr char kFinalLineEnd[] = "files/finalLineEndOnSave";
constexpr char kAutoSave[] = "files/autoSave";
constexpr const char* kAutoSaves[] = {"off", "focusLoss", "delay"};  // by AutoSave
constexpr char kClosePairs[] = "editor/closePairs";
constexpr char kSuggestions[] = "editor/suggestions";
constexpr char kCertainty[] = "editor/certainty";
constexpr char kLevel[] = "suggestions/level";
constexpr char kLanguagesOff[] = "suggestions/languagesOff";
constexpr char kSnoozedUntil[] = "suggestions/snoozedUntil";
constexpr char kWordsWhileTyping[] = "editor/wordsWhileTyping";
constexpr char kMembersWhileTyping[] = "editor/membersWhileTyping";
constexpr char kAccepted[] = "editor/acceptedSuggestions";
constexpr char kProjectFiles[] = "editor/projectFiles";
constexpr char kRenewEdits[] = "pairing/renewEdits";
constexpr char kNextEdits[] = "editor/nextEdits";
constexpr char kSummarizeThreads[] = "pairing/summarizeThreads";
constexpr char kLanguageServers[] = "editor/languageServers";
constexpr char kHiddenFiles[] = "files/hidden";
constexpr char kIgnoredFiles[] = "files/ignored";
constexpr const char* kLevels[] = {"quiet", "normal", "eager"};  // by SuggestionLevel

}  // namespace

Settings::Settings(const QString& file, QObject* parent) : QObject(parent), file_(file) {
  const SettingsFile stored(file_);
  Preferences& p = preferences_;
  if (stored.value(kTheme).toString() == QLatin1String("light")) p.theme = ThemeKind::kLight;
  p.fontFamily = stored.value(kFontFamily).toString();
  bool isNumber = false;
  const double size = stored.value(kFontSize).toDouble(&isNumber);
  if (isNumber) p.fontSize = std::clamp(size, 6.0, 40.0);
  const int certainty = stored.value(kCertainty).toInt(&isNumber);
  if (isNumber) p.certainty = std::clamp(certainty, 0, 100);
  const QString level = stored.value(kLevel).toString();
  for (int i = 0; i < static_cast<int>(std::size(kLevels)); ++i)
    if (level == QLatin1String(kLevels[i])) p.suggestionLevel = static_cast<SuggestionLevel>(i);
  p.languagesWithoutSuggestions = stored.value(kLanguagesOff).toStringList();
  p.snoozedUntil = QDateTime::fromString(stored.value(kSnoozedUntil).toString(), Qt::ISODateWithMs);
  const int accepted = stored.value(kAccepted).toInt(&isNumber);
  if (isNumber) p.acceptedSuggestions = std::clamp(accepted, 0, kEnoughAccepted);
  const auto flag = [&stored](const char* key, bool& value) {
    value = stored.value(QLatin1String(key), value).toBool();
  };
  flag(kLigatures, p.ligatures);
  flag(kWordWrap, p.wordWrap);
  flag(kWhitespace, p.whitespace);
  flag(kIndentGuides, p.indentGuides);
  flag(kPreviewTabs, p.previewTabs);
  flag(kTrimOnSave, p.trimOnSave);
  flag(kFinalLineEnd, p.finalLineEndOnSave);
  const QString autoSave = stored.value(kAutoSave).toString();
  for (int i = 0; i < static_cast<int>(std::size(kAutoSaves)); ++i)
    if (autoSave == QLatin1String(kAutoSaves[i])) p.autoSave = static_cast<AutoSave>(i);
  flag(kClosePairs, p.closePairs);
  flag(kSuggestions, p.suggestions);
  flag(kWordsWhileTyping, p.wordsWhileTyping);
  flag(kMembersWhileTyping, p.membersWhileTyping);
  flag(kProjectFiles, p.projectFiles);
  flag(kNextEdits, p.nextEdits);
  flag(kRenewEdits, p.renewEdits);
  flag(kSummarizeThreads, p.summarizeThreads);
  flag(kLanguageServers, p.languageServers);
  flag(kHiddenFiles, p.hiddenFiles);
  flag(kIgnoredFiles, p.ignoredFiles);
}

void Settings::set(const Preferences& preferences) {
  if (preferences == preferences_) return;
  preferences_ = preferences;
  const Preferences& p = preferences_;
  SettingsFile stored(file_);
  stored.setValue(kTheme, p.theme == ThemeKind::kLight ? "light" : "dark");
  stored.setValue(kFontFamily, p.fontFamily);
  stored.setValue(kFontSize, p.fontSize);
  stored.setValue(kLigatures, p.ligatures);
  stored.setValue(kWordWrap, p.wordWrap);
  stored.setValue(kWhitespace, p.whitespace);
  stored.setValue(kIndentGuides, p.indentGuides);
  stored.setValue(kPreviewTabs, p.previewTabs);
  stored.setValue(kTrimOnSave, p.trimOnSave);
  stored.setValue(kFinalLineEnd, p.finalLineEndOnSave);
  stored.setValue(kAutoSave, kAutoSaves[static_cast<int>(p.autoSave)]);
  stored.setValue(kClosePairs, p.closePairs);
  stored.setValue(kSuggestions, p.suggestions);
  stored.setValue(kCertainty, p.certainty);
  stored.setValue(kAccepted, p.acceptedSuggestions);
  stored.setValue(kWordsWhileTyping, p.wordsWhileTyping);
  stored.setValue(kMembersWhileTyping, p.membersWhileTyping);
  stored.setValue(kLevel, kLevels[static_cast<int>(p.suggestionLevel)]);
  stored.setValue(kLanguagesOff, p.languagesWithoutSuggestions);
  stored.setValue(kSnoozedUntil, p.snoozedUntil.toString(Qt::ISODateWithMs));
  stored.setValue(kProjectFiles, p.projectFiles);
  stored.setValue(kNextEdits, p.nextEdits);
  stored.setValue(kRenewEdits, p.renewEdits);
  stored.setValue(kSummarizeThreads, p.summarizeThreads);
  stored.setValue(kLanguageServers, p.languageServers);
  stored.setValue(kHiddenFiles, p.hiddenFiles);
  stored.setValue(kIgnoredFiles, p.ignoredFiles);
  const QString saving = stored.save();
  Q_EMIT changed();
  if (!saving.isEmpty()) Q_EMIT problem(saving);
}

QFont Settings::editorFont() const {
  QFont font = editor::defaultEditorFont();
  if (!preferences_.fontFamily.isEmpty()) font.setFamily(preferences_.fontFamily);
  font.setPointSizeF(preferences_.fontSize);
  return font;
}

}  // namespace waferpair::gui
