// Points on the terrain's border.  The parameter runs counter-clockwise from the south-western corner.  The southern
// side is 0 ... 1, the eastern side 1 ... 2, and so on up to 4.  Needs `terrain` in scope.
#ifndef OROGEN_BORDER_POINT_GLSL
#define OROGEN_BORDER_POINT_GLSL

// Heights of the drawn ground at a column of vertices on the border (metres, scaled).  rim.comp writes them.
struct RimColumn
{
    float height;   // at this column
    float between;  // halfway to the next column with a vertex
};

// A place of a vertex of the land around the terrain.  land.comp computes xyz (metres from the camera).
struct LandPoint
{
    vec4 inner;  // xyz: in the inner row of a ring; w: parameter of borderPoint()
    vec4 outer;  // xyz: in the outer row of the ring before it, which overlaps; w: distance from the border (metres)
};

// Returns a point of the border.  x, y: in the unit square; z, w: offset per metre of distance outwards, blended along
// each side so that the sides of rings are straight.
vec4 borderPoint(float around)
{
    float t = fract(around), turn = mod(floor(around), 4.0);
    vec4 south = vec4(t, 0.0, 2.0 * t - 1.0, -1.0);
    if (turn < 0.5) return south;
    if (turn < 1.5) return vec4(1.0 - south.y, south.x, -south.w, south.z);
    if (turn < 2.5) return vec4(1.0 - south.x, 1.0 - south.y, -south.zw);
    return vec4(south.y, 1.0 - south.x, south.w, -south.z);
}

// Returns the length of borderPoint().zw.
float borderAcross(float around)
{
    float other = 2.0 * fract(around) - 1.0;
    return sqrt(1.0 + other * other);
}

layout(binding = kBorderTexture) uniform sampler2D borderTexture;

// Returns the height of the drawn ground at a point of the border (metres, scaled).  `level`: mipmap level, whose
// texels are means over 2^level texels of the border.
float borderHeight(float around, float level)
{
    float texels = float(textureSize(borderTexture, 0).x);
    return textureLod(borderTexture, vec2(around * 0.25 + 0.5 / texels, 0.5), min(level, log2(texels) - 3.0)).r;
}

// Converts a border point to draw-lattice units.
vec2 latticeOfBorder(vec4 point) { return mix(terrain.latticeBounds.xy, terrain.latticeBounds.zw, point.xy); }

// Returns a point in metres from the camera.  `lattice`: in draw-lattice units; `metres`: added offset.
vec2 relativeOf(vec2 lattice, vec2 metres)
{
    return (lattice - frame.cameraCell.xy) * terrain.squareSize.y - frame.cameraFraction.xy + metres;
}

float relativeHeight(float scaled) { return (scaled - frame.cameraCell.z) - frame.cameraFraction.z; }

#endif
