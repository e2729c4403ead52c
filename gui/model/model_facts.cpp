// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/model_facts.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "gui/translate.h"
#include "pairing/request/edit_form.h"
#include "pairing/taught/taught_format.h"
#include "wafer_view/metric.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostLine = 64 * 1024;
constexpr double kMostCount = 1e16;
// The time for one file: reading a large vocabulary on a busy computer takes long.
constexpr int kInspectorPatienceMs = 30'000;
// A command line has room for so many.
constexpr qsizetype kFilesAtOnce = 100;

qint64 count(const QJsonObject& object, const char* name) {
  const double value = object.value(QLatin1String(name)).toDouble();
  return value >= 0 && value <= kMostCount ? static_cast<qint64>(value) : 0;
}

double rateIn(const QJsonObject& object, const char* name) {
  const double value = object.value(QLatin1String(name)).toDouble();
  return value > 0 && value <= kMostCount ? value : 0;
}

QString parametersText(qint64 parameters) {
  const bool billions = parameters >= 1'000'000'000;
  const double value = static_cast<double>(parameters) / (billions ? 1e9 : 1e6);
  return (billions ? tr("%1 B") : tr("%1 M")).arg(QString::number(value, 'f', value < 10 ? 1 : 0));
}

QString rates(const ModelFacts& facts) {
  if (facts.hostRate <= 0 || facts.waferRate <= 0) return {};
  return tr("about %1 tokens/s here, %2 on the wafer")
      .arg(view::rateText(facts.hostRate), view::rateText(facts.waferRate));
}

}  // namespace

QString contextText(qint64 tokens) {
  if (tokens < 1024) return QString::number(tokens);
  const bool isLong = tokens >= 10 * 1024 || tokens % 1024 == 0;
  return tr("%1K").arg(QString::number(static_cast<double>(tokens) / 1024, 'f', isLong ? 0 : 1));
}

QString usesText(bool fillsIn, bool followsInstructions, bool predictsEdits) {
  QStringList uses = {tr("completes")};
  if (fillsIn) uses.append(tr("fills in"));
  if (followsInstructions) uses.append(tr("follows instructions"));
  if (predictsEdits) uses.append(tr("next edits"));
  return uses.join(QStringLiteral(", "));
}

QString sizeText(qint64 parameters) {
  if (!pairing::mayEdit(parameters)) return tr("too small for edits");
  return pairing::editFormFor(parameters) == pairing::EditForm::kRewrite
             ? tr("edits a function at a time")
             : QString();
}

bool ModelFacts::predictsEdits(const QStringList& names) const {
  return pairing::taughtFormat(QStringList{name, QFileInfo(file).fileName()} + names) != nullptr;
}

QString ModelFacts::text() const {
  if (!isUsable()) return tr("cannot be used: %1").arg(problem.what);
  using view::largeBytesText;
  QString memory = tr("needs %1").arg(largeBytesText(memoryBytes));
  if (availableBytes > 0) memory = tr("%1 of %2 free").arg(memory, largeBytesText(availableBytes));
  QStringList parts = {usesText(fillsIn, followsInstructions, predictsEdits()),
                       fits() ? memory : tr("too large: %1").arg(memory),
                       followsInstructions ? sizeText(parameters) : QString(),
                       rates(*this),
                       tr("%1 context").arg(contextText(contextTokens)),
                       architecture,
                       parametersText(parameters),
                       largeBytesText(fileBytes)};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

QString ModelFacts::speedText() const {
  if (hostRate <= 0 || waferRate <= 0) return {};
  return tr("Tokens/s here are estimated from a second in which this computer's speed was "
            "measured: a third more or less, and fewer while others work. Those on the wafer are "
            "emulated, by kernel profile %1 at %2 GHz.")
      .arg(profile, QString::number(clockGhz, 'g', 3));
}

std::optional<ModelFacts> readModelFacts(const QByteArray& line) {
  if (line.size() > kMostLine) return {};
  const QJsonObject object = QJsonDocument::fromJson(line).object();
  ModelFacts facts;
  facts.file = object.value(u"file").toString();
  if (facts.file.isEmpty()) return {};
  facts.name = object.value(u"name").toString();
  facts.architecture = object.value(u"architecture").toString();
  facts.parameters = count(object, "parameters");
  facts.fileBytes = count(object, "file_bytes");
  facts.contextTokens = count(object, "context");
  facts.memoryBytes = count(object, "memory_bytes");
  facts.availableBytes = count(object, "available_bytes");
  facts.hostRate = rateIn(object, "host_tokens_per_second");
  facts.waferRate = rateIn(object, "wafer_tokens_per_second");
  facts.profile = object.value(u"profile").toString();
  facts.clockGhz = rateIn(object, "clock_ghz");
  const QString fim = object.value(u"fim").toString();
  facts.fillsIn = !fim.isEmpty() && fim != u"none";
  facts.followsInstructions = !object.value(u"chat").toString().isEmpty();
  const QJsonObject error = object.value(u"error").toObject();
  facts.problem = {error.value(u"message").toString(), error.value(u"remedy").toString()};
  if (!object.value(u"error").isNull() && facts.problem.what.isEmpty()) return {};
  if (object.value(u"encodes").toBool() && facts.isUsable())
    facts.problem = {tr("it embeds texts, and writes none."),
                     tr("Choose one that completes code.")};
  return facts;
}

ModelInspection::ModelInspection(const QString& program, QObject* parent)
    : QObject(parent), program_(program) {
  deadline_.setSingleShot(true);
  connect(&deadline_, &QTimer::timeout, this, [this] { process_.kill(); });
  connect(&process_, &QProcess::readyReadStandardOutput, this, &ModelInspection::read);
  connect(&process_, &QProcess::finished, this, &ModelInspection::ended);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;  // finished() follows
    const QString why = tr("%1 could not be started: %2").arg(program_, process_.errorString());
    while (!waiting_.isEmpty()) giveUpFirst(why);
  });
}

ModelInspection::~ModelInspection() {
  process_.disconnect(this);
  process_.kill();
  process_.waitForFinished(1000);
}

void ModelInspection::inspect(const QStringList& files) {
  waiting_ = files;
  if (process_.state() == QProcess::NotRunning) return start();
  isOutdated_ = true;
  process_.kill();
}

void ModelInspection::start() {
  output_.clear();
  isOutdated_ = false;
  if (waiting_.isEmpty()) return;
  left_ = std::min(waiting_.size(), kFilesAtOnce);
  deadline_.start(kInspectorPatienceMs);
  process_.start(program_, QStringList{QStringLiteral("inspect"), QStringLiteral("--json"),
                                       QStringLiteral("--")} +
                               waiting_.mid(0, kFilesAtOnce));
}

void ModelInspection::read() {
  output_ += process_.readAllStandardOutput();
  for (qsizetype end; (end = output_.indexOf('\n')) >= 0; output_.remove(0, end + 1))
    take(output_.left(end));
  if (output_.size() > kMostLine) process_.kill();
}

void ModelInspection::take(const QByteArray& line) {
  const auto facts = readModelFacts(line);
  if (!facts || isOutdated_ || left_ == 0 || facts->file != waiting_.first()) return;
  waiting_.removeFirst();
  --left_;
  deadline_.start(kInspectorPatienceMs);
  Q_EMIT told(*facts);
}

void ModelInspection::ended() {
  deadline_.stop();
  read();
  // It ended, or was ended, over the first of those that it was given and has not told of.
  if (!isOutdated_ && left_ > 0) giveUpFirst(tr("its header cannot be read"));
  start();
}

void ModelInspection::giveUpFirst(const QString& why) {
  ModelFacts facts;
  facts.file = waiting_.takeFirst();
  facts.problem = {why, {}};
  Q_EMIT told(facts);
}

}  // namespace waferpair::gui
