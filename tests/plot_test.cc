// The command plot, with gnuplot where it is installed.
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/files.h"
#include "tests/program.h"
#include "train/run/metrics.h"

namespace conpole {
namespace {

bool HaveGnuplot() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread is running
  static const bool have = std::system("gnuplot --version >/dev/null 2>&1") == 0;
  return have;
}

class PlotTest : public FolderTest {
 protected:
  // A run with a line per entry; each entry is the JSON of the values.
  std::string Run(const std::string& name, const std::vector<std::string>& lines) const {
    std::filesystem::create_directories(Path(name));
    std::ofstream file(MetricsPath(Path(name)));
    std::size_t step = 0;
    for (const std::string& values : lines) {
      file << R"({"step":)" << step << R"(,"seconds":)" << static_cast<double>(step) / 10000 << values << "}\n";
      step += 250000;
    }
    return Path(name);
  }
  std::string LearningRun(const std::string& name) const {
    return Run(name, {R"(,"eval_success":0,"loss":3.5)", R"(,"loss":2)", R"(,"eval_success":0.6,"loss":null)",
                      R"(,"eval_success":1,"loss":0.1,"steps_per_second":9)"});
  }
};

// Those that need gnuplot.
class DrawTest : public PlotTest {
 protected:
  void SetUp() override {
    if (!HaveGnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  }
  // The picture as SVG, which has its texts in the clear.
  std::string Draw(Arguments arguments) const {
    arguments.insert(arguments.begin(), "plot");
    arguments.insert(arguments.end(), {"--out", Path("plot.svg")});
    const Outcome outcome = Conpole(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Content("plot.svg");
  }
};

bool HasText(const std::string& svg, const std::string& text) {
  return svg.find("<text>" + text + "</text>") != std::string::npos;
}

TEST_F(DrawTest, APngHasTheSizeThatWasAskedFor) {
  const std::string run = LearningRun("run");
  const Outcome outcome = Conpole({"plot", run, "--out", Path("plot.PNG"), "--size", "640x480"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, Path("plot.PNG") + ": eval_success of 1 run\n");
  const std::string png = Content("plot.PNG");
  ASSERT_GT(png.size(), 1000U);
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n"));
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x02\x80\0\0\x01\xe0", 8));
}

TEST_F(DrawTest, WithoutOutThePictureIsNamedByTheMetric) {
  const std::string run = LearningRun("run");
  const std::filesystem::path working = std::filesystem::current_path();
  std::filesystem::current_path(folder());
  const Outcome outcome = Conpole({"plot", "run", "--metric", "loss"});
  std::filesystem::current_path(working);
  EXPECT_EQ(outcome.out, "loss.png: loss of 1 run\n");
  EXPECT_TRUE(Content("loss.png").starts_with("\x89PNG"));
}

TEST_F(DrawTest, TheLegendHasFoldersOrLabels) {
  LearningRun("a/same");
  LearningRun("b/same");
  LearningRun("lr=0.1");
  const std::string svg = Draw({Path("a/same"), Path("b/same"), LearningRun("one") + "/", LearningRun("two") + "=A label",
                                Path("lr=0.1"), Path("lr=0.1") + "=x=y", "--title", "A title"});
  for (const std::string& label : {Path("a/same"), Path("b/same"), std::string("one"), std::string("A label"),
                                   std::string("lr=0.1"), std::string("x=y"), std::string("A title")}) {
    EXPECT_TRUE(HasText(svg, label)) << label;
  }
  EXPECT_FALSE(HasText(svg, "two"));
}

TEST_F(DrawTest, SharesAreInPercentAndStepsAreShort) {
  const std::string svg = Draw({LearningRun("run")});
  for (const char* const text : {"100%", "20%", "0%", "500k", "eval success", "environment steps"}) {
    EXPECT_TRUE(HasText(svg, text)) << text;
  }
  const std::string loss = Draw({Path("run"), "--metric", "loss", "--x", "seconds"});
  EXPECT_EQ(loss.find('%'), std::string::npos);
  for (const char* const text : {"loss", "seconds"}) EXPECT_TRUE(HasText(loss, text)) << text;
}

TEST_F(DrawTest, TextIsNeverACommand) {
  const std::string run_is = LearningRun("run") + "=";
  const std::string touched = Path("touched");
  const std::string command = "system('touch " + touched + "')";
  const Arguments labels = {"`touch " + touched + "`",
                            "'; " + command + "; #",
                            "'\n" + command + "\n#",
                            "' . " + command + " . '",
                            "\\",
                            "\"",
                            "$run0",
                            "@x",
                            "%s %n",
                            "\xff\xfe",
                            std::string(3000, 'x'),
                            "end_of_data"};
  for (const std::string& label : labels) {
    Draw({run_is + label, "--title", label});
    EXPECT_FALSE(std::filesystem::exists(touched)) << label;
  }
  EXPECT_TRUE(HasText(Draw({run_is + "'it' <b>&{_^@"}), "'it' &lt;b>&amp;{_^@"));
  const Outcome piped = Conpole({"plot", Path("run"), "--out", "|touch " + touched + " #.png"});
  EXPECT_EQ(piped.status, 2);
  EXPECT_FALSE(std::filesystem::exists(touched));
}

TEST_F(DrawTest, StrangeCurvesAreDrawn) {
  const std::string metric = R"(,"eval_success":)";
  Draw({Run("point", {metric + "0.5"})});
  Draw({Run("constant", {metric + "1", metric + "1", metric + "null"})});
  Draw({Run("no-share", {metric + "-3", metric + "1e300"})});
  Draw({Run("extreme", {metric + "-1.7e308", metric + "3", metric + "1.7e308"})});
  Draw({Run("long", std::vector<std::string>(5000, metric + "0.25")), "--x", "seconds"});
  std::ofstream(MetricsPath(Path("point"))) << R"({"step":18446744073709551615,"seconds":1e300,"eval_success":0.5})" << '\n';
  Draw({Path("point")});
  Draw({Path("point"), "--x", "seconds"});
}

TEST_F(DrawTest, APictureThatCannotBeWrittenIsAnError) {
  const std::string run = LearningRun("run");
  ExpectRefused({"plot", run, "--out", Path("none/plot.png")}, Path("none/plot.png") + ": cannot be written: No such file");
}

TEST_F(PlotTest, BadUsageIsRefused) {
  const std::string run = LearningRun("run");
  ExpectRefused({"plot"}, "runs");
  ExpectRefused({"plot", Path("none")}, "there is no folder '" + Path("none") + "'");
  ExpectRefused({"plot", Path("none") + "=label"}, "there is no folder '" + Path("none") + "'");
  ExpectRefused({"plot", folder()}, folder() + "/metrics.jsonl: cannot be read: No such file or directory");
  for (const char* const out : {"plot", "plot.pdf", "png", ".png"})
    ExpectRefused({"plot", run, "--out", out}, "--out must end");
  for (const char* const size : {"640", "640x", "x480", "640x480x2", "640 x 480", "-640x480", "10x10", "640x99999999999"}) {
    ExpectRefused({"plot", run, "--size", size}, "--size must be WIDTHxHEIGHT");
  }
  ExpectRefused({"plot", run, "--x", "hours"}, "--x");
}

TEST_F(PlotTest, AMetricThatARunDoesNotHaveIsRefusedWithThoseThatItHas) {
  const std::string run = LearningRun("run");
  ExpectRefused({"plot", run, "--metric", "reward"},
                run + "/metrics.jsonl: has no metric 'reward'; it has: eval_success, loss, steps_per_second");
  ExpectRefused({"plot", Run("empty", {})}, "has no lines yet");
  ExpectRefused({"plot", Run("bare", {""})}, "it has: none");
  ExpectRefused({"plot", Run("null", {R"(,"eval_success":null)"})}, "has no value of 'eval_success' that can be drawn");
  ExpectRefused({"plot", run, Run("bad", {"", "x"})}, Path("bad") + "/metrics.jsonl: line 2: ");
}

TEST_F(PlotTest, WithoutGnuplotTheErrorSaysWhatToInstall) {
  const std::string run = LearningRun("run");
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread is running
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder().c_str(), 1);
  ExpectRefused({"plot", run, "--out", Path("plot.png")}, "apt install gnuplot-nox");
  setenv("PATH", path.c_str(), 1);
  // NOLINTEND(concurrency-mt-unsafe)
  EXPECT_FALSE(std::filesystem::exists(Path("plot.png")));
}

}  // namespace
}  // namespace conpole
