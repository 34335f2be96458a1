// Which leaves are drawn.  Needs in scope: lod.glsl and what that needs.
#ifndef OROGEN_IN_VIEW_GLSL
#define OROGEN_IN_VIEW_GLSL

// Whether a box reaches into the frustum by more than `margin`, a share of the distance.
bool inFrustum(LebBox box, float margin)
{
    vec2 range = heightRange(box);
    vec3 low = surfaceRelative(drawLattice(box.low), range.x, frame.cameraCell, frame.cameraFraction);
    vec3 high = surfaceRelative(drawLattice(box.high), range.y, frame.cameraCell, frame.cameraFraction);
    for (int i = 0; i < kFrustumPlanes; ++i)
    {
        vec4 plane = frame.frustum[i];
        vec3 farthest = mix(low, high, greaterThan(plane.xyz, vec3(0.0)));
        if (dot(plane.xyz, farthest) + plane.w < margin * (1.0 + length(farthest))) return false;
    }
    return true;
}

#endif
