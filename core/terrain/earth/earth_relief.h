// Relief of the whole Earth, ocean floor and land, in memory; drawn where no elevation model laid over it has data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Relief on a grid of points with constant steps in latitude and longitude. The first row is the north pole, the last
// the south pole; all samples of a pole are one place. Immutable.
class EarthRelief
{
public:
    // Reads a raster of the whole Earth in degrees, from pole to pole, in any format of loadRaster(). Rounds heights to
    // whole metres. The shipped relief (4320 x 2161) takes 0.2 s. Errors, kInput: those of loadRaster(); another
    // extent; voids; heights beyond int16.
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

}  // namespace orogen
