// Subcommands of the program, and their shared options, input and output.  Each subcommand adds itself to the parser.
// The selected one stores its body in `chosen`.  runProgram() calls that body after parsing, and converts its result to
// the exit code.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/base/output.h"
#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace orogen {
struct ComparedFolders;
struct ComparedSides;
struct Comparison;
struct ComparisonOptions;
struct SourceOverrides;
class TileSource;
}  // namespace orogen

namespace orogen::app {

struct SessionOptions;

// Parses the command line, runs one command, and returns its exit code.  Throws std::bad_alloc if out of memory.
int runProgram(int argc, char** argv);

// Body of a command.  Returns kDone, kNo if the answer is "no", or an Error.
using Command = std::function<Result<ExitCode>()>;

void addViewCommand(CLI::App& root, Command& chosen);
void addInfoCommand(CLI::App& root, Command& chosen);
void addImportCommand(CLI::App& root, Command& chosen);
void addMeshCommand(CLI::App& root, Command& chosen);
void addModelCommand(CLI::App& root, Command& chosen);
void addCbtCommand(CLI::App& root, Command& chosen);
void addCaptureCommand(CLI::App& root, Command& chosen);
void addRecordCommand(CLI::App& root, Command& chosen);
void addPackSceneCommand(CLI::App& root, Command& chosen);
void addSweepCommand(CLI::App& root, Command& chosen);
void addCompareCommand(CLI::App& root, Command& chosen);
void addBaselineCommand(CLI::App& root, Command& chosen);
void addReportCommand(CLI::App& root, Command& chosen);
void addModuleCommands(CLI::App& root, Command& chosen);  // for all compute modules
void addBenchCommand(CLI::App& root, Command& chosen);
void addReproduceCommand(CLI::App& root, Command& chosen);
void addSettingsCommand(CLI::App& root, Command& chosen);
// Adds the commands for packagers: man pages and completions for the commands of `root`.
void addReferenceCommands(CLI::App& root, Command& chosen);

// ---- shared options -------------------------------------------------------------------------------------------------

// Returns a validator that accepts finite numbers in [low, high].  CLI::Range would accept NaN.
CLI::Validator realIn(double low, double high);
CLI::Validator wholeIn(double low, double high);  // whole numbers in digits

// Adds "--size WxH" (each 16 ... 16384), stored in `width` and `height` when given.
CLI::Option* addSizeOption(CLI::App& command, int& width, int& height, const std::string& byDefault);

// Adds --nodata V, --pixel-size X,Y, --crs C, --unit metre/foot/us-foot and --encoding terrarium/terrain-rgb, stored in
// `overrides` when given.
void addTerrainOptions(CLI::App& command, SourceOverrides& overrides);
// Throws a usage error if there are overrides for the Earth alone, whose shipped relief takes none.
void refuseForEarthAlone(const SourceOverrides& overrides);

// Adds the operand DEM: one terrain, or `earth` and elevation models on it.  `what`: help text.
void addTerrainNames(CLI::App& command, SessionOptions& options, const char* what);
// Adds --imagery FILE, which may be repeated; --texture is its former name.
void addImageryOption(CLI::App& command, SessionOptions& options);
// Adds --relief FILE, which only the Earth takes.  Calls refuseForEarthAlone() for the Earth without elevation models,
// when all options are known.
void addReliefOption(CLI::App& command, SessionOptions& options);
void addOverlayOption(CLI::App& command, SessionOptions& options);  // --overlay FILE, which may be repeated
void addRampOption(CLI::App& command, SessionOptions& options);     // --ramp FILE
void addGoTo(CLI::App& command, SessionOptions& options);           // --goto LAT,LON,HEIGHT or NAME
void addTime(CLI::App& command, SessionOptions& options);           // --time TIME
// Adds --compare A B, --divider and --difference.
void addCompare(CLI::App& command, SessionOptions& options);
// Adds the options of a scene: terrain, imagery, relief, overlays, colour ramp, time, and those of addTerrainOptions().
void addSceneInputs(CLI::App& command, SessionOptions& options);
// Adds the options of addSceneInputs(), the size, the settings and the device, for commands that follow a camera path.
void addFlightInputs(CLI::App& command, SessionOptions& options);

// ---- shared input ---------------------------------------------------------------------------------------------------

// Returns kInput for the name `earth`, for a command that takes no Earth.
Status refuseEarth(const std::string& dem, std::string_view command);
// Opens an elevation model for reading its samples. Errors: those of checkThere() and openTerrain().
Result<std::shared_ptr<const TileSource>> openSamples(const std::string& dem, const SourceOverrides& overrides,
                                                      const LoadProgress& progress);

// ---- shared output --------------------------------------------------------------------------------------------------

// Returns a comparison as text: the verdict (slower, faster, equivalent or inconclusive), noise warnings, the compared
// sides, a table of metrics with verdicts, and other differences.
std::string comparisonText(const Comparison& comparison);

// Output of a comparison, as `compare` and `baseline compare` offer it.
struct VerdictOutput
{
    std::string html;             // page beside the output; empty: none
    std::string format = "text";  // text, html, json, markdown, junit or github
    std::string out;              // output file; empty: standard output
    bool json = false;            // selects format "json"
};
void addVerdictOptions(CLI::App& command, ComparisonOptions& comparison, VerdictOutput& output);
// Checks the output files.  `read`: files and folders that the command reads; their files must not be replaced.
Status checkVerdictFiles(const VerdictOutput& output, const std::vector<std::string>& read);
// Writes the page and the output.  `page`: the page, if it differs from the comparison's own.
Status writeVerdict(const VerdictOutput& output, const ComparedFolders& compared, double milliseconds,
                    const std::string& page = {});

}  // namespace orogen::app
