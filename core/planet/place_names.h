// Names of places on the Earth, from the shipped list assets/earth/places.tsv (written by assets/convert_places.py).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace orogen {

enum class PlaceKind
{
    kContinent,
    kOcean,
    kSea,
    kCountry,
    kCapital,
    kCity,
    kPeak,
};

struct NamedPlace
{
    PlaceKind kind = PlaceKind::kCity;
    double latitude = 0, longitude = 0;  // degrees
    // Area (1000 km²) if isArea(); inhabitants (thousands) of a capital or city; height (metres) of a peak.
    double size = 0;
    std::string country;  // two letters, or empty
    std::string name;     // UTF-8

    bool isArea() const { return kind <= PlaceKind::kCountry; }
    // Return the largest and the smallest distance (metres) from the camera at which the name is shown.  Names of more
    // important places are shown from farther away.
    double farthest() const;
    double nearest() const;
    // Returns half the width of a view of the place (metres).
    double halfView() const;
    // Returns "Paris (FR)", or "Mont Blanc (FR), 4,809 m".
    std::string description() const;
};

class PlaceNames
{
public:
    PlaceNames() = default;
    // Error kInput names `source`, the line, what was found and what was expected.
    static Result<PlaceNames> parse(std::string_view text, const std::string& source);

    std::span<const NamedPlace> all() const { return places_; }

    // Returns indices of the places that match, best first: names equal to the text, then names that begin with the
    // text, then names with a later word that begins with the text.  Each of these groups is in the order of the list.
    // Ignores case and accents.
    std::vector<std::size_t> find(std::string_view text, std::size_t most) const;

private:
    std::vector<NamedPlace> places_;
    std::vector<std::string> folded_;  // names as foldedName() returns them
};

// Returns the text in lower case and without accents, for comparison: "Zürich" becomes "zurich".
std::string foldedName(std::string_view text);

}  // namespace orogen
