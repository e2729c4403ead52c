// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/suggestions/suggestion_counts.h"

#include <QJsonObject>
#include <algorithm>
#include <chrono>
#include <utility>

#include "editor/assist/suggestion_controller.h"
#include "gui/store/clock.h"
#include "gui/store/json_file.h"

namespace waferpair::gui {
namespace {

using editor::SuggestionController;
using editor::SuggestionFigures;

constexpr std::chrono::seconds kSaveAfter(60);

constexpr char kSince[] = "since";
constexpr char kLanguages[] = "languages";
constexpr char kLatency[] = "latency_steps";
constexpr std::pair<const char*, qint64 SuggestionFigures::*> kCounts[] = {
    {"shown", &SuggestionFigures::shown},
    {"accepted", &SuggestionFigures::accepted},
    {"retained", &SuggestionFigures::retained},
    {"dismissed", &SuggestionFigures::dismissed}};

QJsonObject jsonOf(const SuggestionFigures& figures) {
  QJsonObject object, steps;
  for (const auto& [name, count] : kCounts) object[QLatin1String(name)] = figures.*count;
  const QMap<int, qint64>& latency = figures.latency.steps();
  for (auto step = latency.cbegin(); step != latency.cend(); ++step)
    steps[QString::number(step.key())] = step.value();
  object[QLatin1String(kLatency)] = steps;
  return object;
}

SuggestionFigures figuresOf(const QJsonObject& object) {
  SuggestionFigures figures;
  for (const auto& [name, count] : kCounts)
    figures.*count = std::max<qint64>(0, object[QLatin1String(name)].toInteger());
  QMap<int, qint64> steps;
  const QJsonObject latency = object[QLatin1String(kLatency)].toObject();
  for (auto step = latency.begin(); step != latency.end(); ++step)
    steps.insert(step.key().toInt(), step.value().toInteger());
  figures.latency = editor::LatencyCounts::fromSteps(steps);
  return figures;
}

}  // namespace

SuggestionCounts::SuggestionCounts(const QString& file, editor::DocumentSync* sync, QObject* parent)
    : QObject(parent), file_(file), since_(currentTime()), retention_(sync) {
  writer_.setMaxThreadCount(1);
  saveLater_.setSingleShot(true);
  saveLater_.setInterval(kSaveAfter);
  connect(&saveLater_, &QTimer::timeout, this, &SuggestionCounts::save);
  connect(&retention_, &editor::RetentionWatch::judged, this,
          [this](quint64 number, bool isRetained) {
            if (!languageOf_.contains(number)) return;  // counting began anew since
            const QString language = languageOf_.take(number);
            if (isRetained) count(language, &SuggestionFigures::retained);
          });
  load();
}

SuggestionCounts::~SuggestionCounts() {
  retention_.settle();
  if (isUnsaved_) save();
  writer_.waitForDone();
}

void SuggestionCounts::watch(SuggestionController* suggestions, std::function<Place()> place) {
  connect(suggestions, &SuggestionController::shown, this, [this, suggestions, place] {
    last_[suggestions] = {++lastNumber_};
    count(place().language, &SuggestionFigures::shown);
  });
  connect(suggestions, &SuggestionController::firstGhostShown, this, [this, place](double ms) {
    figures_[place().language].latency.add(ms);
    changedSoon();
  });
  connect(suggestions, &SuggestionController::dismissed, this,
          [this, place] { count(place().language, &SuggestionFigures::dismissed); });
  connect(suggestions, &SuggestionController::accepted, this,
          [this, suggestions, place](qint64 start, const QByteArray& text) {
            Last& last = last_[suggestions];
            const Place here = place();
            if (!std::exchange(last.isAccepted, true))
              count(here.language, &SuggestionFigures::accepted);
            languageOf_[last.number] = here.language;
            retention_.accepted(here.document, last.number, start, text);
          });
  connect(suggestions, &QObject::destroyed, this,
          [this](const QObject* gone) { last_.remove(gone); });
}

void SuggestionCounts::count(const QString& language, qint64 SuggestionFigures::*what) {
  ++(figures_[language].*what);
  changedSoon();
}

void SuggestionCounts::changedSoon() {
  isUnsaved_ = true;
  if (!saveLater_.isActive()) saveLater_.start();
  Q_EMIT changed();
}

SuggestionFigures SuggestionCounts::total() const {
  SuggestionFigures all;
  for (const SuggestionFigures& figures : figures_) all += figures;
  return all;
}

void SuggestionCounts::reset() {
  figures_.clear();
  languageOf_.clear();
  since_ = currentTime();
  isUnsaved_ = true;
  save();
  Q_EMIT changed();
}

void SuggestionCounts::load() {
  const JsonRead read = readJson(file_);
  if (read.object.isEmpty()) return;
  const auto since =
      QDateTime::fromString(read.object[QLatin1String(kSince)].toString(), Qt::ISODate);
  if (since.isValid()) since_ = since.toLocalTime();
  const QJsonObject languages = read.object[QLatin1String(kLanguages)].toObject();
  for (auto one = languages.begin(); one != languages.end(); ++one)
    figures_.insert(one.key(), figuresOf(one.value().toObject()));
}

QJsonObject SuggestionCounts::toJson() const {
  QJsonObject languages;
  for (auto one = figures_.cbegin(); one != figures_.cend(); ++one)
    languages[one.key()] = jsonOf(one.value());
  return {{QLatin1String(kSince), since_.toUTC().toString(Qt::ISODate)},
          {QLatin1String(kLanguages), languages}};
}

void SuggestionCounts::save() {
  saveLater_.stop();
  isUnsaved_ = false;
  writer_.start([this, json = toJson()] {
    const QString wrong = writeJson(file_, json);
    if (wrong.isEmpty()) return;
    // The destructor waits for this thread, so `this` is there.
    QMetaObject::invokeMethod(
        this, [this, wrong] { Q_EMIT problem(wrong); }, Qt::QueuedConnection);
  });
}

}  // namespace waferpair::gui
