// Results of operations that the outside world can make fail: files, drivers, devices, the command line.
// Programming errors are asserts instead.
#pragma once

#include <cassert>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

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
    kDevice = 7,        // a GPU or library that was asked for is not usable, or a kernel failed
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

// A value or an Error.  Written out instead of using std::variant, which takes the compiler ten times as long: most
// files include this header.
template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value) : value_(std::move(value)), hasValue_(true) {}
    Result(Error error) : error_(std::move(error)), hasValue_(false) {}
    Result(const Result& other) requires(std::is_copy_constructible_v<T>) : hasValue_(other.hasValue_)
    {
        if (hasValue_)
            std::construct_at(&value_, other.value_);
        else
            std::construct_at(&error_, other.error_);
    }
    Result(Result&& other) noexcept : hasValue_(other.hasValue_) { take(other); }
    Result& operator=(Result other) noexcept
    {
        destroy();
        hasValue_ = other.hasValue_;
        take(other);
        return *this;
    }
    ~Result() { destroy(); }

    explicit operator bool() const { return hasValue_; }
    T& operator*()
    {
        expect(hasValue_);
        return value_;
    }
    const T& operator*() const
    {
        expect(hasValue_);
        return value_;
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }
    const Error& error() const
    {
        expect(!hasValue_);
        return error_;
    }

private:
    static void expect(bool holds)
    {
        if (!holds) std::terminate();  // in every build: the caller did not check for an error
    }
    void take(Result& other)
    {
        if (hasValue_)
            std::construct_at(&value_, std::move(other.value_));
        else
            std::construct_at(&error_, std::move(other.error_));
    }
    void destroy()
    {
        if (hasValue_)
            std::destroy_at(&value_);
        else
            std::destroy_at(&error_);
    }

    union
    {
        T value_;
        Error error_;
    };
    bool hasValue_;
};

}  // namespace orogen
