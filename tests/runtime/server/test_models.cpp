// SPDX-License-Identifier: GPL-3.0-or-later
// Tests when a model is in memory, with engines of a tiny model that a test hands out as if they
// were of larger ones.
#include <QTemporaryDir>
#include <QtTest>
#include <boost/asio/io_context.hpp>

#include "runtime/protocol/messages.h"
#include "runtime/server/core/models.h"
#include "tests/runtime/server/tiny_engine.h"

namespace waferpair::server {

class TestModels : public QObject {
  Q_OBJECT

  static constexpr std::uint64_t kMebibyte = 1 << 20;

  QTemporaryDir folder_;
  Log log_;
  std::unique_ptr<boost::asio::io_context> context_;
  std::shared_ptr<Models> models_;
  std::vector<std::string> news_;               // "b leaving"
  std::map<std::string, std::uint64_t> bytes_;  // by file
  std::atomic<int> loads_ = 0;

  // A server with models a, b, ... that need so many MiB.
  void begin(const std::vector<std::uint64_t>& needs, MemoryRules rules) {
    context_ = std::make_unique<boost::asio::io_context>(1);
    news_.clear();
    loads_ = 0;
    models_ = std::make_shared<Models>(Baton(*context_), log_,
                                       [this](HostedModel& model, Models::News news) {
                                         if (news == Models::News::kLoaded)
                                           news_.push_back(model.name() + " loaded");
                                         if (news == Models::News::kLeaving)
                                           news_.push_back(model.name() + " leaving");
                                       });
    std::vector<ModelSource> sources;
    for (const std::uint64_t need : needs) {
      const std::string name(1, static_cast<char>('a' + sources.size()));
      bytes_[name] = need * kMebibyte;
      sources.push_back({name, name});
    }
    models_->begin(
        {.preview = [this](const ModelSource& source) -> base::Result<inference::ModelPreview> {
           if (!bytes_.count(source.file)) return base::fail("It is broken.", "Mend it.");
           return inference::ModelPreview{{}, bytes_.at(source.file)};
         },
         .load =
             [this](const ModelSource&, const inference::LoadProgress&) {
               ++loads_;
               return test::makeTinyEngine(folder_);
             }},
        rules, sources, [](const base::Error&) {});
    until([&] {
      return models_->first()->engine() &&
             std::ranges::all_of(models_->all(), [](const auto& model) { return model->card(); });
    });
  }
  template <typename Condition>
  void until(const Condition& condition) {
    while (!condition()) {
      context_->restart();
      context_->run_one();
    }
  }
  void load(const std::string& name) {
    const auto model = *models_->find(name);
    bool told = false;
    models_->whenLoaded(model, [&told](const base::Error*) { told = true; });
    until([&] { return told; });
  }
  std::string states() {
    std::string states;
    for (const auto& model : models_->all())
      states += model->engine() ? 'r' : model->state() == HostedModel::State::kFailed ? 'f' : 'i';
    return states;
  }

 private slots:
  void cleanup() {
    if (models_) models_->stop();
    models_.reset();
    context_.reset();
  }

  void othersThanTheFirstAreLoadedWhenTheyAreAskedFor() {
    begin({1, 1}, {.limitBytes = 100 * kMebibyte});
    QCOMPARE(states(), std::string("ri"));
    QCOMPARE(loads_.load(), 1);
    load("b");
    load("b");
    QCOMPARE(states(), std::string("rr"));
    QCOMPARE(loads_.load(), 2);
    QCOMPARE(news_, (std::vector<std::string>{"a loaded", "b loaded"}));
  }

  void theOneUnusedLongestMakesRoom() {
    begin({0, 40, 40, 40}, {.limitBytes = 100 * kMebibyte});
    load("b");
    load("c");
    (*models_->find("b"))->use();  // and ends at once
    load("d");
    QCOMPARE(states(), std::string("rrir"));
    QCOMPARE(news_.at(news_.size() - 2), std::string("c leaving"));
  }

  void oneAtWorkKeepsItsMemory() {
    begin({0, 60, 60}, {.limitBytes = 100 * kMebibyte});
    load("b");
    const auto b = *models_->find("b"), c = *models_->find("c");
    auto use = b->use();
    QCOMPARE(models_->unload(b)->code, std::string(protocol::error_code::kNotReady));
    std::string why;
    models_->whenLoaded(c, [&](const base::Error* failure) { why = failure->message(); });
    QVERIFY2(why.starts_with("c needs 60 MiB"), why.c_str());
    QCOMPARE(states(), std::string("rri"));
    QCOMPARE(c->failure()->message(), why);
    use.reset();
    load("c");
    QCOMPARE(states(), std::string("rir"));
    QVERIFY(!c->failure());
  }

  void whatCannotFitUnloadsNobody() {
    begin({10, 50, 101}, {.limitBytes = 100 * kMebibyte});
    load("b");
    bool failed = false;
    models_->whenLoaded(*models_->find("c"),
                        [&](const base::Error* failure) { failed = failure != nullptr; });
    QVERIFY(failed);
    QCOMPARE(states(), std::string("rri"));
    QCOMPARE(loads_.load(), 2);
  }

  void oneThatNobodyAsksForGivesItsMemoryBack() {
    begin({1, 1}, {.limitBytes = 100 * kMebibyte, .othersIdle = std::chrono::seconds(1)});
    load("b");
    until([&] { return states() == "ri"; });  // the first stays
    QCOMPARE(news_.back(), std::string("b leaving"));
    load("b");
    const auto use = (*models_->find("b"))->use();
    // Not while it is used: its time is looked at twice and it is there.
    context_->restart();
    context_->run_one();
    QCOMPARE(states(), std::string("rr"));
  }

  void aBrokenOneIsReadAgainWhenItIsWanted() {
    begin({1}, {});
    const auto wanted = models_->offer({"/b"});
    QVERIFY(wanted.has_value());
    const auto b = *wanted;
    until([&] { return b->state() == HostedModel::State::kFailed; });
    QCOMPARE(Models::refusal(*b)->message(), std::string("It is broken. Mend it."));
    bytes_["/b"] = kMebibyte;
    models_->load(b);
    until([&] { return b->engine() != nullptr; });
    QVERIFY(!b->failure());
    bytes_.erase("/b");
  }

  void aFileWithAnAdapterIsAnotherModel() {
    begin({1}, {});
    const ModelSource half{"/b", "", {{"/style", 0.5f}}}, whole{"/b", "", {{"/style"}}};
    const auto plain = *models_->offer({"/b"}), first = *models_->offer(half),
               second = *models_->offer(whole);
    QVERIFY(plain != first && first != second && second != plain);
    QVERIFY(*models_->offer(half) == first && *models_->offer({"/b"}) == plain);
    QCOMPARE(second->source().adapters.front().factor, 1.0f);
    QCOMPARE(models_->all().size(), std::size_t{4});
  }

  void thereIsALimitToTheirNumberAndTheFirstStays() {
    begin({1}, {});
    for (std::size_t count = 1; count < Models::kMost; ++count)
      QVERIFY(models_->offer({"/" + std::to_string(count)}).has_value());
    QVERIFY(models_->offer({"/1"}).has_value());  // it is there
    QCOMPARE(models_->offer({"/9"}).error().code,
             std::string(protocol::error_code::kLimitExceeded));
    QCOMPARE(models_->forget(models_->first())->code,
             std::string(protocol::error_code::kInvalidField));
    const auto one = *models_->find("/1");
    until([&] { return one->failure() != nullptr; });
    QVERIFY(!models_->forget(one));
    QVERIFY(models_->offer({"/9"}).has_value());
  }
};

}  // namespace waferpair::server

QTEST_GUILESS_MAIN(waferpair::server::TestModels)
#include "test_models.moc"
