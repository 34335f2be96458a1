#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/bench/tree/gpu_experiments.h"
#include "app/bench/tree/tree_experiments.h"
#include "app/cli/bench.h"
#include "app/gl/context.h"

namespace orogen::app {
namespace {

using Json = nlohmann::ordered_json;
using lab::Row;

struct BenchOptions
{
    bool quick = false, fullGpu = false, json = false;
};

// What a section measures with.
struct Conditions
{
    bool quick = false;
    int threads = 2;  // of the rows with more than one
    lab::TurnsOptions turns = {};

    lab::TreeParameters at(int depth, lab::Fill fill = lab::Fill::kFull) const
    {
        lab::TreeParameters parameters{.depth = depth, .fill = fill, .turns = turns};
        if (depth > 26) parameters.turns.mostRounds = std::min(turns.mostRounds, 15);  // preparing takes far longer
        return parameters;
    }
    int depth() const { return quick ? 18 : 24; }
};

using Rows = std::vector<Row>;

Rows joined(Rows rows, Rows more)
{
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    return rows;
}

Rows reductions(const Conditions& conditions)
{
    using lab::Reduction;
    return measureReductions(conditions.at(conditions.depth()),
                             {{.reduction = Reduction::kWide},
                              {.reduction = Reduction::kOnePass},
                              {.reduction = Reduction::kPublished},
                              {.reduction = Reduction::kPackedWords},
                              {.reduction = Reduction::kPackedCounts},
                              {.reduction = Reduction::kPackedCounts, .threads = conditions.threads}});
}

Rows instructionSets(const Conditions& conditions)
{
    std::vector<lab::ReductionVariant> variants;
    for (const WordKernels* kernels : availableWordKernels())
        variants.push_back({.kernels = kernels});
    return measureReductions(conditions.at(conditions.depth()), variants);
}

Rows threads(const Conditions& conditions)
{
    Rows rows;
    for (const int depth : conditions.quick ? std::vector{18, 20} : std::vector{24, 28})
        rows = joined(std::move(rows), measureReductions(conditions.at(depth), {{.threads = conditions.threads}, {}}));
    return rows;
}

Rows decodes(const Conditions& conditions)
{
    using lab::Decode;
    Rows rows;
    for (const lab::Fill fill : {lab::Fill::kFull, lab::Fill::kRandom})
        rows = joined(std::move(rows), measureDecodes(conditions.at(conditions.depth(), fill),
                                                      {{.decode = Decode::kScan},
                                                       {.decode = Decode::kScan, .threads = conditions.threads},
                                                       {.decode = Decode::kDescend},
                                                       {.decode = Decode::kPackedDescend},
                                                       {.decode = Decode::kPackedScan}}));
    return rows;
}

Rows changes(const Conditions& conditions)
{
    Rows rows;
    for (const int depth : conditions.quick ? std::vector{16, 18, 20} : std::vector{20, 22, 24, 26, 28})
        rows = joined(std::move(rows), measureChanges(conditions.at(depth), conditions.quick ? 400 : 4000,
                                                      {{.way = ReductionWay::kChosen},
                                                       {.way = ReductionWay::kPaths},
                                                       {.way = ReductionWay::kFull},
                                                       {.way = ReductionWay::kChosen, .threads = conditions.threads}}));
    return rows;
}

Rows updates(const Conditions& conditions)
{
    using lab::UpdateWay;
    return measureUpdates(conditions.at(conditions.quick ? 14 : 20),
                          {{.way = UpdateWay::kIncremental},
                           {.way = UpdateWay::kRound},
                           {.way = UpdateWay::kAlternating},
                           {.way = UpdateWay::kIncremental, .threads = conditions.threads},
                           {.way = UpdateWay::kAlternating, .threads = conditions.threads}});
}

struct Section
{
    const char* name;
    const char* title;
    Rows (*measure)(const Conditions&);
};
constexpr Section kSections[] = {
    {"reduction", "Reduction of every count", reductions},
    {"instruction-sets", "The same by instruction set", instructionSets},
    {"threads", "The same by threads", threads},
    {"decode", "Decoding every leaf", decodes},
    {"changes", "Reduction after scattered changes", changes},
    {"update", "Frames until the tree has settled after a move", updates},
};

// ---- the GPU ----

struct GpuSection
{
    Section section;  // without measure
    Result<Rows> (*measure)(GpuLab& lab, const GpuTurns& turns);
    std::vector<int> depths, quickDepths;  // those of which the packed tree fits into a storage block
};
const GpuSection kGpuSections[] = {
    {{"gpu-reduction", "On the GPU: reduction of every count", nullptr}, measureGpuReductions, {24, 29}, {16}},
    {{"gpu-decode", "On the GPU: decoding every leaf", nullptr}, measureGpuDecodes, {22}, {14}},
    {{"gpu-cycle", "On the GPU: a use of the tree", nullptr}, measureGpuCycles, {17}, {12}},
};

// The context is there as long as the trees in it.
struct BenchGpu
{
    std::unique_ptr<Context> context;
    std::unique_ptr<GpuLab> lab;
    std::string name;  // of the renderer; or why there is none
};

BenchGpu openGpu()
{
    BenchGpu gpu;
    Result<std::unique_ptr<Context>> context = Context::create({.headless = true});
    if (!context)
    {
        gpu.name = "none: " + context.error().message;
        return gpu;
    }
    Result<std::unique_ptr<GpuLab>> lab = GpuLab::create(**context);
    gpu.name = lab ? (*context)->info().renderer : "none: " + lab.error().message;
    if (!lab) return gpu;
    gpu.context = std::move(*context);
    gpu.lab = std::move(*lab);
    return gpu;
}

// ---- decode and update in one pass: what its order does ----

struct OrderRow
{
    const char* name;
    lab::OneFrame kind;
    lab::FusedLayout layout;
    bool sound;  // an order that shows would be our error
    lab::OrderDependence found = {};

    bool equal() const { return found.differing == 0 && found.faulty == 0; }
};

std::vector<OrderRow> orderRows()
{
    using lab::FusedLayout;
    using lab::OneFrame;
    return {{"mark, plan, apply", OneFrame::kRound, FusedLayout::kWide, true},
            {"peers: whole chains, then merges", OneFrame::kAlternating, FusedLayout::kWide, true},
            {"paper: fused, leaf by leaf", OneFrame::kFusedPlain, FusedLayout::kPacked, false},
            {"paper: fused, leaf by leaf", OneFrame::kFusedPlain, FusedLayout::kWide, false},
            {"paper: fused, conforming", OneFrame::kFusedConforming, FusedLayout::kPacked, false},
            {"paper: fused, conforming", OneFrame::kFusedConforming, FusedLayout::kWide, false}};
}

const char* nameOf(lab::FusedLayout layout) { return layout == lab::FusedLayout::kWide ? "wide" : "packed"; }

// ---- the whole ----

struct TreeBench
{
    double load = 0;  // before
    int threads = 1;
    std::vector<std::pair<const Section*, Rows>> sections = {};
    std::string gpu = {};  // its renderer; or why there is none
    std::vector<OrderRow> orders = {};
    double ms = 0;
    bool stopped = false;

    bool equal() const
    {
        const auto holds = [](const Row& row) { return row.timing.equal; };
        return std::ranges::all_of(sections,
                                   [&](const auto& part) { return std::ranges::all_of(part.second, holds); }) &&
               std::ranges::all_of(orders, [](const OrderRow& row) { return !row.sound || row.equal(); });
    }
};

double loadAverage()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

Result<TreeBench> measure(bool quick, bool fullGpu, ProgressLine& line)
{
    TreeBench bench{.load = loadAverage(), .threads = int(std::clamp(std::thread::hardware_concurrency(), 2u, 16u))};
    const auto start = std::chrono::steady_clock::now();
    Conditions conditions{.quick = quick, .threads = bench.threads};
    conditions.turns.mostRounds = quick ? 9 : 101;
    conditions.turns.seconds = quick ? 0.1 : 1;
    const double parts = double(std::size(kSections) + std::size(kGpuSections)) + 1;
    const auto goOn = [&](const char* next) { return line.show(double(bench.sections.size()) / parts, next); };
    for (const Section& section : kSections)
    {
        conditions.turns.goOn = [&] { return goOn(section.name); };
        Rows rows = section.measure(conditions);
        bench.stopped = rows.empty() || !goOn(section.name);
        if (bench.stopped) return bench;
        bench.sections.emplace_back(&section, std::move(rows));
    }
    const BenchGpu gpu = openGpu();
    bench.gpu = gpu.name;
    for (const GpuSection& part : kGpuSections)
    {
        Rows rows;
        for (const int depth : fullGpu ? part.depths : part.quickDepths)
        {
            if (!gpu.lab || GpuTree::bytes(GpuTree::Layout::kPacked, depth) > gpu.lab->storageBytes()) continue;
            Result<Rows> more =
                part.measure(*gpu.lab, {.depth = depth, .goOn = [&] { return goOn(part.section.name); }});
            if (!more) return more.error();
            bench.stopped = more->empty();
            if (bench.stopped) return bench;
            rows = joined(std::move(rows), std::move(*more));
        }
        if (!rows.empty()) bench.sections.emplace_back(&part.section, std::move(rows));
    }
    for (OrderRow& row : bench.orders = orderRows())
    {
        bench.stopped = !goOn("order");
        if (bench.stopped) return bench;
        row.found = countOrderDependence(row.kind, row.layout, quick ? 12 : 14, quick ? 12 : 40, quick ? 4 : 8, 1);
    }
    bench.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return bench;
}

Json rowJson(const Section& section, const Row& row)
{
    return {{"section", section.name},
            {"variant", row.variant},
            {"layout", row.layout},
            {"instruction_set", row.instructionSet},
            {"threads", row.threads},
            {"depth", row.depth},
            {"fill", row.fill},
            {"amount", row.amount},
            {"time_ms", {{"minimum", row.timing.minimumMs}, {"median", row.timing.medianMs}}},
            {"ratio", row.ratio},
            {"ratio_median", row.medianRatio},
            {"spread", row.timing.spread()},
            {"rounds", row.timing.rounds},
            {"check", row.timing.checked ? Json(row.timing.equal) : Json(nullptr)}};
}

Json benchJson(const TreeBench& bench)
{
    Json json = {{"algorithm", "cbt"},
                 {"backend", "cpu"},
                 {"baseline", "the first row of each section, depth and fill"},
                 {"instruction_set", bestWordKernels().name},
                 {"threads", bench.threads},
                 {"gpu", bench.gpu},
                 {"load_before", bench.load},
                 {"rows", Json::array()},
                 {"order", Json::array()},
                 {"time_ms", {{"total", bench.ms}}}};
    for (const auto& [section, rows] : bench.sections)
        for (const Row& row : rows)
            json["rows"].push_back(rowJson(*section, row));
    for (const OrderRow& row : bench.orders)
        json["order"].push_back({{"variant", row.name},
                                 {"layout", nameOf(row.layout)},
                                 {"frames", row.found.frames},
                                 {"orders", row.found.schedules},
                                 {"differing", row.found.differing},
                                 {"faulty", row.found.faulty},
                                 {"check", row.sound ? Json(row.equal()) : Json(nullptr)}});
    return json;
}

std::string rowsText(const Section& section, const Rows& rows)
{
    std::string text = fmt::format("\n{}\n", section.title);
    text += fmt::format("  {:<36} {:<6} {:<8} {:>7} {:>5} {:<6} {:>9} {:>12} {:>12} {:>7} {:>9} {:>9}  {}\n", "",
                        "layout", "set", "threads", "depth", "fill", "amount", "minimum ms", "median ms", "spread",
                        "ratio", "of medians", "check");
    for (const Row& row : rows)
        text += fmt::format(
            "  {:<36} {:<6} {:<8} {:>7} {:>5} {:<6} {:>9} {:>12.4f} {:>12.4f} {:>6.0f}% {:>9.2f} {:>9.2f}  {}\n",
            row.variant, row.layout, row.instructionSet, row.threads > 0 ? std::to_string(row.threads) : "-", row.depth,
            row.fill, row.amount, row.timing.minimumMs, row.timing.medianMs, 100 * row.timing.spread(), row.ratio,
            row.medianRatio,
            !row.timing.checked ? "-"
            : row.timing.equal  ? "equal"
                                : "DIFFERENT");
    return text;
}

std::string ordersText(const std::vector<OrderRow>& rows)
{
    std::string text = fmt::format(
        "\nA frame from the same tree in several orders of its leaves, on one thread: after how many frames do the "
        "leaves differ,\nor does the mesh not conform?\n  {:<36} {:<6} {:>7} {:>7} {:>9} {:>7}  {}\n",
        "", "layout", "frames", "orders", "differing", "faulty", "check");
    for (const OrderRow& row : rows)
        text += fmt::format("  {:<36} {:<6} {:>7} {:>7} {:>9} {:>7}  {}\n", row.name, nameOf(row.layout),
                            row.found.frames, row.found.schedules, row.found.differing, row.found.faulty,
                            !row.sound    ? "-"
                            : row.equal() ? "equal"
                                          : "DIFFERENT");
    return text;
}

std::string benchText(const TreeBench& bench)
{
    std::string text =
        fmt::format("Minimum and median of turns A B A B; ratio: time over that of the first row of its section, depth "
                    "and fill; spread:\nmedian above minimum. Checks: after each section, outside its time. Amount: "
                    "leaves, changes or frames. The GPU's rows wait for it, by the CPU's clock.\n{}; GPU: {}; load "
                    "before: {:.2f}\n",
                    bestWordKernels().name, bench.gpu, bench.load);
    for (const auto& [section, rows] : bench.sections)
        text += rowsText(*section, rows);
    return text + ordersText(bench.orders);
}

Result<ExitCode> runBench(const BenchOptions& options)
{
    ProgressLine line;
    const Result<TreeBench> measured = measure(options.quick, options.fullGpu || !options.quick, line);
    line.clear();
    if (!measured) return measured.error();
    const TreeBench& bench = *measured;
    if (bench.stopped) return interruption().value_or(Error{ExitCode::kInterrupted, "interrupted"});
    print(options.json ? benchJson(bench).dump(2) + "\n" : benchText(bench));
    return bench.equal() ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void addTreeBench(CLI::App& bench, Command& chosen)
{
    CLI::App* command =
        bench.add_subcommand("cbt", "reduction, decode and update of the tree, against the paper's and libcbt's");
    const auto options = std::make_shared<BenchOptions>();
    command->add_flag("--quick", options->quick, "small trees, in a few seconds");
    command->add_flag("--full-gpu", options->fullGpu, "with --quick: the GPU's trees as large as without it");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runBench(*options); }; });
}

}  // namespace orogen::app
