// conpole domain: what each of its commands prints, and with which exit status.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"

namespace conpole {
namespace {

constexpr const char* kSums =
    "domain sums\nstate term\nvar a b : number\ngoal a\nrule add a + b -> [a + b]\n"
    "problem \"{n} + {m}\" with n in 1..9, m in 1..9\nkeeps value\ntest \"1 + 2\" => \"3\"\n";

class DomainCliTest : public FolderTest {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }
};

TEST_F(DomainCliTest, ChecksAcceptOrRefuseWithThePlace) {
  const Outcome good = Conpole({"domain", "check", Write("good.domain", kSums)});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_NE(good.out.find("1 of 1 tests pass"), std::string::npos) << good.out;
  const std::string bad = Write("bad.domain", std::string(kSums) + "rule wrong a * b -> [a + b]\n");
  const Outcome refused = Conpole({"domain", "check", bad});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.out.find("bad.domain:9:6: error: the rule 'wrong' does not keep the value"), std::string::npos)
      << refused.out;
  const Outcome json = Conpole({"domain", "check", bad, "--json"});
  EXPECT_EQ(json.status, 1);
  const Json report = Json::parse(json.out);
  EXPECT_FALSE(report.at("ok").get<bool>());
  EXPECT_EQ(report.at("findings").at(0).at("line"), 9);
  EXPECT_EQ(report.at("findings").at(0).at("column"), 6);
  EXPECT_EQ(Conpole({"domain", "check", Path("none.domain")}).status, 2);
}

TEST_F(DomainCliTest, BatchesAreSolvedInTheDomainThatIsNamed) {
  const std::string path = Write("good.domain", kSums);
  const std::string problems = Write("problems", "1 + 2\n3 + 4\n");
  const Outcome solved = Conpole({"solve", path, "--batch", problems});
  EXPECT_EQ(solved.status, 0) << solved.err;
  const Json first = Json::parse(solved.out.substr(0, solved.out.find('\n')));
  EXPECT_EQ(first.at("domain"), path);
  EXPECT_EQ(first.at("answer"), "3");
  const Outcome refused = Conpole({"solve", path, "1 + 2", "--batch", problems});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("with --batch only a domain may be named; '1 + 2' is none"), std::string::npos) << refused.err;
}

TEST_F(DomainCliTest, TestsPassOrFail) {
  EXPECT_EQ(Conpole({"domain", "test", Write("good.domain", kSums)}).status, 0);
  const Outcome failed = Conpole({"domain", "test", Write("failing.domain", std::string(kSums) + "test \"1 + 2\" => \"4\"\n")});
  EXPECT_EQ(failed.status, 1);
  EXPECT_NE(failed.out.find("1 of 2 tests pass"), std::string::npos) << failed.out;
  EXPECT_EQ(Conpole({"domain", "test", Write("wrong.domain", "domain x\n")}).status, 2);
}

TEST_F(DomainCliTest, NewFilesAreGoodAndNeverReplaceOthers) {
  for (const char* const kind : {"term", "list", "layout"}) {
    const std::string path = Path(std::string(kind) + ".domain");
    EXPECT_EQ(Conpole({"domain", "new", path, "--kind", kind}).status, 0) << kind;
    EXPECT_EQ(Conpole({"domain", "check", path}).status, 0) << kind;
    EXPECT_EQ(Conpole({"domain", "show", path}).status, 0) << kind;
    const Outcome again = Conpole({"domain", "new", path, "--kind", kind});
    EXPECT_EQ(again.status, 2);
    EXPECT_NE(again.err.find("is there already"), std::string::npos) << again.err;
  }
  EXPECT_EQ(Conpole({"domain", "new", Path("x.txt")}).status, 2);
}

TEST_F(DomainCliTest, FormattingChangesNothingTwice) {
  const std::string path = Write("loose.domain", "domain   sums\n" + std::string(kSums).substr(12));
  EXPECT_EQ(Conpole({"domain", "format", path, "--write"}).status, 0);
  const Outcome printed = Conpole({"domain", "format", path});
  EXPECT_EQ(printed.status, 0);
  EXPECT_EQ(printed.out, Content("loose.domain"));
  EXPECT_TRUE(printed.out.starts_with("domain sums\n")) << printed.out;
}

}  // namespace
}  // namespace conpole
