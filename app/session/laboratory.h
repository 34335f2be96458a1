// Laboratory of the viewer: runs an experiment with concurrent binary trees (app/bench/tree/experiment.h) in steps, and
// keeps the newest figure (plot).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/bench/tree/experiment.h"
#include "app/model/compute_state.h"

namespace orogen::app {

class Laboratory
{
public:
    // Starts an experiment.  Errors: kUsage (unknown experiment, or one is running), and those of
    // dataDirectory() and ShaderLibrary::finish().  `context` must be current here and in step().
    Status start(const LabRequest& request, const Context& context);
    void cancel();  // keeps the measurements so far
    // Continues the experiment for about `milliseconds`; call once a frame.
    void step(double milliseconds);
    void contextLost();  // drops GPU resources; a running experiment fails

    LaboratoryState panelState() const;  // for the panel
    bool running() const { return run_ != nullptr; }
    std::string_view state() const { return state_; }  // "idle", "running", "done", "failed", "cancelled"
    double fraction() const { return run_ ? run_->fraction() : 0; }
    std::string now() const { return run_ ? run_->now() : std::string(); }  // the measurement in progress, as text
    const std::string& error() const { return error_; }                     // error of the newest run; empty: none

    // experiment() and data() return the running experiment, or the newest one, and its figure; null: none yet.
    const Experiment* experiment() const { return experiment_; }
    const bench::FigureData* data() const;

    // Writes data() to FOLDER/NAME.csv and .svg under free names, and returns a message for the user.  Errors: kUsage
    // (nothing was measured), kOutput.
    Result<std::string> save(const std::string& folder) const;

private:
    void end(std::string_view state);

    std::unique_ptr<GpuLab> gpu_;
    std::unique_ptr<LabRun> run_;
    const Experiment* experiment_ = nullptr;
    bench::FigureData data_;  // figure of the newest finished run
    std::string_view state_ = "idle";
    std::string error_;
};

}  // namespace orogen::app
