// What lies around the terrain: rings of land that carry the border's heights outwards (the default), or walls down from
// the border (OROGEN_WALLS).  One strip of triangles a ring, closed around the terrain, from its inner row to its outer
// one.  The ring at the border has a column for each sample, so that it meets the ground that is drawn; those farther out
// have fewer, and heights that are smoothed as widely as they are far away.
#include "shaders/frame.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kBorderTexture) uniform sampler2D borderTexture;

#include "shaders/heights_image.glsl"

layout(location = 0) uniform ivec4 columns;  // x, y: of this ring along a southern and a western side; z: of the next ring
                                             // a side; w: 1 if this ring begins at the border,
                                             // 2 if it is the fin there
layout(location = 1) uniform vec4 rows;      // x, y: metres from the border of the inner and the outer row; z: metres from
                                             // column to column of the border texture; w: height of the walls' foot

layout(location = 0) out vec3 relative;
layout(location = 1) out vec2 texel;
layout(location = 4) out float landHeight;  // metres, scaled, without the Earth's curve

const float kEarthDiameter = 12742000.0;  // metres
const float kSeamPixels = 2.0;            // that the border's row stands above the samples: what is drawn may, too
const float kOverlap = 1.02;              // that a ring reaches into the next one: no pixel falls between their vertices
const float kRimPixels = 0.5;              // the same of walls, whose inner side must not be seen
const float kFinPixels = 2.0;             // and that the fin reaches down behind the ground

// A point of the border, counted counter-clockwise from its south-western corner: 0 ... 1 is the southern side, and so on
// up to 4.  x, y: in the unit square; z, w: the way outwards, for one metre, so that sides stay straight.
vec4 borderPoint(float around)
{
    float t = fract(around), turn = mod(floor(around), 4.0);
    vec4 south = vec4(t, 0.0, 2.0 * t - 1.0, -1.0);
    if (turn < 0.5) return south;
    if (turn < 1.5) return vec4(1.0 - south.y, south.x, -south.w, south.z);
    if (turn < 2.5) return vec4(1.0 - south.x, 1.0 - south.y, -south.zw);
    return vec4(south.y, 1.0 - south.x, south.w, -south.z);
}

vec2 latticeOf(vec2 unit) { return mix(terrain.latticeBounds.xy, terrain.latticeBounds.zw, unit); }

vec2 relativeOf(vec2 lattice, vec2 metres)
{
    return (lattice - frame.cameraCell.xy) * terrain.squareSize.y - frame.cameraFraction.xy + metres;
}

float relativeHeight(float height) { return (height * terrain.pixelSize.z - frame.cameraCell.z) - frame.cameraFraction.z; }

// Land `distance` metres from the border; w: its height.  The Earth's curve makes it sink below the horizon.
vec4 land(float around, float distance)
{
    vec4 point = borderPoint(around);
    float texels = float(textureSize(borderTexture, 0).x);
    float level = max(log2(distance / rows.z), 0.0);
    float height = textureLod(borderTexture, vec2(around * 0.25 + 0.5 / texels, 0.5), min(level, log2(texels) - 3.0)).r;
    vec2 place = relativeOf(latticeOf(point.xy), point.zw * distance);
    return vec4(place, relativeHeight(height) - distance * distance / kEarthDiameter, height * terrain.pixelSize.z);
}

// The land on the straight lines between `perSide` columns: where a ring with more of them meets one with fewer.
vec4 landBetween(float around, float distance, int perSide)
{
    float column = around * float(perSide);
    float before = floor(column + 1.0e-3), part = max(column - before, 0.0);
    vec4 left = land(before / float(perSide), distance);
    return part < 1.0e-3 ? left : mix(left, land((before + 1.0) / float(perSide), distance), part);
}

// At the border itself: `pixels` above the samples there.
vec4 atBorder(float around, float pixels)
{
    vec4 point = borderPoint(around);
    vec2 lattice = latticeOf(point.xy);
    float height = heightAt(terrain.texelFromLattice.xy * lattice + terrain.texelFromLattice.zw);
    vec3 place = vec3(relativeOf(lattice, vec2(0.0)), relativeHeight(height));
    float pixel = length(place) / frame.pixelsPerRadian;
    place += vec3(-0.5 * pixel * sign(point.zw) * step(0.999, abs(point.zw)), pixels * pixel);
    return vec4(place, height * terrain.pixelSize.z);
}

void main()
{
    int column = gl_VertexID >> 1;
    bool outer = (gl_VertexID & 1) != 0;
    int perTurn = columns.x + columns.y, half_ = column / perTurn, rest = column - half_ * perTurn;
    float around = 2.0 * float(half_) +
                   (rest < columns.x ? float(rest) / float(columns.x) : 1.0 + float(rest - columns.x) / float(columns.y));
#ifdef OROGEN_WALLS
    vec4 point = atBorder(around, kRimPixels);
    if (outer) point.z = relativeHeight(rows.w);
#else
    vec4 point;
    if (columns.w == 2)
        point = atBorder(around, outer ? kSeamPixels : -kFinPixels);
    else if (columns.w == 1 && !outer)
        point = atBorder(around, kSeamPixels);
    else
        point = outer ? landBetween(around, rows.y * kOverlap, columns.z) : land(around, rows.x);
#endif
    relative = point.xyz;
    landHeight = point.w;
    vec2 metres = relative.xy + frame.cameraFraction.xy;
    texel = terrain.texelFromLattice.xy * (metres / terrain.squareSize.y + frame.cameraCell.xy) + terrain.texelFromLattice.zw;
    gl_Position = frame.clipFromRelative * vec4(relative, 1.0);
}
