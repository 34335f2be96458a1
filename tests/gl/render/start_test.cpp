// Which programs the renderer compiles. An NVIDIA driver takes seconds for a large one.
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

std::map<GLuint, std::string> textOfShader, textOfProgram;  // the program's: of all stages
std::multiset<std::string> linked;                          // texts of linked programs
PFNGLSHADERSOURCEPROC shaderSource = nullptr;
PFNGLATTACHSHADERPROC attachShader = nullptr;
PFNGLLINKPROGRAMPROC linkProgram = nullptr;

class RendererStart : public RendererTest
{
protected:
    void SetUp() override
    {
        RendererTest::SetUp();
        textOfShader.clear(), textOfProgram.clear(), linked.clear();
        shaderSource = std::exchange(
            glad_glShaderSource, [](GLuint shader, GLsizei count, const GLchar* const* texts, const GLint* lengths) {
                textOfShader[shader].assign(texts[0], std::size_t(lengths[0]));
                shaderSource(shader, count, texts, lengths);
            });
        attachShader = std::exchange(glad_glAttachShader, [](GLuint program, GLuint shader) {
            textOfProgram[program] += textOfShader[shader];
            attachShader(program, shader);
        });
        linkProgram = std::exchange(glad_glLinkProgram, [](GLuint program) {
            linked.insert(textOfProgram[program]);
            textOfProgram.erase(program);
            linkProgram(program);
        });
    }
    void TearDown() override
    {
        glad_glShaderSource = shaderSource;
        glad_glAttachShader = attachShader;
        glad_glLinkProgram = linkProgram;
        RendererTest::TearDown();
    }
    static void expectNoneTwice()
    {
        for (const std::string& text : std::set<std::string>(linked.begin(), linked.end()))
            EXPECT_EQ(linked.count(text), 1u) << text.substr(0, 400);
    }
    void showEarth(Settings settings)
    {
        Result<std::unique_ptr<Renderer>> made = Renderer::create(*context_, OROGEN_ROOT, settings, World::kEarth);
        ASSERT_TRUE(made) << made.error().message;
        renderer_ = std::move(*made);
        EXPECT_EQ(linked.size(), 0u);
        ASSERT_TRUE(renderer_->resize(96, 54));
        ASSERT_TRUE(renderer_->apply(settings));
        renderer_->collect();
        EXPECT_GT(totalBytes(renderer_->memory()), 0u);
        ASSERT_NO_FATAL_FAILURE(showLevelEarth());
        Camera camera{.position = earthFixed({46, 8, 1e6}), .pitch = -90};
        ASSERT_TRUE(renderer_->tiles().settle(camera, 60));
        ASSERT_NO_FATAL_FAILURE(settle(camera));
    }
};

TEST_F(RendererStart, CompilesEachProgramOfAPlaneOnce)
{
    const TestTerrain terrain = hills(65, 33, 30.0, 30.0);
    Settings settings = smallSettings();
    settings.terrain.detail = true;
    settings.render.border = Border::kGround;
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
    frame(flight(terrain, 0.1));
    expectNoneTwice();
    EXPECT_LE(linked.size(), 36u);
    EXPECT_GT(linked.size(), 20u);
}

using RendererStartThorough = RendererStart;
TEST_F(RendererStartThorough, OfTheEarthCompilesNoProgramOfAPlane)
{
    Settings settings = smallSettings();
    settings.terrain.detail = true;
    settings.earth.depth = 30;
    settings.terrain.waterLevel = 0.0f;
    ASSERT_NO_FATAL_FAILURE(showEarth(settings));
    expectNoneTwice();
    EXPECT_LE(linked.size(), 32u);
    for (const std::string& text : linked)
        EXPECT_TRUE(text.find("OROGEN_SURFACE_PLANE_GLSL") == std::string::npos) << text.substr(0, 400);
}

// The plane comes before the Earth, so no tree exists yet.
TEST_F(RendererStart, OfTheEarthMayShowAPlaneFirstWithItsBorder)
{
    Settings settings = smallSettings();
    settings.render.border = Border::kGround;
    Result<std::unique_ptr<Renderer>> made = Renderer::create(*context_, OROGEN_ROOT, settings, World::kEarth);
    ASSERT_TRUE(made) << made.error().message;
    renderer_ = std::move(*made);
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds));
    EXPECT_TRUE(renderer_->world().picture().hasLand(settings));
    ASSERT_NO_FATAL_FAILURE(showLevelEarth());
    ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds));
    EXPECT_TRUE(renderer_->world().picture().hasLand(settings));
}

TEST_F(RendererStart, OfTheEarthMayBeFollowedByAPlane)
{
    Settings settings = smallSettings();
    settings.earth.depth = 30;
    ASSERT_NO_FATAL_FAILURE(showEarth(settings));
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.1)));
    const Image after = picture();
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.1)));
    EXPECT_EQ(picture().rgb, after.rgb);
}

}  // namespace
}  // namespace orogen::app::test
