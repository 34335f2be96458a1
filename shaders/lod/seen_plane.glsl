// Access for cull.comp to the leaves of the implicit tree; seen_earth.glsl: to those of the pool.
// Needs in scope: lod_buffers.glsl, sampler2D heightTexture, kByGroup.
#ifndef OROGEN_SEEN_PLANE_GLSL
#define OROGEN_SEEN_PLANE_GLSL

#include "shaders/tree/leb.glsl"
#include "shaders/tree/leaf_list.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/lod/in_view_@world.glsl"
#include "shaders/surface/drawn_leaf.glsl"

// Neighbours in the list are neighbours on the ground, so a thread can test several at once.  A GPU needs more threads.
#define OROGEN_LEAVES_PER_THREAD (kByGroup ? 1u : 8u)

// Returns how many of the leaves inside a box are in view.  The margin exceeds the rounding of inFrustum(), so that
// each leaf's own test would give what this test says of all.
uint viewOf(LebBox box)
{
    const float doubt = 1.0e-5;  // share of the distance
    if (outsideRaster(box)) return kNoneSeen;
    vec4 bounds = terrain.latticeBounds;
    vec2 corner = vec2(drawLattice(box.low)), opposite = vec2(drawLattice(box.high));
    bool inside = all(greaterThanEqual(corner, bounds.xy)) && all(lessThanEqual(opposite, bounds.zw)), outside = false;
    vec2 range = heightRange(box);
    vec3 low = surfaceRelative(drawLattice(box.low), range.x);
    vec3 high = surfaceRelative(drawLattice(box.high), range.y);
    for (int i = 0; i < kFrustumPlanes; ++i)
    {
        vec4 plane = frame.frustum[i];
        bvec3 rises = greaterThan(plane.xyz, vec3(0.0));
        vec3 farthest = mix(low, high, rises), nearest = mix(high, low, rises);
        float margin = doubt * (1.0 + max(length(farthest), length(nearest)));
        outside = outside || dot(plane.xyz, farthest) + plane.w < -margin;
        inside = inside && dot(plane.xyz, nearest) + plane.w > margin;
    }
    return outside ? kNoneSeen : inside ? kAllSeen : kSomeSeen;
}

// Returns how many leaves from place `first` up to `end` of the list are in view: tests the deepest node above them.
uint viewOfLeaves(uint first, uint end)
{
    if (kByGroup) return kSomeSeen;
    uint node = leaves[first], last = leaves[end - 1u];
    uint depth = min(cbtDepth(node), cbtDepth(last));
    node >>= cbtDepth(node) - depth;
    last >>= cbtDepth(last) - depth;
    node >>= uint(findMSB(node ^ last) + 1);
    return viewOf(boxOf(lebVertices(max(node, 2u))));  // node 2 has the box of node 1, the square
}

// Returns the leaf's entry in the list of drawn leaves (drawn_leaf.glsl).
uvec4 drawnEntry(uint place) { return drawnLeaf(listedTriangle(place), cbtDepth(leaves[place]), place); }

// Returns whether the leaf is in view.  `entry`: as drawnEntry(), so that the leaf is read once.
bool leafIsSeen(uint place, out uvec4 entry)
{
    LebTriangle triangle = listedTriangle(place);
    entry = drawnLeaf(triangle, cbtDepth(leaves[place]), place);
    return inView(triangle, 0.0);
}

#endif
