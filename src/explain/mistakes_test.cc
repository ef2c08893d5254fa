// Twenty lines for every typical error, made from numbers, and what must not be taken for one.
#include "explain/mistakes.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "explain/mistake_rules.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "tests/repetitions.h"
#include "tutor/check_step.h"

namespace conpole {
namespace {

struct Wrong {
  std::string before;
  std::string after;
};

// A number with its sign, to stand after a term.
std::string Plus(int n) { return n < 0 ? fmt::format(" - {}", -n) : fmt::format(" + {}", n); }

constexpr int kVariants = 20;

// Numbers that differ from variant to variant.
struct Numbers {
  explicit Numbers(int i) : a(2 + i % 7), b(3 + i % 5 + i / 5), c(11 + 3 * i), d(2 + (i + 3) % 4) {}
  int a, b, c, d;
};

using MakeWrong = std::function<Wrong(int)>;

const std::map<std::string, MakeWrong>& Variants() {
  static const std::map<std::string, MakeWrong> variants{
      {"sign_moved",
       [](int i) -> Wrong {
         const Numbers n(i);
         switch (i % 5) {
           case 0:
             return {fmt::format("{}x + {} = {}", n.a, n.b, n.c), fmt::format("{}x = {}", n.a, n.c + n.b)};
           case 1:
             return {fmt::format("{}x - {} = {}", n.a, n.b, n.c), fmt::format("{}x = {} - {}", n.a, n.c, n.b)};
           case 2:
             return {fmt::format("{}x + {} = x + {}", n.a + 2, n.b, n.c), fmt::format("{}x + {} = {}", n.a + 3, n.b, n.c)};
           case 3:
             return {fmt::format("{} = {}x - {}", n.c, n.a, n.b), fmt::format("{} - {} = {}x", n.c, n.b, n.a)};
           default:
             // And on from there, rightly.
             return {fmt::format("3x + {} = {}", 3 * n.b, 3 * n.c), fmt::format("x = {}", n.c + n.b)};
         }
       }},
      {"divided_sign",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 3 == 0) return {fmt::format("-{}x = {}", n.a, n.a * n.b), fmt::format("x = {}", n.b)};
         if (i % 3 == 1) return {fmt::format("-{}x = -{}", n.a, n.a * n.b), fmt::format("x = -{}", n.b)};
         return {fmt::format("-x = {}", n.c), fmt::format("x = {}", n.c)};
       }},
      {"minus_bracket",
       [](int i) -> Wrong {
         const Numbers n(i);
         switch (i % 4) {
           case 0:
             return {fmt::format("{}x - (x + {}) = {}", n.a + 1, n.b, n.c),
                     fmt::format("{}x - x + {} = {}", n.a + 1, n.b, n.c)};
           case 1:
             return {fmt::format("{} - (x - {}) = {}", n.c, n.b, n.a), fmt::format("{} - x - {} = {}", n.c, n.b, n.a)};
           case 2:
             return {fmt::format("{} - {}(x - {}) = 1", n.c, n.a, n.b), fmt::format("{} - {}x - {} = 1", n.c, n.a, n.a * n.b)};
           default:
             return {fmt::format("x - (x - {})/2 = {}", n.b, n.c), fmt::format("2x - x - {} = {}", n.b, 2 * n.c)};
         }
       }},
      {"first_term_only",
       [](int i) -> Wrong {
         const Numbers n(i);
         switch (i % 4) {
           case 0:
             return {fmt::format("{}(x + {}) = {}", n.a, n.b, n.c), fmt::format("{}x + {} = {}", n.a, n.b, n.c)};
           case 1:
             return {fmt::format("{}(2x - {}) = {}", n.a, n.b, n.c), fmt::format("{}x - {} = {}", 2 * n.a, n.b, n.c)};
           case 2:
             return {fmt::format("{}(x + {}) = {}(x + {})", n.a + 3, n.b, n.a, n.b + 2),
                     fmt::format("{}x + {} = {}x + {}", n.a + 3, n.b, n.a, n.b + 2)};
           default:
             return {fmt::format("{}(x + {}) = {}", n.a, n.b, n.c + 40), fmt::format("{}x = {}", n.a, n.c + 40 - n.b)};
         }
       }},
      {"one_side",
       [](int i) -> Wrong {
         const Numbers n(i);
         switch (i % 4) {
           case 0:
             return {fmt::format("{}x + {} = {}", n.a, n.b, n.c), fmt::format("{}x = {}", n.a, n.c)};
           case 1:
             return {fmt::format("{}x - {} = {}", n.a, n.b, n.c), fmt::format("{}x = {}", n.a, n.c)};
           case 2:
             return {fmt::format("x + {} = {}", n.b, n.c + 40), fmt::format("x + {} = {}", n.b, n.c + 40 - n.b)};
           default:
             return {fmt::format("{}x = {} + x", n.a + 1, n.c), fmt::format("{}x = {}", n.a + 1, n.c)};
         }
       }},
      {"one_side_factor",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 3 == 0) return {fmt::format("{}x = {}", n.a, n.a * n.c), fmt::format("x = {}", n.a * n.c)};
         if (i % 3 == 1) return {fmt::format("x/{} = {}", n.a, n.c), fmt::format("x = {}", n.c)};
         return {fmt::format("(x + {})/{} = {}", n.b, n.a, n.c), fmt::format("x + {} = {}", n.b, n.c)};
       }},
      {"dropped_term",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) {
           return {fmt::format("{}x + {} + 19x = {}", n.a + 1, n.b, n.c), fmt::format("{}x + {} = {}", n.a + 1, n.b, n.c)};
         }
         return {fmt::format("{} + {} + {}", n.c, 10 * n.b + 1, n.a), fmt::format("{}", n.c + 10 * n.b + 1)};
       }},
      {"subtracted_coefficient",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("{}x = {}", n.a, n.a * n.c), fmt::format("x = {}", n.a * n.c - n.a)};
         return {fmt::format("{}x = {}", n.a, n.a * n.c), fmt::format("x = {} - {}", n.a * n.c, n.a)};
       }},
      {"fractions_added",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 3 == 0) return {fmt::format("{}/{} + {}/{}", 1, n.a, 1, n.a + n.d), fmt::format("2/{}", 2 * n.a + n.d)};
         if (i % 3 == 1) {
           return {fmt::format("{}/{} + {}/{}", n.d, n.c + 20, n.d, n.c + 20), fmt::format("{}/{}", 2 * n.d, 2 * n.c + 40)};
         }
         return {fmt::format("x/{} + x/{} = {}", n.a, n.a + 1, n.c), fmt::format("2x/{} = {}", 2 * n.a + 1, n.c)};
       }},
      {"numerators_kept",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}/{} + {}/{}", n.d, n.a, n.d + 1, n.a + 1), fmt::format("{}/{}", 2 * n.d + 1, n.a * (n.a + 1))};
       }},
      {"order",
       [](int i) -> Wrong {
         const Numbers n(i);
         switch (i % 4) {
           case 0:
             return {fmt::format("{} + {} * {}", n.c, n.b, n.a), fmt::format("{}", (n.c + n.b) * n.a)};
           case 1:
             return {fmt::format("{} - {} * {}", n.c + 90, n.b, n.a), fmt::format("{} * {}", n.c + 90 - n.b, n.a)};
           case 2:
             return {fmt::format("{} - {} + {}", n.c + 50, n.b, n.a), fmt::format("{}", n.c + 50 - n.b - n.a)};
           default:
             return {fmt::format("{} + {}(x + 1) = {}", n.b, n.a, n.c), fmt::format("{}(x + 1) = {}", n.a + n.b, n.c)};
         }
       }},
      {"sum_slip",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x + {}x + 1 = {}", n.a, n.b, n.c), fmt::format("{}x + 1 = {}", n.a + n.b + 30, n.c)};
       }},
      {"product_slip",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}(x + {}) = {}", n.a, n.b, n.c), fmt::format("{}x + {} = {}", n.a + 33, n.a * n.b + 41, n.c)};
       }},
      {"quotient_slip",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("({}x + {})/{} = {}", 3 * n.a, 5 * n.a, n.a, n.c), fmt::format("{}x + {} = {}", 31, 67, n.c)};
       }},
      {"power_slip",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("(x + {})^2 = {}", n.b, n.c),
                 fmt::format("x^2 + {}x + {} = {}", 2 * n.b + 31, n.b * n.b + 43, n.c)};
       }},
      {"opposite_sides",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x - {} = {}", n.a, n.b, n.c + 90),
                 fmt::format("{}x - {} - 100 = {} + 100", n.a, n.b, n.c + 90)};
       }},
      {"different_terms",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x + {} = {}", n.a, n.b, n.c), fmt::format("{}x + {} + 90 = {} + 95", n.a, n.b, n.c)};
       }},
      {"opposite_factor",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x + {} = {}", n.a, n.b + 30, n.c), fmt::format("17({}x + {}) = {}/17", n.a, n.b + 30, n.c)};
       }},
      {"rounded",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("x = {}/3", 3 * n.c + 1), fmt::format("x = {}.33", n.c)};
         return {fmt::format("3x = {}", 3 * n.c + 2), fmt::format("x = {}.67", n.c)};
       }},
      {"lost_unknown",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("{}x/{} = {}", n.a, n.a, n.c), fmt::format("1 = {}", n.c)};
         return {fmt::format("{}x + {} - {} = {}", n.a + 7, n.c, n.c, n.b), fmt::format("{} = {}", n.a + 7, n.b)};
       }},
      {"gained_unknown",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x = {} * {}", n.a, n.b, n.c), fmt::format("{}x = {}x", n.a, n.b * n.c)};
       }},
      {"opposite",
       [](int i) -> Wrong {
         const Numbers n(i);
         switch (i % 4) {
           case 0:
             return {fmt::format("x = {} - {}", n.b, n.c + 30), fmt::format("x = {}", n.c + 30 - n.b)};
           case 1:
             return {fmt::format("{}x + {}x = {}", n.a, n.b, n.c), fmt::format("-{}x = {}", n.a + n.b, n.c)};
           case 2:
             return {fmt::format("x = {}/(-7)", 7 * n.c + 1), fmt::format("x = {}.143", n.c)};
           default:
             return {fmt::format("x = {} * (-{})", n.a, n.c), fmt::format("x = {}", n.a * n.c)};
         }
       }},
      {"digit_off",
       [](int i) -> Wrong {
         const Numbers n(i);
         switch (i % 3) {
           case 0:
             return {fmt::format("x = {} + {}", n.b, n.c + 30), fmt::format("x = {}", n.b + n.c + 31)};
           case 1:
             return {fmt::format("{}x + {}x = {}", n.a, n.b + 20, n.c), fmt::format("{}x = {}", n.a + n.b + 21, n.c)};
           default:
             return {fmt::format("x = {} * {}", n.a + 10, n.c + 10), fmt::format("x = {}", (n.a + 10) * (n.c + 10) - 100)};
         }
       }},
      {"factor_added_to_term",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("{}(x - 50) = {}", n.a, n.c), fmt::format("{}x - {} = {}", n.a, 50 - n.a, n.c)};
         return {fmt::format("-{}(x + 50) = {}", n.a, n.c), fmt::format("-{}x + {} = {}", n.a, 50 - n.a, n.c)};
       }},
      {"copied",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x + {} = {}", n.a, n.b, 10 * n.c + 3), fmt::format("{}x + {} = {}", n.a, n.b, 10 * n.c + 8)};
       }},
      {"other_operation",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("x = {} * {}", n.a + 3, n.c), fmt::format("x = {}", n.a + 3 + n.c)};
         return {fmt::format("{}x = {} + {}", n.d, n.b, n.c + 30), fmt::format("{}x = {}", n.d, n.b * (n.c + 30))};
       }},
      {"part_kept",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x = {}/{}", n.c + 1, n.c + 30), fmt::format("x = {}", n.c + 30)};
       }},
      {"whole_part",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x = {}/7", 7 * n.c + 3), fmt::format("x = {}", n.c)};
       }},
      {"not_whole",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x = {}/7", 7 * n.c + 3), fmt::format("x = {}", n.c + 1 + n.a)};
       }},
      {"wrong_digit",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x = {}/7", 700 * n.c + 3), fmt::format("x = {}.{}", 100 * n.c + 1, n.d)};
       }},
      {"reduced_unevenly",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x = {}/{}", 6 * n.c, 35 * n.c + 35), fmt::format("x = {}/{}", 2 * n.c, 5 * n.c + 5)};
       }},
      {"quotient_as_product",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x/{} + {} = {}", n.a, n.b, n.c), fmt::format("{}x + {} = {}", n.a, n.b, n.c)};
       }},
      {"divided_one_term",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("({}x + {})/{} = {}", 2 * n.a, n.a * n.b, n.a, n.c), fmt::format("2x + {} = {}", n.a * n.b, n.c)};
       }},
      {"divided_some_terms",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x + {} = {}", n.a, n.b + 30, n.a * n.c), fmt::format("x + {} = {}", n.b + 30, n.c)};
       }},
      {"multiplied_some_terms",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("x/{} + {} = {}", n.a, n.b, n.c), fmt::format("x + {} = {}", n.b, n.a * n.c)};
         return {fmt::format("x/{} + x/{} + {} = {}", n.a, 2 * n.a, n.b, n.c),
                 fmt::format("2x + x + {} = {}", n.b, 2 * n.a * n.c)};
       }},
      {"cross_multiplied",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("(x + {})/{} = (x - {})/{}", n.b, n.a, n.d, n.a + n.d),
                 fmt::format("{}(x + {}) = {}(x - {})", n.a, n.b, n.a + n.d, n.d)};
       }},
      {"denominators_dropped",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("({}x + {})/{} = (x - {})/{}", n.a + 2, n.b, n.a, n.d, n.a + n.d),
                 fmt::format("{}x + {} = x - {}", n.a + 2, n.b, n.d)};
       }},
      {"wrong_inverse",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("{}x = {}", n.a, n.c), fmt::format("x = {}", n.a * n.c)};
         return {fmt::format("x/{} = {}", n.a, n.a * n.c), fmt::format("x = {}", n.c)};
       }},
      {"added_denominator",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x/{} = {}", n.a, n.c), fmt::format("x = {}", i % 2 == 0 ? n.c + n.a : n.c - n.a)};
       }},
      {"divided_upside_down",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x = {}", n.a, n.c), fmt::format("x = {}/{}", n.a, n.c)};
       }},
      {"divided_instead",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x + {} = {}", n.b, n.b * n.c), fmt::format("x = {}", n.c)};
       }},
      {"subtracted_backwards",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x + {} = {}", n.b, n.c + 20), fmt::format("x = -{}", n.c + 20 - n.b)};
       }},
      {"turned_over_terms",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("1/x = 1/{} + 1/{}", n.a, n.a + n.b), fmt::format("x = {} + {}", n.a, n.a + n.b)};
       }},
      {"square_of_sum",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("(x + {})^2 = {}", n.b, n.c), fmt::format("x^2 + {} = {}", n.b * n.b, n.c)};
         return {fmt::format("(x - {})^2 = {}", n.b, n.c), fmt::format("x^2 - {} = {}", n.b * n.b, n.c)};
       }},
      {"brackets_product",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("(x + {})(x + {}) = {}", n.a, n.b + 9, n.c), fmt::format("x^2 + {} = {}", n.a * (n.b + 9), n.c)};
       }},
      {"bracket_sign",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}(x - {}) = {}", n.a, n.b, n.c), fmt::format("{}x + {} = {}", n.a, n.a * n.b, n.c)};
       }},
      {"whole_into_numerator",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{} + 1/{}", n.c, n.a), fmt::format("{}/{}", n.c + 1, n.a)};
       }},
      {"unlike_terms",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("{}x + {} = {}", n.a, n.b, n.c), fmt::format("{}x = {}", n.a + n.b, n.c)};
         return {fmt::format("{}x^2 + {}x = {}", n.a, n.b, n.c), fmt::format("{}x^2 = {}", n.a + n.b, n.c)};
       }},
      {"like_terms",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("{}x - x = {}", n.a + 1, n.c), fmt::format("{} = {}", n.a + 1, n.c)};
         return {fmt::format("{}x + {}x = {}", n.a, n.b, n.c), fmt::format("{}x^2 = {}", n.a + n.b, n.c)};
       }},
      {"zero_product",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x(x - {}) = {}", n.b, n.c), fmt::format("x = {} or x - {} = {}", n.c, n.b, n.c)};
       }},
      {"root_halved",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("x^2 = {}", 2 * n.c), fmt::format("x = {}", n.c)};
       }},
      {"root_sign",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) {
           return {fmt::format("(x + {})(x - {}) = 0", n.a, n.c), fmt::format("x = {} or x = -{}", n.a, n.c)};
         }
         return {fmt::format("x^2 + {}x + {} = 0", n.a + n.c, n.a * n.c), fmt::format("x = {} or x = {}", n.a, n.c)};
       }},
      {"factor_both",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{} * {}/{}", n.a, n.d, n.c), fmt::format("{}/{}", n.a * n.d, n.a * n.c)};
       }},
      {"denominator_kept",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}/{} * {}/{}", n.a, n.c, n.d, n.c), fmt::format("{}/{}", n.a * n.d, n.c)};
       }},
      {"inverted",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) {
           return {fmt::format("{}/{} : {}/{}", n.a, n.c, n.d, n.c + 2), fmt::format("{}/{}", n.a * n.d, n.c * (n.c + 2))};
         }
         return {fmt::format("{}/{} : {}/{}", n.a, n.c, n.d, n.c + 2), fmt::format("{}/{}", n.c * n.d, n.a * (n.c + 2))};
       }},
      {"cancelled_term",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("(x + {})/{} = {}", n.a, n.a, n.c), fmt::format("x = {}", n.c)};
       }},
      {"mixed_number",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{} 1/{} * {}", n.a + 3, n.b, n.c), fmt::format("{}/{} * {}", n.a + 4, n.b, n.c)};
       }},
      {"power_product",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}^2 + {}", n.b, n.c), fmt::format("{} + {}", 2 * n.b, n.c)};
       }},
      {"power_of_product",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("({}x)^2 = {}", n.a, n.c), fmt::format("{}x^2 = {}", n.a, n.c)};
       }},
      {"power_order",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{} * {}^2", n.a, n.b), fmt::format("{}^2", n.a * n.b)};
       }},
      {"power_sign",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("(-{})^2 + {}", n.b, n.c), fmt::format("-{} + {}", n.b * n.b, n.c)};
         return {fmt::format("-{}^2", n.c), fmt::format("{}", n.c * n.c)};
       }},
      {"product_sign",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("(-{}) * (-{})", n.a, n.c), fmt::format("-{}", n.a * n.c)};
       }},
      {"upside_down",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{} : {}", n.c, n.a * n.c), fmt::format("{}", n.a)};
       }},
      {"sign",
       [](int i) -> Wrong {
         const Numbers n(i);
         return {fmt::format("{}x - {} = {}", n.a, n.b, n.c), fmt::format("{}x{} = {}", n.a, Plus(n.b), n.c)};
       }},
      {"place_value",
       [](int i) -> Wrong {
         const Numbers n(i);
         if (i % 2 == 0) return {fmt::format("0.{} * 0.{}", n.a, n.d), fmt::format("{}.{}", n.a * n.d / 10, n.a * n.d % 10)};
         return {fmt::format("{}0 * {}0", n.a, n.c), fmt::format("{}0", n.a * n.c)};
       }},
  };
  return variants;
}

class MistakesTest : public testing::Test {
 protected:
  std::string Read(std::string_view text) const {
    const NotationResult read = ReadNotation(*domain_, text);
    EXPECT_FALSE(read.error) << text << ": " << read.error->message;
    return read.state;
  }

  std::unique_ptr<Domain> domain_ = MakeDomain("algebra");
};

// Rules in text have examples in their file.
TEST_F(MistakesTest, RulesInTextNameTheirExamples) {
  EXPECT_GE(mistakes::Rules().size(), 80U);
  std::set<std::string> with_examples;
  for (const mistakes::Example& example : mistakes::Examples()) {
    with_examples.insert(example.rule);
    for (const std::string& language : Catalogue::Languages()) {
      const StepCheck check = CheckStep(*domain_, Read(example.before), example.after, {}, language);
      EXPECT_EQ(check.kind, StepCheck::Kind::kNotEquivalent) << example.before << " => " << example.after;
      EXPECT_EQ(check.mistake, example.rule) << example.before << " => " << example.after << ": " << check.message;
      EXPECT_EQ(check.message.find('{'), std::string::npos) << check.message;
    }
  }
  for (const mistakes::Rule& rule : mistakes::Rules()) {
    EXPECT_TRUE(with_examples.contains(rule.name)) << rule.name;
    EXPECT_TRUE(rule.sentences.contains("en")) << rule.name;
  }
}

// The slots of a sentence.
std::set<std::string> SlotsIn(const std::string& sentence) {
  std::set<std::string> slots;
  for (std::size_t open = sentence.find('{'); open != std::string::npos; open = sentence.find('{', open + 1)) {
    slots.insert(sentence.substr(open, sentence.find('}', open) + 1 - open));
  }
  return slots;
}

// The file says them in English, and the catalogues of the other languages have just these.
TEST_F(MistakesTest, RulesInTextAreSaidInEveryLanguage) {
  for (const std::string& language : Catalogue::Languages()) {
    if (language == "en") continue;
    const Catalogue& catalogue = Catalogue::Find(language);
    std::size_t known = 0;
    const auto expect = [&](const std::string& id, const std::string& english) {
      const std::string* const sentence = catalogue.Pattern(id);
      ASSERT_NE(sentence, nullptr) << language << ": " << id;
      EXPECT_EQ(SlotsIn(*sentence), SlotsIn(english)) << language << ": " << id;
      ++known;
    };
    for (const mistakes::Rule& rule : mistakes::Rules()) {
      expect("mistake." + rule.name, rule.sentences.at("en"));
      if (const auto hint = rule.hints.find("en"); hint != rule.hints.end())
        expect("mistake." + rule.name + ".hint", hint->second);
    }
    const auto is_mistake = [](const auto& entry) { return entry.first.starts_with("mistake."); };
    EXPECT_EQ(std::count_if(catalogue.entries().begin(), catalogue.entries().end(), is_mistake), known) << language;
  }
}

// What a rule makes may be worth the same as what was there: that is no mistake.
TEST_F(MistakesTest, NothingIsNamedForARightLine) {
  for (const auto& [before, after] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"2(x + 0) = 6", "2x + 0 = 6"},
                                                                  {"2^2 + x = 9", "4 + x = 9"},
                                                                  {"x - 0 = 3", "x + 0 = 3"},
                                                                  {"1(x + 2) = 5", "x + 2 = 5"}}) {
    const StepCheck check = CheckStep(*domain_, Read(before), after);
    EXPECT_TRUE(check.correct()) << before << ": " << check.message;
    EXPECT_EQ(check.mistake, "") << before;
  }
}

TEST_F(MistakesTest, NamesTwoMistakesInOneLine) {
  const StepCheck check = CheckStep(*domain_, Read("3(x + 2) = 20 - (x + 5)"), "3x + 2 = 20 - x + 5");
  EXPECT_EQ(check.mistake, "first_term_only") << check.message;
  EXPECT_EQ(check.also, "minus_bracket") << check.message;
  EXPECT_NE(check.message.find("minus before the bracket"), std::string::npos) << check.message;
  EXPECT_FALSE(check.reminder.empty());
}

TEST_F(MistakesTest, EveryRuleKnowsTwentyVariants) {
  std::set<std::string> in_text;
  for (const mistakes::Rule& rule : mistakes::Rules()) in_text.insert(rule.name);
  for (const std::string_view rule : MistakeRules()) {
    const auto made = Variants().find(std::string(rule));
    if (made == Variants().end()) {
      EXPECT_TRUE(in_text.contains(std::string(rule))) << rule;
      continue;
    }
    std::set<std::string> seen;
    for (int i = 0; i < kVariants; i += Repetitions(1, 6)) {
      const Wrong wrong = made->second(i);
      EXPECT_TRUE(seen.insert(wrong.before + " => " + wrong.after).second) << wrong.before;
      for (const std::string& language : Catalogue::Languages()) {
        const StepCheck check = CheckStep(*domain_, Read(wrong.before), wrong.after, {}, language);
        EXPECT_EQ(check.kind, StepCheck::Kind::kNotEquivalent) << wrong.before << " => " << wrong.after;
        EXPECT_EQ(check.mistake, rule) << wrong.before << " => " << wrong.after << ": " << check.message;
        // No sentence has an equation in it, so none has the answer.
        EXPECT_EQ(check.message.find('{'), std::string::npos) << check.message;
      }
    }
  }
}

TEST_F(MistakesTest, SaysWhereALineWasMiscalculated) {
  const auto message = [&](std::string_view before, std::string_view after) {
    return CheckStep(*domain_, Read(before), after).message;
  };
  EXPECT_EQ(message("2x + 3 = 7", "2x = 9"), "The last digit of 9 cannot be right: look at the last digits in 7 - 3.");
  EXPECT_EQ(message("7 = 2x + 3", "9 = 2x"), "The last digit of 9 cannot be right: look at the last digits in 7 - 3.");
  EXPECT_EQ(message("2x = 8", "x = 7"), "With x = 7 the left side of the line before is 14, and the right side is 8.");
  EXPECT_EQ(message("3x + 4x + 1 = 9", "15x + 1 = 9"), "Work it out again on the left side: 3x + 4x is not 15x.");
  EXPECT_EQ(message("1/2 + 3 * 7", "1/2 + 24"), "24 is in the times table of 3, but in another place than 3 · 7.");
  EXPECT_EQ(message("4(2x - 3) = 5", "8x - 19 = 5"),
            "The last digit of -19 cannot be right: look at the last digits in 4 · (-3).");
  EXPECT_EQ(message("4(2x - 3) = 5", "8x - 11 = 5"),
            "-11 is close, but 4 · (-3) is something else. Work it out once more, digit by digit.");
}

TEST_F(MistakesTest, OneWrongSignInABracketIsEnough) {
  for (const char* const after : {"10 - x^2 + 2x - 3 = 1", "10 - x^2 - 2x + 3 = 1", "10 - x^2 + 2x + 3 = 1"}) {
    EXPECT_EQ(CheckStep(*domain_, Read("10 - (x^2 + 2x + 3) = 1"), after).mistake, "minus_bracket") << after;
  }
}

// Where the way to a line cannot be told, what is wrong is said, and no error is guessed.
TEST_F(MistakesTest, GuessesNothingWithoutAReason) {
  for (const auto& [before, after, mistake] : std::vector<std::array<std::string_view, 3>>{
           {"3x + 5 = 17", "x = 5", "does_not_fit"},
           {"2(x + 3) = 5x - 9", "x = 14", "does_not_fit"},
           {"x/2 + x/3 = 5", "x = 4", "does_not_fit"},
           {"2x + 1 = 2x + 4", "x = 3", "extra_solutions"},
           {"2x = 4", "3x^2 = 7", ""},
       }) {
    const StepCheck check = CheckStep(*domain_, Read(before), after);
    EXPECT_EQ(check.kind, StepCheck::Kind::kNotEquivalent) << before;
    EXPECT_EQ(check.mistake, mistake) << before << " => " << after << ": " << check.message;
  }
  EXPECT_EQ(CheckStep(*domain_, Read("3x + 5 = 17"), "x = 5").message,
            "With x = 5 the left side of the line before is 20, and the right side is 17.");
}

}  // namespace
}  // namespace conpole
