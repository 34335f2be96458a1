// Reloading shaders while nothing moves: results of changed programs are computed again.
#include <ostream>

#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

// A change of a shader whose output persists across frames.
struct Edit
{
    const char* name;
    const char* file;
    const char* from;
    const char* to;
};

void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

const Edit kEdits[] = {
    {"criterion", "shaders/lod/lod_plane.glsl", "return vec2(length(along) * frame.pixelsPerRadian",
     "return vec2(1.5 * length(along) * frame.pixelsPerRadian"},
    {"culling", "shaders/lod/seen_plane.glsl", "return inView(triangle, 0.0)", "return true"},
    {"light", "shaders/shading/light.comp", "vec4(sun, sky", "vec4(0.0, 0.0"},
    {"slopes", "shaders/heights/gradient.comp", "vec4(rounded(east), rounded(north)", "vec4(0.5, 0.0"},
};

class RendererReload : public RendererTest
{
protected:
    // The converged picture and its triangles.
    struct Rest
    {
        Image picture;
        std::vector<std::uint32_t> heap;
        std::uint32_t visible = 0;
    };

    Rest rest(const Camera& camera)
    {
        settle(camera);
        frame(camera);
        return {picture(), tree().readHeap(), tree().readState().visible};
    }

    ShaderCopy shaders_;
    const TestTerrain terrain_ = squareHills();
    const Camera camera_ = flight(terrain_, 0.1);
};

class RendererReloadOf : public RendererReload, public testing::WithParamInterface<Edit>
{
};

TEST_P(RendererReloadOf, ShowsWhatANewStartWould)
{
    const Edit& edit = GetParam();
    ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings(), 96, 54, shaders_.root()));
    const Rest before = rest(camera_);
    ASSERT_NO_FATAL_FAILURE(shaders_.replace(edit.file, edit.from, edit.to));
    ASSERT_EQ(renderer_->reloadShaders().failed, 0);
    const Rest after = rest(camera_);
    EXPECT_TRUE(after.picture.rgb != before.picture.rgb || after.visible != before.visible) << "the edit does nothing";

    ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings(), 96, 54, shaders_.root()));
    const Rest anew = rest(camera_);
    EXPECT_EQ(after.visible, anew.visible);
    EXPECT_EQ(after.heap, anew.heap);
    EXPECT_EQ(after.picture.rgb, anew.picture.rgb);
}

INSTANTIATE_TEST_SUITE_P(, RendererReloadOf, testing::ValuesIn(kEdits),
                         [](const auto& edit) { return edit.param.name; });

TEST_F(RendererReload, MakesNothingAgainWhereNoProgramChanged)
{
    ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings(), 96, 54, shaders_.root()));
    const Rest before = rest(camera_);
    ASSERT_EQ(renderer_->reloadShaders().failed, 0);
    frame(camera_);
    EXPECT_FALSE(ran(GpuPass::kUpdate));
    EXPECT_FALSE(ran(GpuPass::kDecode));
    EXPECT_EQ(renderer_->terrain().lightRowsLeft(), 0);

    shaders_.replace("shaders/lod/lod_plane.glsl", "vec2 edgeMeasure(", "vec2 edgeMeasure(!");
    EXPECT_GT(renderer_->reloadShaders().failed, 0);
    EXPECT_EQ(rest(camera_).heap, before.heap);
}

TEST_F(RendererReload, TheHashCoversEveryProgramOfThePicture)
{
    Settings settings = smallSettings();
    settings.render.border = Border::kGround;
    ASSERT_NO_FATAL_FAILURE(start(terrain_, settings, 96, 54, shaders_.root()));
    std::uint64_t before = renderer_->sourceHash();
    EXPECT_EQ(renderer_->sourceHash(), before);
    for (const char* file : {"shaders/shading/land.comp", "shaders/shading/sharpen.frag", "shaders/air/air.comp"})
    {
        ASSERT_NO_FATAL_FAILURE(shaders_.replace(file, "void main()", "void main( )"));
        ASSERT_EQ(renderer_->reloadShaders().failed, 0);
        EXPECT_NE(renderer_->sourceHash(), before) << file;
        before = renderer_->sourceHash();
    }
}

TEST_F(RendererReload, LeavesAFrozenTreeAlone)
{
    Settings settings = smallSettings();
    ASSERT_NO_FATAL_FAILURE(start(terrain_, settings, 96, 54, shaders_.root()));
    const Rest before = rest(camera_);
    settings.lod.frozen = true;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    ASSERT_NO_FATAL_FAILURE(shaders_.replace(kEdits[0].file, kEdits[0].from, kEdits[0].to));
    ASSERT_EQ(renderer_->reloadShaders().failed, 0);
    EXPECT_EQ(rest(camera_).heap, before.heap);
    settings.lod.frozen = false;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    EXPECT_NE(rest(camera_).heap, before.heap);
}

}  // namespace
}  // namespace orogen::app::test
