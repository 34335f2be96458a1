// Matrices and Matrix Market files.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/matrix_market.h"
#include "tests/support/temporary_folder.h"

namespace orogen::compute {
namespace {

Matrix counted(std::size_t rows, std::size_t columns, double first)
{
    Matrix matrix(rows, columns);
    for (double& value : matrix.values())
        value = first++;
    return matrix;
}

TEST(Matrix, AddsSubtractsAndScalesElementByElement)
{
    const Matrix a = counted(3, 5, 1), b = counted(3, 5, 100);
    const Matrix sum = a + b, difference = b - a, scaled = a * 2.5;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 5; ++j)
        {
            const double at = double(i * 5 + j);
            EXPECT_EQ(sum(i, j), 101 + 2 * at);
            EXPECT_EQ(difference(i, j), 99);
            EXPECT_EQ(scaled(i, j), 2.5 * (1 + at));
        }
    EXPECT_EQ(Matrix(2, 2, 7.0)(1, 1), 7.0);
}

// Sums each element in the order of the inner index, for any blocks.
TEST(Matrix, ProductIsTheSumOverTheInnerIndexInOrder)
{
    Matrix a(67, 131), b(131, 33);
    std::uint64_t state = 1;
    for (Matrix* matrix : {&a, &b})
        for (double& value : matrix->values())
            value = double(std::int64_t(state = state * 6364136223846793005u + 1442695040888963407u) >> 11) / 3e15;
    const Matrix c = a * b;
    ASSERT_EQ(c.rows(), 67u);
    ASSERT_EQ(c.columns(), 33u);
    for (std::size_t i = 0; i < c.rows(); ++i)
        for (std::size_t j = 0; j < c.columns(); ++j)
        {
            double sum = 0;
            for (std::size_t d = 0; d < 131; ++d)
                sum += a(i, d) * b(d, j);
            EXPECT_EQ(c(i, j), sum);
        }
}

TEST(Matrix, ShapesThatDoNotFitAreErrorsThatNameBoth)
{
    const Matrix a(2, 3, 1), b(3, 2, 1), c(4, 4, 1);
    for (const Result<Matrix>& result : {sum(a, b), difference(a, b), product(a, c), sum(Matrix(2, 3, 1), c)})
    {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ExitCode::kInput);
        EXPECT_NE(result.error().message.find("2 x 3"), std::string::npos) << result.error().message;
    }
    EXPECT_TRUE(product(a, b));
}

// The paper allows two live matrices in an addition, not three.
TEST(Matrix, MovesLeaveTwoAliveInAnAddition)
{
    const int before = Matrix::alive();
    {
        Matrix a(8, 8, 1), b(8, 8, 2);
        Matrix::resetMostAlive();
        a = std::move(a) + b;
        a = std::move(a) - b;
        a = std::move(a) * 3.0;
        EXPECT_EQ(Matrix::mostAlive() - before, 2);
        Matrix c = a + b;  // the result is the third object
        EXPECT_EQ(Matrix::mostAlive() - before, 3);
        EXPECT_EQ(c(7, 7), 5);
        const Matrix d = std::move(c);
        EXPECT_EQ(c.elements(), 0u);
        EXPECT_EQ(d(0, 0), 5);
    }
    EXPECT_EQ(Matrix::alive(), before);
}

TEST(Matrix, IndicesAndSizesAreCountedIn64Bits)
{
    static_assert(elementIndex(46341, 46340, 46341) == std::uint64_t(46341) * 46341 + 46340);
    static_assert(elementIndex(65535, 32768, 32769) == std::uint64_t(65536) * 32769 - 1);
    EXPECT_EQ(matrixBytes(46341, 46341), 17'179'906'248u);
    EXPECT_NEAR(double(*matrixBytes(25000, 25000)) / (1u << 30), 4.66, 0.005);  // eq. 3
    EXPECT_NEAR(3 * double(*matrixBytes(25000, 25000)) / (1u << 30), 13.97, 0.01);
    EXPECT_FALSE(matrixBytes(std::uint64_t(1) << 32, std::uint64_t(1) << 30));
}

TEST(Matrix, ASizeThatDoesNotFitIsRefusedWithWhatItWouldNeed)
{
    const Result<Matrix> huge = Matrix::allocate(50'000'000, 50'000'000);
    ASSERT_FALSE(huge);
    EXPECT_EQ(huge.error().code, ExitCode::kLimit);
    EXPECT_NE(huge.error().message.find("17.8 PiB"), std::string::npos) << huge.error().message;
    const Result<Matrix> beyond = Matrix::allocate(std::uint64_t(1) << 40, std::uint64_t(1) << 40);
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().code, ExitCode::kLimit);
}

// ---- files ----

Result<MatrixMarket> parse(const std::string& text) { return parseMatrixMarket(text, "m.mtx"); }

TEST(MatrixMarketFile, ReadsAllFourForms)
{
    const std::string banner = "%%MatrixMarket matrix ";
    const auto general = parse(banner + "array real general\n% comment\n\n2 3\n1\n2\n3\n4\n5\n6\n");
    ASSERT_TRUE(general) << general.error().message;
    EXPECT_EQ(general->dense(0, 2), 5);
    EXPECT_EQ(general->dense(1, 0), 2);
    const auto symmetric = parse("%%matrixmarket MATRIX Array Real Symmetric\r\n2 2\r\n4\r\n-1e0\r\n+3.5\r\n");
    ASSERT_TRUE(symmetric) << symmetric.error().message;
    EXPECT_EQ(symmetric->dense(0, 1), -1);
    EXPECT_EQ(symmetric->dense(1, 0), -1);
    EXPECT_EQ(symmetric->dense(1, 1), 3.5);
    for (const std::string form :
         {"general\n3 3 4\n3 1 7\n1 3 7\n2 2 5\n1 1 1\n", "symmetric\n3 3 3\n3 1 7\n2 2 5\n1 1 1\n"})
    {
        const auto sparse = parse(banner + "coordinate integer " + form);
        ASSERT_TRUE(sparse) << sparse.error().message;
        const SparseMatrix matrix = sparseOf(*sparse);
        EXPECT_EQ(matrix.starts, (std::vector<std::uint64_t>{0, 2, 3, 4}));
        EXPECT_EQ(matrix.columns, (std::vector<std::uint32_t>{0, 2, 1, 0}));
        EXPECT_EQ(matrix.values, (std::vector<double>{1, 7, 5, 7}));
        EXPECT_TRUE(checkSymmetric(*sparse));
    }
}

// Half of the symmetric matrices in the SuiteSparse collection are patterns.
TEST(MatrixMarketFile, EntriesOfAPatternAreOne)
{
    const std::string banner = "%%MatrixMarket matrix coordinate pattern ";
    for (const std::string form : {"general\n3 3 4\n3 1\n1 3\n2 2\n1 1\n", "symmetric\n3 3 3\n3 1\n2 2\n1 1\n"})
    {
        const auto file = parse(banner + form);
        ASSERT_TRUE(file) << file.error().message;
        const SparseMatrix matrix = sparseOf(*file);
        EXPECT_EQ(matrix.starts, (std::vector<std::uint64_t>{0, 2, 3, 4}));
        EXPECT_EQ(matrix.columns, (std::vector<std::uint32_t>{0, 2, 1, 0}));
        EXPECT_EQ(matrix.values, (std::vector<double>(4, 1.0)));
        EXPECT_TRUE(checkSymmetric(*file));
    }
}

TEST(MatrixMarketFile, WhatIsWrittenIsReadBackBitForBit)
{
    Matrix matrix(2, 2);
    matrix(0, 0) = 0.1, matrix(0, 1) = 1.0 / 3, matrix(1, 0) = 5e-324, matrix(1, 1) = -1.7976931348623157e308;
    const auto back = parse(matrixMarketText(matrix));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(std::ranges::equal(back->dense.values(), matrix.values()));
}

// Packed by the program gzip, once as two members one after the other.
TEST(MatrixMarketFile, IsReadPackedByGzip)
{
    const test::TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder.path() + "/" + name, std::ios::binary) << text;
    };
    const auto shell = [&](const std::string& command) {
        ASSERT_EQ(std::system(("cd " + folder.path() + " && " + command).c_str()), 0) << command;
    };
    const auto read = [&](const std::string& name) { return readMatrixMarket(folder.path() + "/" + name); };
    write("a", "%%MatrixMarket matrix array real general\n3 1\n0.1\n");
    write("b", "-2\n1e-300\n");
    shell("gzip -c a > both.mtx.gz && gzip -c b >> both.mtx.gz && head -c 30 both.mtx.gz > cut.mtx.gz");
    shell("cp a plain.mtx.gz && : > empty.mtx.gz && cat both.mtx.gz a > tail.mtx.gz");
    shell("(cat both.mtx.gz | head -c 40; printf XXXX; tail -c +45 both.mtx.gz) > damaged.mtx.gz");
    const Result<MatrixMarket> both = read("both.mtx.gz");
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_EQ(both->dense(0, 0), 0.1);
    EXPECT_EQ(both->dense(2, 0), 1e-300);
    for (const auto& [name, found] : {std::pair{"cut.mtx.gz", "found the end after 30 bytes, expected more of a gzip"},
                                      {"plain.mtx.gz", "expected a gzip file"},
                                      {"empty.mtx.gz", "found the end after 0 bytes"},
                                      {"tail.mtx.gz", "expected a gzip file"},
                                      {"damaged.mtx.gz", "expected a gzip file"},
                                      {"none.mtx.gz", "cannot be read"}})
    {
        const Result<MatrixMarket> file = read(name);
        ASSERT_FALSE(file) << name;
        EXPECT_EQ(file.error().code, ExitCode::kInput);
        EXPECT_NE(file.error().message.find(found), std::string::npos) << file.error().message;
        EXPECT_NE(file.error().message.find(name), std::string::npos) << file.error().message;
    }
}

TEST(MatrixMarketFile, ValuesMayBeNoNumbers)
{
    const auto file = parse("%%MatrixMarket matrix array real general\n3 1\nnan\ninf\n1e999\n");
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_TRUE(std::isnan(file->dense(0, 0)));
    EXPECT_TRUE(std::isinf(file->dense(1, 0)));
    EXPECT_TRUE(std::isinf(file->dense(2, 0)));
}

TEST(MatrixMarketFile, MalformedOnesNameTheLineAndWhatWasExpected)
{
    const std::string array = "%%MatrixMarket matrix array real general\n";
    const std::string list = "%%MatrixMarket matrix coordinate real general\n";
    const std::string half = "%%MatrixMarket matrix coordinate real symmetric\n";
    const struct
    {
        std::string text, place;
    } cases[] = {
        {"", "m.mtx:1: "},
        {"1 2\n3 4\n", "m.mtx:1: found '1 2'"},
        {"%%MatrixMarket matrix array complex general\n1 1\n1\n",
         "m.mtx:1: found a complex matrix, expected real, integer or pattern"},
        {"%%MatrixMarket matrix coordinate Complex Hermitian\n1 1\n1\n", "m.mtx:1: found a complex matrix"},
        {"%%MatrixMarket matrix array real hermitian\n1 1\n1\n", "m.mtx:1: found a hermitian matrix"},
        {"%%MatrixMarket matrix coordinate real Skew-Symmetric\n1 1\n1\n",
         "m.mtx:1: found a skew-symmetric matrix, expected general or symmetric"},
        {"%%MatrixMarket vector array complex general\n1 1\n1\n", "m.mtx:1: found '%%MatrixMarket vector"},
        {array, "m.mtx:2: found the end of the file, expected rows and columns"},
        {array + "2\n", "m.mtx:2: found '2'"},
        {array + "2 -2\n", "m.mtx:2: "},
        {array + "0 2\n", "m.mtx:2: "},
        {array + "% c\n2 1\n1\nx\n", "m.mtx:5: found 'x', expected the value of row 2, column 1"},
        {array + "2 1\n1\n", "m.mtx:4: found the end"},
        {array + "1 1\n+-4\n", "m.mtx:3: found '+-4', expected the value of row 1, column 1"},
        {"%%MatrixMarket matrix array integer general\n1 1\n2.5\n",
         "m.mtx:3: found '2.5', expected the integer of row 1, column 1"},
        {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 2.5\n",
         "m.mtx:3: found '1 2 2.5', expected row, column and integer of entry 1 of 1"},
        {array + "\n% c\n\n2 1\n\n1\n \nx\n", "m.mtx:9: found 'x', expected the value of row 2, column 1"},
        {array + "1 2\n1\nx\n", "m.mtx:4: found 'x', expected the value of row 1, column 2"},
        {array + "2 1\n1\n2\n3\n", "m.mtx:5: found '3', expected the end of the file after 2 values"},
        {list + "2 2 3\n1 1 1\n2 2 x\n", "m.mtx:4: found '2 2 x', expected row, column and value of entry 2 of 3"},
        {array + "2 1\n1\n2\n3\n", "m.mtx:5: found '3', expected the end"},
        {array + "2 1\n1 2\n", "m.mtx:3: "},
        {array + "100000 100000\n1\n", "m.mtx:2: "},
        {list + "2 2 1\n1 3 1\n", "m.mtx:3: found '1 3 1'"},
        {list + "2 2 1\n0 1 1\n", "m.mtx:3: "},
        {list + "2 2 2\n1 1 1\n", "m.mtx:4: found the end"},
        {list + "2 2 1\n1 1\n", "m.mtx:3: "},
        {list + "2 2 5\n1 1 1\n", "m.mtx:2: "},
        {list + "2 2 2\n1 1 1\n1 1 2\n", "m.mtx: found entry (1, 1) twice"},
        {half + "2 2 1\n1 2 1\n", "m.mtx:3: "},
        {"%%MatrixMarket matrix array pattern general\n1 1\n", "m.mtx:1: "},
        {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n",
         "m.mtx:3: found '1 1 1', expected row and column of entry 1 of 1"},
        {half + "2 3 1\n1 1 1\n", "m.mtx:2: "}};
    for (const auto& [text, place] : cases)
    {
        const Result<MatrixMarket> file = parse(text);
        ASSERT_FALSE(file) << text;
        EXPECT_EQ(file.error().code, ExitCode::kInput);
        EXPECT_TRUE(file.error().message.starts_with(place)) << file.error().message << "\n" << text;
        EXPECT_EQ(file.error().message.find('\n'), std::string::npos);
    }
}

TEST(MatrixMarketFile, NotSymmetricNamesTheFirstPair)
{
    const auto dense = parse("%%MatrixMarket matrix array real general\n2 2\n4\n3\n2\n4\n");
    ASSERT_TRUE(dense);
    const Status pair = checkSymmetric(*dense);
    ASSERT_FALSE(pair);
    EXPECT_NE(pair.error().message.find("3 at (2, 1) and 2 at (1, 2)"), std::string::npos) << pair.error().message;
    const auto sparse = parse("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n1 3 2\n");
    ASSERT_TRUE(sparse);
    const Status missing = checkSymmetric(*sparse);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("2 at (1, 3) and 0 at (3, 1)"), std::string::npos)
        << missing.error().message;
    const auto oblong = parse("%%MatrixMarket matrix array real general\n1 2\n4\n3\n");
    ASSERT_TRUE(oblong);
    EXPECT_FALSE(checkSymmetric(*oblong));
    const auto rounded = parse("%%MatrixMarket matrix array real general\n2 2\n4\n0.1\n0.10000000000000002\n4\n");
    ASSERT_TRUE(rounded);
    EXPECT_TRUE(checkSymmetric(*rounded)) << "a difference by rounding";
}

TEST(MatrixMarketFile, SymmetryIsJudgedToRoundingWhateverElseIsInTheFile)
{
    const std::string array = "%%MatrixMarket matrix array real general\n2 2\n";
    const std::string list = "%%MatrixMarket matrix coordinate real general\n3 3 ";
    const struct
    {
        std::string text;
        bool symmetric;
    } cases[] = {{array + "4\n1\n1.000000001\n4\n", false},
                 {array + "4\n1\n1.000000000001\n4\n", true},
                 {array + "inf\n1\n2\n4\n", false},
                 {array + "4\nnan\nnan\n4\n", true},
                 {array + "4\nnan\n1\n4\n", false},
                 {array + "4\ninf\n-inf\n4\n", false},
                 {list + "3\n1 1 inf\n1 3 1\n3 1 2\n", false},
                 {list + "3\n1 1 4\n1 3 1\n3 1 1.000000001\n", false},
                 {list + "3\n2 2 nan\n1 3 nan\n3 1 nan\n", true}};
    for (const auto& [text, symmetric] : cases)
    {
        const Result<MatrixMarket> file = parse(text);
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(bool(checkSymmetric(*file)), symmetric) << text;
    }
}

TEST(MatrixMarketFile, AVectorHasOneColumnOfTheRightLength)
{
    const auto file = parse("%%MatrixMarket matrix coordinate real general\n3 1 1\n2 1 5\n");
    ASSERT_TRUE(file);
    const auto vector = vectorOf(*file, 3);
    ASSERT_TRUE(vector);
    EXPECT_EQ(*vector, (std::vector<double>{0, 5, 0}));
    ASSERT_FALSE(vectorOf(*file, 4));
    EXPECT_NE(vectorOf(*file, 4).error().message.find("found 3 x 1, expected 4 x 1"), std::string::npos);
}

}  // namespace
}  // namespace orogen::compute
