// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/session_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include "runtime/base/hash64.h"
#include "runtime/base/output_file.h"
#include "runtime/transformer/model.h"

namespace waferpair::inference {
namespace {

using Bytes = std::span<const std::byte>;
using tensor::kChunk;

// Numbers and keys are written as they lie in memory.
static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> kMagic = {'W', 'A', 'F', 'E', 'R', 'K', 'V', '\n'};

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kSessionVersion;
  std::uint32_t format = 0;
  std::uint64_t model = 0;
  std::uint64_t pageBytes = 0;
  std::uint32_t pagePositions = kChunk;
  std::uint32_t sequences = 0;
};
static_assert(sizeof(Header) == 40);

struct IndexEntry {
  std::uint32_t positions = 0, zero = 0;
  std::uint64_t pagesHash = 0;
};
static_assert(sizeof(IndexEntry) == 16);

constexpr const char* kSessionRemedy =
    "It is not used, and replaced when the server ends; remove it, or choose another "
    "--session-cache.";

std::uint64_t hashOf(Bytes bytes) {
  base::Hash64 hash;
  hash.add(bytes);
  return hash.value();
}

std::size_t chunksOf(std::size_t positions) { return (positions + kChunk - 1) / kChunk; }

std::size_t pagesOfChunk(const SessionKey& key, bool whole) {
  return static_cast<std::size_t>(key.pages.ofChunk - (whole ? 0 : key.pages.windowed));
}

// A state takes so many bytes in the file, and so many pages.
std::size_t stateBytes(const SessionKey& key) { return key.states.bytes(0); }
std::size_t statePages(const SessionKey& key) {
  return (stateBytes(key) + key.pages.bytes - 1) / key.pages.bytes;
}

// Takes values from the front of bytes that have them.
template <typename T>
T take(Bytes& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return value;
}

template <typename T>
void put(std::vector<std::byte>& to, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// A descriptor and, of one that was opened to be read, its bytes.
class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (size_ > 0) munmap(address_, size_);
    if (fd_ >= 0) close(fd_);
  }
  int descriptor() const { return fd_; }  // negative if it could not be opened
  // Maps all of a file of this user's. False, with errno, where that does not work; an empty file
  // has no bytes.
  bool map() {
    struct stat info;
    if (fstat(fd_, &info) != 0) return false;
    if (!S_ISREG(info.st_mode) || info.st_uid != geteuid()) {
      errno = S_ISREG(info.st_mode) ? EPERM : EINVAL;
      return false;
    }
    if (info.st_size == 0) return true;
    const auto size = static_cast<std::size_t>(info.st_size);
    address_ = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd_, 0);
    if (address_ == MAP_FAILED) return false;
    size_ = size;
    return true;
  }
  Bytes bytes() const { return {static_cast<const std::byte*>(address_), size_}; }

 private:
  int fd_;
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

// A sequence to be saved: its first positions.
struct Part {
  const Sequence* sequence = nullptr;
  int positions = 0;

  template <typename OnChunk>
  void forEachChunk(const OnChunk& onChunk) const {
    for (int chunk = 0; chunk * kChunk < positions; ++chunk) onChunk(sequence->kv(), chunk);
  }
};

// Returns as much of a sequence as `room` pages hold, and takes them from there.
Part partOf(const Sequence& sequence, const SessionKey& key, std::size_t& room) {
  const transformer::KvCache& kv = sequence.kv();
  const auto pages = [&](int chunk) { return pagesOfChunk(key, kv.whole(chunk)); };
  if (room <= statePages(key)) return {};
  int chunk = 0;
  for (std::size_t left = room - statePages(key);
       chunk * kChunk < sequence.exact() && pages(chunk) <= left; ++chunk)
    left -= pages(chunk);
  const int most = std::min(sequence.exact(), chunk * kChunk);
  const Part part{&sequence, key.states.layers > 0 ? kv.statePosition(most) : kv.resumable(most)};
  if (part.positions > 0) room -= statePages(key);
  part.forEachChunk([&](const auto&, int each) { room -= pages(each); });
  return part;
}

// Adds the arrays of a state, one behind another, each on its own as they are written.
void addState(base::Hash64& hash, Bytes state, const transformer::StateShape& shape) {
  const auto add = [&](int arrays, int floats) {
    for (int i = 0; i < arrays; ++i) {
      const std::size_t size = static_cast<std::size_t>(floats) * sizeof(float);
      hash.add(state.first(size));
      state = state.subspan(size);
    }
  };
  add(shape.layers * shape.heads, shape.matrix);
  add(shape.layers * shape.before, shape.row);
}

std::vector<std::byte> headOf(const SessionKey& key, std::span<const Part> parts) {
  std::vector<std::byte> head;
  put(head, Header{.format = static_cast<std::uint32_t>(key.format),
                   .model = key.model,
                   .pageBytes = key.pages.bytes,
                   .sequences = static_cast<std::uint32_t>(parts.size())});
  for (const Part& part : parts) {
    base::Hash64 hash;
    part.forEachChunk([&](const transformer::KvCache& kv, int chunk) {
      for (const Bytes page : kv.pages(chunk)) hash.add(page);
    });
    for (const Bytes array : part.sequence->kv().stateArrays(part.positions)) hash.add(array);
    put(head, IndexEntry{.positions = static_cast<std::uint32_t>(part.positions),
                         .pagesHash = hash.value()});
  }
  for (const Part& part : parts) {
    const auto tokens = part.sequence->tokens().first(static_cast<std::size_t>(part.positions));
    const auto bytes = std::as_bytes(tokens);
    head.insert(head.end(), bytes.begin(), bytes.end());
  }
  for (const Part& part : parts) {
    part.forEachChunk([&](const transformer::KvCache& kv, int chunk) {
      put(head, static_cast<std::uint8_t>(kv.whole(chunk)));
    });
  }
  put(head, hashOf(head));
  return head;
}

base::Result<void> checkHeader(const Header& header, const SessionKey& key,
                               const std::string& name) {
  const auto refuse = [&](const std::string& what) {
    return base::fail(name + ": " + what, kSessionRemedy);
  };
  if (header.magic != kMagic) return refuse("is not a session file of waferd.");
  if (header.version != kSessionVersion)
    return refuse("has version " + std::to_string(header.version) +
                  ", this program writes and reads " + std::to_string(kSessionVersion) + ".");
  if (header.model != key.model)
    return refuse("was written for another model, or on another kind of processor.");
  if (header.format != static_cast<std::uint32_t>(key.format))
    return refuse("holds keys and values in the format " + std::to_string(header.format) +
                  ", not in " + tensor::kvFormatName(key.format) + ".");
  if (header.pageBytes != key.pages.bytes || header.pagePositions != kChunk)
    return refuse("has pages of " + std::to_string(header.pagePositions) + " positions and " +
                  std::to_string(header.pageBytes) + " bytes, not of " + std::to_string(kChunk) +
                  " and " + std::to_string(key.pages.bytes) + ".");
  if (header.sequences > SequencePool::kMost)
    return refuse("names " + std::to_string(header.sequences) + " sequences, more than " +
                  std::to_string(SequencePool::kMost) + ".");
  return {};
}

// Adds what tells a file from others, without reading all of it.
void addFile(base::Hash64& hash, const gguf::File& file) {
  constexpr std::size_t kSample = 512, kSamples = 4;  // of a tensor, spread over it
  hash.add(file.metadataBytes());
  for (const gguf::TensorInfo& tensor : file.tensors()) {
    hash.add(std::as_bytes(std::span(tensor.name)));
    hash.add(static_cast<std::uint64_t>(tensor.type));
    hash.add(std::as_bytes(std::span(tensor.ne)));
    const Bytes data = file.data(tensor);
    const std::size_t size = std::min(kSample, data.size());
    for (std::size_t i = 0; i < kSamples; ++i)
      hash.add(data.subspan((data.size() - size) / (kSamples - 1) * i, size));
  }
}

}  // namespace

SessionKey sessionKey(const transformer::Model& model, tensor::KvFormat format,
                      tensor::Activations activations) {
  base::Hash64 hash;
  addFile(hash, model.file());
  for (const transformer::Adapters::Added& adapter : model.adapters().added()) {
    addFile(hash, *adapter.file);
    hash.add(std::as_bytes(std::span(&adapter.factor, 1)));
  }
  // Others round otherwise: what they computed is not what would be computed here.
  hash.add(std::as_bytes(std::span(std::string_view(tensor::kernels().name))));
  hash.add(static_cast<std::uint64_t>(activations));
  return {.model = hash.value(),
          .format = format,
          .pages = transformer::KvPages::of(model.config(), format),
          .states = transformer::StateShape::of(model.config()),
          .vocabulary = model.config().vocabSize};
}

base::Result<std::vector<SavedSequence>> parseSession(Bytes file, const SessionKey& key,
                                                      const std::string& name) {
  const auto damaged = [&](const std::string& what) {
    return base::fail(name + ": " + what, std::string("The file is damaged. ") + kSessionRemedy);
  };
  const auto endsEarly = [&] {
    return damaged("ends at byte " + std::to_string(file.size()) + ", too early.");
  };
  Bytes rest = file;
  if (rest.size() < sizeof(Header)) return endsEarly();
  const auto header = take<Header>(rest);
  if (auto checked = checkHeader(header, key, name); !checked)
    return tl::unexpected(checked.error());

  // No product below can overflow: there are at most kMost sequences of 2^32 positions.
  if (rest.size() < header.sequences * sizeof(IndexEntry)) return endsEarly();
  std::vector<IndexEntry> index(header.sequences);
  std::uint64_t positions = 0, chunks = 0;
  for (IndexEntry& entry : index) {
    entry = take<IndexEntry>(rest);
    positions += entry.positions;
    chunks += chunksOf(entry.positions);
  }
  const std::uint64_t ids = positions * sizeof(std::int32_t);
  const std::uint64_t head = file.size() - rest.size() + ids + chunks;
  if (file.size() < head + sizeof(std::uint64_t)) return endsEarly();
  Bytes hash = file.subspan(head);
  if (take<std::uint64_t>(hash) != hashOf(file.first(head)))
    return damaged("the hash of its first " + std::to_string(head) + " bytes is wrong.");
  // Whoever wrote that hash may still be wrong about the rest.
  Bytes whole = rest.subspan(ids, chunks);
  std::uint64_t pages = 0;
  for (const std::byte flag : whole) {
    if (flag > std::byte{1})
      return damaged("says " + std::to_string(std::to_integer<int>(flag)) +
                     " where a chunk's windowed pages are there, 1, or not, 0.");
    pages += pagesOfChunk(key, flag == std::byte{1});
  }
  Bytes data = hash;
  const std::uint64_t states = header.sequences * stateBytes(key);
  if (data.size() < states || (data.size() - states) / key.pages.bytes < pages) return endsEarly();
  if (data.size() - states != pages * key.pages.bytes)
    return damaged("has " + std::to_string(data.size() - states) + " bytes of pages, but names " +
                   std::to_string(pages) + " of " + std::to_string(key.pages.bytes) + ".");

  std::vector<SavedSequence> sequences;
  for (const IndexEntry& entry : index) {
    if (entry.positions == 0) return damaged("names a sequence of no positions.");
    SavedSequence& sequence = sequences.emplace_back();
    sequence.pagesHash = entry.pagesHash;
    for (std::size_t chunk = 0; chunk < chunksOf(entry.positions); ++chunk) {
      const std::size_t count = pagesOfChunk(key, take<std::byte>(whole) == std::byte{1});
      sequence.chunks.push_back(data.first(count * key.pages.bytes));
      sequence.pages += count;
      data = data.subspan(count * key.pages.bytes);
    }
    sequence.state = data.first(stateBytes(key));
    sequence.pages += statePages(key);
    data = data.subspan(stateBytes(key));
    sequence.tokens.resize(entry.positions);
    for (std::int32_t& token : sequence.tokens) {
      token = take<std::int32_t>(rest);
      if (token < 0 || token >= key.vocabulary)
        return damaged("names the token " + std::to_string(token) + ", outside the vocabulary of " +
                       std::to_string(key.vocabulary) + ".");
    }
  }
  return sequences;
}

base::Result<void> saveSession(const std::string& path, const SessionKey& key,
                               std::span<const Sequence* const> sequences, std::size_t mostBytes) {
  std::vector<Part> parts;
  std::size_t left = mostBytes / key.pages.bytes;  // pages
  for (const Sequence* sequence : sequences) {
    const Part part = partOf(*sequence, key, left);
    if (part.positions > 0) parts.push_back(part);
  }
  if (parts.empty()) return {};

  const auto failure = [&path] {
    return base::fail(
        "The session file " + path + " cannot be written: " + std::strerror(errno) + ".",
        "Choose another --session-cache, or free some space.");
  };
  // Always the same name, so that what a server leaves behind that is killed is not added to.
  const std::string unfinished = path + ".part";
  OpenFile file(
      open(unfinished.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  const int fd = file.descriptor();
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) return failure();  // or another writes it
  bool written =
      ftruncate(fd, 0) == 0 && fchmod(fd, 0600) == 0 && base::writeAll(fd, headOf(key, parts));
  for (const Part& part : parts) {
    part.forEachChunk([&](const transformer::KvCache& kv, int chunk) {
      for (const Bytes page : kv.pages(chunk)) written = written && base::writeAll(fd, page);
    });
    for (const Bytes array : part.sequence->kv().stateArrays(part.positions))
      written = written && base::writeAll(fd, array);
  }
  if (written && base::syncFile(fd) && rename(unfinished.c_str(), path.c_str()) == 0) {
    if (base::syncFolderOf(path)) return {};
    return failure();
  }
  auto failed = failure();
  unlink(unfinished.c_str());
  return failed;
}

base::Result<void> restoreSession(const std::string& path, const SessionKey& key,
                                  SequencePool& pool) {
  // A pipe would wait for somebody to write.
  OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.descriptor() < 0 && errno == ENOENT) return {};
  if (file.descriptor() < 0 || !file.map())
    return base::fail("The session file " + path + " cannot be read: " + std::strerror(errno) + ".",
                      "Choose another --session-cache.");
  auto saved = parseSession(file.bytes(), key, path);
  if (!saved) return tl::unexpected(saved.error());

  // The sequences used last come back, as far as the pool has room, in reverse order, so that the
  // older ones are the older ones again. Until all are there they are taken: none may make place
  // for another.
  std::size_t room = pool.bytes() / key.pages.bytes, count = 0;
  for (; count < saved->size() && (*saved)[count].pages <= room; ++count)
    room -= (*saved)[count].pages;
  std::vector<Sequence*> taken;
  base::Result<void> result;
  for (std::size_t i = count; i-- > 0 && result;) {
    const SavedSequence& sequence = (*saved)[i];
    base::Hash64 hash;
    for (const Bytes chunk : sequence.chunks)
      for (std::size_t at = 0; at < chunk.size(); at += key.pages.bytes)
        hash.add(chunk.subspan(at, key.pages.bytes));
    addState(hash, sequence.state, key.states);
    if (hash.value() != sequence.pagesHash) {
      result = base::fail(
          path + ": the hash of the pages of sequence " + std::to_string(i) + " is wrong.",
          std::string("The file is damaged. ") + kSessionRemedy);
      break;
    }
    taken.push_back(pool.take(sequence.tokens));
    result = taken.back()->restore(sequence.tokens, sequence.chunks, sequence.state);
  }
  for (Sequence* sequence : taken) pool.release(sequence);
  return result;
}

}  // namespace waferpair::inference
