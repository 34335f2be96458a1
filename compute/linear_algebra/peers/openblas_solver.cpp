// OpenBLAS is loaded on first use: if linked, the whole program would require it.
#include "compute/linear_algebra/peers/peer_solvers.h"

#include <algorithm>

#include <dlfcn.h>

#include <fmt/format.h>

#include "core/base/cpu.h"

namespace orogen::compute {
namespace {

constexpr const char* kLibrary = "libopenblas.so.0";

template <class Function>
bool take(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace

Result<OpenBlas> OpenBlas::find()
{
    const auto missing = [](const char* what) {
        return Error{ExitCode::kDevice, fmt::format("{} (Debian: libopenblas0-pthread)", what)};
    };
    void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);  // never unloaded: its threads stay
    if (!library) return missing("OpenBLAS is not installed");
    OpenBlas blas;
    if (take(library, "dposv_", blas.dposv_) && take(library, "dgemm_", blas.dgemm_) &&
        take(library, "daxpy_", blas.daxpy_) && take(library, "openblas_set_num_threads", blas.setThreads_) &&
        take(library, "openblas_get_corename", blas.core_))
        return blas;
    return missing("OpenBLAS is here without LAPACK");
}

std::string OpenBlas::bestCore()
{
#if defined(__x86_64__)
    if (processorRuns(InstructionSet::kAvx512)) return "SkylakeX";
#endif
    return {};
}

bool OpenBlas::isLoaded()
{
    void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD);
    if (library) dlclose(library);
    return library != nullptr;
}

std::string OpenBlas::core() const { return core_(); }
void OpenBlas::setThreads(int threads) const { setThreads_(threads); }

bool OpenBlas::dposv(double* a, std::size_t size, double* x) const
{
    const int n = int(size), one = 1;
    int info = 0;
    dposv_("U", &n, &one, a, &n, x, &n, &info);
    return info == 0;
}

void OpenBlas::dgemm(const double* a, const double* b, double* c, std::size_t size) const
{
    const int n = int(size);
    const double one = 1, zero = 0;
    dgemm_("N", "N", &n, &n, &n, &one, b, &n, a, &n, &zero, c, &n);  // reads by columns, so it gets c^T = b^T a^T
}

void OpenBlas::daxpy(std::size_t count, const double* x, double* y) const
{
    constexpr std::size_t kMost = std::size_t(1) << 30;  // elements per call: OpenBLAS counts them by an int
    const int one = 1;
    const double factor = 1;
    for (std::size_t done = 0; done < count; done += kMost)
    {
        const int n = int(std::min(kMost, count - done));
        daxpy_(&n, &factor, x + done, &one, y + done, &one);
    }
}

}  // namespace orogen::compute
