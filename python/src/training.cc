// Training in this process, with a learner written in Python or with our own on the CPU: the function that conpole.train calls
// then.
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/src/bindings.h"
#include "python/src/guide.h"
#include "python/src/loaded_model.h"
#include "python/src/python_agent.h"
#include "python/src/python_domain.h"
#include "python/src/python_learner.h"
#include "train/cpu/cpu_learner.h"
#include "train/run/config_text.h"
#include "train/run/run.h"
#include "train/run/seed_summary.h"
#include "train/run/settings.h"
#include "util/read_file.h"

namespace py = pybind11;

namespace conpole::python {
namespace {

// A domain that belongs to someone else, for a run that wants one of its own.
class BorrowedDomain final : public Domain {
 public:
  explicit BorrowedDomain(const Domain& domain) : Domain(domain.type(), domain.parameters()), domain_(domain) {}

  std::string Generate(std::uint64_t seed) const override { return domain_.Generate(seed); }
  Status Expand(std::string_view state, Labels labels, Successors& out) const override {
    return domain_.Expand(state, labels, out);
  }
  bool Solved(std::string_view state) const override { return domain_.Solved(state); }
  Parsed Parse(std::string_view text) const override { return domain_.Parse(text); }

 private:
  const Domain& domain_;
};

py::object NumberOrNone(double value) { return std::isfinite(value) ? py::object(py::float_(value)) : py::none(); }

py::dict EventOf(const char* event, const TrainStatus& status) {
  py::dict told;
  told["event"] = event;
  told["step"] = status.steps;
  told["seconds"] = status.seconds;
  for (const auto& [name, value] : MetricsOf(status)) told[py::str(name)] = NumberOrNone(value);
  told["best_validation"] = status.best_validation ? py::object(py::float_(*status.best_validation)) : py::none();
  told["best_step"] = status.best_validation ? py::object(py::int_(status.best_steps)) : py::none();
  return told;
}

py::object PathOrNone(const std::string& path) { return path.empty() ? py::none() : py::object(py::str(path)); }

// A run waits at its end for threads that take the lock when they end, also if it ends by an exception.
struct EndsUnlocked {
  void operator()(TrainingRun* run) const {
    const py::gil_scoped_release release;
    delete run;
  }
};

// Tells Python what happens. What that raises is kept and stops the run, which ends with a checkpoint.
class Observer {
 public:
  Observer(const py::object& observe, std::atomic<bool>& stop) : observe_(observe), stop_(stop) {}

  // Without the lock; `make` is called with it.
  template <class Make>
  void Tell(const Make& make) {
    const py::gil_scoped_acquire lock;
    try {
      observe_(make());
    } catch (const py::error_already_set&) {
      if (!raised_) raised_ = std::current_exception();
      stop_ = true;
    }
  }
  void RaiseWhatWasRaised() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  const py::object& observe_;
  std::atomic<bool>& stop_;
  std::exception_ptr raised_;
};

RunEvents EventsFor(Observer& observer) {
  RunEvents events;
  events.progress = [&](const TrainStatus& status) { observer.Tell([&] { return EventOf("progress", status); }); };
  events.evaluated = [&](const TrainStatus& status) { observer.Tell([&] { return EventOf("evaluated", status); }); };
  events.saved = [&](const std::string& path) {
    observer.Tell([&] { return py::dict(py::arg("event") = "saved", py::arg("path") = path); });
  };
  events.warning = [&](const std::string& message) {
    observer.Tell([&] { return py::dict(py::arg("event") = "warning", py::arg("message") = message); });
  };
  return events;
}

py::dict Train(const std::string& folder, bool resume, const std::string& config, const SettingValues& given,
               const std::shared_ptr<Domain>& domain, const py::object& learner, const py::object& agent,
               const py::object& observe, const std::string& version, const SettingValues& record) {
  std::atomic<bool> stop = false;
  Observer observer(observe, stop);
  RunRequest request;
  request.folder = folder;
  request.resume = resume;
  request.config = config;
  request.given = given;
  // A learner in Python scores pairs; the usual agent would show it candidates alone.
  if (!learner.is_none() && !resume && config.empty()) request.given.emplace("agent", "conpole");
  request.version = version;
  request.record = record;
  RunParts parts;
  parts.make_domain = [&](const std::string& spec) -> std::unique_ptr<Domain> {
    if (domain && domain->Spec() == spec && IsPython(*domain)) return std::make_unique<BorrowedDomain>(*domain);
    return MakeDomain(spec);
  };
  parts.make_learner = [&](const Model& model, const LearnerOptions& options, const std::string& device) {
    return learner.is_none() ? MakeCpuLearner(model, options) : MakePythonLearner(learner, model, options, device);
  };
  parts.make_packed_learner = [](const auto&...) -> std::unique_ptr<PackedLearner> {
    throw Error("without the program, networks read texts: they cannot be residual");
  };
  if (!agent.is_none()) parts.make_agent = [&](const TrainOptions& options) { return MakePythonAgent(agent, options); };
  std::unique_ptr<TrainingRun, EndsUnlocked> run;
  bool is_done = false;
  RunUnlocked(/*runs_python=*/false, stop, [&] {
    run.reset(std::make_unique<TrainingRun>(request, parts, EventsFor(observer)).release());
    is_done = run->Train(stop);
  });
  observer.RaiseWhatWasRaised();
  py::dict end = EventOf("end", run->status());
  end["done"] = is_done;
  end["best_model"] = PathOrNone(run->best_model());
  end["last_model"] = PathOrNone(run->last_model());
  return end;
}

}  // namespace

void BindTraining(py::module_& module) {
  module.def("train", &Train, py::kw_only(), py::arg("folder"), py::arg("resume"), py::arg("config"), py::arg("given"),
             py::arg("domain"), py::arg("learner"), py::arg("agent"), py::arg("observe"), py::arg("version"), py::arg("record"),
             "Trains with a learner in Python, or with None on the CPU, and returns what the last event of `conpole train "
             "--json` has.");
  module.def(
      "all_settings",
      [] {
        std::vector<std::array<std::string, 5>> all;
        const RunSettings usual;
        for (const Setting& setting : AllSettings()) {
          all.push_back({setting.name, setting.meaning, setting.range, setting.print(usual), setting.topic});
        }
        return all;
      },
      "Of each setting of training: its name, meaning, range, value where nothing else is said, and topic.");
  module.def(
      "run_record",
      [](const std::string& path) {
        std::map<std::string, std::string> record;
        for (const ConfigSection& section : ReadConfigText(ReadRegularFile(path, std::size_t{1} << 20))) {
          if (section.name != "record") continue;
          for (const ConfigEntry& entry : section.entries) record[entry.name] = entry.value;
        }
        return record;
      },
      py::arg("path"), "What the config.toml of a run records besides its settings.");
  module.def(
      "write_seed_summary",
      [](const std::filesystem::path& folder, const std::vector<std::pair<std::uint64_t, std::string>>& runs) {
        std::vector<SeedRun> all;
        for (const auto& [seed, of_run] : runs) all.push_back({seed, of_run});
        WriteSeedSummary(folder.string(), all);
      },
      py::arg("folder"), py::arg("runs"), "Sums up runs, seeds and folders, in the files of a folder.");
  module.def(
      "write_model",
      [](const LoadedModel& loaded, const std::filesystem::path& path) {
        WriteModel(loaded.model, path.string(), WeightFormat::kFloat32);
      },
      py::arg("model"), py::arg("path"), "Writes a model to a file.");
}

}  // namespace conpole::python
