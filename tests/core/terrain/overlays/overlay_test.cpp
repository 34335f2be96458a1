#include "core/terrain/overlays/overlay.h"

#include <string>

#include <gtest/gtest.h>

namespace orogen {
namespace {

std::string gpx(const std::string& content)
{
    return "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n" + content +
           "\n</gpx>\n";
}

TEST(Overlay, GpxHasTracksRoutesAndWaypoints)
{
    const auto read = parseGpx(
        gpx("<wpt lat=\"47\" lon=\"8\"><name>A</name></wpt>"
            "<trk><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>5</ele></trkpt><trkpt lat=\"3\" lon=\"4\"/></trkseg>"
            "<trkseg><trkpt lat=\"5\" lon=\"6\"/></trkseg></trk>"
            "<rte><rtept lat=\"-7\" lon=\"-8\"/><rtept lat=\"9\" lon=\"10\"/><rtept lat=\"11\" lon=\"12\"/></rte>"),
        "a.gpx");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->lines(), 2u);  // a segment of one point is none
    ASSERT_EQ(read->line.size(), 5u);
    EXPECT_EQ(read->begins, (std::vector<std::uint8_t>{1, 0, 1, 0, 0}));
    EXPECT_EQ(read->line[2].latitude, -7);
    EXPECT_EQ(read->line[2].longitude, -8);
    ASSERT_EQ(read->points.size(), 1u);
    EXPECT_EQ(read->points[0].latitude, 47);
    EXPECT_EQ(read->names, std::vector<std::string>{"A"});
}

// Only a waypoint's own name counts, once; points without one keep their place in the list.
TEST(Overlay, PointsHaveTheirNames)
{
    const auto read = parseGpx(gpx("<metadata><name>file</name></metadata><wpt lat=\"1\" lon=\"1\"/>"
                                   "<wpt lat=\"2\" lon=\"2\"><extensions><x><name>no</name></x></extensions>"
                                   "<name> Z&#xFC;rich &amp; more\n</name></wpt>"
                                   "<trk><name>track</name><trkseg><trkpt lat=\"1\" lon=\"2\"><name>no</name></trkpt>"
                                   "<trkpt lat=\"3\" lon=\"4\"/></trkseg></trk>"
                                   "<wpt lat=\"3\" lon=\"3\"><name>" +
                                   std::string(5000, 'x') + "</name></wpt>"),
                               "a.gpx");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->names.size(), 3u);
    EXPECT_EQ(read->names[0], "");
    EXPECT_EQ(read->names[1], "Z\u00fcrich & more");
    EXPECT_LE(read->names[2].size(), Overlay::kLongestName + 3);
    const auto json = parseGeoJson(
        R"({"type":"FeatureCollection","features":[
            {"type":"Feature","geometry":{"type":"Point","coordinates":[8,47]}},
            {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]},"properties":{"name":"B"}},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[8,47]},"properties":{"name":7}},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[8,47]},"properties":{"name":"C"}}]})",
        "a.json");
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(json->names, (std::vector<std::string>{"", "B", "B", "", "C"}));
}

TEST(Overlay, GeoJsonHasEveryGeometry)
{
    const auto read = parseGeoJson(
        R"({"type":"FeatureCollection","features":[
            {"type":"Feature","geometry":null},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[8,47,400]}},
            {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}},
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},
            {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[
                {"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8],[9,10]]]}]}},
            {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}},
            {"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}}]})",
        "a.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->points.size(), 3u);
    EXPECT_EQ(read->lines(), 5u);
    EXPECT_EQ(read->line.size(), 2u + 2 + 3 + 4 + 4);
    EXPECT_EQ(read->points[0].latitude, 47);  // longitude comes first
}

// Each is refused with the file, the place, what was found and what was expected; none crashes or takes long.
TEST(Overlay, HostileFilesAreRefused)
{
    const std::string deepJson = std::string(200'000, '[') + std::string(200'000, ']');
    std::string deepXml;
    for (int i = 0; i < 1000; ++i)
        deepXml += "<a>";
    const std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE g [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b "
                             "\"&a;&a;&a;&a;&a;&a;&a;&a;\">]><gpx><trk><name>&b;</name></trk></gpx>";
    for (const std::string& text :
         {gpx("<wpt lat=\"nan\" lon=\"8\"/>"), gpx("<wpt lat=\"91\" lon=\"8\"/>"), gpx("<wpt lat=\"1\"/>"),
          gpx("<wpt lat=\"1\" lon=\"inf\"/>"), gpx(deepXml), bomb, std::string("<kml></kml>"), std::string("<gpx>"),
          std::string("<gpx/"), std::string(1000, '<')})
    {
        const auto read = parseGpx(text, "hostile.gpx");
        ASSERT_FALSE(read) << text.substr(0, 200);
        EXPECT_EQ(read.error().code, ExitCode::kInput);
        EXPECT_TRUE(read.error().message.starts_with("hostile.gpx: line ")) << read.error().message;
        EXPECT_NE(read.error().message.find(", expected "), std::string::npos) << read.error().message;
    }
    for (const std::string& text :
         {deepJson, std::string("{"), std::string("[1,2]"), std::string("{\"type\":5}"),
          std::string("{\"type\":\"Point\"}"), std::string("{\"type\":\"Point\",\"coordinates\":[NaN,1]}"),
          std::string("{\"type\":\"Point\",\"coordinates\":[1e999,1]}"),
          std::string("{\"type\":\"Point\",\"coordinates\":[440720,3751320]}"),
          std::string("{\"type\":\"Point\",\"coordinates\":[1]}"),
          std::string("{\"type\":\"LineString\",\"coordinates\":[1,2]}"),
          std::string("{\"type\":\"FeatureCollection\",\"features\":{}}"),
          std::string("{\"type\":\"Topology\",\"objects\":{}}"),
          std::string("{\"type\":\"Point\",\"coordinates\":[1,2],\"crs\":{\"name\":\"EPSG:25832\"}}")})
    {
        const auto read = parseGeoJson(text, "hostile.json");
        ASSERT_FALSE(read) << text.substr(0, 200);
        EXPECT_EQ(read.error().code, ExitCode::kInput);
        EXPECT_TRUE(read.error().message.starts_with("hostile.json: ")) << read.error().message;
        EXPECT_NE(read.error().message.find(", expected "), std::string::npos) << read.error().message;
    }
    // More values than are read, before any is kept.
    EXPECT_FALSE(
        parseGeoJson("{\"type\":\"MultiPoint\",\"coordinates\":[" + std::string(9'000'000, ',') + "]}", "big"));
}

}  // namespace
}  // namespace orogen
