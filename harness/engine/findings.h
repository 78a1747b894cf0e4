#pragma once

#include "bisect/strategy.h"
#include "engine/evidence.h"
#include "model/run.h"
#include "model/verdict.h"

// From a strategy's conclusion, which knows nodes and y, to what a person is told.

namespace bisect_run::engine {

RunStatus status_of(bisect::Conclusion::Kind kind);

Answer answer_from(const bisect::Conclusion& conclusion, const Range& range,
                   const Question& question);

}  // namespace bisect_run::engine
