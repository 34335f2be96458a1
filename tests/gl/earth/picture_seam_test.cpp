// The Earth's ground is drawn as a closed surface: no pixel shows its inside.
#include <optional>

#include "app/render/drawn_mesh.h"
#include "core/leb/leb.h"
#include "tests/gl/earth_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

constexpr const char* kSides = R"(
layout(location = 0) out vec4 colour;
void main() { colour = gl_FrontFacing ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0); }
)";

struct Seen
{
    std::size_t front = 0, back = 0;
};

class EarthSides : public EarthTest
{
protected:
    EarthSides() { copy_.write("shaders/sides.frag", kSides); }

    void start()
    {
        frame_.patchLevel = 1;
        leaves_ = refined(9, [](const EarthLeaf&) { return true; });
        Result<Texture> colour = makeTexture("colour", {.format = GL_RGBA8, .width = kWidth, .height = kHeight});
        Result<Texture> depth =
            makeTexture("depth", {.format = GL_DEPTH_COMPONENT32F, .width = kWidth, .height = kHeight});
        Result<PatchMesh> patch = PatchMesh::create(1, std::uint32_t(leaves_.size()));
        ASSERT_TRUE(colour && depth && patch);
        colour_ = std::move(*colour);
        depth_ = std::move(*depth);
        patch_ = std::move(*patch);
        glCreateFramebuffers(1, &target_);
        glNamedFramebufferTexture(target_, GL_COLOR_ATTACHMENT0, colour_.id(), 0);
        glNamedFramebufferTexture(target_, GL_DEPTH_ATTACHMENT, depth_.id(), 0);
        library_ = std::make_unique<ShaderLibrary>(copy_.root(), ShaderDialect{context_->info().glsl460});
        library_->choose({{"@world", "earth"}, {"@heights", "tiles"}});
        program_ = library_->add("sides", {"shaders/surface/terrain.vert", "shaders/sides.frag"});
        heights_ = library_->add("heights", {"shaders/surface/leaf_heights.comp"},
                                 {{"OROGEN_EDGE_CRITERION", "1"}, {"OROGEN_CORNERS_GLIDE", "1"}});
        const Status compiled = library_->finish();
        ASSERT_TRUE(compiled) << library_->log();
        gpu::TreeState state{};
        state.drawInstances = gpu::uint(leaves_.size());
        state.morphPixels = 8;
        Result<Buffer> list = makeBuffer("leaves", leaves_.size() * sizeof(EarthLeaf), 0, leaves_.data());
        Result<Buffer> states = makeBuffer("state", sizeof state, 0, &state);
        ASSERT_TRUE(list && states);
        list_ = std::move(*list);
        state_ = std::move(*states);
        glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    }
    void TearDown() override
    {
        glDeleteFramebuffers(1, &target_);
        EarthTest::TearDown();
    }

    void drawAll() const
    {
        const auto triangles = GLsizei(leb::patchTriangles(1).size());
        glDrawElementsInstanced(GL_TRIANGLES, 3 * triangles, GL_UNSIGNED_SHORT, nullptr, GLsizei(leaves_.size()));
    }

    // Draws front faces first, then back faces pushed away slightly: at silhouettes the front wins, while a crack still
    // shows the distant inside behind it.
    Seen draw() const
    {
        const float black[4] = {0, 0, 0, 0}, far = 0;
        glBindFramebuffer(GL_FRAMEBUFFER, target_);
        glViewport(0, 0, kWidth, kHeight);
        glClearNamedFramebufferfv(target_, GL_COLOR, 0, black);
        glClearNamedFramebufferfv(target_, GL_DEPTH, 0, &far);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kVisibleBinding, list_.id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
        patch_.bindHeights();
        glUseProgram(library_->program(*heights_));
        glUniform1ui(0, 0);
        glUniform1ui(1, GLuint(leaves_.size()));
        glDispatchCompute(GLuint(leaves_.size() + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize, 1, 1);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        glUseProgram(library_->program(program_));
        patch_.bind();
        glEnable(GL_DEPTH_TEST);
        glDepthFunc(GL_GREATER);
        glEnable(GL_CULL_FACE);
        glCullFace(GL_BACK);
        drawAll();
        glCullFace(GL_FRONT);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(-2, -256);
        drawAll();
        glDisable(GL_POLYGON_OFFSET_FILL);
        glDisable(GL_CULL_FACE);
        std::vector<std::uint8_t> pixels(std::size_t(4) * kWidth * kHeight);
        glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        Seen seen;
        for (std::size_t i = 0; i < pixels.size(); i += 4)
        {
            seen.front += pixels[i + 1] > 0;
            seen.back += pixels[i] > 0;
        }
        return seen;
    }

    Seen tryAll(int scenes)
    {
        Seen all;
        Random random(21);
        start();
        const double places[][2] = {{35.26, 45}, {90, 0},     {-35.26, 135}, {12, 180}, {-90, 0},     {35.26, -45},
                                    {0, 45},     {-40, -180}, {35.26, -135}, {30, -45}, {-35.26, 45}, {0, 0}};
        const double heights[] = {3e6, 4e5, 6e4, 1.2e7}, pitches[] = {-60, -35, -30, -82};
        for (int scene = 0; scene < scenes && !HasFatalFailure(); ++scene)
        {
            const auto& at = places[scene % 12];
            const double height = heights[scene % 4];
            look(above(at[0], at[1], height, 360 * random.unit(), pitches[scene % 4]));
            show(std::make_shared<SomeEarthTiles>(4 + scene % 3, height, random, camera_.position, 80));
            const Seen now = draw();
            EXPECT_GT(now.front, std::size_t(kWidth * kHeight / 20)) << "scene " << scene;
            all.front += now.front;
            all.back += now.back;
        }
        return all;
    }

    ShaderCopy copy_;
    Texture colour_, depth_;
    PatchMesh patch_;
    std::optional<ProgramHandle> heights_;
    GLuint target_ = 0;
    std::unique_ptr<ShaderLibrary> library_;
    ProgramHandle program_;
    std::vector<EarthLeaf> leaves_;
    Buffer list_, state_;
};

TEST_F(EarthSides, NoPixelShowsTheInside)
{
    const Seen seen = tryAll(scaled(4, 36));
    EXPECT_EQ(seen.back, 0u) << "of " << seen.front;
}

TEST_F(EarthSides, TheInsideShowsWhereLeavesDisagree)
{
    copy_.replace("shaders/surface/terrain.vert", "surfaceRelative(lattice, height)",
                  "surfaceRelative(lattice, height + 20000.0 * float((leaf.z >> 6u) & 3u))");
    const Seen seen = tryAll(1);
    EXPECT_GT(seen.back, 20u) << "of " << seen.front;
}

}  // namespace
}  // namespace orogen::app::test
