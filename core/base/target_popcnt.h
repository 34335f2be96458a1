// What follows is compiled for processors with InstructionSet::kPopcnt (cpu.h); all headers stand before.
#pragma GCC push_options
#pragma GCC target("popcnt")
