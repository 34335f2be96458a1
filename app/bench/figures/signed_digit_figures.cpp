// Paper 000 measured again: the spacing of its numbers, the errors of single and double precision, and its times.
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include <fmt/format.h>

#include "app/bench/figures/figure.h"
#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "core/base/clock.h"
#include "core/base/memory.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

Decimal parsed(const std::string& text) { return *parseDecimal(text, "figure"); }

// ---- spacing: figures 1 and 4 ----

// Returns the distance from each number to the next, by exact subtraction. `numbers` must ascend.
Result<FigureData> spacingOf(const std::vector<Decimal>& numbers, const FigureOptions& options)
{
    FigureData data{"number", {"distance to the next"}, {}, {}};
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        const double x = nearest<double>(numbers[i]);
        if (!options.goesOn(double(i) / double(numbers.size()), fmt::format("{}", x))) return stoppedError();
        FigureRow row{x, {std::nullopt}};
        if (i + 1 < numbers.size())
            row.values[0] = nearest<double>(decimal(subtract(signedDigits(numbers[i + 1]), signedDigits(numbers[i]))));
        data.rows.push_back(std::move(row));
    }
    return data;
}

Result<FigureData> measureFloatSpacing(const FigureOptions& options)
{
    std::vector<Decimal> numbers;
    for (int order = 0; order <= 4; ++order)
        for (int mantissa = 4; mantissa <= 7; ++mantissa)  // normalized mantissas: 0.1bb in binary
            numbers.push_back(decimalFromDouble(std::ldexp(mantissa, order - 3)));
    return spacingOf(numbers, options);
}

Result<FigureData> measureDecimalSpacing(const FigureOptions& options)
{
    std::vector<Decimal> numbers;
    for (int tenths = 0; tenths <= 9; ++tenths)
        numbers.push_back(parsed(fmt::format("{}e-1", tenths)));
    return spacingOf(numbers, options);
}

// ---- the dot product against beta: figure 2 ----

struct Vectors
{
    DecimalList x, y;
};

Vectors vectorsOfThePaper(int alpha, int beta)
{
    Vectors vectors;
    const auto add = [&](const std::string& x, const std::string& y) {
        vectors.x.add(parsed(x));
        vectors.y.add(parsed(y));
    };
    add(fmt::format("1e{}", alpha), fmt::format("1e{}", beta));
    add("1223", "2");
    add(fmt::format("1e{}", alpha - 1), fmt::format("-1e{}", beta + 1));
    add(fmt::format("1e{}", alpha - 2), fmt::format("1e{}", beta));
    add("3", "2111");
    add(fmt::format("-1e{}", alpha - 5), fmt::format("1e{}", beta + 3));
    return vectors;
}

std::optional<double> signedDigitDotError(const Vectors& vectors, const Decimal& exact)
{
    const std::vector<FactorRows> rows = alignedFactors(vectors.x, vectors.y);
    const Decimal found = CpuDecimals(DotAlgorithm::kPaper, rows).run();
    return std::abs(roughly(decimal(subtract(signedDigits(found), signedDigits(exact))))) / roughly(exact) * 100;
}

Result<FigureData> measureDotError(const FigureOptions& options)
{
    constexpr int kAlpha = 1, kMostBeta = 295;
    const Decimal exact = parsed("8779");
    FigureData data{"beta",
                    {"single", "double", "signed-digit"},
                    {},
                    {"alpha = 1; terms added in their order, none fused",
                     "The paper calls its line single precision; it is double's: single is lost from beta = 13 on.",
                     "single is empty from beta = 36 on: a product is beyond 3.4e38."}};
    for (int beta = 1; beta <= kMostBeta; ++beta)
    {
        if (!options.goesOn(double(beta) / kMostBeta, fmt::format("beta = {}", beta))) return stoppedError();
        const Vectors vectors = vectorsOfThePaper(kAlpha, beta);
        data.rows.push_back(
            {double(beta),
             {errorPercent(double(floatingDot<float>(vectors.x, vectors.y)), exact),
              errorPercent(floatingDot<double>(vectors.x, vectors.y), exact), signedDigitDotError(vectors, exact)}});
    }
    return data;
}

// ---- the transform there and back against alpha: figure 3 ----

constexpr int kCoordinates = 64;

// Returns the coordinates of formula 2 of the paper, for alpha = 10^power.
DecimalList coordinatesOfThePaper(int power)
{
    std::int64_t tenthsOfAlpha = 10;
    for (int i = 0; i < power; ++i)
        tenthsOfAlpha *= 10;
    DecimalList list;
    for (int i = 1; i <= kCoordinates; ++i)
        list.add(parsed(fmt::format("{}e-1", i + (i % 2 == 0 ? tenthsOfAlpha : 0))));
    return list;
}

Result<FigureData> measureTransformError(const FigureOptions& options)
{
    constexpr int kMostPower = 15;
    FourierOptions transform;
    FigureData data{
        "alpha",
        {"single", "double", "signed-digit", "signed-digit, its bound (formula)"},
        {},
        {fmt::format("n = {}; signed-digit with cosines of {} digits: they are irrational, so that it loses "
                     "something too, and states how much at most",
                     kCoordinates, transform.twiddleDigits)}};
    double lastMs = 0;
    for (int power = 0; power <= kMostPower; ++power)
    {
        FigureRow row{std::pow(10.0, power), std::vector<std::optional<double>>(data.names.size())};
        const double fraction = double(power) / (kMostPower + 1);
        if (!options.goesOn(fraction, fmt::format("alpha = 1e{}", power))) return stoppedError();
        if (lastMs > 1000 * options.secondsPerPoint)
        {
            data.notes.push_back(fmt::format("more than {} s from alpha = 1e{} on", options.secondsPerPoint, power));
            break;
        }
        transform.progress = [&](double done) {
            return options.goesOn(fraction + done / (kMostPower + 1), fmt::format("alpha = 1e{}", power));
        };
        const Clock::time_point start = Clock::now();
        const FourierResult found = fourierTransform(coordinatesOfThePaper(power), transform);
        if (found.stopped) return stoppedError();
        lastMs = millisecondsSince(start);
        row.values = {found.singlePercent, found.doublePercent, found.signedDigitPercent, found.boundPercent};
        data.rows.push_back(std::move(row));
    }
    return data;
}

// ---- times as fast as the digit loop: figures 5, 6 and 7 ----

struct DecimalProblem
{
    std::uint64_t count = 0, digits = 0;  // k and d of the paper: k numbers of d decimal digits each
};

// Sums as a kind of problem: operation count, random data and kernels. Dots has the same members for dot products.
struct Sums
{
    using Algorithm = SumAlgorithm;
    using Rows = DigitRows;
    static double workOf(const DecimalProblem& problem) { return double(problem.count) * double(problem.digits); }
    static std::vector<Rows> make(const DecimalProblem& problem) { return randomSum(problem.count, problem.digits); }
    static Result<DecimalKernelRun> runOn(KernelTarget& target, Algorithm algorithm, std::span<const Rows> rows)
    {
        return sumOnTarget(target, algorithm, rows);
    }
};
struct Dots
{
    using Algorithm = DotAlgorithm;
    using Rows = FactorRows;
    static double workOf(const DecimalProblem& problem) { return Sums::workOf(problem) * double(problem.digits); }
    static std::vector<Rows> make(const DecimalProblem& problem) { return randomDot(problem.count, problem.digits); }
    static Result<DecimalKernelRun> runOn(KernelTarget& target, Algorithm algorithm, std::span<const Rows> rows)
    {
        return dotOnTarget(target, algorithm, rows);
    }
};

// Measures a figure: speed-ups of one method, on CPU and GPU, over the digit loop and over GMP. The plot has a point
// for each x, and lines for each value of the series.
template <class Kind>
class DigitLoopComparison
{
public:
    using Algorithm = typename Kind::Algorithm;

    // Limit of k d for kernels on the CPU, unless FigureOptions::sizes is given.
    static constexpr std::uint64_t kMostDigitsOnHost = 1'000'000;

    struct Grid
    {
        std::string xName, seriesName;
        std::vector<std::uint64_t> xs, series;
        bool xIsDigits = true;  // otherwise x is k
    };

    DigitLoopComparison(Algorithm method, Grid grid, const FigureOptions& options)
        : method_(method), grid_(std::move(grid)), options_(options), cuda_(discoverCuda())
    {
        if (!options.sizes.empty()) grid_.xs = options.sizes;
    }

    Result<FigureData> run()
    {
        data_.xName = grid_.xName;
        const std::string kernels = kernelBackend();
        for (const std::string& line :
             {kernels, kernels + " over GMP", std::string("cpu"), std::string("cpu over GMP")})
            for (const std::uint64_t series : grid_.series)
                data_.names.push_back(
                    fmt::format("{}, {}, {} = {}", nameOf(method_), line, grid_.seriesName, shortNumber(series)));
        describe();
        for (std::size_t x = 0; x < grid_.xs.size(); ++x)
        {
            data_.rows.push_back({double(grid_.xs[x]), std::vector<std::optional<double>>(data_.names.size())});
            for (std::size_t series = 0; series < grid_.series.size(); ++series)
                if (Status status = measure(x, series); !status) return status.error();
        }
        return std::move(data_);
    }

private:
    // Returns "1e4" for a power of ten from 1000 on, otherwise all digits: "900".
    static std::string shortNumber(std::uint64_t number)
    {
        int power = 0;
        for (; number >= 10 && number % 10 == 0; number /= 10)
            ++power;
        return number == 1 && power > 2 ? fmt::format("1e{}", power)
                                        : fmt::format("{}", double(number) * std::pow(10, power));
    }

    void describe()
    {
        data_.notes.push_back("K_abs = T_cpu / T: T_cpu of the digit loop on one core; T on a GPU with both transfers, "
                              "on the CPU on one core.");
        data_.notes.push_back("Dashed, over GMP: the same T against mpz_add and mpz_addmul of numbers that are binary "
                              "already.");
        if (!cuda_.available)
            data_.notes.push_back(fmt::format("host-kernel: there is no GPU here ({}); the kernels' source runs on the "
                                              "CPU, for up to {} digits in all without --sizes.",
                                              cuda_.reason, kMostDigitsOnHost));
    }

    Status measure(std::size_t x, std::size_t series)
    {
        const std::uint64_t a = grid_.xs[x], b = grid_.series[series];
        problem_ = grid_.xIsDigits ? DecimalProblem{b, a} : DecimalProblem{a, b};
        name_ = fmt::format("k = {}, d = {}", shortNumber(problem_.count), shortNumber(problem_.digits));
        done_ = double(x * grid_.series.size() + series) / double(grid_.xs.size() * grid_.series.size());
        if (!goesOn("numbers")) return stoppedError();
        if (takesTooLong(Algorithm::kDigitLoop)) return Status::ok();
        if (const Status fits = checkMemory(name_, 6 * problem_.count * (problem_.digits + 16)); !fits)
        {
            data_.notes.push_back("left out: " + fits.error().message);
            return Status::ok();
        }
        const std::vector<typename Kind::Rows> rows = Kind::make(problem_);
        std::vector<Algorithm> algorithms = {Algorithm::kGmp, Algorithm::kDigitLoop};
        if (!takesTooLong(method_)) algorithms.push_back(method_);
        const Result<std::vector<double>> times = onProcessor(algorithms, rows);
        if (!times) return times.error();
        const auto put = [&](std::size_t line, double ms) {
            std::vector<std::optional<double>>& values = data_.rows.back().values;
            values[line * grid_.series.size() + series] = (*times)[1] / ms;
            values[(line + 1) * grid_.series.size() + series] = (*times)[0] / ms;
        };
        if (algorithms.size() > 2) put(2, (*times)[2]);
        if (!cuda_.available && options_.sizes.empty() && problem_.count * problem_.digits > kMostDigitsOnHost)
            return Status::ok();
        const Result<double> gpu = inKernels(rows);
        if (gpu) put(0, *gpu);
        if (gpu || gpu.error().code != ExitCode::kLimit) return gpu ? Status::ok() : Status(gpu.error());
        data_.notes.push_back(fmt::format("{}, {}: left out: {}", kernelBackend(), name_, gpu.error().message));
        return Status::ok();
    }

    bool goesOn(std::string_view what) const { return options_.goesOn(done_, fmt::format("{}, {}", name_, what)); }

    // Returns whether the algorithm would exceed the time per point, extrapolated from its previous point. If so, adds
    // a note.
    bool takesTooLong(Algorithm algorithm)
    {
        const auto pace = msOfWork_.find(algorithm);
        if (pace == msOfWork_.end() || pace->second * Kind::workOf(problem_) <= 1000 * options_.secondsPerPoint)
            return false;
        data_.notes.push_back(fmt::format("{}: left out: {} would take more than {} s", name_, nameOf(algorithm),
                                          options_.secondsPerPoint));
        return true;
    }

    // Returns the shortest time of each algorithm (ms), by interleaved trials. GMP must come first: it gives the result
    // that the others are checked against.
    Result<std::vector<double>> onProcessor(const std::vector<Algorithm>& algorithms,
                                            std::span<const typename Kind::Rows> rows)
    {
        if (!goesOn("cpu")) return stoppedError();
        std::deque<CpuDecimals> sums;
        std::vector<Contender> contenders;
        Decimal found;
        for (const Algorithm algorithm : algorithms)
        {
            CpuDecimals& sum = sums.emplace_back(algorithm, rows);
            Contender contender{.section = repeated([&] { found = sum.run(); })};
            if (algorithm == Algorithm::kGmp)
                contender.check = [&] { return expected_ = found, true; };
            else
                contender.check = [&] { return found == expected_; };
            contenders.push_back(std::move(contender));
        }
        const Result<std::vector<Timing>> timings =
            timeInterleaved(std::move(contenders), {.warmUpRounds = 0,
                                                    .leastRounds = 2,
                                                    .mostRounds = 20,
                                                    .seconds = std::min(options_.secondsPerPoint, 0.5),
                                                    .shouldStop = [&] { return !goesOn("cpu"); }});
        if (!timings) return timings.error();
        std::vector<double> best;
        for (std::size_t i = 0; i < algorithms.size(); ++i)
        {
            if (!(*timings)[i].equal) return wrong(nameOf(algorithms[i]));
            best.push_back((*timings)[i].minimumMs);
            msOfWork_[algorithms[i]] = best[i] / Kind::workOf(problem_);
        }
        return best;
    }

    Result<double> inKernels(std::span<const typename Kind::Rows> rows) const
    {
        constexpr int kMostRuns = 20;
        if (!goesOn(kernelBackend())) return stoppedError();
        Result<std::unique_ptr<KernelTarget>> target = kernelTarget();
        if (!target) return target.error();
        const auto once = [&]() -> Result<double> {
            const Result<DecimalKernelRun> run = Kind::runOn(**target, method_, rows);
            if (!run) return run.error();
            if (run->number != expected_) return wrong(kernelBackend());
            return run->uploadMs + run->kernelMs + run->downloadMs;
        };
        return shortestOf(once, std::min(options_.secondsPerPoint, 0.3), kMostRuns,
                          [&] { return !goesOn(kernelBackend()); });
    }

    Error wrong(std::string_view way) const
    {
        return {ExitCode::kNo, fmt::format("{}, {}, {}: a wrong result", nameOf(method_), way, name_)};
    }

    const Algorithm method_;
    Grid grid_;
    const FigureOptions& options_;
    const CudaReport cuda_;
    FigureData data_;
    std::map<Algorithm, double> msOfWork_;  // milliseconds per unit of Kind::workOf(), at the previous point

    // State of the point that is measured.
    DecimalProblem problem_;
    std::string name_;
    double done_ = 0;
    Decimal expected_;  // GMP's result
};

Result<FigureData> compareSums(SumAlgorithm method, const FigureOptions& options)
{
    return DigitLoopComparison<Sums>(
               method,
               {"digits", "k", {100, 200, 300, 400, 500, 600, 700, 800, 900}, {10'000, 100'000, 1'000'000}, true},
               options)
        .run();
}

Result<FigureData> compareDots(const FigureOptions& options)
{
    return DigitLoopComparison<Dots>(DotAlgorithm::kPaper,
                                     {"k", "d", {10'000, 100'000, 1'000'000}, {10, 50, 100}, false}, options)
        .run();
}

}  // namespace

std::span<const Figure> signedDigitFigures()
{
    static const std::vector<Figure> figures = {
        {"signed-digit-float-spacing",
         "paper 000, Fig. 1: the uneven spacing of floating-point numbers",
         {"Paper 000, Fig. 1: normalized floating-point numbers, 3 binary digits, orders 0 to 4",
          "number",
          "distance to the next",
          false,
          false,
          {}},
         measureFloatSpacing},
        {"signed-digit-dot-error",
         "paper 000, Fig. 2: error of a dot product in single, double and signed-digit",
         {"Paper 000, Fig. 2: error of the dot product", "beta", "relative error (%)", false, true, {}},
         measureDotError,
         25},
        {"signed-digit-dft-error",
         "paper 000, Fig. 3: error of the Fourier transform and its inverse",
         {"Paper 000, Fig. 3: error of the Fourier transform there and back",
          "alpha",
          "relative error, largest (%)",
          true,
          true,
          {}},
         measureTransformError},
        {"signed-digit-decimal-spacing",
         "paper 000, Fig. 4: the even spacing of decimal fractions",
         {"Paper 000, Fig. 4: decimal fractions of the first degree",
          "number",
          "distance to the next",
          false,
          false,
          {}},
         measureDecimalSpacing},
        {"signed-digit-first",
         "paper 000, Fig. 5: K_abs of the first method of summation",
         {"Paper 000, Fig. 5: the first method, times as fast as the digit loop",
          "digits of a number",
          "K_abs",
          false,
          true,
          {}},
         [](const FigureOptions& options) { return compareSums(SumAlgorithm::kFirst, options); },
         kWholePlot,
         true},
        {"signed-digit-second",
         "paper 000, Fig. 6: K_abs of the second method of summation",
         {"Paper 000, Fig. 6: the second method, times as fast as the digit loop",
          "digits of a number",
          "K_abs",
          false,
          true,
          {}},
         [](const FigureOptions& options) { return compareSums(SumAlgorithm::kSecond, options); },
         kWholePlot,
         true},
        {"signed-digit-dot",
         "paper 000, Fig. 7: K_abs of the dot product",
         {"Paper 000, Fig. 7: the dot product, times as fast as the digit loop",
          "numbers (k)",
          "K_abs",
          true,
          true,
          {}},
         compareDots,
         kWholePlot,
         true},
    };
    return figures;
}

}  // namespace orogen::app::bench
