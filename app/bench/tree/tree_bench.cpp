// Reduction, decode and update of the tree, on the CPU and by OpenGL, compared with the algorithms of paper 002 and
// libcbt.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/bench/harness/bench.h"
#include "app/bench/tree/experiment.h"
#include "app/bench/tree/gpu_tree.h"
#include "app/bench/tree/tree_experiments.h"
#include "app/gl/context.h"

namespace orogen::app::bench {
namespace {

using Rows = std::vector<TreeRow>;
using Measurement = std::function<Result<Rows>(const TrialOptions& trials)>;

struct Section
{
    const char *name, *title;
    std::vector<Measurement> measurements;  // ratios are to the first row of each
};

TreeParameters parametersFor(const TrialOptions& trials, int depth, Fill fill = Fill::kFull)
{
    TreeParameters parameters{.depth = depth, .fill = fill, .trials = trials};
    if (depth > 26) parameters.trials.mostRounds = std::min(trials.mostRounds, 15);  // preparation takes far longer
    return parameters;
}

// ---- the sections ----

int depthFor(const BenchOptions& options) { return options.quick ? 18 : 24; }

Section reductions(const BenchOptions& options)
{
    const auto measure = [depth = depthFor(options), threads = options.threads](const TrialOptions& trials) {
        return measureReductions(parametersFor(trials, depth),
                                 {{.reduction = Reduction::kWide},
                                  {.reduction = Reduction::kOnePass},
                                  {.reduction = Reduction::kPublished},
                                  {.reduction = Reduction::kPackedWords},
                                  {.reduction = Reduction::kPackedCounts},
                                  {.reduction = Reduction::kPackedCounts, .threads = threads}});
    };
    return {"reduction", "Reduction of every count", {measure}};
}

Section instructionSets(const BenchOptions& options)
{
    const auto measure = [depth = depthFor(options)](const TrialOptions& trials) {
        std::vector<ReductionVariant> variants;
        for (const WordKernels* kernels : availableWordKernels())
            variants.push_back({.kernels = kernels});
        return measureReductions(parametersFor(trials, depth), variants);
    };
    return {"instruction-sets", "The same by instruction set", {measure}};
}

Section threadCounts(const BenchOptions& options)
{
    Section section{"threads", "The same by threads", {}};
    for (const int depth : options.quick ? std::vector{18, 20} : std::vector{24, 28})
        section.measurements.push_back([depth, threads = options.threads](const TrialOptions& trials) {
            return measureReductions(parametersFor(trials, depth), {{.threads = threads}, {}});
        });
    return section;
}

Section decodes(const BenchOptions& options)
{
    Section section{"decode", "Decoding every leaf", {}};
    for (const Fill fill : {Fill::kFull, Fill::kRandom})
        section.measurements.push_back([=, depth = depthFor(options),
                                        threads = options.threads](const TrialOptions& trials) {
            return measureDecodes(parametersFor(trials, depth, fill), {{.decode = Decode::kScan},
                                                                       {.decode = Decode::kScan, .threads = threads},
                                                                       {.decode = Decode::kDescend},
                                                                       {.decode = Decode::kPackedDescend},
                                                                       {.decode = Decode::kPackedScan}});
        });
    return section;
}

Section changes(const BenchOptions& options)
{
    Section section{"changes", "Reduction after scattered changes", {}};
    for (const int depth : options.quick ? std::vector{16, 18, 20} : std::vector{20, 22, 24, 26, 28})
        section.measurements.push_back(
            [depth, changes = options.quick ? 400 : 4000, threads = options.threads](const TrialOptions& trials) {
                return measureChanges(parametersFor(trials, depth), std::size_t(changes),
                                      {{.way = ReductionWay::kChosen},
                                       {.way = ReductionWay::kPaths},
                                       {.way = ReductionWay::kFull},
                                       {.way = ReductionWay::kChosen, .threads = threads}});
            });
    return section;
}

Section updates(const BenchOptions& options)
{
    const auto measure = [depth = options.quick ? 14 : 20, threads = options.threads](const TrialOptions& trials) {
        return measureUpdates(parametersFor(trials, depth), {{.way = UpdateWay::kIncremental},
                                                             {.way = UpdateWay::kRound},
                                                             {.way = UpdateWay::kAlternating},
                                                             {.way = UpdateWay::kIncremental, .threads = threads},
                                                             {.way = UpdateWay::kAlternating, .threads = threads}});
    };
    return {"update", "Frames until the tree has settled after a move", {measure}};
}

// ---- the GPU: the renderer's passes over the tree and those of paper 002, in the same interleaved trials ----

struct GpuParameters
{
    int depth = 24;
    int rounds = 9;
    std::function<bool()> shouldStop = {};  // empty: never
};

using Layout = GpuTree::Layout;

struct GpuVariant
{
    const char* name;
    Layout layout;
    Contender (*contender)(const GpuTree&, Fill);
};

template <class Tree>
Result<GpuTree> upload(GpuLab& lab, Fill fill, int depth)
{
    return GpuTree::create(lab.library, lab.programs, lab.limits, uniformTree<Tree>(fill, depth));
}

Result<Rows> measureOnGpu(GpuLab& lab, const GpuParameters& parameters, const std::vector<GpuVariant>& variants)
{
    constexpr Fill kFill = Fill::kQuarter;
    std::vector<std::unique_ptr<GpuTree>> trees;
    std::vector<Contender> contenders;
    for (const GpuVariant& variant : variants)
    {
        Result<GpuTree> made = variant.layout == Layout::kWide ? upload<Cbt>(lab, kFill, parameters.depth)
                                                               : upload<PackedCbt>(lab, kFill, parameters.depth);
        if (!made) return made.error();
        trees.push_back(std::make_unique<GpuTree>(std::move(*made)));
        contenders.push_back(variant.contender(*trees.back(), kFill));
    }
    TrialOptions options = gpuTrialOptions(parameters.rounds);
    options.shouldStop = parameters.shouldStop;
    const Result<std::vector<Timing>> measured = timeInterleaved(std::move(contenders), options);
    if (!measured) return measured.error();
    Rows rows;
    const std::vector<Timing>& timings = *measured;
    for (std::size_t i = 0; i < variants.size(); ++i)
        rows.push_back({.variant = variants[i].name,
                        .layout = variants[i].layout == Layout::kWide ? "wide" : "packed",
                        .instructionSet = {},
                        .threads = 0,
                        .depth = parameters.depth,
                        .fill = nameOf(kFill),
                        .amount = 1u << (parameters.depth - 2),
                        .timing = timings[i],
                        .ratio = timings[i].minimumMs / timings[0].minimumMs,
                        .medianRatio = timings[i].medianMs / timings[0].medianMs});
    return rows;
}

// Return rows as in tree_experiments.h; the first is this program's own variant. Errors: kLimit (a tree does not fit),
// kInterrupted.
Result<Rows> measureGpuReductions(GpuLab& lab, const GpuParameters& parameters)
{
    return measureOnGpu(lab, parameters,
                        {{"GPU: in chunks, 2 dispatches", Layout::kWide, gpuReduction},
                         {"GPU: one pass over the bits", Layout::kWide, gpuPlainPass},
                         {"GPU, paper: level by level", Layout::kPacked, gpuReduction}});
}

Result<Rows> measureGpuDecodes(GpuLab& lab, const GpuParameters& parameters)
{
    return measureOnGpu(lab, parameters,
                        {{"GPU: descent to a word, select", Layout::kWide, gpuDecode},
                         {"GPU, paper: descent", Layout::kPacked, gpuDecode}});
}

// Measures one cycle of the tree (update, reduction, list of leaves), with changes and without.
Result<Rows> measureGpuCycles(GpuLab& lab, const GpuParameters& parameters)
{
    return measureOnGpu(lab, parameters,
                        {{"GPU: update, reduction, list", Layout::kWide, gpuCycle},
                         {"GPU, paper: fused update, reduction", Layout::kPacked, gpuCycle},
                         {"GPU: at rest, list", Layout::kWide, gpuCycleAtRest},
                         {"GPU, paper: at rest, decode", Layout::kPacked, gpuCycleAtRest}});
}

struct GpuSection
{
    const char *name, *title;
    Result<Rows> (*measure)(GpuLab& lab, const GpuParameters& parameters);
    std::vector<int> depths, quickDepths;  // a depth is skipped if its packed tree exceeds a storage block
};

// The context must outlive the programs and the trees.
struct BenchGpu
{
    std::unique_ptr<Context> context;
    std::unique_ptr<GpuLab> lab;
    std::string name;  // name of the renderer, or why there is none
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

// ---- rows of the report ----

Json jsonOf(const char* section, const TreeRow& row)
{
    return {{"section", section},
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

std::string threadsText(const Json& row)
{
    const int threads = row.at("threads").get<int>();
    return threads > 0 ? std::to_string(threads) : "-";
}

std::vector<Column> treeColumns()
{
    return {wordColumn("", "/variant"),
            wordColumn("layout", "/layout"),
            wordColumn("set", "/instruction_set"),
            {"threads", threadsText},
            integerColumn("depth", "/depth"),
            wordColumn("fill", "/fill"),
            integerColumn("amount", "/amount"),
            numberColumn("minimum ms", "/time_ms/minimum", 4),
            numberColumn("median ms", "/time_ms/median", 4),
            percentColumn("spread", "/spread"),
            numberColumn("ratio", "/ratio", 2),
            numberColumn("of medians", "/ratio_median", 2),
            checkColumn()};
}

Status addRows(BenchRun& run, std::size_t table, const char* section, const Result<Rows>& rows)
{
    if (!rows) return rows.error();
    for (const TreeRow& row : *rows)
        run.add(jsonOf(section, row), table);
    return Status::ok();
}

void addSection(Plan& plan, Section section, const TrialOptions& trials)
{
    plan.tables.push_back({.title = section.title, .columns = treeColumns()});
    for (Measurement& measure : section.measurements)
        plan.cases.push_back({section.name, 0,
                              [name = section.name, table = plan.tables.size() - 1, trials,
                               measure = std::move(measure)](BenchRun& run) {
                                  TrialOptions watched = trials;
                                  watched.shouldStop = [&run, name] { return run.shouldStop(name); };
                                  return addRows(run, table, name, measure(watched));
                              }});
}

void addGpuSections(Plan& plan, bool full)
{
    const GpuSection sections[] = {
        {"gpu-reduction", "On the GPU: reduction of every count", measureGpuReductions, {24, 29}, {16}},
        {"gpu-decode", "On the GPU: decoding every leaf", measureGpuDecodes, {22}, {14}},
        {"gpu-cycle", "On the GPU: a use of the tree", measureGpuCycles, {17}, {12}},
    };
    const auto gpu = std::make_shared<BenchGpu>();
    plan.cases.push_back({"gpu", 0, [gpu](BenchRun& run) {
                              *gpu = openGpu();
                              run.head()["gpu"] = gpu->name;
                              return Status::ok();
                          }});
    for (const GpuSection& section : sections)
    {
        plan.tables.push_back({.title = section.title, .columns = treeColumns()});
        for (const int depth : full ? section.depths : section.quickDepths)
            plan.cases.push_back(
                {section.name, 0,
                 [gpu, depth, name = section.name, measure = section.measure,
                  table = plan.tables.size() - 1](BenchRun& run) {
                     if (!gpu->lab || GpuTree::bytes(GpuTree::Layout::kPacked, depth) > gpu->lab->storageBytes())
                         return Status::ok();
                     const auto stops = [&run, name] { return run.shouldStop(name); };
                     return addRows(run, table, name, measure(*gpu->lab, {.depth = depth, .shouldStop = stops}));
                 }});
    }
}

// ---- decode and update in one pass: dependence on order ----

struct Order
{
    const char* name;
    OneFrame kind;
    FusedLayout layout;
    bool sound;  // the resulting leaves must not depend on the order
};
constexpr Order kOrders[] = {{"mark, plan, apply", OneFrame::kRound, FusedLayout::kWide, true},
                             {"peers: whole chains, then merges", OneFrame::kAlternating, FusedLayout::kWide, true},
                             {"paper: fused, leaf by leaf", OneFrame::kFusedPlain, FusedLayout::kPacked, false},
                             {"paper: fused, leaf by leaf", OneFrame::kFusedPlain, FusedLayout::kWide, false},
                             {"paper: fused, conforming", OneFrame::kFusedConforming, FusedLayout::kPacked, false},
                             {"paper: fused, conforming", OneFrame::kFusedConforming, FusedLayout::kWide, false}};

Json orderJson(const Order& order, bool quick)
{
    const OrderDependence found =
        countOrderDependence(order.kind, order.layout, quick ? 12 : 14, quick ? 12 : 40, quick ? 4 : 8, 1);
    const bool equal = found.differing == 0 && found.faulty == 0;
    return {{"variant", order.name},
            {"layout", order.layout == FusedLayout::kWide ? "wide" : "packed"},
            {"frames", found.frames},
            {"orders", found.schedules},
            {"differing", found.differing},
            {"faulty", found.faulty},
            {"check", order.sound ? Json(equal) : Json(nullptr)}};
}

void addOrders(Plan& plan, bool quick)
{
    plan.tables.push_back(
        {.key = "order",
         .title = "A frame from the same tree in several orders of its leaves, on one thread: after how many frames do "
                  "the leaves differ,\nor does the mesh not conform?",
         .columns = {wordColumn("", "/variant"), wordColumn("layout", "/layout"), integerColumn("frames", "/frames"),
                     integerColumn("orders", "/orders"), integerColumn("differing", "/differing"),
                     integerColumn("faulty", "/faulty"), checkColumn()}});
    for (const Order& order : kOrders)
        plan.cases.push_back({"order", 0, [&order, quick, table = plan.tables.size() - 1](BenchRun& run) {
                                  run.add(orderJson(order, quick), table);
                                  return Status::ok();
                              }});
}

Plan treePlan(const BenchOptions& given)
{
    BenchOptions options = given;
    options.threads = std::max(2, given.threads);
    Plan plan;
    plan.head = {{"algorithm", "cbt"},
                 {"backend", "cpu"},
                 {"baseline", "the first row of each section, depth and fill"},
                 {"instruction_set", bestWordKernels().name},
                 {"threads", options.threads},
                 {"gpu", nullptr}};
    plan.legend =
        "Minimum and median of interleaved trials; ratio: time over that of the first row of its section, depth and "
        "fill; spread:\nmedian above minimum. Checks: after each section, outside its time. Amount: leaves, changes "
        "or frames. The GPU's rows wait for it, by the CPU's clock.";
    const TrialOptions trials{
        .leastRounds = 9, .mostRounds = options.quick ? 9 : 101, .seconds = options.quick ? 0.1 : 1};
    for (const auto section : {reductions, instructionSets, threadCounts, decodes, changes, updates})
        addSection(plan, section(options), trials);
    addGpuSections(plan, options.fullGpu || !options.quick);
    addOrders(plan, options.quick);
    return plan;
}

}  // namespace

Bench treeBench()
{
    Bench bench{"cbt", "reduction, decode and update of the tree, against the paper's and libcbt's",
                "small trees, in a few seconds", treePlan};
    bench.fullGpuHelp = "with --quick: the GPU's trees as large as without it";
    return bench;
}

}  // namespace orogen::app::bench
