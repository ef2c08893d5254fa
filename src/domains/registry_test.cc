#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conpole/domain.h"
#include "conpole/error.h"

namespace conpole {
namespace {

std::string MakeError(std::string_view spec) {
  try {
    MakeDomain(spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RegistryTest, NamesAreUniqueAndMakeTheirDomain) {
  std::set<std::string> names;
  for (const DomainType* type : DomainTypes()) {
    EXPECT_TRUE(names.insert(type->name).second) << type->name;
    EXPECT_EQ(&MakeDomain(type->name)->type(), type);
  }
}

TEST(RegistryTest, AnUnknownDomainListsTheKnownOnes) {
  const std::string message = MakeError("geometry:max=3");
  EXPECT_TRUE(message.starts_with("unknown domain 'geometry'; there are: ")) << message;
  for (const DomainType* type : DomainTypes()) EXPECT_NE(message.find(type->name), std::string::npos) << message;
  EXPECT_TRUE(MakeError("").starts_with("unknown domain ''"));
}

TEST(RegistryTest, AnUnknownParameterListsTheKnownOnes) {
  EXPECT_EQ(MakeError("sorting:length=3"), "domain sorting: unknown parameter 'length'; there are: min_length, max_length");
}

TEST(RegistryTest, BadValuesAreErrorsThatNameTheParameter) {
  EXPECT_EQ(MakeError("sorting:max_length=0"),
            "domain sorting: parameter 'max_length' must be an integer from 1 to 100, not '0'");
  EXPECT_EQ(MakeError("sorting:max_length=ten"),
            "domain sorting: parameter 'max_length' must be an integer from 1 to 100, not 'ten'");
  EXPECT_EQ(MakeError("sorting:max_length"), "domain sorting: expected PARAMETER=VALUE, found 'max_length'");
  EXPECT_EQ(MakeError("sorting:max_length=3,max_length=4"), "domain sorting: parameter 'max_length' is given twice");
  EXPECT_EQ(MakeError("sorting:"), "domain sorting: expected PARAMETER=VALUE, found ''");
  EXPECT_EQ(MakeError("sorting:max_length=3,"), "domain sorting: expected PARAMETER=VALUE, found ''");
  EXPECT_EQ(MakeError("sorting:,"), "domain sorting: expected PARAMETER=VALUE, found ''");
}

TEST(RegistryTest, AMinimumAboveTheMaximumIsAnError) {
  EXPECT_EQ(MakeError("sorting:min_length=11"),
            "domain sorting: parameter 'min_length' (11) is greater than 'max_length' (10)");
  EXPECT_EQ(MakeError("rubiks-cube:min_moves=3,max_moves=2"),
            "domain rubiks-cube: parameter 'min_moves' (3) is greater than 'max_moves' (2)");
  EXPECT_EQ(MakeError("multiplication:min_mantissa=1000"),
            "domain multiplication: parameter 'min_mantissa' (1000) is greater than 'max_mantissa' (999)");
  EXPECT_EQ(MakeError("sorting:min_length=7,max_length=7"), "no error");
}

TEST(RegistryTest, SpecMakesAnEqualDomain) {
  for (const std::string spec :
       {"sorting:min_length=2,max_length=11", "ternary-addition:max_digits=15,max_power=6", "multiplication:max_nodes=50",
        "fractions:max_factors=4,max_nodes=20", "equations:max_constant=3,zero=1", "rubiks-cube:max_moves=5",
        "algebra:family=brackets,max_number=20"}) {
    const std::unique_ptr<Domain> domain = MakeDomain(spec);
    EXPECT_EQ(domain->Spec(), spec);
    const std::unique_ptr<Domain> again = MakeDomain(domain->Spec());
    EXPECT_EQ(again->parameters().values(), domain->parameters().values());
    for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(again->Generate(seed), domain->Generate(seed));
  }
}

TEST(RegistryTest, SpecLeavesOutDefaultsAndOrdersParameters) {
  EXPECT_EQ(MakeDomain("sorting:max_length=10,min_length=1")->Spec(), "sorting");
  EXPECT_EQ(MakeDomain("sorting:max_length=12,min_length=3")->Spec(), "sorting:min_length=3,max_length=12");
  EXPECT_EQ(MakeDomain("equations:templates=")->Spec(), "equations");
}

// Both ends of every range make a domain that generates problems and expands them.
TEST(RegistryTest, EndsOfRangesWork) {
  for (const DomainType* type : DomainTypes()) {
    for (const Parameter& parameter : type->parameters) {
      if (!parameter.range) continue;
      for (const std::int64_t value : {parameter.range->low, parameter.range->high}) {
        std::string spec = type->name + ":" + parameter.name + "=" + std::to_string(value);
        // A maximum at its low end needs a minimum there, and the other way round.
        for (const auto& [one, other] : {std::pair("min_", "max_"), std::pair("max_", "min_")}) {
          if (!parameter.name.starts_with(one)) continue;
          const std::string partner = other + parameter.name.substr(4);
          const bool exists = std::any_of(type->parameters.begin(), type->parameters.end(),
                                          [&](const Parameter& p) { return p.name == partner; });
          if (exists) spec += "," + partner + "=" + std::to_string(value);
        }
        SCOPED_TRACE(spec);
        const std::unique_ptr<Domain> domain = MakeDomain(spec);
        // Only the smallest problem is expanded: thousands of bars have gigabytes of successors.
        std::string smallest = domain->Generate(0);
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
          const std::string problem = domain->Generate(seed);
          EXPECT_EQ(domain->Parse(problem).state, problem);
          if (problem.size() < smallest.size()) smallest = problem;
        }
        Successors out;
        if (smallest.size() < 1000) {
          EXPECT_NE(domain->Expand(smallest, Labels::kOn, out), Status::kMalformed);
        }
      }
    }
  }
}

}  // namespace
}  // namespace conpole
