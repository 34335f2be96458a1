// Compares core/gpu_layout.h with the driver's reflection: the offset of every member of the blocks.
#include <map>
#include <string>
#include <vector>

#include "app/gl/shader_library.h"
#include "app/render/lod_tree.h"
#include "core/gpu_layout.h"
#include "tests/gl/support.h"
#include "tests/support/places.h"

namespace orogen::app::test {
namespace {

struct Member
{
    std::string name;  // as in GLSL
    std::size_t offset;
    GLenum type;
    int elements = 1;
    int stride = 0;  // stride of array elements
};

using gpu::FrameUniforms, gpu::TerrainUniforms, gpu::TreeState;

#define MEMBER(Struct, instance, member, type)                                                                         \
    Member { instance "." #member, offsetof(Struct, member), type, 1, 0 }
#define ARRAY(Struct, instance, member, type, count)                                                                   \
    Member { instance "." #member "[0]", offsetof(Struct, member), type, count, int(sizeof(Struct::member) / (count)) }

#define FRAME(member, type) MEMBER(FrameUniforms, "frame", member, type)
const std::vector<Member> kFrameMembers = {
    FRAME(clipFromRelative, GL_FLOAT_MAT4),
    FRAME(relativeFromClip, GL_FLOAT_MAT4),
    ARRAY(FrameUniforms, "frame", frustum, GL_FLOAT_VEC4, 6),
    ARRAY(FrameUniforms, "frame", frozenFrustum, GL_FLOAT_VEC4, 6),
    FRAME(cameraCell, GL_FLOAT_VEC4),
    FRAME(cameraFraction, GL_FLOAT_VEC4),
    FRAME(sunDirection, GL_FLOAT_VEC4),
    FRAME(viewport, GL_FLOAT_VEC4),
    FRAME(pixelsPerRadian, GL_FLOAT),
    FRAME(splitPixels, GL_FLOAT),
    FRAME(mergePixels, GL_FLOAT),
    FRAME(criterion, GL_UNSIGNED_INT),
    FRAME(patchLevel, GL_UNSIGNED_INT),
    FRAME(leafCapacity, GL_UNSIGNED_INT),
    FRAME(exposure, GL_FLOAT),
    FRAME(waveVariance, GL_FLOAT),
    FRAME(triangleBudget, GL_FLOAT),
    FRAME(geomorph, GL_UNSIGNED_INT),
    FRAME(detailEast, GL_FLOAT),
    FRAME(detailNorth, GL_FLOAT),
    FRAME(detailPerEdge, GL_FLOAT),
    FRAME(pad0, GL_UNSIGNED_INT),
    FRAME(pad1, GL_UNSIGNED_INT),
    FRAME(pad2, GL_UNSIGNED_INT),
    FRAME(lodCell, GL_FLOAT_VEC4),
    FRAME(lodFraction, GL_FLOAT_VEC4),
};

#define TERRAIN(member, type) MEMBER(TerrainUniforms, "terrain", member, type)
const std::vector<Member> kTerrainMembers = {
    TERRAIN(squareSize, GL_FLOAT_VEC4),
    TERRAIN(texelFromLattice, GL_FLOAT_VEC4),
    TERRAIN(rasterSize, GL_FLOAT_VEC4),
    TERRAIN(latticeBounds, GL_FLOAT_VEC4),
    TERRAIN(heights, GL_FLOAT_VEC4),
    TERRAIN(pixelSize, GL_FLOAT_VEC4),
    ARRAY(TerrainUniforms, "terrain", pyramidLevels, GL_INT_VEC4, 16),
    TERRAIN(pyramidLevelCount, GL_UNSIGNED_INT),
    TERRAIN(errorFinestBits, GL_UNSIGNED_INT),
    TERRAIN(errorPatchOffset, GL_UNSIGNED_INT),
    TERRAIN(errorFineScale, GL_FLOAT),
    ARRAY(TerrainUniforms, "terrain", errorGrids, GL_UNSIGNED_INT_VEC4, 17),
    ARRAY(TerrainUniforms, "terrain", errorMetres, GL_FLOAT_VEC4, 64),
};

#define STATE(member, type) MEMBER(TreeState, "state", member, type)
const std::vector<Member> kStateMembers = {
    STATE(leaves, GL_UNSIGNED_INT),
    STATE(visible, GL_UNSIGNED_INT),
    STATE(maxDepth, GL_UNSIGNED_INT),
    STATE(splits, GL_UNSIGNED_INT),
    STATE(merges, GL_UNSIGNED_INT),
    STATE(refused, GL_UNSIGNED_INT),
    STATE(roundChanges, GL_UNSIGNED_INT),
    STATE(dirtyChunks, GL_UNSIGNED_INT),
    ARRAY(TreeState, "state", leafGroups, GL_UNSIGNED_INT, 4),
    ARRAY(TreeState, "state", reduceGroups, GL_UNSIGNED_INT, 4),
    STATE(drawCount, GL_UNSIGNED_INT),
    STATE(drawInstances, GL_UNSIGNED_INT),
    STATE(drawFirst, GL_UNSIGNED_INT),
    STATE(drawBaseVertex, GL_INT),
    STATE(drawBaseInstance, GL_UNSIGNED_INT),
    STATE(patchLevel, GL_UNSIGNED_INT),
    STATE(splitPixels, GL_FLOAT),
    STATE(mergePixels, GL_FLOAT),
    STATE(morphPixels, GL_FLOAT),
    STATE(thresholdPixels, GL_FLOAT),
    STATE(thresholdShift, GL_INT),
    STATE(thresholdWay, GL_INT),
    STATE(thresholdTurns, GL_UNSIGNED_INT),
    STATE(thresholdWait, GL_UNSIGNED_INT),
    STATE(thresholdMoves, GL_UNSIGNED_INT),
    STATE(morphShift, GL_INT),
    STATE(culled, GL_UNSIGNED_INT),
    STATE(rounds, GL_UNSIGNED_INT),
    STATE(roundsToRest, GL_UNSIGNED_INT),
    STATE(listed, GL_UNSIGNED_INT),
    ARRAY(TreeState, "state", listGroups, GL_UNSIGNED_INT, 3),
    STATE(listChanged, GL_UNSIGNED_INT),
};

class Layout : public GlTest
{
protected:
    void SetUp() override
    {
        GlTest::SetUp();
        ASSERT_TRUE(context_);
        library_.emplace(OROGEN_ROOT, ShaderDialect{.glsl460 = context_->info().glsl460});
        const LodPrograms programs(*library_, reduceThreads(context_->info()));
        const Status compiled = library_->finish();
        ASSERT_TRUE(compiled) << compiled.error().message;
        program_ = library_->program(programs.args);  // uses all three blocks
    }
    void TearDown() override
    {
        library_.reset();
        GlTest::TearDown();
    }

    GLint property(GLenum interface, GLuint index, GLenum name) const
    {
        GLint value = -1;
        glGetProgramResourceiv(program_, interface, index, 1, &name, 1, nullptr, &value);
        return value;
    }

    GLuint block(GLenum interface, const char* name) const
    {
        const GLuint index = glGetProgramResourceIndex(program_, interface, name);
        EXPECT_NE(index, GL_INVALID_INDEX) << name;
        return index;
    }

    // Every variable of the interface in the block.
    std::map<std::string, GLuint> membersOf(GLenum variables, GLuint blockIndex) const
    {
        std::map<std::string, GLuint> members;
        GLint count = 0;
        glGetProgramInterfaceiv(program_, variables, GL_ACTIVE_RESOURCES, &count);
        for (GLuint i = 0; i < GLuint(count); ++i)
        {
            char name[128] = "";
            glGetProgramResourceName(program_, variables, i, sizeof name, nullptr, name);
            if (property(variables, i, GL_BLOCK_INDEX) == GLint(blockIndex)) members[name] = i;
        }
        return members;
    }

    void expectMember(GLenum variables, const Member& member, GLuint index) const
    {
        EXPECT_EQ(property(variables, index, GL_OFFSET), GLint(member.offset)) << member.name;
        EXPECT_EQ(property(variables, index, GL_TYPE), GLint(member.type)) << member.name;
        EXPECT_EQ(property(variables, index, GL_ARRAY_SIZE), member.elements) << member.name;
        const int stride = member.elements > 1 ? property(variables, index, GL_ARRAY_STRIDE) : 0;
        EXPECT_EQ(stride, member.stride) << member.name;
        if (member.type != GL_FLOAT_MAT4) return;
        EXPECT_EQ(property(variables, index, GL_MATRIX_STRIDE), 16) << member.name;
        EXPECT_EQ(property(variables, index, GL_IS_ROW_MAJOR), 0) << member.name;
    }

    // Expects exactly the members of the table, besides `others` more.
    void expectMembers(GLenum variables, GLuint blockIndex, const std::vector<Member>& table, std::size_t others) const
    {
        const std::map<std::string, GLuint> found = membersOf(variables, blockIndex);
        for (const Member& member : table)
        {
            const auto place = found.find(member.name);
            ASSERT_NE(place, found.end()) << member.name;
            expectMember(variables, member, place->second);
        }
        EXPECT_EQ(found.size(), table.size() + others);
    }

    std::optional<ShaderLibrary> library_;
    GLuint program_ = 0;
};

TEST_F(Layout, FrameUniforms)
{
    const GLuint index = block(GL_UNIFORM_BLOCK, "FrameBlock");
    expectMembers(GL_UNIFORM, index, kFrameMembers, 0);
    EXPECT_EQ(property(GL_UNIFORM_BLOCK, index, GL_BUFFER_DATA_SIZE), GLint(sizeof(FrameUniforms)));
    EXPECT_EQ(property(GL_UNIFORM_BLOCK, index, GL_BUFFER_BINDING), GLint(gpu::kFrameBinding));
}

TEST_F(Layout, TerrainUniforms)
{
    const GLuint index = block(GL_UNIFORM_BLOCK, "TerrainBlock");
    expectMembers(GL_UNIFORM, index, kTerrainMembers, 0);
    EXPECT_EQ(property(GL_UNIFORM_BLOCK, index, GL_BUFFER_DATA_SIZE), GLint(sizeof(TerrainUniforms)));
    EXPECT_EQ(property(GL_UNIFORM_BLOCK, index, GL_BUFFER_BINDING), GLint(gpu::kTerrainBinding));
}

TEST_F(Layout, TreeState)
{
    const GLuint index = block(GL_SHADER_STORAGE_BLOCK, "StateBlock");
    expectMembers(GL_BUFFER_VARIABLE, index, kStateMembers, 1);
    EXPECT_EQ(property(GL_SHADER_STORAGE_BLOCK, index, GL_BUFFER_BINDING), GLint(gpu::kStateBinding));
    const GLuint dirty = glGetProgramResourceIndex(program_, GL_BUFFER_VARIABLE, "dirty[0]");
    ASSERT_NE(dirty, GL_INVALID_INDEX);
    EXPECT_EQ(property(GL_BUFFER_VARIABLE, dirty, GL_OFFSET), GLint(sizeof(TreeState)));
    EXPECT_EQ(property(GL_BUFFER_VARIABLE, dirty, GL_ARRAY_STRIDE), 4);
}

}  // namespace
}  // namespace orogen::app::test
