// Culling of leaves on a plane: tests their bounds against the frustum.
//
// Needs in scope: lod.glsl and its requirements.
#ifndef OROGEN_IN_VIEW_PLANE_GLSL
#define OROGEN_IN_VIEW_PLANE_GLSL

// Returns whether the box and its range of heights reach into the frustum; `margin`: see inView().
bool inFrustum(LebBox box, float margin)
{
    vec2 range = heightRange(box);
    vec3 low = surfaceRelative(drawLattice(box.low), range.x);
    vec3 high = surfaceRelative(drawLattice(box.high), range.y);
    for (int i = 0; i < kFrustumPlanes; ++i)
    {
        vec4 plane = frame.frustum[i];
        vec3 farthest = mix(low, high, greaterThan(plane.xyz, vec3(0.0)));
        if (dot(plane.xyz, farthest) + plane.w < margin * (1.0 + length(farthest))) return false;
    }
    return true;
}

// Returns whether a leaf's bounding box reaches into the frustum by more than `margin` (share of the distance), and
// touches the raster.
bool inView(LebTriangle leaf, float margin)
{
    LebBox box = boxOf(leaf);
    return !outsideRaster(box) && inFrustum(box, margin);
}

#endif
