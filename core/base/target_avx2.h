// What follows is compiled for processors with InstructionSet::kAvx2 (cpu.h); all headers stand before.
#pragma GCC push_options
#pragma GCC target("popcnt,bmi,bmi2,avx2,fma")
