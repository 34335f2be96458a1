#include "compute/multiword/operations.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compute/multiword/integer_text.h"
#include "compute/multiword/pair_file.h"
#include "compute/multiword/product.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kProductBitsAlwaysShown = 65'536;  // longer hexadecimal results only on request

// A product, or a quotient and its remainder.  GMP checks our results, and our implementation checks those of GMP.
class ProductRun final : public SteppedRun
{
public:
    ProductRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : SteppedRun(module, values, context), divides_(values.text("operation") == "divide")
    {
    }

protected:
    Status validate() override
    {
        if (values().flag("carry-in"))
            return Error{ExitCode::kUsage, fmt::format("carry-in: expected with add or sub, found {}", operation())};
        if (values().given("word-bits"))
            return Error{ExitCode::kUsage, fmt::format("word-bits: expected with add or sub, found {}", operation())};
        return Status::ok();
    }

    Status obtainInput() override
    {
        const Clock::time_point start = Clock::now();
        const bool made = values().given("length");
        if (made && (values().given("a") || values().given("b")))
            return Error{ExitCode::kUsage, "length: expected either two numbers or a length"};
        if (!made && (!values().given("a") || !values().given("b")))
            return Error{ExitCode::kUsage, "A and B: expected two numbers, or --length BITS"};
        if (!made && (values().given("pattern") || values().given("seed")))
            return Error{ExitCode::kUsage, "pattern, seed: expected with a length"};
        if (Status status = made ? generate() : read(); !status) return status;
        addTime(made ? "generate" : "read", millisecondsSince(start));
        if (!divides_) return Status::ok();
        if (bitLength(b_) > kLimbBits)
            return Error{ExitCode::kUsage,
                         fmt::format("divide: WORD has {} bits, expected at most {}", bitLength(b_), kLimbBits)};
        if (b_[0] == 0) return Error{ExitCode::kUsage, "divide: WORD: expected more than 0"};
        return Status::ok();
    }

    Status calculate() override
    {
        if (place().algorithm == "auto")
            chooseAlgorithm(std::string(nameOf(productAlgorithmFor(std::min(a_.size(), b_.size())))));
        enterCalculation();
        result_ = LimbBuffer(divides_ ? a_.size() : a_.size() + b_.size());
        std::fill_n(result_.data(), result_.size(), 0);  // touches all pages, so that page faults are not timed
        const Result<double> shortest = shortestOf([&]() -> Result<double> {
            const Clock::time_point start = Clock::now();
            calculateBy(place().algorithm, result_, rest_);
            return millisecondsSince(start);
        });
        if (!shortest) return shortest.error();
        mainMs_ = *shortest;
        addMainTime(operation(), mainMs_);
        countWork({.bytes = 8.0 * double(a_.size() + (divides_ ? 1 : b_.size()) + result_.size()),
                   .operations = double(operations_.products)});
        return Status::ok();
    }

    Status check() override
    {
        context().progress.enter("checking");
        const Clock::time_point start = Clock::now();
        const bool byGmp = place().algorithm == "gmp";
        const std::string other = !byGmp ? "gmp" : divides_ ? "reciprocal" : "toom-3";
        const ProductOperations counted = operations_;
        LimbBuffer expected(result_.size());
        Limb rest = 0;
        calculateBy(other, expected, rest);
        operations_ = counted;
        answer(rest == rest_ && std::equal(result_.data(), result_.data() + result_.size(), expected.data()), other);
        const double ms = millisecondsSince(start);
        addTime("check", ms);
        if (byGmp) return Status::ok();
        // Times GMP in a second pass.  The first pass has touched all pages, as was done for the measured calculation.
        const Clock::time_point again = Clock::now();
        calculateBy("gmp", expected, rest);
        operations_ = counted;
        const double gmpMs = millisecondsSince(again);
        addTime("gmp", gmpMs);
        constexpr double kLongEnoughMs = 0.001;  // two reads of the clock take a good part of a shorter calculation
        if (mainMs_ > kLongEnoughMs) result().speedup = {"gmp", gmpMs / mainMs_};
        return Status::ok();
    }

    Status describe() override
    {
        const Clock::time_point start = Clock::now();
        const char* const name = divides_ ? "quotient" : "product";
        result().valueName = name;
        const std::uint64_t bits = std::max<std::uint64_t>(1, bitLength(result_));
        if (context().wholeResult || bits <= kProductBitsAlwaysShown)
            json()[name] = result().value = integerText(result_, false, Radix::kHexadecimal, stop());
        const Limb rest[] = {rest_};
        if (divides_) json()["remainder"] = integerText(rest, false, Radix::kHexadecimal);
        if (context().readable)
        {
            const std::string text =
                radix() == Radix::kDecimal ? integerText(result_, false, radix(), stop()) : result().value;
            result().above = (values().given("length") ? shortened(text) : text) + "\n";
            if (divides_) result().above += "remainder " + integerText(rest, false, radix()) + "\n";
            result().above += "\n";
        }
        addTime("format", millisecondsSince(start));
        json()["bits"] = bits;
        if (!divides_ && place().algorithm != "gmp")
        {
            countOperations("products", operations_.products);
            countOperations("additions", operations_.additions);
            countOperations("levels", operations_.levels);
            addRow("products of words", std::to_string(operations_.products));
            addRow("levels of recursion", std::to_string(operations_.levels));
        }
        writeOperations();
        writeCheck();
        writePlace();
        addRow("bits", std::to_string(bits));
        if (result().speedup) addRow("times as fast as gmp", fmt::format("{:.3g}", result().speedup->factor));
        return Status::ok();
    }

private:
    std::string operation() const { return divides_ ? "divide" : "multiply"; }
    Radix radix() const { return values().flag("decimal") ? Radix::kDecimal : Radix::kHexadecimal; }

    // Checks memory for operands, result, a second result for the check, scratch memory and, if wanted, the text.
    Status checkSize(std::uint64_t limbs) const
    {
        const std::uint64_t text = context().wholeResult ? 4 * limbs * sizeof(Limb) : 0;
        return checkMemory(operation(), 24 * limbs * sizeof(Limb) + text);
    }

    Status generate()
    {
        const auto bits = std::uint64_t(values().integer("length"));
        if (Status status = checkSize(bits / kLimbBits + 1); !status) return status;
        const std::string& name = values().text("pattern");
        const Pattern pattern = name == "random" ? Pattern::kRandom
                                : name == "ones" ? Pattern::kOnes
                                                 : Pattern::kAlternating;
        GeneratedPair pair = generatePair(pattern, bits, std::uint64_t(values().integer("seed")), stop());
        a_ = std::move(pair.larger);
        b_ = std::move(pair.smaller);
        if (!divides_) return Status::ok();
        b_.shrink(1);
        b_[0] |= 1;
        return Status::ok();
    }

    Status read()
    {
        Result<LimbBuffer> a = integerOperand(values().text("a"), radix(), "A", stop());
        if (!a) return a.error();
        Result<LimbBuffer> b = integerOperand(values().text("b"), radix(), divides_ ? "WORD" : "B", stop());
        if (!b) return b.error();
        a_ = std::move(*a);
        b_ = std::move(*b);
        return checkSize(std::max(a_.size(), b_.size()));
    }

    void calculateBy(const std::string& algorithm, LimbBuffer& out, Limb& rest)
    {
        if (!divides_)
            operations_ = multiplyLimbs(out, a_, b_, *productAlgorithm(algorithm));
        else
            rest = algorithm == "gmp" ? divideLimbsByGmp(out, a_, b_[0]) : divideLimbs(out, a_, b_[0]);
    }

    const bool divides_;
    LimbBuffer a_, b_, result_;
    Limb rest_ = 0;
    ProductOperations operations_;
    double mainMs_ = 0;
};

}  // namespace

Algorithms multiplyAlgorithms()
{
    Algorithms algorithms{.operation = "multiply"};
    for (const ProductAlgorithm algorithm : kProductAlgorithms)
        algorithms.cpu.emplace_back(nameOf(algorithm));
    return algorithms;
}

Algorithms divideAlgorithms()
{
    return {.operation = "divide", .cpu = {"reciprocal", "gmp"}, .standardOnCpu = "reciprocal"};
}

std::unique_ptr<SteppedRun> makeProductRun(const SteppedModule& module, const ParameterValues& values,
                                           const RunContext& context)
{
    return std::make_unique<ProductRun>(module, values, context);
}

// A batch of additions or subtractions: many pairs of numbers, generated or read from a file, and extended to one
// length. CGBN, NVIDIA's library of big-number arithmetic, adds batches of this kind.

namespace {

class BatchRun final : public SteppedRun
{
public:
    BatchRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : SteppedRun(module, values, context), pool_(int(values.integer("threads"))),
          subtract_(values.text("operation") == "sub")
    {
    }

protected:
    Status validate() override
    {
        const std::string& operation = values().text("operation");
        const std::string what = fromFile() ? "pairs" : "count";
        if (operation != "add" && operation != "sub")
            return Error{ExitCode::kUsage, fmt::format("{}: expected with add or sub, found {}", what, operation)};
        if (values().given("a") || values().given("b") || fromFile() == values().given("length"))
            return Error{ExitCode::kUsage, fmt::format("{}: expected {} and without A and B", what,
                                                       fromFile() ? "without --length" : "with --length BITS")};
        if (values().flag("carry-in") || (values().flag("decimal") && !fromFile()))
            return Error{ExitCode::kUsage,
                         fmt::format("{}: expected without --carry-in{}", what, fromFile() ? "" : " and --decimal")};
        if (fromFile() && (values().given("pattern") || values().given("seed")))
            return Error{ExitCode::kUsage, "pattern, seed: expected with a length"};
        return Status::ok();
    }

    Status obtainInput() override
    {
        if (place().inKernels() || (place().algorithm != "simd" && place().algorithm != "gmp"))
            return Error{ExitCode::kUsage, fmt::format("count: expected simd or gmp on the CPU, found {}",
                                                       place().inKernels() ? "kernels" : place().algorithm)};
        const Clock::time_point start = Clock::now();
        if (Status status = fromFile() ? readPairs() : makePairs(); !status) return status;
        addTime(fromFile() ? "read" : "generate", millisecondsSince(start));
        return Status::ok();
    }

    Status calculate() override
    {
        enterCalculation();
        sum_ = LimbBuffer(count_ * limbs_);
        clearLimbs(sum_, stop());  // touches all pages, so that page faults are not timed
        carries_.assign(count_, 0);
        const Result<double> shortest = shortestOf([&]() -> Result<double> {
            const Clock::time_point start = Clock::now();
            addAll(place().algorithm == "gmp", sum_, carries_);
            if (stopped()) return cancelled();
            return millisecondsSince(start);
        });
        if (!shortest) return shortest.error();
        addMainTime("add", *shortest);
        mainMs_ = *shortest;
        countWork({.bytes = 3.0 * double(sum_.size() * sizeof(Limb)), .operations = double(count_)});
        return Status::ok();
    }

    Status check() override
    {
        if (Status status = checkBorrows(); !status) return status;
        context().progress.enter("checking");
        const bool byGmp = place().algorithm == "gmp";
        LimbBuffer other(sum_.size());
        std::vector<std::uint8_t> carries(count_);
        clearLimbs(other, stop());
        const Clock::time_point start = Clock::now();
        addAll(!byGmp, other, carries);
        const double ms = millisecondsSince(start);
        if (stopped()) return cancelled();
        answer(carries == carries_ && std::equal(sum_.data(), sum_.data() + sum_.size(), other.data()),
               byGmp ? "simd" : "gmp");
        addTime(byGmp ? "check" : "gmp", ms);
        if (!byGmp && mainMs_ > 0) result().speedup = {"gmp", ms / mainMs_};
        return Status::ok();
    }

    Status describe() override
    {
        constexpr std::uint64_t kMostShown = 10;
        json()["count"] = count_;
        json()["bits"] = bits_;
        if (context().wholeResult)
            for (std::uint64_t i = 0; i < count_ && !stopped(); ++i)
                json()["sums"].push_back(textOf(i, Radix::kHexadecimal));
        if (context().readable)
        {
            const std::uint64_t shown = fromFile() ? count_ : std::min(count_, kMostShown);
            for (std::uint64_t i = 0; i < shown && !stopped(); ++i)
                result().above += (fromFile() ? textOf(i, radix()) : shortened(textOf(i, radix()))) + "\n";
            if (count_ > shown) result().above += fmt::format("and {} more; --json has all\n", count_ - kMostShown);
            result().above += "\n";
        }
        addRow("pairs", std::to_string(count_));
        addRow("bits", std::to_string(bits_));
        addRow("additions a second", fmt::format("{:.3g}", 1000.0 * double(count_) / mainMs_));
        if (result().speedup) addRow("times as fast as gmp", fmt::format("{:.3g}", result().speedup->factor));
        return Status::ok();
    }

private:
    static constexpr std::uint64_t kPairsBetweenLooks = 1024;  // pairs made between two checks for a stop

    bool fromFile() const { return values().given("pairs"); }
    Radix radix() const { return values().flag("decimal") ? Radix::kDecimal : Radix::kHexadecimal; }

    Status makePairs()
    {
        count_ = std::uint64_t(values().integer("count"));
        bits_ = std::uint64_t(values().integer("length"));
        limbs_ = std::size_t((bits_ + kLimbBits - 1) / kLimbBits);
        // Bytes per pair: both operands, the sum with its carry, and the second sum of check() or, if wanted, the text.
        const std::uint64_t bytes = limbs_ * sizeof(Limb) * (context().wholeResult ? 8 : 4) + 64;
        if (count_ > kNoMemoryLimit / 4 / bytes) return checkMemory("count and length", kNoMemoryLimit);
        if (Status status = checkMemory("count and length", count_ * bytes); !status) return status;
        context().progress.enter("making operands");
        a_ = LimbBuffer(count_ * limbs_);
        b_ = LimbBuffer(count_ * limbs_);
        const std::string& name = values().text("pattern");
        const Pattern pattern = name == "random" ? Pattern::kRandom
                                : name == "ones" ? Pattern::kOnes
                                                 : Pattern::kAlternating;
        const auto seed = std::uint64_t(values().integer("seed"));
        for (std::uint64_t i = 0; i < count_; ++i)
        {
            if (i % kPairsBetweenLooks == 0 && stopped()) return cancelled();
            const GeneratedPair pair = generatePair(pattern, bits_, seed + i, stop());
            std::copy_n(pair.larger.data(), limbs_, a_.data() + i * limbs_);
            std::copy_n(pair.smaller.data(), limbs_, b_.data() + i * limbs_);
        }
        return Status::ok();
    }

    Status readPairs()
    {
        context().progress.enter("reading operands");
        const auto most = std::uint64_t(values().given("count") ? values().integer("count") : 0);
        Result<PairList> pairs = compute::readPairs(values().text("pairs"), radix(), most, stop());
        if (!pairs) return pairs.error();
        count_ = pairs->count;
        bits_ = pairs->bits;
        limbs_ = pairs->limbs;
        lines_ = std::move(pairs->lines);
        a_ = std::move(pairs->a);
        b_ = std::move(pairs->b);
        // Still to be allocated: the sum, and the second sum of check() or the text.
        const std::uint64_t copies = context().wholeResult || context().readable ? 5 : 2;
        return checkMemory("pairs", count_ * limbs_ * sizeof(Limb) * copies);
    }

    // Returns an error if a difference is below 0.
    Status checkBorrows() const
    {
        if (!subtract_) return Status::ok();
        const auto borrow = std::ranges::find_if(carries_, [](std::uint8_t carry) { return carry != 0; });
        if (borrow == carries_.end()) return Status::ok();
        return Error{ExitCode::kInput,
                     fmt::format("{}:{}: the first number is smaller than the second, expected A >= B",
                                 values().text("pairs"), lines_[std::size_t(borrow - carries_.begin())])};
    }

    // Adds or subtracts each pair by one call of our function or of GMP's.
    void addAll(bool byGmp, LimbBuffer& sum, std::vector<std::uint8_t>& carries)
    {
        const LimbKernels::Add add = bestLimbKernels().forLength(limbs_, subtract_);
        const std::size_t pairs = std::max<std::size_t>(1, kLimbsBetweenLooks / 8 / limbs_);  // pairs per piece
        pool_.forEach((count_ + pairs - 1) / pairs, [&](std::size_t piece) {
            if (stopped()) return;
            for (std::size_t i = piece * pairs; i < std::min<std::size_t>(count_, (piece + 1) * pairs); ++i)
            {
                Limb* const to = sum.data() + i * limbs_;
                const Limb *const x = a_.data() + i * limbs_, *const y = b_.data() + i * limbs_;
                carries[i] = byGmp ? addLimbsByGmp(to, x, y, limbs_, subtract_) : add(to, x, y, limbs_, false);
            }
        });
    }

    std::string textOf(std::uint64_t pair, Radix radix) const
    {
        return integerText({sum_.data() + pair * limbs_, limbs_}, !subtract_ && carries_[pair] != 0, radix, stop());
    }

    ThreadPool pool_;
    const bool subtract_;
    std::uint64_t count_ = 0, bits_ = 0;
    std::size_t limbs_ = 0;
    LimbBuffer a_, b_, sum_;
    std::vector<std::uint8_t> carries_;
    std::vector<std::uint64_t> lines_;  // line number of each pair in the file
    double mainMs_ = 0;
};

}  // namespace

std::unique_ptr<SteppedRun> makeBatchRun(const SteppedModule& module, const ParameterValues& values,
                                         const RunContext& context)
{
    return std::make_unique<BatchRun>(module, values, context);
}

}  // namespace orogen::compute
