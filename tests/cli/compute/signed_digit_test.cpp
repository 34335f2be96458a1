// orogen signed-digit: exact results, documented JSON keys, and one line with the documented exit code on errors.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
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

class SignedDigitCommand : public testing::Test
{
protected:
    static Finished signedDigit(Words arguments)
    {
        arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "signed-digit"});
        return test::runProgram(arguments);
    }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
        return folder_ + "/" + name;
    }
    // Returns the JSON of a run that must succeed.
    static Json json(Words arguments)
    {
        arguments.emplace_back("--json");
        const Finished run = signedDigit(arguments);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        return run.code == 0 ? Json::parse(run.out) : Json();
    }
    static std::string result(const Words& arguments) { return json(arguments).value("result", "none"); }
    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
};

TEST_F(SignedDigitCommand, Sums)
{
    EXPECT_EQ(result({"sum", write("paper", "556\n179\n979\n")}), "1714");
    EXPECT_EQ(result({"sum", write("mixed", "# far apart\n1e25\n\n  -12.5e-3 # one\r\n+.5\n")}),
              "10000000000000000000000000.4875");
    EXPECT_EQ(result({"sum", write("zero", "-1\n1")}), "0");
    const std::string far = result({"sum", write("far", "1e300\n1e-300\n")});
    EXPECT_EQ(far, fmt::format("1{:0>300}.{:0>300}", 0, 1));
    EXPECT_EQ(result({"sum", write("farthest", "1e1000000\n")}), "1e1000000");
}

TEST_F(SignedDigitCommand, MultipliesAndSubtracts)
{
    EXPECT_EQ(result({"multiply", "-12.5e-3", "8"}), "-0.1");
    EXPECT_EQ(result({"multiply", fmt::format("@{}", write("a", "99999999999\n")), "99999999999"}),
              "9999999999800000000001");
    EXPECT_EQ(result({"subtract", "1", "1e-5"}), "0.99999");
    EXPECT_EQ(result({"subtract", "-1", "-1"}), "0");
    EXPECT_EQ(result({"subtract", "0.1", "1e2", "--digit-set", "7"}), "-99.9");
}

TEST_F(SignedDigitCommand, ShowsDigitsAndSteps)
{
    const Json number = json({"show", "1995"});
    EXPECT_EQ(number["digits"], (std::vector<int>{2, 0, -1, 5}));  // the digits are -6 ... 6
    EXPECT_EQ(number["exponent"], 0);
    EXPECT_EQ(number["synchronisations"], 0);
    EXPECT_EQ(number["steps"], Json::array());
    const Json sum = json({"show", "36", "31", "--digits", "6"});
    EXPECT_EQ(sum["result"], "67");
    EXPECT_EQ(sum["synchronisations"], 1);
    ASSERT_EQ(sum["steps"].size(), 1u);
    EXPECT_EQ(sum["check"], "equal");
    for (const std::string key : {"addend", "transfer", "interim", "digits"})
        EXPECT_TRUE(sum["steps"][0].contains(key)) << key;
    EXPECT_EQ(json({"show", "556", "979", "--algorithm", "second"})["synchronisations"], 2);
    EXPECT_EQ(json({"show", "556", "979", "--algorithm", "second"})["columns"], (std::vector<int>{14, 12, 15}));
    EXPECT_EQ(json({"show", "556", "979", "--algorithm", "regrouped"})["synchronisations"], 1);
    EXPECT_EQ(json({"show", "0", "-0.5", "--digits", "7"})["result"], "-0.5");
    EXPECT_EQ(signedDigit({"show", "1", "2", "--digits", "8"}).code, 2);
    EXPECT_EQ(signedDigit({"show", "1e1000000", "1"}).code, 6);
    EXPECT_EQ(signedDigit({"show"}).code, 2);
    EXPECT_NE(signedDigit({"show", "abc"}).err.find("N: 'a' at character 1"), std::string::npos);
}

TEST_F(SignedDigitCommand, DotProductOfThePaper)
{
    const std::string x = write("x", "10\n1223\n1\n0.1\n3\n-1e-4\n"),
                      y = write("y", "1e18\n2\n-1e19\n1e18\n2111\n1e21\n");
    for (const std::string algorithm : {"digit-loop", "paper", "product", "gmp"})
        EXPECT_EQ(result({"dot", x, y, "--algorithm", algorithm}), "8779") << algorithm;
}

TEST_F(SignedDigitCommand, ReadsDoublesExactly)
{
    const std::string file = write("tenth", "0.1\n0.2\n");
    EXPECT_EQ(result({"sum", file}), "0.3");
    EXPECT_EQ(result({"sum", file, "--float64"}), "0.3000000000000000166533453693773481063544750213623046875");
    EXPECT_EQ(result({"subtract", "9007199254740993", "0", "--float64"}), "9007199254740992");
}

TEST_F(SignedDigitCommand, HasTheContractsKeys)
{
    const Json sum = json({"sum", "--count", "1000", "--digits", "30", "--seed", "3"});
    for (const char* time : {"convert", "upload", "kernel", "download", "total"})
        EXPECT_TRUE(sum.at("time_ms").at(time).is_number()) << time;
    EXPECT_EQ(sum.at("algorithm"), "columns");
    EXPECT_EQ(sum.at("backend"), "cpu");
    EXPECT_EQ(sum.at("check"), "equal");
    EXPECT_EQ(json({"subtract", "1000", "1"}).at("digits"), 3);
}

// Expects k - 1 additions and d - 1 synchronisations (paper 000) on every back end; other methods report none.
TEST_F(SignedDigitCommand, SumsCountAdditionsAndSynchronisationsOnEveryBackEnd)
{
    const std::string paper = write("paper", "556\n179\n979\n"), signs = write("signs", "556\n-179\n979\n1\n");
    const struct
    {
        const char *file, *algorithm;
        Json operations;
    } cases[] = {{"paper", "first", {{"additions", 2}, {"synchronisations", 2}}},
                 {"paper", "second", {{"additions", 2}, {"synchronisations", 2}}},
                 {"paper", "regrouped", {{"additions", 1}, {"synchronisations", 1}}},
                 {"paper", "columns", {{"additions", 0}, {"synchronisations", 0}}},
                 {"signs", "first", {{"additions", 3}, {"synchronisations", 3}}},
                 {"signs", "second", {{"additions", 2}, {"synchronisations", 2}}}};
    for (const auto& [file, algorithm, operations] : cases)
        for (const char* backend : {"cpu", "host-kernel"})
        {
            const std::string& numbers = *file == 'p' ? paper : signs;
            const Json sum = json({"sum", numbers, "--algorithm", algorithm, "--backend", backend});
            EXPECT_EQ(sum.at("operations"), operations) << file << ", " << algorithm << ", " << backend;
        }
    EXPECT_EQ(json({"sum", paper, "--algorithm", "paper-threads"}).at("operations").at("synchronisations"), 2);
    EXPECT_EQ(json({"sum", paper, "--algorithm", "digit-loop"}).at("operations"),
              Json({{"additions", 2}, {"synchronisations", 0}}));
    EXPECT_EQ(json({"subtract", "1000", "1"}).at("operations").at("synchronisations"), 1);
    EXPECT_EQ(json({"multiply", "123", "45", "--algorithm", "paper"}).at("operations").at("additions"), 3);
    EXPECT_FALSE(json({"multiply", "123", "45"}).contains("operations"));
}

// Compares errors of double and single precision on the paper's dot product: erratum 10 at beta = 18.
TEST_F(SignedDigitCommand, SaysWhatDoubleAndSingleLoseOnTheSameNumbers)
{
    const std::string x = write("x", "10\n1223\n1\n0.1\n3\n-1e-4\n"),
                      y = write("y", "1e18\n2\n-1e19\n1e18\n2111\n1e21\n");
    const Json lost = json({"dot", x, y}).at("relative_error_percent");
    EXPECT_NEAR(lost.at("double").get<double>(), 4.5, 0.05);
    EXPECT_EQ(lost.at("single"), 100.0);
    const Json tenths = json({"sum", write("tenths", "0.5\n0.25\n")}).at("relative_error_percent");
    EXPECT_EQ(tenths.at("double"), 0.0);
    EXPECT_EQ(tenths.at("single"), 0.0);
    const Json difference = json({"subtract", "9007199254740993", "9007199254740992"}).at("relative_error_percent");
    EXPECT_EQ(difference.at("double"), 100.0) << "the first is no double";
    const Json huge = json({"sum", write("huge", "1e400\n1e400\n")}).at("relative_error_percent");
    EXPECT_TRUE(huge.at("double").is_null());
    const Finished run = signedDigit({"dot", x, y});
    EXPECT_NE(run.out.find("error, double            4.5 %"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("error, single            100 %"), std::string::npos) << run.out;
}

TEST_F(SignedDigitCommand, SaysHowManyTimesAsFastAsTheDigitLoopItIs)
{
    const Json columns = json({"sum", "--count", "100000", "--repetitions", "5"});
    EXPECT_GT(columns.at("k_abs"), 5.0);
    EXPECT_EQ(columns.at("digit_loop").at("rows"), 100'000);
    EXPECT_NEAR(columns.at("digit_loop").at("rows_timed").get<double>(), 80'000, 2);
    const double ms = columns.at("time_ms").at("kernel").get<double>();
    EXPECT_NEAR(columns.at("k_abs").get<double>(), columns.at("digit_loop").at("ms").get<double>() / ms, 1e-9);
    const Json loop =
        json({"sum", "--count", "100000", "--repetitions", "5", "--algorithm", "digit-loop", "--threads", "1"});
    EXPECT_GT(loop.at("k_abs"), 0.2);
    EXPECT_LT(loop.at("k_abs"), 5.0);
    EXPECT_NE(signedDigit({"dot", "--count", "100"}).out.find("\nK_abs "), std::string::npos);
}

TEST_F(SignedDigitCommand, KernelsCountWhatTheyRan)
{
    const Json found = json({"sum", "--count", "50", "--backend", "host-kernel"});
    EXPECT_EQ(found.at("backend"), "host-kernel");
    for (const char* count : {"blocks", "threads", "switches"})
        EXPECT_GT(found.at("executor").at(count), 0) << count;
    EXPECT_FALSE(json({"sum", "--count", "50"}).contains("executor"));
}

// Without a GPU, or without CUDA in the build, CUDA by name is an error with its reason.
TEST_F(SignedDigitCommand, CudaByNameWorksOrSaysWhyNot)
{
    const std::string file = write("numbers", "1.5\n-2.25\n");
    const Words commands[] = {{"sum", file}, {"dot", file, file}, {"multiply", "12", "3.5"}, {"subtract", "12", "3.5"}};
    for (Words command : commands)
    {
        command.insert(command.end(), {"--backend", "cuda", "--json"});
        const Finished run = signedDigit(command);
        if (run.code == 0)
        {
            EXPECT_EQ(Json::parse(run.out).at("backend"), "cuda") << command[0];
            continue;
        }
        EXPECT_EQ(run.code, 7) << command[0];
        EXPECT_EQ(run.out, "") << command[0];
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find("cuda is not usable: "), std::string::npos) << run.err;
    }
}

TEST_F(SignedDigitCommand, EveryAlgorithmGivesTheSameResult)
{
    for (const std::string spread : {"0", "9", "400"})
    {
        const Words made = {"--count", "300", "--digits", "41", "--spread", spread, "--seed", "5", "--algorithm"};
        const auto with = [&](Words words, const std::string& algorithm) {
            words.insert(words.end(), made.begin(), made.end());
            words.push_back(algorithm);
            const Json found = json(words);
            EXPECT_EQ(found.at("algorithm"), algorithm);
            EXPECT_EQ(found.at("check"), "equal");
            return found.at("result").get<std::string>();
        };
        const std::string sum = with({"sum"}, "gmp"), dot = with({"dot"}, "gmp");
        for (const std::string algorithm : {"digit-loop", "first", "second", "regrouped", "columns", "base1e9"})
            EXPECT_EQ(with({"sum"}, algorithm), sum) << algorithm;
        for (const std::string algorithm : {"digit-loop", "paper", "product"})
            EXPECT_EQ(with({"dot"}, algorithm), dot) << algorithm;
        for (const std::string algorithm : {"first", "second", "regrouped", "columns"})
            EXPECT_EQ(with({"sum", "--backend", "host-kernel"}, algorithm), sum) << algorithm;
        for (const std::string algorithm : {"paper", "product"})
            EXPECT_EQ(with({"dot", "--backend", "host-kernel"}, algorithm), dot) << algorithm;
    }
}

TEST_F(SignedDigitCommand, Transforms)
{
    std::string coordinates;
    for (int i = 1; i <= 64; ++i)  // formula 2 of the paper, with alpha = 1e4
        coordinates += fmt::format("{}{}.{}\n", i % 2 == 0 ? "1000" : "", i / 10, i % 10);
    const std::string file = write("paper", coordinates);
    const Json found = json({"dft", file});
    const Json& errors = found.at("max_relative_error_percent");
    EXPECT_LE(errors.at("signed_digit").get<double>(), found.at("bound").get<double>());
    EXPECT_LT(found.at("bound").get<double>(), 1e-35);
    EXPECT_LT(errors.at("double").get<double>(), errors.at("single").get<double>());
    EXPECT_GT(errors.at("single").get<double>(), 0.1);
    EXPECT_EQ(found.at("result").size(), 64u);
    EXPECT_EQ(json({"dft", file, "--backend", "host-kernel"}).at("result"), found.at("result"));
    EXPECT_GT(json({"dft", file, "--twiddle-digits", "20"}).at("bound").get<double>(), 1e-20);
    const Json flat = json({"dft", write("flat", "3\n3\n3\n3\n")});
    EXPECT_EQ(flat.at("result").at(0), Json::array({"3", "0"}));
    EXPECT_EQ(flat.at("result").at(2), Json::array({"0", "0"}));
    EXPECT_EQ(signedDigit({"dft", write("huge", "1e400\n")}).code, 5);
    EXPECT_EQ(signedDigit({"dft", file, "--twiddle-digits", "301"}).code, 2);
    EXPECT_EQ(signedDigit({"dft", file, "--algorithm", "paper"}).code, 2);
}

TEST_F(SignedDigitCommand, TransformsComplexNumbersAndBack)
{
    const std::string file = write("complex", "1 2 # a real and an imaginary part\n\n-3.5\t0.25\r\n7\n");
    const Json there = json({"dft", file, "--complex", "--twiddle-digits", "30"});
    EXPECT_EQ(there.at("result").at(0), Json::array({"1.5", "0.75"}));
    EXPECT_EQ(there.at("oracle"), "gmp, bound");
    EXPECT_LE(there.at("distance").at("found").get<double>(), there.at("distance").at("bound").get<double>());
    std::string spectrum;
    for (const Json& value : there.at("result"))
        spectrum += value.at(0).get<std::string>() + " " + value.at(1).get<std::string>() + "\n";
    const Json back = json({"dft", write("spectrum", spectrum), "--inverse", "--twiddle-digits", "30"});
    const double expected[][2] = {{1, 2}, {-3.5, 0.25}, {7, 0}};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t part = 0; part < 2; ++part)
            EXPECT_NEAR(std::stod(back.at("result").at(i).at(part).get<std::string>()), expected[i][part], 1e-14);
    EXPECT_EQ(json({"dft", "--count", "5", "--digits", "3", "--complex", "--inverse"}).at("check"), "equal");
    const Finished third = signedDigit({"dft", write("three", "1 2\n1 2 3\n"), "--complex"});
    EXPECT_EQ(third.code, 5);
    EXPECT_NE(third.err.find("three:2: a third number at character 5, expected at most two"), std::string::npos)
        << third.err;
    EXPECT_EQ(signedDigit({"sum", file, "--inverse"}).code, 2);
}

TEST_F(SignedDigitCommand, Divides)
{
    EXPECT_EQ(result({"divide", "1", "7", "--digits", "30"}), "0.142857142857142857142857142857");
    EXPECT_EQ(result({"divide", "1", "-7", "--digits", "3", "--algorithm", "gmp"}), "-0.143");
    const Json exact = json({"divide", "-22.5", "1e3", "--digits", "5"});
    EXPECT_EQ(exact.at("result"), "-0.0225");
    EXPECT_EQ(exact.at("remainder"), "0");
    EXPECT_EQ(exact.at("exact"), true);
    const Json tie = json({"divide", "1", "8", "--digits", "2"});
    EXPECT_EQ(tie.at("result"), "0.12") << "halves go to the even digit";
    EXPECT_EQ(tie.at("remainder"), "0.04");
    EXPECT_GT(tie.at("operations").at("synchronisations").get<int>(), 0);
    EXPECT_EQ(json({"divide", "--count", "1", "--digits", "2000"}).at("check"), "equal");
    EXPECT_EQ(signedDigit({"divide", "1", "0.00"}).code, 2);
}

TEST_F(SignedDigitCommand, IsReadableWithoutJson)
{
    const Finished run = signedDigit({"subtract", "3", "5"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out.substr(0, run.out.find('\n')), "-2");
    EXPECT_NE(run.out.find("equal (gmp)"), std::string::npos) << run.out;
    const Finished longer = signedDigit({"sum", "--count", "3", "--digits", "10000"});
    EXPECT_LT(longer.out.find('\n'), 200u) << "numbers that nobody gave are shown by their ends";
}

TEST_F(SignedDigitCommand, ErrorsAreOneLineWithTheirExitCode)
{
    const std::string good = write("good", "1\n2\n"), empty = write("empty", "# nothing\n\n");
    const struct
    {
        Words arguments;
        int code;
        std::string names;
    } cases[] = {{{"sum", write("word", "1\n 2\n  3x # no\n")}, 5, "word:3: 'x' at character 4"},
                 {{"sum", write("two", "1 2\n")}, 5, "two:1: ' ' at character 2"},
                 {{"sum", write("nan", "nan\n")}, 5, "nan:1: 'n' at character 1"},
                 {{"sum", write("high", "5\n1e1000001\n")}, 5, "high:2: the exponent at character 3 is beyond 1000000"},
                 {{"sum", write("low", "1e-1000001\n")}, 5, "beyond -1000000"},
                 {{"sum", write("double", "1e309\n"), "--float64"}, 5, "double:1: the number at character 1"},
                 {{"sum", empty}, 5, "no number"},
                 {{"sum", write("nothing", "")}, 5, "no number"},
                 {{"sum", folder_ + "/none"}, 5, folder_ + "/none"},
                 {{"sum", folder_}, 5, folder_},
                 {{"dot", good, write("three", "1\n2\n3\n")}, 5, "2 numbers"},
                 {{"multiply", "1", "x"}, 5, "B: 'x' at character 1"},
                 {{"multiply", fmt::format("@{}", good), "1"}, 5, "expected one"},
                 {{"sum"}, 2, "a file"},
                 {{"dot", good}, 2, "two files"},
                 {{"subtract", "1"}, 2, "two numbers"},
                 {{"sum", good, good}, 2, "good"},
                 {{"sum", good, "--count", "5"}, 2, "either"},
                 {{"sum", good, "--y", good}, 2, "--y"},
                 {{"sum", good, "--seed", "5"}, 2, "with a count"},
                 {{"sum", "--count", "0"}, 2, "from 1"},
                 {{"multiply", "--count", "2"}, 2, "expected 1"},
                 {{"sum", "--count", "3", "--spread", "1000001"}, 2, "1000000"},
                 {{"sum", "--count", "1000000000000", "--digits", "1000000000"}, 6, "available"},
                 {{"sum", good, "--algorithm", "product"}, 2, "base1e9"},
                 {{"dot", good, good, "--algorithm", "columns"}, 2, "product"},
                 {{"sum", good, "--algorithm", "fast"}, 2, "regrouped"},
                 {{"sum", good, "--algorithm", "gmp", "--backend", "host-kernel"}, 2, "regrouped"},
                 {{"sum", good, "--digit-set", "8"}, 2, "6 to 7"},
                 {{"sum", good, "--threads", "0"}, 2, "1 to 1024"},
                 {{"power", "1", "2"}, 2, "expected one of"},
                 {{}, 2, "expected one of"}};
    for (const auto& [arguments, code, names] : cases)
    {
        const Finished run = signedDigit(arguments);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find(names), std::string::npos) << run.err;
    }
}

using SignedDigitCommandThorough = SignedDigitCommand;

TEST_F(SignedDigitCommandThorough, BenchmarkChecksWhatItTimes)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "signed-digit", "--quick", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json found = Json::parse(run.out);
    std::set<std::string> rows;
    for (const Json& row : found.at("rows"))
    {
        if (row.at("backend") == "cpu")
            rows.insert(fmt::format("{} {} {}{}", row.at("operation").get<std::string>(),
                                    row.at("algorithm").get<std::string>(), row.at("input").get<std::string>(),
                                    row.at("threads") == 1 ? "" : " threads"));
        const Json& ms = row.at("time_ms");
        EXPECT_EQ(row.at("check"), true) << row;
        EXPECT_GT(ms.at("minimum"), 0) << row;
        EXPECT_GE(ms.at("median"), ms.at("minimum")) << row;
        EXPECT_NEAR(row.at("ratio").get<double>(), ms.at("gmp_minimum").get<double>() / ms.at("minimum").get<double>(),
                    1e-9);
        EXPECT_GT(row.at("gigabytes_per_second"), 0) << row;
        EXPECT_EQ(row.at("ratio_digit_loop") == 1, row.at("algorithm") == "digit-loop") << row;
        EXPECT_EQ(row.at("ratio_digit_loop").is_null(), row.at("operation") == "read") << row;
        EXPECT_EQ(ms.contains("kernel"), row.at("backend") != "cpu") << row;
    }
    for (const char* row : {"sum digit-loop resident", "sum first resident", "sum second resident",
                            "sum regrouped resident", "sum columns resident", "sum base1e9 resident", "sum gmp text",
                            "read decimal-file text", "dot digit-loop resident", "dot paper resident",
                            "dot product resident", "dot product digits", "dot gmp text"})
        EXPECT_TRUE(rows.contains(row)) << row;
    for (const char* row :
         {"sum columns resident threads", "sum base1e9 resident threads", "dot product resident threads"})
        EXPECT_EQ(rows.contains(row), std::thread::hardware_concurrency() > 1) << row;
}

// Without a device, the output has a reason instead of figures.
TEST_F(SignedDigitCommandThorough, BenchmarkNamesWhatItCouldNotMeasure)
{
    const Json info = Json::parse(test::runProgram({OROGEN_PROGRAM, "info", "--json"}).out);
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "signed-digit", "--quick", "--json"});
    const Json found = Json::parse(run.out);
    std::set<std::string> backends;
    for (const Json& row : found.at("rows"))
        backends.insert(row.at("backend"));
    if (info.at("cuda").at("available") == true)
    {
        EXPECT_EQ(backends, (std::set<std::string>{"cpu", "cuda", "cuda, with transfers"}));
    }
    else
    {
        EXPECT_EQ(backends, std::set<std::string>{"cpu"});
        EXPECT_NE(found.at("left_out").dump().find("no CUDA device"), std::string::npos);
    }
}

TEST_F(SignedDigitCommand, StopsOnInterrupt)
{
    test::RunningProgram program({OROGEN_PROGRAM, "signed-digit", "sum", "--count", "200000", "--algorithm", "first",
                                  "--repetitions", "1000000"},
                                 {});
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
