// The ground of the Earth: see heights.glsl.
#ifndef OROGEN_GROUND_EARTH_GLSL
#define OROGEN_GROUND_EARTH_GLSL

float seaLevel() { return earth.sea.y > 0.0 ? earth.sea.x / terrain.pixelSize.z : -1.0e30; }

// Drawn height (metres, unscaled): data plus procedural detail, where it is shown; at least the sea level.
float groundHeight(Lattice point)
{
    float sea = seaLevel();
    precise float height = dataHeight(point);
#ifdef OROGEN_DETAIL
    height += detailHeight(point, height - sea);
#endif
    return max(height, sea);
}

#endif
