// The table of a service's operations. Each takes the fields of its request, in one place at its beginning, and returns its
// answer as JSON; it throws RequestProblem, or Error for what else is wrong with a request. For the thread of the call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/request.h"
#include "service/tutor_call.h"

namespace conpole {

struct Operation {
  std::string_view name;
  std::string (*answer)(CallContext& context, RequestFields& fields);
};
const std::vector<Operation>& OperationTable();

// tutor_operations.cc
std::string AnswerSolve(CallContext& context, RequestFields& fields);
std::string AnswerHint(CallContext& context, RequestFields& fields);
std::string AnswerCheck(CallContext& context, RequestFields& fields);
std::string AnswerNext(CallContext& context, RequestFields& fields);
std::string AnswerRead(CallContext& context, RequestFields& fields);

// practice_operations.cc
std::string AnswerExercise(CallContext& context, RequestFields& fields);
std::string AnswerSkills(CallContext& context, RequestFields& fields);
std::string AnswerProgress(CallContext& context, RequestFields& fields);

// domain_operations.cc
std::string AnswerDomains(CallContext& context, RequestFields& fields);
std::string AnswerGenerate(CallContext& context, RequestFields& fields);
std::string AnswerVersion(CallContext& context, RequestFields& fields);

// vector_operations.cc
std::string AnswerEmbed(CallContext& context, RequestFields& fields);
std::string AnswerSimilar(CallContext& context, RequestFields& fields);
std::string AnswerMap(CallContext& context, RequestFields& fields);

// tree_operation.cc
std::string AnswerTree(CallContext& context, RequestFields& fields);

}  // namespace conpole
