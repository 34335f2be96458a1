// Heights of one image: see heights.glsl.
#ifndef OROGEN_HEIGHTS_IMAGE_GLSL
#define OROGEN_HEIGHTS_IMAGE_GLSL

#include "shaders/heights/height_texture.glsl"

const bool kDetailFades = false;  // whether the roughness of detail depends on the camera's distance

float dataHeight(Lattice lattice) { return heightAt(surfaceTexel(lattice)); }

float groundHeight(Lattice point);

const bool kEdgeHeightByLength = false;  // whether edgeHeight() depends on the length of the edge

// Returns the height at the end of an edge, for the level of detail; an image has one height for edges of all lengths.
float edgeHeight(Lattice point, int units) { return groundHeight(point); }

// Returns the height that edgeHeight() gives at a point: here that of the drawn ground, not that of the data.
float measuredHeight(float data, float drawn) { return drawn; }

// Returns the finest height of the data at a point of the picture, which is given both in metres from the camera and in
// texels.
float finestAt(vec2 relative, vec2 texel) { return heightAt(texel); }

float codeAt(ivec2 texel) { return texelFetch(heightTexture, texel, 0).r; }

// Returns x: height of the elevation model at a point (metres, unscaled); y: 0, since this height is exact.
// `relative`: metres from the camera.  Coordinates are counted from the camera's sample, which keeps them precise near
// the camera.  `cameraTexel`: the camera's sample coordinates; xy: whole part; zw: fraction.
vec2 finestHeight(vec2 relative, vec4 cameraTexel)
{
    vec2 t = cameraTexel.zw + relative / terrain.pixelSize.xy * vec2(1.0, -1.0);
    ivec2 last = ivec2(terrain.rasterSize.xy) - 1;
    ivec2 whole = ivec2(cameraTexel.xy) + ivec2(floor(t));
    ivec2 low = clamp(whole, ivec2(0), max(last - 1, ivec2(0)));
    vec2 f = clamp(fract(t) + vec2(whole - low), 0.0, 1.0);
    ivec2 high = min(low + 1, last);
    float north = mix(codeAt(low), codeAt(ivec2(high.x, low.y)), f.x);
    float south = mix(codeAt(ivec2(low.x, high.y)), codeAt(high), f.x);
    return vec2(heightOfCode(mix(north, south, f.y)), 0.0);
}

#endif
