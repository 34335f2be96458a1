// Addition and subtraction of multiword integers by kernels, on a GPU or on the host from the same source. Algorithms:
// paper 001 (Tereshchenko, Zadiraka), and faster ones built on its criterion words C and T (bit masks of carries, see
// limbs.h).
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"
#include "compute/multiword/multiword.h"
#include "core/base/status.h"

namespace orogen::compute {

enum class AddKernel
{
    kPaper3,     // the paper's Algorithm 3, corrected: 16-bit words in groups of 16, 2k + 1 barriers for k groups
    kRecursive,  // adds C and T recursively: numbers of 1/64 of the bits, then of 1/32 at each further level
    kLookback,   // one pass over memory; tiles look back for the carry into them
    kTwoPass,    // reads the operands twice; no block waits for another
};

constexpr AddKernel kAddKernels[] = {AddKernel::kPaper3, AddKernel::kRecursive, AddKernel::kLookback,
                                     AddKernel::kTwoPass};

std::string_view nameOf(AddKernel algorithm);  // "paper-3", "recursive", "lookback", "two-pass"

// Operands in limbs of 64 bits, least significant first. The three spans have the same length (>= 1). The result may be
// x or y itself but may not partly overlap them.
struct AddOperands
{
    std::span<const std::uint64_t> x, y;
    std::span<std::uint64_t> result;
    bool carryIn = false;   // borrow in if `subtract`
    bool subtract = false;  // x - y - carryIn instead of x + y + carryIn
};

// Operations of processor 0 of paper-3, which works on the lowest group of words; all 0 for the other algorithms.
struct AddOperations
{
    std::uint64_t iterations = 0;  // k, the number of groups, or fewer with `untilStill`
    std::uint64_t words = 0;       // one-word operations: 5k + 12 for k iterations (4k + 59 in print; see paper3.h)
    std::uint64_t vectors = 0;     // operations on vectors of 16 words: 15
    std::uint64_t barriers = 0;    // passed by all processors: 2k + 1
};

struct AddKernelTimes
{
    double allocate = 0, upload = 0, kernel = 0, download = 0;  // milliseconds; kernel: the shortest sample
    std::vector<double> kernelSamples;                          // one per repetition
};

struct AddKernelRun
{
    bool carryOut = false;    // borrow out of a subtraction
    ExecutorCounts executor;  // counts of the host executor; 0 on a GPU
    AddKernelTimes ms;
    AddOperations operations;
    AdditionSteps steps;
    std::vector<BarrierSite> barriers;  // barriers that the host executor reached, each listed once
};

struct AddKernelOptions
{
    // Stops paper-3 after an iteration that changed no carry, instead of after k iterations.
    bool untilStill = false;
    // Runs of the kernels on the same operands; the shortest time counts. Must be 1 if the result is an operand.
    int repeats = 1;
    std::stop_token stop = {};      // checked before each launch and each piece of a transfer; yields kInterrupted
    unsigned paper3Threads = 1024;  // block size of paper-3's iterations, at most 1024
    // Blocks, or half iterations of paper-3, per launch; 0: sized by launch times. No effect on the sum.
    std::uint64_t launchSteps = 0;
};

class KernelTarget;

// Adds on `target`, in its memory and timed by its clock. Errors: the target's, and kInterrupted after a stop; the
// result is then undefined. The time of paper-3 grows with the square of the length.
Result<AddKernelRun> addOnTarget(KernelTarget& target, AddKernel algorithm, const AddOperands& operands,
                                 const AddKernelOptions& options = {});

// Adds on a new host target.
Result<AddKernelRun> addOnHostKernel(AddKernel algorithm, const AddOperands& operands,
                                     const HostSchedule& schedule = {}, const AddKernelOptions& options = {});

// Adds on GPU number `gpu`. Errors: those of addOnTarget(), and kDevice with the reason if CUDA is not usable.
Result<AddKernelRun> addOnCuda(AddKernel algorithm, const AddOperands& operands, int gpu = 0,
                               const AddKernelOptions& options = {}, Cuda& cuda = processCuda());

}  // namespace orogen::compute
