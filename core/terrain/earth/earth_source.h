// The Earth as a terrain in tiles: its relief, with the user's elevation models as insets.
//
// Insets lie over each other in the order of naming: the last inset with data at a place gives the height, otherwise
// the relief. Around an inset's data a membrane (inset_membrane.h) is added to the ground below: it carries on the
// difference between the data and that ground, and fades out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/earth/inset_membrane.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Relief of the whole Earth, ocean floor and land, in memory; drawn where no elevation model laid over it has data. Its
// samples have constant steps in latitude and longitude. The first row is the north pole, the last the south pole; all
// samples of a pole are one place. Immutable.
class EarthRelief
{
public:
    // Reads a raster of the whole Earth in degrees, from pole to pole, in any format of loadRaster(). Rounds heights to
    // whole metres. The shipped relief (4320 x 2161) takes 0.2 s. Errors: those of loadRaster(); kInput:
    // another extent, voids, heights beyond int16.
    static Result<EarthRelief> read(const std::string& path);
    // Makes the relief of a raster in memory. Errors: as read(), except those of loadRaster().
    static Result<EarthRelief> of(const Raster& raster);

    // Returns the height (metres), bilinear in degrees. Wraps longitudes and clamps latitudes. Takes about 20 ns.
    float heightAt(double latitude, double longitude) const;

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    double west() const { return west_; }     // longitude of column 0 (degrees)
    double spacing() const;                   // metres between samples on a meridian
    float lowest() const { return lowest_; }  // metres
    float highest() const { return highest_; }

private:
    EarthRelief() = default;
    float at(int column, int row) const
    {
        return heights_[std::size_t(row) * std::size_t(columns_) + std::size_t(column)];
    }

    int columns_ = 0, rows_ = 0;
    double west_ = 0;
    float lowest_ = 0, highest_ = 0;
    std::vector<std::int16_t> heights_;  // metres, row by row from the north
};

inline constexpr const char* kEarthName = "earth";  // opens the Earth; a file of that name is opened as "./earth"

class EarthReader;

class EarthSource : public TileSource
{
public:
    // Opens the Earth. `relief`: a file for EarthRelief::read(). Takes any number of insets. Reads the samples of an
    // inset now, unless it is opened in tiles. `solve` makes an inset's membrane when ground near the inset is first
    // read. Errors: those of EarthRelief::read() and EarthInset::open(), one line each.
    // `replaced`: an elevation model, of any part of the Earth, that takes the relief's place where it has data.
    static Result<std::shared_ptr<EarthSource>> open(const std::filesystem::path& relief,
                                                     std::vector<InsetRequest> insets, SolveVoids solve,
                                                     const LoadProgress& progress = {},
                                                     const std::optional<InsetRequest>& replaced = {});
    // Returns the same Earth with more insets, which lie over the present ones. Both sources share the data in memory.
    // Errors: those of EarthInset::open().
    Result<std::shared_ptr<EarthSource>> with(std::vector<InsetRequest> more, const LoadProgress& progress = {}) const;
    ~EarthSource() override;

    const Raster& raster() const override { return raster_; }  // named kEarthName, without a placement
    TileGrid grid() const override { return grid_; }
    bool refines(const TileKey& key) const override;
    int baseLevel() const override { return replaced_ > 0 ? levels_.front() : reliefLevel(); }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return decimated_; }
    bool remote() const override;

    // Returns the height (metres) at a place in degrees: bilinear in the last named inset with data there, or else in
    // the relief. Adds no membrane. May read from a network if an inset there is remote. Empty: a latitude beyond a
    // pole or a number that is not finite. Any thread. Errors: those of reading.
    Result<std::optional<double>> heightAt(double latitude, double longitude) const;

    // Reads the heights (metres) of places in degrees, longitudes in [-180, 180], as drawn without procedural detail.
    // A height is bilinear in the last named inset with data there, or else in the relief. Membranes of insets nearby
    // are added. Places near each other are read fastest. Any thread. Errors: those of reading, and of the membranes'
    // solver.
    Status groundAt(std::span<const LatLong> places, std::span<float> out) const;

    // Returns the spacing of the data that tiles of a level show at a place (metres): that of the level's samples on
    // the cube, but at least that of the relief (or of the model that replaces it), which finer levels interpolate.
    // Within an inset's extent, levels finer than baseLevel() have no such minimum.
    double spacingAt(int level, LatLong place) const;
    const EarthRelief& relief() const { return *relief_; }
    // Returns the insets in the order of naming, without a model that replaces the relief.
    std::span<const Inset> insets() const { return std::span(about_).subspan(replaced_); }
    // Returns the elevation models over the shipped relief in the order of naming. A model that replaces the relief is
    // the first.
    std::vector<std::shared_ptr<const EarthInset>> models() const;
    // Returns the elevation model that replaces the shipped relief; null: none.
    const Inset* replacedRelief() const { return replaced_ > 0 ? &about_.front() : nullptr; }

private:
    friend class EarthReader;
    // An inset, the distance from it at which its membrane ends (metres), and the membrane once it is made.
    struct Laid
    {
        std::shared_ptr<const EarthInset> inset;
        double reach = 0;
        std::mutex mutex;
        std::optional<InsetMembrane> membrane;
    };
    using Insets = std::vector<std::shared_ptr<Laid>>;

    EarthSource() = default;
    static Result<std::shared_ptr<EarthSource>> make(std::shared_ptr<const EarthRelief> relief, Insets insets,
                                                     std::size_t replaced, SolveVoids solve);
    static Status openInsets(const std::vector<InsetRequest>& requests, const LoadProgress& progress, Insets& insets);
    // Returns an inset's membrane, which the first call makes. A membrane depends on the insets named before its own.
    // Null: a raster all around the Earth has no membrane.
    Result<const InsetMembrane*> membraneOf(std::size_t inset) const;
    void layOut();
    void describe();
    int reliefLevel() const { return grid_.levels() - kReliefLevels; }
    // Levels of a grid for the relief alone: its finest samples are at most 5.1 km apart, the relief's 9.3 km.
    static constexpr int kReliefLevels = 5;

    std::shared_ptr<const EarthRelief> relief_;
    Insets insets_;             // in the order of naming
    std::size_t replaced_ = 0;  // 1: the first of insets_ takes the relief's place
    std::vector<int> levels_;   // for each inset, the coarsest grid level at least as dense
    SolveVoids solve_;
    std::vector<Inset> about_;  // descriptions of insets_
    TileGrid grid_;
    Raster raster_;
    bool decimated_ = true;
    mutable std::mutex mutex_;                  // guards own_
    mutable std::unique_ptr<EarthReader> own_;  // for heightAt() and groundAt(), made by the first call
};

}  // namespace orogen
