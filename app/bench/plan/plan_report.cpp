#include "app/bench/plan/plan_report.h"

#include <utility>

#include <fmt/format.h>

namespace orogen::app::bench {
namespace {

using compute::GpuDescription;
using compute::KernelPlan;

std::string quantity(double bytes)
{
    constexpr std::pair<double, const char*> units[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}};
    for (const auto& [unit, name] : units)
        if (bytes >= unit) return fmt::format("{:.3g} {}", bytes / unit, name);
    return fmt::format("{:.0f} B", bytes);
}

Column bytesColumn(std::string title, const std::string& key)
{
    return {std::move(title), [key](const Json& row) { return quantity(row.at(key).get<double>()); }};
}

Json rowOf(const KernelPlan& plan)
{
    return {{"name", plan.name},
            {"size", plan.size},
            {"gpu", plan.gpu},
            {"blocks", plan.blocks},
            {"resident_blocks", plan.residentBlocks},
            {"waves", plan.waves},
            {"warps_share", plan.warpsShare},
            {"last_wave_idle", plan.lastWaveIdle},
            {"bytes", plan.bytes},
            {"floor_bytes", plan.floorBytes},
            {"bytes_in_flight", plan.bytesInFlight},
            {"bytes_in_flight_wanted", plan.bytesInFlightWanted},
            {"note", plan.note}};
}

std::string legendOf()
{
    std::string legend = "An estimate without a device, from the kernels' registers, the launches' shapes and formulas "
                         "for bytes; nothing was run.\n";
    for (const GpuDescription& gpu : compute::describedGpus())
        legend += fmt::format("{}: {} multiprocessors, {:.0f} GB/s, {:.0f} ns; {} wanted in flight a multiprocessor\n",
                              gpu.name, gpu.multiprocessors, gpu.bandwidth / 1e9, gpu.latency * 1e9,
                              quantity(gpu.bytesInFlightWanted()));
    legend.pop_back();
    return legend;
}

std::vector<Column> columns()
{
    return {wordColumn("kernel", "/name"),
            wordColumn("size", "/size"),
            wordColumn("GPU", "/gpu"),
            integerColumn("blocks", "/blocks"),
            integerColumn("resident", "/resident_blocks"),
            integerColumn("waves", "/waves"),
            percentColumn("warps", "/warps_share"),
            percentColumn("last idle", "/last_wave_idle"),
            bytesColumn("moves", "bytes"),
            bytesColumn("floor", "floor_bytes"),
            bytesColumn("in flight", "bytes_in_flight"),
            wordColumn("note", "/note")};
}

}  // namespace

Result<BenchReport> planReport(const compute::PlannedLaunches& launches)
{
    const Result<std::vector<KernelPlan>> plans = planKernels(launches);
    if (!plans) return plans.error();
    Table table{.key = "kernels", .columns = columns()};
    for (const KernelPlan& plan : *plans)
        table.rows.push_back(rowOf(plan));
    BenchReport report;
    report.legend = legendOf();
    report.head = {{"algorithm", "plan"}, {"backend", "none"}};
    report.tables.push_back(std::move(table));
    return report;
}

}  // namespace orogen::app::bench
