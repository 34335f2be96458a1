#include "core/frames/compare/comparison_sides.h"

#include <algorithm>

#include "core/base/json.h"

namespace orogen {

bool ComparedSides::anySlower() const { return std::ranges::any_of(comparisons, &Comparison::anySlower); }

Result<ComparedSides> compareSides(std::span<const NamedFolders> sides, const ComparisonOptions& options,
                                   const StopReading& stop)
{
    ComparedSides compared;
    ComparisonOptions each = options;
    each.among = sides.size() - 1;
    for (const NamedFolders& side : sides)
    {
        Result<std::vector<Capture>> captures = readSide(side.folders, stop);
        if (!captures) return captures.error();
        compared.names.push_back(side.name);
        compared.captures.push_back(std::move(*captures));
        if (compared.captures.size() == 1) continue;
        Result<Comparison> comparison = compareCaptures(compared.captures.front(), compared.captures.back(), each);
        if (!comparison) return comparison.error();
        compared.comparisons.push_back(std::move(*comparison));
    }
    return compared;
}

std::string sidesToJson(const ComparedSides& sides, double milliseconds)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
    {
        Json side = {{"name", sides.names[i + 1]}};
        const Json comparison = Json::parse(comparisonToJson(sides.comparisons[i], milliseconds));
        for (const auto& [key, value] : comparison.members())
            side[key] = value;
        list.push_back(side);
    }
    const Json json = {{"baseline", sides.names.front()}, {"slower", sides.anySlower()}, {"sides", list}};
    return json.dump(2) + '\n';
}

}  // namespace orogen
