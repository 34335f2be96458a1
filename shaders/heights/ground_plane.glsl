// The ground of a plane: see heights.glsl.
#ifndef OROGEN_GROUND_PLANE_GLSL
#define OROGEN_GROUND_PLANE_GLSL

// Returns x: drawn height (metres, unscaled): data plus procedural detail, where it is shown; y: height with which the
// level of detail measures distances.
vec2 groundHeights(Lattice point)
{
    float data = dataHeight(point), drawn = data;
#ifdef OROGEN_DETAIL
    drawn += detailHeight(point);
#endif
    return vec2(drawn, measuredHeight(data, drawn));
}

float groundHeight(Lattice point) { return groundHeights(point).x; }

#endif
