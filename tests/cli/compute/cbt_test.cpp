// orogen cbt: its output, against independent arithmetic.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_oracle.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class CbtCommand : public testing::Test
{
protected:
    static Finished cbt(Words arguments)
    {
        arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "cbt"});
        return test::runProgram(arguments);
    }
    std::string file(const std::string& name) const { return folder_ + "/" + name; }
    std::string write(const std::string& text) const
    {
        std::ofstream(file("ops"), std::ios::binary) << text;
        return file("ops");
    }
    // Returns the JSON of a replay that must succeed.
    Json replay(const std::string& operations, Words options) const
    {
        options.insert(options.begin(), {"replay", write(operations), "--json"});
        const Finished run = cbt(options);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        return run.code == 0 ? Json::parse(run.out) : Json();
    }
    std::vector<std::uint32_t> wordsOf(const std::string& name) const
    {
        std::ifstream in(file(name), std::ios::binary);
        std::vector<std::uint32_t> words;
        for (std::array<unsigned char, 4> b; in.read(reinterpret_cast<char*>(b.data()), 4);)
            words.push_back(b[0] | std::uint32_t(b[1]) << 8 | std::uint32_t(b[2]) << 16 | std::uint32_t(b[3]) << 24);
        return words;
    }

private:
    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
};

// ---- node ----

using Corner = std::array<double, 2>;

Json nodeJson(std::uint64_t node, int depth)
{
    const Finished run = test::runProgram(
        {OROGEN_PROGRAM, "cbt", "node", std::to_string(node), "--depth", std::to_string(depth), "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return Json::parse(run.out);
}

std::set<Corner> cornersOf(const Json& node)
{
    std::set<Corner> corners;
    for (const Json& corner : node.at("vertices"))
        corners.insert({corner.at(0).get<double>(), corner.at(1).get<double>()});
    return corners;
}

double squaredLength(const Corner& a, const Corner& b) { return std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2); }

double area(const Json& node)
{
    const auto v = node.at("vertices").get<std::vector<Corner>>();
    return std::abs((v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[2][0] - v[0][0]) * (v[1][1] - v[0][1])) / 2;
}

double longestEdge(const std::set<Corner>& corners)
{
    double longest = 0;
    for (const Corner& a : corners)
        for (const Corner& b : corners)
            longest = std::max(longest, squaredLength(a, b));
    return longest;
}

TEST_F(CbtCommand, NodeSaysWhereANodeLies)
{
    const Json node = nodeJson(27, 10);
    EXPECT_EQ(node.at("node"), 27);
    EXPECT_EQ(node.at("depth"), 4);
    EXPECT_EQ(node.at("max_depth"), 10);
    EXPECT_EQ(node.at("path"), "1011");
    EXPECT_EQ(node.at("bit"), 704);  // 11/16 of 1024
    EXPECT_EQ(area(node), 1.0 / 16);
    for (const char* key : {"algorithm", "backend", "time_ms"})
        EXPECT_TRUE(node.contains(key)) << key;
}

TEST_F(CbtCommand, TheRootHasNoTriangle)
{
    const Json root = nodeJson(1, 6);
    EXPECT_TRUE(root.at("vertices").is_null());
    EXPECT_EQ(root.at("depth"), 0);
    EXPECT_EQ(root.at("path"), "");
    EXPECT_EQ(root.at("bit"), 0);
    for (const char* key : {"edge_neighbour", "left_neighbour", "right_neighbour"})
        EXPECT_EQ(root.at(key), 0) << key;
}

TEST_F(CbtCommand, TheHalvesAreNeighboursAcrossTheDiagonal)
{
    const Json first = nodeJson(2, 6), second = nodeJson(3, 6);
    EXPECT_EQ(first.at("edge_neighbour"), 3);
    EXPECT_EQ(second.at("edge_neighbour"), 2);
    EXPECT_EQ(area(first) + area(second), 1.0);
    std::set<Corner> corners = cornersOf(first);
    corners.merge(cornersOf(second));
    EXPECT_EQ(corners, (std::set<Corner>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

using CbtCommandThorough = CbtCommand;

TEST_F(CbtCommandThorough, NeighboursShareAnEdgeAndTheEdgeNeighbourTheLongest)
{
    test::Random random(1);
    for (int i = 0; i < 25; ++i)
    {
        const int depth = i < 5 ? 30 : random.between(6, 30);
        const int level = i < 5 ? 30 : random.between(1, depth);
        const std::uint64_t number = (std::uint64_t(1) << level) + random.below(1u << level);
        SCOPED_TRACE(testing::Message() << "node " << number << " depth " << depth);
        const Json node = nodeJson(number, depth);
        EXPECT_EQ(node.at("bit"), (number << (depth - level)) - (std::uint64_t(1) << depth));
        EXPECT_EQ(area(node), std::ldexp(1.0, -level));
        EXPECT_EQ(longestEdge(cornersOf(node)), std::ldexp(4.0, -level)) << "right isosceles";
        for (const char* key : {"edge_neighbour", "left_neighbour", "right_neighbour"})
        {
            if (node.at(key) == 0) continue;
            const std::set<Corner> mine = cornersOf(node), others = cornersOf(nodeJson(node.at(key), depth));
            std::set<Corner> shared;
            std::ranges::set_intersection(mine, others, std::inserter(shared, shared.end()));
            ASSERT_EQ(shared.size(), 2u) << key;
            const bool longest = longestEdge(shared) == longestEdge(mine);
            EXPECT_EQ(longest, std::string(key) == "edge_neighbour") << key;
        }
    }
}

TEST_F(CbtCommand, NodeIsReadableWithoutJson)
{
    const Finished run = cbt({"node", "27", "--depth", "10"});
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.out.find("1011"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find('{'), std::string::npos) << run.out;
}

// ---- usage ----

TEST_F(CbtCommand, UsageErrorsAreOneLineAndNameTheRange)
{
    const std::string ops = write("reduce\n");
    const struct
    {
        Words arguments;
        std::string names;
    } cases[] = {{{"node", "1", "--depth", "5"}, "6 to 30"},
                 {{"node", "1", "--depth", "31"}, "6 to 30"},
                 {{"node", "1", "--depth", "six"}, "6 to 30"},
                 {{"node", "0", "--depth", "6"}, "1 to 127"},
                 {{"node", "128", "--depth", "6"}, "1 to 127"},
                 {{"node", "2147483648", "--depth", "30"}, "1 to 2147483647"},
                 {{"node", "99999999999999999999", "--depth", "6"}, "1 to 127"},
                 {{"node", "0x1b", "--depth", "6"}, "1 to 127"},
                 {{"node", "27"}, "--depth"},
                 {{"node", "--depth", "6"}, "K"},
                 {{"replay", ops}, "--depth"},
                 {{"replay", ops, "--depth", "5"}, "6 to 30"},
                 {{"replay", ops, "--depth", "6", "--initial-depth", "7"}, "0 to 6"},
                 {{"replay", ops, "--depth", "6", "--initial-depth", "-1"}, "0 to 30"},
                 {{"replay", ops, "--depth", "6", "--layout", "narrow"}, "--layout"},
                 {{"replay", ops, "--depth", "6", "--frobnicate"}, "--frobnicate"},
                 {{}, "expected one of"},
                 {{"grow"}, "expected one of"}};
    for (const auto& [arguments, names] : cases)
    {
        const Finished run = cbt(arguments);
        EXPECT_EQ(run.code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find(names), std::string::npos) << run.err;
    }
}

// ---- replay ----

TEST_F(CbtCommand, ReplayStartsUniform)
{
    EXPECT_EQ(replay("", {"--depth", "8"}).at("leaves"), 1);
    EXPECT_EQ(replay("", {"--depth", "8", "--initial-depth", "5"}).at("leaves"), 32);
    const Json full = replay("", {"--depth", "8", "--initial-depth", "8", "--layout", "packed"});
    EXPECT_EQ(full.at("leaves"), 256);
    EXPECT_EQ(full.at("conforming"), true);
}

TEST_F(CbtCommand, ReplayHasTheContractsKeys)
{
    const Json json = replay("split 1\n", {"--depth", "7"});
    EXPECT_EQ(json.at("max_depth"), 7);
    EXPECT_EQ(json.at("layout"), "wide");
    EXPECT_EQ(json.at("leaves"), 2);
    EXPECT_TRUE(json.at("leaf_hash").is_string());
    EXPECT_EQ(json.at("conforming"), true);
    EXPECT_EQ(json.at("bytes"), 32);
    EXPECT_EQ(replay("split 1\n", {"--depth", "7", "--layout", "packed"}).at("bytes"), 64);
    for (const char* key : {"algorithm", "backend", "time_ms"})
        EXPECT_TRUE(json.contains(key)) << key;
}

TEST_F(CbtCommand, ReplayTakesCommentsBlankLinesAndAnyLineEnd)
{
    const Json json = replay("# a comment\n\n  split 1 # another\r\n\tsplit\t2\r\n" + std::string("# ") +
                                 std::string(5000, 'x') + "\nreduce\nsplit 3",
                             {"--depth", "6"});
    EXPECT_EQ(json.at("leaves"), 4);
}

TEST_F(CbtCommand, ReplayTellsTheNodeOfALeaf)
{
    for (const char* layout : {"wide", "packed"})
    {
        const Json tree =
            replay("leaf 0\nsplit 1\nsplit 3 # 2 6 7\nleaf 0\nleaf 1\nsplit 2\nleaf 1\n  leaf  3 # the last\n",
                   {"--depth", "7", "--layout", layout});
        const std::pair<int, int> expected[] = {{0, 1}, {0, 2}, {1, 6}, {1, 5}, {3, 7}};
        ASSERT_EQ(tree.at("queries").size(), std::size(expected));
        for (std::size_t i = 0; i < std::size(expected); ++i)
        {
            EXPECT_EQ(tree.at("queries")[i].at("leaf"), expected[i].first);
            EXPECT_EQ(tree.at("queries")[i].at("node"), expected[i].second) << layout;
        }
    }
    for (const std::string line : {"leaf", "leaf x", "leaf 1 2", "leaf -1", "leaf 1"})
    {
        const Finished run = cbt({"replay", write(line + "\n"), "--depth", "6"});
        EXPECT_EQ(run.code, 5) << line;
        EXPECT_NE(run.err.find(":1: leaf"), std::string::npos) << run.err;
    }
}

TEST_F(CbtCommand, ASplitOfAnInnerNodeIsRefusedUnlessAllowed)
{
    for (const std::string name : {"split", "leb-split"})
        for (const char* layout : {"wide", "packed"})
        {
            const std::string edits = "split 1\n" + name + " 1\nsplit 2\n";
            EXPECT_EQ(cbt({"replay", write(edits), "--depth", "6", "--layout", layout}).code, 5);
            const Json allowed = replay(edits, {"--depth", "6", "--layout", layout, "--allow-inner"});
            EXPECT_EQ(allowed.at("inner_splits"), 1);
            EXPECT_EQ(allowed.at("leaf_hash"), replay("split 1\nsplit 2\n", {"--depth", "6"}).at("leaf_hash"));
            EXPECT_EQ(cbt({"replay", write(name + " 2\n"), "--depth", "6", "--allow-inner"}).code, 5) << "no node yet";
        }
}

TEST_F(CbtCommand, ReplaySaysWhetherTheResultConforms)
{
    EXPECT_EQ(replay("split 1\nsplit 2\n", {"--depth", "6"}).at("conforming"), false);
    EXPECT_EQ(replay("split 1\nsplit 2\nsplit 3\n", {"--depth", "6"}).at("conforming"), true);
    EXPECT_EQ(replay("split 1\nleb-split 2\n", {"--depth", "6"}).at("leaves"), 4);
    EXPECT_EQ(replay("leb-split 1\nleb-split 2\nleb-split 4\nleb-split 9\n", {"--depth", "6"}).at("conforming"), true);
    const Json back = replay("leb-split 1\nleb-split 2\nleb-merge 5\n", {"--depth", "6"});
    EXPECT_EQ(back.at("leaves"), 2);
    EXPECT_EQ(back.at("leaf_hash"), replay("split 1\n", {"--depth", "9"}).at("leaf_hash"));
    EXPECT_EQ(replay("leb-split 1\nleb-merge 3\n", {"--depth", "6"}).at("leaves"), 1);
}

TEST_F(CbtCommandThorough, ReplayRefusesWhatIsMalformedAndNamesTheLine)
{
    const struct
    {
        std::string operations;
        int line;
        std::string names;
    } cases[] = {{"split 2\n", 1, "not a leaf"},
                 {"split 1\nsplit 1\n", 2, "not a leaf"},
                 {"split 1\n# comment\n\nsplit 4\n", 4, "not a leaf"},
                 {"split 1\nmerge 4\n", 2, "not a leaf"},
                 {"merge 1\n", 1, "root"},
                 {"split 1\nsplit 2\nmerge 3\n", 3, "sibling 2"},
                 {"split 1\nsplit 2\nleb-merge 4\n", 3, "diamond"},
                 {"leb-merge 1\n", 1, "root"},
                 {"split 1\nreduce\nleb-split 1\n", 3, "not a leaf"},
                 {"split 128\n", 1, "not a leaf"},
                 {"split 4294967297\n", 1, "not a leaf"},
                 {"split 0\n", 1, "node number"},
                 {"split -1\n", 1, "node number"},
                 {"split 0x1\n", 1, "node number"},
                 {"split 18446744073709551617\n", 1, "node number"},
                 {"split\n", 1, "no node"},
                 {"split 1 2\n", 1, "'2'"},
                 {"reduce 1\n", 1, "'1'"},
                 {"Split 1\n", 1, "'Split'"},
                 {"split 1\ncollapse 2\n", 2, "'collapse'"},
                 {"leaves 0\n", 1, "reduce or leaf"},
                 {"split 1" + std::string(1000, ' ') + "2\n", 1, "200"},
                 {std::string("split 1\0\n", 9), 1, R"('1\x00')"},
                 {"split 1\n\x1b[31m\n", 2, R"('\x1b[31m')"}};
    for (const auto& [operations, line, names] : cases)
        for (const char* layout : {"wide", "packed"})
        {
            SCOPED_TRACE(operations);
            const Finished run = cbt({"replay", write(operations), "--depth", "6", "--json", "--layout", layout});
            EXPECT_EQ(run.code, 5);
            EXPECT_EQ(run.out, "");
            EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
            EXPECT_NE(run.err.find("ops:" + std::to_string(line) + ": "), std::string::npos) << run.err;
            EXPECT_NE(run.err.find(names), std::string::npos) << run.err;
        }
}

TEST_F(CbtCommand, ReplayDoesNotSplitALeafOfTheMaximumDepth)
{
    const Finished run = cbt({"replay", write("split 64\n"), "--depth", "6", "--initial-depth", "6"});
    EXPECT_EQ(run.code, 5);
    EXPECT_NE(run.err.find("maximum depth 6"), std::string::npos) << run.err;
}

TEST_F(CbtCommand, ReplayNamesAFileThatCannotBeReadOrWritten)
{
    const Finished missing = cbt({"replay", file("none"), "--depth", "6"});
    EXPECT_EQ(missing.code, 5);
    EXPECT_NE(missing.err.find(file("none")), std::string::npos) << missing.err;
    EXPECT_EQ(cbt({"replay", file(""), "--depth", "6"}).code, 5) << "a folder";
    const Finished dump = cbt({"replay", write(""), "--depth", "6", "--dump", file("none/dump")});
    EXPECT_EQ(dump.code, 8);
    EXPECT_EQ(dump.out, "");
    EXPECT_NE(dump.err.find("none/dump"), std::string::npos) << dump.err;
}

// Returns random legal edits, derived from a set of leaves only.
std::string randomEdits(test::Random& random, test::LeafSet& leaves, int depth, int count)
{
    std::string text;
    for (; count > 0; --count)
    {
        const test::Node leaf = random.pick(leaves.ordered());
        if (random.chance(1, 3) && leaves.canMerge(leaf))
            leaves.merge(leaf), text += "merge " + std::to_string(leaf) + "\n";
        else if (leaf < 1u << depth)
            leaves.split(leaf), text += "split " + std::to_string(leaf) + "\n";
        if (random.chance(1, 10)) text += "reduce\n";
    }
    return text;
}

// Returns the bit at which each leaf starts in a field of 2^depth bits.
std::set<std::uint64_t> startsOf(const test::LeafSet& leaves, int depth)
{
    std::set<std::uint64_t> starts;
    for (std::uint64_t leaf : leaves.ordered())
    {
        while (leaf < std::uint64_t(1) << depth)
            leaf *= 2;
        starts.insert(leaf - (std::uint64_t(1) << depth));
    }
    return starts;
}

bool bitOf(const std::vector<std::uint32_t>& words, std::uint64_t bit) { return words[bit / 32] >> bit % 32 & 1u; }

TEST_F(CbtCommand, DumpsAreTheTreeInBothLayouts)
{
    for (unsigned seed = 0; seed < 12; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        const int depth = random.between(6, 14);
        test::LeafSet leaves;
        const std::string edits = randomEdits(random, leaves, depth, 150);
        const std::string d = std::to_string(depth);
        const Json wide = replay(edits, {"--depth", d, "--dump", file("wide")});
        const Json packed = replay(edits, {"--depth", d, "--layout", "packed", "--dump", file("packed")});
        EXPECT_EQ(wide.at("leaves"), leaves.size());
        EXPECT_EQ(packed.at("leaves"), leaves.size());
        EXPECT_EQ(wide.at("leaf_hash"), packed.at("leaf_hash"));
        EXPECT_EQ(wide.at("leaf_hash"), replay(edits, {"--depth", std::to_string(depth + 3)}).at("leaf_hash"));

        const std::vector<std::uint32_t> w = wordsOf("wide"), p = wordsOf("packed");
        ASSERT_EQ(w.size() * 4, std::size_t(1) << (depth - 2));
        ASSERT_EQ(p.size() * 4, std::size_t(1) << (depth - 1));
        EXPECT_EQ(w[0], std::uint32_t(depth));
        EXPECT_EQ(w[1], leaves.size());
        EXPECT_EQ(p[0] & ((std::uint64_t(1) << (depth + 3)) - 1), std::uint64_t(1) << depth);
        const std::set<std::uint64_t> starts = startsOf(leaves, depth);
        std::uint64_t rootCount = 0;
        for (int bit = 0; bit <= depth; ++bit)
            rootCount |= std::uint64_t(bitOf(p, std::uint64_t(depth + 3 + bit))) << bit;
        EXPECT_EQ(rootCount, leaves.size());
        for (std::uint64_t bit = 0; bit < std::uint64_t(1) << depth; ++bit)
        {
            ASSERT_EQ(bitOf(w, 32 * (w.size() / 2) + bit), starts.contains(bit)) << bit;
            ASSERT_EQ(bitOf(p, (std::uint64_t(3) << depth) + bit), starts.contains(bit)) << bit;
        }
    }
}

TEST_F(CbtCommand, ReplayIsReadableWithoutJson)
{
    const Finished run = cbt({"replay", write("split 1\nsplit 2\n"), "--depth", "6"});
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.out.find("3 leaves"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("not conforming"), std::string::npos) << run.out;
}

TEST_F(CbtCommand, ReplayHoldsTheLargestDepth)
{
    std::string edits;
    for (std::uint64_t node = 1; node < 1u << 30; node = 2 * node + node % 3 % 2)
        edits += "leb-split " + std::to_string(node) + "\n";
    const Json json = replay(edits, {"--depth", "30"});
    EXPECT_EQ(json.at("conforming"), true);
    EXPECT_EQ(json.at("bytes"), 268435456);
}

}  // namespace
}  // namespace orogen
