// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/secret_store.h"

#include <QFileInfo>
#include <QUrl>

// A structure of GLib's has a member of this name.
#undef signals
#include <libsecret/secret.h>
#define signals Q_SIGNALS

#include "gui/translate.h"

namespace waferpair::gui {

struct SecretStore::Cancellation {
  GCancellable* handle = g_cancellable_new();
  Cancellation() = default;
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;
  ~Cancellation() { g_object_unref(handle); }
};

namespace {

constexpr char kAddress[] = "address";

const SecretSchema* schema() {
  static const SecretSchema schema = [] {
    SecretSchema made{};
    made.name = "org.waferpair.ModelKey";
    made.attributes[0] = {kAddress, SECRET_SCHEMA_ATTRIBUTE_STRING};
    return made;
  }();
  return &schema;
}

editor::Error unavailable(const QString& why) {
  return {tr("The desktop's secret store cannot be used: %1.").arg(why),
          tr("Without it keys hold until the program ends.")};
}

// Without the address of a bus GLib would try to start one.
bool hasBus() {
  return !qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") ||
         QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

editor::Error takeError(GError* error) {
  if (!error) return {};
  QString why = QString::fromUtf8(error->message);
  while (why.endsWith(u'.')) why.chop(1);
  g_error_free(error);
  return unavailable(why);
}

}  // namespace

SecretStore::SecretStore(QObject* parent)
    : QObject(parent), cancellation_(std::make_shared<Cancellation>()) {
  thread_.setMaxThreadCount(1);
}

SecretStore::~SecretStore() {
  g_cancellable_cancel(cancellation_->handle);
  thread_.clear();
  thread_.waitForDone();
}

// `work` runs on the thread, and what it returns here.
void SecretStore::run(std::function<std::function<void()>(Cancellation&)> work) {
  thread_.start([this, work = std::move(work), cancellation = cancellation_] {
    const std::function<void()> report = work(*cancellation);
    if (!g_cancellable_is_cancelled(cancellation->handle))
      QMetaObject::invokeMethod(this, report, Qt::QueuedConnection);
  });
}

void SecretStore::keep(const QString& address, const QByteArray& key, Done done) {
  run([address, key, done](Cancellation& cancellation) -> std::function<void()> {
    editor::Error problem = unavailable(tr("there is no session bus"));
    if (hasBus()) {
      GError* error = nullptr;
      const QByteArray label =
          tr("Waferpair: key for the models at %1").arg(QUrl(address).host()).toUtf8();
      secret_password_store_sync(schema(), SECRET_COLLECTION_DEFAULT, label.constData(),
                                 key.constData(), cancellation.handle, &error, kAddress,
                                 address.toUtf8().constData(), nullptr);
      problem = takeError(error);
    }
    return [done, problem] { done(problem); };
  });
}

void SecretStore::find(const QString& address, Found found) {
  run([address, found](Cancellation& cancellation) -> std::function<void()> {
    editor::Error problem = unavailable(tr("there is no session bus"));
    QByteArray key;
    if (hasBus()) {
      GError* error = nullptr;
      gchar* secret = secret_password_lookup_sync(schema(), cancellation.handle, &error, kAddress,
                                                  address.toUtf8().constData(), nullptr);
      key = secret;
      secret_password_free(secret);
      problem = takeError(error);
    }
    return [found, key, problem] { found(key, problem); };
  });
}

void SecretStore::remove(const QString& address, Done done) {
  run([address, done](Cancellation& cancellation) -> std::function<void()> {
    editor::Error problem = unavailable(tr("there is no session bus"));
    if (hasBus()) {
      GError* error = nullptr;
      secret_password_clear_sync(schema(), cancellation.handle, &error, kAddress,
                                 address.toUtf8().constData(), nullptr);
      problem = takeError(error);
    }
    return [done, problem] { done(problem); };
  });
}

}  // namespace waferpair::gui
