#include "domains/axioms/equation_templates.h"

#include <algorithm>
#include <initializer_list>
#include <set>

#include <fmt/format.h>

#include "conpole/error.h"
#include "domains/axioms/equations.h"
#include "domains/axioms/term.h"
#include "util/read_file.h"

namespace conpole {
namespace {

using Shapes = std::vector<std::string>;

// Every shape of `outer` with its # replaced by every shape of `inner`.
Shapes Fill(const Shapes& outer, const Shapes& inner) {
  Shapes filled;
  for (const std::string& shape : outer) {
    const std::size_t hole = shape.find('#');
    for (const std::string& part : inner) filled.push_back(shape.substr(0, hole) + part + shape.substr(hole + 1));
  }
  return filled;
}

Shapes Union(std::initializer_list<Shapes> groups) {
  Shapes all;
  for (const Shapes& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

// How the built-in collection is composed. n stands for any number. First the expressions with an unknown, by what they ask of
// the solver; then three kinds of equation: an expression equals a constant (either way round), the unknown equals a constant
// expression, and expressions with an unknown on both sides.
Shapes ComposeShapes() {
  const Shapes one_step = {"(x + n)", "(n + x)", "(x - n)", "(n - x)", "nx", "(x / n)", "(n / x)"};
  const Shapes two_steps = Fill({"(# + n)", "(n + #)", "(# - n)", "(n - #)"}, {"nx", "(x / n)", "(n / x)", "(nx / n)"});
  const Shapes parentheses =
      Union({Fill({"(n * #)", "(# / n)"}, {"(x + n)", "(n + x)", "(x - n)", "(n - x)", "(nx + n)", "(nx - n)"}),
             {"((n * (x + n)) + n)", "((n * (x - n)) - n)", "(n - (n * (x + n)))"}});
  const Shapes collect = {"(nx + nx)",       "(nx - nx)",       "(x + nx)",        "(x - nx)",        "((nx + n) + n)",
                          "((nx - n) - n)",  "((n - nx) - n)",  "((n + nx) - n)",  "((nx + n) + nx)", "((nx - n) - nx)",
                          "((n + nx) + nx)", "((n - nx) - nx)", "(nx + (nx + n))", "(nx - (nx - n))"};
  const Shapes nested_negatives = {"(n - (n - x))", "(n - (x - n))", "(n - (n - nx))", "(n - (n - (n - x)))",
                                   "((n - x) - (n - n))"};
  const Shapes fractions = {"((n / n) * x)",       "(nx / n)",      "((nx / n) + (nx / n))",
                            "(((n / n) * x) + n)", "((x / n) / n)", "((x / n) - (x / n))"};
  const Shapes denominators = {"(n / nx)",
                               "(nx / x)",
                               "((n / x) * x)",
                               "((n / x) / n)",
                               "((n / x) + (n / x))",
                               "((n + (n / x)) * x)",
                               "((n - (n / x)) * x)",
                               "((nx + n) / x)"};

  const Shapes unknown = Union({one_step, two_steps, parentheses, collect, nested_negatives, fractions, denominators});
  const Shapes to_constant = Union({Fill({"# = n", "n = #", "# = (n - n)"}, unknown), Fill({"(n / n) = #"}, one_step)});

  const Shapes constant = {"n", "(n + n)", "(n - n)", "(n * n)", "(n / n)", "((n + n) - n)", "((n - n) / n)", "(n * (n - n))"};
  const Shapes to_unknown = Fill({"x = #", "# = x"}, constant);

  const Shapes linear = {"nx", "(nx + n)", "(n + nx)", "(nx - n)", "(n - nx)"};
  const Shapes both_sides = Union({Fill(Fill({"# = #"}, linear), linear), Fill({"x = #", "# = x"}, linear),
                                   Fill({"# = nx", "nx = #"}, Union({parentheses, collect, nested_negatives, denominators})),
                                   Fill({"# = (nx + n)", "(n - nx) = #"}, Union({parentheses, collect}))});
  return Union({to_constant, to_unknown, both_sides});
}

// The canonical text of a shape with its placeholders as numbers.
EquationTemplate MakeTemplate(std::string_view shape) {
  std::string equation(shape);
  std::replace(equation.begin(), equation.end(), 'n', '1');
  Term<EquationNotation> term;
  Malformed error;
  if (!term.Read(equation, error)) throw Error(fmt::format("built-in shape '{}': {}", shape, error.message.english()));
  return {std::string(term.text()), false};
}

}  // namespace

std::vector<EquationTemplate> BuiltInTemplates() {
  std::vector<EquationTemplate> templates;
  std::set<std::string> seen;
  for (const std::string& shape : ComposeShapes()) {
    if (seen.insert(shape).second) templates.push_back(MakeTemplate(shape));
  }
  return templates;
}

std::vector<EquationTemplate> ParseTemplates(std::string_view text, std::string_view source) {
  std::vector<EquationTemplate> templates;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    const bool literal = line.front() == '!';
    if (literal) line.remove_prefix(1);
    Term<EquationNotation> term;
    Malformed error;
    if (!term.Read(line, error)) {
      throw Error(fmt::format("{}:{}: position {}: {}", source, line_number, error.position + (literal ? 1 : 0),
                              error.message.english()));
    }
    templates.push_back({std::string(term.text()), literal});
  }
  if (templates.empty()) throw Error(fmt::format("{}: no equation templates in it", source));
  return templates;
}

std::vector<EquationTemplate> ReadTemplateFile(const std::string& path) {
  return ParseTemplates(ReadRegularFile(path, kMaxTemplateFileBytes), path);
}

}  // namespace conpole
