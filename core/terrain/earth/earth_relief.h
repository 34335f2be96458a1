// The relief of the whole Earth, ocean floor and land, in memory: what is drawn where nobody brings better data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Samples are points, equally far apart in latitude and in longitude; the first row is the north pole, the last the
// south pole, whose samples are all one place.  Immutable.
class EarthRelief
{
public:
    // Any format of loadRaster(), in degrees, all around the Earth and from pole to pole, in whole metres; the shipped
    // one (4320 x 2161) in 0.2 s.  Errors, kInput: of loadRaster(); another extent; voids; heights beyond int16.
    static Result<EarthRelief> read(const std::string& path);
    static Result<EarthRelief> of(const Raster& raster);

    // Metres; bilinear in degrees.  Any longitude; latitudes beyond a pole are the pole's.  About 20 ns.
    float heightAt(double latitude, double longitude) const;

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    double spacing() const;  // metres between samples on a meridian
    float lowest() const { return lowest_; }
    float highest() const { return highest_; }

private:
    EarthRelief() = default;
    float at(int column, int row) const
    {
        return heights_[std::size_t(row) * std::size_t(columns_) + std::size_t(column)];
    }
    void evenPoles();

    int columns_ = 0, rows_ = 0;
    double west_ = 0;  // degrees, of column 0
    float lowest_ = 0, highest_ = 0;
    std::vector<std::int16_t> heights_;  // metres, row by row from the north
};

}  // namespace orogen
