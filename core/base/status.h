// Results of operations that the outside world can make fail: files, drivers, devices, the command line.
// Programming errors are asserts instead.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace orogen {

// Exit codes of the process.  Part of the command line's contract.
enum class ExitCode : int
{
    kDone = 0,
    kNo = 1,            // the answer is "no": slower, not converged, a difference was found
    kUsage = 2,         // unknown option or key, value out of range, impossible combination
    kShader = 3,        // a shader does not compile or link
    kNoContext = 4,     // no usable OpenGL context
    kInput = 5,         // input data missing, unreadable, malformed
    kLimit = 6,         // memory, or a limit of this driver or machine
    kDevice = 7,        // CUDA asked for by name and not usable
    kOutput = 8,        // output could not be written
    kExpectation = 10,  // a script's expectation failed
    kInterrupted = 130,
    kTerminated = 143,
};

struct Error
{
    ExitCode code = ExitCode::kInput;
    std::string message;  // one line: the file, the place, what was found, what was expected
};

// Success, or an Error that the caller must look at.
class [[nodiscard]] Status
{
public:
    Status() = default;
    Status(Error error) : error_(std::move(error)) {}
    static Status ok() { return {}; }

    explicit operator bool() const { return !error_; }
    const Error& error() const
    {
        assert(error_);
        return *error_;
    }

private:
    std::optional<Error> error_;
};

// A value or an Error.
template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return content_.index() == 0; }
    T& operator*() { return std::get<0>(content_); }
    const T& operator*() const { return std::get<0>(content_); }
    T* operator->() { return &std::get<0>(content_); }
    const T* operator->() const { return &std::get<0>(content_); }
    const Error& error() const { return std::get<1>(content_); }

private:
    std::variant<T, Error> content_;
};

}  // namespace orogen
