// Plots the residuals of iterative runs against the iteration, on a logarithmic axis; several runs share one plot.
#pragma once

#include <span>
#include <string>

#include "app/ui/plot.h"
#include "core/base/background_task.h"

namespace orogen::app {

void drawConvergence(const Panel& panel, const char* item, const ConvergenceCurve& curve);

struct NamedCurve
{
    std::string name;
    const ConvergenceCurve* curve = nullptr;  // at least two values
};

// Plots all curves over the same iterations, with a legend if there is more than one.  The goal is the first curve's.
void drawConvergences(const Panel& panel, const char* item, std::span<const NamedCurve> curves);

}  // namespace orogen::app
