// What the first pass of a round costs while a camera flies slowly: with every leaf evaluated, and with verdicts kept
// (shaders/lod_verdicts.glsl).
#pragma once

#include <utility>
#include <vector>

#include "app/bench/harness/timing.h"
#include "app/bench/render/gpu_clock.h"
#include "app/render/renderer.h"
#include "core/view/camera.h"

namespace orogen::app::bench {

struct MarkCost
{
    Timing evaluated, kept;     // of a frame's mark, the GPU's work waited for
    std::uint32_t leaves = 0;   // at the end
    bool sameDecisions = true;  // in every frame both found the same wishes
};

// Settles the tree at `from` and flies to `to` in as many frames, evenly.  Both ways are measured in every frame, one
// after the other, and the way that comes first alternates not: what evaluates all comes first, so that it warms the
// caches for the other and not the other way round.  The criterion is the edge; no budget, and leaves to spare.  Leaves
// the renderer frozen as it was; its tree is that of the last frame.  Errors: those of Renderer::apply().
Result<MarkCost> markCost(Renderer& renderer, const Camera& from, const Camera& to, int frames);

// What whole rounds cost on such a flight: mark, plan, apply, reduction, decode and cull, by the criterion that is set.
// Every frame has a round with every leaf evaluated and then one with verdicts kept.  Otherwise as markCost().
struct RoundCost
{
    Timing evaluated, kept;
    std::uint32_t leaves = 0;  // at the end
};
Result<RoundCost> roundCost(Renderer& renderer, const Camera& from, const Camera& to, int frames);

// What each part of a round costs on such a flight, every leaf evaluated: with the triangulation that the renderer has,
// plane or Earth.  Parts are waited for one after the other.  Otherwise as markCost().
struct PassCosts
{
    std::vector<std::pair<const char*, Timing>> passes;  // in their order, and last all of them: the round
    std::uint32_t leaves = 0, visible = 0;               // at the end
    bool settled = false;                                // the triangulation had come to rest where the flight begins
};
Result<PassCosts> passCosts(Renderer& renderer, const Camera& from, const Camera& to, int frames);

// Rounds in one piece, as a frame runs them: with every leaf evaluated and then with verdicts kept while the camera
// flies, then where it stays, verdicts kept.  Otherwise as markCost().
struct RoundClocks
{
    GpuClock evaluated, kept, atRest;
    std::uint32_t leaves = 0;  // at the end
};
Result<RoundClocks> clockRounds(Renderer& renderer, const Camera& from, const Camera& to, int frames);

// Leaves of a settled tree at that place.
Result<std::uint32_t> leavesAt(Renderer& renderer, const Camera& camera);

// Rounds, one after the other, until one changes nothing, after the camera has jumped from one place, where the tree
// had settled, to another; at most `most`.
Result<int> roundsAfterJump(Renderer& renderer, const Camera& from, const Camera& to, int most);

}  // namespace orogen::app::bench
