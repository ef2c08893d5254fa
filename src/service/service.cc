#include "service/service.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "conpole/error.h"
#include "service/operations.h"
#include "service/request.h"
#include "service/watched_scorer.h"
#include "session/session.h"
#include "util/text.h"

namespace conpole {
namespace {

ServiceJson AnswerWith(std::string_view name, CallContext& context, std::string_view request) {
  const auto is_of = [&](const Operation& one) { return one.name == name; };
  const auto* const found = std::find_if(kOperations.begin(), kOperations.end(), is_of);
  if (found == kOperations.end()) {
    throw RequestProblem(404, Message("there is no operation {}; there are: {}", Shown(name),
                                      fmt::format("{}", fmt::join(Service::Operations(), ", "))));
  }
  const std::size_t most = context.options.limits.request_bytes;
  if (request.size() > most) {
    throw RequestProblem(413, Message("the request has {} bytes, more than the allowed {}", request.size(), most));
  }
  // A request without a body is one without fields.
  RequestFields fields(request.empty() ? "{}" : request);
  return found->answer(context, fields);
}

ServiceAnswer AnswerOf(const RequestProblem& problem, std::string_view language) {
  return {problem.status, FormatProblem(problem, language), problem.retry_after_seconds.value_or(0)};
}

}  // namespace

Service::Service(ServiceOptions options)
    : options_(std::move(options)), models_(std::move(options_.models), options_.engines) {}

Service::~Service() = default;

ServiceAnswer Service::Answer(std::string_view operation, std::string_view request, const ServiceCall& call) {
  CallContext context{options_, models_, call};
  try {
    return {200, DumpJson(AnswerWith(operation, context, request))};
  } catch (const RequestProblem& problem) {
    return AnswerOf(problem, context.language);
  } catch (const OptionError& error) {
    return AnswerOf(RequestProblem(400, error.message(), error.option), context.language);
  } catch (const CallStopped&) {
    if (context.has_no_time) {
      return AnswerOf(
          RequestProblem(400, "'milliseconds' is 0, and without any time there is no answer to this", "milliseconds"),
          context.language);
    }
    RequestProblem problem(503, "there was no answer within the time");
    problem.retry_after_seconds = 1;
    return AnswerOf(problem, context.language);
  } catch (const Error& error) {
    return AnswerOf(RequestProblem(400, error.message()), context.language);
  } catch (const std::bad_alloc&) {
    RequestProblem problem(503, "there is not enough memory for this");
    problem.retry_after_seconds = 1;
    return AnswerOf(problem, context.language);
  } catch (const std::exception& error) {
    return AnswerOf(RequestProblem(500, Message("this should not have happened: {}", error.what())), context.language);
  }
}

std::vector<std::string_view> Service::Operations() {
  std::vector<std::string_view> names;
  for (const Operation& operation : kOperations) names.push_back(operation.name);
  return names;
}

std::map<std::string, ScoreBatcher::Counts> Service::NetworkCounts() const {
  std::map<std::string, ScoreBatcher::Counts> counts;
  for (const std::shared_ptr<SharedModel>& model : models_.All()) counts.emplace(model->file(), model->counts());
  return counts;
}

}  // namespace conpole
