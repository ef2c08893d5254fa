// Lines for those who do not read plain text: as MathML for browsers, in words for ears, as data for pictures. Any thread may
// call any of this. All of it throws Error if there is no such language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "notation/picture.h"

namespace conpole {

struct Markup {
  std::string notation;  // in plain text, as people read it
  std::string mathml;    // a <math> element
  std::string speech;
  std::optional<Picture> picture = {};
};

// A line of which a step changed parts: these are in <mrow class="changed">, and the picture says what moved.
struct StepMarkup : Markup {
  std::string before_mathml;  // the line before, with what will change marked in the same way
};

// Both require canonical text.
Markup MarkupOf(const Domain& domain, const std::string& state, std::string_view language = "en");
StepMarkup MarkupOfStep(const Domain& domain, const std::string& before, const std::string& after,
                        std::string_view language = "en");
// Of a solution's answer, TutorSolution::answer: without a picture.
Markup MarkupOfAnswer(const Domain& domain, const std::string& answer, std::string_view language = "en");

// The problem and the lines of its solution as one picture, in SVG: curves that meet at the answer, the answer on the number
// line, or fractions as bars; a balance if it is asked for. Nothing if there is none.
std::optional<std::string> DrawLines(const Domain& domain, const std::vector<std::string>& states, bool as_balance);

}  // namespace conpole
