// Every algorithm on the CPU, against GMP and schoolbook addition.
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmp.h>
#include <gtest/gtest.h>

#include "compute/multiword/multiword.h"
#include "tests/support/multiword_vectors.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen::compute {
namespace {

using test::Limbs;

struct Sum
{
    Limbs limbs;
    bool carry = false;
};

Sum sumByGmp(const Limbs& a, const Limbs& b, bool carry, bool subtract)
{
    static_assert(sizeof(mp_limb_t) == 8);
    Sum sum{Limbs(a.size()), false};
    const auto n = mp_size_t(a.size());
    mp_limb_t* out = sum.limbs.data();
    const mp_limb_t first = subtract ? mpn_sub_n(out, a.data(), b.data(), n) : mpn_add_n(out, a.data(), b.data(), n);
    const mp_limb_t second = subtract ? mpn_sub_1(out, out, n, carry) : mpn_add_1(out, out, n, carry);
    sum.carry = first + second != 0;
    return sum;
}

// Computes the reference for GMP.
Sum sumBySchoolbook(const Limbs& a, const Limbs& b, bool carry, bool subtract)
{
    Sum sum{Limbs(a.size()), carry};
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const auto wide = subtract ? static_cast<unsigned __int128>(a[i]) - b[i] - sum.carry
                                   : static_cast<unsigned __int128>(a[i]) + b[i] + sum.carry;
        sum.limbs[i] = std::uint64_t(wide);
        sum.carry = (wide >> 64 & 1) != 0;
    }
    return sum;
}

struct Variant
{
    std::string name;
    CpuAdderOptions options;
    std::unique_ptr<CpuAdder> adder;
};

std::vector<Variant> makeVariants()
{
    std::vector<Variant> variants;
    const auto add = [&](const std::string& name, CpuAdderOptions options) {
        for (const int threads : {1, 3})
        {
            options.threads = threads;
            options.limbsPerThread = 1;
            variants.push_back({name + (threads > 1 ? ", threads" : ""), options, std::make_unique<CpuAdder>(options)});
        }
    };
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
    {
        const std::string name(nameOf(algorithm));
        if (algorithm == CpuAlgorithm::kPaper12)
            for (const int m : {16, 64, 32, 8, 1, 5, 63})
                add(name + ", m = " + std::to_string(m), {.algorithm = algorithm, .wordBits = m});
        else if (algorithm == CpuAlgorithm::kGmp)
            add(name, {.algorithm = algorithm});
        else
            for (const LimbKernels* kernels : availableLimbKernels())
                add(name + ", " + kernels->name, {.algorithm = algorithm, .kernels = kernels});
    }
    return variants;
}

std::vector<Variant>& variants()
{
    static std::vector<Variant> all = makeVariants();
    return all;
}

enum class Aliasing
{
    kNone,
    kSumIsA,
    kSumIsB,
    kCount
};

using AddFunction = std::function<bool(const MultiwordOperands&)>;

// Adds in guarded buffers of every alignment; returns the fault, or an empty string.
std::string faultOf(const AddFunction& add, const Limbs& a, const Limbs& b, bool carry, bool subtract,
                    Aliasing aliasing, std::size_t offset, const Sum& expected)
{
    test::GuardedLimbs x(a.size(), offset % 8), y(b.size(), offset / 2 % 8), z(a.size(), offset / 3 % 8);
    x.fill(a);
    y.fill(b);
    z.poison();
    test::GuardedLimbs& out = aliasing == Aliasing::kSumIsA ? x : aliasing == Aliasing::kSumIsB ? y : z;
    const bool carryOut = add({{x.data(), a.size()}, {y.data(), b.size()}, {out.data(), a.size()}, carry, subtract});
    if (!out.holds(expected.limbs)) return "the sum";
    if (carryOut != expected.carry) return "the carry out";
    if (!x.zonesAreWhole() || !y.zonesAreWhole() || !z.zonesAreWhole()) return "a red zone";
    if (&out != &x && !x.holds(a)) return "operand a was written";
    if (&out != &y && !y.holds(b)) return "operand b was written";
    return {};
}

// Checks one pair with every variant.
void checkEverywhere(const test::OperandPair& pair)
{
    std::size_t offset = 0;
    for (const bool subtract : {false, true})
        for (const bool carry : {false, true})
        {
            const Sum expected = sumBySchoolbook(pair.a, pair.b, carry, subtract);
            for (Variant& variant : variants())
            {
                const Aliasing aliasing = Aliasing(offset % std::size_t(Aliasing::kCount));
                const std::string fault = faultOf([&](const MultiwordOperands& o) { return variant.adder->add(o); },
                                                  pair.a, pair.b, carry, subtract, aliasing, offset++, expected);
                ASSERT_EQ(fault, "") << variant.name << ": " << pair.name << (subtract ? ", subtract" : "")
                                     << (carry ? ", carry in" : "") << ", aliasing " << int(aliasing);
            }
        }
}

TEST(MultiwordCpu, AddsTheTestVectors)
{
    for (const int wordBits : {16, 64})
        for (const std::size_t n : {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257})
            test::MultiwordVectors(wordBits, n, 1).each([](const test::OperandPair& pair) {
                if (!testing::Test::HasFatalFailure()) checkEverywhere(pair);
            });
}

TEST(MultiwordCpuThorough, AddsLongNumbersAcrossTilesAndLevels)
{
    // 64^2 limbs and one more need the recursion's third level and exceed the slices between stop checks.
    for (const std::size_t n : {4095ul, 4096ul, 4097ul, (1ul << 18) + 65})
    {
        test::Random random(std::uint32_t(n) + 7);
        for (const bool chain : {true, false})
        {
            if (n > 5000 && !chain) continue;
            auto [a, b] = test::structuredPair(random, n);
            if (chain)
            {
                std::fill(a.begin(), a.end(), ~0ull);
                std::fill(b.begin(), b.end(), 0);
                b[0] = 1;
            }
            checkEverywhere({"long", a, b});
        }
    }
}

// Adds and subtracts 250,000 cases each; operands are mostly short, and variants that wake threads get few.
TEST(MultiwordCpuThorough, AgreesWithGmpOnStructuredRandomOperands)
{
    const int count = test::scaled(500'000, 200'000'000);
    const std::uint32_t seed = std::random_device{}();
    test::Random random(seed);
    for (int i = 0; i < count; ++i)
    {
        const std::size_t limbs = 1 + (random.chance(1, 50) ? random.below(300) : random.below(12));
        const auto [a, b] = test::structuredPair(random, limbs);
        const bool carry = random.chance(1, 2), subtract = random.chance(1, 2);
        const Aliasing aliasing = Aliasing(random.below(std::uint32_t(Aliasing::kCount)));
        const std::size_t next = std::size_t(i) % variants().size();
        Variant& variant = variants()[variants()[next].options.threads > 1 && i % 97 != 0 ? next - 1 : next];
        const Sum expected = variant.options.algorithm == CpuAlgorithm::kGmp ? sumBySchoolbook(a, b, carry, subtract)
                                                                             : sumByGmp(a, b, carry, subtract);
        const std::string fault = faultOf([&](const MultiwordOperands& o) { return variant.adder->add(o); }, a, b,
                                          carry, subtract, aliasing, random.below(64), expected);
        ASSERT_EQ(fault, "") << variant.name << ", seed " << seed << ", case " << i << ", " << limbs << " limbs";
    }
}

// Stores that bypass the caches have their own alignment rules.
TEST(MultiwordCpuThorough, AddsPastTheCaches)
{
    test::Random random(3);
    for (const LimbKernels* kernels : availableLimbKernels())
        for (int i = 0; i < test::scaled(5'000, 20'000); ++i)
        {
            const auto [a, b] = test::structuredPair(random, 1 + random.below(300));
            const bool carry = random.chance(1, 2), subtract = random.chance(1, 2);
            const auto add = [&](const MultiwordOperands& o) {
                return (o.subtract ? kernels->subtractPastCaches : kernels->addPastCaches)(
                    o.sum.data(), o.a.data(), o.b.data(), o.sum.size(), o.carry);
            };
            const std::string fault =
                faultOf(add, a, b, carry, subtract, Aliasing(random.below(std::uint32_t(Aliasing::kCount))),
                        random.below(64), sumByGmp(a, b, carry, subtract));
            ASSERT_EQ(fault, "") << kernels->name << ", case " << i << ", " << a.size() << " limbs";
        }
}

TEST(MultiwordCpu, StopsWhenAsked)
{
    const Limbs a(std::size_t(1) << 20, 1);
    for (Variant& variant : variants())
    {
        Limbs sum(a.size());
        std::stop_source source;
        source.request_stop();
        variant.adder->add({a, a, sum}, source.get_token());
        EXPECT_NE(sum, Limbs(a.size(), 2)) << variant.name;
    }
}

TEST(MultiwordCpu, NamesAreThoseOfTheCommandLine)
{
    for (const char* name : {"paper-1-2", "lookahead", "recursive", "simd", "gmp"})
        EXPECT_EQ(nameOf(cpuAlgorithm(name).value()), name);
    EXPECT_FALSE(cpuAlgorithm("paper-3"));
    EXPECT_FALSE(cpuAlgorithm(""));
}

TEST(MultiwordCpu, InstructionSetsAreListedFastestFirst)
{
    EXPECT_EQ(&kPortableLimbKernels, availableLimbKernels().back());
    EXPECT_EQ(&bestLimbKernels(), availableLimbKernels().front());
}

TEST(MultiwordCpu, CountsHowOftenItsThreadsWaitForEachOther)
{
    const Limbs a(4096, 0x1234), ones(4096, ~Limb(0x1234));
    Limbs sum(4096);
    CpuAdder one({.limbsPerThread = 1024}), two({.threads = 2, .limbsPerThread = 1024});
    one.add({a, a, sum});
    EXPECT_EQ(one.steps().synchronisations, 0u);
    two.add({a, a, sum});
    EXPECT_EQ(two.steps().synchronisations, 1u);
    two.add({a, ones, sum, true});  // the second slice propagates a carry that the first one finds
    EXPECT_EQ(two.steps().synchronisations, 2u);
}

}  // namespace
}  // namespace orogen::compute
