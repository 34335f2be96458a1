#include "core/script.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/planet/ellipsoid.h"
#include "core/settings.h"

namespace orogen {
namespace {

// clang-format off
constexpr ScriptStepInfo kSteps[] = {
    {"set KEY VALUE", "Changes a setting; lod.split_pixels moves lod.merge_pixels along."},
    {"click ITEM", "Presses and releases the left button on a control, called PANEL/NAME."},
    {"key NAME", "Presses and releases a key: F1 to F12, a letter or digit, Tab, Home, End, Enter, Escape, Space, Backspace, Delete, PageUp, PageDown, Left, Right, Up, Down; WheelUp and WheelDown; Shift, Ctrl, Alt, alone or before another key, as in Ctrl+Q."},
    {"drag ITEM DX DY", "Drags a control by so many pixels to the right and down."},
    {"open FILE", "Opens another elevation model, or earth; lays a picture, colours by height, or tracks over the one that is open."},
    {"goto LAT LON HEIGHT", "Goes to a place, in degrees and metres above the sea: north up, straight down from 100 km on, else 20 degrees below the horizon."},
    {"goto NAME", "Goes to a country, sea, city or peak of the shipped list."},
    {"bookmark set N", "Keeps the view of the Earth as bookmark N, 1 to 3."},
    {"bookmark go N", "Goes to bookmark N."},
    {"wait N", "Lets N frames pass."},
    {"wait settled", "Waits until the triangulation has converged, no tile is missing or fading in and no work is pending; fails after 60 seconds."},
    {"screenshot FILE", "Writes the picture of the frame drawn last, as PNG."},
    {"capture DIR FRAMES", "Captures a frame-time report into a folder: along the path that is loaded, else the overview; on the Earth at the view."},
    {"mark NAME", "Names the section of the captures that follow, where their path names none."},
    {"run MODULE key=value ...", "Begins a run of a compute module; the keys are its command's long options, operation (not of cg), and its operands: a and b, or x and y."},
    {"model run N", "Requests N steps of the terrain model, 1 to 1,000,000; wait settled waits for them."},
    {"model play", "Lets the terrain age until model pause, as model.play does."},
    {"model pause", "Ends play, and drops requested steps."},
    {"model undo", "Takes the newest run or play back."},
    {"model reset", "Returns to the heights of the opened terrain."},
    {"model window [X Y SIZE]", "Chooses the part of a terrain in tiles that changes from now on: what the camera looks at, or a square of SIZE metres around a place in metres from the terrain's centre."},
    {"model save FILE", "Writes the heights as a GeoTIFF, in place of an older one."},
    {"brush KIND X Y RADIUS AMOUNT", "Changes the ground around a point (metres east and north of the terrain's centre): raise, lower, smooth, flatten, noise or fault, by AMOUNT metres, or a share from 0 to 1 for smooth and flatten."},
    {"undo", "Takes the newest stroke of a brush back."},
    {"redo", "Does it again."},
    {"expect KEY OP VALUE", "Ends the script with exit code 10 unless it holds; OP is ==, !=, <, <=, > or >=."},
    {"quit", "Ends the program."},
};

constexpr ExpectKeyInfo kExpectKeys[] = {
    {"frame", "The number of the frame, from 0."},
    {"leaves", "Leaves of the tree."},
    {"triangles", "Triangles that were drawn."},
    {"splits", "Leaves that were split in the last frame."},
    {"merges", "Pairs of leaves that became one in the last frame."},
    {"overflow", "Splits that were refused at capacity in the last frame."},
    {"scale_in_effect", "Size of the picture drawn last, in percent of the window's; a frame time lowers it below render.scale."},
    {"pending", "What will still change in the picture: tiles, fades, splits and merges, rows of light; 0 when settled."},
    {"rounds", "Rounds since the last set or open, until the tree converged."},
    {"fps", "Frames a second, of the last interval."},
    {"gl_errors", "Errors that OpenGL has reported so far."},
    {"conforming", "Whether the mesh drawn last is without crack, hole and overlap; validated when asked."},
    {"cracks", "Faults of the mesh drawn last; validated when asked."},
    {"error_max_px", "Largest distance of the picture drawn last from the elevation model, in pixels; measured when asked."},
    {"error_p99_px", "The 99th percentile of that distance, in pixels; measured when asked."},
    {"error_brute_px", "The largest distance again, by the CPU: a ray for each pixel against all drawn triangles; when asked."},
    {"jump_max_px", "Largest jump of the ground between two frames, in pixels, since it was last asked for."},
    {"pick_height", "Height of the ground where the mouse last was over the picture, in metres, not exaggerated."},
    {"pick_slope", "Its slope there, in degrees."},
    {"pick_distance", "Metres from the camera to that point."},
    {"pick_leaf", "The heap index of the leaf of the tree over it."},
    {"pick_depth", "That leaf's depth."},
    {"pick_error_px", "Its value of the criterion error, in pixels."},
    {"pick_edge_px", "Its value of the criterion edge: the longest edge of a drawn triangle, in pixels."},
    {"measure_points", "Points of the measured line."},
    {"measure_distance", "Its length across, in metres."},
    {"measure_ground", "Its length along the ground, in metres."},
    {"measure_rise", "The height of its end above that of its beginning, in metres."},
    {"measure_slope", "The angle of that, in degrees."},
    {"ground", "Height of the ground under the camera, in metres, by the finest samples: resident or not, not exaggerated, without procedural detail."},
    {"latitude", "Latitude of the camera, in degrees, where the terrain has a georeference."},
    {"longitude", "Longitude of the camera, in degrees from -180 to 180, where the terrain has a georeference."},
    {"height", "Height of the camera above the sea, in metres."},
    {"insets", "Elevation models that lie in the Earth."},
    {"tiles_resident", "Tiles on the GPU, where the terrain is in tiles; 0 where it is one image."},
    {"tiles_wanted", "Tiles that the present view wants."},
    {"tiles_missing", "Wanted tiles that are not resident: a coarser one is drawn."},
    {"tiles_loading", "Tiles that are being read."},
    {"tile_bytes_read", "Bytes that were read for tiles, since the terrain was opened."},
    {"model.years", "Years by which the terrain model has aged the terrain."},
    {"model.moved_m3", "Volume that the terrain model has moved, in cubic metres; without strokes of brushes."},
    {"model.imbalance", "What its volumes miss of their balance, relative to the volume moved."},
    {"model.residual", "Relative residual of the creep in its newest step."},
    {"model.change_px", "How far its newest step can have moved the ground in the picture, in pixels."},
    {"nodata_count", "Samples without data."},
    {"message", "The newest message."},
    {"laboratory.state", "idle, running, done, failed or cancelled."},
    {"module.NAME.state", "State of a compute module (multiword, signed-digit, cg, matrix or exact), as laboratory.state."},
    {"module.NAME.result", "The main value of its last result, as JSON."},
};
// clang-format on

std::string_view nameOf(const ScriptStepInfo& step) { return step.syntax.substr(0, step.syntax.find(' ')); }

}  // namespace

std::span<const ScriptStepInfo> scriptSteps() { return kSteps; }
std::span<const ExpectKeyInfo> expectKeys() { return kExpectKeys; }

std::string scriptStepNames()
{
    std::string names;
    std::string_view before;
    for (const ScriptStepInfo& step : kSteps)
    {
        const std::string_view name = nameOf(step);
        if (name == before) continue;
        if (!names.empty()) names += &step == std::end(kSteps) - 1 ? " or " : ", ";
        names += name;
        before = name;
    }
    return names;
}

std::string scriptHelp()
{
    constexpr std::size_t width =
        std::ranges::max(kSteps, {}, [](const auto& s) { return s.syntax.size(); }).syntax.size();
    std::string text = "A script has one step a line.  What follows a '#' at the start of a word is a comment; quotes\n"
                       "around the last argument keep blanks and '#'.\n\nSteps\n";
    for (const ScriptStepInfo& step : kSteps)
        text += fmt::format("  {:<{}}  {}\n", step.syntax, width, step.text);
    text += "\nKeys for expect: every setting (orogen settings), and\n";
    for (const ExpectKeyInfo& key : kExpectKeys)
        text += fmt::format("  {:<{}}  {}\n", key.key, width, key.text);
    return text + "\nItems for click and drag: orogen view --list-items\n";
}

namespace {

constexpr std::uint64_t kLargestScript = 1 << 20;  // bytes
constexpr int kMostFrames = 1'000'000'000;
constexpr int kMostCaptureFrames = 10'000'000;
constexpr double kFurthestDrag = 100'000;  // pixels
constexpr std::uint64_t kMostModelSteps = 1'000'000;
constexpr double kFarthestPlace = 1e8, kMostAmount = 10'000;  // metres
constexpr std::array<std::string_view, 6> kBrushKinds = {"raise", "lower", "smooth", "flatten", "noise", "fault"};
constexpr std::array<std::string_view, 6> kOperators = {"==", "!=", "<", "<=", ">", ">="};

// Returns the line up to a '#' that starts a word outside quotes.
std::string_view withoutComment(std::string_view line)
{
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        const bool startsWord = i == 0 || kBlanks.find(line[i - 1]) != kBlanks.npos;
        quoted ^= line[i] == '"';
        if (line[i] == '#' && startsWord && !quoted)
        {
            return line.substr(0, i);
        }
    }
    return line;
}

std::string unquoted(std::string_view text)
{
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

using Action = decltype(ScriptStep::action);

Error malformed(std::string_view found, std::string_view expected)
{
    return {ExitCode::kInput, fmt::format("found '{}', expected {}", printableStart(found), expected)};
}

Result<Action> parseSet(std::string_view rest)
{
    const std::string_view key = takeWord(rest);
    if (key.empty() || rest.empty())
    {
        return malformed(fmt::format("set {}", key), "set KEY VALUE");
    }
    const std::string value = unquoted(rest);
    Settings plane, earth = defaultSettings(World::kEarth);  // allowed in either world: the target is not known yet
    const SettingChange change{std::string(key), value};
    const Status status = setSettings(plane, {&change, 1}), elsewhere = setSettings(earth, {&change, 1});
    return status || elsewhere ? Result<Action>(step::Set{std::string(key), value}) : Result<Action>(status.error());
}

Result<Action> parseGoTo(std::string_view rest)
{
    std::array<double, 3> place{};
    const std::string_view whole = rest;
    if (!rest.empty() && !isCoordinates(rest)) return Action(step::GoTo{{}, unquoted(rest)});
    for (double& number : place)
    {
        const auto read = numberIn<double>(takeWord(rest));
        if (!read)
            return malformed(fmt::format("goto {}", whole), "goto LAT LON HEIGHT, in degrees and metres, or goto NAME");
        number = *read;
    }
    if (!rest.empty())
        return malformed(fmt::format("goto {}", whole), "goto LAT LON HEIGHT, in degrees and metres, or goto NAME");
    const step::GoTo to{{place[0], place[1], place[2]}};
    const Status status = checkPlace(to.place);
    return status ? Result<Action>(to) : Result<Action>(status.error());
}

Result<Action> parseBookmark(std::string_view rest)
{
    const std::string_view verb = takeWord(rest);
    const auto number = numberIn<int>(rest, 1, kBookmarks);
    if ((verb != "set" && verb != "go") || !number)
        return malformed(fmt::format("bookmark {} {}", verb, rest),
                         fmt::format("bookmark set N or bookmark go N, with N from 1 to {}", kBookmarks));
    return Action(step::Bookmark{*number, verb == "set"});
}

Result<Action> parseDrag(std::string_view rest)
{
    const std::string_view whole = rest, item = takeWord(rest);
    const auto dx = numberIn<double>(takeWord(rest), -kFurthestDrag, kFurthestDrag);
    const auto dy = numberIn<double>(takeWord(rest), -kFurthestDrag, kFurthestDrag);
    if (item.empty() || !dx || !dy || !rest.empty())
    {
        return malformed(fmt::format("drag {}", whole), "drag ITEM DX DY, in pixels");
    }
    return Action(step::Drag{std::string(item), *dx, *dy});
}

Result<Action> parseWait(std::string_view rest)
{
    if (rest == "settled")
    {
        return Action(step::WaitSettled{});
    }
    const auto frames = numberIn<int>(rest, 1, kMostFrames);
    return frames
               ? Result<Action>(step::WaitFrames{*frames})
               : Result<Action>(malformed(fmt::format("wait {}", rest), "wait N, in frames from 1, or wait settled"));
}

// The last word is the number of frames; the folder before it may hold blanks.
Result<Action> parseCapture(std::string_view rest)
{
    const auto blank = rest.find_last_of(kBlanks);
    const std::string_view last = blank == rest.npos ? std::string_view() : rest.substr(blank + 1);
    const std::string folder = unquoted(trimmed(rest.substr(0, rest.size() - last.size())));
    const auto frames = numberIn<int>(last, 1, kMostCaptureFrames);
    if (folder.empty() || !frames)
    {
        return malformed(fmt::format("capture {}", rest),
                         fmt::format("capture DIR FRAMES, with 1 to {} frames", kMostCaptureFrames));
    }
    return Action(step::Capture{folder, *frames});
}

// A key without a value is a flag that is set.
Result<Action> parseRun(std::string_view rest)
{
    step::Run run{std::string(takeWord(rest)), {}};
    if (run.module.empty()) return malformed("run", "run MODULE key=value ...");
    while (!rest.empty())
    {
        const std::string_view word = takeWord(rest);
        const auto equals = word.find('=');
        if (equals == 0) return malformed(word, "key=value");
        const std::string_view value = equals == word.npos ? "true" : word.substr(equals + 1);
        run.assignments.emplace_back(word.substr(0, equals), unquoted(value));
    }
    return Action(std::move(run));
}

Result<Action> parseExpect(std::string_view rest)
{
    const std::string_view whole = rest, key = takeWord(rest), name = takeWord(rest);
    const auto relation = std::ranges::find(kOperators, name);
    if (key.empty() || relation == kOperators.end() || rest.empty())
    {
        return malformed(fmt::format("expect {}", whole),
                         fmt::format("expect KEY OP VALUE, with OP one of {}", fmt::join(kOperators, " ")));
    }
    return Action(step::Expect{std::string(key), Relation(relation - kOperators.begin()), unquoted(rest)});
}

// Parses a step with one argument: a word, or with `toEnd` the rest of the line.
template <class Step>
Result<Action> parseOne(std::string_view name, std::string_view argument, std::string_view rest, bool toEnd)
{
    const bool blank = rest.find_first_of(kBlanks) != rest.npos;
    const std::string value = toEnd ? unquoted(rest) : std::string(rest);
    if (value.empty() || (blank && !toEnd))
    {
        return malformed(fmt::format("{} {}", name, rest), fmt::format("{} {}", name, argument));
    }
    return Action(Step{value});
}

Result<Action> parseMark(std::string_view rest)
{
    const std::string name = unquoted(rest);
    if (name.empty() || name.size() > kLongestSection)
        return malformed(fmt::format("mark {}", rest), fmt::format("mark NAME, of 1 to {} bytes", kLongestSection));
    return Action(step::Mark{name});
}

Result<Action> parseModel(std::string_view rest)
{
    const std::string_view whole = rest, verb = takeWord(rest);
    const Error wrong = malformed(fmt::format("model {}", whole), "model run N with 1 to 1000000 steps, play, pause, "
                                                                  "undo, reset, window [X Y SIZE], or save FILE");
    step::Model step{std::string(verb)};
    if (verb == "run")
    {
        const auto steps = numberIn<std::uint64_t>(rest, 1, kMostModelSteps);
        if (!steps) return wrong;
        step.steps = *steps;
    }
    else if (verb == "window" && !rest.empty())
    {
        const auto x = numberIn<double>(takeWord(rest), -kFarthestPlace, kFarthestPlace);
        const auto y = numberIn<double>(takeWord(rest), -kFarthestPlace, kFarthestPlace);
        const auto side = numberIn<double>(takeWord(rest), 1e-3, kFarthestPlace);
        if (!x || !y || !side || !rest.empty()) return wrong;
        step.window = {*x, *y, *side};
    }
    else if (verb == "save")
    {
        step.file = unquoted(rest);
        if (step.file.empty()) return wrong;
    }
    else if ((verb != "window" && verb != "play" && verb != "pause" && verb != "undo" && verb != "reset") ||
             !rest.empty())
        return wrong;
    return Action(std::move(step));
}

Result<Action> parseBrush(std::string_view rest)
{
    const std::string_view whole = rest, kind = takeWord(rest);
    const bool known = std::ranges::find(kBrushKinds, kind) != kBrushKinds.end();
    const bool share = kind == "smooth" || kind == "flatten";
    const auto number = [&](double low, double high) { return numberIn<double>(takeWord(rest), low, high); };
    const auto x = number(-kFarthestPlace, kFarthestPlace), y = number(-kFarthestPlace, kFarthestPlace);
    const auto radius = number(1e-3, kFarthestPlace);
    const auto amount = number(share ? 0 : -kMostAmount, share ? 1 : kMostAmount);
    if (!known || !x || !y || !radius || !amount || !rest.empty())
        return malformed(fmt::format("brush {}", whole),
                         fmt::format("brush KIND X Y RADIUS AMOUNT, with KIND one of {}, X and Y in metres, a RADIUS "
                                     "above 0, and an AMOUNT from -10000 to 10000 m (smooth, flatten: 0 to 1)",
                                     fmt::join(kBrushKinds, ", ")));
    return Action(step::Brush{std::string(kind), *x, *y, *radius, *amount});
}

Result<Action> parseStep(std::string_view line)
{
    std::string_view rest = line;
    const std::string_view name = takeWord(rest);
    if (name == "set") return parseSet(rest);
    if (name == "drag") return parseDrag(rest);
    if (name == "goto") return parseGoTo(rest);
    if (name == "bookmark") return parseBookmark(rest);
    if (name == "wait") return parseWait(rest);
    if (name == "expect") return parseExpect(rest);
    if (name == "capture") return parseCapture(rest);
    if (name == "run") return parseRun(rest);
    if (name == "model") return parseModel(rest);
    if (name == "brush") return parseBrush(rest);
    if ((name == "undo" || name == "redo") && rest.empty()) return Action(step::Undo{name == "redo"});
    if (name == "undo" || name == "redo") return malformed(line, name);
    if (name == "click") return parseOne<step::Click>(name, "ITEM", rest, false);
    if (name == "key") return parseOne<step::Key>(name, "NAME", rest, false);
    if (name == "open") return parseOne<step::Open>(name, "FILE", rest, true);
    if (name == "mark") return parseMark(rest);
    if (name == "screenshot") return parseOne<step::Screenshot>(name, "FILE", rest, true);
    if (name != "quit")
    {
        return Error{ExitCode::kUsage,
                     fmt::format("unknown step '{}': expected {}", printableStart(name), scriptStepNames())};
    }
    return rest.empty() ? Result<Action>(step::Quit{}) : Result<Action>(malformed(line, "quit"));
}

// ---- comparing ----

// Decimal number of any length: sign · 0.digits · 10^exponent; no zeros at either end of the digits.  The number 0 has
// no digits.
struct Decimal
{
    int sign = 0;
    std::int64_t exponent = 0;
    std::string digits;
};

std::optional<Decimal> decimalIn(std::string_view text)
{
    Decimal decimal;
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative || text.starts_with('+') ? 1 : 0);
    const auto e = text.find_first_of("eE");
    if (e != text.npos)
    {
        std::string_view power = text.substr(e + 1);
        power.remove_prefix(power.starts_with('+') && !power.starts_with("+-") ? 1 : 0);
        const auto value = numberIn<std::int64_t>(power, -1e15, 1e15);
        if (!value)
        {
            return std::nullopt;
        }
        decimal.exponent = *value;
    }
    const std::string_view mantissa = text.substr(0, e);
    const auto point = std::min(mantissa.find('.'), mantissa.size());
    decimal.exponent += std::int64_t(point);
    decimal.digits = std::string(mantissa.substr(0, point));
    decimal.digits += mantissa.substr(std::min(point + 1, mantissa.size()));
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (decimal.digits.empty() || !std::ranges::all_of(decimal.digits, isDigit))
    {
        return std::nullopt;
    }
    const auto first = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
    decimal.exponent -= std::int64_t(first);
    decimal.digits.erase(0, first);
    decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
    decimal.sign = decimal.digits.empty() ? 0 : negative ? -1 : 1;
    decimal.exponent = decimal.digits.empty() ? 0 : decimal.exponent;
    return decimal;
}

std::strong_ordering order(const Decimal& a, const Decimal& b)
{
    if (a.sign != b.sign)
    {
        return a.sign <=> b.sign;
    }
    const auto magnitude = a.exponent != b.exponent ? a.exponent <=> b.exponent : a.digits.compare(b.digits) <=> 0;
    return a.sign < 0 ? 0 <=> magnitude : magnitude;
}

std::optional<std::vector<Decimal>> listIn(std::string_view text)
{
    if (text.starts_with('[') && text.ends_with(']'))
    {
        text = text.substr(1, text.size() - 2);
    }
    std::vector<Decimal> list;
    for (bool more = true; more;)
    {
        const auto comma = text.find(',');
        const auto element = decimalIn(trimmed(text.substr(0, comma)));
        if (!element)
        {
            return std::nullopt;
        }
        list.push_back(*element);
        more = comma != text.npos;
        text = more ? text.substr(comma + 1) : text;
    }
    return list;
}

bool equal(std::string_view found, std::string_view expected)
{
    const auto a = listIn(found), b = listIn(expected);
    if (a && b)
    {
        return std::ranges::equal(*a, *b, [](const Decimal& x, const Decimal& y) { return std::is_eq(order(x, y)); });
    }
    const auto plain = [](std::string_view text) { return text == "on" ? "true" : text == "off" ? "false" : text; };
    return plain(found) == plain(expected);
}

}  // namespace

std::string_view textOf(Relation relation) { return kOperators[std::size_t(relation)]; }

Result<Script> parseScript(std::string_view text, const std::string& file)
{
    Script script{file, {}};
    int number = 0;
    while (!text.empty())
    {
        ++number;
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(withoutComment(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty())
        {
            continue;
        }
        const Result<Action> action = parseStep(line);
        if (!action)
        {
            return Error{action.error().code, fmt::format("{}:{}: {}", file, number, action.error().message)};
        }
        script.steps.push_back({number, *action});
    }
    return script;
}

Result<Script> readScript(const std::string& file)
{
    const Result<std::string> text = readTextFile(file, kLargestScript);
    if (!text) return text.error();
    return parseScript(*text, file);
}

Result<bool> compare(std::string_view found, Relation relation, std::string_view expected)
{
    found = trimmed(found);
    expected = trimmed(expected);
    if (relation == Relation::kEqual || relation == Relation::kNotEqual)
    {
        return equal(found, expected) == (relation == Relation::kEqual);
    }
    const auto a = decimalIn(found), b = decimalIn(expected);
    if (!a || !b)
    {
        return Error{ExitCode::kUsage, fmt::format("{} orders numbers: found '{}' and '{}'", textOf(relation),
                                                   printableStart(found), printableStart(expected))};
    }
    const auto ordered = order(*a, *b);
    switch (relation)
    {
    case Relation::kLess:
        return std::is_lt(ordered);
    case Relation::kLessOrEqual:
        return std::is_lteq(ordered);
    case Relation::kGreater:
        return std::is_gt(ordered);
    default:
        return std::is_gteq(ordered);
    }
}

}  // namespace orogen
