// Common parts of all benchmarks: cases, rows, JSON and table.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "app/bench/registry.h"

namespace orogen::app::bench {
namespace {

SelfTimed lasting(double milliseconds)
{
    return [milliseconds]() -> Result<double> { return milliseconds; };
}

Status measure(BenchRun& run, const char* name, bool equal)
{
    const Result<std::vector<Timing>> timings =
        run.time(name, {{.section = lasting(2)}, {.section = lasting(3)}}, {.leastRounds = 4, .mostRounds = 4});
    if (!timings) return timings.error();
    Json row = {{"algorithm", name}};
    addPair(row, (*timings)[0], (*timings)[1], "gmp");
    row["check"] = equal;
    run.add(std::move(row));
    return Status::ok();
}

Plan planOf(const BenchOptions& options)
{
    Plan plan;
    plan.head = {{"algorithm", "test"}};
    plan.legend = "a legend";
    plan.tables = {{.columns = {wordColumn("name", "/algorithm"), numberColumn("ms", "/time_ms/minimum", 2),
                                numberColumn("none", "/nothing", 2), checkColumn()}}};
    plan.totalIsOfSections = true;
    plan.cases = {{"short", 0, [](BenchRun& run) { return measure(run, "short", true); }},
                  {"vast", ~std::uint64_t(0) / 2, [](BenchRun& run) { return measure(run, "vast", true); }}};
    if (!options.quick)
        plan.cases.push_back({"wrong", 0, [](BenchRun& run) { return measure(run, "a wrong one", false); }});
    return plan;
}

const Bench kBench = {"test", "about", "quick", planOf};

TEST(BenchPlan, CasesLeaveRowsWithTimesAndRatiosOfTheMinima)
{
    const Result<BenchReport> report = runBench(kBench, {.quick = true});
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->isRight());
    const Json json = report->json();
    EXPECT_TRUE(json.contains("load_before"));
    ASSERT_EQ(json.at("rows").size(), 1u);
    const Json& row = json.at("rows")[0];
    EXPECT_EQ(row.at("time_ms"), Json({{"minimum", 2.0}, {"median", 2.0}, {"gmp_minimum", 3.0}, {"gmp_median", 3.0}}));
    EXPECT_EQ(row.at("ratio"), 1.5);
    EXPECT_EQ(row.at("rounds"), 4);
    EXPECT_EQ(row.at("gmp_spread"), 0.0);
    EXPECT_EQ(json.at("time_ms").at("total"), 20.0);
}

TEST(BenchPlan, WhatTheMemoryCannotHoldIsLeftOutAndSaidSo)
{
    const Result<BenchReport> report = runBench(kBench, {.quick = true});
    ASSERT_TRUE(report);
    ASSERT_EQ(report->leftOut.size(), 1u);
    EXPECT_TRUE(report->leftOut[0].starts_with("vast")) << report->leftOut[0];
    EXPECT_NE(report->text().find("left out: vast"), std::string::npos);
    Bench vast = kBench;
    vast.plan = [](const BenchOptions&) {
        Plan plan = planOf({});
        plan.cases = {plan.cases[1]};
        return plan;
    };
    const Result<BenchReport> none = runBench(vast, {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ExitCode::kLimit);
}

TEST(BenchPlan, OneWrongResultIsEnough)
{
    const Result<BenchReport> report = runBench(kBench, {});
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->isRight());
    EXPECT_NE(report->text().find("DIFFERENT"), std::string::npos);
}

TEST(BenchPlan, TheTableHasColumnsThatFit)
{
    const Result<BenchReport> report = runBench(kBench, {});
    ASSERT_TRUE(report);
    EXPECT_NE(report->text().find("\n  name           ms  none  check\n"
                                  "  short        2.00     -  equal\n"
                                  "  a wrong one  2.00     -  DIFFERENT\n"),
              std::string::npos)
        << report->text();
}

TEST(BenchPlan, StopsWhereverItIsAsked)
{
    for (int most = 1; most < 12; ++most)
    {
        int asked = 0;
        const Result<BenchReport> report = runBench(kBench, {.progress = [&](double fraction, const std::string&) {
                                                        EXPECT_GE(fraction, 0);
                                                        EXPECT_LT(fraction, 1);
                                                        return ++asked < most;
                                                    }});
        ASSERT_FALSE(report);
        EXPECT_EQ(report.error().code, ExitCode::kInterrupted);
        EXPECT_EQ(asked, most);
    }
}

TEST(BenchRegistry, NamesAreOfTheirOwn)
{
    std::set<std::string> names;
    for (const Bench& bench : benches())
        EXPECT_TRUE(names.insert(bench.name).second) << bench.name;
    EXPECT_EQ(names, (std::set<std::string>{"cbt", "cg", "multiword", "render", "signed-digit"}));
}

}  // namespace
}  // namespace orogen::app::bench
