// Reads colour ramps from style files of QGIS.  A file has a raster's style, "singleband pseudocolour" or "paletted",
// or a single gradient. "Shader" here means the element <colorrampshader>, which lists heights and colours.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <expat.h>
#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/base/text.h"
#include "core/colour/colour_ramp.h"
#include "core/colour/ramp_classes.h"

namespace orogen {
namespace {

constexpr int kDeepestElement = 256;

struct QmlReading
{
    const std::string& source;
    XML_Parser parser = nullptr;
    int depth = 0;
    std::optional<Error> error;

    enum class Kind
    {
        kInterpolated,
        kDiscrete,
        kExact,
    } kind = Kind::kInterpolated;
    int shaderDepth = 0, gradientDepth = 0;  // depth of the open element; 0: none
    std::vector<RampClass> items;            // entries of a <colorrampshader> or a palette
    int itemsLine = 0;
    std::optional<double> lowest, highest;  // heights at the ends of the shader
    std::optional<glm::dvec3> first, last;  // colours of a gradient
    std::vector<RampClass> stops;           // colours of a gradient between its ends
    bool steps = false, hasGradient = false;

    Error errorHere(std::string_view found, std::string_view expected) const
    {
        return {ExitCode::kInput,
                fmt::format("{}: line {}: found {}, expected {}", printable(source),
                            std::max<std::uint64_t>(XML_GetCurrentLineNumber(parser), 1), found, expected)};
    }
    void fail(std::string_view found, std::string_view expected)
    {
        if (!error) error = errorHere(found, expected);
        XML_StopParser(parser, XML_FALSE);
    }
};

std::string quoted(std::string_view text) { return fmt::format("'{}'", printableStart(text)); }

std::optional<std::string_view> attributeOf(const XML_Char** attributes, std::string_view name)
{
    for (; attributes[0]; attributes += 2)
        if (attributes[0] == name) return attributes[1];
    return std::nullopt;
}

// Reads "#rrggbb", or "r,g,b" or "r,g,b,a" with components up to 255, and blends it with white by its alpha.  Ignores
// text after a fourth component.
std::optional<glm::dvec3> colourIn(std::string_view text)
{
    if (const auto hex = hexColour(trimmed(text))) return hex;
    glm::dvec4 parts(0, 0, 0, 255);
    for (int i = 0; i < 4 && (i < 3 || !text.empty()); ++i)
    {
        const std::size_t comma = std::min(text.find(','), text.size());
        const auto part = numberIn<double>(trimmed(text.substr(0, comma)), 0, 255);
        if (!part) return std::nullopt;
        parts[i] = *part;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return glm::mix(glm::dvec3(1.0), glm::dvec3(parts) / 255.0, parts.w / 255.0);
}

void readItem(QmlReading& reading, const XML_Char** attributes)
{
    const auto value = attributeOf(attributes, "value"), colour = attributeOf(attributes, "color");
    const auto alpha = attributeOf(attributes, "alpha");
    if (!value || !colour) return reading.fail("an item without value or color", "both");
    auto number = numberIn<double>(trimmed(*value));
    if (number && std::isinf(*number) && *number > 0) number = std::numeric_limits<double>::infinity();
    if (!number || std::isnan(*number) || (std::isfinite(*number) && std::abs(*number) > kHighestInRamp))
        return reading.fail(quoted(*value), "a height as value");
    const auto rgb = colourIn(*colour);
    if (!rgb) return reading.fail(quoted(*colour), "a colour as #rrggbb");
    const auto opacity = alpha ? numberIn<double>(trimmed(*alpha), 0, 255) : std::optional(255.0);
    if (!opacity) return reading.fail(quoted(*alpha), "an alpha from 0 to 255");
    if (reading.items.size() >= ColourRamp::kMostPieces)
        return reading.fail("more", fmt::format("at most {} items", ColourRamp::kMostPieces));
    reading.itemsLine = int(XML_GetCurrentLineNumber(reading.parser));
    const bool paletted = reading.kind == QmlReading::Kind::kExact;
    if (!paletted && !reading.items.empty() && *number < reading.items.back().first)
        return reading.fail(quoted(*value), fmt::format("at least {}, the value above", reading.items.back().first));
    reading.items.emplace_back(*number, glm::mix(glm::dvec3(1.0), *rgb, *opacity / 255));
}

// Reads "0.25;r,g,b,a:0.5;r,g,b,a"; newer files add words after further semicolons.
void readStops(QmlReading& reading, std::string_view text)
{
    while (!text.empty())
    {
        const std::size_t semicolon = text.find(';');
        const auto at =
            semicolon == text.npos ? std::nullopt : numberIn<double>(trimmed(text.substr(0, semicolon)), 0, 1);
        if (!at) return reading.fail(quoted(text), "a stop from 0 to 1 and its colour, such as 0.5;255,0,0,255");
        text.remove_prefix(semicolon + 1);
        const auto colour = colourIn(text.substr(0, text.find_first_of(";:")));
        if (!colour) return reading.fail(quoted(text), "a colour as r,g,b,a");
        if (!reading.stops.empty() && *at < reading.stops.back().first)
            return reading.fail(fmt::format("a stop at {}", *at), "ascending stops");
        if (reading.stops.size() >= ColourRamp::kMostPieces) return reading.fail("more stops", "at most 4096");
        reading.stops.emplace_back(*at, *colour);
        // Newer colours hold colons, too: "r,g,b,a,rgb:1,0.5,0,1".  The next stop begins with a number and a semicolon.
        std::size_t colon = text.find(':');
        while (colon != text.npos)
        {
            const std::string_view next = text.substr(colon + 1);
            const std::size_t end = next.find(';');
            if (end != next.npos && numberIn<double>(trimmed(next.substr(0, end)))) break;
            colon = text.find(':', colon + 1);
        }
        text = colon == text.npos ? std::string_view() : text.substr(colon + 1);
    }
}

void readProperty(QmlReading& reading, std::string_view name, std::string_view value)
{
    if (name == "discrete") reading.steps = value == "1";
    if (name == "stops" && !value.empty()) readStops(reading, value);
    if (name != "color1" && name != "color2") return;
    const auto colour = colourIn(value);
    if (!colour) return reading.fail(quoted(value), "a colour as r,g,b,a");
    (name == "color1" ? reading.first : reading.last) = colour;
}

void beginShader(QmlReading& reading, const XML_Char** attributes)
{
    const std::string_view kind = attributeOf(attributes, "colorRampType").value_or("INTERPOLATED");
    if (kind == "DISCRETE")
        reading.kind = QmlReading::Kind::kDiscrete;
    else if (kind == "EXACT")
        reading.kind = QmlReading::Kind::kExact;
    else if (kind == "INTERPOLATED")
        reading.kind = QmlReading::Kind::kInterpolated;
    else
        return reading.fail(quoted(kind), "INTERPOLATED, DISCRETE or EXACT");
    const auto end = [&](std::string_view name) {
        const auto text = attributeOf(attributes, name);
        return text ? numberIn<double>(trimmed(*text), -kHighestInRamp, kHighestInRamp) : std::nullopt;
    };
    reading.lowest = end("minimumValue");
    reading.highest = end("maximumValue");
    reading.shaderDepth = reading.depth;
}

void beginElement(void* data, const XML_Char* name, const XML_Char** attributes)
{
    QmlReading& reading = *static_cast<QmlReading*>(data);
    if (reading.error) return;
    const std::string_view element = name;
    if (++reading.depth > kDeepestElement)
        return reading.fail("deeper elements", fmt::format("at most {} within each other", kDeepestElement));
    if (reading.depth == 1 && element != "qgis" && element != "qgis_style" && element != "colorramp")
        return reading.fail(fmt::format("<{}>", printableStart(element)), "<qgis>, a style of QGIS");
    if (element == "colorrampshader" && reading.items.empty()) return beginShader(reading, attributes);
    if (element == "item" && reading.shaderDepth > 0) return readItem(reading, attributes);
    if (element == "paletteEntry")
    {
        reading.kind = QmlReading::Kind::kExact;
        return readItem(reading, attributes);
    }
    if (element == "colorramp" && !reading.hasGradient && attributeOf(attributes, "type") == "gradient")
    {
        reading.gradientDepth = reading.depth;
        reading.hasGradient = true;
    }
    if (reading.gradientDepth == 0) return;
    if (element == "prop")
        readProperty(reading, attributeOf(attributes, "k").value_or(""), attributeOf(attributes, "v").value_or(""));
    if (element == "Option")
        readProperty(reading, attributeOf(attributes, "name").value_or(""),
                     attributeOf(attributes, "value").value_or(""));
}

void endElement(void* data, const XML_Char*)
{
    QmlReading& reading = *static_cast<QmlReading*>(data);
    if (reading.error) return;
    if (reading.depth == reading.shaderDepth) reading.shaderDepth = 0;
    if (reading.depth == reading.gradientDepth) reading.gradientDepth = 0;
    --reading.depth;
}

// Refuses declared entities: they could expand without bound, and styles of QGIS declare none.
void declareEntity(void* data, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
                   const XML_Char*, const XML_Char*)
{
    static_cast<QmlReading*>(data)->fail("a declared entity", "none in a style of QGIS");
}

void addPiece(ColourRamp& ramp, double low, double high, const glm::dvec3& from, const glm::dvec3& to)
{
    if (high > low) ramp.pieces.push_back({low, high, from, to});
}

// Each class of a discrete ramp covers heights up to its value; the last class has no upper limit.
void addClasses(ColourRamp& ramp, const std::vector<RampClass>& items)
{
    ramp.below = items.front().second;
    ramp.above = items.back().second;
    for (std::size_t i = 1; i < items.size(); ++i)
        if (std::isfinite(items[i].first))
            addPiece(ramp, items[i - 1].first, items[i].first, items[i].second, items[i].second);
    if (!ramp.pieces.empty()) return;
    const double edge = std::isfinite(items.front().first) ? items.front().first : 0;
    addPiece(ramp, edge, edge + 1, items.back().second, items.back().second);
}

ColourRamp gradientOf(const QmlReading& reading)
{
    ColourRamp ramp;
    std::vector<RampClass> stops = reading.stops;
    stops.insert(stops.begin(), {0.0, *reading.first});
    stops.emplace_back(1.0, *reading.last);
    for (std::size_t i = 1; i < stops.size(); ++i)
        addPiece(ramp, stops[i - 1].first, stops[i].first, stops[i - 1].second,
                 reading.steps ? stops[i - 1].second : stops[i].second);
    ramp.relative = true;
    if (reading.lowest && reading.highest && *reading.lowest < *reading.highest)
        ramp.range = {*reading.lowest, *reading.highest};
    return ramp;
}

Result<ColourRamp> rampOf(QmlReading& reading)
{
    ColourRamp ramp;
    if (reading.items.empty())
    {
        if (!reading.first || !reading.last)
            return reading.errorHere("no colour ramp", "<colorrampshader> with <item>s, <colorPalette>, or <colorramp> "
                                                       "of type gradient with color1 and color2");
        return gradientOf(reading);
    }
    if (reading.kind != QmlReading::Kind::kDiscrete)
        for (const RampClass& item : reading.items)
            if (!std::isfinite(item.first))
                return reading.errorHere("an infinite value", "one in the last class of a DISCRETE ramp alone");
    switch (reading.kind)
    {
    case QmlReading::Kind::kInterpolated:
        for (std::size_t i = 1; i < reading.items.size(); ++i)
            addPiece(ramp, reading.items[i - 1].first, reading.items[i].first, reading.items[i - 1].second,
                     reading.items[i].second);
        if (ramp.pieces.empty())
            addPiece(ramp, reading.items.back().first, reading.items.back().first + 1, reading.items.back().second,
                     reading.items.back().second);
        break;
    case QmlReading::Kind::kDiscrete:
        addClasses(ramp, reading.items);
        break;
    case QmlReading::Kind::kExact:
        std::ranges::stable_sort(reading.items, {}, &RampClass::first);
        reading.items.erase(std::unique(reading.items.begin(), reading.items.end(),
                                        [](const RampClass& a, const RampClass& b) { return a.first == b.first; }),
                            reading.items.end());
        ramp.pieces = piecesOfClasses(reading.items);
        break;
    }
    return ramp;
}

}  // namespace

Result<ColourRamp> parseQml(std::string_view text, const std::string& source)
{
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr),
                                                                              &XML_ParserFree);
    if (!parser) return Error{ExitCode::kLimit, source + ": no memory for the XML parser"};
    QmlReading reading{.source = source,
                       .parser = parser.get(),
                       .error = {},
                       .items = {},
                       .lowest = {},
                       .highest = {},
                       .first = {},
                       .last = {},
                       .stops = {}};
    XML_SetUserData(parser.get(), &reading);
    XML_SetElementHandler(parser.get(), beginElement, endElement);
    XML_SetEntityDeclHandler(parser.get(), declareEntity);
    const bool whole = XML_Parse(parser.get(), text.data(), int(text.size()), true) == XML_STATUS_OK;
    if (reading.error) return *reading.error;
    if (!whole) return reading.errorHere(XML_ErrorString(XML_GetErrorCode(parser.get())), "well-formed XML");
    return rampOf(reading);
}

}  // namespace orogen
