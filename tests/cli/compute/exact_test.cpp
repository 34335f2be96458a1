// orogen exact: correctly rounded results, against Python's fractions; documented JSON keys; errors with their codes.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
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

class ExactCommand : public testing::Test
{
protected:
    static Finished exact(Words arguments)
    {
        arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "exact"});
        return test::runProgram(arguments);
    }
    static Json json(Words arguments)
    {
        arguments.emplace_back("--json");
        const Finished run = exact(arguments);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        return run.code == 0 ? Json::parse(run.out) : Json();
    }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
    template <class T>
    std::string writeRaw(const std::string& name, const std::vector<T>& values) const
    {
        return write(name, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    }
    // Runs Python and returns its output; it must succeed.
    static std::string python(const std::string& script, const Words& arguments)
    {
        Words command = {"/usr/bin/python3", "-c", script};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const Finished run = test::runProgram(command);
        EXPECT_EQ(run.code, 0) << run.err;
        return run.out;
    }
    const test::TemporaryFolder folder_;
};

TEST_F(ExactCommand, PrintsTheSum)
{
    EXPECT_EQ(exact({"sum", write("a.csv", "1e300\n1e-300\n-1e300\n")}).out.substr(0, 7), "1e-300\n");
    EXPECT_EQ(json({"sum", path("a.csv")})["result"], 1e-300);
    EXPECT_EQ(json({"mean", write("b.txt", "1\n2\n4\n")})["result"], 7.0 / 3);
    EXPECT_EQ(json({"norm", path("b.txt")})["result"], std::sqrt(21.0));
    EXPECT_EQ(json({"dot", path("b.txt"), path("b.txt")})["result"], 21.0);
    EXPECT_EQ(json({"sum", path("b.txt"), path("a.csv"), path("b.txt")})["result"], 14.0);
    EXPECT_EQ(json({"sum", write("c.csv", "x,y\n1,2.5\n3,4.5\n"), "--column", "2"})["result"], 7.0);
    const Json integers =
        json({"sum", write("d.csv", "9223372036854775807\n9223372036854775807\n"), "--type", "int64"});
    EXPECT_EQ(integers["exact"], "18446744073709551614");
    EXPECT_EQ(integers["result"], 0x1p64);
}

TEST_F(ExactCommand, WritesTheDocumentedKeys)
{
    const Json run = json({"sum", writeRaw<double>("x", {0.1, 0.2, 0.3}), "--compare"});
    std::set<std::string> keys;
    for (const auto& [key, value] : run.items())
        keys.insert(key);
    EXPECT_EQ(keys, (std::set<std::string>{"operation", "result", "hex", "count", "terms", "comparison", "check",
                                           "oracle", "algorithm", "backend", "rates", "time_ms"}));
    EXPECT_EQ(run["count"], 3);
    EXPECT_EQ(run["check"], "equal");
    EXPECT_EQ(std::strtod(run["hex"].get<std::string>().c_str(), nullptr), run["result"].get<double>());
    for (const std::string name : {"plain", "pairwise", "kahan", "fsum"})
        for (const std::string key : {"result", "relative_error", "units_in_last_place", "ms"})
            EXPECT_TRUE(run["comparison"][name].contains(key)) << name << key;
    EXPECT_EQ(run["comparison"]["fsum"]["relative_error"], 0.0);
    EXPECT_GT(run["comparison"]["plain"]["relative_error"], 0.0);
    for (const std::string key : {"read", "sum", "check", "compare", "total"})
        EXPECT_TRUE(run["time_ms"].contains(key)) << key;
    EXPECT_TRUE(json({"sum", path("x")})["time_ms"].contains("read"));
}

TEST_F(ExactCommand, CountsUnitsUpToTheLargestDouble)
{
    const double largest = std::numeric_limits<double>::max(), unit = 0x1p971;
    const Json run = json({"sum", writeRaw<double>("max", {largest - unit, unit / 2, unit / 2}), "--compare"});
    EXPECT_EQ(run["result"], largest);
    EXPECT_EQ(run["comparison"]["plain"]["result"], largest - unit);
    EXPECT_EQ(run["comparison"]["plain"]["units_in_last_place"], 1.0);
}

TEST_F(ExactCommand, SaysWhatIsNoNumber)
{
    EXPECT_EQ(json({"sum", write("n", "nan\n1\n"), "--format", "csv"})["result"], "NaN");
    EXPECT_EQ(json({"sum", write("i", "inf\n1\n"), "--format", "csv"})["result"], "Infinity");
    EXPECT_EQ(json({"sum", write("m", "-inf\n1\n"), "--format", "csv"})["result"], "-Infinity");
    EXPECT_EQ(json({"sum", write("b", "-inf\ninf\n"), "--format", "csv"})["result"], "NaN");
    const Json minus = json({"sum", write("z", "-0\n-0.0\n"), "--format", "csv"});
    EXPECT_EQ(minus["hex"], "-0x0p+0");
    EXPECT_EQ(json({"sum", writeRaw<double>("big", {1.7e308, 1.7e308})})["result"], "Infinity");
    EXPECT_EQ(json({"mean", path("big")})["result"], 1.7e308);
}

using ExactCommandThorough = ExactCommand;

// Results of files that Python wrote, in every type, are the nearest doubles of its rational sums.
TEST_F(ExactCommandThorough, AgreesWithPythonsFractions)
{
    const std::string write = R"(
import random, struct, sys
random.seed(31)
f = sys.argv[1]
def any64():
    while True:
        x = struct.unpack('<d', struct.pack('<Q', random.getrandbits(64)))[0]
        if x == x and abs(x) != float('inf'): return x
def any(code, bits):
    while True:
        x = struct.unpack('<' + code, random.getrandbits(bits).to_bytes(bits // 8, 'little'))[0]
        if x == x and abs(x) != float('inf'): return x
def npy(name, descr, data, n):
    h = repr({'descr': descr, 'fortran_order': False, 'shape': (n,)}).encode()
    h += b' ' * (63 - (len(h) + 10) % 64) + b'\n'
    open(f + '/' + name, 'wb').write(b'\x93NUMPY\x01\0' + struct.pack('<H', len(h)) + h + data)
for name, descr, code, bits in (('d', '<f8', 'd', 64), ('f', '<f4', 'f', 32), ('h', '<f2', 'e', 16), ('q', '<i8', 'q', 64)):
    for part in 'xy':
        v = [any(code, bits) for _ in range(3000)]
        npy(name + part + '.npy', descr, struct.pack('<3000' + code, *v), 3000)
v = [random.gauss(1, 1) for _ in range(20000)]
open(f + '/g.txt', 'w').write('\n'.join(map(repr, v)))
open(f + '/g.f64', 'wb').write(struct.pack('<20000d', *v))
)";
    python(write, {folder_.path()});
    const std::string read = R"(
import math, struct, sys
from fractions import Fraction
f, name, op, found = sys.argv[1:5]
if name[0] == 'g':
    x = [float(l) for l in open(f + '/g.txt')]; y = x
else:
    code = {'d': 'd', 'f': 'f', 'h': 'e', 'q': 'q'}[name[0]]
    size = struct.calcsize('<' + code)
    x, y = (struct.unpack('<3000' + code, open(f + '/' + name[0] + p + '.npy', 'rb').read()[-3000 * size:]) for p in 'xy')
s = sum(Fraction(a) * Fraction(b) for a, b in zip(x, y)) if op == 'dot' else sum(map(Fraction, x))
if op == 'mean': s /= len(x)
try: expected = float(s)
except OverflowError: expected = math.inf if s > 0 else -math.inf
assert float.fromhex(found) == expected, (name, op, found, expected.hex())
if op == 'sum' and name[0] == 'g': assert math.fsum(x) == expected
)";
    for (const std::string name : {"d", "f", "h", "q"})
        for (const std::string operation : {"sum", "mean", "dot"})
        {
            Words arguments = {operation, path(name + "x.npy")};
            if (operation == "dot") arguments.push_back(path(name + "y.npy"));
            const std::string hex = json(arguments)["hex"];
            python(read, {folder_.path(), name, operation, hex});
        }
    for (const std::string file : {"g.txt", "g.f64"})
        for (const std::string operation : {"sum", "mean"})
            python(read, {folder_.path(), "g", operation, json({operation, path(file)})["hex"]});
}

TEST_F(ExactCommand, ReadsStandardInput)
{
    const auto shell = [&](const std::string& command) {
        const Finished run = test::runProgram({"/bin/sh", "-c", command});
        EXPECT_EQ(run.code, 0) << run.err;
        return run.code == 0 ? Json::parse(run.out)["result"] : Json();
    };
    const std::string file = writeRaw<double>("x", {1, 2, 3.5});
    EXPECT_EQ(shell(fmt::format("cat {} | {} exact sum - --json", file, OROGEN_PROGRAM)), 6.5);
    EXPECT_EQ(shell(fmt::format("{} exact sum - --json < {}", OROGEN_PROGRAM, file)), 6.5);
    EXPECT_EQ(shell(fmt::format("printf '1\\n2\\n' | {} exact sum - --format csv --json", OROGEN_PROGRAM)), 3.0);
    EXPECT_EQ(shell(fmt::format("cat {0} | {1} exact dot {0} - --json", file, OROGEN_PROGRAM)), 17.25);
    EXPECT_EQ(shell(fmt::format("cat {0} | {1} exact sum {0} - {0} --json", file, OROGEN_PROGRAM)), 19.5);
}

TEST_F(ExactCommand, RefusesWithCodeAndReason)
{
    const std::string file = writeRaw<double>("x", {1, 2}), text = write("t.csv", "1\n2\nthree\n");
    const auto refuses = [&](const Words& arguments, int code, const std::string& message) {
        const Finished run = exact(arguments);
        EXPECT_EQ(run.code, code) << message;
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
        EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    };
    refuses({"sum"}, 2, "sum: expected a file, or --count N");
    refuses({"dot", file}, 2, "dot: expected two files, or --count N");
    refuses({"sum", file, "--count", "3"}, 2, "count: expected either files or a count");
    refuses({"sum", file, "--pattern", "signed"}, 2, "pattern, seed: expected with a count");
    for (const Words& option : {Words{"--type", "float64"}, {"--format", "csv"}, {"--column", "1"}})
        refuses({"sum", "--count", "3", option[0], option[1]}, 2, "type, format, column: expected with files");
    refuses({"sum", file, "--y", file}, 2, "--y");
    refuses({"sum", "-", "-"}, 2, "standard input can be read once");
    refuses({"sum", text, "--type", "float16"}, 2, "type: float16: expected float64, float32 or int64 for text");
    refuses({"sum", file, "--column", "0"}, 2, "--column: 0: expected an integer from 1");
    refuses({"sum", text}, 5, "t.csv:3: found 'three', expected a number");
    refuses({"sum", path("none")}, 5, "none: cannot be read");
    refuses({"sum", folder_.path()}, 5, "expected a file");
    refuses({"sum", write("empty", "")}, 5, "empty: no number in it");
    refuses({"dot", file, writeRaw<double>("y", {1})}, 5, "found 1 value, and more in");
    refuses({"sum", "--count", "1099511627776"}, 6, "count");
}

TEST_F(ExactCommand, HasEqualBitsForAnyThreadsAndAlgorithm)
{
    for (const std::string pattern : {"uniform", "signed", "exponents", "cancelling"})
    {
        const Words made = {"sum", "--count", "300000", "--pattern", pattern};
        const std::string first = json(made)["hex"];
        for (const std::string algorithm : {"windows", "bins"})
            for (const std::string threads : {"1", "3"})
            {
                Words again = made;
                again.insert(again.end(), {"--algorithm", algorithm, "--threads", threads});
                EXPECT_EQ(json(again)["hex"], first) << pattern << algorithm << threads;
            }
        Words inKernels = made;
        inKernels.insert(inKernels.end(), {"--backend", "host-kernel"});
        const Json run = json(inKernels);
        EXPECT_EQ(run["hex"], first) << pattern;
        EXPECT_GT(run["executor"]["blocks"], 0);
    }
}

using ExactCommandLong = ExactCommand;

// 64 GiB through a pipe: 2^33 values.
TEST_F(ExactCommandLong, SumsALongPipe)
{
    const std::string block = writeRaw("block", std::vector<double>(1 << 17, 0x1.fffffffffffffp-3));
    const Finished run = test::runProgram(
        {"/bin/sh", "-c",
         fmt::format("for i in $(seq 65536); do cat {}; done | {} exact sum - --json", block, OROGEN_PROGRAM)});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out);
    EXPECT_EQ(json["count"], std::uint64_t(1) << 33);
    EXPECT_EQ(json["result"], 0x1.fffffffffffffp30);
    EXPECT_EQ(json["check"], "equal");
}

}  // namespace
}  // namespace orogen
