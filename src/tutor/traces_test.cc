#include "tutor/traces.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "explain/mistakes.h"
#include "subjects/verify.h"
#include "tests/files.h"
#include "tutor/policy.h"
#include "tutor/trace_file.h"
#include "util/random.h"
#include "verify/algebra_meaning.h"

namespace conpole {
namespace {

using Json = nlohmann::json;

class TracesTest : public FolderTest {
 protected:
  std::vector<Trace> Make(const std::string& spec, std::uint64_t problems, const TraceOptions& options,
                          std::size_t threads = 1) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    ThreadPool pool(threads);
    const std::unique_ptr<Scorer> scorer = MakePolicy(*domain, pool);
    std::vector<std::uint64_t> seeds(problems);
    std::iota(seeds.begin(), seeds.end(), 0);
    return TraceMaker(*domain, *scorer, options, pool).Make(seeds);
  }

  TraceCounts Write(TraceFileRequest request, const StopToken& stop = {}) {
    const std::unique_ptr<Domain> domain = MakeDomain("algebra");
    ThreadPool pool(1);
    const std::unique_ptr<Scorer> scorer = MakePolicy(*domain, pool);
    return WriteTraceFile(*domain, *scorer, request, pool, stop);
  }
};

TEST_F(TracesTest, EveryLineOfAlgebraIsLabelledByWhatItMeans) {
  const std::vector<Trace> traces = Make("algebra", 40, {.wrong = 2, .alternatives = 4});
  std::size_t wrong_lines = 0;
  std::set<std::string> mistakes;
  for (const Trace& trace : traces) {
    std::string before = trace.problem;
    for (const TraceStep& step : trace.steps) {
      std::vector<const TraceLine*> lines{&step.line};
      for (const TraceLine& other : step.alternatives) lines.push_back(&other);
      for (const TraceLine* const line : lines) {
        if (!line->is_true) continue;
        EXPECT_EQ(SameMeaning(ReadAlgebra(before), ReadAlgebra(line->state)).value_or(!*line->is_true), *line->is_true)
            << before << " -> " << line->state;
        EXPECT_EQ(line->mistake.empty(), line->kind != LineKind::kMistake);
        if (line->kind == LineKind::kCoincidence) {
          EXPECT_TRUE(*line->is_true && !line->follows) << line->state;
        }
        if (line->kind == LineKind::kAway) {
          EXPECT_FALSE(line->helps.value_or(true)) << line->state;
          EXPECT_TRUE(*line->is_true) << before << " -> " << line->state;
        }
        wrong_lines += line->is_right().value() ? 0U : 1U;
        if (!line->mistake.empty()) mistakes.insert(line->mistake);
      }
      before = step.line.state;
    }
    if (trace.variant == 0) {
      EXPECT_EQ(trace.FirstError(), -1) << trace.problem;
      EXPECT_EQ(trace.verdict, Verdict::kRight) << trace.problem;
    } else {
      EXPECT_NE(trace.FirstError(), -1) << trace.problem;
    }
  }
  EXPECT_GT(wrong_lines, 100U);
  EXPECT_GT(mistakes.size(), 8U);
  const std::vector<std::string_view> known = MistakeRules();
  for (const std::string& mistake : mistakes) {
    EXPECT_TRUE(mistake == "copied" || std::find(known.begin(), known.end(), mistake) != known.end()) << mistake;
  }
}

TEST_F(TracesTest, DependOnTheSeedAlone) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  const auto texts = [&](const std::vector<Trace>& traces) {
    std::vector<std::string> lines;
    for (const Trace& trace : traces) lines.push_back(*FormatTrace(trace, *domain, TraceFormat::kJsonLines));
    return lines;
  };
  const TraceOptions options{.wrong = 1, .alternatives = 2};
  const std::vector<std::string> lines = texts(Make("algebra", 12, options));
  EXPECT_EQ(texts(Make("algebra", 12, options, 3)), lines) << "threads";
  const std::vector<std::string> fewer = texts(Make("algebra", 6, options));
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), lines.begin())) << "the problems beside it";
  TraceOptions other = options;
  other.seed = 1;
  EXPECT_NE(texts(Make("algebra", 12, other)), lines);
}

TEST_F(TracesTest, EveryDomainHasSome) {
  for (const char* const spec : {"sorting:max_length=5", "ternary-addition:max_digits=4", "fractions"}) {
    const std::vector<Trace> traces = Make(spec, 6, {.wrong = 1, .alternatives = 1, .beam = 5});
    EXPECT_FALSE(traces.empty()) << spec;
    std::size_t wrong = 0;
    for (const Trace& trace : traces) wrong += trace.FirstError() != -1 ? 1U : 0U;
    EXPECT_GT(wrong, 0U) << spec;
  }
}

TEST_F(TracesTest, FormatsAreThoseOfOthers) {
  const std::unique_ptr<Domain> domain = MakeDomain("algebra");
  const std::vector<Trace> traces = Make("algebra", 8, {.wrong = 1});
  ASSERT_GT(traces.size(), 8U);
  for (const Trace& trace : traces) {
    const Json bench = Json::parse(*FormatTrace(trace, *domain, TraceFormat::kProcessBench));
    EXPECT_EQ(bench.at("steps").size(), trace.steps.size());
    EXPECT_EQ(bench.at("label"), trace.FirstError());
    EXPECT_EQ(bench.at("final_answer_correct"), trace.verdict == Verdict::kRight);
    const Json fover = Json::parse(*FormatTrace(trace, *domain, TraceFormat::kFoVer));
    EXPECT_EQ(fover.at("solution_steps").size(), fover.at("error_labels").size());
    const Json trl = Json::parse(*FormatTrace(trace, *domain, TraceFormat::kTrl));
    EXPECT_EQ(trl.at("completions"), fover.at("solution_steps"));
    EXPECT_EQ(trl.at("labels").at(0), trace.steps[0].line.is_right().value());
    const std::optional<std::string> chat = FormatTrace(trace, *domain, TraceFormat::kChat);
    EXPECT_EQ(chat.has_value(), trace.variant == 0) << "what is wrong is no example to follow";
    if (chat) {
      EXPECT_EQ(Json::parse(*chat).at("messages").at(1).at("role"), "assistant");
    }
  }
  EXPECT_EQ(ErrorOf([] { TraceFormatOf("csv"); }), "unknown format 'csv'; there are: jsonl, processbench, fover, trl, chat");
}

TEST_F(TracesTest, AFileIsResumedAndShared) {
  TraceFileRequest request;
  request.path = Path("whole.jsonl");
  request.count = 150;
  const TraceCounts counts = Write(request);
  EXPECT_EQ(counts.problems, 150U);
  EXPECT_EQ(counts.steps, counts.right + counts.wrong + counts.not_known);
  EXPECT_NE(Content("whole.jsonl.md").find("| labelled lines | " + std::to_string(counts.steps) + " |"), std::string::npos);
  EXPECT_EQ(ErrorOf([&] { Write(request); }), request.path + " exists already; --resume goes on with it");

  // Stopped after its first batch, and with half a line that a crash has left.
  TraceFileRequest stopped = request;
  stopped.path = Path("stopped.jsonl");
  int asked = 0;
  Write(stopped, StopToken().Or([&] { return ++asked > 40; }));
  EXPECT_LT(Content("stopped.jsonl").size(), Content("whole.jsonl").size());
  std::ofstream(stopped.path, std::ios::app) << "{\"id\": ";
  stopped.resume = true;
  Write(stopped);
  EXPECT_EQ(Content("stopped.jsonl"), Content("whole.jsonl"));
  stopped.options.seed = 1;
  EXPECT_EQ(ErrorOf([&] { Write(stopped); }), stopped.path + " was begun with seed 0, and cannot go on with 1");

  std::multiset<std::string> parts;
  std::multiset<std::string> whole;
  const auto add = [&](const std::string& name, std::multiset<std::string>& lines) {
    std::istringstream content(Content(name));
    for (std::string line; std::getline(content, line);) lines.insert(line);
  };
  for (const char* const shard : {"0/3", "1/3", "2/3"}) {
    TraceFileRequest part = request;
    part.path = Path(std::string("part") + shard[0]);
    ReadShard(shard, part);
    EXPECT_EQ(Write(part).problems, 50U);
    add(std::string("part") + shard[0], parts);
  }
  add("whole.jsonl", whole);
  EXPECT_EQ(parts, whole);
  for (const char* const bad : {"3/3", "1", "a/b", "-1/3", "1/0"}) {
    EXPECT_NE(ErrorOf([&] { ReadShard(bad, request); }).find("a shard is I/N"), std::string::npos) << bad;
  }
}

}  // namespace
}  // namespace conpole
