#include "compute/exact/kernels/exact_device.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "compute/exact/kernels/exact_terms.h"
#include "core/base/clock.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kMostStepsInDigits = kMostTermsInDigits / kStepTerms;
constexpr double kMinusZero = -0.0;  // padding: changes neither a sum nor the sign of a sum that is 0

Error cancelled() { return {ExitCode::kInterrupted, "exact: cancelled"}; }

// Operands as doubles, padded to whole steps of the kernel (kStepTerms).
struct PackedTerms
{
    std::vector<double> x, y;
};

// Returns the high and the low half of an integer, both as exact doubles.
std::pair<double, double> halvesOf(std::int64_t value)
{
    const std::int64_t low = value & 0xffffffff;
    return {double(value - low), double(low)};
}

void packIntegers(PackedTerms& terms, ExactTerms kind, const ValuePiece& piece)
{
    const auto* const x = reinterpret_cast<const std::int64_t*>(piece.x.data());
    const auto* const y = kind == ExactTerms::kSquares ? x : reinterpret_cast<const std::int64_t*>(piece.y.data());
    for (std::size_t i = 0; i < piece.count(); ++i)
    {
        const auto [high, low] = halvesOf(x[i]);
        if (kind == ExactTerms::kValues)
        {
            terms.x.insert(terms.x.end(), {high, low});
            continue;
        }
        const auto [otherHigh, otherLow] = halvesOf(y[i]);
        terms.x.insert(terms.x.end(), {high, high, low, low});
        terms.y.insert(terms.y.end(), {otherHigh, otherLow, otherHigh, otherLow});
    }
}

// Returns the number of terms that packed() makes, with their padding.
std::uint64_t packedCount(ExactTerms kind, std::span<const ValuePiece> pieces)
{
    const std::uint64_t ofInteger = kind == ExactTerms::kValues ? 2 : 4;
    std::uint64_t terms = 0;
    for (const ValuePiece& piece : pieces)
        terms += piece.count() * (piece.type == ValueType::kInt64 ? ofInteger : 1);
    return ExactTargetDots::padded(terms);
}

PackedTerms packed(ExactTerms kind, std::span<const ValuePiece> pieces)
{
    PackedTerms terms;
    const std::uint64_t whole = packedCount(kind, pieces);
    reserveLarge(terms.x, whole);
    if (kind != ExactTerms::kValues) reserveLarge(terms.y, whole);
    for (const ValuePiece& piece : pieces)
    {
        if (piece.type == ValueType::kInt64)
        {
            packIntegers(terms, kind, piece);
            continue;
        }
        appendDoubles(terms.x, piece.type, piece.x);
        if (kind == ExactTerms::kProducts) appendDoubles(terms.y, piece.type, piece.y);
        if (kind == ExactTerms::kSquares) appendDoubles(terms.y, piece.type, piece.x);
    }
    terms.x.resize(whole, kMinusZero);
    if (kind != ExactTerms::kValues) terms.y.resize(whole, 0);
    return terms;
}

// Returns the exponent of a window's first unit (exact_terms.h) for the largest term of a sample.
int unitFor(const PackedTerms& terms)
{
    constexpr std::size_t kLooks = 4096;
    const std::size_t stride = std::max<std::size_t>(1, terms.x.size() / kLooks);
    double largest = 0;
    for (std::size_t i = 0; i < terms.x.size(); i += stride)
    {
        const double term = std::abs(terms.y.empty() ? terms.x[i] : terms.x[i] * terms.y[i]);
        if (std::isfinite(term)) largest = std::max(largest, term);
    }
    return unitForLargest(largest);
}

// Adds the time of `body` on the target to `ms`.
template <class Body>
Status timed(KernelTarget& target, double& ms, const Body& body)
{
    if (Status status = target.startClock(); !status) return status;
    if (Status status = body(); !status) return status;
    const Result<double> took = target.stopClock();
    if (!took) return took.error();
    ms += *took;
    return Status::ok();
}

Status allocate(KernelTarget& target, TargetMemory& memory, std::size_t bytes, double& ms)
{
    const Clock::time_point start = Clock::now();
    Result<TargetMemory> made = target.allocate(bytes);
    if (!made) return made.error();
    memory = std::move(*made);
    ms += millisecondsSince(start);
    return Status::ok();
}

class ExactTargetSum
{
public:
    ExactTargetSum(KernelTarget& target, const ExactKernelOptions& options) : target_(target), options_(options) {}

    Result<ExactKernelRun> run(ExactTerms kind, std::span<const ValuePiece> pieces)
    {
        const Clock::time_point start = Clock::now();
        for (const ValuePiece& piece : pieces)
            run_.total.addCount(piece.count());
        const PackedTerms terms = packed(kind, pieces);
        run_.packMs = millisecondsSince(start);
        if (options_.stop.stop_requested()) return cancelled();
        if (terms.x.empty()) return std::move(run_);
        ExactTargetDots dots(target_, options_);
        for (Status status : {upload(x_, terms.x), upload(y_, terms.y), dots.place()})
            if (!status) return status.error();
        const int unit = options_.unit == ExactKernelOptions::kWindowByValues ? unitFor(terms) : options_.unit;
        if (Status status =
                dots.add(x_.as<double>(), y_.bytes() > 0 ? y_.as<double>() : nullptr, terms.x.size(), unit, run_.total);
            !status)
            return status.error();
        run_.allocateMs += dots.allocateMs();
        run_.kernelMs = dots.kernelMs();
        run_.downloadMs = dots.downloadMs();
        const HostLaunch launched = target_.hostLaunches();
        run_.executor = launched.counts;
        run_.barriers = launched.barriers;
        return std::move(run_);
    }

private:
    Status upload(TargetMemory& memory, const std::vector<double>& values)
    {
        constexpr std::size_t kLaunch = std::size_t(8) << 20;  // values
        if (values.empty()) return Status::ok();
        if (Status status = allocate(target_, memory, values.size() * sizeof(double), run_.allocateMs); !status)
            return status;
        return timed(target_, run_.uploadMs, [&]() -> Status {
            for (std::size_t done = 0; done < values.size(); done += kLaunch)
            {
                if (options_.stop.stop_requested()) return cancelled();
                const std::size_t count = std::min(kLaunch, values.size() - done);
                if (Status status =
                        target_.upload(memory.as<double>() + done, values.data() + done, count * sizeof(double));
                    !status)
                    return status;
            }
            return Status::ok();
        });
    }

    KernelTarget& target_;
    const ExactKernelOptions& options_;
    ExactKernelRun run_;
    TargetMemory x_, y_;
};

}  // namespace

int unitForLargest(double largest)
{
    constexpr int kLowestUnit = -1023 + kPartBits;  // so that the third splitter (WindowSums) is a normal double
    Window window;
    Window::forLargest(std::bit_cast<std::uint64_t>(largest), window);
    return std::max(window.unit, kLowestUnit);
}

Status ExactTargetDots::place()
{
    if (Status status = allocate(target_, digits_, sizeof(std::uint64_t) * kTotalDigits, allocateMs_); !status)
        return status;
    return allocate(target_, found_, sizeof(std::uint32_t), allocateMs_);
}

std::uint64_t ExactTargetDots::padded(std::uint64_t terms)
{
    return (terms + kStepTerms - 1) / kStepTerms * kStepTerms;
}

Status ExactTargetDots::add(const double* x, const double* y, std::uint64_t terms, int unit, ExactTotal& total)
{
    const std::uint64_t steps = padded(terms) / kStepTerms;
    for (std::uint64_t first = 0; first < steps; first += kMostStepsInDigits)
        if (Status status = addSome(x, y, first, std::min(kMostStepsInDigits, steps - first), unit, total); !status)
            return status;
    return Status::ok();
}

Status ExactTargetDots::addSome(const double* x, const double* y, std::uint64_t first, std::uint64_t steps, int unit,
                                ExactTotal& total)
{
    constexpr std::uint64_t kFirstSteps = 1 << 12;
    const Result<unsigned> resident = target_.residentBlocks(addExactTermsKernel(), kExactThreads);
    if (!resident) return resident.error();
    for (Status status : {target_.fill(digits_, 0), target_.fill(found_, 0)})
        if (!status) return status;
    LaunchPacer pacer(kFirstSteps,
                      options_.mostSteps > 0 ? options_.mostSteps : std::numeric_limits<std::uint64_t>::max());
    const Status launched = timed(target_, kernelMs_, [&] {
        return launchInSlices(
            target_, pacer, steps, options_.stop, "exact", [&](std::uint64_t begin, std::uint64_t count) {
                const unsigned blocks = unsigned(std::clamp<std::uint64_t>(count, 1, *resident));
                return target_.launch(addExactTermsKernel(), LaunchShape{{blocks}, {kExactThreads}},
                                      ExactTermsArguments{x, y, first + begin, count, unit, digits_.as<std::uint64_t>(),
                                                          found_.as<std::uint32_t>()});
            });
    });
    if (!launched) return launched;
    std::vector<std::int64_t> digits(kTotalDigits);
    std::uint32_t found = 0;
    const Status downloaded = timed(target_, downloadMs_, [&] {
        const Status status = target_.download(digits.data(), digits_.as<void>(), digits.size() * sizeof(digits[0]));
        return status ? target_.download(&found, found_.as<void>(), sizeof(found)) : status;
    });
    if (!downloaded) return downloaded;
    total.addDigits(digits.data(), kTotalDigits, 0);
    if (found & kFoundNan) total.addNan();
    if (found & kFoundInfinity) total.addInfinity(false);
    if (found & kFoundNegativeInfinity) total.addInfinity(true);
    if (found & kFoundOtherThanMinusZero) total.addOtherThanMinusZero();
    return Status::ok();
}

std::uint64_t packedBytes(ExactTerms terms, std::span<const ValuePiece> pieces)
{
    return packedCount(terms, pieces) * sizeof(double) * (terms == ExactTerms::kValues ? 1 : 2);
}

Result<ExactKernelRun> exactSumOnTarget(KernelTarget& target, ExactTerms terms, std::span<const ValuePiece> pieces,
                                        const ExactKernelOptions& options)
{
    return ExactTargetSum(target, options).run(terms, pieces);
}

}  // namespace orogen::compute
