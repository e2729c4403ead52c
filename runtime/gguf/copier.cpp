// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/gguf/copier.h"

#include <cstring>
#include <utility>

#include "runtime/gguf/layout.h"

namespace waferpair::gguf {

Copier::Copier(base::OutputFile out, std::vector<std::uint64_t> sizes, std::uint64_t alignment)
    : out_(std::move(out)), sizes_(std::move(sizes)), alignment_(alignment) {}

base::Result<Copier> Copier::create(const File& file, std::span<const TensorType> types,
                                    std::optional<std::uint32_t> fileType,
                                    const std::string& path) {
  const std::span<const std::byte> original = file.metadataBytes();
  std::vector<std::byte> metadata(original.begin(), original.end());
  const Value* type = file.find("general.file_type");
  if (fileType && type != nullptr && type->type == ValueType::kUint32) {
    std::memcpy(&metadata[type->offset - File::kMetadataStart], &*fileType, sizeof(*fileType));
  }
  // All parts of a model become one file.
  if (const Value* parts = file.find("split.count"); parts != nullptr) {
    const std::uint64_t one = 1;
    std::memcpy(&metadata[parts->offset - File::kMetadataStart], &one, scalarSize(parts->type));
  }
  const auto alignment = static_cast<std::uint64_t>(*file.integerOr("general.alignment", 32));

  std::vector<TensorHead> tensors;
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const TensorInfo& info = file.tensors()[i];
    tensors.push_back({info.written, types[i], info.ne});
    sizes.push_back(dataBytes(tensors.back()));
  }
  auto out = base::OutputFile::create(path);
  if (!out) return tl::unexpected(out.error());
  const auto head = headOfFile(file.metadata().size(), metadata, tensors, alignment);
  if (auto written = out->write(head); !written) return tl::unexpected(written.error());
  return Copier(std::move(*out), std::move(sizes), alignment);
}

base::Result<void> Copier::write(std::span<const std::byte> data) {
  if (tensor_ == sizes_.size() || data.size() > sizes_[tensor_] - written_) {
    return base::fail("More data were written than the tensors of a copy have.");
  }
  if (auto done = out_.write(data); !done) return done;
  written_ += data.size();
  if (written_ < sizes_[tensor_]) return {};
  const std::vector<std::byte> padding(
      static_cast<std::size_t>(alignedUp(written_, alignment_) - written_));
  ++tensor_;
  written_ = 0;
  return out_.write(padding);
}

base::Result<void> Copier::finish() {
  if (tensor_ < sizes_.size()) return base::fail("A copy lacks the data of some tensors.");
  return out_.keep();
}

}  // namespace waferpair::gguf
