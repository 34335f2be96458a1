#include "app/gl/readback.h"

#include <utility>

namespace orogen::app {

Result<ReadbackRing> ReadbackRing::create(std::string_view label, std::uint64_t bytes, int slots)
{
    ReadbackRing ring;
    ring.bytes_ = bytes;
    ring.stride_ = (bytes + 63) / 64 * 64;
    Result<MappedBuffer> mapped = makeMappedBuffer(label, ring.stride_ * std::uint64_t(slots), GL_MAP_READ_BIT);
    if (!mapped) return mapped.error();
    ring.mapped_ = std::move(*mapped);
    ring.slots_.resize(std::size_t(slots));
    return ring;
}

bool ReadbackRing::enqueue(GLuint source, std::uint64_t offset, std::uint64_t frame)
{
    if (count_ == int(slots_.size()))
    {
        ++dropped_;
        return false;
    }
    const std::size_t index = (oldest_ + std::size_t(count_)) % slots_.size();
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glCopyNamedBufferSubData(source, mapped_.buffer.id(), GLintptr(offset), GLintptr(index * stride_),
                             GLsizeiptr(bytes_));
    slots_[index].frame = frame;
    slots_[index].sync = Sync::fence();
    ++count_;
    return true;
}

std::optional<Readback> ReadbackRing::poll(std::uint64_t nanoseconds)
{
    if (count_ == 0 || !slots_[oldest_].sync || !slots_[oldest_].sync.passed(nanoseconds)) return std::nullopt;
    Slot& slot = slots_[oldest_];
    const std::byte* data = mapped_.data + oldest_ * stride_;
    Readback readback{slot.frame, {data, data + bytes_}};
    slot.sync.reset();
    oldest_ = (oldest_ + 1) % slots_.size();
    --count_;
    return readback;
}

}  // namespace orogen::app
