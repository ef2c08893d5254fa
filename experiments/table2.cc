// conpole reproduce table2: the paper's Table 2, all agents in all domains. Every run is a run of conpole train in a folder of
// its own, in a process of its own, several at a time; whatever ends them, the same command goes on where they were:
//   1. plan the runs, and leave out those whose record is there,
//   2. train each until it is done, one process per run,
//   3. let the model that it chose solve problems that nothing was chosen by, and write the run's record,
//   4. make table and curves of all records.
// Step 4 alone redraws what is kept elsewhere (--from). The folder has:
//   lock            held while a process works here
//   runs/NAME       folders of training runs (train/run/run_folder.h)
//   logs/NAME.*     what their processes said
//   data/NAME.json  records of runs
//   table2.md, table2.json, curves-DOMAIN.svg
#include "experiments/table2.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/ranks.h"
#include "cli/torch_engine.h"
#include "conpole/domain.h"
#include "conpole/error.h"
#include "experiments/child_process.h"
#include "experiments/markdown.h"
#include "experiments/table2_data.h"
#include "experiments/table2_estimate.h"
#include "experiments/table2_report.h"
#include "train/agents/agent.h"
#include "train/run/checkpoint.h"
#include "train/run/metrics.h"
#include "train/run/recipe.h"
#include "train/run/run_folder.h"
#include "train/run/settings.h"
#include "util/atomic_file.h"
#include "util/interrupt.h"
#include "util/program_path.h"
#include "util/progress.h"
#include "util/read_file.h"
#include "util/seed_range.h"
#include "util/stopwatch.h"
#include "util/text.h"

namespace conpole::cli {
namespace {

constexpr std::size_t kMaxLogBytes = std::size_t{1} << 30;
constexpr std::size_t kMaxTable2PageBytes = std::size_t{1} << 24;

struct Table2Options {
  std::string out = "table2";
  std::string from;
  std::string into;
  std::string preset;
  std::string agents = "all";
  std::string variants = "as-published,repaired";
  std::string domains = "all";
  std::string seeds = "1";
  std::string steps;
  std::string templates;
  std::string device = "cpu";
  std::vector<std::string> settings;
  std::size_t jobs = 1;
  std::size_t threads = 0;
  double seconds = 0;
  bool is_plan_only = false;
  bool json = false;
};

// 1. The plan.

struct PlannedRun {
  RunRecord record;  // who it is, and in the end what came of it
  std::string spec;  // of the domain
  std::uint64_t steps = 0;
  SettingValues settings;  // all that train is given, besides who it is

  std::string name() const { return RecordName(record); }
};

bool IsOnGpu(std::string_view device) { return device.starts_with("cuda"); }

std::vector<std::uint64_t> SeedsOf(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  for (const std::string& part : SplitAtCommas(text)) {
    if (part.find(':') == std::string::npos) {
      seeds.push_back(ReadNumber("--seeds", part, NumberRange<std::uint64_t>{}));
      continue;
    }
    const SeedRange range = ParseSeedRange("--seeds", part);
    constexpr std::uint64_t kMost = 1000;
    if (range.size() > kMost) throw Error(fmt::format("--seeds {}: more than {} runs of each", part, kMost));
    for (std::uint64_t seed = range.first; seed < range.end; ++seed) seeds.push_back(seed);
  }
  if (seeds.empty()) throw Error("--seeds must be numbers, for example 1,2,3 or 1:4");
  return seeds;
}

// What a run of so many steps, on a GPU and with several at a time, takes minutes for.
std::uint64_t UsualSteps(std::string_view domain) {
  if (domain == "sorting") return 200'000;
  if (domain == "ternary-addition") return 5'000'000;
  if (domain == "multiplication") return 1'500'000;
  if (domain == "fractions") return 4'000'000;
  return 10'000'000;
}

// N for all domains, or DOMAIN=N,DOMAIN=N,...
std::uint64_t StepsFor(const std::string& domain, const std::string& text) {
  constexpr NumberRange<std::uint64_t> kRange{1, 1'000'000'000'000};
  std::uint64_t steps = UsualSteps(domain);
  for (const std::string& part : SplitAtCommas(text)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      steps = ReadNumber("--steps", part, kRange);
    else if (part.substr(0, equals) == domain)
      steps = ReadNumber("--steps", part.substr(equals + 1), kRange);
  }
  return steps;
}

bool LearnsFromBeams(std::string_view agent) { return agent == "conpole" || agent == "conpole-local" || agent == "cvi"; }

// What all runs of the table have in common: problems, depths and steps as in the paper. As published, agents bring their own.
SettingValues UsualSettings(const RunRecord& run, std::string_view device) {
  SettingValues values{{"abstractions", "none"}, {"curriculum", "short"}};
  if (run.variant == "as-published") values.erase("curriculum");
  // A processor gains nothing from large networks and batches.
  values["network"] = IsOnGpu(device) ? "lstm:embedding=64,hidden=128,layers=2,spaces=read"
                                      : "lstm:embedding=16,hidden=32,layers=1,spaces=read";
  if (run.variant != "as-published") values["max-steps"] = "30";
  if (!IsOnGpu(device)) {
    if (!LearnsFromBeams(run.agent) && run.variant != "as-published") values["batch"] = "32";
    return values;
  }
  if (LearnsFromBeams(run.agent)) {
    values["gradient-steps"] = "0.6";
  } else if (run.variant != "as-published") {
    values["gradient-steps"] = "0.25";  // every state of a walk is learned about once
  }
  return values;
}

PlannedRun PlanRun(const Table2Options& options, const TableAgent& agent, const std::string& spec, std::uint64_t seed) {
  const std::unique_ptr<Domain> domain = MakeDomain(spec);
  PlannedRun run;
  run.record.agent = agent.name;
  run.record.variant = agent.variant;
  run.record.domain = domain->type().name;
  run.record.seed = seed;
  run.record.device = options.device;
  run.spec = spec;
  if (run.record.domain == "equations" && !options.templates.empty()) {
    run.record.source = std::filesystem::path(options.templates).filename();
    run.spec = fmt::format("equations:templates={}", options.templates);
  } else if (domain->Spec() != run.record.domain) {
    run.record.source = domain->Spec();
  }
  run.steps = StepsFor(run.record.domain, options.steps);
  run.settings = UsualSettings(run.record, options.device);
  // Each takes about a second on a GPU, and is where a run on a CPU can go on from.
  const std::uint64_t evaluations = IsOnGpu(options.device) ? 15 : 25;
  run.settings["eval-every"] = std::to_string(std::max<std::uint64_t>(1, run.steps / evaluations));
  for (const std::string& setting : options.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw Error(fmt::format("--set must be NAME=VALUE, not '{}'", setting));
    const std::string name = setting.substr(0, equals);
    for (const char* const own :
         {"domain", "agent", "variant", "device", "seed", "steps", "threads", "seconds", "checkpoint-minutes"}) {
      if (name == own)
        throw Error(fmt::format("--set {}: is not a setting for all runs; some have an option, like --steps", name));
    }
    run.settings[name] = setting.substr(equals + 1);
  }
  RunSettings unused;
  ApplyValues(run.settings, unused);  // what is wrong is said before anything runs
  run.record.settings = run.settings;
  return run;
}

std::vector<PlannedRun> MakePlan(const Table2Options& options) {
  const auto is_in = [](const std::vector<std::string>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const std::vector<std::string> agents = options.agents == "all" ? AgentNames() : SplitAtCommas(options.agents);
  for (const std::string& agent : agents) {
    if (FindAgentType(agent) == nullptr) {
      throw Error(fmt::format("--agents: unknown agent '{}'; there are: {}", agent, fmt::join(AgentNames(), ", ")));
    }
  }
  const std::vector<std::string> variants = SplitAtCommas(options.variants);
  for (const std::string& variant : variants) {
    if (variant != "as-published" && variant != "repaired") {
      throw Error(fmt::format("--variants: unknown variant '{}'; there are: as-published, repaired", variant));
    }
  }
  std::vector<std::string> domains = SplitAtCommas(options.domains);
  if (options.domains == "all") domains.assign(TableDomains().begin(), TableDomains().end());
  std::vector<PlannedRun> plan;
  for (const std::uint64_t seed : SeedsOf(options.seeds)) {
    for (const std::string& domain : domains) {
      for (const TableAgent& agent : TableAgents()) {
        if (!is_in(agents, agent.name) || (!agent.variant.empty() && !is_in(variants, agent.variant))) continue;
        plan.push_back(PlanRun(options, agent, domain, seed));
      }
    }
  }
  if (plan.empty()) throw Error("there is nothing to run: no agent is left, or no domain");
  return plan;
}

RunKind KindOf(const RunRecord& run) { return {run.agent, run.variant, run.domain, IsOnGpu(run.device)}; }

std::string DurationInWords(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// 2. and 3. The runs.

// A lock that the system lets go of when the process ends, however it does.
class FileLock {
 public:
  explicit FileLock(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    is_held_ = file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0;
  }
  ~FileLock() {
    if (file_ >= 0) close(file_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool is_held() const { return is_held_; }

 private:
  int file_;
  bool is_held_ = false;
};

// The last whole line of a log that is an object with this event; null if there is none.
Json LastEvent(const std::string& path, std::string_view event) {
  std::string text;
  try {
    text = ReadRegularFile(path, kMaxLogBytes);
  } catch (const Error&) {
    return nullptr;  // nothing was said yet
  }
  std::size_t end = text.rfind('\n');
  while (end != std::string::npos) {
    const std::size_t before = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const Json line = Json::parse(text.substr(begin, end - begin), nullptr, /*allow_exceptions=*/false);
    if (line.is_object() && (event.empty() || line.value("event", "") == event)) return line;
    end = before;
  }
  return nullptr;
}

// What a process said that went wrong, on one line.
std::string LastWords(const std::string& path) {
  try {
    std::string text = ReadRegularFile(path, kMaxLogBytes);
    while (text.ends_with('\n')) text.pop_back();
    const std::size_t newline = text.rfind('\n');
    return newline == std::string::npos ? text : text.substr(newline + 1);
  } catch (const Error&) {
    return "";
  }
}

class TableRunner {
 public:
  // Of several ranks the first one holds the folder, and all take runs in turn.
  TableRunner(const Table2Options& options, std::vector<PlannedRun> plan, Ranks& ranks)
      : options_(options),
        out_(options.out),
        plan_(std::move(plan)),
        ranks_(ranks),
        device_(OwnDevice(options.device)),
        estimate_(RunsMeasuredBefore(), options.jobs) {
    if (ranks.is_first() && !options.is_plan_only) {
      lock_.emplace(PathOf("lock"));
      if (!lock_->is_held()) throw Error(fmt::format("{} is in use: another process works there", options.out));
    }
    const std::optional<std::filesystem::path> program = ProgramPath();
    if (!program) throw Error("the system does not tell where this program is, which it has to start");
    program_ = *program;
    for (const char* const name : {"runs", "logs", "data"}) {
      if (!options.is_plan_only) std::filesystem::create_directories(out_ / name);
    }
    if (std::filesystem::exists(out_ / "data")) {
      for (const RunRecord& record : ReadRecords(PathOf("data"))) {
        if (record.device == options.device) estimate_.Learn(KindOf(record), record.steps, record.seconds);
      }
    }
    threads_ = options.threads;
    if (threads_ == 0) threads_ = std::max<std::size_t>(1, std::thread::hardware_concurrency() / options.jobs);
    FindWhatIsLeft();
    left_ = waiting_.size();
    TakeOwnRuns();
  }

  // Runs that are not done, of all ranks.
  std::size_t left() const { return left_; }
  double SecondsLeft() const {
    std::vector<double> under_way;
    for (const Job& job : jobs_) {
      if (!job.is_training) continue;
      under_way.push_back(estimate_.SecondsLeft(KindOf(job.run->record), job.run->steps, job.steps, job.seconds));
    }
    std::vector<double> waiting;
    for (const PlannedRun* const run : waiting_) waiting.push_back(SecondsFor(*run));
    const double seconds = SecondsUntilDone(under_way, waiting, options_.jobs);
    if (options_.seconds == 0) return seconds;
    return std::min(seconds, std::max(0.0, options_.seconds - watch_.Seconds()));
  }
  void PrintPlan() const {
    for (const PlannedRun* const run : waiting_) {
      PrintLine(fmt::format("{:<44}{:>12} steps{:>10}", run->name(), run->steps, DurationInWords(SecondsFor(*run))));
    }
  }

  // Returns the exit status.
  int Run() {
    const std::atomic<bool>& stop = InterruptFlag();
    ProgressLine line(ProgressLine::Elsewhere::kLines);
    while ((!waiting_.empty() || !jobs_.empty()) && !stop) {
      const bool is_time_up = SecondsToTrain() <= 0;
      if (is_time_up) StopTraining();
      while (!is_time_up && jobs_.size() < options_.jobs && StartNext()) continue;
      if (is_time_up && jobs_.empty()) break;
      for (std::size_t i = 0; i < jobs_.size();) {
        if (const std::optional<int> status = jobs_[i].child->Status()) {
          Job job = std::move(jobs_[i]);
          jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
          End(std::move(job), *status);
        } else {
          ++i;
        }
      }
      if (options_.seconds != 0 && watch_.Seconds() > options_.seconds && !jobs_.empty()) {
        is_all_done_ = false;
        jobs_.clear();  // whatever it is, it takes too long
      }
      if (line.IsDue()) line.Show(InWords());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (stop) {
      StopTraining();
      constexpr double kPatience = 60;
      for (const Stopwatch waited; AnyRuns() && waited.Seconds() < kPatience;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      return kInterrupted;
    }
    for (const std::string& failure : failures_) fmt::print(stderr, "conpole: {}\n", Printable(failure));
    return failures_.empty() ? kOk : kSomeFailed;
  }

  bool is_all_done() const { return is_all_done_ && failures_.empty(); }

 private:
  struct Job {
    PlannedRun* run = nullptr;
    std::unique_ptr<ChildProcess> child;
    bool is_asked_to_end = false;
    bool is_training = true;
    bool is_done = false;  // training has come to its end
    std::optional<TestScore> fresh;
    std::optional<TestScore> test;
    std::uint64_t steps = 0;  // that were done when somebody looked
    double seconds = 0;       // of training, until then
    Stopwatch watch;
  };

  std::string PathOf(const std::string& name) const {
    std::filesystem::create_directories(out_);
    return (out_ / name).string();
  }
  std::string FolderOf(const PlannedRun& run) const { return PathOf("runs/" + run.name()); }
  std::string RecordOf(const PlannedRun& run) const { return PathOf("data/" + run.name() + ".json"); }
  std::string LogOf(const PlannedRun& run, const char* ending) const { return PathOf("logs/" + run.name() + ending); }

  double SecondsFor(const PlannedRun& run) const { return estimate_.SecondsFor(KindOf(run.record), run.steps); }

  static std::size_t PlaceOfAgent(const RunRecord& record) {
    const std::vector<TableAgent>& agents = TableAgents();
    const auto is_it = [&](const TableAgent& agent) { return agent.name == record.agent && agent.variant == record.variant; };
    return static_cast<std::size_t>(std::find_if(agents.begin(), agents.end(), is_it) - agents.begin());
  }

  void FindWhatIsLeft() {
    for (PlannedRun& run : plan_) {
      if (std::filesystem::exists(RecordOf(run))) {
        const RunRecord record = ReadRecord(RecordOf(run));
        SettingValues before = record.settings;
        SettingValues now = run.settings;
        for (SettingValues* const values : {&before, &now}) values->erase("eval-every");  // it goes with the steps
        if (before != now || record.source != run.record.source) {
          throw Error(
              fmt::format("{} is of a run with other settings; choose another --out, or remove it and its run", RecordOf(run)));
        }
        if (record.is_done && record.steps >= run.steps) {
          RemoveCheckpoints(run);
          continue;
        }
      }
      waiting_.push_back(&run);
    }
    // One seed after the other. The longest first, so that none is left over in the end; but where the time may not suffice,
    // the agents in the order of the table.
    const auto place = [this](const PlannedRun* run) { return run - plan_.data(); };
    std::stable_sort(waiting_.begin(), waiting_.end(), [&](const PlannedRun* a, const PlannedRun* b) {
      if (a->record.seed != b->record.seed) return place(a) < place(b);
      if (options_.seconds != 0 && (a->record.agent != b->record.agent || a->record.variant != b->record.variant)) {
        return PlaceOfAgent(a->record) < PlaceOfAgent(b->record);
      }
      return SecondsFor(*a) > SecondsFor(*b);
    });
  }

  // What the first rank has found, so that no run is taken twice.
  void TakeOwnRuns() {
    if (ranks_.is_alone()) return;
    std::string names;
    for (const PlannedRun* const run : waiting_) names += run->name() + "\n";
    ranks_.Broadcast(names, 0);
    waiting_.clear();
    std::istringstream list(names);
    std::size_t number = 0;
    for (std::string name; std::getline(list, name); ++number) {
      if (number % ranks_.size() != ranks_.rank()) continue;
      for (PlannedRun& run : plan_) {
        if (run.name() == name) waiting_.push_back(&run);
      }
    }
    ForgetLauncher();  // the runs are on their own
  }

  // They take far more room than all the rest.
  void RemoveCheckpoints(const PlannedRun& run) const {
    std::vector<std::filesystem::path> paths;
    std::error_code ignored;  // what stays does no harm
    for (const auto& entry : std::filesystem::directory_iterator(FolderOf(run), ignored)) {
      if (entry.path().filename().string().starts_with("checkpoint-")) paths.push_back(entry.path());
    }
    for (const std::filesystem::path& path : paths) std::filesystem::remove(path, ignored);
  }

  // Testing what there is takes some time, too.
  double SecondsToTrain() const {
    if (options_.seconds == 0) return 1;
    constexpr double kPartForTests = 0.1;
    constexpr double kMostForTests = 45;
    return options_.seconds - std::min(kPartForTests * options_.seconds, kMostForTests) - watch_.Seconds();
  }

  bool StartNext() {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      PlannedRun* const run = waiting_[i];
      if (std::filesystem::exists(FolderOf(*run)) && !FileLock(FolderOf(*run) + "/lock").is_held()) {
        continue;  // the process of a program that was killed is about to end
      }
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      StartTraining(*run);
      return true;
    }
    return false;
  }

  void StartTraining(PlannedRun& run) {
    // Of a run that is done no checkpoint is left: one of more steps begins anew, since its learning rate falls otherwise.
    const std::string folder = FolderOf(run);
    if (std::filesystem::exists(folder) && !CheckpointFolder(folder).HasAny()) std::filesystem::remove_all(folder);
    std::vector<std::string> arguments{"train",
                                       "--json",
                                       "--resume",
                                       "--out",
                                       folder,
                                       "--domain",
                                       run.spec,
                                       "--agent",
                                       run.record.agent,
                                       "--device",
                                       device_,
                                       "--seed",
                                       std::to_string(run.record.seed),
                                       "--steps",
                                       std::to_string(run.steps),
                                       "--threads",
                                       std::to_string(threads_)};
    // On a processor a run goes on as if it had never been stopped. On a GPU no two runs are equal anyway, and checkpoints are
    // large.
    if (!IsOnGpu(options_.device)) arguments.insert(arguments.end(), {"--checkpoint-minutes", "0"});
    if (!run.record.variant.empty()) arguments.insert(arguments.end(), {"--variant", run.record.variant});
    for (const auto& [name, value] : run.settings) arguments.insert(arguments.end(), {"--" + name, value});
    Job job;
    job.run = &run;
    Start(std::move(job), arguments);
  }

  void StartTest(Job job, const SeedRange& seeds) {
    const std::string best = FolderOf(*job.run) + "/" + std::string(RunFolder::kBestModel);
    const std::string last = FolderOf(*job.run) + "/" + std::string(RunFolder::kLastModel);
    // A run that never got so far that there was something to evaluate has a network all the same.
    const std::string& model = std::filesystem::exists(best) ? best : last;
    if (!std::filesystem::exists(model)) return;
    RunSettings asked;
    asked.agent = job.run->record.agent;
    asked.device = options_.device;
    if (!job.run->record.variant.empty()) ApplyValues({{"variant", job.run->record.variant}}, asked);
    RunSettings settings = RecipeFor(asked);
    ApplyValues(job.run->settings, settings);
    const std::size_t max_steps = settings.train.max_steps != 0 ? settings.train.max_steps : settings.train.eval_max_steps;
    job.is_training = false;
    const std::vector<std::string> arguments{"eval",        job.run->spec,
                                             "--model",     model,
                                             "--search",    "greedy",
                                             "--max-steps", std::to_string(max_steps),
                                             "--seeds",     fmt::format("{}:{}", seeds.first, seeds.end),
                                             "--device",    device_,
                                             "--threads",   std::to_string(threads_),
                                             "--json"};
    Start(std::move(job), arguments);
  }

  void Start(Job job, const std::vector<std::string>& arguments) {
    const char* const what = job.is_training ? ".train" : ".eval";
    job.child = std::make_unique<ChildProcess>(program_, arguments, LogOf(*job.run, what), LogOf(*job.run, what) + ".err");
    jobs_.push_back(std::move(job));
  }

  void End(Job job, int status) {
    const std::string log = LogOf(*job.run, job.is_training ? ".train" : ".eval");
    if (!job.is_training) {
      const Json report = LastEvent(log, "");
      if (status == kOk && report.contains("solved")) {
        const TestScore score{report.at("problems"), report.at("solved"), report.at("wrong")};
        (job.fresh ? job.test : job.fresh) = score;
        // A run that learned nothing was not evaluated while it did.
        if (!job.test && EvaluationsOf(*job.run).empty()) return StartTest(std::move(job), kTestSeeds);
        return Keep(job);
      }
      failures_.push_back(fmt::format("{} was not tested: {}", job.run->name(), LastWords(log + ".err")));
      return;
    }
    // One that was asked to end before it could listen was ended by that.
    if (status != kOk && status != kInterrupted && !job.is_asked_to_end) {
      failures_.push_back(fmt::format("{}: {}", job.run->name(), LastWords(log + ".err")));
      return;
    }
    const Json end = LastEvent(log, "end");
    job.is_done = status == kOk && end.is_object() && end.value("done", false);
    if (!job.is_done) is_all_done_ = false;
    StartTest(std::move(job), kFreshSeeds);
  }

  std::vector<MetricsLine> EvaluationsOf(const PlannedRun& run) const {
    std::vector<MetricsLine> lines = ReadMetrics(MetricsPath(FolderOf(run)));
    std::erase_if(lines,
                  [](const MetricsLine& line) { return !line.Find("eval_success") || !line.Find("validation_success"); });
    return lines;
  }

  void Keep(const Job& job) {
    RunRecord record = job.run->record;
    const Json end = LastEvent(LogOf(*job.run, ".train"), "end");
    record.is_done = job.is_done;
    record.steps = end.value("step", std::uint64_t{0});
    record.seconds = end.value("seconds", 0.0);
    record.jobs = options_.jobs;
    record.test = job.test;
    record.fresh = job.fresh;
    double best_validation = -1;
    for (const MetricsLine& line : EvaluationsOf(*job.run)) {
      const double success = *line.Find("eval_success");
      record.evaluations.push_back({line.step, success, *line.Find("validation_success")});
      // As the trainer chooses: the last of the best, less what is wrong.
      const double good = record.evaluations.back().validation - line.Find("validation_wrong").value_or(0);
      if (good < best_validation) continue;
      best_validation = good;
      record.test = TestScore{kTestSeeds.size(), CountOf(success), CountOf(line.Find("eval_wrong").value_or(0))};
    }
    WriteFileAtomically(RecordOf(*job.run), FormatRecord(record));
    if (record.is_done) RemoveCheckpoints(*job.run);
    estimate_.Learn(KindOf(record), record.steps, record.seconds);
    // A run that was resumed was trained for longer than it is watched.
    if (job.watch.Seconds() > record.seconds) estimate_.LearnRest(job.watch.Seconds() - record.seconds);
  }

  // A share of the test problems as their number.
  static std::size_t CountOf(double share) {
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(kTestSeeds.size())));
  }

  void StopTraining() {
    if (!waiting_.empty()) is_all_done_ = false;
    waiting_.clear();
    for (Job& job : jobs_) {
      // Once: a second request would end it on the spot.
      if (job.is_training && !std::exchange(job.is_asked_to_end, true)) job.child->Terminate();
    }
  }
  bool AnyRuns() {
    return std::any_of(jobs_.begin(), jobs_.end(), [](Job& job) { return !job.child->Status(); });
  }

  std::string InWords() {
    std::vector<std::string> running;
    for (Job& job : jobs_) {
      if (!job.is_training) {
        running.push_back(fmt::format("{} is tested", job.run->name()));
        continue;
      }
      const Json progress = LastEvent(LogOf(*job.run, ".train"), "progress");
      if (progress.is_object()) {
        job.steps = progress.value("step", std::uint64_t{0});
        job.seconds = progress.value("seconds", 0.0);
        // What it does in its first steps tells little of those like it that wait.
        if (job.steps >= job.run->steps / 5) estimate_.Learn(KindOf(job.run->record), job.steps, job.seconds);
      }
      running.push_back(
          fmt::format("{} {:.0f}%", job.run->name(),
                      100 * static_cast<double>(job.steps) / static_cast<double>(std::max<std::uint64_t>(1, job.run->steps))));
    }
    return fmt::format("{} waiting, about {} left | {}", waiting_.size(), DurationInWords(SecondsLeft()), Join(running));
  }

  const Table2Options& options_;
  std::filesystem::path out_;
  std::vector<PlannedRun> plan_;
  Ranks& ranks_;
  std::string device_;
  std::optional<FileLock> lock_;
  std::size_t left_ = 0;
  std::string program_;
  std::size_t threads_ = 1;
  TimeEstimate estimate_;
  std::vector<PlannedRun*> waiting_;
  std::vector<Job> jobs_;
  std::vector<std::string> failures_;
  bool is_all_done_ = true;
  Stopwatch watch_;
};

// 4. The table.

void WriteTable(const Table2Options& options, const std::vector<RunRecord>& records) {
  const std::filesystem::path out = options.out;
  std::filesystem::create_directories(out);
  const std::string table = Table2Markdown(records);
  const Json json = Table2Json(records);
  WriteFileAtomically(out / "table2.md", table);
  WriteFileAtomically(out / "table2.json", json.dump(1) + "\n");
  std::string missing;
  for (const std::string& domain : DomainsWithCurves(records)) {
    try {
      WriteFileAtomically(out / fmt::format("curves-{}.svg", domain), Table2Curves(records, domain));
    } catch (const Error& error) {
      missing = error.what();
    }
  }
  if (!missing.empty()) fmt::print(stderr, "conpole: no curves were drawn: {}\n", missing);
  if (!options.into.empty()) {
    WriteFileAtomically(options.into, PutIntoPage(ReadRegularFile(options.into, kMaxTable2PageBytes), "table2", table));
  }
  if (options.json)
    PrintJsonLine(json);
  else
    PrintText(table);
}

int RunPlan(const Table2Options& options, Ranks& ranks);

// What --preset stands for; other options win.
void ApplyPreset(Table2Options& options) {
  if (options.preset.empty()) return;
  if (options.preset != "paper" && options.preset != "built-in") {
    throw Error(fmt::format("--preset: unknown preset {}; there are: paper, built-in", Shown(options.preset)));
  }
  if (options.steps.empty()) options.steps = "10000000";
  if (options.variants == Table2Options().variants) options.variants = "as-published";
  if (options.preset == "paper" && options.templates.empty()) {
    throw Error(
        "--preset paper: the equations of the paper are made from the authors' templates. The file, equations-ct.txt, is in "
        "https://github.com/gpoesia/socratic-tutor; name it with --templates, or take the built-in templates with "
        "--preset built-in");
  }
}

int ReproduceTable2(const Table2Options& options) {
  if (!options.from.empty()) {
    const std::vector<RunRecord> records = ReadRecords(options.from);
    if (records.empty()) throw Error(fmt::format("{} has no records of runs", options.from));
    WriteTable(options, records);
    return kOk;
  }
  MakePlan(options);  // what is wrong is said before LibTorch is loaded
  if (!options.is_plan_only) RequireTorch();
  return WithRanks([&](Ranks& ranks) { return RunPlan(options, ranks); });
}

int RunPlan(const Table2Options& options, Ranks& ranks) {
  std::vector<PlannedRun> plan = MakePlan(options);
  if (!options.is_plan_only) std::filesystem::create_directories(options.out);
  const std::size_t planned = plan.size();
  TableRunner runner(options, std::move(plan), ranks);
  const std::string what = fmt::format("{} runs, {} of them done; about {} left with {} at a time", planned,
                                       planned - runner.left(), DurationInWords(runner.SecondsLeft()), options.jobs);
  if (options.is_plan_only) {
    if (!ranks.is_first()) return kOk;
    runner.PrintPlan();
    PrintLine(what);
    return kOk;
  }
  if (ranks.is_first()) fmt::print(stderr, "{}\n", what);
  const int status = runner.Run();
  // Until all ranks have done what they can.
  const std::uint64_t not_done = runner.is_all_done() ? 0 : 1;
  const bool is_all_done = ranks.SumCounts({&not_done, 1}).front() == 0;
  if (!ranks.is_first()) return status;
  const std::vector<RunRecord> records = ReadRecords((std::filesystem::path(options.out) / "data").string());
  if (!records.empty()) WriteTable(options, records);
  if (!is_all_done) fmt::print(stderr, "not done yet; the same command goes on\n");
  return status;
}

}  // namespace

void AddTable2(Command& reproduce) {
  Command& command = reproduce.Add("table2", "Train all agents in all domains: success and learning curves");
  const auto options = std::make_shared<Table2Options>();
  command.Text("--out", options->out, "The folder of the runs and of the results; the same command goes on there.");
  command.Text("--from", options->from, "Only make table and curves of the records in this folder; nothing is trained.");
  command.Text("--into", options->into, "Also put the table into this page, where it has its place.");
  command.Text("--agents", options->agents, fmt::format("The agents to train, of {}.", fmt::join(AgentNames(), ",")));
  command.Text("--variants", options->variants, "The variants to train, of agents that have them.");
  command.Text("--domains", options->domains, "The domains to train in: those of the paper, or any other.");
  command.Text("--seeds", options->seeds, "The seeds of the runs, 1,2,3 or FIRST:END without END.");
  command.Text("--steps", options->steps, "The environment steps of a run: N, or DOMAIN=N,DOMAIN=N.");
  command.Text("--templates", options->templates,
               "A file of equation shapes to use instead of the built-in ones: the authors' is equations-ct.txt in "
               "https://github.com/gpoesia/socratic-tutor.");
  command.Text(
      "--preset", options->preset,
      "What the paper does, in one word: paper (all agents as published, ten million steps each, the authors' templates), or "
      "built-in (the same with the built-in templates).");
  command.Text("--device", options->device, "The device to train on: cpu, cuda or cuda:N.");
  command.List("--set", options->settings, "A setting of conpole train for all runs, NAME=VALUE. Can be repeated.");
  constexpr std::size_t kMaxJobs = 256;
  command.Number("--jobs", options->jobs, "How many runs there are at a time.", {1, kMaxJobs});
  command.Threads(options->threads).help = "The threads of each run; 0 shares the cores among the runs.";
  command.Number("--seconds", options->seconds, "Stop after this many seconds, to go on later; 0 is no limit.");
  command.Flag("--plan", options->is_plan_only, "Only say what would run, and how long it may take.");
  command.Flag("--json", options->json, "Print the table as JSON.");
  command.footer = "Exit status: 0 done or out of seconds, 1 some runs failed, 2 bad input, 130 interrupted.";
  command.action = [options] {
    ApplyPreset(*options);
    return ReproduceTable2(*options);
  };
}

}  // namespace conpole::cli
