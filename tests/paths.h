// Where the build put what tests run and read. Paths stand in one object (paths.cpp), so that no other one depends on
// where the tree lies and a compiler's cache serves every copy of it.
#pragma once

extern const char* const GONOGO_TESTDATA;     // the folder testdata
extern const char* const GONOGO_RULES;        // the folder rules
extern const char* const GONOGO_BINARY;       // gonogo
extern const char* const GONOGO_STANDIN_DIR;  // the stand-in driver libraries
extern const char* const GONOGO_PROBE;        // the program that asks them
