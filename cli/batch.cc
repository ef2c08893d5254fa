#include "cli/batch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "conpole/error.h"
#include "session/reading.h"
#include "util/interrupt.h"

namespace conpole::cli {
namespace {

BatchItem ItemOf(const std::string& line, std::size_t number) {
  if (!line.starts_with('{')) return {line, std::nullopt};
  const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
  const auto text = [&](const char* name) -> std::optional<std::string> {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
  };
  const std::optional<std::string> problem = object.is_object() ? text("problem") : std::nullopt;
  // A brace may also begin a problem, as in LaTeX.
  if (object.is_discarded()) return {line, std::nullopt};
  if (!problem) throw Error(fmt::format("line {}: the object has no text \"problem\"", number));
  return {*problem, text("answer")};
}

// The sessions of one thread, by domain.
class Solvers {
 public:
  explicit Solvers(const TutorArguments& arguments) : arguments_(arguments) { arguments_.search.threads = 1; }

  BatchResult Solve(const std::string& problem) {
    BatchResult result;
    const auto start = std::chrono::steady_clock::now();
    TutorSession& session = SessionFor(problem);
    try {
      result.state = session.Read(problem);
      result.solution = session.tutor().Solve(result.state, session.budget(), nullptr);
    } catch (const UnreadableText& error) {
      result.error = error.reason;
    } catch (const OptionError& error) {
      result.error = error.message();
    }
    result.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
  }
  TutorSession& SessionFor(const std::string& problem) {
    const std::string domain = arguments_.texts.empty() ? ChooseDomain(problem, arguments_.language,
                                                                       DetailOf(arguments_.detail), arguments_.search.policy)
                                                        : arguments_.texts.front();
    std::unique_ptr<TutorSession>& session = sessions_[domain];
    if (!session) session = std::make_unique<TutorSession>(arguments_, domain);
    return *session;
  }

 private:
  TutorArguments arguments_;
  std::map<std::string, std::unique_ptr<TutorSession>> sessions_;
};

}  // namespace

std::vector<BatchItem> ReadBatch(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file || std::filesystem::is_directory(path)) throw Error(fmt::format("the batch {} cannot be read", path));
  }
  std::istream& input = path == "-" ? std::cin : file;
  std::vector<BatchItem> items;
  std::size_t number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") != std::string::npos) items.push_back(ItemOf(line, number));
  }
  return items;
}

bool SolveBatch(const TutorArguments& arguments, const std::vector<BatchItem>& items,
                const std::function<void(const BatchItem&, const Domain&, const BatchResult&)>& done) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t wanted = arguments.search.threads == 0 ? cores : arguments.search.threads;
  const std::size_t count = std::min(items.size(), wanted);
  std::vector<std::optional<BatchResult>> results(items.size());  // none where it was interrupted
  std::atomic<std::size_t> next = 0;
  std::deque<Solvers> solvers;  // one per thread
  for (std::size_t i = 0; i < count; ++i) solvers.emplace_back(arguments);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      for (std::size_t item = next++; item < items.size() && !InterruptFlag(); item = next++) {
        try {
          results[item] = solvers[i].Solve(items[item].problem);
        } catch (const std::exception& error) {
          results[item].emplace().error = MessageOf(error).english();  // of this problem alone
        }
        if (results[item]->solution.outcome == SearchOutcome::kInterrupted) results[item].reset();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t item = 0; item < items.size(); ++item) {
    if (!results[item]) continue;
    done(items[item], solvers.front().SessionFor(items[item].problem).domain(), *results[item]);
  }
  return std::all_of(results.begin(), results.end(), [](const auto& result) { return result.has_value(); });
}

}  // namespace conpole::cli
