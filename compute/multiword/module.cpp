#include "compute/multiword/module.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "compute/device/discovery.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/multiword.h"
#include "compute/multiword/oracle.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<AddKernel> addKernel(std::string_view name)
{
    for (const AddKernel kernel : kAddKernels)
        if (name == nameOf(kernel)) return kernel;
    return std::nullopt;
}

std::vector<std::string> algorithmNames()
{
    std::vector<std::string> names = {"auto"};
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
        names.emplace_back(nameOf(algorithm));
    for (const AddKernel kernel : kAddKernels)
        if (!cpuAlgorithm(nameOf(kernel))) names.emplace_back(nameOf(kernel));
    return names;
}

std::vector<Parameter> describe()
{
    constexpr std::int64_t kLongest = std::int64_t(1) << 62;
    const auto threads = std::int64_t(std::max(1u, std::thread::hardware_concurrency()));
    return {
        Parameter::choice("operation", {"add", "sub"}, "add", "A + B or A - B"),
        Parameter::text("a", "an integer of any length, hexadecimal; @FILE reads it from a file"),
        Parameter::text("b", "the other"),
        Parameter::flag("carry-in", "adds 1 more, or subtracts it"),
        Parameter::flag("decimal", "A and B are decimal"),
        Parameter::integer("length", 1, kLongest, "", "instead of A and B: made here, so many bits long"),
        Parameter::choice("pattern", {"random", "ones", "alternating"}, "random",
                          "of what is made: random, all ones + 1, 0xaa.. and 0x55.."),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "of random"),
        Parameter::choice("algorithm", algorithmNames(), "auto",
                          "on the CPU paper-1-2, lookahead, recursive, simd, gmp; in kernels paper-3, recursive, "
                          "lookback, two-pass"),
        Parameter::choice("backend", {"auto", "cuda", "cpu", "host-kernel"}, "auto",
                          "host-kernel: the CUDA kernels' own source, on the CPU"),
        Parameter::integer("threads", 1, 1024, std::to_string(threads), "of the CPU, at most"),
        Parameter::integer("word-bits", kMinWordBits, kMaxWordBits, std::to_string(kPaperWordBits), "of paper-1-2"),
        Parameter::integer("repetitions", 1, 1'000'000, "1", "of the addition; the shortest time counts"),
    };
}

constexpr std::uint64_t kBitsAlwaysShown = 65'536;  // longer sums are text only on request

const Error kCancelled = {ExitCode::kInterrupted, "multiword: cancelled"};

// ---- one run ----

struct Operands
{
    LimbBuffer a, b;  // of one length
    std::uint64_t bits = 1;
};

struct Added
{
    bool carryOut = false;
    std::vector<Timing> times;
    nlohmann::ordered_json operations, executor;  // null where there are none
};

class Run
{
public:
    Run(const ParameterValues& values, const RunContext& context)
        : values_(values), context_(context), subtract_(values.text("operation") == "sub"),
          carryIn_(values.flag("carry-in"))
    {
    }

    Result<JobResult> run()
    {
        using Step = Status (Run::*)();
        for (const Step step : {&Run::choose, &Run::obtainOperands, &Run::add, &Run::check})
        {
            if (Status status = (this->*step)(); !status) return status.error();
            if (context_.stop.stop_requested()) return kCancelled;
        }
        return describe();
    }

private:
    Status choose()
    {
        Result<MultiwordPlace> place = choosePlace(values_.text("algorithm"), values_.text("backend"));
        if (!place) return place.error();
        place_ = std::move(*place);
        return Status::ok();
    }

    // ---- operands ----

    Status obtainOperands()
    {
        const Clock::time_point start = Clock::now();
        const bool made = values_.given("length");
        if (made && (values_.given("a") || values_.given("b")))
            return Error{ExitCode::kUsage, "length: expected either A and B or a length"};
        if (!made && (!values_.given("a") || !values_.given("b")))
            return Error{ExitCode::kUsage, "A and B: expected two numbers, or --length BITS"};
        if (Status status = made ? generate() : read(); !status) return status;
        times_.push_back({made ? "generate" : "read", millisecondsSince(start)});
        return Status::ok();
    }

    Status generate()
    {
        const auto bits = std::uint64_t(values_.integer("length"));
        if (Status status = checkSize("length", bits / kLimbBits + 1, 2); !status) return status;
        context_.progress.enter("making operands");
        const std::string& name = values_.text("pattern");
        const Pattern pattern = name == "random" ? Pattern::kRandom
                                : name == "ones" ? Pattern::kOnes
                                                 : Pattern::kAlternating;
        GeneratedPair pair = generatePair(pattern, bits, std::uint64_t(values_.integer("seed")), context_.stop);
        operands_ = {std::move(pair.larger), std::move(pair.smaller), bits};
        return Status::ok();
    }

    Status read()
    {
        context_.progress.enter("reading operands");
        Result<LimbBuffer> a = integerOperand(values_.text("a"), radix(), "A", context_.stop);
        if (!a) return a.error();
        Result<LimbBuffer> b = integerOperand(values_.text("b"), radix(), "B", context_.stop);
        if (!b) return b.error();
        operands_.bits = std::max<std::uint64_t>({1, bitLength(*a), bitLength(*b)});
        const std::size_t limbs = std::max(a->size(), b->size());
        if (Status status = checkSize("multiword", limbs, 1); !status) return status;
        operands_.a = extended(std::move(*a), limbs);
        operands_.b = extended(std::move(*b), limbs);
        return Status::ok();
    }

    Radix radix() const { return values_.flag("decimal") ? Radix::kDecimal : Radix::kHexadecimal; }

    static LimbBuffer extended(LimbBuffer number, std::size_t limbs)
    {
        if (number.size() == limbs) return number;
        LimbBuffer longer(limbs);
        std::copy_n(number.data(), number.size(), longer.data());
        std::fill(longer.data() + number.size(), longer.data() + limbs, 0);
        return longer;
    }

    // Before `operands` numbers of so many limbs are taken, and the sum, and what works on them.
    Status checkSize(const std::string& what, std::uint64_t limbs, std::uint64_t operands) const
    {
        const std::uint64_t copies = place_.backend == "host-kernel" ? 4 : place_.backend == "cpu" ? 1 : 0;
        const std::uint64_t text = context_.wholeResult ? 2 * limbs * sizeof(Limb) : 0;
        return checkMemory(what, (operands + 1) * limbs * sizeof(Limb) + copies * limbs * sizeof(Limb) / 8 + text);
    }

    // ---- the addition ----

    Status add()
    {
        context_.progress.enter(fmt::format("{}, {}", place_.algorithm, place_.backend));
        sum_ = LimbBuffer(operands_.a.size());
        return place_.backend == "cpu" ? addOnCpu() : addByKernels();
    }

    Status addOnCpu()
    {
        CpuAdder adder({.algorithm = *cpuAlgorithm(place_.algorithm),
                        .threads = int(values_.integer("threads")),
                        .wordBits = int(values_.integer("word-bits"))});
        double best = 0;
        const std::int64_t repetitions = values_.integer("repetitions");
        for (std::int64_t i = 0; i < repetitions; ++i)
        {
            const Clock::time_point start = Clock::now();
            added_.carryOut = adder.add({operands_.a, operands_.b, sum_, carryIn_, subtract_}, context_.stop);
            const double took = millisecondsSince(start);
            if (context_.stop.stop_requested()) return kCancelled;
            best = i == 0 ? took : std::min(best, took);
            context_.progress.set(double(i + 1) / double(repetitions));
        }
        times_.push_back({"add", best});
        if (place_.algorithm == nameOf(CpuAlgorithm::kPaper12))
            added_.operations = {{"algorithm_1", adder.operations().algorithm1},
                                 {"algorithm_2", adder.operations().algorithm2},
                                 {"words", adder.operations().words},
                                 {"groups", adder.operations().groups},
                                 {"word_bits", values_.integer("word-bits")}};
        return Status::ok();
    }

    Status addByKernels()
    {
        const AddKernel kernel = *addKernel(place_.algorithm);
        const AddOperands operands = {operands_.a, operands_.b, sum_, carryIn_, subtract_};
        AddKernelOptions options;
        options.repeats = int(values_.integer("repetitions"));
        const bool cuda = place_.backend == "cuda";
        HostSchedule schedule;
        schedule.stop = context_.stop;
        const Result<AddKernelRun> run =
            cuda ? addOnCuda(kernel, operands, 0, options) : addOnHostKernel(kernel, operands, schedule, options);
        if (!run) return context_.stop.stop_requested() ? kCancelled : run.error();
        if (!cuda && run->executor.blocks == 0)
            return Error{ExitCode::kDevice, "host-kernel: the executor ran no block"};
        added_.carryOut = run->carryOut;
        for (const auto& [name, ms] : {std::pair{"allocate", run->ms.allocate}, std::pair{"upload", run->ms.upload},
                                       std::pair{"kernel", run->ms.kernel}, std::pair{"download", run->ms.download}})
            times_.push_back({name, ms});
        if (!cuda)
            added_.executor = {{"blocks", run->executor.blocks},
                               {"threads", run->executor.threads},
                               {"switches", run->executor.switches}};
        if (kernel == AddKernel::kPaper3)
            added_.operations = {{"word", run->operations.words},
                                 {"vector", run->operations.vectors},
                                 {"barriers", run->operations.barriers}};
        return Status::ok();
    }

    // ---- what came of it ----

    Status check()
    {
        if (subtract_ && added_.carryOut)
            return Error{ExitCode::kUsage,
                         fmt::format("sub: A is smaller than B{}, expected A >= B", carryIn_ ? " and the borrow" : "")};
        context_.progress.enter("checking");
        const Clock::time_point start = Clock::now();
        const Oracle oracle = place_.algorithm == nameOf(CpuAlgorithm::kGmp) ? Oracle::kSchoolbook : Oracle::kGmp;
        const bool equal =
            isSum({operands_.a, operands_.b, sum_, carryIn_, subtract_}, added_.carryOut, oracle, context_.stop);
        result_.oracle = nameOf(oracle);
        result_.check = equal ? CheckAnswer::kEqual : CheckAnswer::kDifferent;
        times_.push_back({"check", millisecondsSince(start)});
        return Status::ok();
    }

    // The bit beyond the longer operand.
    bool carryBeyondOperands() const
    {
        const std::uint64_t bit = operands_.bits;
        if (bit / kLimbBits == sum_.size()) return added_.carryOut;
        return sum_[bit / kLimbBits] >> bit % kLimbBits & 1;
    }

    std::string limbText(std::size_t i) const { return fmt::format("{:016x}", sum_[i]); }

    Result<JobResult> describe()
    {
        const Clock::time_point start = Clock::now();
        nlohmann::ordered_json& json = result_.json;
        result_.mainKey = "sum";
        if (context_.wholeResult || operands_.bits <= kBitsAlwaysShown)
            json["sum"] = integerText(sum_, added_.carryOut, Radix::kHexadecimal, context_.stop);
        if (context_.stop.stop_requested()) return kCancelled;
        times_.push_back({"format", millisecondsSince(start)});
        json["bits"] = operands_.bits;
        json["carry_out"] = int(carryBeyondOperands());
        if (!added_.operations.is_null()) json["operations"] = added_.operations;
        if (!added_.executor.is_null()) json["executor"] = added_.executor;
        json["check"] = textOf(result_.check);
        json["oracle"] = result_.oracle;
        json["algorithm"] = place_.algorithm;
        json["backend"] = place_.backend;
        if (place_.backend == "cpu") json["instruction_set"] = bestLimbKernels().name;
        double total = 0;
        for (const Timing& time : times_)
        {
            json["time_ms"][time.name] = time.ms;
            total += time.ms;
        }
        json["time_ms"]["total"] = total;
        result_.times = times_;
        fillTable();
        return std::move(result_);
    }

    void fillTable()
    {
        auto& table = result_.table;
        table.emplace_back("bits", std::to_string(operands_.bits));
        table.emplace_back("lowest word", limbText(0));
        table.emplace_back("highest word", limbText(sum_.size() - 1));
        table.emplace_back("carry out", carryBeyondOperands() ? "1" : "0");
        table.emplace_back("ran", fmt::format("{}, {}", place_.algorithm, place_.backend));
        for (const auto& [name, count] : added_.operations.items())
            table.emplace_back("operations, " + name, count.dump());
        for (const auto& [name, count] : added_.executor.items())
            table.emplace_back("executor, " + name, count.dump());
        table.emplace_back("check", fmt::format("{} ({})", textOf(result_.check), result_.oracle));
    }

    static double millisecondsSince(Clock::time_point start)
    {
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    }

    const ParameterValues& values_;
    const RunContext& context_;
    const bool subtract_, carryIn_;
    MultiwordPlace place_;
    Operands operands_;
    LimbBuffer sum_;
    Added added_;
    std::vector<Timing> times_;
    JobResult result_;
};

class MultiwordModule final : public Module
{
public:
    std::string_view name() const override { return "multiword"; }
    std::span<const Parameter> parameters() const override
    {
        static const std::vector<Parameter> parameters = orogen::compute::describe();
        return parameters;
    }
    std::string device(const ParameterValues& values) const override
    {
        const Result<MultiwordPlace> place = choosePlace(values.text("algorithm"), values.text("backend"));
        return place && place->backend == "cuda" ? "cuda:0" : "cpu";
    }
    Result<JobResult> run(const ParameterValues& values, const RunContext& context) const override
    {
        return Run(values, context).run();
    }
};

std::string namesOf(bool cpu)
{
    std::string names;
    if (cpu)
        for (const CpuAlgorithm algorithm : kCpuAlgorithms)
            names += (names.empty() ? "" : ", ") + std::string(nameOf(algorithm));
    else
        for (const AddKernel kernel : kAddKernels)
            names += (names.empty() ? "" : ", ") + std::string(nameOf(kernel));
    return names;
}

}  // namespace

const Module& multiwordModule()
{
    static const MultiwordModule module;
    return module;
}

Result<MultiwordPlace> choosePlace(const std::string& algorithm, const std::string& backend)
{
    const bool any = algorithm == "auto";
    const bool onCpu = any || cpuAlgorithm(algorithm), inKernels = any || addKernel(algorithm);
    if (backend == "cpu" ? !onCpu : backend != "auto" && !inKernels)
        return Error{ExitCode::kUsage, fmt::format("algorithm: {}: there is none on the back end {}, expected {}",
                                                   algorithm, backend, namesOf(backend == "cpu"))};
    if (backend == "cpu" || (backend == "auto" && onCpu)) return MultiwordPlace{any ? "simd" : algorithm, "cpu"};
    const std::string kernel = any ? "lookback" : algorithm;
    if (backend == "host-kernel") return MultiwordPlace{kernel, backend};
    const CudaReport cuda = discoverCuda();
    if (cuda.available) return MultiwordPlace{kernel, "cuda"};
    if (backend == "auto") return MultiwordPlace{kernel, "host-kernel"};
    return Error{ExitCode::kDevice, fmt::format("backend: cuda is not usable: {}", cuda.reason)};
}

}  // namespace orogen::compute
