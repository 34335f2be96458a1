// The viewer's laboratory: the experiment that runs, and the newest figure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/bench/tree/experiment.h"

namespace orogen::app {

struct LabRequest
{
    std::string experiment;
    LabOptions options;
};

class LaboratorySession
{
public:
    // Errors: kUsage (no such experiment, or one is under way), kShader.  `context` must be current, now and in step().
    Status start(const LabRequest& request, const Context& context);
    void cancel();  // what was measured stays
    // Once a frame: the GPU's part of the measurement, for about that long.
    void step(double milliseconds);
    void contextLost();  // drops what lay on the GPU; a run ends

    bool running() const { return run_ != nullptr; }
    std::string_view state() const { return state_; }  // "idle", "running", "done", "failed", "cancelled"
    double fraction() const { return run_ ? run_->fraction() : 0; }
    std::string now() const { return run_ ? run_->now() : std::string(); }
    const std::string& error() const { return error_; }  // of the newest run

    // Of the run that is on its way, or of the newest; null: there was none.
    const Experiment* experiment() const { return experiment_; }
    const bench::FigureData* data() const;

    // Writes FOLDER/NAME.csv and .svg of data(); the message for people.
    Result<std::string> save(const std::string& folder) const;

private:
    void end(std::string_view state);

    std::unique_ptr<GpuLab> gpu_;
    std::unique_ptr<LabRun> run_;
    const Experiment* experiment_ = nullptr;
    bench::FigureData data_;  // of the newest run that has ended
    std::string_view state_ = "idle";
    std::string error_;
};

}  // namespace orogen::app
