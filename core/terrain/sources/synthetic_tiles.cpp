#include "core/terrain/sources/synthetic_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/terrain/synthetic/noise.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {
namespace {

// Bounds of gradient noise: of its absolute value, and of its first and second derivative along an axis (per cell).
// They follow from the interpolation weights of a cell's corners, for gradients with components up to 1.
constexpr double kNoise = 1.0, kNoiseSlope = 2.75, kNoiseBend = 11.55;

struct Octave
{
    int bits;          // cells of the lattice have 2^bits samples
    double amplitude;  // metres
    std::uint32_t seed;
    int shift;  // offset of its lattice (samples)

    double cell() const { return double(std::int64_t(1) << bits); }
};

constexpr int kLandOctaves = 5, kReliefOctaves = 9;
constexpr double kSea = -200;                          // sum of the octaves of land at sea level (metres)
constexpr double kPlains = -300, kMountains = 600;     // sums (m) below which relief is least, above which it is most
constexpr double kLeastRelief = 0.08;                  // factor of the octaves of relief in plains; 1 in mountains
constexpr double kLandAmplitude = 800, kRelief = 300;  // metres, for the coarsest octave
constexpr double kReliefRatio = 0.5176324;             // 2^-0.95, amplitude ratio of successive octaves

constexpr float kMostHeight = 3000;  // metres; exceeds the sum of all amplitudes

// Positions of a row's samples between the columns of an octave's lattice.
struct Columns
{
    std::vector<std::int64_t> lattice;  // lattice columns on either side of a sample, each once
    std::vector<std::uint32_t> west;    // for each sample, index of the lattice column west of it
    std::vector<float> u, weight;  // for each sample, distance from that column in cells, and weight of the next one
};

Columns columnsOf(const Octave& octave, std::span<const std::int64_t> positions)
{
    Columns columns;
    for (const std::int64_t position : positions)
    {
        const std::int64_t at = position + octave.shift, cell = at >> octave.bits;
        if (columns.lattice.empty() || columns.lattice.back() < cell) columns.lattice.push_back(cell);
        if (columns.lattice.back() == cell) columns.lattice.push_back(cell + 1);
        const float u = float(double(at - (cell << octave.bits)) / octave.cell());
        columns.west.push_back(std::uint32_t(columns.lattice.size() - 2));
        columns.u.push_back(u);
        columns.weight.push_back(u * u * u * (u * (u * 6.0f - 15.0f) + 10.0f));
    }
    return columns;
}

// Adder of an octave along a row of samples. It interpolates the noise along the columns first. Then, in a row, each
// column of lattice points contributes the linear function height + slope u. u: distance from that column (cells).
class OctaveRow
{
public:
    OctaveRow(const Octave& octave, std::span<const std::int64_t> positions)
        : octave_(octave), columns_(columnsOf(octave, positions)), height_(columns_.lattice.size()),
          slope_(columns_.lattice.size())
    {
    }

    void add(std::int64_t row, std::span<float> out)
    {
        layLines(row);
        const float amplitude = float(octave_.amplitude);
        for (std::size_t c = 0; c < out.size(); ++c)
        {
            const std::size_t i = columns_.west[c];
            const float u = columns_.u[c];
            const float west = height_[i] + slope_[i] * u, east = height_[i + 1] + slope_[i + 1] * (u - 1.0f);
            out[c] += amplitude * (west + columns_.weight[c] * (east - west));
        }
    }

private:
    void layLines(std::int64_t row)
    {
        const std::int64_t at = row + octave_.shift, cell = at >> octave_.bits;
        const float v = float(double(at - (cell << octave_.bits)) / octave_.cell());
        const float down = v * v * v * (v * (v * 6.0f - 15.0f) + 10.0f);
        const auto part = [](std::uint32_t bits) { return float(bits & 0xffffu) * (2.0f / 65535.0f) - 1.0f; };
        for (std::size_t i = 0; i < height_.size(); ++i)
        {
            const std::uint32_t x = std::uint32_t(columns_.lattice[i]), y = std::uint32_t(cell);
            const std::uint32_t above = hashOf(x, y, octave_.seed), below = hashOf(x, y + 1, octave_.seed);
            const float top = part(above >> 16) * v, bottom = part(below >> 16) * (v - 1.0f);
            height_[i] = top + down * (bottom - top);
            slope_[i] = part(above) + down * (part(below) - part(above));
        }
    }

    const Octave& octave_;
    Columns columns_;
    std::vector<float> height_, slope_;
};

// Returns an octave's noise at one sample, not yet multiplied by the amplitude.
double noiseAt(const Octave& octave, std::int64_t x, std::int64_t y)
{
    const auto cells = [&](std::int64_t at) { return double(at + octave.shift) / octave.cell(); };
    const double column = cells(x), row = cells(y), i = std::floor(column), j = std::floor(row);
    const auto corner = [&](double dx, double dy) {
        const std::uint32_t bits =
            hashOf(std::uint32_t(std::int64_t(i + dx)), std::uint32_t(std::int64_t(j + dy)), octave.seed);
        const auto part = [](std::uint32_t half) { return double(half & 0xffffu) * (2.0 / 65535.0) - 1.0; };
        return part(bits) * (column - i - dx) + part(bits >> 16) * (row - j - dy);
    };
    const auto fade = [](double u) { return u * u * u * (u * (u * 6 - 15) + 10); };
    const double across = fade(column - i), down = fade(row - j);
    return std::lerp(std::lerp(corner(0, 0), corner(1, 0), across), std::lerp(corner(0, 1), corner(1, 1), across),
                     down);
}

struct Interval
{
    double low, high;
};

// Returns bounds of a sum of octaves in a square around a sample, `reach` samples to every side.
Interval around(std::span<const Octave> octaves, std::int64_t x, std::int64_t y, double reach)
{
    Interval sum{0, 0};
    for (const Octave& octave : octaves)
    {
        const double change = kNoiseSlope * 2 * reach / octave.cell();
        const double value = change < 2 * kNoise ? noiseAt(octave, x, y) : 0.0;
        sum.low += octave.amplitude * std::max(-kNoise, value - change);
        sum.high += octave.amplitude * std::min(kNoise, value + change);
    }
    return sum;
}

class SyntheticTiles final : public TileSource
{
public:
    explicit SyntheticTiles(const std::string& dem, const SyntheticName& name);

    const Raster& raster() const override { return description_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey& key) const override;
    bool decimated() const override { return true; }

    void read(const TileWindow& window, std::span<float> out) const;

private:
    static float heightOf(float land, float relief);
    static double shareOf(double land);  // factor of the relief at a height of the land
    double deviation(int level, double share) const;
    double shoreDeviation(int level, double share) const;
    TileBounds boundsAround(int level, std::int64_t x, std::int64_t y, double reach) const;
    bool endsBeyond(const TileKey& key) const;

    Raster description_;
    std::array<Octave, kLandOctaves> land_;
    std::array<Octave, kReliefOctaves> relief_;
};

class SyntheticReader final : public TileReader
{
public:
    explicit SyntheticReader(const SyntheticTiles& tiles) : tiles_(tiles) {}
    Status read(const TileWindow& window, std::span<float> out) override
    {
        tiles_.read(window, out);
        return Status::ok();
    }
    std::uint64_t bytesRead() const override { return 0; }

private:
    const SyntheticTiles& tiles_;
};

SyntheticTiles::SyntheticTiles(const std::string& dem, const SyntheticName& name)
{
    for (int i = 0; i < kLandOctaves; ++i)
    {
        const std::uint32_t seed = name.seed * 64 + std::uint32_t(i);
        land_[std::size_t(i)] = {15 - i, std::ldexp(kLandAmplitude, -i), seed, int(hashOf(seed, 1, 2) % 32'768u)};
    }
    double amplitude = kRelief;
    for (int i = 0; i < kReliefOctaves; ++i, amplitude *= kReliefRatio)
        relief_[std::size_t(i)] = {10 - i, amplitude, name.seed * 64 + 32 + std::uint32_t(i), 0};
    description_.width = description_.height = name.size;
    description_.pixelWidth = description_.pixelHeight = kSyntheticTilePixel;
    description_.name = dem;
    description_.format = "synthetic";
    description_.bits = 32;
    description_.synthetic = true;
    description_.heightUnit = HeightUnit::kMetre;
    const TileBounds whole = *bounds({grid().levels() - 1, 0, 0});
    description_.minHeight = whole.lowest, description_.maxHeight = whole.highest;
}

Result<std::unique_ptr<TileReader>> SyntheticTiles::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<SyntheticReader>(*this));
}

float SyntheticTiles::heightOf(float land, float relief)
{
    const float t = std::clamp((land - float(kPlains)) * float(1 / (kMountains - kPlains)), 0.0f, 1.0f);
    const float share = float(kLeastRelief) + float(1 - kLeastRelief) * (t * t * (3.0f - 2.0f * t));
    return std::max(land - float(kSea) + share * relief, 0.0f);
}

double SyntheticTiles::shareOf(double land)
{
    const double t = std::clamp((land - kPlains) / (kMountains - kPlains), 0.0, 1.0);
    return kLeastRelief + (1 - kLeastRelief) * t * t * (3 - 2 * t);
}

void SyntheticTiles::read(const TileWindow& window, std::span<float> out) const
{
    const std::int64_t last = description_.width - 1;
    std::vector<std::int64_t> positions;
    for (int c = 0; c < window.width; ++c)
        positions.push_back(std::clamp<std::int64_t>(std::int64_t(window.column + c) << window.level, 0, last));
    std::vector<OctaveRow> land, relief;
    for (const Octave& octave : land_)
        land.emplace_back(octave, positions);
    for (const Octave& octave : relief_)
        relief.emplace_back(octave, positions);
    std::vector<float> lands(positions.size()), reliefs(positions.size());
    for (int r = 0; r < window.height; ++r)
    {
        const std::int64_t row = std::clamp<std::int64_t>(std::int64_t(window.row + r) << window.level, 0, last);
        lands.assign(lands.size(), 0.0f), reliefs.assign(reliefs.size(), 0.0f);
        for (OctaveRow& octave : land)
            octave.add(row, lands);
        for (OctaveRow& octave : relief)
            octave.add(row, reliefs);
        std::transform(lands.begin(), lands.end(), reliefs.begin(),
                       out.begin() + std::ptrdiff_t(r) * std::ptrdiff_t(window.width), heightOf);
    }
}

// ---- bounds ----

// Returns a bound of the distance between the bilinear surface of a level and the sampled function. An octave of the
// relief whose cells are no wider than the level's intervals is 0 at all samples, and contributes its amplitude. Other
// octaves contribute step^2 / 8 times the second derivatives along both axes, but at most twice their amplitude.
// `share` is a bound of the relief's factor.
double SyntheticTiles::deviation(int level, double share) const
{
    const double step = std::ldexp(1.0, level), bend = step * step / 4;
    double landSlope = 0, landBend = 0, sum = 0;
    for (const Octave& octave : land_)
    {
        const double curve = octave.amplitude * kNoiseBend / (octave.cell() * octave.cell());
        landSlope += octave.amplitude * kNoiseSlope / octave.cell();
        landBend += curve;
        sum += std::min(2 * octave.amplitude, bend * curve);
    }
    const double range = kMountains - kPlains, rest = 1 - kLeastRelief;
    const double shareSlope = rest * 1.5 / range * landSlope;
    const double shareBend = rest * (6 / (range * range) * landSlope * landSlope + 1.5 / range * landBend);
    for (const Octave& octave : relief_)
    {
        const double cell = octave.cell();
        const double curve = octave.amplitude * (share * kNoiseBend / (cell * cell) +
                                                 2 * shareSlope * kNoiseSlope / cell + shareBend * kNoise);
        sum += cell <= step ? share * octave.amplitude : std::min(2 * share * octave.amplitude, bend * curve);
    }
    return sum;
}

// Returns whether the level's last sample in the tile lies beyond the raster, where the nearest one is repeated.
bool SyntheticTiles::endsBeyond(const TileKey& key) const
{
    const TileGrid tiles = grid();
    const std::int64_t last = description_.width - 1;
    const bool atEnd = key.x == tiles.columns(key.level) - 1 || key.y == tiles.rows(key.level) - 1;
    return atEnd && (last & ((std::int64_t(1) << key.level) - 1)) != 0;
}

// Returns a bound of the deviation where the sea level cuts through a cell. The bilinear surface is off by at most a
// quarter of the range of the cell's corners.
double SyntheticTiles::shoreDeviation(int level, double share) const
{
    const double step = std::ldexp(1.0, level);
    double slope = 0;
    for (const Octave& octave : land_)
        slope += octave.amplitude * kNoiseSlope / octave.cell();
    const double shareSlope = (1 - kLeastRelief) * 1.5 / (kMountains - kPlains) * slope;
    for (const Octave& octave : relief_)
        if (octave.cell() > step)
            slope += octave.amplitude * (share * kNoiseSlope / octave.cell() + shareSlope * kNoise);
    return 2 * step * slope / 4;
}

TileBounds SyntheticTiles::boundsAround(int level, std::int64_t x, std::int64_t y, double reach) const
{
    constexpr double kSumRounding = 0.01;  // metres, for sums of floats
    const Interval land = around(land_, x, y, reach), relief = around(relief_, x, y, reach);
    // The factor of the relief grows with the land's height, so the bounds of the land give those of the factor.
    const double least = shareOf(land.low), most = shareOf(land.high);
    const double lowest = land.low - kSea + (relief.low < 0 ? most : least) * relief.low - kSumRounding;
    const double highest = land.high - kSea + (relief.high > 0 ? most : least) * relief.high + kSumRounding;
    if (highest <= 0) return {};
    const double shore = lowest < 0 ? std::min(shoreDeviation(level, most), (highest - lowest) / 4) : 0.0;
    return {float(std::max(lowest, 0.0)), float(highest), float(deviation(level, most) + shore + kSumRounding)};
}

// Bounds a sixteenth of the tile at a time, since a small area gives tighter bounds in many octaves.
std::optional<TileBounds> SyntheticTiles::bounds(const TileKey& key) const
{
    constexpr int kParts = 4;
    const double reach = std::ldexp(kTileCells / (2.0 * kParts), key.level);
    const auto middle = [&](int tile, int part) {
        return ((2 * (std::int64_t(tile) * kParts + part) + 1) * kTileCells / (2 * kParts)) << key.level;
    };
    TileBounds bounds{kMostHeight, 0, 0};
    for (int part = 0; part < kParts * kParts; ++part)
    {
        const TileBounds of =
            boundsAround(key.level, middle(key.x, part % kParts), middle(key.y, part / kParts), reach);
        bounds.lowest = std::min(bounds.lowest, of.lowest);
        bounds.highest = std::max(bounds.highest, of.highest);
        bounds.deviation = std::max(bounds.deviation, of.deviation);
    }
    const float range = bounds.highest - bounds.lowest;
    bounds.deviation = endsBeyond(key) ? range : std::min(bounds.deviation, range);
    if (key.level == 0) bounds.deviation = 0;
    return bounds;
}

}  // namespace

Result<std::shared_ptr<const TileSource>> openSyntheticTiles(const std::string& dem)
{
    const Result<SyntheticName> name = parseSyntheticName(dem);
    if (!name) return name.error();
    return std::shared_ptr<const TileSource>(std::make_shared<SyntheticTiles>(dem, *name));
}

}  // namespace orogen
