// Threads that read and make tiles, in the order in which they are asked for.
//
// Nothing here waits for a read but waitForNews() and the destructor.  take() and ask() do not even wait for a thread
// that holds the lock: they return false, and are called again with the next frame.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

struct TileRequest
{
    TileKey key;
    std::shared_ptr<const Tile> parent;  // null for the coarsest level
};

struct LoadedTile
{
    TileKey key;
    Result<std::shared_ptr<const Tile>> tile;
};

class TileLoader
{
public:
    explicit TileLoader(std::shared_ptr<const TileSource> source) : source_(std::move(source)) {}
    ~TileLoader();

    // Once.  At least one thread; error kLimit: not even that can be started.
    Status start(int threads);

    // What has been loaded, or could not be, since the last call is added to `news`.
    bool take(std::vector<LoadedTile>& news);
    // From now on these are wanted, the first first, and nothing else but what is being read.
    bool ask(const std::vector<TileRequest>& wanted);
    // Until take() has something, or so long.
    void waitForNews(double seconds);

    int loading() const { return loading_.load(std::memory_order_relaxed); }
    std::uint64_t bytesRead() const { return bytesRead_.load(std::memory_order_relaxed); }

private:
    void work(const std::stop_token& stop);
    bool next(TileRequest& request, const std::stop_token& stop);
    bool underWay(const TileKey& key) const;

    const std::shared_ptr<const TileSource> source_;
    std::mutex mutex_;
    std::condition_variable_any wanted_, news_;
    std::vector<TileRequest> requests_;  // the next one last
    std::vector<TileKey> reading_;
    std::vector<LoadedTile> loaded_;
    std::atomic<int> loading_{0};
    std::atomic<std::uint64_t> bytesRead_{0};
    std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace orogen
