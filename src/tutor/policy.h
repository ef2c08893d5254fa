// The scorer of a domain: a model file, the model that comes with conpole, or a scorer without a network. Every program that
// searches for people makes its scorer here. The functions may be called from any thread; what they return is used by one
// thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conpole/domain.h"
#include "conpole/scorer.h"
#include "nn/encoder.h"
#include "nn/model.h"
#include "util/thread_pool.h"

namespace conpole {

class ResidualNetwork;

// At most one of the first three may be given. Without any: the domain's heuristic, if that suffices; else the model that comes
// with conpole for the domain; where there is none, a simple scorer.
struct PolicyChoice {
  std::string model = {};   // the path of a model file
  std::string scorer = {};  // random, length or a heuristic of the domain
  std::uint64_t seed = 0;   // of the random scorer
  bool learned = false;     // the model that comes with conpole for the domain
  bool any_domain = false;  // the model file may be one of another domain
};

// Throws Error if more than one is given.
void RequireOneChoice(const PolicyChoice& choice);

// The pool must outlive the scorer. Throws Error if more than one is given, if there is no such scorer or model, or if one
// does not fit the domain.
std::unique_ptr<Scorer> MakePolicy(const Domain& domain, ThreadPool& pool, const PolicyChoice& choice = {});
// The path of the model that a choice means; empty if it means a scorer without one. Throws Error if none comes with conpole
// that was asked for.
std::string ModelPathOf(const Domain& domain, const PolicyChoice& choice);
// A choice in words, for reports: "model PATH", or the name of a scorer.
std::string NameOfPolicy(const Domain& domain, const PolicyChoice& choice);

// Reads a model file and makes sure that it is for this domain, unless it may be one of any. Throws Error.
Model ReadPolicyModel(const Domain& domain, const std::string& path, bool any_domain = false);
// Throws Error, which calls the model by the name, if it says that it is for another domain.
void RequireModelFor(const Domain& domain, const Model& model, const std::string& name);
// What the metadata of a model say of this domain, under the usual keys, if it was trained for several; else as they are.
std::map<std::string, std::string> MetadataFor(const Domain& domain, const std::map<std::string, std::string>& metadata);
// The domain that a model says it was trained for, with all parameters, as far as they are recorded: what MakeDomain takes, if
// it is one that comes with conpole; of several, their names. Empty if the model does not say.
std::string DomainOfModel(const Model& model);
// The text of the domain file that a model was trained with; empty if it is for a domain that comes with conpole. Throws Error.
std::string DomainFileOfModel(const std::string& path);

// Whether a model reads packed states and not texts.
bool ReadsLayout(const Model& model);
// The layout that such a model and the domain share. Throws Error if they do not.
const FixedLayout& LayoutFor(const Domain& domain, const Model& model);

// The encoder of a model for the domain, whether it reads texts or packed states. Throws Error.
std::unique_ptr<Encoder> MakeEncoderFor(const Domain& domain, const Model& model);
// The scorer of a model for the domain on the CPU, likewise. The pool must outlive it.
std::unique_ptr<Scorer> MakeModelScorer(const Domain& domain, const Model& model, ThreadPool& pool);
// That of a network that reads packed states. Searches have products in bytes if the network was made for that.
std::unique_ptr<Scorer> MakeLayoutScorer(const FixedLayout& layout, std::shared_ptr<const ResidualNetwork> network,
                                         ThreadPool& pool);

// A state as networks were trained to read it, where it is not such a text itself: unknowns are called x, and lists of numbers
// are bars of the lengths of their ranks. Nothing if the text is one that they were trained on, or no such text is known.
std::optional<std::string> TextForPolicy(const Domain& domain, std::string_view state);
// A text from outside as networks were trained to read it: canonical, and then as TextForPolicy has it. What only steps lead
// to, such as a fraction over zero, is taken as it is.
Parsed ReadForPolicy(const Domain& domain, std::string_view text);

// Networks are trained on equations in x. Where letters are unknowns, the result shows the scorer every text with its letter
// renamed to x, so that it knows equations in any letter. Lists of numbers are shown to it as bars of the lengths of their
// ranks. Elsewhere it is the scorer itself.
std::unique_ptr<Scorer> ForAnyUnknown(const Domain& domain, std::unique_ptr<Scorer> scorer);

// The scores of the candidates of one parent.
std::vector<float> ScoreCandidates(Scorer& scorer, std::string_view parent, std::span<const std::string_view> candidates);
// The probabilities that scores of siblings stand for. Requires at least one.
std::vector<double> Softmax(const std::vector<float>& scores);

}  // namespace conpole
