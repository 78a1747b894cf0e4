#pragma once

#include <string>

#include "store/store.h"

// Made-up facts for tests of the results database.

namespace bisect_run::test {

inline RunRequest some_request(RunKind kind = RunKind::bisect) {
  RunRequest request;
  request.kind = kind;
  request.repository = "/srv/linux";
  request.kernels = {{"good", {std::string(40, 'a')}, {}, "none"},
                     {"bad", {std::string(40, 'b')}, {}, "none"}};
  request.scenario = "netns-scaling";
  request.marks = {50, 100};
  return request;
}

inline Image some_image(char letter) {
  Image image;
  image.build_key = std::string(32, letter);
  image.signature = std::string(31, letter) + "s";
  image.build_id = std::string(40, letter);
  image.release = "6.1.0";
  image.config_digest = "c";
  image.compiler = "gcc (Debian 12.2.0) 12.2.0";
  image.bzimage = "/cache/bzImage";
  image.config = "/cache/.config";
  image.ledger = {{"SMP", "y", "y", LedgerFate::kept, true},
                  {"RCU_LAZY", "n", "n", LedgerFate::unknown_symbol, false}};
  image.remedies = {{"pie", "CC+=-fno-pie"}, {"acpi", "CONFIG_ACPI=n"}};
  image.boot_args = {"rcu_nocbs=0-1"};
  image.offload = "all";
  image.cached = letter == 'b';
  image.build_seconds = 12.5;
  return image;
}

inline store::BootStart some_start(char letter) {
  return {{"v6.1", {std::string(40, letter)}, {}, "none"},
          std::string(32, letter),
          {2, 512, "tcg", "real"},
          "d"};
}

inline Sample some_sample(std::int32_t chunk) {
  Sample sample;
  sample.metric = "add+exec";
  sample.mark = 50;
  sample.chunk = chunk;
  sample.items = 6;
  sample.wall_ns = 1'000'000 + chunk;
  sample.user_ns = 5;
  return sample;
}

}  // namespace bisect_run::test
