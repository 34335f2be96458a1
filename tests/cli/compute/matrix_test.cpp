// orogen matrix: sums and products, against arithmetic by hand.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class MatrixCommand : public testing::Test
{
protected:
    static Finished run(Words arguments)
    {
        arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "matrix"});
        return test::runProgram(arguments);
    }
    static Json json(Words arguments)
    {
        arguments.emplace_back("--json");
        const Finished finished = run(arguments);
        EXPECT_EQ(finished.code, 0) << finished.err;
        return finished.code == 0 ? Json::parse(finished.out) : Json();
    }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
        return folder_ + "/" + name;
    }

    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
    const std::string array_ = "%%MatrixMarket matrix array real general\n";
    // Column by column: the matrix 1 2 3 / 4 5 6, and its transpose.
    const std::string wide_ = write("wide", array_ + "2 3\n1\n4\n2\n5\n3\n6\n"),
                      tall_ = write("tall", array_ + "3 2\n1\n2\n3\n4\n5\n6\n"),
                      few_ = write("few", "%%MatrixMarket matrix coordinate real general\n2 3 1\n2 1 10\n");
};

TEST_F(MatrixCommand, MultipliesAndAddsFilesByEveryAlgorithm)
{
    const Json product = {{14, 32}, {32, 77}}, sum = {{1, 2, 3}, {14, 5, 6}};
    for (const std::string algorithm : {"auto", "paper", "by-terms", "by-blocks", "tiled", "tensor"})
    {
        const Json result = json({"product", wide_, tall_, "--backend", "host-kernel", "--algorithm", algorithm});
        EXPECT_EQ(result.at("elements"), product) << algorithm;
        EXPECT_EQ(result.at("algorithm"), algorithm == "auto" ? "tensor" : algorithm);
        EXPECT_EQ(result.at("check"), "equal");
        EXPECT_GT(result.at("executor").at("blocks"), 0);
        for (const char* time : {"allocate", "upload", "kernel", "download"})
            EXPECT_TRUE(result.at("time_ms").contains(time)) << time;
    }
    const Json onCpu = json({"product", wide_, tall_});
    EXPECT_EQ(onCpu.at("elements"), product);
    EXPECT_EQ(onCpu.at("inner"), 3);
    EXPECT_EQ(json({"sum", wide_, few_}).at("elements"), sum);
    EXPECT_EQ(json({"sum", wide_, few_, "--backend", "host-kernel"}).at("elements"), sum);
}

TEST_F(MatrixCommand, MadeMatricesHaveTheSameResultEverywhere)
{
    const Json here = json({"product", "--random", "40", "--seed", "3"}),
               there = json(
                   {"product", "--random", "40", "--seed", "3", "--backend", "host-kernel", "--algorithm", "tiled"}),
               other = json({"product", "--random", "40", "--seed", "4"});
    EXPECT_EQ(here.at("elements"), there.at("elements"));
    EXPECT_NE(here.at("elements"), other.at("elements"));
    EXPECT_EQ(here.at("check"), "equal");
}

TEST_F(MatrixCommand, NormsHaveAnySizeAndOneSpelling)
{
    const auto diagonal = [&](const std::string& one, const std::string& two) {
        return write("diagonal", array_ + "2 2\n" + one + "\n0\n0\n" + two + "\n");
    };
    const std::string none = write("none", array_ + "2 2\n0\n0\n0\n0\n");
    EXPECT_DOUBLE_EQ(json({"sum", diagonal("3e-200", "4e-200"), none}).at("norm").get<double>(), 5e-200);
    EXPECT_DOUBLE_EQ(json({"sum", diagonal("3e200", "4e200"), none}).at("norm").get<double>(), 5e200);
    const std::string text = run({"sum", diagonal("6", "6"), none}).out;
    EXPECT_TRUE(text.starts_with("8.48528137423857\n")) << text;
    EXPECT_NE(text.find(" 8.48528137423857\n"), std::string::npos) << text;
}

TEST_F(MatrixCommand, ANormThatIsNoNumberHasNoSign)
{
    const std::string row = write("row", array_ + "1 2\n1e308\n1e308\n"),
                      column = write("column", array_ + "2 1\n1e308\n-1e308\n");
    const std::string text = run({"product", row, column}).out;
    EXPECT_TRUE(text.starts_with("nan\n")) << text;
    EXPECT_EQ(text.find("-nan"), std::string::npos) << text;
    EXPECT_TRUE(json({"product", row, column}).at("norm").is_null());
}

TEST_F(MatrixCommand, WritesItsResult)
{
    const std::string out = folder_ + "/out";
    json({"product", wide_, tall_, "--out", out});
    std::ifstream file(out);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), array_ + "2 2\n14\n32\n32\n77\n");
    EXPECT_EQ(run({"sum", wide_, few_, "--out", folder_ + "/none/out"}).code, 8);
}

TEST_F(MatrixCommand, AnOutputThatCannotBeWrittenIsRefusedBeforeTheSum)
{
    for (const Words& words :
         {Words{"sum", wide_, few_, "--out", folder_ + "/./wide"}, Words{"sum", wide_, few_, "--out", few_},
          Words{"sum", wide_, folder_ + "/missing", "--out", folder_ + "/none/out"}})
    {
        const Finished finished = run(words);
        EXPECT_EQ(finished.code, 8) << finished.err;
        EXPECT_EQ(finished.out, "");
        EXPECT_EQ(test::lineCount(finished.err), 1) << finished.err;
    }
    const Json sum = {{1, 2, 3}, {14, 5, 6}};
    EXPECT_EQ(json({"sum", wide_, few_}).at("elements"), sum) << "the inputs are as before";
}

TEST_F(MatrixCommand, ErrorsAreOneLineWithTheirExitCode)
{
    const struct
    {
        Words arguments;
        int code;
        std::string names;
    } cases[] = {{{"product"}, 2, "--random"},
                 {{"product", wide_}, 2, "two files"},
                 {{"product", wide_, tall_, "--random", "4"}, 2, "two files"},
                 {{"product", wide_, tall_, "--seed", "4"}, 2, "seed: expected with random"},
                 {{"product", wide_, wide_}, 5, "2 x 3"},
                 {{"sum", wide_, tall_}, 5, "the same shape"},
                 {{"product", wide_, folder_ + "/none"}, 5, folder_ + "/none"},
                 {{"product", wide_, tall_, "--compare"}, 2, "square"},
                 {{"sum", wide_, few_, "--algorithm", "tiled", "--backend", "host-kernel"}, 2, "elements"},
                 {{"product", "--random", "500000"}, 6, "available"},
                 {{"product", "--random", "0"}, 2, "from 1"}};
    for (const auto& [arguments, code, names] : cases)
    {
        const Finished finished = run(arguments);
        EXPECT_EQ(finished.code, code) << finished.err;
        EXPECT_EQ(finished.out, "");
        EXPECT_EQ(test::lineCount(finished.err), 1) << finished.err;
        EXPECT_NE(finished.err.find(names), std::string::npos) << finished.err;
    }
}

}  // namespace
}  // namespace orogen
