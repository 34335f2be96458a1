// The place of drawn ground, to a fraction of the draw lattice's unit: positions are split into whole units and a
// remainder (FrameUniforms), which matters near the ground of a large terrain.
#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

constexpr int kSamples = 65;

class RendererPrecision : public RendererTest
{
protected:
    // Every pixel outputs the sample coordinate that it shows along an axis, in 2^-18 samples.
    void startRuler(const TestTerrain& terrain, char axis)
    {
        const std::string program = R"(
#include "shaders/shading/plane_pixel.glsl"
void main()
{
    seePlane();
    uint place = uint(texel.AXIS * 262144.0 + 0.5);
    colour = vec4(float(place >> 16u), float((place >> 8u) & 255u), float(place & 255u), 255.0) / 255.0;
}
)";
        std::string axisProgram = program;
        axisProgram.replace(axisProgram.find("AXIS"), 4, 1, axis);
        shaders_.write("shaders/shading/terrain.frag", axisProgram);
        Settings settings = smallSettings();
        settings.cbt.depth = 24;
        shadeByFragments();
        start(terrain, settings, kSide, kSide, shaders_.root());
    }

    double shownInTheMiddle() const
    {
        const Image image = picture();
        const std::uint8_t* const pixel = &image.rgb[3 * std::size_t(kSide / 2 * kSide + kSide / 2)];
        return (pixel[0] * 65536.0 + pixel[1] * 256.0 + pixel[2]) / 262144.0;
    }

    static constexpr int kSide = 33;  // odd, so that one pixel is in the middle
    ShaderCopy shaders_;
};

// A unit is 2^-15 of a sample's distance: 0.9 m here.
TEST_F(RendererPrecision, GroundLiesUnderTheCamera)
{
    const double pixel = 30'000.0;
    const TestTerrain terrain = hills(kSamples, kSamples, pixel, pixel, 0.0);
    for (const char axis : {'x', 'y'})
    {
        ASSERT_NO_FATAL_FAILURE(startRuler(terrain, axis));
        Random random(1);
        for (int i = 0; i < 25; ++i)
        {
            Camera camera;
            camera.position = {(random.unit() - 0.5) * 0.99 * terrain.side(),
                               (random.unit() - 0.5) * 0.99 * terrain.side(), 2.0 + 20.0 * random.unit()};
            camera.pitch = -90.0;
            frame(camera);
            const double truth = axis == 'x' ? (camera.position.x + terrain.side() / 2) / pixel
                                             : (terrain.side() / 2 - camera.position.y) / pixel;
            EXPECT_NEAR(shownInTheMiddle(), truth, 0x1p-16) << axis << ", camera " << i;
        }
    }
}

}  // namespace
}  // namespace orogen::app::test
