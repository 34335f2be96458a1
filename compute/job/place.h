// Place of a run's arithmetic: an algorithm on a back end.  Modules list the algorithms of each back end.  This file
// resolves `auto` and rejects impossible combinations.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/job/module.h"
#include "compute/job/parameters.h"
#include "core/base/status.h"

namespace orogen::compute {

enum class Backend
{
    kCpu,
    kHostKernel,  // the CUDA kernels' source, run on the CPU
    kCuda,
};
std::string_view textOf(Backend backend);  // "cpu", "host-kernel", "cuda"

struct Place
{
    std::string algorithm = {};
    Backend backend = Backend::kCpu;
    int gpu = 0;  // number of the GPU for kCuda, from 0

    bool inKernels() const { return backend != Backend::kCpu; }
    std::string device() const;  // device that a job locks: "cpu", "cuda:0"
};

// The algorithms of a module, or of one of its operations.
struct Algorithms
{
    std::string operation = {};             // named in errors; empty: the module has only one
    std::vector<std::string> cpu = {};      // on the CPU
    std::vector<std::string> kernels = {};  // on a GPU and the host executor
    // Meaning of `auto`.  Empty: it stays "auto", and the module chooses once it knows its input.
    std::string standardOnCpu = {}, standardInKernels = {};
    std::vector<std::pair<std::string, std::int64_t>> largest = {};  // size limits of those algorithms that have one
};

// Appends the parameters algorithm, backend, gpu and threads, which `values` below must contain.
void appendPlaceParameters(std::vector<Parameter>& parameters, std::span<const Algorithms> algorithms,
                           std::string algorithmHelp);

// Chooses the algorithm, back end and GPU of a run.
//
// Without `gpu`, CUDA runs on preferredCudaDevice().
//
// `backend` auto prefers the CPU if the algorithm exists there: the input is in its memory, and a run takes less time
// than the upload to a GPU.  Next comes CUDA if usable, then the kernels' source on the CPU.  With `gpu`, auto means
// CUDA.  Errors: kUsage for an impossible combination; kDevice if CUDA is requested and not usable, the GPU does not
// exist, or the kernels do not run on it.  May start the CUDA driver: do not call it from a rendering thread.
Result<Place> choosePlace(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda = processCuda());

// Returns Module::variants() for a module with these algorithms.
std::vector<Variant> variantsOf(const Algorithms& algorithms, const ParameterValues& values);

// Returns the device that a run with these values occupies.  Cannot fail: a run that will fail occupies the requested
// device.  Never starts the CUDA driver; returns an empty string if only the driver could tell.
std::string deviceOf(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda = processCuda());

}  // namespace orogen::compute
