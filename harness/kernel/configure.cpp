#include "kernel/configure.h"

#include <cerrno>
#include <cstdio>

#include "kernel/files.h"
#include "kernel/stranger_file.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {

Status configure(const MakeCall& call, const ObjectDir& objects, const Compiler& compiler,
                 const std::string& target, const std::string& fragment,
                 const std::string& tree_question, std::stop_token stop, bool& orderly) {
  wire::Digest digest;
  digest.add(target).add(fragment).add(tree_question).add(compiler.identity);
  const auto question = digest.hex();
  orderly = true;
  if (objects.configured_for(question)) return {};

  BR_TRY(write_file(objects.fragment(), fragment));
  // allnoconfig asks and answers every symbol, so no olddefconfig is needed after it: on 6.1 that
  // changes no byte. What a tree nevertheless changes while it builds is seen by the ledger.
  const auto config = objects.out() / ".config";
  const auto fresh = objects.out() / ".config.fresh";
  BR_TRY(
      make(call, objects, compiler, target,
           {"KCONFIG_ALLCONFIG=" + objects.fragment().string(), "KCONFIG_CONFIG=" + fresh.string()},
           stop, {}, orderly));
  BR_TRY_ASSIGN(const auto answer, read_below(objects.out(), fresh.filename()));
  const auto old = read_below(objects.out(), config.filename());
  if (old && *old == answer)
    std::remove(fresh.c_str());
  else if (std::rename(fresh.c_str(), config.c_str()) != 0)
    return system_failure("write", config, errno);
  return objects.note_configured(question);
}

}  // namespace bisect_run::kernel
