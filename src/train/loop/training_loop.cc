#include "train/loop/training_loop.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "conpole/error.h"
#include "search/run_search.h"
#include "train/loop/learner.h"
#include "train/ranks/rank_checkpoints.h"
#include "util/hash.h"
#include "util/stopwatch.h"

namespace conpole {
namespace {

// In checkpoints: what is not there is null, an evaluation is its three shares.
void Put(nlohmann::json& to, const Evaluation& value) { to = {value.success, value.right, value.wrong}; }
void Put(nlohmann::json& to, const TimeSpent& time) {
  to = {time.expand, time.select, time.prepare, time.encode, time.learn, time.evaluate, time.idle};
}
template <class T>
void Put(nlohmann::json& to, const T& number) {
  to = number;
}
template <class T>
void Put(nlohmann::json& to, const std::optional<T>& value) {
  to = nullptr;
  if (value) Put(to, *value);
}

void Take(const nlohmann::json& from, Evaluation& value) { value = {from.at(0), from.at(1), from.at(2)}; }
void Take(const nlohmann::json& from, TimeSpent& time) {
  std::size_t next = 0;
  for (double TimeSpent::*const part : {&TimeSpent::expand, &TimeSpent::select, &TimeSpent::prepare, &TimeSpent::encode,
                                        &TimeSpent::learn, &TimeSpent::evaluate, &TimeSpent::idle}) {
    time.*part = from.at(next++);
  }
}
template <class T>
void Take(const nlohmann::json& from, T& number) {
  number = from.get<T>();
}
template <class T>
void Take(const nlohmann::json& from, std::optional<T>& value) {
  value.reset();
  if (!from.is_null()) Take(from, value.emplace());
}

// What checkpoints have of the status of a domain, by name.
template <class Status, class Visit>
void ForEachOfDomain(Status& status, const Visit& visit) {
  visit("steps", status.steps);
  visit("problems", status.problems);
  visit("solved", status.solved);
  visit("best_validation", status.best_validation);
  visit("evaluation", status.evaluation);
  visit("validation", status.validation);
  visit("axioms_evaluation", status.axioms_evaluation);
  visit("axioms_validation", status.axioms_validation);
  visit("abstracted", status.abstracted);
}

// Of the status of a run.
template <class Status, class Visit>
void ForEachSaved(Status& status, const Visit& visit) {
  ForEachOfDomain(status, visit);
  visit("gradient_steps", status.gradient_steps);
  visit("strings_scored", status.strings_scored);
  visit("strings_learned", status.strings_learned);
  visit("seconds", status.seconds);
  visit("best_steps", status.best_steps);
  visit("evaluated_steps", status.evaluated_steps);
  visit("time", status.time);
}

std::optional<Evaluation> Mean(std::span<const DomainStatus> domains, std::optional<Evaluation> DomainStatus::*evaluation) {
  Evaluation mean;
  for (const DomainStatus& domain : domains) {
    if (!(domain.*evaluation)) return {};
    for (double Evaluation::*const share : {&Evaluation::success, &Evaluation::right, &Evaluation::wrong}) {
      mean.*share += (*(domain.*evaluation)).*share / static_cast<double>(domains.size());
    }
  }
  return mean;
}

}  // namespace

double Evaluation::verified() const {
  return success > 0 && right + wrong == 0 ? std::numeric_limits<double>::quiet_NaN() : right;
}

TrainingLoop::TrainingLoop(std::vector<const Domain*> domains, const TrainOptions& options, TrainCallbacks callbacks,
                           Ranks& ranks)
    : domains_(std::move(domains)),
      options_(options),
      callbacks_(std::move(callbacks)),
      ranks_(ranks),
      pool_(options.threads),
      schedule_(options) {
  for (const Domain* const domain : domains_) {
    const auto is_like = [&](const Domain* other) { return other->type().name == domain->type().name; };
    const bool has_own_name = std::ranges::count_if(domains_, is_like) == 1;
    status_.domains.emplace_back().name = has_own_name ? domain->type().name : domain->Spec();
  }
}

void TrainingLoop::Begin(const std::atomic<bool>& stop) {
  interrupted_ = &stop;
  began_ = Clock::now();
}

std::size_t TrainingLoop::EvaluationSteps(double usual_length) const {
  constexpr std::size_t kUsual = 30;
  if (options_.max_steps != 0) return options_.max_steps;
  if (options_.eval_max_steps != 0) return options_.eval_max_steps;
  return usual_length <= static_cast<double>(kUsual) ? kUsual : std::max(kUsual, options_.depth_max);
}

double TrainingLoop::LearningRate() const {
  const double steps = static_cast<double>(status_.gradient_steps + 1);
  const double warm = std::min(1.0, steps / (static_cast<double>(options_.warmup) + 1));
  const double cosine = (1 + std::cos(std::numbers::pi * PartDone())) / 2;
  return options_.learning_rate * (warm * (options_.final_learning_rate + (1 - options_.final_learning_rate) * cosine));
}

void TrainingLoop::UpdateStatus() {
  const double seconds = interrupted_ == nullptr ? 0 : std::chrono::duration<double>(Clock::now() - began_).count();
  status_.seconds = earlier_seconds_ + seconds;
  status_.seconds_left = schedule_.SecondsLeft(status_.steps, status_.seconds);
}

void TrainingLoop::ShowCurricula(std::span<const Curriculum* const> curricula) {
  DomainStatus all;
  for (std::size_t i = 0; i < curricula.size(); ++i) {
    const Curriculum& curriculum = *curricula[i];
    DomainStatus& own = status_.domains[i];
    const auto share = static_cast<double>(curricula.size());
    all.solved_rate += (own.solved_rate = curriculum.solved_rate()) / share;
    all.solution_length += (own.solution_length = curriculum.mean_length()) / share;
    all.depth_limit = std::max(all.depth_limit, own.depth_limit = curriculum.depth_limit());
    all.easiest_of = std::max(all.easiest_of, own.easiest_of = curriculum.easiest_of());
    all.level = std::max(all.level, own.level = curriculum.level());
    all.size_limit = std::max(all.size_limit, own.size_limit = curriculum.size_limit());
  }
  status_.solved_rate = all.solved_rate;
  status_.solution_length = all.solution_length;
  status_.depth_limit = all.depth_limit;
  status_.easiest_of = all.easiest_of;
  status_.level = all.level;
  status_.size_limit = all.size_limit;
}

void TrainingLoop::PlanNextEvaluation() { next_evaluation_ = schedule_.NextEvaluation(status_.steps); }

bool TrainingLoop::TryPolicy(Scorer& scorer, std::span<const std::size_t> max_steps) {
  const ScopeTimer timer(status_.time.evaluate);
  const Stopwatch watch;
  std::vector<DomainStatus> domains = status_.domains;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const std::optional<std::vector<Evaluation>> found = EvaluateIn(*domains_[i], scorer, max_steps[i]);
    if (!found) return false;
    domains[i].evaluation = found->at(0);
    domains[i].validation = found->at(1);
    if (options_.axioms_share == 0) continue;
    const std::optional<std::vector<Evaluation>> by_axioms = EvaluateIn(*callbacks_.axioms[i], scorer, max_steps[i]);
    if (!by_axioms) return false;
    domains[i].axioms_evaluation = by_axioms->at(0);
    domains[i].axioms_validation = by_axioms->at(1);
  }
  for (std::optional<Evaluation> DomainStatus::*const evaluation :
       {&DomainStatus::evaluation, &DomainStatus::validation, &DomainStatus::axioms_evaluation,
        &DomainStatus::axioms_validation}) {
    status_.*evaluation = Mean(domains, evaluation);
  }
  status_.domains = std::move(domains);
  status_.evaluated_steps = status_.steps;
  schedule_.Reserve(watch.Seconds());
  PlanNextEvaluation();
  return true;
}

std::optional<std::vector<Evaluation>> TrainingLoop::EvaluateIn(const Domain& domain, Scorer& scorer, std::size_t max_steps) {
  const SeedRange ranges[] = {options_.eval_seeds, options_.validation_seeds};
  std::vector<std::string> problems;
  std::vector<std::size_t> range_of_problem;
  std::uint64_t number = 0;
  for (std::size_t r = 0; r < std::size(ranges); ++r) {
    for (std::uint64_t seed = ranges[r].first; seed < ranges[r].end && !*interrupted_; ++seed) {
      if (number++ % ranks_.size() != ranks_.rank()) continue;
      problems.push_back(domain.Generate(seed));
      range_of_problem.push_back(r);
    }
  }
  SearchOptions search;
  search.kind = SearchKind::kGreedy;
  search.greedy.max_steps = max_steps;
  search.stop = interrupted_;
  const std::vector<SearchResult> results = RunSearch(domain, scorer, problems, search, pool_);
  // Solved, right and wrong of each range, and how many ranks were interrupted.
  std::vector<std::uint64_t> counts(3 * std::size(ranges) + 1, 0);
  for (std::size_t i = 0; i < results.size() && !*interrupted_; ++i) {
    if (!results[i].solved()) continue;
    std::uint64_t* const of_range = counts.data() + 3 * range_of_problem[i];
    ++of_range[0];
    const Verdict verdict = callbacks_.verify(domain, problems[i], results[i].path.back());
    if (verdict == Verdict::kRight) ++of_range[1];
    if (verdict == Verdict::kWrong) ++of_range[2];
  }
  if (*interrupted_) counts.back() = 1;
  DoTogether([&] { counts = ranks_.SumCounts(counts); });
  if (counts.back() != 0) return {};
  std::vector<Evaluation> evaluations;
  for (std::size_t r = 0; r < std::size(ranges); ++r) {
    const double share = 1 / static_cast<double>(std::max<std::uint64_t>(1, ranges[r].size()));
    const std::uint64_t* const of_range = counts.data() + 3 * r;
    evaluations.push_back({static_cast<double>(of_range[0]) * share, static_cast<double>(of_range[1]) * share,
                           static_cast<double>(of_range[2]) * share});
  }
  return evaluations;
}

void TrainingLoop::ReportEvaluation() {
  UpdateStatus();
  for (DomainStatus& domain : status_.domains) {
    domain.best_validation = std::max(domain.worth(), domain.best_validation.value_or(domain.worth()));
  }
  const double good = status_.worth();
  if (!status_.best_validation || good >= *status_.best_validation) {
    status_.best_validation = good;
    status_.best_steps = status_.steps;
    if (ranks_.is_first()) callbacks_.improved(status_, Weights());
  }
  callbacks_.evaluated(status_);
  LookAtProgress(good);
}

void TrainingLoop::LookAtProgress(double validation) {
  const std::uint64_t since = schedule_.progressed();
  if (!schedule_.StandsStill(status_.steps, {validation, Level()})) return;
  const std::string remedy = LeavePlateau();
  callbacks_.say(fmt::format("validation has not improved since step {} ({:.1f}%): {}", since,
                             100 * status_.best_validation.value_or(0), remedy));
}

void TrainingLoop::WriteSections(const CheckpointFolder& checkpoints, const nlohmann::json& more, const std::string& learned,
                                 const std::vector<CheckpointSection>& own) {
  nlohmann::json state = more;
  ForEachSaved(status_, [&](const char* name, const auto& value) { Put(state[name], value); });
  for (std::size_t i = 0; i < domains_.size() && domains_.size() > 1; ++i) {
    ForEachOfDomain(status_.domains[i], [&](const char* name, const auto& value) { Put(state["domains"][i][name], value); });
  }
  state["next_evaluation"] = next_evaluation_;
  state["schedule"] = schedule_.Save();
  std::vector<CheckpointSection> sections = callbacks_.sections;
  sections.push_back({"trainer", [&](const WriteBytes& write) { write(state.dump()); }});
  sections.push_back({"learner", [&](const WriteBytes& write) { write(learned); }});
  DoTogether([&] { WriteRankCheckpoint(checkpoints, ranks_, status_.steps, sections, own); });
}

void TrainingLoop::Restore(const std::map<std::string, std::string>& sections) {
  try {
    const nlohmann::json state = nlohmann::json::parse(sections.at("trainer"));
    ForEachSaved(status_, [&](const char* name, auto& value) { Take(state.at(name), value); });
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const nlohmann::json& own = domains_.size() == 1 ? state : state.at("domains").at(i);
      ForEachOfDomain(status_.domains[i], [&](const char* name, auto& value) { Take(own.at(name), value); });
    }
    next_evaluation_ = state.at("next_evaluation");
    schedule_.Restore(state.at("schedule"));
    earlier_seconds_ = status_.seconds;
    RestoreMore(state, sections);
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("the checkpoint is damaged: {}", error.what()));
  } catch (const std::out_of_range&) {
    throw Error("the checkpoint lacks a section");
  }
  UpdateStatus();
}

std::string Numbered(const std::string& name, std::size_t domain) {
  return domain == 0 ? name : fmt::format("{}-{}", name, domain);
}

std::uint64_t SeedOf(std::uint64_t seed, RandomStream stream, std::uint64_t counter) {
  return MixHash(MixHash(seed, static_cast<std::uint64_t>(stream)), counter);
}

void CheckScores(std::span<const float> scores) {
  if (std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); })) return;
  throw Diverged("training has diverged: a score is not finite any more");
}

}  // namespace conpole
