// Tiles that could not be read: when to retry, and which messages to show.
//
// A cause is the file name at the start of an error, with digits replaced. Blocks of one file and files of one mosaic
// therefore share a cause, even if their messages differ. A cause is reported once, however many tiles it affects, and
// once more when its last wanted tile has been read. A recurring cause is reported at most once in kQuiet seconds.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

class ReadFailures
{
public:
    static constexpr double kFirstPause = 0.5, kLongestPause = 30;  // seconds between tries; each is twice the last
    static constexpr double kQuiet = 60;                            // seconds
    static constexpr std::size_t kMostKept = 65'536;                // tiles; the oldest are forgotten first
    static constexpr std::size_t kMostCauses = 256;                 // causes kept

    void failed(const TileKey& key, const std::string& message, double now);
    // Records a success. `wanted` returns whether a tile is still of interest.
    void loaded(const TileKey& key, double now, const std::function<bool(const TileKey&)>& wanted);

    bool has(const TileKey& key) const { return tiles_.contains(key); }
    bool mayTry(const TileKey& key, double now) const;  // true unless it failed a short time ago
    int tries(const TileKey& key) const;
    bool empty() const { return tiles_.empty(); }
    std::vector<std::string> takeMessages() { return std::exchange(messages_, {}); }

private:
    struct Failure
    {
        std::string cause;
        int tries = 0;
        double again = 0, since = 0;  // time of the next try and of the last failure (seconds)
    };
    struct Cause
    {
        std::string message;  // first message of the cause
        bool told = false;    // reported, and not resolved since
        double since = 0;     // time of the report (seconds)
    };
    void forgetOldest();
    void tell(const std::string& cause, const std::string& message, double now);

    std::unordered_map<TileKey, Failure> tiles_;
    std::unordered_map<std::string, Cause> causes_;
    std::vector<std::string> messages_;
};

}  // namespace orogen
