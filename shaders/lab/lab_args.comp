// Writes the dispatch arguments before the first cycle of a measurement (app/bench/tree/gpu_tree.h).  A cycle is
// update, reduction and list of the leaves.  One thread.
#include "shaders/frame.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lab_arguments.glsl"

layout(local_size_x = 1) in;

void main() { writeLabArguments(); }
