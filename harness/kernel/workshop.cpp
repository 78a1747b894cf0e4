#include "kernel/workshop.h"

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernel/files.h"
#include "kernel/files_read.h"
#include "kernel/fragment.h"
#include "kernel/job.h"
#include "kernel/ledger.h"
#include "model/try.h"
#include "model/variant.h"
#include "process/strays.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

constexpr const char* kUsualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

Status check_lines(const Recipe& recipe) {
  for (const auto* lines : {&recipe.config, &recipe.own_config})
    for (const auto& line : *lines) BR_TRY(check(line));
  for (const auto& variant : recipe.variants)
    for (const auto& choice : variant.cases)
      for (const auto& line : choice.config) BR_TRY(check(line));
  for (const auto& remedy : recipe.remedies)
    for (const auto& line : remedy.config) BR_TRY(check(line));
  return {};
}

/// The default one, which must be there, and those of the others that are.
Result<std::vector<Compiler>> look_at_all(const Recipe& recipe, const std::string& search_path) {
  std::vector<Compiler> compilers;
  BR_TRY_ASSIGN(auto usual, look_at(recipe.toolchain, search_path));
  compilers.push_back(std::move(usual));
  for (const auto& toolchain : recipe.toolchains)
    if (auto found = look_at(toolchain, search_path)) compilers.push_back(std::move(*found));
  return compilers;
}

/// A build that failed with a known symptom says what is known about it, before the log's name.
Error diagnosed(Error error, const MakeCall& call, const Recipe& recipe, const Plan& plan) {
  if (error.kind != ErrorKind::skip_build) return error;
  const auto log = read_file(call.log);
  const auto known = log ? explain(*log, recipe.remedies, plan.remedies) : std::string();
  if (known.empty()) return error;
  const auto at = error.message.rfind(" (log: ");
  error.message.insert(at == std::string::npos ? error.message.size() : at, "; " + known);
  return error;
}

/// What a person asked for fitted this tree before: that a remedy's patch does not is the tree's
/// fault, and not one of usage that would end the run.
Error of_remedies(Error error) {
  if (error.kind != ErrorKind::usage) return error;
  error.kind = ErrorKind::skip_build;
  return in_context(std::move(error), "a remedy that this tree needs does not fit it");
}

std::unexpected<Error> interrupted() {
  return fail(ErrorKind::interrupted, "interrupted before a build");
}

}  // namespace

Workshop::Workshop(Settings settings, std::vector<Compiler> compilers, RemedyFiles remedies,
                   FactStore facts, ImageCache images)
    : settings_(std::move(settings)),
      compilers_(std::move(compilers)),
      remedies_(std::move(remedies)),
      facts_(std::move(facts)),
      images_(std::move(images)),
      budget_(settings_.cache, settings_.recipe.cache_bytes, settings_.spare_copies) {}

Result<Workshop> Workshop::open(Settings settings) {
  BR_TRY(check_lines(settings.recipe));
  if (settings.search_path.empty()) {
    const char* path = std::getenv("PATH");
    settings.search_path = path != nullptr ? path : kUsualPath;
  }
  // A make that outlived its killed controller holds an object directory, perhaps for ever.
  process::kill_strays_of_the_dead();
  std::error_code error;
  settings.cache =
      std::filesystem::weakly_canonical(std::filesystem::absolute(settings.cache, error), error);
  for (const char* name : {"objects", "ccache", "facts", "logs", "remedies"})
    BR_TRY(make_directories(settings.cache / name));
  BR_TRY_ASSIGN(auto images, ImageCache::open(settings.cache / "images"));
  BR_TRY_ASSIGN(auto compilers, look_at_all(settings.recipe, settings.search_path));
  BR_TRY_ASSIGN(auto remedies, shelve_remedies(settings.remedies, settings.cache / "remedies"));
  FactStore facts(settings.cache / "facts", settings.recipe);
  Workshop workshop(std::move(settings), std::move(compilers), std::move(remedies),
                    std::move(facts), std::move(images));
  BR_TRY(workshop.isolate());
  return workshop;
}

Status Workshop::isolate() {
  const auto asked = settings_.recipe.isolate_builds;
  if (asked == Isolate::never) return {};
  auto isolation = Isolation::find(settings_.search_path);
  if (isolation)
    isolation_ = std::move(*isolation);
  else if (asked == Isolate::always)
    return std::unexpected(in_context(isolation.error(), "builds cannot be isolated"));
  else
    not_isolated_ = isolation.error().message;
  return {};
}

Result<Image> Workshop::build(const std::string& tree_key, const std::string& variant,
                              const Checkout& checkout, std::stop_token stop,
                              const Progress& progress) {
  BR_TRY(rules_of(settings_.recipe, variant));
  if (const auto facts = facts_.find(tree_key)) {
    BR_TRY_ASSIGN(const auto plan, plan_for(variant, *facts));
    BR_TRY_ASSIGN(auto image, find(*facts, plan));
    if (image) return std::move(*image);
  }
  if (stop.stop_requested()) return interrupted();
  BR_TRY_ASSIGN(auto tree, checkout({}));
  BR_TRY_ASSIGN(const auto facts, facts_of(tree_key, tree));
  BR_TRY_ASSIGN(const auto plan, plan_for(variant, facts));
  // Patches may lead to a tree that was built before under another name.
  BR_TRY_ASSIGN(auto image, find(facts, plan));
  if (image) return std::move(*image);
  if (stop.stop_requested()) return interrupted();
  if (!plan.patches.empty()) {
    BR_TRY_ASSIGN(const auto patches, patches_of(plan));
    auto patched = checkout(patches);
    if (!patched) return std::unexpected(of_remedies(std::move(patched).error()));
    tree = std::move(*patched);
  }
  return make_image(tree, facts, plan, stop, progress);
}

bool Workshop::cached(const std::string& tree_key, const std::string& variant) const {
  const auto facts = facts_.find(tree_key);
  if (!facts) return false;
  const auto plan = plan_for(variant, *facts);
  return plan && images_.find(plan->build_key);
}

/// An image that is found stays for this run.
Result<std::optional<Image>> Workshop::find(const TreeFacts& facts, const Plan& plan) {
  if (!images_.pin(plan.build_key)) return std::nullopt;
  const auto stored = images_.find(plan.build_key);
  if (!stored) return std::nullopt;
  BR_TRY_ASSIGN(auto image, finish(facts, plan, *stored));
  image.cached = true;
  image.build_seconds = 0;
  return image;
}

/// Variants with the same config share the files, not what is asked of the kernel: so ledger and
/// must-haves are those of this plan.
Result<Image> Workshop::finish(const TreeFacts& facts, const Plan& plan,
                               const StoredImage& stored) const {
  BR_TRY_ASSIGN(const auto config, read_file(stored.config));
  Image image;
  image.build_key = plan.build_key;
  image.signature = stored.signature;
  image.build_id = stored.build_id;
  image.release = stored.release;
  image.config_digest = stored.config_digest;
  image.compiler = stored.compiler;
  image.bzimage = stored.bzimage;
  image.config = stored.config;
  image.ledger =
      settle(plan.config, config, [&](std::string_view symbol) { return facts.declares(symbol); });
  BR_TRY(check_musts(image.ledger));
  image.remedies = plan.remedies;
  image.boot_args = plan.boot_args;
  image.offload = plan.offload;
  image.build_seconds = stored.build_seconds;
  return image;
}

Result<TreeFacts> Workshop::facts_of(const std::string& tree_key, const Tree& tree) const {
  if (auto known = facts_.find(tree_key)) return std::move(*known);
  BR_TRY_ASSIGN(auto facts,
                look_at_tree(tree.path, tree.tree_oid.empty() ? tree_key : tree.tree_oid,
                             settings_.recipe, tree.ancestors));
  BR_TRY(facts_.keep(tree_key, facts));
  return facts;
}

/// The first that is for this tree and installed; else the one for every tree.
const Compiler& Workshop::compiler_for(const TreeFacts& facts) const {
  for (const auto& compiler : compilers_)
    if (&compiler != &compilers_.front() && facts.toolchains.contains(compiler.name))
      return compiler;
  return compilers_.front();
}

Result<Plan> Workshop::plan_for(std::string_view variant, const TreeFacts& facts) const {
  return make_plan(settings_.recipe, variant, facts, compiler_for(facts), remedies_.digest);
}

Result<std::vector<Patch>> Workshop::patches_of(const Plan& plan) const {
  std::vector<Patch> patches;
  for (const auto& name : plan.patches) {
    BR_TRY_ASSIGN(auto text, read_file(remedies_.directory / name));
    patches.push_back({name, std::move(text)});
  }
  return patches;
}

MakeCall Workshop::call_for(const Tree& tree, const Plan& plan, const Compiler& compiler) const {
  const auto& directory = remedies_.directory.native();
  MakeCall call{.tree = tree.path,
                .ccache = settings_.cache / "ccache",
                .ccache_bytes = budget_.ccache_bytes(),
                .log = settings_.cache / "logs" / (plan.build_key + ".log"),
                .search_path = compiler.search_path,
                .variables = plan.make_variables,
                .flags = plan.flags,
                .isolation = isolation_,
                .shown = {remedies_.directory},
                .jobs = settings_.jobs,
                .deadline_s = settings_.deadline_s};
  for (auto& variable : call.variables) variable = with_directory(variable, directory);
  for (auto& [name, words] : call.flags)
    for (auto& word : words) word = with_directory(word, directory);
  return call;
}

Result<Image> Workshop::make_image(const Tree& tree, const TreeFacts& facts, const Plan& plan,
                                   std::stop_token stop, const Progress& progress) {
  const auto& compiler = compiler_for(facts);
  const auto on_wait = [&] {
    if (progress) progress(0, "wait for another build in the same directory");
  };
  BR_TRY_ASSIGN(auto objects, ObjectDir::lock(objects_for(tree, plan, compiler),
                                              settings_.deadline_s, stop, on_wait));
  // Whoever held the lock may have built just this.
  BR_TRY_ASSIGN(auto meanwhile, find(facts, plan));
  if (meanwhile) return std::move(*meanwhile);
  BR_TRY(make_space());

  const auto call = call_for(tree, plan, compiler);
  BR_TRY(write_file(call.log, ""));
  auto built = run_job(call, objects, compiler, facts, plan, stop, progress);
  if (!built) return std::unexpected(diagnosed(built.error(), call, settings_.recipe, plan));
  BR_TRY_ASSIGN(const auto read, kernel::files_read(objects.out(), tree.path));
  built->files_read = fmt::format("{}", fmt::join(read, "\n"));
  BR_TRY_ASSIGN(const auto stored, images_.store(plan.build_key, *built));
  images_.pin(plan.build_key);
  if (progress) progress(1, "built");
  return finish(facts, plan, stored);
}

/// Objects depend on compiler and config, and name the tree by its path: another of any of these
/// in the same directory would rebuild everything, or worse, not everything.
std::filesystem::path Workshop::objects_for(const Tree& tree, const Plan& plan,
                                            const Compiler& compiler) const {
  wire::Digest digest;
  digest.add(settings_.scope).add(tree.path.native()).add(fragment_text(plan.config));
  if (plan.configure_target != Plan().configure_target) digest.add(plan.configure_target);
  for (const auto& variable : plan.make_variables) digest.add(variable);
  for (const auto& [name, words] : plan.flags) {
    digest.add(name);
    for (const auto& word : words) digest.add(word);
  }
  return settings_.cache / "objects" / compiler.identity.substr(0, 12) / digest.hex().substr(0, 12);
}

/// The caches are brought within their size; where the disk is short all the same, whatever nobody
/// uses goes. What is short even then is a fault of the host.
Status Workshop::make_space() {
  budget_.keep_within();
  budget_.make_room_on_disk(settings_.free_bytes_needed);
  for (const char* name : {"objects", "images", "ccache"}) {
    const auto place = settings_.cache / name;
    BR_TRY_ASSIGN(const auto left, free_bytes(place));
    if (left < settings_.free_bytes_needed)
      return fail(
          ErrorKind::infra,
          fmt::format("{} left on the disk of {}, a build needs {}; make room, then resume",
                      human_size(left), place.string(), human_size(settings_.free_bytes_needed)));
  }
  return {};
}

}  // namespace bisect_run::kernel
