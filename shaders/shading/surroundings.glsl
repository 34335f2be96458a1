// The Earth around the terrain (core/terrain/imagery/surroundings.h).  Needs `terrain` in scope.
#ifndef OROGEN_SURROUNDINGS_GLSL
#define OROGEN_SURROUNDINGS_GLSL

#include "shaders/shading/earth_curve.glsl"

// Height, slope east and north (unscaled); a single texel where the terrain has no surroundings.
layout(binding = kSurroundingGroundTexture) uniform sampler2D surroundingGround;
layout(binding = kSurroundingColourTexture) uniform sampler2D surroundingColour;

const vec3 kSeaAlbedo = vec3(0.004, 0.018, 0.048);  // deep water, seen from above

struct Surrounding
{
    float height;  // metres, unscaled; negative: the sea's floor
    vec2 slope;    // metres per metre to the east and to the north, scaled
    float share;   // weight of this height and slope in the land: 0 at the border, and where nothing is known
    vec4 colour;   // albedo; w: weight of this albedo in the land's colour
};

bool hasSurroundings() { return textureSize(surroundingGround, 0).x > 1; }

vec2 terrainExtent() { return max(terrain.rasterSize.xy - 1.0, 1.0) * terrain.pixelSize.xy; }

// Returns the land at a point of the border (borderPoint()), `distance` metres outside it.
Surrounding surroundingAt(float around, float distance)
{
    vec2 size = vec2(textureSize(surroundingGround, 0)), extent = terrainExtent();
    float row = float(kSurroundingRowsPerOctave) * log2(max(distance / kNearestSurroundings, 1.0));
    vec2 uv = vec2(around * 0.25 + 0.5 / size.x, (row + 0.5) / size.y);
    vec3 ground = textureLod(surroundingGround, uv, 0.0).xyz;
    vec4 colour = textureLod(surroundingColour, uv, 0.0);
    float blend = max(kLandBlendSide * min(extent.x, extent.y), kLeastLandBlend);
    float share = hasSurroundings() ? smoothstep(0.0, blend, distance) : 0.0;
    // Near by, plants are greener than in a picture from orbit, where haze and dry ground redden them, and woods are
    // brighter: light falls between the trees.
    float bright = dot(colour.rgb, vec3(0.21, 0.72, 0.07));
    vec3 toned = mix(colour.rgb, bright * vec3(0.96, 1.02, 0.74), 0.55) *
                 (1.1 - 0.3 * smoothstep(0.1, 0.4, bright) + 1.2 * (1.0 - smoothstep(0.01, 0.07, bright)));
    return Surrounding(ground.x, ground.yz * terrain.pixelSize.z * step(0.0, ground.x), share,
                       vec4(toned, colour.a * share));
}

// Returns the height at which the land is drawn (metres, scaled); under the sea, its surface.
float drawnHeight(Surrounding earth) { return max(earth.height, kLowestLand) * terrain.pixelSize.z; }

// Inverts the mapping of landAt() in land.comp for a point outside the raster, or close to its border.  `place`: metres
// east and north of the south-western corner.  Returns the point of the border, the distance from it, and how far the
// land there has sunk (metres).
vec3 aroundOf(vec2 place)
{
    vec2 extent = terrainExtent(), low = -place, high = place - extent;
    float nearest = max(max(low.x, low.y), max(high.x, high.y)), distance = max(nearest, 0.0);
    vec2 onwards = (place + distance) / (extent + 2.0 * distance);             // along the southern and eastern side
    vec2 back = (extent + distance - place) / (extent + 2.0 * distance);       // along the northern and western side
    float around = low.y >= nearest    ? onwards.x
                   : high.x >= nearest ? 1.0 + onwards.y
                   : high.y >= nearest ? 2.0 + back.x
                                       : 3.0 + back.y;
    float across = borderAcross(around);
    vec2 curve = distanceAlong(distance * across);
    return vec3(around, curve.x / across, curve.y);
}

#endif
