// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>

#include "runtime/base/hash64.h"
#include "runtime/inference/engine/engine.h"
#include "runtime/inference/engine/session_file.h"
#include "runtime/transformer/model.h"
#include "tests/support/disk_fault.h"
#include "tests/support/mutate.h"
#include "tests/support/tiny_architectures.h"
#include "tests/support/tiny_model.h"

Q_DECLARE_METATYPE(waferpair::tensor::KvFormat)

namespace waferpair::inference {

namespace {

using tensor::kChunk;
using tensor::KvFormat;
using Bytes = std::vector<std::byte>;
using Tokens = std::vector<std::int32_t>;

constexpr int kCapacity = 512;
constexpr std::size_t kPlenty = 1 << 30;

}  // namespace

class TestSessionFile : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<CompiledModel> model_;
  std::mt19937 random_{5};

  std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
  std::string file() const { return path("session"); }
  std::unique_ptr<CompiledModel> load(const test::TinyModel& model) {
    if (!test::writeTinyModel(path("model.gguf"), model)) qFatal("cannot write the model");
    auto compiled = CompiledModel::load(path("model.gguf"), {.threads = 1, .chunk = 16});
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    return std::move(*compiled);
  }
  Tokens tokens(int count) {
    Tokens some;
    for (int i = 0; i < count; ++i) some.push_back(static_cast<int>(random_() % 250u));
    return some;
  }
  SequencePool poolOf(int pages, KvFormat format = KvFormat::kF16,
                      std::shared_ptr<const ChunkReuse> reuse = nullptr) const {
    return *SequencePool::make(model_->config(), kCapacity, format,
                               static_cast<std::size_t>(pages) * key(format).pages.bytes,
                               std::move(reuse));
  }
  SessionKey key(KvFormat format = KvFormat::kF16) const {
    return sessionKey(model_->model(), format, tensor::Activations::k16Bits);
  }
  // Feeds what is lacking; the logits behind it.
  std::vector<float> feed(Sequence& sequence) {
    std::vector<float> logits;
    for (bool last = false; !last;) {
      const auto pending = sequence.pending();
      last = std::ssize(pending) <= model_->chunk() && !sequence.hasMoved();
      const auto done = model_->score(
          pending.first(std::min(pending.size(), static_cast<std::size_t>(model_->chunk()))),
          sequence.kv(), last ? 1 : 0,
          [&](int, std::span<const float> row) { logits.assign(row.begin(), row.end()); });
      if (!done) qFatal("%s", done.error().message().c_str());
    }
    return logits;
  }
  std::vector<float> serve(SequencePool& pool, const Tokens& prompt, int* cached = nullptr) {
    Sequence* sequence = pool.take(prompt);
    if (!sequence) qFatal("no sequence");
    const int kept = sequence->setPrompt(prompt);
    if (cached) *cached = kept;
    const auto logits = feed(*sequence);
    pool.release(sequence);
    return logits;
  }
  Bytes contents() const {
    std::ifstream in(file(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }
  void replace(const Bytes& bytes) const {
    std::ofstream(file(), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  // Two sequences, of 200 and 70 tokens, in two and four pages.
  void saveTwo() {
    auto pool = poolOf(16);
    serve(pool, tokens(200));
    serve(pool, tokens(70));
    QVERIFY(saveSession(file(), key(), pool.byUse(), kPlenty));
  }

 private slots:
  void init() {
    std::filesystem::remove(file());
    model_ = load({.contextLength = kCapacity, .seed = 4});
  }

  void whatWasSavedNeedNotBeComputed_data() {
    QTest::addColumn<KvFormat>("format");
    for (const KvFormat format : {KvFormat::kF16, KvFormat::kQ8_0})
      QTest::addRow("%s", tensor::kvFormatName(format)) << format;
  }
  void whatWasSavedNeedNotBeComputed() {
    QFETCH(KvFormat, format);
    if (!tensor::kvFormatFits(format, model_->config().headDim))
      model_ = load({.width = 128, .contextLength = kCapacity, .seed = 4});
    auto pool = poolOf(16, format);
    std::vector<Tokens> prompts{tokens(200), tokens(64), tokens(1), tokens(129)};
    prompts.push_back(prompts[0]);
    prompts.back().resize(90);  // begins as another does
    for (int i = 0; i < 100; ++i) prompts.back().push_back(251);
    for (const Tokens& prompt : prompts) serve(pool, prompt);
    QVERIFY(saveSession(file(), key(format), pool.byUse(), kPlenty));

    auto restored = poolOf(16, format);
    QVERIFY(restoreSession(file(), key(format), restored));
    QCOMPARE(restored.byUse().size(), prompts.size());
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      const Tokens& prompt = prompts[prompts.size() - 1 - i];
      QVERIFY(std::ranges::equal(restored.byUse()[i]->tokens(), prompt));
      QCOMPARE(restored.byUse()[i]->exact(), static_cast<int>(prompt.size()));
    }
    for (Tokens& prompt : prompts) {
      const int held = static_cast<int>(prompt.size());
      prompt.push_back(7);
      int cached = 0;
      const auto logits = serve(restored, prompt, &cached);
      QCOMPARE(cached, held);
      QCOMPARE(logits, serve(pool, prompt));
    }
  }

  // Windowed layers gave pages back: those are not in the file, and what is there goes on as if the
  // server had not ended, from where it can.
  void whatWindowsGaveBackIsNotSaved() {
    constexpr int kLong = 2600;
    auto tiny = test::tinyArchitecture("gemma3 with a pattern");
    tiny.contextLength = kLong;
    if (!test::makeTinyArchitecture(tiny).write(path("windowed.gguf"))) qFatal("cannot write");
    auto compiled = CompiledModel::load(path("windowed.gguf"), {.threads = 1, .chunk = 32});
    if (!compiled) qFatal("%s", compiled.error().message().c_str());
    model_ = std::move(*compiled);
    const std::size_t bytes =
        kLong * transformer::KvPool::bytesPerToken(model_->config(), KvFormat::kF16);
    const auto makePool = [&] {
      return *SequencePool::make(model_->config(), kLong, KvFormat::kF16, 2 * bytes);
    };
    auto pool = makePool();
    Tokens prompt = tokens(2500);
    serve(pool, prompt);
    QVERIFY(saveSession(file(), key(), pool.byUse(), kPlenty));
    QVERIFY(contents().size() < pool.usedBytes() + 20000);
    QVERIFY(contents().size() < bytes * 3 / 4);

    for (const std::size_t edit : {2499, 2000, 1100, 900}) {
      auto restored = makePool();
      QVERIFY(restoreSession(file(), key(), restored));
      prompt[edit] = 250;
      int cached = 0, knew = 0;
      const auto logits = serve(restored, prompt, &cached);
      QCOMPARE(logits, serve(pool, prompt, &knew));
      QCOMPARE(cached, edit > 1500 ? static_cast<int>(edit) : edit > 1024 ? 1024 : 0);
    }
    // The sequence in a file that may not hold it all can be gone on from.
    auto small = makePool();
    serve(small, prompt);
    QVERIFY(saveSession(file(), key(), small.byUse(), bytes / 4));
    QVERIFY(contents().size() < bytes / 4 + 20000);
    auto restored = makePool();
    QVERIFY(restoreSession(file(), key(), restored));
    QCOMPARE(restored.byUse().size(), std::size_t{1});
    const int held = restored.byUse()[0]->length();
    QVERIFY(held > 0 && restored.byUse()[0]->kv().resumable(held) == held);
    int cached = 0;
    auto fresh = makePool();
    const auto logits = serve(restored, prompt, &cached);
    QCOMPARE(cached, held);
    QCOMPARE(logits, serve(fresh, prompt));
  }

  // Whoever wrote the file may lie about what is in it.
  void impossibleFlagsAreRefused() {
    saveTwo();
    Bytes broken = contents();
    const std::size_t hash = broken.size() - 6 * key().pages.bytes - sizeof(std::uint64_t);
    broken[hash - 1] = std::byte{2};  // that of the last chunk
    base::Hash64 right;
    right.add(std::span(broken).first(hash));
    const std::uint64_t value = right.value();
    std::memcpy(&broken[hash], &value, sizeof(value));
    const auto parsed = parseSession(broken, key(), "session");
    QVERIFY(!parsed && parsed.error().what.find("windowed") != std::string::npos);
  }

  void onlyItsOwnerMayReadIt() {
    std::ofstream(file()) << "old";
    QFile::setPermissions(QString::fromStdString(file()),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
    saveTwo();
    using std::filesystem::perms;
    QVERIFY(std::filesystem::status(file()).permissions() ==
            (perms::owner_read | perms::owner_write));
    for (const QString& name : QDir(folder_.path()).entryList(QDir::Files))
      QVERIFY2(!name.contains("part"), qPrintable(name));
  }

  // A server that was killed left it; one that lives is writing.
  void anUnfinishedFileIsTakenOverOrLeftToItsWriter() {
    std::ofstream(file() + ".part") << std::string(1 << 20, 'x');
    const int fd = open((file() + ".part").c_str(), O_RDWR);
    QCOMPARE(flock(fd, LOCK_EX), 0);
    auto pool = poolOf(16);
    serve(pool, tokens(20));
    QVERIFY(!saveSession(file(), key(), pool.byUse(), kPlenty));
    QVERIFY(std::filesystem::exists(file() + ".part"));
    close(fd);
    QVERIFY(saveSession(file(), key(), pool.byUse(), kPlenty));
    QVERIFY(!std::filesystem::exists(file() + ".part"));
    QVERIFY(parseSession(contents(), key(), "session"));
  }

  void aDiskThatFailsLeavesTheOlderFile() {
    saveTwo();
    const Bytes before = contents();
    auto pool = poolOf(16);
    serve(pool, tokens(20));
    for (const auto call :
         {test::DiskCall::kWrite, test::DiskCall::kSync, test::DiskCall::kRename}) {
      const test::DiskFault fault(call, ENOSPC);
      const auto saved = saveSession(file(), key(), pool.byUse(), kPlenty);
      QVERIFY(!saved);
      QVERIFY(saved.error().what.find("No space left") != std::string::npos);
      QCOMPARE(contents(), before);
      QVERIFY(!std::filesystem::exists(file() + ".part"));
    }
  }

  void theSizeIsBounded() {
    auto pool = poolOf(16);
    const Tokens older = tokens(200), newer = tokens(100);
    serve(pool, older);
    serve(pool, newer);
    QVERIFY(saveSession(file(), key(), pool.byUse(), 5 * key().pages.bytes - 1));
    QVERIFY(contents().size() < 5 * key().pages.bytes);
    auto restored = poolOf(16);
    QVERIFY(restoreSession(file(), key(), restored));
    QCOMPARE(restored.byUse().size(), std::size_t{2});
    QCOMPARE(restored.byUse()[0]->length(), 100);
    QCOMPARE(restored.byUse()[1]->length(), 2 * kChunk);  // its beginning
  }

  void asMuchIsRestoredAsThereIsMemoryFor() {
    saveTwo();
    auto small = poolOf(5);
    QVERIFY(restoreSession(file(), key(), small));
    QCOMPARE(small.byUse().size(), std::size_t{1});
    QCOMPARE(small.byUse()[0]->length(), 70);
    auto none = poolOf(1);
    QVERIFY(restoreSession(file(), key(), none));
    QVERIFY(none.byUse().empty());
    auto shorter = *SequencePool::make(model_->config(), 65, KvFormat::kF16, kPlenty / 64);
    QVERIFY(restoreSession(file(), key(), shorter));
    QCOMPARE(shorter.byUse().size(), std::size_t{2});
    QCOMPARE(shorter.byUse()[0]->length(), 65);
  }

  void whatIsNotExactIsNotSaved() {
    auto pool = poolOf(
        16, KvFormat::kF16,
        std::make_shared<const ChunkReuse>(*ChunkReuse::make(model_->model(), KvFormat::kF16, 16)));
    Tokens prompt = tokens(200);
    serve(pool, prompt);
    prompt[100] = 251;
    int cached = 0;
    serve(pool, prompt, &cached);
    QVERIFY(cached > 150);
    QVERIFY(saveSession(file(), key(), pool.byUse(), kPlenty));
    auto restored = poolOf(16);
    QVERIFY(restoreSession(file(), key(), restored));
    QCOMPARE(restored.byUse()[0]->length(), 101);
    const auto logits = serve(restored, prompt, &cached);
    QCOMPARE(cached, 101);
    auto fresh = poolOf(16);
    QCOMPARE(logits, serve(fresh, prompt));
  }

  void withoutAFileNothingIsRestored() {
    auto pool = poolOf(4);
    QVERIFY(restoreSession(file(), key(), pool));
    QVERIFY(pool.byUse().empty());
  }

  void nothingToSaveLeavesTheFile() {
    saveTwo();
    const Bytes before = contents();
    QVERIFY(saveSession(file(), key(), {}, kPlenty));
    QCOMPARE(contents(), before);
  }

  void whatCannotBeReadOrWrittenIsNamed() {
    auto pool = poolOf(4);
    serve(pool, tokens(10));
    const auto nowhere = saveSession("/nowhere/session", key(), pool.byUse(), kPlenty);
    QVERIFY(!nowhere && nowhere.error().what.find("/nowhere/session") != std::string::npos);
    QVERIFY(!nowhere.error().remedy.empty());
    const auto folder = restoreSession(folder_.path().toStdString(), key(), pool);
    QVERIFY(!folder && folder.error().what.find(folder_.path().toStdString()) != std::string::npos);
    const auto inPlace = saveSession(folder_.path().toStdString(), key(), pool.byUse(), kPlenty);
    QVERIFY(!inPlace);
    QVERIFY(!QDir(folder_.path() + "/..").entryList().join(' ').contains(".part"));
  }

  void ofAnotherKindItIsRefused() {
    saveTwo();
    const Bytes bytes = contents();
    const auto refusal = [&](const SessionKey& wanted) {
      const auto parsed = parseSession(bytes, wanted, "session");
      if (parsed || parsed.error().remedy.empty()) return std::string("none");
      return parsed.error().what;
    };
    QCOMPARE(refusal(key()), "none");
    SessionKey other = key();
    other.format = KvFormat::kQ8_0;
    QVERIFY(refusal(other).find("not in q8_0") != std::string::npos);
    other = key();
    other.pages.bytes *= 2;
    QVERIFY(refusal(other).find("pages of 64 positions") != std::string::npos);
    other = key();
    other.vocabulary = 3;
    QVERIFY(refusal(other).find("vocabulary") != std::string::npos);
    other = sessionKey(model_->model(), KvFormat::kF16, tensor::Activations::k8Bits);
    QVERIFY(refusal(other).find("another model") != std::string::npos);
    // The model has the same shape and other weights, then another name; then the same file is
    // loaded once more.
    model_ = load({.contextLength = kCapacity, .seed = 5});
    QVERIFY(refusal(key()).find("another model") != std::string::npos);
    model_ = load({.contextLength = kCapacity, .seed = 4, .name = "other"});
    QVERIFY(refusal(key()).find("another model") != std::string::npos);
    model_ = load({.contextLength = kCapacity, .seed = 4});
    QCOMPARE(refusal(key()), "none");
  }

  void anyDamageIsFound() {
    saveTwo();
    const Bytes whole = contents();
    const std::size_t head = whole.size() - 6 * key().pages.bytes;
    const auto restored = [&](const Bytes& bytes) {
      replace(bytes);
      auto pool = poolOf(16);
      return restoreSession(file(), key(), pool);
    };
    const auto refused = [](const auto& result, const std::string& name) {
      return !result && result.error().what.starts_with(name) && !result.error().remedy.empty();
    };
    QVERIFY(restored(whole));
    for (std::size_t at = 0; at < whole.size(); at += at < head ? 1 : 991) {
      Bytes broken = whole;
      broken[at] ^= static_cast<std::byte>(1 << (at % 8));
      const bool found = at < head ? refused(parseSession(broken, key(), "session"), "session")
                                   : refused(restored(broken), file());
      QVERIFY2(found, qPrintable(QString("byte %1 of %2").arg(at).arg(whole.size())));
      QVERIFY(refused(parseSession(std::span(whole).first(at), key(), "session"), "session"));
    }
    Bytes longer = whole;
    longer.push_back({});
    QVERIFY(refused(parseSession(longer, key(), "session"), "session"));
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
      const Bytes broken = test::mutate(whole, seed, head);
      if (broken == whole) continue;
      const auto parsed = parseSession(broken, key(), "session");
      // Damage to pages is found when they are read.
      if (parsed) QVERIFY(std::equal(whole.begin(), whole.begin() + head, broken.begin()));
    }
  }

  void aServerThatIsStartedAgainKnowsWhatItKnew() {
    struct Answer {
      std::string text;
      JobReport report;
    };
    std::vector<std::string> problems;
    const auto start = [&](const test::TinyModel& model) {
      EngineOptions options;
      options.session = {.file = file(), .onProblem = [&](const base::Error& error) {
                           problems.push_back(error.message());
                         }};
      return std::move(*Engine::make(load(model), std::move(options)));
    };
    const auto complete = [](Engine& engine) {
      auto answer = std::make_shared<Answer>();
      std::promise<void> done;
      engine.submit(CompletionRequest{.client = 1,
                                      .document = "a",
                                      .fileName = "a.cpp",
                                      .prefix = std::string(200, 'k') + "\nint x = ",
                                      .suffix = ";\n",
                                      .limits = {.maxTokens = 8}},
                    {.onText = [answer](std::string text) { answer->text += text; },
                     .onDone =
                         [&](const JobReport& report) {
                           answer->report = report;
                           done.set_value();
                         },
                     .onBegin = {}});
      if (done.get_future().wait_for(std::chrono::seconds(60)) != std::future_status::ready)
        qFatal("the job never ended");
      return *answer;
    };
    const test::TinyModel model{.contextLength = kCapacity, .seed = 4};
    auto engine = start(model);
    const Answer first = complete(*engine);
    QCOMPARE(first.report.cachedTokens, 0);
    engine = nullptr;  // before the next begins
    engine = start(model);
    const Answer again = complete(*engine);
    QCOMPARE(again.report.cachedTokens, again.report.inputTokens - 1);
    QCOMPARE(again.text, first.text);
    QVERIFY(engine->stats().kvUsedBytes > 0);
    engine->stop();
    QVERIFY(problems.empty());

    // Another model says so, and takes the file over.
    for (const bool known : {false, true}) {
      engine = nullptr;
      engine = start({.contextLength = kCapacity, .seed = 5});
      const Answer other = complete(*engine);
      QCOMPARE(other.report.cachedTokens, known ? other.report.inputTokens - 1 : 0);
      QCOMPARE(problems.size(), std::size_t{1});
      QVERIFY(problems[0].find(file()) != std::string::npos);
    }
  }
};

}  // namespace waferpair::inference

QTEST_GUILESS_MAIN(waferpair::inference::TestSessionFile)
#include "test_session_file.moc"
