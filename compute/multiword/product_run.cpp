#include "compute/multiword/product_run.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compute/multiword/integer_text.h"
#include "compute/multiword/product.h"
#include "core/base/json.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kProductBitsAlwaysShown = 65'536;  // longer results become text only on request

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
        constexpr double kLongEnoughMs = 0.001;  // shorter calculations take as long as two reads of the clock
        if (mainMs_ > kLongEnoughMs) result().speedup = {"gmp", gmpMs / mainMs_};
        return Status::ok();
    }

    Status describe() override
    {
        const Clock::time_point start = Clock::now();
        const char* const name = divides_ ? "quotient" : "product";
        result().valueName = name;
        const std::uint64_t bits = bitLength(result_);
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

    // Checks memory for the operands, the result, a second result for the check, and scratch memory.
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

}  // namespace orogen::compute
