#include <array>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/module_options.h"
#include "compute/multiword/integer_text.h"
#include "compute/multiword/module.h"

namespace orogen::app {
namespace {

struct MultiwordOptions
{
    Assignments assignments;
    bool json = false;
};

Result<std::string> sumText(const compute::JobResult& result, const compute::ParameterValues& values)
{
    const auto& sum = result.json.at(result.mainKey).get_ref<const std::string&>();
    if (!values.flag("decimal")) return sum;
    const Result<compute::LimbBuffer> limbs = compute::parseInteger(sum, compute::Radix::kHexadecimal, "sum");
    if (!limbs) return limbs.error();
    return compute::integerText(*limbs, false, compute::Radix::kDecimal);
}

Result<ExitCode> runMultiword(const MultiwordOptions& options)
{
    const compute::Module& module = compute::multiwordModule();
    Result<compute::ParameterValues> values = valuesOf(module, options.assignments);
    if (!values) return values.error();
    const Result<compute::JobResult> result = runOnCommandLine(module, *values);
    if (!result) return result.error();
    if (options.json)
        print(result->json.dump(2) + "\n");
    else
    {
        const Result<std::string> sum = sumText(*result, *values);
        if (!sum) return sum.error();
        print((values->given("length") ? shortened(*sum) : *sum) + "\n\n" + resultText(*result));
    }
    return result->check == compute::CheckAnswer::kDifferent ? ExitCode::kNo : ExitCode::kDone;
}

void addOperation(CLI::App& root, Command& chosen, const std::string& name, const std::string& help)
{
    CLI::App* command = root.add_subcommand(name, help);
    const auto options = std::make_shared<MultiwordOptions>();
    options->assignments.emplace_back("operation", name);
    for (const std::string key : {"a", "b"})
        command->add_option_function<std::string>(
            key == "a" ? "A" : "B",
            [options, key](const std::string& text) { options->assignments.emplace_back(key, text); },
            key == "a" ? "a non-negative integer in hexadecimal, or @FILE" : "the other");
    constexpr std::array<std::string_view, 3> kElsewhere = {"operation", "a", "b"};
    addModuleOptions(*command, compute::multiwordModule(), kElsewhere, options->assignments);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runMultiword(*options); }; });
}

}  // namespace

void addMultiwordCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("multiword", "addition and subtraction of integers of any length");
    command->require_subcommand(1);
    addOperation(*command, chosen, "add", "A + B");
    addOperation(*command, chosen, "sub", "A - B");
}

}  // namespace orogen::app
