// What a batch script says about its job in `#SBATCH` lines, and what a step's options say in the same words.
#pragma once

#include <string_view>

#include "launch/found.h"

namespace gonogo {

// Reads one option, as `--name` with its value or `-N` with it; others are left alone.
void read_job_option(std::string_view name, std::string_view value, CarrierFacts* facts);

// Whether an option of srun and sbatch takes a value as its next word.
bool job_option_takes_value(std::string_view option);

// All `#SBATCH` lines before the first command.
void read_job_directives(std::string_view script, CarrierFacts* facts);

// Whether the script has such lines.
bool has_job_directives(std::string_view script);

}  // namespace gonogo
