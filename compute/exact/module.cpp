// Module `exact`: correctly rounded sums, dot products, means and norms of floating-point data, compared with sums in
// floating point on request.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "compute/exact/cpu_sums.h"
#include "compute/exact/exact_input.h"
#include "compute/exact/kernels/exact_device.h"
#include "compute/exact/residue.h"
#include "compute/job/stepped_module.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

Algorithms exactAlgorithms()
{
    return {
        .cpu = {"windows", "bins"}, .kernels = {"windows"}, .standardOnCpu = "windows", .standardInKernels = "windows"};
}

template <class Name>
std::vector<std::string> namesOf(const Name& values)
{
    std::vector<std::string> names;
    for (const auto value : values)
        names.emplace_back(textOf(value));
    return names;
}

std::vector<Parameter> exactParameters()
{
    constexpr std::int64_t kMost = std::int64_t(1) << 40;
    std::vector<Parameter> parameters = {
        Parameter::choice("operation", {"sum", "dot", "mean", "norm"}, "sum",
                          "sum of all values, dot product of two files, mean, Euclidean norm"),
        Parameter::file("x", "a file of numbers; - is standard input"),
        Parameter::file("y", "the second file of dot"),
        Parameter::choice("type", namesOf(kValueTypes), "float64", "type of the values; a .npy file states its own"),
        Parameter::choice("format", {"auto", "raw", "npy", "csv"}, "auto",
                          "auto: by the suffix (.npy; .csv, .tsv, .txt: csv), else raw"),
        Parameter::integer("column", 1, 1'000'000, "1", "of csv, counted from 1"),
        Parameter::integer("count", 1, kMost, "", "instead of files: makes this many doubles"),
        Parameter::choice("pattern", namesOf(kValuePatterns), "uniform",
                          "of made values: in [0, 1), in (-1, 1), of all exponents, or large ones that cancel"),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "seed of made values"),
    };
    appendPlaceParameters(parameters, std::vector{exactAlgorithms()},
                          "windows: by the size of most values, bins for the rest; bins: a sum for each exponent");
    parameters.push_back(
        Parameter::flag("compare", "then also sums in floating point: plain, pairwise, Kahan, and as math.fsum"));
    return parameters;
}

ModuleDescription exactDescription()
{
    const std::vector<Operand> files = {{"FILE", "x", "files of numbers; - is standard input", true}};
    return {.name = "exact",
            .summary = "correctly rounded sums of floating-point data",
            .panel = "Exact",
            .title = "Exact sums",
            .size = "count",
            .firstSize = "1000000",
            .given = {"x", "y"},
            .rare = {"type", "format", "column"},
            .ticked = {"compare"},
            .operations = {{"sum", "the sum of the values in all files", files},
                           {"dot", "the dot product", {{"X", "x", "a file of numbers"}, {"Y", "y", "another"}}},
                           {"mean", "the mean of the values in all files", files},
                           {"norm", "the Euclidean norm of the values in all files", files}},
            .parameters = exactParameters()};
}

ExactTerms termsOf(const std::string& operation)
{
    return operation == "dot"    ? ExactTerms::kProducts
           : operation == "norm" ? ExactTerms::kSquares
                                 : ExactTerms::kValues;
}

std::string textOf(double value)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    return fmt::format("{}", value);
}

Json jsonOf(double value) { return std::isfinite(value) ? Json(value) : Json(textOf(value)); }

std::string hexOf(double value)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%a", value);
    return text;
}

// A sum in floating point, for comparison with the exact one.
struct PlainResult
{
    const char* name;
    double value, ms;
};

class ExactRun final : public SteppedRun
{
public:
    ExactRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : SteppedRun(module, values, context), operation_(values.text("operation")), terms_(termsOf(operation_))
    {
    }

protected:
    Status validate() override
    {
        const bool made = values().given("count"), two = terms_ == ExactTerms::kProducts;
        const bool x = values().given("x"), y = values().given("y");
        if (made && (x || y)) return Error{ExitCode::kUsage, "count: expected either files or a count"};
        if (!made && (values().given("pattern") || values().given("seed")))
            return Error{ExitCode::kUsage, "pattern, seed: expected with a count"};
        if (made && (values().given("type") || values().given("format") || values().given("column")))
            return Error{ExitCode::kUsage, "type, format, column: expected with files, found a count"};
        if (!made && (!x || (two && !y)))
            return Error{ExitCode::kUsage,
                         fmt::format("{}: expected {}, or --count N", operation_, two ? "two files" : "a file")};
        if (!two && y) return Error{ExitCode::kUsage, fmt::format("y: expected with dot, found {}", operation_)};
        for (std::string_view rest = values().text("x"); !rest.empty();)
        {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            paths_.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (two && paths_.size() > 1) return Error{ExitCode::kUsage, "dot: expected two files"};
        if (std::ranges::count(paths_, "-") + (y && values().text("y") == "-") > 1)
            return Error{ExitCode::kUsage, "-: expected once, as standard input can be read once"};
        if (values().given("type")) options_.type = valueTypeNamed(values().text("type"));
        const std::string& format = values().text("format");
        if (format != "auto")
            options_.format = format == "npy"   ? ValueFormat::kNpy
                              : format == "csv" ? ValueFormat::kCsv
                                                : ValueFormat::kRaw;
        options_.column = int(values().integer("column"));
        return Status::ok();
    }

    Status obtainInput() override
    {
        if (values().given("count")) return makeAll();
        if (!inMemory()) return Status::ok();
        context().progress.enter("reading values");
        double ms = 0;
        Result<ValueParts> parts = readParts(
            paths_, second(), options_, [this] { return stopped(); }, ms,
            [this](double share) { context().progress.set(share); });
        if (!parts) return parts.error();
        parts_ = std::move(*parts);
        addTime("read", ms);
        return Status::ok();
    }

    Status calculate() override
    {
        enterCalculation();
        if (place().inKernels()) return sumInKernels();
        CpuSum sum(terms_, method(), int(values().integer("threads")));
        return parts_ ? sumParts(sum) : sumFiles(sum);
    }

    // Checks the total against the residues of the values (residue.h).  sumFiles() has already added the residues of
    // files that are read in pieces.
    Status check() override
    {
        if (parts_)
        {
            context().progress.enter("checking");
            const Clock::time_point start = Clock::now();
            ThreadPool pool(int(values().integer("threads")));
            residue_ = ResidueSum(terms_);
            for (const ValuePiece& piece : parts_->pieces())
                addResidues(pool, piece);
            if (stopped()) return cancelled();
            addTime("check", millisecondsSince(start));
        }
        answer(residue_.agrees(total_), "residues modulo 2^61 - 1");
        return Status::ok();
    }

    Status compare() override
    {
        if (!values().flag("compare")) return Status::ok();
        context().progress.enter("summing in floating point");
        const Clock::time_point start = Clock::now();
        std::vector<double> terms;
        if (Status status = makeTerms(terms); !status) return status;
        const std::pair<const char*, double (*)(std::span<const double>, const std::stop_token&)> sums[] = {
            {"plain", plainSum}, {"pairwise", pairwiseSum}, {"kahan", kahanSum}, {"fsum", shewchukSum}};
        for (const auto& [name, sum] : sums)
        {
            const Clock::time_point begin = Clock::now();
            const double value = sum(terms, stop());
            if (stopped()) return cancelled();
            plain_.push_back({name, finished(value), millisecondsSince(begin)});
        }
        addTime("compare", millisecondsSince(start));
        return Status::ok();
    }

    Status describe() override
    {
        const double value = operation_ == "mean"   ? total_.quotient(total_.count())
                             : operation_ == "norm" ? total_.root()
                                                    : total_.rounded();
        json()["operation"] = operation_;
        json()["result"] = jsonOf(value);
        json()["hex"] = hexOf(value);
        if (onlyIntegers_ && (operation_ == "sum" || operation_ == "dot")) json()["exact"] = total_.integerText();
        json()["count"] = total_.count();
        if (!place().inKernels()) json()["terms"] = {{"windows", taken_.windows}, {"bins", taken_.bins}};
        result().valueName = operation_;
        result().value = textOf(value);
        if (context().readable) result().above = result().value + "\n\n";
        addRow("bits", hexOf(value));
        if (json().contains("exact")) addRow("exact", json()["exact"].get<std::string>());
        addRow("values", std::to_string(total_.count()));
        if (taken_.windows + taken_.bins > 0)
            addRow("in windows",
                   fmt::format("{:.4g} %", 100 * double(taken_.windows) / double(taken_.windows + taken_.bins)));
        describePlain(value);
        return Status::ok();
    }

private:
    // Returns whether files are read into memory as a whole, because the values are needed more than once or by
    // kernels.  Otherwise they are read in pieces.
    bool inMemory() const
    {
        return values().integer("repetitions") > 1 || values().flag("compare") || place().inKernels();
    }

    CpuSumMethod method() const { return place().algorithm == "bins" ? CpuSumMethod::kBins : CpuSumMethod::kWindows; }

    const std::string* second() const { return terms_ == ExactTerms::kProducts ? &values().text("y") : nullptr; }

    Status makeAll()
    {
        context().progress.enter("making values");
        const Clock::time_point start = Clock::now();
        const auto count = std::uint64_t(values().integer("count"));
        const bool two = terms_ == ExactTerms::kProducts;
        if (Status status = checkMemory("count", (two ? 3 : 2) * sizeof(double) * count); !status) return status;
        const ValuePattern pattern = *valuePatternNamed(values().text("pattern"));
        const auto seed = std::uint64_t(values().integer("seed"));
        const auto bytesFor = [&](std::uint64_t s) {
            const std::vector<double> made = makeValues(pattern, std::size_t(count), s, stop());
            const std::span<const std::byte> bytes = std::as_bytes(std::span(made));
            return Bytes(bytes.begin(), bytes.end());
        };
        parts_.emplace();
        Bytes x = bytesFor(seed);
        parts_->add(ValueType::kFloat64, std::move(x), two ? bytesFor(~seed) : Bytes());
        if (stopped()) return cancelled();
        addTime("generate", millisecondsSince(start));
        return Status::ok();
    }

    Status sumParts(CpuSum& sum)
    {
        const Clock::time_point start = Clock::now();
        for (const ValuePiece& piece : parts_->pieces())
        {
            onlyIntegers_ = onlyIntegers_ && piece.type == ValueType::kInt64;
            sum.add(piece.type, piece.x, piece.y);
            if (stopped()) return cancelled();
        }
        total_ = sum.finish();
        addMainTime("sum", millisecondsSince(start));
        taken_ = sum.paths();
        countWork({.bytes = double(parts_->bytes()), .operations = double(parts_->count()), .iterations = 0});
        return Status::ok();
    }

    Status sumInKernels()
    {
        const Result<std::unique_ptr<KernelTarget>> target = openTarget();
        if (!target) return target.error();
        const std::vector<ValuePiece> pieces = parts_->pieces();
        for (const ValuePiece& piece : pieces)
            onlyIntegers_ = onlyIntegers_ && piece.type == ValueType::kInt64;
        // The host executor gives its kernels a copy of the packed operands.
        const std::uint64_t packed = packedBytes(terms_, pieces);
        if (Status status = checkMemory("exact", place().backend == Backend::kHostKernel ? 2 * packed : packed);
            !status)
            return status;
        Result<ExactKernelRun> run = exactSumOnTarget(**target, terms_, pieces, {.stop = stop()});
        if (!run) return run.error();
        addTime("pack", run->packMs);
        addTime("allocate", run->allocateMs);
        addKernelTimes(run->uploadMs, run->kernelMs, run->downloadMs);
        total_ = run->total;
        countWork({.bytes = double(parts_->bytes()), .operations = double(parts_->count()), .iterations = 0});
        return countExecutor(run->executor);
    }

    // Reads one piece after another, sums it and adds its residues.
    Status sumFiles(CpuSum& sum)
    {
        double readMs = 0, sumMs = 0, checkMs = 0, bytes = 0;
        ThreadPool pool(int(values().integer("threads")));
        residue_ = ResidueSum(terms_);
        const Status status = readPieces(
            paths_, second(), options_, [this] { return stopped(); }, readMs,
            [&](const ValuePiece& piece, double share) {
                context().progress.set(share);
                onlyIntegers_ = onlyIntegers_ && piece.type == ValueType::kInt64;
                bytes += double(piece.x.size() + piece.y.size());
                const Clock::time_point start = Clock::now();
                sum.add(piece.type, piece.x, piece.y);
                sumMs += millisecondsSince(start);
                const Clock::time_point checking = Clock::now();
                addResidues(pool, piece);
                checkMs += millisecondsSince(checking);
                return Status::ok();
            });
        if (!status) return status;
        const Clock::time_point start = Clock::now();
        total_ = sum.finish();
        sumMs += millisecondsSince(start);
        addTime("read", readMs);
        addMainTime("sum", sumMs);
        addTime("check", checkMs);
        taken_ = sum.paths();
        countWork({.bytes = bytes, .operations = double(total_.count()), .iterations = 0});
        return Status::ok();
    }

    void addResidues(ThreadPool& pool, const ValuePiece& piece)
    {
        constexpr std::size_t kPiece = std::size_t(1) << 16;  // values
        const std::size_t size = bytesOf(piece.type), count = piece.count(), pieces = (count + kPiece - 1) / kPiece;
        std::vector<ResidueSum> sums(std::size_t(pool.threads()), ResidueSum(terms_));
        pool.forEach(pieces, [&](std::size_t i, int thread) {
            if (stopped()) return;
            const std::size_t begin = i * kPiece, some = std::min(kPiece, count - begin);
            sums[std::size_t(thread)].add(piece.type, piece.x.data() + begin * size,
                                          piece.y.empty() ? nullptr : piece.y.data() + begin * size, some);
        });
        for (const ResidueSum& sum : sums)
            residue_.add(sum);
    }

    // Makes the terms as rounded doubles, as a program without exact sums would.
    Status makeTerms(std::vector<double>& terms) const
    {
        const std::uint64_t bytes = 2 * sizeof(double) * parts_->count();
        if (Status status = checkMemory("compare", bytes); !status) return status;
        constexpr std::size_t kBetweenLooks = std::size_t(1) << 16;  // values between two polls of the stop
        terms.reserve(parts_->count());
        std::vector<double> others;
        for (const ValuePiece& piece : parts_->pieces())
            for (std::size_t begin = 0; begin < piece.count(); begin += kBetweenLooks)
            {
                if (stopped()) return cancelled();
                const std::size_t some = std::min(kBetweenLooks, piece.count() - begin), first = terms.size();
                const std::size_t size = bytesOf(piece.type);
                appendDoubles(terms, piece.type, piece.x.subspan(begin * size, some * size));
                if (terms_ == ExactTerms::kValues) continue;
                const bool two = terms_ == ExactTerms::kProducts;
                others.clear();
                if (two) appendDoubles(others, piece.type, piece.y.subspan(begin * size, some * size));
                for (std::size_t i = 0; i < some; ++i)
                    terms[first + i] *= two ? others[i] : terms[first + i];
            }
        return Status::ok();
    }

    double finished(double sum) const
    {
        return operation_ == "mean" ? sum / double(total_.count()) : operation_ == "norm" ? std::sqrt(sum) : sum;
    }

    void describePlain(double exact)
    {
        const auto main = std::ranges::find(result().times, result().mainTime, &Timing::name);
        const double exactMs = main == result().times.end() ? 0 : main->ms;
        for (const PlainResult& plain : plain_)
        {
            const double error = std::abs(plain.value - exact), size = std::abs(exact);
            const double next = std::nextafter(size, std::numeric_limits<double>::infinity());
            const double step = std::isinf(next) ? size - std::nextafter(size, 0.0) : next - size;
            Json& row = json()["comparison"][plain.name];
            row = {{"result", jsonOf(plain.value)},
                   {"relative_error", nullptr},
                   {"units_in_last_place", nullptr},
                   {"ms", plain.ms}};
            std::string text = "no number";
            if (plain.value == exact || (std::isnan(plain.value) && std::isnan(exact)))
            {
                row["relative_error"] = row["units_in_last_place"] = 0.0;
                text = "0";
            }
            else if (std::isfinite(error) && exact != 0)
            {
                row["relative_error"] = error / size;
                row["units_in_last_place"] = error / step;
                text = fmt::format("{:.2g} ({:.3g} ulp)", error / size, error / step);
            }
            else if (std::isfinite(error))
                text = fmt::format("{:.2g}, of a sum that is 0", error);
            addRow(fmt::format("error, {}", plain.name), text);
        }
        if (plain_.empty() || exactMs <= 0) return;
        const double ratio = plain_.back().ms / exactMs;
        result().speedup = {"fsum", ratio};
        addRow("times as fast as fsum", fmt::format("{:.3g}", ratio));
    }

    const std::string operation_;
    const ExactTerms terms_;
    std::vector<std::string> paths_;
    ValueFileOptions options_;
    std::optional<ValueParts> parts_;
    ExactTotal total_;
    ResidueSum residue_{ExactTerms::kValues};
    SumPaths taken_;
    bool onlyIntegers_ = true;
    std::vector<PlainResult> plain_;
};

class ExactModule final : public SteppedModule
{
public:
    ExactModule() : SteppedModule(exactDescription()) {}
    Algorithms algorithms(const ParameterValues&) const override { return exactAlgorithms(); }

protected:
    std::unique_ptr<SteppedRun> makeRun(const ParameterValues& values, const RunContext& context) const override
    {
        return std::make_unique<ExactRun>(*this, values, context);
    }
};

}  // namespace

const Module& exactModule()
{
    static const ExactModule module;
    return module;
}

}  // namespace orogen::compute
