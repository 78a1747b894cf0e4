/*
 * What a kernel tree before v4.2 expects of its header for one major release of gcc, for releases
 * that came after it. Such a tree includes <linux/compiler-gccN.h> by the compiler's own number.
 *
 * It is a superset over all those trees: some definitions moved between the tree's headers from
 * commit to commit, and a second, equal definition of a macro is no error. The words are gcc's
 * attributes and builtins, all known to gcc 5 and later.
 */
#ifndef BISECT_RUN_COMPILER_OF_TODAY_H
#define BISECT_RUN_COMPILER_OF_TODAY_H

/* What every tree asks for. */
#define __used __attribute__((__used__))
#define __must_check __attribute__((warn_unused_result))
#define __compiler_offsetof(type, member) __builtin_offsetof(type, member)
#define __cold __attribute__((__cold__))
#define __noclone __attribute__((__noclone__))
#define unreachable() __builtin_unreachable()

/* Checks at compile time. The size of objects stays unknown, as these trees have it for compilers
 * from 4.6 on: gcc sees more than the code was written for and would refuse correct copies. */
#define __compiletime_warning(message) __attribute__((warning(message)))
#define __compiletime_error(message) __attribute__((error(message)))
#define __linktime_error(message) __attribute__((error(message)))

/* Before v2.6.39 these stood here and not in compiler-gcc.h; the text must be that one's. */
#define uninitialized_var(x) x = x
#define __always_inline		inline __attribute__((always_inline))

/* Since v3.9. */
#define __UNIQUE_ID(prefix) __PASTE(__PASTE(__UNIQUE_ID_, prefix), __COUNTER__)
#define __visible __attribute__((externally_visible))

/* Since v3.12. */
#define asm_volatile_goto(...) do { asm goto(__VA_ARGS__); asm(""); } while (0)

#ifdef CONFIG_ARCH_USE_BUILTIN_BSWAP
#define __HAVE_BUILTIN_BSWAP16__
#define __HAVE_BUILTIN_BSWAP32__
#define __HAVE_BUILTIN_BSWAP64__
#endif

#endif
