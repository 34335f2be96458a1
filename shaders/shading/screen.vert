// One triangle that covers the screen: at the far plane (depth 0: reversed) for the sky, or with OROGEN_GROUND at the
// smallest positive depth, so that GL_LESS selects the pixels with ground.
layout(location = 0) out vec2 ndc;

void main()
{
    ndc = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
#ifdef OROGEN_GROUND
    gl_Position = vec4(ndc, 1.0e-20, 1.0);
#else
    gl_Position = vec4(ndc, 0.0, 1.0);
#endif
}
