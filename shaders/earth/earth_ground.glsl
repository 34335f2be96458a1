// The ground according to the data in a pixel of the Earth.
//
// Needs in scope: `frame`, `terrain`, sampler2D heightTexture.
#ifndef OROGEN_EARTH_GROUND_GLSL
#define OROGEN_EARTH_GROUND_GLSL

#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/earth/earth_place.glsl"
#include "shaders/heights/tile_slopes.glsl"
#include "shaders/earth/earth_samples.glsl"

const float kLeastLie = 60.0;  // EarthGround::lie is 1 or -1 only where detail is at least so high or deep (metres)

struct EarthGround
{
    float height;   // data's height above the ellipsoid, unclamped by the sea and without detail (metres, unscaled)
    vec2 gradient;  // gradient of the height along e1 and e2, unscaled
#ifdef OROGEN_DETAIL
    float made;         // height of the procedural detail (metres, unscaled)
    vec2 madeGradient;  // gradient of the procedural detail along e1 and e2, unscaled
    float lie;          // `made` as a share of its usual maximum: -1 in the deepest valleys, 1 on the highest ridges
#endif
};

#ifdef OROGEN_DETAIL
// Adds procedural detail of the wavelengths that the pixel resolves.
void addMade(inout EarthGround ground, EarthPlace place, SamplePlace samples, EarthTangents tangents, TileBlend blend,
             float footprint)
{
    ground.made = 0.0;
    ground.madeGradient = vec2(0.0);
    ground.lie = 0.0;
    if (detail.octaves.x == 0u) return;
    TileEntry entry;
    entry.slot = blend.slot;
    entry.parent = blend.coarser;
    entry.place = 0;
    DetailGround data = detailGroundIn(entry, samples, blend.level, blend.weight);
    float roughness = data.relief.x + data.wide.x;
    float share = detailShoreShare(max(roughness, 1.0e-6), ground.height - seaLevel(), data);
    if (roughness <= 0.0 || share <= 0.0) return;
    vec3 made = detailAt(ivec3(place.whole, place.face), place.part, kPixelsAWave * footprint, data) * share;
    ground.made = made.x;
    ground.lie = clamp(made.x / max(kReached * roughness * detail.metres.z, kLeastLie), -1.0, 1.0);
    ground.madeGradient = gradientAlong(tangents, made.yz);
}
#endif

// Returns the ground at a place.  `level`: level of the tiles to read, from footprintLevel(); `footprint`: metres that
// a pixel covers, for procedural detail.
EarthGround earthGround(EarthPlace place, EarthTangents tangents, float level, float footprint)
{
    SamplePlace samples = samplePlace(place);
    vec3 fromFoot = tangents.n * vec3(kEquatorRadius, kEquatorRadius, kPoleRadius) - vec3(earthFoot());
    TileBlend blend = tileBlend(samples, level, distanceRatio(fromFoot));
    EarthGround ground;
    ground.height = mix(heightInSlot(blend.coarser, blend.coarserCell), heightInSlot(blend.slot, blend.cell), blend.weight);
    ground.gradient = mix(slopeInSlot(blend.coarser, blend.coarserCell), slopeInSlot(blend.slot, blend.cell), blend.weight);
#ifdef OROGEN_DETAIL
    addMade(ground, place, samples, tangents, blend, footprint);
#endif
    return ground;
}

#endif
