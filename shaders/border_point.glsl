// Points of the terrain's border, counted counter-clockwise from its south-western corner: 0 ... 1 is the southern side,
// and so on up to 4.
// Needs in scope: `terrain`.
#ifndef OROGEN_BORDER_POINT_GLSL
#define OROGEN_BORDER_POINT_GLSL

// A column of the border that is drawn (TerrainBorder::rim_).  Metres, scaled.
struct RimColumn
{
    float height;   // of the drawn ground at this column
    float between;  // and halfway to the next column
};

// x, y: in the unit square; z, w: the way outwards, for one metre, so that sides stay straight.
vec4 borderPoint(float around)
{
    float t = fract(around), turn = mod(floor(around), 4.0);
    vec4 south = vec4(t, 0.0, 2.0 * t - 1.0, -1.0);
    if (turn < 0.5) return south;
    if (turn < 1.5) return vec4(1.0 - south.y, south.x, -south.w, south.z);
    if (turn < 2.5) return vec4(1.0 - south.x, 1.0 - south.y, -south.zw);
    return vec4(south.y, 1.0 - south.x, south.w, -south.z);
}

// On the draw lattice.
vec2 latticeOfBorder(vec4 point) { return mix(terrain.latticeBounds.xy, terrain.latticeBounds.zw, point.xy); }

#endif
