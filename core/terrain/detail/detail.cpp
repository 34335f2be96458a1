#include "core/terrain/detail/detail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "core/leb/leb.h"
#include "core/planet/cube_lattice.h"
#include "core/terrain/detail/roughness.h"

namespace orogen {
namespace {

// ---- waves of the octaves, shared by the plane and the cube ----
constexpr int kRipplingOctaves = 2;  // coarsest octaves, with detail.metres.y turns a cell

float cellTurns(const gpu::DetailUniforms& detail, int octave)
{
    return octave < kRipplingOctaves ? detail.metres.y : 0.5f;
}

// Approximates the sine of `turns` turns with parabolas.
float wave(float turns)
{
    const float t = turns - std::floor(turns + 0.5f);
    return 8.0f * t * (1.0f - 2.0f * std::abs(t));
}

// Returns the turns a cell along x and y of a node's wave.
glm::vec2 turnsOf(const gpu::DetailUniforms& detail, std::uint32_t hash, std::uint32_t octave)
{
    const float way = float(hash >> 16u) / 65536.0f;
    const float turns = cellTurns(detail, int(octave)) * (0.85f + 0.3f * float(hash & 0xffffu) / 65536.0f);
    return {turns * wave(way + 0.25f), turns * wave(way)};
}

float blend(float f) { return f * f * f * (f * (f * 6.0f - 15.0f) + 10.0f); }

// Blends the values of a cell's four corners at a place in it, in [0, 1].
float blended(float a, float b, float c, float d, glm::vec2 f)
{
    const float u = blend(f.x), low = a + (b - a) * u, high = c + (d - c) * u;
    return low + (high - low) * blend(f.y);
}

constexpr int kMostOctaves = 16;
constexpr int kBoundBits = 24;          // entries of DetailUniforms::bounds
constexpr double kFirstWave = 1.4;      // frequency of the coarsest octave, relative to the samples' Nyquist frequency
constexpr double kLeastTurns = 0.9;     // least turns of a wave in a cell; the most are twice as many
constexpr double kFinestMetres = 0.02;  // least cell size of the finest octave
// Amplitude of the coarsest octave for 1 m of roughness, for data with an exponent of 0. Test TheSpectrumGoesOn
// verifies it.
constexpr double kAmplitude = 0.52;
constexpr double kSecondShare = 0.7;        // second octave's factor: the first one's waves reach into its frequencies
constexpr double kRoughestExponent = 0.65;  // limit from the third octave on; typical of ground below a few metres

// Largest error of drawing an octave as linear over a triangle, relative to its amplitude. Rows: turns a cell. Columns:
// the triangle's size, as the lattice unit of its base's middle: 1/2, 1/4 ... 1/128 of a cell. Found by exhaustive
// search over triangles, points and waves of the four nodes, each at its worst, plus 2 % (test TheBoundHolds).
constexpr int kMissingColumns = 7;
struct Missing
{
    double turns;
    std::array<double, kMissingColumns> most;
};
constexpr std::array<Missing, 6> kMissing = {{
    {0.5, {1.1547, 1.1547, 0.3830, 0.1042, 0.0271, 0.0069, 0.0017}},
    {1.0, {1.4330, 1.8114, 1.0570, 0.3329, 0.0927, 0.0247, 0.0063}},
    {1.2, {1.4462, 1.9990, 1.2058, 0.4061, 0.1178, 0.0313, 0.0081}},
    {1.4, {1.6113, 2.0314, 1.4529, 0.5045, 0.1460, 0.0387, 0.0101}},
    {1.6, {1.6370, 2.0351, 1.6875, 0.6214, 0.1831, 0.0501, 0.0131}},
    {1.8, {1.6606, 2.0377, 1.8520, 0.7386, 0.2221, 0.0605, 0.0159}},
}};

// Returns that error for a unit of 1 / 2^finer of the cell. From a whole cell on, all corners are nodes, where the
// octave is zero: its amplitude is missing. Below the last column the error is proportional to the square of the size.
double missing(int finer, double turns)
{
    if (finer <= 0) return 1.0;
    const auto row = std::find_if(kMissing.begin(), kMissing.end() - 1,
                                  [&](const Missing& known) { return turns <= known.turns + 1e-6; });
    const int column = std::min(finer, kMissingColumns);
    return std::min(row->most[std::size_t(column - 1)], 2.0) * std::exp2(-2 * (finer - column));
}

// Returns log2 of the side of an octave's cells (lattice units).
int cellBits(const gpu::DetailUniforms& detail, int octave)
{
    return int(detail.octaves.y) - octave - (octave < kRipplingOctaves ? 0 : 1);
}

// Sets bounds[bits], the largest error over triangles of unit 2^bits or less, for 1 m of roughness.
void fillBounds(gpu::DetailUniforms& detail)
{
    double largest = 0;
    for (int bits = 0; bits < kBoundBits; ++bits)
    {
        double sum = 0;
        for (int k = 0; k < int(detail.octaves.x); ++k)
            sum += double(detail.amplitudes[k / 4][k % 4]) *
                   missing(cellBits(detail, k) - bits, double(cellTurns(detail, k)));
        largest = std::max(largest, sum);
        detail.bounds[bits / 4][bits % 4] = float(largest);
    }
}

std::uint32_t hashOf(std::uint32_t x, std::uint32_t y, std::uint32_t octave)
{
    std::uint32_t v = x * 0x8da6b343u ^ y * 0xd8163841u ^ (octave + 1u) * 0x9e3779b1u;
    v = (v ^ (v >> 15u)) * 0x2c1b3c6du;
    v = (v ^ (v >> 12u)) * 0x297a2d39u;
    return v ^ (v >> 15u);
}

// Returns the octaves for a lattice of 2^latticeBits units a side, each of `unit` metres.
gpu::DetailUniforms octavesOf(double unit, int latticeBits, double spacing, double exponent)
{
    gpu::DetailUniforms detail{};
    const double perMetre = kFirstWave / (2 * spacing);
    // The largest cells with less than twice kLeastTurns waves.
    int bits = int(std::ceil(std::log2(2 * kLeastTurns / perMetre / unit))) - 1;
    bits = std::min(bits, latticeBits - 1);
    detail.metres = glm::vec4(float(unit), float(perMetre * std::exp2(bits) * unit), 0.0f, float(perMetre));
    double amplitude = kAmplitude * std::exp2(-exponent), sum = 0;
    int k = 0;
    for (; k < kMostOctaves && bits - k >= 2 && (k == 0 || std::exp2(bits - k - 1) * unit >= kFinestMetres); ++k)
    {
        detail.amplitudes[k / 4][k % 4] = float(amplitude);
        sum += amplitude;
        const double share = std::exp2(-2 * k);  // weight of the data's own exponent
        amplitude *= std::exp2(-(share * exponent + (1 - share) * std::min(exponent, kRoughestExponent)));
        if (k == 0) amplitude *= kSecondShare;
    }
    detail.octaves = gpu::uvec4(k, std::max(bits, 0), 0, 0);
    detail.metres.z = float(sum);
    for (int code = 0; code < 256; ++code)
        detail.roughness[code / 4][code % 4] = roughnessMetres()[std::size_t(code)];
    fillBounds(detail);
    return detail;
}

}  // namespace

gpu::DetailUniforms detailUniforms(double side, double spacing, double exponent)
{
    return octavesOf(side / double(leb::kDrawSide), leb::kDrawLatticeBits, spacing, exponent);
}

gpu::DetailUniforms detailUniformsOnCube(double spacing, double exponent)
{
    return octavesOf(metresOfCubeUnit(), kCubeBits, spacing, exponent);
}

double detailBelow(double pixelWidth, double pixelHeight) { return 2 * std::sqrt(pixelWidth * pixelHeight); }

float detailNoise(const gpu::DetailUniforms& detail, std::uint32_t x, std::uint32_t y, std::uint32_t octave,
                  glm::vec2 f)
{
    const auto node = [&](std::uint32_t i, std::uint32_t j) {
        const glm::vec2 turns = turnsOf(detail, hashOf(x + i, y + j, octave), octave);
        return wave(turns.x * (f.x - float(i)) + turns.y * (f.y - float(j)));
    };
    return blended(node(0, 0), node(1, 0), node(0, 1), node(1, 1), f);
}

float detailRelief(const gpu::DetailUniforms& detail, glm::dvec2 lattice)
{
    float sum = 0;
    for (std::uint32_t k = 0; k < detail.octaves.x; ++k)
    {
        const glm::dvec2 cells = lattice / std::exp2(double(cellBits(detail, int(k))));
        const glm::dvec2 node = glm::dvec2(std::floor(cells.x), std::floor(cells.y));
        sum += detail.amplitudes[k / 4][int(k % 4)] *
               detailNoise(detail, std::uint32_t(node.x), std::uint32_t(node.y), k, glm::vec2(cells - node));
    }
    return sum;
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

double madeHeight(const gpu::DetailUniforms& detail, double side, float rough, double east, double north)
{
    if (rough <= 0 || detail.octaves.x == 0) return 0;
    const double most = double(leb::kDrawSide), unit = side / most;
    const auto onLattice = [&](double metres) { return std::clamp(metres / unit + most / 2, 0.0, most); };
    return double(rough * detailRelief(detail, {onLattice(east), onLattice(north)}));
}

MadeRelief::MadeRelief(const HeightField& field)
    : width_(field.width), height_(field.height),
      extent_((field.width - 1) * field.pixelWidth, (field.height - 1) * field.pixelHeight),
      pixel_(field.pixelWidth, field.pixelHeight), exponent_(roughnessExponent(field)), codes_(roughnessCodes(field))
{
    const double side = std::max({extent_.x, extent_.y, 1e-6});
    uniforms_ = detailUniforms(side, std::sqrt(pixel_.x * pixel_.y), exponent_);
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

double MadeRelief::heightAt(double east, double north) const
{
    if (codes_.empty()) return 0;
    // Use the shaders' precision throughout, which matters where roughness changes steeply.
    const DrawnPlace place = drawnPlace(east, north, extent_, pixel_);
    const glm::vec2 whole(float(std::floor(place.lattice.x)), float(std::floor(place.lattice.y)));
    const glm::vec2 sample = place.factor * whole + place.offset;
    const double side = std::max({extent_.x, extent_.y, 1e-6});
    const float rough = roughnessBetween(codes_, width_, width_, height_, glm::dvec2(sample));
    return madeHeight(uniforms_, side, rough, east, north);
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
    const auto at = [&](int axis) { return std::uint32_t(cube[axis] + kHalfSide) >> bits; };
    std::uint32_t v =
        at(0) * 0x8da6b343u ^ at(1) * 0xd8163841u ^ at(2) * 0xcb1ab31fu ^ (std::uint32_t(bits) + 1u) * 0x9e3779b1u;
    v = (v ^ (v >> 15u)) * 0x2c1b3c6du;
    v = (v ^ (v >> 12u)) * 0x297a2d39u;
    return v ^ (v >> 15u);
}

// Returns the direction of a node's wave in the cube's axes. Inside a face: `turns` in the cube's axis order. On an
// edge: the first component along it, the second along both others. At a corner: equal components with random signs.
glm::vec3 wayOf(const CubePoint& cube, glm::vec2 turns, std::uint32_t hash)
{
    const auto outwards = [&](int axis) { return std::abs(cube[axis]) == kHalfSide; };
    const int faces = int(outwards(0)) + int(outwards(1)) + int(outwards(2));
    const auto signOf = [&](std::uint32_t bit) { return 1.0f - 2.0f * float((hash >> bit) & 1u); };
    if (faces == 3) return glm::vec3(signOf(0), signOf(1), signOf(2)) * (0.70710678f * glm::length(turns));
    const auto onEdge = [&](int axis) { return outwards(axis) ? turns.y : turns.x; };
    if (faces == 2) return {onEdge(0), onEdge(1), onEdge(2)};
    return {turns.x, outwards(0) ? turns.x : turns.y, turns.y};
}

// Returns the axis of the cube along which a face's x or y runs.
int axisAlong(int face, bool x)
{
    const int outwards = face / 2, next = (outwards + 1) % 3, last = (outwards + 2) % 3;
    return x == ((face & 1) != 0) ? next : last;
}

float noise(const gpu::DetailUniforms& detail, const CubePlace& cell, int bits, std::uint32_t octave, glm::vec2 f)
{
    const int alongX = axisAlong(cell.face, true), alongY = axisAlong(cell.face, false);
    const auto node = [&](int i, int j) {
        const CubePoint cube = cubePoint({cell.face, cell.x + (i << bits), cell.y + (j << bits)});
        const std::uint32_t hash = hashOf(cube, bits);
        const glm::vec3 way = wayOf(cube, turnsOf(detail, hash, octave), hash);
        return wave(way[alongX] * (f.x - float(i)) + way[alongY] * (f.y - float(j)));
    };
    return blended(node(0, 0), node(1, 0), node(0, 1), node(1, 1), f);
}

}  // namespace

float detailReliefOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level)
{
    const int top = int(detail.octaves.y) + level;
    float sum = 0;
    for (std::uint32_t k = 0; k < detail.octaves.x; ++k)
    {
        const int bits = std::max(top - int(k) - (int(k) < kRipplingOctaves ? 0 : 1), 0);
        const double last = double((kCubeSide >> bits) - 1);
        const auto cellOf = [&](double at) { return std::clamp(std::floor(std::ldexp(at, -bits)), 0.0, last); };
        const glm::dvec2 cell(cellOf(place.at.x), cellOf(place.at.y));
        const glm::dvec2 f(std::ldexp(place.at.x, -bits) - cell.x, std::ldexp(place.at.y, -bits) - cell.y);
        sum += detail.amplitudes[k / 4][int(k % 4)] *
               noise(detail, {place.face, int(cell.x) << bits, int(cell.y) << bits}, bits, k, glm::vec2(f));
    }
    return sum;
}

double madeHeightOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, float rough, double above)
{
    if (rough <= 0 || above <= 0 || detail.octaves.x == 0) return 0;
    const double share = std::min(above / double(rough * detail.metres.z), 1.0);
    return double(rough * detailReliefOnCube(detail, place, level)) * share;
}

}  // namespace orogen
