// Files of numbers: raw, .npy and text are read whole, in pieces of any size, or refused with file and place.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/exact/exact_input.h"
#include "compute/exact/value_files.h"
#include "tests/support/random.h"
#include "tests/support/temporary_folder.h"

namespace orogen::compute {
namespace {

class ValueFiles : public testing::Test
{
protected:
    std::string write(const std::string& name, const std::string& content) const
    {
        std::ofstream(folder_.path() + "/" + name, std::ios::binary) << content;
        return folder_.path() + "/" + name;
    }
    template <class T>
    static std::string raw(const std::vector<T>& values)
    {
        return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
    }
    static std::string npy(const std::string& dictionary, const std::string& values, char version = 1)
    {
        std::string text = "\x93NUMPY" + std::string{version, '\0'};
        for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
            text += char(dictionary.size() >> 8 * i);
        return text + dictionary + values;
    }
    // Reads a file `most` values at a time.
    template <class T>
    static Result<std::vector<T>> read(const std::string& path, const ValueFileOptions& options = {},
                                       std::size_t most = 5)
    {
        Result<std::unique_ptr<ValueFile>> file = ValueFile::open(path, options, [] { return false; });
        if (!file) return file.error();
        std::vector<T> all, piece(most);
        for (;;)
        {
            const Result<std::size_t> count = (*file)->read(std::as_writable_bytes(std::span(piece)));
            if (!count) return count.error();
            if (*count == 0) return all;
            all.insert(all.end(), piece.begin(), piece.begin() + std::ptrdiff_t(*count));
        }
    }
    template <class T = double>
    static std::string errorOf(const std::string& path, const ValueFileOptions& options = {})
    {
        const Result<std::vector<T>> values = read<T>(path, options);
        if (values) return "none";
        EXPECT_EQ(values.error().code, ExitCode::kInput);
        return values.error().message;
    }
    using Doubles = std::vector<double>;
    const test::TemporaryFolder folder_;
};

TEST_F(ValueFiles, ReadRawValues)
{
    const Doubles values = {1, -2.5, 0.1, 1e300, -0.0, 3, 4};
    const std::string path = write("x.f64", raw(values));
    for (const std::size_t most : {1u, 3u, 7u, 100u})
        EXPECT_EQ(*read<double>(path, {}, most), values);
    EXPECT_EQ(errorOf(write("odd", raw(values) + "abc")),
              folder_.path() + "/odd: found 59 bytes, expected a multiple of 8 (float64)");
    EXPECT_NE(errorOf(write("one", "a")).find("found 1 byte, expected"), std::string::npos);
    EXPECT_EQ(errorOf(write("empty", "")), folder_.path() + "/empty: no number in it");
    EXPECT_NE(errorOf(folder_.path() + "/missing").find("cannot be read"), std::string::npos);
}

TEST_F(ValueFiles, ReadNpy)
{
    const Doubles values = {1, 2, 3, 4, 5, 6};
    const std::string shape = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
    for (const char version : {'\1', '\2', '\3'})
        EXPECT_EQ(*read<double>(write("a.npy", npy(shape, raw(values), version))), values);
    EXPECT_EQ(
        *read<float>(write("b.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}", raw<float>({7, 8})))),
        (std::vector<float>{7, 8}));
    EXPECT_EQ(*read<std::int64_t>(write("c.npy", npy("{\"descr\": \"<i8\", \"shape\": ()}", raw<std::int64_t>({9})))),
              std::vector<std::int64_t>{9});
    std::string reversed = raw(Doubles{0.1, -1e300});
    std::reverse(reversed.begin(), reversed.begin() + 8);
    std::reverse(reversed.begin() + 8, reversed.end());
    EXPECT_EQ(*read<double>(write("d.npy", npy("{'descr': '>f8', 'shape': (2,)}", reversed)), {}, 1),
              (Doubles{0.1, -1e300}));
    EXPECT_EQ(*read<std::int64_t>(write("e.npy", npy("{'descr': '>i8', 'shape': (1,)}", {0, 0, 0, 0, 0, 0, 1, 2}))),
              std::vector<std::int64_t>{258});
    const std::string at = folder_.path() + "/bad.npy: ";
    const auto bad = [&](const std::string& content) { return errorOf(write("bad.npy", content)); };
    EXPECT_EQ(bad(npy("{'descr': '<u4', 'shape': (1,)}", raw<double>({1}))),
              at + "found type '<u4', expected f8, f4, f2 or i8 after '<' or '>'");
    EXPECT_EQ(bad(npy("{'descr': 'f8', 'shape': (1,)}", raw<double>({1}))),
              at + "found type 'f8', expected f8, f4, f2 or i8 after '<' or '>'");
    EXPECT_EQ(bad(npy(shape, raw<double>({1, 2}))), at + "truncated: found 86 bytes, expected 118");
    EXPECT_EQ(bad(npy(shape, raw(values) + "x")), at + "found more than the 6 values of its header");
    EXPECT_EQ(bad(npy("{'descr': '<f8', 'shape': (0, 3)}", "")), at + "no number in it");
    EXPECT_EQ(bad("\x93NUMPY"), at + "truncated at byte 6, within the header of .npy");
    EXPECT_EQ(bad("1.5\n2.5\n3.5\n"), at + "found '1.5\\n2.', expected a .npy file");
    EXPECT_EQ(bad(npy("{'descr': '<f8', 'shape': (x,)}", "")), at + "found 'x' in its shape, expected a length");
    EXPECT_EQ(bad(npy("{'descr': '<f8'}", "")), at + "found '{'descr': '<f8'}', expected 'shape': (...)");
    EXPECT_EQ(bad(npy("{'descr': '<f8', 'shape': (4294967296, 4294967296)}", "")),
              at + "found a shape of more than 2^60 values");
    ValueFileOptions options;
    options.type = ValueType::kFloat32;
    EXPECT_EQ(errorOf(write("bad.npy", npy(shape, raw(values))), options),
              at + "found float64, expected float32 (--type)");
}

TEST_F(ValueFiles, ReadTruncatedHeadersAsErrors)
{
    const std::string whole = npy("{'descr': '<f8', 'shape': (3,)}", raw<double>({1, 2, 3}));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(errorOf(write("cut.npy", whole.substr(0, size))), "none") << size;
}

TEST_F(ValueFiles, ReadColumnsOfText)
{
    const Doubles expected = {1.5, -2, 3e5};
    const auto column = [&](const std::string& text, int number) {
        ValueFileOptions options;
        options.column = number;
        const Result<Doubles> values = read<double>(write("a.csv", text), options, 2);
        return values ? *values : Doubles{};
    };
    EXPECT_EQ(column("1.5\n-2\n3e5\n", 1), expected);
    EXPECT_EQ(column("# made\n\n  +1.5 \r\n\t-2 # two\r\n3e5", 1), expected);
    EXPECT_EQ(column("height\n1.5\n-2\n3e5\n", 1), expected);
    EXPECT_EQ(column("name,h\na,1.5\nb, -2 ,x\n\"c,d\",\"3e5\"\n", 2), expected);
    EXPECT_EQ(column("7;1.5\n7;-2\n7;3e5\n", 2), expected);
    EXPECT_EQ(column("7\t1.5\n7\t-2\n7\t3e5\n", 2), expected);
    EXPECT_EQ(column("7   1.5 9\n7 -2\n  7 3e5\n", 2), expected);
    EXPECT_EQ(column("1.5,2\n-2,\n3e5,x\n", 1), expected);
    const Doubles small = column("1e-400\n4.9e-324\n1e-323\n2.4703282292062327e-324\n", 1);
    EXPECT_EQ(small, (Doubles{0, 0x1p-1074, 0x1p-1073, 0}));
    EXPECT_EQ(column("inf\n-Infinity\n", 1), (Doubles{HUGE_VAL, -HUGE_VAL}));
}

TEST_F(ValueFiles, NameLineAndColumnOfTextThatIsNoNumber)
{
    const std::string at = folder_.path() + "/a.csv";
    const auto bad = [&](const std::string& text, int number = 1, std::optional<ValueType> type = {}) {
        ValueFileOptions options;
        options.column = number;
        options.type = type;
        return errorOf(write("a.csv", text), options);
    };
    EXPECT_EQ(bad("1\n2\nx3\n"), at + ":3: found 'x3', expected a number");
    EXPECT_EQ(bad("1\n2x\n"), at + ":2: found '2x', expected a number");
    EXPECT_EQ(bad("1\n+-2\n"), at + ":2: found '+-2', expected a number");
    EXPECT_EQ(bad("1,2\n3\n", 2), at + ":2, column 2: found '3', expected 2 columns");
    EXPECT_EQ(bad("1,2\n3,\n", 2), at + ":2, column 2: found '', expected a number");
    EXPECT_EQ(bad("1\n1e400\n"), at + ":2: found '1e400', expected a number that fits float64");
    EXPECT_EQ(bad("1\n1e40\n", 1, ValueType::kFloat32), at + ":2: found '1e40', expected a number that fits float32");
    EXPECT_EQ(bad("1\n9223372036854775808\n", 1, ValueType::kInt64),
              at + ":2: found '9223372036854775808', expected a number that fits int64");
    EXPECT_EQ(bad("1\n1.5\n", 1, ValueType::kInt64), at + ":2: found '1.5', expected an integer");
    EXPECT_EQ(bad("# nothing\n\n"), at + ": no number in it");
    EXPECT_EQ(bad("heading\n"), at + ": no number in it");
    EXPECT_EQ(bad(std::string("1\n\0002\n", 5)), at + ": found byte 0 at offset 2, expected text");
}

// A first value that is taken for a heading would be missing from the sum without a word.
TEST_F(ValueFiles, TakeNoNumberForAHeading)
{
    const auto column = [&](const std::string& text, int number = 1) {
        ValueFileOptions options;
        options.column = number;
        const Result<Doubles> values = read<double>(write("a.csv", text), options);
        return values ? *values : Doubles{};
    };
    EXPECT_EQ(column("\xef\xbb\xbf"
                     "100\n2\n"),
              (Doubles{100, 2}));
    EXPECT_EQ(column("\xef\xbb\xbfheight\n2\n"), Doubles{2});
    EXPECT_EQ(column("1 # a, b\n2\n"), (Doubles{1, 2}));
    EXPECT_EQ(column("inf # a, b\n2\n"), (Doubles{HUGE_VAL, 2}));
    EXPECT_EQ(column("\"Temperature, mean\";b\n1;2\n"), Doubles{1});
    EXPECT_EQ(column("\"Temperature, mean\";b\n1;2\n", 2), Doubles{2});
    EXPECT_EQ(column("Sample #,b\n1,2\n", 2), Doubles{2});
    EXPECT_EQ(column("\xc3\x84pfel\n2\n"), Doubles{2});
    const std::string at = folder_.path() + "/a.csv:1";
    const auto bad = [&](const std::string& text, std::optional<ValueType> type = {}) {
        ValueFileOptions options;
        options.type = type;
        return errorOf(write("a.csv", text), options);
    };
    const std::string orHeading = ", or a heading that begins with a letter";
    for (const std::string text : {"0x1p3", "1d5",
                                   "\xe2\x88\x92"
                                   "1",
                                   "\xc2\xa0"
                                   "1",
                                   "\"1\"", "(5)"})
        EXPECT_EQ(bad(text + "\n2\n"), at + ": found '" + text + "', expected a number" + orHeading);
    EXPECT_EQ(bad(",1\n2,3\n"), at + ", column 1: found '', expected a number" + orHeading);
    EXPECT_EQ(bad("1.5\n2\n", ValueType::kInt64), at + ": found '1.5', expected an integer" + orHeading);
    EXPECT_EQ(bad("nan\n2\n", ValueType::kInt64), at + ": found 'nan', expected an integer" + orHeading);
    EXPECT_EQ(bad("1\r2\r3\r"), at + ": found '1\\r2\\r3', expected lines that end with LF or CR LF");
}

TEST_F(ValueFiles, ReadLongTextAcrossPieces)
{
    test::Random random(5);
    std::string text;
    Doubles expected;
    for (int i = 0; i < 40'000; ++i)
    {
        const double value = std::bit_cast<double>(std::uint64_t(random.bits()) << 32 | random.bits());
        if (!std::isfinite(value)) continue;
        expected.push_back(value);
        text += fmt::format("{}{}", value, i % 7 == 0 ? "\r\n" : "\n");
    }
    const Result<Doubles> values = read<double>(write("long.txt", text), {}, 999);
    ASSERT_TRUE(values) << values.error().message;
    ASSERT_EQ(values->size(), expected.size());
    EXPECT_EQ(std::memcmp(values->data(), expected.data(), 8 * expected.size()), 0);
}

TEST_F(ValueFiles, PairsMustAgree)
{
    const std::string x = write("x", raw<double>({1, 2, 3})), y = write("y", raw<double>({4, 5})),
                      f = write("f.npy", npy("{'descr': '<f4', 'shape': (3,)}", raw<float>({1, 2, 3}))),
                      c = write("c.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3)}",
                                             raw<double>({1, 2, 3}))),
                      t = write("t.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 3)}",
                                             raw<double>({1, 2, 3})));
    const auto error = [](const std::string& a, const std::string& b) {
        double ms = 0;
        const Status status = readPieces(
            {a}, &b, {}, [] { return false; }, ms, [](const ValuePiece&, double) { return Status::ok(); });
        return status ? std::string("none") : status.error().message;
    };
    EXPECT_EQ(error(x, x), "none");
    EXPECT_EQ(error(x, y), y + ": found 2 values, and more in " + x + ", expected as many");
    EXPECT_EQ(error(y, x), y + ": found 2 values, and more in " + x + ", expected as many");
    EXPECT_EQ(error(x, f), x + ": float64, and " + f + ": float32, expected one type");
    EXPECT_EQ(error(c, t), c + " and " + t + ": one in C order, one in Fortran order, expected one order");
}

}  // namespace
}  // namespace orogen::compute
