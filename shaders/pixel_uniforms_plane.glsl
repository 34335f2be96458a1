// The uniforms that pixel_uniforms.glsl gives only on a plane.
#ifndef OROGEN_PIXEL_UNIFORMS_PLANE_GLSL
#define OROGEN_PIXEL_UNIFORMS_PLANE_GLSL

const int kWorldVectors = 8;
#define OROGEN_WORLD_VECTORS(each) \
    each(kSharedVectors + 0, frame.cameraCell) \
    each(kSharedVectors + 1, frame.cameraFraction) \
    each(kSharedVectors + 2, terrain.squareSize) \
    each(kSharedVectors + 3, terrain.texelFromLattice) \
    each(kSharedVectors + 4, terrain.rasterSize) \
    each(kSharedVectors + 5, terrain.heights) \
    each(kSharedVectors + 6, air.sunlight) \
    each(kSharedVectors + 7, air.skylight)

#ifdef OROGEN_TAKES_UNIFORMS
layout(location = 2 + kSharedVectors + kWorldVectors) flat in vec2 flatDetail;
void takeWorld()
{
    frame.detailEast = flatDetail.x;
    frame.detailNorth = flatDetail.y;
}
#endif
#ifdef OROGEN_GIVES_UNIFORMS
layout(location = 2 + kSharedVectors + kWorldVectors) flat out vec2 flatDetail;
void giveWorld() { flatDetail = vec2(frame.detailEast, frame.detailNorth); }
#endif

#endif
