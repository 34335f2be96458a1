// Paper 001 measured here: its theorems' operation counts, and its algorithms against others and GMP.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "app/bench/figures/figure.h"
#include "compute/device/discovery.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/multiword.h"
#include "compute/multiword/oracle.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;

const Error kStopped = {ExitCode::kInterrupted, "reproduce: stopped"};

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
        if (options.progress && !options.progress(double(k) / kMostGroups, fmt::format("k = {}", k))) return kStopped;
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

// One line of the figure: something that adds.
struct Way
{
    std::string name;
    std::function<Result<double>(const GeneratedPair&, LimbBuffer& sum, bool& carry)> add;  // ms
    double growth = 1;  // of time with length, as a power
};

// Of a call so short that the clock would not see it: of many.
double msOfOne(const std::function<void()>& call)
{
    constexpr double kLeastMs = 0.05;
    for (int times = 1;; times *= 4)
    {
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < times; ++i)
            call();
        const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        if (ms >= kLeastMs) return ms / times;
    }
}

Way cpuWay(CpuAlgorithm algorithm, int wordBits)
{
    std::string name = std::string(nameOf(algorithm)) + ", cpu";
    if (algorithm == CpuAlgorithm::kPaper12) name = fmt::format("paper-1-2 with m = {}, cpu", wordBits);
    return {name, [=](const GeneratedPair& pair, LimbBuffer& sum, bool& carry) -> Result<double> {
                CpuAdder adder({.algorithm = algorithm, .wordBits = wordBits});
                return msOfOne([&] { carry = adder.add({pair.larger, pair.smaller, sum}); });
            }};
}

Way kernelWay(AddKernel kernel, bool cuda)
{
    return {fmt::format("{}, {}", nameOf(kernel), cuda ? "cuda" : "host-kernel"),
            [=](const GeneratedPair& pair, LimbBuffer& sum, bool& carry) -> Result<double> {
                const AddOperands operands = {pair.larger, pair.smaller, sum};
                const Result<AddKernelRun> run = cuda ? addOnCuda(kernel, operands) : addOnHostKernel(kernel, operands);
                if (!run) return run.error();
                carry = run->carryOut;
                return run->ms.kernel;
            },
            kernel == AddKernel::kPaper3 ? 2.0 : 1.0};
}

std::vector<Way> waysHere()
{
    std::vector<Way> ways;
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
        ways.push_back(cpuWay(algorithm, kPaperWordBits));
    ways.push_back(cpuWay(CpuAlgorithm::kPaper12, kLimbBits));
    const bool cuda = discoverCuda().available;
    for (const AddKernel kernel : kAddKernels)
        ways.push_back(kernelWay(kernel, cuda));
    return ways;
}

// Shortest time of a way at one length, for at most `seconds`.  Error kNo: a wrong sum.
Result<double> measure(const Way& way, const GeneratedPair& pair, double seconds)
{
    constexpr int kMost = 50;
    const double patience = std::min(seconds, 0.2) * 1000;
    LimbBuffer sum(pair.larger.size());
    std::fill_n(sum.data(), sum.size(), 0);
    double best = 0, spent = 0;
    for (int i = 0; i < kMost && (i < 2 || spent < patience); ++i)
    {
        bool carry = false;
        const Result<double> ms = way.add(pair, sum, carry);
        if (!ms) return ms.error();
        const Oracle oracle = way.name.starts_with("gmp") ? Oracle::kSchoolbook : Oracle::kGmp;
        if (i == 0 && !isSum({pair.larger, pair.smaller, sum}, carry, oracle))
            return Error{ExitCode::kNo, fmt::format("{}: a wrong sum of {} bits", way.name, pair.larger.size() * 64)};
        best = i == 0 ? *ms : std::min(best, *ms);
        spent += *ms;
        if (spent > patience) break;
    }
    return best;
}

// What the next point would take, from the last one.
bool wouldTakeTooLong(const Way& way, const std::optional<double>& lastMs, double timesAsLong, double seconds)
{
    return !lastMs || *lastMs * std::pow(timesAsLong, way.growth) > 1000 * seconds;
}

Result<FigureData> measureTimes(const FigureOptions& options)
{
    constexpr int kLeastBits = 10, kMostBits = 32, kStep = 2;
    const std::vector<Way> ways = waysHere();
    FigureData data{"bits", {}, {}, {}};
    for (const Way& way : ways)
        data.names.push_back(way.name + " (ms)");
    std::vector<std::optional<double>> last(ways.size(), 0.0);
    for (int power = kLeastBits; power <= kMostBits; power += kStep)
    {
        const std::uint64_t bits = std::uint64_t(1) << power;
        if (const Status status = checkMemory(fmt::format("2^{} bits", power), 3 * bits / 8 + bits / 64); !status)
        {
            data.notes.push_back("left out: " + status.error().message);
            break;
        }
        const GeneratedPair pair = generatePair(Pattern::kRandom, bits, 1, {});
        FigureRow row{double(bits), std::vector<std::optional<double>>(ways.size())};
        for (std::size_t i = 0; i < ways.size(); ++i)
        {
            const double fraction =
                (power - kLeastBits + kStep * double(i) / double(ways.size())) / (kMostBits - kLeastBits + kStep);
            if (options.progress && !options.progress(fraction, fmt::format("2^{} bits, {}", power, ways[i].name)))
                return kStopped;
            if (wouldTakeTooLong(ways[i], last[i], 1 << kStep, options.secondsPerPoint))
            {
                if (last[i])
                    data.notes.push_back(fmt::format("{}: more than {} s from 2^{} bits on", ways[i].name,
                                                     options.secondsPerPoint, power));
                last[i].reset();
                continue;
            }
            const Result<double> ms = measure(ways[i], pair, options.secondsPerPoint);
            if (!ms) return ms.error();
            row.values[i] = last[i] = *ms;
        }
        if (std::ranges::none_of(row.values, [](const auto& value) { return value.has_value(); })) break;
        data.rows.push_back(std::move(row));
    }
    return data;
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
         measureTimes},
    };
    return figures;
}

}  // namespace orogen::compute
