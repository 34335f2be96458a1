// Several threads add a slice each, as if no carry entered it.  One that does enter changes only a run of its lowest
// limbs, which are therefore added last.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

#include <gmp.h>

#include "compute/multiword/multiword.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

static_assert(sizeof(mp_limb_t) == sizeof(Limb) && GMP_NAIL_BITS == 0);
// mp_limb_t and Limb may be two types of one representation; GMP's functions do not see how these limbs were written.
mp_limb_t* gmp(Limb* limbs) { return reinterpret_cast<mp_limb_t*>(limbs); }
const mp_limb_t* gmp(const Limb* limbs) { return reinterpret_cast<const mp_limb_t*>(limbs); }

bool addGmpPiece(const LimbAddition& addition)
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

// In one call where it is short.  GMP has no carry in: a carry into the next piece goes through it once more, as far as
// it reaches.
bool addGmp(LimbAddition addition, const std::stop_token& stop)
{
    for (std::size_t i = 0; i < addition.limbs && !stop.stop_requested(); i += kLimbsBetweenLooks)
        addition.carry =
            addGmpPiece({addition.sum + i, addition.a + i, addition.b + i,
                         std::min(kLimbsBetweenLooks, addition.limbs - i), addition.carry, addition.subtract});
    return addition.carry;
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

bool generates(const LimbAddition& slice, std::size_t i)
{
    return slice.subtract ? slice.a[i] < slice.b[i] : slice.a[i] + slice.b[i] < slice.a[i];
}

constexpr std::size_t kScanStep = 64;  // limbs without a branch

// How many limbs propagate from the lowest on, without a gap.
std::size_t lowestRun(const LimbAddition& slice, const std::stop_token& stop)
{
    std::size_t run = 0;
    while (run + kScanStep <= slice.limbs && anyEnds(slice, run, run + kScanStep) == 0)
        if ((run += kScanStep) % kLimbsBetweenLooks == 0 && stop.stop_requested()) return 0;
    while (run < slice.limbs && anyEnds(slice, run, run + 1) == 0)
        ++run;
    return run;
}

// The rest of `slice` from limb `begin` on, with that carry into it.
LimbAddition upperPart(const LimbAddition& slice, std::size_t begin, bool carry)
{
    return {slice.sum + begin, slice.a + begin, slice.b + begin, slice.limbs - begin, carry, slice.subtract};
}

// What limbs that propagate become, [begin, end) of them.
void fillRun(const LimbAddition& slice, std::size_t begin, std::size_t end, const std::stop_token& stop)
{
    constexpr std::size_t kPiece =
        16 * kLimbsBetweenLooks;  // under 10 ms; long enough for memset to go past the caches
    for (; begin < end && !stop.stop_requested(); begin += std::min(kPiece, end - begin))
        std::memset(slice.sum + begin, slice.carry == slice.subtract ? 0xff : 0,
                    std::min(kPiece, end - begin) * sizeof(Limb));
}

}  // namespace

bool carryOutOf(const LimbAddition& slice, const std::stop_token& stop)
{
    std::size_t top = slice.limbs, steps = 0;
    for (; top >= kScanStep && anyEnds(slice, top - kScanStep, top) == 0; top -= kScanStep)
        if (++steps % (kLimbsBetweenLooks / kScanStep) == 0 && stop.stop_requested()) return false;
    for (; top > 0; --top)
        if (anyEnds(slice, top - 1, top) != 0) return generates(slice, top - 1);
    return slice.carry;
}

CpuAdder::CpuAdder(const CpuAdderOptions& options) : options_(options)
{
    assert(options.threads >= 1 && options.limbsPerThread >= 1);
    if (!options_.kernels) options_.kernels = &bestLimbKernels();
    if (options.threads > 1) pool_ = std::make_unique<ThreadPool>(options.threads);
    // Whole groups of the paper, whole words of criterion bits, whole cache lines.
    const auto wordBits = std::size_t(options_.wordBits);
    unit_ = options_.algorithm == CpuAlgorithm::kPaper12 ? wordBits * wordBits : kBlockLimbs;
    leastSlice_ = std::max(options_.limbsPerThread, unit_);
}

CpuAdder::~CpuAdder() = default;

std::size_t CpuAdder::sliceCount(std::size_t limbs) const
{
    if (limbs < 2 * leastSlice_) return 1;  // a division takes as long as 20 limbs
    return std::min(limbs / leastSlice_, std::size_t(options_.threads));
}

std::vector<CpuAdder::Slice> CpuAdder::slicesOf(const LimbAddition& whole) const
{
    const std::size_t units = (whole.limbs + unit_ - 1) / unit_, count = sliceCount(whole.limbs);
    std::vector<Slice> slices;
    for (std::size_t i = 0, begin = 0; i < count; ++i)
    {
        const std::size_t end = std::min(whole.limbs, units * (i + 1) / count * unit_);
        Slice& slice = slices.emplace_back();
        slice.addition = {whole.sum + begin, whole.a + begin, whole.b + begin,
                          end - begin,       whole.carry,     whole.subtract};
        begin = end;
    }
    return slices;
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
        return addGmp(slice, stop);
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
    if (sliceCount(limbs) == 1) return addSlice(whole, operations_, stop);

    std::vector<Slice> slices = slicesOf(whole);
    if (options_.algorithm == CpuAlgorithm::kPaper12)
        findCarries(slices, stop);
    else
        slices[0].carryKnown = true;
    pool_->forEach(slices.size(), [&](std::size_t i) { addUpperPart(slices[i], stop); });
    const bool carry = passCarries(slices);
    addLowestRuns(slices, stop);
    for (const Slice& slice : slices)
        operations_ += slice.operations;
    return carry;
}

// Before anything is written: the sum may lie where an operand does.  The paper's groups are counted, and stay whole.
void CpuAdder::findCarries(std::vector<Slice>& slices, const std::stop_token& stop)
{
    for (std::size_t i = 0; i < slices.size(); ++i)
    {
        slices[i].carryKnown = true;
        if (i > 0) slices[i].addition.carry = carryOutOf(slices[i - 1].addition, stop);
    }
}

// All but the limbs that a carry from the slice below may change, where it is not known yet.
void CpuAdder::addUpperPart(Slice& slice, const std::stop_token& stop) const
{
    const LimbAddition& all = slice.addition;
    if (slice.carryKnown)
    {
        slice.carryOut = addSlice(all, slice.operations, stop);
        return;
    }
    slice.run = lowestRun(all, stop);
    if (slice.run == all.limbs) return;
    slice.carryOut = generates(all, slice.run);
    if (slice.run + 1 < all.limbs)
        slice.carryOut = addSlice(upperPart(all, slice.run + 1, slice.carryOut), slice.operations, stop);
}

bool CpuAdder::passCarries(std::vector<Slice>& slices)
{
    bool carry = slices[0].addition.carry;
    for (Slice& slice : slices)
    {
        slice.addition.carry = carry;
        if (slice.carryKnown || slice.run < slice.addition.limbs) carry = slice.carryOut;
    }
    return carry;
}

void CpuAdder::addLowestRuns(const std::vector<Slice>& slices, const std::stop_token& stop) const
{
    std::size_t limbs = 0;
    for (const Slice& slice : slices)
    {
        const LimbAddition& all = slice.addition;
        limbs += slice.run;
        if (slice.carryKnown || slice.run == all.limbs) continue;
        const Limb a = all.a[slice.run], b = all.b[slice.run];
        all.sum[slice.run] = all.subtract ? a - b - all.carry : a + b + all.carry;
    }
    const std::size_t shares = sliceCount(limbs);  // each has its part of every run
    const auto fill = [&](std::size_t share) {
        for (const Slice& slice : slices)
            fillRun(slice.addition, slice.run * share / shares, slice.run * (share + 1) / shares, stop);
    };
    if (shares == 1)
        fill(0);
    else
        pool_->forEach(shares, fill);
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
