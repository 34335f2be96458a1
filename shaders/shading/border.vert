// Draws the surroundings of the raster: rings of land that extend the border's heights outwards (the default), or walls
// down from the border (OROGEN_WALLS).  Each ring is one closed triangle strip between an inner and an outer row of
// vertices, two per column.
//
// The innermost ring meets the drawn ground at the seam.  It has at least one column per sample, up to 4,096 per side,
// and vertices at all of them near by; far away, at columns some pixels apart.
// The heights of the seam come from the drawn triangles (rim.comp).  A second ring at the border, the fin, hangs down
// behind the seam and hides gaps.  Outer rings have fewer columns; land.comp places their vertices.
#include "shaders/frame.glsl"
#include "shaders/shading/border_point.glsl"

layout(std430, binding = kRimBinding) readonly buffer RimBlock { RimColumn rim[]; };
layout(std430, binding = kLandBinding) readonly buffer LandBlock { LandPoint land[]; };

layout(location = 0) uniform ivec4 columns;  // x, y: columns per side of this ring and of the next; z: 1 if this ring
                                             // begins at the border, 2 if it is the fin; w: columns from one vertex to
                                             // the next
layout(location = 1) uniform float foot;     // height of the walls' foot (metres, scaled)
layout(location = 2) uniform ivec2 points;   // index in land[] of the first point of the inner and of the outer row

#ifdef OROGEN_WALLS
layout(location = 0) out vec3 relative;
layout(location = 1) out vec2 texel;  // sample coordinates
#endif

const float kSeamPixels = 2.0;  // pixels by which the seam is raised above the drawn ground, to cover rounding
const float kRimPixels = 0.5;   // as kSeamPixels, for walls: more would show their inner side
const float kFinPixels = 2.0;   // minimum depth of the fin below the drawn ground (pixels)

// Returns a vertex of a ring's outer row, interpolated between the columns of the next ring.  The row overlaps that
// ring at the ring's height, so that no downward line of sight passes between the two rings.
vec3 outerRow(float around)
{
    float column = around * float(columns.y), before = floor(column + 1.0e-3), part = max(column - before, 0.0);
    int left = int(before), right = left + 1 == 4 * columns.y ? 0 : left + 1;
    return mix(land[points.y + left].outer.xyz, land[points.y + right].outer.xyz, part < 1.0e-3 ? 0.0 : part);
}

// Returns a bound of the drawn ground's height above the straight lines to the next and from the previous column
// (metres, scaled).  Where an edge crosses the border between two columns, the ground peaks.  The peak is at most twice
// as far above the line as the ground halfway.
float bulge(int column)
{
    int count = 4 * columns.x, before = column == 0 ? count - columns.w : column - columns.w;
    int next = column + columns.w == count ? 0 : column + columns.w;
    RimColumn here = rim[column], last = rim[before];
    return 2.0 * max(0.0, max(here.between - 0.5 * (here.height + rim[next].height),
                              last.between - 0.5 * (last.height + here.height)));
}

// Returns a point half a pixel inside the border, raised by `pixels` and `metres` above the ground drawn there.
vec3 atBorder(int column, float around, float pixels, float metres)
{
    vec4 point = borderPoint(around);
    float height = rim[column].height + metres;
    vec3 place = vec3(relativeOf(latticeOfBorder(point), vec2(0.0)), relativeHeight(height));
    float pixel = length(place) / frame.pixelsPerRadian;
    return place + vec3(-0.5 * pixel * sign(point.zw) * step(0.999, abs(point.zw)), pixels * pixel);
}

void main()
{
    int column = (gl_VertexID >> 1) * columns.w;
    bool outer = (gl_VertexID & 1) != 0;
    if (column == 4 * columns.x) column = 0;  // the strip is closed
    float around = float(column) / float(columns.x);
#ifdef OROGEN_WALLS
    relative = atBorder(column, around, kRimPixels, bulge(column));
    if (outer) relative.z = relativeHeight(foot);
    vec2 metres = relative.xy + frame.cameraFraction.xy;
    texel = terrain.texelFromLattice.xy * (metres / terrain.squareSize.y + frame.cameraCell.xy) + terrain.texelFromLattice.zw;
#else
    vec3 relative;
    if (columns.z == 2)
    {
        relative = atBorder(column, around, outer ? kSeamPixels : -kFinPixels, outer ? bulge(column) : 0.0);
        if (!outer) relative.z = min(relative.z, relativeHeight(terrain.heights.z));
    }
    else if (columns.z == 1 && !outer)
        relative = atBorder(column, around, kSeamPixels, 0.0);
    else
        relative = outer ? outerRow(around) : land[points.x + column].inner.xyz;
#endif
    gl_Position = frame.clipFromRelative * vec4(relative, 1.0);
}
