// Trace of a capture in Chrome's Trace Event Format (JSON object form), for Perfetto, chrome://tracing and Tracy.
//
// Each timed event has a duration ("ph": "X").  Two events of one thread are nested or disjoint, as the format
// requires.  Each run is a process of the trace.
//
// Source: Trace Event Format, Google 2016 (docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/frames/sample/frame_record.h"
#include "core/frames/sample/frame_sample.h"

namespace orogen {

class TraceLog
{
public:
    static constexpr std::size_t kMostBytes = std::size_t(256) << 20;  // limit on the text of all events

    void beginRun(const std::string& name);  // "run 1 (a)"
    // Adds the next frame of the run.  `record`: times of the CPU, and spans of the GPU (GpuTimes).  `sample`: the
    // frame's row in the run's file, which lists the compute jobs that ended.
    void frame(const FrameRecord& record, const FrameSample& sample);
    void endRun();

    bool full() const { return full_; }  // later events were left out
    std::string json() const;            // the whole file

private:
    // Threads of a run.  Jobs that overlap get further threads from kJobs on.
    enum Thread
    {
        kFrame = 1,
        kGpu,
        kTiles,
        kSections,
        kJobs,
    };
    using Arguments = std::string;  // members of a JSON object, without braces
    void event(int thread, std::string_view name, std::string_view category, double beginMs, double endMs,
               const Arguments& arguments = {});
    void inFrame(std::string_view name, double beginMs, double endMs);
    void nameThread(int thread, std::string_view name);
    void append(const std::string& line);
    void passes(const FrameRecord& record, std::uint64_t frameOfRun);
    void jobs(const FrameSample& sample);
    void section(const std::string& name, double beginMs);

    std::string events_;
    bool full_ = false;
    int run_ = 0;                       // process of the current run, from 1
    std::optional<double> zeroMs_;      // begin of the capture's first frame, on the session's clock
    std::optional<double> runMs_;       // begin of the run's first frame
    double gpuEndMs_ = 0;               // end of the last event of the thread GPU
    std::vector<double> jobEndsMs_;     // one per thread of jobs
    std::string section_;               // open section
    double sectionMs_ = 0, endMs_ = 0;  // begin of the open section; end of the last frame
    double cpuEndMs_ = 0;               // end of the last event within the frame
};

}  // namespace orogen
