// What the actions of a domain must keep, worked out without the domain's code: every evaluator here reads the text on its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conpole {

struct Facts {
  std::string domain;
  // What is wrong with `next` as the result of the action `label` on `state`; nothing if the action is sound.
  std::optional<std::string> (*find_unsound)(std::string_view state, std::string_view label, std::string_view next);
  // What is wrong with a generated problem beyond its form; nothing if it can be what the generator is meant to draw.
  std::optional<std::string> (*find_impossible)(std::string_view problem);
  std::vector<std::string> solved;    // some states that are solved
  std::vector<std::string> unsolved;  // and some that only look like it
  std::vector<std::string> rare;      // states with actions that random walks seldom meet
};

// Null for a domain that nobody has written facts for yet.
const Facts* FindFacts(std::string_view domain);

}  // namespace conpole
