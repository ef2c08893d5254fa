// What the operations of a service have in common: the fields that all requests may have, and a tutor for one call. For the
// thread of the call.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "service/model_shelf.h"
#include "service/request.h"
#include "service/service.h"
#include "service/watched_scorer.h"
#include "tutor/tutor.h"
#include "util/thread_pool.h"
#include "vectors/problem_encoder.h"

namespace conpole {

// The call as operations see it. All of it outlives them.
struct CallContext {
  const ServiceOptions& options;
  ModelShelf& models;
  const ServiceCall& call;
  std::string language = "en";  // of what is said if there is no answer; known once the fields are read
};

// The fields that every request may have.
struct CommonFields {
  // Takes them from the request, and the language for the context too.
  CommonFields(CallContext& context, RequestFields& fields);

  std::optional<std::string> domain;
  std::string language;
  std::optional<std::uint64_t> given_milliseconds;
  std::uint64_t milliseconds;
  std::uint64_t expansions;
  bool policy;
  bool markup;
};

// The domain that a request names, or the one that its text is of.
std::string DomainFor(const CommonFields& common, const std::string& text, Detail detail = Detail::kSchool);

// Throws RequestProblem, which blames the field "domain".
std::unique_ptr<Domain> MakeDomainOfField(const std::string& spec);

// Reads a text of a field as a problem of the domain. Throws RequestProblem with the position.
NotationResult ReadField(const Domain& domain, const std::string& text, std::string_view field, const std::string& language);
std::string WriteFor(const Domain& domain, const std::string& state, const std::string& language);

// What a state looks like and how it is said, if the request asks for that (tutor/markup_json.h).
void AddMarkupIfAsked(ServiceJson& object, const CommonFields& common, const Domain& domain, const std::string& state,
                      const std::string& prefix = {});

// The vectors of a domain's model. Throws RequestProblem if there is none.
ProblemEncoder MakeProblemEncoder(CallContext& context, const Domain& domain);

// A tutor of a domain with all that it needs.
class TutorCall {
 public:
  // All searches together end after `milliseconds`.
  TutorCall(CallContext& context, const CommonFields& common, const std::string& domain, TutorOptions options,
            std::uint64_t milliseconds);

  const Domain& domain() const { return *domain_; }
  Tutor& tutor() { return tutor_; }
  Scorer& policy() { return *policy_; }
  CallWatch& watch() { return watch_; }
  ThreadPool& pool() { return pool_; }
  const TutorBudget& budget() const { return budget_; }

  // The text of a field as canonical text. Throws RequestProblem with the position.
  std::string Read(const std::string& text, std::string_view field);
  // How the last text was read, if others might read it in another way; else empty.
  const std::string& read_as() const { return read_as_; }
  // An answer with how the text was read.
  std::string WithReadAs(const std::string& json) const;

 private:
  std::shared_ptr<SharedModel> model_;  // null where none is used
  std::unique_ptr<Domain> domain_;
  CallWatch watch_;
  ThreadPool pool_;
  std::unique_ptr<Scorer> policy_;
  Tutor tutor_;
  TutorBudget budget_;
  std::string read_as_;
};

}  // namespace conpole
