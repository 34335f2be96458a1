// The surface that is drawn: the one rule for the height of a vertex, for whatever draws or checks it.
// Needs in scope: `frame`, `terrain`, surface_plane.glsl, heights_image.glsl.
#ifndef OROGEN_DRAWN_SURFACE_GLSL
#define OROGEN_DRAWN_SURFACE_GLSL

// Metres, scaled.  A function of the lattice point alone, so that every triangle that touches it puts it there.
float drawnHeight(ivec2 lattice) { return heightAt(surfaceTexel(lattice)) * terrain.pixelSize.z; }

#endif
