// One table of questions (tests/doors/questions.json) through every door: HTTP, the command line, the session and the C++
// solver answer what the service answers in this process. Python and WebAssembly are asked the same table by
// tests/doors/python_door.py and web/engine/test/native.test.mjs. Budgets count states, so that no answer depends on how busy
// the machine is.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "conpole/solver.h"
#include "http/shipped_models.h"
#include "language/catalogue.h"
#include "service/service.h"
#include "session/reading.h"
#include "session/session.h"
#include "tests/program.h"
#include "tests/served_program.h"

namespace conpole {
namespace {

struct Question {
  std::string operation;
  Json request;
  int status = 0;  // of the service's answer
  Json answer;     // of the service

  bool Has(const char* field) const { return request.contains(field); }
  std::string Text(const char* field, const std::string& otherwise = {}) const { return request.value(field, otherwise); }
  std::string language() const { return Text("language", "en"); }
  // The problem or line, and in a check the lines after it.
  std::vector<std::string> texts() const {
    for (const char* const field : {"line", "text"}) {
      if (Has(field)) return {Text(field)};
    }
    std::vector<std::string> all{Text("problem")};
    for (const Json& line : request.value("lines", Json::array())) all.push_back(line);
    return all;
  }
  friend std::ostream& operator<<(std::ostream& out, const Question& question) {
    return out << question.operation << ' ' << question.request;
  }
};

Json WithoutTime(Json answer) {
  answer.erase("milliseconds");
  return answer;
}

// What every door says of a question that has no answer; the service adds the field that is to blame.
Json ErrorOfAnswer(const Json& problem) {
  Json error{{"detail", problem["detail"]}};
  for (const char* const field : {"position", "understood"}) {
    if (problem.contains(field)) error[field] = problem[field];
  }
  return error;
}

Json Expected(const Question& question) {
  return question.status == 200 ? WithoutTime(question.answer) : ErrorOfAnswer(question.answer);
}

// The table with the answers of the service, which are made once.
const std::vector<Question>& Questions() {
  static const std::vector<Question> questions = [] {
    ServiceOptions options;
    options.models = std::make_unique<ShippedModels>();
    Service service(std::move(options));
    std::vector<Question> all;
    for (const Json& entry : Json::parse(std::ifstream(CONPOLE_SOURCE "/tests/doors/questions.json"))) {
      const ServiceAnswer answer = service.Answer(entry["operation"].get<std::string>(), entry["request"].dump());
      all.push_back({entry["operation"], entry["request"], answer.status, Json::parse(answer.body)});
    }
    return all;
  }();
  return questions;
}

void ExpectEveryKind() {
  EXPECT_GE(Questions().size(), 300U);
  for (const DomainType* const type : DomainTypes()) {
    EXPECT_TRUE(std::any_of(Questions().begin(), Questions().end(), [&](const Question& question) {
      return question.status == 200 && question.answer["domain"].get<std::string>().starts_with(type->name);
    })) << type->name;
  }
  for (const int status : {200, 400, 404, 422}) {
    EXPECT_TRUE(std::any_of(Questions().begin(), Questions().end(), [&](const Question& question) {
      return question.status == status;
    })) << status;
  }
}

void AskOverHttp() {
  const ServedProgram server(CONPOLE_PROGRAM, {"--no-page", "--log", "off"});
  PlainClient client(server.port());
  for (const Question& question : Questions()) {
    const std::optional<ReceivedResponse> response = client.Ask(question.operation, question.request.dump());
    ASSERT_TRUE(response) << question;
    EXPECT_EQ(response->status, question.status) << question;
    EXPECT_EQ(WithoutTime(Json::parse(response->body)), WithoutTime(question.answer)) << question;
  }
}

// The arguments that ask the same; nothing if the program has no such question.
std::optional<Arguments> ArgumentsFor(const Question& question) {
  const bool named = question.Has("domain");
  const bool known = !named || NamesDomain(question.Text("domain"));
  // No command reads alone or prints markup, and check takes any first word that is no domain for a line.
  // Of lines that are missing it says which there are.
  const bool lines_missing = question.status != 200 && question.answer.value("field", "") == "lines";
  if (question.operation == "read" || question.Has("markup") || (question.operation == "check" && !known) || lines_missing) {
    return std::nullopt;
  }
  Arguments arguments{question.operation, "--json", "--language", question.language(), "--threads", "1"};
  for (const char* const option : {"detail", "method", "moves", "tried"}) {
    if (question.Has(option)) arguments.insert(arguments.end(), {std::string("--") + option, question.Text(option)});
  }
  for (const char* const option : {"level", "milliseconds", "expansions"}) {
    if (question.Has(option) && (question.operation != "next" || option != std::string_view("level"))) {
      arguments.insert(arguments.end(), {std::string("--") + option, question.request[option].dump()});
    }
  }
  if (question.request.value("policy", false)) arguments.push_back("--policy");
  arguments.push_back("--");
  if (named) arguments.push_back(question.Text("domain"));
  const std::vector<std::string> texts = question.texts();
  arguments.insert(arguments.end(), texts.begin(), texts.end());
  return arguments;
}

Json AnswerOf(const Outcome& outcome) {
  if (outcome.out.empty()) {
    const std::string message = outcome.err.substr(0, outcome.err.find('\n'));
    return {{"detail", message.substr(std::min(message.size(), std::string_view("conpole: ").size()))}};
  }
  const Json printed = outcome.json();
  if (!printed.contains("error")) return WithoutTime(printed);
  return {{"detail", printed["error"]}, {"position", printed["position"]}, {"understood", printed["understood"]}};
}

void AskTheProgram() {
  std::size_t asked = 0;
  for (const Question& question : Questions()) {
    const std::optional<Arguments> arguments = ArgumentsFor(question);
    if (!arguments) continue;
    Json expected = Expected(question);
    // Of a single line the program prints what there is to say, without a list around it.
    if (question.status == 200 && question.operation == "check" && expected["lines"].size() == 1) {
      expected = expected["lines"][0];
    }
    if (question.status == 400 && question.Has("moves"))
      expected["detail"] = "--moves half: " + expected["detail"].get<std::string>();
    EXPECT_EQ(AnswerOf(Conpole(*arguments)), expected) << question;
    ++asked;
  }
  EXPECT_GE(asked, 200U);
}

SessionOptions OptionsFor(const Question& question) {
  SessionOptions options;
  options.domain = question.Text("domain");
  options.language = question.language();
  options.detail = DetailOf(question.Text("detail", "school"));
  options.turns = *TurnCountOf(question.Text("moves", "quarter"));
  options.method = question.Text("method");
  options.markup = question.request.value("markup", false);
  options.policy.learned = question.request.value("policy", false);
  options.budget.milliseconds = question.request.value("milliseconds", options.budget.milliseconds);
  options.budget.expansions = question.request.value("expansions", options.budget.expansions);
  options.budget.shorten = question.Has("milliseconds");
  options.threads = 1;
  return options;
}

nlohmann::ordered_json AskSession(const Question& question) {
  SessionOptions options = OptionsFor(question);
  const std::vector<std::string> texts = question.texts();
  const std::string& text = texts.front();
  RequireLanguage(options.language);
  if (question.operation == "read") {
    const std::string spec = options.domain.empty() ? DomainOfText(options, text) : options.domain;
    return ReadToJson(*MakeDomain(spec), text, options.language, options.markup);
  }
  if (question.operation == "check" && options.domain.empty()) options.domain = ChooseDomainOfLines(text, options.language);
  Session session(std::move(options), text);
  if (question.operation == "solve") return session.SolveToJson(text);
  if (question.operation == "hint") return session.HintToJson(text, question.request.value("level", 1), question.Text("tried"));
  if (question.operation == "next") return session.NextToJson(text);
  return session.CheckToJson(LinesOf(session.subject(), texts));
}

void AskTheSession() {
  for (const Question& question : Questions()) {
    Json answer;
    try {
      answer = WithoutTime(Json::parse(DumpJson(AskSession(question))));
    } catch (const UnreadableText& error) {
      answer = {{"detail", error.reason.english()}, {"position", error.position}, {"understood", error.understood}};
    } catch (const Error& error) {
      answer = {{"detail", SayIn(question.language(), error.message())}};
    }
    EXPECT_EQ(answer, Expected(question)) << question;
  }
}

void AskTheSolver() {
  std::size_t asked = 0;
  for (const Question& question : Questions()) {
    const Json& request = question.request;
    if (!question.Has("domain") || question.Has("detail") || question.Has("moves") || question.Has("method") ||
        question.status != 200)
      continue;
    const std::vector<std::string> texts = question.texts();
    const Json& answer = question.answer;
    SolverOptions options;
    options.language = question.language();
    options.milliseconds = request.value("milliseconds", options.milliseconds);
    options.expansions = request.value("expansions", options.expansions);
    options.threads = 1;
    Solver solver(question.Text("domain"), options);
    ++asked;
    if (question.operation == "solve") {
      const Solver::Solution solution = solver.Solve(texts.front());
      EXPECT_EQ(Json(NameOf(solution.status)), answer["status"]) << question;
      EXPECT_EQ(Json(solution.problem), answer["problem"]) << question;
      ASSERT_EQ(solution.steps.size(), answer["steps"].size()) << question;
      for (std::size_t i = 0; i < solution.steps.size(); ++i) {
        EXPECT_EQ(Json(solution.steps[i].before), answer["steps"][i]["before"]) << question;
        EXPECT_EQ(Json(solution.steps[i].after), answer["steps"][i]["after"]) << question;
        EXPECT_EQ(Json(solution.steps[i].text), answer["steps"][i]["text"]) << question;
      }
    } else if (question.operation == "hint") {
      EXPECT_EQ(Json(solver.Hint(texts.front(), request.value("level", 1), question.Text("tried"))), answer["text"])
          << question;
    } else if (question.operation == "read") {
      EXPECT_EQ(Json(solver.Read(texts.front())), answer["state"]) << question;
    } else if (question.operation == "check" && texts.size() == 2) {
      EXPECT_EQ(Json(solver.Check(texts[0], texts[1]).message), answer["lines"][0]["text"]) << question;
    }
  }
  EXPECT_GE(asked, 50U);
}

// One test, since the answers of the service are needed for all.
TEST(DoorsTest, EveryDoorGivesTheSameAnswers) {
  setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);
  ExpectEveryKind();
  AskTheSession();
  AskTheSolver();
  AskOverHttp();
  AskTheProgram();
}

}  // namespace
}  // namespace conpole
