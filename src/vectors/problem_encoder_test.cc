#include "vectors/problem_encoder.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "nn/model.h"
#include "notation/notation.h"
#include "subjects/free_notation.h"
#include "tutor/policy.h"
#include "util/thread_pool.h"

namespace conpole {
namespace {

Model ShippedModel(const Domain& domain) {
  return ReadPolicyModel(domain, std::string(CONPOLE_SOURCE "/models/") + domain.type().name + ".safetensors");
}

std::vector<float> VectorOf(const ProblemEncoder& encoder, const std::string& text) {
  ThreadPool pool(1);
  const NotationResult read = ReadNotation(encoder.domain(), text);
  EXPECT_FALSE(read.error) << text;
  return encoder.Encode(std::vector<std::string>{read.state}, pool);
}

TEST(ProblemEncoderTest, EveryDomainWithAModelHasVectorsOfLengthOne) {
  ThreadPool pool(2);
  for (const DomainType* const type : DomainTypes()) {
    const std::unique_ptr<Domain> domain = MakeDomain(type->name);
    const ProblemEncoder encoder(*domain, ShippedModel(*domain));
    std::vector<std::string> states;
    for (std::uint64_t seed = 0; seed < 20; ++seed) states.push_back(domain->Generate(seed));
    const std::vector<float> vectors = encoder.Encode(states, pool);
    ASSERT_EQ(vectors.size(), states.size() * encoder.dimension());
    for (std::size_t i = 0; i < states.size(); ++i) {
      double square = 0;
      for (std::size_t k = 0; k < encoder.dimension(); ++k) square += std::pow(vectors[i * encoder.dimension() + k], 2);
      EXPECT_NEAR(square, 1.0, 1e-5) << type->name << ": " << states[i];
    }
  }
}

TEST(ProblemEncoderTest, OneProblemHasOneVectorHoweverItIsWritten) {
  for (const char* const name : {"equations", "algebra"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(name);
    const ProblemEncoder encoder(*domain, ShippedModel(*domain));
    const std::vector<float> vector = VectorOf(encoder, "x + 3 = 7");
    for (const char* const text : {"(x + 3) = 7", "x+3=7", "y + 3 = 7", "(x+3) = 7"}) {
      EXPECT_EQ(VectorOf(encoder, text), vector) << name << ": " << text;
    }
    EXPECT_NE(VectorOf(encoder, "x + 4 = 7"), vector);
  }
  const std::unique_ptr<Domain> sorting = MakeDomain("sorting");
  const ProblemEncoder encoder(*sorting, ShippedModel(*sorting));
  EXPECT_EQ(VectorOf(encoder, "[3, 1, 2]"), VectorOf(encoder, "[===|=|==]"));
}

}  // namespace
}  // namespace conpole
