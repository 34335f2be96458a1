// Compares multiword additions and products with GMP's mpn_add_n and mpn_mul on one thread.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmp.h>

#include "app/bench/harness/bench.h"
#include "app/bench/multiword/product_bench.h"
#include "compute/device/copy_bandwidth.h"
#include "compute/device/cuda.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/limbs.h"
#include "compute/multiword/multiword.h"
#include "compute/multiword/product.h"
#include "core/base/memory.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

// Sizes of an operand (bytes).
constexpr std::uint64_t kSizes[] = {1ull << 10, 4ull << 10, 16ull << 10, 64ull << 10, 256ull << 10,
                                    1ull << 20, 4ull << 20, 64ull << 20, 512ull << 20};
constexpr std::uint64_t kLargestQuick = 4ull << 20;

// An algorithm to measure.
struct Adder
{
    std::string name;
    int threads = 1;
    CpuAlgorithm cpu = CpuAlgorithm::kSimd;
    bool limbwise = false;          // adds 64-bit limbs without carries: the speed that memory allows
    std::uint64_t largest = ~0ull;  // largest operand (bytes), to limit the time
};

std::vector<Adder> addersFor(const BenchOptions& options)
{
    std::vector<Adder> adders = {
        {.name = "simd"},
        {.name = "recursive", .cpu = CpuAlgorithm::kRecursive},
        {.name = "lookahead", .cpu = CpuAlgorithm::kLookahead},
        {.name = "paper-1-2", .cpu = CpuAlgorithm::kPaper12, .largest = 64ull << 20},
        {.name = "limbwise", .limbwise = true},
    };
    if (options.threads > 1) adders.insert(adders.begin() + 1, {.name = "simd", .threads = options.threads});
    return adders;
}

TrialOptions additionTrials(bool quick)
{
    return {
        .leastRounds = 3, .mostRounds = quick ? 15 : 61, .seconds = quick ? 0.15 : 1.5, .batchMs = quick ? 1.0 : 2.0};
}

// Operands of one size, with separate results for the algorithm and for GMP.
struct Numbers
{
    std::string data;
    LimbBuffer a, b, sum, gmpSum;
    bool carry = false, gmpCarry = false;

    Numbers(Pattern pattern, std::string name, std::size_t limbs) : data(std::move(name)), sum(limbs), gmpSum(limbs)
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
    std::uint64_t bytes() const { return a.size() * sizeof(Limb); }
    std::string name() const { return fmt::format("{}, {}", data, bytesText(double(bytes()))); }
};

// Returns the baseline. Its result is checked after all sections: a check between sections would load the result into
// the caches.
Contender gmp(Numbers& n)
{
    auto* const sum = reinterpret_cast<mp_limb_t*>(n.gmpSum.data());
    const auto* const a = reinterpret_cast<const mp_limb_t*>(n.a.data());
    const auto* const b = reinterpret_cast<const mp_limb_t*>(n.b.data());
    const auto body = [&n, sum, a, b, limbs = mp_size_t(n.a.size())](std::int64_t times) {
        mp_limb_t carry = 0;
        for (; times > 0; --times)
            carry = mpn_add_n(sum, a, b, limbs);
        n.gmpCarry = carry != 0;
    };
    return {.section = body, .finalCheck = [&n] {
                return isSum({n.a, n.b, n.gmpSum}, n.gmpCarry, Oracle::kSchoolbook);
            }};
}

Repeatable limbwiseBody(Numbers& n)
{
    const LimbKernels& kernels = bestLimbKernels();
    const LimbKernels::Limbwise body = goesPastCaches(n.a.size()) ? kernels.limbwisePastCaches : kernels.limbwise;
    return [body, sum = n.sum.data(), a = n.a.data(), b = n.b.data(), limbs = n.a.size()](std::int64_t times) {
        for (; times > 0; --times)
            body(sum, a, b, limbs);
    };
}

// Returns a section that calls addLimbs() directly, without a CpuAdder, as the baseline calls mpn_add_n().
Repeatable addLimbsBody(Numbers& n)
{
    return [&n, sum = n.sum.data(), a = n.a.data(), b = n.b.data(), limbs = n.a.size()](std::int64_t times) {
        bool carry = false;
        for (; times > 0; --times)
            carry = addLimbs(sum, a, b, limbs);
        n.carry = carry;
    };
}

Contender contenderOf(const Adder& adder, Numbers& n, CpuAdder& cpu)
{
    if (adder.limbwise) return {.section = limbwiseBody(n)};
    Contender contender;
    if (adder.cpu == CpuAlgorithm::kSimd && adder.threads == 1)
        contender.section = addLimbsBody(n);
    else
        contender.section = repeated([&n, &cpu] { n.carry = cpu.add({n.a, n.b, n.sum}); });
    contender.finalCheck = [&n] { return isSum({n.a, n.b, n.sum}, n.carry, Oracle::kGmp); };
    return contender;
}

// ---- rows ----

// Counts two operands read and one sum written, of `bytes` each.
double gigabytesPerSecond(std::uint64_t bytes, double ms) { return 3e-6 * double(bytes) / ms; }

// `copy` is the bandwidth of a copy in the same memory (bytes/s, reads and writes); 0: unknown.
Json rowOf(const Numbers& n, const std::string& algorithm, const std::string& backend, int threads,
           const Timing& timing, const Timing& gmp, double copy)
{
    Json row = {{"algorithm", algorithm}, {"backend", backend}, {"threads", threads}, {"data", n.data}};
    row["bytes"] = n.bytes();
    addPair(row, timing, gmp, "gmp");
    const double gigabytes = gigabytesPerSecond(n.bytes(), timing.minimumMs);
    row["gigabytes_per_second"] = gigabytes;
    row["share_of_copy"] = copy > 0 ? Json(1e9 * gigabytes / copy) : Json(nullptr);
    row["check"] = timing.checked ? Json(timing.equal && gmp.equal) : Json(nullptr);
    return row;
}

Status addRow(BenchRun& run, const Adder& adder, Numbers& numbers, bool quick)
{
    CpuAdder cpu({.algorithm = adder.cpu, .threads = adder.threads});
    numbers.poison();
    const Result<std::vector<Timing>> timings = run.time(
        numbers.name() + ", " + adder.name, {contenderOf(adder, numbers, cpu), gmp(numbers)}, additionTrials(quick));
    if (!timings) return timings.error();
    run.add(rowOf(numbers, adder.name, "cpu", adder.threads, (*timings)[0], (*timings)[1], cpuCopyBandwidth()));
    return Status::ok();
}

double gpuCopyBandwidth()
{
    const Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(processCuda(), 0);
    const Result<double> bandwidth = target ? copyBandwidth(**target) : Result<double>(target.error());
    return bandwidth ? *bandwidth : 0;
}

// Measures with operands and result on the GPU, and adds a second row that includes the transfers.
Status addCudaRows(BenchRun& run, AddKernel kernel, Numbers& numbers, bool quick)
{
    numbers.poison();
    const Result<std::vector<Timing>> timings =
        run.time(fmt::format("{}, {}", numbers.name(), nameOf(kernel)), {gmp(numbers)}, additionTrials(quick));
    if (!timings) return timings.error();
    AddKernelOptions options;
    options.repeats = 20;
    const Result<AddKernelRun> made = addOnCuda(kernel, {numbers.a, numbers.b, numbers.sum}, 0, options);
    if (!made)
    {
        run.leaveOut(fmt::format("{}, {}, {}", numbers.data, nameOf(kernel), made.error().message));
        return Status::ok();
    }
    const bool equal = isSum({numbers.a, numbers.b, numbers.sum}, made->carryOut, Oracle::kGmp);
    const double copy = gpuCopyBandwidth();
    const double whole = made->ms.upload + made->ms.kernel + made->ms.download;
    for (const auto& [backend, ms] : {std::pair{"cuda", made->ms.kernel}, std::pair{"cuda, with transfers", whole}})
    {
        const Timing timing{.minimumMs = ms, .medianMs = ms, .rounds = 1, .checked = true, .equal = equal};
        run.add(rowOf(numbers, std::string(nameOf(kernel)), backend, 1, timing, timings->front(), copy));
    }
    return Status::ok();
}

Status measureSize(BenchRun& run, const BenchOptions& options, Numbers numbers)
{
    for (const Adder& adder : addersFor(options))
        if (numbers.bytes() <= adder.largest)
            if (Status status = addRow(run, adder, numbers, options.quick); !status) return status;
    if (!discoverCuda().available) return Status::ok();
    for (const AddKernel kernel : {AddKernel::kLookback, AddKernel::kTwoPass})
        if (Status status = addCudaRows(run, kernel, numbers, options.quick); !status) return status;
    return Status::ok();
}

std::vector<Column> additionColumns()
{
    const auto bytesOf = [](const Json& row) { return row.at("bytes").get<std::uint64_t>(); };
    return {wordColumn("data", "/data"),
            {"operand", [=](const Json& row) { return bytesText(double(bytesOf(row))); }},
            wordColumn("algorithm", "/algorithm"),
            wordColumn("back end", "/backend"),
            integerColumn("threads", "/threads"),
            numberColumn("GB/s", "/gigabytes_per_second", 2),
            {"of a copy",
             [](const Json& row) {
                 const Json& share = row.at("share_of_copy");
                 return share.isNull() ? "-" : fmt::format("{:.0f}%", 100 * share.get<double>());
             }},
            percentColumn("spread", "/spread"),
            {"gmp GB/s",
             [=](const Json& row) {
                 const double ms = row.at("time_ms").at("gmp_minimum").get<double>();
                 return fmt::format("{:.2f}", gigabytesPerSecond(bytesOf(row), ms));
             }},
            percentColumn("spread", "/gmp_spread"),
            numberColumn("ratio", "/ratio", 2),
            checkColumn()};
}

Plan additionPlan(const BenchOptions& options)
{
    Plan plan;
    plan.head = {{"algorithm", "multiword"},
                 {"backend", "cpu"},
                 {"baseline", "gmp, one thread"},
                 {"instruction_set", bestLimbKernels().name}};
    plan.legend =
        "GB/s of both operands and the sum, and their share of what a copy of memory moves, on the CPU by all "
        "processors (caches are quicker); ratio to mpn_add_n on one thread, of the minima of interleaved "
        "trials; spread: median above minimum.";
    plan.tables = {{.columns = additionColumns()}, productTable()};
    for (const std::size_t limbs : kProductLimbs)
        plan.cases.push_back(
            {fmt::format("product, {} limbs", limbs), 64 * limbs * sizeof(Limb),
             [limbs, quick = options.quick](BenchRun& bench) { return measureProducts(bench, limbs, quick, 1); }});
    for (const auto& [pattern, data] : {std::pair{Pattern::kRandom, "random"}, std::pair{Pattern::kOnes, "ones"}})
        for (const std::uint64_t bytes : kSizes)
        {
            if (options.quick && bytes > kLargestQuick) continue;
            const auto run = [&options, pattern = pattern, data = data, bytes](BenchRun& bench) {
                return measureSize(bench, options, Numbers(pattern, data, bytes / sizeof(Limb)));
            };
            plan.cases.push_back({fmt::format("{}, {}", data, bytesText(double(bytes))), 4 * bytes, run});
        }
    return plan;
}

}  // namespace

Bench multiwordBench()
{
    Bench bench{"multiword", "additions from 1 KiB to 512 MiB and products, against GMP",
                "up to 4 MiB, in a few seconds", additionPlan};
    return bench;
}

using namespace compute;

Table productTable()
{
    return {.key = "products",
            .title = "Products of two numbers of one length, on one thread, against mpn_mul",
            .columns = {integerColumn("limbs", "/limbs"), wordColumn("algorithm", "/algorithm"),
                        numberColumn("us", "/microseconds", 3), percentColumn("spread", "/spread"),
                        numberColumn("gmp us", "/gmp_microseconds", 3), percentColumn("spread", "/gmp_spread"),
                        numberColumn("ratio", "/ratio", 2), checkColumn()}};
}

Status measureProducts(BenchRun& run, std::size_t limbs, bool quick, std::size_t table)
{
    constexpr std::size_t kLongestSchoolbook = 1024;  // limbs; longer operands take too long
    const GeneratedPair pair = generatePair(Pattern::kRandom, limbs * kLimbBits, 1, {});
    const ProductAlgorithm chosen = productAlgorithmFor(limbs);
    for (const ProductAlgorithm algorithm : kProductAlgorithms)
    {
        if (algorithm == ProductAlgorithm::kGmp) continue;
        if (algorithm == ProductAlgorithm::kSchoolbook && limbs > kLongestSchoolbook) continue;
        if (algorithm != ProductAlgorithm::kSchoolbook && algorithm > chosen) continue;  // would run as `chosen` does
        std::vector<Limb> product(2 * limbs), expected(2 * limbs);
        const auto multiply = [&](std::vector<Limb>& to, ProductAlgorithm by) {
            return repeated([&to, &pair, by] { multiplyLimbs(to, pair.larger, pair.smaller, by); });
        };
        const Result<std::vector<Timing>> timings =
            run.time(fmt::format("product, {} limbs, {}", limbs, nameOf(algorithm)),
                     {{.section = multiply(product, algorithm), .finalCheck = [&] { return product == expected; }},
                      {.section = multiply(expected, ProductAlgorithm::kGmp)}},
                     {.leastRounds = 3,
                      .mostRounds = quick ? 15 : 61,
                      .seconds = quick ? 0.1 : 1.0,
                      .batchMs = quick ? 0.5 : 2.0});
        if (!timings) return timings.error();
        const auto& [ours, gmp] = std::pair((*timings)[0], (*timings)[1]);
        Json row = {{"limbs", limbs}, {"algorithm", nameOf(algorithm)}, {"backend", "cpu"}, {"threads", 1}};
        addPair(row, ours, gmp, "gmp");
        row["microseconds"] = 1000 * ours.minimumMs;
        row["gmp_microseconds"] = 1000 * gmp.minimumMs;
        row["check"] = ours.equal;
        run.add(std::move(row), table);
    }
    return Status::ok();
}

}  // namespace orogen::app::bench
