// The ground of the Earth: see heights.glsl.
#ifndef OROGEN_GROUND_EARTH_GLSL
#define OROGEN_GROUND_EARTH_GLSL

// Returns the sea level (metres, unscaled); without a sea, a value below all ground.
float seaLevel() { return earth.sea.y > 0.0 ? earth.sea.x / terrain.pixelSize.z : -1.0e30; }

// Returns x: drawn height (metres, unscaled): data plus procedural detail, where it is shown; y: height with which the
// level of detail measures distances, here the same (lodHeight()).  Both are at least the sea level.
vec2 groundHeights(Lattice point)
{
    float sea = seaLevel(), data = dataHeight(point);
    precise float drawn = data;
#ifdef OROGEN_DETAIL
    drawn += detailHeight(point, data - sea);
#endif
    return vec2(max(drawn, sea));
}

float groundHeight(Lattice point) { return groundHeights(point).x; }

#endif
