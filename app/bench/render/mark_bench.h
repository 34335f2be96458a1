// Measures rounds (one update of the triangulation, app/render/leaf_rounds.h) in a slow flight. The mark pass of a
// round decides for each leaf: split, merge or keep. It evaluates every leaf, or only those whose cached decision (a
// verdict, shaders/lod/lod_verdicts.glsl) has expired. Also has a clock for GPU work that runs alone.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "app/bench/harness/bench.h"
#include "app/gl/objects.h"
#include "app/render/renderer.h"
#include "core/view/camera.h"

namespace orogen::app::bench {

// Clock for sections of GPU work; needs a current context. Waits for the GPU before and after each section. byCpu()
// includes all work of the driver; byGpu() is the difference of two time stamps that enclose only the GPU's work.
class GpuClock
{
public:
    GpuClock();

    void time(const std::function<void()>& section);
    void addTo(Json& row) const;  // "time_ms", "gpu_ms" (null: no time stamps), "spread", "rounds"; call time() first
    Timing byCpu() const { return timingOf(cpu_); }
    std::optional<Timing> byGpu() const;  // empty: the driver has no time stamps

private:
    Query begin_, end_;
    bool stamps_ = false;
    std::vector<double> cpu_, gpu_;  // milliseconds
};

struct MarkCost
{
    Timing evaluated, kept;     // mark pass of a frame: with every leaf evaluated, and with cached verdicts
    std::uint32_t leaves = 0;   // at the end
    bool sameDecisions = true;  // both mark passes of every frame requested the same splits and merges
};

// Converges the tree at `from`, then flies evenly towards `to`. Each of `frames` frames runs the mark pass twice:
// first with every leaf evaluated, then with cached verdicts. The first pass thus warms the caches for the second.
// Requires a plane and the edge criterion. With a triangle budget or a full tree, no verdict would be cached. Restores
// the renderer's settings; the tree stays as in the last frame. Errors: those of Renderer::apply().
Result<MarkCost> markCost(Renderer& renderer, const Camera& from, const Camera& to, int frames);

// Times of each pass of a round on the flight of markCost(), on a plane or the Earth. `keepVerdicts`: with cached
// verdicts, which only the plane has; otherwise every leaf is evaluated. Waits for the GPU after each pass. Restores
// the renderer's settings. Errors: those of Renderer::apply().
struct PassCosts
{
    std::vector<std::pair<const char*, Timing>> passes;  // in order; the last is the whole round
    std::uint32_t leaves = 0, visible = 0;               // at the end
    bool settled = false;                                // the triangulation converged before the flight began
};
Result<PassCosts> passCosts(Renderer& renderer, const Camera& from, const Camera& to, int frames, bool keepVerdicts);

// Times of whole rounds, without waits between passes: in flight with every leaf evaluated, in flight with cached
// verdicts, and at rest with cached verdicts. Arguments, requirements and errors as for markCost().
struct RoundClocks
{
    GpuClock evaluated, kept, atRest;
    std::uint32_t leaves = 0;  // at the end
};
Result<RoundClocks> clockRounds(Renderer& renderer, const Camera& from, const Camera& to, int frames);

// Converges the tree for `camera`, in at most 200 rounds, and returns its number of leaves. Errors: those of
// Renderer::apply().
Result<std::uint32_t> leavesAt(Renderer& renderer, const Camera& camera);

// Converges the tree at `from`, jumps to `to`, and runs rounds until one changes nothing, at most `most`. Returns the
// number of rounds after the jump, the last included.
Result<int> roundsAfterJump(Renderer& renderer, const Camera& from, const Camera& to, int most);

}  // namespace orogen::app::bench
