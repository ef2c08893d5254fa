// What the tutor says, as text for people, as JSON for programs and as LaTeX. Any thread may call any of this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "conpole/domain.h"
#include "notation/notation.h"
#include "tutor/tutor.h"

namespace conpole {

enum class Format : std::uint8_t { kText, kJson, kLatex };

// text, json or latex. Throws Error, listing these, for any other name.
Format FormatOf(std::string_view name);

struct FormatOptions {
  Format format = Format::kText;
  Detail detail = Detail::kSchool;  // of solutions: what the tutor was made with
  bool is_coloured = false;         // of pictures in text: in a terminal's colours
  // Of JSON: whether lines are also given for browsers and ears (subjects/markup_json.h), in the language that the tutor was
  // made with.
  bool markup = false;
  std::string language = "en";
  std::optional<std::string> read_as = {};  // of JSON: how the text was read, which is null if it is empty; nothing: no field
};

// All of these return one or more lines, without the end of the last one. JSON is one line. For LaTeX, and only then, the tutor
// must have been made with Script::kLatex.

// The lines of the solution with a sentence between any two, or why there are none. LaTeX is an align* block. Axioms are shown
// if the tutor was made with this detail: instead of the steps or, indented, between a step's sentence and its line. A step
// whose axioms do not say all that it says, its condition above all, is shown in any case.
// As text, where the subject has a picture of the problem it comes first.
std::string FormatSolution(const Domain& domain, const TutorSolution& solution, const FormatOptions& options);
std::string FormatHint(const Domain& domain, const std::string& state, int level, const TutorHint& hint,
                       const FormatOptions& options);
std::string FormatCheck(const Domain& domain, const std::string& current, const StepCheck& check, const FormatOptions& options);
// Of a whole solution: every line with what there is to say about it. In JSON, "lines" has what FormatCheck gives for each.
std::string FormatChecks(const Domain& domain, const std::string& problem, const std::vector<StepCheck>& checks,
                         const FormatOptions& options);
// `notation` is the state as the tutor writes it.
std::string FormatNextSteps(const Domain& domain, const std::string& state, const std::string& notation,
                            const std::vector<NextStep>& steps, const FormatOptions& options);

// The same as JSON values, whatever the format of the options.
nlohmann::ordered_json SolutionToJson(const Domain& domain, const TutorSolution& solution, const FormatOptions& options);
nlohmann::ordered_json HintToJson(const Domain& domain, const std::string& state, int level, const TutorHint& hint,
                                  const FormatOptions& options);
nlohmann::ordered_json ChecksToJson(const Domain& domain, const std::string& problem, const std::vector<StepCheck>& checks,
                                    const FormatOptions& options);
nlohmann::ordered_json NextStepsToJson(const Domain& domain, const std::string& state, const std::vector<NextStep>& steps,
                                       const FormatOptions& options);

// JSON as one line; bytes that are not UTF-8 (in an echoed input) are replaced.
std::string DumpJson(const nlohmann::ordered_json& json);

// {"error", "position", "understood"}: the last is what comes before the position.
std::string FormatErrorAsJson(const NotationError& error, const std::string& understood);

}  // namespace conpole
