#ifndef INCLUDED
#define INCLUDED
#include "included.h"
typedef int included;
struct wrong { missing a; };
#endif
