// Multiword addition as a module: text operands, pairs of algorithm and back end, limits, cancellation.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmp.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "compute/job/module.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/multiword.h"
#include "tests/support/assign.h"
#include "tests/support/multiword_vectors.h"
#include "tests/support/random.h"

namespace orogen::compute {
namespace {

using Assignments = std::vector<std::string>;
using test::Limbs;

Result<JobResult> runWith(const Assignments& assignments, bool wholeResult = true)
{
    ParameterValues values(multiwordModule().parameters());
    for (const std::string& assignment : assignments)
        if (const Status status = assign(values, assignment); !status) return status.error();
    Progress progress;
    return runModule(multiwordModule(), values, {progress, {}, wholeResult});
}

std::string sumOf(const Assignments& assignments)
{
    const Result<JobResult> result = runWith(assignments);
    return result ? result->json.at("sum").get<std::string>() : "error: " + result.error().message;
}

ExitCode codeOf(const Assignments& assignments)
{
    const Result<JobResult> result = runWith(assignments);
    return result ? ExitCode::kDone : result.error().code;
}

struct Pair
{
    std::string algorithm, backend;
};

// Every algorithm where it runs without a GPU.
std::vector<Pair> allPairs()
{
    std::vector<Pair> pairs;
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
        pairs.push_back({std::string(nameOf(algorithm)), "cpu"});
    for (const AddKernel kernel : kAddKernels)
        pairs.push_back({std::string(nameOf(kernel)), "host-kernel"});
    return pairs;
}

std::string hexOf(const mpz_t value)
{
    const std::unique_ptr<char, void (*)(void*)> text(mpz_get_str(nullptr, 16, value), std::free);
    return text.get();
}

std::string randomHex(test::Random& random, std::size_t digits)
{
    std::string text(digits, 'f');
    for (std::size_t i = 0; i < digits; ++i)
        if (random.chance(1, 3)) text[i] = "0123456789abcdef"[random.below(16)];
    text[0] = "123456789abcdef"[random.below(15)];
    return text;
}

TEST(MultiwordModule, EveryPairAddsAndSubtractsAsGmpDoes)
{
    test::Random random(21);
    mpz_t a, b, sum;
    mpz_inits(a, b, sum, nullptr);
    for (const Pair& pair : allPairs())
        for (int i = 0; i < 24; ++i)
        {
            const std::string longer = randomHex(random, 1 + random.below(300));
            const std::string shorter = randomHex(random, 1 + random.below(std::uint32_t(longer.size())));
            const bool subtract = i % 2 == 1 && longer.size() > shorter.size(), carry = i % 3 == 0;
            mpz_set_str(a, longer.c_str(), 16);
            mpz_set_str(b, shorter.c_str(), 16);
            subtract ? mpz_sub(sum, a, b) : mpz_add(sum, a, b);
            if (carry) subtract ? mpz_sub_ui(sum, sum, 1) : mpz_add_ui(sum, sum, 1);
            Assignments assignments = {"a=" + longer, "b=0x" + shorter, subtract ? "operation=sub" : "operation=add",
                                       std::string("algorithm=") + pair.algorithm,
                                       std::string("backend=") + pair.backend};
            if (carry) assignments.push_back("carry-in");
            const Result<JobResult> result = runWith(assignments);
            ASSERT_TRUE(result) << result.error().message;
            EXPECT_EQ(result->json["sum"], hexOf(sum)) << pair.algorithm << ", " << pair.backend;
            const std::size_t bits = std::max(mpz_sizeinbase(a, 2), mpz_sizeinbase(b, 2));
            EXPECT_EQ(result->json["bits"], bits);
            EXPECT_EQ(result->json["carry_out"], int(mpz_sizeinbase(sum, 2) > bits));
            EXPECT_EQ(result->json["algorithm"], pair.algorithm);
            EXPECT_EQ(result->json["backend"], pair.backend);
            EXPECT_EQ(result->check, CheckAnswer::kEqual);
            EXPECT_GE(result->json["operations"]["additions"].get<int>(), 1);
            EXPECT_GE(result->json["operations"]["synchronisations"].get<int>(), 0);
            const std::string_view algorithm = pair.algorithm;
            const bool reports = algorithm == "recursive" || algorithm == "lookahead";
            if (!reports)
            {
                EXPECT_EQ(result->json["operations"].size() > 2, algorithm.starts_with("paper"));
            }
            if (std::string_view(pair.backend) == "host-kernel")
                EXPECT_GT(result->json["executor"]["blocks"].get<int>(), 0);
            else
                EXPECT_FALSE(result->json.contains("executor"));
        }
    mpz_clears(a, b, sum, nullptr);
}

TEST(MultiwordModule, SmallNumbers)
{
    EXPECT_EQ(sumOf({"a=0", "b=0"}), "0");
    EXPECT_EQ(sumOf({"a=0", "b=0", "carry-in"}), "1");
    EXPECT_EQ(sumOf({"a=000f", "b=1"}), "10");
    EXPECT_EQ(sumOf({"a=ffffffffffffffff", "b=1"}), "10000000000000000");
    EXPECT_EQ(sumOf({"a=0XfF", "b=Ff"}), "1fe");
    EXPECT_EQ(sumOf({"a=1", "b=1", "operation=sub"}), "0");
    EXPECT_EQ(sumOf({"a=10000000000000000", "b=1", "operation=sub"}), "ffffffffffffffff");
    EXPECT_EQ(sumOf({"a=18446744073709551615", "b=1", "decimal"}), "10000000000000000");
    const Result<JobResult> carries = runWith({"a=f", "b=1"});
    ASSERT_TRUE(carries);
    EXPECT_EQ(carries->json["bits"], 4);
    EXPECT_EQ(carries->json["carry_out"], 1) << "the bit beyond the longer operand";
    const Result<JobResult> zero = runWith({"a=0", "b=0"});
    ASSERT_TRUE(zero);
    EXPECT_EQ(zero->json["bits"], 1);
    const Result<JobResult> product = runWith({"operation=multiply", "a=0", "b=5"});
    ASSERT_TRUE(product);
    EXPECT_EQ(product->json["bits"], 1);
}

TEST(MultiwordModule, APanelHasTheSumWhereItIsShort)
{
    for (const auto& [length, shown] : {std::pair{"length=1", true}, std::pair{"length=65536", true},
                                        std::pair{"length=65537", false}, std::pair{"length=1000000", false}})
    {
        const Result<JobResult> panel = runWith({length, "pattern=ones"}, false);
        ASSERT_TRUE(panel);
        EXPECT_EQ(panel->valueName, "sum");
        EXPECT_EQ(panel->json.contains("sum"), shown) << length;
        EXPECT_TRUE(runWith({length})->json.contains("sum")) << length;
    }
    EXPECT_EQ((runWith({"a=ff", "b=1"}, false)->json)["sum"], "100");
}

TEST(MultiwordModule, SubtractionBelowZeroIsAUsageError)
{
    EXPECT_EQ(codeOf({"a=1", "b=2", "operation=sub"}), ExitCode::kUsage);
    EXPECT_EQ(codeOf({"a=2", "b=2", "operation=sub", "carry-in"}), ExitCode::kUsage);
    EXPECT_EQ(codeOf({"a=3", "b=2", "operation=sub", "carry-in"}), ExitCode::kDone);
}

TEST(MultiwordModule, PatternsAreWhatTheySay)
{
    for (const int bits : {1, 2, 63, 64, 65, 1000})
    {
        const std::string length = "length=" + std::to_string(bits);
        std::string power(std::size_t(bits) / 4 + 1, '0');
        power[0] = '1';
        const Result<JobResult> ones = runWith({length, "pattern=ones"});
        ASSERT_TRUE(ones);
        EXPECT_EQ(ones->json["bits"], bits);
        EXPECT_EQ(ones->json["carry_out"], 1);
        if (bits % 4 == 0)
        {
            EXPECT_EQ(ones->json["sum"], power);
        }
        const Result<JobResult> alternating = runWith({length, "pattern=alternating", "carry-in"});
        ASSERT_TRUE(alternating);
        if (bits % 4 == 0)
        {
            EXPECT_EQ(alternating->json["sum"], power);
        }
        EXPECT_EQ(alternating->json["carry_out"], 1);
        for (const char* seed : {"seed=1", "seed=2"})
        {
            EXPECT_EQ(sumOf({length, seed}), sumOf({length, seed, "algorithm=gmp"}));
            EXPECT_EQ(codeOf({length, seed, "operation=sub"}), ExitCode::kDone) << "the larger is A";
        }
    }
    EXPECT_NE(sumOf({"length=1000", "seed=1"}), sumOf({"length=1000", "seed=2"}));
}

TEST(MultiwordModule, ImpossiblePairsAreUsageErrors)
{
    for (const char* algorithm : {"paper-1-2", "lookahead", "simd", "gmp"})
        for (const char* backend : {"cuda", "host-kernel"})
            EXPECT_EQ(codeOf({"a=1", "b=1", std::string("algorithm=") + algorithm, std::string("backend=") + backend}),
                      ExitCode::kUsage)
                << algorithm << ", " << backend;
    for (const char* algorithm : {"paper-3", "lookback", "two-pass"})
        EXPECT_EQ(codeOf({"a=1", "b=1", std::string("algorithm=") + algorithm, "backend=cpu"}), ExitCode::kUsage);
    EXPECT_EQ(codeOf({"a=1", "b=1", "algorithm=none-such"}), ExitCode::kUsage);
}

TEST(MultiwordModule, AutoTakesTheProcessorWhereItCan)
{
    const auto placeOf = [](const char* algorithm, const char* backend) {
        const Result<JobResult> result =
            runWith({"a=1", "b=1", std::string("algorithm=") + algorithm, std::string("backend=") + backend});
        const std::string at = result->json.at("backend").text();
        return result->json.at("algorithm").get<std::string>() + ", " + (at == "cpu" ? at : "kernels");
    };
    EXPECT_EQ(placeOf("auto", "auto"), "simd, cpu");
    EXPECT_EQ(placeOf("recursive", "auto"), "recursive, cpu");
    EXPECT_EQ(placeOf("paper-3", "auto"), "paper-3, kernels");
    EXPECT_EQ(placeOf("auto", "host-kernel"), "lookback, kernels");
}

TEST(MultiwordModule, WhatDoesNotFitIsRefusedWithItsSize)
{
    const Result<JobResult> result = runWith({"length=4611686018427387904"});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ExitCode::kLimit);
    EXPECT_NE(result.error().message.find("EiB"), std::string::npos) << result.error().message;
    EXPECT_NE(result.error().message.find("available"), std::string::npos) << result.error().message;
}

TEST(MultiwordModule, OperandsThatAreNoNumbers)
{
    for (const char* text : {"", "0x", "g", "-1", "+1", " 1", "1 ", "1_000", "0x0x1", "1.0", "\x01", "\xff"})
        EXPECT_EQ(codeOf({std::string("a=") + text, "b=1"}), ExitCode::kInput) << '"' << text << '"';
    for (const char* text : {"f", "0x1", "1e3"})
        EXPECT_EQ(codeOf({std::string("a=") + text, "b=1", "decimal"}), ExitCode::kInput) << '"' << text << '"';
    EXPECT_EQ(codeOf({"a=1"}), ExitCode::kUsage);
    EXPECT_EQ(codeOf({"a=1", "b=1", "length=5"}), ExitCode::kUsage);
}

// ---- cancelling ----

// Returns the CPU time of this process or thread (milliseconds), which other load does not affect.
double workedMs(clockid_t whose = CLOCK_PROCESS_CPUTIME_ID)
{
    timespec time = {};
    clock_gettime(whose, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

constexpr double kPromisedMs = 100;  // per processor, from cancellation to the end

TEST(MultiwordModule, EveryProcessorAlgorithmIsCancelledWithin100Milliseconds)
{
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
    {
        ParameterValues values(multiwordModule().parameters());
        for (const std::string& assignment : {std::string("length=400000000"), std::string("repetitions=1000000"),
                                              std::string("threads=2"), "algorithm=" + std::string(nameOf(algorithm))})
            ASSERT_TRUE(assign(values, assignment));
        JobDevices devices;
        const auto job = startJob(multiwordModule(), values, {.wholeResult = true, .devices = &devices});
        ASSERT_TRUE(job);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));  // by now adding, or making operands
        ASSERT_EQ((*job)->state(), JobState::kRunning) << nameOf(algorithm);
        const double asked = workedMs();
        (*job)->cancel();
        while ((*job)->state() == JobState::kRunning)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        EXPECT_EQ((*job)->state(), JobState::kCancelled);
        EXPECT_LT(workedMs() - asked, 2 * kPromisedMs) << nameOf(algorithm);  // two threads
    }
}

// Cancels once the job has been in `phase` for `after`. Returns the CPU time until it ends (milliseconds per
// processor).
double cancelTime(const Assignments& assignments, const std::string& phase, std::chrono::milliseconds after)
{
    ParameterValues values(multiwordModule().parameters());
    for (const std::string& assignment : assignments)
        EXPECT_TRUE(assign(values, assignment));
    JobDevices devices;
    const auto job = startJob(multiwordModule(), values, {.wholeResult = true, .devices = &devices});
    while ((*job)->progress().phase() != phase && (*job)->state() == JobState::kRunning)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    std::this_thread::sleep_for(after);
    EXPECT_EQ((*job)->progress().phase(), phase);
    EXPECT_EQ((*job)->state(), JobState::kRunning);
    const double asked = workedMs();
    (*job)->cancel();
    while ((*job)->state() == JobState::kRunning)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    EXPECT_EQ((*job)->state(), JobState::kCancelled);
    return (workedMs() - asked) / double(std::max(std::thread::hardware_concurrency(), 1u));
}

// Returns the least of up to three cancelTime(), since a busy machine slows down a thread now and then.
double leastCancelTime(const Assignments& assignments, const std::string& phase, std::chrono::milliseconds after)
{
    double least = cancelTime(assignments, phase, after);
    for (int further = 0; further < 2 && least >= kPromisedMs; ++further)
        least = std::min(least, cancelTime(assignments, phase, after));
    return least;
}

TEST(MultiwordModule, KernelsOnTheHostAreCancelledWithin100Milliseconds)
{
    for (const AddKernel kernel : kAddKernels)
    {
        const std::string name(nameOf(kernel));
        EXPECT_LT(leastCancelTime({"length=100000000", "pattern=ones", "backend=host-kernel", "algorithm=" + name,
                                   "repetitions=1000"},
                                  name + ", host-kernel", std::chrono::milliseconds(200)),
                  kPromisedMs)
            << name;
    }
}

TEST(MultiwordModule, MakingAndReadingOperandsIsCancelledWithin100Milliseconds)
{
    EXPECT_LT(leastCancelTime({"length=3000000000"}, "making operands", std::chrono::milliseconds(5)), kPromisedMs);
    const std::string digits(20'000'000, '7');
    EXPECT_LT(
        leastCancelTime({"a=" + digits, "b=" + digits, "decimal"}, "reading operands", std::chrono::milliseconds(100)),
        kPromisedMs);
}

TEST(IntegerText, DecimalTextIsGivenUpWithin100Milliseconds)
{
    const Limbs number(std::size_t(1) << 20, 0x123456789abcdef);
    std::stop_source source;
    std::jthread asks([&source] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        source.request_stop();
    });
    const double start = workedMs(CLOCK_THREAD_CPUTIME_ID);
    EXPECT_EQ(integerText(number, false, Radix::kDecimal, source.get_token()), "");
    EXPECT_LT(workedMs(CLOCK_THREAD_CPUTIME_ID) - start, 50 + kPromisedMs);
}

// ---- text ----

TEST(IntegerText, GoesThereAndBack)
{
    test::Random random(4);
    for (int i = 0; i < 2000; ++i)
    {
        Limbs value = test::runsOfBits(random, i == 0 ? 20'000 : 1 + random.below(12));
        while (value.size() > 1 && value.back() == 0)
            value.pop_back();
        mpz_t number;
        mpz_init(number);
        mpz_import(number, value.size(), -1, 8, 0, 0, value.data());
        for (const auto& [radix, base] : {std::pair{Radix::kHexadecimal, 16}, std::pair{Radix::kDecimal, 10}})
        {
            const std::unique_ptr<char, void (*)(void*)> text(mpz_get_str(nullptr, base, number), std::free);
            EXPECT_EQ(integerText(value, false, radix), text.get());
            const Result<LimbBuffer> parsed = parseInteger("000" + std::string(text.get()), radix, "x");
            ASSERT_TRUE(parsed);
            EXPECT_EQ(Limbs(parsed->data(), parsed->data() + parsed->size()), value);
        }
        mpz_clear(number);
    }
    EXPECT_EQ(integerText(Limbs{0, 0}, true, Radix::kHexadecimal), "1" + std::string(32, '0'));
    EXPECT_EQ(integerText(Limbs{0}, true, Radix::kDecimal), "18446744073709551616");
}

class IntegerFile : public testing::Test
{
protected:
    void SetUp() override { path_ = testing::TempDir() + "orogen-integer-" + std::to_string(getpid()); }
    void TearDown() override { std::filesystem::remove(path_); }
    Result<LimbBuffer> read(const std::string& text, Radix radix = Radix::kHexadecimal) const
    {
        std::ofstream(path_, std::ios::binary) << text;
        return readInteger(path_, radix);
    }
    std::string path_;
};

TEST_F(IntegerFile, HoldsOneNumberAndComments)
{
    for (const char* text : {"ff", "ff\n", "# a\n\n  0xff # b\r\n#\n", "\t00FF\t", "#\nff"})
    {
        const Result<LimbBuffer> value = read(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ((*value)[0], 0xffu) << text;
        EXPECT_EQ(value->size(), 1u);
    }
    EXPECT_EQ((*read("255", Radix::kDecimal))[0], 255u);
}

TEST_F(IntegerFile, MalformedOnesNameThePlace)
{
    const struct
    {
        std::string text, names;
    } cases[] = {{"", "no number"},
                 {"\n\n", "no number"},
                 {"# ff", "no number"},
                 {"fg", ":1: 'g' at character 2"},
                 {"\n 1 2\n", ":2: ' ' at character 2"},
                 {"1\n2\n", ":2: a second number"},
                 {std::string("1\0", 2), "byte 0 at offset 1"},
                 {"0x", ":1: no number"},
                 {"-1", ":1: '-'"}};
    for (const auto& [text, names] : cases)
    {
        const Result<LimbBuffer> value = read(text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ExitCode::kInput);
        EXPECT_NE(value.error().message.find(names), std::string::npos) << value.error().message;
        EXPECT_NE(value.error().message.find(path_), std::string::npos) << value.error().message;
    }
    EXPECT_EQ(readInteger(path_ + "-none", Radix::kDecimal).error().code, ExitCode::kInput);
    EXPECT_EQ(readInteger(testing::TempDir(), Radix::kDecimal).error().code, ExitCode::kInput);
}

// ---- check of every run ----

TEST(MultiwordOracle, SeesOneWrongBitAndAWrongCarry)
{
    test::Random random(9);
    for (const Oracle oracle : {Oracle::kGmp, Oracle::kSchoolbook})
        for (int i = 0; i < 200; ++i)
        {
            const std::size_t limbs = i % 20 == 0 ? 5000 + random.below(9000) : 1 + random.below(20);
            const auto [a, b] = test::structuredPair(random, limbs);
            const bool carry = random.chance(1, 2), subtract = random.chance(1, 2);
            Limbs sum(limbs);
            CpuAdder adder({.algorithm = oracle == Oracle::kGmp ? CpuAlgorithm::kSimd : CpuAlgorithm::kGmp});
            const bool out = adder.add({a, b, sum, carry, subtract});
            EXPECT_TRUE(isSum({a, b, sum, carry, subtract}, out, oracle));
            EXPECT_FALSE(isSum({a, b, sum, carry, subtract}, !out, oracle));
            EXPECT_FALSE(isSum({a, b, sum, !carry, subtract}, out, oracle));
            sum[random.below(std::uint32_t(limbs))] ^= std::uint64_t(1) << random.below(64);
            EXPECT_FALSE(isSum({a, b, sum, carry, subtract}, out, oracle));
        }
}

// Operands, the sum and the sum that checks it need four times the memory of an operand.
TEST(MultiwordModule, ABatchThatCannotBeCheckedIsRefusedBeforeItIsMade)
{
    rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before;
    limit.rlim_cur = rlim_t(pages * std::uint64_t(::sysconf(_SC_PAGESIZE)) + (70u << 20));
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
    // 64 numbers of 320 KiB: 20 MiB.
    const Result<JobResult> result = runWith({"operation=add", "count=64", "length=2621440", "threads=1"}, false);
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ExitCode::kLimit);
    EXPECT_TRUE(result.error().message.starts_with("count and length: ")) << result.error().message;
}

}  // namespace
}  // namespace orogen::compute
