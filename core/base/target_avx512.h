// Compiles the code after it for InstructionSet::kAvx512 (see cpu.h).  Include all other headers before this one.
#pragma GCC diagnostic ignored "-Wuninitialized"  // false positives in GCC 12's own headers (GCC bug 105593)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("popcnt,bmi,bmi2,avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")
