#include "core/base/cpu.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

// Returns the instruction-set features of a target header in core/base/.
std::vector<std::string> targetOf(const std::string& name)
{
    const std::string text = test::contentOf(OROGEN_ROOT "/core/base/target_" + name + ".h");
    const std::string begin = "#pragma GCC target(\"";
    const std::size_t at = text.find(begin) + begin.size();
    std::istringstream list(text.substr(at, text.find('"', at) - at));
    std::vector<std::string> features;
    for (std::string feature; std::getline(list, feature, ',');)
        features.push_back(feature);
    return features;
}

// A processor would crash in a loop that uses a feature which the program does not check.
TEST(Cpu, IsAskedForWhatLoopsAreCompiledFor)
{
    const std::pair<InstructionSet, std::string> sets[] = {
        {InstructionSet::kPopcnt, "popcnt"}, {InstructionSet::kAvx2, "avx2"}, {InstructionSet::kAvx512, "avx512"}};
    for (const auto& [set, name] : sets)
    {
        const auto features = featuresOf(set);
        EXPECT_EQ(targetOf(name), std::vector<std::string>(features.begin(), features.end())) << name;
    }
}

TEST(Cpu, RunsWhatItHasAllFeaturesOf)
{
    EXPECT_TRUE(featuresOf(InstructionSet::kPortable).empty());
    for (const InstructionSet set :
         {InstructionSet::kPortable, InstructionSet::kPopcnt, InstructionSet::kAvx2, InstructionSet::kAvx512})
        EXPECT_EQ(processorRuns(set), std::ranges::all_of(featuresOf(set), processorHas));
    EXPECT_TRUE(processorRuns(InstructionSet::kPortable));
}

struct Loops
{
    const char* name;
};
constexpr Loops kBest = {"avx512"}, kGood = {"popcnt"}, kAny = {"portable"};

TEST(KernelSets, AreThoseThatRunHereBestFirst)
{
    const KernelSets<Loops> sets = {{&kBest, InstructionSet::kAvx512, "avx512vnni"},
                                    {&kGood, InstructionSet::kPopcnt},
                                    {&kAny, InstructionSet::kPortable}};
    std::vector<const Loops*> expected;
    if (processorRuns(InstructionSet::kAvx512) && processorHas("avx512vnni")) expected.push_back(&kBest);
    if (processorRuns(InstructionSet::kPopcnt)) expected.push_back(&kGood);
    expected.push_back(&kAny);
    EXPECT_TRUE(std::ranges::equal(sets.available(), expected));
    EXPECT_EQ(&sets.best(), expected.front());
    for (const Loops* loops : {&kBest, &kGood, &kAny})
        EXPECT_EQ(sets.find(loops->name), std::ranges::find(expected, loops) != expected.end() ? loops : nullptr);
    EXPECT_EQ(sets.find("sse9"), nullptr);
}

}  // namespace
}  // namespace orogen
