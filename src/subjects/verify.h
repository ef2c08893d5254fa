// Whether an answer is right, by other means than the axioms that produced it. Each subject has its own (subjects/subject.h):
// equations are analysed as rational functions, fractions, products and ternary sums by their exact value, lists by their bars,
// the cube by turning a body in space. Of a domain without a subject nothing can be told. Any thread may call any of this.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conpole/domain.h"
#include "conpole/verdict.h"

namespace conpole {

// Whether `answer` is a solved state and the whole answer to `problem`: for an equation, its only solution. What is no solved
// state is wrong; of a problem that is no canonical text nothing can be told.
Verdict VerifyAnswer(const Domain& domain, std::string_view problem, std::string_view answer);

// The same for a solution: the states from the problem to the answer. Of the cube, every turn is made again.
Verdict VerifyPath(const Domain& domain, std::span<const std::string> path);

// right, wrong or cannot_tell.
std::string_view NameOf(Verdict verdict);

}  // namespace conpole
