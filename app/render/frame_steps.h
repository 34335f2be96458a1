// The work of one frame as a list of steps: run at once, or in slices of limited time, between which others have their
// turn.  Both run the same steps in the same order, so that the picture is the same.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace orogen::app {

enum class StepKind
{
    kLight,
    kTree,
    kGround,
    kSky,
    kOther,
    kCount,
};

// What the slices of a frame have taken so far, in milliseconds.
struct SlicesTime
{
    double submitMs = 0;  // until all was submitted
    double waitMs = 0;    // for the GPU
    double longestMs = 0;
    int slices = 0;
    std::array<double, std::size_t(StepKind::kCount)> ms{};  // of both, by kind

    double wholeMs() const { return submitMs + waitMs; }
};

class FrameSteps
{
public:
    // A list anew.  `enter` is called before the first step of every slice: whoever had a turn in between has left
    // OpenGL's bindings as it likes.
    void begin(std::function<void()> enter);
    void add(StepKind kind, std::function<void()> work);
    void drop();  // what is left is not done

    bool waiting() const { return next_ < steps_.size(); }
    void runAll();  // without waiting for the GPU
    // One step at least, and more as long as another one like the last would end within `ms`.  Waits for the GPU after
    // each: a software rasteriser draws when it is waited for, and what it takes is known.
    void runSlice(double ms);

    const SlicesTime& time() const { return time_; }

private:
    struct Step
    {
        StepKind kind;
        std::function<void()> work;
    };
    double runStep();  // milliseconds

    std::function<void()> enter_;
    std::vector<Step> steps_;
    std::size_t next_ = 0;
    SlicesTime time_;
};

}  // namespace orogen::app
