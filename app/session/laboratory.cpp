#include "app/session/laboratory.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/atomic_file.h"

namespace orogen::app {

Status Laboratory::start(const LabRequest& request, const Context& context)
{
    if (run_) return Error{ExitCode::kUsage, "laboratory: an experiment is running"};
    const auto found = std::ranges::find(experiments(), request.experiment, &Experiment::name);
    if (found == experiments().end())
        return Error{ExitCode::kUsage, fmt::format("laboratory: {}: there is no such experiment", request.experiment)};
    if (!gpu_)
    {
        Result<std::unique_ptr<GpuLab>> made = GpuLab::create(context);
        if (!made) return made.error();
        gpu_ = std::move(*made);
    }
    experiment_ = &*found;
    run_ = std::make_unique<LabRun>(*found, gpu_.get(), request.options);
    state_ = "running";
    error_.clear();
    return Status::ok();
}

void Laboratory::end(std::string_view state)
{
    data_ = run_->data();
    run_.reset();
    state_ = state;
}

void Laboratory::cancel()
{
    if (run_) end("cancelled");
}

void Laboratory::step(double milliseconds)
{
    if (!run_ || !run_->step(milliseconds)) return;
    if (run_->error()) error_ = run_->error()->message;
    end(run_->error() ? "failed" : "done");
}

void Laboratory::contextLost()
{
    if (run_)
    {
        error_ = "the OpenGL context was lost";
        end("failed");
    }
    gpu_.reset();
}

LaboratoryState Laboratory::panelState() const
{
    return {.running = running(),
            .fraction = fraction(),
            .now = now(),
            .error = error_,
            .experiment = experiment_,
            .data = data()};
}

const bench::FigureData* Laboratory::data() const
{
    if (run_) return &run_->data();
    return experiment_ ? &data_ : nullptr;
}

Result<std::string> Laboratory::save(const std::string& folder) const
{
    if (!data()) return Error{ExitCode::kUsage, "laboratory: nothing was measured yet"};
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string base = folder + "/" + experiment_->name;
    const std::string csv = freeFileName(base + ".csv"), svg = freeFileName(base + ".svg");
    if (Status status = writeFileAtomically(csv, bench::figureCsv(*data())); !status) return status.error();
    if (Status status = writeFileAtomically(svg, bench::figureSvg(figureOf(*experiment_), *data())); !status)
        return status.error();
    return fmt::format("wrote {} and {}", csv, svg);
}

}  // namespace orogen::app
