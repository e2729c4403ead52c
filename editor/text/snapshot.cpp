// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/snapshot.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace waferpair::editor {

// The sums kept for a stretch of text. Stretches add up: see joined().
struct Stretch {
  qint64 bytes = 0;
  qint64 breaks = 0;  // line ends, a CR at the end and an LF at the start counted as whole ones
  bool startsWithLf = false;
  bool endsWithCr = false;
};

namespace {

// A CR and the LF behind it are one line end.
bool isOneBreak(const Stretch& left, const Stretch& right) {
  return left.endsWithCr && right.startsWithLf;
}

// Neither is empty.
Stretch joined(const Stretch& left, const Stretch& right) {
  Q_ASSERT(left.bytes > 0 && right.bytes > 0);
  return {left.bytes + right.bytes, left.breaks + right.breaks - (isOneBreak(left, right) ? 1 : 0),
          left.startsWithLf, right.endsWithCr};
}

Stretch measured(QByteArrayView text) {
  if (text.isEmpty()) return {};
  Stretch stretch{text.size(), 0, text.front() == '\n', text.back() == '\r'};
  char before = 0;
  for (const char c : text) {
    if (c == '\r' || (c == '\n' && before != '\r')) ++stretch.breaks;
    before = c;
  }
  return stretch;
}

// Returns the place behind the `count`th line end of `text`, which has that many.
qint64 behindBreak(QByteArrayView text, qint64 count) {
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' && text[i] != '\n') continue;
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
    if (--count == 0) return i + 1;
  }
  Q_UNREACHABLE();
  return text.size();
}

}  // namespace

struct Snapshot::Node {
  Stretch stretch;
  int height = 0;  // of a leaf 0
  NodePointer left;
  NodePointer right;
  QByteArray text;  // of a leaf, never empty

  bool isLeaf() const { return left == nullptr; }
};

// Makes trees of trees. A null tree is an empty text.
struct Snapshot::Tree {
  using Pair = std::pair<NodePointer, NodePointer>;

  static NodePointer leaf(QByteArrayView text) {
    Q_ASSERT(!text.isEmpty() && text.size() <= kLeafBytes);
    auto node = std::make_shared<Node>();
    node->stretch = measured(text);
    node->text = text.toByteArray();
    return node;
  }

  static NodePointer inner(NodePointer left, NodePointer right) {
    Q_ASSERT(std::abs(left->height - right->height) <= 1);
    auto node = std::make_shared<Node>();
    node->stretch = joined(left->stretch, right->stretch);
    node->height = 1 + std::max(left->height, right->height);
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  // Joins two trees whose heights differ by at most 2.
  static NodePointer balanced(const NodePointer& left, const NodePointer& right) {
    if (left->height > right->height + 1) {
      if (left->left->height >= left->right->height)
        return inner(left->left, inner(left->right, right));
      return inner(inner(left->left, left->right->left), inner(left->right->right, right));
    }
    if (right->height > left->height + 1) {
      if (right->right->height >= right->left->height)
        return inner(inner(left, right->left), right->right);
      return inner(inner(left, right->left->left), inner(right->left->right, right->right));
    }
    return inner(left, right);
  }

  // Joins trees of any height, and leaves their leaves as they are.
  static NodePointer joinedTrees(const NodePointer& left, const NodePointer& right) {
    if (!left) return right;
    if (!right) return left;
    if (left->height > right->height + 1)
      return balanced(left->left, joinedTrees(left->right, right));
    if (right->height > left->height + 1)
      return balanced(joinedTrees(left, right->left), right->right);
    return inner(left, right);
  }

  // The same, where the leaves that meet become one if they have room in one.
  static NodePointer concatenated(const NodePointer& left, const NodePointer& right) {
    if (!left) return right;
    if (!right) return left;
    const Node* last = left.get();
    while (!last->isLeaf()) last = last->right.get();
    const Node* first = right.get();
    while (!first->isLeaf()) first = first->left.get();
    if (last->text.size() + first->text.size() > kLeafBytes) return joinedTrees(left, right);
    const NodePointer middle = leaf(last->text + first->text);
    const NodePointer before = split(left, left->stretch.bytes - last->text.size()).first;
    const NodePointer behind = split(right, first->text.size()).second;
    return joinedTrees(joinedTrees(before, middle), behind);
  }

  // Splits at a place between two leaves, or at either end.
  static Pair split(const NodePointer& tree, qint64 at) {
    if (at <= 0) return {nullptr, tree};
    if (at >= tree->stretch.bytes) return {tree, nullptr};
    Q_ASSERT(!tree->isLeaf());
    const qint64 middle = tree->left->stretch.bytes;
    if (at == middle) return {tree->left, tree->right};
    if (at < middle) {
      auto [before, behind] = split(tree->left, at);
      return {before, joinedTrees(behind, tree->right)};
    }
    auto [before, behind] = split(tree->right, at - middle);
    return {joinedTrees(tree->left, before), behind};
  }

  // Leaves of equal size, as few as hold the text: any two neighbors exceed one.
  static NodePointer built(QByteArrayView text) {
    if (text.isEmpty()) return nullptr;
    return built(text, (text.size() + kLeafBytes - 1) / kLeafBytes);
  }
  static NodePointer built(QByteArrayView text, qsizetype leaves) {
    if (leaves == 1) return leaf(text);
    const qsizetype before = leaves / 2;
    const qsizetype cut = text.size() * before / leaves;
    return inner(built(text.first(cut), before), built(text.sliced(cut), leaves - before));
  }

  struct Leaf {
    const Node* node = nullptr;
    qint64 start = 0;
  };
  // The leaf that holds the byte at `at`; at the text's end the last one.
  static Leaf leafAt(const Node* node, qint64 at) {
    qint64 start = 0;
    while (!node->isLeaf()) {
      const qint64 middle = node->left->stretch.bytes;
      if (at - start < middle) {
        node = node->left.get();
      } else {
        start += middle;
        node = node->right.get();
      }
    }
    return {node, start};
  }

  static void read(const Node& node, qint64 start, qint64 end,
                   const std::function<void(QByteArrayView)>& use) {
    if (node.isLeaf()) return use(QByteArrayView(node.text).sliced(start, end - start));
    const qint64 middle = node.left->stretch.bytes;
    if (start < middle) read(*node.left, start, std::min(end, middle), use);
    if (end > middle) read(*node.right, std::max<qint64>(0, start - middle), end - middle, use);
  }

  static bool isSound(const Node& node) {
    const Stretch& stretch = node.stretch;
    const auto says = [&](const Stretch& true_) {
      return stretch.bytes == true_.bytes && stretch.breaks == true_.breaks &&
             stretch.startsWithLf == true_.startsWithLf && stretch.endsWithCr == true_.endsWithCr;
    };
    if (node.isLeaf())
      return node.height == 0 && !node.text.isEmpty() && node.text.size() <= kLeafBytes &&
             says(measured(node.text));
    const Leaf last = leafAt(node.left.get(), node.left->stretch.bytes);
    const Leaf first = leafAt(node.right.get(), 0);
    return std::abs(node.left->height - node.right->height) <= 1 &&
           node.height == 1 + std::max(node.left->height, node.right->height) &&
           last.node->text.size() + first.node->text.size() > kLeafBytes &&
           says(joined(node.left->stretch, node.right->stretch)) && isSound(*node.left) &&
           isSound(*node.right);
  }
};

Snapshot::Snapshot(QByteArrayView utf8) : root_(Tree::built(utf8)) {}

qint64 Snapshot::size() const { return root_ ? root_->stretch.bytes : 0; }

// The leaves that the edit touches are made anew; those around them stay.
Snapshot Snapshot::replaced(qint64 start, qint64 end, QByteArrayView text) const {
  Q_ASSERT(holds(start, end));
  if (start == end && text.isEmpty()) return *this;
  if (!root_) return Snapshot(text);
  const Tree::Leaf first = Tree::leafAt(root_.get(), start);
  const Tree::Leaf last = Tree::leafAt(root_.get(), end);
  QByteArray middle;
  middle.reserve(2 * kLeafBytes + text.size());
  middle += QByteArrayView(first.node->text).first(start - first.start);
  middle += text;
  middle += QByteArrayView(last.node->text).sliced(end - last.start);
  const NodePointer before = Tree::split(root_, first.start).first;
  const NodePointer behind = Tree::split(root_, last.start + last.node->text.size()).second;
  return Snapshot(Tree::concatenated(Tree::concatenated(before, Tree::built(middle)), behind));
}

QByteArray Snapshot::slice(qint64 start, qint64 end) const {
  QByteArray text;
  text.reserve(std::max<qint64>(0, std::min(end, size()) - std::max<qint64>(start, 0)));
  read(start, end, [&](QByteArrayView piece) { text += piece; });
  return text;
}

void Snapshot::read(qint64 start, qint64 end,
                    const std::function<void(QByteArrayView)>& use) const {
  start = std::max<qint64>(start, 0);
  end = std::min(end, size());
  if (start < end) Tree::read(*root_, start, end, use);
}

// -- Lines

qint64 Snapshot::lineCount() const { return 1 + (root_ ? root_->stretch.breaks : 0); }

qint64 Snapshot::lineStart(qint64 line) const {
  if (line <= 0) return 0;
  if (line >= lineCount()) return size();
  const Node* node = root_.get();
  qint64 start = 0;
  // `line` counts the line ends of `node` up to the one that is looked for. A CR that an LF follows
  // in the next node is not the end of a line there: the LF is.
  while (!node->isLeaf()) {
    const Stretch& left = node->left->stretch;
    const qint64 breaks = left.breaks - (isOneBreak(left, node->right->stretch) ? 1 : 0);
    if (line <= breaks) {
      node = node->left.get();
    } else {
      line -= breaks;
      start += left.bytes;
      node = node->right.get();
    }
  }
  return start + behindBreak(node->text, line);
}

qint64 Snapshot::lineEnd(qint64 line) const {
  if (line + 1 >= lineCount()) return size();
  const qint64 next = lineStart(line + 1);
  const QByteArray end = slice(next - 2, next);
  Q_ASSERT(!end.isEmpty());
  return next - (end == "\r\n" ? 2 : 1);
}

qint64 Snapshot::lineAt(qint64 offset) const {
  offset = std::clamp<qint64>(offset, 0, size());
  if (offset == 0) return 0;
  if (offset == size()) return root_->stretch.breaks;
  const Node* node = root_.get();
  Stretch before;  // of what lies before `node`
  const auto add = [&before](const Stretch& more) {
    before = before.bytes == 0 ? more : more.bytes == 0 ? before : joined(before, more);
  };
  while (!node->isLeaf()) {
    if (offset - before.bytes < node->left->stretch.bytes) {
      node = node->left.get();
    } else {
      add(node->left->stretch);
      node = node->right.get();
    }
  }
  const qint64 inLeaf = offset - before.bytes;
  add(measured(QByteArrayView(node->text).first(inLeaf)));
  return before.breaks - (before.endsWithCr && node->text[inLeaf] == '\n' ? 1 : 0);
}

bool operator==(const Snapshot& a, const Snapshot& b) {
  if (a.root_ == b.root_) return true;
  if (a.size() != b.size()) return false;
  bool same = true;
  for (qint64 at = 0; same && at < a.size();) {
    const Snapshot::Tree::Leaf mine = Snapshot::Tree::leafAt(a.root_.get(), at);
    const Snapshot::Tree::Leaf other = Snapshot::Tree::leafAt(b.root_.get(), at);
    const qint64 end =
        std::min(mine.start + mine.node->text.size(), other.start + other.node->text.size());
    same = mine.node == other.node ||
           QByteArrayView(mine.node->text).sliced(at - mine.start, end - at) ==
               QByteArrayView(other.node->text).sliced(at - other.start, end - at);
    at = end;
  }
  return same;
}

bool Snapshot::isSound() const { return !root_ || Tree::isSound(*root_); }

QVector<TextEdit> inverseOf(const QVector<TextEdit>& edits, const Snapshot& before) {
  QVector<TextEdit> inverse;
  Snapshot text = before;
  for (const TextEdit& edit : edits) {
    inverse.prepend({edit.start, edit.start + edit.text.size(), text.slice(edit.start, edit.end)});
    text = text.edited(edit);
  }
  return inverse;
}

}  // namespace waferpair::editor
