// Layouts of words in both trees, and their reduction.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/thread_pool.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/cbt/tree.h"
#include "tests/support/random.h"

namespace orogen {
namespace {

using test::Random;
using Words = std::vector<std::uint32_t>;

Words copyOf(std::span<const std::uint32_t> words) { return {words.begin(), words.end()}; }

// Splits leaves without keeping the mesh conforming, since any tree serves here.
template <class Tree>
void splitAtRandom(Tree& tree, Random& random, int edits)
{
    for (; edits > 0; --edits)
    {
        tree.split(tree.leaf(random.below(tree.leafCount())));
        tree.reduce();
    }
}

// Returns the bit field from a list of leaves: one bit per node of depth D, set where a leaf starts.
std::vector<bool> fieldOf(const Cbt& tree)
{
    std::vector<bool> field(std::size_t(1) << tree.maxDepth());
    for (const NodeId leaf : leavesOf(tree))
    {
        std::uint64_t start = leaf;
        while (start < field.size())
            start *= 2;
        field[start - field.size()] = true;
    }
    return field;
}

// Counts the leaves in a node's range bit by bit.
std::uint32_t countOf(const std::vector<bool>& field, NodeId node)
{
    std::size_t begin = node, end = node + 1;
    while (begin < field.size())
        begin *= 2, end *= 2;
    std::uint32_t count = 0;
    for (std::size_t bit = begin - field.size(); bit < end - field.size(); ++bit)
        count += field[bit];
    return count;
}

TEST(WideLayout, IsDepthThenCountsThenField)
{
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        Cbt tree(random.between(6, 12));
        splitAtRandom(tree, random, 60);
        const std::vector<bool> field = fieldOf(tree);
        const std::size_t wordCount = field.size() / 32;
        ASSERT_EQ(tree.words().size(), 2 * wordCount);
        EXPECT_EQ(tree.words()[0], std::uint32_t(tree.maxDepth()));
        for (NodeId node = 1; node < wordCount; ++node)
            ASSERT_EQ(tree.words()[node], countOf(field, node)) << node;
        for (std::size_t bit = 0; bit < field.size(); ++bit)
            ASSERT_EQ(tree.words()[wordCount + bit / 32] >> bit % 32 & 1u, field[bit]) << bit;
    }
}

// Counts follow each other without gaps after D + 3 bits that hold 2^D, as the paper's formulas imply.
TEST(PackedLayout, IsEveryCountInTurnBehindTheHeader)
{
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        const int depth = random.between(6, 12);
        PackedCbt tree(depth);
        splitAtRandom(tree, random, 60);
        const std::vector<bool> field = fieldOf(reencoded<Cbt>(tree, depth, depth));
        ASSERT_EQ(tree.words().size() * 32, std::size_t(4) << depth);
        std::size_t next = 0;
        const auto read = [&](int width) {
            std::uint64_t value = 0;
            for (int bit = 0; bit < width; ++bit, ++next)
                value |= std::uint64_t(tree.words()[next / 32] >> next % 32 & 1u) << bit;
            return value;
        };
        ASSERT_EQ(read(depth + 3), std::uint64_t(1) << depth);
        for (int level = 0; level <= depth; ++level)
            for (NodeId node = 1u << level; node < 2u << level; ++node)
                ASSERT_EQ(read(depth - level + 1), countOf(field, node)) << node;
        EXPECT_EQ(next, std::size_t(4) << depth);
    }
}

TEST(WideLayout, ReductionDoesNotDependOnThreads)
{
    for (int depth = 6; depth <= 22; depth += 4)
    {
        Random random(1);
        Cbt tree(depth, std::min(depth, 10));
        for (int edit = 0; edit < 200; ++edit)
            tree.split(tree.leaf(random.below(tree.leafCount())));
        for (int threads = 1; threads <= 4; ++threads)
        {
            Cbt copy = tree;
            ThreadPool executor(threads);
            copy.reduce(executor);
            std::vector<NodeId> leaves(copy.leafCount());
            decodeLeaves(copy, leaves, executor);
            Cbt serial = tree;
            serial.reduce();
            ASSERT_TRUE(std::ranges::equal(copy.words(), serial.words())) << depth << ", threads " << threads;
            ASSERT_EQ(leaves, leavesOf(serial)) << depth << ", threads " << threads;
        }
    }
}

TEST(WideLayout, CountedEditsNeedNoReduction)
{
    for (unsigned seed = 0; seed < 50; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        Cbt tree(random.between(6, 14));
        for (int edit = 0; edit < 100; ++edit)
        {
            const NodeId leaf = tree.leaf(random.below(tree.leafCount()));
            const bool merging = leaf > 1 && tree.isLeaf(leaf ^ 1u) && random.chance(1, 3);
            Cbt reduced = tree;
            merging ? reduced.merge(leaf) : reduced.split(leaf);
            reduced.reduce();
            merging ? tree.mergeCounted(leaf) : tree.splitCounted(leaf);
            ASSERT_TRUE(std::ranges::equal(tree.words(), reduced.words())) << "edit " << edit << " of " << leaf;
        }
    }
}

template <class Tree>
class WordsFromElsewhere : public testing::Test
{
};
using Layouts = testing::Types<Cbt, PackedCbt>;
TYPED_TEST_SUITE(WordsFromElsewhere, Layouts);

TYPED_TEST(WordsFromElsewhere, AreTakenIfTheyAreATree)
{
    Random random(3);
    TypeParam tree(11);
    splitAtRandom(tree, random, 100);
    const Result<TypeParam> taken = TypeParam::fromWords(copyOf(tree.words()));
    ASSERT_TRUE(taken);
    EXPECT_EQ(leavesOf(*taken), leavesOf(tree));
}

TYPED_TEST(WordsFromElsewhere, AreRefusedIfAnyBitIsWrong)
{
    Random random(4);
    TypeParam tree(7, 4);
    splitAtRandom(tree, random, 10);
    const Words words = copyOf(tree.words());
    for (std::size_t bit = 0; bit < words.size() * 32; ++bit)
    {
        Words wrong = words;
        wrong[bit / 32] ^= 1u << bit % 32;
        ASSERT_FALSE(TypeParam::fromWords(wrong)) << "bit " << bit;
    }
}

TYPED_TEST(WordsFromElsewhere, AreRefusedIfTheBitsAreNoLeaves)
{
    TypeParam tree(6, 1);
    tree.split(13);  // neither a leaf nor a leaf's child: its range starts inside leaf 3
    tree.reduce();
    const Result<TypeParam> taken = TypeParam::fromWords(copyOf(tree.words()));
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find("not the leaves"), std::string::npos) << taken.error().message;
}

TYPED_TEST(WordsFromElsewhere, AreRefusedIfTheirNumberIsWrong)
{
    Words words = copyOf(TypeParam(8).words());
    words.push_back(0);
    EXPECT_FALSE(TypeParam::fromWords(words));
    words.resize(words.size() - 2);
    EXPECT_FALSE(TypeParam::fromWords(words));
    EXPECT_FALSE(TypeParam::fromWords({}));
    EXPECT_FALSE(TypeParam::fromWords({0}));
    EXPECT_FALSE(TypeParam::fromWords({0xffffffffu}));
}

}  // namespace
}  // namespace orogen
