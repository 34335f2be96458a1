// Colours the edges of the frozen camera's frustum.
layout(location = 0) out vec4 colour;

void main() { colour = vec4(1.0, 0.78, 0.25, 1.0); }
