// Commands of the compute modules, generated from their descriptions:
// `orogen NAME OPERATION OPERANDS --PARAMETER VALUE`.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/output.h"
#include "app/base/process.h"
#include "app/cli/command.h"
#include "compute/job/module.h"
#include "compute/modules.h"
#include "core/base/json.h"

namespace orogen::app {
namespace {

using compute::Module;
using compute::Operand;
using compute::Operation;
using compute::Parameter;
using compute::ParameterKind;

// Parameters and texts given on the command line, in order.  They are parsed later, so that an error is reported as one
// line with the valid range.
struct ModuleOptions
{
    std::vector<std::pair<std::string, std::string>> assignments;
    bool json = false;
};

std::string typeName(const Parameter& parameter)
{
    switch (parameter.kind)
    {
    case ParameterKind::kInteger:
        return "N";
    case ParameterKind::kReal:
        return "X";
    case ParameterKind::kFile:
        return "FILE";
    case ParameterKind::kText:
        return "TEXT";
    case ParameterKind::kFlag:
        return {};
    case ParameterKind::kChoice:
        break;
    }
    std::string names;
    for (const std::string& name : parameter.choices)
        names += (names.empty() ? "" : "/") + name;
    return names.size() <= 40 ? names : "NAME";
}

void addOption(CLI::App& command, const Parameter& parameter, ModuleOptions& options)
{
    const std::string name = "--" + parameter.name;
    if (parameter.kind == ParameterKind::kFlag)
    {
        command.add_flag_callback(
            name, [&options, key = parameter.name] { options.assignments.emplace_back(key, "true"); }, parameter.help);
        return;
    }
    const auto take = [&options, key = parameter.name](const std::string& text) {
        options.assignments.emplace_back(key, text);
    };
    const std::string help =
        parameter.standard.empty() ? parameter.help : fmt::format("{} ({})", parameter.help, parameter.standard);
    command.add_option_function<std::string>(name, take, help)->type_name(typeName(parameter));
}

// Waits until the job ends.  Returns false if the user cancelled it.
bool await(compute::Job& job)
{
    using namespace std::chrono_literals;
    ProgressLine line;
    bool goOn = true;
    while (job.running())
    {
        if (goOn && !line.show(job.progress().fraction(), job.progress().phase()))
        {
            goOn = false;
            job.cancel();
        }
        std::this_thread::sleep_for(job.elapsed() < 50ms ? 200us : 10000us);
    }
    return goOn;
}

Result<compute::ParameterValues> valuesOf(const Module& module, const ModuleOptions& options)
{
    compute::ParameterValues values(module.parameters());
    for (const auto& [name, text] : options.assignments)
        if (const Status status = values.set(name, text); !status)
            return Error{status.error().code, "--" + status.error().message};
    return values;
}

// Runs the module as a job with progress on the terminal.  Errors: those of its parameters and of the module;
// kInterrupted, kTerminated.
Result<ExitCode> runModuleCommand(const Module& module, const ModuleOptions& options)
{
    const Result<compute::ParameterValues> values = valuesOf(module, options);
    if (!values) return values.error();
    const Result<std::unique_ptr<compute::Job>> job =
        compute::startJob(module, *values, {.wholeResult = true, .readable = !options.json});
    if (!job) return job.error();
    if (!await(**job) || interruption()) return interruption().value_or(Error{ExitCode::kInterrupted, "interrupted"});
    if (!(*job)->outcome()) return (*job)->outcome().error();
    const compute::JobResult& result = *(*job)->outcome();
    print(options.json ? result.json.dump(2) + "\n" : compute::resultText(result));
    return result.exitCode;
}

// Returns whether the parameter is no option of this operation: it names the operation, or it is an operand of this or
// another operation.
bool standsElsewhere(const Module& module, const Operation& operation, const Parameter& parameter)
{
    return (parameter.name == "operation" && !operation.name.empty()) ||
           std::ranges::any_of(module.description().operations, [&](const Operation& any) {
               return std::ranges::find(any.operands, parameter.name, &Operand::parameter) != any.operands.end();
           });
}

// If a given parameter replaces an operand (Operand::madeBy), moves the operand's word to the next operand, unless the
// next operand has a word.
void shiftOperands(const Operation& operation, ModuleOptions& options)
{
    const auto given = [&](std::string_view name) {
        return std::ranges::find_if(options.assignments, [&](const auto& of) { return of.first == name; });
    };
    for (std::size_t i = 0; i + 1 < operation.operands.size(); ++i)
    {
        const Operand &operand = operation.operands[i], &next = operation.operands[i + 1];
        const auto word = given(operand.parameter);
        if (word == options.assignments.end() || given(next.parameter) != options.assignments.end()) continue;
        if (std::ranges::any_of(operand.madeBy,
                                [&](std::string_view name) { return given(name) != options.assignments.end(); }))
            word->first = next.parameter;
    }
}

void addOperation(CLI::App& command, Command& chosen, const Module& module, const Operation& operation)
{
    const auto options = std::make_shared<ModuleOptions>();
    if (std::ranges::find(module.parameters(), "operation", &Parameter::name) != module.parameters().end() &&
        !operation.name.empty())
        options->assignments.emplace_back("operation", operation.name);
    for (const Operand& operand : operation.operands)
    {
        if (operand.many)
        {
            command.add_option_function<std::vector<std::string>>(
                std::string(operand.name),
                [options, key = operand.parameter](const std::vector<std::string>& words) {
                    options->assignments.emplace_back(key, fmt::format("{}", fmt::join(words, "\n")));
                },
                std::string(operand.help));
            continue;
        }
        command.add_option_function<std::string>(
            std::string(operand.name),
            [options, key = operand.parameter](const std::string& text) {
                options->assignments.emplace_back(key, text);
            },
            std::string(operand.help));
    }
    for (const Parameter& parameter : module.parameters())
        if (!standsElsewhere(module, operation, parameter)) addOption(command, parameter, *options);
    command.add_flag("--json", options->json, "one JSON object");
    command.callback([options, &module, &operation, &chosen] {
        shiftOperands(operation, *options);
        chosen = [options, &module] { return runModuleCommand(module, *options); };
    });
}

void addModuleCommand(CLI::App& root, Command& chosen, const Module& module)
{
    const compute::ModuleDescription& described = module.description();
    CLI::App* command = root.add_subcommand(std::string(described.name), std::string(described.summary));
    for (const Operation& operation : described.operations)
    {
        if (operation.name.empty())
        {
            addOperation(*command, chosen, module, operation);
            continue;
        }
        command->require_subcommand(1);
        CLI::App* subcommand = command->add_subcommand(std::string(operation.name), std::string(operation.help));
        addOperation(*subcommand, chosen, module, operation);
    }
}

}  // namespace

void addModuleCommands(CLI::App& root, Command& chosen)
{
    for (const Module* module : compute::modules())
        addModuleCommand(root, chosen, *module);
}

}  // namespace orogen::app
