// Tile source whose reads wait or fail on request.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "core/terrain/tiles/tile_source.h"

namespace orogen::test {

class FaultyTiles final : public TileSource
{
public:
    // Called before each read, on the reading threads; an error fails the read.
    using Fault = std::function<Status(const TileWindow&)>;

    explicit FaultyTiles(std::shared_ptr<const TileSource> source) : source_(std::move(source)) {}

    void fail(Fault fault) const
    {
        const std::lock_guard lock(mutex_);
        fault_ = std::move(fault);
    }
    const Raster& raster() const override { return source_->raster(); }
    TileGrid grid() const override { return source_->grid(); }
    bool refines(const TileKey& key) const override { return source_->refines(key); }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey& key) const override
    {
        return known ? source_->bounds(key) : std::nullopt;
    }
    bool decimated() const override { return source_->decimated(); }

    bool known = true;  // the source knows the bounds of its tiles

private:
    friend class FaultyReader;

    std::shared_ptr<const TileSource> source_;
    mutable std::mutex mutex_;
    mutable Fault fault_;
};

class FaultyReader final : public TileReader
{
public:
    FaultyReader(const FaultyTiles& tiles, std::unique_ptr<TileReader> reader)
        : tiles_(tiles), reader_(std::move(reader))
    {
    }
    Status read(const TileWindow& window, std::span<float> out) override
    {
        FaultyTiles::Fault fault;
        {
            const std::lock_guard lock(tiles_.mutex_);
            fault = tiles_.fault_;
        }
        if (fault)
            if (Status status = fault(window); !status) return status;
        bytes_ += out.size_bytes();
        return reader_->read(window, out);
    }
    bool slopes(const TileWindow& window, std::span<float> out) override { return reader_->slopes(window, out); }
    std::uint64_t bytesRead() const override { return bytes_; }

private:
    const FaultyTiles& tiles_;
    std::unique_ptr<TileReader> reader_;
    std::uint64_t bytes_ = 0;
};

inline Result<std::unique_ptr<TileReader>> FaultyTiles::openReader() const
{
    Result<std::unique_ptr<TileReader>> reader = source_->openReader();
    if (!reader) return reader.error();
    return std::unique_ptr<TileReader>(std::make_unique<FaultyReader>(*this, std::move(*reader)));
}

// Blocks reads until it is opened.
class Gate
{
public:
    void open()
    {
        const std::lock_guard lock(mutex_);
        open_ = true;
        opened_.notify_all();
    }
    void pass()
    {
        std::unique_lock lock(mutex_);
        ++waiting_;
        opened_.wait(lock, [this] { return open_; });
    }
    bool reached() const  // by a thread
    {
        const std::lock_guard lock(mutex_);
        return waiting_ > 0;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable opened_;
    bool open_ = false;
    int waiting_ = 0;
};

}  // namespace orogen::test
