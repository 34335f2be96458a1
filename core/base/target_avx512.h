// What follows is compiled for processors with InstructionSet::kAvx512 (cpu.h); all headers stand before.
#pragma GCC diagnostic ignored "-Wuninitialized"  // GCC 12 says it of its own headers (its bug 105593)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("popcnt,bmi,bmi2,avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")
