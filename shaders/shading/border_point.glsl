// Points on the terrain's border, parametrised counter-clockwise from the south-western corner: 0 ... 1 is the southern
// side, and so on up to 4.  Needs `terrain` in scope.
#ifndef OROGEN_BORDER_POINT_GLSL
#define OROGEN_BORDER_POINT_GLSL

// A column of the drawn border (TerrainBorder::rim_).  Metres, scaled.
struct RimColumn
{
    float height;   // height of the drawn ground at this column
    float between;  // height halfway to the next column
};

// Returns a point of the border; x, y: in the unit square; z, w: outward direction (metres), blended along each side so
// that rings are straight.
vec4 borderPoint(float around)
{
    float t = fract(around), turn = mod(floor(around), 4.0);
    vec4 south = vec4(t, 0.0, 2.0 * t - 1.0, -1.0);
    if (turn < 0.5) return south;
    if (turn < 1.5) return vec4(1.0 - south.y, south.x, -south.w, south.z);
    if (turn < 2.5) return vec4(1.0 - south.x, 1.0 - south.y, -south.zw);
    return vec4(south.y, 1.0 - south.x, south.w, -south.z);
}

// Converts a border point to draw-lattice units.
vec2 latticeOfBorder(vec4 point) { return mix(terrain.latticeBounds.xy, terrain.latticeBounds.zw, point.xy); }

#endif
