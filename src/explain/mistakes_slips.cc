// Errors in working out one part of a line: what it was, and what the learner made of it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "explain/mistake_rules.h"

namespace conpole::mistakes {
namespace {

namespace mp = boost::multiprecision;

using algebra::Exact;
using algebra::Integer;
using algebra::Kind;
using algebra::Node;
using algebra::NormalForm;
using algebra::Polynomial;

Exact Power10(unsigned places) { return Exact(mp::pow(Integer(10), places)); }
bool IsWholeNumber(const Exact& number) { return mp::denominator(number) == 1; }

std::optional<NormalForm> SlipForm(const Node& node) {
  algebra::FormResult result = algebra::FindNormalForm(node);
  if (result.fault) return std::nullopt;
  return std::move(result.form);
}

// What a part was, and what it is now.
struct Slip {
  const Node& was;
  const Node& is;
  std::optional<NormalForm> old_form;
  std::optional<NormalForm> new_form;
  bool had_unknown;  // 6/x * x has none
  bool has_unknown;
  std::optional<Exact> old_number;  // its value, if it is a number
  std::optional<Exact> new_number;
  std::vector<Exact> operands;  // of two numbers to be worked out, without their signs

  Slip(const Node& old_part, const Node& new_part)
      : was(old_part),
        is(new_part),
        old_form(SlipForm(was)),
        new_form(SlipForm(is)),
        had_unknown(old_form ? !old_form->IsNumber() : algebra::Contains(was, Kind::kUnknown)),
        has_unknown(new_form ? !new_form->IsNumber() : algebra::Contains(is, Kind::kUnknown)) {
    if (!had_unknown && old_form) old_number = old_form->Number();
    if (!has_unknown && new_form) new_number = new_form->Number();
    const Node& size = WithoutSign(was);
    if (size.children.size() != 2 || size.Is(Kind::kMixed)) return;
    for (const Node& child : size.children) {
      const std::optional<Exact> value =
          algebra::Contains(child, Kind::kUnknown) ? std::nullopt : algebra::NumberValue(WithoutSign(child));
      if (value) operands.push_back(*value);
    }
    if (operands.size() != 2) operands.clear();
  }

  bool numbers() const { return old_number && new_number; }
  bool WasA(Kind kind) const { return WithoutSign(was).Is(kind); }

  // Whether the new number is this one, or this one with places left out, the last one not exactly right.
  bool IsNear(const Exact& number) const {
    if (*new_number == number) return true;
    const Node& size = WithoutSign(is);
    return size.Is(Kind::kDecimal) && abs(*new_number - number) * Power10(size.exponent) < 2;
  }
  bool IsNearUpToSign(const Exact& number) const { return IsNear(number) || IsNear(Exact(-number)); }
};

bool IsRounded(const Slip& slip) { return slip.numbers() && slip.IsNear(*slip.old_number); }

bool LostUnknown(const Slip& slip) { return slip.had_unknown && !slip.has_unknown; }
bool GainedUnknown(const Slip& slip) { return !slip.had_unknown && slip.has_unknown; }

bool IsOpposite(const Slip& slip) {
  if (slip.numbers()) return *slip.old_number != 0 && slip.IsNear(Exact(-*slip.old_number));
  if (!slip.old_form || !slip.new_form || slip.old_form->denominator != slip.new_form->denominator) return false;
  return algebra::Scale(slip.old_form->numerator, -1) == slip.new_form->numerator;
}
bool IsProductSign(const Slip& slip) { return (slip.WasA(Kind::kProduct) || slip.WasA(Kind::kQuotient)) && IsOpposite(slip); }

// The same but for the sign of one power of the unknown.
bool IsOneSign(const Slip& slip) {
  if (IsOpposite(slip)) return true;
  if (!slip.old_form || !slip.new_form || slip.old_form->denominator != slip.new_form->denominator) return false;
  const Polynomial& a = slip.old_form->numerator;
  const Polynomial& b = slip.new_form->numerator;
  if (a.size() != b.size()) return false;
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (a[i] != -b[i]) return false;
    ++different;
  }
  return different == 1;
}

// Nothing was to be worked out: 13, x, 4x.
bool WasCopied(const Slip& slip) {
  const auto is_written_out = [](const Node& node) {
    return node.Is(Kind::kNumber) || node.Is(Kind::kDecimal) || node.Is(Kind::kMixed) || node.Is(Kind::kUnknown);
  };
  const Node& size = WithoutSign(slip.was);
  if (is_written_out(size)) return true;
  return size.Is(Kind::kProduct) && size.children.size() == 2 && !algebra::Contains(size.children[0], Kind::kUnknown) &&
         is_written_out(size.children[0]) && size.children[1].Is(Kind::kUnknown);
}

bool HasMovedPoint(const Slip& slip) {
  if (!slip.numbers() || *slip.old_number == 0 || *slip.new_number == 0) return false;
  constexpr unsigned kMostPlaces = 6;
  for (unsigned places = 1; places <= kMostPlaces; ++places) {
    for (const Exact& moved : {Exact(*slip.old_number * Power10(places)), Exact(*slip.old_number / Power10(places))}) {
      if (slip.IsNear(moved)) return true;
      // The point was left out: 42435 for 0.42435...
      if (IsWholeNumber(*slip.new_number) && abs(*slip.new_number) > 99 && abs(abs(*slip.new_number) - abs(moved)) < 1)
        return true;
    }
  }
  return false;
}

bool IsUpsideDown(const Slip& slip) {
  if (!slip.numbers() || !slip.WasA(Kind::kQuotient) || *slip.old_number == 0) return false;
  return slip.IsNearUpToSign(Exact(1 / *slip.old_number));
}

bool IsOfOtherOperation(const Slip& slip) {
  if (!slip.numbers() || slip.operands.size() != 2) return false;
  const Exact& a = slip.operands[0];
  const Exact& b = slip.operands[1];
  std::vector<Exact> others{a + b, a - b, a * b};
  if (b != 0) others.emplace_back(a / b);
  if (a != 0) others.emplace_back(b / a);
  return std::any_of(others.begin(), others.end(),
                     [&](const Exact& other) { return abs(other) != abs(*slip.old_number) && slip.IsNearUpToSign(other); });
}

bool KeepsOneOperand(const Slip& slip) {
  if (!slip.numbers()) return false;
  return std::any_of(slip.operands.begin(), slip.operands.end(),
                     [&](const Exact& operand) { return abs(*slip.new_number) == operand; });
}

bool IsWholePart(const Slip& slip) {
  if (!slip.numbers() || !slip.WasA(Kind::kQuotient) || IsWholeNumber(*slip.old_number)) return false;
  return IsWholeNumber(*slip.new_number) && abs(abs(*slip.old_number) - abs(*slip.new_number)) < 1;
}
// A whole number that has nothing to do with it.
bool IsWholeByForce(const Slip& slip) {
  return slip.numbers() && slip.WasA(Kind::kQuotient) && !IsWholeNumber(*slip.old_number) && IsWholeNumber(*slip.new_number);
}

// A decimal that begins as it should.
bool HasWrongDigit(const Slip& slip) {
  if (!slip.numbers() || IsWholeNumber(*slip.new_number) || !WithoutSign(slip.is).Is(Kind::kDecimal)) return false;
  constexpr int kShare = 20;
  return abs(*slip.old_number - *slip.new_number) * kShare < abs(*slip.old_number);
}

bool IsReducedUnevenly(const Slip& slip) {
  const auto is_fraction = [](const Node& node) {
    return node.Is(Kind::kQuotient) && !WithoutSign(node.children[0]).Is(Kind::kQuotient);
  };
  return slip.numbers() && slip.operands.size() == 2 && is_fraction(WithoutSign(slip.was)) && is_fraction(WithoutSign(slip.is));
}

// x/2 as 2x.
bool IsQuotientAsProduct(const Slip& slip) {
  if (!slip.old_form || !slip.new_form || !slip.old_form->IsPolynomial() || !slip.new_form->IsPolynomial()) return false;
  const Polynomial& a = slip.old_form->numerator;
  const Polynomial& b = slip.new_form->numerator;
  if (!slip.WasA(Kind::kQuotient) || a.size() != 2 || b.size() != 2 || abs(a[1] * b[1]) != 1) return false;
  return abs(a[1]) != 1 && !algebra::Contains(slip.was, Kind::kSum);
}

// (4x + 6)/2 as 2x + 6, with slips besides.
bool DividesSomeTerms(const Slip& slip) {
  const Node& size = WithoutSign(slip.was);
  if (!size.Is(Kind::kQuotient) || !size.children[0].Is(Kind::kSum) || !slip.new_form) return false;
  const std::optional<NormalForm> above = SlipForm(size.children[0]);
  if (!above) return false;
  const Polynomial& a = above->numerator;
  const Polynomial& b = slip.new_form->numerator;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != 0 && abs(a[i]) == abs(b[i])) return true;
  }
  return false;
}

bool WasSum(const Slip& slip) { return slip.WasA(Kind::kSum); }
bool WasProduct(const Slip& slip) { return slip.WasA(Kind::kProduct); }
bool WasQuotient(const Slip& slip) { return slip.WasA(Kind::kQuotient); }
bool WasPower(const Slip&) { return true; }  // what is left

struct SlipRule {
  std::string_view name;
  bool (*fits)(const Slip&);
};
// The first that fits is named.
constexpr std::array kSlips{
    SlipRule{"rounded", IsRounded},
    SlipRule{"lost_unknown", LostUnknown},
    SlipRule{"gained_unknown", GainedUnknown},
    SlipRule{"product_sign", IsProductSign},
    SlipRule{"sign", IsOneSign},
    SlipRule{"copied", WasCopied},
    SlipRule{"place_value", HasMovedPoint},
    SlipRule{"upside_down", IsUpsideDown},
    SlipRule{"other_operation", IsOfOtherOperation},
    SlipRule{"part_kept", KeepsOneOperand},
    SlipRule{"whole_part", IsWholePart},
    SlipRule{"not_whole", IsWholeByForce},
    SlipRule{"wrong_digit", HasWrongDigit},
    SlipRule{"reduced_unevenly", IsReducedUnevenly},
    SlipRule{"quotient_as_product", IsQuotientAsProduct},
    SlipRule{"divided_one_term", DividesSomeTerms},
    SlipRule{"sum_slip", WasSum},
    SlipRule{"product_slip", WasProduct},
    SlipRule{"quotient_slip", WasQuotient},
    SlipRule{"power_slip", WasPower},
};

}  // namespace

std::string_view NameSlip(const Node& was, const Node& is) {
  const Slip slip(was, is);
  return std::find_if(kSlips.begin(), kSlips.end(), [&](const SlipRule& rule) { return rule.fits(slip); })->name;
}

}  // namespace conpole::mistakes
