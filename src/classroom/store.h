// What a server keeps for classes: sets, pupils, and what they did, in the order in which it came. An append is on the disk
// when it returns. Any thread may use a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace conpole {

using Seconds = std::int64_t;  // since 1970, UTC

struct KeptSet {
  std::int64_t id = 0;
  std::string pupils_key;   // who has it may join and work
  std::string results_key;  // who has it sees the results and may delete
  std::string title;
  std::string language;
  bool hints = true;      // whether pupils may have hints and solutions
  std::string exercises;  // JSON
  Seconds made = 0;
  Seconds until = 0;  // when all of it is deleted
};

struct KeptPupil {
  std::int64_t id = 0;
  std::string code;  // who has it works as this pupil
  std::string name;
};

// Something that a pupil did.
struct KeptEvent {
  std::uint64_t number = 0;  // given by the pupil's side: one that comes twice is kept once
  std::size_t exercise = 0;
  std::string kind;  // line, hint, solution
  std::string line = {};
  std::string verdict = {};
  bool correct = false;
  std::string mistake = {};
  std::uint64_t seconds = 0;  // that the pupil had the exercise before them
  Seconds time = 0;
};

struct KeptWork {
  KeptPupil pupil;
  std::vector<KeptEvent> events;  // by their numbers
};

class ClassStore {
 public:
  enum class Joined : std::uint8_t { kYes, kNameTaken, kTooMany };

  virtual ~ClassStore() = default;

  virtual std::size_t CountSets() = 0;
  virtual void AddSet(const KeptSet& set) = 0;
  virtual std::optional<KeptSet> FindByPupilsKey(const std::string& key) = 0;
  virtual std::optional<KeptSet> FindByResultsKey(const std::string& key) = 0;
  virtual Joined AddPupil(std::int64_t set, const KeptPupil& pupil, Seconds now, std::size_t most) = 0;
  virtual std::optional<KeptPupil> FindPupil(std::int64_t set, const std::string& code) = 0;
  // False if the pupil has `most` events already. An event whose number is known changes nothing.
  virtual bool AddEvent(std::int64_t pupil, const KeptEvent& event, std::size_t most) = 0;
  virtual std::optional<KeptEvent> FindEvent(std::int64_t pupil, std::uint64_t number) = 0;
  virtual std::vector<KeptEvent> EventsOf(std::int64_t pupil) = 0;
  // In the order in which they joined.
  virtual std::vector<KeptWork> WorkOf(std::int64_t set) = 0;
  virtual void DeleteSet(std::int64_t set) = 0;
  // False if there is no pupil of this name.
  virtual bool DeletePupil(std::int64_t set, const std::string& name) = 0;
  // Everything whose time is over.
  virtual void DeleteOld(Seconds now) = 0;
};

// Opens or makes the database in a folder. Throws Error if that is not possible, or if this build has no SQLite.
std::unique_ptr<ClassStore> OpenClassStore(const std::string& folder);

}  // namespace conpole
