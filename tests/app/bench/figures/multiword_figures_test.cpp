// Figures of paper 001, and the output of figures.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "app/bench/figures/figure.h"

namespace orogen::app::bench {
namespace {

const Figure& multiwordFigure(const std::string& name)
{
    for (const Figure& figure : multiwordFigures())
        if (figure.name == name) return figure;
    throw std::out_of_range(name);
}

TEST(MultiwordFigures, WhatIsCountedLiesOnTheCorrectedFormulasAndNotOnThePrintedOnes)
{
    const Result<FigureData> data = multiwordFigure("multiword-operations").measure({});
    ASSERT_TRUE(data);
    ASSERT_EQ(data->names.size(), 11u);
    ASSERT_GE(data->rows.size(), 10u);
    for (const FigureRow& row : data->rows)
        for (const std::size_t counted : {0, 3, 6})
        {
            EXPECT_EQ(row.values[counted], row.values[counted + 1]) << data->names[counted] << ", k = " << row.x;
            EXPECT_NE(row.values[counted], row.values[counted + 2]) << data->names[counted] << ", k = " << row.x;
        }
}

TEST(MultiwordFigures, PointsThatWouldTakeTooLongStayEmpty)
{
    FigureOptions options;
    options.secondsPerPoint = 0.001;
    const Result<FigureData> data = multiwordFigure("multiword-time").measure(options);
    ASSERT_TRUE(data);
    ASSERT_FALSE(data->rows.empty());
    for (const std::optional<double>& value : data->rows.front().values)
        EXPECT_TRUE(value && *value > 0) << "the shortest are all there";
    for (std::size_t line = 0; line < data->names.size(); ++line)
    {
        bool ended = false;
        for (const FigureRow& row : data->rows)
        {
            EXPECT_FALSE(ended && row.values[line]) << "no point after an empty one: " << data->names[line];
            ended = ended || !row.values[line];
        }
        const std::string way = data->names[line].substr(0, data->names[line].rfind(" ("));
        const auto names = [&](const std::string& note) { return note.starts_with(way + ": more than 0.001 s"); };
        EXPECT_TRUE(std::ranges::any_of(data->notes, names)) << "and a note says so: " << way;
    }
}

TEST(MultiwordFigures, CanBeStopped)
{
    for (const Figure& figure : multiwordFigures())
    {
        FigureOptions options;
        int asked = 0;
        options.progress = [&](double fraction, const std::string&) {
            EXPECT_GE(fraction, 0);
            EXPECT_LE(fraction, 1);
            return ++asked < 3;
        };
        const Result<FigureData> data = figure.measure(options);
        ASSERT_FALSE(data) << figure.name;
        EXPECT_EQ(data.error().code, ExitCode::kInterrupted);
        EXPECT_EQ(asked, 3);
    }
}

const FigureData kData = {"k", {"a", "b, with \"quotes\""}, {{1, {2.5, std::nullopt}}, {10, {0.25, 1e6}}}, {"a note"}};

TEST(FigureFiles, CsvHasAnEmptyFieldWhereThereIsNoValue)
{
    EXPECT_EQ(figureCsv(kData), "# a note\nk,a,\"b, with \"\"quotes\"\"\"\n1,2.5,\n10,0.25,1000000\n");
}

TEST(FigureFiles, SvgStandsAloneAndHoldsEveryLine)
{
    Figure figure;
    figure.plot = {"A < B", "k", "ms", true, true, {}};
    const std::string svg = figureSvg(figure, kData);
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find("A &lt; B"), std::string::npos);
    EXPECT_EQ(svg.find("A < B"), std::string::npos);
    for (const char* label : {">1e0<", ">1e1<", ">a<", ">b, with"})
        EXPECT_NE(svg.find(label), std::string::npos) << label;
    std::size_t marks = 0;
    for (std::size_t at = svg.find("translate("); at != std::string::npos; at = svg.find("translate(", at + 1))
        ++marks;
    EXPECT_EQ(marks, 3u + 2u) << "three points, two in the legend";
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(FigureFiles, SvgOfNoPointsIsAFrame)
{
    FigureData empty = kData;
    empty.rows.clear();
    const std::string svg = figureSvg(Figure{}, empty);
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace orogen::app::bench
