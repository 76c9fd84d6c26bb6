// The system call that turns trace.c's record on and off: of a number that no system knows.
#pragma once

enum { trace_switch = 4242 };
