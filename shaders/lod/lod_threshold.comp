// Sets the thresholds in effect at the start of a frame.  One thread.
#include "shaders/frame.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lod_effect.glsl"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint rounds;  // 1: rounds of splits and merges follow in this frame

void main()
{
    if (rounds != 0u) state.thresholdMoves = 0u;
    state.morphShift = lodFollow(state.morphShift, state.thresholdShift);
    storeThresholds();
}
