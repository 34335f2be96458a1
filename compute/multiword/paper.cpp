// Tereshchenko and Zadiraka, "Parallel addition based on vector operations" (paper 001), as the baseline. Words have m
// bits and form k groups of m; n = k m. M_i = X_i + Y_i mod 2^m. Bit b of the criterion word C_p is the carry into word
// pm + b: at first the one that the word below generates. Bit b of T_p means that M of word pm + b is 2^m - 1.
//
// Corrections to the printed version (counter-examples in tests/compute/multiword/paper_test.cpp):
//   Algorithm 1  step 5 takes c_0 from outside; step 6 runs to p = k - 2 inclusive
//   Algorithm 2  both loops run to p = k - 1, the correction in m - 1 steps, the unpacking over all m words
//   Algorithm 3  barriers after step 2, before the loop and after step 19; k iterations
//   Theorems     6n + 3k + 1, 6km - 2k and 5k + 59, not 6n + 3k - 2, 6km + k and 4k + 59
//
// Numbers whose length is not a multiple of m words are padded with words that propagate, X = 2^m - 1 and Y = 0. Zeros
// would lose the carry out.
//
// The code executes the algorithms step by step, because the tests compare the counts of operations with the theorems.
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <vector>

#include "compute/multiword/multiword.h"

namespace orogen::compute {

// ---- Algorithms 1 and 2 ----

namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in limbs");

// Operations on words of m bits, counted as in the theorems.
class WordOperations
{
public:
    explicit WordOperations(int bits) : all_(~Limb(0) >> (kLimbBits - bits)) {}

    Limb add(Limb x, Limb y) { return ++count_, (x + y) & all_; }
    bool less(Limb x, Limb y) { return ++count_, x < y; }
    bool equal(Limb x, Limb y) { return ++count_, x == y; }
    Limb both(Limb x, Limb y) { return ++count_, x & y; }
    Limb either(Limb x, Limb y) { return ++count_, x | y; }
    Limb withBit(Limb x, bool bit, int place) { return ++count_, x | Limb(bit) << place; }
    Limb up(Limb x) { return ++count_, x << 1 & all_; }
    Limb down(Limb x) { return ++count_, x >> 1; }
    Limb copy(Limb x) { return ++count_, x; }
    // Returns whether x + y >= 2^m, given the sum mod 2^m (Claim 1).
    bool carried(Limb sum, Limb x, Limb y) { return less(sum, x) | less(sum, y); }

    Limb all() const { return all_; }
    std::uint64_t count() const { return count_; }

private:
    Limb all_;
    std::uint64_t count_ = 0;
};

// A group's m words of m bits. Storage is the unsigned type of m bits for m = 8, 16, 32 and 64, and Limb for other m.
template <class Storage>
struct Group
{
    Storage x[kMaxWordBits], y[kMaxWordBits], m[kMaxWordBits];
};

// kExact: m is the number of bits of Storage, so that words are copied as they lie in limbs.
template <class Storage, bool kExact>
class PaperAddition
{
public:
    PaperAddition(const LimbAddition& addition, int wordBits)
        : addition_(addition), m_(kExact ? int(8 * sizeof(Storage)) : wordBits), first_(m_), second_(m_)
    {
        // A virtual word below the first one generates the carry in.
        before_ = {Storage(addition.carry != addition.subtract), Storage(addition.carry != addition.subtract), 0};
    }

    bool run(PaperOperations& operations, const std::stop_token& stop)
    {
        constexpr std::size_t kGroupsBetweenLooks = 1 << 12;  // groups between two checks for a stop
        const std::size_t groupBits = std::size_t(m_) * std::size_t(m_);
        const std::size_t groups = (addition_.limbs * kLimbBits + groupBits - 1) / groupBits;
        Group<Storage> group;
        for (std::size_t p = 0; p < groups; ++p)
        {
            if (p % kGroupsBetweenLooks == 0 && stop.stop_requested()) return false;
            load(p * groupBits, group);
            addGroup(group);
            save(p * groupBits, group);
        }
        const bool carry = first_.less(before_.m, before_.x) || groupCarry_;
        operations += {groups * std::size_t(m_), groups, first_.count(), second_.count()};
        return carry != addition_.subtract;
    }

private:
    struct Word
    {
        Storage x, y, m;
    };

    // Runs Algorithm 1 on one group, then Algorithm 2.
    void addGroup(Group<Storage>& group)
    {
        const int m = kExact ? int(8 * sizeof(Storage)) : m_;
        Limb c = 0, t = 0;
        for (int b = 0; b < m; ++b)
        {
            group.m[b] = Storage(first_.add(group.x[b], group.y[b]));
            t = first_.withBit(t, first_.equal(group.m[b], first_.all()), b);
        }
        c = first_.withBit(c, first_.carried(before_.m, before_.x, before_.y), 0);
        for (int b = 1; b < m; ++b)
            c = first_.withBit(c, first_.carried(group.m[b - 1], group.x[b - 1], group.y[b - 1]), b);
        if (groupCarry_) c |= 1;
        groupCarry_ = first_.carried(first_.add(c, t), c, t);
        before_ = {group.x[m - 1], group.y[m - 1], group.m[m - 1]};
        correct(group, c, t, m);
    }

    // Runs Algorithm 2, which turns M into the sum Z.
    void correct(Group<Storage>& group, Limb c, Limb t, int m)
    {
        for (int r = 0; r < m - 1; ++r)
            c = second_.either(c, second_.up(second_.both(c, t)));
        Limb carries = second_.copy(c);
        for (int r = 0; r < m; ++r)
        {
            group.m[r] = Storage(second_.add(group.m[r], second_.both(carries, 1)));
            carries = second_.down(carries);
        }
    }

    Limb x(std::size_t limb) const { return limb < addition_.limbs ? addition_.a[limb] : ~Limb(0); }
    Limb y(std::size_t limb) const
    {
        if (limb >= addition_.limbs) return 0;
        return addition_.subtract ? ~addition_.b[limb] : addition_.b[limb];
    }

    void load(std::size_t bit, Group<Storage>& group) const
    {
        if constexpr (kExact)
        {
            constexpr std::size_t kLimbs = 8 * sizeof(Storage) * 8 * sizeof(Storage) / kLimbBits;
            Limb limbs[2][kLimbs];
            for (std::size_t i = 0; i < kLimbs; ++i)
            {
                limbs[0][i] = x(bit / kLimbBits + i);
                limbs[1][i] = y(bit / kLimbBits + i);
            }
            std::memcpy(group.x, limbs[0], sizeof limbs[0]);
            std::memcpy(group.y, limbs[1], sizeof limbs[1]);
            return;
        }
        for (int r = 0; r < m_; ++r, bit += std::size_t(m_))
        {
            const std::size_t limb = bit / kLimbBits, shift = bit % kLimbBits;
            const bool across = shift + std::size_t(m_) > kLimbBits;
            group.x[r] = Storage((x(limb) >> shift | (across ? x(limb + 1) << (kLimbBits - shift) : 0)) & first_.all());
            group.y[r] = Storage((y(limb) >> shift | (across ? y(limb + 1) << (kLimbBits - shift) : 0)) & first_.all());
        }
    }

    // Writes the bits of Z that lie within the number.
    void save(std::size_t bit, const Group<Storage>& group) const
    {
        if constexpr (kExact)
        {
            constexpr std::size_t kLimbs = 8 * sizeof(Storage) * 8 * sizeof(Storage) / kLimbBits;
            const std::size_t begin = bit / kLimbBits;
            std::memcpy(addition_.sum + begin, group.m, std::min(kLimbs, addition_.limbs - begin) * sizeof(Limb));
            return;
        }
        for (int r = 0; r < m_; ++r, bit += std::size_t(m_))
        {
            const std::size_t limb = bit / kLimbBits, shift = bit % kLimbBits;
            put(limb, first_.all() << shift, Limb(group.m[r]) << shift);
            if (shift + std::size_t(m_) > kLimbBits)
                put(limb + 1, first_.all() >> (kLimbBits - shift), Limb(group.m[r]) >> (kLimbBits - shift));
        }
    }
    void put(std::size_t limb, Limb mask, Limb value) const
    {
        if (limb < addition_.limbs) addition_.sum[limb] = (addition_.sum[limb] & ~mask) | value;
    }

    const LimbAddition addition_;
    const int m_;
    WordOperations first_, second_;  // counters for Algorithms 1 and 2
    Word before_;
    bool groupCarry_ = false;
};

}  // namespace

PaperOperations& PaperOperations::operator+=(const PaperOperations& other)
{
    words += other.words;
    groups += other.groups;
    algorithm1 += other.algorithm1;
    algorithm2 += other.algorithm2;
    return *this;
}

bool addPaper12(const LimbAddition& addition, int wordBits, PaperOperations& operations, const std::stop_token& stop)
{
    assert(wordBits >= kMinWordBits && wordBits <= kMaxWordBits);
    switch (wordBits)
    {
    case 8:
        return PaperAddition<std::uint8_t, true>(addition, wordBits).run(operations, stop);
    case 16:
        return PaperAddition<std::uint16_t, true>(addition, wordBits).run(operations, stop);
    case 32:
        return PaperAddition<std::uint32_t, true>(addition, wordBits).run(operations, stop);
    case 64:
        return PaperAddition<Limb, true>(addition, wordBits).run(operations, stop);
    default:
        return PaperAddition<Limb, false>(addition, wordBits).run(operations, stop);
    }
}

// ---- Algorithm 3: simulates its processors one after another between barriers, to count operations ----

namespace {

constexpr std::uint32_t kWordValues = 1u << 16;

// One processor of Algorithm 3. Each method is its work between two barriers. All processors share C.
class Processor
{
public:
    // Steps 1 and 2.
    void clear(std::vector<std::uint32_t>& c, std::size_t p)
    {
        c[p] = word(0u);
        c.back() = word(0u);
    }

    // Steps 3 to 14.
    void findCriteria(std::vector<std::uint32_t>& c, std::size_t p, const WordVector& x, const WordVector& y)
    {
        m_ = vector([&](int i) { return std::uint32_t(x[i] + y[i]); });
        const WordVector belowX = vector([&](int i) { return std::uint32_t(m_[i] < x[i]); });
        const WordVector belowY = vector([&](int i) { return std::uint32_t(m_[i] < y[i]); });
        WordVector carries = vector([&](int i) { return std::uint32_t(belowX[i] | belowY[i]); });
        c[p + 1] = word(carries[kVectorWords - 1]);
        carries = vector([&](int i) { return std::uint32_t(i > 0 ? carries[i - 1] : carries[0]); });
        carries[0] = std::uint16_t(word(0u));
        carries = vector([&](int i) { return carries[i] == 1 ? 1u << i : 0u; });
        const WordVector ones = vector([&](int i) { return m_[i] == kWordValues - 1 ? 1u << i : 0u; });
        c1_ = f1_ = packed(carries);
        t1_ = packed(ones);
    }

    // Steps 16 and 17.
    void read(const std::vector<std::uint32_t>& c, std::size_t p)
    {
        f1_ = word(f1_ | word(c[p] & 1u));
        const std::uint32_t sum = word(f1_ + t1_);
        carry_ = word(std::uint32_t(sum >= kWordValues));
    }

    // Step 19.
    void write(std::vector<std::uint32_t>& c, std::size_t p) { c[p + 1] = word(c[p + 1] | carry_); }

    // Steps 22 to 27.
    WordVector finish(const std::vector<std::uint32_t>& c, std::size_t p)
    {
        c1_ = word(c1_ | c[p]);
        for (int i = 0; i < kVectorWords; ++i)
        {
            const std::uint32_t moved = word(word(c1_ & t1_) << 1) % kWordValues;
            c1_ = word(c1_ | moved);
        }
        const WordVector carries = vector([&](int i) { return c1_ >> i & 1u; });
        return vector([&](int i) { return std::uint32_t(carries[i] + m_[i]); });
    }

    std::uint64_t vectorOperations() const { return vectors_; }
    std::uint64_t wordOperations() const { return words_; }

private:
    std::uint32_t word(std::uint32_t result) { return ++words_, result; }

    template <class Lane>
    WordVector vector(Lane lane)
    {
        ++vectors_;
        WordVector result;
        for (int i = 0; i < kVectorWords; ++i)
            result[i] = std::uint16_t(lane(i));
        return result;
    }

    // Steps 10 and 12, or 11 and 13: sums quarters by three vector additions, then their elements by three of words.
    std::uint32_t packed(const WordVector& v)
    {
        std::uint32_t quarter[4] = {v[0], v[1], v[2], v[3]};
        for (int part = 1; part < 4; ++part, ++vectors_)
            for (int i = 0; i < 4; ++i)
                quarter[i] += v[4 * part + i];
        std::uint32_t sum = quarter[0];
        for (int i = 1; i < 4; ++i)
            sum = word(sum + quarter[i]);
        return sum;
    }

    WordVector m_{};
    std::uint32_t c1_ = 0, f1_ = 0, t1_ = 0, carry_ = 0;
    std::uint64_t vectors_ = 0, words_ = 0;
};

// Runs all processors; `iterations` is the paper's k. Returns the number of barriers.
std::uint64_t run(std::vector<Processor>& processors, std::vector<std::uint32_t>& c, std::uint64_t iterations,
                  std::span<const WordVector> x, std::span<const WordVector> y, std::span<WordVector> z)
{
    std::uint64_t barriers = 0;
    const auto each = [&](auto&& body) {
        for (std::size_t p = 0; p < processors.size(); ++p)
            body(processors[p], p);
    };
    const auto barrier = [&] { ++barriers; };
    each([&](Processor& processor, std::size_t p) { processor.clear(c, p); });
    barrier();
    each([&](Processor& processor, std::size_t p) { processor.findCriteria(c, p, x[p], y[p]); });
    barrier();
    for (std::uint64_t i = 0; i < iterations; ++i)
    {
        each([&](Processor& processor, std::size_t p) { processor.read(c, p); });
        barrier();
        each([&](Processor& processor, std::size_t p) { processor.write(c, p); });
        barrier();
    }
    barrier();
    each([&](Processor& processor, std::size_t p) { z[p] = processor.finish(c, p); });
    return barriers;
}

}  // namespace

bool addAlgorithm3(std::span<const WordVector> x, std::span<const WordVector> y, std::span<WordVector> z,
                   Algorithm3Operations& operations)
{
    assert(!x.empty() && x.size() == y.size() && x.size() == z.size());
    std::vector<Processor> processors(x.size());
    std::vector<std::uint32_t> c(x.size() + 1);
    operations.barriers = run(processors, c, x.size(), x, y, z);
    operations.vector = processors.front().vectorOperations();
    operations.word = processors.front().wordOperations();
    return c.back() != 0;
}

Algorithm3Operations countAlgorithm3(std::uint64_t processors)
{
    std::vector<Processor> one(1);
    std::vector<std::uint32_t> c(2);
    const WordVector zero{};
    WordVector z{};
    Algorithm3Operations operations;
    operations.barriers = run(one, c, processors, {&zero, 1}, {&zero, 1}, {&z, 1});
    operations.vector = one.front().vectorOperations();
    operations.word = one.front().wordOperations();
    return operations;
}

}  // namespace orogen::compute
