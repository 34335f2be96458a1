// Measures the jump: the vertical distance in each pixel between the drawn ground and the triangle that the previous
// frame's mesh had at that place, whether it was visible or not.
#define OROGEN_TWO_MESHES
#include "shaders/frame.glsl"
#include "shaders/checks/ground_points.glsl"
#include "shaders/shading/seen.glsl"

#include "shaders/surface/surface.glsl"
#include "shaders/checks/drawn_place.glsl"

// Converts a point from coordinates of the previous frame's camera to those of this frame's camera.
vec3 fromThen(vec3 point)
{
    return vec3(dot(view.thenEast.xyz, point) + view.thenEast.w, dot(view.thenNorth.xyz, point) + view.thenNorth.w,
                dot(view.thenUp.xyz, point) + view.thenUp.w);
}

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    vec3 relative;
    uint record;
    MeshPiece weights;
    if (any(greaterThanEqual(pixel, ivec2(view.viewport.xy))) || !groundPoint(pixel, relative)) return;
    DrawnPlace place = drawnPlace(relative);
    if (!triangleOver(false, place.cell, place.rest, record, weights)) return;
    float now = riseTo(listedTriangle(false, record, weights), relative, place.up);
    if (!isOnMesh(place, now) || !triangleOver(true, place.cell, place.rest, record, weights)) return;
    MeshTriangle then = listedTriangle(true, record, weights);
    then = MeshTriangle(fromThen(then.a), fromThen(then.b), fromThen(then.c));
    addToTally(verticalPixels(riseTo(then, relative, place.up) - now, relative, place.up, view.lens.z));
}
