// Addition and subtraction of multiword integers by kernels: on a GPU, or on the host from the same source.
// Algorithms: paper 001 (Tereshchenko, Zadiraka), and faster ones from its criterion words C and T; see the kernels.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"
#include "core/base/status.h"

namespace orogen::compute {

enum class AddKernel
{
    kPaper3,     // the paper's Algorithm 3, mended: 16-bit words in groups of 16, 2k + 1 barriers for k groups
    kRecursive,  // C and T by ballots; their sum is again an addition, of a 64th (then a 32nd) of the words
    kLookback,   // one pass over memory; a tile that only propagates looks back at those before it
    kTwoPass,    // reads twice, never waits for another block
};

constexpr AddKernel kAddKernels[] = {AddKernel::kPaper3, AddKernel::kRecursive, AddKernel::kLookback,
                                     AddKernel::kTwoPass};

std::string_view nameOf(AddKernel algorithm);  // "paper-3", "recursive", "lookback", "two-pass"

// Limbs of 64 bits, the least significant first; all three spans have the same length, >= 1.  The result may be x or y
// itself, but may not overlap them otherwise.
struct AddOperands
{
    std::span<const std::uint64_t> x, y;
    std::span<std::uint64_t> result;
    bool carryIn = false;   // of a subtraction: the borrow
    bool subtract = false;  // x - y - carryIn instead of x + y + carryIn
};

// What one processor of the paper's algorithm did; all 0 for the others.
struct AddOperations
{
    std::uint64_t iterations = 0;  // k, or fewer where nothing changed any more
    std::uint64_t words = 0;       // one-word operations: 5k + 12 for k iterations (4k + 59 in print; see paper3.h)
    std::uint64_t vectors = 0;     // operations on vectors of 16 words: 15
    std::uint64_t barriers = 0;    // that all processors pass: 2k + 1
};

struct AddKernelTimes
{
    double allocate = 0, upload = 0, kernel = 0, download = 0;  // milliseconds; of the kernel the shortest
    std::vector<double> kernelSamples;                          // one a repetition
};

struct AddKernelRun
{
    bool carryOut = false;    // of a subtraction: the borrow
    ExecutorCounts executor;  // of the host; 0 on a GPU
    AddKernelTimes ms;
    AddOperations operations;
    std::vector<BarrierSite> barriers;  // that the host executor met, each once
};

struct AddKernelOptions
{
    // paper-3 stops when an iteration changed no carry, instead of after as many as there are groups.
    bool untilStill = false;
    // The kernels run as often, on the same operands, and the shortest time counts.  Not in place.
    int repeats = 1;
    std::stop_token stop = {};      // looked at before each launch and each piece of a transfer; after it, kInterrupted
    unsigned paper3Threads = 1024;  // of a block of its iterations, at most as many
    // Blocks, or halves of paper-3's iterations, of one launch; 0: as many as a bounded time allows.  The sum is the
    // same.
    std::uint64_t launchSteps = 0;
};

class KernelTarget;

// On any target, whose memory and time it takes.  An error means that a kernel broke a rule of the programming model,
// or that memory ran out; the result is then undefined.  paper-3 takes a time that grows with the square of the length.
Result<AddKernelRun> addOnTarget(KernelTarget& target, AddKernel algorithm, const AddOperands& operands,
                                 const AddKernelOptions& options = {});

// The same on a target made for it.
Result<AddKernelRun> addOnHostKernel(AddKernel algorithm, const AddOperands& operands,
                                     const HostSchedule& schedule = {}, const AddKernelOptions& options = {});

// kDevice where CUDA is not usable, with the reason; kLimit where the memory does not suffice.
Result<AddKernelRun> addOnCuda(AddKernel algorithm, const AddOperands& operands, int gpu = 0,
                               const AddKernelOptions& options = {}, Cuda& cuda = processCuda());

}  // namespace orogen::compute
