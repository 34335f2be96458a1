#include "core/planet/place_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

constexpr std::string_view kKinds = "KOSNCTP";  // letters in the list, in the order of PlaceKind

// Lower-case letters without accents for U+00C0 to U+017F, in order; blanks for the signs × and ÷.
constexpr std::string_view kBaseLetters = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
                                          "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiijjjjkkklllllll"
                                          "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kBaseLetters.size() == 0x180 - 0xc0);

// Takes the field before the next tab, or the rest.
std::string_view takeField(std::string_view& rest)
{
    const std::size_t tab = rest.find('\t');
    const std::string_view field = rest.substr(0, tab);
    rest = tab == rest.npos ? std::string_view() : rest.substr(tab + 1);
    return field;
}

std::optional<NamedPlace> placeOf(std::string_view line)
{
    NamedPlace place;
    const std::string_view kind = takeField(line);
    const std::size_t known = kind.size() == 1 ? kKinds.find(kind[0]) : kKinds.npos;
    const std::optional<double> latitude = numberIn<double>(takeField(line), -90, 90);
    const std::optional<double> longitude = numberIn<double>(takeField(line), -180, 180);
    const std::optional<double> size = numberIn<double>(takeField(line), 0, 1e9);
    place.country = takeField(line);
    place.name = line;
    const bool whole = known != kKinds.npos && latitude && longitude && size && !place.name.empty();
    if (!whole || place.name.find('\t') != place.name.npos || place.country.size() > 2) return std::nullopt;
    place.kind = PlaceKind(known);
    place.latitude = *latitude;
    place.longitude = *longitude;
    place.size = *size;
    return place;
}

}  // namespace

std::string foldedName(std::string_view text)
{
    std::string folded;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool two = (byte & 0xe0u) == 0xc0u && i + 1 < text.size();
        const unsigned code = two ? (byte & 0x1fu) << 6 | (static_cast<unsigned char>(text[i + 1]) & 0x3fu) : byte;
        if (two && code >= 0xc0 && code < 0x180)
        {
            folded += kBaseLetters[code - 0xc0];
            ++i;
        }
        else
            folded += byte >= 'A' && byte <= 'Z' ? char(byte - 'A' + 'a') : char(byte);
    }
    return folded;
}

double NamedPlace::farthest() const
{
    const double side = 1000 * std::sqrt(1000 * size);  // side of a square of this area (metres)
    switch (kind)
    {
    case PlaceKind::kContinent:
    case PlaceKind::kOcean:
        return 5e7;
    case PlaceKind::kCountry:
        return 9 * side;
    case PlaceKind::kSea:
        return 7 * side;
    case PlaceKind::kCapital:
        return std::max(90'000 * std::sqrt(size), 1.2e6);
    case PlaceKind::kCity:
        return 45'000 * std::sqrt(size);
    case PlaceKind::kPeak:
        return std::max(0.012 * size * size, 40'000.0);
    }
    return 0;
}

double NamedPlace::nearest() const
{
    const double side = 1000 * std::sqrt(1000 * size);
    return kind == PlaceKind::kContinent ? 5e6 : kind == PlaceKind::kOcean ? 1.5e6 : isArea() ? side / 10 : 0.0;
}

double NamedPlace::halfView() const
{
    const double side = 1000 * std::sqrt(1000 * size);
    if (kind == PlaceKind::kContinent || kind == PlaceKind::kOcean) return std::min(0.6 * side, 4e6);
    if (isArea()) return std::clamp(0.6 * side, 20'000.0, 4e6);
    return kind == PlaceKind::kPeak ? 6'000.0 : std::clamp(400 * std::sqrt(size), 6'000.0, 30'000.0);
}

std::string NamedPlace::description() const
{
    std::string text = country.empty() ? name : fmt::format("{} ({})", name, country);
    if (kind == PlaceKind::kPeak) text += fmt::format(", {} m", grouped(size, 0));
    return text;
}

Result<PlaceNames> PlaceNames::parse(std::string_view text, const std::string& source)
{
    PlaceNames names;
    for (int number = 1; !text.empty(); ++number)
    {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
        if (line.empty()) continue;
        std::optional<NamedPlace> place = placeOf(line);
        if (!place)
            return Error{ExitCode::kInput,
                         fmt::format("{}: line {}: found '{}', expected kind, latitude, longitude, size, country and "
                                     "name between tabs",
                                     source, number, printableStart(line))};
        names.folded_.push_back(foldedName(place->name));
        names.places_.push_back(std::move(*place));
    }
    return names;
}

std::vector<std::size_t> PlaceNames::find(std::string_view text, std::size_t most) const
{
    const std::string wanted = foldedName(trimmed(text));
    // Names equal to the text; names that begin with the text; names with a later word that begins with the text.
    std::array<std::vector<std::size_t>, 3> found;
    if (wanted.empty()) return {};
    for (std::size_t i = 0; i < folded_.size(); ++i)
    {
        const std::string& name = folded_[i];
        for (std::size_t at = name.find(wanted); at != name.npos; at = name.find(wanted, at + 1))
        {
            const bool begins = at == 0, word = begins || name[at - 1] == ' ' || name[at - 1] == '-';
            if (!word) continue;
            found[name.size() == wanted.size() ? 0 : begins ? 1 : 2].push_back(i);
            break;
        }
    }
    std::vector<std::size_t> all;
    for (const std::vector<std::size_t>& matches : found)
        for (const std::size_t match : matches)
            if (all.size() < most) all.push_back(match);
    return all;
}

}  // namespace orogen
