// Figures of paper 003.
#include <algorithm>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "app/bench/figures/figure.h"
#include "compute/device/cuda.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

const Figure& figureNamed(const std::string& name)
{
    for (const Figure& figure : linearAlgebraFigures())
        if (figure.name == name) return figure;
    throw std::out_of_range(name);
}

FigureData measured(const std::string& name, double seconds)
{
    FigureOptions options;
    options.secondsPerPoint = seconds;
    Result<FigureData> data = figureNamed(name).measure(options);
    EXPECT_TRUE(data) << name << ": " << data.error().message;
    return data ? std::move(*data) : FigureData{};
}

bool isOfKernels(const std::string& line)
{
    return line.find(std::string(", ") + kernelBackend()) != std::string::npos;
}

TEST(LinearAlgebraFigures, ThePapersStepsArePastNWhereTheConditionIsBad)
{
    const FigureData data = measured("linear-algebra-steps", 30);
    ASSERT_EQ(data.names.size(), 4u);
    ASSERT_EQ(data.rows.size(), 6u);
    bool past = false;
    for (const FigureRow& row : data.rows)
    {
        ASSERT_TRUE(row.values[0]) << row.x;
        EXPECT_LE(*row.values[0], row.x + 100) << "condition 100";
        EXPECT_GE(*row.values[0], 3);
        EXPECT_EQ(row.values[3], row.x);
        past = past || !row.values[2] || *row.values[2] > row.x;
        EXPECT_GE(row.values[1].value_or(1e9), *row.values[0]) << "n = " << row.x;
    }
    EXPECT_TRUE(past) << "condition 1e6";
}

TEST(LinearAlgebraFigures, HaveATimeForEveryLineOfTheCpu)
{
    for (const char* name : {"linear-algebra-sum", "linear-algebra-product", "linear-algebra-solve"})
    {
        const FigureData data = measured(name, 0.002);
        ASSERT_FALSE(data.rows.empty()) << name;  // the number of rows depends on the machine's speed
        for (std::size_t line = 0; line < data.names.size(); ++line)
            if (!isOfKernels(data.names[line]))
            {
                EXPECT_TRUE(data.rows[0].values[line] && *data.rows[0].values[line] > 0) << data.names[line];
            }
    }
}

TEST(LinearAlgebraFigures, CramersRuleEndsAtTwenty)
{
    const FigureData data = measured("linear-algebra-solve", 0.05);
    ASSERT_TRUE(data.names[0].starts_with("Cramer's rule"));
    double last = 0;
    for (const FigureRow& row : data.rows)
        if (row.values[0]) last = row.x;
    EXPECT_EQ(last, 20);
    EXPECT_GT(data.rows.back().x, 20) << "and conjugate gradients go on";
}

TEST(LinearAlgebraFigures, WithoutAGpuKernelsRunOnTheCpuAndANoteSaysSo)
{
    if (discoverCuda().available) GTEST_SKIP() << "there is a GPU";
    for (const char* name :
         {"linear-algebra-sum", "linear-algebra-product", "linear-algebra-solve", "linear-algebra-solve-gpu"})
    {
        const FigureData data = measured(name, 0.001);
        const auto says = [](const std::string& note) {
            return note.starts_with("lines of host-kernel: no CUDA device");
        };
        EXPECT_TRUE(std::ranges::any_of(data.notes, says)) << name;
        for (std::size_t line = 0; line < data.names.size(); ++line)
        {
            bool any = false;
            for (const FigureRow& row : data.rows)
            {
                any = any || row.values[line];
                EXPECT_FALSE(isOfKernels(data.names[line]) && row.x > double(kLargestOnHost) && row.values[line]);
            }
            EXPECT_TRUE(any || !isOfKernels(data.names[line])) << data.names[line];
        }
        EXPECT_TRUE(std::ranges::any_of(data.names, isOfKernels)) << name;
    }
}

TEST(LinearAlgebraFigures, TakeTheSizesThatAreAskedFor)
{
    for (const Figure& figure : linearAlgebraFigures())
    {
        EXPECT_EQ(figure.takesSizes, figure.name != "linear-algebra-steps");
        if (!figure.takesSizes) continue;
        FigureOptions options;
        options.secondsPerPoint = 0.001;
        options.sizes = {5, 40};
        const Result<FigureData> data = figure.measure(options);
        ASSERT_TRUE(data) << data.error().message;
        ASSERT_FALSE(data->rows.empty());
        EXPECT_EQ(data->rows[0].x, 5);
        EXPECT_LE(data->rows.size(), 2u);
    }
}

TEST(LinearAlgebraFigures, CanBeStopped)
{
    for (const Figure& figure : linearAlgebraFigures())
    {
        FigureOptions options;
        int asked = 0;
        options.progress = [&](double fraction, const std::string&) {
            EXPECT_GE(fraction, 0);
            EXPECT_LE(fraction, 1);
            return ++asked < 1;
        };
        const Result<FigureData> data = figure.measure(options);
        ASSERT_FALSE(data) << figure.name;
        EXPECT_EQ(data.error().code, ExitCode::kInterrupted);
        EXPECT_EQ(asked, 1);
    }
}

}  // namespace
}  // namespace orogen::app::bench
