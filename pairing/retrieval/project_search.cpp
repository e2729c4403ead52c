// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/retrieval/project_search.h"

#include <QCoreApplication>
#include <QPointer>
#include <utility>

namespace waferpair::pairing {

ProjectSearch::ProjectSearch(std::function<QVector<OpenText>()> openTexts, QObject* parent)
    : QObject(parent), openTexts_(std::move(openTexts)) {
  thread_.setMaxThreadCount(1);
  thread_.setThreadPriority(QThread::LowPriority);
}

ProjectSearch::~ProjectSearch() {
  *cancelled_ = true;
  thread_.waitForDone();
}

ProjectPassages::Request ProjectSearch::requestNow() const {
  ProjectPassages::Request request = request_;
  if (openTexts_) request.open = openTexts_();
  return request;
}

void ProjectSearch::setProject(const QString& root, const QStringList& files) {
  if (root != request_.root) {
    *cancelled_ = true;
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
    reading_ = 0;
    passages_ = std::make_shared<const ProjectPassages>();
  }
  request_.root = root;
  request_.files = files;
  refresh();
}

void ProjectSearch::refresh() {
  whenRead(this, [] {});
}

void ProjectSearch::whenRead(QObject* context, std::function<void()> ready) {
  ++reading_;
  // The thread knows nothing of this object but through the guarded pointer, used on the UI thread.
  thread_.start([self = QPointer<ProjectSearch>(this), context = QPointer<QObject>(context),
                 request = requestNow(), cancelled = cancelled_, before = passages_,
                 ready = std::move(ready)] {
    auto passages = ProjectPassages::read(request, before, *cancelled);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, context, cancelled, passages = std::move(passages), ready] {
          if (!self || *cancelled) return;
          --self->reading_;
          self->passages_ = passages;
          Q_EMIT self->read();
          if (context) ready();
        },
        Qt::QueuedConnection);
  });
}

void ProjectSearch::search(const QString& question, qsizetype most, QObject* context, Found found) {
  whenRead(this, [this, question, most, context = QPointer<QObject>(context),
                  found = std::move(found), cancelled = cancelled_] {
    thread_.start([context, passages = passages_, question, most, found, cancelled] {
      if (*cancelled) return;
      QVector<FoundPassage> passagesFound = passages->search(question, most);
      QMetaObject::invokeMethod(
          QCoreApplication::instance(),
          [context, cancelled, passagesFound = std::move(passagesFound), found] {
            if (context && !*cancelled) found(passagesFound);
          },
          Qt::QueuedConnection);
    });
  });
}

}  // namespace waferpair::pairing
