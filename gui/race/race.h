// SPDX-License-Identifier: GPL-3.0-or-later
// A race as values: what each lane is of, and how far it is at a moment of the common clock. No
// widgets.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <optional>

#include "gui/client/experiments.h"
#include "gui/client/host_run.h"

namespace waferpair::gui {

// What all lanes are asked.
struct RaceSettings {
  QString model = QStringLiteral("llama-3.1-8b");  // a shape; the host has a model of its own
  int bits = 0;                                    // of weights; 0: as the shape says
  int prompt = 1024;                               // tokens
  int output = 200;
  int requests = 1;     // at once
  int draft = -1;       // guesses a step; -1: as the contender does by itself
  int acceptance = 80;  // percent; of no meaning without a draft
  bool operator==(const RaceSettings&) const = default;
};

// A contender is a question of Experiments without what all are asked: "gpu gpu=h100
// stack=serving", "pace name=gpt-4o"; or the host.
inline constexpr char kHostContender[] = "host";

struct RaceLane {
  QString contender;  // empty: the lane is not used
  QString title;
  QString nature;   // "measured", "emulated", "modelled", "published"; empty: not known yet
  QString band;     // how far it is to be trusted; may be empty
  QString problem;  // why there are no figures; empty: there are some, or they are on their way
  std::optional<double> worstErrorPercent;  // absent: unchecked
  std::optional<double> firstTokenSeconds;  // absent: not published
  double tokensPerSecond = 0;               // of one request among all; 0: not known yet
  double allTokensPerSecond = 0;
  std::optional<double> joulesPerToken;
  QVector<ExperimentShare> shares;
  QStringList sources;

  bool isPace() const { return nature == QLatin1String("published"); }
  // The tokens that are there after so many seconds; with a fraction.
  double tokensAt(double seconds, int output) const;
  // The second in which the last token comes; 0 where that is not known.
  double endSeconds(int output) const;
};

QString raceQuestion(const QString& contender, const RaceSettings& settings);
RaceLane laneOf(const QString& contender, const ExperimentAnswer& answer,
                const RaceSettings& settings);
RaceLane hostLane(const QString& model, const HostRunFigures& figures);

// "first token 12.3 ms", "not published" and so on: the lane's figures in a line, for people.
QString laneFigures(const RaceLane& lane, const RaceSettings& settings);
// "worst error 7.4 %", "unchecked"
QString laneTrust(const RaceLane& lane);
// "1.23 ms", "56 us"
QString secondsText(double seconds);

}  // namespace waferpair::gui
