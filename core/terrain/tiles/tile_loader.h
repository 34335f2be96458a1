// Threads that read and make tiles, in the requested order.
//
// Only waitForNews() and the destructor wait for a read. take() and ask() do not even wait for the lock: they return
// false if another thread holds it, and the caller retries in the next frame.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

struct TileRequest
{
    TileKey key;
    std::shared_ptr<const Tile> parent;  // null for the coarsest level, or with `follows`
    bool follows = false;                // the parent is requested, too: the loader makes it first and sets `parent`
    std::shared_ptr<const TileSource> source = nullptr;  // source to make the tile from; null: the loader's
};

struct LoadedTile
{
    TileKey key;
    Result<std::shared_ptr<const Tile>> tile;
    std::shared_ptr<const TileSource> source = nullptr;  // as in the request
};

class TileLoader
{
public:
    explicit TileLoader(std::shared_ptr<const TileSource> source) : source_(std::move(source)) {}
    ~TileLoader();

    // Starts the threads; called once. At least one must start; error: kLimit.
    Status start(int threads);

    // Appends the tiles loaded or failed since the last call to `news`.
    bool take(std::vector<LoadedTile>& news);
    // Replaces the queue by `wanted`, most urgent first. Reads in progress continue.
    bool ask(const std::vector<TileRequest>& wanted);
    // Waits until take() has something, at most for `seconds`.
    void waitForNews(double seconds);

    int loading() const { return loading_.load(std::memory_order_relaxed); }  // tiles being read
    std::uint64_t bytesRead() const { return bytesRead_.load(std::memory_order_relaxed); }

private:
    void work(const std::stop_token& stop);
    bool next(TileRequest& request, const std::stop_token& stop);
    bool ready(TileRequest& request) const;
    static bool same(const TileRequest& a, const LoadedTile& b) { return a.key == b.key && a.source == b.source; }
    static bool same(const TileRequest& a, const TileRequest& b) { return a.key == b.key && a.source == b.source; }

    const std::shared_ptr<const TileSource> source_;
    std::mutex mutex_;
    std::condition_variable_any wanted_, news_;
    std::vector<TileRequest> requests_;  // the next one to read is last
    std::vector<TileRequest> reading_;   // requests in progress; `parent` is null
    std::vector<LoadedTile> loaded_;
    std::atomic<int> loading_{0};
    std::atomic<std::uint64_t> bytesRead_{0};
    std::vector<std::jthread> threads_;  // last member: the threads use all of the above
};

// ---- failures ----
//
// Tiles that could not be read: when to retry, and which messages to show.
//
// A cause is the file name at the start of an error, with digits replaced. Blocks of one file and files of one mosaic
// therefore share a cause, even if their messages differ. A cause is reported once, however many tiles it affects, and
// once more when its last wanted tile has been read. A recurring cause is reported at most once in kQuiet seconds.

class ReadFailures
{
public:
    static constexpr double kFirstPause = 0.5, kLongestPause = 30;  // seconds between tries; each is twice the last
    static constexpr double kQuiet = 60;                            // seconds between two reports of a cause
    static constexpr std::size_t kMostKept = 65'536;                // failed tiles kept; the oldest are forgotten first
    static constexpr std::size_t kMostCauses = 256;                 // causes kept, unless more are unresolved

    // Records a failure. `now`: time (seconds) from any origin.
    void failed(const TileKey& key, const std::string& message, double now);
    // Records a success. `wanted` returns whether a tile is still wanted.
    void loaded(const TileKey& key, double now, const std::function<bool(const TileKey&)>& wanted);

    bool has(const TileKey& key) const { return tiles_.contains(key); }
    bool mayTry(const TileKey& key, double now) const;  // false during the pause after a failure
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
        bool told = false;    // the cause was reported and has not been resolved since
        double since = 0;     // time of the report (seconds)
    };
    void tell(const std::string& cause, const std::string& message, double now);

    std::unordered_map<TileKey, Failure> tiles_;
    std::unordered_map<std::string, Cause> causes_;
    std::vector<std::string> messages_;
};

}  // namespace orogen
