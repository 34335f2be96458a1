// A cache for tests that holds all tiles in memory from the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/terrain/tiles/tile_cache.h"

namespace orogen::app::test {

// Codes that give every triangle of a tile about the same error (metres).
inline TileErrors evenErrors(float metres)
{
    const std::uint8_t code = tileErrorCodes().of(metres);
    TileErrors errors;
    errors.own = {0, 0, kErrorSide, kErrorSide, {}};
    errors.own.cells.assign(std::size_t(kErrorSide) * kErrorSide, {code, {code, code, code, code}, code});
    return errors;
}

// Tiles that are all in memory and uploaded once; the derived class chooses the active ones.
class HeldTiles : public TileCache
{
public:
    HeldTiles(const TileGrid& grid, double reach) : grid_(grid), reach_(reach) {}

    void update(const TileView&, int, float) override
    {
        uploads_.clear();
        if (std::exchange(uploaded_, true)) return;
        for (std::size_t i = 0; i < tiles_.size(); ++i)
            uploads_.push_back({int(i), tiles_[i]});
    }
    std::span<const TileUpload> uploads() const override { return uploads_; }
    std::span<const ActiveTile> active() const override { return active_; }
    double reach() const override { return reach_; }
    const TileGrid& grid() const override { return grid_; }
    int slots() const override { return int(tiles_.size()); }
    TileStats stats() const override
    {
        return {.resident = int(active_.size()), .capacity = slots(), .missing = missing_};
    }
    bool settle(const TileView& view, double, const std::function<void()>& upload) override
    {
        update(view, 0, 1);
        upload();
        return missing_ == 0;
    }
    void change(std::shared_ptr<const TileSource>, const IndexBox&) override {}
    bool changing() const override { return false; }
    bool setBudget(std::uint64_t) override { return false; }
    void uploadAgain() override { uploaded_ = false; }
    std::vector<std::string> takeMessages() override { return {}; }
    float heightAt(double, double) const override { return 0; }

    int missing_ = 0;
    std::vector<ActiveTile> active_;

protected:
    TileGrid grid_;
    double reach_;
    std::vector<std::shared_ptr<const Tile>> tiles_;

private:
    std::vector<TileUpload> uploads_;
    bool uploaded_ = false;
};

}  // namespace orogen::app::test
