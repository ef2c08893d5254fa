#include "notation/prose.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace conpole {
namespace {

std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

TEST(ProseTest, WordsAroundAProblemBecomeBlanks) {
  for (const auto& [text, rest] :
       std::vector<std::pair<std::string, std::string>>{{"solve 2x+3=7", "2x+3=7"},
                                                        {"Solve for x: 2x+3=7", "2x+3=7"},
                                                        {"solve for x 2x+3=7", "2x+3=7"},
                                                        {"Please solve the equation 2x + 3 = 7.", "2x + 3 = 7"},
                                                        {"what is 1/2+1/3?", "1/2+1/3"},
                                                        {"What's 3 * 4", "3 * 4"},
                                                        {"x in 2x+3=7", "2x+3=7"},
                                                        {"find x if 2x+3=7", "2x+3=7"},
                                                        {"find x, 2x+3=7", "2x+3=7"},
                                                        {"2x+3=7, solve for x", "2x+3=7"},
                                                        {"2x+3=7 find x!", "2x+3=7"},
                                                        {"Berechne 3/4*2", "3/4*2"},
                                                        {"Berechne: .5 + 1", ".5 + 1"},
                                                        {"Was ist -3 + 4", "-3 + 4"},
                                                        {"Löse 2x+3=7 nach x auf.", "2x+3=7"},
                                                        {"Löse die Gleichung: 2x+3=7", "2x+3=7"},
                                                        {"Bestimme x: 2x+3=7", "2x+3=7"},
                                                        {"Resuelve la ecuación 2x+3=7", "2x+3=7"},
                                                        {"Resuelve para x: 2x+3=7", "2x+3=7"},
                                                        {"Halla x si 2x+3=7", "2x+3=7"},
                                                        {"¿Cuánto es 1/2+1/3?", "1/2+1/3"},
                                                        {"Despeja x en 2x+3=7", "2x+3=7"},
                                                        {"Résous l'équation 2x+3=7", "2x+3=7"},
                                                        {"Résous l’équation : 2x+3=7", "2x+3=7"},
                                                        {"Trouve x tel que 2x+3=7", "2x+3=7"},
                                                        {"Combien font 1/2+1/3 ?", "1/2+1/3"},
                                                        {"Calcule 3*4, s'il te plaît", "3*4"},
                                                        {"a) 2x = 4", "2x = 4"},
                                                        {"12) 2x = 4", "2x = 4"},
                                                        {"1) Solve 2x = 4", "2x = 4"},
                                                        {"sort 3 1 2", "3 1 2"},
                                                        {"Löse 2x+3=7!", "2x+3=7"},
                                                        {"Evaluate: 5!", "5!"},
                                                        {"solve x = 3 + 4", "x = 3 + 4"},
                                                        {"find x = 3", "x = 3"},
                                                        {"solve", ""}}) {
    const std::string blanked = WithoutProse(text);
    EXPECT_EQ(blanked.size(), text.size()) << text;
    EXPECT_EQ(Trimmed(blanked), rest) << text;
  }
}

TEST(ProseTest, OtherTextsStayAsTheyAre) {
  for (const std::string text :
       {"", "2x+3=7", "x", "x = 2 or x = 3", "no solution", "every number; x != 1", "R U F'", "c3 b5 b3", "#(c3 b5)",
        "x(x+1) = 2", "I = 3", "i = 3", "(a) = 3", "3 apples", "\\frac{1}{2}", "[3,1,2]"}) {
    EXPECT_EQ(WithoutProse(text), text);
  }
}

}  // namespace
}  // namespace conpole
