#include <algorithm>
#include <cassert>
#include <memory>

#include <gmp.h>

#include "compute/multiword/multiword.h"
#include "core/cbt/executor.h"

namespace orogen::compute {
namespace {

static_assert(sizeof(mp_limb_t) == sizeof(Limb) && GMP_NAIL_BITS == 0);
// mp_limb_t and Limb may be two types of one representation; GMP's functions do not see how these limbs were written.
mp_limb_t* gmp(Limb* limbs) { return reinterpret_cast<mp_limb_t*>(limbs); }
const mp_limb_t* gmp(const Limb* limbs) { return reinterpret_cast<const mp_limb_t*>(limbs); }

bool addGmp(const LimbAddition& addition)
{
    const auto limbs = mp_size_t(addition.limbs);
    mp_limb_t* const sum = gmp(addition.sum);
    if (addition.subtract)
    {
        const mp_limb_t borrow = mpn_sub_n(sum, gmp(addition.a), gmp(addition.b), limbs);
        return (addition.carry ? mpn_sub_1(sum, sum, limbs, 1) : 0) | borrow;
    }
    const mp_limb_t carry = mpn_add_n(sum, gmp(addition.a), gmp(addition.b), limbs);
    return (addition.carry ? mpn_add_1(sum, sum, limbs, 1) : 0) | carry;
}

bool addSimd(const LimbKernels& kernels, LimbAddition addition, const std::stop_token& stop)
{
    const LimbKernels::Add add = kernels.forLength(addition.limbs, addition.subtract);
    for (std::size_t i = 0; i < addition.limbs && !stop.stop_requested(); i += kLimbsBetweenLooks)
        addition.carry = add(addition.sum + i, addition.a + i, addition.b + i,
                             std::min(kLimbsBetweenLooks, addition.limbs - i), addition.carry);
    return addition.carry;
}

}  // namespace

std::string_view nameOf(CpuAlgorithm algorithm)
{
    switch (algorithm)
    {
    case CpuAlgorithm::kPaper12:
        return "paper-1-2";
    case CpuAlgorithm::kLookahead:
        return "lookahead";
    case CpuAlgorithm::kRecursive:
        return "recursive";
    case CpuAlgorithm::kSimd:
        return "simd";
    case CpuAlgorithm::kGmp:
        return "gmp";
    }
    return {};
}

std::optional<CpuAlgorithm> cpuAlgorithm(std::string_view name)
{
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
        if (name == nameOf(algorithm)) return algorithm;
    return std::nullopt;
}

namespace {

// 0 where all of them propagate.
Limb anyEnds(const LimbAddition& slice, std::size_t begin, std::size_t end)
{
    Limb ends = 0;
    for (std::size_t i = begin; i < end; ++i)
        ends |= slice.subtract ? slice.a[i] ^ slice.b[i] : ~(slice.a[i] + slice.b[i]);
    return ends;
}

}  // namespace

bool carryOutOf(const LimbAddition& slice)
{
    constexpr std::size_t kStep = 64;  // without a branch
    std::size_t top = slice.limbs;
    while (top >= kStep && anyEnds(slice, top - kStep, top) == 0)
        top -= kStep;
    for (; top > 0; --top)
        if (const Limb a = slice.a[top - 1], b = slice.b[top - 1]; anyEnds(slice, top - 1, top) != 0)
            return slice.subtract ? a < b : a + b < a;
    return slice.carry;
}

CpuAdder::CpuAdder(const CpuAdderOptions& options) : options_(options)
{
    assert(options.threads >= 1 && options.limbsPerThread >= 1);
    if (!options_.kernels) options_.kernels = &bestLimbKernels();
    if (options.threads > 1) executor_ = std::make_unique<ThreadExecutor>(options.threads, 1);
}

CpuAdder::~CpuAdder() = default;

std::vector<std::size_t> CpuAdder::sliceEnds(std::size_t limbs) const
{
    // Whole groups of the paper, whole words of criterion bits, whole cache lines.
    const std::size_t unit = options_.algorithm == CpuAlgorithm::kPaper12
                                 ? std::size_t(options_.wordBits) * std::size_t(options_.wordBits)
                                 : kBlockLimbs;
    const std::size_t units = (limbs + unit - 1) / unit;
    const std::size_t slices =
        std::clamp<std::size_t>(limbs / std::max(options_.limbsPerThread, unit), 1, std::size_t(options_.threads));
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i <= slices; ++i)
        ends.push_back(std::min(limbs, units * i / slices * unit));
    return ends;
}

bool CpuAdder::addSlice(const LimbAddition& slice, PaperOperations& operations, const std::stop_token& stop) const
{
    switch (options_.algorithm)
    {
    case CpuAlgorithm::kPaper12:
        return addPaper12(slice, options_.wordBits, operations, stop);
    case CpuAlgorithm::kLookahead:
        return addLookahead(*options_.kernels, slice, stop);
    case CpuAlgorithm::kRecursive:
        return addRecursive(*options_.kernels, slice, stop);
    case CpuAlgorithm::kSimd:
        return addSimd(*options_.kernels, slice, stop);
    case CpuAlgorithm::kGmp:
        return addGmp(slice);
    }
    return false;
}

bool CpuAdder::add(const MultiwordOperands& operands, const std::stop_token& stop)
{
    const std::size_t limbs = operands.sum.size();
    assert(limbs > 0 && operands.a.size() == limbs && operands.b.size() == limbs);
    const LimbAddition whole = {operands.sum.data(), operands.a.data(), operands.b.data(), limbs,
                                operands.carry,      operands.subtract};
    operations_ = {};
    const std::vector<std::size_t> ends = options_.threads > 1 ? sliceEnds(limbs) : std::vector<std::size_t>();
    if (ends.size() <= 1) return addSlice(whole, operations_, stop);

    // Before anything is written: the sum may lie where an operand does.
    std::vector<LimbAddition> slices;
    std::size_t begin = 0;
    bool carry = whole.carry;
    for (const std::size_t end : ends)
    {
        slices.push_back({whole.sum + begin, whole.a + begin, whole.b + begin, end - begin, carry, whole.subtract});
        if (end < limbs) carry = carryOutOf(slices.back());
        begin = end;
    }
    std::vector<PaperOperations> operations(slices.size());
    std::vector<char> carries(slices.size());
    executor_->run(std::uint32_t(slices.size()), [&](std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t i = first; i < last; ++i)
            carries[i] = addSlice(slices[i], operations[i], stop);
    });
    for (const PaperOperations& part : operations)
        operations_ += part;
    return carries.back() != 0;
}

std::size_t CpuAdder::scratchLimbs(std::size_t limbs) const
{
    switch (options_.algorithm)
    {
    case CpuAlgorithm::kLookahead:
        return limbs / 16 + 4096;
    case CpuAlgorithm::kRecursive:
        return limbs / 31 + 4096;
    default:
        return 4096;
    }
}

}  // namespace orogen::compute
