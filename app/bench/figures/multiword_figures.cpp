// Paper 001 measured again: the operation counts of its theorems, and its algorithms against other ones and GMP.
#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include <fmt/format.h>

#include "app/bench/figures/figure.h"
#include "compute/device/cuda.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/multiword.h"
#include "core/base/clock.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

// ---- operations against k ----

Result<FigureData> measureOperations(const FigureOptions& options)
{
    constexpr std::uint64_t kMostGroups = 1024, m = kPaperWordBits;
    FigureData data{"k",
                    {"Algorithm 1, counted", "6n + 3k + 1 (formula)", "6n + 3k - 2 (printed)", "Algorithm 2, counted",
                     "6km - 2k (formula)", "6km + k (printed)", "Algorithm 3, counted", "5k + 59 (formula)",
                     "4k + 59 (printed)", "Algorithm 3, vector operations", "Algorithm 3, barriers"},
                    {},
                    {"words of 16 bits, n = 16 k"}};
    for (std::uint64_t k = 1; k <= kMostGroups; k *= 2)
    {
        if (!options.goesOn(double(k) / kMostGroups, fmt::format("k = {}", k))) return stoppedError();
        const std::size_t limbs = k * m * m / kLimbBits;
        const GeneratedPair pair = generatePair(Pattern::kRandom, limbs * kLimbBits, k, {});
        LimbBuffer sum(limbs);
        CpuAdder adder({.algorithm = CpuAlgorithm::kPaper12});
        adder.add({pair.larger, pair.smaller, sum});
        const PaperOperations& two = adder.operations();
        const Algorithm3Operations three = countAlgorithm3(k);
        const double n = double(k * m), groups = double(k);
        data.rows.push_back({groups,
                             {double(two.algorithm1), 6 * n + 3 * groups + 1, 6 * n + 3 * groups - 2,
                              double(two.algorithm2), 6 * n - 2 * groups, 6 * n + groups, double(three.word),
                              5 * groups + 59, 4 * groups + 59, double(three.vector), double(three.barriers)}});
    }
    return data;
}

// ---- time against length ----

using AdditionLine = SweepLine<GeneratedPair>;

// Returns the time of one call (ms).  A single call may be too short for the clock, so it is repeated until the calls
// take 0.05 ms together.
double msOfOne(const std::function<void()>& call)
{
    constexpr double kLeastMs = 0.05;
    for (int times = 1;; times *= 4)
    {
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < times; ++i)
            call();
        const double ms = millisecondsSince(start);
        if (ms >= kLeastMs) return ms / times;
    }
}

// Runs `add` on the operands and returns its time (ms).  Errors: that of `add`; kNo if its sum is wrong.
template <class Add>
Result<double> checkedSum(const GeneratedPair& pair, const std::string& name, Oracle oracle, const Add& add)
{
    LimbBuffer sum(pair.larger.size());
    std::fill_n(sum.data(), sum.size(), 0);
    bool carry = false;
    const Result<double> ms = add(std::span<Limb>(sum.data(), sum.size()), carry);
    if (!ms || isSum({pair.larger, pair.smaller, sum}, carry, oracle)) return ms;
    return Error{ExitCode::kNo, fmt::format("{}: a wrong sum of {} bits", name, pair.larger.size() * 64)};
}

AdditionLine cpuLine(CpuAlgorithm algorithm, int wordBits)
{
    std::string name = std::string(nameOf(algorithm)) + ", cpu";
    if (algorithm == CpuAlgorithm::kPaper12) name = fmt::format("paper-1-2 with m = {}, cpu", wordBits);
    const Oracle oracle = algorithm == CpuAlgorithm::kGmp ? Oracle::kSchoolbook : Oracle::kGmp;
    return {.name = name, .run = [=](const GeneratedPair& pair) {
                return checkedSum(pair, name, oracle, [&](std::span<Limb> sum, bool& carry) -> Result<double> {
                    CpuAdder adder({.algorithm = algorithm, .wordBits = wordBits});
                    return msOfOne([&] { carry = adder.add({pair.larger, pair.smaller, sum}); });
                });
            }};
}

// Returns the line of a kernel on a GPU or, without `cuda`, of its source compiled for the CPU.
AdditionLine kernelLine(AddKernel kernel, bool cuda)
{
    const std::string name = fmt::format("{}, {}", nameOf(kernel), cuda ? "cuda" : "host-kernel");
    return {.name = name, .growth = kernel == AddKernel::kPaper3 ? 2.0 : 1.0, .run = [=](const GeneratedPair& pair) {
                return checkedSum(pair, name, Oracle::kGmp, [&](std::span<Limb> sum, bool& carry) -> Result<double> {
                    const AddOperands operands = {pair.larger, pair.smaller, sum};
                    const Result<AddKernelRun> run =
                        cuda ? addOnCuda(kernel, operands) : addOnHostKernel(kernel, operands);
                    if (!run) return run.error();
                    carry = run->carryOut;
                    return run->ms.kernel;
                });
            }};
}

Result<FigureData> measureTimes(const FigureOptions& options)
{
    Sweep<GeneratedPair> sweep;
    sweep.xName = "bits";
    sweep.mostRuns = 50;
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
        sweep.lines.push_back(cpuLine(algorithm, kPaperWordBits));
    sweep.lines.push_back(cpuLine(CpuAlgorithm::kPaper12, kLimbBits));
    const bool cuda = discoverCuda().available;
    for (const AddKernel kernel : kAddKernels)
        sweep.lines.push_back(kernelLine(kernel, cuda));
    for (int power = 10; power <= 32; power += 2)
        sweep.sizes.push_back(std::uint64_t(1) << power);
    sweep.nameOf = [](std::uint64_t bits) {
        return std::has_single_bit(bits) ? fmt::format("2^{} bits", std::bit_width(bits) - 1)
                                         : fmt::format("{} bits", bits);
    };
    sweep.bytesOf = [](std::uint64_t bits) { return 3 * bits / 8 + bits / 64; };
    sweep.make = [](std::uint64_t bits) { return generatePair(Pattern::kRandom, bits, 1, {}); };
    return measured(sweep, options);
}

}  // namespace

std::span<const Figure> multiwordFigures()
{
    static const std::vector<Figure> figures = {
        {"multiword-operations",
         "paper 001: operations of Algorithms 1 to 3 against the number of groups, counted",
         {"Paper 001, Theorems 1 to 3: one-word operations", "groups of 16 words (k)", "operations", true, true, {}},
         measureOperations},
        {"multiword-time",
         "paper 001: time of an addition against its length, every algorithm and GMP",
         {"Paper 001: time of an addition", "length of an operand (bits)", "time (ms)", true, true, {}},
         measureTimes,
         kWholePlot,
         true},
    };
    return figures;
}

}  // namespace orogen::app::bench
