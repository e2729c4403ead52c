// SPDX-License-Identifier: GPL-3.0-or-later
// News instead of a box in the way: what happened, and buttons for what can be done about it.
// Nothing waits for an answer.
#pragma once

#include <QFrame>
#include <QList>
#include <functional>

class QBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace waferpair::gui {

class ApprovedText;
class WrapLayout;

class Banner : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { kInfo, kWarning, kError };

  Banner(Kind kind, const QString& text, QWidget* parent);

  Kind kind() const { return kind_; }
  QString text() const;
  bool hasButtons() const;
  // `name` becomes the object name. The banner closes after `run` unless that has replaced it.
  Banner& addButton(const QString& name, const QString& text, std::function<void()> run);
  // Shows below the text, in full, what a button added by addConsent() agrees to.
  Banner& showApproved(const QString& text);
  // A button that is disabled until the end of that was in sight.
  Banner& addConsent(const QString& name, const QString& text, std::function<void()> run);
  // Null: there is none.
  const ApprovedText* approved() const { return approved_; }

  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void dismissed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  // The rows that the text takes at this width.
  int rowsOfText(int width) const;
  // Pixels of width that neither the text nor the buttons have.
  int around() const;

  QPushButton* makeButton(const QString& name, const QString& text, std::function<void()> run);

  Kind kind_;
  QLabel* text_;
  ApprovedText* approved_ = nullptr;
  QVBoxLayout* words_;   // the text, and what is agreed to
  QBoxLayout* content_;  // these, and beside them or below the buttons
  WrapLayout* buttons_;
};

// The banners of one place, each under an id: a newer one replaces the older of the same id.
class BannerStack : public QWidget {
  Q_OBJECT
 public:
  explicit BannerStack(QWidget* parent);

  // Owned by the stack until it is dismissed, removed or replaced. Its object name is `id`.
  Banner& show(const QString& id, Banner::Kind kind, const QString& text);
  void remove(const QString& id);
  // Null if there is none.
  Banner* find(const QString& id) const;
  // Returns them in the order in which they were shown.
  const QList<Banner*>& banners() const { return banners_; }

 Q_SIGNALS:
  void added(Banner* banner);
  // A banner was removed.
  void changed();

 private:
  QList<Banner*> banners_;
};

}  // namespace waferpair::gui
