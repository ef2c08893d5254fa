// The service as its shells use it: what it answers equals what the program prints.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "http/shipped_models.h"
#include "nn/model.h"
#include "service/service.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

ServiceOptions Options() {
  ServiceOptions options;
  options.limits.milliseconds = options.limits.max_milliseconds = 600'000;  // no answer depends on how busy the machine is
  options.models = std::make_unique<ShippedModels>();
  return options;
}

// One for all tests: the models are read once.
Service& Shared() {
  setenv("CONPOLE_MODELS", CONPOLE_SOURCE "/models", 1);
  static Service service(Options());
  return service;
}

Json Ask(std::string_view operation, const Json& request, int status = 200) {
  const ServiceAnswer answer = Shared().Answer(operation, request.dump());
  EXPECT_EQ(answer.status, status) << operation << ' ' << request << ' ' << answer.body;
  return Json::parse(answer.body);
}

// What the program prints for such arguments.
Json Print(const std::string& arguments) {
  const std::string command = std::string(CONPOLE_PROGRAM) + " " + arguments + " --json 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t read = 0; (read = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) text.append(buffer.data(), read);
  pclose(pipe);
  return Json::parse(text);
}

Json WithoutTime(Json json) {
  json.erase("milliseconds");
  return json;
}

TEST(ServiceTest, AnswersWhatTheProgramPrints) {
  EXPECT_EQ(WithoutTime(Ask("solve", {{"problem", "2/3x + 5 = 20 - x"}})), WithoutTime(Print("solve '2/3x + 5 = 20 - x'")));
  EXPECT_EQ(WithoutTime(Ask("solve", {{"problem", "x + 3 = 11"}, {"domain", "equations"}, {"language", "de"}})),
            WithoutTime(Print("solve equations 'x + 3 = 11' --lang de --milliseconds 60000")));
  EXPECT_EQ(WithoutTime(Ask("solve", {{"problem", "2x+3=7"}, {"detail", "both"}})),
            WithoutTime(Print("solve 2x+3=7 --detail both")));
  EXPECT_EQ(WithoutTime(Ask("solve", {{"problem", "2x=4"}, {"detail", "axioms"}, {"policy", true}})),
            WithoutTime(Print("solve 2x=4 --detail axioms --policy --milliseconds 60000")));
  EXPECT_EQ(WithoutTime(Ask("solve", {{"problem", "1/2 + 1/3"}, {"domain", "fractions"}})),
            WithoutTime(Print("solve fractions '1/2 + 1/3' --milliseconds 60000")));
  EXPECT_EQ(WithoutTime(Ask("solve", {{"problem", "R U F2"}, {"moves", "half"}})),
            WithoutTime(Print("solve \"R U F2\" --moves half --milliseconds 60000")));
  for (int level = 1; level <= 3; ++level) {
    EXPECT_EQ(Ask("hint", {{"line", "2x + 3 = 7"}, {"level", level}}),
              Print("hint '2x + 3 = 7' --level " + std::to_string(level)));
  }
  EXPECT_EQ(Ask("next", {{"line", "[3, 1, 2]"}}), Print("next '[3, 1, 2]'"));
  EXPECT_EQ(Ask("check", {{"problem", "2x+3=7"}, {"lines", {"2x=4", "x=3"}}}), Print("check 2x+3=7 2x=4 x=3"));
  EXPECT_EQ(Ask("check", {{"problem", "2x+3=7"}, {"lines", {"2x=10"}}})["lines"][0], Print("check 2x+3=7 2x=10"));
}

std::string ContentOf(const std::string& path) {
  std::ifstream in(CONPOLE_SOURCE "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What stands in the first group, wherever a pattern is found.
std::set<std::string, std::less<>> FindAll(const std::string& text, const char* pattern) {
  std::set<std::string, std::less<>> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) found.insert((*match)[1]);
  return found;
}

// The tables of C++ and JavaScript are made from openapi.json; here are the names that types need.
TEST(ServiceTest, OperationsAreNamedAlikeEverywhere) {
  const std::vector<std::string_view> names = Service::Operations();
  const std::set<std::string, std::less<>> all(names.begin(), names.end());
  EXPECT_GE(all.size(), 15U);
  EXPECT_EQ(FindAll(ContentOf("web/engine/index.d.ts"), "\n  ([a-z]+)\\(request"), all);
  const std::set<std::string, std::less<>> asked = FindAll(ContentOf("web/src/engine/engine.ts"), "(?:ask|call)\\('([a-z]+)'");
  EXPECT_GE(asked.size(), 10U);
  EXPECT_TRUE(std::includes(all.begin(), all.end(), asked.begin(), asked.end()));
}

TEST(ServiceTest, SaysWhereATextGoesWrong) {
  const Json problem = Ask("solve", {{"problem", "2x+=7"}}, 422);
  EXPECT_EQ(problem["status"], 422);
  EXPECT_EQ(problem["field"], "problem");
  EXPECT_EQ(problem["position"], 3);
  EXPECT_EQ(problem["understood"], "2x+");
  EXPECT_EQ(problem["detail"], Print("solve 2x+=7")["error"]);
  const Json german = Ask("solve", {{"problem", "2x+=7"}, {"language", "de"}}, 422);
  EXPECT_EQ(german["detail"], Print("solve 2x+=7 --lang de")["error"]);
}

TEST(ServiceTest, BlamesTheFieldThatIsWrong) {
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"problme", "2x=4"}}, 400)["field"], "problme");
  EXPECT_EQ(Ask("solve", Json::object(), 400)["field"], "problem");
  EXPECT_EQ(Ask("solve", {{"problem", 7}}, 400)["field"], "problem");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"language", "xx"}}, 400)["field"], "language");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"milliseconds", -1}}, 400)["field"], "milliseconds");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"milliseconds", 1e9}}, 400)["field"], "milliseconds");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"milliseconds", 10.5}}, 400)["field"], "milliseconds");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"detail", "much"}}, 400)["field"], "detail");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"moves", "half"}}, 400)["field"], "moves");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"domain", "geometry"}}, 404)["field"], "domain");
  EXPECT_EQ(Ask("solve", {{"problem", "2x=4"}, {"domain", "sorting:max_length=-3"}}, 400)["field"], "domain");
  EXPECT_EQ(Ask("hint", {{"line", "2x=4"}, {"level", 4}}, 400)["field"], "level");
  EXPECT_EQ(Ask("check", {{"problem", "2x=4"}, {"lines", Json::array()}}, 400)["field"], "lines");
  EXPECT_EQ(Ask("check", {{"problem", "2x=4"}, {"lines", {1}}}, 400)["field"], "lines");
  EXPECT_EQ(Ask("exercise", {{"skill", "singing"}}, 404)["field"], "skill");
  EXPECT_EQ(Ask("exercise", {{"skill", "brackets"}, {"level", 19}}, 400)["field"], "level");
  EXPECT_EQ(Ask("embed", {{"problems", {"2x=4", "2x=="}}, {"domain", "algebra"}}, 422)["field"], "problems[1]");
  Ask("sing", Json::object(), 404);
}

TEST(ServiceTest, RefusesWhatIsNoRequest) {
  for (const std::string_view text :
       {"[]", "7", "\"x\"", "{", "{\"problem\": \"2x=4\"", "{\"problem\": \"\xff\"}", "nul", "\0"}) {
    EXPECT_EQ(Shared().Answer("solve", text).status, 400) << text;
  }
  std::string deep(100'000, '[');
  EXPECT_EQ(Shared().Answer("solve", deep).status, 400);
  deep = "{\"problem\":" + deep + std::string(100'000, ']') + "}";
  EXPECT_EQ(Shared().Answer("solve", deep).status, 400);
  EXPECT_EQ(Shared().Answer("solve", "{\"problem\": \"" + std::string(1 << 20, 'x') + "\"}").status, 413);
  EXPECT_EQ(Shared().Answer("solve", "{\"problem\": \"" + std::string(100'000, '(') + "\"}").status, 422);
  EXPECT_EQ(Shared().Answer("solve", "{\"problem\": \"2x=4\", \"seed\": 1e999}").status, 400);
}

TEST(ServiceTest, ReadsWithoutSolving) {
  const Json read = Ask("read", {{"text", "Solve for x: 2x + 3 = 7"}});
  EXPECT_EQ(read["domain"], "algebra");
  EXPECT_EQ(read["state"], "2x + 3 = 7");
  EXPECT_EQ(read["solved"], false);
  EXPECT_EQ(Ask("read", {{"text", "x = 2"}})["solved"], true);
  EXPECT_EQ(Ask("read", {{"text", "2/3x = 1"}})["read_as"].is_null(), Print("solve '2/3x = 1'")["read_as"].is_null());
}

TEST(ServiceTest, GivesExercises) {
  const Json exercise = Ask("exercise", {{"skill", "brackets"}, {"level", 2}, {"seed", 7}});
  EXPECT_EQ(exercise["domain"], "algebra");
  EXPECT_EQ(exercise["skill"], "brackets");
  EXPECT_EQ(exercise["level"], 2);
  EXPECT_EQ(exercise["seed"], 7);
  EXPECT_EQ(Ask("exercise", {{"skill", "brackets"}, {"level", 2}, {"seed", 7}}), exercise);
  EXPECT_EQ(Ask("read", {{"text", exercise["problem"]}})["state"], exercise["problem"]);
  const Json sorting = Ask("exercise", {{"domain", "sorting"}, {"level", 1}, {"seed", 3}});
  EXPECT_TRUE(sorting["skill"].is_null());
  EXPECT_EQ(sorting["domain"].get<std::string>().substr(0, 7), "sorting");
  const Json like = Ask("exercise", {{"like", "3(x + 2) = 12"}, {"seed", 1}});
  EXPECT_EQ(like["skill"], "brackets");
}

TEST(ServiceTest, ListsSkillsAndDomains) {
  const Json skills = Ask("skills", {{"language", "de"}})["skills"];
  EXPECT_GT(skills.size(), 15U);
  for (const Json& skill : skills) {
    Ask("exercise", {{"skill", skill["name"]}, {"level", skill["levels"]}});
    Ask("read", {{"text", skill["example_notation"]}, {"domain", skill["domain"]}});
  }
  const Json domains = Ask("domains", Json::object())["domains"];
  EXPECT_EQ(domains.size(), 7U);
  for (const Json& domain : domains) {
    EXPECT_EQ(domain["model"], domain["name"].get<std::string>() + ".safetensors");
    Ask("read", {{"text", domain["example"]}, {"domain", domain["name"]}});
    const Json generated = Ask("generate", {{"domain", domain["name"]}, {"seed", 5}});
    EXPECT_EQ(Ask("read", {{"text", generated["problem"]}, {"domain", domain["name"]}})["state"], generated["problem"]);
  }
  EXPECT_EQ(Ask("version", Json::object())["engine"], "native");
}

TEST(ServiceTest, ReportsOnDomainFiles) {
  const std::string file =
      "domain sums\nstate term\nvar a b : number\ngoal a\nrule add a + b -> [a + b]\n"
      "problem \"{n} + {m}\" with n in 1..9, m in 1..9\nkeeps value\ntest \"1 + 2\" => \"3\"\n";
  const Json good = Ask("report", {{"domain", file}});
  EXPECT_EQ(good["name"], "sums");
  EXPECT_EQ(good["ok"], true) << good;
  EXPECT_EQ(good["tests_passed"], 1);
  EXPECT_EQ(good["solved_by_search"], good["searched"]);
  // Files are longer than problems may be.
  const std::string comments(5'000, '#');
  EXPECT_EQ(Ask("solve", {{"domain", file + comments + "\n"}, {"problem", "4 + 5"}})["answer"], "9");
  const auto findings_of = [&](std::string_view from, std::string_view to) {
    std::string changed = file;
    changed.replace(changed.find(from), from.size(), to);
    const Json report = Ask("report", {{"domain", changed}});
    EXPECT_EQ(report["ok"], false);
    return report["findings"];
  };
  const Json unknown = findings_of("rule", "rul");
  EXPECT_EQ(unknown[0]["line"], 5);
  EXPECT_EQ(unknown[0]["column"], 1);
  EXPECT_EQ(unknown[0]["message"], "unknown statement 'rul'; did you mean 'rule'?");
  const Json unsound = findings_of("[a + b]", "[a * b]");
  EXPECT_EQ(unsound[0]["kind"], "error");
  EXPECT_EQ(unsound[0]["line"], 5);
}

TEST(ServiceTest, CountsProgress) {
  Json progress = Json::object();
  const auto count = [&](int level, bool alone) {
    Json answer =
        Ask("progress", {{"progress", progress}, {"skill", "one-step"}, {"level", level}, {"solved_without_help", alone}});
    progress = answer["progress"];
    return answer;
  };
  EXPECT_EQ(count(1, true)["in_a_row"], 1);
  EXPECT_EQ(count(1, false)["in_a_row"], 0);
  EXPECT_EQ(count(1, true)["in_a_row"], 1);
  EXPECT_EQ(count(1, true)["in_a_row"], 2);
  const Json done = count(1, true);
  EXPECT_EQ(done["level_mastered"], true);
  EXPECT_EQ(done["skill_mastered"], false);
  EXPECT_EQ(done["next"], Json({{"skill", "one-step"}, {"level", 2}}));
  EXPECT_EQ(done["progress"]["one-step"]["levels_mastered"], 1);
  // A row is of one level.
  EXPECT_EQ(count(2, true)["in_a_row"], 1);
  EXPECT_EQ(count(1, true)["in_a_row"], 1);
  Ask("progress", {{"progress", {{"one-step", 7}}}, {"skill", "one-step"}, {"level", 1}, {"solved_without_help", true}}, 400);
  Ask("progress",
      {{"progress", {{"singing", Json::object()}}}, {"skill", "one-step"}, {"level", 1}, {"solved_without_help", true}}, 404);
  Ask("progress", {{"skill", "one-step"}, {"level", 1}}, 400);
}

TEST(ServiceTest, GivesVectors) {
  const Json embedded = Ask("embed", {{"problems", {"2x+3=7", "x + 3 = 7"}}, {"domain", "algebra"}});
  ASSERT_EQ(embedded["vectors"].size(), 2U);
  double length = 0;
  for (const Json& value : embedded["vectors"][0]) length += value.get<double>() * value.get<double>();
  EXPECT_NEAR(length, 1, 1e-4);

  Json similar = Ask("similar", {{"problem", "2x+3=7"}, {"count", 300}, {"k", 3}});
  Json printed = Print("similar 2x+3=7 --seeds 0:300 --count 3");
  EXPECT_EQ(similar["model"], "algebra.safetensors");
  similar.erase("model");
  printed.erase("model");
  EXPECT_EQ(similar, printed);
  EXPECT_EQ(Ask("similar", {{"problem", "2x+3=7"}, {"among", {"2x+4=7", "1/2 + 1/3"}}, {"k", 1}})["similar"][0]["problem"],
            "2x + 4 = 7");

  const Json map = Ask("map", {{"problems", {"2x=4", "3x=9", "x^2=4", "1/2+1/3"}}, {"domain", "algebra"}, {"steps", true}});
  ASSERT_EQ(map["points"].size(), 4U);
  EXPECT_EQ(map["points"][0]["steps"], 1);
  EXPECT_GE(map["explained"][0].get<double>(), map["explained"][1].get<double>());
  Ask("map", {{"problems", {"2x=4"}}});
}

TEST(ServiceTest, GrowsTrees) {
  for (const Json& request :
       {Json{{"problem", "2x+3=7"}, {"beam", 2}}, Json{{"problem", "x + 3 = 11"}, {"domain", "equations"}},
        Json{{"problem", "R U"}}, Json{{"problem", "[2,1]"}}, Json{{"problem", "x = 2"}}}) {
    const Json tree = Ask("tree", request);
    EXPECT_EQ(tree["solved"], true) << request;
    std::size_t on_solution = 0;
    std::vector<double> sums(tree["nodes"].size());
    for (const Json& node : tree["nodes"]) {
      const auto id = node["id"].get<std::size_t>();
      if (node["on_solution"].get<bool>()) ++on_solution;
      if (id == 0) continue;
      const auto parent = node["parent"].get<std::size_t>();
      ASSERT_LT(parent, id);
      EXPECT_EQ(node["depth"], tree["nodes"][parent]["depth"].get<int>() + 1);
      EXPECT_EQ(tree["nodes"][parent]["chosen"], true);
      sums[parent] += node["probability"].get<double>();
    }
    for (const double sum : sums) EXPECT_LT(sum, 1 + 1e-9);
    EXPECT_EQ(tree["nodes"].back()["depth"], on_solution - 1) << request;
  }
  const Json cut = Ask("tree", {{"problem", "R U R' U' F D2 B L R U F"}, {"beam", 64}, {"max_steps", 200}});
  EXPECT_LE(cut["nodes"].size(), 2000U);
}

TEST(ServiceTest, ModelsAreHandedOver) {
  auto source = std::make_unique<HandedModels>();
  HandedModels& handed = *source;
  ServiceOptions options;
  options.models = std::move(source);
  options.engine = "wasm";
  Service service(std::move(options));
  // School steps need no model.
  EXPECT_EQ(service.Answer("solve", R"({"problem": "2x+3=7"})").status, 200);
  const std::string request = R"({"problem": "1/2 + 1/3", "domain": "fractions"})";
  const ServiceAnswer missing = service.Answer("solve", request);
  EXPECT_EQ(missing.status, 424);
  EXPECT_EQ(Json::parse(missing.body)["type"], "about:blank#model-needed");
  EXPECT_EQ(Json::parse(missing.body)["model"], "fractions.safetensors");
  std::ifstream file(std::string(CONPOLE_SOURCE) + "/models/fractions.safetensors", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  handed.HandOver("fractions.safetensors", std::as_bytes(std::span(bytes)));
  const ServiceAnswer answer = service.Answer("solve", request);
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(WithoutTime(Json::parse(answer.body)), WithoutTime(Ask("solve", Json::parse(request))));
  EXPECT_EQ(Json::parse(service.Answer("version", "").body)["engine"], "wasm");
  // A model of another domain is refused.
  handed.HandOver("equations.safetensors", std::as_bytes(std::span(bytes)));
  EXPECT_EQ(service.Answer("solve", R"({"problem": "x + 3 = 7", "domain": "equations"})").status, 400);
}

TEST(ServiceTest, AModelBringsItsAbstractions) {
  Model model = ReadModel(std::string(CONPOLE_SOURCE) + "/models/equations.safetensors");
  model.metadata["abstractions"] =
      "conpole abstractions 1 for equations\nsub+assoc+eval+add0: sub; assoc @0:L; eval @0:R; add0 @1:\n";
  const auto solve = [&] {
    auto source = std::make_unique<HandedModels>();
    const std::string bytes = FormatModel(model, WeightFormat::kFloat16);
    source->HandOver("equations.safetensors", std::as_bytes(std::span(bytes)));
    ServiceOptions options;
    options.models = std::move(source);
    return Service(std::move(options)).Answer("solve", R"({"problem": "x + 3 = 7", "domain": "equations", "detail": "both"})");
  };
  const ServiceAnswer answer = solve();
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json both = Json::parse(answer.body);
  EXPECT_EQ(both["answer"], "x = 4");
  bool is_used = false;
  for (const Json& step : both["steps"]) {
    if (step["axiom"] != "sub+assoc+eval+add0") continue;
    is_used = true;
    EXPECT_EQ(step["axioms"].size(), 4U) << step;
  }
  EXPECT_TRUE(is_used) << both;

  // Those of another domain are refused.
  model.metadata["abstractions"] = "conpole abstractions 1 for fractions\ntwice: factorize; factorize @0:L\n";
  const ServiceAnswer refused = solve();
  EXPECT_EQ(refused.status, 400) << refused.body;
  EXPECT_NE(refused.body.find("equations.safetensors: "), std::string::npos) << refused.body;
}

TEST(ServiceTest, SearchesStopWhenTold) {
  const std::atomic<bool> stop = true;
  const ServiceAnswer answer =
      Shared().Answer("solve", R"({"problem": "R U R' U' F D2 B L R U F", "milliseconds": 30000})", {.stop = &stop});
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(Json::parse(answer.body)["status"], "unsolved");
}

TEST(ServiceTest, WhatTakesTooLongEndsWithoutAnAnswer) {
  // Hundreds of lists, each of which is thousands of characters for the network.
  std::string numbers = "[";
  for (int i = 0; i < 340; ++i) numbers += std::to_string(i % 90 + 10) + ",";
  numbers.back() = ']';
  EXPECT_EQ(Ask("next", {{"line", numbers}, {"milliseconds", 1}}, 503)["status"], 503);
  EXPECT_EQ(Ask("solve", {{"problem", numbers}, {"milliseconds", 1}})["status"], "unsolved");
}

TEST(ServiceTest, ReportsProgress) {
  std::vector<std::string> reports;
  std::atomic<bool> stop = false;
  ServiceCall call;
  call.stop = &stop;
  call.progress = [&](const std::string& json) {
    reports.push_back(json);
    stop = true;
  };
  // Looks for a shorter solution until it is stopped, however busy the machine is.
  const ServiceAnswer answer =
      Shared().Answer("solve", R"({"problem": "R U R' U' F D2 B L R U F", "milliseconds": 60000})", call);
  ASSERT_EQ(answer.status, 200) << answer.body;
  ASSERT_FALSE(reports.empty());
  for (const std::string& report : reports) {
    const Json json = Json::parse(report);
    EXPECT_TRUE(json["expanded"].is_number_unsigned() && json["beam"].is_number_unsigned() &&
                json["milliseconds"].is_number_unsigned());
  }
}

TEST(ServiceTest, ThreadsShareIt) {
  const Json request{{"problem", "1/2 + 3/7"}, {"domain", "fractions"}};
  const Json expected = WithoutTime(Ask("solve", request));
  std::vector<std::thread> threads;
  std::vector<Json> answers(8);
  for (Json& answer : answers)
    threads.emplace_back([&] { answer = Json::parse(Shared().Answer("solve", request.dump()).body); });
  for (std::thread& thread : threads) thread.join();
  for (const Json& answer : answers) EXPECT_EQ(WithoutTime(answer), expected);
}

}  // namespace
}  // namespace conpole
