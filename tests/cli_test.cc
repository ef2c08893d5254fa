// The program as its users meet it: arguments in, text and exit status out.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "nn/lstm_encoder.h"
#include "nn/model.h"
#include "tests/program.h"
#include "tests/repetitions.h"

namespace conpole {
namespace {

// Waits for the program to catch SIGINT: from then on it stops cleanly. Elsewhere than on Linux, a while must do.
void WaitForSignalHandler(pid_t pid) {
  for (;;) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    if (!status) {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      return;
    }
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigCgt:") && (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0) return;
      if (line.starts_with("State:") && line.find('Z') != std::string::npos) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// Runs something that takes far longer than anyone waits, and interrupts it.
Outcome Interrupt(const Arguments& arguments, int signal = SIGINT) {
  const Scratch in;
  const Scratch out;
  const Scratch err;
  Process process(arguments, in.descriptor(), out.descriptor(), err.descriptor());
  WaitForSignalHandler(process.pid());
  kill(process.pid(), signal);
  const int status = process.Wait();
  return {status, out.Read(), err.Read()};
}

TEST(CliTest, HelpAndVersion) {
  const Outcome bare = Conpole({});
  EXPECT_EQ(bare.status, 0);
  const Outcome help = Conpole({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_EQ(bare.err, "");
  EXPECT_EQ(bare.out, Conpole({"tour"}).out);
  for (const char* const text :
       {"$ conpole solve \"3(x - 2) = x + 4\"", "equations", "fractions", "multiplication", "sorting", "ternary-addition",
        "rubiks-cube", "x = 2 is the answer", "conpole practice", "conpole --help"}) {
    EXPECT_NE(bare.out.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(Conpole({"-h"}).out, help.out);
  EXPECT_EQ(Conpole({"help"}).out, help.out);
  for (const char* const command : {"tour", "solve", "hint", "check", "next", "practice", "similar", "domains", "generate",
                                    "step", "walk", "endgame", "eval", "embed", "map", "train", "plot", "reproduce", "help"}) {
    EXPECT_NE(help.out.find(command), std::string::npos) << command;
    const Outcome of_command = Conpole({command, "--help"});
    EXPECT_EQ(of_command.status, 0) << command;
    EXPECT_NE(of_command.out.find(command), std::string::npos) << command;
    EXPECT_EQ(Conpole({command, "-h"}).out, of_command.out) << command;
    EXPECT_EQ(Conpole({"help", command}).out, of_command.out) << command;
  }
  EXPECT_EQ(Conpole({"help", "reproduce", "table1"}).out, Conpole({"reproduce", "table1", "--help"}).out);
  ExpectRefused({"help", "chess"}, "there is no command 'chess'; conpole help lists");
  ExpectRefused({"help", "solve", "x"}, "there is no command 'x'");
  const Outcome version = Conpole({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.lines().size(), 1U);
}

TEST(CliTest, EndgamesAreWrittenOnce) {
  const std::string folder = testing::TempDir() + "conpole_cache_" + std::to_string(getpid());
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  const Outcome made = Conpole({"endgame", "rubiks-cube", "--megabytes", "2"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.out.find("rubiks-cube: 105046 states within 5 steps; from 7 steps on, searches know the way\n" + folder), 0U)
      << made.out;
  EXPECT_NE(made.out.find(", 2 MB"), std::string::npos);
  EXPECT_NE(Conpole({"endgame", "rubiks-cube", "--remove"}).out.find("is removed"), std::string::npos);
  EXPECT_EQ(Conpole({"endgame", "rubiks-cube", "--remove"}).out, "there is no endgame of rubiks-cube\n");
  unsetenv("XDG_CACHE_HOME");
  std::filesystem::remove_all(folder);
  ExpectRefused({"endgame", "equations"}, "have no fixed layout");
  ExpectRefused({"endgame", "rubiks-cube", "--megabytes", "0"}, "--megabytes");
}

TEST(CliTest, BadUsageIsOneLine) {
  ExpectRefused({"nonsense"}, "nonsense");
  ExpectRefused({"--nonsense"}, "--nonsense");
  ExpectRefused({"generate"}, "domain");
  ExpectRefused({"generate", "sorting", "--seed", "-1"});
  ExpectRefused({"generate", "sorting", "--seed", "x"});
  ExpectRefused({"generate", "sorting", "--seed", "0", "--count", "-5"});
  ExpectRefused({"generate", "sorting", "--seed", "18446744073709551615", "--count", "1"}, "too large");
  ExpectRefused({"walk"}, "domain");
  ExpectRefused({"step"}, "domain");
  ExpectRefused({"solve"}, "problem");
  ExpectRefused({"solve", "sorting"}, "problem");
  ExpectRefused({"solve", "sorting", "[==|=]", "extra"}, "'[==|=] extra' is not a problem of sorting: position 7: ");
  ExpectRefused({"check", "sorting", "[==|=]", "[=|==]", "extra"}, "'extra': This line cannot be read at position 0");
  ExpectRefused({"solve", "x=1+1", "--format", "xml"}, "text, json, latex");
  ExpectRefused({"solve", "x=1+1", "--language", "xx"}, "xx");
  ExpectRefused({"hint"}, "problem");
  ExpectRefused({"hint", "x=1+1", "--level", "4"}, "--level must be a whole number from 1 to 3, not '4'");
  ExpectRefused({"check"}, "problem");
  ExpectRefused({"check", "x=1+1"}, "a line and the next one are needed, and there is only 'x=1+1'");
  ExpectRefused({"check", "algebra"}, "after the domain algebra there must be a line and the next one");
  ExpectRefused({"domains", "extra"}, "extra");
  ExpectRefused({"practice", "nonsense"}, "nonsense");
  ExpectRefused({"practice", "--skill", "nonsense"}, "there is no skill 'nonsense'; there are: one-step");
  ExpectRefused({"practice", "--skill", "brackets", "--level", "6"}, "the levels of brackets are 1 to 5, not 6");
  ExpectRefused({"practice", "fractions", "--skill", "brackets"}, "the exercises of brackets are no problems of fractions");
  ExpectRefused({"practice", "sorting", "--level", "0"}, "--level");
  ExpectRefused({"eval"}, "domain");
  ExpectRefused({"reproduce"});
  ExpectRefused({"reproduce", "table7"});
  ExpectRefused({"reproduce", "table1", "--problems", "0"}, "--problems");
  ExpectRefused({"reproduce", "table1", "--problems", "many"}, "--problems");
}

TEST(CliTest, WhatThereIsNotIsNamed) {
  ExpectRefused({"nonsense"}, "there is no command 'nonsense'; conpole help lists those that there are");
  ExpectRefused({"2x+3=7"}, "there is no command '2x+3=7'");
  ExpectRefused({"reproduce", "table7"}, "there is no command 'table7'");
  ExpectRefused({"--nonsense"}, "there is no option '--nonsense'; conpole --help lists those that there are");
  ExpectRefused({"walk", "--nonsense=3", "sorting"}, "there is no option '--nonsense=3'; conpole walk --help lists");
  ExpectRefused({"slove", "2x=4"}, "there is no command 'slove'; did you mean solve?");
  ExpectRefused({"eval", "sorting", "--beem", "3"}, "there is no option '--beem'; did you mean --beam?");
}

TEST(CliTest, EveryHelpTextIsASentence) {
  const Outcome few = Conpole({"train", "--help"});
  const Outcome all = Conpole({"train", "--help-all"});
  EXPECT_EQ(few.out.find("\nEvaluation and checkpoints:\n"), std::string::npos);
  EXPECT_NE(few.out.find("--help-all"), std::string::npos);
  EXPECT_NE(all.out.find("\nEvaluation and checkpoints:\n"), std::string::npos) << "settings have headings";
  for (const char* const command : {"solve", "eval", "practice", "serve", "map", "similar"}) {
    const std::vector<std::string> lines = Conpole({command, "--help"}).lines();
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      EXPECT_LE(lines[i].size(), 130U) << lines[i];
      if (!lines[i].starts_with("  -") || lines[i + 1].starts_with("      ")) continue;
      EXPECT_TRUE(lines[i].ends_with('.')) << lines[i];
    }
  }
}

TEST(CliTest, AnEmptyValueIsRefused) {
  const std::string reason = ": its value is empty";
  ExpectRefused({"eval", "sorting", "--problems", ""}, "--problems,--cubes" + reason);
  ExpectRefused({"solve", "2x=4", "--model", ""}, "--model" + reason);
  ExpectRefused({"solve", "2x=4", "--model="}, "--model" + reason);
  ExpectRefused({"similar", "2x=4", "--from", ""}, "--from" + reason);
  ExpectRefused({"map", "--seeds", ""}, "--seeds" + reason);
}

TEST(CliTest, LongQuotationsAreCut) {
  const Outcome outcome = Conpole({"solve", "sorting", std::string(120'000, 'q')});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_LT(outcome.err.size(), 600U);
  EXPECT_NE(outcome.err.find("qqq...' is not a problem of sorting"), std::string::npos) << outcome.err;
  const Outcome name = Conpole({"eval", "sorting", "--problems", std::string(120'000, 'q')});
  EXPECT_EQ(name.status, 2);
  EXPECT_LT(name.err.size(), 3'000U);
}

TEST(CliTest, OutputPathsAreTriedBeforeTheWork) {
  for (const Arguments& arguments :
       {Arguments{"abstractions", "mine", "rubiks-cube", "--out", "/nonexistent/x"},
        Arguments{"map", "equations", "--seeds", "0:1000000", "--out", "/nonexistent/x"},
        Arguments{"similar", "equations", "--seeds", "0:40000000", "--save-index", "/nonexistent/x"}}) {
    const auto begin = std::chrono::steady_clock::now();
    ExpectRefused(arguments, "/nonexistent/x: ");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << arguments[0];
  }
}

TEST(CliTest, BreadthFirstSearchTakesAxiomsAlone) {
  const Arguments eval{"eval", "multiplication", "--seeds", "0:2", "--max-edges", "1000", "--json", "--search"};
  const auto abstractions = [&](const std::string& search) {
    Arguments arguments = eval;
    arguments.push_back(search);
    return Conpole(arguments).json().at("abstractions").get<std::string>();
  };
  EXPECT_EQ(abstractions("bfs"), "axioms alone");
  EXPECT_TRUE(abstractions("greedy").ends_with(" abstractions of the model")) << abstractions("greedy");
}

TEST(CliTest, EvalLeavesOutWhatSeedsGenerateToo) {
  const auto eval = [](const std::string& seeds, const std::string& unseen_by) {
    return Conpole({"eval", "sorting", "--seeds", seeds, "--unseen-by", unseen_by, "--search", "greedy", "--json"}).json();
  };
  const Json all = eval("100:120", "110:130");
  std::set<std::string> seen;
  const auto problem = [](int seed) {
    return Conpole({"generate", "sorting", "--seed", std::to_string(seed)}).json().at("problem").get<std::string>();
  };
  for (int seed = 110; seed < 130; ++seed) seen.insert(problem(seed));
  int left = 0;
  for (int seed = 100; seed < 120; ++seed) left += seen.contains(problem(seed)) ? 0 : 1;
  EXPECT_EQ(all.at("problems"), left);
  EXPECT_EQ(all.at("seen"), 20 - left);
  EXPECT_EQ(all.at("unseen_by"), "110:130");
  EXPECT_EQ(eval("100:120", "0:1000").at("problems"), 0);
  ExpectRefused({"eval", "sorting", "--unseen-by", "7"}, "--unseen-by");
}

// Its commands with what they print, as far as that takes no time and does not tell any.
TEST(CliTest, TheReadmeShowsWhatTheProgramPrints) {
  std::ifstream readme(CONPOLE_SOURCE "/README.md");
  std::vector<std::pair<std::string, std::string>> shown;
  bool inside = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("    $ ")) {
      shown.emplace_back(line.substr(6), "");
      inside = true;
    } else if (inside && line.starts_with("    ")) {
      shown.back().second += line.substr(4) + "\n";
    } else {
      inside = false;
    }
  }
  int compared = 0;
  for (const auto& [command, text] : shown) {
    const std::size_t run = command.find("./run ");
    if (run == std::string::npos || text.empty() || command.find("./run eval") != std::string::npos) continue;
    std::string called = command;
    called.replace(run, 5, CONPOLE_PROGRAM);
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(called.c_str(), "r"), pclose);  // NOLINT: a shell is what it shows
    std::string printed;
    for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) printed += static_cast<char>(c);
    EXPECT_EQ(printed, text) << command;
    ++compared;
  }
  EXPECT_GE(compared, 6);
  const Json bfs = Conpole({"solve", "equations", "x + 3 = 11", "--search", "bfs", "--json"}).json();
  EXPECT_EQ(bfs.at("expanded"), 27842) << "the README tells this number";
  EXPECT_EQ(Conpole({"solve", "equations", "2x + 3 = 11", "--search", "bfs"}).status, 1);
}

TEST(CliTest, NumbersAreReadWithTheirRanges) {
  const std::string whole = " must be a whole number from 0 to 18446744073709551615, not '";
  for (const std::string wrong : {"18446744073709551616", "99999999999999999999999", "-1", "1.5", "1e3", "nan", "inf", "0x10",
                                  "+1", " 1", "1 ", "x", ""}) {
    ExpectRefused({"generate", "sorting", "--seed", wrong}, "--seed" + whole + wrong + "'");
    ExpectRefused({"eval", "sorting", "--seeds", "0:1", "--seed", wrong}, "--seed" + whole + wrong + "'");
    ExpectRefused({"solve", "x=1+1", "--expansions", wrong}, "--expansions" + whole + wrong + "'");
  }
  for (const std::string wrong : {"-1", "1.5", "x"}) {
    ExpectRefused({"generate", "sorting", "--seed", "1", "--count", wrong}, "--count" + whole + wrong + "'");
    ExpectRefused({"walk", "sorting", "--seed", wrong}, "--seed" + whole + wrong + "'");
    ExpectRefused({"walk", "sorting", "--seed", "1", "--steps", wrong}, "--steps" + whole + wrong + "'");
    ExpectRefused({"eval", "sorting", "--seeds", "0:1", "--max-steps", wrong}, "--max-steps" + whole + wrong + "'");
    ExpectRefused({"reproduce", "table1", "--edges", wrong}, "--edges" + whole + wrong + "'");
    ExpectRefused({"practice", "sorting", "--exercise", wrong}, "--exercise" + whole + wrong + "'");
  }
  for (const char* const wrong : {"0", "18446744073709551615", "nan"}) {
    ExpectRefused({"eval", "sorting", "--seeds", "0:1", "--beam", wrong},
                  std::string("--beam must be a whole number from 1 to 1000000000, not '") + wrong);
    ExpectRefused({"eval", "sorting", "--seeds", "0:1", "--batch", wrong},
                  std::string("--batch must be a whole number from 1 to 1000000000, not '") + wrong);
  }
  for (const char* const wrong : {"nan", "inf", "-inf", "-0.5", "1e400", "2000", "0.5x", ""}) {
    ExpectRefused({"eval", "sorting", "--seeds", "0:1", "--weight", wrong},
                  std::string("--weight must be a number from 0 to 1000, not '") + wrong + "'");
  }
  ExpectRefused({"eval", "sorting", "--seeds", "0:1", "--threads", "1025"},
                "--threads must be a whole number from 0 to 1024, not '1025'");
  ExpectRefused({"practice", "sorting", "--level", "21"}, "--level must be a whole number from 1 to 20, not '21'");
  ExpectRefused({"solve", "x=1+1", "--milliseconds", "1000000001"},
                "--milliseconds must be a whole number from 0 to 1000000000");

  EXPECT_EQ(Conpole({"generate", "sorting", "--seed=18446744073709551614"}).json().at("seed"), 18446744073709551614U);
  EXPECT_EQ(Conpole({"eval", "sorting", "--seeds", "0:1", "--search", "bwas", "--weight", "0.5"}).status, 0);
  EXPECT_EQ(Conpole({"eval", "sorting", "--seeds", "0:1", "--search", "levin", "--batch", "2", "--max-expanded", "9"}).status,
            0);
}

// An option begins with two minus signs; a problem may begin with one.
TEST(CliTest, AMinusSignBeginsAText) {
  for (const Arguments& arguments :
       {Arguments{"solve", "-x = 9", "--json"}, Arguments{"solve", "equations", "-x = 9", "--json"},
        Arguments{"solve", "--json", "equations", "-x = 9"}, Arguments{"solve", "--json", "--", "-x = 9"},
        Arguments{"solve", "equations", "--json", "--", "-x = 9"}, Arguments{"solve", "--json", "--", "equations", "-x=9"}}) {
    const Outcome outcome = Conpole(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("answer"), "x = -9");
  }
  EXPECT_EQ(Conpole({"solve", "-h = 9", "--json"}).json().at("answer"), "h = -9");
  EXPECT_EQ(Conpole({"solve", "sorting", "[-,--,-]"}).status, 2);
  EXPECT_EQ(Conpole({"check", "-x=9", "-2x=18"}).status, 0);
  EXPECT_EQ(Conpole({"check", "equations", "-x=9", "-2x=19"}).status, 1);
  EXPECT_EQ(Conpole({"hint", "-x=9", "--level", "3"}).status, 0);
  ExpectRefused({"solve", "-x = = 9"}, "'-x = = 9' is not a problem of algebra: position 5: ");
  ExpectRefused({"solve", "sorting", "--", "--json"}, "'--json' is not a problem of sorting");
  ExpectRefused({"map", "-foo"}, "unknown domain '-foo'");
  ExpectRefused({"map", "[foo,bar]"}, "unknown domain '[foo,bar]'");
  ExpectRefused({"map", "--", "--foo"}, "unknown domain '--foo'");
  ExpectRefused({"map", "x", "--title", "-loss", "--sizes", "-x"}, "not '-x'");
}

// In a process that gets no more memory than this.
Outcome ConpoleWithin(std::size_t kilobytes, const Arguments& arguments) {
  Arguments shell{"-c", "ulimit -v " + std::to_string(kilobytes) + " && exec \"$0\" \"$@\"", CONPOLE_PROGRAM};
  shell.insert(shell.end(), arguments.begin(), arguments.end());
  const Scratch in;
  const Scratch out;
  const Scratch err;
  const int status = Process(shell, in.descriptor(), out.descriptor(), err.descriptor(), "/bin/sh").Wait();
  return {status, out.Read(), err.Read()};
}

TEST(CliTest, ALackOfMemoryIsSaidInWords) {
  if (!kIsOptimised) GTEST_SKIP() << "sanitizers need much memory of their own";
  constexpr std::size_t kKilobytes = 300'000;
  // More than there is room for, whatever the machine: 26 different numbers have 26! orders.
  const std::string problem = "[9 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 8 7 6 5 4 3 2 1]";
  for (const Arguments& arguments :
       {Arguments{"solve", "sorting", problem, "--search", "bfs", "--max-edges", "100000000000", "--threads", "1"},
        Arguments{"eval", "rubiks-cube:min_moves=100,max_moves=100", "--seeds", "0:2", "--search", "bfs", "--max-edges",
                  "100000000000", "--threads", "2"}}) {
    const Outcome outcome = ConpoleWithin(kKilobytes, arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "conpole: there is not enough memory for this\n");
  }
  // Of a batch too, and there of a problem alone, as far as there is room for the others.
  const std::string file = testing::TempDir() + "memory.jsonl";
  std::ofstream(file) << Conpole({"generate", "rubiks-cube:min_moves=19", "--seed", "1"}).out;
  const Outcome batch = ConpoleWithin(kKilobytes, {"solve", "rubiks-cube", "--batch", file, "--milliseconds", "600000",
                                                   "--expansions", "100000000000", "--scorer", "random", "--threads", "1"});
  EXPECT_NE(batch.status, 0);
  EXPECT_NE((batch.out + batch.err).find("there is not enough memory for this"), std::string::npos) << batch.out << batch.err;
  EXPECT_EQ((batch.out + batch.err).find("bad_alloc"), std::string::npos) << batch.out << batch.err;
  EXPECT_EQ(ConpoleWithin(kKilobytes, {"solve", "x^2 = 4", "--threads", "1"}).status, 0) << "it is enough for what is usual";
}

TEST(CliTest, MessagesHaveNoControlCharacters) {
  const std::string raw = "\x1b[31m\xff\x07\n\x7f\xc2\x9b";
  for (const Arguments& arguments :
       {Arguments{raw}, Arguments{"--" + raw}, Arguments{"solve", raw}, Arguments{"solve", raw, "x"},
        Arguments{"solve", "sorting", raw}, Arguments{"check", "x=1+1", raw}, Arguments{"solve", "x=1+1", "--format", raw},
        Arguments{"solve", "x=1+1", "--model", raw}, Arguments{"solve", "x=1+1", "--scorer", raw},
        Arguments{"solve", "x=1+1", "--language", raw}, Arguments{"eval", raw}, Arguments{"eval", "sorting", "--seeds", raw},
        Arguments{"eval", "sorting", "--beam", raw}, Arguments{"map", raw}, Arguments{"map", "--sizes", raw},
        Arguments{"domains", raw}, Arguments{"help", raw}}) {
    const Outcome outcome = Conpole(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(Lines(outcome.err).size(), 1U) << outcome.err;
    for (const char c : outcome.err) {
      EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n') << testing::PrintToString(arguments) << ": " << outcome.err;
    }
  }
  // What people write stays as it is.
  ExpectRefused({"solve", "sorting", "½ größer 解"}, "'½ größer 解' is not a problem of sorting");
}

TEST(CliTest, UnknownDomainsAreRefusedByEveryCommand) {
  const std::string reason = "unknown domain 'chess'; there are: sorting, ";
  ExpectRefused({"generate", "chess", "--seed", "0"}, reason);
  ExpectRefused({"walk", "chess", "--seed", "0"}, reason);
  ExpectRefused({"step", "chess"}, reason);
  ExpectRefused({"solve", "chess", "e4"}, reason);
  ExpectRefused({"eval", "chess"}, reason);
  ExpectRefused({"eval", "sorting:size=3"}, "unknown parameter 'size'");
  ExpectRefused({"eval", "sorting:max_length=0"}, "max_length");
}

TEST(CliTest, MalformedProblemsAreRefusedWithTheirPosition) {
  ExpectRefused({"solve", "sorting", "[==|="}, "position 5: ");
  ExpectRefused({"solve", "sorting", ""}, "position 0: ");
  ExpectRefused({"solve", "sorting", "[=\n|=]"}, "position 2: ");  // still one line
  ExpectRefused({"solve", "equations", "x + = 2"}, "position 4: ");
  ExpectRefused({"solve", "fractions", "[1]/[0]"}, "position ");
}

TEST(CliTest, SearchOptionsThatMakeNoSenseAreRefused) {
  for (const Arguments& command : {Arguments{"solve", "sorting", "[==|=]"}, Arguments{"eval", "sorting", "--seeds", "0:2"}}) {
    const auto refused = [&](const Arguments& options, std::string_view reason = {}) {
      Arguments arguments = command;
      arguments.insert(arguments.end(), options.begin(), options.end());
      ExpectRefused(arguments, reason);
    };
    refused({"--beam", "0"}, "--beam");
    refused({"--beam", "-1"}, "--beam");
    refused({"--beam", "x"}, "--beam");
    refused({"--beam"}, "--beam");
    refused({"--search", "dfs"}, "unknown search 'dfs'; there are: greedy, bfs, beam, bwas, levin");
    refused({"--scorer", "best"}, "there is no scorer 'best' for");
    refused({"--scorer", "stickers"}, "there are: random, length");
    refused({"--scorer", "length", "--search", "bwas"}, "bwas adds scores to steps");
    refused({"--scorer", "length", "--search", "levin"}, "levin goes by the probabilities of paths");
    refused({"--scorer", "length", "--beam-value", "sum"}, "use the beam value last");
    refused({"--beam-value", "first"}, "unknown beam value 'first'");
    refused({"--search", "bwas", "--batch", "0"}, "batch");
    refused({"--search", "levin", "--batch", "0"}, "batch");
    refused({"--search", "bwas", "--weight", "-1"}, "weight");
    refused({"--search", "bwas", "--weight", "nan"}, "weight");
    refused({"--max-steps", "-1"}, "--max-steps");
    refused({"--threads", "-1"}, "--threads");
    refused({"--nonsense"}, "--nonsense");
  }
}

TEST(CliTest, SeedsAreARange) {
  for (const char* const seeds : {"5:2", "5:5"}) ExpectRefused({"eval", "sorting", "--seeds", seeds}, "no seeds");
  for (const char* const seeds : {":", "5", "5:", ":5", "a:b", "0:5x", "-1:5", "0:5:6", "0:99999999999999999999"}) {
    ExpectRefused({"eval", "sorting", "--seeds", seeds}, "FIRST:END");
  }
  ExpectRefused({"eval", "sorting", "--seeds", "0:18446744073709551615"}, "more than");
}

TEST(CliTest, DomainsListsThemAll) {
  const Outcome readable = Conpole({"domains"});
  EXPECT_EQ(readable.status, 0);
  const Outcome outcome = Conpole({"domains", "--json"});
  EXPECT_EQ(outcome.status, 0);
  std::vector<std::string> names;
  for (const std::string& line : outcome.lines()) {
    const Json domain = Json::parse(line);
    names.push_back(domain.at("domain"));
    EXPECT_FALSE(domain.at("summary").get<std::string>().empty());
    EXPECT_TRUE(domain.at("parameters").is_array());
    EXPECT_FALSE(domain.at("axioms").empty());
    EXPECT_NE(readable.out.find(names.back() + ": "), std::string::npos);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"sorting", "ternary-addition", "multiplication", "fractions", "equations",
                                             "rubiks-cube", "algebra"}));
}

TEST(CliTest, GenerateGivesOneProblemPerSeed) {
  const Outcome outcome = Conpole({"generate", "fractions", "--seed", "7", "--count", "3"});
  EXPECT_EQ(outcome.status, 0);
  ASSERT_EQ(outcome.lines().size(), 3U);
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < 3; ++i) {
    const Json line = Json::parse(outcome.lines()[i]);
    EXPECT_EQ(line.at("seed"), 7 + i);
    problems.push_back(line.at("problem"));
  }
  EXPECT_EQ(Conpole({"generate", "fractions", "--seed", "8"}).json().at("problem"), problems[1]);
  EXPECT_EQ(Conpole({"generate", "fractions", "--seed", "8", "--count", "0"}).out, "");
  EXPECT_EQ(Conpole({"generate", "fractions"}).json().at("seed"), 0);
}

TEST(CliTest, WalkEndsWithAVerdict) {
  const Outcome outcome = Conpole({"walk", "rubiks-cube", "--seed", "3", "--steps", "4"});
  EXPECT_EQ(outcome.status, 0);
  ASSERT_EQ(outcome.lines().size(), 6U);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NE(outcome.lines()[i].find(" | "), std::string::npos);
  EXPECT_EQ(outcome.lines().back(), "-- not solved after 4 steps");
  EXPECT_EQ(Conpole({"walk", "rubiks-cube", "--seed", "3", "--steps", "4"}).out, outcome.out);
}

TEST(CliTest, StepAnswersEveryLine) {
  const Outcome outcome = Conpole({"step", "sorting"}, "[==|=]\n[=|==]\r\n[=x]\n\n[=]\n[==|=]");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  ASSERT_EQ(outcome.lines().size(), 6U);
  std::vector<Json> answers;
  for (const std::string& line : outcome.lines()) answers.push_back(Json::parse(line));
  EXPECT_EQ(answers[0], Json::parse(R"({"state": "[==|=]", "solved": false,
                                        "actions": [["swap 0", "[=|==]"], ["reverse", "[=|==]"]]})"));
  EXPECT_EQ(answers[1], Json::parse(R"({"state": "[=|==]", "solved": true, "actions": []})"));
  EXPECT_EQ(answers[2].at("position"), 2);
  EXPECT_EQ(answers[2].at("state"), "[=x]");
  EXPECT_EQ(answers[2].at("error"), "expected '=', '|' or ']', found 'x'");
  EXPECT_EQ(answers[3].at("position"), 0);
  EXPECT_EQ(answers[4].at("solved"), true);
  EXPECT_EQ(answers[5], answers[0]);  // the last line needs no end
}

TEST(CliTest, StepWithoutMalformedLinesSucceeds) {
  EXPECT_EQ(Conpole({"step", "sorting"}, "[==|=]\n").status, 0);
  const Outcome nothing = Conpole({"step", "sorting"});
  EXPECT_EQ(nothing.status, 0);
  EXPECT_EQ(nothing.out, "");
  // Bytes that are no text still give a line of JSON.
  const Outcome bytes = Conpole({"step", "sorting"}, std::string("\xff\x00\xfe\n[=]\n", 8));
  EXPECT_EQ(bytes.status, 1);
  ASSERT_EQ(bytes.lines().size(), 2U);
  EXPECT_EQ(Json::parse(bytes.lines()[0]).at("position"), 0);
}

TEST(CliTest, StepAnswersBeforeTheInputEnds) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  ASSERT_EQ(pipe2(to.data(), O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(from.data(), O_CLOEXEC), 0);
  const Scratch err;
  Process process({"step", "sorting"}, to[0], from[1], err.descriptor());
  close(to[0]);
  close(from[1]);
  for (const std::string_view state : {"[==|=]", "nonsense", "[=|==]"}) {
    const std::string line = std::string(state) + "\n";
    ASSERT_EQ(write(to[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    std::string answer;
    while (answer.empty() || answer.back() != '\n') {
      char c = 0;
      ASSERT_EQ(read(from[0], &c, 1), 1);
      answer += c;
    }
    EXPECT_EQ(Json::parse(answer).at("state"), state);
  }
  close(to[1]);
  EXPECT_EQ(process.Wait(), 1);
  close(from[0]);
}

TEST(CliTest, ALineMayBeOfAnyLength) {
  for (const Arguments& arguments :
       {Arguments{"step", "sorting"}, Arguments{"embed", "sorting"}, Arguments{"practice", "sorting"}}) {
    constexpr off_t kBytes = off_t{256} << 20;
    std::FILE* const line = std::tmpfile();
    ASSERT_EQ(ftruncate(fileno(line), kBytes), 0);  // zeros that take no room on the disk
    ASSERT_EQ(pwrite(fileno(line), "\n[=]\n", 5, kBytes), 5);
    const Scratch out;
    const Scratch err;
    Process process(arguments, fileno(line), out.descriptor(), err.descriptor());
    const int status = process.Wait();
    std::fclose(line);
    EXPECT_EQ(status, arguments[0] == "practice" ? 0 : 1) << err.Read();
    EXPECT_LT(process.peak_kilobytes(), kBytes / 1024) << arguments[0];
    EXPECT_NE(out.Read().find("the line is longer than 1048576 bytes"), std::string::npos) << arguments[0];
    if (arguments[0] == "practice") continue;
    ASSERT_EQ(Lines(out.Read()).size(), 2U) << arguments[0];
    EXPECT_EQ(Json::parse(Lines(out.Read())[0]).at("position"), 1048576);
    EXPECT_EQ(Json::parse(Lines(out.Read())[1]).at("state"), "[=]");
  }
}

TEST(CliTest, InputThatCannotBeReadIsAnError) {
  const int folder = open("/", O_RDONLY | O_CLOEXEC);
  for (const Arguments& arguments : {Arguments{"step", "sorting"}, Arguments{"embed", "sorting"}}) {
    const Scratch out;
    const Scratch err;
    EXPECT_EQ(Process(arguments, folder, out.descriptor(), err.descriptor()).Wait(), 2);
    EXPECT_EQ(err.Read(), "conpole: cannot read standard input\n");
  }
  close(folder);
}

TEST(CliTest, SolveOpensStepsIntoAxioms) {
  const Arguments solve{"solve", "algebra", "x + 3 = 7", "--scorer", "lines"};
  const auto with = [&](std::initializer_list<std::string> more) {
    Arguments arguments = solve;
    arguments.insert(arguments.end(), more);
    return Conpole(arguments);
  };
  const std::string school = with({}).out;
  EXPECT_EQ(with({"--detail", "school"}).out, school);
  EXPECT_EQ(school.find("Group differently"), std::string::npos);
  EXPECT_NE(with({"--detail", "axioms"}).out.find("\nx + 3 - 3 = 7 - 3\n"), std::string::npos);
  const std::string both = with({"--detail", "both"}).out;
  EXPECT_NE(both.find("\n  Subtract 3 from both sides.\n      x + 3 = 7\n        Subtract 3 from both sides.\n"),
            std::string::npos)
      << both;
  EXPECT_EQ(with({"--detail", "both", "--json"}).json().at("steps")[0].at("axioms_domain"), "equations");
  ExpectRefused({"solve", "x=1+1", "--detail", "all"}, "school, why, axioms, both");
}

TEST(CliTest, TheLearnedPolicySolvesByAxioms) {
  // As when the domain is named.
  const Arguments named{"solve", "equations", "2x + 3 = 7", "--json"};
  const Json expected = Conpole(named).json();
  const Json found = Conpole({"solve", "--detail", "axioms", "--policy", "2x + 3 = 7", "--json"}).json();
  EXPECT_EQ(found.at("domain"), "equations");
  ASSERT_EQ(found.at("steps").size(), expected.at("steps").size());
  for (std::size_t i = 0; i < expected.at("steps").size(); ++i) {
    EXPECT_EQ(found.at("steps")[i].at("after"), expected.at("steps")[i].at("after"));
  }
  EXPECT_EQ(Conpole({"solve", "--detail", "axioms", "--policy", "12 * 34", "--json"}).json().at("domain"), "multiplication");
  EXPECT_EQ(Conpole({"solve", "--detail", "axioms", "--policy", "1/2 + 1/3", "--json"}).json().at("domain"), "fractions");
}

TEST(CliTest, SolvePrintsTheSteps) {
  for (const char* const search : {"greedy", "bfs", "beam", "bwas", "levin"}) {
    const Outcome outcome = Conpole({"solve", "sorting", "[==|=]", "--search", search});
    EXPECT_EQ(outcome.status, 0) << search;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out,
              "[2, 1]\n  Swap the bars in places 1 and 2.\n[1, 2]\n-- [1, 2] is the answer, and it was verified.\n");
  }
  EXPECT_EQ(Conpole({"solve", "sorting", "[=|==]"}).status, 0);
  const Outcome limited = Conpole({"solve", "sorting", "[===|=|====|==]", "--search", "levin", "--max-expanded", "1"});
  EXPECT_EQ(limited.status, 1);
  EXPECT_NE((limited.out + limited.err).find("the limit of 1 expanded state was reached"), std::string::npos) << limited.out;
}

TEST(CliTest, SolveGivesOneJsonObject) {
  const Outcome outcome = Conpole({"solve", "equations", "x + 3 = 7", "--search", "bfs", "--json"});
  EXPECT_EQ(outcome.status, 0);
  ASSERT_EQ(outcome.lines().size(), 1U);
  const Json answer = outcome.json();
  EXPECT_EQ(answer.at("domain"), "equations");
  EXPECT_EQ(answer.at("status"), "solved");
  EXPECT_EQ(answer.at("answer"), "x = 4");
  EXPECT_EQ(answer.at("verified"), true);
  EXPECT_GE(answer.at("expanded").get<int>(), 1);
  EXPECT_GE(answer.at("milliseconds").get<double>(), 0);
  ASSERT_FALSE(answer.at("steps").empty());
  for (const Json& step : answer.at("steps")) EXPECT_FALSE(step.at("text").get<std::string>().empty());
  EXPECT_EQ(answer.at("steps").back().at("after"), "x = 4");
}

TEST(CliTest, SolveGuessesTheDomainAndReadsWhatPeopleWrite) {
  for (const auto& [problem, answer] : std::vector<std::pair<std::string, std::string>>{
           {"x+3=7", "x = 4"}, {"-x=3", "x = -3"}, {"1/2 + 1/3", "5/6"}, {"12 * 3", "36"}, {"[3,1,2]", "[1, 2, 3]"}}) {
    const Outcome outcome = Conpole({"solve", problem, "--format", "json"});
    EXPECT_EQ(outcome.status, 0) << problem;
    EXPECT_EQ(outcome.json().at("answer"), answer) << problem;
  }
  const Outcome latex = Conpole({"solve", "\\frac{1}{2}x = 3", "--format", "latex", "--language", "de"});
  EXPECT_EQ(latex.status, 0);
  EXPECT_TRUE(latex.out.starts_with("\\begin{align*}\n  \\frac{1}{2}x &= 3 \\\\\n")) << latex.out;
  EXPECT_NE(latex.out.find("Seiten"), std::string::npos) << latex.out;
}

TEST(CliTest, AProblemMayComeInPieces) {
  const std::string whole = Conpole({"solve", "2x + 3 = 7"}).out;
  EXPECT_EQ(Conpole({"solve", "2x", "+", "3", "=", "7"}).out, whole);
  EXPECT_EQ(Conpole({"solve", "algebra", "2x", "+", "3", "=", "7"}).out, whole);
  EXPECT_EQ(Conpole({"solve", "2x", "+", "3", "=", "7", "--language", "en"}).out, whole);
  EXPECT_EQ(Conpole({"hint", "2x", "+", "3", "=", "7"}).out, Conpole({"hint", "2x+3=7"}).out);
  EXPECT_EQ(Conpole({"next", "2x", "+", "3", "=", "7"}).out, Conpole({"next", "2x+3=7"}).out);
  EXPECT_EQ(Conpole({"solve", "Solve", "for", "x:", "2x+3=7"}).out, whole);
  EXPECT_EQ(Conpole({"solve", "solve", "2x+3=7"}).out, whole);
  EXPECT_EQ(Conpole({"solve", "R", "U'", "--milliseconds", "600000"}).out,
            Conpole({"solve", "rubiks-cube", "R U'", "--milliseconds", "600000"}).out);
  ExpectRefused({"solve", "ternary-additoin", "c3", "b5"}, "unknown domain 'ternary-additoin'");
}

TEST(CliTest, AnAmbiguousProblemIsShownAsItWasRead) {
  EXPECT_TRUE(Conpole({"solve", "2/3x=4"}).out.starts_with("2/3x=4 is read as 2/3 · x = 4\n2/3 · x = 4\n"));
  EXPECT_TRUE(
      Conpole({"solve", "1/2(x+4)=3", "--lang", "de"}).out.starts_with("1/2(x+4)=3 wird gelesen als 1/2 · (x + 4) = 3\n"));
  EXPECT_TRUE(Conpole({"hint", "2/3x=4"}).out.starts_with("2/3x=4 is read as"));
  EXPECT_TRUE(Conpole({"solve", "x^2 >= 4"}).out.starts_with("x^2 ≥ 4\n")) << "it looks like the text";
  EXPECT_EQ(Conpole({"solve", "2/3x=4", "--json"}).json().at("read_as"), "2/3 * x = 4");
  EXPECT_TRUE(Conpole({"solve", "2x=4", "--json"}).json().at("read_as").is_null());
  EXPECT_EQ(Conpole({"next", "2/3x=4", "--json"}).json().at("read_as"), "2/3 * x = 4");
}

TEST(CliTest, ErrorsAreInTheLanguageAskedFor) {
  for (const Arguments& language : {Arguments{"--lang", "de"}, Arguments{"--language", "de"}, Arguments{"--lang=de"}}) {
    const auto refused = [&](Arguments arguments, std::string_view reason) {
      arguments.insert(arguments.end(), language.begin(), language.end());
      ExpectRefused(arguments, reason);
    };
    refused({"solve", "x + = 2"}, "'x + = 2' ist keine Aufgabe für algebra: Stelle 4: erwartet wird eine Zahl");
    refused({"solve", "2x + apples = 3"}, "verstanden wurde bis dahin: '2x + '");
    refused({"solve", "x=1", "--nonsense"}, "es gibt keine Option '--nonsense'");
    refused({"hint", "x=1+1", "--level", "4"}, "--level muss eine ganze Zahl von 1 bis 3 sein, nicht '4'");
    refused({"nonsense"}, "es gibt keinen Befehl 'nonsense'");
    refused({"solve", "chess", "e4"}, "unbekannter Bereich 'chess'");
  }
  EXPECT_TRUE(
      Conpole({"solve", "x + = 2", "--lang", "de", "--json"}).json().at("error").get<std::string>().starts_with("erwartet"));
  EXPECT_EQ(Conpole({"solve", "2x + apples = 3", "--json"}).json().at("understood"), "2x + ");
  ExpectRefused({"solve", "2x + apples = 3"}, "; understood up to there: '2x + '");
  ExpectRefused({"solve", "x = 3", "--lang", "xx"}, "unknown language 'xx'; there are: en, de, es, fr");
  EXPECT_EQ(Conpole({"solve", "x = x + 1", "--lang", "de"}).lines().back(), "-- Keine Zahl löst diese Gleichung.");
}

TEST(CliTest, ThePolicyIsTakenWhereItIsAskedFor) {
  EXPECT_EQ(Conpole({"solve", "equations", "x = 7 - 3", "--policy"}).status, 0);
  EXPECT_EQ(Conpole({"eval", "algebra", "--seeds", "0:1", "--json"}).json().at("scorer"), "lines");
  EXPECT_TRUE(Conpole({"eval", "sorting", "--policy", "--seeds", "0:1", "--json"})
                  .json()["scorer"]
                  .get<std::string>()
                  .starts_with("model "));
  ExpectRefused({"solve", "x=1", "--policy", "--scorer", "length"}, "--policy and --scorer exclude each other");
}

TEST(CliTest, ANamedSearchKeepsToTheTimeGiven) {
  const std::string problem = Conpole({"generate", "rubiks-cube:min_moves=19", "--seed", "1"}).json().at("problem");
  const Outcome outcome =
      Conpole({"solve", "rubiks-cube", problem, "--search", "bfs", "--max-edges", "100000000000", "--milliseconds", "1"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.lines().back(), "-- No solution was found in time.");
}

TEST(CliTest, SolveSaysExactlyWhatHasNoSingleSolution) {
  const Outcome none = Conpole({"solve", "x = x + 1"});
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.out,
            "x = x + 1\n  Subtract x from both sides.\n0 = 1\n  0 = 1 is never true.\nno solution\n"
            "-- No number solves this equation.\n");
  EXPECT_EQ(Conpole({"solve", "equations", "x = x + 1"}).out, "x = x + 1\n-- No number solves this equation.\n");
  EXPECT_EQ(Conpole({"solve", "x = x", "--json"}).json().at("status"), "every_number");
}

TEST(CliTest, UnreadableProblemsAreOneJsonObjectWithTheirPosition) {
  for (const char* const command : {"solve", "hint", "next"}) {
    const Outcome outcome = Conpole({command, "equations", "2x + = 3", "--json"});
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.json().at("position"), 5) << command;
    EXPECT_FALSE(outcome.json().at("error").get<std::string>().empty());
  }
  EXPECT_EQ(Conpole({"solve", "-x + = 3", "--json"}).json().at("position"), 5);
}

TEST(CliTest, HintsOfThreeLevels) {
  EXPECT_EQ(Conpole({"hint", "x + 3 = 7"}).out, "The term with the unknown should stand alone on its side.\n");
  EXPECT_EQ(Conpole({"hint", "equations", "x + 3 = 7"}).out, "Do the same on both sides.\n");
  EXPECT_EQ(Conpole({"hint", "x + 3 = 7", "--level", "2"}).out, "Subtract 3 from both sides.\n");
  EXPECT_EQ(Conpole({"hint", "equations", "x = 7 - 3", "--level", "3", "--json"}).json().at("line"), "x = 4");
}

TEST(CliTest, ChecksALine) {
  const Outcome progress = Conpole({"check", "2x + 3 = 7", "2x = 4"});
  EXPECT_EQ(progress.status, 0);
  EXPECT_EQ(progress.out, "Correct, and a step towards the answer.\n");
  const Outcome wrong = Conpole({"check", "equations", "2x + 3 = 7", "2x = 10", "--json"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_EQ(wrong.json().at("verdict"), "not_equivalent");
  ExpectRefused({"check", "2x + 3 = 7", "2x = "}, "position 5");
  // The answer is not said.
  EXPECT_EQ(Conpole({"check", "equations", "2x + 3 = 7", "2x = 10"}).out.find("x = 2"), std::string::npos);
}

TEST(CliTest, ChecksAWholeSolution) {
  const Outcome right = Conpole({"check", "algebra", "2x + 3 = 7 | -3", "2x = 4 | :2", "x = 2"});
  EXPECT_EQ(right.status, 0);
  EXPECT_EQ(right.out,
            "2x + 3 = 7\n2x = 4\n  Correct, and a step towards the answer.\nx = 2\n  Correct, and this is the answer.\n");
  // The same in one text.
  EXPECT_EQ(Conpole({"check", "algebra", "2x + 3 = 7\n2x = 4\nx = 2"}).out, right.out);
  EXPECT_EQ(Conpole({"check", "algebra", "2x + 3 = 7 <=> 2x = 4 => x = 2"}).out, right.out);
  EXPECT_EQ(Conpole({"check", "algebra", "1/2 + 1/3 = 3/6 + 2/6 = 5/6"}).status, 0);
  const Outcome wrong = Conpole({"check", "algebra", "2x + 3 = 7", "2x = 10", "x = 5", "--json"});
  EXPECT_EQ(wrong.status, 1);
  const Json lines = wrong.json().at("lines");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("mistake"), "sign_moved");
  EXPECT_EQ(lines[1].at("correct"), true);
  EXPECT_EQ(lines[1].at("after_mistake"), true);
  EXPECT_EQ(Conpole({"check", "algebra", "2x + 3 = 7", "2x = 10", "--language", "de"}).out,
            "Es sieht so aus, als wäre 3 mit demselben Vorzeichen auf die andere Seite gekommen. Wer die Seite wechselt, "
            "wechselt das Vorzeichen.\n");
  ExpectRefused({"check", "algebra", "2x + 3 = 7", "2x = 4", "x = = 2"}, "'x = = 2'");
}

TEST(CliTest, NextStepsComeWithProbabilities) {
  const Outcome outcome = Conpole({"next", "x = 7 - 3", "--json"});
  EXPECT_EQ(outcome.status, 0);
  const Json steps = outcome.json().at("steps");
  double sum = 0;
  for (const Json& step : steps) sum += step.at("probability").get<double>();
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_EQ(Conpole({"next", "x = 7 - 3"}).lines().size(), steps.size() + 1);
}

TEST(CliTest, PracticeAnswersEveryLine) {
  const Arguments practice{"practice", "sorting", "--level", "1", "--exercise", "5"};
  const Outcome first = Conpole(practice, "hint\nhint\nnonsense\nsolve\nquit\nhint\n");
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.err, "");
  const std::vector<std::string> lines = first.lines();
  ASSERT_GE(lines.size(), 8U) << first.out;
  const std::string exercise = "Exercise 1: ";
  ASSERT_TRUE(lines[1].starts_with(exercise)) << first.out;
  EXPECT_TRUE(lines[4].starts_with("This line cannot be read at position")) << first.out;
  EXPECT_EQ(lines.back(), "Solved without help: 0 of 1.");
  // The learner sorts it at once.
  const std::string sorted = lines[lines.size() - 3];
  const Outcome second = Conpole(practice, sorted + "\n");
  EXPECT_EQ(second.lines()[2], "Correct, and this is the answer.") << second.out;
  EXPECT_EQ(second.lines().back(), "Solved without help: 1 of 2.");
}

TEST(CliTest, PracticeListsSkillsAndGoesOnWhenOneIsMastered) {
  const Outcome list = Conpole({"practice", "--skills"});
  EXPECT_EQ(list.status, 0);
  EXPECT_EQ(list.lines().front(), "one-step: one step, levels 1 to 4, such as x - 2 = 3");
  EXPECT_GE(list.lines().size(), 20U);
  EXPECT_EQ(Conpole({"practice", "--skills", "--language", "de"}).lines().front(),
            "one-step: ein Schritt, Stufen 1 bis 4, zum Beispiel x - 2 = 3");

  const Arguments practice{"practice", "--skill", "one-step", "--exercise", "1"};
  const Outcome first = Conpole(practice, "x = 6\nx = 5\nx = 9\nmore\nx=0\nskills\n");
  EXPECT_EQ(first.status, 0);
  const std::vector<std::string> lines = first.lines();
  ASSERT_GE(lines.size(), 14U) << first.out;
  EXPECT_EQ(lines[1], "Exercise 1 (one step, level 1 of 4): x + 9 = 15");
  EXPECT_EQ(lines[2], "Correct, and this is the answer.");
  EXPECT_EQ(lines[3], "1 of 3 in a row without help.");
  EXPECT_EQ(lines[9], "3 in a row: level 1 of 4 is done (one step).") << first.out;
  EXPECT_TRUE(lines[10].starts_with("Exercise 4 (one step, level 2 of 4): ")) << first.out;
  EXPECT_TRUE(lines[11].starts_with("Exercise 5 (one step, level 1 of 4): ")) << first.out;
  EXPECT_EQ(lines[13], "one-step: one step, 1 of 4 levels done") << first.out;
  EXPECT_EQ(lines.back(), "Solved without help: 3 of 5.");
}

TEST(CliTest, PracticeUnderstandsTheWordsOfItsLanguage) {
  const Outcome german =
      Conpole({"practice", "--exercise", "1", "--language", "de"}, "Hinweis\nhint\nlösung\nweiter\nmehr 3(x-2)=9\nende\nx=1\n");
  const std::vector<std::string> lines = german.lines();
  ASSERT_GE(lines.size(), 9U) << german.out;
  EXPECT_EQ(lines[1], "Aufgabe 1 (ein Schritt, Stufe 1 von 4): x + 9 = 15");
  EXPECT_NE(lines[2], lines[3]);
  EXPECT_EQ(lines[4], "Lösung:");
  EXPECT_TRUE(lines[lines.size() - 2].starts_with("Aufgabe 3 (Klammern, Stufe 1 von 5): ")) << german.out;
  EXPECT_EQ(lines.back(), "Ohne Hilfe gelöst: 0 von 3.");
}

TEST(CliTest, PracticeWritesATranscriptAfterEveryLine) {
  const std::string path = testing::TempDir() + "conpole_practice_" + std::to_string(getpid()) + ".json";
  const Outcome outcome = Conpole({"practice", "--exercise", "1", "--transcript", path}, "x = 7\nx = 6\n");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream in(path);
  const Json transcript = Json::parse(in);
  EXPECT_EQ(transcript.at("exercises").size(), 2U);
  EXPECT_EQ(transcript.at("exercises")[0].at("events")[1].at("verdict"), "solved");
  std::filesystem::remove(path);
  ExpectRefused({"practice", "--transcript", "/nonexistent/folder/file.json"}, "/nonexistent/folder/file.json");
}

TEST(CliTest, SortsAnyNumbersAndShowsThemAsTheyAre) {
  const Outcome outcome = Conpole({"solve", "sorting", "3, -1, 2.5"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.lines().front(), "[3, -1, 2.5]");
  EXPECT_EQ(outcome.lines().back(), "-- [-1, 2.5, 3] is the answer, and it was verified.");
  EXPECT_EQ(Conpole({"check", "sorting", "[3, -1, 2.5]", "[-1, 3]"}).lines().front(), "2.5 is missing.");
  ExpectRefused({"solve", "sorting", "3, abc, 2"}, "expected a number, found 'a'");
}

TEST(CliTest, ACubeThatCannotBeIsNamedAtOnce) {
  const std::string rest = "RRRRRRRRRFUFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
  const Outcome outcome = Conpole({"solve", "rubiks-cube", "UUUUUUUFU" + rest, "--milliseconds", "0"});
  EXPECT_EQ(outcome.lines().back(), "-- No turns solve this cube: the edge UF is flipped.");
  ExpectRefused({"solve", "rubiks-cube", "UUUUUUUFF" + rest}, "every colour is there 9 times, but here are 10 of F and 8 of U");
  ExpectRefused({"solve", "rubiks-cube", rest}, "there are 45 facelets, and a cube has 54");
}

TEST(CliTest, AnUnsolvedProblemIsStatusOne) {
  const Outcome outcome = Conpole({"solve", "sorting", "[===|=|==]", "--max-steps", "1"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, "[3, 1, 2]\n-- No solution of at most 1 step was found.\n");
  const Outcome as_json = Conpole({"solve", "sorting", "[===|=|==]", "--search", "bfs", "--max-edges", "2", "--json"});
  EXPECT_EQ(as_json.status, 1);
  EXPECT_EQ(as_json.json().at("status"), "unsolved");
  EXPECT_EQ(as_json.json().at("verified"), false);
  EXPECT_TRUE(as_json.json().at("steps").empty());
}

TEST(CliTest, TheSeedOfTheRandomScorerDecides) {
  std::set<std::string> seen;
  for (const char* const seed : {"0", "1", "2", "3", "4"}) {
    const Arguments arguments{"eval",     "sorting", "--seeds", "0:20",   "--search", "greedy",
                              "--scorer", "random",  "--json",  "--seed", seed};
    Json first = Conpole(arguments).json();
    Json second = Conpole(arguments).json();
    first.erase("seconds");
    second.erase("seconds");
    EXPECT_EQ(first, second);
    seen.insert(first.dump());
  }
  EXPECT_GT(seen.size(), 1U);
}

TEST(CliTest, EvalReportsSuccessAndCost) {
  const Outcome outcome =
      Conpole({"eval", "sorting", "--seeds", "10:30", "--search", "bfs", "--max-edges", "500", "--json", "--failures"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  ASSERT_EQ(outcome.lines().size(), 1U);
  const Json report = outcome.json();
  EXPECT_EQ(report.at("domain"), "sorting");
  EXPECT_EQ(report.at("problems"), 20);
  const int solved = report.at("solved");
  EXPECT_GT(solved, 0);
  EXPECT_LT(solved, 20);
  EXPECT_DOUBLE_EQ(report.at("success_rate"), solved / 20.0);
  EXPECT_EQ(report.at("verified"), solved);
  EXPECT_DOUBLE_EQ(report.at("verified_rate"), solved / 20.0);
  EXPECT_GT(report.at("mean_length").get<double>(), 0);
  EXPECT_GT(report.at("expanded").get<int>(), 0);
  EXPECT_GE(report.at("seconds").get<double>(), 0);
  EXPECT_EQ(report.at("interrupted"), false);
  ASSERT_EQ(report.at("failures").size(), static_cast<std::size_t>(20 - solved));
  for (const Json& failure : report.at("failures")) {
    const std::string seed = std::to_string(failure.at("seed").get<int>());
    EXPECT_EQ(Conpole({"generate", "sorting", "--seed", seed}).json().at("problem"), failure.at("problem"));
    EXPECT_EQ(Conpole({"solve", "sorting", failure.at("problem"), "--search", "bfs", "--max-edges", "500"}).status, 1);
  }

  const Outcome readable =
      Conpole({"eval", "sorting", "--seeds", "10:30", "--search", "bfs", "--max-edges", "500", "--failures"});
  EXPECT_EQ(readable.status, 0);
  EXPECT_EQ(readable.err, "");  // no progress bar unless on a terminal
  ASSERT_EQ(readable.lines().size(), static_cast<std::size_t>(5 + 20 - solved));
  EXPECT_TRUE(readable.lines()[1].starts_with("solved " + std::to_string(solved) + " of 20: "));
  EXPECT_TRUE(readable.lines()[2].starts_with("verified " + std::to_string(solved) + " of 20: "));
}

TEST(CliTest, EvalDoesNotDependOnThreads) {
  std::set<std::string> reports;
  for (const char* const threads : {"1", "2", "4"}) {
    Json report = Conpole({"eval", "equations", "--seeds", "0:10", "--scorer", "random", "--max-steps", "6", "--json",
                           "--failures", "--threads", threads})
                      .json();
    report.erase("seconds");
    reports.insert(report.dump());
  }
  EXPECT_EQ(reports.size(), 1U);
}

TEST(CliTest, AnInterruptedEvalReportsWhatWasDone) {
  for (const Arguments& search : {Arguments{"--search", "bfs", "--max-edges", "100000000000"},
                                  Arguments{"--search", "beam", "--scorer", "random", "--max-steps", "1000000000"},
                                  Arguments{"--search", "beam", "--beam", "1000000", "--max-steps", "1000000000"},
                                  Arguments{"--search", "bwas", "--scorer", "stickers", "--max-expanded", "1000000000"}}) {
    // Nearly all of these are far from solved.
    Arguments arguments{"eval", "rubiks-cube:min_moves=19", "--seeds", "0:20", "--json"};
    arguments.insert(arguments.end(), search.begin(), search.end());
    const Outcome outcome = Interrupt(arguments);
    EXPECT_EQ(outcome.status, 130) << search[1];
    EXPECT_EQ(outcome.err, "");
    ASSERT_EQ(outcome.lines().size(), 1U) << search[1];
    EXPECT_EQ(outcome.json().at("interrupted"), true);
    EXPECT_LT(outcome.json().at("problems").get<int>(), 20);
  }
}

TEST(CliTest, AnInterruptedSolveSaysSo) {
  const std::string problem = Conpole({"generate", "rubiks-cube:min_moves=19", "--seed", "1"}).json().at("problem");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Outcome outcome =
        Interrupt({"solve", "rubiks-cube", problem, "--search", "bfs", "--max-edges", "100000000000"}, signal);
    EXPECT_EQ(outcome.status, 130) << signal;
    ASSERT_EQ(outcome.lines().size(), 12U) << "the cube as a picture, an empty line, the problem, and then";
    EXPECT_EQ(outcome.lines().back(), "-- The search was interrupted before a solution was found.");
  }
}

TEST(CliTest, PracticeEndsWhenAskedWhileInputKeepsComing) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const Scratch unused;
    const Scratch out;
    Process yes({""}, unused.descriptor(), ends[1], unused.descriptor(), "/usr/bin/yes");
    Process practice({"practice", "equations", "--level", "1"}, ends[0], out.descriptor(), unused.descriptor());
    WaitForSignalHandler(practice.pid());
    kill(practice.pid(), signal);
    EXPECT_EQ(practice.Wait(), 130);
    EXPECT_NE(out.Read().find("Solved without help"), std::string::npos);
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(CliTest, InterruptedHintsAndMiningSaySo) {
  const std::string problem = Conpole({"generate", "rubiks-cube:min_moves=19", "--seed", "1"}).json().at("problem");
  EXPECT_EQ(Interrupt({"hint", "rubiks-cube", problem, "--milliseconds", "600000", "--expansions", "100000000000", "--scorer",
                       "random"})
                .status,
            130);
  const std::string file = testing::TempDir() + "interrupted.abstractions";
  EXPECT_EQ(
      Interrupt({"abstractions", "mine", "equations", "--search", "bfs", "--max-edges", "100000000000", "--out", file}).status,
      130);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(CliTest, AnInterruptedBatchHasOnlyWhatWasFinished) {
  const std::string problem = Conpole({"generate", "rubiks-cube:min_moves=19", "--seed", "1"}).json().at("problem");
  const std::string file = testing::TempDir() + "interrupted.jsonl";
  std::ofstream(file) << Json{{"problem", problem}, {"answer", problem}}.dump() << '\n' << problem << '\n';
  const Arguments endless{"--milliseconds", "600000", "--expansions", "100000000000", "--scorer", "random"};
  Arguments solve{"solve", "rubiks-cube", "--batch", file};
  solve.insert(solve.end(), endless.begin(), endless.end());
  const Outcome solved = Interrupt(solve);
  EXPECT_EQ(solved.status, 130);
  EXPECT_EQ(solved.out, "") << "none of them was finished";
  Arguments audit{"audit", file};
  audit.insert(audit.end(), endless.begin(), endless.end());
  const Outcome audited = Interrupt(audit);
  EXPECT_EQ(audited.status, 130);
  EXPECT_EQ(audited.out, "0 answers agree, 0 disagree, 0 could not be compared\n");
}

TEST(CliTest, ABatchGoesOnBehindALineThatIsNoText) {
  const Outcome outcome = Conpole({"solve", "--batch", "-"}, "x\xff = 3\n2x = 4\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "");
  ASSERT_EQ(outcome.lines().size(), 2U);
  EXPECT_TRUE(Json::parse(outcome.lines()[0]).contains("error"));
  EXPECT_EQ(Json::parse(outcome.lines()[1]).at("answer"), "x = 2");
  ExpectRefused({"solve", "--batch", testing::TempDir()}, "cannot be read");
}

TEST(CliTest, ThePlaceOfAPictureIsTriedBeforeTheWork) {
  ExpectRefused({"solve", "2x = 4", "--picture", "/nonexistent/x.svg"}, "/nonexistent/x.svg");
}

TEST(CliTest, AnInterruptedTableStops) {
  const Outcome outcome = Interrupt({"reproduce", "table1", "--problems", "5", "--edges", "100000000000", "--json"});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_LT(outcome.lines().size(), 5U);
}

TEST(CliTest, Table1HasALinePerDomain) {
  const Outcome outcome = Conpole({"reproduce", "table1", "--problems", "5", "--edges", "1000", "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  std::vector<std::string> names;
  for (const std::string& line : outcome.lines()) {
    const Json row = Json::parse(line);
    names.push_back(row.at("domain"));
    EXPECT_EQ(row.at("problems"), 5);
    EXPECT_EQ(row.at("edges"), 1000);
    EXPECT_GT(row.at("paper").at("branching").get<double>(), 0);
    EXPECT_GT(row.at("paper").at("success_percent").get<double>(), 0);
    EXPECT_GT(row.at("branching").at("initial").get<double>(), 0);
    EXPECT_GT(row.at("branching").at("walks").get<double>(), 0);
    for (const char* const protocol : {"inverted", "correct"}) {
      EXPECT_GE(row.at("success_percent").at(protocol).get<double>(), 0);
      EXPECT_LE(row.at("success_percent").at(protocol).get<double>(), 100);
    }
    EXPECT_GE(row.at("seconds").get<double>(), 0);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"sorting", "ternary-addition", "multiplication", "fractions", "equations"}));

  const Outcome readable = Conpole({"reproduce", "table1", "--problems", "2", "--edges", "100"});
  EXPECT_EQ(readable.status, 0);
  for (const std::string& name : names) EXPECT_NE(readable.out.find("\n" + name + " "), std::string::npos) << name;
}

// A small random model in a file that goes with the object.
class ModelFile {
 public:
  explicit ModelFile(const std::string& domain)
      : path_(testing::TempDir() + "conpole_cli_test_" + std::to_string(getpid()) + ".safetensors") {
    Model model = RandomModel(Lstm({8, 16, 2}), 1);
    model.metadata["domain"] = domain;
    WriteModel(model, path_, WeightFormat::kFloat32);
  }
  ~ModelFile() { std::remove(path_.c_str()); }
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(CliTest, AModelScores) {
  const ModelFile model("sorting:max_length=5");
  for (const char* const search : {"greedy", "beam", "bwas", "levin"}) {
    const Outcome outcome = Conpole({"solve", "sorting", "[===|=|==]", "--search", search, "--model", model.path(), "--json"});
    EXPECT_EQ(outcome.status, outcome.json().at("verified").get<bool>() ? 0 : 1) << search;
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_EQ(Conpole({"eval", "sorting", "--seeds", "0:5", "--model", model.path(), "--json"}).json().at("scorer"),
            "model " + model.path());
  ExpectRefused({"solve", "equations", "x = 1 + 2", "--model", model.path()}, "is for the domain sorting:max_length=5");
  const Outcome forced = Conpole({"solve", "equations", "x = 1 + 2", "--model", model.path(), "--any-domain"});
  EXPECT_EQ(forced.status, 0) << forced.err;
  ExpectRefused({"solve", "sorting", "[==|=]", "--model", "/nowhere/model"}, "/nowhere/model");
  ExpectRefused({"solve", "sorting", "[==|=]", "--model", CONPOLE_PROGRAM}, CONPOLE_PROGRAM);
}

TEST(CliTest, EmbedGivesAVectorPerState) {
  const ModelFile model("sorting");
  const Outcome outcome = Conpole({"embed", "sorting", "--model", model.path()}, "[==|=]\n[x]\n[=|==]\n[==|=]");
  EXPECT_EQ(outcome.status, 1);
  const std::vector<std::string> lines = outcome.lines();
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(Json::parse(lines[0]).at("vector").size(), 32U);
  EXPECT_EQ(Json::parse(lines[1]).at("position"), 1);
  EXPECT_NE(Json::parse(lines[2]).at("vector"), Json::parse(lines[0]).at("vector"));
  EXPECT_EQ(Json::parse(lines[3]), Json::parse(lines[0]));
  ExpectRefused({"embed", "equations", "--model", model.path()}, "is for the domain sorting, not for equations");
  const Outcome forced = Conpole({"embed", "equations", "--model", model.path(), "--any-domain"}, "x + 3 = 7\n(y + 3) = 7\n");
  ASSERT_EQ(forced.lines().size(), 2U) << forced.err;
  EXPECT_EQ(Json::parse(forced.lines()[0]).at("vector"), Json::parse(forced.lines()[1]).at("vector"));

  const Outcome matrix = Conpole({"embed", "sorting", "--model", model.path(), "--format", "npy"}, "[==|=]\n[=|==]\n");
  EXPECT_EQ(matrix.status, 0);
  ASSERT_EQ(matrix.out.size(), 128 + std::size_t{2} * 32 * sizeof(float));
  EXPECT_TRUE(matrix.out.starts_with("\x93NUMPY"));
  EXPECT_NE(matrix.out.find("'shape': (2, 32)"), std::string::npos);
  float first = 0;
  std::memcpy(&first, matrix.out.data() + 128, sizeof first);
  EXPECT_FLOAT_EQ(first, Json::parse(lines[0]).at("vector")[0].get<float>());

  const Outcome malformed = Conpole({"embed", "sorting", "--model", model.path(), "--format", "npy"}, "[==|=]\n[x]\n");
  EXPECT_EQ(malformed.status, 2);
  EXPECT_EQ(malformed.out, "");
  EXPECT_NE(malformed.err.find("line 2"), std::string::npos);
  ExpectRefused({"embed", "sorting", "--model", model.path(), "--format", "csv"}, "csv");
}

TEST(CliTest, TheShippedModelsAreUsedByDefault) {
  for (const char* domain : {"sorting", "ternary-addition", "multiplication", "fractions", "equations"}) {
    const Json report = Conpole({"eval", domain, "--search", "greedy", "--seeds", "0:5", "--json"}).json();
    EXPECT_TRUE(report["scorer"].get<std::string>().starts_with("model ")) << report;
    EXPECT_GE(report["solved"], 4) << report;
  }
  EXPECT_EQ(Conpole({"eval", "sorting", "--scorer", "random", "--seeds", "0:1", "--json"}).json()["scorer"], "random");
  ExpectRefused({"eval", "sorting", "--scorer", "random", "--model", "x"}, "exclude each other");
}

TEST(CliTest, ADeviceThatIsNotThereIsRefused) {
  ExpectRefused({"eval", "sorting", "--seeds", "0:1", "--device", "abacus"}, CONPOLE_HAS_TORCH ? "abacus" : "LibTorch");
  ExpectRefused({"solve", "sorting", "[==|=]", "--device", "abacus"}, CONPOLE_HAS_TORCH ? "abacus" : "LibTorch");
  if (!CONPOLE_HAS_TORCH) ExpectRefused({"train", "sorting", "--out", "nowhere", "--device", "cuda"}, "LibTorch");
}

TEST(CliTest, AWrongFolderOfModelsIsRefused) {
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread is running
  for (const char* const wrong : {"/nowhere", "/dev", CONPOLE_PROGRAM}) {
    setenv("CONPOLE_MODELS", wrong, 1);
    const std::string why = std::string("CONPOLE_MODELS names '") + wrong;
    ExpectRefused({"solve", "equations", "x = 1 + 1"}, why.substr(0, 60));
    ExpectRefused({"eval", "sorting", "--seeds", "0:1"}, why.substr(0, 60));
    EXPECT_EQ(Conpole({"eval", "sorting", "--seeds", "0:1", "--scorer", "length"}).status, 0);
  }
  setenv("CONPOLE_MODELS", "", 1);
  EXPECT_TRUE(
      Conpole({"eval", "sorting", "--seeds", "0:1", "--json"}).json()["scorer"].get<std::string>().starts_with("model "));
  unsetenv("CONPOLE_MODELS");
  // NOLINTEND(concurrency-mt-unsafe)
}

TEST(CliTest, ADomainWithoutAModelIsScoredByAHeuristic) {
  const std::string models = testing::TempDir() + "conpole_models_" + std::to_string(getpid());
  std::filesystem::create_directory(models);
  std::filesystem::copy(CONPOLE_SOURCE "/models/sorting.safetensors", models + "/sorting.safetensors");
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread is running
  setenv("CONPOLE_MODELS", models.c_str(), 1);
  EXPECT_EQ(Conpole({"eval", "rubiks-cube", "--seeds", "0:1", "--json"}).json()["scorer"], "stickers");
  ExpectRefused({"solve", "rubiks-cube", "R", "--policy"}, "no model comes with conpole for rubiks-cube");
  ExpectRefused({"embed", "rubiks-cube"}, "no model comes with conpole for rubiks-cube");
  unsetenv("CONPOLE_MODELS");
  // NOLINTEND(concurrency-mt-unsafe)
  std::filesystem::remove_all(models);
}

// conpole-torch stands beside conpole. Where the system does not tell where that is, another one must not be run instead.
TEST(CliTest, NothingOfTheCurrentFolderIsRun) {
  const std::string folder = testing::TempDir() + "conpole_cli_test_folder_" + std::to_string(getpid());
  const std::string hide_proc =
      "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /proc && cd " + folder + " && ";
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread is running
  std::filesystem::create_directory(folder);
  const bool can_hide_proc = std::system((hide_proc + "true' 2>/dev/null").c_str()) == 0;
  if (can_hide_proc) {
    std::ofstream(folder + "/conpole-torch") << "#!/bin/sh\ntouch was-run\n";
    std::filesystem::permissions(folder + "/conpole-torch", std::filesystem::perms::owner_all);
    EXPECT_NE(std::system((hide_proc + CONPOLE_PROGRAM + " eval sorting --device abacus --seeds 0:1 2>message'").c_str()), 0);
    EXPECT_FALSE(std::filesystem::exists(folder + "/was-run"));
    std::ifstream file(folder + "/message");
    const std::string message{std::istreambuf_iterator<char>(file), {}};
    // A program with sanitizers gives up without /proc before it can say anything.
    if (message.find("Sanitizer") == std::string::npos) {
      EXPECT_NE(message.find(CONPOLE_HAS_TORCH ? "abacus" : "LibTorch"), std::string::npos) << message;
    }
  }
  // NOLINTEND(concurrency-mt-unsafe)
  std::filesystem::remove_all(folder);
  if (!can_hide_proc) GTEST_SKIP() << "/proc cannot be hidden here";
}

TEST(CliTest, ADomainInPythonThatIsNotThereIsRefused) {
  const std::string why = CONPOLE_HAS_PYTHON  ? "No module named 'nowhere'"
                          : CONPOLE_HAS_TORCH ? "CONPOLE_PYTHON=ON"
                                              : "LibTorch";
  ExpectRefused({"eval", "python:nowhere.Domain", "--seeds", "0:1"}, why);
  ExpectRefused({"train", "--domain", "python:nowhere.Domain", "--out", "nowhere"}, why);
}

TEST(CliTest, OutputThatCannotBeWrittenIsAnError) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) GTEST_SKIP() << "there is no /dev/full";
  for (const Arguments& arguments :
       {Arguments{}, Arguments{"--help"}, Arguments{"--version"}, Arguments{"domains"},
        Arguments{"generate", "sorting", "--seed", "0"}, Arguments{"walk", "sorting", "--seed", "0"},
        Arguments{"step", "sorting"}, Arguments{"solve", "sorting", "[==|=]"}, Arguments{"eval", "sorting", "--seeds", "0:2"},
        Arguments{"reproduce", "table1", "--problems", "1", "--edges", "10"}}) {
    const Scratch in("[==|=]\n");
    const Scratch err;
    EXPECT_EQ(Process(arguments, in.descriptor(), full, err.descriptor()).Wait(), 2);
    EXPECT_EQ(err.Read(), "conpole: cannot write to standard output\n") << testing::PrintToString(arguments);
  }
  close(full);
}

}  // namespace
}  // namespace conpole
