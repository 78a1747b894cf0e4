#include <linux/compiler-of-today.h>
