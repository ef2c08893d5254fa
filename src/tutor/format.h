// What the tutor says, as text for people, as JSON for programs and as LaTeX. Any thread may call any of this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "tutor/notation.h"
#include "tutor/tutor.h"

namespace conpole {

enum class Format : std::uint8_t { kText, kJson, kLatex };

// text, json or latex. Throws Error, listing these, for any other name.
Format FormatOf(std::string_view name);

// All of these return one or more lines, without the end of the last one. JSON is one line. For LaTeX, and only then, the tutor
// must have been made with Script::kLatex.

// The lines of the solution with a sentence between any two, or why there are none. LaTeX is an align* block. Axioms are shown
// if the tutor was made with this detail: instead of the steps or, indented, between a step's sentence and its line. A step
// whose axioms do not say all that it says, its condition above all, is shown in any case.
// As text, where the subject has a picture of the problem it comes first, in a terminal's colours if these are wanted.
std::string FormatSolution(const Domain& domain, const TutorSolution& solution, Format format, Detail detail = Detail::kSchool,
                           bool is_coloured = false);
std::string FormatHint(const Domain& domain, const std::string& state, int level, const TutorHint& hint, Format format);
std::string FormatCheck(const Domain& domain, const std::string& current, const StepCheck& check, Format format);
// Of a whole solution: every line with what there is to say about it. In JSON, "lines" has what FormatCheck gives for each.
std::string FormatChecks(const Domain& domain, const std::string& problem, const std::vector<StepCheck>& checks, Format format);
// `notation` is the state as the tutor writes it.
std::string FormatNextSteps(const Domain& domain, const std::string& state, const std::string& notation,
                            const std::vector<NextStep>& steps, Format format);

// {"error", "position", "understood"}: the last is what comes before the position.
std::string FormatErrorAsJson(const NotationError& error, const std::string& understood);

// An answer as JSON with how the problem was read, "read_as"; null if that is empty.
std::string WithReading(const std::string& json, const std::string& read_as);

}  // namespace conpole
