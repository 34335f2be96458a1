#include "app/bench/multiword/benchmark.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <gmp.h>

#include "compute/device/discovery.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/multiword.h"
#include "compute/multiword/oracle.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kSizes[] = {1ull << 10, 4ull << 10, 16ull << 10, 64ull << 10, 256ull << 10,
                                    1ull << 20, 4ull << 20, 64ull << 20, 512ull << 20};
constexpr std::uint64_t kLargestQuick = 4ull << 20;

struct Contender
{
    std::string algorithm;
    int threads = 1;
    CpuAlgorithm cpu = CpuAlgorithm::kSimd;
    bool limbwise = false;
    std::uint64_t largest = ~0ull;  // operand, bytes; what is slower than this is waited for too long
};

std::vector<Contender> contenders(const MultiwordBenchOptions& options)
{
    std::vector<Contender> list = {
        {.algorithm = "simd"},
        {.algorithm = "recursive", .cpu = CpuAlgorithm::kRecursive},
        {.algorithm = "lookahead", .cpu = CpuAlgorithm::kLookahead},
        {.algorithm = "paper-1-2", .cpu = CpuAlgorithm::kPaper12, .largest = 64ull << 20},
        {.algorithm = "limbwise", .limbwise = true},
    };
    if (options.threads > 1) list.insert(list.begin() + 1, {.algorithm = "simd", .threads = options.threads});
    return list;
}

// The operands of one size, a result for each side.
struct Numbers
{
    LimbBuffer a, b, sum, gmpSum;

    Numbers(Pattern pattern, std::size_t limbs) : sum(limbs), gmpSum(limbs)
    {
        GeneratedPair pair = generatePair(pattern, limbs * kLimbBits, 1, {});
        a = std::move(pair.larger);
        b = std::move(pair.smaller);
        poison();
    }
    void poison()
    {
        std::fill_n(sum.data(), sum.size(), 0xbadc0ffee0ddf00d);
        std::fill_n(gmpSum.data(), gmpSum.size(), 0xbadc0ffee0ddf00d);
    }
};

class Bench
{
public:
    explicit Bench(const MultiwordBenchOptions& options) : options_(options), contenders_(contenders(options))
    {
        cuda_ = discoverCuda().available;
        timing_.rounds = options.quick ? 15 : 61;
        timing_.seconds = options.quick ? 0.15 : 1.5;
        timing_.batchSeconds = options.quick ? 0.001 : 0.002;
    }

    Result<MultiwordBench> run()
    {
        for (const auto& [pattern, name] : {std::pair{Pattern::kRandom, "random"}, std::pair{Pattern::kOnes, "ones"}})
            for (const std::uint64_t bytes : kSizes)
            {
                if (options_.quick && bytes > kLargestQuick) continue;
                if (const Status status = checkMemory(bytesText(double(bytes)), 4 * bytes); !status)
                {
                    if (bytes == kSizes[0]) return status.error();
                    bench_.leftOut.push_back(fmt::format("{}, {}", name, status.error().message));
                    continue;
                }
                Numbers numbers(pattern, bytes / sizeof(Limb));
                if (!addRows(numbers, name, bytes)) return std::move(bench_);
            }
        return std::move(bench_);
    }

private:
    int rowsInAll() const
    {
        int sizes = 0, rows = 0;
        for (const std::uint64_t bytes : kSizes)
        {
            if (options_.quick && bytes > kLargestQuick) continue;
            ++sizes;
            for (const Contender& contender : contenders_)
                rows += bytes <= contender.largest;
        }
        return 2 * (rows + (cuda_ ? 2 * sizes : 0));
    }

    // False: stopped.
    bool goOn(const std::string& next)
    {
        if (options_.progress && !options_.progress(int(bench_.rows.size()), rowsInAll(), next)) bench_.stopped = true;
        return !bench_.stopped;
    }

    bool addRows(Numbers& numbers, const std::string& data, std::uint64_t bytes)
    {
        for (const Contender& contender : contenders_)
        {
            if (bytes > contender.largest) continue;
            if (!goOn(fmt::format("{}, {}, {}", data, bytesText(double(bytes)), contender.algorithm))) return false;
            bench_.rows.push_back(rowOf(contender, numbers, data, bytes));
            if (bench_.rows.back().timing.stopped) return bench_.stopped = true, false;
        }
        if (cuda_)
            for (const AddKernel kernel : {AddKernel::kLookback, AddKernel::kTwoPass})
            {
                if (!goOn(fmt::format("{}, {}, {}", data, bytesText(double(bytes)), nameOf(kernel)))) return false;
                addCudaRow(kernel, numbers, data, bytes);
            }
        return true;
    }

    TimedBody gmpBody(Numbers& n)
    {
        auto* const sum = reinterpret_cast<mp_limb_t*>(n.gmpSum.data());
        const auto* const a = reinterpret_cast<const mp_limb_t*>(n.a.data());
        const auto* const b = reinterpret_cast<const mp_limb_t*>(n.b.data());
        return [this, sum, a, b, limbs = mp_size_t(n.a.size())](std::int64_t times) {
            mp_limb_t carry = 0;
            for (; times > 0; --times)
                carry = mpn_add_n(sum, a, b, limbs);
            gmpCarry_ = carry != 0;
        };
    }

    static TimedBody limbwiseBody(Numbers& n)
    {
        const LimbKernels& kernels = bestLimbKernels();
        const LimbKernels::Limbwise body = goesPastCaches(n.a.size()) ? kernels.limbwisePastCaches : kernels.limbwise;
        return [body, sum = n.sum.data(), a = n.a.data(), b = n.b.data(), limbs = n.a.size()](std::int64_t times) {
            for (; times > 0; --times)
                body(sum, a, b, limbs);
        };
    }

    // Called as mpn_add_n is: one function of the library.
    TimedBody addLimbsBody(Numbers& n)
    {
        return [this, sum = n.sum.data(), a = n.a.data(), b = n.b.data(), limbs = n.a.size()](std::int64_t times) {
            bool carry = false;
            for (; times > 0; --times)
                carry = addLimbs(sum, a, b, limbs);
            carry_ = carry;
        };
    }

    TimedBody bodyOf(const Contender& contender, Numbers& n, CpuAdder& adder)
    {
        if (contender.limbwise) return limbwiseBody(n);
        if (contender.cpu == CpuAlgorithm::kSimd && contender.threads == 1) return addLimbsBody(n);
        return [this, &n, &adder](std::int64_t times) {
            for (; times > 0; --times)
                carry_ = adder.add({n.a, n.b, n.sum});
        };
    }

    MultiwordBenchRow rowOf(const Contender& contender, Numbers& numbers, const std::string& data, std::uint64_t bytes)
    {
        MultiwordBenchRow row{data, bytes, contender.algorithm, "cpu", contender.threads, {}};
        CpuAdder adder({.algorithm = contender.cpu, .threads = contender.threads});
        numbers.poison();
        PairTimingOptions timing = timing_;
        timing.goOn = [&] {
            return !options_.progress || options_.progress(int(bench_.rows.size()), rowsInAll(), contender.algorithm);
        };
        row.timing = timePair(bodyOf(contender, numbers, adder), gmpBody(numbers), timing);
        row.checked = !contender.limbwise;
        row.equal = !row.checked || (isSum({numbers.a, numbers.b, numbers.sum}, carry_, Oracle::kGmp) &&
                                     isSum({numbers.a, numbers.b, numbers.gmpSum}, gmpCarry_, Oracle::kSchoolbook));
        return row;
    }

    // Operands and result lie on the GPU; the transfers are a row of their own.
    void addCudaRow(AddKernel kernel, Numbers& numbers, const std::string& data, std::uint64_t bytes)
    {
        AddKernelOptions options;
        options.repeats = 20;
        numbers.poison();
        const PairTiming gmp = timePair(gmpBody(numbers), gmpBody(numbers), timing_);
        const Result<AddKernelRun> run = addOnCuda(kernel, {numbers.a, numbers.b, numbers.sum}, 0, options);
        if (!run)
        {
            bench_.leftOut.push_back(fmt::format("{}, {}, {}", data, nameOf(kernel), run.error().message));
            return;
        }
        const bool equal = isSum({numbers.a, numbers.b, numbers.sum}, run->carryOut, Oracle::kGmp);
        const double whole = run->ms.upload + run->ms.kernel + run->ms.download;
        for (const auto& [backend, ms] : {std::pair{"cuda", run->ms.kernel}, std::pair{"cuda, with transfers", whole}})
        {
            MultiwordBenchRow row{data, bytes, std::string(nameOf(kernel)), backend, 1, gmp, true, equal};
            row.timing.a = {ms, ms};
            bench_.rows.push_back(row);
        }
    }

    const MultiwordBenchOptions& options_;
    const std::vector<Contender> contenders_;
    PairTimingOptions timing_;
    bool cuda_ = false, carry_ = false, gmpCarry_ = false;
    MultiwordBench bench_;
};

}  // namespace

Result<MultiwordBench> benchMultiword(const MultiwordBenchOptions& options) { return Bench(options).run(); }

}  // namespace orogen::compute
