// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what the server costs: tokens/s as a WebSocket client sees them against the bare loop of
// steps, and the time of a request beside its own computing.
// bench_server [FILE.gguf [ROUNDS [PAUSE]]]: rounds of the former, 15 unless given, and
// milliseconds before each request of the latter, 0 unless given. A person's keys are 50 and more
// apart: by then threads sleep, and other work has had the caches.
//
// The bare loop chooses as the engine does, by the same rules, and both decode token by token: what
// is compared is the way from the program to the client, not copying or drafts.
//
// A request's own time is what lies outside "begun to first token" of its timings. That contains
// the client and the kernel, both slow after a step of the model has had the caches. So the same
// two messages are also sent to a WebSocket server that runs one step and answers with the same
// delta, all on one thread: what goes beyond that is the cost of this server.
#include <algorithm>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "runtime/server/server.h"
#include "tests/bench/bench_model.h"

namespace {

using namespace waferpair;
using boost::asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr int kDecode = 512;    // tokens a round
constexpr int kRequests = 500;  // for the percentiles
constexpr int kWarmUp = 10;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<size_t>(share * values.size()))];
}

class Client {
 public:
  Client(std::uint16_t port, const std::string& token) {
    namespace http = boost::beast::http;
    socket_.next_layer().connect({boost::asio::ip::address_v4::loopback(), port});
    socket_.next_layer().set_option(tcp::no_delay(true));
    socket_.set_option(boost::beast::websocket::stream_base::decorator(
        [token](boost::beast::websocket::request_type& upgrade) {
          upgrade.set(http::field::authorization, "Bearer " + token);
        }));
    socket_.handshake("127.0.0.1", "/v1/session");
  }
  void send(const std::string& message) { socket_.write(boost::asio::buffer(message)); }
  void send(const Json& message) { send(message.dump()); }
  // Returns the next message unparsed: parsing costs more than sending it.
  std::string next() {
    buffer_.clear();
    socket_.read(buffer_);
    return boost::beast::buffers_to_string(buffer_.data());
  }
  // The event of that type, with whatever comes before it dropped. "type" is where it may be.
  std::string await(const std::string& type) {
    const std::string wanted = "\"type\":\"" + type + "\"";
    for (;;) {
      std::string event = next();
      if (event.find(wanted) != std::string::npos) return event;
      if (event.find("\"type\":\"error\"") == std::string::npos) continue;
      std::fprintf(stderr, "%s\n", event.c_str());
      std::exit(1);
    }
  }

 private:
  boost::asio::io_context context_;
  boost::beast::flat_buffer buffer_;
  boost::beast::websocket::stream<tcp::socket> socket_{context_};
};

// Answers each second message with the same text after a step of the model, until the client
// leaves.
class Echo {
 public:
  Echo(std::string answer, inference::CompiledModel& model)
      : answer_(std::move(answer)), model_(model) {}
  ~Echo() { thread_.join(); }
  // The milliseconds in the step of the last answer, once that is there.
  double computing() const { return computing_; }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  void serve() try {
    boost::beast::websocket::stream<tcp::socket> socket(acceptor_.accept());
    socket.next_layer().set_option(tcp::no_delay(true));
    socket.accept();
    boost::beast::flat_buffer buffer;
    auto kv = *transformer::KvCache::make(model_.config(), kRequests + kWarmUp);
    const std::int32_t token = 65;
    for (;;) {
      for (int message = 0; message < 2; ++message) socket.read(buffer);
      buffer.clear();
      const auto start = Clock::now();
      (void)model_.step(std::span(&token, 1), kv, nullptr);
      computing_ = millisecondsSince(start);
      socket.write(boost::asio::buffer(answer_));
    }
  } catch (const boost::system::system_error&) {
    // The client left.
  }

  std::string answer_;
  inference::CompiledModel& model_;
  std::atomic<double> computing_ = 0;
  boost::asio::io_context context_;
  tcp::acceptor acceptor_{context_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::thread thread_{[this] { serve(); }};
};

std::string promptOf(int round) {
  std::string text = "// " + std::to_string(round) + "\n";
  while (text.size() < 300) text += "int value = compute(value);\n";
  return text;
}

// Decode steps a second with nothing around them, behind the prompt of that round.
double bareRate(inference::CompiledModel& model, int round) {
  auto kv = *transformer::KvCache::make(model.config(), model.card().context);
  const auto prompt =
      inference::textPrompt(model.tokenizer(), model.card().continuation(), promptOf(round));
  const inference::DraftIndex noDocuments;
  std::optional<inference::Copying> copying;
  inference::Sampler greedy({});
  if (const auto& weights = model.card().copying)
    greedy.add(copying.emplace(*weights, prompt, inference::CopySources{.documents = noDocuments}));
  for (const std::int32_t token : std::span(prompt).first(prompt.size() - 1))
    (void)model.step(std::span(&token, 1), kv, nullptr);
  std::int32_t token = model.step(std::span(prompt).last(1), kv, &greedy)->token;
  const auto start = Clock::now();
  for (int i = 0; i < kDecode; ++i) token = model.step(std::span(&token, 1), kv, &greedy)->token;
  return 1000 * kDecode / millisecondsSince(start);
}

// Tokens/s between the first and the last text that arrive; 0 where the text ended early.
double servedRate(Client& client, int round) {
  client.send({{"type", "response.create"},
               {"input", promptOf(round)},
               {"max_output_tokens", kDecode},
               {"speculation", false}});
  client.await("response.output_text.delta");
  const auto start = Clock::now();
  client.await("response.output_item.done");
  const std::string last = client.next();  // whether it ended by itself or at the limit
  const double took = millisecondsSince(start);
  const int tokens = Json::parse(last)["response"]["usage"]["output_tokens"];
  return tokens < kDecode / 4 ? 0 : 1000 * (tokens - 1) / took;
}

struct Request {
  double first = 0;   // key to first text, ms
  double beside = 0;  // of it not between begun and first token
};

class Typist {
 public:
  explicit Typist(Client& client) : client_(client) {
    client_.send({{"type", "document.open"}, {"uri", "a"}, {"version", 0}, {"text", text_}});
  }
  // One key and a completion of one token from the cached prompt.
  Request type() {
    text_ += kLine[version_ % kLine.size()];
    ++version_;
    const auto start = Clock::now();
    messages(client_);
    const std::string delta = client_.next();
    Request request{millisecondsSince(start), 0};
    const bool text = delta.find("\"completion.delta\"") != std::string::npos;
    const Json done = Json::parse(text ? client_.await("completion.done") : delta);
    const Json& host = done["timings"]["host"];
    request.beside =
        request.first - (host["first_token_ms"].get<double>() - host["queued_ms"].get<double>());
    return request;
  }
  // The same two messages to another.
  double echo(Client& echo) const {
    const auto start = Clock::now();
    messages(echo);
    echo.next();
    return millisecondsSince(start);
  }

 private:
  void messages(Client& client) const {
    const Json edit = {{"start", text_.size() - 1},
                       {"end", text_.size() - 1},
                       {"text", text_.substr(text_.size() - 1)}};
    client.send({{"type", "document.change"},
                 {"uri", "a"},
                 {"version", version_},
                 {"edits", Json::array({edit})}});
    client.send({{"type", "completion.create"},
                 {"id", version_},
                 {"uri", "a"},
                 {"version", version_},
                 {"offset", text_.size()},
                 {"healing", false},
                 {"max_tokens", 1}});
  }

  static constexpr std::string_view kLine = "int value = compute(value);\n";

  Client& client_;
  std::string text_ = promptOf(1000);
  int version_ = 0;
};

void print(const char* name, const std::vector<double>& ms) {
  std::printf("  %-34s least %6.0f us, p50 %6.0f us, p90 %6.0f us, p99 %6.0f us\n", name,
              1000 * percentile(ms, 0), 1000 * percentile(ms, 0.5), 1000 * percentile(ms, 0.9),
              1000 * percentile(ms, 0.99));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = bench::modelPath(argc, argv);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  const std::chrono::milliseconds pause(argc > 3 ? std::atoi(argv[3]) : 0);
  auto bare = inference::CompiledModel::load(path);
  auto served = inference::CompiledModel::load(path);
  if (!bare || !served) {
    std::fprintf(stderr, "%s\n", (bare ? served : bare).error().message().c_str());
    return 1;
  }
  server::Log log;
  boost::asio::io_context context(1);
  const auto tokenFile = std::filesystem::temp_directory_path() / "waferpair-bench.token";
  auto server = server::Server::listen(context, log, {.tokenFile = tokenFile.string()});
  auto engine = inference::Engine::make(std::move(*served));
  if (!server || !engine) return 1;
  (*server)->hub().models().add(std::move(*engine));
  std::thread io([&] { context.run(); });
  Client client((*server)->port(), (*server)->hub().token());
  client.await("session.ready");

  // One after the other in each round, as the machine may have other things to do.
  std::vector<double> bareRates, servedRates, ratios;
  for (int round = 0; round < rounds; ++round) {
    const double before = bareRate(**bare, round), seen = servedRate(client, round);
    const double mean = (before + bareRate(**bare, round)) / 2;
    if (seen == 0) continue;
    bareRates.push_back(mean);
    servedRates.push_back(seen);
    ratios.push_back(seen / mean);
  }

  std::vector<double> first, beside, echoed;
  {
    Echo echo(R"({"id":100,"offset":500,"type":"completion.delta","version":100,"text":"x = 0"})",
              **bare);
    Client echoClient(echo.port(), "");
    Typist typist(client);
    for (int i = 0; i < kRequests + kWarmUp; ++i) {
      std::this_thread::sleep_for(pause);
      const Request request = typist.type();
      std::this_thread::sleep_for(pause);
      const double bounced = typist.echo(echoClient) - echo.computing();
      if (i < kWarmUp) continue;
      first.push_back(request.first);
      beside.push_back(request.beside);
      echoed.push_back(bounced);
    }
  }
  boost::asio::post((*server)->hub().executor(), [&] { (*server)->shutDown(); });
  try {
    for (;;) client.next();
  } catch (const boost::system::system_error&) {
    // The goodbye.
  }
  io.join();

  std::printf("model %s\n", (*bare)->card().name.c_str());
  if (!ratios.empty())
    std::printf(
        "bare loop %.0f tokens/s, as a WebSocket client sees it %.0f; ratio %.3f (of %zu "
        "rounds: %.3f to %.3f)\n",
        percentile(bareRates, 0.5), percentile(servedRates, 0.5), percentile(ratios, 0.5),
        ratios.size(), percentile(ratios, 0), percentile(ratios, 1));
  std::printf("one token after one key, warm (limit p50 60 ms):\n");
  print("key to first text", first);
  print("  of it beside its computing", beside);
  print("  same messages, one bare step", echoed);
  std::printf("  %-34s least %6.0f us, p50 %6.0f us\n", "  this server's own",
              1000 * (percentile(beside, 0) - percentile(echoed, 0)),
              1000 * (percentile(beside, 0.5) - percentile(echoed, 0.5)));
  return 0;
}
