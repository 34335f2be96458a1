// Files that the command `cg solve` writes: the solution and the residuals of its steps.
#pragma once

#include <span>
#include <string>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "core/base/status.h"

namespace orogen::compute {

struct SolveFiles
{
    std::string out = {}, residuals = {};  // empty: not written
    std::vector<std::string> inputs = {};  // files that must not be replaced
};

// Checks that the files can be written, without writing.  Errors: kOutput if a file cannot be written or is an input;
// kUsage if both files are the same.
Status checkFiles(const SolveFiles& files);

// Writes the files atomically.  Error: kOutput.
Status writeFiles(const SolveFiles& files, std::span<const Solution> solutions);

}  // namespace orogen::compute
