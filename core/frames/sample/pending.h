// Pending work that will change the picture.
#pragma once

#include <cstdint>
#include <string>

namespace orogen {

// Counts by kind, 0 when done; the picture is stable when all are 0.
struct Pending
{
    std::uint64_t frames = 0;     // 1: the last picture is incomplete or has another camera, size or settings
    std::uint64_t tiles = 0;      // wanted in view, not resident
    std::uint64_t fades = 0;      // tiles in view that are still fading in
    std::uint64_t changes = 0;    // splits and merges of the newest round; 1 while a round is not counted yet
    std::uint64_t lightRows = 0;  // rows of the light map still to be computed

    std::uint64_t total() const { return frames + tiles + fades + changes + lightRows; }
    // Returns "12 tiles, 3 fading, 1,296 splits and merges"; empty if the total is 0.
    std::string text() const;
    bool operator==(const Pending&) const = default;
};

}  // namespace orogen
