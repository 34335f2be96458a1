// Where a run's arithmetic is done: an algorithm on a back end.  Which algorithms a back end has is the module's
// matter; what `auto` comes to, and what is refused, is decided here for all of them.
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
    kHostKernel,  // the CUDA kernels' own source, on the CPU
    kCuda,
};
std::string_view textOf(Backend backend);  // "cpu", "host-kernel", "cuda"

struct Place
{
    std::string algorithm = {};
    Backend backend = Backend::kCpu;
    int gpu = 0;  // of kCuda, counted from 0

    bool inKernels() const { return backend != Backend::kCpu; }
    std::string device() const;  // that jobs exclude each other from: "cpu", "cuda:0"
};

// The algorithms of a module, or of one of its operations.
struct Algorithms
{
    std::string operation = {};             // named in errors; empty: the module has but one
    std::vector<std::string> cpu = {};      // on the CPU
    std::vector<std::string> kernels = {};  // on a GPU and the host executor
    // What `auto` means.  Empty: it stays "auto", and the module chooses when it knows its input.
    std::string standardOnCpu = {}, standardInKernels = {};
    std::vector<std::pair<std::string, std::int64_t>> largest = {};  // sizes, of those that do not take any
};

// The parameters algorithm, backend, gpu and threads, which the values below must have.
void appendPlaceParameters(std::vector<Parameter>& parameters, std::span<const Algorithms> algorithms,
                           std::string algorithmHelp);

// `gpu` stands for the GPU of that number; where it is not given, for preferredCudaDevice().
//
// `backend` auto is where the algorithm can run soonest: the input lies in the memory of the CPU, where a run takes
// less time than bringing it to a GPU; then CUDA, where it is usable; then the kernels' source on the CPU.  With a
// `gpu` it is CUDA.  Errors: kUsage, an impossible pair; kDevice, CUDA asked for by name and not usable, no such GPU,
// or one that the kernels do not run on.  Where a run may come to CUDA this starts its driver: not for a thread that
// draws.
Result<Place> choosePlace(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda = processCuda());

// What Module::variants() says of a module with these algorithms.
std::vector<Variant> variantsOf(const Algorithms& algorithms, const ParameterValues& values);

// What a run with these values occupies.  Cannot fail: a run that will fail occupies what was asked for.  Never starts
// the driver: empty where only that could tell.
std::string deviceOf(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda = processCuda());

}  // namespace orogen::compute
