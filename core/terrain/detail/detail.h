// Procedural detail below an elevation model's samples. It continues their roughness down to centimetres and depends
// only on the place; it is not data. shaders/heights/detail.glsl computes the same.
//
// It is a sum of octaves over the draw lattice. Each octave has square cells whose side is a power of two of lattice
// units, half that of the previous octave. Each node of its cells has a plane wave of random direction and slightly
// random length, which is zero at the node. In a cell the waves of its four corners are blended.
//   - An octave is zero at its nodes, which are nodes of all finer octaves, too. A vertex shows only octaves
//     coarser than the triangles around it; a finer one appears with the vertices between, and fades in smoothly.
//   - The two coarsest octaves have 0.9 to 1.8 turns a cell. Their power is near the chosen frequency of their waves
//     (about 0.7 in the octave around it, 0.1 below): 1.4 times the samples' Nyquist frequency for the first.
//     Finer octaves have half a turn in cells half as large; they need no sharp cut-off, and look less like ripples.
// The amplitude is that of the surrounding data (roughness.h), bilinear between samples, and 0 on flats and water. It
// decreases like the data's own spectrum at first and then more slowly: data near their resolution are too smooth.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/gpu_layout.h"
#include "core/planet/cube_lattice.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Returns the parameters for a terrain whose enclosing square has sides of `side` metres. `spacing`: metres between
// samples (geometric mean of both directions); `exponent`: roughnessExponent().
gpu::DetailUniforms detailUniforms(double side, double spacing, double exponent);

// Returns the parameters for the Earth, whose finest samples are `spacing` metres apart; see below.
gpu::DetailUniforms detailUniformsOnCube(double spacing, double exponent);

// Returns the wavelength (metres) below which detail is added if terrain.detail is on.
double detailBelow(double pixelWidth, double pixelHeight);

// Returns one octave relative to its amplitude, in [-1, 1], at position `f` in [0, 1] of the cell of node (x, y).
float detailNoise(const gpu::DetailUniforms& detail, std::uint32_t x, std::uint32_t y, std::uint32_t octave,
                  glm::vec2 f);
// Returns all octaves for 1 m of roughness, at a point of the draw lattice, which may be fractional.
float detailRelief(const gpu::DetailUniforms& detail, glm::dvec2 lattice);

// Procedural detail of an elevation model in one image.
class MadeRelief
{
public:
    MadeRelief() = default;  // no detail
    explicit MadeRelief(const HeightField& field);

    // Returns the detail (metres, unscaled) to add to heightAt(field, ...); 0 at the border, where other ground joins.
    double heightAt(double east, double north) const;

    const gpu::DetailUniforms& uniforms() const { return uniforms_; }
    double exponent() const { return exponent_; }                   // the field's roughnessExponent()
    std::span<const std::uint8_t> codes() const { return codes_; }  // roughness, one a sample, row by row

private:
    int width_ = 0, height_ = 0;
    glm::dvec2 extent_{0.0}, pixel_{1.0};
    double exponent_ = 1;
    std::vector<std::uint8_t> codes_;
    gpu::DetailUniforms uniforms_{};
};

// Returns the detail (metres) for a known roughness `rough` of the data (metres, see roughnessBetween()), at a place in
// metres from the terrain's centre.
double madeHeight(const gpu::DetailUniforms& detail, double side, float rough, double east, double north);

// Returns heightAt(field, ...) as drawn (metres, unscaled), to a millimetre. Shaders locate a place among the samples
// with single-precision factors, which on steep ground makes a difference of a millimetre or two.
float drawnHeightAt(const HeightField& field, double east, double north);

// Interpolates the roughness (metres) between samples with these codes, in rows of `stride`; `sample` is 0-based.
float roughnessBetween(std::span<const std::uint8_t> codes, int stride, int width, int height, glm::dvec2 sample);

// ---- on the Earth ----
//
// Detail's octaves on the six faces of the cube; shaders/heights/detail_cube.glsl computes the same.
//
// A node is a point of the cube, and its wave a function of its three coordinates. So detail does not depend on the
// face it is computed from, and is continuous over the cube's edges and corners. Octaves continue below the finest
// existing samples: below a tile of level l that is not refined, cells are 2^l times as wide as those of level 0. Near
// the sea its amplitude is limited to the ground's height above it, so that land stays land; there is none below.

// Assumed roughnessExponent() of the Earth: growth of second differences of the heights with distance.
inline constexpr double kEarthExponent = 1.0;

// Returns all octaves for 1 m of roughness. `detail`: from detailUniformsOnCube().
float detailReliefOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level);

// Returns the detail (metres, unscaled) to add to data with roughness `rough` (metres, TileCache::roughnessAt()) at
// height `above` over the sea (metres; infinity if there is no sea).
double madeHeightOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, float rough,
                        double above);

}  // namespace orogen
