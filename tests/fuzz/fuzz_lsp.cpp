// SPDX-License-Identifier: GPL-3.0-or-later
// What an editor sends to waferctl lsp: frames, and messages of any kind. The model server behind
// it keeps copies of the texts that it was told, which have to be the editor's.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "runtime/lsp/framing.h"
#include "runtime/lsp/server.h"

using namespace waferpair;
using namespace waferpair::lsp;

namespace {

bool isBoundary(const std::string& text, std::size_t at) {
  return at == text.size() ||
         (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80);
}

class Mirror final : public Suggester {
 public:
  void open(const std::string& uri, const std::string&, std::int64_t version,
            const std::string& text) override {
    if (!all.emplace(uri, Known{version, text}).second) abort();
  }
  void change(const std::string& uri, std::int64_t version,
              const std::vector<Edit>& edits) override {
    Known& known = all.at(uri);
    if (version <= known.version) abort();
    known.version = version;
    for (const Edit& edit : edits) {
      if (edit.start > edit.end || !isBoundary(known.text, edit.start) ||
          !isBoundary(known.text, edit.end))
        abort();
      known.text.replace(edit.start, edit.end - edit.start, edit.text);
    }
  }
  void close(const std::string& uri) override {
    if (all.erase(uri) != 1) abort();
  }
  void ask(std::uint64_t id, const Wish& wish) override {
    const Known& known = all.at(wish.uri);
    if (known.version != wish.version || !isBoundary(known.text, wish.offset)) abort();
    asked = id;
  }
  void cancel(std::uint64_t) override {}

  struct Known {
    std::int64_t version;
    std::string text;
  };
  std::map<std::string, Known> all;
  std::uint64_t asked = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Mirror mirror;
  Server server(mirror, {}, [](const Json& message) { (void)message.dump(); });
  server.suggesterReady();
  FrameReader frames;
  frames.feed({reinterpret_cast<const char*>(data), size});
  for (;;) {
    const auto body = frames.next();
    if (!body || !*body) break;
    server.take(**body);
    if (mirror.asked != 0)
      server.suggested(std::exchange(mirror.asked, 0),
                       {.text = "x();\n", .probability = {}, .timings = {}});
  }
  return 0;
}
