#include "compute/signed_digit/module.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "compute/device/discovery.h"
#include "compute/device/kernel_target.h"
#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/decimal_file.h"
#include "compute/signed_digit/decimal_oracle.h"
#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "compute/signed_digit/signed_digit.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

template <class Algorithm>
void appendNames(std::vector<std::string>& names, std::span<const Algorithm> algorithms)
{
    for (const Algorithm algorithm : algorithms)
        if (std::ranges::find(names, nameOf(algorithm)) == names.end()) names.emplace_back(nameOf(algorithm));
}

std::vector<std::string> algorithmNames()
{
    std::vector<std::string> names = {"auto"};
    appendNames<SumAlgorithm>(names, kSumAlgorithms);
    appendNames<DotAlgorithm>(names, kDotAlgorithms);
    return names;
}

std::vector<Parameter> describe()
{
    const auto threads = std::int64_t(std::max(1u, std::thread::hardware_concurrency()));
    constexpr std::int64_t kMost = std::int64_t(1) << 40;
    return {
        Parameter::choice(
            "operation", {"sum", "dot", "multiply", "subtract", "dft"}, "sum",
            "of the numbers in one file, of those in two pairwise, A * B, A - B, the discrete Fourier transform"),
        Parameter::text("x", "a file with a decimal number a line; for multiply and subtract a number, or @FILE"),
        Parameter::text("y", "the other"),
        Parameter::flag("float64", "a number means the double nearest to it, with its exact value"),
        Parameter::integer("count", 1, kMost, "",
                           "instead of files: made here, so many numbers (1 to multiply, subtract)"),
        Parameter::integer("digits", 1, kMost, "50", "of each number that is made"),
        Parameter::integer("spread", 0, kLargestExponent, "0", "exponents of what is made are from -N to N"),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "of what is made"),
        Parameter::choice("algorithm", algorithmNames(), "auto",
                          "of sum and subtract digit-loop, first, second, regrouped, columns, base1e9, gmp; of dot and "
                          "multiply digit-loop, paper, product, gmp"),
        Parameter::choice("backend", {"auto", "cuda", "cpu", "host-kernel"}, "auto",
                          "host-kernel: the CUDA kernels' own source, on the CPU"),
        Parameter::integer("threads", 1, 1024, std::to_string(threads), "of the CPU, at most"),
        Parameter::integer("digit-set", 6, 7, "6", "signed digits are -N to N"),
        Parameter::integer("twiddle-digits", 1, 300, "50", "behind the point, of the cosines of dft"),
        Parameter::integer("repetitions", 1, 1'000'000, "1", "of the arithmetic; the shortest time counts"),
    };
}

constexpr std::size_t kDigitsAlwaysShown = 20'000;  // of a result, whether the whole of it is asked for or not

const Error kCancelled = {ExitCode::kInterrupted, "signed-digit: cancelled"};

class Run
{
public:
    Run(const ParameterValues& values, const RunContext& context)
        : values_(values), context_(context), operation_(values.text("operation")),
          pairs_(operation_ != "sum" && operation_ != "subtract"),
          ofFiles_(operation_ != "multiply" && operation_ != "subtract")
    {
    }

    Result<JobResult> run()
    {
        using Step = Status (Run::*)();
        for (const Step step : {&Run::choose, &Run::obtainNumbers, &Run::calculate, &Run::check, &Run::compare})
        {
            if (Status status = (this->*step)(); !status) return status.error();
            if (context_.stop.stop_requested()) return kCancelled;
        }
        return describe();
    }

    Result<JobResult> transform()
    {
        if (const std::string& name = values_.text("algorithm"); name != "auto" && name != "product")
            return Error{ExitCode::kUsage, fmt::format("algorithm: {}: there is none for dft, expected product", name)};
        if (const std::string& name = values_.text("backend"); name != "auto" && name != "cpu")
            return Error{ExitCode::kUsage, fmt::format("backend: {}: there is none for dft, expected cpu", name)};
        algorithm_ = "product";
        if (Status status = obtainNumbers(); !status) return status.error();
        if (context_.stop.stop_requested()) return kCancelled;
        if (Status status = checkCoordinates(); !status) return status.error();
        context_.progress.enter("dft, cpu");
        const Clock::time_point start = Clock::now();
        const FourierResult found = fourierTransform(x_, {int(values_.integer("twiddle-digits")), [this](double done) {
                                                              context_.progress.set(done);
                                                              return !context_.stop.stop_requested();
                                                          }});
        if (found.stopped) return kCancelled;
        times_.push_back({"kernel", millisecondsSince(start)});
        return describe(found);
    }

private:
    Status choose()
    {
        const std::string& name = values_.text("algorithm");
        backend_ = values_.text("backend") == "auto" ? "cpu" : values_.text("backend");
        algorithm_ = name != "auto"             ? name
                     : operation_ == "sum"      ? "columns"
                     : operation_ == "subtract" ? "first"
                                                : "product";
        std::vector<std::string> names;
        for (const SumAlgorithm algorithm : kSumAlgorithms)
            if (!pairs_ && (backend_ == "cpu" || inKernels(algorithm))) names.emplace_back(nameOf(algorithm));
        for (const DotAlgorithm algorithm : kDotAlgorithms)
            if (pairs_ && (backend_ == "cpu" || inKernels(algorithm))) names.emplace_back(nameOf(algorithm));
        if (std::ranges::find(names, algorithm_) == names.end())
            return Error{ExitCode::kUsage,
                         fmt::format("algorithm: {}: there is none for {} on the back end {}, expected {}", algorithm_,
                                     operation_, backend_, fmt::join(names, ", "))};
        if (backend_ != "cuda") return Status::ok();
        const CudaReport cuda = discoverCuda();
        if (cuda.available) return Status::ok();
        return Error{ExitCode::kDevice, fmt::format("backend: cuda is not usable: {}", cuda.reason)};
    }

    // ---- numbers ----

    Status obtainNumbers()
    {
        const Clock::time_point start = Clock::now();
        const bool made = values_.given("count"), two = operation_ != "sum" && operation_ != "dft";
        const bool missing = !values_.given("x") || (two && !values_.given("y"));
        if (made && (values_.given("x") || values_.given("y")))
            return Error{ExitCode::kUsage, "count: expected either numbers or a count"};
        if (!made && (values_.given("digits") || values_.given("spread") || values_.given("seed")))
            return Error{ExitCode::kUsage, "digits, spread, seed: expected with a count"};
        if (!made && missing)
            return Error{ExitCode::kUsage, fmt::format("{}: expected {}, or --count K", operation_,
                                                       !ofFiles_ ? "two numbers"
                                                       : two     ? "two files"
                                                                 : "a file")};
        context_.progress.enter(made ? "making numbers" : "reading numbers");
        if (Status status = made ? generate(two) : read(two); !status) return status;
        if (two && x_.size() != y_.size())
            return Error{ExitCode::kInput, fmt::format("{}: {} numbers, and {}: {}, expected as many",
                                                       values_.text("x"), x_.size(), values_.text("y"), y_.size())};
        times_.push_back({made ? "generate" : "read", millisecondsSince(start)});
        return Status::ok();
    }

    Status generate(bool two)
    {
        RandomDecimals numbers{std::uint64_t(values_.integer("count")), std::uint64_t(values_.integer("digits")),
                               values_.integer("spread"), std::uint64_t(values_.integer("seed"))};
        if (!ofFiles_ && numbers.count != 1)
            return Error{ExitCode::kUsage, fmt::format("count: {}: expected 1 to {}", numbers.count, operation_)};
        const std::uint64_t each = 8 * numbers.digits + 64;
        if (numbers.count > std::numeric_limits<std::uint64_t>::max() / 2 / each)
            return checkMemory("count and digits", std::numeric_limits<std::uint64_t>::max());
        if (Status status = checkMemory("count and digits", (two ? 2 : 1) * numbers.count * each); !status)
            return status;
        x_ = makeDecimals(numbers, context_.stop);
        numbers.seed = ~numbers.seed;
        if (two) y_ = makeDecimals(numbers, context_.stop);
        return Status::ok();
    }

    Status read(bool two)
    {
        if (Status status = read(x_, "x", "A"); !status) return status;
        return two ? read(y_, "y", "B") : Status::ok();
    }

    Status read(DecimalList& list, const char* parameter, const char* name)
    {
        const auto meaning = values_.flag("float64") ? DecimalMeaning::kNearestDouble : DecimalMeaning::kItself;
        const std::string& text = values_.text(parameter);
        Result<DecimalList> read =
            ofFiles_ ? readDecimals(text, meaning, context_.stop) : decimalOperand(text, meaning, name);
        if (!read) return read.error();
        list = std::move(*read);
        return checkMemory(parameter, 8 * list.digits() + 64 * list.size());
    }

    // What is compared with doubles has to fit into one.
    Status checkCoordinates() const
    {
        for (std::size_t i = 0; i < x_.size(); ++i)
            if (x_[i].exponent + std::int64_t(x_[i].digits.size()) > 300)
                return Error{ExitCode::kInput,
                             fmt::format("number {} of {}: found 1e300 or more, expected less", i + 1, x_.size())};
        return Status::ok();
    }

    // ---- arithmetic ----

    Status calculate()
    {
        if (operation_ == "subtract")
        {
            const DecimalView b = y_[0];
            x_.add({b.digits, b.exponent, !b.negative});
        }
        context_.progress.enter("aligning");
        const Clock::time_point start = Clock::now();
        const CpuDecimalOptions options = {int(values_.integer("threads")), nullptr,
                                           DigitSet{int(values_.integer("digit-set"))}};
        if (pairs_)
        {
            factors_ = alignedFactors(x_, y_);
            if (backend_ != "cpu") return repeatKernels(millisecondsSince(start));
            CpuDecimals decimals(*dotAlgorithm(algorithm_), factors_, options);
            return repeat(decimals, millisecondsSince(start));
        }
        rows_ = alignedRows(x_);
        if (backend_ != "cpu") return repeatKernels(millisecondsSince(start));
        CpuDecimals decimals(*sumAlgorithm(algorithm_), rows_, options);
        return repeat(decimals, millisecondsSince(start));
    }

    Status repeat(CpuDecimals& decimals, double convertMs)
    {
        context_.progress.enter(fmt::format("{}, cpu", algorithm_));
        const std::int64_t repetitions = values_.integer("repetitions");
        double best = 0;
        for (std::int64_t i = 0; i < repetitions; ++i)
        {
            const Clock::time_point start = Clock::now();
            number_ = decimals.run(context_.stop);
            const double took = millisecondsSince(start);
            if (context_.stop.stop_requested()) return kCancelled;
            best = i == 0 ? took : std::min(best, took);
            context_.progress.set(double(i + 1) / double(repetitions));
        }
        additions_ = decimals.additions();
        for (const auto& [name, ms] : {std::pair{"convert", convertMs}, std::pair{"upload", 0.0},
                                       std::pair{"kernel", best}, std::pair{"download", 0.0}})
            times_.push_back({name, ms});
        return Status::ok();
    }

    Result<DecimalKernelRun> runKernels() const
    {
        Result<std::unique_ptr<KernelTarget>> target = backend_ == "cuda"
                                                           ? makeCudaTarget(processCuda(), 0)
                                                           : Result<std::unique_ptr<KernelTarget>>(makeHostTarget({}));
        if (!target) return target.error();
        const DecimalKernelOptions options = {DigitSet{int(values_.integer("digit-set"))}, context_.stop};
        return pairs_ ? dotOnTarget(**target, *dotAlgorithm(algorithm_), factors_, options)
                      : sumOnTarget(**target, *sumAlgorithm(algorithm_), rows_, options);
    }

    Status repeatKernels(double convertMs)
    {
        context_.progress.enter(fmt::format("{}, {}", algorithm_, backend_));
        const std::int64_t repetitions = values_.integer("repetitions");
        DecimalKernelRun best;
        for (std::int64_t i = 0; i < repetitions; ++i)
        {
            Result<DecimalKernelRun> run = runKernels();
            if (!run) return run.error();
            if (context_.stop.stop_requested()) return kCancelled;
            if (i == 0 || run->kernelMs < best.kernelMs) best = std::move(*run);
            context_.progress.set(double(i + 1) / double(repetitions));
        }
        const ExecutorCounts& counts = best.executor;
        if (backend_ == "host-kernel")
        {
            if (counts.blocks == 0 && !(rows_.empty() && factors_.empty()))
                return Error{ExitCode::kDevice, "host-kernel: the executor ran no block"};
            executor_ = {{"blocks", counts.blocks}, {"threads", counts.threads}, {"switches", counts.switches}};
        }
        number_ = std::move(best.number);
        additions_ = best.additions;
        for (const auto& [name, ms] : {std::pair{"convert", convertMs}, std::pair{"upload", best.uploadMs},
                                       std::pair{"kernel", best.kernelMs}, std::pair{"download", best.downloadMs}})
            times_.push_back({name, ms});
        return Status::ok();
    }

    // ---- what came of it ----

    Status check()
    {
        context_.progress.enter("checking");
        const Clock::time_point start = Clock::now();
        bool equal = false;
        if (algorithm_ == nameOf(SumAlgorithm::kGmp))
        {
            result_.oracle = pairs_ ? "product" : "columns";
            const CpuDecimalOptions options = {int(values_.integer("threads")), nullptr, {}};
            equal = number_ == (pairs_ ? CpuDecimals(DotAlgorithm::kProduct, factors_, options)
                                       : CpuDecimals(SumAlgorithm::kColumns, rows_, options))
                                   .run(context_.stop);
        }
        else
        {
            result_.oracle = "gmp";
            equal = pairs_ ? isDotProduct(number_, x_, y_, context_.stop) : isSum(number_, x_, context_.stop);
        }
        result_.check = equal ? CheckAnswer::kEqual : CheckAnswer::kDifferent;
        times_.push_back({"check", millisecondsSince(start)});
        return Status::ok();
    }

    // With what single and double precision make of the numbers, and with the paper's processor.
    Status compare()
    {
        context_.progress.enter("comparing");
        const Clock::time_point start = Clock::now();
        const std::stop_token& stop = context_.stop;
        const double found = pairs_ ? floatingDot<double>(x_, y_, stop) : floatingSum<double>(x_, stop);
        const float single = pairs_ ? floatingDot<float>(x_, y_, stop) : floatingSum<float>(x_, stop);
        if (stop.stop_requested()) return kCancelled;
        doublePercent_ = errorPercent(found, number_);
        singlePercent_ = errorPercent(double(single), number_);
        loop_ = pairs_ ? timeDigitLoop(std::span<const FactorRows>(factors_))
                       : timeDigitLoop(std::span<const DigitRows>(rows_));
        times_.push_back({"compare", millisecondsSince(start)});
        return Status::ok();
    }

    // The paper's: of the digit loop's time over that of the transfers and the arithmetic.
    void describeSpeed()
    {
        double ms = 0;
        for (const Timing& time : times_)
            if (time.name == "upload" || time.name == "kernel" || time.name == "download") ms += time.ms;
        if (!loop_ || ms <= 0) return;
        result_.speedup = {"K_abs", loop_->ms / ms};
        result_.json["k_abs"] = loop_->ms / ms;
        result_.json["digit_loop"] = {{"ms", loop_->ms}, {"rows_timed", loop_->timed}, {"rows", loop_->rows}};
    }

    static nlohmann::ordered_json jsonOf(const std::optional<double>& value)
    {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
    }

    std::string errorText(const std::optional<double>& percent) const
    {
        if (percent) return fmt::format("{:.3g} %", *percent);
        return number_.digits.empty() ? "without bound: the sum is 0" : "out of its range";
    }

    Result<JobResult> describe()
    {
        const Clock::time_point start = Clock::now();
        nlohmann::ordered_json& json = result_.json;
        result_.mainKey = "result";
        if (context_.wholeResult || number_.digits.size() <= kDigitsAlwaysShown) json["result"] = decimalText(number_);
        times_.push_back({"format", millisecondsSince(start)});
        json["digits"] = std::max<std::size_t>(1, number_.digits.size());
        json["count"] = x_.size() - (operation_ == "subtract");
        if (additions_ > 0) json["operations"] = {{"additions", additions_}};
        json["relative_error_percent"] = {{"double", jsonOf(doublePercent_)}, {"single", jsonOf(singlePercent_)}};
        describeSpeed();
        json["check"] = textOf(result_.check);
        json["oracle"] = result_.oracle;
        json["algorithm"] = algorithm_;
        if (!executor_.is_null()) json["executor"] = executor_;
        json["backend"] = backend_;
        if (backend_ == "cpu") json["instruction_set"] = bestDigitKernels().name;
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

    Result<JobResult> describe(const FourierResult& found)
    {
        nlohmann::ordered_json& json = result_.json;
        result_.mainKey = "result";
        if (context_.wholeResult ||
            found.spectrum.size() * std::size_t(values_.integer("twiddle-digits")) <= kDigitsAlwaysShown)
            for (const SpectralValue& value : found.spectrum)
                json["result"].push_back({decimalText(value.real), decimalText(value.imaginary)});
        json["count"] = found.spectrum.size();
        json["max_relative_error_percent"] = {{"signed_digit", found.signedDigitPercent},
                                              {"double", found.doublePercent},
                                              {"single", found.singlePercent}};
        json["bound"] = found.boundPercent;
        json["algorithm"] = algorithm_;
        json["backend"] = "cpu";
        const bool within = found.signedDigitPercent <= found.boundPercent;
        result_.check = within ? CheckAnswer::kEqual : CheckAnswer::kDifferent;
        result_.oracle = "bound";
        json["check"] = textOf(result_.check);
        double total = 0;
        for (const Timing& time : times_)
        {
            json["time_ms"][time.name] = time.ms;
            total += time.ms;
        }
        json["time_ms"]["total"] = total;
        result_.times = times_;
        for (const auto& [name, percent] :
             {std::pair{"signed-digit", found.signedDigitPercent}, std::pair{"its bound", found.boundPercent},
              std::pair{"double", found.doublePercent}, std::pair{"single", found.singlePercent}})
            result_.table.emplace_back(fmt::format("error, {}", name), fmt::format("{:.3g} %", percent));
        return std::move(result_);
    }

    void fillTable()
    {
        auto& table = result_.table;
        table.emplace_back("digits", std::to_string(std::max<std::size_t>(1, number_.digits.size())));
        table.emplace_back("ran", fmt::format("{}, {}", algorithm_, backend_));
        for (const auto& [name, count] : executor_.items())
            table.emplace_back("executor, " + name, count.dump());
        if (additions_ > 0) table.emplace_back("operations, additions", std::to_string(additions_));
        table.emplace_back("error, double", errorText(doublePercent_));
        table.emplace_back("error, single", errorText(singlePercent_));
        if (result_.speedup)
        {
            table.emplace_back("K_abs", fmt::format("{:.3g}", result_.speedup->factor));
            table.emplace_back("digit loop",
                               fmt::format("{:.3g} ms{}", loop_->ms, loop_->timed < loop_->rows ? ", by a part" : ""));
        }
        table.emplace_back("check", fmt::format("{} ({})", textOf(result_.check), result_.oracle));
    }

    const ParameterValues& values_;
    const RunContext& context_;
    const std::string operation_;
    const bool pairs_;    // x times y
    const bool ofFiles_;  // of any count; else of one number each
    std::string algorithm_, backend_;
    nlohmann::ordered_json executor_;  // null where there is none
    DecimalList x_, y_;
    std::vector<DigitRows> rows_;
    std::vector<FactorRows> factors_;
    Decimal number_;
    std::uint64_t additions_ = 0;
    std::optional<double> doublePercent_, singlePercent_;  // none: without bound
    std::optional<DigitLoopTime> loop_;
    std::vector<Timing> times_;
    JobResult result_;
};

class SignedDigitModule final : public Module
{
public:
    std::string_view name() const override { return "signed-digit"; }
    std::span<const Parameter> parameters() const override
    {
        static const std::vector<Parameter> parameters = orogen::compute::describe();
        return parameters;
    }
    std::string device(const ParameterValues& values) const override
    {
        return values.text("backend") == "cuda" ? "cuda:0" : "cpu";
    }
    Result<JobResult> run(const ParameterValues& values, const RunContext& context) const override
    {
        Run run(values, context);
        return values.text("operation") == "dft" ? run.transform() : run.run();
    }
};

}  // namespace

const Module& signedDigitModule()
{
    static const SignedDigitModule module;
    return module;
}

}  // namespace orogen::compute
