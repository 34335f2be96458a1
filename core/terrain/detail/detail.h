// Made relief below an elevation model's samples: it continues their roughness down to centimetres, is the same at the
// same place always, and is no data.  shaders/detail.glsl computes the same.
//
// It is a sum of octaves over the draw lattice, each on square cells whose side is a power of two of lattice units and
// half the one before.  Every node of an octave's cells has a plane wave of its own: of random direction, its length a
// little random, and zero in the node; in a cell the waves of its four corners are blended.  So
//   - an octave is zero at its nodes, and those are nodes of all finer octaves: a vertex shows the octaves alone that
//     are coarser than the triangles around it, each comes in with the vertices between, and they glide;
//   - the power of the two coarsest octaves, of several turns a cell, lies about the frequency of their waves (some 0.7
//     in the octave around it, 0.1 below), which is chosen freely: the first has 1.4 times the samples' Nyquist
//     frequency.  Finer octaves have half a turn in cells half as large: where nothing has to end sharply that looks
//     less like ripples.
// The amplitude is that of the data around (roughness.h), bilinear between the samples and none on flats and water. It
// falls from the first octave to the second as the data's own does, and then ever less: close to the resolution data
// are smoother than the ground is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/gpu_layout.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Of a terrain whose enclosing square has sides of `side` metres and whose samples lie `spacing` metres apart (the
// geometric mean of both ways); `exponent`: roughnessExponent().
gpu::DetailUniforms detailUniforms(double side, double spacing, double exponent);

// Of the Earth, whose finest samples lie `spacing` metres apart: see detail_cube.h.
gpu::DetailUniforms detailUniformsOnCube(double spacing, double exponent);

// Metres: relief of shorter waves is made, where terrain.detail shows any.
double detailBelow(double pixelWidth, double pixelHeight);

// One octave in units of its amplitude, -1 ... 1, at a place in the cell of node (x, y): `f` is 0 ... 1.
float detailNoise(const gpu::DetailUniforms& detail, std::uint32_t x, std::uint32_t y, std::uint32_t octave,
                  glm::vec2 f);
// All octaves together for a metre of roughness, at a point of the draw lattice, which need not be a whole one.
float detailRelief(const gpu::DetailUniforms& detail, glm::dvec2 lattice);

// The made relief of an elevation model in one image.
class MadeRelief
{
public:
    MadeRelief() = default;  // none
    explicit MadeRelief(const HeightField& field);

    // Metres, unscaled, to be added to heightAt(field, ...).  None at the border, which other ground joins.
    double heightAt(double east, double north) const;

    const gpu::DetailUniforms& uniforms() const { return uniforms_; }
    double exponent() const { return exponent_; }                   // roughnessExponent() of the field
    std::span<const std::uint8_t> codes() const { return codes_; }  // a sample each, row by row

private:
    float roughnessAt(glm::dvec2 sample) const;

    int width_ = 0, height_ = 0;
    glm::dvec2 extent_{0.0}, pixel_{1.0};
    double exponent_ = 1;
    std::vector<std::uint8_t> codes_;
    gpu::DetailUniforms uniforms_{};
};

// The same where a tile says how rough the data are: `rough` metres (roughnessBetween()), at a place in metres from the
// terrain's centre.
double madeHeight(const gpu::DetailUniforms& detail, double side, float rough, double east, double north);

// heightAt(field, ...) as it is drawn, to a millimetre: shaders find a place among the samples by factors in single
// precision, which on steep ground is a millimetre or two.  Metres, unscaled.
float drawnHeightAt(const HeightField& field, double east, double north);

// Metres of roughness between samples with these codes, row by row in rows of `stride`; `sample` counts from the first.
float roughnessBetween(std::span<const std::uint8_t> codes, int stride, int width, int height, glm::dvec2 sample);

}  // namespace orogen
