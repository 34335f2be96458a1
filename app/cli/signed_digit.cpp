#include <array>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/module_options.h"
#include "compute/signed_digit/module.h"

namespace orogen::app {
namespace {

struct SignedDigitOptions
{
    Assignments assignments;
    bool json = false;
};

// A number, or a line each of real and imaginary parts.
std::string numberText(const nlohmann::ordered_json& result, bool made)
{
    const auto textOf = [made](const nlohmann::ordered_json& number) {
        const auto& text = number.get_ref<const std::string&>();
        return made ? shortened(text) : text;
    };
    if (result.is_string()) return textOf(result) + "\n";
    std::string lines;
    for (const auto& value : result)
        lines += fmt::format("{} {}\n", textOf(value[0]), textOf(value[1]));
    return lines;
}

Result<ExitCode> runSignedDigit(const SignedDigitOptions& options)
{
    const compute::Module& module = compute::signedDigitModule();
    Result<compute::ParameterValues> values = valuesOf(module, options.assignments);
    if (!values) return values.error();
    const Result<compute::JobResult> result = runOnCommandLine(module, *values);
    if (!result) return result.error();
    if (options.json)
        print(result->json.dump(2) + "\n");
    else
        print(numberText(result->json.at(result->mainKey), values->given("count")) + "\n" + resultText(*result));
    return result->check == compute::CheckAnswer::kDifferent ? ExitCode::kNo : ExitCode::kDone;
}

struct Operand
{
    std::string name, key, help;
};

void addOperation(CLI::App& root, Command& chosen, const std::string& name, const std::string& help,
                  const std::vector<Operand>& operands)
{
    CLI::App* command = root.add_subcommand(name, help);
    const auto options = std::make_shared<SignedDigitOptions>();
    options->assignments.emplace_back("operation", name);
    for (const Operand& operand : operands)
        command->add_option_function<std::string>(
            operand.name,
            [options, key = operand.key](const std::string& text) { options->assignments.emplace_back(key, text); },
            operand.help);
    constexpr std::array<std::string_view, 3> kElsewhere = {"operation", "x", "y"};
    addModuleOptions(*command, compute::signedDigitModule(), kElsewhere, options->assignments);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runSignedDigit(*options); }; });
}

}  // namespace

void addSignedDigitCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("signed-digit", "exact decimal sums and products of any magnitude");
    command->require_subcommand(1);
    const std::string file = "a file with a decimal number a line", number = "a decimal number, or @FILE";
    addOperation(*command, chosen, "sum", "of the numbers in a file", {{"FILE", "x", file}});
    addOperation(*command, chosen, "dot", "the dot product of two files' numbers",
                 {{"X", "x", file}, {"Y", "y", "another with as many"}});
    addOperation(*command, chosen, "multiply", "A times B", {{"A", "x", number}, {"B", "y", "the other"}});
    addOperation(*command, chosen, "dft",
                 "the discrete Fourier transform of a file's numbers: a real and an imaginary part a line",
                 {{"FILE", "x", file}});
    addOperation(*command, chosen, "subtract", "A - B", {{"A", "x", number}, {"B", "y", "the other"}});
}

}  // namespace orogen::app
