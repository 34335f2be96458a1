// Writes the arguments of the decode (cbt_decode.comp), of culling (cull.comp) and of the draw.  Runs where no round of
// splits and merges has written them.  One thread.
#include "shaders/frame.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/round_arguments.glsl"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint relist;  // 1: the list of leaves is rebuilt
layout(location = 1) uniform uint cull;    // 1: culling follows

void main()
{
    writeArguments(heap[1], cull);
    if (relist != 0u) state.maxDepth = 0u;
}
