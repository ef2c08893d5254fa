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
#include "service/model_shelf.h"
#include "service/request.h"
#include "service/service.h"
#include "service/watched_scorer.h"
#include "session/session.h"
#include "vectors/problem_encoder.h"

namespace conpole {

// The call as operations see it. All of it outlives them.
struct CallContext {
  const ServiceOptions& options;
  ModelShelf& models;
  const ServiceCall& call;
  std::string language = "en";  // of what is said if there is no answer; known once the fields are read
  bool has_no_time = false;     // the request gives none; likewise
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
std::unique_ptr<Domain> DomainFor(const CommonFields& common, const std::string& text);

// Throws RequestProblem, which blames the field "domain".
std::unique_ptr<Domain> MakeDomainOfField(const std::string& spec);

// Reads a text of a field as a problem of the domain. Throws RequestProblem with the position.
std::string ReadField(const Domain& domain, const std::string& text, std::string_view field, const std::string& language);
// What the session says to a question about the text of a field. Throws RequestProblem if the text cannot be read.
RequestProblem ProblemOf(const UnreadableText& error, std::string_view field);
template <class Question>
auto AskAbout(std::string_view field, const Question& question) {
  try {
    return question();
  } catch (const UnreadableText& error) {
    throw ProblemOf(error, field);
  }
}
std::string WriteFor(const Domain& domain, const std::string& state, const std::string& language);

// What a state looks like and how it is said, if the request asks for that (subjects/markup_json.h).
void AddMarkupIfAsked(ServiceJson& object, const CommonFields& common, const Domain& domain, const std::string& state,
                      const std::string& prefix = {});

// The vectors of a domain's model. Throws RequestProblem if there is none.
ProblemEncoder MakeProblemEncoder(CallContext& context, const Domain& domain);

// The session of one call, with the shared models, and the watch around its searches.
class TutorCall {
 public:
  // The domain is that of the options, or the one that the request names, or that of the text. The rest of the request's fields
  // and the service's options are filled in. All searches together end after `milliseconds`.
  TutorCall(CallContext& context, const CommonFields& common, std::string_view text, SessionOptions options,
            std::uint64_t milliseconds);

  Session& session() { return session_; }
  const Domain& domain() const { return session_.domain(); }
  CallWatch& watch() { return watch_; }

 private:
  CallWatch watch_;
  Session session_;
};

}  // namespace conpole
