// Except in paper-1-2, each thread adds a slice of the numbers before the carry into the slice is known. This carry
// changes only the slice's lowest limbs, which are added last.
#include "compute/multiword/multiword.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include <gmp.h>

#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

// ---- carry lookahead and recursion ----
//
// Both algorithms first compute the sums without carries, and for each limb whether it generates and whether it
// propagates a carry (limbs.h). From these two bits per limb they find the carries into all limbs, by a tree or by
// recursion. At the end one pass adds the carries. The scratch memory is at most about 1/16 of one operand.

constexpr Limb kEvenBits = 0x5555555555555555;

std::size_t wordsFor(std::size_t bits) { return (bits + kBlockLimbs - 1) / kBlockLimbs; }

// Computes the sums without carries, and the generate and propagate bits, in pieces with a stop check each.
void findCriteria(const LimbKernels& kernels, const LimbAddition& addition, Limb* generates, Limb* propagates,
                  const std::stop_token& stop)
{
    static_assert(kLimbsBetweenLooks % kBlockLimbs == 0);
    const LimbKernels::Sums sums = addition.subtract ? kernels.differences : kernels.sums;
    for (std::size_t i = 0; i < addition.limbs && !stop.stop_requested(); i += kLimbsBetweenLooks)
        sums(addition.sum + i, addition.a + i, addition.b + i, std::min(kLimbsBetweenLooks, addition.limbs - i),
             generates + i / kBlockLimbs, propagates + i / kBlockLimbs);
}

void applyCarries(const LimbKernels& kernels, const LimbAddition& addition, const Limb* carries,
                  const std::stop_token& stop)
{
    const LimbKernels::Correct correct = addition.subtract ? kernels.subtractCarries : kernels.addCarries;
    for (std::size_t i = 0; i < addition.limbs && !stop.stop_requested(); i += kLimbsBetweenLooks)
        correct(addition.sum + i, std::min(kLimbsBetweenLooks, addition.limbs - i), carries + i / kBlockLimbs);
}

// Packs the bits at even places into the low half.
Limb gatherEven(Limb x)
{
    x &= kEvenBits;
    x = (x | x >> 1) & 0x3333333333333333;
    x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff00ff00ff;
    x = (x | x >> 8) & 0x0000ffff0000ffff;
    return (x | x >> 16) & 0x00000000ffffffff;
}

// Inverts gatherEven() for 32 bits.
Limb spreadToEven(Limb x)
{
    x &= 0x00000000ffffffff;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & kEvenBits;
}

// Nodes of one depth of the carry-lookahead tree, each with a generate and a propagate bit. Bits past the last node
// propagate.
struct Level
{
    std::vector<Limb> generates, propagates;
    std::size_t nodes = 0;

    explicit Level(std::size_t count) : generates(wordsFor(count)), propagates(wordsFor(count)), nodes(count) {}
    void padWithPropagating()
    {
        if (nodes % kBlockLimbs != 0) propagates.back() |= ~Limb(0) << nodes % kBlockLimbs;
    }
};

// Returns the level whose nodes are the pairs of `below`.
Level above(const Level& below)
{
    Level level((below.nodes + 1) / 2);
    for (std::size_t word = 0; word < below.generates.size(); ++word)
    {
        const Limb g = below.generates[word], t = below.propagates[word];
        const int half = word % 2 == 0 ? 0 : 32;
        level.generates[word / 2] |= gatherEven(g >> 1 | (t >> 1 & g)) << half;
        level.propagates[word / 2] |= gatherEven(t >> 1 & t) << half;
    }
    level.padWithPropagating();
    return level;
}

// Replaces the generate bits of `level` by the carries into its nodes. `entering` holds the carries into pairs of
// nodes.
void carriesDown(Level& level, const std::vector<Limb>& entering)
{
    for (std::size_t word = 0; word < level.generates.size(); ++word)
    {
        const Limb lower = spreadToEven(entering[word / 2] >> (word % 2 == 0 ? 0 : 32));
        const Limb upper = ((level.generates[word] & kEvenBits) | (level.propagates[word] & lower)) << 1;
        level.generates[word] = lower | upper;
    }
}

// Adds by the carry-lookahead tree (Cormen, Leiserson, Rivest, ch. 29). A pair of nodes generates if its upper half
// generates, or propagates what its lower half generates. Takes a pass up and a pass down over ceil(log2 n) levels, 64
// nodes at a time. Returns the carry out; undefined after a stop.
bool addLookahead(const LimbKernels& kernels, const LimbAddition& addition, const std::stop_token& stop)
{
    std::vector<Level> levels;
    levels.emplace_back(addition.limbs);
    findCriteria(kernels, addition, levels[0].generates.data(), levels[0].propagates.data(), stop);
    levels[0].padWithPropagating();
    while (levels.back().nodes > 1 && !stop.stop_requested())
        levels.push_back(above(levels.back()));
    const Level& root = levels.back();
    const bool carryOut = ((root.generates[0] | (root.propagates[0] & Limb(addition.carry))) & 1) != 0;
    levels.back().generates[0] = addition.carry;
    for (std::size_t i = levels.size() - 1; i-- > 0 && !stop.stop_requested();)
        carriesDown(levels[i], levels[i + 1].generates);
    applyCarries(kernels, addition, levels[0].generates.data(), stop);
    return carryOut;
}

// Adds by the recursion of paper 001: for n limbs, C + T is itself an addition, of floor(n / 64) + 1 limbs. The depth
// is about log64 n + 1. Returns the carry out; undefined after a stop.
bool addRecursive(const LimbKernels& kernels, const LimbAddition& addition, const std::stop_token& stop)
{
    // One bit more than limbs: the carry out is the carry into the limb after the last.
    const std::size_t words = addition.limbs / kBlockLimbs + 1;
    std::vector<Limb> c(words), t(words);
    findCriteria(kernels, addition, c.data(), t.data(), stop);
    Limb carry = addition.carry;
    for (Limb& word : c)  // moves each bit from the generating limb to the next one
    {
        const Limb next = word >> (kBlockLimbs - 1);
        word = word << 1 | carry;
        carry = next;
    }
    if (words == 1)
        c[0] += t[0];
    else
        addRecursive(kernels, {c.data(), c.data(), t.data(), words, false, false}, stop);
    for (std::size_t i = 0; i < words; ++i)
        c[i] ^= t[i];
    applyCarries(kernels, addition, c.data(), stop);
    return c[addition.limbs / kBlockLimbs] >> addition.limbs % kBlockLimbs & 1;
}

// ---- GMP and `simd` ----

static_assert(sizeof(mp_limb_t) == sizeof(Limb) && GMP_NAIL_BITS == 0);
// mp_limb_t and Limb may be distinct types of one representation; GMP's compiled functions cannot tell them apart.
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

// Adds in pieces, with a stop check before each. GMP's functions take no carry in: mpn_add_1 adds, or
// mpn_sub_1 subtracts, a piece's carry in afterwards.
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

// ---- algorithms ----

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

// ---- slices ----

namespace {

// Returns 0 if all limbs in [begin, end) propagate, else another number.
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

constexpr std::size_t kScanStep = 64;  // limbs scanned between branches

// Returns how many of the lowest limbs propagate a carry without interruption.
std::size_t lowestRun(const LimbAddition& slice, const std::stop_token& stop)
{
    std::size_t run = 0;
    while (run + kScanStep <= slice.limbs && anyEnds(slice, run, run + kScanStep) == 0)
        if ((run += kScanStep) % kLimbsBetweenLooks == 0 && stop.stop_requested()) return 0;
    while (run < slice.limbs && anyEnds(slice, run, run + 1) == 0)
        ++run;
    return run;
}

// Returns `slice` from limb `begin` on, with `carry` into it.
LimbAddition upperPart(const LimbAddition& slice, std::size_t begin, bool carry)
{
    return {slice.sum + begin, slice.a + begin, slice.b + begin, slice.limbs - begin, carry, slice.subtract};
}

// Writes the sums of the propagating limbs [begin, end): all ones or 0.
void fillRun(const LimbAddition& slice, std::size_t begin, std::size_t end, const std::stop_token& stop)
{
    constexpr std::size_t kPiece = 16 * kLimbsBetweenLooks;  // under 10 ms; long enough for memset to bypass the caches
    for (; begin < end && !stop.stop_requested(); begin += std::min(kPiece, end - begin))
        std::memset(slice.sum + begin, slice.carry == slice.subtract ? 0xff : 0,
                    std::min(kPiece, end - begin) * sizeof(Limb));
}

// Returns the carry out of a + b + carry. Reads a few limbs from the top, unless long runs propagate. Undefined after a
// stop.
bool carryOutOf(const LimbAddition& slice, const std::stop_token& stop)
{
    std::size_t top = slice.limbs, steps = 0;
    for (; top >= kScanStep && anyEnds(slice, top - kScanStep, top) == 0; top -= kScanStep)
        if (++steps % (kLimbsBetweenLooks / kScanStep) == 0 && stop.stop_requested()) return false;
    for (; top > 0; --top)
        if (anyEnds(slice, top - 1, top) != 0) return generates(slice, top - 1);
    return slice.carry;
}

}  // namespace

CpuAdder::CpuAdder(const CpuAdderOptions& options) : options_(options)
{
    assert(options.threads >= 1 && options.limbsPerThread >= 1);
    if (!options_.kernels) options_.kernels = &bestLimbKernels();
    if (options.threads > 1) pool_ = std::make_unique<ThreadPool>(options.threads);
    // Slices consist of whole groups (paper-1-2) or of whole criterion words (other algorithms).
    const auto wordBits = std::size_t(options_.wordBits);
    unit_ = options_.algorithm == CpuAlgorithm::kPaper12 ? wordBits * wordBits : kBlockLimbs;
    leastSlice_ = std::max(options_.limbsPerThread, unit_);
}

CpuAdder::~CpuAdder() = default;

std::size_t CpuAdder::sliceCount(std::size_t limbs) const
{
    if (limbs < 2 * leastSlice_) return 1;  // saves a division, which takes as long as adding 20 limbs
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

// Returns the number of additions that a slice of `limbs` limbs takes, one after another.
std::uint64_t CpuAdder::additionsFor(std::size_t limbs) const
{
    const auto wordBits = std::size_t(options_.wordBits);
    switch (options_.algorithm)
    {
    case CpuAlgorithm::kPaper12:  // adds the words, C + T of each group in turn, and the corrections
        return 2 + (limbs * kLimbBits + wordBits * wordBits - 1) / (wordBits * wordBits);
    case CpuAlgorithm::kLookahead:  // adds the limbs and the corrections; its tree adds nothing
        return 2;
    case CpuAlgorithm::kRecursive:  // adds the limbs, C + T, and the corrections
    {
        const std::size_t words = limbs / kBlockLimbs + 1;
        return 2 + (words == 1 ? 1 : additionsFor(words));
    }
    case CpuAlgorithm::kSimd:
    case CpuAlgorithm::kGmp:
        return 1;
    }
    return 0;
}

// Returns the number of levels of criterion words above a slice of `limbs` limbs.
std::uint64_t CpuAdder::levelsFor(std::size_t limbs) const
{
    if (options_.algorithm != CpuAlgorithm::kRecursive) return 0;
    const std::size_t words = limbs / kBlockLimbs + 1;
    return 1 + (words == 1 ? 0 : levelsFor(words));
}

// Returns the number of passes of addLookahead(): one up and one down for each level but the root's.
std::uint64_t CpuAdder::lookaheadStepsFor(std::size_t limbs) const
{
    return options_.algorithm == CpuAlgorithm::kLookahead ? 2 * std::uint64_t(std::bit_width(limbs - 1)) : 0;
}

bool CpuAdder::add(const MultiwordOperands& operands, const std::stop_token& stop)
{
    const std::size_t limbs = operands.sum.size();
    assert(limbs > 0 && operands.a.size() == limbs && operands.b.size() == limbs);
    const LimbAddition whole = {operands.sum.data(), operands.a.data(), operands.b.data(), limbs,
                                operands.carry,      operands.subtract};
    operations_ = {};
    steps_ = {additionsFor(limbs), 0, levelsFor(limbs), lookaheadStepsFor(limbs)};
    if (sliceCount(limbs) == 1) return addSlice(whole, operations_, stop);

    std::vector<Slice> slices = slicesOf(whole);
    std::size_t longest = 0;
    for (const Slice& slice : slices)
        longest = std::max(longest, slice.addition.limbs);
    steps_ = {additionsFor(longest), 1, levelsFor(longest), lookaheadStepsFor(longest)};
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

// Finds the carries before anything is written, since the sum may overwrite an operand. paper-1-2 counts whole groups,
// so its slices cannot leave out limbs.
void CpuAdder::findCarries(std::vector<Slice>& slices, const std::stop_token& stop)
{
    for (std::size_t i = 0; i < slices.size(); ++i)
    {
        slices[i].carryKnown = true;
        if (i > 0) slices[i].addition.carry = carryOutOf(slices[i - 1].addition, stop);
    }
}

// Adds the slice, except the limbs that a carry still unknown may change.
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

void CpuAdder::addLowestRuns(const std::vector<Slice>& slices, const std::stop_token& stop)
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
    const std::size_t shares = sliceCount(limbs);  // each share covers a part of the run of every slice
    const auto fill = [&](std::size_t share) {
        for (const Slice& slice : slices)
            fillRun(slice.addition, slice.run * share / shares, slice.run * (share + 1) / shares, stop);
    };
    if (shares == 1) return fill(0);
    ++steps_.synchronisations;
    pool_->forEach(shares, fill);
}

// ---- check: adds again piece by piece and compares, since the longest sums leave no memory for a second one ----

namespace {

constexpr std::size_t kCheckedPiece = 4096;  // limbs; four pieces fit into an L2 cache

bool addByGmp(Limb* out, const Limb* a, const Limb* b, std::size_t limbs, bool carry, bool subtract)
{
    const auto n = mp_size_t(limbs);
    const mp_limb_t first = subtract ? mpn_sub_n(gmp(out), gmp(a), gmp(b), n) : mpn_add_n(gmp(out), gmp(a), gmp(b), n);
    const mp_limb_t second =
        subtract ? mpn_sub_1(gmp(out), gmp(out), n, carry) : mpn_add_1(gmp(out), gmp(out), n, carry);
    return (first | second) != 0;
}

bool addBySchoolbook(Limb* out, const Limb* a, const Limb* b, std::size_t limbs, bool carry, bool subtract)
{
    __extension__ using Wide = unsigned __int128;
    for (std::size_t i = 0; i < limbs; ++i)
    {
        const Wide wide = subtract ? Wide(a[i]) - b[i] - carry : Wide(a[i]) + b[i] + carry;
        out[i] = Limb(wide);
        carry = (wide >> kLimbBits & 1) != 0;
    }
    return carry;
}

}  // namespace

const char* nameOf(Oracle oracle) { return oracle == Oracle::kGmp ? "gmp" : "schoolbook"; }

bool isSum(const MultiwordOperands& operands, bool carryOut, Oracle oracle, const std::stop_token& stop)
{
    const auto add = oracle == Oracle::kGmp ? addByGmp : addBySchoolbook;
    Limb piece[kCheckedPiece];
    bool carry = operands.carry;
    for (std::size_t i = 0; i < operands.sum.size() && !stop.stop_requested(); i += kCheckedPiece)
    {
        const std::size_t limbs = std::min(kCheckedPiece, operands.sum.size() - i);
        carry = add(piece, operands.a.data() + i, operands.b.data() + i, limbs, carry, operands.subtract);
        if (!std::equal(piece, piece + limbs, operands.sum.data() + i)) return false;
    }
    return carry == carryOut;
}

}  // namespace orogen::compute
