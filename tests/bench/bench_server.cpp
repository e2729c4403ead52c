// SPDX-License-Identifier: GPL-3.0-or-later
// What the server costs: tokens/s as a WebSocket client sees them against the bare loop of steps,
// the time around a request's own computing, and key to first token. bench_server [FILE.gguf]
#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "runtime/server/server.h"
#include "tests/bench/bench_model.h"

namespace {

using namespace waferpair;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr int kDecode = 256;  // tokens a round
constexpr int kRounds = 7;
constexpr int kRequests = 300;  // for the percentiles

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<size_t>(share * values.size()))];
}

class Client {
 public:
  explicit Client(server::Server& server) {
    namespace http = boost::beast::http;
    using boost::asio::ip::tcp;
    socket_.next_layer().connect({boost::asio::ip::address_v4::loopback(), server.port()});
    socket_.next_layer().set_option(tcp::no_delay(true));
    const std::string token = server.hub().token();
    socket_.set_option(boost::beast::websocket::stream_base::decorator(
        [token](boost::beast::websocket::request_type& upgrade) {
          upgrade.set(http::field::authorization, "Bearer " + token);
        }));
    socket_.handshake("127.0.0.1", "/v1/session");
    next();
  }
  void send(const Json& message) { socket_.write(boost::asio::buffer(message.dump())); }
  Json next() {
    boost::beast::flat_buffer buffer;
    socket_.read(buffer);
    return Json::parse(boost::beast::buffers_to_string(buffer.data()));
  }
  // The event of that type, with whatever comes before it dropped.
  Json await(const std::string& type) {
    for (;;) {
      Json event = next();
      if (event["type"] == type) return event;
      if (event["type"] == "error") {
        std::fprintf(stderr, "%s\n", event.dump().c_str());
        std::exit(1);
      }
    }
  }

 private:
  boost::asio::io_context context_;
  boost::beast::websocket::stream<boost::asio::ip::tcp::socket> socket_{context_};
};

std::string promptOf(int round) {
  std::string text = "// " + std::to_string(round) + "\n";
  while (text.size() < 300) text += "int value = compute(value);\n";
  return text;
}

// Decode steps a second with nothing around them, from an empty cache on.
double bareRate(inference::CompiledModel& model) {
  auto kv = *transformer::KvCache::make(model.config(), model.card().context);
  inference::Sampler greedy({});
  const auto prompt = model.tokenizer().encode(promptOf(0));
  for (const std::int32_t token : prompt) (void)model.step(std::span(&token, 1), kv, nullptr);
  std::int32_t token = 65;
  const auto start = Clock::now();
  for (int i = 0; i < kDecode; ++i) token = model.step(std::span(&token, 1), kv, &greedy)->token;
  return 1000 * kDecode / millisecondsSince(start);
}

}  // namespace

int main(int argc, char** argv) {
  auto model = inference::CompiledModel::load(bench::modelPath(argc, argv));
  if (!model) {
    std::fprintf(stderr, "%s\n", model.error().message().c_str());
    return 1;
  }
  const std::string name = (*model)->card().name;
  std::vector<double> bare;
  for (int round = 0; round < kRounds; ++round) bare.push_back(bareRate(**model));

  server::Log log;
  boost::asio::io_context context(1);
  const auto tokenFile = std::filesystem::temp_directory_path() / "waferpair-bench.token";
  auto server = server::Server::listen(context, log, {.tokenFile = tokenFile.string()});
  auto engine = inference::Engine::make(std::move(*model));
  if (!server || !engine) return 1;
  (*server)->hub().modelReady(std::move(*engine));
  std::thread io([&] { context.run(); });
  Client client(**server);

  // Tokens/s between the first and the last text that arrive. A text that ends early does not
  // count.
  std::vector<double> seen;
  for (int round = 0; round < 3 * kRounds && static_cast<int>(seen.size()) < kRounds; ++round) {
    client.send(
        {{"type", "response.create"}, {"input", promptOf(round)}, {"max_output_tokens", kDecode}});
    client.await("response.output_text.delta");
    const auto start = Clock::now();
    const Json done = client.await("response.completed");
    const int tokens = done["response"]["usage"]["output_tokens"];
    if (tokens >= kDecode / 4) seen.push_back(1000 * (tokens - 1) / millisecondsSince(start));
  }

  // One token from a cached prompt: all that is not computing is the server's share.
  std::string text = promptOf(1000);
  client.send({{"type", "document.open"}, {"uri", "a"}, {"version", 0}, {"text", text}});
  std::vector<double> overhead, firstToken;
  for (int i = 1; i <= kRequests; ++i) {
    const Json edit = {{"start", text.size()}, {"end", text.size()}, {"text", "x"}};
    text += 'x';
    const auto start = Clock::now();
    client.send({{"type", "document.change"},
                 {"uri", "a"},
                 {"version", i},
                 {"edits", Json::array({edit})}});
    client.send({{"type", "completion.create"},
                 {"id", i},
                 {"uri", "a"},
                 {"version", i},
                 {"offset", text.size()},
                 {"max_tokens", 1}});
    Json event = client.next();
    const double took = millisecondsSince(start);  // key to first event
    while (event["type"] != "completion.done") event = client.next();
    if (i <= 10) continue;  // warming up
    firstToken.push_back(took);
    overhead.push_back(took - event["timings"]["host"]["prefill_ms"].get<double>());
  }
  boost::asio::post(context, [&] { (*server)->shutDown(); });
  try {
    for (;;) client.next();
  } catch (const boost::system::system_error&) {
    // The goodbye.
  }
  io.join();

  const double bareMedian = percentile(bare, 0.5);
  std::printf("model                        %s\n", name.c_str());
  std::printf("bare loop                    %.0f tokens/s (median of %zu)\n", bareMedian,
              bare.size());
  if (!seen.empty()) {
    const double seenMedian = percentile(seen, 0.5);
    std::printf("as a WebSocket client sees   %.0f tokens/s, ratio %.3f\n", seenMedian,
                seenMedian / bareMedian);
  }
  std::printf("key to first token, warm     p50 %.2f ms, p99 %.2f ms (limit p50 60)\n",
              percentile(firstToken, 0.5), percentile(firstToken, 0.99));
  std::printf("of it not computing          p50 %.0f us, p99 %.0f us\n",
              1000 * percentile(overhead, 0.5), 1000 * percentile(overhead, 0.99));
  return 0;
}
