// Threads that read and make tiles, in the requested order.
//
// Only waitForNews() and the destructor wait for a read. take() and ask() do not even wait for the lock: they return
// false if another thread holds it, and the caller retries in the next frame.
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

    // Starts the threads; called once. At least one must start; error: kLimit.
    Status start(int threads);

    // Appends the tiles loaded or failed since the last call to `news`.
    bool take(std::vector<LoadedTile>& news);
    // Replaces the queue by `wanted`, most urgent first. Reads in progress continue.
    bool ask(const std::vector<TileRequest>& wanted);
    // Waits until take() has something, at most for `seconds`.
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
    std::vector<TileRequest> requests_;  // the next one to read is last
    std::vector<TileKey> reading_;
    std::vector<LoadedTile> loaded_;
    std::atomic<int> loading_{0};
    std::atomic<std::uint64_t> bytesRead_{0};
    std::vector<std::jthread> threads_;  // last member: the threads use all of the above
};

}  // namespace orogen
