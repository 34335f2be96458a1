// Complete experiments, and the viewer's laboratory.
#include <algorithm>
#include <fstream>

#include "app/session/laboratory.h"
#include "tests/gl/support.h"

namespace orogen::app::test {
namespace {

class LaboratoryRun : public GlTest
{
};

class LaboratoryExperiments : public GlTest
{
protected:
    void SetUp() override
    {
        GlTest::SetUp();
        Result<std::unique_ptr<GpuLab>> made = GpuLab::create(*context_);
        ASSERT_TRUE(made) << made.error().message;
        lab_ = std::move(*made);
    }
    void TearDown() override
    {
        lab_.reset();
        GlTest::TearDown();
    }
    static void finish(LabRun& run)
    {
        while (!run.step(20))
            std::this_thread::yield();
    }

    std::unique_ptr<GpuLab> lab_;
};

using LaboratoryExperimentsThorough = LaboratoryExperiments;

TEST_F(LaboratoryExperimentsThorough, EachMeasuresEveryLineAtEveryDepth)
{
    for (const Experiment& experiment : experiments())
    {
        SCOPED_TRACE(experiment.name);
        LabRun run(experiment, lab_.get(), {.leastDepth = 12, .mostDepth = 13, .secondsPerPoint = 5});
        finish(run);
        ASSERT_FALSE(run.error()) << run.error()->message;
        const bench::FigureData& data = run.data();
        ASSERT_EQ(data.rows.size(), 2u);
        ASSERT_EQ(data.names.size(), experiment.lines.size());
        for (const bench::FigureRow& row : data.rows)
            for (std::size_t line = 0; line < row.values.size(); ++line)
                EXPECT_TRUE(row.values[line] && *row.values[line] > 0) << data.names[line];
        EXPECT_EQ(run.fraction(), 1);
    }
}

TEST_F(LaboratoryExperimentsThorough, WithoutAGpuItsLinesStayEmptyAndANoteSaysSo)
{
    LabRun run(experiments()[0], nullptr, {.leastDepth = 10, .mostDepth = 10});
    finish(run);
    ASSERT_EQ(run.data().rows.size(), 1u);
    for (std::size_t line = 0; line < experiments()[0].lines.size(); ++line)
        EXPECT_EQ(run.data().rows[0].values[line].has_value(), bool(experiments()[0].lines[line].cpu));
    EXPECT_NE(std::ranges::find(run.data().notes, "no OpenGL here: the lines of the GPU are empty"),
              run.data().notes.end());
}

TEST_F(LaboratoryExperimentsThorough, APointThatWouldTakeTooLongStaysEmptyAndANoteSaysFromWhere)
{
    Experiment slow{"slow", "one, line", "time"};
    LabLine line{.name = "slow"};
    line.cpu = [](const CpuPoint& point) -> Result<double> { return point.depth < 12 ? 1 : 4000; };
    slow.lines = {line};
    LabRun run(slow, nullptr, {.leastDepth = 10, .mostDepth = 15, .secondsPerPoint = 1});
    finish(run);
    ASSERT_EQ(run.data().rows.size(), 6u);
    EXPECT_TRUE(run.data().rows[2].values[0]);
    EXPECT_FALSE(run.data().rows[3].values[0]);
    EXPECT_FALSE(run.data().rows[5].values[0]);
    EXPECT_EQ(std::ranges::count(run.data().notes, "slow: more than 1 s from D = 13 on"), 1);
}

TEST_F(LaboratoryExperimentsThorough, AWrongResultEndsTheRunWithAnError)
{
    Experiment wrong{"wrong", "one, line", "time"};
    LabLine line{.name = "wrong"};
    line.gpu = [](const GpuTree& tree, bench::Fill fill) {
        bench::Contender contender = gpuDecode(tree, fill);
        contender.finalCheck = [] { return false; };
        return contender;
    };
    wrong.lines = {line};
    LabRun run(wrong, lab_.get(), {.leastDepth = 10, .mostDepth = 11});
    finish(run);
    ASSERT_TRUE(run.error());
    EXPECT_EQ(run.error()->code, ExitCode::kNo);
    EXPECT_EQ(run.error()->message, "D = 10, wrong: a wrong result");
}

// Verifies that the checks can fail: corrupts each contender's tree.
TEST_F(LaboratoryExperimentsThorough, ChecksOfContendersSeeASpoiltTree)
{
    for (const auto& make : {gpuReduction, gpuPlainPass, gpuReductionAndDecode, gpuCycle})
    {
        const Result<GpuTree> made =
            GpuTree::create(lab_->library, lab_->programs, lab_->limits, uniformTree<Cbt>(bench::Fill::kQuarter, 14));
        ASSERT_TRUE(made);
        const bench::Contender contender = make(*made, bench::Fill::kQuarter);
        for (const auto& slice : std::get<Slices>(contender.section))
            slice();
        EXPECT_TRUE(contender.finalCheck() || make == gpuPlainPass);  // the plain pass leaves most counts unchanged
        made->spoilCounts();
        EXPECT_FALSE(contender.finalCheck());
    }
}

TEST_F(LaboratoryRun, TheSessionRunsOneExperimentAtATimeAndKeepsWhatItMeasured)
{
    Laboratory session;
    EXPECT_EQ(session.state(), "idle");
    EXPECT_EQ(session.data(), nullptr);
    const Status unknown = session.start({"tree-nothing", {}}, *context_);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ExitCode::kUsage);
    ASSERT_TRUE(session.start({"tree-cycle", {.leastDepth = 12, .mostDepth = 12}}, *context_));
    EXPECT_FALSE(session.start({"tree-cycle", {}}, *context_));
    while (session.running())
        session.step(20);
    EXPECT_EQ(session.state(), "done");
    ASSERT_EQ(session.data()->rows.size(), 1u);
    ASSERT_TRUE(session.data()->rows[0].values[0]);

    const TemporaryFolder folder;
    const Result<std::string> saved = session.save(folder / "figures");
    ASSERT_TRUE(saved) << saved.error().message;
    EXPECT_TRUE(std::filesystem::exists(folder / "figures/tree-cycle.csv"));
    EXPECT_TRUE(std::filesystem::exists(folder / "figures/tree-cycle.svg"));

    ASSERT_TRUE(session.start({"tree-bit-field", {.leastDepth = 10, .mostDepth = 24}}, *context_));
    session.step(1);
    session.cancel();
    EXPECT_EQ(session.state(), "cancelled");
    EXPECT_EQ(session.experiment()->name, "tree-bit-field");
    ASSERT_TRUE(session.start({"tree-cycle", {}}, *context_));
    session.contextLost();
    EXPECT_EQ(session.state(), "failed");
    EXPECT_EQ(session.error(), "the OpenGL context was lost");
}

}  // namespace
}  // namespace orogen::app::test
