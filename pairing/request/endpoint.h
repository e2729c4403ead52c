// SPDX-License-Identifier: GPL-3.0-or-later
// A model as this program reaches it: a request goes out, its reply streams in. What speaks which
// protocol is in endpoints/; nobody else knows. One thread, with an event loop.
#pragma once

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUrl>
#include <QVector>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "editor/text/busy.h"
#include "editor/text/result.h"
#include "pairing/request/shown.h"

namespace waferpair::pairing {

// -- What is asked

// A function that the model may ask to have called; `parameters` is a JSON schema.
struct Tool {
  QString name;
  QString description;
  QJsonObject parameters;
};

struct ToolCall {
  QString id;
  QString name;
  QString arguments;  // JSON as the model wrote it, which may be wrong

  bool operator==(const ToolCall&) const = default;
};

struct InputItem {
  enum class Kind {
    kUser,        // text
    kAssistant,   // text
    kToolCall,    // call
    kToolOutput,  // text; of call.id
  };
  Kind kind = Kind::kUser;
  QString text;
  ToolCall call;
};

struct ModelRequest {
  // One question.
  static ModelRequest of(const QString& instructions, const QString& question) {
    return {.instructions = instructions,
            .input = {{InputItem::Kind::kUser, question, {}}},
            .tools = {},
            .mostOutputTokens = {},
            .temperature = {},
            .grammar = {}};
  }

  QString instructions;  // what the model is told before all else
  QVector<InputItem> input;
  QVector<Tool> tools;
  std::optional<int> mostOutputTokens;
  std::optional<double> temperature;
  // The answer must match this GBNF (pairing/forms); empty: it is free. Only servers that keep to
  // it are asked for it (ModelEntry::keepsForms).
  QString grammar;
  bool mayCallTools = true;  // false: none of `tools` may be called any more
  // Somebody waits for the answer: a server that is busy, and says when it is not, is asked again
  // then.
  bool waitsOut = false;
};

// All that is asked, what tools are called and described as too.
QStringList textsOf(const ModelRequest& request);
using ShownRequest = Shown<ModelRequest>;

// -- What comes back

// The tokens as the endpoint counts them; -1: it did not say.
struct TokenUsage {
  qint64 input = -1;
  qint64 cachedInput = -1;  // of `input`, known from an earlier request
  qint64 output = -1;
  qint64 reasoning = -1;  // of `output`

  bool operator==(const TokenUsage&) const = default;
};

// The times of a model that runs on an emulated wafer, by the wafer's clock; a waferd tells them.
// With a shadow they are the shadow's.
struct WaferTimings {
  QString shadow;   // empty: the model's own
  QString machine;  // "Cerebras WSE-3"
  QString profile;  // of its kernels
  double clockHz = 0;
  std::optional<double> firstTokenMs;
  std::optional<double> tokensPerSecond;

  bool operator==(const WaferTimings&) const = default;
};

// What the server measured by the clock of the computer that it runs on.
struct HostTimings {
  std::optional<double> tokensPerSecond;  // of tokens that follow one another

  bool operator==(const HostTimings&) const = default;
};

// How far the model has read its prompt.
struct PromptProgress {
  qint64 tokens = 0;  // of the prompt
  qint64 cached = 0;  // of these, known from an earlier request
  qint64 read = 0;    // of them all, with those

  bool operator==(const PromptProgress&) const = default;
};

// Why the server does not turn to the request yet.
struct ServerWait {
  enum class For { kQueue, kModel, kBusy };
  // Its other work, the model that is being loaded, or, as it refused the request, `again`.
  For what = For::kQueue;
  std::optional<double> loaded = {};  // of the model: the part of it, 0 to 1
  std::optional<std::chrono::steady_clock::time_point> again = {};

  bool operator==(const ServerWait&) const = default;
};

struct TextDelta {
  QString text;
  // Of all its tokens, natural, as the model gave them; none: the endpoint did not say.
  std::optional<double> logProbability = {};
  bool operator==(const TextDelta&) const = default;
};
// The model's reasoning before it answers, or a summary of it.
struct ReasoningDelta {
  QString text;
  bool operator==(const ReasoningDelta&) const = default;
};

struct ReplyDone {
  enum class Reason { kComplete, kLength, kToolCalls, kFiltered, kCanceled };
  Reason reason = Reason::kComplete;
  bool operator==(const ReplyDone&) const = default;
};

struct ReplyFailure : editor::Error {
  enum class Kind {
    kUnreachable,  // no connection, or no name, or no valid certificate
    kKey,          // the endpoint wants a key, or another one
    kRequest,      // the endpoint refuses what was asked
    kBusy,         // too many requests; see retryAfter
    kServer,       // the endpoint or its model failed
    kTimeout,      // nothing came for too long
    kCut,          // the reply ended before it was done
    kMalformed,    // the reply is not of the protocol
    kTooLong,      // the reply is longer than is taken
    kRedirected,   // the endpoint names another address
  };
  Kind kind = Kind::kServer;
  std::optional<std::chrono::milliseconds> retryAfter;
};

using ReplyEvent = std::variant<TextDelta, ReasoningDelta, ToolCall, TokenUsage, ServerWait,
                                PromptProgress, HostTimings, WaferTimings, ReplyDone, ReplyFailure>;

// Times by this computer's clock, from when the request was made.
struct ReplyTimings {
  std::optional<double> firstTokenMs;  // the first text or reasoning
  double lastTokenMs = 0;
  qint64 deltas = 0;  // pieces that came

  // Tokens a second after the first one, for `outputTokens` in all as the endpoint counts; none
  // where that is not known or one token says nothing.
  std::optional<double> tokensPerSecond(qint64 outputTokens) const;
};

// The longest silences after which a request counts as failed.
struct ReplyPatience {
  std::chrono::milliseconds first{180'000};  // the prompt of a large model takes its time
  std::chrono::milliseconds between{120'000};
};

// One reply. It may be deleted at any time but within its own signals, and then stops.
class ModelReply : public QObject {
  Q_OBJECT
 public:
  // Longer texts are cut off with ReplyFailure::kTooLong. UTF-16 units.
  static constexpr qint64 kMostText = 8 << 20;

  // Stops at once: finished() with kCanceled comes before this returns, and nothing after it.
  void cancel();

  bool isOver() const { return over_; }
  // All text so far.
  const QString& text() const { return text_; }
  // How likely its first `size` UTF-16 units were, as the model gave them, with what else came in
  // the same piece; none where the endpoint did not say of all of them.
  std::optional<double> probability(qsizetype size) const;
  const TokenUsage& usage() const { return usage_; }
  // None where the endpoint does not say.
  const std::optional<PromptProgress>& promptProgress() const { return promptProgress_; }
  // None where the endpoint does not say, or has turned to the request.
  const std::optional<ServerWait>& serverWait() const { return serverWait_; }
  // Since the request was made.
  std::chrono::milliseconds age() const { return std::chrono::milliseconds(clock_.elapsed()); }
  const ReplyTimings& timings() const { return timings_; }
  const HostTimings& hostTimings() const { return hostTimings_; }
  // As the server measured it, which sees single tokens, or else by when the text came; none where
  // neither is known.
  std::optional<double> tokensPerSecond() const;
  // Nothing where no wafer is emulated.
  const std::optional<WaferTimings>& waferTimings() const { return waferTimings_; }

 Q_SIGNALS:
  void textArrived(const QString& delta);
  void reasoningArrived(const QString& delta);
  void toolCalled(const waferpair::pairing::ToolCall& call);
  void usageTold(const waferpair::pairing::TokenUsage& usage);
  // Sent when more of the prompt has been read, or the server waits for something else, and once a
  // second: age(), serverWait() and promptProgress() are to be shown anew.
  void waited();
  // One of these two is the last signal; it comes once, and never within Endpoint::send().
  void finished(waferpair::pairing::ReplyDone done);
  void failed(const waferpair::pairing::ReplyFailure& failure);

 protected:
  explicit ModelReply(ReplyPatience patience);

  // Sent when something came over the wire, meaningful or not.
  void stirred();
  // Takes events until one ends the reply; false: it is over.
  bool take(const QVector<ReplyEvent>& events);
  // Another reply carries this one, and minds how long nothing comes.
  void leaveDeadlines() { deadline_.stop(); }
  // Lets go of the connection. The reply is over by then.
  virtual void hangUp() = 0;

 private:
  bool takeOne(const ReplyEvent& event);
  void countDelta(const QString& delta);
  void end(const ReplyEvent& last);

  ReplyPatience patience_;
  QTimer deadline_{this};
  QTimer seconds_{this};
  QElapsedTimer clock_;
  QString text_;
  QVector<std::pair<qsizetype, double>> chances_;  // of the text up to there; logarithms
  bool isChanceKnown_ = true;                      // of each piece
  qint64 reasoningSize_ = 0;
  TokenUsage usage_;
  std::optional<ServerWait> serverWait_;
  std::optional<PromptProgress> promptProgress_;
  ReplyTimings timings_;
  HostTimings hostTimings_;
  std::optional<WaferTimings> waferTimings_;
  bool stirred_ = false;
  bool over_ = false;
  std::optional<editor::BusyMark> busy_;  // until it is over
};

// A request to it does not leave this computer.
bool isLoopback(const QUrl& url);

// The address of a model, and the key with which it is asked.
struct EndpointAddress {
  QUrl base;       // "http://127.0.0.1:8080/v1"
  QByteArray key;  // empty: none. It is in no text that comes from here.
  QString model;

  bool operator==(const EndpointAddress&) const = default;

  bool isLoopback() const { return pairing::isLoopback(base); }
  // Returns the place for the user, to be shown wherever text goes there: "this computer, port
  // 8080", "api.example.com".
  QString place() const;
  // Returns why nothing may be sent there; empty when it may. No key goes over an unencrypted
  // connection.
  QString problem() const;
};

class Endpoint {
 public:
  virtual ~Endpoint() = default;

  virtual const EndpointAddress& address() const = 0;
  // Sends the request; an address that is wrong is told by failed(), too, later.
  virtual std::unique_ptr<ModelReply> send(const ShownRequest& request) = 0;
};

}  // namespace waferpair::pairing
