#include "compute/exact/cpu_sums.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace orogen::compute {
namespace {

constexpr std::size_t kBlock = kWindowMost;
constexpr unsigned kMostSkipped = 64;  // maximum number of blocks between two tries of a window

template <class T>
const T* as(const std::byte* from)
{
    return reinterpret_cast<const T*>(from);
}

}  // namespace

struct TermAdder::Buffers
{
    SumBins bins;
    ProductBins products;
    IntegerSums integers;
    alignas(64) std::array<double, kBlock> x, y, terms;
};

TermAdder::TermAdder(ExactTerms terms, CpuSumMethod method, const ExactKernels& kernels)
    : terms_(terms), method_(method), kernels_(kernels), buffers_(std::make_unique<Buffers>())
{
}

TermAdder::TermAdder(TermAdder&&) noexcept = default;
TermAdder::~TermAdder() = default;

void TermAdder::add(ValueType type, const std::byte* x, const std::byte* y, std::size_t count)
{
    if (terms_ == ExactTerms::kSquares) y = x;
    total_.addCount(count);
    if (type == ValueType::kInt64) return addIntegers(as<std::int64_t>(x), as<std::int64_t>(y), count);
    if (type != ValueType::kFloat64) return addWidened(type, x, y, count);
    if (terms_ != ExactTerms::kValues) return addProducts(as<double>(x), as<double>(y), count);
    for (std::size_t i = 0; i < count; i += kBlock)
        addDoubles(as<double>(x) + i, std::min(kBlock, count - i));
}

void TermAdder::addIntegers(const std::int64_t* x, const std::int64_t* y, std::size_t count)
{
    if (count > 0) total_.addOtherThanMinusZero();
    paths_.windows += count;
    if (terms_ == ExactTerms::kValues)
        kernels_.sumIntegers(x, count, buffers_->integers);
    else
        kernels_.productsOfIntegers(x, y, count, buffers_->integers);
}

// Adds singles or halves as doubles, in which their products are exact, too.
void TermAdder::addWidened(ValueType type, const std::byte* x, const std::byte* y, std::size_t count)
{
    const auto widen = [&](const std::byte* from, std::size_t begin, double* to, std::size_t some) {
        if (type == ValueType::kFloat32)
            kernels_.widenSingles(as<float>(from) + begin, to, some);
        else
            kernels_.widenHalves(as<std::uint16_t>(from) + begin, to, some);
    };
    for (std::size_t i = 0; i < count; i += kBlock)
    {
        const std::size_t some = std::min(kBlock, count - i);
        widen(x, i, buffers_->x.data(), some);
        if (terms_ == ExactTerms::kValues)
        {
            addDoubles(buffers_->x.data(), some);
            continue;
        }
        if (terms_ == ExactTerms::kProducts) widen(y, i, buffers_->y.data(), some);
        kernels_.multiply(buffers_->x.data(), terms_ == ExactTerms::kProducts ? buffers_->y.data() : buffers_->x.data(),
                          buffers_->terms.data(), some);
        addDoubles(buffers_->terms.data(), some);
    }
}

// Tries the present window, then one for the block's largest value.  If both fail, the next blocks go into bins without
// a try.  The number of such blocks about doubles with each failure in a row, up to kMostSkipped.
void TermAdder::addDoubles(const double* values, std::size_t count)
{
    const std::size_t whole = count / kWindowStep * kWindowStep;
    const bool tried = method_ == CpuSumMethod::kWindows && whole > 0 && left_ == 0;
    if (left_ > 0) --left_;
    bool taken = tried && addInWindow(values, whole);
    if (tried && !taken && Window::forLargest(kernels_.largestBits(values, whole), window_))
        taken = addInWindow(values, whole);
    if (tried) left_ = skipped_ = taken ? 0 : std::min(kMostSkipped, 2 * skipped_ + 1);
    const std::size_t done = taken ? whole : 0;
    paths_.windows += done;
    paths_.bins += count - done;
    if (done < count) addInBins(values + done, count - done);
}

bool TermAdder::addInWindow(const double* values, std::size_t count)
{
    std::int64_t sums[2];
    if (!kernels_.sumInWindow(values, count, window_.unit, sums)) return false;
    if (sums[0] != 0) total_.add(sums[0], window_.unit);
    if (sums[1] != 0) total_.add(sums[1], window_.lowerUnit());
    if (total_.hasOtherThanMinusZero()) return true;
    const auto isMinusZero = [](double value) { return value == 0 && std::signbit(value); };
    if (sums[0] != 0 || sums[1] != 0 || !std::all_of(values, values + count, isMinusZero))
        total_.addOtherThanMinusZero();
    return true;
}

void TermAdder::addInBins(const double* values, std::size_t count)
{
    if (inBins_ + count > SumBins::kMost)
    {
        buffers_->bins.emptyInto(total_);
        inBins_ = 0;
    }
    kernels_.sumInBins(values, count, buffers_->bins);
    inBins_ += count;
}

void TermAdder::addProducts(const double* x, const double* y, std::size_t count)
{
    paths_.bins += count;
    kernels_.productsInBins(x, y, count, buffers_->products);
}

void TermAdder::finish(ExactTotal& total, SumPaths& paths)
{
    buffers_->bins.emptyInto(total_);
    buffers_->products.emptyInto(total_);
    buffers_->integers.emptyInto(total_);
    inBins_ = 0;
    total.add(total_);
    paths.windows += paths_.windows;
    paths.bins += paths_.bins;
    total_ = {};
    paths_ = {};
}

CpuSum::CpuSum(ExactTerms terms, CpuSumMethod method, int threads, const ExactKernels& kernels) : pool_(threads)
{
    for (int i = 0; i < pool_.threads(); ++i)
        adders_.emplace_back(terms, method, kernels);
}

void CpuSum::add(ValueType type, std::span<const std::byte> x, std::span<const std::byte> y)
{
    constexpr std::size_t kPiece = std::size_t(1) << 17;  // values
    const std::size_t bytes = bytesOf(type), count = x.size() / bytes, pieces = (count + kPiece - 1) / kPiece;
    assert(y.empty() || y.size() == x.size());
    pool_.forEach(pieces, [&](std::size_t piece, int thread) {
        const std::size_t begin = piece * kPiece, some = std::min(kPiece, count - begin);
        adders_[std::size_t(thread)].add(type, x.data() + begin * bytes, y.empty() ? nullptr : y.data() + begin * bytes,
                                         some);
    });
}

ExactTotal CpuSum::finish()
{
    ExactTotal total;
    paths_ = {};
    for (TermAdder& adder : adders_)
        adder.finish(total, paths_);
    return total;
}

namespace {

constexpr std::size_t kTermsBetweenPolls = std::size_t(1) << 16;  // terms between two polls of a stop
constexpr double kNoSum = std::numeric_limits<double>::quiet_NaN();

// Calls add(term) for each term.  Returns false if stopped.
template <class Add>
bool addEach(std::span<const double> terms, const std::stop_token& stop, const Add& add)
{
    for (std::size_t begin = 0; begin < terms.size(); begin += kTermsBetweenPolls)
    {
        if (stop.stop_requested()) return false;
        for (const double term : terms.subspan(begin, std::min(kTermsBetweenPolls, terms.size() - begin)))
            add(term);
    }
    return true;
}

}  // namespace

double plainSum(std::span<const double> terms, const std::stop_token& stop)
{
    double sum = 0;
    return addEach(terms, stop, [&sum](double term) { sum += term; }) ? sum : kNoSum;
}

double pairwiseSum(std::span<const double> terms, const std::stop_token& stop)
{
    constexpr std::size_t kLeaf = 128, kSums = 8;
    if (terms.size() > kLeaf)
    {
        if (terms.size() >= kTermsBetweenPolls && stop.stop_requested()) return kNoSum;
        const std::size_t half = terms.size() / 2 / kSums * kSums;
        return pairwiseSum(terms.first(half), stop) + pairwiseSum(terms.subspan(half), stop);
    }
    if (terms.size() < kSums) return plainSum(terms);
    double sums[kSums] = {};
    std::size_t i = 0;
    for (; i + kSums <= terms.size(); i += kSums)
        for (std::size_t k = 0; k < kSums; ++k)
            sums[k] += terms[i + k];
    double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < terms.size(); ++i)
        sum += terms[i];
    return sum;
}

double kahanSum(std::span<const double> terms, const std::stop_token& stop)
{
    double sum = 0, lost = 0;
    const auto add = [&](double term) {
        const double mended = term - lost, next = sum + mended;
        lost = (next - sum) - mended;
        sum = next;
    };
    return addEach(terms, stop, add) ? sum : kNoSum;
}

double shewchukSum(std::span<const double> terms, const std::stop_token& stop)
{
    std::vector<double> partials;
    double special = 0;  // sum of the terms that are not finite
    bool overflown = false;
    const auto add = [&](double term) {
        double x = term;
        std::size_t kept = 0;
        for (std::size_t j = 0; j < partials.size(); ++j)
        {
            double y = partials[j];
            if (std::abs(x) < std::abs(y)) std::swap(x, y);
            const double high = x + y, low = y - (high - x);
            if (low != 0) partials[kept++] = low;
            x = high;
        }
        partials.resize(kept);
        if (std::isfinite(x))
        {
            if (x != 0) partials.push_back(x);
            return;
        }
        overflown = overflown || std::isfinite(term);
        special += term;
        partials.clear();
    };
    if (!addEach(terms, stop, add) || overflown) return kNoSum;
    if (special != 0) return special;
    if (partials.empty()) return 0;
    double high = partials.back(), low = 0;
    std::size_t i = partials.size() - 1;
    while (i > 0 && low == 0)
    {
        const double x = high, y = partials[--i];
        high = x + y;
        low = y - (high - x);
    }
    // If `low` is exactly half a unit in the last place, the partial sums below it decide the direction of rounding.
    if (i > 0 && ((low < 0 && partials[i - 1] < 0) || (low > 0 && partials[i - 1] > 0)))
    {
        const double twice = low * 2, x = high + twice;
        if (twice == x - high) high = x;
    }
    return high;
}

ExactDot::ExactDot(int threads) : pool_(threads) { makeAdders(); }

void ExactDot::makeAdders()
{
    adders_.clear();
    for (int i = 0; i < pool_.threads(); ++i)
        adders_.emplace_back(ExactTerms::kProducts, CpuSumMethod::kBins, exactKernels());
}

double ExactDot::operator()(std::span<const double> x, std::span<const double> y)
{
    constexpr std::size_t kTermsOfPiece = std::size_t(1) << 15;
    assert(x.size() == y.size());
    pool_.forEach((x.size() + kTermsOfPiece - 1) / kTermsOfPiece, [&](std::size_t piece, int thread) {
        const std::size_t begin = piece * kTermsOfPiece, some = std::min(kTermsOfPiece, x.size() - begin);
        adders_[std::size_t(thread)].add(ValueType::kFloat64, reinterpret_cast<const std::byte*>(x.data() + begin),
                                         reinterpret_cast<const std::byte*>(y.data() + begin), some);
    });
    ExactTotal total;
    SumPaths paths;
    for (TermAdder& adder : adders_)
        adder.finish(total, paths);
    if (!total.isFinite()) makeAdders();  // finish() keeps NaN and infinities of products
    return total.rounded() + 0.0;         // never -0, like kernels, which pad vectors by +0
}

}  // namespace orogen::compute
