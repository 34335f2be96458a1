// Draws the edges of the frozen camera's frustum as lines.  While the level of detail is frozen, this camera stays
// where it was.
#include "shaders/frame.glsl"

layout(location = 0) uniform vec3 corners[5];  // metres from the camera: the frozen eye, then its four far corners

void main()
{
    // Lines 0 ... 3 are rays from the eye, lines 4 ... 7 the sides of the far rectangle.
    int line = gl_VertexID >> 1, end = gl_VertexID & 1;
    int from = line < 4 ? 0 : line - 3;
    int to = line < 4 ? line + 1 : 1 + (line - 3) % 4;
    gl_Position = frame.clipFromRelative * vec4(corners[end == 0 ? from : to], 1.0);
}
