// Module `multiword`, with its additions and subtractions; operations.h declares products, quotients and batches. A run
// reads or generates the operands, adds them on the CPU or in kernels, and checks the sum with independent code.
#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "compute/job/stepped_module.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/multiword.h"
#include "compute/multiword/operations.h"
#include "core/base/json.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

std::optional<AddKernel> addKernel(std::string_view name)
{
    for (const AddKernel kernel : kAddKernels)
        if (name == nameOf(kernel)) return kernel;
    return std::nullopt;
}

Algorithms multiwordAlgorithms(const std::string& operation = "add")
{
    if (operation == "multiply") return multiplyAlgorithms();
    if (operation == "divide") return divideAlgorithms();
    Algorithms algorithms{.standardOnCpu = "simd", .standardInKernels = "lookback"};
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
        algorithms.cpu.emplace_back(nameOf(algorithm));
    for (const AddKernel kernel : kAddKernels)
        algorithms.kernels.emplace_back(nameOf(kernel));
    return algorithms;
}

std::vector<Parameter> multiwordParameters()
{
    constexpr std::int64_t kLongest = std::int64_t(1) << 62;
    std::vector<Parameter> parameters = {
        Parameter::choice("operation", {"add", "sub", "multiply", "divide"}, "add",
                          "A + B, A - B, A times B, A by a word"),
        Parameter::text("a", "an integer of any length, hexadecimal; @FILE reads it from a file"),
        Parameter::text("b", "the second integer, like A"),
        Parameter::flag("carry-in", "adds 1 more, or subtracts it"),
        Parameter::flag("decimal", "A and B are decimal"),
        Parameter::integer("length", 1, kLongest, "", "instead of A and B: generates them with this many bits"),
        Parameter::integer("count", 1, kLongest, "",
                           "of add and sub: this many pairs, made with length or the first ones of the file"),
        Parameter::text("pairs", "of add and sub: a file with a pair a line, or - for standard input"),
        Parameter::choice("pattern", {"random", "ones", "alternating"}, "random",
                          "bits of generated operands: random, all ones + 1, 0xaa.. and 0x55.."),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "seed of random operands"),
    };
    const Algorithms algorithms = multiwordAlgorithms();
    const Algorithms all[] = {algorithms, multiplyAlgorithms(), divideAlgorithms()};
    appendPlaceParameters(parameters, all,
                          fmt::format("add and sub on the CPU: {}; in kernels: {}; multiply: {}; divide: {}",
                                      fmt::join(algorithms.cpu, ", "), fmt::join(algorithms.kernels, ", "),
                                      fmt::join(all[1].cpu, ", "), fmt::join(all[2].cpu, ", ")));
    parameters.push_back(Parameter::integer("word-bits", kMinWordBits, kMaxWordBits, std::to_string(kPaperWordBits),
                                            "word size of paper-1-2 (bits)"));
    return parameters;
}

ModuleDescription multiwordDescription()
{
    const std::vector<Operand> operands = {{"A", "a", "a non-negative integer in hexadecimal, or @FILE"},
                                           {"B", "b", "the second number, or @FILE"}};
    return {.name = "multiword",
            .summary = "sums, differences, products and quotients of integers of any length",
            .panel = "Multiword",
            .title = "Multiword addition",
            .size = "length",
            .firstSize = "1048576",
            .given = {"a", "b", "pairs"},
            .rare = {"carry-in", "decimal", "count", "pairs", "word-bits"},
            .operations = {{"add", "A + B", operands},
                           {"sub", "A - B", operands},
                           {"multiply", "A times B", operands},
                           {"divide",
                            "A by a word of at most 64 bits: quotient and remainder",
                            {operands[0], {"WORD", "b", "the divisor, or @FILE"}}}},
            .parameters = multiwordParameters()};
}

constexpr std::uint64_t kBitsAlwaysShown = 65'536;  // JSON has longer sums only on request
// Shorter additions take less time than a call and two clock reads, so no speed-up is reported.
constexpr std::uint64_t kLeastBitsTimed = 65'536;

struct Operands
{
    LimbBuffer a, b;         // equal limb counts
    std::uint64_t bits = 1;  // bits of the longer operand
};

class MultiwordRun final : public SteppedRun
{
public:
    MultiwordRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : SteppedRun(module, values, context), subtract_(values.text("operation") == "sub"),
          carryIn_(values.flag("carry-in"))
    {
    }

protected:
    Status obtainInput() override
    {
        const Clock::time_point start = Clock::now();
        const bool made = values().given("length");
        if (made && (values().given("a") || values().given("b")))
            return Error{ExitCode::kUsage, "length: expected either A and B or a length"};
        if (!made && (!values().given("a") || !values().given("b")))
            return Error{ExitCode::kUsage, "A and B: expected two numbers, or --length BITS"};
        if (!made && (values().given("pattern") || values().given("seed")))
            return Error{ExitCode::kUsage, "pattern, seed: expected with a length"};
        if (Status status = made ? generate() : read(); !status) return status;
        addTime(made ? "generate" : "read", millisecondsSince(start));
        return Status::ok();
    }

    Status calculate() override
    {
        enterCalculation();
        const Clock::time_point start = Clock::now();
        sum_ = LimbBuffer(operands_.a.size());
        clearLimbs(sum_, stop());  // touches all pages, so that page faults are not timed
        allocateMs_ = millisecondsSince(start);
        if (stopped()) return cancelled();
        return place().inKernels() ? addInKernels() : addOnCpu();
    }

    Status check() override
    {
        if (subtract_ && carryOut_)
            return Error{ExitCode::kUsage,
                         fmt::format("sub: A is smaller than B{}, expected A >= B", carryIn_ ? " and the borrow" : "")};
        context().progress.enter("checking");
        const Clock::time_point start = Clock::now();
        const Oracle oracle = place().algorithm == nameOf(CpuAlgorithm::kGmp) ? Oracle::kSchoolbook : Oracle::kGmp;
        answer(isSum({operands_.a, operands_.b, sum_, carryIn_, subtract_}, carryOut_, oracle, stop()), nameOf(oracle));
        addTime("check", millisecondsSince(start));
        return Status::ok();
    }

    // Times GMP on one thread, since users would otherwise call GMP. Overwrites the sum with the same sum.
    Status compare() override
    {
        if (result().check != CheckAnswer::kEqual || place().algorithm == nameOf(CpuAlgorithm::kGmp))
            return Status::ok();
        constexpr double kLongEnoughMs = 500;
        context().progress.enter("comparing with gmp");
        CpuAdder gmp({.algorithm = CpuAlgorithm::kGmp});
        const Clock::time_point whole = Clock::now();
        double shortest = 0;
        for (std::int64_t i = 0; i < values().integer("repetitions") && millisecondsSince(whole) < kLongEnoughMs; ++i)
        {
            const Clock::time_point start = Clock::now();
            gmp.add({operands_.a, operands_.b, sum_, carryIn_, subtract_}, stop());
            if (stopped()) return cancelled();
            shortest = i == 0 ? millisecondsSince(start) : std::min(shortest, millisecondsSince(start));
        }
        addTime("gmp", shortest);
        if (operands_.bits >= kLeastBitsTimed) result().speedup = {"gmp", shortest / mainMs_};
        return Status::ok();
    }

    Status describe() override
    {
        const Clock::time_point start = Clock::now();
        result().valueName = "sum";
        if (context().wholeResult || operands_.bits <= kBitsAlwaysShown)
            json()["sum"] = result().value = integerText(sum_, carryOut_, Radix::kHexadecimal, stop());
        if (context().readable)
        {
            const std::string sum =
                radix() == Radix::kDecimal ? integerText(sum_, carryOut_, Radix::kDecimal, stop()) : result().value;
            result().above = (values().given("length") ? shortened(sum) : sum) + "\n\n";
        }
        addTime("format", millisecondsSince(start));
        json()["bits"] = operands_.bits;
        json()["carry_out"] = int(carryBeyondOperands());
        writeOperations();
        writeExecutor();
        writeCheck();
        writePlace();
        if (!place().inKernels()) json()["instruction_set"] = bestLimbKernels().name;
        addRow("numbers", values().flag("decimal") ? "operands in decimal, words in hexadecimal"
                                                   : "operands and result in hexadecimal; --decimal for decimal");
        addRow("bits", std::to_string(operands_.bits));
        addRow("lowest word", limbText(0));
        addRow("highest word", limbText(sum_.size() - 1));
        addRow("carry out", carryBeyondOperands() ? "1" : "0");
        if (result().speedup) addRow("times as fast as gmp", fmt::format("{:.3g}", result().speedup->factor));
        return Status::ok();
    }

private:
    Status generate()
    {
        const auto bits = std::uint64_t(values().integer("length"));
        if (Status status = checkSize("length", bits / kLimbBits + 1, 2); !status) return status;
        context().progress.enter("making operands");
        const std::string& name = values().text("pattern");
        const Pattern pattern = name == "random" ? Pattern::kRandom
                                : name == "ones" ? Pattern::kOnes
                                                 : Pattern::kAlternating;
        GeneratedPair pair = generatePair(pattern, bits, std::uint64_t(values().integer("seed")), stop());
        operands_ = {std::move(pair.larger), std::move(pair.smaller), bits};
        return Status::ok();
    }

    Status read()
    {
        context().progress.enter("reading operands");
        Result<LimbBuffer> a = integerOperand(values().text("a"), radix(), "A", stop());
        if (!a) return a.error();
        Result<LimbBuffer> b = integerOperand(values().text("b"), radix(), "B", stop());
        if (!b) return b.error();
        operands_.bits = std::max<std::uint64_t>({1, bitLength(*a), bitLength(*b)});
        const std::size_t limbs = std::max(a->size(), b->size());
        if (Status status = checkSize("multiword", limbs, 1); !status) return status;
        operands_.a = extended(std::move(*a), limbs);
        operands_.b = extended(std::move(*b), limbs);
        return Status::ok();
    }

    Radix radix() const { return values().flag("decimal") ? Radix::kDecimal : Radix::kHexadecimal; }

    LimbBuffer extended(LimbBuffer number, std::size_t limbs) const
    {
        if (number.size() == limbs) return number;
        LimbBuffer longer(limbs);
        copyLimbs(longer.data(), number, stop());
        clearLimbs(std::span<Limb>(longer).subspan(number.size()), stop());
        return longer;
    }

    // Checks memory for `operands` numbers of `limbs` limbs, the sum, the algorithm's scratch memory, and text.
    Status checkSize(const std::string& what, std::uint64_t limbs, std::uint64_t operands) const
    {
        const std::uint64_t copies = place().backend == Backend::kHostKernel ? 4 : place().inKernels() ? 0 : 1;
        const std::uint64_t text = context().wholeResult ? 2 * limbs * sizeof(Limb) : 0;
        return checkMemory(what, (operands + 1) * limbs * sizeof(Limb) + copies * limbs * sizeof(Limb) / 8 + text);
    }

    Status addOnCpu()
    {
        CpuAdder adder({.algorithm = *cpuAlgorithm(place().algorithm),
                        .threads = int(values().integer("threads")),
                        .wordBits = int(values().integer("word-bits"))});
        const Result<double> shortest = shortestOf([&]() -> Result<double> {
            const Clock::time_point start = Clock::now();
            carryOut_ = adder.add({operands_.a, operands_.b, sum_, carryIn_, subtract_}, stop());
            return millisecondsSince(start);
        });
        if (!shortest) return shortest.error();
        addTime("allocate", allocateMs_);
        addMainTime("add", *shortest);
        mainMs_ = *shortest;
        const PaperOperations& counted = adder.operations();
        countWork({.bytes = bytesMoved(), .operations = double(counted.algorithm1 + counted.algorithm2)});
        countSteps(adder.steps());
        if (place().algorithm == nameOf(CpuAlgorithm::kPaper12))
        {
            countOperations("algorithm_1", counted.algorithm1);
            countOperations("algorithm_2", counted.algorithm2);
            countOperations("words", counted.words);
            countOperations("groups", counted.groups);
            countOperations("word_bits", std::uint64_t(values().integer("word-bits")));
        }
        return Status::ok();
    }

    Status addInKernels()
    {
        const AddKernel kernel = *addKernel(place().algorithm);
        const Result<std::unique_ptr<KernelTarget>> target = openTarget();
        if (!target) return target.error();
        const int repetitions = int(values().integer("repetitions"));
        const Result<AddKernelRun> run =
            addOnTarget(**target, kernel, {operands_.a, operands_.b, sum_, carryIn_, subtract_},
                        {.repeats = repetitions + (repetitions > 1), .stop = stop()});
        if (!run) return run.error();
        if (Status status = countExecutor(run->executor); !status) return status;
        carryOut_ = run->carryOut;
        recordSamples(run->ms.kernelSamples);
        addTime("allocate", allocateMs_ + run->ms.allocate);
        addKernelTimes(run->ms.upload, run->ms.kernel, run->ms.download);
        mainMs_ = run->ms.kernel;
        countWork({.bytes = bytesMoved(), .iterations = double(run->operations.iterations)});
        countSteps(run->steps);
        if (kernel == AddKernel::kPaper3)
        {
            countOperations("word", run->operations.words);
            countOperations("vector", run->operations.vectors);
            countOperations("barriers", run->operations.barriers);
        }
        return Status::ok();
    }

    void countSteps(const AdditionSteps& steps)
    {
        countOperations("additions", steps.additions);
        countOperations("synchronisations", steps.synchronisations);
        if (steps.levels > 0) countOperations("levels", steps.levels);
        if (steps.lookaheadSteps > 0) countOperations("lookahead_steps", steps.lookaheadSteps);
    }

    double bytesMoved() const { return 3.0 * double(sum_.size() * sizeof(Limb)); }

    // Returns the bit above the longer operand.
    bool carryBeyondOperands() const
    {
        const std::uint64_t bit = operands_.bits;
        if (bit / kLimbBits == sum_.size()) return carryOut_;
        return sum_[bit / kLimbBits] >> bit % kLimbBits & 1;
    }

    std::string limbText(std::size_t i) const { return fmt::format("{:016x}", sum_[i]); }

    const bool subtract_, carryIn_;
    Operands operands_;
    LimbBuffer sum_;
    bool carryOut_ = false;
    double allocateMs_ = 0, mainMs_ = 0;
};

class MultiwordModule final : public SteppedModule
{
public:
    MultiwordModule() : SteppedModule(multiwordDescription()) {}

    Algorithms algorithms(const ParameterValues& values) const override
    {
        return multiwordAlgorithms(values.text("operation"));
    }

protected:
    std::unique_ptr<SteppedRun> makeRun(const ParameterValues& values, const RunContext& context) const override
    {
        const std::string& operation = values.text("operation");
        if (values.given("count") || values.given("pairs")) return makeBatchRun(*this, values, context);
        if (operation == "multiply" || operation == "divide") return makeProductRun(*this, values, context);
        return std::make_unique<MultiwordRun>(*this, values, context);
    }
};

}  // namespace

const Module& multiwordModule()
{
    static const MultiwordModule module;
    return module;
}

}  // namespace orogen::compute
