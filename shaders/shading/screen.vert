// Draws one triangle that covers the screen.  Depth is reversed: 0 is infinitely far.  For the sky the triangle is at
// depth 0.  With OROGEN_GROUND it is at a tiny positive depth, so that GL_LESS selects the pixels with ground.
#define OROGEN_GIVES_UNIFORMS
#include "shaders/frame.glsl"
#include "shaders/air/air.glsl"
#include "shaders/pixel_uniforms.glsl"

layout(location = 0) out vec3 ray;  // direction of sight, not normalised

void main()
{
    giveUniforms();
    vec2 ndc = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    // At depth 0, infinitely far, the unprojected point is a direction.  The division scales it to the near plane.
    ray = (frame.relativeFromClip * vec4(ndc, 0.0, 1.0)).xyz / frame.relativeFromClip[2].w;
#ifdef OROGEN_GROUND
    gl_Position = vec4(ndc, 1.0e-20, 1.0);
#else
    gl_Position = vec4(ndc, 0.0, 1.0);
#endif
}
