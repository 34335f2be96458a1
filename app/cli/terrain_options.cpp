#include "app/cli/terrain_options.h"

#include <CLI/CLI.hpp>

namespace orogen::app {
namespace {

// `parse`: text to a Result; `take` puts its value where it belongs.
template <class Parse, class Take>
void addParsed(CLI::App& command, const char* name, const char* help, const char* typeName, Parse parse, Take take)
{
    const auto read = [name, parse, take](const std::string& text) {
        const auto value = parse(text);
        if (!value) throw CLI::ValidationError(name, value.error().message);
        take(*value);
    };
    command.add_option_function<std::string>(name, read, help)->type_name(typeName);
}

}  // namespace

void addTerrainOptions(CLI::App& command, SourceOverrides& overrides)
{
    addParsed(command, "--nodata", "samples of this value are voids, besides those that the file names", "V",
              parseNodata, [&overrides](double value) { overrides.nodata = value; });
    addParsed(command, "--pixel-size", "metres between samples, whatever the file says; 0.001 to 1000000", "X,Y",
              parsePixelSize, [&overrides](const orogen::PixelSize& size) { overrides.pixelSize = size; });
    addParsed(command, "--crs", "coordinate system, whatever the file says: EPSG:32611, say", "C", parseCrs,
              [&overrides](const std::string& crs) { overrides.crs = crs; });
    addParsed(command, "--unit", "unit of the samples, whatever the file says", "metre/foot/us-foot", parseHeightUnit,
              [&overrides](HeightUnit unit) { overrides.unit = unit; });
}

}  // namespace orogen::app
