// Work that will still change the picture that is shown.
#pragma once

#include <cstdint>
#include <string>

namespace orogen {

// Each number is 0 where nothing of its kind is left; the picture is settled where all are.
struct Pending
{
    std::uint64_t frames = 0;     // 1: the picture drawn last is of another camera, size or settings, or not complete
    std::uint64_t tiles = 0;      // wanted in view, and not resident
    std::uint64_t fades = 0;      // tiles in view that have not faded in
    std::uint64_t changes = 0;    // splits and merges of the newest round; 1 where a round has not been counted yet
    std::uint64_t lightRows = 0;  // rows of the light map that are to be computed

    std::uint64_t total() const { return frames + tiles + fades + changes + lightRows; }
    // "12 tiles, 3 fading, 1,296 splits and merges"; empty where the total is 0.
    std::string text() const;
    bool operator==(const Pending&) const = default;
};

}  // namespace orogen
