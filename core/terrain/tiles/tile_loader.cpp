#include "core/terrain/tiles/tile_loader.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "core/base/threads.h"
#include "core/terrain/tiles/tile_making.h"

namespace orogen {
namespace {

Result<std::shared_ptr<const Tile>> load(const TileSource& source, std::unique_ptr<TileReader>& reader,
                                         TileMaker& maker, const TileRequest& request)
{
    try
    {
        if (!reader)
        {
            Result<std::unique_ptr<TileReader>> opened = source.openReader();
            if (!opened) return opened.error();
            reader = std::move(*opened);
        }
        return maker.make(*reader, request.key, request.parent.get());
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, source.raster().name + ": no memory for a tile"};
    }
}

}  // namespace

TileLoader::~TileLoader()
{
    for (std::jthread& thread : threads_)
        thread.request_stop();
}

Status TileLoader::start(int threads)
{
    for (int i = 0; i < threads; ++i)
    {
        Result<std::jthread> thread =
            startThread(source_->raster().name, [this](const std::stop_token& stop) { work(stop); });
        if (!thread) return threads_.empty() ? Status(thread.error()) : Status::ok();
        threads_.push_back(std::move(*thread));
    }
    return Status::ok();
}

bool TileLoader::take(std::vector<LoadedTile>& news)
{
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    std::move(loaded_.begin(), loaded_.end(), std::back_inserter(news));
    loaded_.clear();
    return true;
}

bool TileLoader::ask(const std::vector<TileRequest>& wanted)
{
    {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return false;
        requests_.clear();
        std::copy_if(wanted.rbegin(), wanted.rend(), std::back_inserter(requests_),
                     [this](const TileRequest& request) { return !underWay(request.key); });
        if (requests_.empty()) return true;
    }
    wanted_.notify_all();
    return true;
}

void TileLoader::waitForNews(double seconds)
{
    std::unique_lock lock(mutex_);
    news_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return !loaded_.empty(); });
}

// Returns whether a tile is being read, or has been read and not taken.
bool TileLoader::underWay(const TileKey& key) const
{
    return std::find(reading_.begin(), reading_.end(), key) != reading_.end() ||
           std::any_of(loaded_.begin(), loaded_.end(), [&](const LoadedTile& tile) { return tile.key == key; });
}

bool TileLoader::next(TileRequest& request, const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    if (!wanted_.wait(lock, stop, [this] { return !requests_.empty(); })) return false;
    request = std::move(requests_.back());
    requests_.pop_back();
    reading_.push_back(request.key);
    loading_.store(int(reading_.size()), std::memory_order_relaxed);
    return true;
}

void TileLoader::work(const std::stop_token& stop)
{
    std::unique_ptr<TileReader> reader;
    TileMaker maker(*source_);
    std::uint64_t counted = 0;
    for (TileRequest request; next(request, stop);)
    {
        Result<std::shared_ptr<const Tile>> tile = load(*source_, reader, maker, request);
        request.parent.reset();
        const std::uint64_t bytes = reader ? reader->bytesRead() : 0;
        bytesRead_.fetch_add(bytes - counted, std::memory_order_relaxed);
        counted = bytes;
        {
            const std::lock_guard lock(mutex_);
            std::erase(reading_, request.key);
            loading_.store(int(reading_.size()), std::memory_order_relaxed);
            loaded_.push_back({request.key, std::move(tile)});
        }
        news_.notify_all();
    }
}

}  // namespace orogen
