#include "core/terrain/tiles/tile_loader.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "core/base/thread_pool.h"
#include "core/terrain/tiles/tile.h"

namespace orogen {
namespace {

// A thread's reader and maker for one source.
struct SourceAccess
{
    SourceAccess() = default;
    explicit SourceAccess(std::shared_ptr<const TileSource> of)
        : source(std::move(of)), maker(std::make_unique<TileMaker>(*source))
    {
    }

    Result<std::shared_ptr<const Tile>> load(const TileRequest& request)
    {
        try
        {
            if (!reader)
            {
                Result<std::unique_ptr<TileReader>> opened = source->openReader();
                if (!opened) return opened.error();
                reader = std::move(*opened);
                counted = reader->bytesRead();
            }
            return reader->make(*maker, request.key, request.parent.get());
        }
        catch (const std::bad_alloc&)
        {
            return Error{ExitCode::kLimit, source->raster().name + ": no memory for a tile"};
        }
    }

    std::uint64_t newBytes()
    {
        const std::uint64_t bytes = reader ? reader->bytesRead() : 0;
        return bytes - std::exchange(counted, bytes);
    }

    std::shared_ptr<const TileSource> source;  // declared first, because the reader and the maker use it
    std::unique_ptr<TileReader> reader;
    std::unique_ptr<TileMaker> maker;
    std::uint64_t counted = 0;
};

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
        std::copy_if(wanted.rbegin(), wanted.rend(), std::back_inserter(requests_), [this](const TileRequest& request) {
            // Leaves out tiles that are being read, and tiles that take() has not collected yet.
            return std::ranges::none_of(reading_, [&](const TileRequest& read) { return same(request, read); }) &&
                   std::ranges::none_of(loaded_, [&](const LoadedTile& tile) { return same(request, tile); });
        });
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

// Returns whether a tile can be made now, and sets its parent if that has just been made.
bool TileLoader::ready(TileRequest& request) const
{
    if (!request.follows) return true;
    const auto made = std::ranges::find_if(loaded_, [&](const LoadedTile& tile) {
        return tile.key == request.key.parent() && tile.source == request.source;
    });
    if (made == loaded_.end() || !made->tile) return false;
    request.parent = *made->tile;
    request.follows = false;
    return true;
}

bool TileLoader::next(TileRequest& request, const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    auto first = requests_.rend();
    const auto find = [&] {
        first = std::find_if(requests_.rbegin(), requests_.rend(), [this](TileRequest& one) { return ready(one); });
        return first != requests_.rend();
    };
    if (!wanted_.wait(lock, stop, find)) return false;
    request = std::move(*first);
    requests_.erase(std::next(first).base());
    reading_.push_back({request.key, nullptr, false, request.source});
    loading_.store(int(reading_.size()), std::memory_order_relaxed);
    return true;
}

void TileLoader::work(const std::stop_token& stop)
{
    SourceAccess access;
    for (TileRequest request; next(request, stop);)
    {
        const std::shared_ptr<const TileSource>& source = request.source ? request.source : source_;
        if (source != access.source) access = SourceAccess(source);
        Result<std::shared_ptr<const Tile>> tile = access.load(request);
        request.parent.reset();
        bytesRead_.fetch_add(access.newBytes(), std::memory_order_relaxed);
        {
            const std::lock_guard lock(mutex_);
            std::erase_if(reading_, [&](const TileRequest& read) { return same(request, read); });
            loading_.store(int(reading_.size()), std::memory_order_relaxed);
            loaded_.push_back({request.key, std::move(tile), request.source});
        }
        request.source.reset();
        news_.notify_all();
        wanted_.notify_all();  // requests of the tile's children may be ready
    }
}

namespace {

// Returns the file name that errors begin with.
std::string nameIn(const std::string& message) { return message.substr(0, message.find(": ")); }

// Returns the file name with '#' in place of each number. So files whose names differ only in numbers have one cause,
// though their messages differ.
std::string causeOf(const std::string& message)
{
    std::string cause;
    for (const char c : nameIn(message))
        if (c < '0' || c > '9')
            cause += c;
        else if (cause.empty() || cause.back() != '#')
            cause += '#';
    return cause;
}

}  // namespace

void ReadFailures::failed(const TileKey& key, const std::string& message, double now)
{
    if (tiles_.size() >= kMostKept && !has(key))
    {
        const auto older = [](const auto& a, const auto& b) { return a.second.since < b.second.since; };
        tiles_.erase(std::min_element(tiles_.begin(), tiles_.end(), older));
    }
    Failure& failure = tiles_[key];
    failure.cause = causeOf(message);
    const double pause = std::min(kFirstPause * double(1u << std::min(failure.tries, 16)), kLongestPause);
    ++failure.tries;
    failure.since = now;
    failure.again = now + pause;
    tell(failure.cause, message, now);
}

void ReadFailures::tell(const std::string& name, const std::string& message, double now)
{
    if (causes_.size() >= kMostCauses && !causes_.contains(name))
        std::erase_if(causes_, [](const auto& cause) { return !cause.second.told; });
    const auto [at, fresh] = causes_.try_emplace(name);
    Cause& cause = at->second;
    if (cause.told || (!fresh && now - cause.since < kQuiet)) return;
    cause = {message, true, now};
    messages_.push_back(message + "; coarser data stand in, and it is tried again");
}

void ReadFailures::loaded(const TileKey& key, double now, const std::function<bool(const TileKey&)>& wanted)
{
    const auto found = tiles_.find(key);
    if (found == tiles_.end()) return;
    const std::string cause = std::move(found->second.cause);
    tiles_.erase(found);
    bool left = false;
    for (auto& [other, failure] : tiles_)
    {
        if (failure.cause != cause) continue;
        failure.again = std::min(failure.again, now);  // one recovered tile suggests that the others can be read
        left |= wanted(other);
    }
    if (left) return;
    std::erase_if(tiles_, [&](const auto& tile) { return tile.second.cause == cause; });
    Cause& over = causes_[cause];
    if (std::exchange(over.told, false)) messages_.push_back(nameIn(over.message) + ": can be read again");
}

bool ReadFailures::mayTry(const TileKey& key, double now) const
{
    const auto found = tiles_.find(key);
    return found == tiles_.end() || now >= found->second.again;
}

int ReadFailures::tries(const TileKey& key) const
{
    const auto found = tiles_.find(key);
    return found == tiles_.end() ? 0 : found->second.tries;
}

}  // namespace orogen
