#include "compute/linear_algebra/exact_dot.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace orogen::compute {

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
    if (!total.isFinite()) makeAdders();  // finish() does not clear a NaN or an infinity
    return total.rounded() + 0.0;         // kernels, which pad vectors, cannot tell whether all terms were -0
}

}  // namespace orogen::compute
