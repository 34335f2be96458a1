// orogen multiword: its output, against sums by hand.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class MultiwordCommand : public testing::Test
{
protected:
    static Finished multiword(Words arguments)
    {
        arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "multiword"});
        return test::runProgram(arguments);
    }
    std::string pairsFile(const std::string& name, const std::string& text) const
    {
        return write(name, text).substr(1);  // without '@'
    }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
        return "@" + folder_ + "/" + name;
    }
    // Returns the JSON of a run that must succeed.
    static Json json(Words arguments)
    {
        arguments.emplace_back("--json");
        const Finished run = multiword(arguments);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        return run.code == 0 ? Json::parse(run.out) : Json();
    }
    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
};

TEST_F(MultiwordCommand, AddsAndSubtracts)
{
    EXPECT_EQ(json({"add", "ff", "1"}).at("sum"), "100");
    EXPECT_EQ(json({"add", "0xff", "0x1"}).at("sum"), "100");
    EXPECT_EQ(json({"add", "0", "0"}).at("sum"), "0");
    EXPECT_EQ(json({"add", "ff", "1", "--carry-in"}).at("sum"), "101");
    EXPECT_EQ(json({"add", "99", "1", "--decimal"}).at("sum"), "64") << "in JSON always hexadecimal";
    EXPECT_EQ(json({"sub", "100", "1"}).at("sum"), "ff");
    EXPECT_EQ(json({"sub", "100", "1", "--carry-in"}).at("sum"), "fe");
    EXPECT_EQ(json({"sub", "5", "5"}).at("sum"), "0");
}

TEST_F(MultiwordCommand, MultipliesAndDivides)
{
    for (const char* algorithm : {"auto", "schoolbook", "karatsuba", "toom-3", "gmp"})
    {
        EXPECT_EQ(json({"multiply", "ffffffffffffffff", "ffffffffffffffff", "--algorithm", algorithm}).at("product"),
                  "fffffffffffffffe0000000000000001");
        EXPECT_EQ(json({"multiply", "0", "12", "--algorithm", algorithm}).at("product"), "0");
        const Json made = json({"multiply", "--length", "40000", "--algorithm", algorithm});
        EXPECT_EQ(made.at("check"), "equal");
        EXPECT_EQ(made.at("oracle"), std::string(algorithm) == "gmp" ? "toom-3" : "gmp");
    }
    EXPECT_EQ(json({"multiply", "--length", "70000"}).at("algorithm"), "toom-3");
    EXPECT_GT(json({"multiply", "--length", "70000"}).at("operations").at("levels"), 2);
    EXPECT_EQ(json({"multiply", "--length", "1000000"}).at("algorithm"), "gmp");
    EXPECT_NE(multiword({"multiply", "12345", "67890", "--decimal"}).out.find("838102050"), std::string::npos);
    for (const char* algorithm : {"auto", "gmp"})
    {
        const Json divided = json({"divide", "10000000000000000", "a", "--algorithm", algorithm});
        EXPECT_EQ(divided.at("quotient"), "1999999999999999");
        EXPECT_EQ(divided.at("remainder"), "6");
    }
    EXPECT_NE(multiword({"divide", "1000", "7", "--decimal"}).out.find("142\nremainder 6"), std::string::npos);
}

TEST_F(MultiwordCommand, AddsBatches)
{
    for (const char* operation : {"add", "sub"})
    {
        const Json batch = json({operation, "--count", "300", "--length", "130", "--seed", "5", "--threads", "2"});
        ASSERT_EQ(batch.at("sums").size(), 300u);
        EXPECT_EQ(batch.at("check"), "equal");
        for (const int i : {0, 1, 299})  // as each pair alone
            EXPECT_EQ(batch.at("sums")[std::size_t(i)],
                      json({operation, "--length", "130", "--seed", std::to_string(5 + i)}).at("sum"));
        EXPECT_EQ(
            json({operation, "--count", "300", "--length", "130", "--seed", "5", "--algorithm", "gmp"}).at("sums"),
            batch.at("sums"));
    }
    EXPECT_EQ(test::lineCount(multiword({"add", "--count", "3", "--length", "64"}).err), 0);
}

TEST_F(MultiwordCommand, AddsPairsOfAFile)
{
    const std::string file =
        pairsFile("pairs", "# a pair a line\n1 2\n\nffffffffffffffff\t0x1\r\n0 0 # nothing\n"
                           "fffffffffffffffffffffffffffffffff 000000000000000000000000000000000000001");
    const std::vector<std::string> sums = {"3", "10000000000000000", "0", "1000000000000000000000000000000000"};
    for (const std::string algorithm : {"simd", "gmp"})
    {
        const Json batch = json({"add", "--pairs", file, "--algorithm", algorithm});
        EXPECT_EQ(batch.at("sums"), Json(sums));
        EXPECT_EQ(batch.at("count"), 4);
        EXPECT_EQ(batch.at("bits"), 132);
        EXPECT_EQ(batch.at("check"), "equal");
    }
    EXPECT_EQ(json({"add", "--pairs", file, "--count", "1"}).at("sums"), Json({"3"}));
    EXPECT_TRUE(multiword({"add", "--pairs", file}).out.starts_with("3\n10000000000000000\n0\n1000"));
    const std::string decimal = pairsFile("decimal", "99999999999999999999 1\n5 5\n");
    EXPECT_TRUE(multiword({"sub", "--pairs", decimal, "--decimal"}).out.starts_with("99999999999999999998\n0\n"));
}

TEST_F(MultiwordCommand, RefusesPairsByTheirLine)
{
    struct Case
    {
        const char *text, *message;
        Words more = {};
    };
    const Case cases[] = {{"", ": no pair of numbers in it"},
                          {"1 2\n3\n", ":2: found one number, expected two numbers with blanks between them"},
                          {"1 2 3\n", ":1: found a third number, expected two numbers with blanks between them"},
                          {"1 2\n\n 12 3x4\n", ":3: 'x' at character 6, expected hexadecimal digits"},
                          {"1 2\n", ": found 1 pair, expected 2 (count)", {"--count", "2"}}};
    for (const Case& one : cases)
    {
        const std::string file = pairsFile("pairs", one.text);
        Words words = {"add", "--pairs", file};
        words.insert(words.end(), one.more.begin(), one.more.end());
        const Finished run = multiword(words);
        EXPECT_EQ(run.code, 5) << one.text;
        EXPECT_EQ(run.err, "orogen: " + file + one.message + "\n");
    }
    const std::string file = pairsFile("pairs", "2 1\n\n1 2\n");
    const Finished below = multiword({"sub", "--pairs", file});
    EXPECT_EQ(below.code, 5);
    EXPECT_EQ(below.err, "orogen: " + file + ":3: the first number is smaller than the second, expected A >= B\n");
    for (const Words& words :
         {Words{"multiply", "--pairs", file}, Words{"add", "1", "2", "--pairs", file},
          Words{"add", "--length", "64", "--pairs", file}, Words{"add", "--pairs", file, "--carry-in"},
          Words{"add", "--pairs", file, "--backend", "host-kernel"}})
        EXPECT_EQ(multiword(words).code, 2) << words[0] << " " << words[1];
}

TEST_F(MultiwordCommand, ProductsAndBatchesRefuseWhatTheyDoNotTake)
{
    const Words cases[] = {{"divide", "10", "0"},
                           {"divide", "10", "10000000000000000"},
                           {"multiply", "1"},
                           {"multiply", "1", "2", "--carry-in"},
                           {"multiply", "1", "2", "--length", "64"},
                           {"multiply", "1", "2", "--algorithm", "simd"},
                           {"multiply", "1", "2", "--backend", "host-kernel"},
                           {"multiply", "--length", "64", "--count", "3"},
                           {"add", "1", "2", "--count", "3"},
                           {"add", "--length", "64", "--count", "0"},
                           {"add", "--length", "64", "--count", "3", "--algorithm", "paper-1-2"}};
    for (const Words& words : cases)
    {
        const Finished run = multiword(words);
        EXPECT_EQ(run.code, 2) << words[0] << " " << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
    EXPECT_EQ(multiword({"multiply", "xyz", "1"}).code, 5);
    EXPECT_EQ(multiword({"add", "--length", "1000000000000", "--count", "1000000000000"}).code, 6);
}

TEST_F(MultiwordCommand, HasTheContractsKeys)
{
    const Json result = json({"add", "ffff", "1"});
    EXPECT_EQ(result.at("bits"), 16);
    EXPECT_EQ(result.at("carry_out"), 1);
    EXPECT_EQ(result.at("algorithm"), "simd");
    EXPECT_EQ(result.at("backend"), "cpu");
    EXPECT_TRUE(result.at("time_ms").is_object());
    EXPECT_FALSE(result.contains("executor"));

    const Json paper = json({"add", "--length", "65536", "--algorithm", "paper-1-2", "--threads", "1"});
    EXPECT_EQ(paper.at("operations").at("algorithm_1"), 6 * 4096 + 3 * 256 + 1);
    EXPECT_EQ(paper.at("operations").at("algorithm_2"), 6 * 256 * 16 - 2 * 256);
    EXPECT_EQ(json({"add", "--length", "4096", "--algorithm", "paper-1-2", "--word-bits", "64"})
                  .at("operations")
                  .at("algorithm_1"),
              6 * 64 + 3 + 1);

    const Json kernel = json({"add", "ffff", "1", "--backend", "host-kernel"});
    EXPECT_EQ(kernel.at("sum"), "10000");
    EXPECT_EQ(kernel.at("backend"), "host-kernel");
    for (const char* count : {"blocks", "threads", "switches"})
        EXPECT_GT(kernel.at("executor").at(count), 0) << count;
}

// The table of assets/docs/understand/compute.md, for 100,000 bits: 1,563 limbs, 391 groups of paper-1-2 and paper-3.
TEST_F(MultiwordCommand, CountsAdditionsAndSynchronisationsOnEveryBackEnd)
{
    struct Row
    {
        const char *algorithm, *backend;
        int additions, synchronisations, levels = 0, lookaheadSteps = 0;
    };
    for (const Row& row : {Row{"simd", "cpu", 1, 0}, Row{"gmp", "cpu", 1, 0}, Row{"lookahead", "cpu", 2, 0, 0, 22},
                           Row{"paper-1-2", "cpu", 393, 0}, Row{"recursive", "cpu", 5, 0, 2},
                           Row{"recursive", "host-kernel", 5, 4, 2}, Row{"paper-3", "host-kernel", 394, 783},
                           Row{"lookback", "host-kernel", 2, 0}, Row{"two-pass", "host-kernel", 3, 2}})
    {
        const Json counted = json({"add", "--length", "100000", "--threads", "1", "--algorithm", row.algorithm,
                                   "--backend", row.backend})
                                 .at("operations");
        EXPECT_EQ(counted.at("additions"), row.additions) << row.algorithm << ", " << row.backend;
        EXPECT_EQ(counted.at("synchronisations"), row.synchronisations) << row.algorithm << ", " << row.backend;
        EXPECT_EQ(counted.value("levels", 0), row.levels) << row.algorithm << ", " << row.backend;
        EXPECT_EQ(counted.value("lookahead_steps", 0), row.lookaheadSteps) << row.algorithm << ", " << row.backend;
    }
}

TEST_F(MultiwordCommand, EveryAlgorithmGivesTheSameSum)
{
    const Words made = {"add", "--length", "5000", "--seed", "9", "--carry-in"};
    const std::string expected = json(made).at("sum");
    const struct
    {
        std::string algorithm, backend;
    } pairs[] = {{"paper-1-2", "cpu"},
                 {"lookahead", "cpu"},
                 {"recursive", "cpu"},
                 {"simd", "cpu"},
                 {"gmp", "cpu"},
                 {"paper-3", "host-kernel"},
                 {"recursive", "host-kernel"},
                 {"lookback", "host-kernel"},
                 {"two-pass", "host-kernel"}};
    for (const auto& [algorithm, backend] : pairs)
    {
        Words arguments = made;
        arguments.insert(arguments.end(), {"--algorithm", algorithm, "--backend", backend});
        const Json result = json(arguments);
        EXPECT_EQ(result.at("sum"), expected) << algorithm;
        EXPECT_EQ(result.at("algorithm"), algorithm);
        EXPECT_EQ(result.at("backend"), backend);
    }
}

TEST_F(MultiwordCommand, ReadsNumbersFromFiles)
{
    const std::string a = write("a", "# the first\n0xffffffffffffffffffff\n"), b = write("b", "1 # the other\r\n");
    EXPECT_EQ(json({"add", a, b}).at("sum"), "100000000000000000000");
    EXPECT_EQ(json({"add", write("c", "255"), "1", "--decimal"}).at("sum"), "100");
}

TEST_F(MultiwordCommand, IsReadableWithoutJson)
{
    const Finished run = multiword({"add", "99", "1", "--decimal"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out.substr(0, run.out.find('\n')), "100");
    EXPECT_NE(run.out.find("equal (gmp)"), std::string::npos) << run.out;
    const Finished longer = multiword({"add", "--length", "100000"});
    EXPECT_LT(longer.out.find('\n'), 200u) << "numbers that nobody gave are shown by their ends";
}

// The result stands alone on its line; the following lines explain it.
TEST_F(MultiwordCommand, SaysThatItsNumbersAreHexadecimal)
{
    const Finished run = multiword({"add", "123", "456"});
    EXPECT_TRUE(run.out.starts_with("579\n\nnumbers ")) << run.out;
    EXPECT_NE(run.out.find("operands and result in hexadecimal; --decimal"), std::string::npos) << run.out;
    EXPECT_EQ(multiword({"add", "99", "1", "--decimal"}).out.find("result in hexadecimal"), std::string::npos);
}

TEST_F(MultiwordCommand, ComparesWithGmpOnlyWhereThatCanBeTimed)
{
    EXPECT_EQ(multiword({"add", "123", "456"}).out.find("times as fast"), std::string::npos);
    EXPECT_EQ(multiword({"add", "--length", "65535"}).out.find("times as fast"), std::string::npos);
    const std::string longer = multiword({"add", "--length", "65536"}).out;
    ASSERT_NE(longer.find("times as fast as gmp"), std::string::npos) << longer;
    EXPECT_GT(longer.find("times as fast"), longer.find("carry out")) << "behind what was calculated";
    EXPECT_TRUE(json({"add", "123", "456"}).at("time_ms").contains("gmp"));
}

TEST_F(MultiwordCommand, ErrorsAreOneLineWithTheirExitCode)
{
    const std::string two = write("two", "1\n2\n"), empty = write("empty", "# nothing\n");
    const struct
    {
        Words arguments;
        int code;
        std::string names;
    } cases[] = {{{"add", "xyz", "1"}, 5, "'x' at character 1"},
                 {{"add", "1", ""}, 5, "B"},
                 {{"add", "ff", "1", "--decimal"}, 5, "'f'"},
                 {{"add", "-1", "1"}, 5, "'-'"},
                 {{"add", "@" + folder_ + "/none", "1"}, 5, folder_ + "/none"},
                 {{"add", "@" + folder_, "1"}, 5, folder_},
                 {{"add", two, "1"}, 5, "two:2"},
                 {{"add", empty, "1"}, 5, "no number"},
                 {{"sub", "1", "2"}, 2, "A >= B"},
                 {{"add", "1"}, 2, "two numbers"},
                 {{"add", "1", "2", "3"}, 2, "3"},
                 {{"add", "1", "2", "--length", "5"}, 2, "either"},
                 {{"add", "--length", "0"}, 2, "from 1"},
                 {{"add", "--length", "1000000000000000"}, 6, "available"},
                 {{"add", "1", "2", "--threads", "0"}, 2, "1 to 1024"},
                 {{"add", "1", "2", "--word-bits", "65"}, 2, "1 to 64"},
                 {{"multiply", "1", "2", "--word-bits", "32"}, 2, "word-bits: expected with add or sub"},
                 {{"add", "1", "2", "--pattern", "ones"}, 2, "pattern, seed: expected with a length"},
                 {{"divide", "1", "2", "--seed", "2"}, 2, "pattern, seed: expected with a length"},
                 {{"add", "--pairs", two, "--seed", "2"}, 2, "pattern, seed: expected with a length"},
                 {{"add", "1", "2", "--pattern", "zeros"}, 2, "alternating"},
                 {{"add", "1", "2", "--algorithm", "fast"}, 2, "lookahead"},
                 {{"add", "1", "2", "--backend", "gpu"}, 2, "host-kernel"},
                 {{"add", "1", "2", "--algorithm", "simd", "--backend", "host-kernel"}, 2, "lookback"},
                 {{"add", "1", "2", "--algorithm", "lookback", "--backend", "cpu"}, 2, "paper-1-2"},
                 {{"add", "1", "2", "--frobnicate"}, 2, "--frobnicate"},
                 {{"power", "1", "2"}, 2, "expected one of"},
                 {{}, 2, "expected one of"}};
    for (const auto& [arguments, code, names] : cases)
    {
        const Finished run = multiword(arguments);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find(names), std::string::npos) << run.err;
    }
}

// Without a GPU, CUDA by name is an error with its reason; nothing else changes.
TEST_F(MultiwordCommand, CudaByNameWorksOrSaysWhyNot)
{
    const Finished run = multiword({"add", "ff", "1", "--backend", "cuda", "--json"});
    if (run.code == 0)
    {
        EXPECT_EQ(Json::parse(run.out).at("backend"), "cuda");
        EXPECT_EQ(Json::parse(run.out).at("sum"), "100");
        return;
    }
    EXPECT_EQ(run.code, 7) << run.err;
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    EXPECT_NE(run.err.find("cuda"), std::string::npos) << run.err;
}

TEST_F(MultiwordCommand, StopsOnInterrupt)
{
    test::RunningProgram program(
        {OROGEN_PROGRAM, "multiword", "add", "--length", "100000000", "--repetitions", "1000000"}, {});
    EXPECT_TRUE(program.waitUntilHandles(SIGINT));
    usleep(200'000);
    program.signal(SIGINT);
    const Finished run = program.finish();
    EXPECT_EQ(run.code, 130);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
}

}  // namespace
}  // namespace orogen
