#include "domains/axioms/abstractions.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "util/read_number.h"
#include "util/text.h"

namespace conpole {
namespace {

constexpr std::string_view kTitle = "conpole abstractions 1 for ";

// Takes what stands before the separator, or all, from the front of the text.
std::string_view TakeUntil(std::string_view& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return taken;
}

bool IsPath(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == 'L' || c == 'R'; });
}

AbstractStep ParseStep(std::string_view text) {
  std::string_view rest = Trimmed(text);
  AbstractStep step;
  step.axiom = TakeUntil(rest, " ");
  if (step.axiom.empty()) throw Error("a step without an axiom");
  rest = Trimmed(rest);
  if (rest.starts_with('@')) {
    std::string_view place = TakeUntil(rest, " ").substr(1);
    const std::optional<std::size_t> up = ReadNumber<std::size_t>(TakeUntil(place, ":"));
    if (!up || *up > kMaxStateBytes || !IsPath(place)) throw Error(fmt::format("'{}' is no step: a place is @UP:PATH", text));
    step.place = {*up, std::string(place)};
    rest = Trimmed(rest);
  }
  if (rest.starts_with("of ")) {
    const std::string_view path = Trimmed(rest.substr(3));
    if (path.empty() || !IsPath(path)) throw Error(fmt::format("'{}' is no step: after 'of' there is a path of L and R", text));
    step.operand_at = path;
    rest = {};
  }
  if (!rest.empty()) throw Error(fmt::format("'{}' is no step: expected @UP:PATH or 'of PATH', found '{}'", text, rest));
  return step;
}

Abstraction ParseAbstraction(std::string_view line) {
  Abstraction abstraction;
  const std::size_t remark = line.find('#');
  if (remark != std::string_view::npos) {
    abstraction.remark = Trimmed(line.substr(remark + 1));
    line = line.substr(0, remark);
  }
  if (line.find(':') == std::string_view::npos) throw Error("expected NAME: STEP; STEP...");
  abstraction.name = Trimmed(TakeUntil(line, ":"));
  if (abstraction.name.empty() || abstraction.name.find_first_of(" \t") != std::string::npos) {
    throw Error("the name of an abstraction is one word");
  }
  while (!line.empty()) abstraction.steps.push_back(ParseStep(TakeUntil(line, ";")));
  if (abstraction.steps.size() < 2 || abstraction.steps.size() > kMostAbstractSteps) {
    throw Error(fmt::format("an abstraction has 2 to {} steps, not {}", kMostAbstractSteps, abstraction.steps.size()));
  }
  if (abstraction.steps.front().place) throw Error("the first step may be anywhere: it has no place");
  return abstraction;
}

}  // namespace

std::string FormatSteps(const std::vector<AbstractStep>& steps) {
  return Join(steps, "; ", [](const AbstractStep& step) {
    std::string text = step.axiom;
    if (step.place) text += fmt::format(" @{}:{}", step.place->up, step.place->down);
    if (step.operand_at) text += " of " + *step.operand_at;
    return text;
  });
}

std::string FormatAbstractions(const AbstractionSet& set) {
  std::string text = fmt::format("{}{}\n", kTitle, set.domain);
  for (const Abstraction& abstraction : set.abstractions) {
    text += fmt::format("{}: {}", abstraction.name, FormatSteps(abstraction.steps));
    if (!abstraction.remark.empty()) text += "  # " + abstraction.remark;
    text += '\n';
  }
  return text;
}

AbstractionSet ParseAbstractions(std::string_view text) {
  std::string_view title = Trimmed(TakeUntil(text, "\n"));
  if (!title.starts_with(kTitle) || title.size() == kTitle.size()) {
    throw Error(fmt::format("no abstractions: the first line must be '{}DOMAIN'", kTitle));
  }
  AbstractionSet set{std::string(title.substr(kTitle.size())), {}};
  for (std::size_t number = 2; !text.empty(); ++number) {
    const std::string_view line = Trimmed(TakeUntil(text, "\n"));
    if (line.empty() || line.front() == '#') continue;
    if (set.abstractions.size() == kMostAbstractions) {
      throw Error(fmt::format("more than {} abstractions", kMostAbstractions));
    }
    try {
      set.abstractions.push_back(ParseAbstraction(line));
    } catch (const Error& error) {
      throw Error(fmt::format("line {} of the abstractions: {}", number, error.what()));
    }
  }
  return set;
}

void CheckAbstractions(const DomainType& type, const AbstractionSet& set) {
  if (set.domain != type.name) throw Error(fmt::format("the abstractions are for {}, not for {}", set.domain, type.name));
  const auto is_axiom = [&](const std::string& name) {
    return std::any_of(type.axioms.begin(), type.axioms.end(), [&](const Axiom& axiom) { return axiom.name == name; });
  };
  std::set<std::string> names;
  std::set<std::string> steps;
  for (const Abstraction& abstraction : set.abstractions) {
    if (is_axiom(abstraction.name)) throw Error(fmt::format("an abstraction has the name of the axiom '{}'", abstraction.name));
    if (!names.insert(abstraction.name).second) throw Error(fmt::format("two abstractions are named '{}'", abstraction.name));
    if (!steps.insert(FormatSteps(abstraction.steps)).second) {
      throw Error(fmt::format("the abstraction '{}' is listed twice", abstraction.name));
    }
    for (const AbstractStep& step : abstraction.steps) {
      if (is_axiom(step.axiom)) continue;
      throw Error(fmt::format("the abstraction '{}': {} has no axiom '{}'", abstraction.name, type.name, step.axiom));
    }
  }
}

}  // namespace conpole
