#include "core/terrain/overlays/overlay.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <expat.h>
#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/text_file.h"

namespace orogen {
namespace {

constexpr int kDeepestElement = 64;
constexpr std::size_t kMostNameBytes = 1000;
constexpr std::size_t kMostJsonValues = 8'000'000;  // 40 bytes of memory each

Error overlayError(const std::string& source, std::string_view place, std::string_view found, std::string_view expected)
{
    return {ExitCode::kInput, fmt::format("{}: {}: found {}, expected {}", printable(source), place, found, expected)};
}

std::string tooManyPlaces() { return fmt::format("at most {} places", grouped(std::uint64_t(Overlay::kMostPlaces))); }

// Adds a line, if it has two vertices or more.
void addLine(Overlay& overlay, const std::vector<LatLong>& line)
{
    if (line.size() < 2) return;
    for (std::size_t i = 0; i < line.size(); ++i)
        overlay.begins.push_back(i == 0);
    overlay.line.insert(overlay.line.end(), line.begin(), line.end());
}

// Names the newest points, from the one with number `first` on.
void addName(Overlay& overlay, std::size_t first, std::string_view text)
{
    const std::string name = printableStart(trimmed(text), Overlay::kLongestName);
    const std::size_t end = std::min(overlay.points.size(), Overlay::kMostNames);
    if (name.empty() || first >= end) return;
    overlay.names.resize(first);
    overlay.names.resize(end, name);
}

// ---- GPX ----

struct GpxReading
{
    const std::string& source;
    XML_Parser parser = nullptr;
    Overlay overlay;
    std::vector<LatLong> segment;  // track segment or route being read
    bool inPoint = false;          // in a waypoint
    int nameDepth = 0;             // depth of the waypoint's <name> while it is read; else 0
    std::string name;              // the waypoint's
    bool inGpx = false;
    int depth = 0;
    std::optional<Error> error;

    void fail(std::string_view found, std::string_view expected)
    {
        if (!error)
            error = overlayError(source, fmt::format("line {}", XML_GetCurrentLineNumber(parser)), found, expected);
        XML_StopParser(parser, XML_FALSE);
    }
};

std::string_view withoutPrefix(std::string_view name)
{
    const std::size_t colon = name.rfind(':');
    return colon == name.npos ? name : name.substr(colon + 1);
}

std::optional<LatLong> gpxPlace(GpxReading& reading, std::string_view element, const XML_Char** attributes)
{
    std::optional<std::string_view> texts[2];
    for (; attributes[0]; attributes += 2)
    {
        const std::string_view name = attributes[0];
        if (name == "lat") texts[0] = attributes[1];
        if (name == "lon") texts[1] = attributes[1];
    }
    std::array<double, 2> numbers{};
    constexpr std::array<const char*, 2> kNames = {"lat", "lon"};
    constexpr std::array<double, 2> kMost = {90, 180};
    for (std::size_t i = 0; i < 2; ++i)
    {
        const auto number = texts[i] ? numberIn<double>(trimmed(*texts[i]), -kMost[i], kMost[i]) : std::nullopt;
        if (!number)
        {
            reading.fail(texts[i] ? fmt::format("{}=\"{}\"", kNames[i], printableStart(*texts[i]))
                                  : fmt::format("<{}> without {}", printableStart(element), kNames[i]),
                         fmt::format("{} from {} to {} degrees", kNames[i], -kMost[i], kMost[i]));
            return std::nullopt;
        }
        numbers[i] = *number;
    }
    if (reading.overlay.line.size() + reading.segment.size() + reading.overlay.points.size() >= Overlay::kMostPlaces)
    {
        reading.fail("more", tooManyPlaces());
        return std::nullopt;
    }
    return LatLong{numbers[0], numbers[1]};
}

void beginElement(void* data, const XML_Char* name, const XML_Char** attributes)
{
    GpxReading& reading = *static_cast<GpxReading*>(data);
    if (reading.error) return;
    const std::string_view element = withoutPrefix(name);
    if (++reading.depth > kDeepestElement)
        return reading.fail("deeper elements", fmt::format("at most {} within each other", kDeepestElement));
    if (reading.depth == 1)
    {
        reading.inGpx = element == "gpx";
        if (!reading.inGpx) reading.fail(fmt::format("<{}>", printableStart(element)), "<gpx>");
        return;
    }
    if (element == "trkseg" || element == "rte") reading.segment.clear();
    if (element == "trkpt" || element == "rtept")
    {
        if (const auto place = gpxPlace(reading, element, attributes)) reading.segment.push_back(*place);
    }
    else if (element == "wpt")
    {
        if (const auto place = gpxPlace(reading, element, attributes)) reading.overlay.points.push_back(*place);
        reading.inPoint = true;
        reading.name.clear();
    }
    else if (element == "name" && reading.inPoint && reading.depth == 3)
        reading.nameDepth = reading.depth;
}

void addText(void* data, const XML_Char* text, int length)
{
    GpxReading& reading = *static_cast<GpxReading*>(data);
    if (reading.depth == reading.nameDepth && reading.name.size() < kMostNameBytes)
        reading.name.append(text, std::size_t(length));
}

void endElement(void* data, const XML_Char* name)
{
    GpxReading& reading = *static_cast<GpxReading*>(data);
    if (reading.error) return;
    if (reading.depth-- == reading.nameDepth) reading.nameDepth = 0;
    const std::string_view element = withoutPrefix(name);
    if (element == "wpt" && reading.inPoint)
    {
        addName(reading.overlay, reading.overlay.points.size() - 1, reading.name);
        reading.inPoint = false;
    }
    if (element != "trkseg" && element != "rte") return;
    addLine(reading.overlay, reading.segment);
    reading.segment.clear();
}

// Rejects document types: GPX has none, and their entities could expand without bound.
void beginDoctype(void* data, const XML_Char*, const XML_Char*, const XML_Char*, int)
{
    static_cast<GpxReading*>(data)->fail("a document type", "none in GPX");
}

// ---- GeoJSON ----

class GeoJsonReader
{
public:
    explicit GeoJsonReader(const std::string& source) : source_(source) {}

    Result<Overlay> read(const Json& root)
    {
        if (Status s = crs(root); !s) return s.error();
        if (Status s = object(root, "the root"); !s) return s.error();
        return std::move(overlay_);
    }

private:
    Error error(std::string_view place, std::string_view found, std::string_view expected) const
    {
        return overlayError(source_, place, found, expected);
    }

    // Checks the member `crs` of older GeoJSON: only names of WGS 84 in degrees are accepted.
    Status crs(const Json& root) const
    {
        const Json* const crs = root.find("crs");
        if (!crs || crs->isNull()) return Status::ok();
        const std::string text = crs->dump();
        for (const std::string_view known : {"CRS84", "EPSG::4326", "EPSG:4326"})
            if (text.find(known) != text.npos) return Status::ok();
        return error("crs", printableStart(text), "WGS 84 in degrees (CRS84)");
    }

    Status object(const Json& json, const std::string& place)
    {
        const Json* const type = json.find("type");
        if (!type || !type->isText())
            return error(place, type ? std::string(type->typeName()) : "no type", "a GeoJSON object with a type");
        const std::string& name = type->text();
        const auto each = [&](const char* key, auto&& read) -> Status {
            const Json* const list = json.find(key);
            if (!list || !list->isArray())
                return error(place, list ? std::string(list->typeName()) : fmt::format("no {}", key),
                             fmt::format("an array of {}", key));
            std::size_t number = 0;
            for (const Json& item : list->items())
                if (Status s = read(item, fmt::format("{}[{}]", key, number++)); !s) return s;
            return Status::ok();
        };
        if (name == "FeatureCollection")
            return each("features", [&](const Json& item, const std::string& at) { return object(item, at); });
        if (name == "GeometryCollection")
            return each("geometries",
                        [&](const Json& item, const std::string& at) { return object(item, place + " " + at); });
        if (name == "Feature")
        {
            const Json* const geometry = json.find("geometry");
            const std::size_t first = overlay_.points.size();
            if (!geometry || geometry->isNull()) return Status::ok();
            if (Status s = object(*geometry, place); !s) return s;
            const Json* const properties = json.find("properties");
            const Json* const text = properties && properties->isObject() ? properties->find("name") : nullptr;
            if (text && text->isText()) addName(overlay_, first, text->text());
            return Status::ok();
        }
        const Json* const coordinates = json.find("coordinates");
        constexpr std::pair<std::string_view, int> kTypes[] = {{"Point", 0},      {"MultiPoint", 1},
                                                               {"LineString", 1}, {"MultiLineString", 2},
                                                               {"Polygon", 2},    {"MultiPolygon", 3}};
        for (const auto& [known, levels] : kTypes)
        {
            if (name != known) continue;
            if (!coordinates) return error(place, "no coordinates", "coordinates");
            return nested(*coordinates, levels, known.find("Point") == known.npos, place);
        }
        return error(place, fmt::format("type '{}'", printableStart(name)), "a type of GeoJSON");
    }

    // Reads positions in `levels` arrays within each other; the innermost array is a line, or several points.
    Status nested(const Json& json, int levels, bool lines, const std::string& place)
    {
        if (levels == 0)
        {
            Result<LatLong> point = position(json, place);
            if (!point) return point.error();
            overlay_.points.push_back(*point);
            return Status::ok();
        }
        if (!json.isArray()) return error(place, json.typeName(), "an array of coordinates");
        if (levels > 1 || !lines)
        {
            for (const Json& item : json.items())
                if (Status s = nested(item, levels - 1, lines, place); !s) return s;
            return Status::ok();
        }
        std::vector<LatLong> line;
        for (const Json& item : json.items())
        {
            Result<LatLong> point = position(item, place);
            if (!point) return point.error();
            line.push_back(*point);
        }
        addLine(overlay_, line);
        return Status::ok();
    }

    Result<LatLong> position(const Json& json, const std::string& place)
    {
        if (++places_ > Overlay::kMostPlaces) return error(place, "more", tooManyPlaces());
        if (!json.isArray() || json.size() < 2 || !json.items()[0].isNumber() || !json.items()[1].isNumber())
            return error(place, printableStart(json.dump()), "a position of longitude and latitude");
        const LatLong at{json.items()[1].get<double>(), json.items()[0].get<double>()};
        if (!(std::abs(at.latitude) <= 90) || !(std::abs(at.longitude) <= 180))
            return error(place, printableStart(json.dump()), "longitude from -180 to 180 and latitude from -90 to 90");
        return at;
    }

    const std::string& source_;
    Overlay overlay_;
    std::size_t places_ = 0;
};

}  // namespace

std::size_t Overlay::lines() const { return std::size_t(std::ranges::count(begins, 1)); }

Result<Overlay> parseGpx(std::string_view text, const std::string& source)
{
    GpxReading reading{.source = source, .overlay = {}, .segment = {}, .name = {}, .error = {}};
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr),
                                                                              &XML_ParserFree);
    if (!parser) return Error{ExitCode::kLimit, source + ": no memory for the XML parser"};
    reading.parser = parser.get();
    XML_SetUserData(parser.get(), &reading);
    XML_SetElementHandler(parser.get(), beginElement, endElement);
    XML_SetCharacterDataHandler(parser.get(), addText);
    XML_SetStartDoctypeDeclHandler(parser.get(), beginDoctype);
    constexpr std::size_t kPiece = 1 << 20;
    for (bool last = false; !last && !reading.error;)
    {
        const std::string_view piece = text.substr(0, kPiece);
        text.remove_prefix(piece.size());
        last = text.empty();
        if (XML_Parse(parser.get(), piece.data(), int(piece.size()), last) == XML_STATUS_OK || reading.error) continue;
        return overlayError(source, fmt::format("line {}", XML_GetCurrentLineNumber(parser.get())),
                            XML_ErrorString(XML_GetErrorCode(parser.get())), "well-formed XML");
    }
    if (reading.error) return *reading.error;
    return std::move(reading.overlay);
}

Result<Overlay> parseGeoJson(std::string_view text, const std::string& source)
{
    const auto separates = [](char c) { return c == ',' || c == '[' || c == '{'; };
    if (std::size_t(std::ranges::count_if(text, separates)) > kMostJsonValues)
        return overlayError(source, "the file", "more", fmt::format("at most {} values", grouped(kMostJsonValues)));
    try
    {
        return GeoJsonReader(source).read(Json::parse(text));
    }
    catch (const JsonError& error)
    {
        return overlayError(source, error.byte > 0 ? fmt::format("byte {}", error.byte) : "the file",
                            printable(error.what()), "GeoJSON");
    }
}

Result<Overlay> readOverlay(const std::string& file)
{
    Result<InputFile> input = InputFile::open(file);
    if (!input) return input.error();
    std::array<char, 64> head{};
    const Result<std::size_t> read = input->read(head);
    if (!read) return read.error();
    const std::string_view start = withoutByteOrderMark({head.data(), *read});
    const bool xml = trimmed(start).starts_with('<');
    const Result<std::string> text = readTextFile(file, xml ? Overlay::kLargestGpx : Overlay::kLargestGeoJson);
    if (!text) return text.error();
    const std::string_view content = withoutByteOrderMark(*text);
    Result<Overlay> overlay = xml ? parseGpx(content, file) : parseGeoJson(content, file);
    if (overlay && overlay->empty())
        return overlayError(file, "the file", "no line and no point", "a track, route, line, polygon or point");
    return overlay;
}

bool isOverlayName(std::string_view file)
{
    std::string lower(file.substr(file.size() - std::min<std::size_t>(file.size(), 8)));
    for (char& letter : lower)
        letter = char(std::tolower(static_cast<unsigned char>(letter)));
    return lower.ends_with(".gpx") || lower.ends_with(".geojson") || lower.ends_with(".json");
}

}  // namespace orogen
