// Asynchronous readback of GPU buffers: data arrives some frames later, without a wait.
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
    // Creates a ring with `slots` payloads of `bytes` each in flight.
    static Result<ReadbackRing> create(std::string_view label, std::uint64_t bytes, int slots = 8);

    // Queues a copy of `bytes` from `offset` of `source`, ordered after all earlier commands and shader writes. Returns
    // false, and increments dropped(), if all slots are in flight.  Later writes to `source` need their own barrier.
    bool enqueue(GLuint source, std::uint64_t offset, std::uint64_t frame);

    // Returns the oldest payload that has arrived; waits at most `nanoseconds` (0: no wait).
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
