// Classes without accounts. A teacher makes a set and gets two keys: one for pupils, who join with a name of their choice and
// work, and one for the results. Whoever has a key may do what it is for. Requests are JSON, as those of the service are; lines
// are judged here, by the service, so that results do not depend on what a pupil's browser says. Any thread may ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/record_store.h"
#include "classroom/store.h"
#include "service/request.h"
#include "service/service.h"

namespace conpole {

struct ClassroomOptions {
  std::uint64_t keep_days = 90;  // a set and its results, unless the teacher says less
  std::size_t max_sets = 10'000;
  std::size_t max_exercises = 100;
  std::size_t max_pupils = 500;             // of a set
  std::size_t max_events = 10'000;          // of a pupil
  std::function<Seconds()> now = {};        // empty for the system's clock
  std::optional<RecordStore> records = {};  // that pupils' pages tell what is done
};

class Classroom {
 public:
  // The service must outlive it.
  Classroom(Service& service, std::unique_ptr<ClassStore> store, ClassroomOptions options = {});

  // Their names: make, set, join, pupil, work, hint, solution, results, csv, delete.
  static std::vector<std::string_view> Operations();
  // Never throws for anything in the request. The answer is JSON, or CSV.
  ServiceAnswer Answer(std::string_view operation, std::string_view request, const ServiceCall& call = {});

  void DeleteOld();

 private:
  struct Operation;
  struct Place;

  // Of what is said if there is no answer: the one of the request, or of the set that it is about.
  std::string LanguageOf(std::string_view request) const;
  Place FindPlace(RequestFields& fields) const;
  KeptSet SetOf(RequestFields& fields) const;
  KeptSet SetOfResults(RequestFields& fields) const;
  ServiceJson Ask(std::string_view operation, const ServiceJson& request, const ServiceCall& call,
                  const std::string& field) const;
  ServiceJson Resolve(const ServiceJson& item, const std::string& language, const ServiceCall& call, std::size_t index) const;
  void Keep(const Place& place, KeptEvent event) const;

  std::string Make(RequestFields& fields, const ServiceCall& call) const;
  std::string Set(RequestFields& fields, const ServiceCall& call) const;
  std::string Join(RequestFields& fields, const ServiceCall& call) const;
  std::string Pupil(RequestFields& fields, const ServiceCall& call) const;
  std::string Work(RequestFields& fields, const ServiceCall& call) const;
  std::string Hint(RequestFields& fields, const ServiceCall& call) const;
  std::string Solution(RequestFields& fields, const ServiceCall& call) const;
  std::string Results(RequestFields& fields, const ServiceCall& call) const;
  std::string Csv(RequestFields& fields, const ServiceCall& call) const;
  std::string Delete(RequestFields& fields, const ServiceCall& call) const;

  Service& service_;
  std::unique_ptr<ClassStore> store_;
  ClassroomOptions options_;
};

}  // namespace conpole
