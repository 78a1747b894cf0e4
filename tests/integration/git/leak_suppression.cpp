// libgit2 1.5 leaks its match data whenever it looks for `extensions.*` of a repository.

// The name is the sanitizer's. NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions();

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libpcre2\n";
}
