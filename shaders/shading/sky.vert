// One triangle that covers the screen, at the far plane (depth 0: reversed).
layout(location = 0) out vec2 ndc;

void main()
{
    ndc = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0;
    gl_Position = vec4(ndc, 0.0, 1.0);
}
