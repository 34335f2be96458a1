// orogen cg: its output, against residuals by hand.
#include <cmath>
#include <csignal>
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

const std::string kArray = "%%MatrixMarket matrix array real general\n";
const std::string kList = "%%MatrixMarket matrix coordinate real symmetric\n";

class CgCommand : public testing::Test
{
protected:
    static Finished solve(Words arguments)
    {
        arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "cg", "solve"});
        return test::runProgram(arguments);
    }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
        return folder_ + "/" + name;
    }
    static Json json(Words arguments, int code = 0)
    {
        arguments.emplace_back("--json");
        const Finished run = solve(arguments);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.err, "");
        return run.code == code ? Json::parse(run.out) : Json();
    }
    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
};

TEST_F(CgCommand, SolvesFiles)
{
    const std::string a = write("a", kList + "3 3 4\n1 1 4\n2 2 5\n3 3 6\n3 1 1\n");
    const std::string b = write("b", kArray + "3 1\n6\n10\n13\n");
    for (const std::string algorithm :
         {"auto", "paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cholesky", "cramer"})
    {
        const Json with = json({a, b, "--algorithm", algorithm}), without = json({a, "--algorithm", algorithm});
        const double expected[] = {1, 2, 2};
        for (std::size_t i = 0; i < 3; ++i)
        {
            EXPECT_NEAR(with.at("x")[i].get<double>(), expected[i], 1e-9);
            EXPECT_NEAR(without.at("x")[i].get<double>(), 1, 1e-9) << algorithm;
        }
        EXPECT_EQ(with.at("converged"), true);
        EXPECT_EQ(with.at("reason"), "converged");
        EXPECT_EQ(with.at("algorithm"), algorithm == "auto" ? "hestenes-stiefel" : algorithm);
        const bool direct = algorithm == "cholesky" || algorithm == "cramer";
        EXPECT_EQ(with.at("iterations") == 0, direct);
    }
}

TEST_F(CgCommand, HasTheContractsKeys)
{
    const Json result = json({"--random", "60", "--condition", "1e3", "--seed", "4"});
    EXPECT_EQ(result.at("x").size(), 60u);
    EXPECT_EQ(result.at("backend"), "cpu");
    EXPECT_EQ(result.at("algorithm"), "symmetric-half");
    EXPECT_TRUE(result.at("time_ms").is_object());
    EXPECT_LE(result.at("relative_residual"), 1e-10);
    EXPECT_GE(result.at("residual_norm"), 0);
    EXPECT_GE(result.at("history").size(), result.at("iterations").get<std::size_t>() + 1);
    EXPECT_LE(result.at("history").back(), 1e-10);
    for (const Json& x : result.at("x"))
        EXPECT_NEAR(x.get<double>(), 1, 1e-6);
    EXPECT_FALSE(result.contains("executor"));
}

TEST_F(CgCommand, MixedPrecisionSaysHowOftenItWasRefinedAndWhetherItWasEnough)
{
    EXPECT_EQ(json({"--random", "60"}).at("precision"), "double");
    EXPECT_FALSE(json({"--random", "60"}).contains("refinements"));
    for (const Words& system : {Words{"--random", "90"}, Words{"--poisson", "9x7"}})
    {
        Words words = system;
        words.insert(words.end(), {"--precision", "mixed"});
        const Json mixed = json(words);
        EXPECT_EQ(mixed.at("precision"), "mixed");
        EXPECT_GE(mixed.at("refinements"), 2);
        EXPECT_EQ(mixed.at("fell_back"), false);
        EXPECT_LE(mixed.at("relative_residual"), 1e-10);
    }
    const Words hard = {"--random", "90", "--condition", "1e9", "--tolerance", "1e-6", "--precision", "mixed"};
    EXPECT_EQ(json(hard).at("fell_back"), true);
    EXPECT_NE(solve(hard).out.find("single precision is not enough"), std::string::npos);
}

// Runs the CUDA kernels' source on the CPU: steps equal those of the CPU solver, and the executor is reported.
TEST_F(CgCommand, SolvesInKernelsOnTheHost)
{
    const std::string a = write("a", kList + "3 3 4\n1 1 4\n2 2 5\n3 3 6\n3 1 1\n");
    const std::string b = write("b", kArray + "3 1\n6\n10\n13\n"), zero = write("zero", kArray + "3 1\n0\n0\n0\n");
    for (const std::string algorithm : {"auto", "paper", "paper-one-product", "hestenes-stiefel", "symmetric-half"})
        for (const Words& system : {Words{a, b}, Words{a, zero}, Words{"--random", "70", "--condition", "10"},
                                    Words{"--poisson", "9x5", "--preconditioner", "jacobi"}})
        {
            Words words = system;
            words.insert(words.end(), {"--algorithm", algorithm});
            const Json cpu = json(words);
            words.insert(words.end(), {"--backend", "host-kernel"});
            const Json kernel = json(words);
            EXPECT_EQ(kernel.at("backend"), "host-kernel");
            EXPECT_EQ(kernel.at("algorithm"), cpu.at("algorithm"));
            EXPECT_EQ(kernel.at("iterations"), cpu.at("iterations")) << algorithm;
            for (const char* count : {"blocks", "threads", "switches"})
                EXPECT_GT(kernel.at("executor").at(count), 0) << count;
            ASSERT_EQ(kernel.at("x").size(), cpu.at("x").size());
            for (std::size_t i = 0; i < cpu.at("x").size(); ++i)
                EXPECT_NEAR(kernel.at("x")[i].get<double>(), cpu.at("x")[i].get<double>(), 1e-8);
        }
}

TEST_F(CgCommand, CudaWithoutADeviceSaysWhy)
{
    const Finished run = solve({"--random", "30", "--backend", "cuda", "--json"});
    if (run.code == 0)
    {
        EXPECT_EQ(Json::parse(run.out).at("backend"), "cuda");
        return;
    }
    EXPECT_EQ(run.code, 7);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    EXPECT_NE(run.err.find("cuda is not usable: "), std::string::npos) << run.err;
}

TEST_F(CgCommand, SolvesPoissonsEquationByEveryAlgorithmAndTheSameForAnyThreads)
{
    for (const std::string algorithm : {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cholesky"})
    {
        const Json one = json({"--poisson", "17x9", "--algorithm", algorithm, "--threads", "1"});
        const Json three = json({"--poisson", "17x9", "--algorithm", algorithm, "--threads", "3"});
        EXPECT_EQ(one.at("x"), three.at("x")) << algorithm;
        ASSERT_EQ(one.at("x").size(), 153u);
        for (const Json& x : one.at("x"))
            EXPECT_NEAR(x.get<double>(), 1, 1e-8);
    }
}

TEST_F(CgCommand, WhatDoesNotConvergeExitsWith1AndStillPrintsItsJson)
{
    const std::string indefinite = write("indefinite", kArray + "2 2\n1\n0\n0\n-1\n");
    const std::string ones = write("ones", kArray + "2 1\n1\n1\n"), nan = write("nan", kArray + "2 2\n1\n0\n0\nnan\n");
    for (const std::string algorithm : {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cholesky"})
    {
        EXPECT_EQ(json({indefinite, ones, "--algorithm", algorithm}, 1).at("reason"), "not positive definite");
        const Json result = json({nan, ones, "--algorithm", algorithm}, 1);
        EXPECT_EQ(result.at("reason"), "not finite") << algorithm;
        EXPECT_EQ(result.at("converged"), false);
        for (const Json& x : result.at("x"))
            EXPECT_TRUE(x.is_number()) << "never NaN as an answer";
    }
    const Json limited = json({"--random", "50", "--condition", "1e6", "--max-iterations", "3"}, 1);
    EXPECT_EQ(limited.at("reason"), "iteration limit");
    EXPECT_EQ(limited.at("iterations"), 3);
    EXPECT_EQ(json({"--random", "50", "--condition", "1e6", "--tolerance", "1e-17", "--max-iterations", "100000"}, 1)
                  .at("reason"),
              "stagnated");
}

// 1 2 3; 4 5 6; 7 8 9 has determinant 0, which rounding hides. The other matrix differs by one bit and is regular, but
// too ill-conditioned for doubles.
TEST_F(CgCommand, ASingularMatrixIsCalledSoExactlyWhereItIs)
{
    const std::string two = write("two", kArray + "2 1\n1\n3\n"), three = write("three", kArray + "3 1\n1\n1\n3\n");
    const std::string small = write("small", kArray + "2 2\n1\n2\n2\n4\n"),
                      list = write("list", kList + "2 2 3\n1 1 1\n2 1 2\n2 2 4\n"),
                      rounded = write("rounded", kArray + "3 3\n1\n4\n7\n2\n5\n8\n3\n6\n9\n"),
                      regular = write("regular", kArray + "2 2\n1\n2\n2\n4.0000000000000009\n");
    for (const char* algorithm :
         {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cholesky", "cramer"})
        for (const std::string& a : {small, list})
        {
            const Json result = json({a, two, "--algorithm", algorithm}, 1);
            EXPECT_EQ(result.at("reason"), "singular") << algorithm;
            EXPECT_EQ(result.at("converged"), false);
        }
    for (const char* backend : {"cpu", "host-kernel"})
    {
        EXPECT_EQ(json({rounded, three, "--algorithm", "cramer", "--backend", backend}, 1).at("reason"), "singular");
        EXPECT_EQ(json({regular, "--algorithm", "cramer", "--backend", backend}, 1).at("reason"), "stagnated");
    }
}

TEST_F(CgCommand, CramersRuleTakesMatricesThatAreNotSymmetric)
{
    constexpr int kSize = 20;
    std::string general = kArray + "20 20\n", list = "%%MatrixMarket matrix coordinate real general\n3 3 4\n";
    for (int j = 0; j < kSize; ++j)
        for (int i = 0; i < kSize; ++i)
            general += std::to_string(i == j ? 30 + i : (3 * i + 7 * j) % 5) + "\n";
    list += "1 2 2\n2 3 4\n3 1 5\n3 3 1\n";
    const std::string b = write("b", kArray + "3 1\n2\n8\n16\n");
    for (const char* backend : {"cpu", "host-kernel"})
    {
        const Json ones = json({write("general", general), "--algorithm", "cramer", "--backend", backend});
        ASSERT_EQ(ones.at("x").size(), kSize);
        for (const Json& x : ones.at("x"))
            EXPECT_NEAR(x.get<double>(), 1, 1e-12);
        const Json solved = json({write("list", list), b, "--algorithm", "cramer", "--backend", backend});
        const double expected[] = {2.8, 1, 2};
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(solved.at("x")[i].get<double>(), expected[i], 1e-14);
    }
}

// The reason stays; the text suggests a preconditioner only where one may help.
TEST_F(CgCommand, AnIterationLimitNamesThePreconditionerThatMayHelp)
{
    const std::string dense = write("dense", kArray + "3 3\n2\n1\n0\n1\n3\n1\n0\n1\n4\n");
    const std::string uneven = write("uneven", kList + "4 4 4\n1 1 1\n2 2 1e3\n3 3 1e6\n4 4 1e9\n"),
                      even = write("even", kList + "4 4 5\n1 1 2\n2 1 1\n2 2 3\n3 3 4\n4 4 5\n");
    const auto text = [](Words words) {
        words.insert(words.end(), {"--max-iterations", "1", "--algorithm", "hestenes-stiefel"});
        const Finished run = solve(words);
        EXPECT_EQ(run.code, 1) << run.err;
        return run.out;
    };
    EXPECT_NE(text({uneven}).find("--preconditioner jacobi"), std::string::npos) << text({uneven});
    EXPECT_EQ(text({dense}).find("--preconditioner"), std::string::npos) << text({dense});
    EXPECT_NE(text({even}).find("--preconditioner ic0"), std::string::npos) << text({even});
    EXPECT_NE(text({"--poisson", "9x9"}).find("--preconditioner multigrid"), std::string::npos);
    EXPECT_EQ(text({"--poisson", "50x50", "--preconditioner", "multigrid"}).find("try"), std::string::npos);
    EXPECT_EQ(json({uneven, "--max-iterations", "1"}, 1).at("reason"), "iteration limit");
    EXPECT_EQ(json({uneven, "--preconditioner", "jacobi"}).at("reason"), "converged");
}

// Solves one system as a generated grid and as a file, by every preconditioner.
TEST_F(CgCommand, PreconditionersSolveGridsAndFiles)
{
    std::string grid = "%%MatrixMarket matrix coordinate real symmetric\n40 40 107\n";
    for (int i = 1; i <= 40; ++i)
    {
        grid += std::to_string(i) + " " + std::to_string(i) + " 4\n";
        if (i % 8 != 0) grid += std::to_string(i + 1) + " " + std::to_string(i) + " -1\n";
        if (i <= 32) grid += std::to_string(i + 8) + " " + std::to_string(i) + " -1\n";
    }
    const std::string file = write("grid", grid);
    for (const std::string name : {"none", "jacobi", "ssor", "ic0", "chebyshev", "multigrid"})
        for (const std::string algorithm : {"paper", "hestenes-stiefel", "symmetric-half"})
        {
            const Words options = {"--preconditioner", name, "--algorithm", algorithm};
            Words made = {"--poisson", "8x5"}, read = {file};
            made.insert(made.end(), options.begin(), options.end());
            read.insert(read.end(), options.begin(), options.end());
            const Json a = json(made), b = json(read);
            EXPECT_EQ(a.at("preconditioner"), name);
            EXPECT_EQ(a.at("iterations"), b.at("iterations")) << name;
            EXPECT_EQ(a.at("time_ms").contains("precondition"), name != "none" && name != "jacobi");
            for (const Json& x : b.at("x"))
                EXPECT_NEAR(x.get<double>(), 1, 1e-8) << name;
        }
}

TEST_F(CgCommand, ReportsTheConditionThatItsStepsFound)
{
    const double known = std::pow(1 / std::tan(std::acos(-1.0) / 64), 2);  // condition of a grid of 31 x 31
    const Json result = json({"--poisson", "31x31", "--tolerance", "1e-14"});
    EXPECT_NEAR(result.at("condition_estimate").get<double>() / known, 1, 1e-4);
    EXPECT_NEAR(result.at("eigenvalues").at("largest").get<double>(),
                8 - result.at("eigenvalues").at("smallest").get<double>(), 1e-4);
    EXPECT_FALSE(json({"--poisson", "9x9", "--algorithm", "cholesky"}).contains("condition_estimate"));
}

using CgCommandThorough = CgCommand;

TEST_F(CgCommandThorough, SolvesForSeveralRightSides)
{
    const std::string a = write("a", kList + "3 3 4\n1 1 4\n2 2 5\n3 3 6\n3 1 1\n");
    const std::string one = write("one", kArray + "3 1\n6\n10\n13\n"), two = write("two", kArray + "3 1\n4\n-5\n1\n");
    const std::string both = write("both", kArray + "3 2\n6\n10\n13\n4\n-5\n1\n"), x = folder_ + "/x",
                      csv = folder_ + "/csv";
    for (const std::string algorithm : {"hestenes-stiefel", "paper", "symmetric-half", "cholesky", "cramer"})
        for (const char* backend : {"cpu", "host-kernel"})
        {
            if (algorithm == "cholesky" && backend[0] == 'h') continue;
            const Words options = {"--algorithm", algorithm, "--backend", backend};
            const auto solved = [&](Words words) {
                words.insert(words.end(), options.begin(), options.end());
                return json(words);
            };
            const Json of = solved({a, both, "--out", x});
            EXPECT_EQ(of.at("x"), Json({solved({a, one}).at("x"), solved({a, two}).at("x")})) << algorithm;
            ASSERT_EQ(of.at("columns").size(), 2u);
            EXPECT_EQ(of.at("columns")[1].at("reason"), "converged");
            EXPECT_EQ(solved({a, x}).at("columns").size(), 2u) << "x is a matrix of two columns";
        }
    EXPECT_EQ(json({a, both, "--start", x}).at("iterations"), 0);
    json({a, both, "--residuals", csv});
    std::ifstream lines(csv);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "column,step,recurrence,true");
    EXPECT_NE(solve({a, both}).out.find("right-hand sides"), std::string::npos);
    EXPECT_EQ(solve({a, both, "--start", one}).code, 5);
    EXPECT_EQ(solve({a, both, "--precision", "mixed"}).code, 2);
}

TEST_F(CgCommand, ExactInnerProductsKeepTheirBits)
{
    const Words words = {"--random", "80", "--condition", "1e5", "--dot", "exact"};
    const auto with = [&](const char* threads) {
        Words all = words;
        all.insert(all.end(), {"--threads", threads});
        return json(all);
    };
    EXPECT_EQ(with("1").at("x"), with("3").at("x"));
    EXPECT_EQ(with("1").at("dot"), "exact");
    EXPECT_EQ(json({"--random", "20"}).at("dot"), "plain");
    for (const Words& option : {Words{"--precision", "mixed"},
                                {"--algorithm", "cholesky"},
                                {"--backend", "host-kernel", "--algorithm", "symmetric-half"}})
    {
        Words all = words;
        all.insert(all.end(), option.begin(), option.end());
        EXPECT_EQ(solve(all).code, 2);
    }
}

TEST_F(CgCommand, ExactInnerProductsHaveOneResultOnAllBackEnds)
{
    for (const Words& system : {Words{"--random", "80", "--condition", "1e5"}, {"--poisson", "20x9"}})
    {
        const auto on = [&](const char* backend) {
            Words all = system;
            all.insert(all.end(), {"--dot", "exact", "--max-iterations", "30", "--json", "--backend", backend});
            return Json::parse(solve(all).out);
        };
        const Json cpu = on("cpu"), kernels = on("host-kernel");
        for (const char* key : {"x", "history", "residual_norm", "iterations", "algorithm"})
            EXPECT_EQ(cpu.at(key), kernels.at(key)) << key;
        EXPECT_GT(kernels.at("executor").at("blocks"), 0);
    }
}

TEST_F(CgCommand, ARightSideOfZeroIsSolvedByZero)
{
    const std::string zero = write("zero", kArray + "2 1\n0\n0\n"), a = write("a", kArray + "2 2\n2\n1\n1\n2\n");
    const Json result = json({a, zero});
    EXPECT_EQ(result.at("x"), Json({0.0, 0.0}));
    EXPECT_EQ(result.at("relative_residual"), 0);
    EXPECT_EQ(result.at("iterations"), 0);
    const std::string start = write("start", kArray + "2 1\n3\n-1\n");
    for (const char* algorithm : {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half"})
        for (const char* backend : {"cpu", "host-kernel"})
        {
            const Json from = json({a, zero, "--start", start, "--algorithm", algorithm, "--backend", backend});
            EXPECT_EQ(from.at("x"), Json({0.0, 0.0})) << algorithm << ' ' << backend;
            EXPECT_EQ(from.at("history"), Json({0.0})) << algorithm << ' ' << backend;
        }
    EXPECT_EQ(json({a, zero, "--dot", "exact", "--backend", "host-kernel"}).at("x"), Json({0.0, 0.0}));
}

TEST_F(CgCommand, AFileBesideAMadeMatrixIsTheRightSide)
{
    const std::string b = write("b", kArray + "4 1\n2\n2\n2\n2\n");
    const Json made = json({"--poisson", "2x2", b});
    for (const Json& x : made.at("x"))
        EXPECT_NEAR(x.get<double>(), 1, 1e-9);
    EXPECT_EQ(json({b, "--random", "4"}).at("n"), 4);
}

TEST_F(CgCommand, SeveralRightSidesReadAMatrixTogether)
{
    const std::string a = write("a", kList + "3 3 4\n1 1 4\n2 2 5\n3 3 6\n3 1 1\n");
    const std::string one = write("one", kArray + "3 1\n6\n10\n13\n"),
                      two = write("two", kArray + "3 2\n6\n10\n13\n6\n10\n13\n");
    const auto bytes = [&](const std::string& b) {
        const Json run = json({a, b, "--algorithm", "hestenes-stiefel", "--repetitions", "3"});
        const Json& rates = run.at("rates");
        return rates.at("gb_per_s").get<double>() * rates.at("median_ms").get<double>();
    };
    EXPECT_NEAR(bytes(two), bytes(one), 1e-6 * bytes(one));
}

TEST_F(CgCommand, BeginsAtAStartAndWritesItsSolutionAndResiduals)
{
    const std::string a = write("a", kList + "3 3 4\n1 1 4\n2 2 5\n3 3 6\n3 1 1\n");
    const std::string b = write("b", kArray + "3 1\n6\n10\n13\n"), exact = write("exact", kArray + "3 1\n1\n2\n2\n");
    const std::string x = folder_ + "/x.mtx", csv = folder_ + "/r.csv";
    for (const std::string algorithm : {"auto", "paper", "paper-one-product", "symmetric-half"})
    {
        const Json cold = json({a, b, "--algorithm", algorithm, "--out", x, "--residuals", csv});
        EXPECT_GT(cold.at("iterations"), 0);
        for (const std::string& start : {exact, x})
            for (const char* backend : {"cpu", "host-kernel"})
                EXPECT_EQ(
                    json({a, b, "--algorithm", algorithm, "--start", start, "--backend", backend}).at("iterations"), 0);
        ASSERT_EQ(cold.at("history").size(), cold.at("true_history").size());
        std::ifstream lines(csv);
        std::string line;
        std::getline(lines, line);
        EXPECT_EQ(line, "step,recurrence,true");
        for (std::size_t i = 0; i < cold.at("history").size(); ++i)
        {
            ASSERT_TRUE(std::getline(lines, line));
            EXPECT_EQ(std::stoul(line), i);
            const std::size_t comma = line.find(','), second = line.find(',', comma + 1);
            EXPECT_EQ(std::stod(line.substr(comma + 1)), cold.at("history")[i].get<double>());
            EXPECT_EQ(std::stod(line.substr(second + 1)), cold.at("true_history")[i].get<double>());
        }
        EXPECT_FALSE(std::getline(lines, line));
        EXPECT_EQ(json({a, b, "--algorithm", algorithm}).at("x"), cold.at("x")) << "a measured step is no other step";
    }
    // x is written with all its digits, and as the input of another run.
    const Json written = json({a, b, "--out", x});
    std::ifstream text(x);
    std::string line;
    ASSERT_TRUE(std::getline(text, line) && std::getline(text, line));
    EXPECT_EQ(line, "3 1");
    for (const Json& value : written.at("x"))
    {
        ASSERT_TRUE(std::getline(text, line));
        EXPECT_EQ(std::stod(line), value.get<double>());
    }
    // Kernels have no true residuals.
    json({a, b, "--backend", "host-kernel", "--residuals", csv});
    std::ifstream(csv) >> line >> line;
    EXPECT_EQ(line.substr(0, 2) + line.back(), "0,,") << line;
}

TEST_F(CgCommand, AnOutputThatCannotBeWrittenIsRefusedBeforeTheSolve)
{
    const std::string a = write("a", kArray + "1 1\n4\n"), b = write("b", kArray + "1 1\n6\n");
    const struct
    {
        Words arguments;
        int code;
    } cases[] = {{{a, b, "--out", a}, 8},
                 {{a, b, "--out", folder_ + "/../" + folder_.substr(folder_.rfind('/') + 1) + "/b"}, 8},
                 {{a, b, "--residuals", folder_}, 8},
                 {{a, b, "--out", folder_ + "/none/x.mtx"}, 8},
                 {{a, b, "--start", b, "--out", b}, 8},
                 {{folder_ + "/missing", "--out", folder_ + "/none/x.mtx"}, 8},
                 {{a, b, "--out", folder_ + "/x", "--residuals", folder_ + "/x"}, 2},
                 {{a, b, "--out", folder_ + "/x", "--residuals", folder_ + "/./x"}, 2},
                 {{a, b, "--algorithm", "cholesky", "--start", b}, 2},
                 {{a, b, "--algorithm", "cramer", "--residuals", folder_ + "/x"}, 2},
                 {{a, b, "--start", write("two", kArray + "2 1\n1\n1\n")}, 5}};
    for (const auto& [arguments, code] : cases)
    {
        const Finished run = solve(arguments);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/x"));
    EXPECT_EQ(json({a, b}).at("x"), Json({1.5})) << "the inputs are as before";
}

TEST_F(CgCommand, IsReadableWithoutJson)
{
    const Finished run = solve({"--random", "30"});
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.out.find("converged"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("and 10 more"), std::string::npos) << run.out;
}

TEST_F(CgCommand, ErrorsAreOneLineWithTheirExitCode)
{
    const std::string square = write("square", kArray + "2 2\n2\n1\n1\n2\n");
    const std::string skewed = write("skewed", kArray + "2 2\n2\n1\n0\n2\n");
    const std::string oblong = write("oblong", kArray + "2 3\n1\n1\n1\n1\n1\n1\n");
    const std::string broken = write("broken", kArray + "2 2\n1\nx\n1\n1\n");
    const struct
    {
        Words arguments;
        int code;
        std::string names;
    } cases[] = {{{}, 2, "--poisson"},
                 {{square, square, "--random", "4"}, 2, "expected one"},
                 {{square, "--random", "4"}, 5, "expected 4 rows"},
                 {{"--poisson", "4x4", "--condition", "10"}, 2, "condition: expected with --random"},
                 {{square, "--seed", "2"}, 2, "seed: expected with --random"},
                 {{folder_ + "/none"}, 5, folder_ + "/none"},
                 {{folder_}, 5, folder_},
                 {{broken}, 5, "broken:4: found 'x'"},
                 {{write("empty", "")}, 5, "empty:1"},
                 {{oblong}, 5, "2 x 3"},
                 {{skewed}, 5, "(2, 1)"},
                 {{skewed, "--algorithm", "cholesky"}, 5, "(2, 1)"},
                 {{skewed, "--algorithm", "cramer", "--compare"}, 5, "(2, 1)"},
                 {{oblong, "--algorithm", "cramer"}, 5, "2 x 3"},
                 {{square, write("three", kArray + "3 1\n1\n1\n1\n")}, 5, "expected 2 rows"},
                 {{write("list", kList + "2 2 2\n1 1 2\n2 2 3\n"), folder_ + "/three", "--compare"}, 2, "dense"},
                 {{square, "--tolerance", "-1"}, 2, "tolerance"},
                 {{square, "--tolerance", "nan"}, 2, "tolerance"},
                 {{square, "--max-iterations", "0"}, 2, "max-iterations"},
                 {{square, "--preconditioner", "ilu"}, 2, "jacobi"},
                 {{square, "--preconditioner", "jacobi", "--algorithm", "cholesky"}, 2, "cholesky"},
                 {{square, "--preconditioner", "ic0"}, 2, "cholesky"},
                 {{square, "--preconditioner", "multigrid"}, 2, "dense"},
                 {{"--poisson", "5x5", "--preconditioner", "ssor", "--backend", "host-kernel"}, 2, "kernels"},
                 {{"--poisson", "5x5", "--preconditioner", "ssor", "--precision", "mixed"}, 2, "double"},
                 {{"--poisson", "5x5", "--preconditioner", "ssor", "--relaxation", "2"}, 2, "relaxation"},
                 {{"--poisson", "5x5", "--relaxation", "1"}, 2, "ssor"},
                 {{write("far", kList + "4 4 5\n1 1 4\n2 2 4\n3 3 4\n4 4 4\n4 1 1\n"), "--preconditioner", "multigrid"},
                  5,
                  "five-point"},
                 {{square, "--precision", "mixed", "--algorithm", "cholesky"}, 2, "cholesky"},
                 {{square, "--algorithm", "gauss"}, 2, "hestenes-stiefel"},
                 {{"--random", "21", "--algorithm", "cramer"}, 2, "20"},
                 {{"--random", "5", "--backend", "gpu"}, 2, "host-kernel"},
                 {{"--random", "21", "--algorithm", "cramer", "--backend", "host-kernel"}, 2, "20"},
                 {{"--random", "5", "--algorithm", "cholesky", "--backend", "cuda"}, 2, "symmetric-half"},
                 {{"--backend", "cuda"}, 2, "--poisson"},
                 {{"--random", "0"}, 2, "from 1"},
                 {{"--random", "5", "--condition", "0.5"}, 2, "condition"},
                 {{"--random", "1000000"}, 6, "available"},
                 {{"--poisson", "5"}, 2, "NxM"},
                 {{"--poisson", "0x5"}, 2, "NxM"},
                 {{"--poisson", "100000x100000"}, 2, "at most"},
                 {{square, "--frobnicate"}, 2, "--frobnicate"}};
    for (const auto& [arguments, code, names] : cases)
    {
        const Finished run = solve(arguments);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find(names), std::string::npos) << run.err;
    }
}

TEST_F(CgCommand, ComparesWithEigenAndSolvesTheSame)
{
    const Json compared = json({"--random", "200", "--compare"}), alone = json({"--random", "200"});
    EXPECT_GT(compared.at("time_ms").at("eigen"), 0);
    EXPECT_FALSE(alone.at("time_ms").contains("eigen"));
    EXPECT_EQ(compared.at("x"), alone.at("x"));
    const Finished text = solve({"--random", "200", "--compare"});
    ASSERT_EQ(text.code, 0) << text.err;
    const std::size_t at = text.out.find("residual ", text.out.find("Eigen"));
    ASSERT_NE(at, std::string::npos) << text.out;
    EXPECT_LE(std::stod(text.out.substr(at + 9)), 1e-10);
    EXPECT_NE(text.out.find("dposv"), std::string::npos) << "or why not";
    EXPECT_EQ(solve({"--poisson", "20x20", "--compare"}).code, 2) << "there is no dense A";
}

TEST_F(CgCommand, ComparesSpeedsOnlyWhereBothHaveSolvedTheSystem)
{
    const auto hasSpeedUp = [](Words words, int code) {
        words.emplace_back("--compare");
        const Finished run = solve(words);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_NE(run.out.find("Eigen"), std::string::npos) << run.out;
        return run.out.find("speed-up") != std::string::npos;
    };
    EXPECT_TRUE(hasSpeedUp({"--random", "200"}, 0));
    EXPECT_FALSE(hasSpeedUp({"--random", "200", "--condition", "1e16", "--max-iterations", "3"}, 1));
    // Cramer's rule alone solves an indefinite system.
    const std::string a = write("a", kArray + "2 2\n0\n1\n1\n0\n"), b = write("b", kArray + "2 1\n1\n0\n");
    EXPECT_FALSE(hasSpeedUp({a, b, "--algorithm", "cramer"}, 0));
}

TEST_F(CgCommand, StopsOnInterrupt)
{
    for (const Words& system :
         {Words{"--poisson", "2500x2500"}, Words{"--poisson", "200x200", "--backend", "host-kernel"}})
    {
        Words words = {OROGEN_PROGRAM, "cg", "solve"};
        words.insert(words.end(), system.begin(), system.end());
        test::RunningProgram program(words, {});
        EXPECT_TRUE(program.waitUntilHandles(SIGINT));
        usleep(200'000);
        program.signal(SIGINT);
        const Finished run = program.finish();
        EXPECT_EQ(run.code, 130);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
}

}  // namespace
}  // namespace orogen
