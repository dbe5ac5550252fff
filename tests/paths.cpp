#include "paths.h"

const char* const GONOGO_TESTDATA = TESTDATA;
const char* const GONOGO_RULES = RULES;
const char* const GONOGO_BINARY = BINARY;
const char* const GONOGO_STANDIN_DIR = STANDIN_DIR;
const char* const GONOGO_PROBE = PROBE;
