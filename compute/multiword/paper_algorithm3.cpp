// Algorithm 3, mended, with its processors simulated one after another between barriers: so that its operations can be
// counted without a GPU.
#include <algorithm>
#include <cassert>
#include <vector>

#include "compute/multiword/paper.h"

namespace orogen::compute {
namespace {

constexpr std::uint32_t kWordValues = 1u << 16;

// One processor of Algorithm 3 between barriers.  C is what all of them share.
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

    // Steps 10 and 12: quarters in three vector additions, their elements in three of words.
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

// Everything that `processors` do, the k of the paper being `iterations`.  Returns the barriers.
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
