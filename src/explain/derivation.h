// A school step opened into axioms: the same change, made by axioms of another domain, each of which is one of that domain's
// successors of the state before it. Plain data; any thread may use it. What opens steps is Subject::Derive.
#pragma once

#include <string>
#include <vector>

namespace conpole {

struct Derivation {
  // One axiom. Where `before` is not the `after` of the line above, another part of the step begins.
  struct Line {
    std::string label;
    std::string before;
    std::string after;
  };
  std::string domain;         // its Spec(); empty if the step was not opened
  std::vector<Line> lines;    // none if both lines of the step are the same state of that domain
  std::string sentence = {};  // the catalogue's entry that says why a step was not opened

  // Whether the lines say all that the step says. They do not if they are about a part of it, or if it has conditions.
  bool complete = false;

  bool opened() const { return !domain.empty(); }
};

}  // namespace conpole
