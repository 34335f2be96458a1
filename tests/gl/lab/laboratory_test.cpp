// The laboratory's trees on the GPU against core's: reduction, decoded leaves and cycles, in both layouts.
#include <algorithm>

#include "app/base/installation.h"
#include "app/bench/tree/gpu_tree.h"
#include "app/render/lod_tree.h"
#include "core/cbt/tree.h"
#include "tests/gl/support.h"
#include "tests/support/random.h"

namespace orogen::app::test {
namespace {

using orogen::test::Random;

// A tree split at random to about `leaves`, at various depths.
template <class Tree>
Tree randomTree(int depth, std::uint32_t leaves, std::uint64_t seed)
{
    Random random(seed);
    Cbt tree(depth, std::max(0, std::min(depth - 2, 3)));
    while (tree.leafCount() < leaves)
    {
        const NodeId leaf = tree.leaf(random.below(tree.leafCount()));
        if (depthOf(leaf) < depth) tree.splitCounted(leaf);
    }
    return reencoded<Tree>(tree, depth, depth);
}

// The leaves that the cycle changes, computed without the shaders.
bool chosen(NodeId node)
{
    std::uint32_t x = node * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    return ((x ^ (x >> 13)) & 31u) == 0;
}

void cycleOnCpu(Cbt& tree, bool merging)
{
    const Cbt snapshot = tree;  // counts of the last levels follow the bits at once
    for (const NodeId leaf : leavesOf(snapshot))
        if (merging ? leaf % 2 == 1 && leaf > 1 && chosen(leaf / 2) && snapshot.isLeaf(leaf - 1) : chosen(leaf))
            merging ? tree.merge(leaf) : tree.split(leaf);
    tree.reduce();
}

void runAll(const Slices& slices)
{
    for (const auto& slice : slices)
        slice();
}

class Laboratory : public GlTest
{
protected:
    void SetUp() override
    {
        GlTest::SetUp();
        const Result<std::filesystem::path> root = dataDirectory();
        ASSERT_TRUE(root);
        library_ = std::make_unique<ShaderLibrary>(*root, ShaderDialect{context_->info().glsl460});
        programs_ = std::make_unique<GpuTreePrograms>(*library_, reduceThreads(context_->info()));
        const Status finished = library_->finish();
        ASSERT_TRUE(finished) << library_->log();
    }
    void TearDown() override
    {
        library_.reset();
        GlTest::TearDown();
    }
    template <class Tree>
    GpuTree upload(const Tree& tree)
    {
        Result<GpuTree> made = GpuTree::create(*library_, *programs_, context_->limits(), tree);
        EXPECT_TRUE(made) << made.error().message;
        return std::move(*made);
    }

    std::unique_ptr<ShaderLibrary> library_;
    std::unique_ptr<GpuTreePrograms> programs_;
};

template <class Tree>
class LaboratoryLayouts : public Laboratory
{
};
using Layouts = testing::Types<Cbt, PackedCbt>;
TYPED_TEST_SUITE(LaboratoryLayouts, Layouts);

TYPED_TEST(LaboratoryLayouts, ReductionGivesTheCountsThatTheBitsHave)
{
    for (const int depth : {6, 7, 11, 15, 16, 17, 19, 21})
    {
        SCOPED_TRACE(depth);
        const TypeParam tree = randomTree<TypeParam>(depth, 1u << (depth - 2), std::uint64_t(depth));
        const GpuTree gpu = this->upload(tree);
        gpu.spoilCounts();
        ASSERT_FALSE(depth > 8 && std::ranges::equal(gpu.readHeap(), tree.words()));
        runAll(gpu.reduce());
        ASSERT_TRUE(std::ranges::equal(gpu.readHeap(), tree.words()));
    }
}

TYPED_TEST(LaboratoryLayouts, DecodesAndScansAllLeavesInTheirOrder)
{
    for (const int depth : {6, 9, 14, 17, 21})
    {
        SCOPED_TRACE(depth);
        const TypeParam tree = randomTree<TypeParam>(depth, 1u << (depth - 2), 100 + std::uint64_t(depth));
        const GpuTree gpu = this->upload(tree);
        const std::vector<NodeId> leaves = leavesOf(tree);
        runAll(gpu.decode());
        ASSERT_EQ(gpu.readList(std::uint32_t(leaves.size())), leaves);
        const GpuTree scanned = this->upload(tree);
        for (int twice = 0; twice < 2; ++twice)
            runAll(scanned.scan());
        ASSERT_EQ(scanned.readFound(), leaves.size());
        ASSERT_EQ(scanned.readList(std::uint32_t(leaves.size())), leaves);
    }
}

TYPED_TEST(LaboratoryLayouts, AFullTreeIsDecodedInSeveralSlices)
{
    const TypeParam tree(21, 21);
    const GpuTree gpu = this->upload(tree);
    ASSERT_GT(gpu.decode().size(), 1u);
    runAll(gpu.decode());
    const std::vector<std::uint32_t> list = gpu.readList(1u << 21);
    for (std::uint32_t i = 0; i < list.size(); ++i)
        ASSERT_EQ(list[i], (1u << 21) + i);
}

TYPED_TEST(LaboratoryLayouts, ACycleChangesTheLeavesThatTheCpuChanges)
{
    for (const int depth : {8, 13, 15, 17, 18})
    {
        SCOPED_TRACE(depth);
        Cbt expected = randomTree<Cbt>(depth, 1u << (depth - 2), 200 + std::uint64_t(depth));
        const GpuTree gpu = this->upload(reencoded<TypeParam>(expected, depth, depth));
        gpu.prepare();
        NodeId before = expected.leafCount();
        for (int cycle = 0; cycle < 6; ++cycle)
        {
            runAll(gpu.cycle(cycle % 2 == 1));
            cycleOnCpu(expected, cycle % 2 == 1);
            ASSERT_NE(expected.leafCount(), before) << cycle;
            before = expected.leafCount();
            ASSERT_TRUE(std::ranges::equal(gpu.readHeap(), reencoded<TypeParam>(expected, depth, depth).words()))
                << cycle;
            runAll(gpu.cycleAtRest());
            const std::vector<NodeId> leaves = leavesOf(expected);
            if (gpu.layout() == GpuTree::Layout::kPacked) continue;
            ASSERT_EQ(gpu.readList(std::uint32_t(leaves.size())), leaves) << cycle;
        }
    }
}

TEST_F(Laboratory, ThePlainPassStoresTheLastStoredLevel)
{
    const Cbt tree = randomTree<Cbt>(18, 1u << 16, 7);
    const GpuTree gpu = upload(tree);
    gpu.spoilCounts();
    runAll(gpu.plainPass());
    const std::vector<std::uint32_t> heap = gpu.readHeap();
    const std::size_t quarter = heap.size() / 4;
    EXPECT_TRUE(std::equal(heap.begin() + long(quarter), heap.end(), tree.words().begin() + long(quarter)));
    EXPECT_FALSE(std::ranges::equal(heap, tree.words()));
}

TEST_F(Laboratory, ATreeThatIsTooLargeIsRefusedWithTheLimit)
{
    Limits limits = context_->limits();
    limits.shaderStorageBytes = 1 << 20;
    const Result<GpuTree> made = GpuTree::create(*library_, *programs_, limits, Cbt(24, 1));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ExitCode::kLimit);
    EXPECT_NE(made.error().message.find("depth 24 takes 4 MiB"), std::string::npos) << made.error().message;
    EXPECT_NE(made.error().message.find("1 MiB"), std::string::npos);
}

}  // namespace
}  // namespace orogen::app::test
