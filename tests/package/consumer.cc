// consumer DOMAIN SEED: prints a problem, and fails if it cannot be read back.
#include <exception>
#include <iostream>
#include <memory>
#include <string>

#include <conpole/domain.h>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const std::unique_ptr<conpole::Domain> domain = conpole::MakeDomain(argv[1]);
    const std::string problem = domain->Generate(std::stoull(argv[2]));
    if (domain->Parse(problem).state != problem) return 1;
    std::cout << problem << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
