// The Earth as a terrain in tiles: the relief of all of it, and in it whatever elevation models somebody has.
//
// A height is that of the finest inset that has data at the place; of two that are alike (to 5 % of their spacing) of
// the one named later; else the relief's.  Within an inset the ground is the data alone.  Around it what is coarser is
// bent towards the inset's rim, so that there is no step: within kReliefHalo metres where that is the relief, within
// kHaloSamples of its samples where it is another inset.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/earth/earth_relief.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr double kReliefHalo = 2500.0;  // metres: about a quarter of the relief's spacing
inline constexpr double kHaloSamples = 8.0;
inline constexpr const char* kEarthName = "earth";  // a file of that name is "./earth"

class EarthReader;

class EarthSource : public TileSource
{
public:
    // `relief`: what EarthRelief reads.  Any number of insets; small ones are read here.  Errors: of
    // EarthRelief::read() and EarthInset::open(), one line each; nothing is left half open.
    static Result<std::shared_ptr<EarthSource>>
    open(const std::filesystem::path& relief, std::vector<InsetRequest> insets, const LoadProgress& progress = {});
    // The same Earth with more insets, named later than those it has; shares what is in memory.
    Result<std::shared_ptr<EarthSource>> with(std::vector<InsetRequest> more, const LoadProgress& progress = {}) const;
    ~EarthSource() override;

    const Raster& raster() const override { return raster_; }  // named kEarthName; without a place on a map
    TileGrid grid() const override { return grid_; }
    bool refines(const TileKey& key) const override;
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return decimated_; }
    bool remote() const override;

    // Metres: bilinear in the finest source itself, without what is bent around insets.  Degrees.  Reads where that
    // source is one in tiles, which may take a network's time.  Empty: a latitude beyond a pole.  Any thread.
    Result<std::optional<double>> heightAt(double latitude, double longitude) const;

    const EarthRelief& relief() const { return *relief_; }
    std::span<const Inset> insets() const { return about_; }  // in the order in which they were named

private:
    friend class EarthReader;
    EarthSource() = default;
    static Result<std::shared_ptr<EarthSource>> make(std::shared_ptr<const EarthRelief> relief,
                                                     std::vector<std::shared_ptr<const EarthInset>> insets);
    void layOut();
    void describe();
    int reliefLevel() const { return grid_.levels() - kReliefLevels; }
    static constexpr int kReliefLevels = 5;  // of the cube: samples at most 6.1 km apart, the shipped relief's 9.3

    std::shared_ptr<const EarthRelief> relief_;
    std::vector<std::shared_ptr<const EarthInset>> insets_;  // as named
    std::vector<std::size_t> order_;                         // from the coarsest to the one that wins over all
    std::vector<int> levels_;                                // of each inset: of the grid, where it is as dense
    std::vector<Inset> about_;
    TileGrid grid_;
    Raster raster_;
    bool decimated_ = true;
    double reach_ = kReliefHalo;  // metres around an inset in which others may be bent
    mutable std::mutex mutex_;
    mutable std::unique_ptr<EarthReader> own_;  // of heightAt()
};

}  // namespace orogen
