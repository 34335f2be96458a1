// How runs come down to their goal, value by value, on a logarithmic axis; several over each other.
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
    const ConvergenceCurve* curve = nullptr;  // of two values at least
};

// All of them over the same iterations, with a legend where there is more than one.  The goal is the first one's.
void drawConvergences(const Panel& panel, const char* item, std::span<const NamedCurve> curves);

}  // namespace orogen::app
