// The ground of a plane: see heights.glsl.
#ifndef OROGEN_GROUND_PLANE_GLSL
#define OROGEN_GROUND_PLANE_GLSL

// Drawn height (metres, unscaled): data plus procedural detail, where it is shown.
float groundHeight(Lattice point)
{
#ifdef OROGEN_DETAIL
    return dataHeight(point) + detailHeight(point);
#else
    return dataHeight(point);
#endif
}

#endif
