// The Earth as a terrain in tiles: its relief, with the user's elevation models as insets.
//
// A height is that of the finest inset with data at the place, otherwise the relief's. If two insets have the same
// spacing (within 5 %), the one named later wins. Within an inset the ground is its data alone. Around it coarser data
// are adjusted to the inset's rim to avoid a step: within kReliefHalo metres for the relief, within kHaloSamples of its
// samples for another inset.
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

inline constexpr double kReliefHalo = 2500.0;  // metres; about a quarter of the relief's spacing
inline constexpr double kHaloSamples = 8.0;
inline constexpr const char* kEarthName = "earth";  // a file of that name is "./earth"

class EarthReader;

class EarthSource : public TileSource
{
public:
    // Opens the Earth. `relief`: a file for EarthRelief::read(). Takes any number of insets; reads those that are
    // images. Errors: those of EarthRelief::read() and EarthInset::open(), one line each.
    static Result<std::shared_ptr<EarthSource>>
    open(const std::filesystem::path& relief, std::vector<InsetRequest> insets, const LoadProgress& progress = {});
    // Returns the same Earth with more insets, which count as named later; shares the data in memory.
    Result<std::shared_ptr<EarthSource>> with(std::vector<InsetRequest> more, const LoadProgress& progress = {}) const;
    ~EarthSource() override;

    const Raster& raster() const override { return raster_; }  // named kEarthName, without a placement
    TileGrid grid() const override { return grid_; }
    bool refines(const TileKey& key) const override;
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return decimated_; }
    bool remote() const override;

    // Returns the height (metres) at a place in degrees: bilinear in the finest source, without adjustment around
    // insets. May read from a network, if that source is remote. Empty: a latitude beyond a pole. Any thread.
    Result<std::optional<double>> heightAt(double latitude, double longitude) const;

    const EarthRelief& relief() const { return *relief_; }
    std::span<const Inset> insets() const { return about_; }  // in the order of naming

private:
    friend class EarthReader;
    EarthSource() = default;
    static Result<std::shared_ptr<EarthSource>> make(std::shared_ptr<const EarthRelief> relief,
                                                     std::vector<std::shared_ptr<const EarthInset>> insets);
    void layOut();
    void describe();
    int reliefLevel() const { return grid_.levels() - kReliefLevels; }
    static constexpr int kReliefLevels = 5;  // cube samples at most 6.1 km apart; 9.3 km in the shipped relief

    std::shared_ptr<const EarthRelief> relief_;
    std::vector<std::shared_ptr<const EarthInset>> insets_;  // in the order of naming
    std::vector<std::size_t> order_;                         // from the coarsest to the finest, which takes precedence
    std::vector<int> levels_;                                // for each inset, the grid level with the same density
    std::vector<Inset> about_;
    TileGrid grid_;
    Raster raster_;
    bool decimated_ = true;
    double reach_ = kReliefHalo;  // distance around an inset within which others may be adjusted (metres)
    mutable std::mutex mutex_;
    mutable std::unique_ptr<EarthReader> own_;  // for heightAt()
};

}  // namespace orogen
