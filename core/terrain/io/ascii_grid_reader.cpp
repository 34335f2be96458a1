#include "core/terrain/io/ascii_grid_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

constexpr std::size_t kGridPiece = 64 << 10;  // bytes read at a time
constexpr std::size_t kLongestWord = 512;     // characters; "%f" writes a double in at most 317
constexpr std::uint64_t kLeastSample = 2;     // bytes: a digit and a separator

constexpr std::array<std::string_view, 10> kKeys = {"ncols",     "nrows",    "xllcorner", "yllcorner", "xllcenter",
                                                    "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string lower(std::string_view word)
{
    std::string text(word);
    for (char& c : text)
        c = char(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool isKey(std::string_view word) { return std::ranges::find(kKeys, lower(word)) != kKeys.end(); }

// Iterator over the words of a file.
class Words
{
public:
    explicit Words(const ByteSource& source) : source_(source) {}

    // Returns the next word, in pieces of kLongestWord if longer; empty at the file's end. Valid until the next call.
    std::string_view next()
    {
        word_.clear();
        while (fill() && isBlank(piece_[at_]))
            step();
        line_ = lineHere_, column_ = columnHere_;
        while (fill() && !isBlank(piece_[at_]) && word_.size() < kLongestWord)
        {
            word_ += piece_[at_];
            step();
        }
        return word_;
    }
    // Returns line and column of the last word, counted from 1.
    std::string place() const { return fmt::format("line {}, column {}", line_, column_); }
    std::uint64_t offset() const { return offset_ - (piece_.size() - at_); }

private:
    // Returns whether a byte is available.
    bool fill()
    {
        if (at_ < piece_.size()) return true;
        piece_.resize(kGridPiece);
        piece_.resize(source_.read(offset_, piece_.data(), kGridPiece));
        offset_ += piece_.size();
        at_ = 0;
        return !piece_.empty();
    }
    void step()
    {
        ++columnHere_;
        if (piece_[at_++] == '\n') ++lineHere_, columnHere_ = 1;
    }

    const ByteSource& source_;
    std::string piece_;
    std::size_t at_ = 0;
    std::uint64_t offset_ = 0;  // position in the file behind piece_
    std::string word_;
    std::uint64_t lineHere_ = 1, columnHere_ = 1, line_ = 1, column_ = 1;
};

// Returns nothing for a word of kLongestWord characters, which next() may have cut.
std::optional<double> numberOf(std::string_view word)
{
    if (word.size() >= kLongestWord) return std::nullopt;
    if (word.starts_with('+')) word.remove_prefix(1);
    return numberIn<double>(word);
}

Error badWord(const ByteSource& source, const Words& words, std::string_view word, std::string_view expected)
{
    if (word.empty()) return inputError(source.name(), fmt::format("the file ends, expected {}", expected));
    return inputError(source.name(),
                      fmt::format("{}: found '{}', expected {}", words.place(), printableStart(word), expected));
}

struct GridHeader
{
    std::array<std::optional<double>, kKeys.size()> values;
    std::string firstSample;  // the word after the header

    std::optional<double> operator[](std::string_view key) const
    {
        return values[std::size_t(std::ranges::find(kKeys, key) - kKeys.begin())];
    }
};

Result<GridHeader> readGridHeader(const ByteSource& source, Words& words)
{
    GridHeader header;
    std::string_view word = words.next();
    for (; isKey(word); word = words.next())
    {
        const std::string key = lower(word);
        std::optional<double>& value = header.values[std::size_t(std::ranges::find(kKeys, key) - kKeys.begin())];
        if (value) return badWord(source, words, word, "each word of the header once");
        const std::string_view number = words.next();
        value = numberOf(number);
        if (!value) return badWord(source, words, number, "a number after " + key);
        if (!std::isfinite(*value) && key != "nodata_value") return badWord(source, words, number, "a finite number");
    }
    if (!word.empty() && !numberOf(word))
        return badWord(source, words, word,
                       "a sample or a word of the header: ncols, nrows, cellsize, nodata_value, ...");
    header.firstSample = word;
    return header;
}

// Returns the samples per side; 0 if the header has no valid number.
std::uint64_t sideOf(std::optional<double> value)
{
    const bool whole = value && *value >= 1 && *value <= 1e9 && *value == std::floor(*value);
    return whole ? std::uint64_t(*value) : 0;
}

Result<Placement> placementOf(const ByteSource& source, const GridHeader& header, std::uint64_t rows)
{
    Placement placement;
    const std::optional<double> cell = header["cellsize"], dx = header["dx"], dy = header["dy"];
    if (!cell && !(dx && dy)) return inputError(source.name(), "no cellsize, nor dx and dy");
    placement.stepEast = dx.value_or(cell.value_or(0));
    placement.stepSouth = dy.value_or(cell.value_or(0));
    if (!(placement.stepEast > 0) || !(placement.stepSouth > 0))
        return inputError(source.name(), fmt::format("cells of {:g} x {:g}, expected more than 0", placement.stepEast,
                                                     placement.stepSouth));
    const auto first = [&](const char* corner, const char* centre, double step) {
        const std::optional<double> edge = header[corner], middle = header[centre];
        return edge ? std::optional(*edge + step / 2) : middle;
    };
    const std::optional<double> x = first("xllcorner", "xllcenter", placement.stepEast);
    const std::optional<double> y = first("yllcorner", "yllcenter", placement.stepSouth);
    placement.positioned = x && y;
    placement.x = placement.positioned ? *x : 0;
    placement.y = placement.positioned ? *y + placement.stepSouth * double(rows - 1) : 0;
    placement.guessed = true;
    placement.geographic = looksGeographic(placement);
    return placement;
}

Status readGridSamples(const ByteSource& source, const GridHeader& header, Words& words, const LoadProgress& callback,
                       Raster& raster)
{
    Progress progress(callback, raster.name);
    const float nodata = raster.nodata ? float(*raster.nodata) : kVoid;  // NaN never compares equal
    std::string_view word = header.firstSample;
    const std::size_t samples = std::size_t(raster.width) * std::size_t(raster.height);
    for (std::size_t i = 0; i < samples; ++i, word = words.next())
    {
        const std::size_t column = i % std::size_t(raster.width);
        if (column == 0 && !progress.at(words.offset(), source.size())) return progress.interrupted();
        const std::optional<double> sample = numberOf(word);
        if (!sample)
            return badWord(source, words, word,
                           fmt::format("sample {} of row {}, of {} x {}", column + 1, i / std::size_t(raster.width) + 1,
                                       raster.width, raster.height));
        const float height = float(*sample);
        raster.heights.push_back(height != nodata ? height : kVoid);
    }
    if (!word.empty())
        raster.warnings.push_back(fmt::format("{}: more than {} x {} samples: the rest is ignored", words.place(),
                                              raster.width, raster.height));
    return Status::ok();
}

}  // namespace

bool isAsciiGrid(std::string_view head)
{
    const std::string_view word = takeWord(head);
    return isKey(word);
}

Result<Raster> readAsciiGrid(const ByteSource& source, const LoadProgress& progress)
{
    Words words(source);
    const Result<GridHeader> header = readGridHeader(source, words);
    if (!header) return header.error();
    const std::uint64_t width = sideOf((*header)["ncols"]), height = sideOf((*header)["nrows"]);
    if (Status status = checkSides(source.name(), width, height); !status) return status.error();
    if (width * height * kLeastSample > source.size() + 1)
        return inputError(source.name(),
                          fmt::format("ncols and nrows: {} x {} samples, which is more than {} bytes can "
                                      "hold",
                                      width, height, source.size()));
    const Result<Placement> placement = placementOf(source, *header, height);
    if (!placement) return placement.error();
    Raster raster;
    raster.name = source.name();
    raster.format = "ASCII grid";
    raster.bits = 32;
    raster.placement = *placement;
    raster.nodata = (*header)["nodata_value"];
    if (Status status = reserveHeights(raster, width, height); !status) return status.error();
    if (Status status = readGridSamples(source, *header, words, progress, raster); !status) return status.error();
    return raster;
}

}  // namespace orogen
