#include "core/terrain/detail/detail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "core/base/half_float.h"
#include "core/leb/leb.h"
#include "core/planet/cube_lattice.h"
#include "core/terrain/detail/roughness.h"

namespace orogen {
namespace {

// ---- waves of the octaves, shared by the plane and the cube ----

// Approximates the sine of `turns` turns with parabolas.
float wave(float turns)
{
    const float t = turns - std::floor(turns + 0.5f);
    return 8.0f * t * (1.0f - 2.0f * std::abs(t));
}

float waveSlope(float turns)
{
    const float t = turns - std::floor(turns + 0.5f);
    return 8.0f - 32.0f * std::abs(t);
}

float blend(float f) { return f * f * f * (f * (f * 6.0f - 15.0f) + 10.0f); }
float blendSlope(float f) { return 30.0f * f * f * (f * (f - 2.0f) + 1.0f); }

// Parameters of an octave's waves at a place: detailLean() in shaders/heights/detail_waves.glsl explains them. A wave
// leans if it runs across the fall of the ground instead of in a random direction.
struct Lean
{
    glm::vec2 along;
    float random, strength;
};

constexpr float kOwnSlope = 2.0f;       // slope, in amplitudes per cell, from about which on waves follow the ground
constexpr float kLeastStrength = 0.2f;  // share of the amplitude on level ground, for cells below 1.5 km
constexpr float kLeastRandom = 0.45f;   // random part of a wave on steep ground
constexpr float kSteepest = 1.0f;       // squared slope of ground, above which it gets less detail
// The share of waves that follow the ground is x * cell size (metres) - y, clamped to 0 ... 1. It is 0 for cells up to
// 16 m and 1 from 48 m on. Gullies are tens of metres apart. Smaller octaves have no direction, because fine ridges
// down a slope look like hair.
constexpr glm::vec2 kFollowsPerCell = {0.03125f, 0.5f};

// Triangles smaller than 2^kRandomBelow metres miss only random waves. So their bound falls with the size to the power
// kRandomFall in addition.
constexpr float kRandomBelow = 4.0f, kRandomFall = 0.4f;

// Returns the parameters on ground with the slope `slope`. `amplitude`: that of the octave with cells of `cell` metres;
// `ground`: the squared slope that determines the strength; `share`: share of the waves that may lean (0 to 1).
Lean leanOf(glm::vec2 slope, float amplitude, float cell, float ground, float share)
{
    const float own = amplitude / cell * kOwnSlope;
    const float least = std::clamp(kLeastStrength + (cell - 1500.0f) * 0.0002f, kLeastStrength, 1.0f);
    const float square = slope.x * slope.x + slope.y * slope.y;
    const float turn = share / std::sqrt(square + own * own);
    const float steep = std::sqrt(ground / (ground + own * own));
    return {{-slope.y * turn, slope.x * turn},
            1.0f - (1.0f - kLeastRandom) * share * steep,
            (least + (1.0f - least) * steep) / (1.0f + std::max(square - kSteepest, 0.0f))};
}

constexpr std::array<std::uint32_t, 3> kFactors = {0x8da6b343u, 0xd8163841u, 0xcb1ab31fu};

std::uint32_t hashOf(std::uint32_t sum, std::uint32_t octave)
{
    std::uint32_t v = sum + (octave + 1u) * 0x9e3779b1u;
    v = (v ^ (v >> 15u)) * 0x2c1b3c6du;
    return v ^ (v >> 13u);
}

float randomOf(std::uint32_t hash, int byte) { return float((hash >> (8 * byte)) & 0xffu) * 0.0078125f - 1.0f; }

float signOf(std::uint32_t hash)
{
    const float t = randomOf(hash, 3);
    return t < 0.0f ? 0.6f * t - 0.7f : 0.6f * t + 0.7f;
}

// x: value; y, z: derivatives per cell.
using Noise = glm::vec3;

Noise waveAt(glm::vec2 turns, float dx, float dy)
{
    const float at = turns.x * dx + turns.y * dy, slope = waveSlope(at);
    return {wave(at), slope * turns.x, slope * turns.y};
}

// Blends the waves of a cell's four corners at a place in it, in [0, 1].
Noise blended(Noise a, Noise b, Noise c, Noise d, glm::vec2 f)
{
    const float u = blend(f.x), v = blend(f.y);
    const Noise low = a + (b - a) * u, high = c + (d - c) * u;
    Noise noise = low + (high - low) * v;
    noise.y += ((b.x - a.x) + ((d.x - c.x) - (b.x - a.x)) * v) * blendSlope(f.x);
    noise.z += (high.x - low.x) * blendSlope(f.y);
    return noise;
}

// ---- amplitudes ----

constexpr int kMostOctaves = 24;      // entries of DetailUniforms::amplitudes
constexpr int kMostLevels = 24;       // entries of DetailUniforms::starts
constexpr double kFirstWave = 1.1;    // frequency of the coarsest octave, relative to the samples' Nyquist frequency
constexpr double kLeastTurns = 0.85;  // minimum number of periods of a wave in a cell; the maximum is twice that
constexpr double kLeastExponent = 0.9, kMostExponent = 1.3;  // limits for the data's exponent
constexpr double kFinestMetres = 0.1;                        // minimum cell size of the finest octave
constexpr float kReached = 0.4f;        // height that the octaves reach together, as a share of their amplitudes' sum
constexpr float kShoreMetres = 40;      // largest height or depth of ground that detail moves across the sea level
constexpr float kShoreReach = 0.7f;     // distance along the slope to a shore (samples)
constexpr double kCoarsest = 10'000.0;  // coarsest sample spacing with its own octaves on the Earth, roughly (metres)

// Returns the exponent by which amplitudes decrease around a wavelength (metres). It is larger for smooth slopes (100
// to 4 m) than for valleys (above 300 m) and stones (below 1 m).
double exponentAt(double wavelength)
{
    const double fine = std::clamp(std::log2(300.0 / wavelength) / std::log2(3.0), 0.0, 1.0);
    const double stones = std::clamp(std::log2(4.0 / wavelength) / 2.0, 0.0, 1.0);
    return 1.05 + 0.25 * fine - 0.3 * stones;
}

// Returns the amplitude of the coarsest octave for 1 m of roughness, for data with an exponent of 0. `spacing`: metres
// between samples. Data of 50 m and finer resolve valleys, so they need the least. Data of more than 1 km are smoother
// than means of finer data, and the Earth's relief (over 3 km) is far smoother. The tests DetailSlopes verify the
// values.
double firstAmplitude(double spacing)
{
    const double coarse = std::clamp(std::log2(spacing / 50.0) / std::log2(5.0), 0.0, 1.0);
    const double vast = std::clamp(std::log2(spacing / 1000.0) / std::log2(9.0), 0.0, 1.0);
    const double global = std::clamp(std::log2(spacing / 3000.0), 0.0, 1.0);
    return 0.35 * std::pow(2.0 / 0.35, coarse) * std::pow(1.6, vast) * std::pow(4.3, global);
}

float entry(const glm::vec4* of, int i) { return of[i / 4][i % 4]; }

// Return the index of a level's coarsest octave in DetailUniforms::amplitudes, and the number of its octaves.
int firstOctave(const gpu::DetailUniforms& detail, int level) { return std::max(int(detail.octaves.z) - level, 0); }
int octaveCount(const gpu::DetailUniforms& detail, int level)
{
    return int(detail.octaves.z + detail.octaves.x) - firstOctave(detail, level);
}

float amplitudeOf(const gpu::DetailUniforms& detail, int level, int octave)
{
    return entry(detail.starts, std::min(level, kMostLevels - 1)) *
           entry(detail.amplitudes, firstOctave(detail, level) + octave);
}

// Returns the octaves for a lattice of 2^latticeBits units per side, each of `unit` metres. Samples are between
// `spacing` and 2^levels times `spacing` apart.
gpu::DetailUniforms octavesOf(double unit, int latticeBits, double spacing, double exponent, int levels)
{
    gpu::DetailUniforms detail{};
    const double perMetre = kFirstWave / (2 * spacing);
    // Log2 of the largest cell (lattice units) in which fewer than 2 kLeastTurns waves fit.
    int bits = int(std::ceil(std::log2(2 * kLeastTurns / perMetre / unit))) - 1;
    bits = std::min(bits, latticeBits - 1);
    detail.metres = glm::vec4(float(unit), float(perMetre * std::exp2(bits) * unit), 0.0f, float(perMetre));
    int count = 0;
    while (levels + count < kMostOctaves && bits - count >= 2 &&
           (count == 0 || std::exp2(bits - count) * unit >= kFinestMetres))
        ++count;
    detail.octaves = gpu::uvec4(count, std::max(bits, 0), levels, 0);
    double amplitude = 1;
    for (int j = 0; j < levels + count; ++j)
    {
        detail.amplitudes[j / 4][j % 4] = float(amplitude);
        amplitude *= std::exp2(-exponentAt(std::exp2(levels - j - 0.5) / perMetre));
    }
    for (int level = 0; level < kMostLevels && count > 0; ++level)
    {
        const double first = double(entry(detail.amplitudes, firstOctave(detail, level)));
        const double start = firstAmplitude(std::ldexp(spacing, level)) * std::exp2(-exponent) / first;
        detail.starts[level / 4][level % 4] = float(start);
        double sum = 0;
        for (int k = 0; k < octaveCount(detail, level); ++k)
            sum += double(amplitudeOf(detail, level, k));
        detail.sums[level / 4][level % 4] = float(sum);
        detail.metres.z = std::max(detail.metres.z, float(sum));
    }
    for (int code = 0; code < 256; ++code)
        detail.roughness[code / 4][code % 4] = roughnessMetres()[std::size_t(code)];
    return detail;
}

}  // namespace

gpu::DetailUniforms detailUniforms(double side, double spacing, double exponent)
{
    return octavesOf(side / double(leb::kDrawSide), leb::kDrawLatticeBits, spacing,
                     std::clamp(exponent, kLeastExponent, kMostExponent), 0);
}

gpu::DetailUniforms detailUniformsOnCube(double spacing, double exponent, int base)
{
    const int levels = std::clamp(int(std::lround(std::log2(kCoarsest / spacing))), 0, kMostLevels - 1);
    gpu::DetailUniforms detail = octavesOf(metresOfCubeUnit(), kCubeBits, spacing, exponent, levels);
    detail.octaves.w = std::uint32_t(base);
    return detail;
}

// detailUnsteady() in shaders/heights/detail_waves.glsl uses the same formula.
float detailMissed(const gpu::DetailUniforms& detail, int bits, int level)
{
    const float finer = float(int(detail.octaves.y) + level - bits) - std::log2(detail.metres.y / 0.9f);
    const float share = finer <= 0.0f ? 1.0f : std::min(1.25f, 1.3f * std::exp2(0.65f * (2.2f - finer)));
    // Random waves are missed by less than waves that follow the slope.
    const float small = std::min(float(bits) + std::log2(detail.metres.x) - kRandomBelow, 0.0f);
    return entry(detail.sums, std::min(level, kMostLevels - 1)) * share * std::exp2(kRandomFall * small);
}

double detailBelow(double pixelWidth, double pixelHeight) { return 2 * std::sqrt(pixelWidth * pixelHeight); }

namespace {

// Returns the share of an octave that continues the base (DataRelief::wide) at a distance (metres) from an elevation
// model. `cell`: side of the octave's cells (metres).
float wideShare(float distance, float cell)
{
    const float t = std::min(2.0f * distance / cell, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Sums the octaves at a place. `own`: level of the samples there; `share`: share of the waves that may lean, 0 on an
// edge of the cube. `noiseOf(octave, bits, lean)` returns an octave's waves in cells of 2^bits lattice units.
template <typename NoiseOf>
float sumOfOctaves(const gpu::DetailUniforms& detail, int own, const DataRelief& data, float share,
                   const NoiseOf& noiseOf)
{
    const int level = data.wide > 0 ? std::max(int(detail.octaves.w), own) : own;
    // The formulas round as in the shaders, because octaves that follow the slope of coarser ones enlarge differences.
    const float wide = data.wide * entry(detail.starts, std::min(level, kMostLevels - 1));
    const float rough = data.roughness * entry(detail.starts, std::min(own, kMostLevels - 1));
    const float data2 = data.slope.x * data.slope.x + data.slope.y * data.slope.y;
    glm::vec2 slope = data.slope;
    float sum = 0;
    for (int k = 0; k < octaveCount(detail, level); ++k)
    {
        const int bits = std::max(int(detail.octaves.y) + level - k, 0);
        const float cell = float(std::exp2(bits)) * detail.metres.x;
        const float strength = (wide > 0 ? wide * wideShare(data.distance, cell) : 0) + (k >= level - own ? rough : 0);
        if (strength <= 0) continue;
        const float amplitude = strength * entry(detail.amplitudes, firstOctave(detail, level) + k);
        const float slope2 = slope.x * slope.x + slope.y * slope.y;
        const float follows = share * std::clamp(cell * kFollowsPerCell.x - kFollowsPerCell.y, 0.0f, 1.0f);
        const Lean lean = leanOf(slope, amplitude, cell, data2 + (slope2 - data2) * follows, follows);
        const Noise noise = noiseOf(k, bits, lean) * (amplitude * lean.strength);
        sum += noise.x;
        slope += glm::vec2(noise.y, noise.z) / cell;
    }
    return sum;
}

}  // namespace

float detailRelief(const gpu::DetailUniforms& detail, glm::dvec2 lattice, const DataRelief& data)
{
    if (data.roughness <= 0) return 0;
    return sumOfOctaves(detail, 0, data, 1.0f, [&](int octave, int bits, const Lean& lean) {
        const glm::dvec2 cells = lattice / std::exp2(double(bits));
        const glm::dvec2 whole(std::floor(cells.x), std::floor(cells.y));
        const glm::vec2 f(cells - whole);
        const auto node = [&](std::uint32_t i, std::uint32_t j) {
            const std::uint32_t sum =
                (std::uint32_t(whole.x) + i) * kFactors[0] + (std::uint32_t(whole.y) + j) * kFactors[1];
            const std::uint32_t hash = hashOf(sum, std::uint32_t(octave));
            const glm::vec2 random(randomOf(hash, 0), randomOf(hash, 1));
            const glm::vec2 turns = detail.metres.y * (signOf(hash) * lean.along + lean.random * random);
            return waveAt(turns, f.x - float(i), f.y - float(j));
        };
        return blended(node(0, 0), node(1, 0), node(0, 1), node(1, 1), f);
    });
}

float roughnessBetween(std::span<const std::uint8_t> codes, int stride, int width, int height, glm::dvec2 sample)
{
    const double x = std::clamp(sample.x, 0.0, double(width - 1)), y = std::clamp(sample.y, 0.0, double(height - 1));
    const int x0 = std::min(int(x), std::max(width - 2, 0)), y0 = std::min(int(y), std::max(height - 2, 0));
    const int x1 = std::min(x0 + 1, width - 1), y1 = std::min(y0 + 1, height - 1);
    const auto at = [&](int i, int j) {
        return roughnessMetres()[codes[std::size_t(j) * std::size_t(stride) + std::size_t(i)]];
    };
    const float u = float(x - x0), v = float(y - y0);
    const float north = at(x0, y0) * (1 - u) + at(x1, y0) * u, south = at(x0, y1) * (1 - u) + at(x1, y1) * u;
    return north * (1 - v) + south * v;
}

double madeHeight(const gpu::DetailUniforms& detail, double side, const DataRelief& data, double east, double north)
{
    if (data.roughness <= 0 || detail.octaves.x == 0) return 0;
    const double most = double(leb::kDrawSide), unit = side / most;
    const auto onLattice = [&](double metres) { return std::clamp(metres / unit + most / 2, 0.0, most); };
    return double(detailRelief(detail, {onLattice(east), onLattice(north)}, data));
}

glm::vec2 slopeOfCode(const HeightField& field)
{
    return {float(double(field.scale) / std::max(2 * field.pixelWidth, 1e-6)),
            float(double(field.scale) / std::max(2 * field.pixelHeight, 1e-6))};
}

namespace {

// Returns the slope at a sample as shaders/heights/gradient.comp stores it, in half floats.
glm::vec2 slopeAt(const HeightField& field, int x, int y)
{
    const glm::vec2 ofCode = slopeOfCode(field);
    const auto slope = [&](float unit, int x0, int y0, int x1, int y1) {
        const float wider = x1 - x0 + y0 - y1 == 1 ? 2.0f : 1.0f;
        return floatOfHalf(halfOf(unit * wider * float(int(field.code(x1, y1)) - int(field.code(x0, y0)))));
    };
    return {slope(ofCode.x, std::max(x - 1, 0), y, std::min(x + 1, field.width - 1), y),
            slope(ofCode.y, x, std::min(y + 1, field.height - 1), x, std::max(y - 1, 0))};
}

// Interpolates slopes as roughnessBetween() does.
glm::vec2 slopeBetween(const HeightField& field, glm::dvec2 sample)
{
    const int lastX = field.width - 1, lastY = field.height - 1;
    const double x = std::clamp(sample.x, 0.0, double(lastX)), y = std::clamp(sample.y, 0.0, double(lastY));
    const int x0 = std::min(int(x), std::max(lastX - 1, 0)), y0 = std::min(int(y), std::max(lastY - 1, 0));
    const int x1 = std::min(x0 + 1, lastX), y1 = std::min(y0 + 1, lastY);
    const float u = float(x - x0), v = float(y - y0);
    const glm::vec2 north = slopeAt(field, x0, y0) * (1 - u) + slopeAt(field, x1, y0) * u,
                    south = slopeAt(field, x0, y1) * (1 - u) + slopeAt(field, x1, y1) * u;
    return north * (1 - v) + south * v;
}

}  // namespace

MadeRelief::MadeRelief(const HeightField& field)
    : width_(field.width), height_(field.height),
      extent_((field.width - 1) * field.pixelWidth, (field.height - 1) * field.pixelHeight),
      pixel_(field.pixelWidth, field.pixelHeight), exponent_(roughnessExponent(field)), codes_(roughnessCodes(field))
{
    const double side = std::max({extent_.x, extent_.y, 1e-6});
    uniforms_ = detailUniforms(side, std::sqrt(pixel_.x * pixel_.y), exponent_);
    evenCoarseCodes(codes_, std::sqrt(pixel_.x * pixel_.y));
    const std::size_t width = std::size_t(width_), last = codes_.size() - width;
    for (std::size_t x = 0; x < width; ++x)
        codes_[x] = codes_[last + x] = 0;
    for (std::size_t row = 0; row <= last; row += width)
        codes_[row] = codes_[row + width - 1] = 0;
}

namespace {

// A point of the draw lattice, and the single-precision factors by which shaders find its sample coordinates.
struct DrawnPlace
{
    glm::dvec2 lattice;
    glm::vec2 factor, offset;
};

DrawnPlace drawnPlace(double east, double north, glm::dvec2 extent, glm::dvec2 pixel)
{
    const double side = std::max({extent.x, extent.y, 1e-6}), unit = side / double(leb::kDrawSide);
    const double half = double(leb::kDrawSide) / 2;
    return {{east / unit + half, north / unit + half},
            {float(unit / pixel.x), float(-unit / pixel.y)},
            {float((extent.x - side) / 2 / pixel.x), float((extent.y + side) / 2 / pixel.y)}};
}

}  // namespace

double MadeRelief::heightAt(const HeightField& field, double east, double north) const
{
    if (codes_.empty()) return 0;
    // Finds the sample in the shaders' precision, which matters where roughness changes steeply.
    const DrawnPlace place = drawnPlace(east, north, extent_, pixel_);
    const glm::vec2 whole(float(std::floor(place.lattice.x)), float(std::floor(place.lattice.y)));
    const glm::vec2 sample = place.factor * whole + place.offset;
    const double side = std::max({extent_.x, extent_.y, 1e-6});
    const DataRelief data{roughnessBetween(codes_, width_, width_, height_, glm::dvec2(sample)),
                          slopeBetween(field, glm::dvec2(sample))};
    return madeHeight(uniforms_, side, data, east, north);
}

float drawnHeightAt(const HeightField& field, double east, double north)
{
    const glm::dvec2 last(field.width - 1, field.height - 1), pixel(field.pixelWidth, field.pixelHeight);
    const DrawnPlace place = drawnPlace(east, north, last * pixel, pixel);
    const glm::dvec2 sample = glm::dvec2(place.factor) * place.lattice + glm::dvec2(place.offset);
    return heightAt(field, (sample.x - last.x / 2) * pixel.x, (last.y / 2 - sample.y) * pixel.y);
}

namespace {

constexpr std::int32_t kHalfSide = kCubeSide / 2;

std::uint32_t hashOf(const CubePoint& cube, int bits)
{
    std::uint32_t sum = 0;
    for (int axis = 0; axis < 3; ++axis)
        sum += (std::uint32_t(cube[axis] + kHalfSide) >> bits) * kFactors[std::size_t(axis)];
    return hashOf(sum, std::uint32_t(bits));
}

// Returns the axis of the cube along which a face's x or y runs.
int axisAlong(int face, bool x)
{
    const int outwards = face / 2, next = (outwards + 1) % 3, last = (outwards + 2) % 3;
    return x == ((face & 1) != 0) ? next : last;
}

// Returns the distance between a level's samples (metres).
float spacingOf(const gpu::DetailUniforms& detail, int level)
{
    return 0.5f * float(kFirstWave) / detail.metres.w * float(1 << level);
}

// Returns the share of waves that may lean at a place.  It falls to 0 on the edges of the cube, over the width of a
// cell of 2^bits units.
float leanShare(const FacePlace& place, int bits)
{
    const double side = double(kCubeSide);
    const double inside = std::min({place.at.x, place.at.y, side - place.at.x, side - place.at.y});
    return std::min(float(inside) / float(std::exp2(bits)), 1.0f);
}

}  // namespace

float detailReliefOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, const DataRelief& data)
{
    if (data.roughness + data.wide <= 0 || detail.octaves.x == 0) return 0;
    const float share = leanShare(place, int(detail.octaves.y) + std::max(level, int(detail.octaves.w)));
    const int alongX = axisAlong(place.face, true), alongY = axisAlong(place.face, false);
    return sumOfOctaves(detail, level, data, share, [&](int, int bits, const Lean& lean) {
        const double last = double((kCubeSide >> bits) - 1);
        const auto cellOf = [&](double at) { return std::clamp(std::floor(std::ldexp(at, -bits)), 0.0, last); };
        const glm::dvec2 cell(cellOf(place.at.x), cellOf(place.at.y));
        const glm::vec2 f(float(std::ldexp(place.at.x, -bits) - cell.x), float(std::ldexp(place.at.y, -bits) - cell.y));
        const auto node = [&](int i, int j) {
            const CubePoint cube = cubePoint({place.face, (int(cell.x) + i) << bits, (int(cell.y) + j) << bits});
            const std::uint32_t hash = hashOf(cube, bits);
            const glm::vec2 random(randomOf(hash, alongX), randomOf(hash, alongY));
            const glm::vec2 turns = detail.metres.y * (signOf(hash) * lean.along + lean.random * random);
            return waveAt(turns, f.x - float(i), f.y - float(j));
        };
        return blended(node(0, 0), node(1, 0), node(0, 1), node(1, 1), f);
    });
}

double madeHeightOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, const DataRelief& data,
                        double above)
{
    if (data.roughness + data.wide <= 0 || detail.octaves.x == 0) return 0;
    const float reach = kReached * (data.roughness + data.wide) * detail.metres.z,
                height = float(std::clamp(above / double(reach), -1.0, 1.0));
    const float samples = spacingOf(detail, data.wide > 0 ? std::max(int(detail.octaves.w), level) : level);
    const float most = std::clamp(kShoreReach * glm::length(data.slope) * samples, 1e-3f, kShoreMetres);
    const float near = std::max(1.0f - std::abs(float(above)) / most, 0.0f) * std::min(2.0f * most / reach, 1.0f);
    const float share = std::max(height, data.betweenSamples * near);
    return share <= 0 ? 0.0 : double(detailReliefOnCube(detail, place, level, data) * share);
}

}  // namespace orogen
