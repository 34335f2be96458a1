// Compiles the code after it for InstructionSet::kAvx2 (see cpu.h).  Include all other headers before this one.
#pragma GCC push_options
#pragma GCC target("popcnt,bmi,bmi2,avx2,fma")
