#include "compute/linear_algebra/solve_files.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include "compute/linear_algebra/matrix_market.h"
#include "core/base/atomic_file.h"

namespace orogen::compute {
namespace {

Matrix matrixOf(std::span<const Solution> solutions)
{
    Matrix x(solutions.front().x.size(), solutions.size(), 0.0);
    for (std::size_t j = 0; j < solutions.size(); ++j)
        for (std::size_t i = 0; i < x.rows(); ++i)
            x(i, j) = solutions[j].x[i];
    return x;
}

std::string residualsText(std::span<const Solution> solutions)
{
    std::string text = solutions.size() > 1 ? "column,step,recurrence,true\n" : "step,recurrence,true\n";
    for (std::size_t j = 0; j < solutions.size(); ++j)
        for (std::size_t i = 0; i < solutions[j].history.size(); ++i)
        {
            if (solutions.size() > 1) fmt::format_to(std::back_inserter(text), "{},", j + 1);
            fmt::format_to(std::back_inserter(text), "{},{},", i, solutions[j].history[i]);
            if (i < solutions[j].trueHistory.size())
                fmt::format_to(std::back_inserter(text), "{}", solutions[j].trueHistory[i]);
            text += '\n';
        }
    return text;
}

}  // namespace

Status checkFiles(const SolveFiles& files)
{
    for (const std::string& path : {files.out, files.residuals})
        if (!path.empty())
            if (Status status = checkOutputFile(path, files.inputs, Existing::kReplace); !status) return status;
    if (files.out.empty() || files.out != files.residuals) return Status::ok();
    return Error{ExitCode::kUsage, files.out + ": expected different files for out and residuals"};
}

Status writeFiles(const SolveFiles& files, std::span<const Solution> solutions)
{
    if (!files.out.empty())
        if (Status status = writeMatrixMarket(matrixOf(solutions), files.out); !status) return status;
    return files.residuals.empty() ? Status::ok() : writeFileAtomically(files.residuals, residualsText(solutions));
}

}  // namespace orogen::compute
