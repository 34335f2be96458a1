// Pass "serve" of a round of splits and merges (lod_round.glsl), run only in rounds whose requested splits exceed the
// free capacity.  Clears the flags of refused splits, so that the pass "plan" carries out only the others.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint leaf = leaves[place];
    lodServe(lodNumberAt(place), leaf);
}
