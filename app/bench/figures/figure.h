// A paper's figure, measured again here: `orogen reproduce` writes all of them, the Laboratory panel
// runs those of the tree in steps.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/frames/pages/line_plot.h"

namespace orogen::app::bench {

struct FigureOptions
{
    double secondsPerPoint = 30;  // a point that would take longer stays empty
    // Once a point at least: done of all, and what comes next.  False: stop.
    std::function<bool(double fraction, const std::string& next)> progress;

    bool goesOn(double fraction, const std::string& next) const { return !progress || progress(fraction, next); }
};

inline Error stoppedError() { return {ExitCode::kInterrupted, "reproduce: stopped"}; }

// One abscissa, and what was found there for each line; none: too slow, or not to be had here.
struct FigureRow
{
    double x = 0;
    std::vector<std::optional<double>> values;
};

struct FigureData
{
    std::string xName;
    std::vector<std::string> names;  // of the lines
    std::vector<FigureRow> rows;
    std::vector<std::string> notes;  // why points are empty, what is not as in the paper
};

struct Figure
{
    std::string name;   // of its files, and on the command line
    std::string about;  // one line
    LinePlot plot;      // without its lines
    std::function<Result<FigureData>(const FigureOptions&)> measure;
    double lastX = std::numeric_limits<double>::infinity();  // of the picture; the table goes on
};

// x and the names, then a row a point; an empty field for no value.  Notes stand before it, behind '#'.
std::string figureCsv(const FigureData& data);
// Lines that are no measurement of the subject are dashed: formulas, what is printed, and what is over another
// baseline.
std::string figureSvg(const Figure& figure, const FigureData& data);

std::span<const Figure> signedDigitFigures();    // of paper 000
std::span<const Figure> multiwordFigures();      // of paper 001
std::span<const Figure> treeFigures();           // of paper 002
std::span<const Figure> linearAlgebraFigures();  // of paper 003

std::vector<const Figure*> allFigures();  // the registry: a line each

}  // namespace orogen::app::bench
