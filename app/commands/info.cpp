#include <memory>

#include <CLI/CLI.hpp>

#include "app/commands/command.h"
#include "app/commands/info_text.h"
#include "app/commands/progress.h"
#include "core/terrain/geotiff_writer.h"

namespace orogen::app {
namespace {

struct InfoOptions
{
    std::string file;       // empty: the machine
    std::string fillVoids;  // where the raster goes with its voids filled; empty: nowhere
    bool json = false;
};

Result<ExitCode> describeRaster(const InfoOptions& options)
{
    ProgressLine line;
    const Result<Raster> raster =
        loadRaster(options.file, [&](double fraction, const std::string& what) { return line.show(fraction, what); });
    line.clear();
    if (!raster) return raster.error();
    if (!options.fillVoids.empty())
    {
        const Result<Raster> filled = withoutVoids(*raster);
        if (!filled) return filled.error();
        if (const Status status = writeGeoTiff(*filled, options.fillVoids); !status) return status.error();
    }
    print(options.json ? rasterJson(*raster) : rasterText(*raster));
    return ExitCode::kDone;
}

Result<ExitCode> describeMachine(const InfoOptions& options)
{
    const SystemReport report = systemReport();
    print(options.json ? systemJson(report) : systemText(report));
    return ExitCode::kDone;
}

}  // namespace

void addInfoCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("info", "what a terrain holds; without one, what this machine offers");
    const auto options = std::make_shared<InfoOptions>();
    CLI::Option* file = command->add_option("DEM", options->file, "file, folder of tiles or synthetic:SIZE[:SEED]");
    command->add_option("--fill-voids", options->fillVoids, "write it with its voids filled, as GeoTIFF")
        ->type_name("OUT.tif")
        ->needs(file);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, file, &chosen] {
        const bool given = file->count() > 0;
        chosen = [options, given] { return given ? describeRaster(*options) : describeMachine(*options); };
    });
}

}  // namespace orogen::app
