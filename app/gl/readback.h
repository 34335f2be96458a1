// Counters that the GPU wrote, brought to the CPU a few frames later without waiting for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/gl/objects.h"
#include "core/base/status.h"

namespace orogen::app {

struct Readback
{
    std::uint64_t frame = 0;
    std::vector<std::byte> data;
};

class ReadbackRing
{
public:
    // `slots` payloads of `bytes` each can be on their way at once.
    static Result<ReadbackRing> create(std::string_view label, std::uint64_t bytes, int slots = 8);

    // Copies `bytes` from `offset` of `source` as commands so far (shader writes included) leave them.  False, and
    // counted in dropped(), if all slots are on their way.  Not a barrier for what the caller does to `source` next.
    bool enqueue(GLuint source, std::uint64_t offset, std::uint64_t frame);

    // The oldest payload not yet delivered, if it has arrived; waits for at most `nanoseconds` (0: does not wait).
    std::optional<Readback> poll(std::uint64_t nanoseconds = 0);

    int inFlight() const { return count_; }
    std::uint64_t dropped() const { return dropped_; }

private:
    struct Slot
    {
        std::uint64_t frame = 0;
        Sync sync;
    };

    MappedBuffer mapped_;
    std::uint64_t bytes_ = 0, stride_ = 0;
    std::vector<Slot> slots_;
    std::size_t oldest_ = 0;
    int count_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace orogen::app
