// One thread before the first of the laboratory's cycles.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/lab_arguments.glsl"

layout(local_size_x = 1) in;

void main() { writeLabArguments(); }
