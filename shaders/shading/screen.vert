// One triangle that covers the screen: at the far plane (depth 0: reversed) for the sky, or with OROGEN_GROUND at the
// smallest positive depth, so that GL_LESS selects the pixels with ground.
#include "shaders/frame.glsl"

layout(location = 0) out vec3 ray;  // direction of sight, not normalised

void main()
{
    vec2 ndc = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    // The point of the pixel's ray at depth 0, at infinity.
    ray = (frame.relativeFromClip * vec4(ndc, 0.0, 1.0)).xyz / frame.relativeFromClip[2].w;
#ifdef OROGEN_GROUND
    gl_Position = vec4(ndc, 1.0e-20, 1.0);
#else
    gl_Position = vec4(ndc, 0.0, 1.0);
#endif
}
