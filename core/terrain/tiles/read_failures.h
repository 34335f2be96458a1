// Tiles that could not be read: when to try again, and what to say about it.
//
// A cause is the file that an error names, but for the numbers in its name: blocks of one file and files of one mosaic
// that fail are one, in however many words.  Each is told once, however many tiles it costs, and once more when the
// last of its tiles that is wanted has been read after all.  A cause that comes and goes is told once in kQuiet
// seconds.
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
    static constexpr std::size_t kMostKept = 65'536;                // tiles; of more the oldest are forgotten
    static constexpr std::size_t kMostCauses = 256;                 // likewise

    void failed(const TileKey& key, const std::string& message, double now);
    // `wanted`: whether a tile is still of interest.
    void loaded(const TileKey& key, double now, const std::function<bool(const TileKey&)>& wanted);

    bool has(const TileKey& key) const { return tiles_.contains(key); }
    bool mayTry(const TileKey& key, double now) const;  // has not failed, or long enough ago
    int tries(const TileKey& key) const;
    bool empty() const { return tiles_.empty(); }
    std::vector<std::string> takeMessages() { return std::exchange(messages_, {}); }

private:
    struct Failure
    {
        std::string cause;
        int tries = 0;
        double again = 0, since = 0;  // seconds
    };
    struct Cause
    {
        std::string message;  // the first
        bool told = false;    // and not over
        double since = 0;     // that it was told
    };
    void forgetOldest();
    void tell(const std::string& cause, const std::string& message, double now);

    std::unordered_map<TileKey, Failure> tiles_;
    std::unordered_map<std::string, Cause> causes_;
    std::vector<std::string> messages_;
};

}  // namespace orogen
