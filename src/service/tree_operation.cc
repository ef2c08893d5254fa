// The search tree of a problem, for those who want to see how a policy searches.
#include <utility>

#include "service/operations.h"
#include "service/search_tree.h"
#include "subjects/markup_json.h"
#include "tutor/explain.h"

namespace conpole {

ServiceJson AnswerTree(CallContext& context, RequestFields& fields) {
  constexpr std::uint64_t kMaxBeam = 64;
  constexpr std::uint64_t kMaxSteps = 200;
  const CommonFields common(context, fields);
  const std::string text = fields.Text("problem");
  SearchTreeOptions options;
  options.beam = static_cast<std::size_t>(fields.Number("beam", 1, kMaxBeam).value_or(options.beam));
  options.max_steps = static_cast<std::size_t>(fields.Number("max_steps", 1, kMaxSteps).value_or(options.max_steps));
  options.max_nodes = context.options.limits.nodes;
  fields.RequireNoOthers();
  TutorCall call(context, common, text, {}, common.milliseconds);
  Session& session = call.session();
  const std::string problem = AskAbout("problem", [&] { return session.Read(text); });
  const SearchTree tree = GrowSearchTree(call.domain(), session.policy(), problem, options, call.watch().stop());

  ExplainOptions explain;
  explain.language = common.language;
  ServiceJson nodes = ServiceJson::array();
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const SearchTree::Node& node = tree.nodes[i];
    const std::string sentence =
        node.parent ? ExplainStep(call.domain(), node.label, tree.nodes[*node.parent].state, node.state, explain)
                    : std::string();
    ServiceJson entry{{"id", i},
                      {"parent", node.parent ? ServiceJson(*node.parent) : ServiceJson()},
                      {"depth", node.depth},
                      {"state", node.state},
                      {"notation", session.tutor().Write(node.state)},
                      {"label", node.parent ? ServiceJson(node.label) : ServiceJson()},
                      {"text", node.parent ? ServiceJson(sentence) : ServiceJson()},
                      {"score", node.score},
                      {"probability", node.probability},
                      {"chosen", node.chosen},
                      {"on_solution", node.on_solution}};
    if (common.markup && node.parent) {
      AddMarkup(entry, MarkupOfStep(call.domain(), tree.nodes[*node.parent].state, node.state, common.language));
    } else {
      AddMarkupIfAsked(entry, common, call.domain(), node.state);
    }
    nodes.push_back(std::move(entry));
  }
  const std::string& read_as = session.read_as();
  return {{"domain", call.domain().Spec()},
          {"problem", problem},
          {"nodes", std::move(nodes)},
          {"solved", tree.solved},
          {"cut", tree.cut},
          {"read_as", read_as.empty() ? ServiceJson() : ServiceJson(read_as)}};
}

}  // namespace conpole
