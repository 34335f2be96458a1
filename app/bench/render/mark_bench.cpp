#include "app/bench/render/mark_bench.h"

#include <chrono>
#include <iterator>
#include <vector>

#include <glm/common.hpp>

#include "app/render/lod_tree.h"

namespace orogen::app::bench {

// ---- clock ----

namespace {

double valueOf(const Query& query)
{
    GLuint64 nanoseconds = 0;
    glGetQueryObjectui64v(query.id(), GL_QUERY_RESULT, &nanoseconds);
    return double(nanoseconds);
}

Json jsonOf(const Timing& timing) { return {{"minimum", timing.minimumMs}, {"median", timing.medianMs}}; }

}  // namespace

GpuClock::GpuClock() : begin_(makeQuery(GL_TIMESTAMP)), end_(makeQuery(GL_TIMESTAMP))
{
    GLint bits = 0;
    glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    stamps_ = bits > 0;
}

void GpuClock::time(const std::function<void()>& section)
{
    using Clock = std::chrono::steady_clock;
    glFinish();
    const Clock::time_point began = Clock::now();
    if (stamps_) glQueryCounter(begin_.id(), GL_TIMESTAMP);
    section();
    if (stamps_) glQueryCounter(end_.id(), GL_TIMESTAMP);
    glFinish();
    cpu_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
    if (stamps_) gpu_.push_back((valueOf(end_) - valueOf(begin_)) / 1e6);
}

std::optional<Timing> GpuClock::byGpu() const
{
    if (gpu_.empty()) return std::nullopt;
    return timingOf(gpu_);
}

void GpuClock::addTo(Json& row) const
{
    const Timing cpu = byCpu();
    const std::optional<Timing> gpu = byGpu();
    row["time_ms"] = jsonOf(cpu);
    row["gpu_ms"] = gpu ? jsonOf(*gpu) : Json(nullptr);
    row["spread"] = cpu.spread();
    row["rounds"] = cpu.rounds;
}

// ---- rounds ----

namespace {

constexpr int kMostSettlingRounds = 200;
constexpr int kWarmUpFrames = 3;

LodTree& implicit(Renderer& renderer) { return dynamic_cast<LodTree&>(renderer.tree()); }
LeafRounds& roundsOf(Renderer& renderer) { return dynamic_cast<LeafRounds&>(renderer.tree()); }

// Runs a mark pass and returns its time (ms). `keep`: with cached decisions (verdicts). The GPU is idle before and
// after.
double marked(LodTree& tree, bool keep)
{
    tree.keepVerdicts(keep);
    glFinish();
    const auto begin = std::chrono::steady_clock::now();
    tree.mark();
    glFinish();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void finishRound(LeafRounds& tree)
{
    tree.plan();
    tree.apply();
    tree.reduce(true);
    tree.decode(true, true, true);
}

// Freezes the renderer's tree, so that drawing a frame runs no round (update of the triangulation). Drawing still
// updates the uniforms, also those of the LOD camera, and the distance travelled by the camera, on which cached
// verdicts depend. The caller runs and times passes or rounds.
class MarkPasses
{
public:
    static Result<MarkPasses> of(Renderer& renderer)
    {
        MarkPasses passes(renderer);
        Settings still = passes.before_;
        still.lod.frozen = true;
        if (Status s = renderer.apply(still); !s) return s.error();
        renderer.options().followsFrozen = true;
        return passes;
    }
    void look(const Camera& camera) { renderer_->frame(camera, ++frame_, 1); }
    Status restore()
    {
        renderer_->options().followsFrozen = false;
        return renderer_->apply(before_);
    }

    // Runs rounds until one changes nothing (TreeState::roundChanges), at most `most`. Returns the number of rounds.
    int settle(int most)
    {
        LeafRounds& tree = roundsOf(*renderer_);
        for (int rounds = 1; rounds <= most; ++rounds)
        {
            tree.beginFrame(true);
            tree.mark();
            finishRound(tree);
            if (tree.readState().roundChanges == 0) return rounds;
        }
        return most;
    }

private:
    explicit MarkPasses(Renderer& renderer) : renderer_(&renderer), before_(renderer.settings()) {}

    Renderer* renderer_;
    Settings before_;
    std::uint64_t frame_ = 1'000'000'000;
};

Camera between(const Camera& from, const Camera& to, double share)
{
    Camera camera = from;
    camera.position = glm::mix(from.position, to.position, share);
    return camera;
}

}  // namespace

Result<MarkCost> markCost(Renderer& renderer, const Camera& from, const Camera& to, int frames)
{
    Result<MarkPasses> passes = MarkPasses::of(renderer);
    if (!passes) return passes.error();
    LodTree& tree = implicit(renderer);
    passes->look(from);
    passes->settle(kMostSettlingRounds);

    MarkCost cost;
    std::vector<double> evaluated, kept;
    for (int frame = 0; frame < frames + kWarmUpFrames; ++frame)
    {
        passes->look(between(from, to, double(frame) / (frames + kWarmUpFrames)));
        tree.beginFrame(true);
        const double all = marked(tree, false);
        const std::vector<std::uint32_t> wishes = tree.readPlan();
        tree.decode(false, true, false);  // clears the requests, so that the next mark pass starts from the same state
        const double due = marked(tree, true);
        const std::vector<std::uint32_t> again = tree.readPlan();
        // Compares the bits of LodTree::readPlan() that request a split and a merge.
        for (std::size_t i = 0; i < wishes.size(); ++i)
            cost.sameDecisions = cost.sameDecisions && (wishes[i] & 3u) == (again[i] & 3u);
        finishRound(tree);
        if (frame < kWarmUpFrames) continue;
        evaluated.push_back(all);
        kept.push_back(due);
    }
    cost.evaluated = timingOf(evaluated);
    cost.kept = timingOf(kept);
    cost.leaves = tree.readState().leaves;
    if (Status s = passes->restore(); !s) return s.error();
    return cost;
}

Result<PassCosts> passCosts(Renderer& renderer, const Camera& from, const Camera& to, int frames, bool keepVerdicts)
{
    Result<MarkPasses> passes = MarkPasses::of(renderer);
    if (!passes) return passes.error();
    LeafRounds& tree = roundsOf(renderer);
    tree.forgetVerdicts();
    passes->look(from);
    PassCosts costs;
    costs.settled = passes->settle(kMostSettlingRounds) < kMostSettlingRounds;
    const struct
    {
        const char* name;
        void (*run)(LeafRounds& tree);
    } parts[] = {{"mark", [](LeafRounds& t) { t.mark(); }},
                 {"plan", [](LeafRounds& t) { t.plan(); }},
                 {"apply", [](LeafRounds& t) { t.apply(); }},
                 {"reduction", [](LeafRounds& t) { t.reduce(true); }},
                 {"lists and cull", [](LeafRounds& t) { t.decode(true, true, true); }}};
    std::vector<std::vector<double>> taken(std::size(parts) + 1);
    for (int frame = 0; frame < frames + kWarmUpFrames; ++frame)
    {
        passes->look(between(from, to, double(frame) / (frames + kWarmUpFrames)));
        tree.keepVerdicts(keepVerdicts);
        tree.beginFrame(true);
        double all = 0;
        for (std::size_t i = 0; i < std::size(parts); ++i)
        {
            glFinish();
            const auto begin = std::chrono::steady_clock::now();
            parts[i].run(tree);
            glFinish();
            const double ms =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
            if (frame >= kWarmUpFrames) taken[i].push_back(ms);
            all += ms;
        }
        if (frame >= kWarmUpFrames) taken.back().push_back(all);
    }
    for (std::size_t i = 0; i < std::size(parts); ++i)
        costs.passes.emplace_back(parts[i].name, timingOf(taken[i]));
    costs.passes.emplace_back("the round", timingOf(taken.back()));
    costs.leaves = tree.readState().leaves;
    costs.visible = tree.readState().visible;
    if (Status s = passes->restore(); !s) return s.error();
    return costs;
}

Result<RoundClocks> clockRounds(Renderer& renderer, const Camera& from, const Camera& to, int frames)
{
    Result<MarkPasses> passes = MarkPasses::of(renderer);
    if (!passes) return passes.error();
    LodTree& tree = implicit(renderer);
    passes->look(from);
    tree.forgetVerdicts();
    passes->settle(kMostSettlingRounds);
    RoundClocks clocks;
    const auto round = [&](bool keep, GpuClock* clock) {
        tree.keepVerdicts(keep);
        const auto work = [&] { tree.round(true, nullptr); };
        clock ? clock->time(work) : work();
    };
    for (int frame = 0; frame < frames + kWarmUpFrames; ++frame)
    {
        passes->look(between(from, to, double(frame) / (frames + kWarmUpFrames)));
        tree.beginFrame(true);
        round(false, frame < kWarmUpFrames ? nullptr : &clocks.evaluated);
        passes->look(between(from, to, (frame + 0.5) / (frames + kWarmUpFrames)));
        tree.beginFrame(true);
        round(true, frame < kWarmUpFrames ? nullptr : &clocks.kept);
    }
    passes->settle(kMostSettlingRounds);
    for (int frame = 0; frame < frames; ++frame)
        round(true, &clocks.atRest);
    clocks.leaves = tree.readState().leaves;
    if (Status s = passes->restore(); !s) return s.error();
    return clocks;
}

Result<std::uint32_t> leavesAt(Renderer& renderer, const Camera& camera)
{
    Result<MarkPasses> passes = MarkPasses::of(renderer);
    if (!passes) return passes.error();
    passes->look(camera);
    roundsOf(renderer).keepVerdicts(false);  // cached verdicts may stem from other thresholds
    passes->settle(kMostSettlingRounds);
    const std::uint32_t leaves = roundsOf(renderer).readState().leaves;
    if (Status s = passes->restore(); !s) return s.error();
    return leaves;
}

Result<int> roundsAfterJump(Renderer& renderer, const Camera& from, const Camera& to, int most)
{
    Result<MarkPasses> passes = MarkPasses::of(renderer);
    if (!passes) return passes.error();
    passes->look(from);
    passes->settle(kMostSettlingRounds);
    passes->look(to);
    const int rounds = passes->settle(most);
    if (Status s = passes->restore(); !s) return s.error();
    return rounds;
}

}  // namespace orogen::app::bench
