// conpole similar, and practice by what is similar, as their users meet them.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "nn/model.h"
#include "nn/network_kind.h"
#include "tests/files.h"
#include "tests/program.h"

namespace conpole {
namespace {

class SimilarTest : public FolderTest {
 protected:
  std::string Write(const std::string& name, const std::string& content) const {
    std::ofstream(Path(name), std::ios::binary) << content;
    return Path(name);
  }
  static std::vector<std::string> Problems(const Json& answer) {
    std::vector<std::string> problems;
    for (const Json& one : answer.at("similar")) problems.push_back(one.at("problem"));
    return problems;
  }
};

TEST_F(SimilarTest, ChoosesFromAListAndFromGeneratedProblems) {
  const std::string list = Write("list.txt", "x/2 = 4\n2x+3=9\n2x + 3 = 7\n3(x - 2) = 9\n\n(2x+3) = 7\ny + 2 = 5\n");
  const Outcome outcome = Conpole({"similar", "2x+3=7", "--from", list, "--count", "3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const std::vector<std::string> lines = outcome.lines();
  ASSERT_EQ(lines.size(), 4U) << outcome.out;
  EXPECT_TRUE(lines[0].starts_with("The nearest to 2x + 3 = 7 of 5 problems of algebra, by the model ")) << lines[0];
  EXPECT_TRUE(lines[0].ends_with("algebra.safetensors:")) << lines[0];
  // The problem itself is left out, however it is written.
  EXPECT_TRUE(lines[1].ends_with("  2x + 3 = 9")) << outcome.out;
  EXPECT_EQ(outcome.out.find("= 7"), outcome.out.find("= 7 of 5"));

  const Outcome generated = Conpole({"similar", "sorting", "[3, 1, 2]", "--seeds", "0:500", "--json", "--count", "7"});
  const Json answer = generated.json();
  EXPECT_EQ(answer.at("domain"), "sorting");
  EXPECT_EQ(answer.at("problem"), "[===|=|==]");
  EXPECT_EQ(answer.at("notation"), "[3, 1, 2]");
  EXPECT_TRUE(answer.at("model").get<std::string>().ends_with("sorting.safetensors"));
  EXPECT_LE(answer.at("problems").get<int>(), 500);
  ASSERT_EQ(answer.at("similar").size(), 7U);
  double last = 1;
  for (const Json& one : answer.at("similar")) {
    EXPECT_LE(one.at("cosine").get<double>(), last);
    last = one.at("cosine").get<double>();
    EXPECT_TRUE(one.contains("notation") && one.contains("latex"));
  }
  EXPECT_EQ(Conpole({"similar", "sorting", "[3, 1, 2]", "--seeds", "0:500", "--json", "--count", "7", "--threads", "1"}).out,
            generated.out);
}

TEST_F(SimilarTest, OneProblemHasOneAnswerHoweverItIsWritten) {
  const auto similar = [](const std::string& problem) {
    return Problems(Conpole({"similar", "equations", problem, "--seeds", "0:200", "--json"}).json());
  };
  const std::vector<std::string> plain = similar("x + 3 = 7");
  EXPECT_EQ(plain.size(), 10U);
  for (const char* const text : {"(x + 3) = 7", "x+3=7", "y + 3 = 7", "\\left(x + 3\\right) = 7"})
    EXPECT_EQ(similar(text), plain) << text;
  const Outcome pieces = Conpole({"similar", "equations", "x", "+", "3", "=", "7", "--seeds", "0:200", "--json"});
  EXPECT_EQ(Problems(pieces.json()), plain);
}

TEST_F(SimilarTest, AnIndexAnswersAsTheProblemsThatItWasMadeOf) {
  const std::string index = Path("fractions.index");
  const Outcome saved = Conpole({"similar", "fractions", "--seeds", "0:300", "--save-index", index});
  EXPECT_EQ(saved.status, 0) << saved.err;
  EXPECT_TRUE(saved.out.ends_with(" problems are in " + index + "\n")) << saved.out;
  const Json direct = Conpole({"similar", "fractions", "1/2 + 1/3", "--seeds", "0:300", "--json"}).json();
  const Json by_index = Conpole({"similar", "fractions", "1/2 + 1/3", "--index", index, "--json"}).json();
  EXPECT_EQ(by_index, direct);
  // The index says what domain it is of; without it, this would be taken for algebra.
  EXPECT_EQ(Conpole({"similar", "1/2 + 1/3", "--index", index, "--json"}).json(), direct);
  // Both at once.
  const Outcome both = Conpole({"similar", "fractions", "1/2 + 1/3", "--seeds", "0:300", "--json", "--save-index", index});
  EXPECT_EQ(both.json(), direct);

  ExpectRefused({"similar", "equations", "x = 1", "--index", index},
                index + ": it is an index of 'fractions', not of equations");
  const std::string model = Path("other.safetensors");
  WriteModel(RandomModel(TrainingArchitecture("bag", {}), 1), model, WeightFormat::kFloat32);
  ExpectRefused({"similar", "fractions", "1/2", "--index", index, "--model", model}, "made with another model");
  EXPECT_EQ(Conpole({"similar", "fractions", "1/2", "--seeds", "0:20", "--model", model}).status, 0);
  std::string damaged = Content("fractions.index");
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  ExpectRefused({"similar", "fractions", "1/2", "--index", Write("damaged.index", damaged)}, "its checksum is wrong");
  ExpectRefused({"similar", "fractions", "1/2", "--index", Write("text.index", "1/2 + 1/3\n")},
                "it is not an index of problems");
  ExpectRefused({"similar", "fractions", "1/2", "--index", folder()}, folder());
}

TEST_F(SimilarTest, BadUsageIsOneLine) {
  const std::string list = Write("list.txt", "x = 1\n2x + = 3\n");
  ExpectRefused({"similar"}, "problem");
  ExpectRefused({"similar", "algebra"}, "after the domain algebra there must be a problem, unless there is --save-index");
  ExpectRefused({"similar", "2x + = 3"}, "'2x + = 3' is not a problem of algebra: position 5");
  ExpectRefused({"similar", "x = 1", "--from", list}, list + ": problem 2: position 5");
  ExpectRefused({"similar", "x = 1", "--from", list, "--seeds", "0:10"}, "--from, --seeds and --index exclude each other");
  ExpectRefused({"similar", "x = 1", "--index", "a", "--save-index", "b"}, "exclude each other");
  ExpectRefused({"similar", "x = 1", "--seeds", "10:0"}, "--seeds");
  ExpectRefused({"similar", "x = 1", "--seeds", "0:18446744073709551615"}, "more than 50000000 problems");
  ExpectRefused({"similar", "x = 1", "--count", "0"}, "--count must be a whole number from 1 to 1000000, not '0'");
  ExpectRefused({"similar", "x = 1", "--language", "xx"}, "xx");
  ExpectRefused({"similar", "x = 1", "--model", "/nonexistent"}, "/nonexistent");
  ExpectRefused({"similar", "x = 1", "--save-index", "/nonexistent/folder/file"}, "/nonexistent/folder/file");
  const Outcome json = Conpole({"similar", "2x + = 3", "--json"});
  EXPECT_EQ(json.status, 2);
  EXPECT_EQ(json.json().at("position"), 5);
}

TEST_F(SimilarTest, SpeaksGerman) {
  const std::string list = Write("list.txt", "x = 1.5\n");
  const Outcome outcome = Conpole({"similar", "2x = 2,5", "--from", list, "--language", "de"});
  EXPECT_TRUE(outcome.lines()[0].starts_with("Die nächsten zu 2x = 2,5 unter 1 Aufgaben von algebra")) << outcome.out;
  EXPECT_TRUE(outcome.lines()[1].ends_with("x = 1,5")) << outcome.out;
}

TEST(PracticeLikeTest, GivesExercisesLikeAProblemOfItsSkillAndLevel) {
  const Arguments practice{"practice", "--like", "x^2 - 5x + 6 = 0", "--exercise", "1"};
  const Outcome outcome = Conpole(practice, "next\nnext\nmore 3(x-2)=9\n");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<std::string> lines = outcome.lines();
  ASSERT_EQ(lines.size(), 7U) << outcome.out;
  EXPECT_TRUE(lines[1].starts_with("The exercises are like x^2 - 5x + 6 = 0, by the model ")) << lines[1];
  EXPECT_TRUE(lines[1].ends_with("algebra.safetensors.")) << lines[1];
  for (const int number : {1, 2, 3}) {
    const std::string begin = "Exercise " + std::to_string(number) + " (quadratic equations, level 3 of 5): x^2 ";
    EXPECT_TRUE(lines[static_cast<std::size_t>(number) + 1].starts_with(begin)) << outcome.out;
  }
  EXPECT_TRUE(lines[5].starts_with("Exercise 4 (brackets, level ")) << outcome.out;
  EXPECT_EQ(Conpole(practice, "next\nnext\nmore 3(x-2)=9\n").out, outcome.out);
}

TEST(PracticeLikeTest, TakesAnyDomainSkillAndLevel) {
  const auto first = [](Arguments arguments) {
    arguments.insert(arguments.end(), {"--exercise", "1"});
    const Outcome outcome = Conpole(arguments, "quit\n");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.lines().size() > 2 ? outcome.lines()[2] : outcome.out;
  };
  EXPECT_TRUE(first({"practice", "--like", "[3, 1, 2, 5]"}).starts_with("Exercise 1 (sorting, level 1 of 5): ["));
  EXPECT_TRUE(first({"practice", "equations", "--like", "2x + 3 = 7"}).starts_with("Exercise 1: "));
  EXPECT_TRUE(
      first({"practice", "--like", "2x + 3 = 7", "--level", "3"}).starts_with("Exercise 1 (two steps, level 3 of 4): "));
  EXPECT_TRUE(first({"practice", "--like", "2x + 3 = 7", "--skill", "brackets"}).starts_with("Exercise 1 (brackets, level "));
  ExpectRefused({"practice", "--like", "2x + = 7"}, "'2x + = 7' is not a problem of algebra: position 5");
  ExpectRefused({"practice", "--like", "2x + 3 = 7", "--level", "7"}, "the levels of two-steps are 1 to 4, not 7");
}

}  // namespace
}  // namespace conpole
