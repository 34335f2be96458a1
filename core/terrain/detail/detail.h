// Procedural detail below an elevation model's samples. It continues their roughness down to centimetres and depends
// only on the place; it is not data. shaders/heights/detail_plane.glsl computes the same.
//
// The detail is a sum of octaves over the draw lattice. Each octave has square cells whose side is a power of two of
// lattice units, half that of the previous octave. Each node of its cells has a plane wave, which is zero at the node.
// In a cell the waves of its four corners are blended.
//   - An octave is zero at its nodes, which are nodes of all finer octaves, too. A vertex shows only octaves
//     coarser than the triangles around it. A finer octave appears with the vertices between, and fades in smoothly.
//   - Waves run across the fall of the ground: their crests and troughs are ridges and gullies down the slope. The
//     ground is the data with all coarser octaves, so that gullies branch. A random part of each wave bends and ends
//     them. On ground less steep than the octave's waves the random part prevails, and the amplitude is smaller.
//     Octaves with cells of at most 16 m have random waves alone: gullies are farther apart.
//   - Finer octaves are weaker where the data with all coarser octaves are steeper than 45 degrees.
// The amplitude is that of the surrounding data (roughness.h), bilinear between samples, and 0 on flats and water. The
// octaves' amplitudes decrease as in real terrain, fastest from 100 m to 4 m, where slopes are smooth. Samples farther
// apart than 50 m miss valleys and begin with a larger amplitude.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/gpu_layout.h"
#include "core/planet/cube_lattice.h"
#include "core/terrain/detail/roughness.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Returns the parameters for a terrain whose enclosing square has sides of `side` metres. `spacing`: metres between
// samples (geometric mean of both directions); `exponent`: roughnessExponent(), clamped to 0.9 ... 1.3.
gpu::DetailUniforms detailUniforms(double side, double spacing, double exponent);

// Returns the parameters for the Earth, whose finest samples are `spacing` metres apart; see "on the Earth" below.
// `base`: TileSource::baseLevel() if elevation models lie in a coarser base (DataRelief), otherwise 0.
gpu::DetailUniforms detailUniformsOnCube(double spacing, double exponent, int base = 0);

// Returns the wavelength (metres) below which detail is added if the setting terrain.detail is on.
double detailBelow(double pixelWidth, double pixelHeight);

// Returns the sum of all octaves (metres) at a point of the draw lattice, which may be fractional.
float detailRelief(const gpu::DetailUniforms& detail, glm::dvec2 lattice, const DataRelief& data);

// Returns a bound of the distance between the sum of all octaves of `level` and a triangle through its values at the
// corners, for a roughness of 1 m. `bits`: log2 of the unit of the triangle's diamond. Fitted to a search over random
// triangles and slopes: 998 of 1,000 triangles stay below it, and none exceeds it by half (test TheBoundHolds). Few
// come near it: triangles across a crest, where the waves turn, have up to 20 times the mean distance for their size.
float detailMissed(const gpu::DetailUniforms& detail, int bits, int level = 0);

// Returns the slopes (metres per metre, east and north) for which neighbours on both sides of a sample differ by one
// code. shaders/heights/gradient.comp multiplies them by differences of codes.
glm::vec2 slopeOfCode(const HeightField& field);

// Procedural detail of an elevation model in one image.
class MadeRelief
{
public:
    MadeRelief() = default;  // no detail
    explicit MadeRelief(const HeightField& field);

    // Returns the detail (metres, without vertical exaggeration) to add to heightAt(field, ...), for a field of the
    // same size. `east`, `north`: metres from the centre. 0 at the border, where other ground joins.
    double heightAt(const HeightField& field, double east, double north) const;

    const gpu::DetailUniforms& uniforms() const { return uniforms_; }
    double exponent() const { return exponent_; }                   // the field's roughnessExponent()
    std::span<const std::uint8_t> codes() const { return codes_; }  // roughness, one per sample, row by row

private:
    int width_ = 0, height_ = 0;
    glm::dvec2 extent_{0.0}, pixel_{1.0};
    double exponent_ = 1;
    std::vector<std::uint8_t> codes_;
    gpu::DetailUniforms uniforms_{};
};

// Returns the detail (metres) at a place. `side`: that of the enclosing square; `east`, `north`: metres from the
// centre.
double madeHeight(const gpu::DetailUniforms& detail, double side, const DataRelief& data, double east, double north);

// Returns heightAt(field, ...) as drawn (metres, without vertical exaggeration), to a millimetre. Shaders locate a
// place among the samples with single-precision factors, which on steep ground makes a difference of a millimetre or
// two.
float drawnHeightAt(const HeightField& field, double east, double north);

// Interpolates the roughness (metres) between samples with these codes, in rows of `stride`. `sample`: column and row,
// clamped to the image.
float roughnessBetween(std::span<const std::uint8_t> codes, int stride, int width, int height, glm::dvec2 sample);

// ---- on the Earth ----
//
// Detail's octaves on the six faces of the cube; shaders/heights/detail_earth.glsl computes the same.
//
// A node is a point of the cube, and its wave a function of its three coordinates. So detail does not depend on the
// face it is computed from, and is continuous over the cube's edges and corners; there waves are random alone. Octaves
// begin below the samples of each place. In a tile of level l that is not refined, the coarsest cells are 2^l times as
// wide as those of level 0. The octaves of all levels end with the same one.
//
// Shores get a fractal line. Near the sea level the amplitude is limited to the ground's height above the sea. Between
// samples it is not limited: there detail can raise ground less than 40 m deep out of the sea, or sink land less than
// 40 m high. Samples stay on land, or in the sea. Deeper ground has no detail. Detail changes sides only where the
// slope of the data reaches the sea level within 0.7 samples, so that level shallows stay under water.
//
// Around an elevation model the base's octaves (DataRelief::wide) go on below the refined samples. Each begins at the
// edge of the model's data and has its full amplitude half a cell away. So the edge does not show in the detail.

// Assumed roughnessExponent() of the Earth: growth of second differences of the heights with distance.
inline constexpr double kEarthExponent = 1.0;

// Returns the sum of all octaves (metres). `detail`: from detailUniformsOnCube().
float detailReliefOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, const DataRelief& data);

// Returns the detail (metres, without vertical exaggeration) to add to data at height `above` over the sea (metres,
// negative below it; infinity if there is no sea). `level`: that of the samples at the place.
double madeHeightOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, const DataRelief& data,
                        double above);

}  // namespace orogen
