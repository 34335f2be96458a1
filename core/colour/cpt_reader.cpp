// Colour palette tables of GMT: https://docs.generic-mapping-tools.org/latest/reference/features.html
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/colour/colour_ramp.h"
#include "core/colour/ramp_classes.h"

namespace orogen {
namespace {

enum class Model
{
    kRgb,
    kHsv,
    kCmyk,
};

constexpr int kPiecesOfSlice = 16;  // pieces of a slice (a row of a table) that is interpolated in HSV or CMYK

glm::dvec3 fromHsv(const glm::dvec3& hsv)
{
    const double h = std::fmod(std::fmod(hsv.x, 360.0) + 360.0, 360.0) / 60.0;
    const auto channel = [&](double n) {
        const double k = std::fmod(n + h, 6.0);
        return hsv.z - hsv.z * hsv.y * std::clamp(std::min(k, 4.0 - k), 0.0, 1.0);
    };
    return {channel(5), channel(3), channel(1)};
}

// A colour in the units of its model: RGB, saturation, value and CMYK from 0 to 1, hue in degrees.
struct Fill
{
    Model model = Model::kRgb;
    glm::dvec4 value{0.0};
    double transparency = 0;  // 0 ... 1; blended with white

    glm::dvec3 rgb() const
    {
        const glm::dvec3 opaque = model == Model::kHsv    ? fromHsv(glm::dvec3(value))
                                  : model == Model::kCmyk ? (1.0 - glm::dvec3(value)) * (1.0 - value.w)
                                                          : glm::dvec3(value);
        return glm::mix(opaque, glm::dvec3(1.0), transparency);
    }
};

class CptReader
{
public:
    explicit CptReader(const std::string& source) : source_(source) {}

    Result<ColourRamp> read(std::string_view text)
    {
        while (!text.empty())
        {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = trimmed(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            ++line_;
            Status read = line.empty()          ? Status::ok()
                          : line.front() == '#' ? directive(trimmed(line.substr(1)))
                                                : row(line);
            if (!read) return read.error();
        }
        if (!classes_.empty())
        {
            ramp_.pieces = piecesOfClasses(classes_);
            ramp_.hinge.reset();
        }
        if (ramp_.pieces.empty())
            return Error{ExitCode::kInput,
                         fmt::format("{}: line {}: found no slice, expected heights and colours, such "
                                     "as 0 blue 100 white",
                                     printable(source_), std::max(line_, 1))};
        const double low = ramp_.low(), high = ramp_.high();
        ramp_.relative = classes_.empty() && !ramp_.range && (low == 0 || low == -1) && high == 1;
        return std::move(ramp_);
    }

private:
    Error error(std::string_view found, std::string_view expected) const
    {
        return {ExitCode::kInput,
                fmt::format("{}: line {}: found {}, expected {}", printable(source_), line_, found, expected)};
    }
    static std::string quoted(std::string_view text) { return fmt::format("'{}'", printableStart(text)); }

    // Reads a comment that sets a property of the table; ignores other comments.
    Status directive(std::string_view text)
    {
        if (text.starts_with("HARD_HINGE")) ramp_.hinge = 0;
        if (text.starts_with("CYCLIC")) ramp_.cyclic = true;
        const std::size_t sign = text.find('=');
        if (sign == text.npos) return Status::ok();
        const std::string_view name = trimmed(text.substr(0, sign)), value = trimmed(text.substr(sign + 1));
        if (name == "COLOR_MODEL") return colourModel(value);
        if (name == "HINGE")
        {
            const auto hinge = numberIn<double>(value, -kHighestInRamp, kHighestInRamp);
            if (!hinge) return error(quoted(value), "the height of a hinge");
            ramp_.hinge = *hinge;
        }
        if (name == "RANGE")
        {
            const std::size_t slash = std::min(value.find('/'), value.size());
            const auto low = numberIn<double>(trimmed(value.substr(0, slash)), -kHighestInRamp, kHighestInRamp);
            const auto high = slash < value.size()
                                  ? numberIn<double>(trimmed(value.substr(slash + 1)), -kHighestInRamp, kHighestInRamp)
                                  : std::nullopt;
            if (!low || !high || !(*low < *high)) return error(quoted(value), "a range, such as -8000/8000");
            ramp_.range = {*low, *high};
        }
        return Status::ok();
    }

    // Sets the model in which colours are written.  If its name is in small letters or follows a plus, colours are also
    // interpolated in this model, otherwise in RGB.
    Status colourModel(std::string_view value)
    {
        if (!ramp_.pieces.empty() || !classes_.empty())
            return error("COLOR_MODEL below a slice", "it above the first slice");
        runs_ = value.starts_with('+');
        if (runs_) value.remove_prefix(1);
        std::string lower(value);
        for (char& letter : lower)
            letter = char(std::tolower(static_cast<unsigned char>(letter)));
        runs_ = runs_ || lower == value;
        if (lower == "rgb")
            model_ = Model::kRgb;
        else if (lower == "hsv")
            model_ = Model::kHsv;
        else if (lower == "cmyk")
            model_ = Model::kCmyk;
        else
            return error(quoted(value), "RGB, HSV or CMYK");
        return Status::ok();
    }

    Status row(std::string_view line)
    {
        std::vector<std::string_view> words;
        for (std::string_view rest = trimmed(line.substr(0, line.find(';'))); !rest.empty();)
        {
            words.push_back(takeWord(rest));
            if (words.size() > 11) return error("more than 11 words", "two heights and their colours");
        }
        if (words.empty()) return error(quoted(line), "heights and colours");
        if (words[0] == "B" || words[0] == "F" || words[0] == "N") return outside(words);
        // Ignores the flag for annotating the lower end (L), the upper end (U) or both (B).
        if (words.size() % 2 == 1 && (words.back() == "L" || words.back() == "U" || words.back() == "B"))
            words.pop_back();
        if (words.size() == 2) return category(words);
        if (words.size() != 4 && words.size() != 8 && words.size() != 10)
            return error(counted(words.size(), "word"),
                         "a height and a colour, twice (4, 8 or 10 words), or a category and its colour (2)");
        if (!classes_.empty()) return error("a slice", "a category, as above");
        const std::size_t half = words.size() / 2;
        const auto low = numberIn<double>(words[0], -kHighestInRamp, kHighestInRamp);
        if (!low) return error(quoted(words[0]), "a height");
        const auto high = numberIn<double>(words[half], -kHighestInRamp, kHighestInRamp);
        if (!high) return error(quoted(words[half]), "a height");
        if (!(*low < *high))
            return error(fmt::format("a slice from {} to {}", words[0], words[half]), "ascending heights");
        if (!ramp_.pieces.empty() && std::abs(*low - ramp_.high()) > 1e-6 * std::max(std::abs(*low), 1.0))
            return error(fmt::format("a slice from {}", words[0]),
                         fmt::format("one from {}, where the slice above ends", ramp_.high()));
        const std::span all(words);
        Result<Fill> from = fill(all.subspan(1, half - 1));
        if (!from) return from.error();
        Result<Fill> to = half == 2 && words[3] == "-" ? from : fill(all.subspan(half + 1));
        if (!to) return to.error();
        return add(ramp_.pieces.empty() ? *low : ramp_.high(), *high, *from, *to);
    }

    Status add(double low, double high, const Fill& from, const Fill& to)
    {
        const bool bent = runs_ && from.model == to.model && from.model != Model::kRgb;
        const int pieces = bent ? kPiecesOfSlice : 1;
        if (ramp_.pieces.size() + std::size_t(pieces) > ColourRamp::kMostPieces)
            return error("more", fmt::format("at most {} slices", ColourRamp::kMostPieces / std::size_t(pieces)));
        const auto at = [&](int i) {
            Fill fill = from;
            const double t = double(i) / pieces;
            fill.value = glm::mix(from.value, to.value, t);
            fill.transparency = glm::mix(from.transparency, to.transparency, t);
            return fill.rgb();
        };
        for (int i = 0; i < pieces; ++i)
        {
            const double begin = ramp_.pieces.empty() || i == 0 ? low : ramp_.high();
            const double end = i + 1 == pieces ? high : glm::mix(low, high, double(i + 1) / pieces);
            ramp_.pieces.push_back({begin, end, bent ? at(i) : from.rgb(), bent ? at(i + 1) : to.rgb()});
        }
        return Status::ok();
    }

    Status category(std::span<const std::string_view> words)
    {
        if (!ramp_.pieces.empty()) return error("a category", "a slice, as above");
        const auto key = numberIn<double>(words[0], -kHighestInRamp, kHighestInRamp);
        if (!key) return error(quoted(words[0]), "a height as the category's key");
        if (!classes_.empty() && !(classes_.back().first < *key))
            return error(quoted(words[0]), fmt::format("a key above {}", classes_.back().first));
        if (classes_.size() >= ColourRamp::kMostPieces)
            return error("more", fmt::format("at most {} categories", ColourRamp::kMostPieces));
        Result<Fill> colour = fill(words.subspan(1));
        if (!colour) return colour.error();
        classes_.emplace_back(*key, colour->rgb());
        return Status::ok();
    }

    Status outside(std::span<const std::string_view> words)
    {
        Result<Fill> colour = fill(words.subspan(1));
        if (!colour) return colour.error();
        (words[0] == "B" ? ramp_.below : words[0] == "F" ? ramp_.above : ramp_.none) = colour->rgb();
        return Status::ok();
    }

    Result<Fill> components(std::span<const double> parts, Model model) const
    {
        Fill fill;
        fill.model = model;
        const std::size_t count = model == Model::kCmyk ? 4 : 3;
        if (parts.size() != count) return error(counted(parts.size(), "component"), fmt::format("{}", count));
        for (std::size_t i = 0; i < count; ++i)
        {
            const double most = model == Model::kRgb ? 255 : model == Model::kCmyk ? 100 : i == 0 ? 360 : 1;
            if (!(parts[i] >= 0) || parts[i] > most)
                return error(fmt::format("a component {}", parts[i]), fmt::format("one from 0 to {}", most));
            fill.value[int(i)] = model == Model::kHsv ? parts[i] : parts[i] / most;
        }
        return fill;
    }

    Result<Fill> numbers(std::span<const std::string_view> words, Model model) const
    {
        std::array<double, 4> parts{};
        if (words.size() > 4) return error(counted(words.size(), "component"), "3 or 4");
        for (std::size_t i = 0; i < words.size(); ++i)
        {
            const auto number = numberIn<double>(words[i], 0, 360);
            if (!number) return error(quoted(words[i]), "a component of a colour");
            parts[i] = *number;
        }
        return components(std::span(parts).first(words.size()), model);
    }

    // Splits at `sign`, but not within the exponent of a number.
    static std::vector<std::string_view> split(std::string_view text, char sign)
    {
        std::vector<std::string_view> parts;
        std::size_t begin = 0;
        for (std::size_t i = 0; i <= text.size(); ++i)
        {
            const bool exponent = i > 0 && sign == '-' && (text[i - 1] == 'e' || text[i - 1] == 'E');
            if (i < text.size() && (text[i] != sign || exponent)) continue;
            parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
        return parts;
    }

    Result<Fill> fill(std::span<const std::string_view> words) const
    {
        if (words.size() == 3 || words.size() == 4)
            return numbers(words, words.size() == 4 ? Model::kCmyk : model_ == Model::kHsv ? model_ : Model::kRgb);
        if (words.size() != 1) return error(counted(words.size(), "word"), "a colour");
        std::string_view word = words[0];
        double transparency = 0;
        if (const std::size_t at = word.find('@'); at != word.npos)
        {
            const auto percent = numberIn<double>(word.substr(at + 1), 0, 100);
            if (!percent) return error(quoted(word), "a transparency from 0 to 100 after @");
            transparency = *percent / 100;
            word = word.substr(0, at);
        }
        Result<Fill> fill = opaque(word);
        if (fill) fill->transparency = transparency;
        return fill;
    }

    Result<Fill> opaque(std::string_view word) const
    {
        if (word == "-") return Fill{Model::kRgb, glm::dvec4(ramp_.none.value_or(glm::dvec3(0.5)), 0)};  // no fill
        if (const auto grey = numberIn<double>(word))
        {
            if (!(*grey >= 0 && *grey <= 255)) return error(quoted(word), "a grey from 0 to 255");
            return Fill{Model::kRgb, glm::dvec4(*grey / 255)};
        }
        if (word.starts_with('#'))
        {
            const std::optional<glm::dvec3> rgb = hexColour(word);
            if (!rgb) return error(quoted(word), "#rrggbb");
            return Fill{Model::kRgb, glm::dvec4(*rgb, 0)};
        }
        if (const auto parts = split(word, '/'); parts.size() > 1)
            return numbers(parts, parts.size() == 4 ? Model::kCmyk : model_ == Model::kHsv ? model_ : Model::kRgb);
        if (const auto named = namedColour(word)) return Fill{Model::kRgb, glm::dvec4(*named / 255.0, 0)};
        if (const auto parts = split(word, '-'); parts.size() == 3) return numbers(parts, Model::kHsv);
        return error(quoted(word), "a colour: a grey, r/g/b, h-s-v, c/m/y/k, #rrggbb or a name of X11");
    }

    const std::string& source_;
    ColourRamp ramp_;
    std::vector<RampClass> classes_;
    Model model_ = Model::kRgb;
    bool runs_ = false;  // colours are interpolated in `model_`, otherwise in RGB
    int line_ = 0;
};

// Returns the metres of one of GMT's units of length; nothing for another letter.
std::optional<double> metresOf(char unit)
{
    constexpr std::pair<char, double> kUnits[] = {{'e', 1},        {'f', 0.3048}, {'k', 1000},
                                                  {'M', 1609.344}, {'n', 1852},   {'u', 1200.0 / 3937.0}};
    for (const auto& [letter, metres] : kUnits)
        if (letter == unit) return metres;
    return std::nullopt;
}

// Applies modifiers such as "+Uk+h0".
Status modify(ColourRamp& ramp, std::string_view modifiers, const std::string& name)
{
    const auto refused = [&](std::string_view found, std::string_view expected) {
        return Error{ExitCode::kInput,
                     fmt::format("{}: found '+{}', expected {}", printable(name), printableStart(found), expected)};
    };
    while (!modifiers.empty())
    {
        modifiers.remove_prefix(1);
        const std::string_view one = modifiers.substr(0, modifiers.find('+'));
        modifiers.remove_prefix(one.size());
        if (one.starts_with('h'))
        {
            const auto hinge =
                one.size() == 1 ? std::optional(0.0) : numberIn<double>(one.substr(1), -kHighestInRamp, kHighestInRamp);
            if (!hinge) return refused(one, "the height of a hinge after +h");
            // Moves the whole ramp, so that the table's hinge, or else 0, lies at the given height.
            const double shift = *hinge - ramp.hinge.value_or(0);
            for (RampPiece& piece : ramp.pieces)
            {
                piece.low += shift;
                piece.high += shift;
            }
            ramp.hinge = *hinge;
            continue;
        }
        const auto metres = one.size() == 2 && (one[0] == 'U' || one[0] == 'u') ? metresOf(one[1]) : std::nullopt;
        if (!metres) return refused(one, "+U or +u with a unit (e, f, k, M, n, u), or +h with a height");
        const double factor = one[0] == 'U' ? *metres : 1 / *metres;
        for (RampPiece& piece : ramp.pieces)
        {
            piece.low *= factor;
            piece.high *= factor;
        }
        if (ramp.range) ramp.range = {ramp.range->first * factor, ramp.range->second * factor};
        if (ramp.hinge) ramp.hinge = *ramp.hinge * factor;
    }
    return Status::ok();
}

}  // namespace

std::optional<glm::dvec3> hexColour(std::string_view text)
{
    std::uint32_t rgb = 0;
    if (text.size() != 7 || text[0] != '#') return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, rgb, 16);
    if (error != std::errc() || end != text.data() + 7) return std::nullopt;
    return glm::dvec3(double(rgb >> 16), double(rgb >> 8 & 255), double(rgb & 255)) / 255.0;
}

std::vector<RampPiece> piecesOfClasses(const std::vector<RampClass>& classes)
{
    std::vector<RampPiece> pieces;
    for (std::size_t i = 0; i < classes.size(); ++i)
    {
        const auto& [key, colour] = classes[i];
        const double under = i > 0                ? 0.5 * (classes[i - 1].first + key)
                             : classes.size() > 1 ? key - 0.5 * (classes[1].first - key)
                                                  : key - 0.5;
        const double over = i + 1 < classes.size() ? 0.5 * (key + classes[i + 1].first)
                            : i > 0                ? key + 0.5 * (key - classes[i - 1].first)
                                                   : key + 0.5;
        pieces.push_back({pieces.empty() ? under : pieces.back().high, over, colour, colour});
    }
    return pieces;
}

Result<ColourRamp> parseCpt(std::string_view text, const std::string& source) { return CptReader(source).read(text); }

Result<ColourRamp> readRamp(const std::string& name)
{
    constexpr std::string_view kEnd = ".cpt+";  // in any case, but not in the name of a folder
    const auto alike = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    const auto base = name.begin() + std::ptrdiff_t(name.rfind('/') + 1);
    const auto end = std::search(base, name.end(), kEnd.begin(), kEnd.end(), alike);
    const std::size_t length = end == name.end() ? name.size() : std::size_t(end - name.begin()) + kEnd.size() - 1;
    const std::string file = name.substr(0, length), modifiers = name.substr(length);
    const Result<std::string> text = readTextFile(file, ColourRamp::kLargestFile);
    if (!text) return text.error();
    const std::string_view content = withoutByteOrderMark(*text);
    Result<ColourRamp> ramp = trimmed(content).starts_with('<') ? parseQml(content, file) : parseCpt(content, file);
    if (ramp && !modifiers.empty())
        if (Status s = modify(*ramp, modifiers, name); !s) return s.error();
    return ramp;
}

}  // namespace orogen
