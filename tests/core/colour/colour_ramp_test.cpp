// Colour ramps of GMT and QGIS: values that the formats define, and what is refused.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/colour/colour_ramp.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

ColourRamp cpt(std::string_view text)
{
    Result<ColourRamp> ramp = parseCpt(text, "t.cpt");
    EXPECT_TRUE(ramp) << (ramp ? "" : ramp.error().message);
    return ramp ? *ramp : ownRamp(World::kPlane);
}

ColourRamp qml(std::string_view text)
{
    Result<ColourRamp> ramp = parseQml(text, "t.qml");
    EXPECT_TRUE(ramp) << (ramp ? "" : ramp.error().message);
    return ramp ? *ramp : ownRamp(World::kPlane);
}

// Colour at a height as "r g b" in whole 255ths.
std::string at(const ColourRamp& ramp, double height)
{
    const glm::dvec3 rgb = colourAt(ramp, height) * 255.0;
    return std::to_string(std::lround(rgb.x)) + " " + std::to_string(std::lround(rgb.y)) + " " +
           std::to_string(std::lround(rgb.z));
}

TEST(ColourRamp, ReadsSlicesInEveryNotationOfGmt)
{
    EXPECT_EQ(at(cpt("0 0/0/0 100 200/100/50"), 50), "100 50 25");
    EXPECT_EQ(at(cpt("0 0 0 0 100 200 100 50"), 50), "100 50 25") << "eight words, as in version 4";
    EXPECT_EQ(at(cpt("0\tblack\t100\twhite\tL\t;low"), 100), "255 255 255") << "tabs, annotation, label";
    EXPECT_EQ(at(cpt("0 10 100 30 B"), 50), "20 20 20") << "greys";
    EXPECT_EQ(at(cpt("0 #ff8000 100 -"), 80), "255 128 0") << "one colour";
    EXPECT_EQ(at(cpt("0 DarkGreen 100 lightorange"), 0), "0 100 0");
    EXPECT_EQ(at(cpt("0 gray50 100 azure3"), 0), "127 127 127");
    EXPECT_EQ(at(cpt("0 120-1-1 100 120-1-1"), 50), "0 255 0") << "hue, saturation, value";
    EXPECT_EQ(at(cpt("0 0/100/100/0 100 0/0/0/50"), 0), "255 0 0") << "cyan, magenta, yellow, black";
    EXPECT_EQ(at(cpt("0 0/0/0/50 100 0/0/0/50"), 10), "128 128 128");
    EXPECT_EQ(at(cpt("0 red@50 100 red@50"), 10), "255 128 128") << "half transparent, over white";
    EXPECT_EQ(at(cpt("\n# a comment\n  0 red 1e2 red\n\n"), 100), "255 0 0");
    EXPECT_EQ(at(cpt("0 red 100 red\r\n100 green 200 green\r\n"), 150), "0 255 0") << "lines of another system";
}

TEST(ColourRamp, InterpolatesInTheModelThatTheTableNames)
{
    const char* const slices = "0 0-1-1 100 120-1-1";
    EXPECT_EQ(at(cpt(std::string("# COLOR_MODEL = HSV\n") + slices), 50), "128 128 0") << "written in HSV, runs in RGB";
    EXPECT_EQ(at(cpt(std::string("# COLOR_MODEL = +HSV\n") + slices), 50), "255 255 0") << "runs in HSV, over yellow";
    EXPECT_EQ(at(cpt(std::string("# COLOR_MODEL = hsv\n") + slices), 50), "255 255 0");
    EXPECT_EQ(at(cpt("# COLOR_MODEL = HSV\n0 120 1 1 100 120 1 1"), 5), "0 255 0") << "eight words in HSV";
    EXPECT_EQ(at(cpt("# COLOR_MODEL = HSV\n0 240/1/1 100 240/1/1"), 5), "0 0 255");
    EXPECT_EQ(at(cpt("# COLOR_MODEL = CMYK\n0 0 0 0 100 10 0 0 0 0"), 0), "0 0 0") << "ten words";
}

TEST(ColourRamp, HasColoursOutsideAndForMissingData)
{
    const ColourRamp ramp = cpt("B red\n0 10 100 20\nF 0/0/255\nN 128\n");
    EXPECT_EQ(at(ramp, -1), "255 0 0");
    EXPECT_EQ(at(ramp, 101), "0 0 255");
    EXPECT_EQ(std::lround(255 * ramp.none.value_or(glm::dvec3(0)).x), 128);
    EXPECT_EQ(at(cpt("0 10 100 20"), -5), "10 10 10") << "without B the first colour goes on";
    EXPECT_FALSE(cpt("0 10 100 20").none);
    EXPECT_EQ(at(cpt("# CYCLIC\n0 black 100 white"), 250), "128 128 128");
}

TEST(ColourRamp, EdgesOfSlicesBelongToTheUpperOne)
{
    const ColourRamp ramp = cpt("0 red 100 red\n100 blue 200 blue");
    EXPECT_EQ(at(ramp, std::nextafter(100.0, 0.0)), "255 0 0");
    EXPECT_EQ(at(ramp, 100), "0 0 255");
    EXPECT_EQ(at(ramp, 200), "0 0 255");
}

TEST(ColourRamp, CategoriesReachHalfWayToTheirNeighbours)
{
    const ColourRamp ramp = cpt("10 red ;a\n20 green ;b\n40 blue");
    EXPECT_EQ(at(ramp, 14.9), "255 0 0");
    EXPECT_EQ(at(ramp, 15.1), "0 255 0");
    EXPECT_EQ(at(ramp, 30.1), "0 0 255");
}

TEST(ColourRamp, MasterTablesAreLaidOverARangeWithTheirHingeAtTheSea)
{
    const ColourRamp ramp = cpt("# HARD_HINGE\n-1 black 0 blue\n0 green 1 white\n");
    EXPECT_TRUE(ramp.relative);
    const RampStretch laid = stretched(ramp, -4000, 1000);
    EXPECT_EQ(at(ramp, laid.position(-2000)), "0 0 128");
    EXPECT_EQ(at(ramp, laid.position(-0.001)), "0 0 255");
    EXPECT_EQ(at(ramp, laid.position(0)), "0 255 0");
    EXPECT_EQ(at(ramp, laid.position(500)), "128 255 128");
    const RampStretch land = stretched(ramp, 500, 1500);
    EXPECT_EQ(at(ramp, land.position(400)), "0 255 0") << "the sea's colours stay out of land";
    EXPECT_EQ(at(ramp, land.position(1000)), "128 255 128");
    const RampStretch sea = stretched(ramp, -3000, -1000);
    EXPECT_EQ(at(ramp, sea.position(-2000)), "0 0 127");
    EXPECT_EQ(at(ramp, sea.position(-900)), "0 0 255");
    EXPECT_EQ(cpt("# RANGE = -8000/8000\n-1 0 1 255").range, std::pair(-8000.0, 8000.0));
    EXPECT_FALSE(cpt("0 red 5000 blue").relative) << "heights of its own";
    for (const double position : {-0.7, 0.0, 0.4})
        EXPECT_NEAR(laid.position(laid.height(position)), position, 1e-9);
}

TEST(ColourRamp, SettingsLayIt)
{
    const ColourRamp own = cpt("100 black 300 white");
    Settings settings;
    const auto heightOf = [&](const ColourRamp* ramp, double height, std::optional<HeightRange> view = {}) {
        return stretchOf(ramp, settings, {200, 1200}, view).position(height);
    };
    EXPECT_EQ(heightOf(&own, 150), 150) << "at its own heights";
    EXPECT_EQ(heightOf(nullptr, 700), 0.5) << "the program's colours, over the terrain";
    settings.render.tintRange = TintRange::kView;
    EXPECT_EQ(heightOf(&own, 1000, HeightRange{0, 2000}), 200);
    EXPECT_EQ(heightOf(nullptr, 700), 0.5) << "no view is known yet";
    settings.render.tintRange = TintRange::kFixed;
    settings.render.tintLow = 1000;
    settings.render.tintHigh = 0;
    EXPECT_EQ(heightOf(&own, 750), 150) << "turned round";
    settings = defaultSettings(World::kEarth);
    EXPECT_EQ(stretchOf(nullptr, settings, kEarthTints, {}).position(-2000), -0.25);
    EXPECT_EQ(stretchOf(nullptr, settings, kEarthTints, {}).position(3000), 0.5);
}

TEST(ColourRamp, ModifiersOfGmtFollowTheName)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("a.cpt", "0 black 2 white\n");
    const Result<ColourRamp> kilometres = readRamp(file + "+Uk");
    ASSERT_TRUE(kilometres);
    EXPECT_EQ(kilometres->high(), 2000);
    const Result<ColourRamp> feet = readRamp(file + "+Uf");
    ASSERT_TRUE(feet);
    EXPECT_NEAR(feet->high(), 0.6096, 1e-9);
    const std::string hinged = folder.write("hinged.cpt", "# HINGE = 100\n0 black 100 blue\n100 green 300 white\n");
    for (const double hinge : {200.0, 0.0, -50.0})
    {
        const Result<ColourRamp> moved = readRamp(fmt::format("{}+h{}", hinged, hinge));
        ASSERT_TRUE(moved);
        EXPECT_EQ(moved->hinge, hinge);
        EXPECT_EQ(moved->low(), hinge - 100);
        EXPECT_EQ(moved->pieces[1].low, hinge);
        EXPECT_EQ(moved->high(), hinge + 200);
    }
    EXPECT_EQ(readRamp(file + "+h300")->low(), 300) << "without a hinge of its own";
    const std::string capitals = folder.write("b.cpt+x/B.CPT", "0 black 2 white\n");
    for (const auto& [name, high] : {std::pair(capitals, 2), std::pair(capitals + "+Uk", 2000)})
    {
        const Result<ColourRamp> ramp = readRamp(name);
        ASSERT_TRUE(ramp) << ramp.error().message;
        EXPECT_EQ(ramp->high(), high) << name;
    }
    const Result<ColourRamp> unknown = readRamp(file + "+Ux");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ExitCode::kInput);
    EXPECT_NE(unknown.error().message.find("found '+Ux', expected +U or +u"), std::string::npos);
}

// A style of QGIS around the elements of a ramp.
std::string style(const std::string& inner)
{
    return "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis version=\"3.22\"><pipe><rasterrenderer "
           "type=\"singlebandpseudocolor\"><rastershader>" +
           inner + "</rastershader></rasterrenderer></pipe></qgis>";
}

TEST(ColourRamp, ReadsRampsOfQgis)
{
    const std::string items = "<item alpha=\"255\" value=\"0\" label=\"0\" color=\"#000000\"/>"
                              "<item alpha=\"255\" value=\"100\" label=\"100\" color=\"#c86432\"/>";
    const ColourRamp lines =
        qml(style("<colorrampshader colorRampType=\"INTERPOLATED\" clip=\"0\">" + items + "</colorrampshader>"));
    EXPECT_EQ(at(lines, 50), "100 50 25");
    EXPECT_EQ(at(lines, 150), "200 100 50");
    const ColourRamp classes =
        qml(style("<colorrampshader colorRampType=\"DISCRETE\">" + items +
                  "<item alpha=\"255\" value=\"inf\" label=\"\" color=\"#ffffff\"/></colorrampshader>"));
    EXPECT_EQ(at(classes, -5), "0 0 0") << "a class reaches up to its value";
    EXPECT_EQ(at(classes, 50), "200 100 50");
    EXPECT_EQ(at(classes, 100.5), "255 255 255");
    const ColourRamp exact = qml(style("<colorrampshader colorRampType=\"EXACT\">" + items + "</colorrampshader>"));
    EXPECT_EQ(at(exact, 40), "0 0 0");
    EXPECT_EQ(at(exact, 60), "200 100 50");
    EXPECT_EQ(at(qml("<qgis><colorPalette><paletteEntry value=\"7\" color=\"#010203\" alpha=\"255\"/></colorPalette>"
                     "</qgis>"),
                 7),
              "1 2 3");
    const ColourRamp faint = qml(style("<colorrampshader><item alpha=\"51\" value=\"0\" color=\"#000000\"/>"
                                       "<item alpha=\"51\" value=\"1\" color=\"#000000\"/></colorrampshader>"));
    EXPECT_EQ(at(faint, 0.5), "204 204 204") << "transparent colours lie over white";
}

TEST(ColourRamp, ReadsGradientsOfQgisInOldAndNewWords)
{
    const ColourRamp old = qml("<qgis_style><colorramps><colorramp type=\"gradient\" name=\"g\"><prop k=\"color1\" "
                               "v=\"0,0,0,255\"/><prop k=\"color2\" v=\"255,255,255,255\"/><prop k=\"stops\" "
                               "v=\"0.25;255,0,0,255:0.5;0,0,255,255\"/></colorramp></colorramps></qgis_style>");
    EXPECT_TRUE(old.relative);
    EXPECT_EQ(at(old, 0.25), "255 0 0");
    EXPECT_EQ(at(old, 0.75), "128 128 255");
    const ColourRamp now = qml(style(
        "<colorrampshader minimumValue=\"0\" maximumValue=\"4000\"><colorramp name=\"[source]\" type=\"gradient\">"
        "<Option type=\"Map\"><Option name=\"color1\" value=\"0,0,0,255,rgb:0,0,0,1\" type=\"QString\"/>"
        "<Option name=\"color2\" value=\"255,255,255,255,rgb:1,1,1,1\" type=\"QString\"/>"
        "<Option name=\"stops\" value=\"0.5;255,0,0,255,rgb:1,0,0,1;rgb;ccw:0.75;0,0,255,255;rgb;ccw\"/></Option>"
        "</colorramp></colorrampshader>"));
    EXPECT_EQ(now.range, std::pair(0.0, 4000.0));
    EXPECT_EQ(at(now, 0.5), "255 0 0");
    EXPECT_EQ(at(now, 0.75), "0 0 255");
}

// Every refusal names the file, the line, what was found and what was expected.
TEST(ColourRamp, RefusalsNameFileLineFoundAndExpected)
{
    const struct
    {
        const char *text, *line, *found;
    } tables[] = {
        {"", "line 1", "no slice"},
        {"# only a comment\n", "line 1", "no slice"},
        {"0 red 100 blue\n0 red 100 blurple\n", "line 2", "a slice from 0"},
        {"0 red 100 blurple\n", "line 1", "'blurple'"},
        {"0 red\n100 blue 200 green\n", "line 2", "a slice"},
        {"0 red 100\n", "line 1", "3 words"},
        {"0 red 100 blue green yellow\n", "line 1", "6 words"},
        {"0 1 2 3 4 5 6 7 8 9 10 11 12\n", "line 1", "more than 11 words"},
        {"x red 100 blue\n", "line 1", "'x'"},
        {"0 red nan blue\n", "line 1", "'nan'"},
        {"0 red 1e30 blue\n", "line 1", "'1e30'"},
        {"100 red 0 blue\n", "line 1", "a slice from 100 to 0"},
        {"0 red 100 blue\n200 red 300 blue\n", "line 2", "a slice from 200"},
        {"0 300 100 2\n", "line 1", "'300'"},
        {"0 256/0/0 100 2\n", "line 1", "a component 256"},
        {"0 1/2 100 2\n", "line 1", "2 components"},
        {"0 361-1-1 100 2\n", "line 1", "'361'"},
        {"0 #12345 100 2\n", "line 1", "'#12345'"},
        {"0 red@101 100 2\n", "line 1", "'red@101'"},
        {"0 p16+r200 100 -\n", "line 1", "'p16+r200'"},
        {"B\n", "line 1", "0 words"},
        {"# COLOR_MODEL = LAB\n0 1 2 3\n", "line 1", "'LAB'"},
        {"0 red 1 blue\n# COLOR_MODEL = HSV\n", "line 2", "COLOR_MODEL below"},
        {"# RANGE = 5\n", "line 1", "'5'"},
        {"# RANGE = 5/1\n", "line 1", "'5/1'"},
        {"2 red\n1 blue\n", "line 2", "'1'"},
        {"\x01\x02 3\n", "line 1", "'\\x01\\x02'"},
    };
    for (const auto& [text, line, found] : tables)
    {
        const Result<ColourRamp> ramp = parseCpt(text, "t.cpt");
        ASSERT_FALSE(ramp) << text;
        EXPECT_EQ(ramp.error().code, ExitCode::kInput);
        const std::string start = std::string("t.cpt: ") + line + ": found " + found;
        EXPECT_TRUE(ramp.error().message.starts_with(start)) << ramp.error().message << "\n  instead of " << start;
        EXPECT_NE(ramp.error().message.find(", expected "), std::string::npos) << ramp.error().message;
        EXPECT_EQ(ramp.error().message.find('\n'), std::string::npos);
    }
    const struct
    {
        std::string text;
        const char *line, *found;
    } styles[] = {
        {"<qgis>", "line 1", "no element found"},
        {"<svg/>", "line 1", "<svg>"},
        {"<qgis/>", "line 1", "no colour ramp"},
        {"<!DOCTYPE qgis [<!ENTITY a \"b\">]>\n<qgis/>", "line 1", "a declared entity"},
        {"<qgis>\n<colorrampshader colorRampType=\"CUBIC\"/></qgis>", "line 2", "'CUBIC'"},
        {"<qgis><colorrampshader>\n<item value=\"x\" color=\"#000000\"/>", "line 2", "'x'"},
        {"<qgis><colorrampshader>\n<item value=\"1\"/>", "line 2", "an item without"},
        {"<qgis><colorrampshader>\n<item value=\"1\" color=\"red\"/>", "line 2", "'red'"},
        {"<qgis><colorrampshader>\n<item value=\"1\" alpha=\"300\" color=\"#000000\"/>", "line 2", "'300'"},
        {"<qgis><colorrampshader><item value=\"2\" color=\"#000000\"/>\n<item value=\"1\" color=\"#000000\"/>",
         "line 2", "'1'"},
        {"<qgis><colorrampshader><item value=\"inf\" color=\"#000000\"/></colorrampshader></qgis>", "line 1",
         "an infinite value"},
        {"<colorramp type=\"gradient\">\n<prop k=\"color1\" v=\"1,2\"/></colorramp>", "line 2", "'1,2'"},
        {"<colorramp type=\"gradient\">\n<prop k=\"color1\" v=\"1,2,\"/></colorramp>", "line 2", "'1,2,'"},
        {"<colorramp type=\"gradient\">\n<prop k=\"color2\" v=\"12,\"/></colorramp>", "line 2", "'12,'"},
        {"<qgis><colorrampshader>\n<item value=\"1\" color=\"\"/>", "line 2", "''"},
        {"<colorramp type=\"gradient\">\n<prop k=\"stops\" v=\"2;1,2,3,4\"/></colorramp>", "line 2", "'2;1,2,3,4'"},
    };
    for (const auto& [text, line, found] : styles)
    {
        const Result<ColourRamp> ramp = parseQml(text, "t.qml");
        ASSERT_FALSE(ramp) << text;
        EXPECT_EQ(ramp.error().code, ExitCode::kInput);
        const std::string start = std::string("t.qml: ") + line + ": found " + found;
        EXPECT_TRUE(ramp.error().message.starts_with(start)) << ramp.error().message << "\n  instead of " << start;
        EXPECT_NE(ramp.error().message.find(", expected "), std::string::npos) << ramp.error().message;
    }
}

TEST(ColourRamp, NamesAreKnownByTheirSuffix)
{
    EXPECT_TRUE(isRampName("a/b.CPT"));
    EXPECT_TRUE(isRampName("b.qml"));
    EXPECT_FALSE(isRampName("b.cpt.tif"));
    EXPECT_FALSE(isRampName("pt"));
    EXPECT_FALSE(namedColour("blurple"));
    EXPECT_FALSE(namedColour("gray101"));
    EXPECT_FALSE(namedColour("azure5"));
    EXPECT_EQ(namedColour("SandyBrown"), glm::dvec3(244, 164, 96));
}

}  // namespace
}  // namespace orogen::test
