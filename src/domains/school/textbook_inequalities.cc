// Inequalities in one letter: linear ones line by line, all others by where both sides are equal or undefined and what holds
// between these points.
#include <algorithm>
#include <cmath>
#include <utility>

#include "domains/school/textbook.h"
#include "domains/school/textbook_value.h"

namespace conpole::textbook {
namespace {

constexpr std::string_view kNoNumber = "no solution";
constexpr std::string_view kEveryNumber = "every number";

std::string Turned(const std::string& sign) {
  if (sign == "<") return ">";
  if (sign == ">") return "<";
  if (sign == "<=") return ">=";
  if (sign == ">=") return "<=";
  return sign;
}

// Where absolute values change their form, and where sides are equal or not defined.
void CollectPoints(const Ptr& tree, const std::string& letter, std::vector<Ptr>& points) {
  for (const Ptr& arg : tree->args) CollectPoints(arg, letter, points);
  const auto add_roots = [&](const Ptr& of) {
    const auto roots = RootsOf(of, MakeNumber(0), letter);
    if (!roots) throw Refusal{"the points where this changes cannot be written exactly"};
    points.insert(points.end(), roots->begin(), roots->end());
  };
  if (tree->Is(Op::kQuotient) && HasLetter(tree->args[1], letter)) add_roots(tree->args[1]);
  if (tree->Is(Op::kAbs) && HasLetter(tree->args[0], letter)) add_roots(tree->args[0]);
  const bool other = tree->Is(Op::kRoot) || tree->Is(Op::kLog) || (tree->Is(Op::kPower) && !tree->args[1]->Is(Op::kNumber));
  if (other && HasLetter(tree, letter)) throw Refusal{"inequalities with roots, powers and logarithms are not solved here"};
}

// Every absolute value with one sign or the other.
void WithoutAbs(const Ptr& tree, std::vector<Ptr>& forms) {
  constexpr std::size_t kMaxForms = 16;
  if (tree->args.empty()) {
    forms.push_back(tree);
    return;
  }
  std::vector<std::vector<Ptr>> choices{{}};
  for (const Ptr& arg : tree->args) {
    std::vector<Ptr> inner;
    WithoutAbs(arg, inner);
    std::vector<std::vector<Ptr>> next;
    for (const auto& choice : choices) {
      for (const Ptr& form : inner) {
        next.push_back(choice);
        next.back().push_back(form);
      }
    }
    choices = std::move(next);
    if (choices.size() > kMaxForms) throw Refusal{"there are too many absolute values in this"};
  }
  for (std::vector<Ptr>& choice : choices) {
    if (tree->Is(Op::kAbs)) {
      forms.push_back(choice[0]);
      forms.push_back(MakeNegation(choice[0]));
      continue;
    }
    auto copy = std::make_shared<Tree>(*tree);
    copy->args = std::move(choice);
    forms.push_back(copy);
  }
}

// A statement built of inequalities, "and" and "or".
struct Statement {
  std::vector<std::vector<Relation>> alternatives;  // of which one holds; each is a list that holds together
};

Statement ReadStatement(const std::string& body) {
  Statement statement;
  for (const std::string& part : SplitAt(body, " or ")) {
    std::vector<Relation> together;
    for (const std::string& piece : SplitAt(part, " and ")) {
      // a < b < c
      std::vector<Ptr> sides;
      std::vector<std::string> signs;
      std::size_t begin = 0;
      for (std::size_t at = 0; at < piece.size(); ++at) {
        if (piece[at] != '<' && piece[at] != '>') continue;
        const bool equal = at + 1 < piece.size() && piece[at + 1] == '=';
        sides.push_back(ReadTree(piece.substr(begin, at - begin)));
        signs.emplace_back(piece.substr(at, equal ? 2 : 1));
        begin = at + (equal ? 2 : 1);
        at = begin - 1;
      }
      sides.push_back(ReadTree(piece.substr(begin)));
      for (std::size_t i = 0; i < signs.size(); ++i) together.push_back({sides[i], signs[i], sides[i + 1]});
    }
    statement.alternatives.push_back(std::move(together));
  }
  return statement;
}

bool Holds(const Relation& relation, const std::string& letter, double at, bool exactly_equal) {
  const std::map<std::string, double> values{{letter, at}};
  const double left = Approximate(relation.left, values);
  const double right = Approximate(relation.right, values);
  if (std::isnan(left) || std::isnan(right) || std::isinf(left) || std::isinf(right)) return false;
  constexpr double kClose = 1e-9;
  const bool equal = exactly_equal && std::abs(left - right) <= kClose * std::max({1.0, std::abs(left), std::abs(right)});
  if (equal) return relation.sign == "<=" || relation.sign == ">=";
  return relation.sign[0] == '<' ? left < right : left > right;
}

bool Holds(const Statement& statement, const std::string& letter, double at, bool exactly_equal) {
  return std::any_of(statement.alternatives.begin(), statement.alternatives.end(), [&](const auto& together) {
    return std::all_of(together.begin(), together.end(),
                       [&](const Relation& relation) { return Holds(relation, letter, at, exactly_equal); });
  });
}

// Whether a side is undefined at an exact point, where doubles may miss the zero below the line.
bool IsDefined(const Ptr& tree, const std::string& letter, const Ptr& at) {
  try {
    ValueOf(Substitute(tree, letter, at));
    return true;
  } catch (const Refusal&) {
    return false;
  }
}

std::string SolvedText(const Statement& statement, const std::string& letter) {
  std::vector<Ptr> points;
  bool may_be_equal = false;  // whether sides are the same over a whole interval, as those of z <= z
  for (const auto& together : statement.alternatives) {
    for (const Relation& relation : together) {
      for (const Ptr& side : {relation.left, relation.right}) {
        if (HasLetter(side, "i")) throw Refusal{"complex numbers have no order"};
      }
      CollectPoints(relation.left, letter, points);
      CollectPoints(relation.right, letter, points);
      std::vector<Ptr> lefts;
      std::vector<Ptr> rights;
      WithoutAbs(relation.left, lefts);
      WithoutAbs(relation.right, rights);
      for (const Ptr& left : lefts) {
        for (const Ptr& right : rights) {
          if (IsZero(Add(ValueOf(left), ValueOf(right), -1))) {
            may_be_equal = true;
            continue;
          }
          const auto roots = RootsOf(left, right, letter);
          if (!roots) throw Refusal{"the points where this changes cannot be written exactly"};
          points.insert(points.end(), roots->begin(), roots->end());
        }
      }
    }
  }
  std::sort(points.begin(), points.end(), [](const Ptr& a, const Ptr& b) { return Approximate(a, {}) < Approximate(b, {}); });
  points.erase(std::unique(points.begin(), points.end(), [](const Ptr& a, const Ptr& b) { return TextOf(a) == TextOf(b); }),
               points.end());
  std::vector<double> sizes;
  for (const Ptr& point : points) sizes.push_back(Approximate(point, {}));
  // Intervals and points in turn: in[2i] is the interval before point i, in[2i + 1] the point.
  std::vector<bool> in;
  for (std::size_t i = 0; i <= points.size(); ++i) {
    const double middle = points.empty()       ? 0
                          : i == 0             ? sizes.front() - 1
                          : i == points.size() ? sizes.back() + 1
                                               : (sizes[i - 1] + sizes[i]) / 2;
    in.push_back(Holds(statement, letter, middle, may_be_equal));
    if (i == points.size()) break;
    bool at = Holds(statement, letter, sizes[i], true);
    for (const auto& together : statement.alternatives) {
      for (const Relation& relation : together) {
        at = at && IsDefined(relation.left, letter, points[i]) && IsDefined(relation.right, letter, points[i]);
      }
    }
    in.push_back(at);
  }
  std::string text;
  for (std::size_t begin = 0; begin < in.size(); ++begin) {
    if (!in[begin]) continue;
    std::size_t end = begin;
    while (end + 1 < in.size() && in[end + 1]) ++end;
    std::string piece;
    const std::string& x = letter;
    const bool from_point = begin % 2 == 1;
    const bool to_point = end % 2 == 1;
    const bool low = begin > 0;
    const bool high = end + 1 < in.size();
    const auto low_text = [&] { return TextOf(points[from_point ? begin / 2 : begin / 2 - 1]); };
    const auto high_text = [&] { return TextOf(points[end / 2]); };
    if (!low && !high) {
      piece = kEveryNumber;
    } else if (from_point && begin == end) {
      piece = x + " = " + low_text();
    } else if (!low) {
      piece = x + (to_point ? " <= " : " < ") + high_text();
    } else if (!high) {
      piece = x + (from_point ? " >= " : " > ") + low_text();
    } else {
      piece = low_text() + (from_point ? " <= " : " < ") + x + (to_point ? " <= " : " < ") + high_text();
    }
    if (!text.empty()) text += " or ";
    text += piece;
    begin = end;
  }
  return text.empty() ? std::string(kNoNumber) : text;
}

// Whether both sides brought together have all denominators that the sides have.
bool KeepsDenominators(const Relation& relation, const Value& value, const std::string& letter) {
  std::vector<Ptr> divisors;
  const auto collect = [&](const auto& self, const Ptr& tree) -> void {
    for (const Ptr& arg : tree->args) self(self, arg);
    if (tree->Is(Op::kQuotient) && HasLetter(tree->args[1], letter)) divisors.push_back(tree->args[1]);
  };
  collect(collect, relation.left);
  collect(collect, relation.right);
  if (divisors.empty()) return true;
  const Value below{value.below, NumberValueOf(1).above};
  return divisors.size() == 1 && TextOf(Factored(ValueOf(divisors[0]))) == TextOf(Factored(below));
}

// "x < 3", "2 <= x < 5" and "x = 1", in simplest form.
bool IsRange(const std::string& piece, const std::string& letter) {
  const Statement statement = [&] {
    if (piece.find('<') == std::string::npos && piece.find('>') == std::string::npos) {
      return Statement{{{ReadRelation(piece)}}};
    }
    return ReadStatement(piece);
  }();
  const auto& together = statement.alternatives.front();
  const auto plain = [&](const Ptr& side) { return !HasLetter(side, letter) && TextOf(Normal(side)) == TextOf(side); };
  const auto is_letter = [&](const Ptr& side) { return side->Is(Op::kLetter) && side->name == letter; };
  if (piece.find(" and ") != std::string::npos) return false;
  if (together.size() == 1) return is_letter(together[0].left) && plain(together[0].right);
  return together.size() == 2 && plain(together[0].left) && is_letter(together[0].right) && plain(together[1].right) &&
         together[0].sign[0] == '<' && together[1].sign[0] == '<' &&
         Approximate(together[0].left, {}) < Approximate(together[1].right, {});
}

}  // namespace

std::optional<Line> NextLineOfInequality(const Exercise& exercise) {
  const std::string& letter = exercise.letters.front();
  const std::string& body = exercise.body;
  if (body == kNoNumber || body == kEveryNumber) return std::nullopt;
  const std::vector<std::string> pieces = SplitAt(body, " or ");
  const bool ranges =
      std::all_of(pieces.begin(), pieces.end(), [&](const std::string& piece) { return IsRange(piece, letter); });
  if (ranges && pieces.size() == 1) return std::nullopt;
  Statement statement;
  if (ranges) {
    // Ranges that do not touch are an answer.
    for (const std::string& piece : pieces) {
      if (piece.find(" = ") != std::string::npos) return std::nullopt;
    }
    const std::string text = SolvedText(ReadStatement(body), letter);
    if (text == body) return std::nullopt;
    return Line{"put-together", text};
  }
  statement = ReadStatement(body);
  // One linear inequality, line by line.
  if (statement.alternatives.size() == 1 && statement.alternatives[0].size() == 1) {
    const Relation& relation = statement.alternatives[0][0];
    if (!Has(relation.left, Op::kAbs) && !Has(relation.right, Op::kAbs)) {
      const auto c = CoefficientsOf(Add(ValueOf(relation.left), ValueOf(relation.right), -1), letter);
      const std::optional<Exact> factor = c && c->size() == 2 ? RationalOf(c->back()) : std::nullopt;
      if (factor) {
        const Ptr right = TreeOf(Multiply(NumberValueOf(-1), (*c)[0]));
        const Ptr left = TreeOf(Multiply(c->back(), ValueOf(MakeLetter(letter))));
        const Relation moved{left, relation.sign, right};
        const bool is_moved = TextOf(Normal(relation.left)) == TextOf(left) && TextOf(relation.right) == TextOf(right);
        if (!is_moved && *factor != 1) return Line{"isolate", TextOf(moved)};
        const Relation bound{MakeLetter(letter), *factor < 0 ? Turned(relation.sign) : relation.sign,
                             TreeOf(Divide(Multiply(NumberValueOf(-1), (*c)[0]), c->back()))};
        return Line{*factor == 1 ? "isolate" : *factor < 0 ? "turn" : "divide-by", TextOf(bound)};
      }
      if (!c || c->size() > 2) {
        // Everything on one side, as a product.
        const Value value = Add(ValueOf(relation.left), ValueOf(relation.right), -1);
        if (!KeepsDenominators(relation, value, letter)) return Line{"sign-table", SolvedText(statement, letter)};
        const Ptr product = Factored(value);
        const Relation factored{product, relation.sign, MakeNumber(0)};
        const bool is_product = TextOf(relation.left) == TextOf(product) && relation.right->IsNumber(0);
        if (!is_product && !relation.right->IsNumber(0)) {
          return Line{"to-one-side", TextOf(Relation{TreeOf(value), relation.sign, MakeNumber(0)})};
        }
        if (!is_product && TextOf(product) != TextOf(relation.left)) return Line{"factorise", TextOf(factored)};
      }
    } else if (relation.left->Is(Op::kAbs) && !HasLetter(relation.right, letter)) {
      const double size = Approximate(relation.right, {});
      const Ptr& inside = relation.left->args[0];
      if (size > 0 && relation.sign[0] == '<') {
        return Line{"cases", TextOf(Normal(MakeNegation(relation.right))) + " " + relation.sign + " " + TextOf(inside) + " " +
                                 relation.sign + " " + TextOf(relation.right)};
      }
      if (size > 0) {
        return Line{"cases", TextOf(Relation{inside, Turned(relation.sign), Normal(MakeNegation(relation.right))}) + " or " +
                                 TextOf(Relation{inside, relation.sign, relation.right})};
      }
    }
  }
  return Line{"sign-table", SolvedText(statement, letter)};
}

}  // namespace conpole::textbook
