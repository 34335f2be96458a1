// OpenBLAS, for comparison: looked for when it is asked for, so that the program runs without it.
#pragma once

#include <cstddef>
#include <string>

#include "core/base/status.h"

namespace orogen::compute {

// On as many threads as were set last.
class OpenBlas
{
public:
    // Error kDevice: it is not here.
    static Result<OpenBlas> find();

    // What asks OpenBLAS for its best code on this processor, as "SkylakeX", where the version that Debian has would
    // choose that for older ones; empty: its own choice is the best.  Only before OpenBLAS is loaded.
    static std::string bestCore();
    static bool isLoaded();

    std::string core() const;  // "SkylakeX", "Haswell"
    void setThreads(int threads) const;

    // x becomes A^-1 x, and A its factor.  False: A is not positive definite.
    bool dposv(double* a, std::size_t size, double* x) const;
    void dgemm(const double* a, const double* b, double* c, std::size_t size) const;  // c = a b, by rows
    void daxpy(std::size_t count, const double* x, double* y) const;                  // y += x

private:
    using Pose = void (*)(const char*, const int*, const int*, double*, const int*, double*, const int*, int*);
    using Multiply = void (*)(const char*, const char*, const int*, const int*, const int*, const double*,
                              const double*, const int*, const double*, const int*, const double*, double*, const int*);
    using Add = void (*)(const int*, const double*, const double*, const int*, double*, const int*);

    Pose dposv_ = nullptr;
    Multiply dgemm_ = nullptr;
    Add daxpy_ = nullptr;
    void (*setThreads_)(int) = nullptr;
    char* (*core_)() = nullptr;
};

}  // namespace orogen::compute
