// SPDX-License-Identifier: GPL-3.0-or-later
#include <zlib.h>

#include <QtTest>
#include <string>

#include "runtime/server/http/content_coding.h"

namespace waferpair::server {

namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

class TestContentCoding : public QObject {
  Q_OBJECT

 private slots:
  void codingsAreKnownByName() {
    for (const char* known : {"gzip", "GZip", "x-gzip", "deflate"}) QVERIFY(isUnpackable(known));
    for (const char* other : {"", "identity", "br", "zstd", "gzip, gzip", "gzi", "gzipp"})
      QVERIFY(!isUnpackable(other));
  }

  void whatWasPackedComesBack() {
    std::string text;
    for (const std::string& whole :
         {std::string(), std::string("x"), std::string(64 << 10, 'a'), std::string(300000, '\0')}) {
      QVERIFY(unpack(gzipped(whole), whole.size(), text) == Unpacked::kWhole);
      QVERIFY(text == whole);
    }
  }

  void noMoreIsMadeThanIsAllowed() {
    const std::string bomb = gzipped(std::string(64 << 20, ' '));
    std::string text;
    QVERIFY(unpack(bomb, 1 << 20, text) == Unpacked::kTooLong);
    QVERIFY(text.size() <= 1 << 20);
    QVERIFY(unpack(gzipped("ab"), 1, text) == Unpacked::kTooLong);
  }

  void everyCutIsFound() {
    const std::string whole = gzipped("{\"prompt\":\"int main\"}");
    std::string text;
    for (std::size_t length = 0; length < whole.size(); ++length)
      QVERIFY(unpack(whole.substr(0, length), 1000, text) == Unpacked::kBroken);
    QVERIFY(unpack(whole + "x", 1000, text) == Unpacked::kBroken);
    QVERIFY(unpack("{}", 1000, text) == Unpacked::kBroken);
  }
};

}  // namespace waferpair::server

QTEST_APPLESS_MAIN(waferpair::server::TestContentCoding)
#include "test_content_coding.moc"
