// Algorithms 1 and 2 step by step, because their operations are counted against the paper's formula: a faster
// equivalent would have other counts.
#include "compute/multiword/paper.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace orogen::compute {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in limbs");

// The operations of the theorems on words of m bits, counted.
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
    // Whether x + y >= 2^m, of which the sum is known (Claim 1).
    bool carried(Limb sum, Limb x, Limb y) { return less(sum, x) | less(sum, y); }

    Limb all() const { return all_; }
    std::uint64_t count() const { return count_; }

private:
    Limb all_;
    std::uint64_t count_ = 0;
};

// Words of m bits in storage of their own: uint16_t for m = 16 and so on, Limb for an m that is no machine word.
template <class Storage>
struct Group
{
    Storage x[kMaxWordBits], y[kMaxWordBits], m[kMaxWordBits];
};

template <class Storage, bool kExact>
class PaperAddition
{
public:
    PaperAddition(const LimbAddition& addition, int wordBits)
        : addition_(addition), m_(kExact ? int(8 * sizeof(Storage)) : wordBits), first_(m_), second_(m_)
    {
        // The word before the first carries into it what comes in from outside.
        before_ = {Storage(addition.carry != addition.subtract), Storage(addition.carry != addition.subtract), 0};
    }

    bool run(PaperOperations& operations, const std::stop_token& stop)
    {
        constexpr std::size_t kGroupsBetweenLooks = 1 << 12;
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

    // Algorithm 1 on one group, then Algorithm 2.
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

    // Algorithm 2: M becomes Z.
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

    // Writes the bits of Z that lie in the number.
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
    WordOperations first_, second_;  // of Algorithm 1, of Algorithm 2
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

}  // namespace orogen::compute
